//! Seats: permits for connections, limited in total and for each address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Limits;

/// The reason why a connection gets no seat.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum SeatRefusal {
    /// All connections are in use; has their number.
    #[error("all {0} connections are in use")]
    Full(usize),
    /// The address has as many connections as it may; has their number.
    #[error("{0} connections are open from its address, which may have no more")]
    Share(usize),
}

/// The seats of a server. Clones share them.
#[derive(Clone, Debug)]
pub struct Seats(Arc<SeatCounts>);

#[derive(Debug)]
struct SeatCounts {
    /// Number of seats.
    total: usize,
    per_address: usize,
    free: Arc<Semaphore>,
    /// Permits for connections that are refused with a response.
    refusals: Arc<Semaphore>,
    /// Number of seats of each address that has any.
    taken: Mutex<HashMap<IpAddr, usize>>,
}

impl Seats {
    /// Returns the seats of a server with these limits.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self(Arc::new(SeatCounts {
            total: limits.connections,
            per_address: limits.per_address,
            free: Arc::new(Semaphore::new(limits.connections)),
            refusals: Arc::new(Semaphore::new(limits.refusals)),
            taken: Mutex::default(),
        }))
    }

    /// Returns a seat for a connection from an address, if one is free.
    ///
    /// # Errors
    /// If all seats are taken, or the address has its share.
    pub fn take(&self, address: IpAddr) -> Result<Seat, SeatRefusal> {
        self.try_free().ok_or(SeatRefusal::Full(self.0.total))?.take(address)
    }

    /// Waits for a free seat, and reserves it.
    pub async fn wait_for_free(&self) -> FreeSeat {
        let free = Arc::clone(&self.0.free).acquire_owned().await;
        FreeSeat { permit: free.expect("the semaphore is never closed"), counts: Arc::clone(&self.0) }
    }

    /// Reserves a seat, if one is free.
    #[must_use]
    pub fn try_free(&self) -> Option<FreeSeat> {
        let permit = Arc::clone(&self.0.free).try_acquire_owned().ok()?;
        Some(FreeSeat { permit, counts: Arc::clone(&self.0) })
    }

    /// Returns a place for a refused connection that gets a response with the reason; it is not one of the seats. `None` if
    /// too many are being refused: then the caller closes the connection.
    #[must_use]
    pub fn refusal(&self, refused: SeatRefusal) -> Option<Seat> {
        let permit = Arc::clone(&self.0.refusals).try_acquire_owned().ok()?;
        Some(Seat { _permit: permit, holder: Err(refused) })
    }

    /// Returns the number of seats taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.0.total - self.0.free.available_permits()
    }
}

/// A reserved seat, not yet assigned to an address. Dropping it frees the seat.
#[derive(Debug)]
pub struct FreeSeat {
    permit: OwnedSemaphorePermit,
    counts: Arc<SeatCounts>,
}

impl FreeSeat {
    /// Assigns the seat to a connection from an address.
    ///
    /// # Errors
    /// If the address has its share.
    pub fn take(self, address: IpAddr) -> Result<Seat, SeatRefusal> {
        let Self { permit, counts } = self;
        let address = network_of(address);
        let mut taken = counts.lock_taken();
        let seats = taken.get(&address).copied().unwrap_or(0);
        if seats >= counts.per_address {
            return Err(SeatRefusal::Share(counts.per_address));
        }
        taken.insert(address, seats + 1);
        drop(taken);
        Ok(Seat { _permit: permit, holder: Ok((counts, address)) })
    }
}

/// The seat of one connection, or the place of a refused one. Dropping it, also in a panic, frees the seat.
#[derive(Debug)]
pub struct Seat {
    _permit: OwnedSemaphorePermit,
    /// The address that has the seat; or, for a refused connection, the reason.
    holder: Result<(Arc<SeatCounts>, IpAddr), SeatRefusal>,
}

impl Seat {
    /// Returns the reason for the refusal, if this is a [refusal](Seats::refusal).
    #[must_use]
    pub fn refused(&self) -> Option<SeatRefusal> {
        self.holder.as_ref().err().copied()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let Ok((counts, address)) = &self.holder else { return };
        let mut taken = counts.lock_taken();
        if let Some(seats) = taken.get_mut(address) {
            *seats -= 1;
            if *seats == 0 {
                taken.remove(address);
            }
        }
    }
}

impl SeatCounts {
    fn lock_taken(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns the address for which seats are counted: an IPv4 address, or the /64 network of an IPv6 address, which usually
/// belongs to one host.
fn network_of(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = !0 << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & NETWORK).into(),
        address => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(connections: usize, per_address: usize) -> Seats {
        Seats::new(&Limits { connections, per_address, refusals: 1, ..Limits::default() })
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_address_with_its_share_of_seats_does_not_exclude_others() {
        let seats = seats(4, 2);
        let kept: Vec<Seat> = (0..2).map(|_| seats.take(ip("10.0.0.1")).unwrap()).collect();
        assert_eq!(seats.take(ip("10.0.0.1")).unwrap_err(), SeatRefusal::Share(2));
        let others = ["10.0.0.2", "10.0.0.3"].map(|other| seats.take(ip(other)).unwrap());
        assert_eq!((seats.taken(), seats.take(ip("10.0.0.4")).unwrap_err()), (4, SeatRefusal::Full(4)));
        drop(others);
        drop(kept);
        assert_eq!(seats.taken(), 0);
        assert!(seats.0.lock_taken().is_empty(), "addresses without a seat are forgotten");
        assert!(seats.take(ip("10.0.0.1")).is_ok());
    }

    #[test]
    fn a_refusal_takes_no_seat() {
        for per_address in [0, 1] {
            let seats = seats(2, per_address);
            let _one = seats.take(ip("10.0.0.1"));
            for _ in 0..10 {
                assert_eq!(seats.take(ip("10.0.0.1")).unwrap_err(), SeatRefusal::Share(per_address));
            }
            assert_eq!(seats.taken(), per_address);
            assert_eq!(seats.0.lock_taken().len(), per_address);
        }
    }

    #[test]
    fn one_address_can_have_all_seats_if_its_share_allows() {
        let seats = seats(2, 2);
        let _kept = [0, 1].map(|_| seats.take(ip("127.0.0.1")).unwrap());
        assert_eq!(seats.take(ip("127.0.0.1")).unwrap_err(), SeatRefusal::Full(2));
    }

    #[test]
    fn an_ipv6_network_shares_its_seats_and_an_ipv4_address_counts_as_itself_in_ipv6_form() {
        for (one, other, same) in [
            ("2001:db8::1", "2001:db8::ffff:ffff:ffff:ffff", true),
            ("2001:db8::1", "2001:db8:0:1::1", false),
            ("10.0.0.1", "::ffff:10.0.0.1", true),
            ("10.0.0.1", "::ffff:10.0.0.2", false),
            ("10.0.0.1", "10.0.0.2", false),
        ] {
            let seats = seats(2, 1);
            let _one = seats.take(ip(one)).unwrap();
            assert_eq!(seats.take(ip(other)).is_err(), same, "{one} {other}");
        }
    }

    #[test]
    fn places_for_refusals_are_limited_and_are_no_seats() {
        let seats = seats(1, 1);
        let refusal = seats.refusal(SeatRefusal::Full(1)).unwrap();
        assert_eq!(refusal.refused(), Some(SeatRefusal::Full(1)));
        assert!(seats.refusal(SeatRefusal::Full(1)).is_none());
        assert_eq!(seats.take(ip("10.0.0.1")).unwrap().refused(), None);
        drop(refusal);
        assert!(seats.refusal(SeatRefusal::Full(1)).is_some());
    }
}
