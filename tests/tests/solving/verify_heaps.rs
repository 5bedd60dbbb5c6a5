//! `verify` refuses each table of a heap game in which one field is changed such that an answer is wrong. All tables
//! have correct checksums.

use bouton_generator::heaps::{ClassEdge, LostTarget, TableParts as Lies};
use bouton_generator::{Census, VerifyError, VerifyOptions, generate_in_memory, verify, verify_with};
use bouton_tables::format::in_memory;
use bouton_tables::heaps::{HeapCounts, HeapKeys, HeapRules, Take};
use bouton_tables::{Play, Table};
use bouton_tests::format_twin::heaps::Twin;
use bouton_tests::games;
use bouton_tests::harm::{Harm, every_wrong_field};
use bouton_tests::headers;
use bouton_tests::hostile;
use bouton_tests::positions::GameUnderTest;
use bouton_tests::seal::Parts;
use rayon::prelude::*;

/// Returns all heaps within the bounds, in each of their orders.
fn every_order(bounds: &[u32]) -> Vec<Vec<u32>> {
    let greatest = bounds[bounds.len() - 1];
    let one_more = |all: Vec<Vec<u32>>| {
        let longer =
            |rows: &Vec<u32>| (0..=greatest).map(|heap| [&rows[..], &[heap]].concat()).collect::<Vec<_>>();
        all.iter().flat_map(longer).collect::<Vec<_>>()
    };
    let all = bounds.iter().fold(vec![vec![]], |all, _| one_more(all));
    let fits = |rows: &Vec<u32>| {
        let mut sorted = rows.clone();
        sorted.sort();
        sorted.iter().zip(bounds).all(|(heap, bound)| heap <= bound)
    };
    all.into_iter().filter(fits).collect()
}

/// Harms a right table in each of these ways, and checks that all tables that are still proven are right in every order of
/// heaps. Returns how many are refused, and how many of them because of another order.
fn refused_tables(rules: &HeapRules, right: &Parts, harms: Vec<Vec<Harm>>) -> [u64; 2] {
    let right_twin = Twin::read(&right.seal()).unwrap();
    let depths = right_twin.header().depths;
    let orders = every_order(rules.bounds());
    let refused = harms.into_par_iter().map(|harms| {
        let mut wrong = right.clone();
        harms.iter().for_each(|harm| harm.apply(&mut wrong, &mut Vec::new()));
        let file = wrong.seal();
        let Ok(table) = Table::open(file.clone()) else { return [0, 0] };
        let by_position = VerifyOptions { every_position: true, ..Default::default() };
        let [by_lines, by_position] =
            [VerifyOptions::default(), by_position].map(|options| verify_with(&table, &options, &()));
        assert_eq!(by_lines.is_err(), by_position.is_err(), "{rules:?}: {harms:?}, {by_lines:?}");
        if let Err(error) = by_lines {
            return [1, u64::from(error.to_string().contains("in another order"))];
        }
        let twin = Twin::read(&file).expect("the second reader accepts what is proven");
        for rows in &orders {
            for passes in 0..=u32::from(rules.passes()) {
                // The stones of the best move are not read without depths, or if there is no move.
                let has_best = depths && rules.can_take(rows);
                let loss = |twin: &Twin| {
                    let loss = twin.loss_in_order(rows, passes)?;
                    Some((loss.depth, has_best.then_some(loss.stones)))
                };
                assert_eq!(loss(&twin), loss(&right_twin), "{rules:?}: {harms:?}, {rows:?}");
            }
        }
        [0, 0]
    });
    refused.reduce(|| [0, 0], |[a, b], [c, d]| [a + c, b + d])
}

#[test]
fn a_proven_table_is_right_in_every_order_of_heaps() {
    let game = |bounds: &[u32], take: Take, passes, play| {
        HeapKeys { bounds: bounds.to_vec(), take, passes, play, ..Default::default() }.rules().unwrap()
    };
    let (normal, misere) = (Play::Normal, Play::Misere);
    let games = [
        (game(&[6, 6, 6], Take::Any, 0, normal), 1),
        (game(&[3, 3, 3, 3], Take::Any, 0, misere), 1),
        (game(&[2, 4, 6], Take::Any, 0, normal), 1),
        (game(&[4, 4, 4], Take::Any, 1, normal), 7),
        (game(&[5, 5, 5], Take::UpTo(2), 0, normal), 1),
        (game(&[3, 3, 3, 3], Take::UpTo(2), 0, misere), 1),
        (game(&[2, 3, 5], Take::exactly(vec![1, 3]), 1, normal), 7),
    ];
    let mut refused_orders = 0;
    for (rules, every_nth) in games {
        for depths in [false, true] {
            let right = parts(&rules, depths);
            let harms =
                every_wrong_field(&right).into_iter().step_by(every_nth).map(|harm| vec![harm]).collect();
            refused_orders += refused_tables(&rules, &right, harms)[1];
        }
    }
    // Two fields at a time: two classes may then differ only with further heaps.
    let rules = game(&[1; 5], Take::Any, 0, normal);
    let right = parts(&rules, false);
    let single = every_wrong_field(&right);
    let pairs =
        single.iter().enumerate().flat_map(|(at, &one)| single[..at].iter().map(move |&two| vec![one, two]));
    refused_orders += refused_tables(&rules, &right, pairs.collect())[1];
    assert!(refused_orders > 0, "some wrong records are reached only in other orders");
}

#[test]
fn a_proven_table_of_moves_from_several_heaps_is_right() {
    let (normal, misere) = (Play::Normal, Play::Misere);
    let listed = |amounts: &[u32]| Take::exactly(amounts.to_vec());
    let game = |bounds: &[u32], take, counts: &[u32], equal_take, passes, play| {
        let heaps_per_move = HeapCounts::exactly(counts).unwrap();
        HeapKeys { bounds: bounds.to_vec(), take, heaps_per_move, equal_take, passes, play }.rules().unwrap()
    };
    let games = [
        game(&[9, 9], Take::Any, &[1, 2], true, 0, normal),
        game(&[3, 6], Take::Any, &[1, 2], true, 1, misere),
        game(&[3, 3, 3], Take::Any, &[1, 2], true, 0, misere),
        game(&[5, 5, 5], Take::Any, &[1, 2], false, 0, normal),
        game(&[2, 3, 5], Take::Any, &[1, 2], false, 1, misere),
        game(&[2, 2, 2, 2], Take::Any, &[1, 2, 3], false, 0, normal),
        game(&[3, 3, 3], Take::Any, &[1, 3], false, 0, normal),
        game(&[6, 6], Take::Any, &[2], false, 0, normal),
        game(&[3, 3, 3], Take::UpTo(2), &[1, 2, 3], false, 0, normal),
        game(&[2, 3, 4], Take::UpTo(2), &[2], true, 1, misere),
        game(&[7, 7], listed(&[1, 3, 4]), &[1, 2], false, 0, normal),
        game(&[4, 4, 4], listed(&[1, 3]), &[1, 2], true, 0, misere),
    ];
    for rules in games {
        for depths in [false, true] {
            let right = parts(&rules, depths);
            let harms: Vec<_> = every_wrong_field(&right).into_iter().map(|harm| vec![harm]).collect();
            let all = harms.len() as u64;
            let [refused, _] = refused_tables(&rules, &right, harms);
            assert!(refused * 3 > all, "{rules:?}: {refused} of {all} are refused");
        }
    }
}

/// Verifies the table that is made of these parts.
fn verified(parts: &Parts) -> Result<(), VerifyError> {
    let table = Table::open(parts.seal()).expect("a file that is whole opens");
    verify(&table).map(drop)
}

/// Makes the table of a heap game, and takes it apart.
fn parts(rules: &HeapRules, depths: bool) -> Parts {
    Parts::of(&generate_in_memory(&rules.ruleset(), depths).unwrap())
}

#[test]
fn a_table_of_other_rules_under_this_name_is_found() {
    let rules = |take, per_move: u32, equal, play| {
        HeapKeys {
            bounds: vec![6, 6],
            take,
            heaps_per_move: per_move.into(),
            equal_take: equal,
            passes: 1,
            play,
        }
        .rules()
        .expect("allowed rules")
    };
    let listed = Take::exactly(vec![1, 3]);
    let any = [
        rules(Take::Any, 1, false, Play::Normal),
        rules(Take::Any, 1, false, Play::Misere),
        rules(Take::Any, 2, false, Play::Normal),
        rules(Take::Any, 2, true, Play::Normal),
    ];
    let limited = [
        rules(Take::UpTo(2), 1, false, Play::Normal),
        rules(Take::UpTo(2), 1, false, Play::Misere),
        rules(Take::UpTo(3), 1, false, Play::Normal),
        rules(Take::UpTo(2), 2, true, Play::Misere),
        rules(listed, 1, false, Play::Normal),
    ];
    let mut all_wrong = 0;
    for depths in [false, true] {
        // Bodies with targets do not fit rules without targets at all, and vice versa.
        for group in [&any[..], &limited] {
            for (named, other) in group.iter().flat_map(|named| group.iter().map(move |o| (named, o))) {
                let (right, other) = (parts(named, depths), parts(other, depths));
                let header = headers::with_layout_of(&right.header, &other.header).expect("headers of ours");
                let found = verified(&Parts { header, body: other.body.clone() });
                let wrong = matches!(found, Err(VerifyError::Wrong(_) | VerifyError::Contradictory(_)));
                // Without depths, two of these games have the same tables.
                assert_eq!(wrong, other.body != right.body, "{named:?}: {found:?}");
                all_wrong += usize::from(wrong);
            }
        }
    }
    assert_eq!(all_wrong, 2 * (4 * 3 + 5 * 4) - 2);
}

#[test]
fn a_header_that_counts_wrong_is_found() {
    for rules in games::heaps() {
        let valid = parts(&rules, true);
        let entries = headers::entries(&valid.header).expect("it is a header");
        let counts = |&number: &usize| ["positions", "wins", "deepest"].contains(&&entries[number].name[..]);
        for number in (0..entries.len()).filter(counts) {
            for change in [1, u64::MAX] {
                let mut wrong = entries.clone();
                let number = &mut wrong[number].numbers()[0];
                *number = number.wrapping_add(change);
                let header = headers::header(&wrong);
                let found = verified(&Parts { header, ..valid.clone() });
                assert!(matches!(found, Err(VerifyError::Miscounted { .. })), "{rules:?}: {found:?}");
            }
        }
    }
}

#[test]
fn a_table_of_more_positions_than_can_be_counted_is_refused_at_once() {
    // Small files can claim this many positions, by saying that no heap matters.
    for (heaps, size) in [(16, 200), (16, 1000), (9, 5000)] {
        let rules = HeapKeys { bounds: vec![size; heaps], ..Default::default() }.rules();
        let rules = rules.expect("allowed rules");
        assert_eq!(rules.positions(), u64::MAX);
        let level = vec![ClassEdge::default(); size as usize + 1];
        let levels = [vec![level; heaps - 1], vec![vec![]]].concat();
        let lies = Lies {
            stem: vec![ClassEdge::default()],
            levels,
            targets: vec![LostTarget::default()],
            ..Lies::default()
        };
        let file = in_memory(|sink| lies.write(&rules, &rules, true, Census::default(), sink)).unwrap();
        hostile::ask(&file);
        let found = verified(&Parts::of(&file));
        assert!(matches!(found, Err(VerifyError::Miscounted { .. })), "{found:?}");
    }
}
