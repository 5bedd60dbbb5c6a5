//! Limits on concurrent work: heavy answers, solving, batches, and bytes of bodies.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits;
use crate::problem::Problem;

#[derive(Debug)]
pub(crate) struct WorkQueue {
    heavy: Arc<Semaphore>,
    waiting: Semaphore,
    solving: Arc<Semaphore>,
    batches: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
}

impl WorkQueue {
    /// Allows as many heavy answers at the same time as there are threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            heavy: Arc::new(Semaphore::new(threads)),
            waiting: Semaphore::new(limits::MAX_WAITING),
            solving: Arc::new(Semaphore::new(1)),
            batches: Arc::new(Semaphore::new(limits::MAX_BATCHES)),
            bodies: Arc::new(Semaphore::new(limits::MAX_BYTES_OF_BODIES)),
        }
    }

    /// Computes an answer that takes more than microseconds, on another thread and when its turn has come, so that
    /// other requests do not wait for it.
    pub(crate) async fn run_heavy<R: Send + 'static>(
        &self,
        answer: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Problem> {
        let permit = match Arc::clone(&self.heavy).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let _place = self.waiting.try_acquire().map_err(|_| Problem::Busy)?;
                acquire(&self.heavy).await?
            }
        };
        run_blocking(permit, answer).await
    }

    /// Solves a game on another thread, one game at a time. Heavy answers do not wait for it.
    pub(crate) async fn run_solver<R: Send + 'static>(
        &self,
        solve: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Problem> {
        run_blocking(acquire(&self.solving).await?, solve).await
    }

    /// Reserves memory for `bytes` bytes of a body.
    pub(crate) fn reserve_bytes(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        let bytes = u32::try_from(bytes).map_err(|_| Problem::Busy)?;
        Arc::clone(&self.bodies).try_acquire_many_owned(bytes).map_err(|_| Problem::Busy)
    }

    /// Waits for permission to answer a request with many positions.
    pub(crate) async fn batch_permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        acquire(&self.batches).await
    }
}

/// Computes an answer on a blocking thread.
async fn run_blocking<R: Send + 'static>(
    permit: OwnedSemaphorePermit,
    answer: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Problem> {
    let answered = tokio::task::spawn_blocking(move || {
        // Hold the permit until the work ends, even if the client has gone.
        let _permit = permit;
        answer()
    });
    answered.await.map_err(|failed| match failed.try_into_panic() {
        Ok(panic) => std::panic::resume_unwind(panic),
        // The runtime is shutting down.
        Err(_) => Problem::Busy,
    })
}

/// Waits for a permit, up to the limit on waiting.
async fn acquire(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    let place = timeout(limits::MAX_WAIT, Arc::clone(places).acquire_owned()).await;
    Ok(place.map_err(|_| Problem::Busy)?.expect("it is never closed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_request_without_a_place_in_the_queue_fails_at_once() {
        let work = WorkQueue::new(1);
        let taken = work.heavy.acquire().await.unwrap();
        let others = work.waiting.acquire_many(limits::MAX_WAITING as u32).await.unwrap();
        assert_eq!(work.run_heavy(|| ()).await, Err(Problem::Busy));
        drop((taken, others));
        assert_eq!(work.waiting.available_permits(), limits::MAX_WAITING);
        assert_eq!(work.run_heavy(|| 7).await, Ok(7));
    }
}
