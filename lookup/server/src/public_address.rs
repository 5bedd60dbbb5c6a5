//! The address of the page for other machines: from the command line, or determined from the network.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

use qrcodegen::{QrCode, QrCodeEcc};

/// Maximum size of the part of the address from its `#` on, in bytes. A phone can scan the QR code of
/// such an address from a screen.
pub(crate) const MAX_HASH_BYTES: usize = 1_200;

/// The address of the page for other machines.
#[derive(Clone, Debug)]
pub(crate) struct PublicAddress {
    pub(crate) listening: SocketAddr,
    /// The operator's address, empty for none. Only the operator knows the address of a reverse proxy or a container.
    pub(crate) configured: Option<String>,
}

impl PublicAddress {
    /// Returns the address, such as `http://192.168.1.20:8080`. Not cached, as a laptop may change its network.
    pub(crate) fn current(&self) -> Option<String> {
        match &self.configured {
            Some(url) => Some(url.clone()).filter(|url| !url.is_empty()),
            None => address_for_others(self.listening),
        }
    }
}

/// Parses the address of the page: a URL, or nothing. Removes a final slash; scheme and host become lower case.
pub(crate) fn parse_url(text: &str) -> Result<String, String> {
    if text.is_empty() {
        return Ok(String::new());
    }
    let advice = "give a URL such as https://school.example, without ? and #, or nothing ('') for none";
    let plain = |c: char| c.is_ascii_graphic() && !"?#\"<>\\".contains(c);
    let (scheme, rest) = text
        .split_once("://")
        .map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest))
        .filter(|(scheme, rest)| ["http", "https"].contains(&scheme.as_str()) && rest.chars().all(plain))
        .ok_or(advice)?;
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if authority.contains('@') {
        return Err(format!("found a user name before the host, which everybody would see; {advice}"));
    }
    // The last colon may belong to an IPv6 address.
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.ends_with(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if !is_host(host) {
        return Err(format!(
            "the host is neither a name nor an address in brackets or of four numbers; {advice}"
        ));
    }
    let digits = |text: &str| text.bytes().all(|digit| digit.is_ascii_digit());
    if !port.is_none_or(|port| digits(port) && port.parse().is_ok_and(|port: u16| port > 0)) {
        return Err(format!("a port is a number from 1 to 65535; {advice}"));
    }
    let url = format!("{scheme}://{}{path}", authority.to_ascii_lowercase()).trim_end_matches('/').to_owned();
    if !fits_a_code(&url) {
        return Err("the address is too long for a QR code; give a shorter one".to_owned());
    }
    Ok(url)
}

/// Returns whether a QR code can hold an address with the longest part after its `#`.
fn fits_a_code(address: &str) -> bool {
    // Lower-case letters take the most space in a QR code.
    let longest = format!("{address}/#{}", "x".repeat(MAX_HASH_BYTES - 1));
    QrCode::encode_text(&longest, QrCodeEcc::Medium).is_ok()
}

/// Returns whether a text is a host: a name (RFC 1123, with underscores), an IPv4 address, or an IPv6 one in brackets.
fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        return address.strip_suffix(']').is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    }
    let is_label = |label: &str| {
        let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        (1..=63).contains(&label.len()) && label.bytes().all(is_letter)
    };
    // A host whose last part is a number must be an IPv4 address.
    let ends_in_number =
        host.rsplit('.').next().is_some_and(|last| last.bytes().all(|digit| digit.is_ascii_digit()));
    let name = host.strip_suffix('.').unwrap_or(host);
    if ends_in_number && !host.ends_with('.') {
        return host.parse::<Ipv4Addr>().is_ok();
    }
    name.len() <= 253 && name.split('.').all(is_label)
}

/// Returns the address for other machines of a service that listens at `listening`; `None` if it listens for this
/// machine only, or if there is no network.
fn address_for_others(listening: SocketAddr) -> Option<String> {
    let ip = match listening.ip() {
        ip if ip.is_loopback() => return None,
        ip if ip.is_unspecified() => local_address(ip)?,
        ip => ip,
    };
    Some(format!("http://{}", SocketAddr::new(ip, listening.port())))
}

/// Returns the address from which this machine would connect to others. Sends nothing: connecting a UDP socket only
/// makes the system choose its own address, and the remote addresses are reserved for examples (RFC 5737, RFC 3849).
fn local_address(any: IpAddr) -> Option<IpAddr> {
    // A service that listens at all IPv6 addresses also gets connections over IPv4.
    let by_ipv4 = ("0.0.0.0:0", "192.0.2.1:9");
    let by_ipv6 = any.is_ipv6().then_some(("[::]:0", "[2001:db8::1]:9"));
    [by_ipv4].into_iter().chain(by_ipv6).find_map(|(here, far)| {
        let socket = UdpSocket::bind(here).ok()?;
        socket.connect(far).ok()?;
        let address = socket.local_addr().ok()?.ip();
        (!address.is_loopback() && !address.is_unspecified()).then_some(address)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_url_that_others_can_open() {
        for (given, kept) in [
            ("", ""),
            ("https://school.example", "https://school.example"),
            ("HTTPS://School.Example/", "https://school.example"),
            ("http://school.example:8080/Nim/", "http://school.example:8080/Nim"),
            ("http://192.168.1.20:8080", "http://192.168.1.20:8080"),
            ("http://[2001:DB8::5]:65535/a%20b", "http://[2001:db8::5]:65535/a%20b"),
            ("http://[::1]", "http://[::1]"),
            ("http://my_laptop.local.", "http://my_laptop.local."),
        ] {
            assert_eq!(parse_url(given).as_deref(), Ok(kept), "{given}");
        }
        let long = |length: usize| format!("https://school.example/{}", "x".repeat(length));
        assert_eq!(parse_url(&long(1_000)), Ok(long(1_000)));
        for (given, expected) in [
            ("school.example", "give a URL such as https://school.example, "),
            ("ftp://school.example", "give a URL such as"),
            ("https://school.example/#", "give a URL such as"),
            ("https://school.example/?x", "give a URL such as"),
            ("https://school example", "give a URL such as"),
            ("https://schule.k\u{f6}ln", "give a URL such as"),
            ("https://", "the host is neither a name nor"),
            ("https:///nim", "the host is"),
            ("http://:80", "the host is"),
            ("http://a..b", "the host is"),
            ("http://a,b", "the host is"),
            ("http://300.1.1.1", "the host is"),
            ("http://1.2.3", "the host is"),
            ("http://[::1", "the host is"),
            ("http://[1.2.3.4]", "the host is"),
            ("http://::1", "the host is"),
            ("http://user:pw@h", "found a user name before the host, which everybody would see; give a URL"),
            ("http://localhost:99999", "a port is a number from 1 to 65535; give a URL"),
            ("http://localhost:0", "a port is"),
            ("http://localhost:", "a port is"),
            ("http://localhost:80x", "a port is"),
            ("http://localhost:+80", "a port is"),
            (&format!("http://{}", "x".repeat(5_000)), "the host is"),
            (&format!("http://{}", "xx.".repeat(100)), "the host is"),
            (&long(1_200), "the address is too long for a QR code; give a shorter one"),
        ] {
            let found = parse_url(given).unwrap_err();
            assert!(found.starts_with(expected), "{given:.60}: {found}");
        }
    }

    #[test]
    fn only_reachable_addresses_are_returned() {
        let of = |address: &str| address_for_others(address.parse().unwrap());
        assert_eq!(of("127.0.0.1:8080"), None);
        assert_eq!(of("[::1]:8080"), None);
        assert_eq!(of("192.168.1.20:80").as_deref(), Some("http://192.168.1.20:80"));
        assert_eq!(of("[2001:db8::5]:8080").as_deref(), Some("http://[2001:db8::5]:8080"));
        let listening = "192.168.1.20:80".parse().unwrap();
        let given = |given: &str| PublicAddress { listening, configured: Some(given.to_owned()) }.current();
        assert_eq!(given("https://school.example").as_deref(), Some("https://school.example"));
        assert_eq!(given(""), None);
        // With or without a network, the address must not be one that only this machine can use.
        if let Some(address) = of("0.0.0.0:8080") {
            assert!(!address.contains("0.0.0.0") && !address.contains("127.0.0.1"), "{address}");
        }
    }
}
