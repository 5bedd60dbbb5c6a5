//! A cache of answers that take long to compute. An answer stays valid as long as its table, and is computed once for all
//! requests that wait for it.

use axum::body::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::limits;
use crate::problem::Problem;

/// The cached answers, by digest of the table and question.
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

    /// Returns the answer to a question, computed by `make` if it is not cached. Concurrent requests for the same question wait for it.
    /// If `make` fails or is cancelled, the next request computes the answer.
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
        let (kept, made) = (AnswerCache::new(), AtomicU32::new(0));
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
    async fn the_cache_stays_within_its_limit() {
        let kept = AnswerCache::new();
        let length = (limits::ANSWER_CACHE_BYTES / 16) as usize;
        for number in 0..64 {
            let long = async { Ok("x".repeat(length)) };
            assert_eq!(kept.answer(&number.to_string(), long).await.unwrap().len(), length);
        }
        assert!(kept.0.weight() <= limits::ANSWER_CACHE_BYTES, "{}", kept.0.weight());
        assert!(kept.0.weight() > limits::ANSWER_CACHE_BYTES / 2, "{}", kept.0.weight());
    }
}
