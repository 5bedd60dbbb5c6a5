//! The board of Expanding Nim, and its plane: stones against currentmax.

use bouton_tables::Game;
use bouton_tables::expanding::{Expanding, Move, Position};

use crate::board::{Axis, Board, BoardView, MoveView, Pile, Plane, RowTake};
use crate::budget::LookUpCost;

/// Maximum number of columns of a map.
const MAX_COLUMNS: u64 = 240;
/// Maximum number of rows of a map.
const MAX_ROWS: u64 = 60;

/// Maximum number of stones of a game that takes a few minutes.
const MAX_SMALL_STONES: u64 = 60;

impl Board for Expanding {
    fn cost(&self) -> LookUpCost {
        // An answer reads a word for every 64 amounts that a move may take, and looks up amounts that raise currentmax.
        let amounts = self.stones().min(self.limit(self.greatest_currentmax(), false).into());
        let raising = self.stones().min(self.growth().max(self.base_limit()).into());
        LookUpCost::new(1, 1 + amounts / 64 + raising)
    }

    fn small_starts(&self) -> Vec<Position> {
        (1..=self.stones().min(MAX_SMALL_STONES)).rev().map(|stones| self.start(stones)).collect()
    }

    fn move_view(&self, chosen: Move) -> MoveView {
        MoveView { takes: vec![RowTake { row: None, stones: chosen.take }], reset: chosen.reset }
    }

    fn board_view(&self, position: &Position) -> BoardView {
        let Position { stones, currentmax, resets, imposed, .. } = *position;
        let limit = self.limit(currentmax, imposed);
        let pile = Pile { stones, currentmax, limit, resets, imposed };
        BoardView { pile: Some(pile), ..BoardView::default() }
    }

    fn plane(&self, position: &Position, [x, y]: [Option<u64>; 2]) -> Plane {
        let x = Axis::around("stones left".to_owned(), None, position.stones, x, self.stones(), MAX_COLUMNS);
        let name = "currentmax: most taken at once".to_owned();
        let [at, most] = [position.currentmax, self.greatest_currentmax()].map(u64::from);
        let y = Axis::around(name, None, at, y, most, MAX_ROWS);
        Plane { x, y: Some(y) }
    }

    fn position_at(&self, around: &Position, _plane: &Plane, x: u64, y: u64) -> Option<Position> {
        let position = Position { stones: x, currentmax: u32::try_from(y).ok()?, ..around.clone() };
        self.check(&position).is_ok().then_some(position)
    }
}
