//! Quotients decide games, wrong quotients are not proved, and tables are proved by classes.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bouton_tables::format::in_memory;
use bouton_tables::heaps::{Heap, HeapKeys, Heaps, MAX_SIZE, Ranks, Take};
use bouton_tables::{Play, Table};

use super::*;
use crate::census::Census;
use crate::control::{Control, Phase};
use crate::generate::generate_in_memory;
use crate::heaps::ByClassesError;
use crate::heaps::classes::edges::{ClassEdge, VOID};
use crate::heaps::classes::merge_classes::merge_ordered;
use crate::heaps::classes::pack::TableParts;
use crate::proof::VerifyError;
use crate::verify::{verify, verify_by_classes};

fn rules(bounds: &[Heap], take: &Take, play: Play) -> HeapRules {
    let keys = HeapKeys { bounds: bounds.to_vec(), take: take.clone(), play, ..Default::default() };
    keys.rules().unwrap()
}

fn takes() -> Vec<Take> {
    let lists: [&[Heap]; 9] =
        [&[1], &[2], &[1, 3], &[1, 4], &[2, 3], &[2, 4, 7], &[1, 2, 5], &[3, 5], &[1, 3, 4]];
    let mut takes = vec![Take::Any, Take::UpTo(1), Take::UpTo(2), Take::UpTo(5)];
    takes.extend(lists.map(|list| Take::exactly(list.to_vec())));
    takes
}

/// Returns games with heaps up to `greatest`, with all kinds of takes, in normal and misère play.
fn games(greatest: Heap) -> impl Iterator<Item = HeapRules> {
    let plays = [Play::Normal, Play::Misere];
    takes().into_iter().flat_map(move |take| plays.map(|play| rules(&[greatest], &take, play)))
}

/// Returns the lost positions of a game by rank, by the plain rules.
fn plain(rules: &HeapRules) -> (Ranks, Vec<bool>) {
    let ranks = Ranks::try_new(rules.bounds()).unwrap();
    let mut lost: Vec<bool> = Vec::new();
    for rank in 0..ranks.count() {
        let heaps = ranks.unrank(rank);
        let mut outcomes = Vec::new();
        for place in 0..heaps.len() {
            for amount in (1..=heaps[place]).filter(|&amount| rules.take().allows(amount)) {
                let mut after: Heaps = heaps.iter().copied().collect();
                after[place] -= amount;
                outcomes.push(lost[ranks.rank(&after.descending()) as usize]);
            }
        }
        let no_moves_lose = rules.play() == Play::Normal;
        lost.push(if outcomes.is_empty() { no_moves_lose } else { !outcomes.contains(&true) });
    }
    (ranks, lost)
}

/// Reports whether a quotient agrees with the plain rules on all positions with a given number of heaps.
fn decides(quotient: &Quotient, rules: &HeapRules, heaps: usize) -> bool {
    let keys = HeapKeys { bounds: vec![rules.greatest_bound(); heaps], ..rules.keys().clone() };
    let (ranks, lost) = plain(&keys.rules().unwrap());
    (0..ranks.count()).all(|rank| {
        let class = ranks.unrank(rank).iter().fold(0, |class, &heap| quotient.next(class, heap));
        quotient.is_lost(class) == lost[rank as usize]
    })
}

#[test]
fn a_quotient_that_is_found_decides_positions_of_six_heaps() {
    for rules in games(9) {
        let quotient =
            find(&rules, Phase::Solving, &()).unwrap().unwrap_or_else(|no| panic!("{rules:?}: {no}"));
        assert!(decides(&quotient, &rules, 6), "{rules:?}");
    }
}

/// Changes each entry of small quotients, one at a time.
#[test]
fn a_quotient_with_a_wrong_entry_is_not_proved() {
    let (mut refused, mut proved) = (0, 0);
    for rules in games(4) {
        let good = find(&rules, Phase::Solving, &()).unwrap().unwrap();
        let mut check = |changed: Quotient| {
            if proof::prove(&changed, &rules, Phase::Verifying, &()).unwrap().is_err() {
                refused += 1;
            } else {
                proved += 1;
                assert!(decides(&changed, &rules, 5), "{rules:?}");
            }
        };
        for class in 0..good.classes() {
            let mut changed = good.clone();
            changed.lost[class] ^= true;
            check(changed);
            for size in 0..good.width {
                for to in 0..good.classes() as u32 {
                    let mut changed = good.clone();
                    let next = &mut changed.next[class * good.width + size];
                    if *next != to {
                        *next = to;
                        check(changed);
                    }
                }
            }
        }
    }
    assert!(refused > 2_000, "{refused}");
    assert_eq!(proved, 0, "each entry is used, so none can be changed");
}

#[test]
fn a_quotient_that_is_wrong_only_about_heaps_without_a_move_is_not_proved() {
    for play in [Play::Normal, Play::Misere] {
        // No heap has a move, so there is nothing to prove by induction.
        let keys = HeapKeys { bounds: vec![1, 1], take: Take::exactly(vec![2]), play, ..Default::default() };
        let rules = keys.rules().unwrap();
        let is_lost = play == Play::Normal;
        // One class for all heaps; or one for no heaps, or empty ones, and one for all others.
        let one_class = |lost: bool| Quotient { width: 2, next: vec![0, 0], lost: vec![lost] };
        let two_classes =
            |lost: [bool; 2]| Quotient { width: 2, next: vec![0, 1, 1, 1], lost: lost.to_vec() };
        let is_proved =
            |quotient: &Quotient| proof::prove(quotient, &rules, Phase::Verifying, &()).unwrap().is_ok();
        assert!(is_proved(&one_class(is_lost)) && is_proved(&two_classes([is_lost; 2])));
        assert!(!is_proved(&one_class(!is_lost)));
        assert!(
            !is_proved(&two_classes([is_lost, !is_lost])) && !is_proved(&two_classes([!is_lost, is_lost]))
        );
    }
}

fn table_of(parts: &TableParts, rules: &HeapRules, wins: u64) -> Table {
    let census = Census { wins, deepest: 0 };
    let made = in_memory(|sink| parts.write(rules, rules, false, census, sink));
    Table::open(made.unwrap()).unwrap()
}

#[test]
fn tables_from_quotients_and_from_solvers_are_proved_by_classes_and_by_enumeration() {
    for game in games(5) {
        // In the last games, the greatest sizes are equivalent if a move takes any number.
        for bounds in [&[5][..], &[5, 5], &[2, 5], &[5; 4], &[1, 2, 4, 5], &[90], &[2, 5, 60], &[1, 1, 1, 9]]
        {
            let rules = rules(bounds, game.take(), game.play());
            let quotient = find(&rules, Phase::Solving, &()).unwrap().unwrap();
            let made = in_memory(|sink| {
                let (parts, census) = make(&rules, &quotient)?;
                parts.write(&rules, &rules, false, census, sink)
            });
            let enumerated = generate_in_memory(&rules.clone().into(), false).unwrap();
            for file in [made.unwrap(), enumerated] {
                let table = Table::open(file).unwrap();
                let counts = verify(&table).unwrap();
                match verify_by_classes(&table, &()) {
                    Ok(proved) => assert_eq!(proved.counts, counts, "{rules:?}"),
                    Err(ByClassesError::NoQuotient(NoQuotient::Rules(what))) => {
                        assert!(what.contains("a record for each position"), "{rules:?}: {what}");
                    }
                    Err(error) => panic!("{rules:?}: {error}"),
                }
            }
        }
    }
}

/// Returns the parts of a table with heaps in descending order; `None` if it has a record for each position.
fn in_descending_order(rules: &HeapRules) -> Option<TableParts> {
    let (ranks, lost) = plain(rules);
    let at = |_, rank: u64| match lost[rank as usize] {
        true => ClassEdge { class: 1, deeper: 0 },
        false => ClassEdge { class: 0, deeper: VOID },
    };
    Some(merge_ordered(rules, &ranks, &at)).filter(|parts| parts.descending)
}

#[test]
fn tables_with_heaps_in_descending_order_are_proved() {
    let mut proved = 0;
    for game in games(9).filter(|game| *game.take() != Take::Any) {
        for bounds in [&[9; 4][..], &[2, 9], &[1, 2, 7, 9], &[3, 3, 30], &[5; 5]] {
            let rules = rules(bounds, game.take(), game.play());
            let Some(parts) = in_descending_order(&rules) else { continue };
            let wins = plain(&rules).1.iter().filter(|&&lost| !lost).count() as u64;
            let counts = verify_by_classes(&table_of(&parts, &rules, wins), &()).unwrap().counts;
            assert_eq!(counts.positions, rules.positions());
            proved += 1;
        }
    }
    assert!(proved > 50, "{proved}");
}

/// Changes each entry of a table, one at a time. If heaps may be added in any order, the proof by classes refuses more
/// tables: it checks all orders, while enumeration adds heaps in one order.
#[test]
fn a_table_that_enumeration_refuses_is_refused_by_classes() {
    let mut refused = 0;
    for game in games(3) {
        for bounds in [&[3; 3][..], &[1, 2, 3]] {
            let rules = rules(bounds, game.take(), game.play());
            let quotient = find(&rules, Phase::Solving, &()).unwrap().unwrap();
            let (good, wins) = (quotient.parts(&rules).unwrap(), quotient.wins(&rules));
            let descending =
                Some(&rules).filter(|rules| *rules.take() != Take::Any).and_then(in_descending_order);
            let mut check = |parts: &TableParts| {
                let table = table_of(parts, &rules, wins);
                let by_enumeration = verify(&table);
                match verify_by_classes(&table, &()) {
                    Ok(_) => assert!(by_enumeration.is_ok(), "{rules:?}: {by_enumeration:?}"),
                    Err(ByClassesError::Verify(VerifyError::Wrong(_) | VerifyError::Contradictory(_))) => {
                        refused += 1;
                    }
                    Err(error) => panic!("{rules:?}: {error}"),
                }
            };
            for good in [Some(good), descending].into_iter().flatten() {
                for level in 0..good.levels.len() {
                    for at in 0..good.levels[level].len() {
                        let classes = good.levels[level].iter().map(|edge| edge.class).max().unwrap();
                        for class in 0..=classes {
                            let mut parts = good.clone();
                            parts.levels[level][at].class = class;
                            check(&parts);
                        }
                    }
                }
                for at in 0..good.targets.len() {
                    for size in 0..=4 {
                        let mut parts = good.clone();
                        parts.targets[at].size = size;
                        check(&parts);
                    }
                }
            }
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn a_table_with_a_wrong_count_in_its_header_is_refused() {
    let rules = rules(&[7; 3], &Take::Any, Play::Misere);
    let quotient = find(&rules, Phase::Solving, &()).unwrap().unwrap();
    let wins = quotient.wins(&rules);
    for (stated, is_right) in [(wins, true), (wins - 1, false), (0, false)] {
        let table = table_of(&quotient.parts(&rules).unwrap(), &rules, stated);
        let proved = verify_by_classes(&table, &());
        assert_eq!(proved.is_ok(), is_right);
        if let Err(error) = proved {
            assert!(matches!(error, ByClassesError::Verify(VerifyError::Miscounted { .. })), "{error}");
        }
    }
}

#[test]
fn games_and_tables_to_which_the_proof_does_not_apply_are_refused_with_the_reason() {
    let keys = HeapKeys { bounds: vec![4; 3], ..Default::default() };
    let refused = |keys: HeapKeys, expected: &str| {
        let rules = keys.rules().unwrap();
        let no = find(&rules, Phase::Solving, &()).unwrap().map(drop).unwrap_err().to_string();
        assert!(no.contains(expected), "{no}");
        let table = Table::open(generate_in_memory(&rules.into(), false).unwrap()).unwrap();
        assert_eq!(
            verify_by_classes(&table, &()).unwrap_err().to_string().split(';').next(),
            no.split(';').next()
        );
    };
    refused(HeapKeys { passes: 1, ..keys.clone() }, "games without passes");
    refused(HeapKeys { heaps_per_move: 2.into(), ..keys.clone() }, "a move takes from one heap");
    let listed = HeapKeys { take: Take::UpTo(2), ..keys.clone() };
    refused(HeapKeys { bounds: vec![200_000], ..listed }, "its heaps have up to 200000 stones");
    let with_depths = Table::open(generate_in_memory(&keys.rules().unwrap().into(), true).unwrap()).unwrap();
    let error = verify_by_classes(&with_depths, &()).unwrap_err().to_string();
    assert!(error.contains("tables without depths"), "{error}");
}

#[test]
fn a_table_with_a_bound_greater_than_all_others_together_is_proved() {
    for (others, play) in [(vec![], Play::Misere), (vec![63; 5], Play::Normal), (vec![15; 15], Play::Misere)]
    {
        let rules = rules(&[&others[..], &[MAX_SIZE]].concat(), &Take::Any, play);
        let table = Table::open(generate_in_memory(&rules.clone().into(), false).unwrap()).unwrap();
        let proved = verify_by_classes(&table, &()).unwrap();
        assert_eq!(proved.counts.positions, rules.positions());
        assert_eq!(table.header().wins, proved.counts.wins);
    }
}

#[test]
fn an_effective_bound_is_refused_if_it_changes_an_outcome() {
    // By theory, no heap of 9 stones or more is in a lost position. Nor is a heap of 8, but this must be checked size
    // by size.
    let rules = rules(&[3, 5, 30], &Take::Any, Play::Normal);
    for (greatest, is_right) in [(9, true), (8, true), (7, false)] {
        let effective = HeapKeys { bounds: vec![3, 5, greatest], ..rules.keys().clone() }.rules().unwrap();
        let quotient = find(&effective, Phase::Solving, &()).unwrap().unwrap();
        let (parts, census) = make(&effective, &quotient).unwrap();
        let census = Census { wins: census.wins + (30 - u64::from(greatest)) * 18, ..census };
        let made = in_memory(|sink| parts.write(&rules, &effective, false, census, sink));
        let table = Table::open(made.unwrap()).unwrap();
        assert_eq!(verify(&table).is_ok(), is_right, "{greatest}");
        assert_eq!(verify_by_classes(&table, &()).is_ok(), is_right, "{greatest}");
    }
}

#[test]
fn large_games_of_nim_are_made_from_quotients_and_proved() {
    for (heaps, play) in [(8, Play::Normal), (8, Play::Misere), (16, Play::Misere)] {
        let rules = rules(&vec![63; heaps], &Take::Any, play);
        assert!(is_worthwhile(&rules));
        let table = Table::open(generate_in_memory(&rules.clone().into(), false).unwrap()).unwrap();
        let proved = verify_by_classes(&table, &()).unwrap();
        assert_eq!(proved.classes, if play == Play::Normal { 64 } else { 66 });
        assert_eq!(proved.counts.positions, rules.positions());
        assert_eq!(table.header().wins, proved.counts.wins);
    }
}

/// Counts steps of a proof, and cancels after a number of them.
#[derive(Default)]
struct StepCounter {
    begun: AtomicU64,
    done: AtomicU64,
    /// Cancels after this many steps.
    last: Option<u64>,
}

impl Control for StepCounter {
    fn begin(&self, phase: Phase, steps: u64) {
        assert_eq!(phase, Phase::Verifying);
        assert_eq!(self.begun.swap(steps, Relaxed), 0, "one phase");
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.last.is_some_and(|last| self.done.load(Relaxed) >= last)
    }
}

#[test]
fn a_proof_by_classes_reports_progress_and_can_be_cancelled() {
    let rules = rules(&[40; 3], &Take::Any, Play::Normal);
    let quotient = find(&rules, Phase::Solving, &()).unwrap().unwrap();
    let table = table_of(&quotient.parts(&rules).unwrap(), &rules, quotient.wins(&rules));
    let counter = StepCounter::default();
    let proved = verify_by_classes(&table, &counter).unwrap();
    let (begun, done) = (counter.begun.into_inner(), counter.done.into_inner());
    assert_eq!(begun, 2 * proved.classes as u64);
    assert_eq!(done, begun);
    let ended = verify_by_classes(&table, &StepCounter { last: Some(0), ..StepCounter::default() });
    assert!(matches!(ended, Err(ByClassesError::Verify(VerifyError::Cancelled))), "{ended:?}");
}
