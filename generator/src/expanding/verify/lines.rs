//! Lines follow from those to which moves lead, as a whole.
//!
//! A place of a line is won exactly if a move leads from there to a lost place of another line. A run of lost places of that other
//! line is reached from a run of places of this one, as long as it and as many places longer as there are moves beside each other.
//! What no such run covers must be lost, and nothing else: so two sequences of runs are compared, and what that takes follows the
//! number of runs, not that of positions. The place without stones is known, and every move takes a stone: lines of which this
//! holds everywhere are right everywhere.
//!
//! All currentmax that give the same limit, and whose moves lead to the same lines, have the same lines: those up to base-limit -
//! growth, and those at which all may be taken that is left. The latter are stored once; not in tables of older programs, in which
//! each of them is checked.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingTable, LostRuns, Position, Turn};
use bouton_tables::{Outcome, Play, Solved};

use super::places;
use crate::control::check as go_on;
use crate::memory::Grow;
use crate::proof::{Counts, Flaw, VerifyError, check_position};
use crate::{Control, parallel};

/// Some currentmax with the same lines.
#[derive(Clone, Debug)]
struct Group {
    first: u32,
    last: u32,
    /// The most stones that there can be at any of them.
    most: u32,
    /// The most that may be taken without a reset.
    limit: u64,
    /// The most that a move takes that leads to one of them.
    stay: u64,
}

impl Group {
    /// Pairs of fewer stones than so many and a currentmax of the group.
    fn pairs_below(&self, rules: &Expanding, stones: u64) -> u64 {
        if self.first == self.last { stones } else { rules.pairs_below(self.first..=self.last, stones) }
    }
}

/// All groups, by ascending currentmax. `last_is_open` tells whether the table has one row for those at which all may be taken.
fn groups(rules: &Expanding, last_is_open: bool) -> Result<Vec<Group>, VerifyError> {
    let (base, growth) = (u64::from(rules.base_limit()), u64::from(rules.growth()));
    let greatest = rules.greatest_currentmax();
    let most = |currentmax| rules.most_stones(currentmax).unwrap_or(0);
    let mut groups = Vec::new();
    let mut first = 0;
    while first <= greatest {
        let limit = base.max(u64::from(first) + growth);
        let (last, stay) = if last_is_open && limit >= most(first).into() {
            // Nothing keeps anybody from taking all, here and beyond.
            (greatest, most(first).into())
        } else {
            // Up to where the limit begins to grow.
            let last = u64::from(first).max(base.saturating_sub(growth));
            ((last as u32).min(greatest), last)
        };
        groups.grow(Group { first, last, most: most(first), limit, stay })?;
        first = last + 1;
    }
    Ok(groups)
}

/// What is to be checked of a line: turn, resets left, and whether a reset binds.
type Kind = (Turn, [u8; 2], bool);

fn position((turn, resets, imposed): Kind, stones: u32, currentmax: u32) -> Position {
    Position { stones, currentmax, turn, resets, imposed }
}

/// Where the moves of positions of a kind lead: without a reset, and with one if one is left.
fn after((turn, resets, _): Kind) -> (Kind, Option<Kind>) {
    let (player, other) = match turn {
        Turn::First => (0, Turn::Second),
        Turn::Second => (1, Turn::First),
    };
    let mut fewer = resets;
    let imposed = fewer[player].checked_sub(1).map(|left| {
        fewer[player] = left;
        (other, fewer, true)
    });
    ((other, resets, false), imposed)
}

/// Runs of lost places, moved to where they are reached from.
struct Reached<'a, D> {
    runs: LostRuns<'a, D>,
    /// The fewest and the most stones of the moves.
    by: [u64; 2],
}

impl<D: AsRef<[u8]>> Reached<'_, D> {
    fn next(&mut self) -> Result<Option<Range<u64>>, VerifyError> {
        let run = self.runs.next().transpose().map_err(|damage| VerifyError::Contradictory(damage.what))?;
        Ok(run.map(|run| u64::from(run.start) + self.by[0]..u64::from(run.end) + self.by[1]))
    }
}

/// All that covers places of a line, in the order in which it begins.
struct Covers<'a, D> {
    covers: Vec<Reached<'a, D>>,
    /// The next run of each that has one: where it begins and ends, and whose it is.
    next: BinaryHeap<Reverse<(u64, u64, usize)>>,
}

impl<'a, D: AsRef<[u8]>> Covers<'a, D> {
    fn new(covers: Vec<Reached<'a, D>>) -> Result<Self, VerifyError> {
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
struct Proof<'a, D> {
    table: &'a ExpandingTable<D>,
    rules: &'a Expanding,
    groups: Vec<Group>,
}

/// Checks every line, and one position of each group as it is answered. Progress is counted in pairs of stones and currentmax.
pub(super) fn verify<D: AsRef<[u8]> + Sync>(
    table: &ExpandingTable<D>,
    last_is_open: bool,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = table.game();
    let proof = Proof { table, rules, groups: groups(rules, last_is_open)? };
    // Lines that are stored once, and whose moves lead to lines that are, need not be looked at again.
    let mut kinds: Vec<(Kind, u64)> = Vec::new();
    let mut known = HashMap::new();
    for kind in places(rules) {
        let (plain, reset) = after(kind);
        let number = |kind: Kind| table.line_number(kind.0, kind.1, kind.2);
        let what = (number(kind), number(plain), reset.map(number), kind.2);
        let place = *known.entry(what).or_insert(kinds.len());
        if place == kinds.len() {
            kinds.grow((kind, 0))?;
        }
        // Positions are counted with player 1 to move.
        kinds[place].1 += u64::from(kind.0 == Turn::First);
    }
    let check = |number: usize| -> Result<Counts, VerifyError> {
        go_on(control)?;
        let (group, of_group) = (number / kinds.len(), number % kinds.len());
        let group = &proof.groups[group];
        let (kind, lines) = kinds[of_group];
        let lost = proof.check(group, kind)?;
        if of_group == 0 {
            proof.ask(group, kind)?;
        }
        let pairs = group.pairs_below(rules, u64::from(group.most) + 1);
        let done = |kinds_done: usize| (u128::from(pairs) * kinds_done as u128 / kinds.len() as u128) as u64;
        control.advance(done(of_group + 1) - done(of_group));
        let all = |of_line: u64| of_line.saturating_mul(lines);
        Ok(Counts { positions: all(pairs), wins: all(pairs - lost), deepest: 0 })
    };
    parallel::reduce(proof.groups.len() * kinds.len(), check, |a, b| Ok(a.and(b)))
}

impl<D: AsRef<[u8]>> Proof<'_, D> {
    /// The lost places of a line up to so many stones.
    fn runs(&self, kind: Kind, group: &Group, most: u32) -> Result<LostRuns<'_, D>, VerifyError> {
        Ok(self.table.lost_runs(&position(kind, most, group.first))?)
    }

    /// Checks a line of a group. Gives how many positions of it are lost.
    fn check(&self, group: &Group, kind: Kind) -> Result<u64, VerifyError> {
        let limit = if kind.2 { u64::from(self.rules.reset_limit()) } else { group.limit };
        let limit = limit.min(group.most.into());
        let (plain, reset) = after(kind);
        let mut covers = Vec::new();
        for kind in [Some(plain), reset].into_iter().flatten() {
            let stay = group.stay.min(limit);
            if stay > 0 {
                covers.grow(Reached { runs: self.runs(kind, group, group.most - 1)?, by: [1, stay] })?;
            }
            let mut least = stay + 1;
            while least <= limit {
                // More than ever before: it is the new currentmax.
                let at = self.groups.partition_point(|group| u64::from(group.last) < least);
                let next = &self.groups[at];
                let most = limit.min(next.last.into());
                let stones = group.most - least as u32;
                covers.grow(Reached { runs: self.runs(kind, next, stones)?, by: [least, most] })?;
                least = most + 1;
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

    /// Asks the table about a position of a line, and compares the answer with what it says of where moves lead.
    fn ask(&self, group: &Group, kind: Kind) -> Result<(), VerifyError> {
        // Some place or other, different from group to group.
        let stones =
            (u64::from(group.first) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) % (u64::from(group.most) + 1);
        let position = position(kind, stones as u32, group.first);
        let answer = self.table.answer(&position)?;
        let mut trouble = None;
        let own = self.table.verdict(&position)?;
        let checked = check_position(self.table, &position, &answer, own, |_, _, next| {
            self.table.verdict(next).unwrap_or_else(|error| {
                trouble = Some(error);
                own
            })
        });
        trouble.map_or(checked, |error| Err(error.into()))
    }
}
