//! The state of a stage of the search for classes, as a checkpoint saves it.

use std::io;

use super::dictionary::ClassDictionary;
use super::edges::EdgeList;
use crate::making::GenerateError;
use crate::work::words::{WordReader, WordWriter};

/// First word of the stage's file: the kind of its content. 2 is a list of numbers (`search_checkpoints`).
const GIVEN_UP: u64 = 0;
const CLASSES: u64 = 1;

/// Reads the classes found so far, and the edges of the multisets so far, out of `multisets` in all. `None` if the
/// stage has given up, since there are too many classes.
pub(crate) fn load<D: ClassDictionary>(
    multisets: u64,
    input: &mut WordReader,
) -> Result<Option<(D, EdgeList)>, GenerateError> {
    match input.word()? {
        GIVEN_UP => return Ok(None),
        CLASSES => {}
        _ => return Err(input.damaged()),
    }
    let edges = EdgeList::load(multisets, input)?;
    let classes = D::load(input)?;
    if edges.iter().any(|edge| edge.class as usize >= classes.len()) {
        return Err(input.damaged());
    }
    Ok(Some((classes, edges)))
}

pub(crate) fn save_given_up(output: &mut WordWriter) -> io::Result<()> {
    output.write_word(GIVEN_UP)
}

pub(crate) fn save<D: ClassDictionary>(
    output: &mut WordWriter,
    classes: &D,
    edges: &EdgeList,
) -> io::Result<()> {
    output.write_word(CLASSES)?;
    edges.save(output)?;
    classes.save(output)
}
