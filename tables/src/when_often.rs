//! What pays only where it is asked for often.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Something that is made once, after some questions for it.
#[derive(Debug)]
pub(crate) struct WhenOften<T> {
    /// `None` in it, if it cannot be made.
    made: OnceLock<Option<T>>,
    /// How often it was asked for in vain.
    asked: AtomicU32,
}

impl<T> WhenOften<T> {
    pub(crate) fn new() -> Self {
        Self { made: OnceLock::new(), asked: AtomicU32::new(0) }
    }

    /// What was made, if it can be. It is not made for the first `few` questions.
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

    /// What was made so far.
    #[cfg(test)]
    pub(crate) fn so_far(&self) -> Option<&Option<T>> {
        self.made.get()
    }
}
