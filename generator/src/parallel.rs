//! Parallel loops: on rayon's threads with the feature `rayon`, otherwise on the calling thread.
//!
//! Solvers number their pieces of work. Threads may run the pieces in any order, but the result does not depend on the
//! number of threads. After an error, no further pieces start, and the loop returns this error.

use std::iter::Flatten;
use std::vec;

#[cfg(feature = "rayon")]
use rayon::prelude::*;

use crate::making::GenerateError;
use crate::memory::filled_with;

/// Number of threads.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Runs both functions, in parallel if possible.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "rayon")]
    return rayon::join(a, b);
    #[cfg(not(feature = "rayon"))]
    (a(), b())
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
    #[cfg(feature = "rayon")]
    return (0..pieces).into_par_iter().try_for_each(each);
    #[cfg(not(feature = "rayon"))]
    (0..pieces).try_for_each(each)
}

/// Calls `each` with the index and the items of every chunk of `len` items; the last chunk may be shorter.
pub(crate) fn chunks<T: Send, E: Send>(
    items: &mut [T],
    len: usize,
    each: impl Fn(usize, &mut [T]) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    #[cfg(feature = "rayon")]
    return items.par_chunks_mut(len).enumerate().try_for_each(|(piece, items)| each(piece, items));
    #[cfg(not(feature = "rayon"))]
    items.chunks_mut(len).enumerate().try_for_each(|(piece, items)| each(piece, items))
}

/// Calls `each` for every piece, and combines the results by `and`, which must be associative. The
/// lengths of pieces may differ.
pub(crate) fn reduce<T: Default + Send, E: Send>(
    pieces: usize,
    each: impl Fn(usize) -> Result<T, E> + Sync + Send,
    and: impl Fn(T, T) -> Result<T, E> + Sync + Send,
) -> Result<T, E> {
    #[cfg(feature = "rayon")]
    return (0..pieces).into_par_iter().with_max_len(1).map(each).try_reduce(T::default, and);
    #[cfg(not(feature = "rayon"))]
    (0..pieces).map(each).try_fold(T::default(), |done, more| and(done, more?))
}
