//! Compares tables of heap games with the oracle, position by position.

use bouton_tables::heaps::{HeapCounts, HeapKeys, HeapRules, HeapTable, Move, Position, Take};
use bouton_tables::{Game, MoveSet, Outcome, Play, Ruleset, Solved, Table};

use super::heaps;
use crate::oracle::heaps as oracle;

/// Converts the oracle's rules to the library's.
///
/// # Panics
/// If the rules are not allowed.
#[must_use]
pub fn ruleset(rules: &oracle::Rules) -> HeapRules {
    let take = match &rules.take {
        oracle::Take::Any => Take::Any,
        oracle::Take::UpTo(most) => Take::UpTo(*most),
        oracle::Take::Exactly(amounts) => Take::exactly(amounts.clone()),
    };
    let play = if rules.misere { Play::Misere } else { Play::Normal };
    let number = |count: usize| u32::try_from(count).expect("at most 16");
    let counts: Vec<u32> = rules.exactly.iter().copied().map(number).collect();
    let heaps_per_move = match &counts[..] {
        [] => HeapCounts::up_to(number(rules.heaps_per_move)),
        counts => HeapCounts::exactly(counts).expect("the tests use allowed rules"),
    };
    HeapKeys {
        bounds: rules.bounds.clone(),
        take,
        heaps_per_move,
        equal_take: rules.equal_take,
        passes: rules.passes,
        play,
    }
    .rules()
    .expect("the tests use allowed rules")
}

/// Converts the oracle's move to the library's.
#[must_use]
pub fn to_move(chosen: &oracle::Move) -> Move {
    let mut all = Move::PASS;
    if let oracle::Move::Take(takes) = chosen {
        takes.iter().for_each(|&(row, take)| all.set(row - 1, take));
    }
    all
}

/// Generates the table, with and without depths, and compares every position with the oracle, looked up with its
/// heaps in ascending order and permuted.
///
/// # Panics
/// At the first difference.
pub fn check_against_oracle(rules: &oracle::Rules) {
    let truth = oracle::solve(rules);
    let wins = truth.values().filter(|verdict| verdict.win).count() as u64;
    let deepest = truth.values().map(|verdict| verdict.depth).max().unwrap_or(0);
    for depths in [true, false] {
        let bytes = bouton_generator::generate_in_memory(&Ruleset::Heaps(ruleset(rules)), depths).unwrap();
        let table = Table::open(bytes).expect("a fresh table opens");
        let header = table.header();
        assert_eq!(header.positions, truth.len() as u64, "{rules:?}");
        assert_eq!((header.wins, header.deepest), (wins, if depths { deepest } else { 0 }), "{rules:?}");
        for p in truth.keys() {
            // The heaps in ascending order, and permuted: two or three heaps are then in descending order.
            let mut permuted = p.heaps.clone();
            permuted.rotate_left(1);
            permuted.reverse();
            let half = permuted.len() / 2;
            permuted.rotate_left(half);
            for rows in [&p.heaps, &permuted] {
                let expected = oracle::answer(rules, &truth, rows, p.passes);
                check_answer(heaps(&table), rows, p.passes, rules, &expected);
            }
        }
    }
}

/// Compares the table's answer about a position with the oracle's answer.
fn check_answer(
    table: &HeapTable,
    rows: &[u32],
    passes: u32,
    rules: &oracle::Rules,
    expected: &oracle::Answer,
) {
    let depths = table.has_depths();
    let context = || format!("{rows:?}/{passes} of {rules:?}, depths {depths}");
    let passes = u8::try_from(passes).expect("at most 15");
    let position = Position { heaps: rows.iter().copied().collect(), passes };
    let answer = table.answer(&position).unwrap_or_else(|error| panic!("{}: {error}", context()));
    assert_eq!(answer.verdict, table.verdict(&position).expect("the same again"), "{}", context());
    assert_eq!(table.outcome(&position), Ok(answer.verdict.outcome), "{}", context());
    assert_eq!(answer.verdict.outcome, Outcome::from_won(expected.win), "{}", context());
    assert_eq!(answer.verdict.depth, depths.then_some(expected.depth), "{}", context());
    let winning: Vec<Move> = expected.winning.iter().map(to_move).collect();
    assert_eq!(answer.winning.iter().collect::<Vec<_>>(), winning, "{}", context());
    assert_eq!((answer.winning.len(), answer.winning.is_empty()), (winning.len(), winning.is_empty()));
    let best = if depths {
        expected.best.as_ref().map(to_move)
    } else {
        // Without depths all winning moves tie, and all moves of a lost position do.
        winning.first().copied().or_else(|| table.game().moves(&position).next())
    };
    assert_eq!(answer.best, best, "{}", context());
}
