//! Which lines there are to be proved, and where the moves of their positions lead.
//!
//! All currentmax that give the same limit, and whose moves lead to the same lines, have the same lines: those up to base-limit -
//! growth, and those at which all may be taken that is left. The latter are stored once; not in tables of older programs, in which
//! each of them is checked.

use std::collections::HashMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};

use crate::memory::Grow;
use crate::proof::VerifyError;

/// Some currentmax with the same lines.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) first: u32,
    pub(super) last: u32,
    /// The most stones that there can be at any of them.
    pub(super) most: u32,
    /// The most that may be taken without a reset.
    pub(super) limit: u64,
    /// The most that a move takes that leads to one of them.
    pub(super) stay: u64,
}

impl Group {
    pub(super) fn is_single(&self) -> bool {
        self.first == self.last
    }

    /// Pairs of fewer stones than so many and a currentmax of the group.
    pub(super) fn pairs_below(&self, rules: &Expanding, stones: u64) -> u64 {
        if self.is_single() { stones } else { rules.pairs_below(self.first..=self.last, stones) }
    }

    /// Pairs of so many stones and a currentmax of the group.
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
pub(super) struct Groups(Vec<Group>);

impl Groups {
    /// `last_is_open` tells whether the table has one row for those at which all may be taken.
    pub(super) fn new(rules: &Expanding, last_is_open: bool) -> Result<Self, VerifyError> {
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
        Ok(Self(groups))
    }

    pub(super) fn all(&self) -> &[Group] {
        &self.0
    }

    /// The number of the group of a currentmax.
    pub(super) fn of(&self, currentmax: u32) -> usize {
        self.0.partition_point(|group| group.last < currentmax)
    }

    /// How many groups from a group on, itself included, begin within its limit: neither its moves nor those of earlier groups lead
    /// further.
    pub(super) fn reached(&self, number: usize) -> usize {
        let furthest = u32::try_from(self.0[number].limit).unwrap_or(u32::MAX);
        (self.of(furthest).max(number) + 1).min(self.0.len()) - number
    }

    /// Where moves from the positions of a kind in a group lead: to which groups, and the fewest and the most stones that are taken.
    pub(super) fn moves(
        &self,
        rules: &Expanding,
        number: usize,
        (.., imposed): Kind,
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
                // More than ever before: it is the new currentmax.
                let at = self.of(least as u32);
                (at, self.0[at].last.into())
            };
            taken = most.min(limit);
            Some((at, [least as u32, taken as u32]))
        };
        std::iter::from_fn(next)
    }
}

/// What is to be checked of a line: turn, resets left, and whether a reset binds.
pub(super) type Kind = (Turn, [u8; 2], bool);

pub(super) fn position((turn, resets, imposed): Kind, stones: u32, currentmax: u32) -> Position {
    Position { stones, currentmax, turn, resets, imposed }
}

/// All kinds of lines, in some order.
pub(super) fn kinds(rules: &Expanding) -> Vec<Kind> {
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

/// Kinds of which the lines are stored apart, or their moves lead to lines that are: the others need not be looked at again. With
/// each, how many kinds it stands for with player 1 to move, as positions are counted so.
pub(super) fn different_kinds(
    table: &ExpandingTable,
    rules: &Expanding,
) -> Result<Vec<(Kind, u64)>, VerifyError> {
    let mut different: Vec<(Kind, u64)> = Vec::new();
    let mut known = HashMap::new();
    for kind in kinds(rules) {
        let (plain, reset) = after(kind);
        let number = |kind: Kind| number(table, kind);
        let what = (number(kind), number(plain), reset.map(number), kind.2);
        let place = *known.entry(what).or_insert(different.len());
        if place == different.len() {
            different.grow((kind, 0))?;
        }
        different[place].1 += u64::from(kind.0 == Turn::First);
    }
    Ok(different)
}

/// The number of a line among those that are stored.
pub(super) fn number(table: &ExpandingTable, (turn, resets, imposed): Kind) -> u32 {
    table.line_number(turn, resets, imposed)
}

/// Where the moves of positions of a kind lead: without a reset, and with one if one is left.
pub(super) fn after((turn, resets, _): Kind) -> (Kind, Option<Kind>) {
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
