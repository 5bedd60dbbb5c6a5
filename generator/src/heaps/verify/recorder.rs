//! Runs a proof in blocks from the beginning, or from the record of an interrupted one, and records its progress.

use std::io;
use std::time::Duration;

use super::{BlockProof, distributed};
use crate::clock::Instant;
use crate::communicator::{Communicator, is_rank_0};
use crate::memory::room;
use crate::proof::{Checked, Counts, ProofRecord, VerifyError, VerifyOptions};
use crate::{Control, Event};

/// Minimum time between two records, as a multiple of the cost of a record.
const MIN_PAUSE_PER_COST: u32 = 20;

/// Checks blocks, and records from time to time which.
pub(crate) struct Recorder {
    record: Option<ProofRecord>,
    checked: Checked,
    pause: Duration,
    /// The file exists.
    is_written: bool,
    /// Time of the last record, and its cost.
    last: Instant,
    cost: Duration,
}

impl Recorder {
    /// Goes on from the record that is there, if there is one.
    ///
    /// # Errors
    /// If it cannot be gone on from.
    pub(crate) fn open(proof: &BlockProof<'_>, options: &VerifyOptions) -> Result<Self, VerifyError> {
        let record =
            options.record.filter(|_| is_rank_0(options.communicator)).map(|path| proof.record(path));
        let found = record.as_ref().map(ProofRecord::read).transpose()?.flatten();
        Ok(Self {
            is_written: found.is_some(),
            checked: found.map_or_else(|| Checked::new(proof.blocks()), Ok)?,
            record,
            pause: options.pause,
            last: Instant::now(),
            cost: Duration::ZERO,
        })
    }

    /// Checks all blocks that are not checked yet, with other processes if there are some. Gives what all count.
    pub(crate) fn run(
        mut self,
        proof: &mut BlockProof<'_>,
        communicator: Option<&dyn Communicator>,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError> {
        let done = self.checked.counts().positions;
        if done > 0 {
            control.advance(done);
            control.report_event(Event::Resumed { done, all: proof.all_positions() });
        }
        let mut rest = room(proof.blocks().into())?;
        rest.extend(proof.order().iter().copied().filter(|&block| !self.checked.contains(block)));
        match communicator {
            None => {
                for blocks in rest.chunks(proof.together()) {
                    let checked = proof.check(blocks, control).map(|counts| self.checked.add(blocks, counts));
                    self.note(checked, control)?;
                }
            }
            Some(communicator) => {
                let rest = distributed::of_first(communicator, &rest, &mut self.checked)?;
                for pieces in distributed::rounds(&rest, communicator.size(), proof.together()) {
                    let checked =
                        distributed::check(proof, communicator, &pieces, &mut self.checked, control);
                    self.note(checked, control)?;
                }
            }
        }
        self.remove();
        Ok(self.checked.counts())
    }

    /// Writes the record, if one is due or the proof ends here.
    fn note(&mut self, checked: Result<(), VerifyError>, control: &dyn Control) -> Result<(), VerifyError> {
        match &checked {
            Ok(()) if self.last.elapsed() >= self.pause.max(MIN_PAUSE_PER_COST * self.cost) => {
                self.write(control)
            }
            Ok(()) => {}
            Err(VerifyError::Cancelled | VerifyError::Memory | VerifyError::Peer { wrong: false, .. }) => {
                if self.is_written || self.last.elapsed() >= self.pause {
                    self.write(control);
                }
            }
            // There is nothing to go on with.
            Err(_) => self.remove(),
        }
        checked
    }

    /// Writes the record. If this fails, the proof continues without.
    fn write(&mut self, control: &dyn Control) {
        let Some(record) = &self.record else { return };
        let began = Instant::now();
        match record.write(&self.checked) {
            Ok(()) => self.is_written = true,
            Err(error) => {
                control.report_event(Event::NotRecorded(error.kind()));
                self.record = None;
            }
        }
        self.cost = began.elapsed();
        self.last = Instant::now();
    }

    /// Removes the record.
    fn remove(&self) {
        if self.is_written
            && let Some(record) = &self.record
        {
            // A remaining file is still true.
            let _: io::Result<()> = record.remove();
        }
    }
}
