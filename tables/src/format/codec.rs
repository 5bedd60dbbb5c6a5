//! Headers as bytes (FORMAT.md, section 2). The only module that knows bincode.

#[cfg(feature = "write")]
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::prefix::MAX_HEADER;
use crate::Damage;

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<MAX_HEADER>()
}

/// The bytes of a header.
#[cfg(feature = "write")]
pub(crate) fn encode_header(header: &impl Serialize) -> Vec<u8> {
    bincode::serde::encode_to_vec(header, config()).expect("a header of plain numbers encodes")
}

pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Damage> {
    let (header, used): (T, usize) = bincode::serde::decode_from_slice(bytes, config())
        .map_err(|error| Damage::new(format!("its header does not decode: {error}")))?;
    if used != bytes.len() {
        return Err(Damage::new(format!("its header has {} bytes too many", bytes.len() - used)));
    }
    Ok(header)
}
