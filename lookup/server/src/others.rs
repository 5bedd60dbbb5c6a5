//! The address at which other machines find the service.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};

/// Where other machines find the page.
#[derive(Clone, Debug)]
pub(crate) struct Others {
    listening: SocketAddr,
    /// What the operator says, empty for nowhere: behind a reverse proxy or in a container, only they know.
    given: Option<String>,
}

impl Others {
    pub(crate) fn new(listening: SocketAddr, given: Option<String>) -> Self {
        Self { listening, given }
    }

    /// The address, as `http://192.168.1.20:8080`, without a slash at its end. Found each time: a laptop changes its network.
    pub(crate) fn address(&self) -> Option<String> {
        match &self.given {
            Some(given) => Some(given.clone()).filter(|given| !given.is_empty()),
            None => address_for_others(self.listening),
        }
    }
}

/// The address of a service that listens here; none if it listens for this machine only, or is in no network.
fn address_for_others(listening: SocketAddr) -> Option<String> {
    let ip = match listening.ip() {
        ip if ip.is_loopback() => return None,
        ip if ip.is_unspecified() => own(ip)?,
        ip => ip,
    };
    Some(format!("http://{}", SocketAddr::new(ip, listening.port())))
}

/// The address from which this machine would speak to others. Nothing is sent: the system chooses it when a socket is
/// connected, and the addresses are those reserved for examples (RFC 5737, RFC 3849).
fn own(any: IpAddr) -> Option<IpAddr> {
    let far: &[IpAddr] = match any {
        IpAddr::V4(_) => &[IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1))],
        IpAddr::V6(_) => &[
            IpAddr::V4(Ipv4Addr::new(192, 0, 2, 1)),
            IpAddr::V6(Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1)),
        ],
    };
    far.iter().find_map(|&far| {
        let here =
            if far.is_ipv4() { IpAddr::V4(Ipv4Addr::UNSPECIFIED) } else { IpAddr::V6(Ipv6Addr::UNSPECIFIED) };
        let socket = UdpSocket::bind((here, 0)).ok()?;
        socket.connect((far, 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_loopback() && !own.is_unspecified()).then_some(own)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_others_can_reach_is_told() {
        let of = |address: &str| address_for_others(address.parse().unwrap());
        assert_eq!(of("127.0.0.1:8080"), None);
        assert_eq!(of("[::1]:8080"), None);
        assert_eq!(of("192.168.1.20:80").as_deref(), Some("http://192.168.1.20:80"));
        assert_eq!(of("[2001:db8::5]:8080").as_deref(), Some("http://[2001:db8::5]:8080"));
        let listening = "192.168.1.20:80".parse().unwrap();
        let given = |given: &str| Others::new(listening, Some(given.to_owned())).address();
        assert_eq!(given("https://school.example").as_deref(), Some("https://school.example"));
        assert_eq!(given(""), None);
        // In a network or not, it is no address that means this machine to others.
        if let Some(address) = of("0.0.0.0:8080") {
            assert!(!address.contains("0.0.0.0") && !address.contains("127.0.0.1"), "{address}");
        }
    }
}
