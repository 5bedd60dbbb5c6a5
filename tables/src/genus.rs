//! Genera: what a position of misère play is worth beside heaps of Nim (Conway, On Numbers and Games, 1976; Berlekamp, Conway and Guy,
//! Winning Ways, chapter 13).
//!
//! In misère play a sum of games is not decided by one value of each. The genus tells how a position does beside heaps of Nim: its
//! number γ(n) is the one heap of Nim beside which it is lost, where n heaps of two stones lie there too. The numbers alternate from
//! some n on. They are computed from the rules, as [Grundy values](crate::grundy) are: γ(0) is the least number that is not γ(0)
//! where a move leads, and 1 where there is no move; each further heap of two adds the moves that are made in it.

use std::fmt;

use crate::grundy::{Companion, GrundyError, few_enough, least_values};
use crate::{Game, Outcome, Region};

/// The most positions that genera are computed for, of which each takes four bytes for each number.
pub const MOST_POSITIONS: u64 = 20_000_000;

/// So many numbers come at the most before they alternate, in all games that are computed.
const MOST_NUMBERS: usize = 64;

/// The genus of a position.
///
/// Shown as is usual, the Grundy value in normal play before the numbers: `2^20`, of which the last two go on for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genus {
    /// The Grundy value in normal play.
    pub normal: u32,
    /// γ(0), γ(1), γ(2), ... to the first two that alternate for ever.
    pub misere: Vec<u32>,
}

impl Genus {
    /// The genus of a position of misère play. `go_on` is told from time to time how many more positions are done, and says whether to
    /// go on.
    ///
    /// # Errors
    /// If too many positions come before it, or there is not enough memory.
    ///
    /// # Panics
    /// If the game is in normal play, where a Grundy value says all.
    pub fn of<G: Game>(
        game: &G,
        position: &G::Position,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, GrundyError> {
        Ok(Genera::up_to(game, position, go_on)?.of(position))
    }

    /// The heap of Nim beside which the position is lost; it is lost by itself if that is 0.
    #[must_use]
    pub fn lost_beside(&self) -> u32 {
        self.misere[0]
    }
}

/// The genera of a position and of all positions with lower numbers.
pub struct Genera<G: Game> {
    region: G::Region,
    /// The Grundy values in normal play, by the numbers of positions.
    normal: Vec<u32>,
    /// For each number of heaps of two stones the values in misère play beside them. The last two alternate for ever.
    misere: Vec<Vec<u32>>,
}

/// Number of positions whose genera [`Genera::up_to`] computes.
///
/// # Errors
/// If there are too many.
pub fn positions<G: Game>(game: &G, last: &G::Position) -> Result<u64, GrundyError> {
    let positions = game.region()?.number(last) + 1;
    few_enough(positions, MOST_POSITIONS)?;
    Ok(positions)
}

impl<G: Game> Genera<G> {
    /// Computes the genera of positions of misère play, up to a last one. `go_on` is called from time to time with the number of values
    /// computed since the call before, and says whether to go on.
    ///
    /// # Errors
    /// If there are too many positions or not enough memory, or if `go_on` says so.
    ///
    /// # Panics
    /// If the game is in normal play, where a Grundy value says all.
    pub fn up_to(
        game: &G,
        last: &G::Position,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, GrundyError> {
        assert_eq!(game.outcome_without_moves(), Outcome::Win, "the game is in misère play");
        let (region, positions) = (game.region()?, positions(game, last)?);
        let normal = least_values(game, &region, positions, Companion::NOTHING, go_on)?;
        let alone = Companion { end: 1, others: None };
        let mut misere = vec![least_values(game, &region, positions, alone, go_on)?];
        loop {
            let below = &misere[misere.len() - 1];
            // A move in a heap of two leaves one stone of it, or none.
            let in_heap = |number: usize| [below[number], below[number] ^ 1];
            let one_more = Companion { end: 1, others: Some(&in_heap) };
            let next = least_values(game, &region, positions, one_more, go_on)?;
            // If all values are those of two heaps before, so are all that follow.
            let alternate = misere.len() > 1 && misere[misere.len() - 2] == next;
            misere.push(next);
            if alternate {
                return Ok(Self { region, normal, misere });
            }
            if misere.len() > MOST_NUMBERS {
                return Err(GrundyError::Memory { positions });
            }
        }
    }

    /// Returns the genus of a position.
    ///
    /// # Panics
    /// If the position comes after the last one.
    pub fn of(&self, position: &G::Position) -> Genus {
        let number = self.region.number(position) as usize;
        let mut misere: Vec<u32> = self.misere.iter().map(|values| values[number]).collect();
        while misere.len() > 2 && misere[misere.len() - 3] == misere[misere.len() - 1] {
            misere.pop();
        }
        Genus { normal: self.normal[number], misere }
    }
}

impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.misere.iter().all(|&number| number < 10);
        let numbers: Vec<String> = self.misere.iter().map(u32::to_string).collect();
        write!(f, "{}^{}", self.normal, numbers.join(if digits { "" } else { "," }))
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
            // Tame and fickle no more.
            ("2,2", "0^02"),
            ("2,3", "1^13"),
            ("2,4", "6^64"),
        ] {
            assert_eq!(genus(&nim, position), expected, "{position}");
        }
    }

    /// Whether the player to move wins a position beside heaps of Nim, by the definition of misère play.
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
            .flat_map(|place| {
                let nim = nim.clone();
                (0..nim[place]).map(move |left| {
                    let mut after = nim.clone();
                    after[place] = left;
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
    fn a_position_is_lost_beside_the_heap_that_its_genus_names_and_beside_no_other() {
        for keys in [
            HeapKeys { bounds: vec![2, 4], ..Default::default() },
            HeapKeys { bounds: vec![10], take: Take::exactly(vec![1, 4]), ..Default::default() },
            HeapKeys { bounds: vec![4, 7], take: Take::exactly(vec![2, 3]), ..Default::default() },
            HeapKeys { bounds: vec![4, 4], heaps_per_move: 2, equal_take: true, ..Default::default() },
            HeapKeys { bounds: vec![2, 3], passes: 1, ..Default::default() },
        ] {
            let (rules, mut known) = (rules(keys), HashMap::new());
            for position in rules.region().unwrap().walk(0) {
                let Genus { misere, .. } = Genus::of(&rules, &position, &mut |_| true).unwrap();
                // Companion up to three heaps of two, and so beyond where most genera begin to alternate.
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
