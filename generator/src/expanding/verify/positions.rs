//! Proves each position from all of its successors, as the plain rules enumerate them. This is the slowest proof, and the
//! simplest one.

use std::collections::VecDeque;

use bouton_tables::expanding::{Expanding, ExpandingTable, Position, Turn};
use bouton_tables::{AskError, Solved, Table};

use super::groups::{LineKind, kinds, position};
use super::line_array::LineArray;
use crate::control::{Control, check_cancelled};
use crate::estimate;
use crate::parallel;
use crate::proof::{CompactVerdict, Counts, VerifyError, VerifyOptions, check_position};

/// Returns the index of a position's kind among [`kinds`].
fn kind_index(rules: &Expanding, position: &Position) -> usize {
    let [firsts, seconds] = rules.resets().map(|most| usize::from(most) + 1);
    let [first, second] = position.resets.map(usize::from);
    ((position.turn.index() * firsts + first) * seconds + second) * 2 + usize::from(position.imposed)
}

/// Returns the maximum bytes in use at a time, for `lines` lines.
fn bytes_in_use(rules: &Expanding, lines: u128) -> u128 {
    // The verdicts of every currentmax that one move can reach are in memory.
    let [base, growth] = [rules.base_limit(), rules.growth()].map(u128::from);
    let levels = (base.max(growth) + 1).min(u128::from(rules.greatest_currentmax()) + 1);
    levels * (u128::from(rules.stones()) + 1) * lines * size_of::<CompactVerdict>() as u128
}

/// Checks every position. A step of progress is a pair of stones and currentmax.
pub(super) fn verify(
    expanding: &ExpandingTable,
    table: &Table,
    options: &VerifyOptions,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = expanding.game();
    let kinds = kinds(rules);
    let least = estimate::proof_memory(bytes_in_use(rules, kinds.len() as u128), table.file_len() as u64);
    if least > options.memory {
        return Err(VerifyError::TooLittle { least, limit: options.memory });
    }
    // The verdicts from the current currentmax upwards, with a line for each kind.
    let mut levels: VecDeque<LineArray<CompactVerdict>> = VecDeque::new();
    let mut counts = Counts::default();
    // From the greatest currentmax down: moves lead to the same one or a greater one.
    for currentmax in (0..=rules.greatest_currentmax()).rev() {
        let most = rules.max_stones(currentmax).expect("each up to the greatest arises");
        // Drop the verdicts that no move reaches any more before reading the next ones.
        levels.truncate((rules.limit(currentmax, false) - currentmax) as usize);
        let position_at = |stones: usize, kind: &LineKind| position(*kind, stones as u64, currentmax);
        let length = most as usize + 1;
        let mut verdicts = LineArray::filled(length, kinds.len(), CompactVerdict::default())?;
        verdicts.each_line(|kind, verdicts| {
            verdicts.iter_mut().enumerate().try_for_each(|(stones, verdict)| {
                *verdict = CompactVerdict::new(expanding.verdict(&position_at(stones, &kinds[kind]))?);
                Ok::<_, AskError>(())
            })
        })?;
        levels.push_front(verdicts);
        let verdict_of = |next: &Position| {
            let level = &levels[(next.currentmax - currentmax) as usize];
            level.line(kind_index(rules, next))[next.stones as usize].verdict()
        };
        let check = |stones: usize| -> Result<Counts, VerifyError> {
            check_cancelled(control)?;
            let mut counts = Counts::default();
            for kind in &kinds {
                let position = position_at(stones, kind);
                let answer = expanding.answer(&position)?;
                let own = verdict_of(&position);
                check_position(expanding, &position, &answer, own, |next| Ok(verdict_of(next)))?;
                counts.add(&answer.verdict, u64::from(position.turn == Turn::First));
            }
            control.advance(1);
            Ok(counts)
        };
        counts = counts.and(parallel::reduce(length, check, |a, b| Ok(a.and(b)))?);
    }
    Ok(counts)
}
