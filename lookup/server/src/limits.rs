//! Limits on the requests of clients, and on caches. [`bouton_connections::Limits`] limits connections, and
//! `bouton_answers` a single answer. `docs/service.md` lists all limits for users.

use std::time::Duration;

/// Maximum size of a request's body in bytes.
pub(crate) const MAX_BODY_BYTES: usize = 1 << 20;
/// Maximum number of positions in one request.
pub(crate) const MAX_POSITIONS: usize = 10_000;
/// Maximum number of steps of an answer that the thread that reads requests computes itself: about ten microseconds.
pub(crate) const MAX_QUICK_STEPS: u64 = 2_000;

/// Maximum number of connections at the address of --metrics-listen, which few clients use.
pub(crate) const MAX_METRICS_CONNECTIONS: usize = 64;

/// Time to wait, when the service ends, for requests that are still arriving.
pub(crate) const LATE_REQUEST_WAIT: Duration = Duration::from_millis(500);
/// Maximum time to finish open requests after [`LATE_REQUEST_WAIT`].
pub(crate) const MAX_SHUTDOWN_TIME: Duration = Duration::from_secs(10);

/// Size of the cache of answers in bytes.
pub(crate) const ANSWER_CACHE_BYTES: u64 = 32 << 20;
/// Usual size of a cached answer in bytes.
pub(crate) const USUAL_ANSWER_BYTES: u64 = 32 << 10;
/// Maximum size of a question in the cache in bytes, with the digest of its table; every valid question is shorter.
pub(crate) const MAX_CACHED_QUESTION: usize = 512;

/// Size of the cache of tables solved on request, in bytes.
pub(crate) const TABLE_CACHE_BYTES: u64 = 64 << 20;
/// Memory that a cached table takes in addition to its file, in bytes.
pub(crate) const TABLE_OVERHEAD_BYTES: u64 = 64 << 10;
/// Usual number of cached tables.
pub(crate) const USUAL_TABLES: usize = 32;
/// Maximum number of moves examined to solve a game on request: half a second of work if a move takes from one heap. The
/// solver checks its deadline between parts of its work, and this limit keeps the parts short.
pub(crate) const MAX_SOLVE_MOVES: u64 = 200_000_000;
/// Maximum memory to solve a game on request, in bytes.
pub(crate) const MAX_SOLVE_MEMORY: u64 = 1 << 30;
/// Maximum time to solve a game on request.
pub(crate) const MAX_SOLVE_TIME: Duration = Duration::from_secs(10);
/// Maximum wait of a request for a table that is solved on request: a little more than [`MAX_WAIT`] and
/// [`MAX_SOLVE_TIME`] together.
pub(crate) const MAX_SOLVED_WAIT: Duration = Duration::from_secs(20);

/// Maximum number of requests with many positions that are answered at the same time.
pub(crate) const MAX_BATCHES: usize = 64;
/// Maximum size of all unanswered bodies together, in bytes.
pub(crate) const MAX_BYTES_OF_BODIES: usize = 256 << 20;
/// Maximum number of bytes of a refused body to read and discard. They are read because many clients read no answer
/// until they have sent everything.
pub(crate) const MAX_DISCARDED_BYTES: usize = 16 << 20;
/// Maximum time to read and discard a refused body.
pub(crate) const MAX_DISCARD_TIME: Duration = Duration::from_secs(1);
/// Time after which an answer to many positions lets other requests go first.
pub(crate) const TIME_SLICE: Duration = Duration::from_millis(2);
/// Maximum number of heavy answers that wait for a free thread.
pub(crate) const MAX_WAITING: usize = 64;
/// Maximum wait for a free thread.
pub(crate) const MAX_WAIT: Duration = Duration::from_secs(5);

/// Minimum time between two log entries about requests that failed for the same reason.
pub(crate) const LOG_INTERVAL: Duration = Duration::from_secs(1);

/// Time between two scans of the folder.
pub(crate) const FOLDER_INTERVAL: Duration = Duration::from_millis(500);
/// Maximum size of a file that is read into memory, in bytes; larger files are mapped.
pub(crate) const MAX_FILE_IN_MEMORY: u64 = 16 << 20;
