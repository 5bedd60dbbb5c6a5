//! The container of a table: prefix, header, sums and body (FORMAT.md, sections 1 to 3).

mod body;
mod codec;
mod first;
mod prefix;
#[cfg(feature = "write")]
mod write;

pub(crate) use body::{Body, Fault};
pub use codec::{ChancesHeader, Header};
pub(crate) use codec::{decode_chances_header, decode_header};
pub(crate) use prefix::Content;
pub use prefix::FORMAT_VERSION;
#[cfg(feature = "write")]
pub(crate) use write::assemble;
#[cfg(feature = "write")]
pub use write::{can_write_beside, write_whole, write_whole_by};
