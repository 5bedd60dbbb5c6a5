//! How much one client may ask for. `docs/service.md` tells these numbers to the users.

use std::time::Duration;

/// Bytes of a request's body.
pub(crate) const BODY: usize = 1 << 20;
/// Positions of one request.
pub(crate) const POSITIONS: usize = 10_000;
/// Moves that the answer to a position lists.
pub(crate) const MOVES: usize = 10_000;
/// Positions of the table that are looked at for one answer.
pub(crate) const LOOKS: u64 = 1_000_000;
/// Plies of a main line, and how many are told if the question does not say.
pub(crate) const PLIES: usize = 10_000;
/// The same, if left out.
pub(crate) const USUAL_PLIES: usize = 1_000;
/// Replies that an argument refutes.
pub(crate) const REPLIES: usize = 200;

/// For the line and headers of a request, and between two requests.
pub(crate) const HEADERS_TIME: Duration = Duration::from_secs(30);
/// For a body.
pub(crate) const BODY_TIME: Duration = Duration::from_secs(10);
/// Without the client reading on.
pub(crate) const WRITE_TIME: Duration = Duration::from_secs(30);
/// For the whole of an answer.
pub(crate) const ANSWER_TIME: Duration = Duration::from_secs(120);
/// For what has begun when the program is told to end.
pub(crate) const FAREWELL: Duration = Duration::from_secs(10);

/// Connections, if the command line does not say.
pub(crate) const CONNECTIONS: usize = 4096;
/// Requests with many positions at once, from reading the body to the end of the answer.
pub(crate) const BATCHES: usize = 64;
/// Heavy answers that wait for others.
pub(crate) const WAITING: usize = 64;
/// For how long.
pub(crate) const WAIT: Duration = Duration::from_secs(5);

/// How often the folder is looked at.
pub(crate) const LOOK: Duration = Duration::from_millis(500);
/// Files up to this length are read into memory, larger ones mapped.
pub(crate) const IN_MEMORY: u64 = 16 << 20;
