//! How much one client may ask for; those of connections are in [`bouton_connections::Limits`], those of a single answer in
//! `bouton_answers`. `docs/service.md` lists all of them for users.

use std::time::Duration;

/// Bytes of a request's body.
pub(crate) const BODY: usize = 1 << 20;
/// Positions of one request.
pub(crate) const POSITIONS: usize = 10_000;
/// A table of which an answer looks along at most so many ways to move answers at once, where questions are read: in some
/// ten microseconds.
pub(crate) const QUICK: u64 = 2_000;

/// Times that operators set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    /// For a body.
    pub(crate) body: Duration,
    /// For the whole of an answer to many positions.
    pub(crate) answer: Duration,
}

/// For requests that were on their way when the program was told to end.
pub(crate) const LAST_CALL: Duration = Duration::from_millis(500);
/// For what has begun then.
pub(crate) const FAREWELL: Duration = Duration::from_secs(10);

/// Bytes of answers that are kept, and of one as it usually is.
pub(crate) const KEPT: u64 = 32 << 20;
pub(crate) const KEPT_USUAL: u64 = 32 << 10;
/// Bytes of a position whose answers are kept: no sound one is longer.
pub(crate) const KEPT_POSITION: usize = 256;

/// Bytes of tables that were solved on request and are kept; what each of them takes besides its file; and how many are expected.
pub(crate) const SOLVED: u64 = 64 << 20;
pub(crate) const SOLVED_LEAST: u64 = 64 << 10;
pub(crate) const SOLVED_USUAL: usize = 32;
/// Ways to move that are looked along while a game is solved on request, at most: half a second's work where a move is of one heap. The
/// solver sees that its time is over between parts of its work, and this keeps the parts short.
pub(crate) const SOLVE_WAYS: u64 = 200_000_000;
/// Memory with which a game is solved on request, in bytes, and for how long.
pub(crate) const SOLVE_MEMORY: u64 = 1 << 30;
pub(crate) const SOLVE_TIME: Duration = Duration::from_secs(10);
/// How long a request waits for such a table in all: for the solver to be free, for solving, and a little more, so that its reason
/// arrives if it is refused.
pub(crate) const SOLVED_WAIT: Duration = Duration::from_secs(20);

/// Requests with many positions that are answered at once.
pub(crate) const BATCHES: usize = 64;
/// Bytes of all bodies at once, as far as they have come.
pub(crate) const BODIES: usize = 256 << 20;
/// Bytes of a body that is too long that are still read, and for how long, so that its sender hears why it is refused.
pub(crate) const UNREAD: usize = 16 << 20;
pub(crate) const UNREAD_TIME: Duration = Duration::from_secs(1);
/// So long a part of an answer to many positions takes, before others have their turn.
pub(crate) const TURN: Duration = Duration::from_millis(2);
/// Heavy answers that wait for others.
pub(crate) const WAITING: usize = 64;
/// For how long.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// How often the log tells of requests that fail for the same reason, at the most.
pub(crate) const TELL: Duration = Duration::from_secs(1);

/// How often the folder is looked at.
pub(crate) const LOOK: Duration = Duration::from_millis(500);
/// Files up to this length are read into memory, larger ones mapped.
pub(crate) const IN_MEMORY: u64 = 16 << 20;
