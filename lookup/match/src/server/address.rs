//! The address on which a server listens.

use std::io;
use std::net::{Ipv4Addr, TcpListener};

use super::match_settings::SettingsError;

/// A host and a port to listen on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

impl Address {
    /// A port on this machine only.
    #[must_use]
    pub fn loopback(port: u16) -> Self {
        Self { host: Ipv4Addr::LOCALHOST.to_string(), port }
    }

    /// Reads HOST:PORT, or PORT alone for this machine only.
    ///
    /// # Errors
    /// If it is neither.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let malformed = || {
            SettingsError(format!(
                "--listen: found '{text}', expected HOST:PORT or PORT, with a port from 0 to 65535 (0 for any free \
                 port); for example 127.0.0.1:9000, or 9000"
            ))
        };
        let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
        let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        let port = port.parse().ok().filter(|_| digits).ok_or_else(malformed)?;
        match host {
            "" => Ok(Self::loopback(port)),
            _ if host.contains(':') && !(host.starts_with('[') && host.ends_with(']')) => Err(malformed()),
            _ => Ok(Self { host: host.to_owned(), port }),
        }
    }

    /// Starts to listen.
    ///
    /// # Errors
    /// If that is not possible; the error says what to do.
    pub fn bind(&self) -> Result<TcpListener, SettingsError> {
        // Only the textual form understands brackets around an IPv6 address.
        TcpListener::bind(format!("{}:{}", self.host, self.port)).map_err(|source| {
            let advice = match source.kind() {
                io::ErrorKind::AddrInUse => {
                    "another server may be running there: end it, or choose another port (0 for any free one)"
                }
                io::ErrorKind::AddrNotAvailable => {
                    "the host must be one of this machine's addresses: 127.0.0.1 for clients on this machine, 0.0.0.0 \
                     for clients on any"
                }
                io::ErrorKind::PermissionDenied => "choose a port from 1024 to 65535",
                _ => "give a host that is an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them",
            };
            SettingsError(format!("cannot listen on {}:{}: {source}; {advice}", self.host, self.port))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_alone_is_this_machine_only() {
        for text in ["9000", ":9000", "127.0.0.1:9000"] {
            assert_eq!(Address::parse(text).unwrap(), Address::loopback(9000), "{text}");
        }
        assert_eq!(Address::parse("[::1]:0").unwrap(), Address { host: "[::1]".to_owned(), port: 0 });
        for text in ["", "x", "localhost", "1:", "65536", "-1", "+1", "::1:9000", "host:http"] {
            let error = Address::parse(text).unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn a_port_in_use_is_told_with_what_to_do() {
        let taken = Address::loopback(0).bind().unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = Address::loopback(port).bind().unwrap_err().to_string();
        assert!(error.contains("another server may be running there"), "{error}");
        let elsewhere = Address::parse("192.0.2.1:0").unwrap().bind().unwrap_err().to_string();
        assert!(elsewhere.contains("this machine's addresses"), "{elsewhere}");
    }
}
