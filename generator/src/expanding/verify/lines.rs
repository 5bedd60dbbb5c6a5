//! Proves outcomes line by line, by runs of lost places.
//!
//! A place is won exactly if a move leads to a lost place. Moves of a to b stones into a run of lost places [s, e)
//! start from the places s + a to e - 1 + b, which are therefore won. The places outside of all such ranges must be
//! lost. The proof compares the runs of these places with the stored runs; the cost is proportional to their number. For
//! example, with moves of 1 to 3 stones the lost places 0 and 4 cover 1-3 and 5-7, so 4 must be stored as
//! lost, and 8 too.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingTable, LostRuns};
use bouton_tables::{Outcome, Play, Solved};

use super::answers::check_one_answer;
use super::groups::{CurrentmaxGroup, CurrentmaxGroups, LineKind, distinct_kinds, position, target_kinds};
use crate::control::{Control, advance_by_part, check_cancelled};
use crate::memory::Grow;
use crate::parallel;
use crate::proof::{Counts, Flaw, VerifyError};

/// Runs of a line, or moved runs; an error if the table contradicts itself.
type Run = Result<Range<u64>, VerifyError>;

/// Returns the runs of lost places, each from the first place plus `least` to the last place plus `most`.
fn moved<'a>(runs: LostRuns<'a>, [least, most]: [u32; 2]) -> impl Iterator<Item = Run> + use<'a> {
    let moved =
        move |run: Range<u32>| u64::from(run.start) + u64::from(least)..u64::from(run.end) + u64::from(most);
    runs.map(move |run| run.map(moved).map_err(|damage| VerifyError::Contradictory(damage.what)))
}

/// All covers of a line, merged in the order in which they begin.
struct CoverSweep<I> {
    covers: Vec<I>,
    /// The next run of each cover that has one: start, end, and index of the cover.
    next: BinaryHeap<Reverse<(u64, u64, usize)>>,
}

impl<I: Iterator<Item = Run>> CoverSweep<I> {
    fn new(covers: Vec<I>) -> Result<Self, VerifyError> {
        let mut sweep = Self { covers, next: BinaryHeap::new() };
        for number in 0..sweep.covers.len() {
            sweep.push_next_run(number)?;
        }
        Ok(sweep)
    }

    /// Reads the next run of a cover.
    fn push_next_run(&mut self, number: usize) -> Result<(), VerifyError> {
        if let Some(run) = self.covers[number].next().transpose()? {
            self.next.push(Reverse((run.start, run.end, number)));
        }
        Ok(())
    }

    /// Returns the next run of uncovered places from `place` on, and moves `place` to its end.
    fn next_uncovered(&mut self, place: &mut u64, end: u64) -> Result<Option<Range<u64>>, VerifyError> {
        while *place < end {
            let first = *place;
            let Some(&Reverse((start, covered, number))) = self.next.peek() else {
                *place = end;
                return Ok(Some(first..end));
            };
            if start > first {
                *place = start;
                return Ok(Some(first..start.min(end)));
            }
            *place = first.max(covered);
            self.next.pop();
            self.push_next_run(number)?;
        }
        Ok(None)
    }
}

/// The proof of all lines.
struct LineProof<'a> {
    table: &'a ExpandingTable,
    rules: &'a Expanding,
    groups: CurrentmaxGroups,
}

/// Checks every line, and for each group the complete answer of one position. A step of progress is a pair of stones and
/// currentmax.
pub(super) fn verify(table: &ExpandingTable, control: &dyn Control) -> Result<Counts, VerifyError> {
    let rules = table.game();
    let proof = LineProof { table, rules, groups: CurrentmaxGroups::new(rules)? };
    let kinds = distinct_kinds(table, rules)?;
    let check = |number: usize| -> Result<Counts, VerifyError> {
        check_cancelled(control)?;
        let (group_number, kind_number) = (number / kinds.len(), number % kinds.len());
        let group = &proof.groups.as_slice()[group_number];
        let (kind, equal_kinds) = kinds[kind_number];
        let lost = proof.check(group_number, kind)?;
        if kind_number == 0 {
            check_one_answer(table, group, kind)?;
        }
        let pairs = group.pairs_below(rules, u64::from(group.most) + 1);
        advance_by_part(control, pairs, kind_number, kinds.len());
        let on_equal_lines = |pairs: u64| pairs.saturating_mul(equal_kinds);
        Ok(Counts { positions: on_equal_lines(pairs), wins: on_equal_lines(pairs - lost), deepest: 0 })
    };
    parallel::reduce(proof.groups.as_slice().len() * kinds.len(), check, |a, b| Ok(a.and(b)))
}

impl LineProof<'_> {
    /// Returns the runs of lost places of a line, up to `most` stones.
    fn runs(&self, kind: LineKind, group: &CurrentmaxGroup, most: u32) -> Result<LostRuns<'_>, VerifyError> {
        Ok(self.table.lost_runs(&position(kind, most, group.first))?)
    }

    /// Checks a line of group `number`. Returns the number of its lost positions.
    fn check(&self, number: usize, kind: LineKind) -> Result<u64, VerifyError> {
        let group = &self.groups.as_slice()[number];
        let (plain, reset) = target_kinds(kind);
        let mut covers = Vec::new();
        for target in [Some(plain), reset].into_iter().flatten() {
            for (target_group, takes @ [least, _]) in self.groups.targets(self.rules, number, kind) {
                let runs = self.runs(target, &self.groups.as_slice()[target_group], group.most - least)?;
                covers.grow(moved(runs, takes))?;
            }
        }
        let mut covers = CoverSweep::new(covers)?;
        let mut stated = moved(self.runs(kind, group, group.most)?, [0, 0]);
        let pairs_below = |stones| group.pairs_below(self.rules, stones);
        let mut lost = 0;
        let end = u64::from(group.most) + 1;
        // Place 0 is the end of the game.
        let mut place = u64::from(self.rules.play() == Play::Misere);
        loop {
            let follows = covers.next_uncovered(&mut place, end)?;
            let found = stated.next().transpose()?;
            if follows != found {
                return Err(self.wrong(group, kind, follows, found, end));
            }
            let Some(run) = found else { break };
            lost += pairs_below(run.end) - pairs_below(run.start);
        }
        Ok(lost)
    }

    /// Returns the error at the first place where two runs differ.
    fn wrong(
        &self,
        group: &CurrentmaxGroup,
        kind: LineKind,
        follows: Option<Range<u64>>,
        found: Option<Range<u64>>,
        end: u64,
    ) -> VerifyError {
        let [follows, found] = [follows, found].map(|run| run.unwrap_or(end..end));
        let (stones, is_found_lost) = if follows.start != found.start {
            (follows.start.min(found.start), found.start < follows.start)
        } else {
            (follows.end.min(found.end), found.end > follows.end)
        };
        // The first currentmax of the group has every place of the line.
        let position = position(kind, stones as u32, group.first);
        let show = |lost: bool| Outcome::from_won(!lost).to_string();
        VerifyError::Wrong(Flaw {
            position: position.to_string(),
            what: "outcome",
            found: show(is_found_lost),
            follows: show(!is_found_lost),
        })
    }
}
