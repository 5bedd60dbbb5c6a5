//! How much work is done at once.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::limits;
use crate::problem::Problem;

#[derive(Debug)]
pub(crate) struct Work {
    heavy: Arc<Semaphore>,
    waiting: Semaphore,
    solving: Arc<Semaphore>,
    batches: Arc<Semaphore>,
    bodies: Arc<Semaphore>,
}

impl Work {
    /// Places for as many heavy answers at once as there are threads.
    pub(crate) fn new(threads: usize) -> Self {
        Self {
            heavy: Arc::new(Semaphore::new(threads)),
            waiting: Semaphore::new(limits::WAITING),
            solving: Arc::new(Semaphore::new(1)),
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
                let _place = self.waiting.try_acquire().map_err(|_| Problem::Busy)?;
                place(&self.heavy).await?
            }
        };
        apart(permit, answer).await
    }

    /// Solves a game, on a thread of its own and after all others that are being solved: heavy answers do not wait for it.
    pub(crate) async fn solving<R: Send + 'static>(
        &self,
        solve: impl FnOnce() -> R + Send + 'static,
    ) -> Result<R, Problem> {
        apart(place(&self.solving).await?, solve).await
    }

    /// Room for so many bytes of a body.
    pub(crate) fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
        let bytes = u32::try_from(bytes).map_err(|_| Problem::Busy)?;
        Arc::clone(&self.bodies).try_acquire_many_owned(bytes).map_err(|_| Problem::Busy)
    }

    /// A place for an answer to many positions.
    pub(crate) async fn batch(&self) -> Result<OwnedSemaphorePermit, Problem> {
        place(&self.batches).await
    }
}

/// Computes an answer on a thread of its own.
async fn apart<R: Send + 'static>(
    permit: OwnedSemaphorePermit,
    answer: impl FnOnce() -> R + Send + 'static,
) -> Result<R, Problem> {
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

/// One of some places, as soon as it is free.
async fn place(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Problem> {
    let place = timeout(limits::WAIT, Arc::clone(places).acquire_owned()).await;
    Ok(place.map_err(|_| Problem::Busy)?.expect("it is never closed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_finds_no_place_to_wait_is_told_at_once() {
        let work = Work::new(1);
        let taken = work.heavy.acquire().await.unwrap();
        let others = work.waiting.acquire_many(limits::WAITING as u32).await.unwrap();
        assert_eq!(work.heavy(|| ()).await, Err(Problem::Busy));
        drop((taken, others));
        assert_eq!(work.waiting.available_permits(), limits::WAITING);
        assert_eq!(work.heavy(|| 7).await, Ok(7));
    }
}
