//! Seats: how many connections there may be, in all and from one address.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::Limits;

/// Why a connection gets no seat.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Refused {
    /// All connections that there may be are open: this many.
    #[error("all {0} connections are in use")]
    Full(usize),
    /// All connections that there may be from one address are open: this many.
    #[error("{0} connections are open from its address, which may have no more")]
    Share(usize),
}

/// The seats of a server. Clones share them.
#[derive(Clone, Debug)]
pub struct Seats(Arc<Hall>);

#[derive(Debug)]
struct Hall {
    all: usize,
    per_address: usize,
    free: Arc<Semaphore>,
    refusals: Arc<Semaphore>,
    /// How many seats each address has, if it has any.
    taken: Mutex<HashMap<Address, usize>>,
}

impl Seats {
    /// As many seats as the limits say.
    #[must_use]
    pub fn new(limits: &Limits) -> Self {
        Self(Arc::new(Hall {
            all: limits.connections,
            per_address: limits.per_address,
            free: Arc::new(Semaphore::new(limits.connections)),
            refusals: Arc::new(Semaphore::new(limits.refusals)),
            taken: Mutex::default(),
        }))
    }

    /// A seat for a connection from an address, if one is free.
    ///
    /// # Errors
    /// If all seats are taken, or all that one address may have.
    pub fn take(&self, address: IpAddr) -> Result<Seat, Refused> {
        self.try_free().ok_or(Refused::Full(self.0.all))?.take(address)
    }

    /// A seat, as soon as one is free.
    pub async fn free(&self) -> FreeSeat {
        let free = Arc::clone(&self.0.free).acquire_owned().await;
        FreeSeat { place: free.expect("it is never closed"), hall: Arc::clone(&self.0) }
    }

    /// A seat, if one is free.
    #[must_use]
    pub fn try_free(&self) -> Option<FreeSeat> {
        let place = Arc::clone(&self.0.free).try_acquire_owned().ok()?;
        Some(FreeSeat { place, hall: Arc::clone(&self.0) })
    }

    /// A place beside the seats for a connection that got none, to be told why. If there is none either, the connection
    /// is to be closed.
    #[must_use]
    pub fn refusal(&self, refused: Refused) -> Option<Seat> {
        let place = Arc::clone(&self.0.refusals).try_acquire_owned().ok()?;
        Some(Seat { _place: place, holder: Err(refused) })
    }

    /// How many seats are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.0.all - self.0.free.available_permits()
    }
}

/// A seat that no address has yet; free for others when dropped.
#[derive(Debug)]
pub struct FreeSeat {
    place: OwnedSemaphorePermit,
    hall: Arc<Hall>,
}

impl FreeSeat {
    /// Gives the seat to a connection from an address.
    ///
    /// # Errors
    /// If the address has all that it may have.
    pub fn take(self, address: IpAddr) -> Result<Seat, Refused> {
        let Self { place, hall } = self;
        let address = Address::of(address);
        let mut taken = hall.taken();
        let seats = taken.entry(address).or_default();
        if *seats >= hall.per_address {
            // It stays in the map if it has some; with a share of 0 it would stay with none.
            if *seats == 0 {
                taken.remove(&address);
            }
            return Err(Refused::Share(hall.per_address));
        }
        *seats += 1;
        drop(taken);
        Ok(Seat { _place: place, holder: Ok((hall, address)) })
    }
}

/// The seat of one connection; free again when dropped, also by a panic.
#[derive(Debug)]
pub struct Seat {
    _place: OwnedSemaphorePermit,
    /// Who has it; or why this is none, but a place to be told so.
    holder: Result<(Arc<Hall>, Address), Refused>,
}

impl Seat {
    /// Why the connection got no seat, if this is a [refusal](Seats::refusal).
    #[must_use]
    pub fn refused(&self) -> Option<Refused> {
        self.holder.as_ref().err().copied()
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        let Ok((hall, address)) = &self.holder else { return };
        let mut taken = hall.taken();
        if let Some(seats) = taken.get_mut(address) {
            *seats -= 1;
            if *seats == 0 {
                taken.remove(address);
            }
        }
    }
}

impl Hall {
    fn taken(&self) -> MutexGuard<'_, HashMap<Address, usize>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What counts as one address: of IPv6 the network of 64 bits, because whoever has one address there has all of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Address(IpAddr);

impl Address {
    fn of(address: IpAddr) -> Self {
        const NETWORK: u128 = !0 << 64;
        match address.to_canonical() {
            IpAddr::V6(address) => Self(Ipv6Addr::from_bits(address.to_bits() & NETWORK).into()),
            address => Self(address),
        }
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
    fn an_address_that_has_its_share_does_not_keep_others_out() {
        let seats = seats(4, 2);
        let kept: Vec<Seat> = (0..2).map(|_| seats.take(ip("10.0.0.1")).unwrap()).collect();
        assert_eq!(seats.take(ip("10.0.0.1")).unwrap_err(), Refused::Share(2));
        let others = ["10.0.0.2", "10.0.0.3"].map(|other| seats.take(ip(other)).unwrap());
        assert_eq!((seats.taken(), seats.take(ip("10.0.0.4")).unwrap_err()), (4, Refused::Full(4)));
        drop(others);
        drop(kept);
        assert_eq!(seats.taken(), 0);
        assert!(seats.0.taken().is_empty(), "nobody is remembered who has none");
        assert!(seats.take(ip("10.0.0.1")).is_ok());
    }

    #[test]
    fn a_seat_that_is_refused_to_one_address_stays_free_for_another() {
        for per_address in [0, 1] {
            let seats = seats(2, per_address);
            let _one = seats.take(ip("10.0.0.1"));
            for _ in 0..10 {
                assert_eq!(seats.take(ip("10.0.0.1")).unwrap_err(), Refused::Share(per_address));
            }
            assert_eq!(seats.taken(), per_address);
            assert_eq!(seats.0.taken().len(), per_address);
        }
    }

    #[test]
    fn a_share_of_all_seats_lets_one_address_have_them() {
        let seats = seats(2, 2);
        let _kept = [0, 1].map(|_| seats.take(ip("127.0.0.1")).unwrap());
        assert_eq!(seats.take(ip("127.0.0.1")).unwrap_err(), Refused::Full(2));
    }

    #[test]
    fn addresses_of_one_network_of_ipv6_share_and_ipv4_is_the_same_in_ipv6() {
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
    fn refusals_take_no_seat_and_are_limited_too() {
        let seats = seats(1, 1);
        let refusal = seats.refusal(Refused::Full(1)).unwrap();
        assert_eq!(refusal.refused(), Some(Refused::Full(1)));
        assert!(seats.refusal(Refused::Full(1)).is_none());
        assert_eq!(seats.take(ip("10.0.0.1")).unwrap().refused(), None);
        drop(refusal);
        assert!(seats.refusal(Refused::Full(1)).is_some());
    }
}
