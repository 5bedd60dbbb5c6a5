//! Proof of a table of Expanding Nim: every position follows from its successors, as the plain rules
//! enumerate them.
//!
//! Nothing here is shared with the solvers. What a position should be is computed from what the table says of
//! the positions that its moves lead to; as the positions without stones are known, and every move takes a
//! stone, a table in which this holds everywhere is right everywhere.

use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position, Turn};
use bouton_tables::{Answer, AskError, Header, MoveSet, Outcome, Solved, Verdict};
use rayon::prelude::*;

use crate::{Counts, Flaw, Progress, VerifyError};

/// Verdicts of all positions of one currentmax.
struct Level {
    /// For each number of stones, and each place (see [`place`]).
    verdicts: Vec<Verdict>,
}

/// Positions with the same stones and currentmax, in some order.
fn places(rules: &Expanding) -> Vec<(Turn, [u8; 2], bool)> {
    let [first, second] = rules.resets();
    let mut all = Vec::new();
    for turn in [Turn::First, Turn::Second] {
        for first in 0..=first {
            for second in 0..=second {
                all.extend([false, true].map(|imposed| (turn, [first, second], imposed)));
            }
        }
    }
    all
}

/// The number of a position among those of [`places`].
fn place(rules: &Expanding, position: &Position) -> usize {
    let [firsts, seconds] = rules.resets().map(|most| usize::from(most) + 1);
    let [first, second] = position.resets.map(usize::from);
    ((position.turn.index() * firsts + first) * seconds + second) * 2 + usize::from(position.imposed)
}

/// Checks every position of a table, through the table's public reader. Progress is counted in pairs of
/// stones and currentmax.
///
/// # Errors
/// Names the first position that is wrong, in the order of the check; or tells that the table is damaged.
pub fn verify<D: AsRef<[u8]> + Sync>(
    table: &ExpandingTable<D>,
    header: &Header,
    progress: &Progress,
) -> Result<Counts, VerifyError> {
    let rules = table.game();
    let places = places(rules);
    let mut levels: BTreeMap<u32, Level> = BTreeMap::new();
    let mut counts = Counts::default();
    // From the greatest currentmax down: moves lead to the same one or a greater one.
    for currentmax in (0..=rules.greatest_currentmax()).rev() {
        let Some(most) = rules.most_stones(currentmax) else { continue };
        // Before the level is made whose moves reach them, drop those that no move reaches any more.
        levels.split_off(&(rules.limit(currentmax, false).saturating_add(1)));
        let at = |stones, &(turn, resets, imposed): &(Turn, [u8; 2], bool)| Position {
            stones,
            currentmax,
            turn,
            resets,
            imposed,
        };
        let verdicts = (0..=most)
            .into_par_iter()
            .flat_map_iter(|stones| places.iter().map(move |place| table.verdict(&at(stones, place))))
            .collect::<Result<Vec<_>, AskError>>()?;
        levels.insert(currentmax, Level { verdicts });
        let check = |stones| -> Result<Counts, VerifyError> {
            let mut counts = Counts::default();
            for place in &places {
                let position = at(stones, place);
                let answer = table.answer(&position)?;
                check_position(table, &levels, &position, &answer)?;
                counts.add(&answer.verdict, position.turn == Turn::First);
            }
            progress(1);
            Ok(counts)
        };
        let level = (0..=most).into_par_iter().map(check).try_reduce(Counts::default, |a, b| Ok(a.and(b)))?;
        counts = counts.and(level);
    }
    counts.agree_with(header)?;
    Ok(counts)
}

/// Checks one position against its successors.
fn check_position<D: AsRef<[u8]>>(
    table: &ExpandingTable<D>,
    levels: &BTreeMap<u32, Level>,
    position: &Position,
    answer: &Answer<Move, impl MoveSet<Move>>,
) -> Result<(), VerifyError> {
    let rules = table.game();
    let width = 2 * usize::try_from(rules.positions_per_pair()).expect("at most 1024");
    let after = |next: &Position| {
        let level = &levels[&next.currentmax];
        level.verdicts[next.stones as usize * width + place(rules, next)]
    };
    let wrong = |what, found: &dyn ToString, follows: &dyn ToString| {
        let (position, found, follows) = (position.to_string(), found.to_string(), follows.to_string());
        Err(VerifyError::Wrong(Flaw { position, what, found, follows }))
    };

    if after(position) != answer.verdict {
        return wrong("outcome or depth", &"different from one question to the next", &"the same each time");
    }
    let mut listed = answer.winning.iter();
    let mut won = None;
    let mut lost = None;
    for chosen in rules.moves(position) {
        let next = after(&rules.after(position, chosen));
        // Of several equally deep, the first stays: moves come in the order in which ties are decided.
        if next.outcome == Outcome::Loss {
            if listed.next() != Some(chosen) {
                return wrong("list of winning moves", &"another one", &format!("that {chosen} wins"));
            }
            if won.is_none_or(|(depth, _)| next.depth < depth) {
                won = Some((next.depth, chosen));
            }
        } else if lost.is_none_or(|(depth, _)| next.depth > depth) {
            lost = Some((next.depth, chosen));
        }
    }
    if let Some(extra) = listed.next() {
        return wrong("list of winning moves", &extra, &"that it does not win, or comes earlier");
    }

    let outcome = match (won, lost) {
        (None, None) => rules.outcome_without_moves(),
        (won, _) => Outcome::from_won(won.is_some()),
    };
    if answer.verdict.outcome != outcome {
        return wrong("outcome", &answer.verdict.outcome, &outcome);
    }
    let chosen = won.or(lost);
    let depth = table.has_depths().then(|| match chosen {
        None => 0,
        Some((depth, _)) => depth.map_or(0, |depth| depth + 1),
    });
    if answer.verdict.depth != depth {
        let show = |depth: Option<u32>| depth.map_or("none".to_owned(), |depth| depth.to_string());
        return wrong("depth", &show(answer.verdict.depth), &show(depth));
    }
    let best = chosen.map(|(_, best)| best);
    if answer.best != best {
        let show = |best: Option<Move>| best.map_or("none".to_owned(), |best| best.to_string());
        return wrong("best move", &show(answer.best), &show(best));
    }
    Ok(())
}
