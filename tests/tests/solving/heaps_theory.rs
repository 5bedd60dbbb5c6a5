//! Tables of heap games agree with theorems at every position, and with published results.

use bouton_generator::generate_in_memory;
use bouton_tables::heaps::theory::Theory;
use bouton_tables::heaps::{Heap, HeapCounts, HeapKeys, HeapRules, HeapTable, Move, Position, Ranks, Take};
use bouton_tables::{Game, MoveSet, Outcome, Play, Ruleset, Solved, Table, rulesets};
use bouton_tests::compare::heaps;

/// Returns the rules of a heap game without passes.
fn rules(bounds: &[Heap], take: Take, heaps_per_move: u32, equal_take: bool, play: Play) -> HeapRules {
    HeapKeys {
        bounds: bounds.to_vec(),
        take,
        heaps_per_move: heaps_per_move.into(),
        equal_take,
        play,
        ..Default::default()
    }
    .rules()
    .expect("allowed rules")
}

/// Makes the table of a heap game.
fn table(rules: &HeapRules, depths: bool) -> Table {
    Table::open(generate_in_memory(&Ruleset::Heaps(rules.clone()), depths).unwrap())
        .expect("a fresh table opens")
}

/// Returns every position of a table, with the greatest heap first.
fn every(rules: &HeapRules) -> impl Iterator<Item = Position> {
    let ranks = Ranks::try_new(rules.bounds()).unwrap();
    (0..=rules.passes()).flat_map(move |passes| {
        let ranks = ranks.clone();
        (0..ranks.count()).map(move |rank| Position { heaps: ranks.unrank(rank), passes })
    })
}

/// Returns whether a position is lost.
fn is_lost(table: &HeapTable, position: &Position) -> bool {
    table.verdict(position).expect("the table has it").outcome == Outcome::Loss
}

#[test]
fn every_position_agrees_with_its_theorem() {
    let any = || Take::Any;
    let games = [
        // Bouton's theorem: bounds around a power of two and in between, wider than a machine word, and unequal.
        rules(&[31; 5], any(), 1, false, Play::Normal),
        rules(&[31; 5], any(), 1, false, Play::Misere),
        rules(&[12; 6], any(), 1, false, Play::Normal),
        rules(&[13; 5], any(), 1, false, Play::Misere),
        rules(&[64; 3], any(), 1, false, Play::Normal),
        rules(&[130; 3], any(), 1, false, Play::Misere),
        rules(&[7, 20, 70, 100], any(), 1, false, Play::Normal),
        rules(&[2, 9, 9, 17, 33], any(), 1, false, Play::Misere),
        rules(&[1; 16], any(), 1, false, Play::Misere),
        rules(&[300; 2], any(), 1, false, Play::Normal),
        rules(&[5000], any(), 1, false, Play::Misere),
        // Bachet's theorem.
        rules(&[2000], Take::UpTo(3), 1, false, Play::Misere),
        rules(&[999], Take::UpTo(10), 1, false, Play::Normal),
        rules(&[70], Take::UpTo(1), 1, false, Play::Misere),
        // The theorem of Sprague and Grundy.
        rules(&[60; 3], Take::exactly(vec![1, 3, 4]), 1, false, Play::Normal),
        rules(&[20; 5], Take::UpTo(5), 1, false, Play::Normal),
        rules(&[63; 3], Take::UpTo(9), 1, false, Play::Normal),
        rules(&[64; 3], Take::UpTo(40), 1, false, Play::Normal),
        rules(&[40, 70, 90], Take::exactly(vec![2, 5, 7]), 1, false, Play::Normal),
        rules(&[129; 3], Take::exactly(vec![1, 4, 10]), 1, false, Play::Normal),
        rules(&[200; 2], Take::exactly(vec![2, 3]), 1, false, Play::Normal),
        rules(&[3, 3, 9, 30], Take::exactly(vec![2]), 1, false, Play::Normal),
        rules(&[10_000], Take::exactly(vec![3, 100, 101]), 1, false, Play::Normal),
        // Moore's theorem, and Wythoff's.
        rules(&[15; 4], any(), 2, false, Play::Normal),
        rules(&[7; 5], any(), 3, false, Play::Normal),
        rules(&[3, 6, 9, 12], any(), 2, false, Play::Normal),
        rules(&[5; 4], any(), 4, false, Play::Normal),
        rules(&[200; 2], any(), 2, true, Play::Normal),
        rules(&[40, 170], any(), 2, true, Play::Normal),
    ];
    for rules in games {
        let theory = Theory::of(&rules).expect("a theorem decides these games");
        let judge = theory.judge(rules.greatest_bound());
        let file = table(&rules, false);
        let mut positions = 0;
        for position in every(&rules) {
            assert_eq!(
                is_lost(heaps(&file), &position),
                judge.is_lost(&position.heaps),
                "{position:?} {rules:?}"
            );
            positions += 1;
        }
        assert_eq!(positions, rules.positions());
    }
}

#[test]
fn theory_knows_no_theorem_for_other_games() {
    let with_pass =
        HeapKeys { bounds: vec![7; 3], passes: 1, ..Default::default() }.rules().expect("allowed rules");
    let games = [
        with_pass,
        rules(&[7; 3], Take::Any, 2, true, Play::Normal),
        rules(&[7; 3], Take::Any, 2, false, Play::Misere),
        rules(&[7; 2], Take::Any, 2, true, Play::Misere),
        rules(&[7; 2], Take::UpTo(3), 2, true, Play::Normal),
        rules(&[7; 3], Take::UpTo(3), 1, false, Play::Misere),
    ];
    for rules in games {
        assert_eq!(Theory::of(&rules), None, "{rules:?}");
    }
}

#[test]
fn a_pass_needs_a_move_that_it_replaces() {
    // Worked by hand for one heap, takes of 2 or 3, and one pass: at 0 and 1 the game is over, with the pass or
    // without.
    let outcomes = |play, passes| -> String {
        let keys = HeapKeys {
            bounds: vec![12],
            take: Take::exactly(vec![2, 3]),
            passes: 1,
            play,
            ..Default::default()
        };
        let rules = keys.rules().expect("allowed rules");
        let [with_depths, without] = [true, false].map(|depths| {
            let file = table(&rules, depths);
            let heaps_of = |size| Position { heaps: [size].into_iter().collect(), passes };
            let outcome = |size| if is_lost(heaps(&file), &heaps_of(size)) { 'L' } else { 'W' };
            (0..=12).map(outcome).collect::<String>()
        });
        assert_eq!(with_depths, without);
        with_depths
    };
    assert_eq!(outcomes(Play::Normal, 0), "LLWWWLLWWWLLW");
    assert_eq!(outcomes(Play::Normal, 1), "LLWWWWWLLWWWL");
    assert_eq!(outcomes(Play::Misere, 0), "WWLLWWWLLWWWL");
    assert_eq!(outcomes(Play::Misere, 1), "WWWWLLWWWLLWW");
    // Each heap by itself is too small for a move.
    let keys = HeapKeys {
        bounds: vec![3, 5],
        take: Take::exactly(vec![2, 12, 14]),
        passes: 1,
        ..Default::default()
    };
    let rules = keys.rules().expect("allowed rules");
    let file = table(&rules, true);
    let position = rules.parse_position("1/1").expect("a position");
    let answer = heaps(&file).answer(&position).expect("the table has it");
    assert_eq!((answer.verdict.outcome, answer.verdict.depth, answer.best), (Outcome::Loss, Some(0), None));
    assert!(rules.moves(&position).next().is_none() && !rules.is_legal(&position, Move::PASS));
}

/// Returns the primes below a number, by the sieve of Eratosthenes.
fn primes_below(end: usize) -> Vec<Heap> {
    let mut is_prime = vec![true; end];
    is_prime[..2].fill(false);
    for factor in 2..end {
        (2 * factor..end).step_by(factor).for_each(|multiple| is_prime[multiple] = false);
    }
    (0..end).filter(|&number| is_prime[number]).map(|prime| prime as Heap).collect()
}

#[test]
fn lost_heaps_of_the_game_of_primes_are_those_of_the_definition() {
    let primes = primes_below(10_000);
    assert_eq!(primes.len(), 1229);
    let mut lost: Vec<Heap> = Vec::new();
    for heap in 0..=10_000 {
        if !lost.iter().any(|&lower| primes.binary_search(&(heap - lower)).is_ok()) {
            lost.push(heap);
        }
    }
    // The numbers that are not a prime plus an earlier number of the sequence (OEIS A025043).
    assert_eq!(lost[..9], [0, 1, 9, 10, 25, 34, 35, 49, 55]);
    let rules = rules(&[10_000], Take::exactly(primes), 1, false, Play::Normal);
    for depths in [true, false] {
        let file = table(&rules, depths);
        let found = every(&rules).filter(|position| is_lost(heaps(&file), position));
        assert!(found.map(|position| position.heaps[0]).eq(lost.iter().copied()), "depths {depths}");
    }
}

/// Returns the heaps in a line of a published list.
fn published_heaps(text: &str) -> Vec<Heap> {
    text.split(' ').map(|heap| heap.parse().expect("a size")).collect()
}

#[test]
fn a_published_list_of_misere_nim_3_5_7_agrees_with_the_table() {
    let Ruleset::Heaps(rules) = rulesets::find("sticks", &[]).expect("a preset").ruleset else {
        panic!("sticks is a heap game")
    };
    let file = table(&rules, true);
    let table = heaps(&file);
    let winning: Vec<(Vec<Heap>, String)> = include_str!("../../data/sticks-357-winning.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            (published_heaps(fields[0]), format!("{}:{}", fields[1], fields[2]))
        })
        .collect();
    let losing: Vec<Vec<Heap>> =
        include_str!("../../data/sticks-357-losing.csv").lines().skip(1).map(published_heaps).collect();
    assert_eq!((winning.len(), losing.len()), (75, 12));
    for (heaps, listed) in &winning {
        let position = Position { heaps: heaps.iter().copied().collect(), passes: 0 };
        let answer = table.answer(&position).expect("the table has it");
        assert_eq!(answer.verdict.outcome, Outcome::Win, "{heaps:?}");
        let listed = rules.parse_move(listed).expect("a move");
        assert!(answer.winning.iter().any(|chosen| chosen == listed), "{heaps:?}: {listed}");
    }
    // The list omits the position without sticks, which misère play wins without a move.
    let mut solved: Vec<(bool, Vec<Heap>)> = every(&rules)
        .filter(|position| position.heaps.iter().any(|&heap| heap > 0))
        .map(|position| {
            let mut heaps = position.heaps.to_vec();
            heaps.reverse();
            (is_lost(table, &position), heaps)
        })
        .collect();
    let won = winning.into_iter().map(|(heaps, _)| (false, heaps));
    let mut published: Vec<(bool, Vec<Heap>)> =
        won.chain(losing.into_iter().map(|heaps| (true, heaps))).collect();
    solved.sort_unstable();
    published.sort_unstable();
    assert_eq!(solved, published);
}

#[test]
fn published_lost_positions_of_nim_wythoff_subtraction_and_passes_are_lost() {
    // Returns the lost positions with this many passes left, ascending.
    let lost = |rules: &HeapRules, passes: u8| -> Vec<Vec<Heap>> {
        let file = table(rules, true);
        let lost =
            every(rules).filter(|position| position.passes == passes && is_lost(heaps(&file), position));
        lost.map(|position| position.heaps.iter().rev().copied().collect()).collect()
    };
    // Ordered triples of heaps with total 2n and nim-sum 0, n = 0..7 (OEIS A048883).
    let nim = lost(&rules(&[14; 3], Take::Any, 1, false, Play::Normal), 0);
    let orders = |heaps: &[Heap]| match (heaps[0] == heaps[1], heaps[1] == heaps[2]) {
        (true, true) => 1,
        (false, false) => 6,
        _ => 3,
    };
    let lost_with_total = |total: Heap| -> u32 {
        nim.iter().filter(|heaps| heaps.iter().sum::<Heap>() == total).map(|heaps| orders(heaps)).sum()
    };
    assert_eq!((0..8).map(|n| lost_with_total(2 * n)).collect::<Vec<_>>(), [1, 3, 3, 9, 3, 9, 9, 27]);
    // Wythoff's game, in normal and misère play.
    let pairs = |play| lost(&rules(&[18; 2], Take::Any, 2, true, play), 0);
    let later_pairs = [[3, 5], [4, 7], [6, 10], [8, 13], [9, 15], [11, 18]];
    let with_first_pairs = |first: [[Heap; 2]; 2]| {
        let mut all: Vec<Vec<Heap>> = first.iter().chain(&later_pairs).map(|pair| pair.to_vec()).collect();
        all.sort_unstable_by_key(|pair| pair[1]);
        all
    };
    assert_eq!(pairs(Play::Normal), with_first_pairs([[0, 0], [1, 2]]));
    assert_eq!(pairs(Play::Misere), with_first_pairs([[0, 1], [2, 2]]));
    // Subtraction of 1 to k: a heap is lost if its Grundy value is 0.
    for k in 1..8 {
        let multiples: Vec<Vec<Heap>> = (0..=100).filter(|n| n % (k + 1) == 0).map(|n| vec![n]).collect();
        assert_eq!(lost(&rules(&[100], Take::UpTo(k), 1, false, Play::Normal), 0), multiples);
    }
    // One pass, two heaps: while the pass is available, exactly (0,0) and (2k-1,2k) are lost (Low and Chan, 2015).
    let passing =
        HeapKeys { bounds: vec![40; 2], passes: 1, ..Default::default() }.rules().expect("allowed rules");
    let with_pass: Vec<Vec<Heap>> =
        std::iter::once(vec![0, 0]).chain((1..=20).map(|k| vec![2 * k - 1, 2 * k])).collect();
    assert_eq!(lost(&passing, 1), with_pass);
}

/// Returns the number of plies that remain in exact slow Nim with k + 1 heaps, where a move takes 1 stone from exactly k
/// heaps: plays the line in which the winner hurries and the loser delays. If all heaps are odd, it keeps a largest
/// heap and reduces the others; otherwise it keeps a smallest even heap (Gurvich, Martynov, Maximchuk and Vyalyi, arXiv
/// 2304.06498).
fn plies_of_exact_slow_nim(heaps: &[Heap]) -> u32 {
    let mut heaps = heaps.to_vec();
    let mut plies = 0;
    while heaps.iter().filter(|&&heap| heap > 0).count() + 1 >= heaps.len() {
        heaps.sort_unstable();
        let kept = heaps.iter().position(|heap| heap % 2 == 0).unwrap_or(heaps.len() - 1);
        if heaps.iter().enumerate().any(|(at, &heap)| at != kept && heap == 0) {
            break;
        }
        heaps.iter_mut().enumerate().filter(|(at, _)| *at != kept).for_each(|(_, heap)| *heap -= 1);
        plies += 1;
    }
    plies
}

#[test]
fn exact_slow_nim_with_one_heap_more_than_a_move_has_the_published_depths() {
    for (bounds, k) in
        [(&[30, 30][..], 1), (&[20, 20, 20], 2), (&[9; 4], 3), (&[4, 7, 9, 12], 3), (&[6; 5], 4)]
    {
        let heaps_per_move = HeapCounts::exactly(&[k]).unwrap();
        let keys =
            HeapKeys { bounds: bounds.to_vec(), take: Take::UpTo(1), heaps_per_move, ..Default::default() };
        let rules = keys.rules().unwrap();
        let table = table(&rules, true);
        let table = heaps(&table);
        for position in every(&rules) {
            let verdict = table.verdict(&position).unwrap();
            let plies = plies_of_exact_slow_nim(&position.heaps);
            assert_eq!(verdict.depth, Some(plies), "{:?}", position.heaps);
            assert_eq!(verdict.outcome == Outcome::Loss, plies.is_multiple_of(2), "{:?}", position.heaps);
        }
    }
}

#[test]
fn exact_nim_ends_when_too_few_heaps_are_left() {
    for (n, k) in [(3, 2), (4, 3), (4, 2), (5, 3)] {
        for play in [Play::Normal, Play::Misere] {
            let heaps_per_move = HeapCounts::exactly(&[k]).unwrap();
            let keys = HeapKeys { bounds: vec![4; n], heaps_per_move, play, ..Default::default() };
            let rules = keys.rules().unwrap();
            let table = table(&rules, true);
            let table = heaps(&table);
            for position in every(&rules) {
                let verdict = table.verdict(&position).unwrap();
                let empty = position.heaps.iter().filter(|&&heap| heap == 0).count();
                assert_eq!(verdict.depth == Some(0), empty > n - k as usize, "{:?}", position.heaps);
            }
        }
    }
}
