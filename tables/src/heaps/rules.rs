//! The rules of heap games, and which positions a table of them covers.

use serde::{Deserialize, Serialize};

use super::position::{Heap, Heaps, Move, Position};
use super::take::Take;
use crate::{Play, RulesetError};

/// The most heaps of a game.
pub const MAX_HEAPS: usize = 16;
/// The greatest size of a heap: it keeps all sums within 64 bits, and is more than any table holds.
pub const MAX_SIZE: Heap = 1_000_000_000;
/// The most passes that a game can allow.
pub const MAX_PASSES: u8 = 15;
/// The most moves that a position can have where a move may change several heaps: an answer lists those that
/// win.
pub const MAX_MOVES: u64 = 1_000_000;

/// A ruleset of a heap game: several heaps, from which moves take stones.
///
/// A value of this type is always within the allowed ranges, a deserialized one too.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", try_from = "Unchecked")]
pub struct HeapRules {
    /// Ascending: heaps in another order are the same position.
    bounds: Vec<Heap>,
    take: Take,
    heaps_per_move: u8,
    equal_take: bool,
    passes: u8,
    play: Play,
}

/// A ruleset as it is read, before its values are checked.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Unchecked {
    bounds: Vec<Heap>,
    take: Take,
    heaps_per_move: u8,
    equal_take: bool,
    passes: u8,
    play: Play,
}

impl TryFrom<Unchecked> for HeapRules {
    type Error = RulesetError;

    fn try_from(read: Unchecked) -> Result<Self, RulesetError> {
        let Unchecked { bounds, take, heaps_per_move, equal_take, passes, play } = read;
        let ascending = bounds.is_sorted();
        let rules = Self::new(bounds, take, heaps_per_move.into(), equal_take, passes.into(), play)?;
        // A ruleset has one encoding.
        if !ascending {
            return Err(bad("bounds", &format!("{:?}", rules.bounds), "the bounds in ascending order"));
        }
        Ok(rules)
    }
}

fn bad(key: &'static str, found: &dyn ToString, allowed: impl Into<String>) -> RulesetError {
    RulesetError::BadValue { key, found: found.to_string(), allowed: allowed.into() }
}

impl HeapRules {
    /// A ruleset, if its values are allowed. The order of the bounds does not matter.
    ///
    /// # Errors
    /// Names the first value that is not, and what is.
    pub fn new(
        mut bounds: Vec<Heap>,
        take: Take,
        heaps_per_move: u32,
        equal_take: bool,
        passes: u32,
        play: Play,
    ) -> Result<Self, RulesetError> {
        bounds.sort_unstable();
        let sizes = |bound: &Heap| (1..=MAX_SIZE).contains(bound);
        if !(1..=MAX_HEAPS).contains(&bounds.len()) || !bounds.iter().all(sizes) {
            let allowed = format!("the largest size of each of 1 to {MAX_HEAPS} heaps, 1 to {MAX_SIZE}");
            return Err(bad("bounds", &crate::error::shorten(&format!("{bounds:?}")), allowed));
        }
        take.check()?;
        let heaps = bounds.len() as u32;
        if !(1..=heaps).contains(&heaps_per_move) {
            let allowed = format!("a whole number from 1 to {heaps}, the number of heaps");
            return Err(bad("heaps-per-move", &heaps_per_move, allowed));
        }
        if equal_take && heaps_per_move == 1 {
            let allowed = "false, since a move changes one heap; or set heaps-per-move to 2 or more";
            return Err(bad("equal-take", &equal_take, allowed));
        }
        if passes > MAX_PASSES.into() {
            return Err(bad("passes", &passes, format!("a whole number from 0 to {MAX_PASSES}")));
        }
        let (heaps_per_move, passes) = (heaps_per_move as u8, passes as u8);
        let rules = Self { bounds, take, heaps_per_move, equal_take, passes, play };
        let moves = rules.most_moves();
        if heaps_per_move > 1 && moves > MAX_MOVES {
            let moves = if moves == u64::MAX { "too many to count".to_owned() } else { format!("{moves}") };
            let allowed = format!(
                "less for such heaps: the moves from the start would be {moves}, and at most {MAX_MOVES} may be"
            );
            return Err(bad("heaps-per-move", &heaps_per_move, allowed));
        }
        Ok(rules)
    }

    /// How many ways there are to take stones from the position with every heap at its bound; no position has
    /// more. At most the greatest u64.
    fn most_moves(&self) -> u64 {
        // For each number of heaps the ways to take from so many, each on its own or from all the same.
        let mut ways = vec![0_u64; self.heaps_per_move() + 1];
        ways[0] = 1;
        if !self.equal_take {
            for &bound in &self.bounds {
                let amounts = self.take.count(bound).into();
                for heaps in (1..ways.len()).rev() {
                    ways[heaps] = ways[heaps].saturating_add(ways[heaps - 1].saturating_mul(amounts));
                }
            }
            return ways[1..].iter().fold(0, |sum, &ways| sum.saturating_add(ways));
        }
        // The amounts that a bound allows and the one before it does not can be taken from all from it on.
        let mut sum = 0_u64;
        let mut below = 0;
        for (place, &bound) in self.bounds.iter().enumerate() {
            let amounts = u64::from(self.take.count(bound) - below);
            below = self.take.count(bound);
            let (heaps, mut subsets) = ((self.heaps() - place) as u64, 1_u64);
            for chosen in 1..=heaps.min(self.heaps_per_move.into()) {
                subsets = subsets * (heaps - chosen + 1) / chosen;
                sum = sum.saturating_add(subsets.saturating_mul(amounts));
            }
        }
        sum
    }

    /// The largest size of each heap, ascending.
    #[must_use]
    pub fn bounds(&self) -> &[Heap] {
        &self.bounds
    }

    /// Number of heaps.
    #[must_use]
    pub fn heaps(&self) -> usize {
        self.bounds.len()
    }

    /// The largest size of any heap.
    #[must_use]
    pub fn greatest(&self) -> Heap {
        self.bounds[self.heaps() - 1]
    }

    /// What may be taken from a heap.
    #[must_use]
    pub fn take(&self) -> &Take {
        &self.take
    }

    /// From how many heaps a move may take.
    #[must_use]
    pub fn heaps_per_move(&self) -> usize {
        self.heaps_per_move.into()
    }

    /// Whether a move takes the same from each heap that it takes from.
    #[must_use]
    pub fn equal_take(&self) -> bool {
        self.equal_take
    }

    /// How many passes there are in all.
    #[must_use]
    pub fn passes(&self) -> u8 {
        self.passes
    }

    /// Who wins when no move is left.
    #[must_use]
    pub fn play(&self) -> Play {
        self.play
    }

    /// Number of multisets of heaps within the bounds. If they are more than a u64 can count, which no table
    /// has room for, the greatest u64.
    #[must_use]
    pub fn multisets(&self) -> u64 {
        multisets_within(&self.bounds)
    }

    /// Number of positions of a table: each multiset with each number of passes left. At most the greatest
    /// u64.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.multisets().saturating_mul(u64::from(self.passes) + 1)
    }

    /// The position with every heap at its bound, and all passes.
    #[must_use]
    pub fn start(&self) -> Position {
        Position { heaps: self.bounds.iter().copied().collect(), passes: self.passes }
    }

    /// Whether heaps, in any order, are within the bounds, each heap below a bound of its own.
    #[must_use]
    pub fn fits(&self, heaps: &Heaps) -> bool {
        let mut sorted = *heaps;
        sorted.sort_unstable();
        sorted.len() == self.heaps() && sorted.iter().zip(&self.bounds).all(|(heap, bound)| heap <= bound)
    }

    /// Every legal move: by row, then by take, a pass last.
    #[must_use]
    pub fn moves<'a>(&'a self, position: &Position) -> super::moves::Moves<'a> {
        super::moves::Moves::new(self, position)
    }

    /// Whether a move is legal.
    #[must_use]
    pub fn is_legal(&self, position: &Position, chosen: Move) -> bool {
        if chosen.is_pass() {
            return position.passes > 0 && position.heaps.iter().any(|&heap| heap > 0);
        }
        let mut taken = chosen.takes();
        let legal = taken.clone().all(|(row, take)| {
            position.heaps.get(row).is_some_and(|&heap| take <= heap) && self.take.allows(take)
        });
        let (first, heaps) = (chosen.takes().next(), chosen.takes().count());
        legal
            && heaps <= self.heaps_per_move()
            && (!self.equal_take
                || taken.all(|(_, take)| first.is_some_and(|(_, of_first)| take == of_first)))
    }

    /// The position after a move, which must be a legal one.
    #[must_use]
    pub fn after(&self, position: &Position, chosen: Move) -> Position {
        debug_assert!(self.is_legal(position, chosen), "{chosen} is not legal at {:?}", position.heaps);
        let mut next = *position;
        next.passes -= u8::from(chosen.is_pass());
        for (row, take) in chosen.takes() {
            next.heaps[row] -= take;
        }
        next
    }
}

/// Number of multisets of as many heaps as there are bounds, each heap within a bound of its own; the bounds
/// are ascending. At most the greatest u64.
#[must_use]
pub fn multisets_within(bounds: &[Heap]) -> u64 {
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
        for placed in 0..=heaps {
            for more in 0..=heaps - placed {
                // `above` bounds are too low for all of these.
                if placed + more <= heaps - above && ways[placed] > 0 {
                    let all = ways[placed].saturating_mul(multisets_of(sizes, more));
                    next[placed + more] = next[placed + more].saturating_add(all);
                }
            }
        }
        ways = next;
    }
    u64::try_from(ways[heaps]).unwrap_or(u64::MAX)
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
    use super::*;

    fn rules(bounds: &[Heap]) -> HeapRules {
        HeapRules::new(bounds.to_vec(), Take::Any, 1, false, 0, Play::Normal).unwrap()
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
        let error = |bounds: &[Heap], take, heaps_per_move, equal_take, passes| {
            HeapRules::new(bounds.to_vec(), take, heaps_per_move, equal_take, passes, Play::Normal)
                .unwrap_err()
                .to_string()
        };
        assert!(error(&[], Take::Any, 1, false, 0).starts_with("bounds = []: allowed is"));
        assert!(error(&[3, 0], Take::Any, 1, false, 0).starts_with("bounds = [0, 3]: allowed is"));
        assert!(error(&[1; 17], Take::Any, 1, false, 0).starts_with("bounds = [1, 1,"));
        assert!(error(&[3], Take::UpTo(0), 1, false, 0).starts_with("take = 0: allowed is"));
        assert!(error(&[3], Take::Exactly(vec![]), 1, false, 0).starts_with("take = []: allowed is"));
        assert!(error(&[3], Take::Exactly(vec![2, 0]), 1, false, 0).starts_with("take = [2, 0]: allowed is"));
        let heaps = error(&[3, 4], Take::Any, 3, false, 0);
        assert!(heaps.starts_with("heaps-per-move = 3: allowed is a whole number from 1 to 2,"), "{heaps}");
        assert!(error(&[3, 4], Take::Any, 0, false, 0).starts_with("heaps-per-move = 0:"));
        assert!(error(&[3, 4], Take::Any, 1, true, 0).starts_with("equal-take = true: allowed is false"));
        assert!(error(&[3], Take::Any, 1, false, 16).starts_with("passes = 16: allowed is"));
        let many = error(&[100; 16], Take::Any, 16, false, 0);
        assert!(many.starts_with("heaps-per-move = 16: allowed is less for such heaps"), "{many}");
        assert!(error(&[10; 6], Take::Any, 6, false, 0).contains("from the start would be 1771560"));
    }

    #[test]
    fn no_position_has_more_moves_than_the_start() {
        for bounds in [&[3, 5][..], &[2, 4, 4], &[1, 2, 3, 4]] {
            for take in [Take::Any, Take::UpTo(2), Take::exactly(vec![1, 3])] {
                for (heaps_per_move, equal) in [(1, false), (2, false), (2, true)] {
                    let rules =
                        HeapRules::new(bounds.to_vec(), take.clone(), heaps_per_move, equal, 0, Play::Normal)
                            .unwrap();
                    let moves = rules.moves(&rules.start()).count() as u64;
                    assert_eq!(rules.most_moves(), moves, "{rules:?}");
                }
            }
        }
    }
}
