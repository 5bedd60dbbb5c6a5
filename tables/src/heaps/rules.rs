//! The rules of heap games, and the number of positions that their tables cover.

use super::heap_counts::HeapCounts;
use super::keys::HeapKeys;
use super::position::{Heap, Heaps};
use super::take::Take;
use crate::keys::bad_value;
use crate::{Play, RulesetError};

/// Maximum number of lookups to find the winning moves of a position if a move may change several heaps.
const MAX_LOOKUPS: u64 = 1_000_000;

/// The rules of a heap game: several heaps, from which moves take stones.
///
/// Constructed from [`HeapKeys`] by a check, so the values are always valid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeapRules {
    /// The bounds are in ascending order, since the order of heaps does not matter.
    keys: HeapKeys,
}

/// The kind of a heap game's moves, apart from passes. Algorithms and theorems that hold for certain moves only ask for
/// this kind. Moves by a new rule are [`Other`](MoveKind::Other) until someone shows that an algorithm holds for them,
/// too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveKind<'a> {
    /// Any number of stones from one heap.
    AnyFromOne,
    /// Certain numbers of stones from one heap.
    AmountsFromOne(&'a Take),
    /// Any number of stones from each of up to this many heaps, 2 or more.
    AnyFromSeveral(usize),
    /// Any number of stones, the same from each of up to this many heaps, 2 or more.
    SameFromSeveral(usize),
    /// All other moves. [`Game::moves`](crate::Game::moves) lists them.
    Other,
}

impl HeapKeys {
    /// Checks the keys, and returns their rules.
    pub fn rules(mut self) -> Result<HeapRules, RulesetError> {
        self.check()?;
        self.bounds.sort_unstable();
        let rules = HeapRules { keys: self };
        let lookups = rules.max_lookups();
        if rules.heaps_per_move() > 1 && lookups > MAX_LOOKUPS {
            let lookups = if lookups == u64::MAX { "countless".to_owned() } else { format!("{lookups}") };
            let allowed = format!(
                "a smaller number for such heaps: an answer would take {lookups} lookups, at most \
                {MAX_LOOKUPS} are allowed"
            );
            return Err(bad_value("heaps-per-move", &rules.heap_counts(), allowed));
        }
        Ok(rules)
    }
}

impl HeapRules {
    /// Returns the keys, with the bounds in ascending order.
    pub fn keys(&self) -> &HeapKeys {
        &self.keys
    }

    /// Returns the rules with other bounds. Drops the numbers of heaps in a move that exceed the number of bounds.
    ///
    /// # Errors
    ///
    /// If a key is invalid with these bounds.
    pub fn with_bounds(&self, bounds: Vec<Heap>) -> Result<Self, RulesetError> {
        let heaps_per_move = self.keys.heaps_per_move.within(bounds.len());
        HeapKeys { bounds, heaps_per_move, ..self.keys.clone() }.rules()
    }

    /// Returns the number of moves that take stones if every heap is at its bound: no position has more. Saturates at
    /// `u64::MAX`.
    pub fn max_moves(&self) -> u64 {
        // For each number of heaps, the number of ways to take from that many heaps.
        let mut ways = vec![0_u64; self.heaps_per_move() + 1];
        ways[0] = 1;
        if !self.keys.equal_take {
            for &bound in &self.keys.bounds {
                let amounts = self.keys.take.count(bound).into();
                for heaps in (1..ways.len()).rev() {
                    ways[heaps] = ways[heaps].saturating_add(ways[heaps - 1].saturating_mul(amounts));
                }
            }
            let moves = self.heap_counts().numbers().map(|count| ways[count as usize]);
            return moves.fold(0, u64::saturating_add);
        }
        // An amount that this bound allows, but not the previous one, can be taken from the heaps from `index` on.
        let mut sum = 0_u64;
        let mut below = 0;
        for (index, &bound) in self.keys.bounds.iter().enumerate() {
            let amounts = u64::from(self.keys.take.count(bound) - below);
            below = self.keys.take.count(bound);
            let (heaps, mut subsets) = ((self.heaps() - index) as u64, 1_u64);
            for chosen in 1..=heaps.min(self.heaps_per_move() as u64) {
                subsets = subsets * (heaps - chosen + 1) / chosen;
                if self.heap_counts().allows(chosen as usize) {
                    sum = sum.saturating_add(subsets.saturating_mul(amounts));
                }
            }
        }
        sum
    }

    /// Returns the number of lookups that find the winning moves if every heap is at its bound. Each move takes one
    /// lookup; but if each line has at most one lost position, one lookup is enough for all takes from the last heap of
    /// a move. Saturates at `u64::MAX`.
    fn max_lookups(&self) -> u64 {
        if self.equal_take() || !self.at_most_one_loss_per_line() {
            return self.max_moves();
        }
        // For each number of heaps, the number of ways to take from that many of the heaps so far.
        let mut ways = vec![0_u64; self.heaps_per_move() + 1];
        ways[0] = 1;
        let mut lookups = 0_u64;
        // The number of lookups is greatest if the last heaps are the least.
        for &bound in self.keys.bounds.iter().rev() {
            for last in self.heap_counts().numbers() {
                lookups = lookups.saturating_add(ways[last as usize - 1]);
            }
            for heaps in (1..ways.len()).rev() {
                ways[heaps] = ways[heaps].saturating_add(ways[heaps - 1].saturating_mul(bound.into()));
            }
        }
        lookups
    }

    /// Returns the largest size of each heap, ascending.
    pub fn bounds(&self) -> &[Heap] {
        &self.keys.bounds
    }

    /// Returns the number of heaps.
    pub fn heaps(&self) -> usize {
        self.keys.bounds.len()
    }

    /// Returns the largest size of any heap.
    pub fn greatest_bound(&self) -> Heap {
        self.keys.bounds[self.heaps() - 1]
    }

    /// Returns true if no two positions that differ in one heap only are both lost, with the same passes left: from the
    /// greater one, a move leads to the lesser one. Tables then store the lost size of each line.
    pub fn at_most_one_loss_per_line(&self) -> bool {
        self.keys.take == Take::Any && self.heap_counts().allows(1)
    }

    /// Returns the kind of the game's moves.
    pub fn move_kind(&self) -> MoveKind<'_> {
        match (&self.keys.take, self.heaps_per_move()) {
            (Take::Any, 1) => MoveKind::AnyFromOne,
            (amounts, 1) => MoveKind::AmountsFromOne(amounts),
            (Take::Any, most) if self.heap_counts().is_up_to() => match self.equal_take() {
                false => MoveKind::AnyFromSeveral(most),
                true => MoveKind::SameFromSeveral(most),
            },
            _ => MoveKind::Other,
        }
    }

    /// Returns the numbers of stones that a move may take from a heap.
    pub fn take(&self) -> &Take {
        &self.keys.take
    }

    /// Returns the maximum number of heaps that a move takes from.
    pub fn heaps_per_move(&self) -> usize {
        self.keys.heaps_per_move.greatest()
    }

    /// Returns the numbers of heaps that a move may take from.
    pub fn heap_counts(&self) -> HeapCounts {
        self.keys.heaps_per_move
    }

    /// Returns true if a move takes the same number from each heap.
    pub fn equal_take(&self) -> bool {
        self.keys.equal_take
    }

    /// Returns the number of passes in all.
    pub fn passes(&self) -> u8 {
        // At most MAX_PASSES.
        self.keys.passes as u8
    }

    /// Returns the kind of play, normal or misère.
    pub fn play(&self) -> Play {
        self.keys.play
    }

    /// Returns true if some move takes stones. Otherwise the game is over, even if passes are left: a player may pass only
    /// instead of a legal move.
    #[inline]
    pub fn can_take(&self, heaps: &[Heap]) -> bool {
        let least = self.keys.take.least();
        let mut enough = heaps.iter().filter(|&&heap| heap >= least);
        // `nth` counts from 0.
        enough.nth(self.heap_counts().least() - 1).is_some()
    }

    /// Returns the number of multisets of heaps that fit the bounds. Saturates at `u64::MAX`.
    pub fn multisets(&self) -> u64 {
        multisets_within(&self.keys.bounds).unwrap_or(u64::MAX)
    }

    /// Returns the number of positions of a table: multisets × (passes + 1). Saturates at `u64::MAX`.
    pub fn positions(&self) -> u64 {
        self.multisets().saturating_mul(u64::from(self.keys.passes) + 1)
    }

    /// Returns true if heaps, in any order, can be matched to bounds that they do not exceed.
    pub fn fits(&self, heaps: &Heaps) -> bool {
        let mut sorted = *heaps;
        sorted.sort_unstable();
        sorted.len() == self.heaps()
            && sorted.iter().zip(&self.keys.bounds).all(|(heap, bound)| heap <= bound)
    }
}

/// Returns the number of multisets with one heap for each bound, none above its bound. The bounds are ascending. `None`
/// if there are 2^64 or more.
///
/// Places heaps from the greatest sizes down, range by range: the bounds split the sizes into ranges, and for each range
/// only the number of bounds above matters. With the bounds 1 and 3, at most one heap is in the range 2 to 3, and the
/// others are in 0 to 1: 3 groups without a heap in the upper range, and 2 × 2 with one.
pub fn multisets_within(bounds: &[Heap]) -> Option<u64> {
    let heaps = bounds.len();
    // For each number of heaps placed so far, the number of ways to place them.
    let mut ways = vec![0_u128; heaps + 1];
    ways[0] = 1;
    let mut above = heaps;
    while above > 0 {
        let bound = bounds[above - 1];
        above = bounds.partition_point(|&other| other < bound);
        let lower = if above == 0 { -1 } else { i64::from(bounds[above - 1]) };
        let sizes = (i64::from(bound) - lower).unsigned_abs();
        let mut next = vec![0_u128; heaps + 1];
        // The other bounds are too low for these sizes.
        let max_placed = heaps - above;
        for placed in 0..=max_placed {
            for more in 0..=max_placed - placed {
                let all = ways[placed].saturating_mul(multisets_of(sizes, more));
                next[placed + more] = next[placed + more].saturating_add(all);
            }
        }
        ways = next;
    }
    u64::try_from(ways[heaps]).ok()
}

/// Returns the number of multisets of `n` elements of `sizes` sizes. Saturates at `u128::MAX`.
fn multisets_of(sizes: u64, n: usize) -> u128 {
    let mut all = 1_u128;
    for i in 0..n as u128 {
        // The division is exact: its result is the number of multisets of i + 1 elements.
        match all.checked_mul(u128::from(sizes) + i) {
            Some(product) => all = product / (i + 1),
            None => return u128::MAX,
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::position::{MAX_HEAPS, MAX_SIZE};
    use super::*;
    use crate::Game;

    fn rules(bounds: &[Heap]) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn the_number_of_multisets_is_as_counted_one_by_one() {
        fn count(rules: &HeapRules, heaps: &mut Heaps) -> u64 {
            if heaps.len() == rules.heaps() {
                return u64::from(rules.fits(heaps));
            }
            let least = heaps.last().copied().unwrap_or(0);
            let mut sum = 0;
            for heap in least..=rules.greatest_bound() {
                heaps.push(heap);
                sum += count(rules, heaps);
                heaps.pop();
            }
            sum
        }
        for bounds in [&[7][..], &[1, 1], &[3, 5, 7], &[5, 5, 5], &[1, 3, 3, 6], &[2, 2, 4, 4, 4], &[1, 9]] {
            let rules = rules(bounds);
            assert_eq!(rules.multisets(), count(&rules, &mut Heaps::new()), "{bounds:?}");
        }
        assert_eq!(rules(&[3, 5, 7]).positions(), 76 + 12);
        assert_eq!(rules(&[63; 6]).positions(), 119_877_472);
    }

    #[test]
    fn the_greatest_bounds_do_not_overflow() {
        assert_eq!(rules(&[MAX_SIZE; MAX_HEAPS]).positions(), u64::MAX);
        assert_eq!(rules(&[MAX_SIZE]).positions(), u64::from(MAX_SIZE) + 1);
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let one = HeapKeys { bounds: vec![3], ..Default::default() };
        let two = HeapKeys { bounds: vec![3, 4], ..Default::default() };
        let bounds = |bounds: &[Heap]| HeapKeys { bounds: bounds.to_vec(), ..Default::default() };
        for (keys, expected) in [
            (bounds(&[]), "bounds = []: expected the largest size of each of 1 to 16 heaps"),
            (bounds(&[3, 0]), "bounds = [3, 0]: expected"),
            (bounds(&[1; 17]), "bounds = [1, 1,"),
            (HeapKeys { take: Take::UpTo(0), ..one.clone() }, "take = 0: expected"),
            (HeapKeys { take: Take::Exactly(vec![]), ..one.clone() }, "take = []: expected"),
            (HeapKeys { take: Take::Exactly(vec![2, 0]), ..one.clone() }, "take = [2, 0]: expected"),
            (
                HeapKeys { heaps_per_move: 3.into(), ..two.clone() },
                "heaps-per-move = 3: expected a whole number from 1 to 2, the number of heaps, or a list of such numbers",
            ),
            (
                HeapKeys { heaps_per_move: HeapCounts::exactly(&[1, 3]).unwrap(), ..two.clone() },
                "heaps-per-move = [1, 3]: expected",
            ),
            (HeapKeys { heaps_per_move: 0.into(), ..two.clone() }, "heaps-per-move = 0:"),
            (HeapKeys { equal_take: true, ..two.clone() }, "equal-take = true: expected false"),
            (HeapKeys { passes: 16, ..one.clone() }, "passes = 16: expected"),
            (
                HeapKeys { heaps_per_move: 16.into(), ..bounds(&[100; 16]) },
                "heaps-per-move = 16: expected a smaller number for such heaps",
            ),
            (
                HeapKeys { heaps_per_move: 6.into(), take: Take::UpTo(10), ..bounds(&[10; 6]) },
                "heaps-per-move = 6: expected a smaller number for such heaps: an answer would take 1771560 \
                lookups,",
            ),
        ] {
            let error = keys.rules().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_million_lookups_for_an_answer_are_allowed_and_one_more_is_refused() {
        let rules = |bounds: &[Heap], take, heaps_per_move: u32| {
            let heaps_per_move = heaps_per_move.into();
            HeapKeys { bounds: bounds.to_vec(), take, heaps_per_move, ..Default::default() }.rules()
        };
        // With sizes a and b there are (a + 1) (b + 1) - 1 moves.
        let listed = Take::UpTo(MAX_SIZE);
        assert_eq!(rules(&[100, 9900], listed.clone(), 2).unwrap().max_lookups(), 1_000_000);
        let error = rules(&[5, 166_666], listed, 2).unwrap_err().to_string();
        assert!(error.contains("would take 1000001 lookups, at most 1000000 are allowed"), "{error}");
        // If a move takes any number, all takes from its last heap need one lookup.
        assert_eq!(rules(&[5, 999_998], Take::Any, 2).unwrap().max_lookups(), 1_000_000);
        let error = rules(&[5, 999_999], Take::Any, 2).unwrap_err().to_string();
        assert!(error.contains("would take 1000001 lookups"), "{error}");
        let six = rules(&[12; 6], Take::Any, 6).unwrap();
        assert_eq!((six.max_moves(), six.max_lookups()), (13_u64.pow(6) - 1, (13_u64.pow(6) - 1) / 12));
        // The limit does not apply to moves from one heap.
        assert!(rules(&[MAX_SIZE; 2], Take::Any, 1).is_ok());
    }

    #[test]
    fn a_line_has_at_most_one_loss_if_any_number_can_be_taken_from_one_heap() {
        let property = |take: Take, counts: &[u32]| {
            let heaps_per_move = HeapCounts::exactly(counts).unwrap();
            let keys = HeapKeys { bounds: vec![4, 4, 4], take, heaps_per_move, ..Default::default() };
            keys.rules().unwrap().at_most_one_loss_per_line()
        };
        assert!(property(Take::Any, &[1]) && property(Take::Any, &[1, 3]) && property(Take::Any, &[1, 2, 3]));
        // Lost with exactly two heaps a move: 1,0,0 and 2,0,0.
        assert!(!property(Take::Any, &[2]) && !property(Take::Any, &[2, 3]));
        assert!(!property(Take::UpTo(4), &[1]));
    }

    #[test]
    fn only_moves_that_algorithms_know_have_a_kind_of_their_own() {
        let (any, amounts) = (Take::Any, Take::UpTo(4));
        for (take, counts, equal_take, expected) in [
            (&any, &[1][..], false, MoveKind::AnyFromOne),
            (&amounts, &[1], false, MoveKind::AmountsFromOne(&amounts)),
            (&any, &[1, 2], false, MoveKind::AnyFromSeveral(2)),
            (&any, &[1, 2, 3], true, MoveKind::SameFromSeveral(3)),
            (&any, &[2], false, MoveKind::Other),
            (&any, &[1, 3], true, MoveKind::Other),
            (&amounts, &[1, 2], false, MoveKind::Other),
        ] {
            let heaps_per_move = HeapCounts::exactly(counts).unwrap();
            let take = take.clone();
            let keys =
                HeapKeys { bounds: vec![4, 4, 4], take, heaps_per_move, equal_take, ..Default::default() };
            assert_eq!(keys.rules().unwrap().move_kind(), expected);
        }
    }

    #[test]
    fn the_maximum_number_of_moves_is_that_of_the_start() {
        for bounds in [&[3, 5][..], &[2, 4, 4], &[1, 2, 3, 4]] {
            for take in [Take::Any, Take::UpTo(2), Take::exactly(vec![1, 3])] {
                for (heaps_per_move, equal_take) in [(1, false), (2, false), (2, true)] {
                    let (bounds, take) = (bounds.to_vec(), take.clone());
                    let keys = HeapKeys {
                        bounds,
                        take,
                        heaps_per_move: heaps_per_move.into(),
                        equal_take,
                        ..Default::default()
                    };
                    let rules = keys.rules().unwrap();
                    let moves = rules.moves(&rules.start()).count() as u64;
                    assert_eq!(rules.max_moves(), moves, "{rules:?}");
                    let heaps_per_move = HeapCounts::exactly(&[2]).unwrap();
                    let rules = HeapKeys { heaps_per_move, ..rules.keys().clone() }.rules().unwrap();
                    assert_eq!(rules.max_moves(), rules.moves(&rules.start()).count() as u64, "{rules:?}");
                }
            }
        }
    }
}
