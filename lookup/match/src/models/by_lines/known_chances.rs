//! The data that all lines share, and the chances that are known while a group of lines is computed.

use super::line_moves::{LineMoves, LinePosition};
use super::stone_set::StoneSet;
use crate::Playable;
use crate::families::{PositionLine, PositionLines};
use crate::models::stored_chance::Opponents;

/// One run of the induction: the data that all lines share.
pub(super) struct LineInduction<'a, G: Playable> {
    pub(super) table: &'a G::Table,
    pub(super) position_lines: &'a dyn PositionLines<G>,
    pub(super) opponents: Opponents<'a>,
    pub(super) lines: Vec<PositionLine>,
    /// The lost positions of each line.
    pub(super) lost: Vec<StoneSet>,
}

impl<G: Playable> LineInduction<'_, G> {
    pub(super) fn per_position(&self) -> usize {
        self.opponents.chances_per_position()
    }

    pub(super) fn moves(&self, (line, stones): LinePosition) -> LineMoves<'_> {
        LineMoves { line: &self.lines[line], stones }
    }

    pub(super) fn is_lost(&self, (line, stones): LinePosition) -> bool {
        self.lost[line].contains(stones)
    }
}

/// One line of the group that is being computed, with its chances so far.
pub(super) struct GroupLine<T> {
    pub(super) line: usize,
    pub(super) chances: Vec<T>,
}

/// The chances that are known while a group is computed.
pub(super) struct KnownChances<'a, G: Playable, T> {
    pub(super) induction: &'a LineInduction<'a, G>,
    /// The chances of all lines. So far, only the lines of earlier waves have been computed.
    pub(super) done: &'a [&'a [T]],
    pub(super) group: Vec<GroupLine<T>>,
}

impl<G: Playable, T> KnownChances<'_, G, T> {
    pub(super) fn line(&self, line: usize) -> &[T] {
        match self.group.iter().find(|member| member.line == line) {
            Some(member) => &member.chances,
            None => self.done[line],
        }
    }

    pub(super) fn at(&self, (line, stones): LinePosition) -> &[T] {
        let per_position = self.induction.per_position();
        &self.line(line)[stones as usize * per_position..][..per_position]
    }
}
