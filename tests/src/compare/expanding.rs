//! Compares tables of Expanding Nim with the oracle, position by position.

use bouton_tables::expanding::{Expanding, ExpandingKeys, ExpandingTable, Move, Position, Turn};
use bouton_tables::{MoveSet, Outcome, Play, Ruleset, Solved, Table};

use super::expanding;
use crate::oracle::expanding as oracle;

/// Converts the oracle's rules to the library's.
///
/// # Panics
/// If the rules are not allowed.
#[must_use]
pub fn ruleset(rules: &oracle::Rules) -> Expanding {
    let play = if rules.misere { Play::Misere } else { Play::Normal };
    let resets = rules.resets.map(|r| u8::try_from(r).expect("at most 15"));
    ExpandingKeys {
        stones: rules.stones.into(),
        base_limit: rules.base_limit,
        growth: rules.growth,
        reset_limit: rules.reset_limit,
        resets,
        play,
    }
    .rules()
    .expect("the tests use allowed rules")
}

/// Converts the oracle's position to the library's.
///
/// # Panics
/// If a player has more than 255 resets.
#[must_use]
pub fn position(p: &oracle::Position) -> Position {
    Position {
        stones: p.stones.into(),
        currentmax: p.currentmax,
        turn: if p.turn == 1 { Turn::First } else { Turn::Second },
        resets: p.resets.map(|r| u8::try_from(r).expect("at most 15")),
        imposed: p.imposed,
    }
}

/// Generates the table, with and without depths, and compares every position with the oracle.
///
/// # Panics
/// At the first difference.
pub fn check_against_oracle(rules: &oracle::Rules) {
    let truth = oracle::solve(rules);
    let ruleset = ruleset(rules);
    let first_turn = truth.iter().filter(|(p, _)| p.turn == 1);
    let wins = first_turn.clone().filter(|(_, verdict)| verdict.win).count() as u64;
    let deepest = truth.values().map(|verdict| verdict.depth).max().unwrap_or(0);
    for depths in [true, false] {
        let bytes =
            bouton_generator::generate_in_memory(&Ruleset::Expanding(ruleset.clone()), depths).unwrap();
        let table = Table::open(bytes).expect("a fresh table opens");
        let header = table.header();
        assert_eq!(header.positions, first_turn.clone().count() as u64, "{rules:?}");
        assert_eq!((header.wins, header.deepest), (wins, if depths { deepest } else { 0 }), "{rules:?}");
        for (p, expected) in &truth {
            check_answer(expanding(&table), &position(p), expected, depths, rules);
        }
    }
}

/// Compares the table's answer about a position with the oracle's verdict and rules.
fn check_answer(
    table: &ExpandingTable,
    position: &Position,
    expected: &oracle::Verdict,
    depths: bool,
    rules: &oracle::Rules,
) {
    let answer = table.answer(position).expect("the table has the position");
    let context = || format!("{position} of {rules:?}, depths {depths}");
    assert_eq!(answer.verdict, table.verdict(position).expect("the same again"), "{}", context());
    assert_eq!(table.outcome(position), Ok(answer.verdict.outcome), "{}", context());
    assert_eq!(answer.verdict.outcome, Outcome::from_won(expected.win), "{}", context());
    assert_eq!(answer.verdict.depth, depths.then_some(expected.depth), "{}", context());
    let to_move = |&(take, reset): &(u32, bool)| Move { take, reset };
    let winning: Vec<Move> = expected.winning.iter().map(to_move).collect();
    assert_eq!(answer.winning.iter().collect::<Vec<_>>(), winning, "{}", context());
    let best = if depths {
        expected.best.as_ref().map(to_move)
    } else {
        // Without depths all winning moves tie, and all moves of a lost position do.
        winning.first().copied().or((position.stones > 0).then_some(Move { take: 1, reset: false }))
    };
    assert_eq!(answer.best, best, "{}", context());
}
