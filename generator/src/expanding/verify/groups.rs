//! The lines to prove, and where the moves of their positions lead.
//!
//! Values of currentmax with equal lines form a group. One group has the values up to base-limit - growth, whose limit
//! is the same; another has the values at which a move may take everything. All other values are groups of their own.
//! For example, with base-limit 3 and growth 1 the first group is currentmax 0 to 2: the limit is 3 for all of them.

use std::collections::HashMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};

use crate::memory::Grow;
use crate::proof::VerifyError;

/// A range of currentmax with the same lines.
#[derive(Clone, Debug)]
pub(super) struct CurrentmaxGroup {
    pub(super) first: u32,
    pub(super) last: u32,
    /// The most stones of a position at any currentmax of the group.
    pub(super) most: u64,
    /// With fewer stones than this, there are positions at each currentmax of the group.
    full_below: u64,
    /// The limit without a reset in force.
    pub(super) limit: u64,
    /// The most stones of a move that stays in the group.
    pub(super) stay: u64,
}

impl CurrentmaxGroup {
    pub(super) fn is_single(&self) -> bool {
        self.first == self.last
    }

    /// Returns the number of pairs of a currentmax of the group and a number of stones below `stones`.
    pub(super) fn pairs_below(&self, rules: &Expanding, stones: u64) -> u128 {
        if stones <= self.full_below {
            u128::from(stones) * (u128::from(self.last - self.first) + 1)
        } else {
            rules.pairs_below(self.first..=self.last, stones)
        }
    }

    /// Returns the number of currentmax of the group that have positions of `stones` stones.
    pub(super) fn pairs_at(&self, rules: &Expanding, stones: u64) -> u64 {
        let [below, above] = [0, 1].map(|more| self.pairs_below(rules, stones + more));
        (above - below) as u64
    }
}

/// All groups of a table, by ascending currentmax.
#[derive(Debug)]
pub(super) struct CurrentmaxGroups(Vec<CurrentmaxGroup>);

impl CurrentmaxGroups {
    pub(super) fn new(rules: &Expanding) -> Result<Self, VerifyError> {
        let (base, growth) = (u64::from(rules.base_limit()), u64::from(rules.growth()));
        let greatest = rules.greatest_currentmax();
        let most = |currentmax| rules.max_stones(currentmax).unwrap_or(0);
        let mut groups = Vec::new();
        let mut first = 0;
        while first <= greatest {
            let limit = base.max(u64::from(first) + growth);
            let (last, stay) = if limit >= most(first) {
                // A move may take everything, here and at each greater currentmax.
                (greatest, most(first))
            } else {
                // Up to where the limit begins to grow.
                let last = u64::from(first).max(base.saturating_sub(growth));
                ((last as u32).min(greatest), last)
            };
            let full_below = most(last) + 1;
            groups.grow(CurrentmaxGroup { first, last, most: most(first), full_below, limit, stay })?;
            first = last + 1;
        }
        Ok(Self(groups))
    }

    pub(super) fn as_slice(&self) -> &[CurrentmaxGroup] {
        &self.0
    }

    /// Returns the index of the group of a currentmax.
    fn index_of(&self, currentmax: u32) -> usize {
        self.0.partition_point(|group| group.last < currentmax)
    }

    /// Returns the number of groups from this one on that begin within its limit. Moves from this group and from earlier
    /// groups lead to no group after these.
    pub(super) fn count_reached(&self, number: usize) -> usize {
        let furthest = u32::try_from(self.0[number].limit).unwrap_or(u32::MAX);
        (self.index_of(furthest).max(number) + 1).min(self.0.len()) - number
    }

    /// Iterates over the targets of moves from a group: the index of the target's group, and the fewest and the most
    /// stones of the moves to it.
    pub(super) fn targets(
        &self,
        rules: &Expanding,
        number: usize,
        (.., imposed): LineKind,
    ) -> impl Iterator<Item = (usize, [u32; 2])> {
        let group = &self.0[number];
        let limit = if imposed { rules.reset_limit().into() } else { group.limit };
        let limit = limit.min(group.most);
        let mut taken = 0;
        let next = move || {
            if taken >= limit {
                return None;
            }
            let least = taken + 1;
            let (target, most) = if least <= group.stay {
                (number, group.stay)
            } else {
                // Taking more than currentmax sets the new currentmax.
                let target = self.index_of(least as u32);
                (target, self.0[target].last.into())
            };
            taken = most.min(limit);
            Some((target, [least as u32, taken as u32]))
        };
        std::iter::from_fn(next)
    }
}

/// The coordinates of a line within its group: turn, resets left, and whether a reset is in force.
pub(super) type LineKind = (Turn, [u8; 2], bool);

pub(super) fn position((turn, resets, imposed): LineKind, stones: u64, currentmax: u32) -> Position {
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

/// Returns the kinds to check, each with the number of kinds that it stands for. A kind is omitted if the table stores
/// its line and its target lines together with those of an earlier kind. As for positions, only kinds with player 1 to
/// move count.
pub(super) fn distinct_kinds(
    table: &ExpandingTable,
    rules: &Expanding,
) -> Result<Vec<(LineKind, u64)>, VerifyError> {
    let mut distinct: Vec<(LineKind, u64)> = Vec::new();
    let mut indexes = HashMap::new();
    for kind in kinds(rules) {
        let (plain, reset) = target_kinds(kind);
        let number = |kind: LineKind| line_number(table, kind);
        let stored = (number(kind), number(plain), reset.map(number), kind.2);
        let index = *indexes.entry(stored).or_insert(distinct.len());
        if index == distinct.len() {
            distinct.grow((kind, 0))?;
        }
        distinct[index].1 += u64::from(kind.0 == Turn::First);
    }
    Ok(distinct)
}

/// Returns the number of the stored line of a kind.
pub(super) fn line_number(table: &ExpandingTable, (turn, resets, imposed): LineKind) -> usize {
    table.line_number(turn, resets, imposed) as usize
}

/// Returns the kinds to which moves lead: without a reset, and with one if one is left.
pub(super) fn target_kinds((turn, resets, _): LineKind) -> (LineKind, Option<LineKind>) {
    let mut fewer = resets;
    let imposed = fewer[turn.index()].checked_sub(1).map(|left| {
        fewer[turn.index()] = left;
        (turn.other(), fewer, true)
    });
    ((turn.other(), resets, false), imposed)
}
