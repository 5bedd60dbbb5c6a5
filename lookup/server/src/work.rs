//! How much work is done at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use bouton_study::words::grouped;
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
    bodies: Arc<Semaphore>,
}

impl Work {
    /// Places for as many heavy answers at once as there are threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            heavy: Arc::new(Semaphore::new(threads)),
            waiting: AtomicUsize::new(0),
            batches: Arc::new(Semaphore::new(limits::BATCHES)),
            bodies: Arc::new(Semaphore::new(limits::BODIES)),
        }
    }

    /// Computes an answer that takes more than microseconds, on a thread of its own and when its turn has come, so that
    /// other requests do not wait for it.
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

    /// Room for so many bytes of a body.
    pub(crate) fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        let bytes = u32::try_from(bytes).map_err(|_| Problem::Busy)?;
        Arc::clone(&self.bodies).try_acquire_many_owned(bytes).map_err(|_| Problem::Busy)
    }

    /// A place for an answer to many positions.
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

/// How much more work may be done for an answer.
#[derive(Debug)]
pub(crate) struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Self(limits::STEPS)
    }
}

impl Budget {
    /// Takes so many steps away.
    pub(crate) fn spend(&mut self, steps: u64) -> Result<(), Problem> {
        self.0 = self.0.checked_sub(steps).ok_or_else(|| {
            Problem::TooMuch(format!(
                "this answer would examine more than {} moves; ask for fewer positions at once, for a position with fewer \
                 moves, or without moves=true and policy=trap; or use bouton-lookup",
                grouped(limits::STEPS)
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
        budget.spend(limits::STEPS).unwrap();
        assert!(matches!(budget.spend(1), Err(Problem::TooMuch(_))));
    }
}
