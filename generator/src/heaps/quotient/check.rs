//! Proves a table by a quotient: all outcomes of the table agree with those of the quotient.
//!
//! The quotient is found and proved from the rules. Then the check follows each class of the table, from no heaps to
//! all heaps, and computes the classes of the quotient that its heaps can have. At the end the outcomes must agree. As
//! the check follows classes, not positions, the number of positions does not matter. Example, Nim: in the table, {1,2}
//! and {3} share a class; in the quotient, all heaps with this class must be in class 3, or in classes that lead to the
//! same outcomes.

use std::cell::Cell;

use bouton_tables::heaps::{
    ClassNode, Classes, Heap, HeapRules, HeapTable, Heaps, Position, Ranks, multisets_within,
};
use bouton_tables::{AskError, Game, Header, Outcome, Play, Solved};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::definition::{NoQuotient, Quotient, check_rules};
use super::find;
use crate::control::{Control, Phase};
use crate::heaps::room_left::RoomLeft;
use crate::proof::{Counts, Flaw, VerifyError};

/// Maximum number of members of states at a time, about a hundred bytes each. Tables whose classes do not follow the
/// quotient, or with many unequal bounds, may exceed this or the next limit.
const MAX_MEMBERS: u64 = 1 << 20;
/// Maximum number of steps between states.
const MAX_STEPS: u64 = 1 << 28;

/// Result of a proof by classes. The proof holds for any number of heaps up to the greatest size in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByClasses {
    /// Statistics of the table, counted by the proof.
    pub counts: Counts,
    /// Number of classes of the game's quotient.
    pub classes: usize,
}

/// Why a proof by classes failed.
#[derive(Debug, Error)]
pub enum ByClassesError {
    /// The game has no quotient that this program can find and prove.
    #[error("{0}; enumerate all positions instead")]
    NoQuotient(#[from] NoQuotient),
    /// The table is wrong or damaged, or memory is short.
    #[error(transparent)]
    Verify(#[from] VerifyError),
}

impl From<AskError> for ByClassesError {
    fn from(error: AskError) -> Self {
        Self::Verify(error.into())
    }
}

/// Checks, without any search, that the proof applies to a table.
///
/// # Errors
/// If the proof does not apply.
pub(crate) fn check_applicable(table: &HeapTable) -> Result<(), NoQuotient> {
    if table.has_depths() {
        return Err(NoQuotient::Rules("tables without depths"));
    }
    if table.classes().stem_heaps(0) == table.game().heaps() {
        return Err(NoQuotient::Rules("tables with steps, and this one has a record for each position"));
    }
    check_rules(table.game())
}

/// Proves a table by classes.
///
/// # Errors
/// If no quotient of the game is known, the table is wrong, or `control` cancels.
pub(crate) fn verify(
    table: &HeapTable,
    header: &Header,
    control: &dyn Control,
) -> Result<ByClasses, ByClassesError> {
    check_applicable(table)?;
    let rules = table.game();
    // Sizes above `effective` are won, and looked up as `effective`: only the others need a proof.
    let effective = header.layout.greatest.filter(|&greatest| greatest >= never_lost(rules));
    let positions = rules.positions();
    let above = effective.map_or(0, |greatest| positions_above(rules, greatest));
    let rules = &effective.map_or_else(|| rules.clone(), |greatest| up_to(rules, greatest));
    let quotient = find(rules, Phase::Verifying, control).map_err(VerifyError::from)??;
    let counts = Counts { positions, wins: won(&quotient, rules)?.saturating_add(above), deepest: 0 };
    let bounds: Vec<Heap> = rules.bounds().iter().rev().copied().collect();
    let check = |room: RoomLeft| {
        let (quotient, classes, steps) = (&quotient, table.classes(), Cell::new(0));
        TableCheck { rules, quotient, classes, bounds: &bounds, room, steps }.run()
    };
    if table.classes().are_descending() {
        check(RoomLeft::Least(rules.greatest_bound()))?;
    } else {
        // Tables made from a quotient have correct steps even for heaps that do not fit, so it is enough to follow
        // classes. In other tables, such steps are meaningless and must be skipped.
        let unequal = bounds.iter().any(|&bound| bound < rules.greatest_bound());
        let fitting = || check(RoomLeft::PLACES);
        check(RoomLeft::All).or_else(|error| if unequal { fitting() } else { Err(error) })?;
    }
    counts.agree_with(header)?;
    Ok(ByClasses { counts, classes: quotient.classes() })
}

/// Returns a size such that a position with a heap of this size or a greater one is never lost, if a move takes any
/// number from one heap and there are no passes (FORMAT.md, section 5.1). The proof shares no code with the solvers, so
/// this repeats the rule. The other heaps have as many moves as stones. Each of these moves excludes at most one size
/// of a line from being lost, and misère play one more; the least size that remains is lost.
fn never_lost(rules: &HeapRules) -> Heap {
    let (_, others) = rules.bounds().split_last().expect("there is a heap");
    let moves: u64 = others.iter().copied().map(u64::from).sum();
    let max_lost = moves + u64::from(rules.play() == Play::Misere);
    Heap::try_from(max_lost + 1).unwrap_or(Heap::MAX)
}

/// Returns the number of positions whose greatest heap is above `greatest`, saturating. No other bound may be above
/// `greatest`.
fn positions_above(rules: &HeapRules, greatest: Heap) -> u64 {
    let others = &rules.bounds()[..rules.heaps() - 1];
    u64::from(rules.greatest_bound() - greatest).saturating_mul(multisets_within(others).unwrap_or(u64::MAX))
}

/// Returns the rules with the greatest bound lowered to `greatest`.
fn up_to(rules: &HeapRules, greatest: Heap) -> HeapRules {
    let mut keys = rules.keys().clone();
    keys.bounds.last_mut().into_iter().for_each(|bound| *bound = greatest);
    keys.rules().expect("smaller bounds are allowed")
}

/// A class of the table, and the room left by its heaps.
type CheckState = (u64, RoomLeft);

/// For each class of the quotient that heaps of a state can have, an example of such heaps.
type ClassMembers = FxHashMap<u32, Heaps>;

struct TableCheck<'a> {
    rules: &'a HeapRules,
    quotient: &'a Quotient,
    classes: Classes<'a>,
    /// The bounds, the greatest first.
    bounds: &'a [Heap],
    /// The room before any heap is added.
    room: RoomLeft,
    /// Number of steps followed so far.
    steps: Cell<u64>,
}

impl TableCheck<'_> {
    fn run(&self) -> Result<(), ByClassesError> {
        let stem = self.classes.stem_heaps(0);
        let mut states = self.stem_states(stem)?;
        for heaps in stem..self.rules.heaps() - 1 {
            states = self.with_one_heap_more(heaps, &states)?;
        }
        self.compare(self.rules.heaps() - 1, &states)
    }

    /// Returns the states of the heaps of the stem.
    fn stem_states(&self, heaps: usize) -> Result<FxHashMap<CheckState, ClassMembers>, ByClassesError> {
        let ranks = Ranks::try_new(&self.rules.bounds()[self.rules.heaps() - heaps..]);
        let ranks = ranks.map_err(|_| VerifyError::Memory)?;
        self.check_members(ranks.count())?;
        let mut states: FxHashMap<CheckState, ClassMembers> = FxHashMap::default();
        let mut group = ranks.unrank(0);
        for rank in 0..ranks.count() {
            self.step(1)?;
            let room = self.room.after(&group, self.bounds);
            let class = group.iter().fold(0, |class, &heap| self.quotient.next(class, heap));
            states
                .entry((self.classes.of_stem(0, &group)?.class, room))
                .or_default()
                .entry(class)
                .or_insert(group);
            if rank + 1 < ranks.count() {
                ranks.advance(&mut group);
            }
        }
        Ok(states)
    }

    /// Returns the states with one heap more.
    fn with_one_heap_more(
        &self,
        heaps: usize,
        states: &FxHashMap<CheckState, ClassMembers>,
    ) -> Result<FxHashMap<CheckState, ClassMembers>, ByClassesError> {
        let mut after: FxHashMap<CheckState, ClassMembers> = FxHashMap::default();
        let mut count = 0;
        for (&(class, room), members) in states {
            for size in room.sizes(heaps, self.bounds) {
                self.step(members.len())?;
                let next = self.classes.follow_edge(heaps, node(class), size)?.class;
                let state = (next, room.after(&[size], self.bounds));
                let members_after = after.entry(state).or_default();
                for (&of_quotient, member) in members {
                    members_after.entry(self.quotient.next(of_quotient, size)).or_insert_with(|| {
                        count += 1;
                        member.iter().copied().chain([size]).collect()
                    });
                }
                self.check_members(count)?;
            }
        }
        Ok(after)
    }

    /// Compares the outcomes of all positions. `states` are those without the last heap.
    fn compare(
        &self,
        heaps: usize,
        states: &FxHashMap<CheckState, ClassMembers>,
    ) -> Result<(), ByClassesError> {
        let outcome = |lost: bool| Outcome::from_won(!lost).to_string();
        for (&(class, room), members) in states {
            for size in room.sizes(heaps, self.bounds) {
                self.step(members.len())?;
                let found = self.classes.is_lost(node(class), size)?;
                for (&of_quotient, member) in members {
                    let follows = self.quotient.is_lost(self.quotient.next(of_quotient, size));
                    if found != follows {
                        let heaps: Heaps = member.iter().copied().chain([size]).collect();
                        // Show the heaps in the order of adding them: in another order, the table may be right.
                        let position = self.rules.show_position(&Position { heaps, passes: 0 });
                        let (found, follows) = (outcome(found), outcome(follows));
                        return Err(
                            VerifyError::Wrong(Flaw { position, what: "outcome", found, follows }).into()
                        );
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns an error if there are too many members.
    fn check_members(&self, members: u64) -> Result<(), NoQuotient> {
        if members <= MAX_MEMBERS { Ok(()) } else { Err(NoQuotient::TableTooLarge) }
    }

    /// Counts steps; returns an error if there are too many.
    fn step(&self, steps: usize) -> Result<(), NoQuotient> {
        self.steps.set(self.steps.get() + steps as u64);
        if self.steps.get() <= MAX_STEPS { Ok(()) } else { Err(NoQuotient::TableTooLarge) }
    }
}

/// Returns a node of a class. The table has no depths.
fn node(class: u64) -> ClassNode {
    ClassNode { class, depth: 0 }
}

/// Returns the number of won positions, saturating. To be independent of `Quotient::wins`, it counts from the last place
/// to the first the ways to fill the places.
fn won(quotient: &Quotient, rules: &HeapRules) -> Result<u64, VerifyError> {
    let (classes, width) = (quotient.classes(), quotient.width);
    // For each size, and each class of the heaps before: the number of ways to fill the later places with heaps of at
    // most this size, such that the position is won.
    let won = |class| u128::from(!quotient.is_lost(class));
    let mut ways: Vec<u128> = Vec::new();
    ways.try_reserve_exact(width * classes).map_err(|_| VerifyError::Memory)?;
    ways.extend((0..width).flat_map(|_| (0..classes as u32).map(won)));
    for &bound in rules.bounds() {
        let later = ways.clone();
        for size in 0..width as Heap {
            for class in 0..classes as u32 {
                let at = size as usize * classes;
                let less = if size > 0 { ways[at - classes + class as usize] } else { 0 };
                let equal = if size <= bound { later[at + quotient.next(class, size) as usize] } else { 0 };
                ways[at + class as usize] = less.saturating_add(equal);
            }
        }
    }
    Ok(u64::try_from(ways[(width - 1) * classes]).unwrap_or(u64::MAX))
}
