//! Solves rulesets and writes their tables, for every family.

use std::path::Path;

use bouton_tables::format::{Sink, in_memory};
use bouton_tables::{Ruleset, with_rules};

use crate::control::{CancellableSink, Control};
use crate::family::{Estimated, Solvable};
use crate::making::{GenerateError, GenerateOptions, Resources, Summary};
use crate::work::{self, WorkError};

/// Solves a ruleset and writes its table to `sink`, block by block.
///
/// The bytes depend only on the ruleset and the options, not on the number of threads or the machine. On error, the
/// sink's contents are not a valid table.
///
/// # Errors
/// If there is not enough memory, `control` cancels, or the sink fails.
pub fn generate(
    ruleset: &Ruleset,
    options: GenerateOptions,
    sink: &mut dyn Sink,
    control: &dyn Control,
) -> Result<Summary, GenerateError> {
    generate_with(ruleset, options, &Resources::default(), sink, control)
}

/// Does what [`generate`] does with less code, for programs that must be small. Heap games are solved by short, slower
/// solvers: the table gives the same answers, but may have other bytes.
///
/// # Errors
/// If there is not enough memory, `control` cancels, or the sink fails.
pub fn generate_small(
    ruleset: &Ruleset,
    options: GenerateOptions,
    sink: &mut dyn Sink,
    control: &dyn Control,
) -> Result<Summary, GenerateError> {
    let sink = &mut CancellableSink { sink, control };
    with_rules!(ruleset, |rules| rules.make_small(options, sink, control))
}

/// Does what [`generate`] does with limited memory, a work folder, or several processes. The bytes are the same.
///
/// # Errors
/// If there is not enough memory, `control` cancels, the sink fails, or the folder cannot be used. The folder then
/// still holds its last checkpoint, from which the next call resumes.
pub fn generate_with(
    ruleset: &Ruleset,
    options: GenerateOptions,
    resources: &Resources,
    sink: &mut dyn Sink,
    control: &dyn Control,
) -> Result<Summary, GenerateError> {
    let sink = &mut CancellableSink { sink, control };
    let (summary, _) = with_rules!(ruleset, |rules| rules.make(options, resources, sink, control))?;
    Ok(summary)
}

/// Does this rank's share of the work, if its rank is not 0. Meanwhile rank 0, which [`Resources::communicator`]
/// connects to this rank, makes the same table with [`generate_with`]. Returns when this rank has no work left;
/// immediately if rank 0 works alone.
///
/// # Errors
/// If there is not enough memory, a process is cancelled, or the folder cannot be used. A cancellation ends all
/// processes. After any other error the other processes may wait for this one, and the caller must end them.
pub fn work_as_rank(
    ruleset: &Ruleset,
    options: GenerateOptions,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(), GenerateError> {
    with_rules!(ruleset, |rules| rules.work_as_rank(options, resources, control))
}

/// Removes the work folder of a table that is already complete, if its checkpoint is of this table or it has none.
/// Keeps a folder with the checkpoint of another table.
///
/// # Errors
/// As [`discard_work`](crate::discard_work).
pub fn remove_finished_work(folder: &Path, ruleset: &Ruleset, depths: bool) -> Result<(), WorkError> {
    work::remove_finished_work(folder, &with_rules!(ruleset, |rules| rules.effective_game().into()), depths)
}

/// Solves a ruleset, and returns the bytes of its table's file.
///
/// # Errors
/// If there is not enough memory.
pub fn generate_in_memory(ruleset: &Ruleset, depths: bool) -> Result<Vec<u8>, GenerateError> {
    in_memory(|sink| generate(ruleset, GenerateOptions { depths }, sink, &()))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use bouton_tables::expanding::ExpandingKeys;
    use bouton_tables::heaps::{Heap, HeapKeys, Take};

    use super::*;
    use crate::control::Phase;

    /// Rulesets for every solver except the quotient and the plain kernel.
    fn rulesets() -> Vec<Ruleset> {
        let expanding = |stones, growth, resets| {
            ExpandingKeys { stones, growth, resets, ..Default::default() }.rules().unwrap().into()
        };
        let mut all = vec![expanding(60, 1, [2, 1]), expanding(40, 5, [0, 0]), expanding(30, 0, [15, 3])];
        let bounds: [&[Heap]; 5] = [&[9], &[4, 9], &[3, 5, 7], &[2, 4, 4, 6], &[3; 5]];
        for bounds in bounds {
            for (take, heaps_per_move) in
                [(Take::Any, 1), (Take::UpTo(2), 1), (Take::Any, bounds.len() as u32)]
            {
                for passes in [0, 2] {
                    let (bounds, take) = (bounds.to_vec(), take.clone());
                    let keys = HeapKeys {
                        bounds,
                        take,
                        heaps_per_move: heaps_per_move.into(),
                        passes,
                        ..Default::default()
                    };
                    all.push(keys.rules().unwrap().into());
                }
            }
        }
        all
    }

    /// Records the announced and the finished steps of each phase.
    #[derive(Default)]
    struct Phases(Mutex<Vec<(Phase, u64, u64)>>);

    impl Control for Phases {
        fn begin(&self, phase: Phase, steps: u64) {
            self.0.lock().unwrap().push((phase, steps, 0));
        }

        fn advance(&self, steps: u64) {
            self.0.lock().unwrap().last_mut().expect("a phase has begun").2 += steps;
        }
    }

    #[test]
    fn solving_takes_the_announced_steps_and_other_phases_no_more() {
        for ruleset in rulesets() {
            for depths in [true, false] {
                let phases = Phases::default();
                let made =
                    in_memory(|sink| generate(&ruleset, GenerateOptions { depths }, sink, &phases)).unwrap();
                let phases = phases.0.into_inner().unwrap();
                assert_eq!(phases[0].0, Phase::Solving);
                assert_eq!(phases.last().unwrap().0, Phase::Writing);
                for (phase, announced, done) in phases {
                    match phase {
                        Phase::Solving => assert_eq!(done, announced, "{ruleset:?}"),
                        // The packer gives up a search that does not pay.
                        Phase::Packing => assert!(done <= announced, "{ruleset:?}"),
                        Phase::Verifying => panic!("nothing is verified"),
                        // The writer does not read the short prefix back.
                        Phase::Writing => {
                            assert_eq!(announced, 2 * made.len() as u64);
                            assert!(done <= announced && done + 64 >= announced, "{ruleset:?}: {done}");
                        }
                    }
                }
            }
        }
    }

    /// Cancels after this number of polls.
    struct CancelAfter(AtomicU64);

    impl Control for CancelAfter {
        fn is_cancelled(&self) -> bool {
            self.0.fetch_update(Relaxed, Relaxed, |left| left.checked_sub(1)).is_err()
        }
    }

    #[test]
    fn a_run_that_is_cancelled_at_any_poll_returns_cancelled() {
        for ruleset in rulesets() {
            for depths in [true, false] {
                let run = |polls: u64| {
                    let control = CancelAfter(polls.into());
                    in_memory(|sink| generate(&ruleset, GenerateOptions { depths }, sink, &control))
                };
                let mut polls = 0;
                let made = loop {
                    match run(polls) {
                        Ok(made) => break made,
                        Err(error) => assert!(matches!(error, GenerateError::Cancelled), "{error}"),
                    }
                    // Cancel at every early poll, and at some of the later ones.
                    polls += 1 + polls / 8;
                };
                assert!(polls > 2, "{ruleset:?}: {polls} polls");
                assert_eq!(made, generate_in_memory(&ruleset, depths).unwrap());
            }
        }
    }

    #[test]
    fn an_error_of_the_sink_is_returned() {
        // This file is open for reading only.
        let mut file = std::fs::File::open(std::env::current_exe().unwrap()).unwrap();
        let made = generate(&rulesets()[0], GenerateOptions::default(), &mut file, &());
        assert!(matches!(made, Err(GenerateError::Write(_))), "{made:?}");
    }
}
