//! Reads lists in `accept` and `accept-encoding`: names with weights, as `br, gzip;q=0.5` (RFC 9110, section 12.4.2).

use axum::http::header::ACCEPT_ENCODING;
use axum::http::{HeaderMap, HeaderValue};

/// Returns whether a client accepts an encoding, that is, names the encoding with a weight above 0.
pub(crate) fn accepts(headers: &HeaderMap, encoding: &str) -> bool {
    let is_accepted =
        |value: &HeaderValue| value.to_str().is_ok_and(|accepted| weight(accepted, &[encoding]) > 0.0);
    headers.get_all(ACCEPT_ENCODING).iter().any(is_accepted)
}

/// Returns the greatest weight, from 0 to 1, that a list gives to one of the names; 0 if none has a valid weight.
pub(crate) fn weight(accepted: &str, names: &[&str]) -> f32 {
    let weights = accepted.split(',').filter_map(|element| {
        let mut parts = element.split(';').map(str::trim);
        let name = parts.next()?;
        let mut settings = parts.filter_map(|part| part.split_once('='));
        let weight =
            settings.find(|(key, _)| key.eq_ignore_ascii_case("q")).map_or(Some(1.0), |(_, weight)| {
                weight.parse().ok().filter(|weight| (0.0..=1.0).contains(weight))
            })?;
        names.iter().any(|known| known.eq_ignore_ascii_case(name)).then_some(weight)
    });
    weights.fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_weight_that_a_list_gives_it() {
        for (accepted, expected) in [
            ("gzip", 1.0),
            ("br, GZIP", 1.0),
            ("gzip;q=0.5", 0.5),
            ("gzip; Q=0.25 , br", 0.25),
            ("deflate, gzip;level=9;q=0.75, *;q=0.5", 0.75),
            ("gzip;q=0.25, gzip;q=0.5", 0.5),
            ("", 0.0),
            ("br", 0.0),
            ("gzip;q=0", 0.0),
            ("gzip;Q=0.0", 0.0),
            ("gzip;q=x", 0.0),
            ("gzip;q=2", 0.0),
            ("gzip;q=nan", 0.0),
            ("*;q=0.5", 0.0),
            ("xgzip", 0.0),
        ] {
            assert_eq!(weight(accepted, &["gzip"]), expected, "{accepted}");
        }
        assert_eq!(weight("gzip;q=0.5, br;q=0.75", &["gzip", "br"]), 0.75);
    }

    #[test]
    fn an_encoding_is_accepted_in_any_of_several_headers() {
        let headers = ["br", "gzip;q=0"].map(|value| (ACCEPT_ENCODING, HeaderValue::from_static(value)));
        let mut both = HeaderMap::new();
        for (name, value) in headers {
            both.append(name, value);
        }
        assert!(accepts(&both, "br") && !accepts(&both, "gzip"));
    }
}
