//! Proves outcomes line by line, without a look at each position.
//!
//! A place is won exactly if a move leads to a lost place. Moves of a to b stones into a run of lost places [s, e)
//! start from the places s + a to e - 1 + b, which are therefore won. The places that no such range covers must be
//! lost, and no others. The proof compares this sequence of runs with the stored one; the cost follows the number of
//! runs. For example, with moves of 1 to 3 stones the lost places 0 and 4 cover 1-3 and 5-7, so 4 must be stored as
//! lost, and 8 too.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingTable, LostRuns};
use bouton_tables::{Outcome, Play, Solved};

use super::ask_somewhere;
use super::groups::{CurrentmaxGroup, CurrentmaxGroups, LineKind, after, distinct_kinds, position};
use crate::control::check as check_cancelled;
use crate::memory::Grow;
use crate::proof::{Counts, Flaw, VerifyError};
use crate::{Control, parallel};

/// Runs of lost places of a target line, moved to the places from which moves lead there.
struct MovedRuns<'a> {
    runs: LostRuns<'a>,
    /// The fewest and the most stones of the moves.
    by: [u64; 2],
}

impl MovedRuns<'_> {
    fn next(&mut self) -> Result<Option<Range<u64>>, VerifyError> {
        let run = self.runs.next().transpose().map_err(|damage| VerifyError::Contradictory(damage.what))?;
        Ok(run.map(|run| u64::from(run.start) + self.by[0]..u64::from(run.end) + self.by[1]))
    }
}

/// All covers of a line, merged in the order in which they begin.
struct CoverSweep<'a> {
    covers: Vec<MovedRuns<'a>>,
    /// The next run of each cover that has one: start, end, and index of the cover.
    next: BinaryHeap<Reverse<(u64, u64, usize)>>,
}

impl<'a> CoverSweep<'a> {
    fn new(covers: Vec<MovedRuns<'a>>) -> Result<Self, VerifyError> {
        let mut all = Self { covers, next: BinaryHeap::new() };
        for number in 0..all.covers.len() {
            all.go_on(number)?;
        }
        Ok(all)
    }

    fn go_on(&mut self, number: usize) -> Result<(), VerifyError> {
        if let Some(run) = self.covers[number].next()? {
            self.next.push(Reverse((run.start, run.end, number)));
        }
        Ok(())
    }

    /// Returns the next run of uncovered places from `at` on, and moves `at` to its end.
    fn next_uncovered(&mut self, at: &mut u64, end: u64) -> Result<Option<Range<u64>>, VerifyError> {
        while *at < end {
            let begins = *at;
            let Some(&Reverse((start, covered, number))) = self.next.peek() else {
                *at = end;
                return Ok(Some(begins..end));
            };
            if start > begins {
                *at = start;
                return Ok(Some(begins..start.min(end)));
            }
            *at = begins.max(covered);
            self.next.pop();
            self.go_on(number)?;
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

/// Checks every line, and one whole answer for each group. A step of progress is a pair of stones and currentmax.
pub(super) fn verify(
    table: &ExpandingTable,
    last_is_open: bool,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = table.game();
    let proof = LineProof { table, rules, groups: CurrentmaxGroups::new(rules, last_is_open)? };
    let kinds = distinct_kinds(table, rules)?;
    let check = |number: usize| -> Result<Counts, VerifyError> {
        check_cancelled(control)?;
        let (at, of_group) = (number / kinds.len(), number % kinds.len());
        let group = &proof.groups.all()[at];
        let (kind, lines) = kinds[of_group];
        let lost = proof.check(at, kind)?;
        if of_group == 0 {
            ask_somewhere(table, group, kind)?;
        }
        let pairs = group.pairs_below(rules, u64::from(group.most) + 1);
        let done = |kinds_done: usize| (u128::from(pairs) * kinds_done as u128 / kinds.len() as u128) as u64;
        control.advance(done(of_group + 1) - done(of_group));
        let all = |of_line: u64| of_line.saturating_mul(lines);
        Ok(Counts { positions: all(pairs), wins: all(pairs - lost), deepest: 0 })
    };
    parallel::reduce(proof.groups.all().len() * kinds.len(), check, |a, b| Ok(a.and(b)))
}

impl LineProof<'_> {
    /// Returns the runs of lost places of a line, up to `most` stones.
    fn runs(&self, kind: LineKind, group: &CurrentmaxGroup, most: u32) -> Result<LostRuns<'_>, VerifyError> {
        Ok(self.table.lost_runs(&position(kind, most, group.first))?)
    }

    /// Checks a line of group `number`. Returns the number of its lost positions.
    fn check(&self, number: usize, kind: LineKind) -> Result<u64, VerifyError> {
        let group = &self.groups.all()[number];
        let (plain, reset) = after(kind);
        let mut covers = Vec::new();
        for target in [Some(plain), reset].into_iter().flatten() {
            for (at, by @ [least, _]) in self.groups.moves(self.rules, number, kind) {
                let runs = self.runs(target, &self.groups.all()[at], group.most - least)?;
                covers.grow(MovedRuns { runs, by: by.map(u64::from) })?;
            }
        }
        let mut covers = CoverSweep::new(covers)?;
        let mut stated = self.runs(kind, group, group.most)?;
        let pairs_below = |stones| group.pairs_below(self.rules, stones);
        let mut lost = 0;
        let end = u64::from(group.most) + 1;
        let over_is_lost = self.rules.play() == Play::Normal;
        let mut at = u64::from(!over_is_lost);
        loop {
            let follows = covers.next_uncovered(&mut at, end)?;
            let found =
                stated.next().transpose().map_err(|damage| VerifyError::Contradictory(damage.what))?;
            let found = found.map(|run| u64::from(run.start)..u64::from(run.end));
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
