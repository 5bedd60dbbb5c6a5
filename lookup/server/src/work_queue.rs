//! Limits concurrent work: answers that take more than microseconds (heavy answers), solving, requests with many
//! positions (batches), and the bytes of bodies.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits;
use crate::problem::Problem;

/// A semaphore for each kind of work.
#[derive(Debug)]
pub(crate) struct WorkQueue {
    heavy: Arc<Semaphore>,
    /// Permits to wait for `heavy`.
    waiting: Semaphore,
    solving: Arc<Semaphore>,
    batches: Arc<Semaphore>,
    /// A permit for each byte.
    bodies: Arc<Semaphore>,
}

impl WorkQueue {
    /// Allows `threads` concurrent heavy answers.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            heavy: Arc::new(Semaphore::new(threads)),
            waiting: Semaphore::new(limits::MAX_WAITING),
            solving: Arc::new(Semaphore::new(1)),
            batches: Arc::new(Semaphore::new(limits::MAX_BATCHES)),
            bodies: Arc::new(Semaphore::new(limits::MAX_BYTES_OF_BODIES)),
        }
    }

    /// Computes a heavy answer on another thread, once a thread is free. Fails at once if too many answers wait.
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

    /// Solves a game on another thread, one game at a time. Heavy answers do not wait for that.
    pub(crate) async fn run_solver<R: Send + 'static>(
        &self,
        solve: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Problem> {
        run_blocking(acquire(&self.solving).await?, solve).await
    }

    /// Reserves memory for a part of a body.
    pub(crate) fn reserve_bytes(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        let bytes = u32::try_from(bytes).map_err(|_| Problem::Busy)?;
        Arc::clone(&self.bodies).try_acquire_many_owned(bytes).map_err(|_| Problem::Busy)
    }

    /// Waits for permission to answer a request with many positions.
    pub(crate) async fn batch_permit(&self) -> Result<OwnedSemaphorePermit, Problem> {
        acquire(&self.batches).await
    }
}

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
        // The runtime is ending.
        Err(_) => Problem::Busy,
    })
}

/// Waits for a permit, up to the limit on waiting.
async fn acquire(semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    let permit = timeout(limits::MAX_WAIT, Arc::clone(semaphore).acquire_owned()).await;
    Ok(permit.map_err(|_| Problem::Busy)?.expect("the semaphore is never closed"))
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
