//! A proof by several MPI ranks: in each *round*, each rank checks a *piece*: some blocks that follow each other in the
//! order of rank 0, which all ranks use.
//!
//! Example: with 2 ranks, the pieces 0 and 1 are a round, then the pieces 2 and 3. After a round, each rank sends its
//! counts, or its error, to all others, so all ranks stop at the same time.

use super::blocks::BlockProof;
use crate::communicator::Communicator;
use crate::control::Control;
use crate::proof::{Counts, RecordedProof, VerifyError};

/// Maximum number of blocks of a piece, unless more are checked together: enough for a rank to use most of its cached
/// verdicts several times, and few enough for short rounds.
const MAX_PIECE: usize = 256;
/// Minimum number of rounds if there are enough blocks. With fewer rounds, ranks wait longer for each other.
const ROUNDS: usize = 16;

/// Returns the unchecked blocks in the order of rank 0. Only rank 0 has a record; the other ranks add its counts to
/// `progress`.
pub(super) fn order_of_rank_0(
    communicator: &dyn Communicator,
    rest: &[u32],
    progress: &mut RecordedProof,
) -> Result<Vec<u32>, VerifyError> {
    let done = communicator.gather(&to_bytes(&Ok(progress.counts())));
    let own = if communicator.rank() == 0 { rest } else { &[] };
    let own: Vec<u8> = own.iter().flat_map(|block| block.to_le_bytes()).collect();
    let all = communicator.gather(&own);
    if communicator.rank() > 0 {
        progress.add(&[], from_bytes(&done[0])?);
    }
    let (blocks, _) = all[0].as_chunks();
    Ok(blocks.iter().map(|&block| u32::from_le_bytes(block)).collect())
}

/// Returns the rounds: in each round, a piece for each rank, as long as pieces remain. The length of each piece except
/// the last is a multiple of `together`.
pub(super) fn rounds(order: &[u32], processes: usize, together: usize) -> impl Iterator<Item = Vec<&[u32]>> {
    let piece_len = (order.len() / (ROUNDS * processes)).min(MAX_PIECE) / together * together;
    let mut pieces = order.chunks(piece_len.max(together));
    std::iter::from_fn(move || {
        let round: Vec<_> = pieces.by_ref().take(processes).collect();
        (!round.is_empty()).then_some(round)
    })
}

/// The first byte of a rank's message says what follows: here, its counts.
const COUNTED: u8 = b'+';
/// Nothing follows: the rank was cancelled.
const CANCELLED: u8 = b'.';
/// An error follows: the table is wrong.
const WRONG: u8 = b'!';
/// Any other error follows.
const FAILED: u8 = b'?';

fn to_bytes(result: &Result<Counts, VerifyError>) -> Vec<u8> {
    match result {
        Ok(Counts { positions, wins, deepest }) => {
            let numbers = [*positions, *wins, u64::from(*deepest)].map(u64::to_le_bytes);
            [&[COUNTED], numbers.as_flattened()].concat()
        }
        Err(VerifyError::Cancelled) => vec![CANCELLED],
        Err(
            error @ (VerifyError::Wrong(_) | VerifyError::Contradictory(_) | VerifyError::Miscounted { .. }),
        ) => [&[WRONG], error.to_string().as_bytes()].concat(),
        Err(error) => [&[FAILED], error.to_string().as_bytes()].concat(),
    }
}

fn from_bytes(bytes: &[u8]) -> Result<Counts, VerifyError> {
    let (&kind, rest) = bytes.split_first().expect("a message has a first byte");
    match kind {
        COUNTED => {
            let (numbers, _) = rest.as_chunks();
            let [positions, wins, deepest] = [0, 1, 2].map(|at: usize| u64::from_le_bytes(numbers[at]));
            Ok(Counts { positions, wins, deepest: deepest as u32 })
        }
        CANCELLED => Err(VerifyError::Cancelled),
        kind => {
            let what = String::from_utf8_lossy(rest).into_owned();
            Err(VerifyError::Peer { what, wrong: kind == WRONG })
        }
    }
}

/// Checks the pieces of a round, one by each rank, and adds the results of all ranks.
///
/// # Errors
/// All ranks return the error of the lowest rank that failed.
pub(super) fn check(
    proof: &mut BlockProof<'_>,
    communicator: &dyn Communicator,
    pieces: &[&[u32]],
    progress: &mut RecordedProof,
    control: &dyn Control,
) -> Result<(), VerifyError> {
    let own = pieces.get(communicator.rank()).copied().unwrap_or_default();
    let messages = communicator.gather(&to_bytes(&proof.check(own, control)));
    let mut all = Ok(());
    for (process, bytes) in messages.iter().enumerate() {
        match from_bytes(bytes) {
            Ok(counts) => {
                progress.add(pieces.get(process).copied().unwrap_or_default(), counts);
                if process != communicator.rank() {
                    control.advance(counts.positions);
                }
            }
            Err(error) => all = all.and(Err(error)),
        }
    }
    all
}
