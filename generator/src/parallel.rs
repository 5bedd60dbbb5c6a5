//! Parallel loops: on rayon's threads with the feature `rayon`, otherwise on the calling thread.
//!
//! Solvers number their pieces of work. Threads may run the pieces in any order, but the result does not depend on the
//! number of threads. After an error, no further pieces start, and the loop returns an error.
//!
//! Each loop halves its pieces until few are left. The functions of a loop are called through pointers, so that this
//! code is compiled once, and not for each loop of the program.

use std::iter::Flatten;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::vec;

use crate::making::GenerateError;
use crate::memory::filled_with;

/// Small pieces are put together into about this many groups for each thread.
const GROUPS_PER_THREAD: usize = 64;

/// Number of threads.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Runs both functions, in parallel if possible.
fn join_jobs(a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    #[cfg(feature = "rayon")]
    rayon::join(a, b);
    #[cfg(not(feature = "rayon"))]
    {
        a();
        b();
    }
}

/// Runs both functions, in parallel if possible.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    let (mut a, mut b) = (Some(a), Some(b));
    let (mut of_a, mut of_b) = (None, None);
    join_jobs(&mut || of_a = a.take().map(|a| a()), &mut || of_b = b.take().map(|b| b()));
    of_a.zip(of_b).expect("both functions ran")
}

/// Returns the number of small pieces that a thread runs in a row, out of `pieces` in all.
fn group_len(pieces: usize) -> usize {
    (pieces / (GROUPS_PER_THREAD * threads())).max(1)
}

/// Calls `each` for every piece, and returns the results in order.
pub(crate) fn map<T: Send>(
    pieces: usize,
    each: impl Fn(usize) -> Result<T, GenerateError> + Sync + Send,
) -> Result<Flatten<vec::IntoIter<Option<T>>>, GenerateError> {
    let mut results = filled_with(pieces as u64, || None)?;
    chunks(&mut results, 1, |piece, result| {
        result[0] = Some(each(piece)?);
        Ok::<_, GenerateError>(())
    })?;
    Ok(results.into_iter().flatten())
}

/// Calls `each` for every piece. Pieces may be small.
pub(crate) fn for_each<E: Send>(
    pieces: usize,
    each: impl Fn(usize) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    // A vector of empty items takes no memory.
    chunks(&mut vec![(); pieces], 1, |piece, _| each(piece))
}

/// Calls `each` with the index and the items of every chunk of `len` items; the last chunk may be shorter.
pub(crate) fn chunks<T: Send, E: Send>(
    items: &mut [T],
    len: usize,
    each: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    let group = len * group_len(items.len().div_ceil(len));
    ChunkLoop { len, each: &each, group, failed: AtomicBool::new(false) }.run(0, items)
}

/// Calls `each` for every piece, and combines the results by `and`, which must be associative. Some pieces may be much
/// more work than others. After an error, no later pieces start: the loop returns the error of the first piece that fails,
/// for any number of threads.
pub(crate) fn reduce<T: Default + Send, E: Send>(
    pieces: usize,
    each: impl Fn(usize) -> Result<T, E> + Sync + Send,
    and: impl Fn(T, T) -> Result<T, E> + Sync + Send,
) -> Result<T, E> {
    Reduction { each: &each, and: &and, first_failed: AtomicUsize::new(usize::MAX) }.run(0..pieces)
}

/// A loop over pieces whose results are combined.
struct Reduction<'a, T, E> {
    each: &'a (dyn Fn(usize) -> Result<T, E> + Sync),
    and: &'a (dyn Fn(T, T) -> Result<T, E> + Sync),
    /// The first of the pieces that have failed; `usize::MAX` if none has.
    first_failed: AtomicUsize,
}

impl<T: Default + Send, E: Send> Reduction<'_, T, E> {
    fn run(&self, pieces: Range<usize>) -> Result<T, E> {
        if pieces.is_empty() || pieces.start > self.first_failed.load(Relaxed) {
            return Ok(T::default());
        }
        let first = pieces.start;
        let result = if pieces.len() == 1 {
            (self.each)(first)
        } else {
            let middle = first + pieces.len() / 2;
            let (low, high) = join(|| self.run(first..middle), || self.run(middle..pieces.end));
            (self.and)(low?, high?)
        };
        if result.is_err() {
            self.first_failed.fetch_min(first, Relaxed);
        }
        result
    }
}

type EachChunk<'a, T, E> = dyn Fn(usize, &mut [T]) -> Result<(), E> + Sync + 'a;

/// A loop over chunks of items.
struct ChunkLoop<'a, T, E> {
    /// Items in a chunk.
    len: usize,
    each: &'a EachChunk<'a, T, E>,
    /// Maximum number of items in a row on one thread.
    group: usize,
    /// A chunk has failed.
    failed: AtomicBool,
}

impl<T: Send, E: Send> ChunkLoop<'_, T, E> {
    /// Visits all chunks of `items`, which begin with the chunk number `first`.
    fn run(&self, first: usize, items: &mut [T]) -> Result<(), E> {
        if items.len() > self.group {
            let chunks = items.len().div_ceil(self.len) / 2;
            let (low, high) = items.split_at_mut(chunks * self.len);
            let (low, high) = join(|| self.run(first, low), || self.run(first + chunks, high));
            return low.and(high);
        }
        for (chunk, items) in (first..).zip(items.chunks_mut(self.len)) {
            if self.failed.load(Relaxed) {
                break;
            }
            let result = (self.each)(chunk, items);
            if result.is_err() {
                self.failed.store(true, Relaxed);
            }
            result?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_runs_once_and_results_are_combined_in_order() {
        for pieces in [0, 1, 2, 3, 1000, 4097] {
            let all: Result<Vec<usize>, ()> =
                reduce(pieces, |piece| Ok(vec![piece]), |a, b| Ok([a, b].concat()));
            assert!(all.unwrap().into_iter().eq(0..pieces));
            assert!(map(pieces, |piece| Ok(3 * piece)).unwrap().eq((0..pieces).map(|piece| 3 * piece)));
            for len in [1, 7, 5000] {
                let mut items: Vec<usize> = (0..pieces).collect();
                let add_chunk = |chunk: usize, items: &mut [usize]| {
                    assert!(items.len() == len || items.last() == Some(&(pieces - 1)));
                    items.iter_mut().for_each(|item| *item += 10_000 * chunk);
                    Ok::<_, ()>(())
                };
                chunks(&mut items, len, add_chunk).unwrap();
                assert!(items.into_iter().eq((0..pieces).map(|item| item + 10_000 * (item / len))));
            }
        }
    }

    #[test]
    fn after_an_error_few_pieces_start_and_the_error_is_returned() {
        let started = std::sync::atomic::AtomicUsize::new(0);
        let each = |piece| {
            started.fetch_add(1, Relaxed);
            if piece % 1000 == 3 { Err("stop") } else { Ok(()) }
        };
        assert_eq!(for_each(100_000, each), Err("stop"));
        assert!(started.load(Relaxed) < 50_000);
        assert_eq!(
            reduce(1000, |piece| if piece == 999 { Err(piece) } else { Ok(piece) }, |a, _| Ok(a)),
            Err(999)
        );
        // However late a piece fails, pieces before it still run.
        let first = AtomicUsize::new(0);
        let each = |piece: usize| {
            if piece < 100 {
                std::thread::sleep(std::time::Duration::from_micros(50));
                first.fetch_add(1, Relaxed);
            }
            if piece >= 100 { Err(piece) } else { Ok(()) }
        };
        assert_eq!(reduce(1000, each, |(), ()| Ok(())), Err(100));
        assert_eq!(first.into_inner(), 100);
        assert_eq!(reduce(10, Ok::<_, &str>, |_, _| Err("sum")), Err("sum"));
        let mut items = [0; 100];
        assert_eq!(
            chunks(&mut items, 10, |chunk, _| if chunk == 9 { Err("stop") } else { Ok(()) }),
            Err("stop")
        );
    }
}
