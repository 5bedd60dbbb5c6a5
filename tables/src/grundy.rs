//! Grundy values: the Nim heap equivalent to a position in any sum of games (Sprague, 1935; Grundy, 1939).
//!
//! The values are computed from the rules, not read from a table: the value of a position is the least number that is
//! not the value of a next position. If moves lead to positions of the values 0, 1 and 3, it is 2. A position is lost
//! if its value is 0. In Expanding Nim a position says whose resets the next move may use; the move after it may use the
//! other player's. The values presume this order, whoever makes the moves.

use std::collections::TryReserveError;

use thiserror::Error;

use crate::expanding::Expanding;
use crate::heaps::theory::grundy_values;
use crate::heaps::{HeapRules, MoveKind};
use crate::{Game, Outcome, Region, TooManyPositions};

/// Maximum number of positions for which values are computed: they take 400 MB of memory.
pub const MAX_POSITIONS: u64 = 100_000_000;

/// Number of positions between two calls of `go_on`.
const BATCH: u64 = 1 << 12;

/// The reason why Grundy values cannot be computed.
#[derive(Debug, Error, PartialEq, Eq)]
#[allow(missing_docs, reason = "the messages explain the fields")]
pub enum GrundyError {
    /// The game is in misère play.
    #[error(
        "positions have Grundy values in normal play only, and these rules are of misère play, where the \
         values of the parts do not decide a sum of games; ask for the genus (`bouton-lookup --grundy`, \
         `bouton export --grundy` as csv, jsonl or npy), or change the rules to play = \"normal\""
    )]
    Misere,
    /// There are too many positions.
    #[error(
        "{positions} positions have to be computed up to the last requested one, at most {most} are allowed; \
         ask for a smaller position, or a smaller game"
    )]
    TooMany { positions: u64, most: u64 },
    /// There are too many positions to number.
    #[error(transparent)]
    Countless(#[from] TooManyPositions),
    /// There is not enough memory.
    #[error(
        "there is not enough memory for the Grundy values of {positions} positions; ask for a smaller game"
    )]
    Memory { positions: u64 },
    /// The caller cancelled.
    #[error("the computation of the Grundy values was cancelled")]
    Cancelled,
}

/// Computes the value of a position as the nim-sum of its heaps' values.
type ValueOfSum<G> = Box<dyn Fn(&<G as Game>::Position) -> u32 + Send + Sync>;

/// A game whose positions have Grundy values.
pub trait GrundyGame: Game {
    /// Returns a function that computes the value of a position as the nim-sum of its heaps' values, for positions with
    /// heaps no greater than in `greatest`. `None` if a position is not the sum of its heaps.
    fn value_of_sum(&self, _greatest: &Self::Position) -> Option<ValueOfSum<Self>> {
        None
    }
}

impl GrundyGame for Expanding {}

impl GrundyGame for HeapRules {
    fn value_of_sum(&self, greatest: &Self::Position) -> Option<ValueOfSum<Self>> {
        match self.move_kind() {
            _ if self.passes() > 0 => None,
            MoveKind::AnyFromOne => {
                Some(Box::new(|position| position.heaps.iter().fold(0, |sum, heap| sum ^ heap)))
            }
            MoveKind::AmountsFromOne(amounts) => {
                let values = grundy_values(amounts, greatest.heaps.iter().copied().max().unwrap_or(0));
                Some(Box::new(move |position| {
                    position.heaps.iter().fold(0, |sum, &heap| sum ^ values[heap as usize])
                }))
            }
            _ => None,
        }
    }
}

enum ValueSource<G: Game> {
    Sum(ValueOfSum<G>),
    /// The values, by index of the position.
    Listed(G::Region, Vec<u32>),
}

/// Checks that the positions of a game have Grundy values.
pub fn check<G: GrundyGame>(game: &G) -> Result<(), GrundyError> {
    if game.outcome_without_moves() == Outcome::Win { Err(GrundyError::Misere) } else { Ok(()) }
}

/// Returns the number of positions that [`GrundyValues::up_to`] visits; 0 if the heaps' own values suffice.
pub fn count_positions<G: GrundyGame>(game: &G, last: &G::Position) -> Result<u64, GrundyError> {
    check(game)?;
    if game.value_of_sum(last).is_some() {
        return Ok(0);
    }
    count_up_to(&game.region()?, last, MAX_POSITIONS)
}

/// Returns the number of positions up to a last one, if it is at most `most`.
pub(crate) fn count_up_to<R: Region>(
    region: &R,
    last: &<R::Game as Game>::Position,
    most: u64,
) -> Result<u64, GrundyError> {
    let positions = region.index_of(last) + 1;
    if positions > most { Err(GrundyError::TooMany { positions, most }) } else { Ok(positions) }
}

/// Returns the last position of a game, for which [`GrundyValues::up_to`] computes the values of all positions.
pub fn last_position<G: Game>(game: &G) -> Result<G::Position, TooManyPositions> {
    let region = game.region()?;
    Ok(region.walk(region.count() - 1).next().expect("every game has a position"))
}

/// A game that is added to each position: nothing, or Nim heaps of two stones (see [`genus`](crate::genus)).
#[derive(Clone, Copy)]
pub(crate) struct Companion<'a> {
    /// The value of a position without moves, if the companion has no moves either.
    pub(crate) end: u32,
    /// The values that moves in the companion lead to, by index of the position.
    pub(crate) next_values: Option<&'a dyn Fn(usize) -> [u32; 2]>,
}

impl Companion<'_> {
    pub(crate) const NOTHING: Self = Self { end: 0, next_values: None };
}

/// Returns, for each of the first positions of a region, the least value to which no move leads, in the position or in
/// the companion.
pub(crate) fn least_values<G: Game>(
    game: &G,
    region: &G::Region,
    positions: u64,
    companion: Companion<'_>,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> Result<Vec<u32>, GrundyError> {
    let mut values: Vec<u32> = Vec::new();
    let memory = |_: TryReserveError| GrundyError::Memory { positions };
    values.try_reserve_exact(positions as usize).map_err(memory)?;
    // For each value, the number of the last position with a move to the value; numbers count from 1.
    let mut last_reached: Vec<u64> = Vec::new();
    // Each move leads to a position with a lower index: to fewer stones, or to the same stones with fewer passes.
    for (position, number) in region.walk(0).take(positions as usize).zip(1..) {
        let mut moves = 0;
        let mut reach = |value: u32| {
            let value = value as usize;
            last_reached.resize(last_reached.len().max(value + 1), 0);
            last_reached[value] = number;
            moves += 1;
        };
        for chosen in game.moves(&position) {
            reach(values[region.index_of(&game.after(&position, chosen)) as usize]);
        }
        companion.next_values.into_iter().flat_map(|next| next(values.len())).for_each(&mut reach);
        // Some value up to the number of moves is not reached.
        let least = last_reached.iter().take(moves).position(|&last| last != number);
        let least = least.unwrap_or(last_reached.len().min(moves)) as u32;
        values.push(if moves == 0 { companion.end } else { least });
        let done = if number % BATCH == 0 || number == positions { (number - 1) % BATCH + 1 } else { 0 };
        if done > 0 && !go_on(done) {
            return Err(GrundyError::Cancelled);
        }
    }
    Ok(values)
}

/// The Grundy values of positions.
pub struct GrundyValues<G: Game>(ValueSource<G>);

impl<G: GrundyGame> GrundyValues<G> {
    /// Computes the values of a position and of all positions before it. Calls `go_on` from time to time with the
    /// number of values computed since the previous call; false cancels.
    pub fn up_to(
        game: &G,
        last: &G::Position,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<Self, GrundyError> {
        check(game)?;
        // Positions sort by their greatest heap first, so those before have no greater heaps.
        if let Some(value_of_sum) = game.value_of_sum(last) {
            return Ok(Self(ValueSource::Sum(value_of_sum)));
        }
        let region = game.region()?;
        let positions = count_up_to(&region, last, MAX_POSITIONS)?;
        let values = least_values(game, &region, positions, Companion::NOTHING, go_on)?;
        Ok(Self(ValueSource::Listed(region, values)))
    }

    /// Returns the value of a position. It must not come after the last one.
    pub fn of(&self, position: &G::Position) -> u32 {
        match &self.0 {
            ValueSource::Sum(value_of_sum) => value_of_sum(position),
            ValueSource::Listed(region, values) => values[region.index_of(position) as usize],
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashMap};

    use super::*;
    use crate::Play;
    use crate::expanding::ExpandingKeys;
    use crate::heaps::{HeapKeys, Heaps, Position, Take};

    fn heaps(keys: HeapKeys) -> HeapRules {
        keys.rules().unwrap()
    }

    fn all<G: GrundyGame>(game: &G) -> GrundyValues<G> {
        GrundyValues::up_to(game, &last_position(game).unwrap(), &mut |_| true).unwrap()
    }

    /// Returns the value by the definition, remembering values by the text of a position.
    fn defined<G: Game>(game: &G, position: &G::Position, known: &mut HashMap<String, u32>) -> u32 {
        let text = game.show_position(position);
        if let Some(&value) = known.get(&text) {
            return value;
        }
        let moves: Vec<G::Move> = game.moves(position).collect();
        let reached: BTreeSet<u32> =
            moves.into_iter().map(|chosen| defined(game, &game.after(position, chosen), known)).collect();
        let value = (0..).find(|value| !reached.contains(value)).unwrap();
        known.insert(text, value);
        value
    }

    #[test]
    fn values_agree_with_the_definition() {
        fn check<G: GrundyGame>(game: &G) {
            let (region, values, mut known) = (game.region().unwrap(), all(game), HashMap::new());
            for (index, position) in (0..).zip(region.walk(0)) {
                let value = defined(game, &position, &mut known);
                assert_eq!(values.of(&position), value, "{}", game.show_position(&position));
                // A computation that ends at this position gives its value too.
                for chosen in game.moves(&position) {
                    assert!(region.index_of(&game.after(&position, chosen)) < index);
                }
                if index % 50 == 0 {
                    assert_eq!(
                        GrundyValues::up_to(game, &position, &mut |_| true).unwrap().of(&position),
                        value
                    );
                }
            }
        }
        let any = || HeapKeys { bounds: vec![3, 5, 7], ..Default::default() };
        for keys in [
            any(),
            HeapKeys { passes: 2, ..any() },
            HeapKeys { heaps_per_move: 2.into(), ..any() },
            HeapKeys { heaps_per_move: 3.into(), passes: 1, ..any() },
            HeapKeys {
                heaps_per_move: 2.into(),
                equal_take: true,
                bounds: vec![12, 14],
                ..Default::default()
            },
            HeapKeys { take: Take::exactly(vec![1, 3, 4]), bounds: vec![9, 30], ..Default::default() },
            HeapKeys { take: Take::UpTo(3), passes: 1, ..any() },
        ] {
            check(&heaps(keys));
        }
        let pile = |stones, resets, growth| ExpandingKeys { stones, resets, growth, ..Default::default() };
        for keys in [pile(30, [1, 1], 1), pile(20, [0, 2], 2), pile(40, [0, 0], 0)] {
            check(&keys.rules().unwrap());
        }
    }

    #[test]
    fn wythoffs_game_has_the_published_values() {
        // Berlekamp, Conway and Guy, Winning Ways, chapter 3; A004481.
        let keys =
            HeapKeys { bounds: vec![5, 5], heaps_per_move: 2.into(), equal_take: true, ..Default::default() };
        let values = all(&heaps(keys));
        let rows = [
            [0, 1, 2, 3, 4, 5],
            [1, 2, 0, 4, 5, 3],
            [2, 0, 1, 5, 3, 4],
            [3, 4, 5, 6, 2, 0],
            [4, 5, 3, 2, 7, 6],
            [5, 3, 4, 0, 6, 8],
        ];
        for (a, row) in (0..).zip(rows) {
            for (b, value) in (0..).zip(row) {
                let position = Position { heaps: Heaps::from_iter([a, b]), passes: 0 };
                assert_eq!(values.of(&position), value, "{a},{b}");
            }
        }
    }

    #[test]
    fn a_game_with_a_pass_has_the_values_computed_by_hand() {
        // Computed by hand from the definition of Low and Chan (2015): G(n, p) is the least number that is not G(n -
        // 2, p), G(n - 3, p) or G(n, p - 1), and 0 if no stone can be taken.
        let keys = HeapKeys { bounds: vec![12], take: Take::exactly(vec![2, 3]), ..Default::default() };
        let values = all(&heaps(HeapKeys { passes: 1, ..keys }));
        let at = |heap, passes| values.of(&Position { heaps: Heaps::from_iter([heap]), passes });
        let without: Vec<u32> = (0..=12).map(|heap| at(heap, 0)).collect();
        let with_a_pass: Vec<u32> = (0..=12).map(|heap| at(heap, 1)).collect();
        assert_eq!(without, [0, 0, 1, 1, 2, 0, 0, 1, 1, 2, 0, 0, 1]);
        assert_eq!(with_a_pass, [0, 0, 2, 2, 1, 1, 3, 0, 0, 1, 1, 2, 0]);
    }

    #[test]
    fn games_without_grundy_values_are_refused_with_the_reason() {
        let start = |rules: &HeapRules| GrundyValues::up_to(rules, &rules.start(), &mut |_| true).err();
        assert_eq!(
            start(&heaps(HeapKeys { play: Play::Misere, bounds: vec![3], ..Default::default() })),
            Some(GrundyError::Misere)
        );
        let large = heaps(HeapKeys { bounds: vec![100; 6], passes: 1, ..Default::default() });
        assert!(matches!(start(&large), Some(GrundyError::TooMany { .. })));
        let cancelled = heaps(HeapKeys { bounds: vec![200, 200], passes: 1, ..Default::default() });
        let cancelled =
            GrundyValues::up_to(&cancelled, &last_position(&cancelled).unwrap(), &mut |_| false).err();
        assert_eq!(cancelled, Some(GrundyError::Cancelled));
        // In a sum, the positions before are not needed.
        let nim = heaps(HeapKeys { bounds: vec![1_000_000_000; 3], ..Default::default() });
        let position = nim.parse_position("5,1000000000,5").unwrap();
        let value = GrundyValues::up_to(&nim, &position, &mut |_| true).unwrap().of(&position);
        assert_eq!(value, 1_000_000_000);
    }
}
