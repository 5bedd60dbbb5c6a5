//! `tables/FORMAT.md` is true and complete: the twin, a reader of Expanding Nim tables written from it alone, gives the
//! library's answers.

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::{Expanding, ExpandingKeys, Move, Position, Turn};
use bouton_tables::rulesets::find;
use bouton_tables::{Game, MoveSet, Outcome, Play, Ruleset, Solved, Table};
use bouton_tests::compare::expanding;
use bouton_tests::compare::twin::{lost, place, verdict};
use bouton_tests::format_twin::example::Listing;
use bouton_tests::format_twin::expanding::Twin;

const NORMAL: Play = Play::Normal;
const MISERE: Play = Play::Misere;

/// Returns rules of Expanding Nim; `limits` are the base limit, the growth and the reset limit.
fn rules(stones: u64, limits: [u32; 3], resets: [u8; 2], play: Play) -> Expanding {
    let [base_limit, growth, reset_limit] = limits;
    ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play }
        .rules()
        .expect("the tests use allowed rules")
}

/// Returns the rules of the preset `expanding`: 1000 stones, four resets each.
fn preset() -> Expanding {
    let Ruleset::Expanding(rules) = find("expanding", &[]).expect("a preset").ruleset else {
        panic!("rules of Expanding Nim")
    };
    rules
}

/// Returns the bytes of the table that the generator makes.
fn bytes(rules: &Expanding, depths: bool) -> Vec<u8> {
    generate_in_memory(&Ruleset::Expanding(rules.clone()), depths).unwrap()
}

/// Calls a function with every position that the table has according to the twin.
fn for_each_position(twin: &Twin, mut call: impl FnMut(&Position)) {
    let rules = twin.rules();
    for currentmax in (0..).take_while(|&m| rules.stones_at(m) > 0) {
        for stones in (0..).take(rules.stones_at(currentmax) as usize) {
            for turn in [Turn::First, Turn::Second] {
                for first in 0..=rules.resets[0] {
                    for second in 0..=rules.resets[1] {
                        for imposed in [false, true] {
                            call(&Position { stones, currentmax, turn, resets: [first, second], imposed });
                        }
                    }
                }
            }
        }
    }
}

/// Generates a table, and compares the two readers' answers for every position of it.
fn check_readers_agree(rules: &Expanding, depths: bool) {
    check_file(bytes(rules, depths), rules);
}

/// Compares the two readers' answers for every position of a table file.
pub(crate) fn check_file(bytes: Vec<u8>, rules: &Expanding) {
    let twin = Twin::read(&bytes).expect("the document describes the file");
    let table = Table::open(bytes).expect("a fresh table opens");
    let table = expanding(&table);
    let (mut counted, mut wins, mut deepest) = (0, 0, 0);
    for_each_position(&twin, |position| {
        let at = || format!("{position} of {rules:?}");
        let answer = table.answer(position).expect("the table has the position");
        assert_eq!(
            Ok(answer.verdict),
            table.verdict(position).map_err(|error| error.to_string()),
            "{}",
            at()
        );
        let lost = lost(&twin, position);
        assert_eq!(answer.verdict.outcome, Outcome::from_won(!lost), "{}", at());
        let verdict = verdict(&twin, position);
        assert_eq!(answer.verdict.depth, verdict.map(|(depth, _)| depth), "{}", at());
        if let Some((depth, best)) = verdict {
            assert_eq!(answer.best, best, "{}", at());
            let won_by_parity = (depth % 2 == 1) != twin.rules().misere;
            assert_eq!(won_by_parity, !lost, "{}", at());
            deepest = deepest.max(depth);
        }
        if position.turn == Turn::First {
            counted += 1;
            wins += u64::from(!lost);
        }
    });
    let header = twin.header();
    assert_eq!((counted, wins, deepest), (header.positions, header.wins, header.deepest), "{rules:?}");
}

/// Checks that both readers agree on the tables of these rules, with and without depths.
fn check_with_and_without_depths(rules: &Expanding) {
    check_readers_agree(rules, true);
    check_readers_agree(rules, false);
}

#[test]
fn both_readers_agree_on_the_preset() {
    check_readers_agree(&preset(), true);
}

#[test]
fn both_readers_agree_on_the_preset_without_depths() {
    check_readers_agree(&preset(), false);
}

#[test]
fn both_readers_agree_on_misere_play() {
    check_with_and_without_depths(&rules(300, [3, 1, 3], [2, 2], MISERE));
}

#[test]
fn both_readers_agree_on_several_growths() {
    for growth in [0, 1, 2, 5] {
        check_with_and_without_depths(&rules(400, [3, growth, 3], [1, 1], NORMAL));
    }
}

#[test]
fn both_readers_agree_on_unequal_resets() {
    check_with_and_without_depths(&rules(300, [3, 1, 3], [2, 0], NORMAL));
    check_with_and_without_depths(&rules(200, [3, 1, 2], [0, 3], MISERE));
}

#[test]
fn both_readers_agree_on_a_reset_limit_below_the_base_limit() {
    check_with_and_without_depths(&rules(300, [10, 1, 4], [2, 2], NORMAL));
    check_with_and_without_depths(&rules(300, [10, 12, 4], [1, 1], NORMAL));
}

#[test]
fn both_readers_agree_on_wide_limits() {
    check_with_and_without_depths(&rules(400, [32, 80, 16], [1, 1], NORMAL));
}

#[test]
fn both_readers_agree_on_open_rows() {
    for (stones, limits) in [(150, [2, 40, 2]), (90, [1, 1000, 1]), (200, [10, 7, 4]), (40, [60, 1, 9])] {
        for play in [NORMAL, MISERE] {
            let rules = rules(stones, limits, [1, 0], play);
            let twin = Twin::read(&bytes(&rules, false)).expect("the document describes the file");
            let shares_row = |&m: &u32| m > limits[0] && twin.rules().row(m) == twin.rules().row(m - 1);
            let count =
                (1..=stones as u32).filter(shares_row).filter(|&m| twin.rules().stones_at(m) > 0).count();
            assert!(count > 0 || u64::from(limits[0]) > stones, "no currentmax shares a row of {rules:?}");
            check_with_and_without_depths(&rules);
        }
    }
}

#[test]
fn both_readers_agree_on_the_smallest_tables() {
    for stones in 1..=12 {
        for resets in [[0, 0], [1, 0], [1, 1]] {
            for play in [NORMAL, MISERE] {
                check_with_and_without_depths(&rules(stones, [3, 1, 2], resets, play));
            }
        }
    }
    check_with_and_without_depths(&rules(1, [1, 0, 1], [0, 0], NORMAL));
}

#[test]
fn every_winning_move_follows_from_the_twins_outcomes() {
    for depths in [true, false] {
        let rules = rules(120, [4, 1, 3], [2, 1], NORMAL);
        let bytes = bytes(&rules, depths);
        let twin = Twin::read(&bytes).expect("the document describes the file");
        let table = Table::open(bytes).expect("a fresh table opens");
        let table = expanding(&table);
        for_each_position(&twin, |position| {
            let answer = table.answer(position).expect("the table has the position");
            let wins = |&chosen: &Move| lost(&twin, &rules.after(position, chosen));
            let winning: Vec<Move> = rules.moves(position).filter(wins).collect();
            assert_eq!(answer.winning.iter().collect::<Vec<_>>(), winning, "{position}");
        });
    }
}

/// Returns the worked examples: listing, rules, and whether the table has depths.
fn examples() -> [(Listing, Expanding, bool); 2] {
    let listing = |number| Listing::nth_of_section(6, number);
    [
        (listing(0), rules(12, [2, 0, 1], [1, 0], NORMAL), true),
        (listing(1), rules(37, [6, 1, 1], [0, 0], NORMAL), false),
    ]
}

/// Returns the numbers that the comments on an array's bytes name; in the array of bits, each digit is a number.
fn commented(listing: Listing, array: &str) -> Vec<u64> {
    if array != "bits" {
        return listing.numbers(array);
    }
    let digits = listing.comments(array).flat_map(str::bytes).filter(u8::is_ascii_digit);
    digits.map(|digit| u64::from(digit - b'0')).collect()
}

#[test]
fn the_generator_makes_the_worked_examples() {
    for (listing, rules, depths) in examples() {
        let (listed, made) = (listing.bytes(), bytes(&rules, depths));
        let show = |bytes: &[u8]| bytes.chunks(8).map(|chunk| format!("{chunk:02X?}\n")).collect::<String>();
        assert!(listed == made, "FORMAT.md lists\n{}and the generator makes\n{}", show(&listed), show(&made));
    }
}

#[test]
fn the_comments_of_the_worked_examples_are_true() {
    let arrays = ["classes", "outcomes", "lists", "bits", "verdicts", "flights", "steps"];
    let mut has_spread = false;
    for (listing, ..) in examples() {
        let twin = Twin::read(&listing.bytes()).expect("the document describes its example");
        for (number, array) in arrays.into_iter().enumerate() {
            let numbers = twin.numbers(number);
            if !numbers.is_empty() {
                assert_eq!(commented(listing, array), numbers, "{array}");
            }
        }
        // The `spread` of a list.
        has_spread |= twin.numbers(2).chunks(7).any(|list| list[5] > 0);
    }
    assert!(has_spread, "no example has a list with several gaps");
}

#[test]
fn the_worked_examples_answer_as_their_text_says() {
    let [(listing, rules, _), (list_example, list_rules, _)] = examples();
    let twin = Twin::read(&listing.bytes()).expect("the document describes its example");
    let take = |take| Some(Move { take, reset: false });
    for (text, at, is_lost, depth, best) in
        [("2/0/2/1,0/-", (0, 6, 2), false, 1, take(2)), ("12/0/1/1,0/r", (0, 3, 12), false, 9, take(1))]
    {
        let position = rules.parse_position(text).expect("a position of the example");
        assert_eq!(place(&twin, &position), at);
        assert_eq!(lost(&twin, &position), is_lost);
        assert_eq!(verdict(&twin, &position), Some((depth, best)));
    }
    check_readers_agree(&rules, true);

    let twin = Twin::read(&list_example.bytes()).expect("the document describes its example");
    assert_eq!([0, 6, 7, 8, 9].map(|m| twin.rules().stones_at(m)), [38, 32, 25, 17, 8]);
    assert_eq!([5, 6, 7, 8, 9, 10, 11].map(|m| twin.rules().row(m)), [0, 1, 2, 3, 4, 4, 4]);
    let lost_places: Vec<u64> = (0..38).filter(|&x| twin.lost(0, 0, x)).collect();
    assert_eq!(lost_places, [0, 7, 13, 19, 25, 31, 37]);
    for (text, at, is_lost) in [
        ("31/5/1/0,0/-", (0, 0, 31), true),
        ("20/4/2/0,0/r", (0, 3, 20), false),
        ("19/4/2/0,0/r", (0, 3, 19), true),
    ] {
        let position = list_rules.parse_position(text).expect("a position of the example");
        assert_eq!(place(&twin, &position), at);
        assert_eq!(lost(&twin, &position), is_lost);
    }
    check_readers_agree(&list_rules, false);
}

#[test]
fn no_byte_of_a_file_escapes_its_checksums() {
    for (listing, ..) in examples() {
        let whole = listing.bytes();
        assert!(Twin::read(&whole).is_ok());
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            assert!(Twin::read(&damaged).is_err(), "byte {at}");
        }
    }
}
