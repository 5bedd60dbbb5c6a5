//! Every position follows from its successors, as the plain rules enumerate them.
//!
//! What a position should be is computed from what the table says of the positions that its moves lead to; as the positions without
//! stones are known, and every move takes a stone, a table in which this holds everywhere is right everywhere.

use std::collections::VecDeque;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};
use bouton_tables::{AskError, Outcome, Solved, Table, Verdict};

use super::groups::kinds;

use crate::control::check as go_on;
use crate::estimate;
use crate::memory::filled;
use crate::proof::{Counts, VerifyError, VerifyOptions, check_position};
use crate::{Control, parallel};

/// The number of a position among those of [`kinds`].
fn place(rules: &Expanding, position: &Position) -> usize {
    let [firsts, seconds] = rules.resets().map(|most| usize::from(most) + 1);
    let [first, second] = position.resets.map(usize::from);
    ((position.turn.index() * firsts + first) * seconds + second) * 2 + usize::from(position.imposed)
}

/// A verdict in four bytes, as very many are kept: twice the depth, if the table has depths, and one more if the position is won.
#[derive(Clone, Copy, Default)]
struct Short(u32);

impl Short {
    /// None of a table without depths has a depth.
    const NO_DEPTH: u32 = u32::MAX >> 1;

    fn of(Verdict { outcome, depth }: Verdict) -> Self {
        Self(depth.unwrap_or(Self::NO_DEPTH) << 1 | u32::from(outcome == Outcome::Win))
    }

    #[inline]
    fn get(self) -> Verdict {
        let depth = self.0 >> 1;
        Verdict {
            outcome: Outcome::from_won(self.0 & 1 == 1),
            depth: (depth != Self::NO_DEPTH).then_some(depth),
        }
    }
}

/// All that is known of a currentmax: for each place the verdicts for each number of stones.
struct Level {
    length: usize,
    verdicts: Vec<Short>,
}

/// The most bytes that are held at the same time, for so many lines.
pub(super) fn held(rules: &Expanding, lines: u128) -> u128 {
    // All verdicts of each currentmax that a move from one leads to.
    let [base, growth] = [rules.base_limit(), rules.growth()].map(u128::from);
    let levels = (base.max(growth) + 1).min(u128::from(rules.greatest_currentmax()) + 1);
    levels * (u128::from(rules.stones()) + 1) * lines * size_of::<Short>() as u128
}

/// Checks every position. Progress is counted in pairs of stones and currentmax.
pub(super) fn verify(
    of_family: &ExpandingTable,
    table: &Table,
    options: &VerifyOptions,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = of_family.game();
    let places = kinds(rules);
    let least = estimate::proof(held(rules, places.len() as u128), table.file_len() as u64);
    if least > options.memory {
        return Err(VerifyError::TooLittle { least, limit: options.memory });
    }
    // From the present currentmax up.
    let mut levels: VecDeque<Level> = VecDeque::new();
    let mut counts = Counts::default();
    // From the greatest currentmax down: moves lead to the same one or a greater one.
    for currentmax in (0..=rules.greatest_currentmax()).rev() {
        let most = rules.most_stones(currentmax).expect("each up to the greatest arises");
        // Before the level is made whose moves reach them, drop those that no move reaches any more.
        levels.truncate((rules.limit(currentmax, false) - currentmax) as usize);
        let at = |stones: usize, &(turn, resets, imposed): &(Turn, [u8; 2], bool)| Position {
            stones: stones as u32,
            currentmax,
            turn,
            resets,
            imposed,
        };
        // Moves of one stone more and one more lead to neighbours.
        let length = most as usize + 1;
        let mut verdicts = filled(length as u64 * places.len() as u64, Short::default())?;
        parallel::chunks(&mut verdicts, length, |place, verdicts| {
            verdicts.iter_mut().enumerate().try_for_each(|(stones, verdict)| {
                *verdict = Short::of(of_family.verdict(&at(stones, &places[place]))?);
                Ok::<_, AskError>(())
            })
        })?;
        levels.push_front(Level { length, verdicts });
        let after = |next: &Position| {
            let level = &levels[(next.currentmax - currentmax) as usize];
            level.verdicts[place(rules, next) * level.length + next.stones as usize].get()
        };
        let check = |stones: usize| -> Result<Counts, VerifyError> {
            go_on(control)?;
            let mut counts = Counts::default();
            for place in &places {
                let position = at(stones, place);
                let answer = of_family.answer(&position)?;
                check_position(of_family, &position, &answer, after(&position), |_, _, next| after(next))?;
                counts.add(&answer.verdict, u64::from(position.turn == Turn::First));
            }
            control.advance(1);
            Ok(counts)
        };
        counts = counts.and(parallel::reduce(length, check, |a, b| Ok(a.and(b)))?);
    }
    Ok(counts)
}
