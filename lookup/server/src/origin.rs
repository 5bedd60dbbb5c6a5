//! Checks the origins in the options of operators.

/// Returns whether a text looks like an origin, such as `https://school.example:8443`: `http` or `https`, then only
/// characters of hosts and ports, so no path. The host may contain `*`, which matches several hosts.
pub(crate) fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("http://").or_else(|| text.strip_prefix("https://"));
    let plain = |c: char| c.is_ascii_alphanumeric() || ".-_:[]*".contains(c);
    host.is_some_and(|host| !host.is_empty() && host.chars().all(plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_http_or_https_and_a_host_without_a_path() {
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
