//! Every position follows from its successors, as the plain rules enumerate them.
//!
//! What a position should be is computed from what the table says of the positions that its moves lead to; as the positions without
//! stones are known, and every move takes a stone, a table in which this holds everywhere is right everywhere.

use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};
use bouton_tables::{AskError, Outcome, Solved, Table, Verdict};

use super::places;

use crate::control::check as go_on;
use crate::estimate::estimate_proof;
use crate::memory::filled;
use crate::proof::{Counts, VerifyError, VerifyOptions, check_position};
use crate::{Control, parallel};

/// The number of a position among those of [`places`].
fn place(rules: &Expanding, position: &Position) -> usize {
    let [firsts, seconds] = rules.resets().map(|most| usize::from(most) + 1);
    let [first, second] = position.resets.map(usize::from);
    ((position.turn.index() * firsts + first) * seconds + second) * 2 + usize::from(position.imposed)
}

/// Checks every position. Progress is counted in pairs of stones and currentmax.
pub(super) fn verify<D: AsRef<[u8]> + Sync>(
    of_family: &ExpandingTable<D>,
    table: &Table<D>,
    options: &VerifyOptions,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = of_family.game();
    let least = estimate_proof(&table.header().ruleset, table.file_len() as u64).least;
    if least > options.memory {
        return Err(VerifyError::TooLittle { least, limit: options.memory });
    }
    let places = places(rules);
    // For each currentmax the verdicts for each number of stones, and each place.
    let mut levels: BTreeMap<u32, Vec<Verdict>> = BTreeMap::new();
    let mut counts = Counts::default();
    // From the greatest currentmax down: moves lead to the same one or a greater one.
    for currentmax in (0..=rules.greatest_currentmax()).rev() {
        let Some(most) = rules.most_stones(currentmax) else { continue };
        // Before the level is made whose moves reach them, drop those that no move reaches any more.
        levels.split_off(&(rules.limit(currentmax, false).saturating_add(1)));
        let at = |stones: usize, &(turn, resets, imposed): &(Turn, [u8; 2], bool)| Position {
            stones: stones as u32,
            currentmax,
            turn,
            resets,
            imposed,
        };
        let (width, none) = (places.len(), Verdict { outcome: Outcome::Loss, depth: None });
        let mut verdicts = filled((u64::from(most) + 1) * width as u64, none)?;
        parallel::chunks(&mut verdicts, width, |stones, verdicts| {
            verdicts.iter_mut().zip(&places).try_for_each(|(verdict, place)| {
                *verdict = of_family.verdict(&at(stones, place))?;
                Ok::<_, AskError>(())
            })
        })?;
        levels.insert(currentmax, verdicts);
        let after =
            |next: &Position| levels[&next.currentmax][next.stones as usize * width + place(rules, next)];
        let check = |stones: usize| -> Result<Counts, VerifyError> {
            go_on(control)?;
            let mut counts = Counts::default();
            for place in &places {
                let position = at(stones, place);
                let answer = of_family.answer(&position)?;
                check_position(of_family, &position, &answer, after(&position), |_, _, next| after(next))?;
                counts.add(&answer.verdict, position.turn == Turn::First);
            }
            control.advance(1);
            Ok(counts)
        };
        let stones = most as usize + 1;
        counts = counts.and(parallel::reduce(stones, check, |a, b| Ok(a.and(b)))?);
    }
    Ok(counts)
}
