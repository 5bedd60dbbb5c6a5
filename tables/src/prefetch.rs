//! Having the processor fetch memory before it is needed.

/// Begins to fetch what lies at a place, so that several fetches go on at the same time; nothing waits for it. On processors other
/// than x86-64 it does nothing.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: every processor of this kind has the instruction, and whatever the address, it changes nothing but what is at hand.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
