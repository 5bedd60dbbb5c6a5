//! The columns of numbers for Expanding Nim.

use bouton_tables::expanding::{Expanding, Move, Position, Turn};

use super::InColumns;

/// Index of the column `turn`.
const TURN: usize = 2;
/// Indices of the columns `resets1` and `resets2`.
const RESETS: [usize; 2] = [3, 4];
/// Index of the column `imposed`.
const IMPOSED: usize = 5;

impl InColumns for Expanding {
    fn radices(&self) -> Option<Vec<u32>> {
        None
    }

    #[inline]
    fn set(&self, position: &mut Position, number: impl Fn(usize) -> u64) -> Result<(), String> {
        let invalid = |name: &str, column, allowed: &str| {
            Err(format!("{name}: found {}, expected {allowed}", number(column)))
        };
        let turn = match number(TURN) {
            1 => Turn::First,
            2 => Turn::Second,
            _ => return invalid("turn", TURN, "1 or 2"),
        };
        let (Ok(first), Ok(second)) = (number(RESETS[0]).try_into(), number(RESETS[1]).try_into()) else {
            let player = usize::from(number(RESETS[0]) <= 255);
            let (name, most) = (["resets1", "resets2"][player], self.resets()[player]);
            return invalid(name, RESETS[player], &format!("0 to {most}"));
        };
        if number(IMPOSED) > 1 {
            return invalid("imposed", IMPOSED, "0 or 1");
        }
        *position = Position {
            stones: number(0),
            currentmax: number(1) as u32,
            turn,
            resets: [first, second],
            imposed: number(IMPOSED) == 1,
        };
        Ok(())
    }

    fn is_first_wide(&self) -> bool {
        self.stones() > u32::MAX.into()
    }

    fn move_columns(&self) -> Vec<(String, usize)> {
        vec![("take".to_owned(), 4), ("reset".to_owned(), 1)]
    }

    #[inline]
    fn number_of_move(&self, Move { take, reset }: Move, column: usize) -> u32 {
        if column == 0 { take } else { reset.into() }
    }
}
