//! Proof of a table of Expanding Nim: every position follows from its successors, as the plain rules
//! enumerate them.
//!
//! Nothing here is shared with the solvers. What a position should be is computed from what the table says of
//! the positions that its moves lead to; as the positions without stones are known, and every move takes a
//! stone, a table in which this holds everywhere is right everywhere.

use std::collections::BTreeMap;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position, Turn};
use bouton_tables::{AskError, Outcome, Play, Solved, Table, Verdict};

use crate::control::check as go_on;
use crate::estimate::estimate_proof;
use crate::memory::filled;
use crate::proof::{Counts, PlainRules, Provable, VerifyError, VerifyOptions, check_position};
use crate::{Control, parallel};

impl PlainRules for Expanding {
    #[inline]
    fn each_move(&self, position: &Position, mut visit: impl FnMut(&Move, u64, &Position)) {
        let Position { stones, currentmax, turn, resets, imposed } = *position;
        let (player, other) = match turn {
            Turn::First => (0, Turn::Second),
            Turn::Second => (1, Turn::First),
        };
        let usual = u64::from(self.base_limit()).max(u64::from(currentmax) + u64::from(self.growth()));
        let limit = if imposed { u64::from(self.reset_limit()) } else { usual };
        let resets_left = resets[player];
        for take in 1..=limit.min(u64::from(stones)) as u32 {
            for spent in 0..=resets_left.min(1) {
                let imposed = spent == 1;
                let mut resets = resets;
                resets[player] -= spent;
                let (stones, currentmax) = (stones - take, currentmax.max(take));
                let next = Position { stones, currentmax, turn: other, resets, imposed };
                visit(&Move { take, reset: imposed }, take.into(), &next);
            }
        }
    }

    fn play(&self) -> Play {
        Expanding::play(self)
    }
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

/// Progress is counted in pairs of stones and currentmax.
impl<D: AsRef<[u8]> + Sync> Provable<D> for ExpandingTable<D> {
    fn verify(
        &self,
        table: &Table<D>,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError> {
        let rules = self.game();
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
                    *verdict = self.verdict(&at(stones, place))?;
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
                    let answer = self.answer(&position)?;
                    check_position(self, &position, &answer, after(&position), |_, _, next| after(next))?;
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
}
