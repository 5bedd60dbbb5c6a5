//! Checks that the heaps of a table may be looked up in any order (FORMAT.md, section 5.5).
//!
//! The proof of positions asks for the heaps in few orders only, so a wrong record that only other orders reach would pass.
//! But any order becomes any other one by exchanges of neighbours. So it is enough that from each class that heaps can
//! have, two further heaps lead to the same in either order; and that, of the heaps of a stem and one more, each can be the
//! one that is not in the stem. "The same" is the same class and depth, or classes from which all further heaps lead to the
//! same lost positions. Example: in Nim with targets, from the class of {1}, the heap 2 leads to a class with the target 3;
//! so the heap 3 must lead to a class with the target 2.
//!
//! Cost: two lookups for each class and pair of sizes. The classes are at most the groups of one to all but two heaps, and
//! mostly far fewer.

use bouton_tables::heaps::{ClassNode, Classes, Heap, HeapRules, HeapTable, Heaps, Position, Ranks};
use bouton_tables::{Game, Solved};
use rustc_hash::FxHashSet;

use crate::control::{CancelCheck, Control};
use crate::heaps::room_left::RoomLeft;
use crate::making::GenerateError;
use crate::proof::{Flaw, VerifyError};

/// A class of the table, and the room left by its heaps.
type State = (u64, RoomLeft);

/// Checks that all orders of heaps lead to the same answers.
///
/// # Errors
/// Names a position that is wrong in some order.
pub(super) fn check_orders(table: &HeapTable, control: &dyn Control) -> Result<(), VerifyError> {
    let (rules, classes) = (table.game(), table.classes());
    if classes.are_descending() {
        return Ok(());
    }
    let mut bounds: Vec<Heap> = rules.bounds().iter().rev().copied().collect();
    bounds[0] = classes.greatest();
    let is_uniform = bounds.iter().all(|&bound| bound == bounds[0]);
    let room = if is_uniform { RoomLeft::All } else { RoomLeft::PLACES };
    for passes in 0..=rules.passes() {
        let check = OrderCheck { rules, classes, bounds: &bounds, room, passes };
        check.run(&mut CancelCheck::new(control))?;
    }
    Ok(())
}

/// The check for a number of passes left.
struct OrderCheck<'a> {
    rules: &'a HeapRules,
    classes: Classes<'a>,
    /// The bounds of effective sizes, the greatest first.
    bounds: &'a [Heap],
    /// The room before any heap is added.
    room: RoomLeft,
    passes: u8,
}

impl OrderCheck<'_> {
    fn run(&self, cancel_check: &mut CancelCheck) -> Result<(), VerifyError> {
        let stem = self.classes.stem_heaps(self.passes);
        if stem == self.bounds.len() {
            return Ok(());
        }
        self.check_stem(stem, cancel_check)?;
        // The states of each number of heaps from the stem on.
        let mut levels = vec![self.stem_states(stem)?];
        for heaps in stem..self.bounds.len() - 1 {
            let states = &levels[heaps - stem];
            for &state in states {
                if let Some([one, two]) = self.pair_that_differs(heaps, state, cancel_check)? {
                    let group = self.group_of_state(&levels, state)?;
                    return self.wrong(group.iter().copied().chain([one, two]));
                }
            }
            if heaps + 2 < self.bounds.len() {
                levels.push(self.states_after(heaps, states, cancel_check)?);
            }
        }
        Ok(())
    }

    /// Returns the ranks of groups of this many heaps.
    fn ranks(&self, heaps: usize) -> Result<Ranks, VerifyError> {
        let mut bounds = self.bounds[..heaps].to_vec();
        bounds.reverse();
        Ok(Ranks::try_new(&bounds).map_err(GenerateError::from)?)
    }

    /// Checks that of the heaps of a stem and one more, each can be the one that is not in the stem.
    fn check_stem(&self, stem: usize, cancel_check: &mut CancelCheck) -> Result<(), VerifyError> {
        let ranks = self.ranks(stem + 1)?;
        let mut group = ranks.unrank(0);
        for rank in 0..ranks.count() {
            cancel_check.spend(stem + 1)?;
            let without = |place: usize| -> Result<(ClassNode, Heap), VerifyError> {
                let others: Heaps = group[..place].iter().chain(&group[place + 1..]).copied().collect();
                Ok((self.classes.of_stem(self.passes, &others)?, group[place]))
            };
            let first = without(stem)?;
            let room = self.room.after(&group, self.bounds);
            for place in 0..stem {
                if !self.is_same(stem, first, without(place)?, room)? {
                    return self.wrong(group.iter().copied());
                }
            }
            if rank + 1 < ranks.count() {
                ranks.advance(&mut group);
            }
        }
        Ok(())
    }

    fn stem_states(&self, stem: usize) -> Result<FxHashSet<State>, VerifyError> {
        let ranks = self.ranks(stem)?;
        let mut states = FxHashSet::default();
        let mut group = ranks.unrank(0);
        for rank in 0..ranks.count() {
            let node = self.classes.of_stem(self.passes, &group)?;
            states.insert((node.class, self.room.after(&group, self.bounds)));
            if rank + 1 < ranks.count() {
                ranks.advance(&mut group);
            }
        }
        Ok(states)
    }

    /// Returns the states with one heap more than those of `heaps` heaps.
    fn states_after(
        &self,
        heaps: usize,
        states: &FxHashSet<State>,
        cancel_check: &mut CancelCheck,
    ) -> Result<FxHashSet<State>, VerifyError> {
        let mut after = FxHashSet::default();
        for &(class, room) in states {
            for size in room.sizes(heaps, self.bounds) {
                cancel_check.spend(1)?;
                let next = self.classes.follow_edge(heaps, ClassNode { class, depth: 0 }, size)?;
                after.insert((next.class, room.after(&[size], self.bounds)));
            }
        }
        Ok(after)
    }

    /// Returns two sizes that lead from a state of `heaps` heaps to different results in the two orders.
    fn pair_that_differs(
        &self,
        heaps: usize,
        (class, room): State,
        cancel_check: &mut CancelCheck,
    ) -> Result<Option<[Heap; 2]>, VerifyError> {
        let node = ClassNode { class, depth: 0 };
        if heaps + 1 == self.bounds.len() {
            // One heap is left.
            return Ok(None);
        }
        for one in room.sizes(heaps, self.bounds) {
            let (after_one, room) =
                (self.classes.follow_edge(heaps, node, one)?, room.after(&[one], self.bounds));
            for two in room.sizes(heaps + 1, self.bounds).take_while(|&two| two < one) {
                cancel_check.spend(1)?;
                let after_two = self.classes.follow_edge(heaps, node, two)?;
                let room = room.after(&[two], self.bounds);
                if !self.is_same(heaps + 1, (after_one, two), (after_two, one), room)? {
                    return Ok(Some([one, two]));
                }
            }
        }
        Ok(None)
    }

    /// Returns true if two nodes of `heaps` heaps, each with a further heap, lead to the same. `room` is the room left
    /// after the further heap.
    fn is_same(
        &self,
        heaps: usize,
        a: (ClassNode, Heap),
        b: (ClassNode, Heap),
        room: RoomLeft,
    ) -> Result<bool, VerifyError> {
        if heaps + 1 == self.bounds.len() && self.classes.have_targets() {
            let lost = |(node, size): (ClassNode, Heap)| {
                let (target, lost) = self.classes.target(node)?;
                Ok::<_, VerifyError>((target == u64::from(size)).then_some(lost))
            };
            return Ok(lost(a)? == lost(b)?);
        }
        let follow = |(node, size)| self.classes.follow_edge(heaps, node, size);
        self.leads_to_same(heaps + 1, [follow(a)?, follow(b)?], room, &mut FxHashSet::default())
    }

    /// Returns true if any further heaps that fit lead to the same from two nodes of `heaps` heaps. `compared` are the
    /// pairs of nodes that have been compared.
    fn leads_to_same(
        &self,
        heaps: usize,
        [a, b]: [ClassNode; 2],
        room: RoomLeft,
        compared: &mut FxHashSet<[ClassNode; 2]>,
    ) -> Result<bool, VerifyError> {
        if a == b {
            return Ok(true);
        }
        if heaps == self.bounds.len() {
            return Ok(self.classes.lost(a)? == self.classes.lost(b)?);
        }
        if !compared.insert([a, b]) {
            return Ok(true);
        }
        if heaps + 1 == self.bounds.len() && self.classes.have_targets() {
            let lost = |node| {
                let (target, lost) = self.classes.target(node)?;
                let fits = room.sizes(heaps, self.bounds).any(|size| u64::from(size) == target);
                Ok::<_, VerifyError>(fits.then_some((target, lost)))
            };
            return Ok(lost(a)? == lost(b)?);
        }
        for size in room.sizes(heaps, self.bounds) {
            let next = [a, b].map(|node| self.classes.follow_edge(heaps, node, size));
            let [a, b] = next;
            if !self.leads_to_same(heaps + 1, [a?, b?], room.after(&[size], self.bounds), compared)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns heaps that lead to a state of the last level.
    fn group_of_state(
        &self,
        levels: &[FxHashSet<State>],
        (class, room): State,
    ) -> Result<Heaps, VerifyError> {
        let stem = self.classes.stem_heaps(self.passes);
        let [before @ .., _] = levels else { unreachable!("there is a level") };
        let heaps = stem + before.len();
        if let Some(last) = before.last() {
            for &state in last {
                for size in state.1.sizes(heaps - 1, self.bounds) {
                    let node = ClassNode { class: state.0, depth: 0 };
                    let next = self.classes.follow_edge(heaps - 1, node, size)?;
                    if (next.class, state.1.after(&[size], self.bounds)) == (class, room) {
                        let group = self.group_of_state(before, state)?;
                        return Ok(group.iter().copied().chain([size]).collect());
                    }
                }
            }
        }
        let ranks = self.ranks(heaps)?;
        for rank in 0..ranks.count() {
            let group = ranks.unrank(rank);
            let node = self.classes.of_stem(self.passes, &group)?;
            if (node.class, self.room.after(&group, self.bounds)) == (class, room) {
                return Ok(group);
            }
        }
        unreachable!("each state has heaps")
    }

    /// Returns the error for a position that begins with these heaps.
    fn wrong(&self, heaps: impl Iterator<Item = Heap>) -> Result<(), VerifyError> {
        let mut heaps: Heaps = heaps.collect();
        (heaps.len()..self.bounds.len()).for_each(|_| heaps.push(0));
        let position = self.rules.show_position(&Position { heaps, passes: self.passes });
        Err(VerifyError::Wrong(Flaw {
            position,
            what: "class of some heaps",
            found: "different in another order".to_owned(),
            follows: "the same in any order".to_owned(),
        }))
    }
}
