//! Checks the origins in the options of operators.

/// Returns whether a text is an origin: scheme, host and optional port, without a path, such as
/// `https://school.example:8443`. The host may contain `*`, which matches several hosts.
pub(crate) fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]*".contains(c);
    host.is_some_and(|host| !host.is_empty() && host.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_has_a_scheme_and_a_host_and_no_path() {
        for origin in ["https://school.example", "http://[::1]:8080", "https://*.school.example"] {
            assert!(is_origin(origin), "{origin}");
        }
        for other in
            ["", "*", "school.example", "ftp://a", "https://", "https://a/", "https://a b", "https://a;b"]
        {
            assert!(!is_origin(other), "{other}");
        }
    }
}
