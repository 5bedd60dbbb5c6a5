//! The container of a table: prefix, header, sums and body (FORMAT.md, sections 1 to 3).

mod body;
mod codec;
mod prefix;
#[cfg(feature = "write")]
mod write;

pub(crate) use body::{Body, Fault};
pub use codec::Header;
pub(crate) use codec::decode_header;
pub use prefix::FORMAT_VERSION;
pub(crate) use prefix::{PREFIX, Prefix};
#[cfg(feature = "write")]
pub(crate) use write::{assemble, digest_of};
#[cfg(feature = "write")]
pub use write::{can_write_beside, write_whole};
