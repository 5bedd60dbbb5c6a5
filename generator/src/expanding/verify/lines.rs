//! Lines follow from those to which moves lead, as a whole.
//!
//! A place of a line is won exactly if a move leads from there to a lost place of another line. A run of lost places of that other
//! line is reached from a run of places of this one, as long as it and as many places longer as there are moves beside each other.
//! What no such run covers must be lost, and nothing else: so two sequences of runs are compared, and what that takes follows the
//! number of runs, not that of positions. The place without stones is known, and every move takes a stone: lines of which this
//! holds everywhere are right everywhere.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingTable, LostRuns};
use bouton_tables::{Outcome, Play, Solved};

use super::ask_somewhere;
use super::groups::{Group, Groups, Kind, after, different_kinds, position};
use crate::control::check as go_on;
use crate::memory::Grow;
use crate::proof::{Counts, Flaw, VerifyError};
use crate::{Control, parallel};

/// Runs of lost places, moved to where they are reached from.
struct Reached<'a> {
    runs: LostRuns<'a>,
    /// The fewest and the most stones of the moves.
    by: [u64; 2],
}

impl Reached<'_> {
    fn next(&mut self) -> Result<Option<Range<u64>>, VerifyError> {
        let run = self.runs.next().transpose().map_err(|damage| VerifyError::Contradictory(damage.what))?;
        Ok(run.map(|run| u64::from(run.start) + self.by[0]..u64::from(run.end) + self.by[1]))
    }
}

/// All that covers places of a line, in the order in which it begins.
struct Covers<'a> {
    covers: Vec<Reached<'a>>,
    /// The next run of each that has one: where it begins and ends, and whose it is.
    next: BinaryHeap<Reverse<(u64, u64, usize)>>,
}

impl<'a> Covers<'a> {
    fn new(covers: Vec<Reached<'a>>) -> Result<Self, VerifyError> {
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

    /// The next run of places from `at` on that nothing covers.
    fn bare(&mut self, at: &mut u64, end: u64) -> Result<Option<Range<u64>>, VerifyError> {
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

/// A proof of all lines.
struct Proof<'a> {
    table: &'a ExpandingTable,
    rules: &'a Expanding,
    groups: Groups,
}

/// Checks every line, and one position of each group as it is answered. Progress is counted in pairs of stones and currentmax.
pub(super) fn verify(
    table: &ExpandingTable,
    last_is_open: bool,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = table.game();
    let proof = Proof { table, rules, groups: Groups::new(rules, last_is_open)? };
    let kinds = different_kinds(table, rules)?;
    let check = |number: usize| -> Result<Counts, VerifyError> {
        go_on(control)?;
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

impl Proof<'_> {
    /// The lost places of a line up to so many stones.
    fn runs(&self, kind: Kind, group: &Group, most: u32) -> Result<LostRuns<'_>, VerifyError> {
        Ok(self.table.lost_runs(&position(kind, most, group.first))?)
    }

    /// Checks a line of a group, given by its number. Gives how many positions of it are lost.
    fn check(&self, number: usize, kind: Kind) -> Result<u64, VerifyError> {
        let group = &self.groups.all()[number];
        let (plain, reset) = after(kind);
        let mut covers = Vec::new();
        for target in [Some(plain), reset].into_iter().flatten() {
            for (at, by @ [least, _]) in self.groups.moves(self.rules, number, kind) {
                let runs = self.runs(target, &self.groups.all()[at], group.most - least)?;
                covers.grow(Reached { runs, by: by.map(u64::from) })?;
            }
        }
        let mut covers = Covers::new(covers)?;
        let mut stated = self.runs(kind, group, group.most)?;
        let pairs_below = |stones| group.pairs_below(self.rules, stones);
        let mut lost = 0;
        let end = u64::from(group.most) + 1;
        let over_is_lost = self.rules.play() == Play::Normal;
        let mut at = u64::from(!over_is_lost);
        loop {
            let follows = covers.bare(&mut at, end)?;
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

    /// The first place at which two runs differ.
    fn wrong(
        &self,
        group: &Group,
        kind: Kind,
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
        // The place may be one of a greater currentmax only where the first one has it too.
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
