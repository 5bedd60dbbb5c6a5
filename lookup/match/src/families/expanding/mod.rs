//! Expanding Nim.

mod numbers;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position};
use bouton_tables::{FamilyTable, TooManyPositions};

use super::{MAX_STICKS, Playable, sticks};
use numbers::ExpandingNumbers;

const STICKS_PER_LINE: u64 = 50;

impl Playable for Expanding {
    type Table = ExpandingTable;
    type Numbering = ExpandingNumbers;

    const HAS_RESETS: bool = true;
    const HAS_LINES: bool = true;

    fn of_table(table: &FamilyTable) -> Option<&ExpandingTable> {
        match table {
            FamilyTable::Expanding(table) => Some(table),
            _ => None,
        }
    }

    fn start_of(stones: u64) -> Option<String> {
        Some(stones.to_string())
    }

    fn with_reset(chosen: Move) -> Option<Move> {
        Some(Move { reset: true, ..chosen })
    }

    fn misread(&self, position: &Position) -> Position {
        let mut misread = position.clone();
        if position.imposed {
            // The limit seems to follow from currentmax: growth 1 and limit 3 suggest a currentmax of 2.
            misread.currentmax = position.currentmax.min(self.base_limit().saturating_sub(self.growth()));
        }
        misread
    }

    fn numbering(&self) -> Result<ExpandingNumbers, TooManyPositions> {
        ExpandingNumbers::new(self)
    }

    fn starts(&self, max: u64) -> Result<Vec<Position>, u64> {
        let (count, starts) = (self.stones(), (1..=self.stones()).map(|stones| self.start(stones)));
        if count > max { Err(count) } else { Ok(starts.collect()) }
    }

    fn picture(&self, position: &Position) -> String {
        let Position { stones, turn, resets, imposed, .. } = *position;
        let full_lines = if stones > MAX_STICKS { 0 } else { stones.saturating_sub(1) / STICKS_PER_LINE };
        let mut lines = vec![sticks(STICKS_PER_LINE); full_lines as usize];
        lines.push(sticks(stones - full_lines * STICKS_PER_LINE));
        let max_take = self.max_take(position);
        let why = if imposed { ", as a reset binds this turn" } else { "" };
        let [left, theirs] = [turn, turn.other()].map(|player| resets[player.index()]);
        format!(
            "{}\n{stones} left; take 1 to {max_take}{why}; resets left: yours {left}, the opponent's {theirs}",
            lines.join("\n")
        )
    }

    fn brief(&self, position: &Position, ours: bool) -> String {
        let Position { stones, turn, resets, imposed, .. } = *position;
        if stones == 0 {
            return "0 left".to_owned();
        }
        let (who, we) = if ours { ("you", turn) } else { ("they", turn.other()) };
        let max_take = self.max_take(position);
        let reset = if imposed { " (reset)" } else { "" };
        let [yours, theirs] = [we, we.other()].map(|player| resets[player.index()]);
        format!(
            "{stones} left; {who} take 1 to {max_take}{reset}; resets left: yours {yours}, theirs {theirs}"
        )
    }

    fn help(&self) -> String {
        let limit = self.reset_limit();
        format!(
            "A move is the number of stones that you take, such as 3. With an r after it, 3r, it also imposes a reset, as \
             long as you have resets left: the opponent's next move takes at most {limit}.\n\
             A position is STONES/CURRENTMAX/TURN/RESETS1,RESETS2/IMPOSED: the stones left, the most taken in one move so \
             far, the player to move, the resets that each player has left, and r if a reset binds this move."
        )
    }
}
