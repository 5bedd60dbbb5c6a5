//! Work on several threads, or on one: with the feature `rayon` by its threads, without it in a plain loop.
//!
//! All that the solvers do in parallel is numbered: they say how many pieces there are and what to do with each.
//! Pieces may be done in any order and at the same time; what comes of them is the same for any number of
//! threads.

use std::iter::Flatten;
use std::vec;

#[cfg(feature = "rayon")]
use rayon::prelude::*;

use crate::GenerateError;
use crate::memory::filled_with;

/// Number of threads.
pub(crate) fn threads() -> usize {
    #[cfg(feature = "rayon")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "rayon"))]
    1
}

/// Does two things, maybe at the same time.
pub(crate) fn join<A: Send, B: Send>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B + Send) -> (A, B) {
    #[cfg(feature = "rayon")]
    return rayon::join(a, b);
    #[cfg(not(feature = "rayon"))]
    (a(), b())
}

/// Does each of `pieces` pieces of work, and gives what comes of them in order.
///
/// # Errors
/// If there is no room for it, or the first error met, after which no further pieces are begun.
pub(crate) fn map<T: Send>(
    pieces: usize,
    each: impl Fn(usize) -> Result<T, GenerateError> + Sync + Send,
) -> Result<Flatten<vec::IntoIter<Option<T>>>, GenerateError> {
    let mut done = filled_with(pieces as u64, || None)?;
    chunks(&mut done, 1, |piece, place| {
        place[0] = Some(each(piece)?);
        Ok::<_, GenerateError>(())
    })?;
    Ok(done.into_iter().flatten())
}

/// Does each of `pieces` pieces of work, which may be small.
///
/// # Errors
/// The first error met, after which no further pieces are begun.
pub(crate) fn for_each<E: Send>(
    pieces: usize,
    each: impl Fn(usize) -> Result<(), E> + Sync + Send,
) -> Result<(), E> {
    #[cfg(feature = "rayon")]
    return (0..pieces).into_par_iter().try_for_each(each);
    #[cfg(not(feature = "rayon"))]
    (0..pieces).try_for_each(each)
}

/// Does a piece of work for each `len` items of a slice, the last of which may be fewer; the pieces are told their
/// number.
///
/// # Errors
/// The first error met, after which no further pieces are begun.
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

/// Does each of `pieces` pieces of work, of different lengths and begun in order, and puts together what comes of
/// them, which must be possible in any grouping.
///
/// # Errors
/// The first error met, after which no further pieces are begun.
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
