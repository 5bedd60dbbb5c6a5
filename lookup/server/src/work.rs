//! How much is worked out at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits;
use crate::problem::Problem;

/// The places for work.
#[derive(Debug)]
pub(crate) struct Work {
    heavy: Arc<Semaphore>,
    waiting: AtomicUsize,
    batches: Arc<Semaphore>,
}

impl Work {
    /// Places for as many heavy answers at once as there are threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            heavy: Arc::new(Semaphore::new(threads)),
            waiting: AtomicUsize::new(0),
            batches: Arc::new(Semaphore::new(limits::BATCHES)),
        }
    }

    /// Works out an answer that takes more than microseconds, when its turn has come, so that it keeps nobody
    /// else waiting.
    pub(crate) async fn heavy<R: Send + 'static>(
        &self,
        answer: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Problem> {
        let permit = match Arc::clone(&self.heavy).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let _place = Place::take(&self.waiting)?;
                let permit = timeout(limits::WAIT, Arc::clone(&self.heavy).acquire_owned()).await;
                permit.map_err(|_| Problem::Busy)?.expect("it is never closed")
            }
        };
        let answered = tokio::task::spawn_blocking(move || {
            // Kept to the end, also if nobody waits for the answer any more.
            let _permit = permit;
            answer()
        });
        answered.await.map_err(|failed| match failed.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            // The program is ending.
            Err(_) => Problem::Busy,
        })
    }

    /// A place for a request with many positions.
    pub(crate) async fn batch(&self) -> Result<OwnedSemaphorePermit, Problem> {
        let permit = timeout(limits::WAIT, Arc::clone(&self.batches).acquire_owned()).await;
        Ok(permit.map_err(|_| Problem::Busy)?.expect("it is never closed"))
    }
}

/// A place among those who wait.
struct Place<'a>(&'a AtomicUsize);

impl<'a> Place<'a> {
    fn take(waiting: &'a AtomicUsize) -> Result<Self, Problem> {
        let place = Self(waiting);
        if waiting.fetch_add(1, Relaxed) >= limits::WAITING { Err(Problem::Busy) } else { Ok(place) }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

/// How many more positions of the table may be looked at for an answer.
#[derive(Debug)]
pub(crate) struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Self(limits::LOOKS)
    }
}

impl Budget {
    /// Takes so many away.
    pub(crate) fn spend(&mut self, looks: u64) -> Result<(), Problem> {
        self.0 = self.0.checked_sub(looks).ok_or_else(|| {
            Problem::TooMuch(format!(
                "more than {} positions would be looked at for this answer; ask for fewer at once, without moves=true or \
                 policy=trap, or ask bouton-lookup",
                limits::LOOKS
            ))
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_finds_no_place_to_wait_is_told_at_once() {
        let work = Work::new(1);
        let taken = work.heavy.acquire().await.unwrap();
        work.waiting.store(limits::WAITING, Relaxed);
        assert_eq!(work.heavy(|| ()).await, Err(Problem::Busy));
        assert_eq!(work.waiting.load(Relaxed), limits::WAITING);
        drop(taken);
        assert_eq!(work.heavy(|| 7).await, Ok(7));
    }

    #[test]
    fn a_budget_ends() {
        let mut budget = Budget::default();
        budget.spend(limits::LOOKS).unwrap();
        assert!(matches!(budget.spend(1), Err(Problem::TooMuch(_))));
    }
}
