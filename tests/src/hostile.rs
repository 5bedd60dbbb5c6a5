//! Hostile files: tables with arbitrary contents and, mostly, correct checksums. The library may refuse them, but no
//! question about them may make it panic, hang or answer with an illegal move.
//!
//! The property tests and the fuzz targets share this module: both turn bytes into files, and pass them to [`ask`]
//! and [`prove`].

use std::ops::Range;
use std::sync::OnceLock;

use bouton_generator::{generate_in_memory, verify};
use bouton_lookup::{Explain, LookUpError, LookUpOptions, Policy, in_words, look_up};
use bouton_study::StudyError;
use bouton_study::analyze::{Scope, analyze};
use bouton_study::diff::{self, DifferenceKind, diff};
use bouton_study::export::{self, Format, RowLayout, Sequence};
use bouton_study::filter::Filter;
use bouton_tables::{Answer, AskError, Game, MoveSet, Ruleset, Solved, Table, hex, with_rules, with_table};

use crate::games;
use crate::harm::Harm;
use crate::positions::{Dice, GameUnderTest};
use crate::seal::Parts;

/// The numbers of the valid tables of Expanding Nim that the hostile ones are made from. Tables with depths have even
/// numbers.
pub const EXPANDING: Range<usize> = 0..12;
/// The numbers of the valid tables of heap games.
pub const HEAPS: Range<usize> = EXPANDING.end..42;
/// The number of valid tables.
pub const BASES: usize = HEAPS.end;

/// Returns the parts of a valid table. Each family has the tables of its [`games`], with depths and without, and two
/// tables so long that opening does not check their blocks.
///
/// # Panics
/// If a valid table cannot be made, which would be a bug of its own.
#[must_use]
pub fn base(number: usize) -> &'static Parts {
    static PARTS: OnceLock<Vec<Parts>> = OnceLock::new();
    let make = || {
        let (expanding, heaps) = (games::expanding(), games::heaps());
        [tables_of(&expanding), long_tables_of(&expanding[3]), tables_of(&heaps), long_tables_of(&heaps[4])]
            .concat()
    };
    &PARTS.get_or_init(make)[number % BASES]
}

/// Returns the tables of some games, each with depths and without.
fn tables_of<G: GameUnderTest>(games: &[G]) -> Vec<Parts> {
    let table = |game: &G, depths| Parts::of(&generate_in_memory(&game.ruleset(), depths).unwrap());
    games.iter().flat_map(|game| [true, false].map(|depths| table(game, depths))).collect()
}

/// Returns the tables of a game, lengthened by zeros after the arrays.
fn long_tables_of<G: GameUnderTest>(game: &G) -> Vec<Parts> {
    let mut parts = tables_of(std::slice::from_ref(game));
    parts.iter_mut().for_each(|parts| parts.body.resize(160 << 10, 0));
    parts
}

/// Returns a valid table, changed by harms and sealed again: every checksum is correct unless a harm makes it wrong.
#[must_use]
pub fn resealed(base_number: usize, harms: &[Harm]) -> Vec<u8> {
    let mut parts = base(base_number).clone();
    let mut wrong_sums = Vec::new();
    for harm in harms {
        harm.apply(&mut parts, &mut wrong_sums);
    }
    parts.seal_with_wrong_sums(&wrong_sums)
}

/// Decodes a fuzzer's bytes into the number of a valid table and a list of harms.
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

/// Asks a table every kind of question. Whatever the file contains, every call must return soon, and all answers must
/// have legal moves and sensible numbers. Returns the number of answers.
///
/// # Panics
/// If a call fails one of these requirements.
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
    let answers = with_table!(table.family(), |table| ask_family(table));
    // This check comes last: it checks the blocks of a long body, which changes later answers.
    for damage in [table.check_sums().err(), table.check_whole().err()].into_iter().flatten() {
        assert!(!damage.to_string().is_empty());
    }
    answers
}

/// The number of positions that a table is asked about.
const QUESTIONS: usize = 200;
/// Maximum number of moves that all these questions examine: with a limit of a billion stones, one position has a
/// billion moves.
const MOVES: u64 = 1 << 20;
/// Maximum number of moves of a position whose moves are all looked up.
const MOVES_LOOKED_UP: u64 = 128;

/// Asks the table about random positions, and checks the answers for consistency. Returns the number of answers.
fn ask_family<S: Explain + Solved<Game: GameUnderTest>>(table: &S) -> usize {
    let rules = table.game();
    let mut dice = Dice::new(rules.ruleset().positions());
    let mut moves = 0;
    let mut answers = 0;
    for number in 0..QUESTIONS {
        let position = rules.random_position(&mut dice);
        let shown = rules.show_position(&position);
        assert_eq!(rules.parse_position(&shown), Ok(position.clone()));
        let effort = rules.effort(&position);
        if moves + effort > MOVES {
            continue;
        }
        moves += effort;
        let verdict = table.verdict(&position);
        if let Ok(verdict) = verdict {
            assert_eq!(table.outcome(&position), Ok(verdict.outcome), "{shown}");
        }
        match table.answer(&position) {
            Ok(answer) => {
                answers += 1;
                check_answer(table, &position, &answer);
                // Without depths, the stored outcome and the winning moves of a damaged table may contradict each
                // other.
                if let (Ok(verdict), true) = (verdict, table.has_depths()) {
                    assert_eq!(verdict, answer.verdict, "{shown}");
                }
                if number % 20 == 0 && effort <= MOVES_LOOKED_UP {
                    look_up_with_moves(table, &position);
                }
                if number % 100 == 10 && effort <= MOVES_LOOKED_UP {
                    match table.explain(&position) {
                        Ok(text) => assert!(text.ends_with('\n'), "{text}"),
                        Err(error) => assert!(matches!(error, AskError::Damaged(_)), "{shown}: {error}"),
                    }
                }
            }
            Err(error) => {
                assert!(matches!(error, AskError::Damaged(_)), "{shown}: {error}");
                assert!(!error.to_string().is_empty());
            }
        }
    }
    for position in rules.outside() {
        // Some of these lie in rows of the table and get an answer. The only requirement is that nothing panics.
        let _ = (table.outcome(&position), table.verdict(&position), table.answer(&position));
    }
    answers
}

type PositionOf<S> = <<S as Solved>::Game as Game>::Position;
type MoveOf<S> = <<S as Solved>::Game as Game>::Move;

/// Looks a position up with all its moves, as `bouton-lookup` does.
fn look_up_with_moves<S: Solved>(table: &S, position: &PositionOf<S>) {
    for policy in [Policy::Longest, Policy::Trap] {
        match look_up(table, position, LookUpOptions { policy, list_moves: true }) {
            Ok(reply) => assert!(!reply.to_json().is_empty() && !in_words(&reply).is_empty()),
            Err(LookUpError::Ask(AskError::Damaged(_))) => {}
            Err(error) => panic!("{position:?}: {error}"),
        }
    }
}

/// Checks that an answer is consistent with the rules of the game, whether or not it is true.
fn check_answer<S: Solved>(table: &S, position: &PositionOf<S>, answer: &Answer<MoveOf<S>, S::WinningMoves>) {
    let rules = table.game();
    let verdict = answer.verdict;
    assert_eq!(verdict.depth.is_some(), table.has_depths(), "{verdict:?} at {position:?}");
    assert!(verdict.depth.is_none_or(|depth| depth < u32::MAX), "{verdict:?} at {position:?}");
    let is_over = rules.moves(position).next().is_none();
    assert_eq!(answer.best.is_none(), is_over, "{:?} at {position:?}", answer.best);
    let mut count = 0;
    let mut last = None;
    for chosen in answer.winning.iter() {
        assert!(rules.is_legal(position, chosen) && last < Some(chosen), "{chosen} at {position:?}");
        (count, last) = (count + 1, Some(chosen));
    }
    assert_eq!((answer.winning.len(), answer.winning.is_empty()), (count, count == 0));
    assert_eq!(answer.winning.first(), answer.winning.iter().next());
    for chosen in answer.best.iter().chain(&answer.winning.first()).chain(&last) {
        assert!(rules.is_legal(position, *chosen), "{chosen} at {position:?}");
        assert_eq!(rules.parse_move(&chosen.to_string()), Ok(*chosen));
        // The table covers the position after the move too.
        let next = table.verdict(&rules.after(position, *chosen));
        assert!(!matches!(next, Err(AskError::Position(_))), "{next:?} after {chosen} at {position:?}");
    }
}

/// Maximum number of positions of a table that the slow commands process.
const STUDIED: u64 = 1000;

/// Exports, compares and analyzes a small table, as `bouton` does; checks that tables with too many positions are
/// refused. Skips tables of a size in between, which would take too long.
///
/// # Panics
/// If a command does anything else.
pub fn study(file: &[u8]) {
    let Ok(table) = Table::open(file) else { return };
    let ruleset = &table.header().ruleset;
    let is_small = ruleset.positions() <= STUDIED;
    if !is_small && !matches!(diff::steps(ruleset, ruleset), Err(StudyError::TooMany(_))) {
        return;
    }
    let (filter, options) = (
        Filter::of(ruleset, false, "", false).expect("an empty filter is valid"),
        diff::DiffOptions {
            names: [String::new(), String::new()],
            limit: 10,
            only: DifferenceKind::Any,
            witness: true,
        },
    );
    for format in [Format::Csv, Format::Jsonl, Format::Npy] {
        match export::write(
            &table,
            &filter,
            RowLayout { format, grundy: false },
            &mut std::io::sink(),
            &|_| Ok(()),
        ) {
            Ok(rows) => assert!(is_small && rows > 0),
            Err(StudyError::TooMany(_)) => assert!(!is_small),
            Err(error) => assert!(matches!(error, StudyError::Damaged(AskError::Damaged(_))), "{error}"),
        }
    }
    match diff(&table, &table, &options, &|_| Ok(())) {
        Ok(found) => assert!(is_small && found.is_same()),
        Err(StudyError::TooMany(_)) => assert!(!is_small),
        Err(StudyError::DamagedOf { table: 'A', why: AskError::Damaged(_) }) => {}
        Err(error) => panic!("{error}"),
    }
    if is_small {
        for which in [Sequence::Losing, Sequence::Grundy] {
            // Many tables have no such sequence.
            let _ = export::sequence(&table, &filter, which);
        }
        let scope = Scope::of(ruleset, None).expect("the default scope is valid");
        match analyze(&table, &scope, &|_| Ok(())) {
            Ok(_) | Err(StudyError::Damaged(AskError::Damaged(_))) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

/// Maximum number of positions of a table that is verified.
const PROVABLE: u64 = 10_000;
/// Maximum number of moves in all positions of a table that is verified.
const MOVES_PROVEN: u64 = 1 << 21;

/// Verifies a small table as `bouton verify` does. If the proof accepts the table, it must agree with the solvers.
/// Returns whether the proof accepts it.
///
/// # Panics
/// If the proof accepts a wrong table.
pub fn prove(file: &[u8]) -> bool {
    let right = |ruleset: &Ruleset, depths| generate_in_memory(ruleset, depths).unwrap();
    prove_by(file, right)
}

/// Verifies a table like [`prove`], but compares it with `right`, a correct table of the same rules.
///
/// # Panics
/// If the proof accepts a wrong table.
pub fn prove_against_right(file: &[u8], right: &[u8]) -> bool {
    let header = Table::open(right).expect("the right table opens").header().clone();
    prove_by(file, |ruleset, depths| {
        assert_eq!((ruleset, depths), (&header.ruleset, header.has_depths), "another game is proven");
        right.to_vec()
    })
}

/// Tries to prove a file, and if that succeeds compares it with the right table. Returns whether it was proven.
fn prove_by(file: &[u8], right: impl Fn(&Ruleset, bool) -> Vec<u8>) -> bool {
    let Ok(table) = Table::open(file) else { return false };
    with_rules!(&table.header().ruleset, |rules| prove_family(&table, rules, right))
}

/// Tries to prove a table of a game that is small enough. Returns whether it was proven.
fn prove_family<G: GameUnderTest>(
    table: &Table,
    rules: &G,
    right: impl Fn(&Ruleset, bool) -> Vec<u8>,
) -> bool {
    if rules.ruleset().positions() > PROVABLE {
        return false;
    }
    let moves = rules.every().fold(0_u64, |sum, position| sum.saturating_add(rules.effort(&position)));
    if moves > MOVES_PROVEN {
        return false;
    }
    if let Err(error) = verify(table) {
        assert!(!error.to_string().is_empty());
        return false;
    }
    let right = right(&table.header().ruleset, table.header().has_depths);
    let right = Table::open(right).expect("a fresh table opens");
    assert_eq!(table.header(), right.header());
    let (proven, right) = (G::table_of(table), G::table_of(&right));
    let mut dice = Dice::new(PROVABLE);
    for position in rules.every().flat_map(|position| [position, rules.random_position(&mut dice)]) {
        assert_eq!(proven.answer(&position), right.answer(&position), "{position:?}");
        assert_eq!(proven.verdict(&position), right.verdict(&position), "{position:?}");
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_tables_answer_every_question_and_small_ones_are_proven() {
        for number in 0..BASES {
            let file = base(number).seal();
            assert_eq!(ask(&file), QUESTIONS, "table {number}");
            let table = Table::open(&file).unwrap();
            assert_eq!(prove(&file), table.header().positions <= PROVABLE, "table {number}");
            assert_eq!(table.header().has_depths, number % 2 == 0, "table {number}");
            let is_heap_table = matches!(table.family(), bouton_tables::FamilyTable::Heaps(_));
            assert_eq!(
                (is_heap_table, !is_heap_table),
                (HEAPS.contains(&number), EXPANDING.contains(&number))
            );
        }
        assert!(std::ptr::eq(base(BASES), base(0)) && !std::ptr::eq(base(BASES - 1), base(0)));
    }

    #[test]
    fn a_field_is_set_where_the_reader_finds_it() {
        // The first line gets a class that does not exist.
        let harm = Harm::Field { array: 0, record: 0, field: 0, value: u64::MAX };
        let error = Table::open(resealed(4, &[harm])).unwrap_err().to_string();
        assert!(error.contains("line 0 is of class"), "{error}");
    }
}
