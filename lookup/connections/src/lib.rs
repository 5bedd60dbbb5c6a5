//! Limits on connections, for `bouton-server` and for the match servers of `bouton-match serve`.
//!
//! A server gives each connection a [`Seat`], and limits the [`Seats`] of one address: a client that opens connections
//! and leaves them open cannot exclude others. [`guarded`] serves HTTP on a connection, and ends the connection if the
//! client stops in the middle of a request, is idle for too long, or does not read the answer. [`Limits`] has the
//! numbers and their defaults.
//!
//! ```
//! use std::net::Ipv4Addr;
//!
//! use bouton_connections::{Limits, SeatRefusal, Seats};
//!
//! let seats = Seats::new(&Limits { connections: 4, per_address: 2, ..Limits::default() });
//! let [greedy, other] = [1, 2].map(|host| Ipv4Addr::new(192, 0, 2, host).into());
//! let kept = [seats.take(greedy)?, seats.take(greedy)?];
//! assert_eq!(seats.take(greedy).unwrap_err(), SeatRefusal::Share(2));
//! assert!(seats.take(other).is_ok());
//! drop(kept);
//! assert!(seats.take(greedy).is_ok());
//! # Ok::<(), SeatRefusal>(())
//! ```
//!
//! # Errors
//!
//! [`SeatRefusal`]: the reason why a connection gets no seat.

mod head;
mod http;
mod limits;
mod seats;
#[cfg(test)]
mod tests;

pub use http::guarded;
pub use limits::Limits;
pub use seats::{FreeSeat, Seat, SeatRefusal, Seats};
