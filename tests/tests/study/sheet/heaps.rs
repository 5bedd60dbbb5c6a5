//! Sheets of heap games: their lost positions and Grundy values agree with the rules, and they name the theorem that
//! decides the game.

use std::collections::BTreeSet;

use bouton_draw::Paper;
use bouton_tables::{Ruleset, rulesets};
use bouton_tests::oracle::heaps::{Position, Rules, Take, legal_moves, solve};

use super::read::{Piece, number, numbers_of_list, pages, pieces, pieces_under};

/// Returns a preset with changed settings.
fn ruleset(preset: &str, settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    rulesets::find(preset, &settings).unwrap().ruleset
}

/// Parses a position of a sheet: heaps, then / and the passes left.
fn position(text: &str) -> Position {
    let (heaps, passes) = text.split_once('/').unwrap_or((text, "0"));
    let heaps: Vec<u32> = heaps.split(',').map(|heap| heap.parse().unwrap()).collect();
    assert!(heaps.is_sorted(), "{text}");
    Position::new(&heaps, passes.parse().unwrap())
}

/// Compares the sheet of a game with its rules. Returns the numbers of lost positions on the sheet and in the game,
/// without the empty one.
fn check_sheet(preset: &str, settings: &[&str], rules: &Rules) -> (usize, usize) {
    let found = pieces(&pages(&ruleset(preset, settings), Paper::A4));
    let verdicts = solve(rules);
    let stones = |position: &Position| position.heaps.iter().sum::<u32>();
    let lost: BTreeSet<Position> = verdicts
        .iter()
        .filter(|(position, verdict)| !verdict.win && stones(position) > 0)
        .map(|(position, _)| position.clone())
        .collect();
    let mut shown = BTreeSet::new();
    let lost_pieces = pieces_under(&found, "The lost positions");
    for piece in lost_pieces {
        let Piece::Row { label, text } = piece else { continue };
        let total = number(label.split(' ').next().unwrap());
        for position in text.split_whitespace().map(position) {
            assert_eq!(u64::from(stones(&position)), total, "{preset} {settings:?}: {text}");
            assert!(shown.insert(position), "{preset} {settings:?}: {text} twice");
        }
    }
    let max_stones = shown.iter().map(stones).max().unwrap_or(0);
    let is_heading =
        |piece: &&Piece| matches!(piece, Piece::Heading(text) if text.starts_with("The lost positions"));
    let Some(Piece::Heading(heading)) = found.iter().find(is_heading) else { panic!("no heading") };
    let numbers: Vec<u64> = heading
        .split([' ', ':'])
        .map(|word| word.trim_end_matches(','))
        .filter(|word| word.starts_with(|letter: char| letter.is_ascii_digit()))
        .map(number)
        .collect();
    if heading.contains("all") {
        assert_eq!((&shown, &numbers[..]), (&lost, &[lost.len() as u64][..]), "{preset} {settings:?}");
    } else {
        let expected: BTreeSet<Position> =
            lost.iter().filter(|position| stones(position) <= max_stones).cloned().collect();
        assert_eq!(shown, expected, "{preset} {settings:?}");
        assert_eq!(numbers, [max_stones.into(), shown.len() as u64, lost.len() as u64], "{heading}");
    }
    let says = |text: &str| {
        lost_pieces.iter().any(|piece| matches!(piece, Piece::Text(words) if words.contains(text)))
    };
    assert!(says(if rules.misere { "Never leave nothing." } else { "Leaving nothing wins, too." }));
    let start = Position::new(&rules.bounds, rules.passes);
    let second_wins =
        found.iter().any(|piece| matches!(piece, Piece::Text(words) if words.contains("player 2 wins")));
    assert_eq!(second_wins, !verdicts[&start].win, "{preset} {settings:?}");
    (shown.len(), lost.len())
}

/// Returns rules in normal play, with one heap a move and without passes.
fn rules(bounds: &[u32], take: Take) -> Rules {
    Rules {
        bounds: bounds.to_vec(),
        take,
        heaps_per_move: 1,
        exactly: vec![],
        equal_take: false,
        passes: 0,
        misere: false,
    }
}

#[test]
fn the_lost_positions_on_a_sheet_agree_with_the_rules() {
    let nim = |bounds: &[u32]| rules(bounds, Take::Any);
    let complete = [
        ("sticks", &[][..], Rules { misere: true, ..nim(&[3, 5, 7]) }),
        ("sticks", &["bounds=[1]"], Rules { misere: true, ..nim(&[1]) }),
        ("nim", &["heaps=2", "size=30"], nim(&[30, 30])),
        ("nim-pass", &["heaps=3", "size=9"], Rules { passes: 1, ..nim(&[9; 3]) }),
        ("moore", &["size=6"], Rules { heaps_per_move: 2, ..nim(&[6; 4]) }),
        ("wythoff", &["size=40"], Rules { heaps_per_move: 2, equal_take: true, ..nim(&[40, 40]) }),
        ("subtraction", &["heaps=2", "size=20"], rules(&[20, 20], Take::Exactly(vec![1, 3, 4]))),
        ("subtraction", &["heaps=1", "size=50", "take=3"], rules(&[50], Take::UpTo(3))),
        (
            "subtraction",
            &["heaps=2", "size=12", "take=[2]", "play=misere"],
            Rules { misere: true, ..rules(&[12, 12], Take::Exactly(vec![2])) },
        ),
    ];
    for (preset, settings, rules) in complete {
        let (shown, all) = check_sheet(preset, settings, &rules);
        assert_eq!(shown, all, "{preset} {settings:?}");
    }
    let (shown, all) =
        check_sheet("subtraction", &["heaps=3", "size=40"], &rules(&[40; 3], Take::Exactly(vec![1, 3, 4])));
    assert!(shown > 100 && shown < all, "{shown} of {all}");
}

#[test]
fn the_grundy_values_on_a_sheet_agree_with_the_rules() {
    for amounts in [&[1, 3, 4][..], &[2, 5], &[3]] {
        let take = format!("take={amounts:?}");
        let found = pieces(&pages(&ruleset("subtraction", &["heaps=2", "size=35", &take]), Paper::A4));
        let rules = rules(&[35], Take::Exactly(amounts.to_vec()));
        // The Grundy value: the least value that no move reaches.
        let mut values: Vec<u32> = Vec::new();
        for heap in 0..=35 {
            let reached: BTreeSet<u32> = legal_moves(&rules, &[heap], 0)
                .iter()
                .map(|(_, heaps, _)| values[heaps[0] as usize])
                .collect();
            values.push((0..).find(|value| !reached.contains(value)).unwrap());
        }
        let rows = pieces_under(&found, "Grundy values");
        let max = *values.iter().max().unwrap();
        assert_eq!(rows.len() as u32, max + 1, "{amounts:?}");
        for (value, row) in (0..).zip(rows) {
            let Piece::Row { label, text } = row else { panic!("{row:?}") };
            assert_eq!(*label, format!("value {value}"));
            let expected: Vec<u32> = (0..=35).filter(|&heap| values[heap as usize] == value).collect();
            assert_eq!(numbers_of_list(text, 0, 35), expected, "{amounts:?}");
        }
    }
}

#[test]
fn a_sheet_names_the_theorem_that_decides_its_game() {
    for (preset, author) in [
        ("sticks", "Bouton (1901)"),
        ("nim", "Bouton (1901)"),
        ("moore", "Moore (1910)"),
        ("wythoff", "Wythoff (1907)"),
        ("subtraction", "Sprague (1935) and Grundy (1939)"),
    ] {
        let found =
            pieces(&pages(&ruleset(preset, &["size=6"][usize::from(preset == "sticks")..]), Paper::A4));
        let heading = format!("What decides it: the theorem of {author}");
        assert!(found.contains(&Piece::Heading(heading)), "{preset}: {found:?}");
    }
    let found = pieces(&pages(&ruleset("nim-pass", &["size=5"]), Paper::A4));
    assert!(pieces_under(&found, "What decides it").is_empty());
    let names_no_theorem =
        |piece: &Piece| matches!(piece, Piece::Text(words) if words.contains("Bouton knows no theorem"));
    assert!(found.iter().any(names_no_theorem));
}
