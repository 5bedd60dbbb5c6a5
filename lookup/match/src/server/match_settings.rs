//! The settings of hosted matches, and the address that the server listens on.

use std::net::{Ipv4Addr, TcpListener};
use std::str::FromStr;
use std::time::Duration;
use std::{fmt, io};

use bouton_connections::Limits;
use bouton_shell::{whole, whole_of};
use bouton_tables::expanding::{Expanding, ExpandingKeys};

use crate::protocol::tcp::Dialect;
use crate::protocol::{rest, text_2016, usual_rules};
use crate::settings::{default_options, differing_settings, size_in_words};

/// Maximum number of stones of a match.
pub const MAX_STONES: u64 = 1_000_000;

/// Maximum number of open connections. One address may have many: the players of a match may share it.
const MAX_CONNECTIONS: usize = 256;

/// Time that a client of the web server may keep an idle connection, as clients do while they think.
const IDLE_TIME: Duration = Duration::from_secs(150);

/// The protocol of a hosted match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// JSON over TCP.
    Tcp(Dialect),
    /// Numbers over TCP, as in 2016.
    Text,
    /// JSON over HTTP, as in 2020.
    Rest,
}

impl Protocol {
    /// All protocols, with their names on the command line.
    const NAMES: [(Self, &str); 5] = [
        (Self::Tcp(Dialect::Y2017), "tcp-2017"),
        (Self::Tcp(Dialect::Y2018), "tcp-2018"),
        (Self::Tcp(Dialect::Y2025), "tcp-2025"),
        (Self::Text, "text-2016"),
        (Self::Rest, "rest"),
    ];

    /// Returns the port on which clients expect the server.
    pub fn port(self) -> u16 {
        match self {
            Self::Tcp(_) => 9000,
            Self::Text => 50008,
            Self::Rest => 3000,
        }
    }

    /// Returns the rules of the tournament server with this protocol.
    pub fn usual_rules(self) -> Expanding {
        let resets = match self {
            Self::Text => text_2016::RESETS,
            Self::Tcp(_) => 4,
            Self::Rest => rest::RESETS,
        };
        let keys = ExpandingKeys { resets: [resets; 2], ..usual_rules().keys().clone() };
        keys.rules().expect("the resets are allowed")
    }

    /// Returns true if the messages have `init_max`, which sets both base-limit and reset-limit.
    fn announces_init_max(self) -> bool {
        matches!(self, Self::Tcp(Dialect::Y2018 | Dialect::Y2025))
    }

    /// Returns the keys of the rules that the messages do not announce before the first move.
    fn unannounced_keys(self) -> &'static [&'static str] {
        match self {
            Self::Tcp(_) if self.announces_init_max() => &["growth", "play"],
            Self::Tcp(_) => &["base-limit", "growth", "reset-limit", "play"],
            Self::Text | Self::Rest => &["base-limit", "growth", "reset-limit", "resets", "play"],
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, name) = Self::NAMES.iter().find(|(entry, _)| entry == self).expect("all have a name");
        f.write_str(name)
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let entry = Self::NAMES.iter().find(|(_, name)| *name == text);
        entry.map(|&(protocol, _)| protocol).ok_or_else(|| {
            let names = Self::NAMES.map(|(_, name)| name).join(", ");
            format!("protocol: found {text}, expected one of {names}")
        })
    }
}

/// The settings of hosted matches, as on the command line.
#[derive(Clone, Debug, PartialEq, Eq, clap::Args)]
pub struct MatchSettings {
    /// The protocol: tcp-2017 (also of 2020), tcp-2018, tcp-2025, text-2016, or rest (the web server of 2020).
    #[arg(long, value_name = "PROTOCOL", default_value = "tcp-2017")]
    pub protocol: Protocol,
    /// The rules, with the stones and the resets of each match.
    #[arg(skip = usual_rules())]
    pub rules: Expanding,
    /// Seconds that each player has for all moves.
    #[arg(long, value_name = "SECONDS", default_value_t = 120, value_parser = whole_of::<u32>("seconds", 1..=MAX_CLOCK.into()))]
    pub clock: u32,
    /// Number of matches after which the server ends; 0 means never. Matches run at the same time if clients connect.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX.into()))]
    pub matches: u64,
    /// Seconds within which a client must send its name; with rest, each request's headers, and then its form.
    /// Some clients, such as `connect`, connect first and then solve their game, which takes up to ten seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, hide = true)]
    pub join_time: u32,
    /// Least number of milliseconds between two messages to a client that has not answered the first: many clients
    /// treat the bytes of one read as one message.
    #[arg(long, value_name = "MILLISECONDS", default_value_t = 20, hide = true)]
    pub pause: u32,
}

impl MatchSettings {
    /// Returns the settings of an empty command line, with the usual rules of the protocol: one match of 1000 stones.
    pub fn new(protocol: Protocol) -> Self {
        Self { protocol, rules: protocol.usual_rules(), ..default_options() }
    }

    /// Returns true if the server hosts no more than this many matches.
    pub(super) fn limit_is_reached(&self, matches: u64) -> bool {
        self.matches > 0 && matches >= self.matches
    }

    /// Checks that the protocol can host matches of these rules, and the range of the clock. The error names the first fault.
    pub fn check(&self) -> Result<(), String> {
        let check_range = |what: &str, found: u64, min: u64, max: u64| {
            if (min..=max).contains(&found) {
                return Ok(());
            }
            Err(format!("{what}: found {found}, expected a whole number from {min} to {max}"))
        };
        let max = if self.protocol == Protocol::Rest { rest::MAX_STONES } else { MAX_STONES };
        check_range("stones", self.rules.stones(), 1, max)?;
        check_range("--clock", self.clock.into(), 1, MAX_CLOCK.into())?;
        let (protocol, [first, second]) = (self.protocol, self.rules.resets());
        if matches!(protocol, Protocol::Tcp(_)) && first != second {
            return Err(format!(
                "resets: found {first},{second}, but {protocol} announces one number for both players; give equal resets, or \
                 --protocol text-2016 or rest, which announce none"
            ));
        }
        let (base, reset) = (self.rules.base_limit(), self.rules.reset_limit());
        if protocol.announces_init_max() && base != reset {
            return Err(format!(
                "found base-limit={base} and reset-limit={reset}, but {protocol} announces one number, init_max, for both; \
                 give equal limits, or --protocol tcp-2017, text-2016 or rest, which announce none"
            ));
        }
        Ok(())
    }

    /// Returns the time limit for a client's name, or for a part of a request.
    pub(super) fn join_time(&self) -> Duration {
        Duration::from_secs(self.join_time.into())
    }

    pub(super) fn limits(&self) -> Limits {
        Limits {
            connections: MAX_CONNECTIONS,
            per_address: Limits::share_of(MAX_CONNECTIONS),
            head: self.join_time(),
            idle: IDLE_TIME,
            ..Limits::default()
        }
    }

    pub(super) fn clock(&self) -> Duration {
        Duration::from_secs(u64::from(self.clock))
    }
}

/// Maximum clock, in seconds: a day. A longer one would be a mistake.
const MAX_CLOCK: u32 = 24 * 60 * 60;

impl fmt::Display for MatchSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} s each", size_in_words(&self.rules, ", "), self.clock)?;
        let settings = differing_settings(&self.rules.clone().into(), &self.protocol.usual_rules().into());
        let (mut announced, mut unannounced) = (Vec::new(), Vec::new());
        for setting in settings {
            let key = setting.split('=').next().unwrap_or_default();
            if self.protocol.unannounced_keys().contains(&key) {
                unannounced.push(setting);
            } else if !["stones", "resets"].contains(&key) {
                announced.push(setting);
            }
        }
        if !announced.is_empty() {
            write!(f, ", {}", announced.join(", "))?;
        }
        if !unannounced.is_empty() {
            write!(f, "; the protocol does not announce {}", unannounced.join(", "))?;
        }
        Ok(())
    }
}

/// Listens on HOST:PORT, or on PORT of this machine only; port 0 is any free port. The error has advice.
pub fn listen(text: &str) -> Result<TcpListener, String> {
    let address = address(text)?;
    // Bind by text, which allows brackets around an IPv6 address.
    TcpListener::bind(&address).map_err(|source| {
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
        format!("cannot listen on {address}: {source}; {advice}")
    })
}

fn address(text: &str) -> Result<String, String> {
    let malformed = || {
        format!(
            "--listen: found '{text}', expected HOST:PORT or PORT, with a port from 0 to 65535 (0 for any free port); for \
             example 127.0.0.1:9000, or 9000"
        )
    };
    let (host, port) = text.rsplit_once(':').unwrap_or(("", text));
    let digits = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
    let port: u16 = port.parse().ok().filter(|_| digits).ok_or_else(malformed)?;
    match host {
        "" => Ok(format!("{}:{port}", Ipv4Addr::LOCALHOST)),
        _ if host.contains(':') && !(host.starts_with('[') && host.ends_with(']')) => Err(malformed()),
        _ => Ok(format!("{host}:{port}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocol_names_are_read_back() {
        for (protocol, name) in Protocol::NAMES {
            assert_eq!((name.parse(), protocol.to_string()), (Ok(protocol), name.to_owned()));
        }
        let error = "tcp-2016".parse::<Protocol>().unwrap_err().to_string();
        assert!(error.contains("found tcp-2016") && error.contains("text-2016, rest"), "{error}");
    }

    #[test]
    fn settings_out_of_range_are_refused_with_the_allowed_range() {
        let usual = MatchSettings::new(Protocol::Text);
        assert_eq!(usual.to_string(), "1000 stones, 1 reset each, 120 s each");
        assert_eq!(usual.check(), Ok(()));
        let error = |settings: MatchSettings| settings.check().unwrap_err().to_string();
        let hosting = |protocol, keys: ExpandingKeys| MatchSettings {
            rules: keys.rules().unwrap(),
            ..MatchSettings::new(protocol)
        };
        let of_stones =
            |protocol, stones| hosting(protocol, ExpandingKeys { stones, ..ExpandingKeys::default() });
        let stones = "stones: found 1000001, expected a whole number from 1 to 1000000";
        assert_eq!(error(of_stones(Protocol::Text, 1_000_001)), stones);
        assert!(error(of_stones(Protocol::Rest, 1001)).ends_with("1 to 1000"));
        assert!(error(MatchSettings { clock: 0, ..usual }).contains("1 to 86400"));
    }

    #[test]
    fn rules_that_a_protocol_cannot_announce_are_refused_or_named_in_the_first_line() {
        let hosting = |protocol, keys: ExpandingKeys| MatchSettings {
            rules: keys.rules().unwrap(),
            ..MatchSettings::new(protocol)
        };
        let usual = ExpandingKeys::default();
        let [y2017, y2018, y2025] = [Dialect::Y2017, Dialect::Y2018, Dialect::Y2025].map(Protocol::Tcp);
        let unequal = ExpandingKeys { resets: [4, 2], ..usual.clone() };
        for protocol in [y2017, y2018, y2025] {
            let error = hosting(protocol, unequal.clone()).check().unwrap_err().to_string();
            assert!(error.starts_with("resets: found 4,2, but tcp-20"), "{error}");
        }
        let limits = ExpandingKeys { base_limit: 5, reset_limit: 2, ..usual.clone() };
        for protocol in [y2018, y2025] {
            let error = hosting(protocol, limits.clone()).check().unwrap_err().to_string();
            assert!(error.starts_with("found base-limit=5 and reset-limit=2, but tcp-20"), "{error}");
        }
        let play = bouton_tables::Play::Misere;
        for (protocol, keys, line) in [
            (
                y2017,
                limits,
                "4 resets each, 120 s each; the protocol does not announce base-limit=5, reset-limit=2",
            ),
            (
                y2025,
                ExpandingKeys { base_limit: 5, reset_limit: 5, growth: 2, play, ..usual.clone() },
                "4 resets each, 120 s each, base-limit=5, reset-limit=5; the protocol does not announce growth=2, play=misere",
            ),
            (Protocol::Rest, unequal, "4,2 resets, 120 s each; the protocol does not announce resets=4,2"),
            (Protocol::Rest, usual, "4 resets each, 120 s each"),
        ] {
            let settings = hosting(protocol, keys);
            assert_eq!(settings.check(), Ok(()));
            assert_eq!(settings.to_string(), format!("1000 stones, {line}"));
        }
    }

    #[test]
    fn a_port_without_a_host_listens_on_this_machine_only() {
        for text in ["9000", ":9000", "127.0.0.1:9000"] {
            assert_eq!(address(text).unwrap(), "127.0.0.1:9000", "{text}");
        }
        assert_eq!(address("[::1]:0").unwrap(), "[::1]:0");
        for text in ["", "x", "localhost", "1:", "65536", "-1", "+1", "::1:9000", "host:http"] {
            let error = address(text).unwrap_err().to_string();
            assert!(error.contains(&format!("'{text}'")), "{error}");
        }
    }

    #[test]
    fn a_port_in_use_is_reported_with_advice() {
        let taken = listen("0").unwrap();
        let port = taken.local_addr().unwrap().port();
        let error = listen(&port.to_string()).unwrap_err().to_string();
        assert!(error.contains("another server may be running there"), "{error}");
        let elsewhere = listen("192.0.2.1:0").unwrap_err().to_string();
        assert!(elsewhere.contains("this machine's addresses"), "{elsewhere}");
    }
}
