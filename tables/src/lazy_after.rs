//! A value that is built only if it is requested often, because building takes long.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A value that is built once, after a number of requests for it.
#[derive(Debug)]
pub(crate) struct LazyAfter<T> {
    /// The built value; `Some(None)` if building failed.
    value: OnceLock<Option<T>>,
    /// Number of requests so far.
    requests: AtomicU32,
}

impl<T> LazyAfter<T> {
    pub(crate) fn new() -> Self {
        Self { value: OnceLock::new(), requests: AtomicU32::new(0) }
    }

    /// Returns the value, built by `make` after `min_requests` requests; `None` before that, or if building failed.
    #[cfg_attr(feature = "fast", inline(always))]
    pub(crate) fn get(&self, min_requests: u32, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        match self.value.get() {
            Some(value) => value.as_ref(),
            None => self.count_request(min_requests, make),
        }
    }

    #[cold]
    fn count_request(&self, min_requests: u32, make: impl FnOnce() -> Option<T>) -> Option<&T> {
        if self.requests.fetch_add(1, Relaxed) < min_requests {
            return None;
        }
        self.value.get_or_init(make).as_ref()
    }

    /// Returns the value if it is built, without counting as a request.
    #[cfg(test)]
    pub(crate) fn so_far(&self) -> Option<&Option<T>> {
        self.value.get()
    }
}
