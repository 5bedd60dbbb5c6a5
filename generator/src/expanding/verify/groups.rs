//! The lines to prove, and where the moves of their positions lead.
//!
//! Currentmax with the same limit whose moves lead to the same lines form a group with equal lines: those up to
//! base-limit - growth, and those at which a move may take everything. Tables of older versions store the latter one by
//! one, so each is a group of its own there. For example, with base-limit 3 and growth 1 the first group is currentmax
//! 0 to 2: the limit is 3 for all of them.

use std::collections::HashMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};

use crate::memory::Grow;
use crate::proof::VerifyError;

/// A range of currentmax with the same lines.
#[derive(Clone, Debug)]
pub(super) struct CurrentmaxGroup {
    pub(super) first: u32,
    pub(super) last: u32,
    /// The most stones of a position at any of them.
    pub(super) most: u32,
    /// The limit without a reset in force.
    pub(super) limit: u64,
    /// The most stones of a move that stays in the group.
    pub(super) stay: u64,
}

impl CurrentmaxGroup {
    pub(super) fn is_single(&self) -> bool {
        self.first == self.last
    }

    /// Number of pairs of a currentmax of the group with fewer than `stones` stones.
    pub(super) fn pairs_below(&self, rules: &Expanding, stones: u64) -> u64 {
        if self.is_single() { stones } else { rules.pairs_below(self.first..=self.last, stones) }
    }

    /// Number of pairs of a currentmax of the group with exactly `stones` stones.
    pub(super) fn pairs_at(&self, rules: &Expanding, stones: u32) -> u64 {
        if self.is_single() {
            return 1;
        }
        let [below, above] = [0, 1].map(|more| self.pairs_below(rules, u64::from(stones) + more));
        above - below
    }
}

/// All groups of a table, by ascending currentmax.
#[derive(Debug)]
pub(super) struct CurrentmaxGroups(Vec<CurrentmaxGroup>);

impl CurrentmaxGroups {
    /// Returns the groups. `last_is_open` is whether the table has one row for all currentmax at which a move may take
    /// everything.
    pub(super) fn new(rules: &Expanding, last_is_open: bool) -> Result<Self, VerifyError> {
        let (base, growth) = (u64::from(rules.base_limit()), u64::from(rules.growth()));
        let greatest = rules.greatest_currentmax();
        let most = |currentmax| rules.most_stones(currentmax).unwrap_or(0);
        let mut groups = Vec::new();
        let mut first = 0;
        while first <= greatest {
            let limit = base.max(u64::from(first) + growth);
            let (last, stay) = if last_is_open && limit >= most(first).into() {
                // A move may take everything, here and beyond.
                (greatest, most(first).into())
            } else {
                // Up to where the limit begins to grow.
                let last = u64::from(first).max(base.saturating_sub(growth));
                ((last as u32).min(greatest), last)
            };
            groups.grow(CurrentmaxGroup { first, last, most: most(first), limit, stay })?;
            first = last + 1;
        }
        Ok(Self(groups))
    }

    pub(super) fn all(&self) -> &[CurrentmaxGroup] {
        &self.0
    }

    /// Returns the index of the group of a currentmax.
    pub(super) fn of(&self, currentmax: u32) -> usize {
        self.0.partition_point(|group| group.last < currentmax)
    }

    /// Returns the number of groups from this one on that begin within its limit. Neither its moves nor those of
    /// earlier groups lead further.
    pub(super) fn reached(&self, number: usize) -> usize {
        let furthest = u32::try_from(self.0[number].limit).unwrap_or(u32::MAX);
        (self.of(furthest).max(number) + 1).min(self.0.len()) - number
    }

    /// Iterates over the targets of moves from a group: the index of the target's group, and the fewest and the most
    /// stones of these moves.
    pub(super) fn moves(
        &self,
        rules: &Expanding,
        number: usize,
        (.., imposed): LineKind,
    ) -> impl Iterator<Item = (usize, [u32; 2])> {
        let group = &self.0[number];
        let limit = if imposed { rules.reset_limit().into() } else { group.limit };
        let limit = limit.min(group.most.into());
        let mut taken = 0;
        let next = move || {
            if taken >= limit {
                return None;
            }
            let least = taken + 1;
            let (at, most) = if least <= group.stay {
                (number, group.stay)
            } else {
                // Taking more than currentmax sets the new currentmax.
                let at = self.of(least as u32);
                (at, self.0[at].last.into())
            };
            taken = most.min(limit);
            Some((at, [least as u32, taken as u32]))
        };
        std::iter::from_fn(next)
    }
}

/// The coordinates of a line within its group: turn, resets left, and whether a reset is in force.
pub(super) type LineKind = (Turn, [u8; 2], bool);

pub(super) fn position((turn, resets, imposed): LineKind, stones: u32, currentmax: u32) -> Position {
    Position { stones, currentmax, turn, resets, imposed }
}

/// Returns all kinds of lines.
pub(super) fn kinds(rules: &Expanding) -> Vec<LineKind> {
    let [first, second] = rules.resets();
    let mut all = Vec::new();
    for turn in [Turn::First, Turn::Second] {
        for first in 0..=first {
            for second in 0..=second {
                all.extend([false, true].map(|imposed| (turn, [first, second], imposed)));
            }
        }
    }
    all
}

/// Returns the kinds that need a check. A kind is omitted if its line and its target lines are stored as those of an
/// earlier kind. Each kind comes with the number of kinds that it stands for, counted with player 1 to move as
/// positions are.
pub(super) fn distinct_kinds(
    table: &ExpandingTable,
    rules: &Expanding,
) -> Result<Vec<(LineKind, u64)>, VerifyError> {
    let mut different: Vec<(LineKind, u64)> = Vec::new();
    let mut known = HashMap::new();
    for kind in kinds(rules) {
        let (plain, reset) = after(kind);
        let number = |kind: LineKind| number(table, kind);
        let what = (number(kind), number(plain), reset.map(number), kind.2);
        let place = *known.entry(what).or_insert(different.len());
        if place == different.len() {
            different.grow((kind, 0))?;
        }
        different[place].1 += u64::from(kind.0 == Turn::First);
    }
    Ok(different)
}

/// Returns the number of a stored line.
pub(super) fn number(table: &ExpandingTable, (turn, resets, imposed): LineKind) -> u32 {
    table.line_number(turn, resets, imposed)
}

/// Returns the kinds to which moves lead: without a reset, and with one if one is left.
pub(super) fn after((turn, resets, _): LineKind) -> (LineKind, Option<LineKind>) {
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
