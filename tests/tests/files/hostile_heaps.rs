//! Regression tests for heap tables: wrong contents that once broke the reader, or that the properties in `hostile.rs`
//! would rarely find. All are sealed with correct checksums; `Lies` holds contents to write.

use bouton_generator::Census;
use bouton_generator::heaps::{ClassEdge, LostTarget, TableParts as Lies};
use bouton_tables::format::in_memory;
use bouton_tables::heaps::{HeapKeys, HeapRules, Position, Take};
use bouton_tables::{AskError, OpenError, Play, Solved, Table};
use bouton_tests::compare::heaps;
use bouton_tests::harm::{self, Harm};
use bouton_tests::headers::{self, Entry, Value};
use bouton_tests::hostile::{self, HEAPS};
use bouton_tests::positions::{Dice, GameUnderTest};
use bouton_tests::programs::run_within;
use bouton_tests::seal::Parts;

const BILLION: u64 = 1_000_000_000;
/// Returns the value of the entry `take` for any number of stones (FORMAT.md, section 2).
fn any() -> Value {
    Value::Word("any".to_owned())
}

/// Returns the value of the entry `take` for moves of 1 to `most` stones.
fn up_to(most: u64) -> Value {
    Value::Number(most)
}

/// Returns the value of the entry `take` for a list of amounts.
fn exactly(amounts: &[u64]) -> Value {
    Value::Numbers(amounts.to_vec())
}

/// Returns the entries of a header with these bounds, take, and heaps-per-move, equal-take and passes.
fn rules(bounds: &[u64], take: Value, [per_move, equal, passes]: [u64; 3]) -> Vec<Entry> {
    let number = |name, number| Entry::new(name, Value::Number(number));
    let mut entries = vec![
        Entry::new("game", Value::Word("heaps".to_owned())),
        Entry::new("bounds", Value::Numbers(bounds.to_vec())),
        Entry::new("take", take),
        number("heaps-per-move", per_move),
        Entry::new("equal-take", Value::Truth(equal as u8)),
        number("passes", passes),
        Entry::new("play", Value::Word("misere".to_owned())),
        Entry::new("depths", Value::Truth(1)),
    ];
    // Optional keys with their default values are omitted.
    let defaults = [any(), Value::Number(1), Value::Truth(0), Value::Number(0)];
    let optional = ["take", "heaps-per-move", "equal-take", "passes"].into_iter().zip(defaults);
    let optional: Vec<Entry> = optional.map(|(name, value)| Entry::new(name, value)).collect();
    entries.retain(|entry| !optional.contains(entry));
    let facts = [("positions", 88), ("wins", 66), ("deepest", 11)];
    entries.extend(facts.map(|(name, fact)| Entry { matters: 0, ..number(name, fact) }));
    entries
}

/// Returns the error of opening a table with this header and body.
fn refusal(header: Vec<u8>, body: &[u8]) -> String {
    match Table::open(Parts { header, body: body.to_vec() }.seal()) {
        Ok(_) => panic!("a table opened"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn rules_that_are_not_allowed_are_refused_by_name() {
    let body = &hostile::base(HEAPS.start).body;
    let (sticks, defaults_only): (&[u64], _) = (&[3, 5, 7], [1, 0, 0]);
    let too_many_amounts: Vec<u64> = (1..=100_001).collect();
    let cases = [
        (rules(sticks, any(), defaults_only), None),
        (rules(&[], any(), defaults_only), Some("bounds = []")),
        (rules(&[1; 17], any(), defaults_only), Some("bounds = [1, 1,")),
        (rules(&[0, 5, 7], any(), defaults_only), Some("bounds = [0, 5, 7]")),
        (rules(&[3, 5, BILLION + 1], any(), defaults_only), Some("bounds = [3, 5, 1000000001]")),
        (rules(sticks, up_to(0), defaults_only), Some("take = 0")),
        (rules(sticks, up_to(BILLION + 1), defaults_only), Some("take = 1000000001")),
        (rules(sticks, exactly(&[]), defaults_only), Some("take = []")),
        (rules(sticks, exactly(&[0, 1]), defaults_only), Some("take = [0, 1]")),
        (rules(sticks, exactly(&[3, 3]), defaults_only), Some("take = [3, 3]")),
        (rules(sticks, exactly(&[BILLION + 1]), defaults_only), Some("take = [1000000001]")),
        (rules(sticks, exactly(&too_many_amounts), defaults_only), Some("take = [1, 2,")),
        (rules(sticks, any(), [0, 0, 0]), Some("heaps-per-move = 0")),
        (rules(sticks, any(), [4, 0, 0]), Some("heaps-per-move = 4")),
        (rules(sticks, any(), [255, 0, 0]), Some("heaps-per-move = 255")),
        (rules(sticks, any(), [1, 1, 0]), Some("equal-take = true")),
        (rules(sticks, any(), [1, 0, 16]), Some("passes = 16")),
    ];
    for (entries, expected) in cases {
        let header = headers::header(&entries);
        let opened = Table::open(Parts { header, body: body.clone() }.seal());
        match (&opened, expected) {
            (Ok(_), None) => {}
            (Err(error), Some(expected)) => {
                assert!(error.to_string().contains(expected), "{expected}: {error}");
            }
            _ => panic!("{entries:?}: {opened:?}"),
        }
    }
}

/// Headers with unknown or repeated names, invalid values, or lists longer than any memory.
#[test]
fn invalid_headers_are_refused() {
    let body = &hostile::base(HEAPS.start).body;
    let valid = rules(&[3, 5, 7], any(), [1, 0, 0]);
    let with = |place: usize, entry: Entry| {
        let mut entries = valid.clone();
        entries[place] = entry;
        headers::header(&entries)
    };
    let more = |entry: Entry| headers::header(&[&valid[..], &[entry]].concat());
    let number = |name: &str| Entry::new(name, Value::Number(3));
    let huge = |rest: &[u8]| [&[12, 4][..], b"game", &[1, 3, 253], rest].concat();
    // The entries are game, bounds, play, depths, positions, wins, deepest.
    let cases = [
        (more(number("pass-limit")), "the key 'pass-limit', which this program does not know"),
        (more(number("stones")), "the key 'stones', which"),
        (more(number("a\u{1b}[31mred")), "the key 'a\\u{1b}[31mred', which"),
        (more(number("positions")), "the key 'positions', which"),
        (more(valid[1].clone()), "'bounds' twice"),
        (more(valid[6].clone()), "'deepest' twice"),
        (more(valid[3].clone()), "'depths' twice"),
        (more(Entry::new("take", any())), "as a table has them"),
        (more(number("size")), "bounds = [3, 5, 7]: expected either bounds, or"),
        (with(1, Entry::new("bounds", exactly(&[3, 7, 5]))), "as a table has them"),
        (more(Entry::new("take", exactly(&[3, 1]))), "as a table has them"),
        (headers::header(&valid[1..]), "the key 'game' is missing"),
        (headers::header(&valid[..6]), "lacks"),
        (headers::header(&[&valid[..3], &valid[4..]].concat()), "lacks"),
        (
            with(0, Entry::new("game", Value::Word("chess".to_owned()))),
            "the game \"chess\", which this program",
        ),
        (with(0, number("game")), "the game 3, which this program"),
        (with(1, number("bounds")), "does not have the keys of its ruleset as a table has them"),
        (
            more(Entry::new("heaps-per-move", Value::Number(u64::MAX))),
            "heaps-per-move = \"18446744073709551615\"",
        ),
        (more(number("equal-take")), "equal-take = 3"),
        (more(Entry::new("equal-take", Value::Truth(2))), "does not decode"),
        (with(2, number("play")), "play = 3"),
        (with(2, Entry::new("play", Value::Word("reverse".to_owned()))), "play = \"reverse\""),
        (with(3, number("depths")), "another value for depths"),
        (
            with(4, Entry { matters: 0, ..Entry::new("positions", Value::Truth(1)) }),
            "another value for positions",
        ),
        (
            with(6, Entry { matters: 0, ..Entry::new("deepest", Value::Number(1 << 32)) }),
            "depths are too great",
        ),
        (with(5, Entry { matters: 0, ..Entry::new("wins", Value::Number(89)) }), "89 wins in 88 positions"),
        (with(5, Entry { matters: 2, ..number("wins") }), "does not decode"),
        ([&headers::header(&valid)[..], &[0]].concat(), "1 bytes too many"),
        (headers::header(&valid)[..40].to_vec(), "does not decode"),
        (Vec::new(), "does not decode"),
        (vec![253, 255, 255, 255, 255, 255, 255, 255, 127], "does not decode"),
        (huge(&[255; 8]), "does not decode"),
        (huge(&[0, 0, 0, 0, 0, 1, 0, 0]), "does not decode"),
        // A list of 200 entries, and a value of a nonexistent kind.
        ([&[200][..], &headers::header(&valid)[1..]].concat(), "does not decode"),
        ([&[1, 4][..], b"game", &[1, 4, 0]].concat(), "does not decode"),
    ];
    for (header, expected) in cases {
        let found = refusal(header, body);
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

#[test]
fn an_unknown_name_that_does_not_matter_is_ignored() {
    let body = hostile::base(HEAPS.start).body.clone();
    let valid = rules(&[3, 5, 7], any(), [1, 0, 0]);
    for value in [Value::Number(3), any(), exactly(&[]), Value::Truth(0)] {
        let entry = Entry { matters: 0, ..Entry::new("made-on", value) };
        let header = headers::header(&[&[entry][..], &valid].concat());
        let table = Table::open(Parts { header, body: body.clone() }.seal()).expect("it opens");
        assert_eq!(table.header().positions, 88);
    }
}

/// Returns bodies of less than a thousand bytes: valid ones, and ones with extreme values in their directories.
fn bodies() -> Vec<Vec<u8>> {
    let mut bodies: Vec<Vec<u8>> = HEAPS.map(|base| hostile::base(base).body.clone()).collect();
    bodies.retain(|body| body.len() < 1000);
    let counts = [0, 1, 2, 16, BILLION + 1, 16 * (BILLION + 1), 1 << 40, 1 << 61, 1 << 63, u64::MAX];
    let widths: [[u8; 8]; 5] =
        [[0; 8], [1, 0, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0, 0], [40, 40, 0, 0, 0, 0, 0, 0], [255; 8]];
    for count in counts {
        for start in [0, 8, 480, 1 << 60, u64::MAX - 7] {
            for widths in widths {
                let entry = [start.to_le_bytes(), count.to_le_bytes(), widths].concat();
                // All arrays alike, or one array after many without records.
                bodies.push([entry.repeat(17), vec![0; 100]].concat());
                bodies.push([vec![0; 16 * 24], entry, vec![0; 96]].concat());
            }
        }
    }
    bodies.iter_mut().for_each(|body| body.truncate(body.len() / 8 * 8));
    bodies
}

/// Returns headers with rules at the limits of the format: up to 16 heaps of a billion stones.
fn greatest_rules() -> Vec<Vec<u8>> {
    let list: Vec<u64> = (BILLION - 999..=BILLION).collect();
    let takes = [any(), up_to(1), up_to(BILLION), exactly(&[BILLION]), exactly(&list)];
    let mut all = Vec::new();
    for heaps in [2, 3, 8, 15, 16] {
        for take in &takes {
            for more in [[1, 0, 0], [1, 0, 15], [2, 1, 15], [heaps as u64, 0, 0]] {
                for bounds in [vec![BILLION; heaps], [vec![1; heaps - 1], vec![BILLION]].concat()] {
                    all.push(headers::header(&rules(&bounds, take.clone(), more)));
                }
            }
        }
    }
    all
}

#[test]
fn small_files_of_the_greatest_rules_are_refused() {
    let bodies = bodies();
    for header in greatest_rules() {
        for body in &bodies {
            let error = refusal(header.clone(), body);
            assert!(error.contains("damaged"), "{error}");
        }
    }
}

#[test]
fn hostile_files_are_refused_within_little_memory() {
    let here = tempfile::tempdir().expect("a folder for the test");
    let mut dice = Dice::new(1901);
    let (headers, bodies) = (greatest_rules(), bodies());
    for number in 0..40 {
        let header = headers[dice.up_to(headers.len() as u32 - 1) as usize].clone();
        let body = bodies[dice.up_to(bodies.len() as u32 - 1) as usize].clone();
        std::fs::write(here.path().join("t.bouton"), Parts { header, body }.seal()).unwrap();
        let ran = run_within(32 << 20, "bouton-lookup", here.path(), &["t.bouton", "1,1"]);
        assert_eq!(ran.status, Some(2), "file {number}: {ran:?}");
        assert!(ran.stderr.contains("damaged"), "file {number}: {ran:?}");
    }
}

/// Returns the rules of a heap game.
fn game(bounds: &[u32], take: Take, per_move: u32, passes: u32, play: Play) -> HeapRules {
    HeapKeys {
        bounds: bounds.to_vec(),
        take,
        heaps_per_move: per_move.into(),
        passes,
        play,
        ..Default::default()
    }
    .rules()
    .expect("allowed rules")
}

/// Returns the file that a writer makes when it is given false edges.
fn file(rules: &HeapRules, depths: bool, lies: &Lies) -> Vec<u8> {
    let census = Census { wins: 0, deepest: 2 };
    in_memory(|sink| lies.write(rules, rules, depths, census, sink)).expect("there is memory")
}

#[test]
fn a_table_of_one_heap_takes_little_more_memory_than_its_file() {
    // An earlier reader kept a number for each size of the heap, 64 times the file's size.
    let (here, stones) = (tempfile::tempdir().expect("a folder for the test"), 24_000_000);
    let rules = game(&[stones], Take::UpTo(3), 1, 0, Play::Normal);
    let stem = (0..=stones).map(|size| ClassEdge { class: u32::from(size % 4 == 0), deeper: 0 }).collect();
    let table = file(&rules, false, &Lies { stem, levels: vec![vec![]], targets: vec![], ..Lies::default() });
    assert!(table.len() < 4 << 20);
    std::fs::write(here.path().join("t.bouton"), table).unwrap();
    let ran = run_within(32 << 20, "bouton-lookup", here.path(), &["t.bouton", "23999999"]);
    assert!(ran.stdout.contains("Best move: 1:3"), "{ran:?}");
}

#[test]
fn depths_of_2_to_the_30th_and_more_are_refused() {
    // In an earlier reader, adding one to these depths overflowed 32 bits.
    for play in [Play::Normal, Play::Misere] {
        for deeper in [1 << 30, (1 << 30) + 1, (1 << 31) - 1, 1 << 31, u32::MAX - 1, u32::MAX] {
            let levels = vec![vec![]; 2];
            let rules = game(&[3, 3], Take::Any, 1, 0, play);
            let lines = vec![LostTarget { size: 1, deeper, best_take: 1 }; 4];
            let of_lines = file(
                &rules,
                true,
                &Lies { stem: vec![], levels: levels.clone(), targets: lines, ..Lies::default() },
            );
            let rules = game(&[3, 3], Take::UpTo(2), 1, 0, play);
            let stem = vec![ClassEdge { class: 2, deeper }; 10];
            let of_positions = file(&rules, true, &Lies { stem, levels, targets: vec![], ..Lies::default() });
            for file in [of_lines, of_positions] {
                hostile::ask(&file);
                assert!(!hostile::prove(&file));
                let table = Table::open(&file).expect("the table opens in spite of the lie");
                let lost = Position { heaps: [1, 1].into_iter().collect(), passes: 0 };
                let verdict = heaps(&table).verdict(&lost);
                assert!(matches!(verdict, Err(AskError::Damaged(_))), "{verdict:?}");
            }
        }
    }
}

#[test]
fn export_diff_and_analyze_refuse_more_positions_than_can_be_numbered() {
    // An earlier numbering of the positions overflowed, and its tables took gigabytes.
    let (here, stones) = (tempfile::tempdir().expect("a folder for the test"), 100_000);
    let rules = game(&[stones; 16], Take::UpTo(1), 1, 0, Play::Normal);
    let levels = vec![vec![ClassEdge::default(); stones as usize + 1]; 16];
    let table = file(
        &rules,
        false,
        &Lies { stem: vec![ClassEdge::default()], levels, targets: vec![], ..Lies::default() },
    );
    hostile::study(&table);
    std::fs::write(here.path().join("t.bouton"), table).unwrap();
    for args in [
        &["export", "t.bouton", "--format", "csv"][..],
        &["diff", "t.bouton", "t.bouton"],
        &["analyze", "t.bouton"],
    ] {
        let ran = run_within(1 << 30, "bouton", here.path(), args);
        assert!(ran.status == Some(2) && ran.stderr.contains("too many positions"), "{args:?}: {ran:?}");
    }
}

#[test]
fn a_lost_heap_of_a_billion_stones_is_refused_without_trying_its_moves() {
    // An earlier reader tried all of the heap's moves, a billion for each of these tables.
    let stones = BILLION as u32;
    let rules = game(&[stones], Take::Any, 1, 15, Play::Normal);
    for fewer in 0..500 {
        let target = LostTarget { size: stones, deeper: 2, best_take: stones - fewer };
        let lies = Lies { stem: vec![], levels: vec![vec![]], targets: vec![target; 16], ..Lies::default() };
        let file = file(&rules, true, &lies);
        assert!(file.len() < 400);
        let table = Table::open(&file).expect("the table opens in spite of the lie");
        let lost = Position { heaps: [stones].into_iter().collect(), passes: 0 };
        let answer = heaps(&table).answer(&lost);
        assert!(matches!(answer, Err(AskError::Damaged(_))), "{answer:?}");
    }
}

/// Asks every position, and returns the number of answers.
fn count_answers(file: &[u8]) -> usize {
    hostile::ask(file);
    let table = Table::open(file).expect("the table opens in spite of the lie");
    let is_answered = |position: &Position| match heaps(&table).answer(position) {
        Ok(_) => true,
        Err(AskError::Damaged(_)) => false,
        Err(error) => panic!("{position:?}: {error}"),
    };
    heaps(&table).game().every().filter(is_answered).count()
}

#[test]
fn a_table_that_is_all_won_or_all_lost_answers_only_finished_games() {
    for (play, per_move) in [(Play::Normal, 1), (Play::Misere, 1), (Play::Normal, 2), (Play::Misere, 2)] {
        let rules = game(&[2, 4], Take::UpTo(2), per_move, 1, play);
        for depths in [true, false] {
            for class in 0..4 {
                let stem = vec![ClassEdge { class, deeper: 0 }; rules.positions() as usize];
                let lies = Lies { stem, levels: vec![vec![]; 2], targets: vec![], ..Lies::default() };
                // The game is over in two positions: with the pass and without.
                let is_right = (class == 0) == (play == Play::Misere);
                let expected = if is_right { 2 } else { 0 };
                assert_eq!(count_answers(&file(&rules, depths, &lies)), expected, "class {class}, {play:?}");
            }
        }
    }
}

#[test]
fn missing_classes_and_moves_are_refused_where_they_are_read() {
    let (none, far) = (ClassEdge::default(), ClassEdge { class: u32::MAX, deeper: 0 });
    let rules = game(&[4; 3], Take::UpTo(2), 1, 0, Play::Normal);
    let level = |edge: ClassEdge| vec![edge; 5];
    // In the last level a class describes a move: only the position without a move is answered.
    for (lie, expected) in [(0, 0), (1, 0), (2, 1)] {
        let levels = (0..3).map(|number| level(if number == lie { far } else { none })).collect();
        let lies = Lies { stem: vec![none], levels, targets: vec![], ..Lies::default() };
        assert_eq!(count_answers(&file(&rules, true, &lies)), expected, "level {lie}");
    }
    // Impossible targets, and best moves of too many stones. With target 0, a heap beside an empty one is lost; the
    // lookup answers that only if the heap is empty too, and the ten other positions of two heaps are won.
    let rules = game(&[4; 2], Take::Any, 1, 0, Play::Normal);
    for (size, best_take, expected) in
        [(u32::MAX, 1, 0), (5, u32::MAX, 0), (4, u32::MAX, 0), (0, u32::MAX, 11)]
    {
        let targets = vec![LostTarget { size, deeper: 0, best_take }; 5];
        let lies = Lies { stem: vec![], levels: vec![vec![]; 2], targets, ..Lies::default() };
        assert_eq!(count_answers(&file(&rules, true, &lies)), expected, "size {size}, best_take {best_take}");
    }
}

#[test]
fn arrays_that_do_not_fit_the_body_or_the_rules_are_refused() {
    for base in HEAPS {
        let arrays = harm::arrays(&hostile::base(base).header);
        for array in 0..arrays {
            for (word, value) in [(0, 3), (0, u64::MAX - 7), (1, 1 << 62), (2, 41), (2, u64::MAX)] {
                check_refused(base, &[Harm::Entry { array, word, value }]);
            }
        }
        // One record more or less in the array with one record per position of the first heaps, which is the first
        // array with any records. There is room for the extra record.
        let records = |array| harm::records(hostile::base(base), array).expect("it has a directory").0;
        let first = (0..arrays).find(|&array| records(array) > 0).expect("some array has records");
        // Without records each multiset in the stem is a class of its own, which a valid table can have.
        for value in [records(first) - 1, records(first) + 1].into_iter().filter(|&value| value > 0) {
            check_refused(base, &[Harm::Stretch { words: 20 }, Harm::Entry { array: first, word: 1, value }]);
        }
    }
}

/// Checks that opening refuses a base table with these changes, as damaged.
fn check_refused(base: usize, harms: &[Harm]) {
    let found = Table::open(hostile::resealed(base, harms));
    assert!(matches!(found, Err(OpenError::Damaged(_))), "table {base}, {harms:?}: {found:?}");
}
