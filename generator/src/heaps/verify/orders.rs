//! Checks that the heaps of a table may be looked up in any order (FORMAT.md, section 5.5).
//!
//! The proof of positions asks for the heaps in few orders only, so a wrong record that only other orders reach would
//! pass. But any order becomes any other one by exchanges of neighbours. So two checks are enough. From each class that
//! heaps can have, two further heaps lead to the same in either order. And in each group of one heap more than a stem,
//! any heap can be the one that is added last. "The same" is the same class and depth, or classes from which all
//! further heaps lead to the same lost positions. Example: in Nim with targets, from the class of {1}, the heap 2 leads
//! to a class with the target 3; so the heap 3 must lead to a class with the target 2.
//!
//! Cost: a few lookups for each state and pair of sizes, and more where the two orders lead to different classes. A
//! state is a class and the room that its heaps leave; it has from as many heaps as a stem up to all but two. There are
//! mostly far fewer states than groups of heaps.

use std::hash::Hash;

use bouton_tables::Solved;
use bouton_tables::heaps::{ClassNode, Classes, Heap, HeapRules, HeapTable, Heaps, Position, Ranks};
use rustc_hash::FxHashSet;

use crate::control::{CancelCheck, Control};
use crate::heaps::room_left::RoomLeft;
use crate::making::GenerateError;
use crate::memory::Grow;
use crate::parallel;
use crate::proof::{VerifyError, wrong};

/// States that a thread checks at a time.
const STATES_PER_PIECE: usize = 16;

/// A class of the table, and the room left by its heaps.
type State = (u64, RoomLeft);

/// Two nodes that have been compared: their number of heaps, their classes, by how much the depth of the first is greater,
/// and the room left.
type Compared = (usize, [u64; 2], i64, RoomLeft);

/// Checks that all orders of heaps lead to the same answers.
///
/// # Errors
/// Names a position that has heaps whose result depends on their order. All its other heaps are empty.
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
        OrderCheck { rules, classes, bounds: &bounds, room, passes, control }.run()?;
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
    control: &'a dyn Control,
}

/// A piece of the check that one thread does.
struct Comparison<'a> {
    check: &'a OrderCheck<'a>,
    cancel_check: CancelCheck<'a>,
    compared: FxHashSet<Compared>,
}

/// The states of some number of heaps, each with heaps that lead to it.
#[derive(Default)]
struct DistinctStates {
    found: FxHashSet<State>,
    all: Vec<(State, Heaps)>,
}

impl DistinctStates {
    /// Adds a state, unless it was added before.
    fn put(&mut self, state: State, heaps: Heaps) -> Result<(), GenerateError> {
        if insert(&mut self.found, state)? { self.all.grow((state, heaps)) } else { Ok(()) }
    }
}

/// Inserts an item, or fails if memory is short.
fn insert<T: Eq + Hash>(set: &mut FxHashSet<T>, item: T) -> Result<bool, GenerateError> {
    set.try_reserve(1)?;
    Ok(set.insert(item))
}

impl<'a> OrderCheck<'a> {
    fn run(&self) -> Result<(), VerifyError> {
        let stem = self.classes.stem_heaps(self.passes);
        if stem == self.bounds.len() {
            return Ok(());
        }
        self.comparison().check_stem(stem)?;
        let mut states = self.stem_states(stem)?;
        for heaps in stem..self.bounds.len() - 1 {
            // The first pair that differs, with the number of its state.
            let pieces = states.len().div_ceil(STATES_PER_PIECE);
            let find = |piece: usize| {
                let mut comparison = self.comparison();
                let first = piece * STATES_PER_PIECE;
                for (at, &(state, _)) in (first..).zip(states[first..].iter().take(STATES_PER_PIECE)) {
                    if let Some(pair) = comparison.pair_that_differs(heaps, state)? {
                        return Ok(Some((at, pair)));
                    }
                }
                Ok::<_, VerifyError>(None)
            };
            let earlier = |a: Option<(usize, [Heap; 2])>, b| Ok([a, b].into_iter().flatten().min());
            if let Some((at, pair)) = parallel::reduce(pieces, find, earlier)? {
                return self.wrong(states[at].1.iter().copied().chain(pair));
            }
            if heaps + 2 < self.bounds.len() {
                states = self.states_after(heaps, &states)?;
            }
        }
        Ok(())
    }

    fn comparison(&'a self) -> Comparison<'a> {
        Comparison {
            check: self,
            cancel_check: CancelCheck::new(self.control),
            compared: FxHashSet::default(),
        }
    }

    /// Returns the groups of this many heaps that fit.
    fn groups(&self, heaps: usize) -> Result<impl Iterator<Item = Heaps>, VerifyError> {
        let mut bounds = self.bounds[..heaps].to_vec();
        bounds.reverse();
        let ranks = Ranks::try_new(&bounds).map_err(GenerateError::from)?;
        Ok((0..ranks.count()).map(move |rank| ranks.unrank(rank)))
    }

    fn stem_states(&self, stem: usize) -> Result<Vec<(State, Heaps)>, VerifyError> {
        let mut states = DistinctStates::default();
        for group in self.groups(stem)? {
            let node = self.classes.of_stem(self.passes, &group)?;
            states.put((node.class, self.room.after(&group, self.bounds)), group)?;
        }
        Ok(states.all)
    }

    /// Returns the states with one heap more than those of `heaps` heaps.
    fn states_after(
        &self,
        heaps: usize,
        states: &[(State, Heaps)],
    ) -> Result<Vec<(State, Heaps)>, VerifyError> {
        let mut cancel_check = CancelCheck::new(self.control);
        let mut after = DistinctStates::default();
        for &((class, room), mut group) in states {
            group.push(0);
            for size in room.sizes(heaps, self.bounds) {
                cancel_check.spend(1)?;
                let next = self.classes.follow_edge(heaps, ClassNode { class, depth: 0 }, size)?;
                group[heaps] = size;
                after.put((next.class, room.after(&[size], self.bounds)), group)?;
            }
        }
        Ok(after.all)
    }

    /// Returns the error for a position that begins with these heaps.
    fn wrong(&self, heaps: impl Iterator<Item = Heap>) -> Result<(), VerifyError> {
        let mut heaps: Heaps = heaps.collect();
        (heaps.len()..self.bounds.len()).for_each(|_| heaps.push(0));
        let position = Position { heaps, passes: self.passes };
        let (found, follows) = ("different in another order", "the same in any order");
        Err(wrong(self.rules, &position, "class of some heaps", &found, &follows))
    }
}

impl Comparison<'_> {
    /// Checks all groups of one heap more than a stem: any of their heaps can be added last, with the same result. If these
    /// groups are whole positions, and lines have targets, only a stem with its target can be lost: the other groups need
    /// no check.
    fn check_stem(&mut self, stem: usize) -> Result<(), VerifyError> {
        let OrderCheck { classes, bounds, room, passes, .. } = *self.check;
        if stem + 1 < bounds.len() || !classes.have_targets() {
            return self.check.groups(stem + 1)?.try_for_each(|group| self.check_last_heaps(stem, group));
        }
        for mut group in self.check.groups(stem)? {
            self.cancel_check.spend(1)?;
            let (target, _) = classes.target(classes.of_stem(passes, &group)?)?;
            let target = Heap::try_from(target).unwrap_or(Heap::MAX);
            if room.after(&group, bounds).fits(target, stem, bounds) {
                group.push(target);
                self.check_last_heaps(stem, group.descending())?;
            }
        }
        Ok(())
    }

    /// Checks that a group of one heap more than a stem leads to the same, whichever of its heaps is added last.
    fn check_last_heaps(&mut self, stem: usize, group: Heaps) -> Result<(), VerifyError> {
        let OrderCheck { classes, bounds, room, passes, .. } = *self.check;
        self.cancel_check.spend(stem + 1)?;
        let without = |place: usize| -> Result<(ClassNode, Heap), VerifyError> {
            let others: Heaps = group[..place].iter().chain(&group[place + 1..]).copied().collect();
            Ok((classes.of_stem(passes, &others)?, group[place]))
        };
        let first = without(stem)?;
        let room = room.after(&group, bounds);
        for place in 0..stem {
            if !self.is_same(stem, first, without(place)?, room)? {
                return self.check.wrong(group.iter().copied());
            }
        }
        Ok(())
    }

    /// Returns two sizes that lead from a state of `heaps` heaps to different results in the two orders. At least two heaps
    /// are left.
    fn pair_that_differs(
        &mut self,
        heaps: usize,
        (class, room): State,
    ) -> Result<Option<[Heap; 2]>, VerifyError> {
        let OrderCheck { classes, bounds, .. } = *self.check;
        let node = ClassNode { class, depth: 0 };
        for one in room.sizes(heaps, bounds) {
            let (after_one, room) = (classes.follow_edge(heaps, node, one)?, room.after(&[one], bounds));
            for two in room.sizes(heaps + 1, bounds).take_while(|&two| two < one) {
                let after_two = classes.follow_edge(heaps, node, two)?;
                let room = room.after(&[two], bounds);
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
        &mut self,
        heaps: usize,
        a: (ClassNode, Heap),
        b: (ClassNode, Heap),
        room: RoomLeft,
    ) -> Result<bool, VerifyError> {
        self.cancel_check.spend(1)?;
        let classes = self.check.classes;
        if heaps + 1 == self.check.bounds.len() && classes.have_targets() {
            let lost = |(node, size): (ClassNode, Heap)| {
                let (target, lost) = classes.target(node)?;
                Ok::<_, VerifyError>((target == u64::from(size)).then_some(lost))
            };
            return Ok(lost(a)? == lost(b)?);
        }
        let follow = |(node, size)| classes.follow_edge(heaps, node, size);
        self.leads_to_same(heaps + 1, [follow(a)?, follow(b)?], room)
    }

    /// Returns true if any further heaps that fit lead to the same from two nodes of `heaps` heaps.
    fn leads_to_same(
        &mut self,
        heaps: usize,
        [a, b]: [ClassNode; 2],
        room: RoomLeft,
    ) -> Result<bool, VerifyError> {
        if a == b {
            return Ok(true);
        }
        let OrderCheck { classes, bounds, .. } = *self.check;
        if heaps == bounds.len() {
            return Ok(classes.lost(a)? == classes.lost(b)?);
        }
        // After the first difference the check ends, so all pairs compared before lead to the same.
        let deeper = a.depth as i64 - b.depth as i64;
        if !insert(&mut self.compared, (heaps, [a.class, b.class], deeper, room))? {
            return Ok(true);
        }
        if heaps + 1 == bounds.len() && classes.have_targets() {
            let lost = |node| {
                let (target, lost) = classes.target(node)?;
                let fits = room.sizes(heaps, bounds).any(|size| u64::from(size) == target);
                Ok::<_, VerifyError>(fits.then_some((target, lost)))
            };
            return Ok(lost(a)? == lost(b)?);
        }
        for size in room.sizes(heaps, bounds) {
            self.cancel_check.spend(1)?;
            let [a, b] = [a, b].map(|node| classes.follow_edge(heaps, node, size));
            if !self.leads_to_same(heaps + 1, [a?, b?], room.after(&[size], bounds))? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
