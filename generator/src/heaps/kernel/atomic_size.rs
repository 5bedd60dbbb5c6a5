//! Sizes of heaps as atomic numbers of one or four bytes. A solver keeps one size for each line, and little else, so
//! the width of a size decides how much memory the solver needs.

use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

/// An atomic unsigned number of some width.
pub(crate) trait AtomicSize: Send + Sync {
    const MAX: u64;

    fn new(number: u64) -> Self;
    fn load(&self) -> u64;
    fn store(&self, number: u64);
}

macro_rules! atomic_size {
    ($atomic:ty, $plain:ty) => {
        impl AtomicSize for $atomic {
            const MAX: u64 = <$plain>::MAX as u64;

            #[inline(always)]
            fn new(number: u64) -> Self {
                Self::new(number as $plain)
            }

            #[inline(always)]
            fn load(&self) -> u64 {
                u64::from(self.load(Relaxed))
            }

            #[inline(always)]
            fn store(&self, number: u64) {
                self.store(number as $plain, Relaxed);
            }
        }
    };
}

atomic_size!(AtomicU8, u8);
atomic_size!(AtomicU32, u32);
