//! Runs a proof in blocks, from the beginning or from the record of an interrupted one, and records its progress.
//!
//! A record lists the checked blocks and their counts. It is written from time to time, and when the proof is
//! cancelled; it is removed when the proof has a result.

use std::io;
use std::time::Duration;

use super::{BlockProof, distributed};
use crate::clock::Instant;
use crate::communicator::{Communicator, is_rank_0};
use crate::control::{Control, Event};
use crate::memory::room;
use crate::proof::{Checked, Counts, ProofRecord, VerifyError, VerifyOptions};

/// Minimum time between two records, as a multiple of the cost of a record.
const MIN_PAUSE_PER_COST: u32 = 20;

/// The checked blocks, and their record.
pub(crate) struct Recorder {
    /// `None` without a record, on ranks other than 0, and after a failed write.
    record: Option<ProofRecord>,
    checked: Checked,
    /// The user's minimum time between two records.
    record_interval: Duration,
    /// The record's file exists.
    is_written: bool,
    /// Time when the last record was written, or the proof began.
    last: Instant,
    /// Time that writing it took.
    cost: Duration,
}

impl Recorder {
    /// Resumes from the record, if there is one.
    ///
    /// # Errors
    /// If the record cannot be read, or belongs to another proof.
    pub(crate) fn open(proof: &BlockProof<'_>, options: &VerifyOptions) -> Result<Self, VerifyError> {
        let record =
            options.record.filter(|_| is_rank_0(options.communicator)).map(|path| proof.record(path));
        let found = record.as_ref().map(ProofRecord::read).transpose()?.flatten();
        Ok(Self {
            is_written: found.is_some(),
            checked: found.map_or_else(|| Checked::new(proof.blocks()), Ok)?,
            record,
            record_interval: options.record_interval,
            last: Instant::now(),
            cost: Duration::ZERO,
        })
    }

    /// Checks all blocks that are not checked yet, together with the other ranks if there are some. Returns the counts of
    /// all blocks.
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
                    self.record_if_due(checked, control)?;
                }
            }
            Some(communicator) => {
                let rest = distributed::order_of_rank_0(communicator, &rest, &mut self.checked)?;
                for pieces in distributed::rounds(&rest, communicator.size(), proof.together()) {
                    let checked =
                        distributed::check(proof, communicator, &pieces, &mut self.checked, control);
                    self.record_if_due(checked, control)?;
                }
            }
        }
        self.remove();
        Ok(self.checked.counts())
    }

    /// Writes the record if one is due or the proof is interrupted; removes it if the table is wrong.
    fn record_if_due(
        &mut self,
        result: Result<(), VerifyError>,
        control: &dyn Control,
    ) -> Result<(), VerifyError> {
        match &result {
            Ok(()) if self.last.elapsed() >= self.record_interval.max(MIN_PAUSE_PER_COST * self.cost) => {
                self.write(control);
            }
            Ok(()) => {}
            Err(VerifyError::Cancelled | VerifyError::Memory | VerifyError::Peer { wrong: false, .. }) => {
                if self.is_written || self.last.elapsed() >= self.record_interval {
                    self.write(control);
                }
            }
            // The table is wrong: there is nothing to resume.
            Err(_) => self.remove(),
        }
        result
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

    fn remove(&self) {
        if self.is_written
            && let Some(record) = &self.record
        {
            // A record that remains is still correct.
            let _: io::Result<()> = record.remove();
        }
    }
}
