//! Long games of Expanding Nim: more stones than 32 bits count, the numbers of stretches of equal gaps, and the limits.

use bouton_generator::{GenerateError, VerifyOptions, generate_in_memory, verify_with};
use bouton_tables::expanding::{
    Expanding, ExpandingKeys, ExpandingTable, MAX_STONES, MAX_STONES_WITH_DEPTHS, Position,
};
use bouton_tables::{Game, MoveSet, Outcome, Ruleset, Solved, Table};
use bouton_tests::compare::expanding;

fn rules(stones: u64, resets: [u8; 2]) -> Expanding {
    ExpandingKeys { stones, resets, ..Default::default() }.rules().unwrap()
}

/// Returns the table without depths.
fn solved(rules: &Expanding) -> Table {
    Table::open(generate_in_memory(&Ruleset::Expanding(rules.clone()), false).unwrap()).unwrap()
}

/// The first number that 32 bits do not hold.
const WIDE: u64 = 1 << 32;

/// Returns the position of a game without resets, with player 1 to move.
fn at(rules: &Expanding, stones: u64, currentmax: u32) -> Position {
    Position { currentmax, ..rules.start(stones) }
}

fn is_lost(table: &ExpandingTable, stones: u64, currentmax: u32) -> bool {
    table.outcome(&at(table.game(), stones, currentmax)).unwrap() == Outcome::Loss
}

/// Checks that each lost place follows from the one before. If p is the last lost place at currentmax c - 1, whose limit
/// is c, moves of up to c - 1 stones lead to p from the places p + 1 to p + c - 1. From p + c only a move of c stones
/// leads there, and then the currentmax is c. So p + c is lost, unless p is lost at currentmax c too: then p + c + 1 is.
fn check_gaps(table: &ExpandingTable, limit: u32, around: u64, gaps: u64) {
    let [currentmax, gap] = [limit - 1, limit + 1].map(u64::from);
    let mut lost = (around..around + gap).filter(|&stones| is_lost(table, stones, limit - 1));
    let mut place = lost.next().expect("a lost place within a gap");
    for _ in 0..gaps {
        let next = place + u64::from(limit) + u64::from(is_lost(table, place, limit));
        // Far above the small takes, look at both ends of the gap only.
        let between = (place + 1..next).filter(|stones| (stones - place).min(next - stones) < 100);
        for stones in between {
            assert!(!is_lost(table, stones, limit - 1), "{stones} at currentmax {currentmax}");
        }
        assert!(is_lost(table, next, limit - 1), "{next} at currentmax {currentmax}");
        place = next;
    }
}

/// Compares the answers around a number of stones with the outcomes of all moves.
fn check_answers(table: &ExpandingTable, currentmax: u32, around: u64) {
    let rules = table.game();
    for stones in around - 40..around + 40 {
        for imposed in [false, true] {
            let position = Position { imposed, ..at(rules, stones, currentmax) };
            let answer = table.answer(&position).unwrap();
            let is_win =
                |&chosen: &_| table.outcome(&rules.after(&position, chosen)).unwrap() == Outcome::Loss;
            let winning: Vec<_> = rules.moves(&position).filter(is_win).collect();
            assert!(answer.winning.iter().eq(winning.iter().copied()), "{position}");
            assert_eq!(answer.verdict.outcome, Outcome::from_won(!winning.is_empty()), "{position}");
            assert_eq!(rules.parse_position(&position.to_string()).as_ref(), Ok(&position));
        }
    }
}

#[test]
fn places_beyond_32_bits_are_lost_or_won_by_the_rule_of_gaps() {
    let rules = rules(5_000_000_000, [0, 0]);
    let table = solved(&rules);
    let table = expanding(&table);
    let greatest = rules.greatest_currentmax();
    for limit in [3, 4, 5, 17, 64, 1000, 20_000, 37_000] {
        let gap = u64::from(limit) + 1;
        check_gaps(table, limit, WIDE - 20 * gap, 40);
        let most = rules.max_stones(limit).unwrap();
        check_gaps(table, limit, most - 45 * gap, 40);
    }
    for currentmax in [0, 2, 3, 10, 200] {
        check_answers(table, currentmax, WIDE);
        check_answers(table, currentmax, rules.max_stones(currentmax).unwrap() - 40);
    }
    assert_eq!(rules.max_stones(greatest + 1), None);
    let outside = rules.parse_position("5000000001").unwrap_err().to_string();
    assert!(outside.contains("5000000000 stones"), "{outside}");
}

#[test]
fn a_table_with_resets_of_more_stones_than_32_bits_count_is_right() {
    let rules = ExpandingKeys { stones: WIDE + 4_000_000, base_limit: 2000, growth: 3, ..Default::default() };
    let rules = ExpandingKeys { resets: [1, 2], reset_limit: 70, ..rules }.rules().unwrap();
    let table = solved(&rules);
    for currentmax in [0, 2000, 5000] {
        check_answers(expanding(&table), currentmax, WIDE);
    }
}

/// Returns the number of stretches of equal gaps between the lost places of all rows, and the number of lost places. The
/// gap from the last place of a row to the next one, beyond the end of the row, counts too.
fn stretches(rules: &Expanding, table: &ExpandingTable) -> (u64, u64) {
    // The row above the last one counts too: only its place 0 arises.
    let (mut stretches, mut lost) = (1, 0);
    // The first place beyond the end of the row above.
    let mut beyond_above = Some(0);
    // Row 0 is that of currentmax 2. Beyond the last row, a move may take all stones.
    for currentmax in (2..=rules.greatest_currentmax()).rev() {
        let Some(most) = rules.max_stones(currentmax) else { continue };
        let (mut last, mut gap) = (None, 0);
        for train in table.lost_trains(&at(rules, most, currentmax)).unwrap() {
            let train = train.unwrap();
            assert_eq!(train.width, 1);
            let first_gap = last.map(|last| train.start - last);
            let own_gap = (train.count > 1).then_some(train.gap);
            for next in first_gap.into_iter().chain(own_gap) {
                stretches += u64::from(next != gap);
                gap = next;
            }
            last = Some(train.start + (train.count - 1) * train.gap);
            lost += train.count;
        }
        let last = last.expect("place 0 is lost");
        let is_in_above = rules.max_stones(currentmax + 1).is_some_and(|most| last <= most);
        let is_lost_above = is_in_above && is_lost(table, last, currentmax + 1) || beyond_above == Some(last);
        let next_gap = u64::from(currentmax) + 1 + u64::from(is_lost_above);
        stretches += u64::from(next_gap != gap);
        beyond_above = Some(last + next_gap);
    }
    (stretches, lost)
}

#[test]
fn lines_have_a_known_number_of_stretches_of_equal_gaps() {
    for (stones, expected) in
        [(1_000_000, 45_297), (10_000_000, 175_074), (100_000_000, 662_014), (1_000_000_000, 2_658_129)]
    {
        let rules = rules(stones, [0, 0]);
        let found = stretches(&rules, expanding(&solved(&rules)));
        assert_eq!(found.0, expected, "{stones}: {found:?}");
        if stones == 100_000_000 {
            assert_eq!(found.1, 794_220_865);
        }
    }
}

#[test]
#[ignore = "takes a minute: cargo test --release --test solving -- --ignored ten_billion"]
fn the_table_of_ten_billion_stones_is_right() {
    let rules = rules(10_000_000_000, [0, 0]);
    let table = solved(&rules);
    assert_eq!(stretches(&rules, expanding(&table)).0, 10_651_036);
    verify_with(&table, &VerifyOptions::default(), &()).unwrap();
}

#[test]
fn tables_with_depths_have_fewer_stones() {
    let few = |stones, growth| ExpandingKeys { stones, growth, ..Default::default() }.rules().unwrap();
    let refused = generate_in_memory(&few(MAX_STONES_WITH_DEPTHS + 1, 1).into(), true).unwrap_err();
    assert!(matches!(&refused, GenerateError::Depths(_)), "{refused}");
    assert_eq!(
        refused.to_string(),
        "stones = 1000000001: expected at most 1000000000 in a table with depths; ask for fewer stones, or omit depths"
    );
    // One row, in which a move may take from 1 to 3 stones: every fourth place is lost.
    let rules = few(MAX_STONES, 0);
    let table = solved(&rules);
    let table = expanding(&table);
    for (stones, expected) in [(MAX_STONES, true), (MAX_STONES - 1, false), (WIDE, true), (WIDE + 2, false)] {
        let start = Position { resets: [0, 0], ..rules.start(stones) };
        assert_eq!(table.outcome(&start).unwrap() == Outcome::Loss, expected, "{stones}");
    }
}
