//! The general statements about resets on a sheet, counted again by the rules alone.

use std::collections::BTreeMap;

use bouton_draw::Paper;
use bouton_tests::oracle::expanding::{Position, Rules, legal_moves, positions};

use super::expanding::{LostPositions, both};
use super::read::{Piece, below, number, pages, pieces};

/// A position from the mover's side, its outcome, and its winning moves.
struct PositionView {
    stones: u32,
    own: u32,
    other: u32,
    imposed: bool,
    is_won: bool,
    winning: Vec<(u32, bool)>,
}

/// Returns all positions with stones left, once for each limit.
fn all(rules: &Rules) -> Vec<PositionView> {
    let lost = LostPositions::of(rules);
    let mut seen = BTreeMap::new();
    for position in positions(rules).into_iter().filter(|position| position.stones > 0) {
        let Position { stones, currentmax, turn, resets, imposed } = position;
        let [own, other] = if turn == 1 { resets } else { [resets[1], resets[0]] };
        let limit = rules.base_limit.max(currentmax.saturating_add(rules.growth));
        seen.entry((stones, limit, own, other, imposed)).or_insert_with(|| {
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
    seen.into_values().collect()
}

/// Counts the positions that satisfy both conditions, and those that satisfy the first.
fn share(
    all: &[PositionView],
    meant: impl Fn(&PositionView) -> bool,
    said: impl Fn(&PositionView) -> bool,
) -> Option<(u64, u64)> {
    let of: Vec<&PositionView> = all.iter().filter(|seen| meant(seen)).collect();
    let is = of.iter().filter(|seen| said(seen)).count() as u64;
    (!of.is_empty()).then_some((is, of.len() as u64))
}

/// Returns the fractions in a sentence: `12 of 34`, after a percentage.
fn shares(sentence: &str) -> Vec<(u64, u64)> {
    let parts: Vec<&str> = sentence.split(" % (").collect();
    let read = parts.windows(2).map(|pair| {
        let (is, of) = pair[1].split_once(')').unwrap().0.split_once(" of ").unwrap();
        let (is, of) = (number(is), number(of));
        let words: Vec<&str> = pair[0].split(' ').collect();
        let percent: f64 = words.last().unwrap().parse().unwrap();
        let exact = 100.0 * is as f64 / of as f64;
        match words[..words.len() - 1] {
            [.., "more", "than"] => assert!(exact > percent && exact < 100.0, "{sentence}"),
            [.., "less", "than"] => assert!(exact < percent && exact > 0.0, "{sentence}"),
            _ => assert!((exact - percent).abs() <= 0.0500001, "{sentence}"),
        }
        (is, of)
    });
    read.collect()
}

fn check(settings: &[&str]) {
    let (ruleset, rules) = both(settings);
    let all = all(&rules);
    let found = pieces(&pages(&ruleset, Paper::A4));
    let [Piece::Text(text)] =
        below(&found, "Resets, counted over all positions with stones left, once for each limit")
    else {
        panic!("{settings:?}: {found:?}");
    };
    let sentence = |begin: &str| {
        let rest = text.split_once(begin).map(|(_, rest)| rest)?;
        // The final point of a sentence follows a bracket.
        Some(shares(&rest[..rest.find(").").unwrap() + 2]))
    };
    let is_more = |seen: &PositionView| seen.own > seen.other;
    let plain = |seen: &PositionView| seen.winning.iter().any(|(_, reset)| !reset);
    for (begin, imposed) in
        [("and no reset binds you: you win", false), ("and a reset binds you: you win", true)]
    {
        let with = |meant: fn(&PositionView) -> bool| {
            share(&all, |seen| seen.imposed == imposed && meant(seen), |seen| seen.is_won)
        };
        let expected: Vec<(u64, u64)> = [
            with(|seen| seen.own > seen.other),
            with(|seen| seen.own == seen.other),
            with(|seen| seen.own < seen.other),
        ]
        .into_iter()
        .flatten()
        .collect();
        assert_eq!(sentence(begin), Some(expected), "{settings:?}: {text}");
    }
    for (begin, expected) in [
        (
            "No reset binds you, and you have more of them: taking 1 without a reset wins",
            share(&all, |seen| !seen.imposed && is_more(seen), |seen| seen.winning.contains(&(1, false))),
        ),
        (
            "A reset binds you, you have more of them, and can win: some move without a reset wins",
            share(&all, |seen| seen.imposed && is_more(seen) && seen.is_won, plain),
        ),
        (
            "No reset binds you, you have as many, and can win: some move with a reset wins",
            share(
                &all,
                |seen| !seen.imposed && seen.own > 0 && seen.own == seen.other && seen.is_won,
                |seen| seen.winning.iter().any(|(_, reset)| *reset),
            ),
        ),
        (
            "You have a reset, and can win: some move without one wins",
            share(&all, |seen| seen.own > 0 && seen.is_won, plain),
        ),
    ] {
        assert_eq!(sentence(begin), expected.map(|share| vec![share]), "{settings:?}: {begin} in {text}");
    }
    let needed =
        all.iter().filter(|seen| seen.own > 0 && seen.is_won && !plain(seen)).map(|seen| seen.stones).max();
    let expected = match needed {
        None => "No reset is ever needed to win.".to_owned(),
        Some(1) => "With more than 1 stone left, no reset is needed to win.".to_owned(),
        Some(stones) => format!("With more than {stones} stones left, no reset is needed to win."),
    };
    assert!(text.starts_with(&expected), "{settings:?}: {expected} in {text}");
}

#[test]
fn statements_about_resets_hold_as_often_as_stated() {
    for settings in [
        &["stones=70", "resets=2,2"][..],
        &["stones=40", "resets=3,1", "growth=2"],
        &["stones=40", "resets=0,2", "play=misere"],
        &["stones=40", "resets=1,1", "base-limit=5", "reset-limit=2"],
        &["stones=30", "resets=1,2", "growth=0"],
    ] {
        check(settings);
    }
}
