//! Checks whole answers: best move and winning moves too, not only the verdict.

use bouton_tables::Solved;
use bouton_tables::expanding::{ExpandingTable, Position};

use super::groups::{CurrentmaxGroup, LineKind, position};
use crate::proof::{VerifyError, check_position};

/// Checks the whole answer at one position of a line; the number of stones varies from group to group.
pub(super) fn check_one_answer(
    table: &ExpandingTable,
    group: &CurrentmaxGroup,
    kind: LineKind,
) -> Result<(), VerifyError> {
    let stones = (u64::from(group.first) + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) % (group.most + 1);
    check_answer(table, &position(kind, stones, group.first))
}

/// Checks the whole answer at a position against the table's verdicts of its successors.
pub(super) fn check_answer(table: &ExpandingTable, position: &Position) -> Result<(), VerifyError> {
    let answer = table.answer(position)?;
    let own = table.verdict(position)?;
    check_position(table, position, &answer, own, |next| table.verdict(next))
}
