//! Several positions are answered as they are one by one.

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::heaps::HeapKeys;
use bouton_tables::{AskError, Solved, Table};
use bouton_tests::positions::{Dice, Tested};

fn as_one_by_one<G: Tested>(rules: &G, depths: bool) {
    let file = generate_in_memory(&rules.ruleset(), depths).unwrap();
    let table = Table::open(file).unwrap();
    let table = G::table_of(&table);
    let mut dice = Dice::new(7);
    let mut positions: Vec<G::Position> = (0..3000).map(|_| rules.any(&mut dice)).collect();
    let mut answers = Vec::new();
    assert!(table.answers(&[], &mut answers).is_ok() && answers.is_empty());
    // They are appended, part by part.
    for part in positions.chunks(700) {
        table.answers(part, &mut answers).unwrap();
    }
    assert_eq!(answers.len(), positions.len());
    for (position, answer) in positions.iter().zip(&answers) {
        assert_eq!(&table.answer(position).unwrap(), answer, "{position:?}");
    }
    // The first one that the table does not cover is named, and all before have their answers.
    let outside = rules.outside().remove(0);
    positions.insert(10, outside.clone());
    positions.insert(20, outside);
    let before = answers.split_off(10);
    answers.clear();
    assert!(matches!(table.answers(&positions, &mut answers), Err((10, AskError::Position(_)))));
    assert!(answers.len() == 10 && !before.is_empty());
}

#[test]
fn several_positions_are_answered_as_one_by_one() {
    let expanding = |stones, growth| ExpandingKeys { stones, growth, ..Default::default() }.rules().unwrap();
    let heaps = HeapKeys { bounds: vec![5, 9, 12, 14], passes: 1, ..Default::default() }.rules().unwrap();
    for depths in [false, true] {
        // A small table, moves of more stones than a word has bits, and a table whose lines stay packed.
        for rules in [expanding(300, 1), expanding(900, 80), expanding(20_000, 1)] {
            as_one_by_one(&rules, depths);
        }
        as_one_by_one(&heaps, depths);
    }
}
