//! Theorems that determine the lost positions of some heap games, without a table. Programs use them to explain
//! positions, and tests to check tables.

use super::position::Heap;
use super::rules::{HeapRules, MoveKind};
use super::take::Take;
use crate::Play;

/// A theorem that decides every position of a game without passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Theory {
    /// Nim in normal play: lost if the nim-sum of the heaps is 0 (Bouton, 1901).
    Nim,
    /// Nim in misère play: as in normal play if some heap has two stones or more, otherwise lost if the number of heaps
    /// of one stone is odd (Bouton, 1901).
    MisereNim,
    /// One heap, and a move takes up to `at_once` stones: lost if heap mod (at_once + 1) is `rest` (Bachet, 1612).
    Bachet {
        /// Maximum number of stones that a move takes.
        at_once: Heap,
        /// The remainder of lost heaps.
        rest: Heap,
    },
    /// Normal play, one heap a move: lost if the nim-sum of the heaps' Grundy values is 0 (Sprague, 1935;
    /// Grundy, 1939).
    Grundy(Take),
    /// Normal play, and a move takes any number of stones from each of up to k heaps (the field is k): lost if in
    /// each column of the heaps' binary notation the number of ones is a multiple of k + 1 (Moore, 1910).
    Moore(usize),
    /// Normal play with two heaps, and a move takes from one heap or the same from both. Lost pair number n = 0, 1, 2,
    /// ... is (a, a + n), where a is the least number in no earlier pair: (0, 0), (1, 2), (3, 5), ... (Wythoff, 1907).
    Wythoff,
}

impl Theory {
    /// Returns the theorem that decides a game, if there is one.
    pub fn of(rules: &HeapRules) -> Option<Self> {
        match (rules.move_kind(), rules.play()) {
            _ if rules.passes() > 0 => None,
            (MoveKind::AmountsFromOne(&Take::UpTo(at_once)), play) if rules.heaps() == 1 => {
                Some(Self::Bachet { at_once, rest: Heap::from(play == Play::Misere) })
            }
            (MoveKind::AnyFromOne, Play::Normal) => Some(Self::Nim),
            (MoveKind::AnyFromOne, Play::Misere) => Some(Self::MisereNim),
            (MoveKind::AmountsFromOne(amounts), Play::Normal) => Some(Self::Grundy(amounts.clone())),
            (MoveKind::SameFromSeveral(_), Play::Normal) if rules.heaps() == 2 => Some(Self::Wythoff),
            (MoveKind::AnyFromSeveral(heaps), Play::Normal) => Some(Self::Moore(heaps)),
            _ => None,
        }
    }

    /// Prepares the theorem for positions with heaps of at most `greatest` stones; in Wythoff's game this limits the
    /// lesser heap only. Takes time and memory in proportion to `greatest` if the theorem needs the values of all
    /// smaller heaps.
    pub fn judge(&self, greatest: Heap) -> Judge<'_> {
        let values = match self {
            Self::Grundy(take @ Take::Exactly(_)) => grundy_values(take, greatest),
            Self::Wythoff => {
                let mut partners = vec![Heap::MAX; greatest as usize + 1];
                for (lesser, greater) in wythoff_pairs(greatest) {
                    partners[lesser as usize] = greater;
                }
                partners
            }
            _ => Vec::new(),
        };
        Judge { theory: self, values }
    }
}

/// A theorem with its precomputed values, for many positions.
#[derive(Clone, Debug)]
pub struct Judge<'a> {
    theory: &'a Theory,
    /// By size of a heap: its Grundy value, or in Wythoff's game the greater heap of its lost pair.
    values: Vec<u32>,
}

impl Judge<'_> {
    /// Returns the Grundy value of a heap. The value is meaningless for theorems without Grundy values.
    pub fn value(&self, heap: Heap) -> u32 {
        match self.theory {
            // The heaps that a move leaves have all values except the heap's own.
            Theory::Grundy(Take::UpTo(at_once)) => heap % (at_once + 1),
            Theory::Grundy(Take::Exactly(_)) => self.values[heap as usize],
            _ => heap,
        }
    }

    /// Returns true if the player to move loses, by the theorem.
    /// No heap may exceed the limit given to [`Theory::judge`].
    pub fn is_lost(&self, heaps: &[Heap]) -> bool {
        match self.theory {
            Theory::Nim => nim_sum(heaps) == 0,
            Theory::MisereNim if heaps.iter().any(|&heap| heap > 1) => nim_sum(heaps) == 0,
            Theory::MisereNim => nim_sum(heaps) == 1,
            Theory::Bachet { at_once, rest } => heaps[0] % (at_once + 1) == *rest,
            Theory::Grundy(_) => heaps.iter().fold(0, |sum, &heap| sum ^ self.value(heap)) == 0,
            Theory::Moore(at_once) => column_sums(heaps).iter().all(|sum| sum % (*at_once as u32 + 1) == 0),
            Theory::Wythoff => self.values[heaps[0].min(heaps[1]) as usize] == heaps[0].max(heaps[1]),
        }
    }
}

/// Returns the nim-sum: the binary sum without carries.
pub fn nim_sum(numbers: &[u32]) -> u32 {
    numbers.iter().fold(0, |sum, &number| sum ^ number)
}

/// Returns, for each column of the binary notation from the lowest, how many of the numbers have a one there.
pub fn column_sums(numbers: &[u32]) -> Vec<u32> {
    let columns = u32::BITS - numbers.iter().fold(0, |all, &number| all | number).leading_zeros();
    (0..columns).map(|column| numbers.iter().map(|&number| number >> column & 1).sum()).collect()
}

/// Returns the Grundy values of heaps of 0 to `greatest` stones. The value of a heap is the least number that is not the
/// value of a heap that a move leaves.
pub fn grundy_values(take: &Take, greatest: Heap) -> Vec<u32> {
    match take {
        Take::Any => return (0..=greatest).collect(),
        // The heaps that a move leaves have all values except the heap's own.
        Take::UpTo(at_once) => return (0..=greatest).map(|heap| heap % (at_once + 1)).collect(),
        Take::Exactly(_) => {}
    }
    let mut values: Vec<u32> = Vec::new();
    // For each value, the last heap from which a move led to the value.
    let mut last_heaps: Vec<Heap> = Vec::new();
    for heap in 0..=greatest {
        for taken in take.amounts(heap) {
            let value = values[(heap - taken) as usize] as usize;
            last_heaps.resize(last_heaps.len().max(value + 1), Heap::MAX);
            last_heaps[value] = heap;
        }
        let value = last_heaps.iter().position(|&last| last != heap).unwrap_or(last_heaps.len());
        values.push(value as u32);
    }
    values
}

/// Returns Wythoff's lost pairs whose lesser number is at most `greatest`, ascending.
pub fn wythoff_pairs(greatest: Heap) -> Vec<(Heap, Heap)> {
    let mut pairs = vec![(0, 0)];
    let mut is_used = vec![false; greatest as usize + 1];
    is_used[0] = true;
    for lesser in 1..=greatest {
        if !is_used[lesser as usize] {
            let greater = lesser.saturating_add(pairs.len() as Heap);
            if let Some(is_used) = is_used.get_mut(greater as usize) {
                *is_used = true;
            }
            pairs.push((lesser, greater));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "write")]
    use crate::{Outcome, heaps::HeapKeys, heaps::tests::sample_tables::Solved};

    #[test]
    fn grundy_values_are_the_published_ones() {
        let values = |take: Take, most| grundy_values(&take, most);
        assert_eq!(values(Take::exactly(vec![1, 3, 4]), 13), [0, 1, 0, 1, 2, 3, 2, 0, 1, 0, 1, 2, 3, 2]);
        assert_eq!(values(Take::exactly(vec![2, 3]), 9), [0, 0, 1, 1, 2, 0, 0, 1, 1, 2]);
        assert_eq!(values(Take::UpTo(3), 9), [0, 1, 2, 3, 0, 1, 2, 3, 0, 1]);
        assert_eq!(values(Take::Any, 4), [0, 1, 2, 3, 4]);
        for most in 1..=20 {
            let listed = Take::exactly((1..=most).collect());
            assert_eq!(values(Take::UpTo(most), 100), values(listed, 100), "{most}");
        }
        // This must be instant; visiting each amount would take half a trillion steps.
        assert_eq!(values(Take::UpTo(1_000_000), 1_000_000)[999_999..], [999_999, 1_000_000]);
        // Purely periodic with period 22; with a preperiod of 16 and a period of 11.
        let periodic = values(Take::exactly(vec![2, 5, 7]), 200);
        assert!((0..200 - 22).all(|n| periodic[n] == periodic[n + 22]));
        let later = values(Take::exactly(vec![1, 4, 10]), 200);
        assert!((16..200 - 11).all(|n| later[n] == later[n + 11]) && later[15] != later[15 + 11]);
    }

    #[test]
    fn wythoff_pairs_are_the_published_ones() {
        let published = [(0, 0), (1, 2), (3, 5), (4, 7), (6, 10), (8, 13), (9, 15), (11, 18)];
        assert_eq!(wythoff_pairs(11), published);
    }

    #[test]
    #[cfg(feature = "write")]
    fn each_theorem_agrees_with_the_rules_on_all_positions() {
        let game = |bounds: &[Heap], take: Take, heaps_per_move: u32, equal_take, play| HeapKeys {
            bounds: bounds.to_vec(),
            take,
            heaps_per_move: heaps_per_move.into(),
            equal_take,
            play,
            ..Default::default()
        };
        let (normal, misere) = (Play::Normal, Play::Misere);
        let listed = Take::exactly(vec![1, 3, 4]);
        let decided = [
            (game(&[2, 4, 5], Take::Any, 1, false, normal), Theory::Nim),
            (game(&[2, 4, 5], Take::Any, 1, false, misere), Theory::MisereNim),
            (game(&[1, 1, 1, 3], Take::Any, 1, false, misere), Theory::MisereNim),
            (game(&[20], Take::UpTo(3), 1, false, normal), Theory::Bachet { at_once: 3, rest: 0 }),
            (game(&[21], Take::UpTo(3), 1, false, misere), Theory::Bachet { at_once: 3, rest: 1 }),
            (game(&[9], Take::UpTo(1), 1, false, misere), Theory::Bachet { at_once: 1, rest: 1 }),
            (game(&[5, 6], Take::UpTo(2), 1, false, normal), Theory::Grundy(Take::UpTo(2))),
            (game(&[4, 9], listed.clone(), 1, false, normal), Theory::Grundy(listed.clone())),
            (game(&[3, 3, 3], Take::Any, 2, false, normal), Theory::Moore(2)),
            (game(&[1, 2, 2, 3], Take::Any, 3, false, normal), Theory::Moore(3)),
            (game(&[9, 13], Take::Any, 2, true, normal), Theory::Wythoff),
        ];
        for (keys, theory) in decided {
            let rules = keys.rules().unwrap();
            assert_eq!(Theory::of(&rules), Some(theory.clone()));
            let judge = theory.judge(rules.greatest_bound());
            for (position, solution) in &Solved::new(&rules).positions {
                let lost = solution.outcome == Outcome::Loss;
                assert_eq!(judge.is_lost(&position.heaps), lost, "{theory:?} at {position:?}");
                let mut turned = position.heaps;
                turned.reverse();
                assert_eq!(judge.is_lost(&turned), lost, "{theory:?} at {turned:?}");
            }
            for heap in 0..=rules.greatest_bound() {
                let value = if let Theory::Grundy(take) = &theory {
                    *grundy_values(take, heap).last().unwrap()
                } else {
                    heap
                };
                assert_eq!(judge.value(heap), value, "{theory:?}");
            }
        }
        let undecided = [
            HeapKeys { passes: 1, ..game(&[2, 4, 5], Take::Any, 1, false, normal) },
            HeapKeys { passes: 1, ..game(&[9], Take::UpTo(3), 1, false, normal) },
            game(&[2, 4, 5], Take::UpTo(2), 1, false, misere),
            game(&[3, 3, 3], Take::Any, 2, false, misere),
            game(&[3, 3, 3], Take::Any, 2, true, normal),
            game(&[3, 3, 3], Take::UpTo(2), 2, false, normal),
            game(&[9, 13], Take::Any, 2, true, misere),
            game(&[9, 13], Take::UpTo(2), 2, true, normal),
        ];
        for keys in undecided {
            assert_eq!(Theory::of(&keys.clone().rules().unwrap()), None, "{keys:?}");
        }
    }

    #[test]
    fn nim_sums_have_no_carries_and_column_sums_count_ones() {
        assert_eq!((nim_sum(&[]), nim_sum(&[3, 5, 7]), nim_sum(&[u32::MAX, 1])), (0, 1, u32::MAX - 1));
        assert_eq!(column_sums(&[]), [0; 0]);
        assert_eq!(column_sums(&[3, 5, 6]), [2, 2, 2]);
        assert_eq!(column_sums(&[0, 8, 9]), [1, 0, 0, 2]);
        assert_eq!(column_sums(&[u32::MAX, 1 << 31])[30..], [1, 2]);
    }
}
