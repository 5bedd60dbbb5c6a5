//! A cache of answers that take long to compute. Concurrent requests for an answer compute it once. The key has the
//! digest of the table, so an answer stays valid.

use axum::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::limits;
use crate::problem::Problem;

/// The cached answers, by question; a question includes the digest of its table.
#[derive(Debug)]
pub(crate) struct AnswerCache(Cache<String, Bytes, AnswerBytes>);

/// Weight of a cached answer: the bytes of answer and question.
#[derive(Clone, Debug)]
struct AnswerBytes;

impl Weighter<String, Bytes> for AnswerBytes {
    fn weight(&self, question: &String, answer: &Bytes) -> u64 {
        (question.len() + answer.len()) as u64
    }
}

impl AnswerCache {
    pub(crate) fn new() -> Self {
        let answers = (limits::ANSWER_CACHE_BYTES / limits::USUAL_ANSWER_BYTES) as usize;
        Self(Cache::with_weighter(answers, limits::ANSWER_CACHE_BYTES, AnswerBytes))
    }

    /// Returns the answer to a question; computes it with `make` if it is not cached. Meanwhile, other requests for the same
    /// question wait. If `make` fails or is cancelled, the next request computes the answer.
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
    async fn an_answer_is_computed_once_and_an_error_is_not_cached() {
        let (cache, made) = (AnswerCache::new(), AtomicU32::new(0));
        let make =
            |refused: bool| async move { if refused { Err(Problem::Busy) } else { Ok("answer".to_owned()) } };
        let counted = async {
            made.fetch_add(1, Relaxed);
            make(true).await
        };
        assert_eq!(cache.answer("a", counted).await, Err(Problem::Busy));
        for _ in 0..3 {
            let counted = async {
                made.fetch_add(1, Relaxed);
                make(false).await
            };
            assert_eq!(cache.answer("a", counted).await.unwrap(), "answer");
        }
        assert_eq!(made.into_inner(), 2);
    }

    #[tokio::test]
    async fn the_cache_stays_within_its_limit() {
        let cache = AnswerCache::new();
        let length = (limits::ANSWER_CACHE_BYTES / 16) as usize;
        for number in 0..64 {
            let long = async { Ok("x".repeat(length)) };
            assert_eq!(cache.answer(&number.to_string(), long).await.unwrap().len(), length);
        }
        assert!(cache.0.weight() <= limits::ANSWER_CACHE_BYTES, "{}", cache.0.weight());
        assert!(cache.0.weight() > limits::ANSWER_CACHE_BYTES / 2, "{}", cache.0.weight());
    }
}
