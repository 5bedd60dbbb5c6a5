//! The rules of heap games, and which positions a table of them covers.

use super::keys::HeapKeys;
use super::position::{Heap, Heaps};
use super::take::Take;
use crate::keys::bad_value;
use crate::{Play, RulesetError};

/// The most moves that a position can have where a move may change several heaps: an answer lists those that
/// win.
pub const MAX_MOVES: u64 = 1_000_000;

/// The rules of a heap game: several heaps, from which moves take stones.
///
/// They are made from [`HeapKeys`], and their values are always allowed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HeapRules {
    /// With the bounds in ascending order: heaps in another order are the same position.
    keys: HeapKeys,
}

impl HeapKeys {
    /// The rules with these keys.
    ///
    /// # Errors
    /// Names the first key whose value is not allowed, with what was found and what is allowed.
    pub fn rules(mut self) -> Result<HeapRules, RulesetError> {
        self.check()?;
        self.bounds.sort_unstable();
        let rules = HeapRules { keys: self };
        let moves = rules.most_moves();
        if rules.heaps_per_move() > 1 && moves > MAX_MOVES {
            let moves = if moves == u64::MAX { "countless".to_owned() } else { format!("{moves}") };
            let allowed = format!(
                "a smaller number for such heaps: the start would have {moves} moves, and {MAX_MOVES} are the most"
            );
            return Err(bad_value("heaps-per-move", &rules.heaps_per_move(), allowed));
        }
        Ok(rules)
    }
}

impl HeapRules {
    /// The keys, with the bounds in ascending order.
    pub fn keys(&self) -> &HeapKeys {
        &self.keys
    }

    /// How many ways there are to take stones from the position with every heap at its bound; no position has
    /// more. At most the greatest u64.
    pub fn most_moves(&self) -> u64 {
        // For each number of heaps the ways to take from so many, each on its own or from all the same.
        let mut ways = vec![0_u64; self.heaps_per_move() + 1];
        ways[0] = 1;
        if !self.keys.equal_take {
            for &bound in &self.keys.bounds {
                let amounts = self.keys.take.count(bound).into();
                for heaps in (1..ways.len()).rev() {
                    ways[heaps] = ways[heaps].saturating_add(ways[heaps - 1].saturating_mul(amounts));
                }
            }
            return ways[1..].iter().fold(0, |sum, &ways| sum.saturating_add(ways));
        }
        // The amounts that a bound allows and the one before it does not can be taken from all from it on.
        let mut sum = 0_u64;
        let mut below = 0;
        for (place, &bound) in self.keys.bounds.iter().enumerate() {
            let amounts = u64::from(self.keys.take.count(bound) - below);
            below = self.keys.take.count(bound);
            let (heaps, mut subsets) = ((self.heaps() - place) as u64, 1_u64);
            for chosen in 1..=heaps.min(self.keys.heaps_per_move.into()) {
                subsets = subsets * (heaps - chosen + 1) / chosen;
                sum = sum.saturating_add(subsets.saturating_mul(amounts));
            }
        }
        sum
    }

    /// The largest size of each heap, ascending.
    pub fn bounds(&self) -> &[Heap] {
        &self.keys.bounds
    }

    /// Number of heaps.
    pub fn heaps(&self) -> usize {
        self.keys.bounds.len()
    }

    /// The largest size of any heap.
    pub fn greatest(&self) -> Heap {
        self.keys.bounds[self.heaps() - 1]
    }

    /// What may be taken from a heap.
    pub fn take(&self) -> &Take {
        &self.keys.take
    }

    /// From how many heaps a move may take.
    pub fn heaps_per_move(&self) -> usize {
        self.keys.heaps_per_move as usize
    }

    /// Whether a move takes the same from each heap that it takes from.
    pub fn equal_take(&self) -> bool {
        self.keys.equal_take
    }

    /// How many passes there are in all.
    pub fn passes(&self) -> u8 {
        // At most MAX_PASSES.
        self.keys.passes as u8
    }

    /// Who wins when no move is left.
    pub fn play(&self) -> Play {
        self.keys.play
    }

    /// Whether a move can take stones from one of the heaps. If none can, the game is over, whatever passes are left: a pass
    /// needs a move that it replaces.
    #[inline]
    pub fn can_take(&self, heaps: &[Heap]) -> bool {
        let least = self.keys.take.least();
        heaps.iter().any(|&heap| heap >= least)
    }

    /// Number of multisets of heaps within the bounds; at most the greatest u64, which stands for any number
    /// beyond it.
    pub fn multisets(&self) -> u64 {
        multisets_within(&self.keys.bounds).unwrap_or(u64::MAX)
    }

    /// Number of positions of a table: each multiset with each number of passes left; at most the greatest
    /// u64, which stands for any number beyond it.
    pub fn positions(&self) -> u64 {
        self.multisets().saturating_mul(u64::from(self.keys.passes) + 1)
    }

    /// Whether heaps, in any order, are within the bounds, each heap below a bound of its own.
    pub fn fits(&self, heaps: &Heaps) -> bool {
        let mut sorted = *heaps;
        sorted.sort_unstable();
        sorted.len() == self.heaps()
            && sorted.iter().zip(&self.keys.bounds).all(|(heap, bound)| heap <= bound)
    }
}

/// Number of multisets of as many heaps as there are bounds, each heap within a bound of its own; the bounds
/// are ascending. `None` if they are more than a u64 can count.
#[must_use]
pub fn multisets_within(bounds: &[Heap]) -> Option<u64> {
    // From the sizes above all bounds but the greatest down to those that every bound allows: heaps above a
    // size can be at most as many as the bounds above it.
    let heaps = bounds.len();
    // For each number of heaps placed so far, in how many ways that can be.
    let mut ways = vec![0_u128; heaps + 1];
    ways[0] = 1;
    let mut above = heaps;
    while above > 0 {
        let bound = bounds[above - 1];
        above = bounds.partition_point(|&other| other < bound);
        let lower = if above == 0 { -1 } else { i64::from(bounds[above - 1]) };
        let sizes = (i64::from(bound) - lower).unsigned_abs();
        let mut next = vec![0_u128; heaps + 1];
        // `above` bounds are too low for all of these.
        let most = heaps - above;
        for placed in 0..=most {
            for more in 0..=most - placed {
                let all = ways[placed].saturating_mul(multisets_of(sizes, more));
                next[placed + more] = next[placed + more].saturating_add(all);
            }
        }
        ways = next;
    }
    u64::try_from(ways[heaps]).ok()
}

/// Number of multisets of `n` of `sizes` sizes; at most the greatest u128.
fn multisets_of(sizes: u64, n: usize) -> u128 {
    let mut all = 1_u128;
    for i in 0..n as u128 {
        // Exact at each step: a product of i + 1 consecutive numbers.
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
    fn multisets_are_as_many_as_counted_one_by_one() {
        fn count(rules: &HeapRules, heaps: &mut Heaps) -> u64 {
            if heaps.len() == rules.heaps() {
                return u64::from(rules.fits(heaps));
            }
            let least = heaps.last().copied().unwrap_or(0);
            let mut sum = 0;
            for heap in least..=rules.greatest() {
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
    fn the_greatest_bounds_overflow_nothing() {
        assert_eq!(rules(&[MAX_SIZE; MAX_HEAPS]).positions(), u64::MAX);
        assert_eq!(rules(&[MAX_SIZE]).positions(), u64::from(MAX_SIZE) + 1);
    }

    #[test]
    fn values_out_of_range_are_refused_by_name() {
        let one = HeapKeys { bounds: vec![3], ..Default::default() };
        let two = HeapKeys { bounds: vec![3, 4], ..Default::default() };
        let bounds = |bounds: &[Heap]| HeapKeys { bounds: bounds.to_vec(), ..Default::default() };
        for (keys, expected) in [
            (bounds(&[]), "bounds = []: allowed is the largest size of each of 1 to 16 heaps"),
            (bounds(&[3, 0]), "bounds = [3, 0]: allowed is"),
            (bounds(&[1; 17]), "bounds = [1, 1,"),
            (HeapKeys { take: Take::UpTo(0), ..one.clone() }, "take = 0: allowed is"),
            (HeapKeys { take: Take::Exactly(vec![]), ..one.clone() }, "take = []: allowed is"),
            (HeapKeys { take: Take::Exactly(vec![2, 0]), ..one.clone() }, "take = [2, 0]: allowed is"),
            (
                HeapKeys { heaps_per_move: 3, ..two.clone() },
                "heaps-per-move = 3: allowed is a whole number from 1 to 2, the number of heaps",
            ),
            (HeapKeys { heaps_per_move: 0, ..two.clone() }, "heaps-per-move = 0:"),
            (HeapKeys { equal_take: true, ..two.clone() }, "equal-take = true: allowed is false"),
            (HeapKeys { passes: 16, ..one.clone() }, "passes = 16: allowed is"),
            (
                HeapKeys { heaps_per_move: 16, ..bounds(&[100; 16]) },
                "heaps-per-move = 16: allowed is a smaller number for such heaps",
            ),
            (
                HeapKeys { heaps_per_move: 6, ..bounds(&[10; 6]) },
                "heaps-per-move = 6: allowed is a smaller number for such heaps: the start would have 1771560 moves,",
            ),
        ] {
            let error = keys.rules().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn a_million_moves_from_the_start_are_allowed_and_one_more_is_refused() {
        // With sizes a and b there are (a + 1) (b + 1) - 1.
        let rules = |bounds: [Heap; 2], heaps_per_move| {
            HeapKeys { bounds: bounds.to_vec(), heaps_per_move, ..Default::default() }.rules()
        };
        assert_eq!(rules([100, 9900], 2).unwrap().most_moves(), 1_000_000);
        let error = rules([5, 166_666], 2).unwrap_err().to_string();
        assert!(error.contains("the start would have 1000001 moves, and 1000000 are the most"), "{error}");
        // Moves from one heap are not listed one by one.
        assert!(rules([MAX_SIZE; 2], 1).is_ok());
    }

    #[test]
    fn no_position_has_more_moves_than_the_start() {
        for bounds in [&[3, 5][..], &[2, 4, 4], &[1, 2, 3, 4]] {
            for take in [Take::Any, Take::UpTo(2), Take::exactly(vec![1, 3])] {
                for (heaps_per_move, equal_take) in [(1, false), (2, false), (2, true)] {
                    let (bounds, take) = (bounds.to_vec(), take.clone());
                    let keys = HeapKeys { bounds, take, heaps_per_move, equal_take, ..Default::default() };
                    let rules = keys.rules().unwrap();
                    let moves = rules.moves(&rules.start()).count() as u64;
                    assert_eq!(rules.most_moves(), moves, "{rules:?}");
                }
            }
        }
    }
}
