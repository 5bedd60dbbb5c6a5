//! Encoding and decoding of headers (FORMAT.md, section 2).

use bincode::error::DecodeError;
#[cfg(feature = "write")]
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::prefix::MAX_HEADER_LEN;
use crate::Damage;

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_limit::<MAX_HEADER_LEN>()
}

#[cfg(feature = "write")]
pub(crate) fn encode_header(header: &impl Serialize) -> Vec<u8> {
    bincode::serde::encode_to_vec(header, config()).expect("a header of plain numbers encodes")
}

/// Decodes a header with serde.
pub(crate) fn decode_serde<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Damage> {
    complete(bincode::serde::decode_from_slice(bytes, config()), bytes)
}

/// Decodes a header without serde, whose code would add about 25 KB to the lookup program.
pub(crate) fn decode<T: bincode::Decode<()>>(bytes: &[u8]) -> Result<T, Damage> {
    complete(bincode::decode_from_slice(bytes, config()), bytes)
}

/// Checks that the header has decoded, and that no bytes are left.
fn complete<T>(decoded: Result<(T, usize), DecodeError>, bytes: &[u8]) -> Result<T, Damage> {
    let (header, used) =
        decoded.map_err(|error| Damage::new(format!("its header does not decode: {error}")))?;
    if used != bytes.len() {
        return Err(Damage::new(format!("its header has {} bytes too many", bytes.len() - used)));
    }
    Ok(header)
}
