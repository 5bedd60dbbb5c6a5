//! The state of a stage of the search for classes, as a checkpoint saves it.

use std::io;

use super::dictionary::ClassDictionary;
use super::edges::{ClassEdge, EdgeList, from_wide, wide};
use crate::making::GenerateError;
use crate::memory::room;
use crate::work::words::{WordReader, WordWriter};

/// First word of the stage's file: the kind of its content. 3 is a list of numbers (`search_checkpoints`).
const GIVEN_UP: u64 = 0;
const COMPLETE: u64 = 1;
const PARTIAL: u64 = 2;

/// State of a stage that computes the classes of multisets.
pub(crate) enum StageState<D> {
    /// The stage has found too many classes.
    GivenUp,
    /// The edge of each multiset to its class, and the steps of all classes.
    Complete(EdgeList, Vec<ClassEdge>),
    /// The classes found so far, and the edges of their multisets.
    Partial(D, EdgeList),
}

impl<D: ClassDictionary> StageState<D> {
    /// Reads the stage for `multisets` multisets, whose classes have `width` steps each.
    pub(crate) fn load(multisets: u64, width: usize, input: &mut WordReader) -> Result<Self, GenerateError> {
        let kind = input.word()?;
        if kind == GIVEN_UP {
            return Ok(Self::GivenUp);
        }
        let edges = EdgeList::load(multisets, input)?;
        let (classes, stage) = match kind {
            COMPLETE if edges.len() == multisets => {
                let len = input.word()?;
                input.check_left(len, 8)?;
                let mut steps = room(len)?;
                for _ in 0..len {
                    steps.push(from_wide(input.word()?));
                }
                (steps.len() / width, Self::Complete(edges, steps))
            }
            PARTIAL => {
                let all = D::load(input)?;
                (all.len(), Self::Partial(all, edges))
            }
            _ => return Err(input.damaged()),
        };
        let (Self::Complete(edges, _) | Self::Partial(_, edges)) = &stage else { return Ok(stage) };
        if edges.iter().any(|edge| edge.class as usize >= classes) {
            return Err(input.damaged());
        }
        Ok(stage)
    }
}

pub(crate) fn save_given_up(output: &mut WordWriter) -> io::Result<()> {
    output.write_word(GIVEN_UP)
}

pub(crate) fn save_complete(
    output: &mut WordWriter,
    edges: &EdgeList,
    steps: &[ClassEdge],
) -> io::Result<()> {
    output.write_word(COMPLETE)?;
    edges.save(output)?;
    output.write_word(steps.len() as u64)?;
    steps.iter().try_for_each(|&step| output.write_word(wide(step)))
}

pub(crate) fn save_partial<D: ClassDictionary>(
    output: &mut WordWriter,
    classes: &D,
    edges: &EdgeList,
) -> io::Result<()> {
    output.write_word(PARTIAL)?;
    edges.save(output)?;
    classes.save(output)
}
