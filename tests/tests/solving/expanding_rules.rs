//! The rules of Expanding Nim, each shown by a short game; then positions that a table refuses, and a table of many
//! rows.

use bouton_tables::expanding::{Expanding, ExpandingKeys, Move, Position, min_body_len};
use bouton_tables::format::{Content, FileWriter, Shape, in_memory};
use bouton_tables::heaps::ArrayLayout;
use bouton_tables::{AskError, Game, Header, Ruleset, Solved, Table};
use bouton_tests::compare::expanding;

/// Returns the rules of the preset: 1000 stones, 4 resets each.
fn preset() -> Expanding {
    ExpandingKeys::default().rules().unwrap()
}

/// Returns the position after these moves, which must be legal.
fn play(rules: &Expanding, start: &str, moves: &[&str]) -> Position {
    moves.iter().fold(rules.parse_position(start).unwrap(), |position, text| {
        let chosen = rules.parse_move(text).unwrap();
        assert!(rules.is_legal(&position, chosen), "{text} at {position}");
        rules.after(&position, chosen)
    })
}

/// Returns the most stones that a legal move takes.
fn largest_take(rules: &Expanding, position: &Position) -> u32 {
    rules.moves(position).map(|chosen| chosen.take).max().unwrap_or(0)
}

#[test]
fn after_1_and_3_of_8_the_player_to_move_can_take_the_other_4() {
    let rules = ExpandingKeys { stones: 8, resets: [0, 0], ..Default::default() }.rules().unwrap();
    let position = play(&rules, "8", &["1", "3"]);
    assert_eq!(position.to_string(), "4/3/1/0,0/-");
    assert_eq!(largest_take(&rules, &position), 4);
    assert_eq!(play(&rules, "8", &["1", "3", "4"]).stones, 0);
}

#[test]
fn the_limit_is_one_more_than_the_most_ever_taken_and_at_least_3() {
    let rules = preset();
    assert_eq!(largest_take(&rules, &play(&rules, "1000", &[])), 3);
    assert_eq!(largest_take(&rules, &play(&rules, "1000", &["1"])), 3);
    assert_eq!(largest_take(&rules, &play(&rules, "1000", &["3"])), 4);
    assert_eq!(largest_take(&rules, &play(&rules, "1000", &["3", "4"])), 5);
    assert_eq!(largest_take(&rules, &play(&rules, "1000", &["3", "4", "1"])), 5);
}

#[test]
fn a_reset_binds_one_move_only_and_leaves_currentmax_alone() {
    let rules = preset();
    let bound = play(&rules, "1000", &["3", "4", "5r"]);
    assert_eq!(bound.to_string(), "988/5/2/3,4/r");
    assert_eq!(largest_take(&rules, &bound), 3);
    let free = play(&rules, "1000", &["3", "4", "5r", "2"]);
    assert_eq!(free.to_string(), "986/5/1/3,4/-");
    assert_eq!(largest_take(&rules, &free), 6);
}

#[test]
fn imposing_a_reset_uses_it_up_and_may_follow_another_reset() {
    let rules = preset();
    assert_eq!(play(&rules, "100", &["1r", "1r", "1r"]).to_string(), "97/1/2/2,3/r");
    let none_left = rules.parse_position("50/3/1/0,2").unwrap();
    assert!(!rules.is_legal(&none_left, Move { take: 1, reset: true }));
    assert!(rules.moves(&none_left).all(|chosen| !chosen.reset));
}

#[test]
fn no_more_can_be_taken_than_remain_and_at_least_one_must() {
    let rules = preset();
    let two = rules.parse_position("2/9/1/1,0").unwrap();
    let moves: Vec<String> = rules.moves(&two).map(|chosen| chosen.to_string()).collect();
    assert_eq!(moves, ["1", "1r", "2", "2r"]);
    for take in [0, 3] {
        assert!(!rules.is_legal(&two, Move { take, reset: false }));
    }
}

#[test]
fn positions_that_cannot_arise_get_no_answer_even_if_built_without_parsing() {
    let rules = ExpandingKeys { stones: 100, resets: [2, 1], ..Default::default() }.rules().unwrap();
    let table = bouton_generator::generate_in_memory(&Ruleset::Expanding(rules.clone()), true).unwrap();
    let table = Table::open(table).unwrap();
    let start = rules.start(100);
    for wrong in [
        Position { currentmax: 1, ..start.clone() },
        Position { stones: 99, currentmax: 2, ..start.clone() },
        Position { stones: 101, ..start.clone() },
        Position { stones: 1, currentmax: 14, ..start.clone() },
        Position { stones: u64::MAX, currentmax: u32::MAX, ..start.clone() },
        Position { resets: [3, 1], ..start.clone() },
        Position { resets: [2, 255], ..start.clone() },
    ] {
        assert!(matches!(expanding(&table).answer(&wrong), Err(AskError::Position(_))), "{wrong}");
        assert!(matches!(expanding(&table).lost_up_to(&wrong), Err(AskError::Position(_))), "{wrong}");
        assert!(matches!(expanding(&table).verdict(&wrong), Err(AskError::Position(_))), "{wrong}");
    }
    assert!(expanding(&table).answer(&start).is_ok());
}

/// The reader accepts at most 65,536 rows, plus one for each four bytes of the body. These rows take one bit each, so
/// the body must be padded.
#[test]
fn a_table_of_many_rows_of_one_bit_opens_only_if_its_body_is_padded() {
    // After a move of m stones, up to 270,000 - m are left, and a move may take m + 90,000: all of them from 90,000 on.
    let (stones, growth, rows) = (270_000, 90_000, 90_001);
    let limits = ExpandingKeys { stones, base_limit: 1, growth, reset_limit: 1, ..Default::default() };
    let ruleset = ExpandingKeys { resets: [0, 0], ..limits }.rules().unwrap().into();
    let layout = ArrayLayout::default();
    let header = Header { ruleset, layout, has_depths: false, positions: 1, wins: 1, deepest: 0 };
    let file = |least| {
        in_memory(|sink| {
            let (classes, outcomes) = (vec![[0]; 4], vec![[0; 6]; rows as usize]);
            let none = Shape::of::<1>([]).unwrap();
            let mut shapes = vec![none; 9];
            shapes[0] = Shape::of(classes.clone())?;
            shapes[1] = Shape::of(outcomes.clone())?;
            let mut file = FileWriter::new(sink, Content::Table, &header, shapes, least)?;
            file.array(classes)?;
            file.array(outcomes)?;
            (2..9).try_for_each(|_| file.array::<1>([]))?;
            file.finish()
        })
        .unwrap()
    };
    assert!(Table::open(file(0)).unwrap_err().to_string().contains("fewer rows"));
    let table = Table::open(file(min_body_len(rows))).unwrap();
    table.check_whole().unwrap();
}
