//! The statements about resets on a sheet, such as "you win 50 % (12 of 24)", agree with counts by the rules alone.

use std::collections::BTreeMap;

use bouton_draw::Paper;
use bouton_tests::oracle::expanding::{Position, Rules, legal_moves, positions};

use super::expanding::{LostPositions, rules_of};
use super::read::{Piece, number, pages, pieces, pieces_under};

/// A position from the mover's side.
struct PositionView {
    stones: u32,
    /// The resets that the mover has left.
    own: u32,
    /// The resets that the opponent has left.
    other: u32,
    imposed: bool,
    is_won: bool,
    /// The winning moves: the stones taken, and whether the move imposes a reset.
    winning: Vec<(u32, bool)>,
}

/// Returns all positions with stones left, once for each limit.
fn all_positions(rules: &Rules) -> Vec<PositionView> {
    let lost = LostPositions::of(rules);
    let mut views = BTreeMap::new();
    for position in positions(rules).into_iter().filter(|position| position.stones > 0) {
        let Position { stones, currentmax, turn, resets, imposed } = position;
        let [own, other] = if turn == 1 { resets } else { [resets[1], resets[0]] };
        let limit = rules.base_limit.max(currentmax.saturating_add(rules.growth));
        views.entry((stones, limit, own, other, imposed)).or_insert_with(|| {
            let moves = legal_moves(rules, &position);
            let winning = moves.into_iter().filter(|(_, next)| lost.is_lost(next)).map(|(chosen, _)| chosen);
            PositionView {
                stones,
                own,
                other,
                imposed,
                is_won: !lost.is_lost(&position),
                winning: winning.collect(),
            }
        });
    }
    views.into_values().collect()
}

/// Returns the number of positions that satisfy both condition and claim, and the number that satisfy the condition;
/// `None` if no position satisfies it.
fn count_fraction(
    all_positions: &[PositionView],
    condition: impl Fn(&PositionView) -> bool,
    claim: impl Fn(&PositionView) -> bool,
) -> Option<(u64, u64)> {
    let selected: Vec<&PositionView> = all_positions.iter().filter(|view| condition(view)).collect();
    let part = selected.iter().filter(|view| claim(view)).count() as u64;
    (!selected.is_empty()).then_some((part, selected.len() as u64))
}

/// Returns the fractions in a sentence, `12 of 34` in `35.3 % (12 of 34)`, after checking their percentages.
fn fractions(sentence: &str) -> Vec<(u64, u64)> {
    let parts: Vec<&str> = sentence.split(" % (").collect();
    let read = parts.windows(2).map(|pair| {
        let (part, total) = pair[1].split_once(')').unwrap().0.split_once(" of ").unwrap();
        let (part, total) = (number(part), number(total));
        let words: Vec<&str> = pair[0].split(' ').collect();
        let percent: f64 = words.last().unwrap().parse().unwrap();
        let exact = 100.0 * part as f64 / total as f64;
        match words[..words.len() - 1] {
            [.., "more", "than"] => assert!(exact > percent && exact < 100.0, "{sentence}"),
            [.., "less", "than"] => assert!(exact < percent && exact > 0.0, "{sentence}"),
            _ => assert!((exact - percent).abs() <= 0.0500001, "{sentence}"),
        }
        (part, total)
    });
    read.collect()
}

/// Compares each statement about resets on the sheet of a game with the rules.
fn check_resets(settings: &[&str]) {
    let (ruleset, rules) = rules_of(settings);
    let all_positions = all_positions(&rules);
    let found = pieces(&pages(&ruleset, Paper::A4));
    let [Piece::Text(text)] =
        pieces_under(&found, "Resets, counted over all positions with stones left, once for each limit")
    else {
        panic!("{settings:?}: {found:?}");
    };
    let sentence = |begin: &str| {
        let rest = text.split_once(begin).map(|(_, rest)| rest)?;
        // The final point of a sentence follows a bracket.
        Some(fractions(&rest[..rest.find(").").unwrap() + 2]))
    };
    let has_more = |view: &PositionView| view.own > view.other;
    let wins_without_reset = |view: &PositionView| view.winning.iter().any(|(_, reset)| !reset);
    for (begin, imposed) in
        [("and no reset binds you: you win", false), ("and a reset binds you: you win", true)]
    {
        let wins_among = |condition: fn(&PositionView) -> bool| {
            count_fraction(
                &all_positions,
                |view| view.imposed == imposed && condition(view),
                |view| view.is_won,
            )
        };
        let expected: Vec<(u64, u64)> = [
            wins_among(|view| view.own > view.other),
            wins_among(|view| view.own == view.other),
            wins_among(|view| view.own < view.other),
        ]
        .into_iter()
        .flatten()
        .collect();
        assert_eq!(sentence(begin), Some(expected), "{settings:?}: {text}");
    }
    for (begin, expected) in [
        (
            "No reset binds you, and you have more of them: taking 1 without a reset wins",
            count_fraction(
                &all_positions,
                |view| !view.imposed && has_more(view),
                |view| view.winning.contains(&(1, false)),
            ),
        ),
        (
            "A reset binds you, you have more of them, and can win: some move without a reset wins",
            count_fraction(
                &all_positions,
                |view| view.imposed && has_more(view) && view.is_won,
                wins_without_reset,
            ),
        ),
        (
            "No reset binds you, you have as many, and can win: some move with a reset wins",
            count_fraction(
                &all_positions,
                |view| !view.imposed && view.own > 0 && view.own == view.other && view.is_won,
                |view| view.winning.iter().any(|(_, reset)| *reset),
            ),
        ),
        (
            "You have a reset, and can win: some move without one wins",
            count_fraction(&all_positions, |view| view.own > 0 && view.is_won, wins_without_reset),
        ),
    ] {
        assert_eq!(
            sentence(begin),
            expected.map(|fraction| vec![fraction]),
            "{settings:?}: {begin} in {text}"
        );
    }
    let needed = all_positions
        .iter()
        .filter(|view| view.own > 0 && view.is_won && !wins_without_reset(view))
        .map(|view| view.stones)
        .max();
    let expected = match needed {
        None => "No reset is ever needed to win.".to_owned(),
        Some(1) => "With more than 1 stone left, no reset is needed to win.".to_owned(),
        Some(stones) => format!("With more than {stones} stones left, no reset is needed to win."),
    };
    assert!(text.starts_with(&expected), "{settings:?}: {expected} in {text}");
}

#[test]
fn fractions_in_statements_about_resets_agree_with_the_rules() {
    for settings in [
        &["stones=70", "resets=2,2"][..],
        &["stones=40", "resets=3,1", "growth=2"],
        &["stones=40", "resets=0,2", "play=misere"],
        &["stones=40", "resets=1,1", "base-limit=5", "reset-limit=2"],
        &["stones=30", "resets=1,2", "growth=0"],
    ] {
        check_resets(settings);
    }
}
