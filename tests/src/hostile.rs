//! Files that lie: tables with anything in them and all sums right, and the questions that no file may make a
//! table choke on.
//!
//! The property tests and the fuzz targets share this: both turn bytes into files, and put them to [`ask`]
//! and [`prove`].

use std::sync::OnceLock;

use bouton_generator::{generate, verify};
use bouton_lookup::{Options, Policy, in_words, look_up};
use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position};
use bouton_tables::{Answer, AskError, Family, Game, MoveSet, Play, Ruleset, Solved, Table, hex};

use crate::harm::Harm;
use crate::positions::{self, Dice};
use crate::seal::Parts;

/// The good tables from which the lying ones are made: their number.
pub const BASES: usize = 12;

/// A good table, taken apart.
///
/// # Panics
/// If a good table cannot be made, which is a bug of its own.
#[must_use]
pub fn base(number: usize) -> &'static Parts {
    static PARTS: OnceLock<Vec<Parts>> = OnceLock::new();
    let make = || {
        let rulesets = [
            (60, 3, 1, 3, [1, 1], Play::Normal),
            // Masks of two words.
            (160, 70, 1, 66, [1, 0], Play::Misere),
            // A single row.
            (50, 4, 0, 2, [2, 1], Play::Misere),
            // Lists of marks, lines that refer to others, a limit that reaches some rows on.
            (200, 3, 4, 1, [2, 2], Play::Normal),
            // Many rows of next to nothing.
            (90, 1, 1000, 1, [0, 0], Play::Normal),
        ];
        let table = |(stones, base, growth, limit, resets, play), depths| {
            let rules = Expanding::new(stones, base, growth, limit, resets, play).expect("allowed rules");
            Parts::of(&generate(&Ruleset::Expanding(rules), depths, &|_| {}))
        };
        let mut parts: Vec<Parts> =
            rulesets.iter().flat_map(|&rules| [true, false].map(|d| table(rules, d))).collect();
        // Two so long that opening leaves the blocks unchecked: zeros follow what the directory tells of.
        parts.extend([true, false].map(|depths| {
            let mut parts = table(rulesets[3], depths);
            parts.body.resize(160 << 10, 0);
            parts
        }));
        parts
    };
    &PARTS.get_or_init(make)[number % BASES]
}

/// A good table harmed and sealed again: all its sums are right, but for those meant to be wrong.
#[must_use]
pub fn resealed(base_number: usize, harms: &[Harm]) -> Vec<u8> {
    let mut parts = base(base_number).clone();
    let mut wrong_sums = Vec::new();
    for harm in harms {
        harm.apply(&mut parts, &mut wrong_sums);
    }
    parts.seal_with_wrong_sums(&wrong_sums)
}

/// The good table and the harms that a fuzzer's bytes stand for.
#[must_use]
pub fn script(bytes: &[u8]) -> (usize, Vec<Harm>) {
    let Some((&base, rest)) = bytes.split_first() else { return (0, Vec::new()) };
    let harms = rest.chunks(Harm::BYTES).map(|chunk| {
        let mut bytes = [0; Harm::BYTES];
        bytes[..chunk.len()].copy_from_slice(chunk);
        Harm::new(bytes)
    });
    (base.into(), harms.collect())
}

/// Asks a file all that a table can be asked. Whatever is in it, every call returns before long; and whoever
/// plays by its answers makes legal moves and gets sensible numbers. Gives the number of answers.
///
/// # Panics
/// If the table does not keep this promise.
pub fn ask(file: &[u8]) -> usize {
    let table = match Table::open(file) {
        Ok(table) => table,
        Err(error) => {
            assert!(!format!("{error} {error:?}").is_empty());
            return 0;
        }
    };
    assert_eq!(table.file_len(), file.len());
    assert_eq!(hex(&table.digest()).len(), 64);
    let header = table.header();
    assert!(header.wins <= header.positions, "{header:?}");
    let Family::Expanding(expanding) = table.family() else { panic!("a table of Expanding Nim") };
    let answers = ask_expanding(expanding);
    // Last: from now on the blocks of a long body are checked.
    for damage in [table.check_sums().err(), table.check_whole().err()].into_iter().flatten() {
        assert!(!damage.to_string().is_empty());
    }
    answers
}

/// How many positions a table is asked for.
const QUESTIONS: usize = 200;
/// How many stones the moves asked for may take in all: whoever may take a billion stones gets a billion
/// answers.
const MOVES: u64 = 1 << 20;

fn ask_expanding(table: &ExpandingTable<&[u8]>) -> usize {
    let rules = table.game();
    let mut dice = Dice::new(rules.positions());
    let mut moves = 0;
    let mut answers = 0;
    for number in 0..QUESTIONS {
        let position = positions::any(rules, &mut dice);
        assert_eq!(rules.parse_position(&position.to_string()), Ok(position.clone()));
        let verdict = table.verdict(&position);
        let reach = rules.limit(position.currentmax, position.imposed).min(position.stones);
        moves += u64::from(reach);
        if moves > MOVES {
            continue;
        }
        match table.answer(&position) {
            Ok(answer) => {
                answers += 1;
                check_answer(table, &position, &answer);
                // Without depths, outcome and winning moves may tell different lies.
                if let (Ok(verdict), true) = (verdict, table.has_depths()) {
                    assert_eq!(verdict, answer.verdict, "{position}");
                }
                if number % 20 == 0 && reach <= 128 {
                    look(table, &position);
                }
            }
            Err(error) => {
                assert!(matches!(error, AskError::Damaged(_)), "{position}: {error}");
                assert!(!error.to_string().is_empty());
            }
        }
    }
    for position in positions::outside(rules) {
        // Some lie on rows that the table has. What counts is that nothing breaks.
        let _ = (table.verdict(&position), table.answer(&position));
    }
    answers
}

/// Looks a position up as the lookup program does, with every move of it.
fn look(table: &ExpandingTable<&[u8]>, position: &Position) {
    for policy in [Policy::Longest, Policy::Trap] {
        match look_up(table, position, Options { policy, moves: true }) {
            Ok(reply) => assert!(!reply.to_json().is_empty() && !in_words(&reply).is_empty()),
            Err(error) => assert!(matches!(error, AskError::Damaged(_)), "{position}: {error}"),
        }
    }
}

fn check_answer<W: MoveSet<Move> + std::fmt::Debug>(
    table: &ExpandingTable<&[u8]>,
    position: &Position,
    answer: &Answer<Move, W>,
) {
    let rules = table.game();
    assert_eq!(answer.verdict.depth.is_some(), table.has_depths(), "{answer:?} at {position}");
    assert!(answer.verdict.depth.is_none_or(|depth| depth < u32::MAX), "{answer:?} at {position}");
    assert_eq!(answer.best.is_none(), position.stones == 0, "{answer:?} at {position}");
    let mut count = 0;
    let mut last = None;
    for chosen in answer.winning.iter() {
        assert!(rules.is_legal(position, chosen) && last < Some(chosen), "{chosen} at {position}");
        (count, last) = (count + 1, Some(chosen));
    }
    assert_eq!((answer.winning.len(), answer.winning.is_empty()), (count, count == 0));
    assert_eq!(answer.winning.first(), answer.winning.iter().next());
    for chosen in answer.best.iter().chain(&answer.winning.first()).chain(&last) {
        assert!(rules.is_legal(position, *chosen), "{chosen} at {position}");
        assert_eq!(rules.parse_move(&chosen.to_string()), Ok(*chosen));
        // What follows is covered too.
        let next = table.verdict(&rules.after(position, *chosen));
        assert!(!matches!(next, Err(AskError::Position(_))), "{next:?} after {chosen} at {position}");
    }
}

/// The most positions of a table that is put to the proof.
const PROVABLE: u64 = 10_000;

/// Puts a small table to the proof of `bouton verify`: what it proves must be what the solvers say. Gives
/// whether it is proven.
///
/// # Panics
/// If a table is proven that is not right.
pub fn prove(file: &[u8]) -> bool {
    let Ok(table) = Table::open(file) else { return false };
    if table.header().ruleset.positions() > PROVABLE {
        return false;
    }
    if let Err(error) = verify(&table, &|_| {}) {
        assert!(!error.to_string().is_empty());
        return false;
    }
    let Family::Expanding(proven) = table.family() else { panic!("a table of Expanding Nim") };
    let right = generate(&table.header().ruleset, table.header().depths, &|_| {});
    let right = Table::open(right).expect("a fresh table opens");
    assert_eq!(table.header(), right.header());
    let Family::Expanding(right) = right.family() else { panic!("a table of Expanding Nim") };
    for position in positions::every(right.game()) {
        assert_eq!(proven.answer(&position), right.answer(&position), "{position}");
        assert_eq!(proven.verdict(&position), right.verdict(&position), "{position}");
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_tables_answer_everything_and_are_proven() {
        for number in 0..BASES {
            let file = base(number).seal();
            assert_eq!(ask(&file), QUESTIONS, "table {number}");
            assert_eq!(
                prove(&file),
                Table::open(&file).unwrap().header().positions <= PROVABLE,
                "table {number}"
            );
        }
        assert!(std::ptr::eq(base(BASES), base(0)) && !std::ptr::eq(base(BASES - 1), base(0)));
    }

    #[test]
    fn a_field_is_set_where_the_reader_finds_it() {
        // Class 0 of the first line becomes one that there is not.
        let harm = Harm::Field { array: 0, record: 0, field: 0, value: u64::MAX };
        let error = Table::open(resealed(4, &[harm])).unwrap_err().to_string();
        assert!(error.contains("line 0 is of class"), "{error}");
    }
}
