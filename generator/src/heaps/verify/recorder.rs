//! Runs a proof in blocks, from the beginning or from the record of an interrupted one, and records its progress.
//!
//! A record lists the checked blocks and their counts. It is written from time to time, and when the proof is
//! cancelled; it is removed when the proof has a result.

use std::path::Path;

use super::blocks::BlockProof;
use super::distributed;
use crate::clock::Instant;
use crate::communicator::is_rank_0;
use crate::control::{Control, Event};
use crate::memory::collected;
use crate::proof::{Counts, RecordedProof, VerifyError, VerifyOptions};
use crate::work::WorkError;
use crate::work::checked::remove_if_exists;
use crate::work::checkpoint_timer::CheckpointTimer;

/// The progress of a proof, and its record.
struct Recorder<'a> {
    /// File of the record. `None` without a record, on ranks other than 0, and after a failed write.
    path: Option<&'a Path>,
    progress: RecordedProof,
    timer: CheckpointTimer,
    /// The record's file exists.
    is_written: bool,
}

/// Checks all blocks, together with the other ranks if there are some. Blocks that an interrupted proof has checked, as
/// its record says, are not checked again. Returns the counts of all blocks.
///
/// # Errors
/// As [`BlockProof::check`]. Also if the record cannot be read, or belongs to another proof.
pub(super) fn run(
    mut proof: BlockProof<'_>,
    options: &VerifyOptions<'_>,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let path = options.record.filter(|_| is_rank_0(options.communicator));
    let start = proof.record()?;
    let found = path.map(|path| start.read(path)).transpose()?.flatten();
    let is_written = found.is_some();
    let progress = found.unwrap_or(start);
    let done = progress.counts().positions;
    if done > 0 {
        control.advance(done);
        control.report_event(Event::Resumed { done, all: progress.positions() });
    }
    let rest = collected(proof.order.iter().copied().filter(|&block| !progress.contains(block)))?;
    let timer = CheckpointTimer::new(Some(options.record_interval));
    let mut recorder = Recorder { path, progress, timer, is_written };
    match options.communicator {
        None => {
            for blocks in rest.chunks(proof.together) {
                let checked = proof.check(blocks, control);
                let checked = checked.map(|counts| recorder.progress.add(blocks, counts));
                recorder.record_if_due(checked, control)?;
            }
        }
        Some(communicator) => {
            let rest = distributed::order_of_rank_0(communicator, &rest, &mut recorder.progress)?;
            for pieces in distributed::rounds(&rest, communicator.size(), proof.together) {
                let checked =
                    distributed::check(&mut proof, communicator, &pieces, &mut recorder.progress, control);
                recorder.record_if_due(checked, control)?;
            }
        }
    }
    recorder.remove();
    Ok(recorder.progress.counts())
}

impl Recorder<'_> {
    /// Writes the record if one is due or the proof is interrupted; removes it if the table is wrong.
    fn record_if_due(
        &mut self,
        result: Result<(), VerifyError>,
        control: &dyn Control,
    ) -> Result<(), VerifyError> {
        let is_due = match &result {
            Ok(()) => self.timer.is_due(0),
            Err(VerifyError::Cancelled | VerifyError::Memory | VerifyError::Peer { wrong: false, .. }) => {
                self.is_written || self.timer.is_worth_saving()
            }
            // The table is wrong: there is nothing to resume.
            Err(_) => {
                self.remove();
                false
            }
        };
        if is_due {
            self.write(control);
        }
        result
    }

    /// Writes the record. If this fails, the proof continues without.
    fn write(&mut self, control: &dyn Control) {
        let Some(path) = self.path else { return };
        let began = Instant::now();
        match self.progress.write(path) {
            Ok(()) => self.is_written = true,
            Err(error) => {
                control.report_event(Event::NotRecorded(error.kind()));
                self.path = None;
            }
        }
        self.timer.made(began);
    }

    fn remove(&self) {
        if let Some(path) = self.path.filter(|_| self.is_written) {
            // A record that remains is still correct.
            let _: Result<(), WorkError> = remove_if_exists(path);
        }
    }
}
