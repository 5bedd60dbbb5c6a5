//! Answers that take long to make are kept, as they stay the same as long as their table does; and each is made once for all who
//! wait for it.

use axum::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::limits;
use crate::problem::Problem;

/// The answers that are kept, by digest and question.
#[derive(Debug)]
pub(crate) struct Kept(Cache<String, Bytes, ByLength>);

/// What an answer takes, in bytes.
#[derive(Clone, Debug)]
struct ByLength;

impl Weighter<String, Bytes> for ByLength {
    fn weight(&self, question: &String, answer: &Bytes) -> u64 {
        (question.len() + answer.len()) as u64
    }
}

impl Kept {
    pub(crate) fn new() -> Self {
        let answers = (limits::KEPT / limits::KEPT_USUAL) as usize;
        Self(Cache::with_weighter(answers, limits::KEPT, ByLength))
    }

    /// The answer to a question, made if it is not there. Who asks the same meanwhile waits for it; if it is not made after all, as nobody
    /// waits any more or it is refused, the next one makes it.
    pub(crate) async fn answer(
        &self,
        question: &str,
        make: impl Future<Output = Result<String, Problem>>,
    ) -> Result<Bytes, Problem> {
        self.0.get_or_insert_async(question, async { make.await.map(Bytes::from) }).await
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

    use super::*;

    #[tokio::test]
    async fn an_answer_is_made_once_and_a_refusal_is_not_kept() {
        let (kept, made) = (Kept::new(), AtomicU32::new(0));
        let make =
            |refused: bool| async move { if refused { Err(Problem::Busy) } else { Ok("answer".to_owned()) } };
        let counted = async {
            made.fetch_add(1, Relaxed);
            make(true).await
        };
        assert_eq!(kept.answer("a", counted).await, Err(Problem::Busy));
        for _ in 0..3 {
            let counted = async {
                made.fetch_add(1, Relaxed);
                make(false).await
            };
            assert_eq!(kept.answer("a", counted).await.unwrap(), "answer");
        }
        assert_eq!(made.into_inner(), 2);
    }

    #[tokio::test]
    async fn no_more_is_kept_than_there_is_room_for() {
        let kept = Kept::new();
        let length = (limits::KEPT / 16) as usize;
        for number in 0..64 {
            let long = async { Ok("x".repeat(length)) };
            assert_eq!(kept.answer(&number.to_string(), long).await.unwrap().len(), length);
        }
        assert!(kept.0.weight() <= limits::KEPT, "{}", kept.0.weight());
        assert!(kept.0.weight() > limits::KEPT / 2, "{}", kept.0.weight());
    }
}
