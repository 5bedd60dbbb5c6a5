//! `tables/FORMAT.md` is true and complete: a reader written from it alone answers as the reader proper does.

use bouton_generator::generate_in_memory;
use bouton_tables::expanding::{Expanding, ExpandingKeys, Move, Position, Turn};
use bouton_tables::rulesets::find;
use bouton_tables::{Game, MoveSet, Outcome, Play, Ruleset, Solved, Table};
use bouton_tests::compare::expanding;
use bouton_tests::format_twin::example::Listing;
use bouton_tests::format_twin::expanding::Twin;

const NORMAL: Play = Play::Normal;
const MISERE: Play = Play::Misere;

fn rules(stones: u32, limits: [u32; 3], resets: [u8; 2], play: Play) -> Expanding {
    let [base_limit, growth, reset_limit] = limits;
    ExpandingKeys { stones, base_limit, growth, reset_limit, resets, play }
        .rules()
        .expect("the tests use allowed rules")
}

/// The ruleset `expanding` that ships with the program: 1000 stones, four resets each.
fn preset() -> Expanding {
    let Ruleset::Expanding(rules) = find("expanding", &[]).expect("a preset").ruleset else {
        panic!("rules of Expanding Nim")
    };
    rules
}

fn bytes(rules: &Expanding, depths: bool) -> Vec<u8> {
    generate_in_memory(&Ruleset::Expanding(rules.clone()), depths).unwrap()
}

/// Calls with every position that the twin takes to be in the table.
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

/// Row, line and x of a position.
fn place(twin: &Twin, position: &Position) -> (u64, u64, u64) {
    let rules = twin.rules();
    let line = rules.line(position.turn.number(), position.resets, position.imposed);
    (rules.row(position.currentmax), line, position.stones.into())
}

fn lost(twin: &Twin, position: &Position) -> bool {
    let (row, line, x) = place(twin, position);
    twin.lost(row, line, x)
}

/// Depth and best move, as the twin reads them.
fn verdict(twin: &Twin, position: &Position) -> Option<(u32, Option<Move>)> {
    let (row, line, x) = place(twin, position);
    twin.verdict(row, line, x).map(|verdict| {
        let take = u32::try_from(verdict.take).expect("at most all stones");
        let depth = u32::try_from(verdict.depth).expect("at most a ply for each stone");
        (depth, (take > 0).then_some(Move { take, reset: verdict.reset }))
    })
}

/// Generates a table and reads every position of it with both readers.
fn reads_the_same(rules: &Expanding, depths: bool) {
    let bytes = bytes(rules, depths);
    let twin = Twin::read(&bytes).expect("the document describes the file");
    let table = Table::open(bytes).expect("a fresh table opens");
    let table = expanding(&table);
    let (mut seen, mut wins, mut deepest) = (0, 0, 0);
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
            seen += 1;
            wins += u64::from(!lost);
        }
    });
    let header = twin.header();
    assert_eq!((seen, wins, deepest), (header.positions, header.wins, header.deepest), "{rules:?}");
}

fn reads_the_same_with_and_without_depths(rules: &Expanding) {
    reads_the_same(rules, true);
    reads_the_same(rules, false);
}

#[test]
fn the_preset_reads_the_same() {
    reads_the_same(&preset(), true);
}

#[test]
fn the_preset_without_depths_reads_the_same() {
    reads_the_same(&preset(), false);
}

#[test]
fn misere_play_reads_the_same() {
    reads_the_same_with_and_without_depths(&rules(300, [3, 1, 3], [2, 2], MISERE));
}

#[test]
fn every_growth_reads_the_same() {
    for growth in [0, 1, 2, 5] {
        reads_the_same_with_and_without_depths(&rules(400, [3, growth, 3], [1, 1], NORMAL));
    }
}

#[test]
fn unequal_resets_read_the_same() {
    reads_the_same_with_and_without_depths(&rules(300, [3, 1, 3], [2, 0], NORMAL));
    reads_the_same_with_and_without_depths(&rules(200, [3, 1, 2], [0, 3], MISERE));
}

#[test]
fn limits_apart_read_the_same() {
    reads_the_same_with_and_without_depths(&rules(300, [10, 1, 4], [2, 2], NORMAL));
    reads_the_same_with_and_without_depths(&rules(300, [10, 12, 4], [1, 1], NORMAL));
}

#[test]
fn marks_that_reach_over_several_buckets_read_the_same() {
    let rules = rules(400, [32, 80, 16], [1, 1], NORMAL);
    let twin = Twin::read(&bytes(&rules, false)).expect("the document describes the file");
    let (outcomes, lists) = (twin.numbers(1), twin.numbers(2));
    let reaches = |list: u64, run: u64| list > 0 && run > 4 * lists[2 * (list as usize - 1) + 1];
    assert!(
        outcomes.chunks(6).any(|outcome| reaches(outcome[2], outcome[4])),
        "the ruleset serves no longer"
    );
    reads_the_same_with_and_without_depths(&rules);
}

#[test]
fn the_smallest_tables_read_the_same() {
    for stones in 1..=12 {
        for resets in [[0, 0], [1, 0], [1, 1]] {
            for play in [NORMAL, MISERE] {
                reads_the_same_with_and_without_depths(&rules(stones, [3, 1, 2], resets, play));
            }
        }
    }
    reads_the_same_with_and_without_depths(&rules(1, [1, 0, 1], [0, 0], NORMAL));
}

#[test]
fn outcomes_alone_tell_every_winning_move() {
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

/// The bytes of the worked example.
fn example() -> Vec<u8> {
    Listing::of_section(6).bytes()
}

/// The numbers that the comments beside an array's bytes name; in the pool each digit is one.
fn commented(array: &str) -> Vec<u64> {
    let listing = Listing::of_section(6);
    if array != "bits" {
        return listing.numbers(array);
    }
    let digits = listing.comments(array).flat_map(str::bytes).filter(u8::is_ascii_digit);
    digits.map(|digit| u64::from(digit - b'0')).collect()
}

#[test]
fn the_worked_example_is_what_the_generator_makes() {
    let made = bytes(&rules(6, [2, 1, 1], [0, 0], NORMAL), true);
    let show = |bytes: &[u8]| bytes.chunks(8).map(|chunk| format!("{chunk:02X?}\n")).collect::<String>();
    let listed = example();
    assert!(listed == made, "FORMAT.md lists\n{}and the generator makes\n{}", show(&listed), show(&made));
}

#[test]
fn the_worked_example_is_commented_truly() {
    let twin = Twin::read(&example()).expect("the document describes its example");
    let arrays = ["classes", "outcomes", "lists", "bits", "verdicts", "blocks", "starts", "values", "steps"];
    for (number, array) in arrays.into_iter().enumerate().filter(|&(_, array)| array != "lists") {
        assert_eq!(commented(array), twin.numbers(number), "{array}");
    }
}

#[test]
fn the_worked_example_answers_as_its_prose_says() {
    let twin = Twin::read(&example()).expect("the document describes its example");
    assert_eq!((0..=5).map(|m| twin.rules().stones_at(m)).collect::<Vec<_>>(), [7, 6, 5, 2, 0, 0]);
    let rules = rules(6, [2, 1, 1], [0, 0], NORMAL);
    let one = Some(Move { take: 1, reset: false });
    for (text, at, is_lost, depth) in
        [("4/1/2/0,0/-", (0, 2, 4), false, 3), ("5/0/1/0,0/r", (0, 1, 5), true, 4)]
    {
        let position = rules.parse_position(text).expect("a position of the example");
        assert_eq!(place(&twin, &position), at);
        assert_eq!(lost(&twin, &position), is_lost);
        assert_eq!(verdict(&twin, &position), Some((depth, one)));
    }
    reads_the_same(&rules, true);
}

#[test]
fn no_byte_of_a_file_escapes_its_checksums() {
    let whole = example();
    assert!(Twin::read(&whole).is_ok());
    for at in 0..whole.len() {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x10;
        assert!(Twin::read(&damaged).is_err(), "byte {at}");
    }
}
