//! The file `progress` of a work folder: identity of the work, its progress, and the files of the last checkpoint, as
//! text with a CRC-32.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use bouton_tables::Ruleset;

use super::checked;
use super::error::WorkError;
use super::names::{PACKING, PROGRESS, file_name};
use super::sealed::{read_if_exists, sealed, unsealed};
use crate::census::Census;
use crate::parallel;

/// Version of work folders. Increase it when the format changes, or the order of stages in the search for classes.
pub(super) const VERSION: u32 = 4;

/// Name of the fact that describes the partition into blocks.
const LAYOUT: &str = "layout";

/// Identity of the work in a folder. A run with another identity cannot use the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Job {
    /// Facts, each a name and a value.
    pub(crate) facts: Vec<(String, String)>,
}

impl Job {
    /// Returns the identity of the work on a ruleset's table. `layout` describes the partition into blocks.
    pub(crate) fn new(ruleset: &Ruleset, depths: bool, layout: String) -> Self {
        let fact = |name: &str, value: String| (name.to_owned(), value);
        let first = [fact("family", ruleset.family().to_owned()), fact("depths", depths.to_string())];
        let keys = ruleset.keys();
        let keys = keys.iter().map(|(name, value)| fact(name, value.to_string()));
        Self { facts: first.into_iter().chain(keys).chain([fact(LAYOUT, layout)]).collect() }
    }

    /// Reports whether the work is on this table, with any partition into blocks.
    pub(super) fn is_for(&self, ruleset: &Ruleset, depths: bool) -> bool {
        let is_about_table = |(name, _): &&(String, String)| name != LAYOUT;
        let other = Self::new(ruleset, depths, String::new());
        self.facts.iter().filter(is_about_table).eq(other.facts.iter().filter(is_about_table))
    }
}

/// Progress of the work at a checkpoint.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CheckpointState {
    pub(crate) epoch: u32,
    /// Statistics of the positions solved so far.
    pub(crate) census: Census,
    /// Steps of progress: the steps done, and all steps.
    pub(crate) steps: [u64; 2],
    /// The blocks by name.
    pub(crate) blocks: BTreeMap<String, SavedBlock>,
}

/// A block at a checkpoint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SavedBlock {
    /// Epoch of the block's file; 0 if it has none.
    pub(crate) epoch: u32,
    /// Number of finished tasks that are counted for this block.
    pub(crate) done: u64,
    /// Bytes of the block's content.
    pub(crate) content: u64,
}

/// Contents of the file `progress`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkProgress {
    pub(super) version: u32,
    pub(super) job: Job,
    pub(super) saved: CheckpointState,
}

impl WorkProgress {
    /// Returns the identity of the work: names and values.
    #[must_use]
    pub fn facts(&self) -> &[(String, String)] {
        &self.job.facts
    }

    /// Returns the share of solved positions, between 0 and 1.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.saved.steps[0] as f64 / self.saved.steps[1].max(1) as f64
    }

    /// Reports whether all positions are solved and packing has begun.
    #[must_use]
    pub fn is_packing(&self) -> bool {
        self.saved.blocks.keys().any(|name| name.starts_with(PACKING))
    }

    /// Returns the number of blocks with a file.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.files().count()
    }

    /// Returns the name and the content's length of each block's file.
    fn files(&self) -> impl Iterator<Item = (String, u64)> {
        let with_file = self.saved.blocks.iter().filter(|(_, block)| block.epoch > 0);
        with_file.map(|(name, block)| (file_name(name, block.epoch), block.content))
    }

    /// Reads all files of the checkpoint. Returns an error for each missing, damaged or unreadable file, in the order
    /// of names.
    #[must_use]
    pub fn check(&self, folder: &Path) -> Vec<WorkError> {
        let mut files: Vec<_> = self.files().map(|file| (file, None)).collect();
        let check = |_, files: &mut [_]| {
            let ((name, content), fault): &mut ((String, u64), Option<WorkError>) = &mut files[0];
            *fault = checked::read(&folder.join(&*name), name, *content, 0..*content, &mut |_| {}).err();
            Ok::<_, std::convert::Infallible>(())
        };
        let Ok(()) = parallel::chunks(&mut files, 1, check);
        files.into_iter().filter_map(|(_, fault)| fault).collect()
    }
}

impl fmt::Display for WorkProgress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { version, job, saved: CheckpointState { epoch, census, steps, blocks } } = self;
        let mut text = format!("bouton work folder {version}\n");
        for (name, value) in &job.facts {
            text += &format!("fact {name} {value}\n");
        }
        text += &format!(
            "epoch {epoch}\nwins {}\ndeepest {}\nsteps {} {}\n",
            census.wins, census.deepest, steps[0], steps[1]
        );
        for (name, block) in blocks {
            text += &format!("block {name} {} {} {}\n", block.epoch, block.done, block.content);
        }
        f.write_str(&sealed(text))
    }
}

impl WorkProgress {
    /// Parses the file; `None` if damaged.
    fn parse(file: &[u8]) -> Option<Self> {
        let mut lines = unsealed(file)?.lines();
        let version = lines.next()?.strip_prefix("bouton work folder ")?.parse().ok()?;
        let mut progress =
            Self { version, job: Job { facts: Vec::new() }, saved: CheckpointState::default() };
        for line in lines {
            let (word, rest) = line.split_once(' ')?;
            let saved = &mut progress.saved;
            match word {
                "fact" => {
                    let (name, value) = rest.split_once(' ')?;
                    progress.job.facts.push((name.to_owned(), value.to_owned()));
                }
                "epoch" => saved.epoch = rest.parse().ok()?,
                "wins" => saved.census.wins = rest.parse().ok()?,
                "deepest" => saved.census.deepest = rest.parse().ok()?,
                "steps" => {
                    let (done, all) = rest.split_once(' ')?;
                    saved.steps = [done.parse().ok()?, all.parse().ok()?];
                }
                "block" => {
                    let mut fields = rest.split(' ');
                    let name = fields.next()?.to_owned();
                    let (epoch, done) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
                    let content = fields.next()?.parse().ok()?;
                    saved.blocks.insert(name, SavedBlock { epoch, done, content });
                }
                _ => return None,
            }
        }
        Some(progress)
    }
}

/// Reads the progress of a work folder; `None` before its first checkpoint.
///
/// # Errors
/// If the file cannot be read, is damaged, or has another version.
pub fn read_work_progress(folder: &Path) -> Result<Option<WorkProgress>, WorkError> {
    let path = folder.join(PROGRESS);
    let Some(file) = read_if_exists(&path)? else { return Ok(None) };
    let progress = WorkProgress::parse(&file).ok_or(WorkError::Damaged(path))?;
    if progress.version != VERSION {
        return Err(WorkError::Other {
            folder: folder.to_owned(),
            what: "the version of work folders".to_owned(),
            found: progress.version.to_string(),
            wanted: VERSION.to_string(),
        });
    }
    Ok(Some(progress))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_back_and_each_changed_byte_is_found() {
        let block = |epoch, done, content| SavedBlock { epoch, done, content };
        let blocks = [("a-1", block(0, 0, 12)), ("a-2", block(7, 64, u64::MAX))];
        let saved = CheckpointState {
            epoch: 7,
            census: Census { wins: u64::MAX, deepest: 12 },
            steps: [3, 17],
            blocks: blocks.map(|(name, block)| (name.to_owned(), block)).into(),
        };
        let facts = [("bounds", "[7, 7, 7]"), ("play", "\"misere\"")];
        let job = Job { facts: facts.map(|(name, value)| (name.to_owned(), value.to_owned())).into() };
        let progress = WorkProgress { version: VERSION, job, saved };
        let text = progress.to_string();
        assert_eq!(WorkProgress::parse(text.as_bytes()), Some(progress));
        for at in 0..text.len() {
            let mut damaged = text.clone().into_bytes();
            damaged[at] ^= 1;
            assert_eq!(WorkProgress::parse(&damaged), None, "byte {at}");
        }
    }
}
