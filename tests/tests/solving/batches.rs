//! A batch of positions gets the same answers as single positions, for tables of both families.

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::ExpandingKeys;
use bouton_tables::heaps::HeapKeys;
use bouton_tables::{Answer, AskError, Solved, Table};
use bouton_tests::positions::{Dice, GameUnderTest};

/// Checks that 3,000 random positions have the same answers in batches as one by one.
fn check_batch<G: GameUnderTest>(rules: &G, depths: bool) {
    let file = generate_in_memory(&rules.ruleset(), depths).unwrap();
    let table = Table::open(file).unwrap();
    let table = G::table_of(&table);
    let mut dice = Dice::new(7);
    let mut positions: Vec<G::Position> = (0..3000).map(|_| rules.random_position(&mut dice)).collect();
    assert!(table.answer_each(&[], |_, _| panic!("there is no position")).is_ok());
    // The answers arrive in order, each with its index.
    for part in positions.chunks(700) {
        let mut indices = 0..part.len();
        let each = table.answer_each(part, |index, answer| {
            assert_eq!(Some(index), indices.next());
            let Answer { verdict, best, winning } = table.answer(&part[index]).unwrap();
            assert_eq!(answer, Answer { verdict, best, winning: &winning }, "{:?}", part[index]);
        });
        each.unwrap();
        assert_eq!(indices.next(), None);
    }
    // The first position outside of the table is named, and all positions before it are answered.
    let outside = rules.outside().remove(0);
    positions.insert(10, outside.clone());
    positions.insert(20, outside);
    let mut answers = 0;
    assert!(matches!(table.answer_each(&positions, |_, _| answers += 1), Err((10, AskError::Position(_)))));
    assert_eq!(answers, 10);
}

#[test]
fn a_batch_gets_the_answers_of_single_positions() {
    let expanding = |stones, growth| ExpandingKeys { stones, growth, ..Default::default() }.rules().unwrap();
    let heaps = HeapKeys { bounds: vec![5, 9, 12, 14], passes: 1, ..Default::default() }.rules().unwrap();
    for depths in [false, true] {
        // A small table, moves of more stones than a machine word has bits, and a table whose lines stay packed.
        for rules in [expanding(300, 1), expanding(900, 80), expanding(20_000, 1)] {
            check_batch(&rules, depths);
        }
        check_batch(&heaps, depths);
    }
}
