//! Numbers classes by their keys (`refine.rs`).

use std::io;

use bouton_tables::heaps::Ranks;

use super::edges::{ClassEdge, EdgeList, VOID, from_wide, wide};
use super::numbering::Numbering;
use crate::control::Control;
use crate::making::GenerateError;
use crate::memory::{Grow, room};
use crate::work::words::{WordReader, WordWriter};

/// Numbers the classes of multisets by their keys: the classes after adding a heap of each size.
pub(crate) trait ClassDictionary: Default + Sync {
    /// Heaps are added in descending order only.
    const DESCENDING: bool;

    /// Appends the key for these steps. The depths in the key are relative to the returned depth, which is [`VOID`] if
    /// no step leads to a lost position.
    fn key(steps: &[ClassEdge], key: &mut Vec<u64>) -> Result<u32, GenerateError>;

    /// Returns the class of a key: a compatible one, or a new one.
    fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError>;

    fn len(&self) -> usize;

    fn bytes(&self) -> usize;

    fn save(&self, output: &mut WordWriter) -> io::Result<()>;

    fn load(input: &mut WordReader) -> Result<Self, GenerateError>;

    /// Returns the steps of all classes, `width` for each. May adjust the edges of the multisets.
    fn steps(
        self,
        edges: &mut EdgeList,
        ranks: &Ranks,
        width: usize,
        control: &dyn Control,
    ) -> Result<Vec<ClassEdge>, GenerateError>;
}

/// Classes to which heaps are added in any order.
impl ClassDictionary for Numbering {
    const DESCENDING: bool = false;

    fn key(steps: &[ClassEdge], key: &mut Vec<u64>) -> Result<u32, GenerateError> {
        let deeper = steps.iter().map(|step| step.deeper).min().unwrap_or(VOID);
        key.grow_by(steps.iter().map(|step| {
            let deeper = if step.deeper == VOID { 0 } else { step.deeper - deeper };
            wide(ClassEdge { deeper, ..*step })
        }))?;
        // Sizes that do not fit are never looked up, so a key without them may equal a longer one that ends with zeros.
        while key.last() == Some(&0) {
            key.pop();
        }
        Ok(deeper)
    }

    fn number(&mut self, key: &[u64]) -> Result<u32, GenerateError> {
        self.number(key)
    }

    fn len(&self) -> usize {
        self.len()
    }

    fn bytes(&self) -> usize {
        self.bytes()
    }

    fn save(&self, output: &mut WordWriter) -> io::Result<()> {
        save_keys(self.keys(), output)
    }

    fn load(input: &mut WordReader) -> Result<Self, GenerateError> {
        let mut numbering = Self::default();
        load_keys(input, |key| numbering.number(key))?;
        Ok(numbering)
    }

    fn steps(
        self,
        _: &mut EdgeList,
        _: &Ranks,
        width: usize,
        _: &dyn Control,
    ) -> Result<Vec<ClassEdge>, GenerateError> {
        // Sizes that the key omits have zero steps.
        let mut steps = room(self.len() as u64 * width as u64)?;
        for key in self.keys() {
            steps.extend(key.iter().copied().chain(std::iter::repeat(0)).take(width).map(from_wide));
        }
        Ok(steps)
    }
}

/// Writes keys by number.
pub(super) fn save_keys<'a>(
    keys: impl ExactSizeIterator<Item = &'a [u64]>,
    output: &mut WordWriter,
) -> io::Result<()> {
    output.write_word(keys.len() as u64)?;
    keys.into_iter().try_for_each(|key| {
        output.write_word(key.len() as u64)?;
        output.words(key)
    })
}

/// Reads keys, and adds each; `add` returns its number.
pub(super) fn load_keys(
    input: &mut WordReader,
    mut add: impl FnMut(&[u64]) -> Result<u32, GenerateError>,
) -> Result<(), GenerateError> {
    for number in 0..input.word()? {
        let len = input.word()?;
        if u64::from(add(&input.words(len)?)?) != number {
            return Err(input.damaged());
        }
    }
    Ok(())
}
