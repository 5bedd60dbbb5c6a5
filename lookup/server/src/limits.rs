//! Limits on the requests of clients, and on caches. Those on connections are in [`bouton_connections::Limits`], those on a single answer in
//! `bouton_answers`. `docs/service.md` lists all of them for users.

use std::time::Duration;

/// Most bytes of a request's body.
pub(crate) const MAX_BODY_BYTES: usize = 1 << 20;
/// Most positions of one request.
pub(crate) const MAX_POSITIONS: usize = 10_000;
/// Most steps of an answer that the thread which reads requests computes itself. They take about
/// ten microseconds.
pub(crate) const MAX_QUICK_STEPS: u64 = 2_000;

/// Time limits set by the operator.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// For the body of a request.
    pub(crate) body: Duration,
    /// For the whole answer to many positions.
    pub(crate) answer: Duration,
}

/// Time to wait, when the program ends, for requests that are on their way.
pub(crate) const LATE_REQUEST_WAIT: Duration = Duration::from_millis(500);
/// Time to finish open requests after that.
pub(crate) const MAX_SHUTDOWN_TIME: Duration = Duration::from_secs(10);

/// Bytes of the cache of answers, and the usual bytes of one answer.
pub(crate) const ANSWER_CACHE_BYTES: u64 = 32 << 20;
pub(crate) const USUAL_ANSWER_BYTES: u64 = 32 << 10;
/// Most bytes of a position in the cache; every valid position is shorter.
pub(crate) const MAX_CACHED_POSITION: usize = 256;

/// The cache of tables solved on request: its bytes, the overhead of a table beyond its file, and the usual number of tables.
pub(crate) const TABLE_CACHE_BYTES: u64 = 64 << 20;
pub(crate) const TABLE_OVERHEAD_BYTES: u64 = 64 << 10;
pub(crate) const USUAL_TABLES: usize = 32;
/// Most moves examined to solve a game on request: half a second of work if a move takes from one heap. The
/// solver checks its deadline between parts of its work, and this limit keeps the parts short.
pub(crate) const MAX_SOLVE_MOVES: u64 = 200_000_000;
/// Most bytes of memory, and most time, to solve a game on request.
pub(crate) const MAX_SOLVE_MEMORY: u64 = 1 << 30;
pub(crate) const MAX_SOLVE_TIME: Duration = Duration::from_secs(10);
/// Longest wait of a request for such a table: for the solver to be free, for solving, and a little more, so that the reason
/// of a refusal arrives.
pub(crate) const MAX_SOLVED_WAIT: Duration = Duration::from_secs(20);

/// Most requests with many positions that are answered at the same time.
pub(crate) const MAX_BATCHES: usize = 64;
/// Most bytes received of all unanswered bodies together.
pub(crate) const MAX_BYTES_OF_BODIES: usize = 256 << 20;
/// Most bytes, and longest time, of reading a refused body to its end, so that its sender goes on to read the reason.
pub(crate) const MAX_DISCARDED_BYTES: usize = 16 << 20;
pub(crate) const MAX_DISCARD_TIME: Duration = Duration::from_secs(1);
/// Time slice of an answer to many positions; after it, other requests have their turn.
pub(crate) const TIME_SLICE: Duration = Duration::from_millis(2);
/// Most heavy answers that wait for a free thread.
pub(crate) const MAX_WAITING: usize = 64;
/// Longest wait for a free thread.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(5);

/// Shortest time between two log entries about requests that failed for the same reason.
pub(crate) const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two scans of the folder.
pub(crate) const FOLDER_INTERVAL: Duration = Duration::from_millis(500);
/// Longest file that is read into memory; longer files are mapped.
pub(crate) const MAX_FILE_IN_MEMORY: u64 = 16 << 20;
