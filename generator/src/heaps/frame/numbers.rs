//! The numbers that blocks store.

use std::fmt::Debug;
use std::ops::{BitAnd, BitOr, BitXor, Not, Sub};

use bytemuck::Pod;

/// A number of some width: a cell, or a size.
pub(crate) trait Number:
    Pod
    + Ord
    + Default
    + Debug
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Sub<Output = Self>
{
    const BYTES: usize = size_of::<Self>();
    const MIN: Self;
    const MAX: Self;

    fn new(number: i64) -> Self;
    fn get(self) -> i64;

    /// Adds with wrapping.
    fn plus(self, other: Self) -> Self;
}

macro_rules! number {
    ($($number:ty)*) => {$(
        impl Number for $number {
            const MIN: Self = <$number>::MIN;
            const MAX: Self = <$number>::MAX;

            #[inline(always)]
            fn new(number: i64) -> Self {
                number as Self
            }

            #[inline(always)]
            fn get(self) -> i64 {
                self.into()
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
        }
    )*};
}

number!(u8 u32 i8 i16 i32 i64);
