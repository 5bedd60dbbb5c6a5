//! Genera: the theory of misère play in sums with Nim heaps (Conway, On Numbers and Games, 1976; Berlekamp, Conway
//! and Guy, Winning Ways, chapter 13).
//!
//! In misère play, no single value of each part decides a sum of games. The genus describes the sums of a position with
//! Nim heaps: γ(n) is the size of the Nim heap that makes a lost sum with the position and n heaps of two stones. From
//! some n on, the numbers alternate between two values. γ(0) is the least number that is not γ(0) of a next position,
//! and 1 if there is no move. For γ(n), the moves in a heap of two count as well. A Nim heap of two has the genus 2^20:
//! 2 in normal play, then 2, 0, 2, 0, ...

use std::fmt;

use crate::grundy::{Companion, GrundyError, count_up_to, least_values};
use crate::{Game, Outcome, Region};

/// Maximum number of positions for which genera are computed. Each position takes four bytes for each γ(n).
pub const MAX_POSITIONS: u64 = 20_000_000;

/// Maximum number of γ(n) computed; if they do not alternate by then, the computation fails.
const MAX_NUMBERS: usize = 65;

/// The genus of a position.
///
/// Written as the Grundy value in normal play with the numbers as superscript: `2^20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genus {
    /// The Grundy value in normal play.
    pub normal: u32,
    /// γ(0), γ(1), γ(2), ...; the last two alternate forever.
    pub misere: Vec<u32>,
}

impl Genus {
    /// Computes the genus of a position, like [`Genera::up_to`].
    pub fn of<G: Game>(
        game: &G,
        position: &G::Position,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, GrundyError> {
        Ok(Genera::up_to(game, position, go_on)?.of(position))
    }

    /// Returns γ(0): the position and a Nim heap of this size make a lost sum.
    pub fn misere_value(&self) -> u32 {
        self.misere[0]
    }
}

/// The genera of a position and of all positions before it.
pub struct Genera<G: Game> {
    region: G::Region,
    /// The Grundy values in normal play, by index of the position.
    normal: Vec<u32>,
    /// For each n, the list of γ(n) by index of the position. The last two lists alternate forever.
    misere: Vec<Vec<u32>>,
}

/// Returns the number of positions for which [`Genera::up_to`] computes values.
pub fn count_positions<G: Game>(game: &G, last: &G::Position) -> Result<u64, GrundyError> {
    count_up_to(&game.region()?, last, MAX_POSITIONS)
}

impl<G: Game> Genera<G> {
    /// Computes the genera of positions of misère play, up to a last one. Calls `go_on` from time to time with the
    /// number of values computed since the previous call; false cancels.
    pub fn up_to(
        game: &G,
        last: &G::Position,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, GrundyError> {
        assert_eq!(game.outcome_without_moves(), Outcome::Win, "the game is in misère play");
        let (region, positions) = (game.region()?, count_positions(game, last)?);
        let normal = least_values(game, &region, positions, Companion::NOTHING, go_on)?;
        let nothing = Companion { end: 1, next_values: None };
        let mut misere = vec![least_values(game, &region, positions, nothing, go_on)?];
        loop {
            let previous = &misere[misere.len() - 1];
            // A move in a heap of two leaves one stone or none.
            let next_values = |index: usize| [previous[index], previous[index] ^ 1];
            let one_more = Companion { end: 1, next_values: Some(&next_values) };
            let next = least_values(game, &region, positions, one_more, go_on)?;
            // If this list equals the one before the last, the lists alternate from here on.
            let alternate = misere.len() > 1 && misere[misere.len() - 2] == next;
            misere.push(next);
            if alternate {
                return Ok(Self { region, normal, misere });
            }
            if misere.len() == MAX_NUMBERS {
                return Err(GrundyError::Memory { positions });
            }
        }
    }

    /// Returns the genus of a position. It must not come after the last one.
    pub fn of(&self, position: &G::Position) -> Genus {
        let index = self.region.index_of(position) as usize;
        let mut misere: Vec<u32> = self.misere.iter().map(|values| values[index]).collect();
        while misere.len() > 2 && misere[misere.len() - 3] == misere[misere.len() - 1] {
            misere.pop();
        }
        Genus { normal: self.normal[index], misere }
    }
}

impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let are_digits = self.misere.iter().all(|&number| number < 10);
        let numbers: Vec<String> = self.misere.iter().map(u32::to_string).collect();
        write!(f, "{}^{}", self.normal, numbers.join(if are_digits { "" } else { "," }))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;
    use crate::Play;
    use crate::heaps::{HeapKeys, HeapRules, Take};

    fn rules(keys: HeapKeys) -> HeapRules {
        HeapKeys { play: Play::Misere, ..keys }.rules().unwrap()
    }

    fn genus(rules: &HeapRules, position: &str) -> String {
        let position = rules.parse_position(position).unwrap();
        Genus::of(rules, &position, &mut |_| true).unwrap().to_string()
    }

    #[test]
    fn heaps_of_nim_and_their_sums_have_the_genera_of_winning_ways() {
        let nim = rules(HeapKeys { bounds: vec![9, 9, 9], ..Default::default() });
        for (position, expected) in [
            ("0", "0^120"),
            ("1", "1^031"),
            ("2", "2^20"),
            ("3", "3^31"),
            ("4", "4^46"),
            ("9", "9^9,11"),
            ("1,1", "0^120"),
            ("1,1,1", "1^031"),
            // This genus is neither tame nor fickle.
            ("2,2", "0^02"),
            ("2,3", "1^13"),
            ("2,4", "6^64"),
        ] {
            assert_eq!(genus(&nim, position), expected, "{position}");
        }
    }

    /// Returns true if the player to move wins the sum of a position and Nim heaps, by the definition of misère play.
    fn wins(
        rules: &HeapRules,
        position: &<HeapRules as Game>::Position,
        nim: &[u32],
        known: &mut HashMap<(String, Vec<u32>), bool>,
    ) -> bool {
        let mut nim: Vec<u32> = nim.iter().copied().filter(|&heap| heap > 0).collect();
        nim.sort_unstable();
        let key = (rules.show_position(position), nim.clone());
        if let Some(&known) = known.get(&key) {
            return known;
        }
        let moves: Vec<_> = rules.moves(position).collect();
        let in_nim: BTreeSet<Vec<u32>> = (0..nim.len())
            .flat_map(|index| {
                let nim = nim.clone();
                (0..nim[index]).map(move |left| {
                    let mut after = nim.clone();
                    after[index] = left;
                    after
                })
            })
            .collect();
        let mut won = moves.is_empty() && in_nim.is_empty();
        won =
            won || moves.into_iter().any(|chosen| !wins(rules, &rules.after(position, chosen), &nim, known));
        won = won || in_nim.iter().any(|after| !wins(rules, position, after, known));
        known.insert(key, won);
        won
    }

    #[test]
    fn a_sum_with_nim_heaps_is_lost_exactly_if_the_genus_says_so() {
        for keys in [
            HeapKeys { bounds: vec![2, 4], ..Default::default() },
            HeapKeys { bounds: vec![10], take: Take::exactly(vec![1, 4]), ..Default::default() },
            HeapKeys { bounds: vec![4, 7], take: Take::exactly(vec![2, 3]), ..Default::default() },
            HeapKeys { bounds: vec![4, 4], heaps_per_move: 2.into(), equal_take: true, ..Default::default() },
            HeapKeys { bounds: vec![2, 3], passes: 1, ..Default::default() },
        ] {
            let (rules, mut known) = (rules(keys), HashMap::new());
            for position in rules.region().unwrap().walk(0) {
                let Genus { misere, .. } = Genus::of(&rules, &position, &mut |_| true).unwrap();
                // With up to three heaps of two, which is past the point where most genera begin to alternate.
                for twos in 0..4 {
                    let number = misere[if twos < misere.len() {
                        twos
                    } else {
                        misere.len() - 2 + (twos - misere.len()) % 2
                    }];
                    for heap in 0..=number + 2 {
                        let beside = [vec![2; twos], vec![heap]].concat();
                        let won = wins(&rules, &position, &beside, &mut known);
                        let text = rules.show_position(&position);
                        assert_eq!(!won, heap == number, "{text} beside {beside:?}: {misere:?}");
                    }
                }
            }
        }
    }
}
