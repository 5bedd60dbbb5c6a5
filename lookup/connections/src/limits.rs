//! The numbers.

use std::time::Duration;

/// How many connections there may be, and how long a client may take. `docs/service.md` and `docs/match.md` list what
/// each server uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections at once, from all addresses.
    pub connections: usize,
    /// Connections at once from one address: its share. With [`connections`](Self::connections) or more, one address can
    /// have all.
    pub per_address: usize,
    /// Connections at once, besides all of these, that get no seat and are told why; more are closed at once.
    pub refusals: usize,
    /// Bytes of the request line and the headers, at least 8,192.
    pub head_bytes: usize,
    /// For the request line and the headers, from their first byte to their last; for the first request, from the start
    /// of the connection.
    pub head: Duration,
    /// Between two requests, from the end of an answer to the first byte of the next request.
    pub idle: Duration,
    /// Without the client reading any of an answer.
    pub write: Duration,
}

impl Limits {
    /// The share of one address unless another is asked for: half of all connections, so that one address is never
    /// alone; at least 1.
    #[must_use]
    pub const fn share_of(connections: usize) -> usize {
        connections.div_ceil(2)
    }
}

impl Default for Limits {
    /// 4,096 connections, half of them for one address, and 64 refusals; heads of 64 KiB within 10 s, 30 s between
    /// requests, and 30 s without reading.
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
