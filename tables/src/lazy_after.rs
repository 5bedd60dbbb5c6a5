//! A value that is worth building only for repeated use.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A value that is built once, after a number of requests for it.
#[derive(Debug)]
pub(crate) struct LazyAfter<T> {
    /// `Some(None)` if building failed.
    made: OnceLock<Option<T>>,
    /// Number of requests so far.
    asked: AtomicU32,
}

impl<T> LazyAfter<T> {
    pub(crate) fn new() -> Self {
        Self { made: OnceLock::new(), asked: AtomicU32::new(0) }
    }

    /// Returns the value, and builds it on request number `few + 1` (counted from 1). Returns `None` before that, or
    /// if building failed.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn get(&self, few: u32, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        match self.made.get() {
            Some(made) => made.as_ref(),
            None => self.ask(few, make),
        }
    }

    #[cold]
    fn ask(&self, few: u32, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        if self.asked.fetch_add(1, Relaxed) < few {
            return None;
        }
        self.made.get_or_init(make).as_ref()
    }

    /// Returns the value if a request has built it, without counting as a request.
    #[cfg(test)]
    pub(crate) fn so_far(&self) -> Option<&Option<T>> {
        self.made.get()
    }
}
