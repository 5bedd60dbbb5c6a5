//! The parts of the file format that all files have: prefix, header, checksums, and a body of packed arrays (FORMAT.md,
//! sections 1 to 3). This module does not interpret the arrays.
//!
//! [`Body`] opens the bytes of a file, and [`Packed`] reads the records of one of its arrays. With the feature `write`,
//! [`FileWriter`] writes files.

mod bits;
mod body;
mod codec;
mod packed;
mod prefix;
#[cfg(all(test, feature = "write"))]
pub(crate) mod tests;
#[cfg(feature = "write")]
mod write;

#[cfg(feature = "write")]
pub use bits::BitWriter;
pub use bits::{MAX_WIDTH, low_bits, width_of};
pub use body::{Body, Fault};
pub(crate) use codec::decode;
#[cfg(all(test, feature = "write"))]
pub(crate) use codec::encode_header;
pub use packed::{ENTRY, PADDING, Packed};
pub use prefix::{Content, FORMAT_VERSION};
pub(crate) use prefix::{PREFIX_LEN, stated_len};
#[cfg(feature = "write")]
pub use write::{FileWriter, Finished, Shape, Sink, in_memory};
