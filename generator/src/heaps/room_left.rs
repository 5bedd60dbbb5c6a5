//! The room that some heaps leave for further heaps, so that all fit the bounds. A proof that goes from class to class
//! keeps this room in place of the heaps, which it does not know.

use bouton_tables::heaps::{Heap, MAX_HEAPS};

/// The room that some heaps leave for further heaps.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RoomLeft {
    /// Heaps of any size, in any order.
    All,
    /// Heaps that fit, in any order. For each place, the number of heaps too great for this place and all later ones.
    Places([u8; MAX_HEAPS]),
    /// Heaps that fit, in descending order: at most this size.
    Least(Heap),
}

impl RoomLeft {
    /// The room before any heap, for heaps that fit in any order.
    pub(crate) const PLACES: Self = Self::Places([0; MAX_HEAPS]);

    /// Reports whether a size fits as the next heap after `heaps` heaps. `bounds` are in descending order.
    pub(crate) fn fits(self, size: Heap, heaps: usize, bounds: &[Heap]) -> bool {
        size <= bounds[0]
            && match self {
                Self::All => true,
                // A heap too great for a place and all later ones needs an earlier place.
                Self::Places(taken) => {
                    let mut places = bounds.iter().enumerate();
                    places.all(|(place, &bound)| size <= bound || usize::from(taken[place]) < place)
                }
                Self::Least(least) => size <= least.min(bounds[heaps]),
            }
    }

    /// Returns the sizes that fit as the next heap after `heaps` heaps, up to the greatest bound.
    pub(crate) fn sizes(self, heaps: usize, bounds: &[Heap]) -> impl Iterator<Item = Heap> {
        (0..).take_while(move |&size| self.fits(size, heaps, bounds))
    }

    /// Returns the room left after some more heaps.
    pub(crate) fn after(self, heaps: &[Heap], bounds: &[Heap]) -> Self {
        heaps.iter().fold(self, |room, &heap| match room {
            Self::All => room,
            Self::Places(mut taken) => {
                for (place, &bound) in bounds.iter().enumerate() {
                    taken[place] += u8::from(heap > bound);
                }
                Self::Places(taken)
            }
            Self::Least(least) => Self::Least(least.min(heap)),
        })
    }
}
