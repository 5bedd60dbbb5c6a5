//! The endpoint for the page's address, as text and as a QR code, which a class scans.

use axum::extract::State;
use axum::response::Response;
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::app::Shared;
use super::extract::{Params, to_json};
use crate::caching::{self, JSON};
use crate::problem::{ErrorResponse, Problem};
use crate::public_address::MAX_HASH_BYTES;

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct ClassParams {
    /// The part of the address from its `#` on; absent for the page itself.
    #[serde(default)]
    #[param(example = "#table=sticks&position=2,5,7", max_length = 1_200)]
    hash: String,
}

/// The address of the page for other machines.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ClassAddress {
    /// The address; `null` if the service listens for this machine only, has no network, or its operator disabled it.
    #[schema(required)]
    address: Option<String>,
    /// Modules along each side of the QR code of the address; 0 if there is no address.
    size: i32,
    /// The dark modules as an SVG path; each module is a unit square.
    modules: String,
}

impl ClassAddress {
    fn at(address: Option<String>) -> Self {
        let code = address.as_ref().and_then(|address| QrCode::encode_text(address, QrCodeEcc::Medium).ok());
        let (size, modules) = code.as_ref().map_or((0, String::new()), |code| (code.size(), dark_path(code)));
        Self { address, size, modules }
    }
}

/// The address for the class.
#[utoipa::path(
    get,
    path = "/api/class",
    params(ClassParams),
    responses((status = 200, description = "the address for other machines, and its QR code", body = ClassAddress), ErrorResponse)
)]
pub(super) async fn class(
    State(app): State<Shared>,
    Params(ClassParams { hash }): Params<ClassParams>,
) -> Result<Response, Problem> {
    if !(hash.is_empty() || hash.starts_with('#'))
        || hash.len() > MAX_HASH_BYTES
        || !hash.bytes().all(|byte| byte.is_ascii_graphic())
    {
        return Err(Problem::bad_request(format!(
            "found a parameter 'hash' of {} bytes, expected the part of an address that begins with #: at most {MAX_HASH_BYTES} \
             printable ASCII characters, without spaces",
            hash.len()
        )));
    }
    let address = app.address.current().map(|base| format!("{base}/{hash}"));
    // A long code takes milliseconds to compute.
    let json = app.work.run_heavy(move || to_json(&ClassAddress::at(address))).await?;
    Ok(caching::uncached(JSON, json))
}

/// Returns the SVG path of the dark modules; horizontal neighbours share one rectangle.
fn dark_path(code: &QrCode) -> String {
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let width = (x..code.size()).take_while(|&x| code.get_module(x, y)).count() as i32;
            if width > 0 {
                path.push_str(&format!("M{x} {y}h{width}v1h-{width}z"));
            }
            x += width.max(1);
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_covers_the_dark_modules_and_no_others() {
        let code = QrCode::encode_text("http://192.168.1.20:8080/", QrCodeEcc::Medium).unwrap();
        let mut drawn = vec![vec![false; code.size() as usize]; code.size() as usize];
        for part in dark_path(&code).split('M').skip(1) {
            let numbers: Vec<usize> = part
                .split(|c: char| !c.is_ascii_digit())
                .filter(|number| !number.is_empty())
                .map(|number| number.parse().unwrap())
                .collect();
            let [x, y, long, 1, back] = numbers[..] else { panic!("{part}") };
            assert_eq!(long, back);
            for dark in &mut drawn[y][x..x + long] {
                assert!(!std::mem::replace(dark, true), "drawn twice");
            }
        }
        for (y, row) in drawn.iter().enumerate() {
            for (x, &dark) in row.iter().enumerate() {
                assert_eq!(dark, code.get_module(x as i32, y as i32));
            }
        }
    }
}
