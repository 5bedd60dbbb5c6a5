//! The limits on connections, with their defaults.

use std::time::Duration;

/// Limits on the number of connections and on the time of clients. `docs/service.md` lists the values of the service;
/// `docs/match.md` lists those that differ in match servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of simultaneous connections.
    pub connections: usize,
    /// Maximum number of simultaneous connections from one address: its share. An address may have all connections if
    /// this is [`connections`](Self::connections) or more.
    pub per_address: usize,
    /// Maximum number of connections that get no seat, but a response with the reason; any more are closed at once.
    pub refusals: usize,
    /// Maximum size of the request line and the headers in bytes, or twice that if they arrive at once. Values below
    /// 8,192 mean 8,192.
    pub head_bytes: usize,
    /// Maximum time for the request line and the headers, from their first byte to their last; for the first request,
    /// from the start of the connection.
    pub head: Duration,
    /// Maximum time between two requests, from the end of an answer to the first byte of the next request.
    pub idle: Duration,
    /// Maximum time in which the client reads nothing of an answer.
    pub write: Duration,
}

impl Limits {
    /// Returns the default share of one address: half of all connections, rounded up. If there are two or more, one
    /// address cannot have them all.
    #[must_use]
    pub const fn share_of(connections: usize) -> usize {
        connections.div_ceil(2)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 4096,
            per_address: Self::share_of(4096),
            refusals: 64,
            head_bytes: 64 << 10,
            head: Duration::from_secs(10),
            idle: Duration::from_secs(30),
            write: Duration::from_secs(30),
        }
    }
}
