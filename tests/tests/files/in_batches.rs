//! A batch of questions gets the same answers as single questions. In a large table, the batch prefetches the data of
//! later questions.

use bouton_generator::generate_in_memory;
use bouton_tables::{Answer, Game, MoveSet, Outcome, Ruleset, Solved, Table};
use bouton_tests::compare::expanding;
use bouton_tests::positions::{self, Dice};

use super::often_asked::rules_with;

#[test]
fn a_large_table_answers_a_batch_like_single_questions() {
    for settings in [&["stones=16000000"][..], &["stones=2500000", "growth=3", "resets=0,1"]] {
        let rules = rules_with(settings);
        let file = generate_in_memory(&Ruleset::Expanding(rules.clone()), false).expect("there is memory");
        assert!(file.len() > 1 << 20, "{settings:?}: {}", file.len());
        let table = Table::open(&file[..]).expect("a sound table");
        let table = expanding(&table);
        let mut dice = Dice::new(7);
        let mut all: Vec<_> =
            (0..20_000).map(|_| positions::expanding::random_position(&rules, &mut dice)).collect();
        let single: Vec<_> =
            all.iter().map(|position| table.answer(position).expect("it has the position")).collect();
        let answer_batch = |positions: &[_]| {
            let mut answers = Vec::new();
            let all = table.answer_each(positions, |index, answer| {
                assert_eq!(index, answers.len());
                let Answer { verdict, best, winning } = answer;
                answers.push(Answer { verdict, best, winning: winning.clone() });
            });
            (all, answers)
        };
        assert_eq!(answer_batch(&all), (Ok(()), single.clone()));

        // Compares with single lookups of the positions after each move.
        for (position, answer) in all.iter().zip(&single).take(400) {
            let wins = |chosen: &_| {
                let after = table
                    .verdict(&rules.after(position, *chosen))
                    .expect("it has the position after the move");
                after.outcome == Outcome::Loss
            };
            let winning: Vec<_> = rules.moves(position).filter(wins).collect();
            assert!(answer.winning.iter().eq(winning), "{position}");
        }

        // The first position outside of the table is named, and the positions before it are answered.
        for outside in positions::expanding::outside(&rules) {
            let index = dice.up_to(60) as usize;
            let error = table.answer(&outside).expect_err("it is outside");
            let replaced = std::mem::replace(&mut all[index], outside);
            assert_eq!(answer_batch(&all[..100]), (Err((index, error)), single[..index].to_vec()));
            all[index] = replaced;
        }
    }
}
