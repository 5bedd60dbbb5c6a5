//! The oracle of outcomes: solves position by position. One to four words hold a bit for each pair of reset counts.

use bouton_tables::expanding::{Expanding, TableRows};
use bouton_tables::{Game, Outcome};

use super::growth::Reach;
use super::window::{Combine, One, SlidingFold};
use crate::control::CancelCheck;
use crate::memory::{Grow, room};
use crate::{Control, GenerateError};

/// A bit for each cell (pair of reset counts), for each player to move.
#[derive(Clone, Copy)]
struct Cells<const W: usize>([[u64; W]; 2]);

impl<const W: usize> Combine for Cells<W> {
    const NONE: Self = Self([[0; W]; 2]);

    #[inline]
    fn combine(mut self, other: Self) -> Self {
        for turn in 0..2 {
            for i in 0..W {
                self.0[turn][i] |= other.0[turn][i];
            }
        }
        self
    }
}

/// A row, with the places where the outcome changes along each line. Positions before the first change are won.
pub(in crate::expanding) struct PlainRow {
    pub(in crate::expanding) row: usize,
    pub(in crate::expanding) lines: Vec<Vec<u32>>,
}

/// Solves rows, the greatest currentmax first.
pub(in crate::expanding) trait OutcomeOracle {
    fn next_row(&mut self, control: &dyn Control) -> Result<Option<PlainRow>, GenerateError>;
}

/// The oracle with `W` words.
struct BitOracle<const W: usize> {
    /// For each place, the cells from which a move that arrives there wins.
    reach: Reach<Cells<W>, One>,
    all_cells: [u64; W],
    /// For each player the cells where a reset is left.
    may_reset: [[u64; W]; 2],
    /// For each player the distance of two cells that differ by one reset of this player.
    reset_distance: [u32; 2],
    /// Whether a player who has no stones to take has lost.
    end_is_lost: bool,
    cells: usize,
}

/// Returns the oracle for a ruleset, with as many words as its resets need.
pub(in crate::expanding) fn solver(rules: &Expanding) -> Result<Box<dyn OutcomeOracle>, GenerateError> {
    let cells: u32 = rules.resets().iter().map(|&r| u32::from(r) + 1).product();
    Ok(match cells.div_ceil(64) {
        1 => Box::new(BitOracle::<1>::new(rules)?),
        2 => Box::new(BitOracle::<2>::new(rules)?),
        3 => Box::new(BitOracle::<3>::new(rules)?),
        _ => Box::new(BitOracle::<4>::new(rules)?),
    })
}

impl<const W: usize> BitOracle<W> {
    fn new(rules: &Expanding) -> Result<Self, GenerateError> {
        let layout = TableRows::try_new(rules).ok_or(GenerateError::Memory)?;
        let (cells, across) = (layout.reset_pairs(), layout.reset_values_of_player_2());
        let mask = |in_mask: &dyn Fn(usize) -> bool| {
            let mut words = [0; W];
            (0..cells).filter(|&cell| in_mask(cell)).for_each(|cell| words[cell / 64] |= 1 << (cell % 64));
            words
        };
        Ok(Self {
            all_cells: mask(&|_| true),
            may_reset: [mask(&|cell| cell >= across), mask(&|cell| cell % across > 0)],
            reset_distance: [u32::try_from(across).expect("at most 16"), 1],
            cells,
            end_is_lost: rules.outcome_without_moves() == Outcome::Loss,
            reach: Reach::new(rules, One)?,
        })
    }

    /// Returns the cells from which a move to this place wins, given the lost cells there: `lost[imposed]`.
    #[inline]
    fn arrivals(&self, lost: [Cells<W>; 2]) -> Cells<W> {
        let mut arrivals = Cells::NONE;
        for mover in 0..2 {
            let [plain, imposed] = [lost[0].0[1 - mover], lost[1].0[1 - mover]];
            let mut carry = 0;
            for i in 0..W {
                // The move cost a reset: the mover had one more before.
                let before = imposed[i] << self.reset_distance[mover] | carry;
                carry = imposed[i] >> (64 - self.reset_distance[mover]);
                arrivals.0[mover][i] = plain[i] | before & self.may_reset[mover][i];
            }
        }
        arrivals
    }

    /// Records the lines on which the outcome changes, given the lost cells at the previous and at this place:
    /// `lost[imposed]`.
    #[inline]
    fn record_changes(
        &self,
        stones: u32,
        before: [Cells<W>; 2],
        lost: [Cells<W>; 2],
        lines: &mut [Vec<u32>],
    ) -> Result<(), GenerateError> {
        for imposed in 0..2 {
            for turn in 0..2 {
                for i in 0..W {
                    let mut changed = lost[imposed].0[turn][i] ^ before[imposed].0[turn][i];
                    while changed != 0 {
                        let cell = 64 * i + changed.trailing_zeros() as usize;
                        lines[(turn * self.cells + cell) * 2 + imposed].grow(stones)?;
                        changed &= changed - 1;
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn lost(&self, won: Cells<W>) -> Cells<W> {
        let mut lost = won;
        for turn in 0..2 {
            for i in 0..W {
                lost.0[turn][i] = !won.0[turn][i] & self.all_cells[i];
            }
        }
        lost
    }
}

impl<const W: usize> OutcomeOracle for BitOracle<W> {
    fn next_row(&mut self, control: &dyn Control) -> Result<Option<PlainRow>, GenerateError> {
        let Some(row) = self.reach.next_row() else { return Ok(None) };
        let mut cancel_check = CancelCheck::new(control);
        let leaving = self.reach.leaving(&row);
        let mut windows = [SlidingFold::new(row.stay[0], One)?, SlidingFold::new(row.stay[1], One)?];
        let mut arrivals: Vec<Cells<W>> = room(row.length as u64)?;
        let mut lines = vec![Vec::new(); 4 * self.cells];
        let mut before = [Cells::NONE; 2];
        for stones in 0..row.length {
            cancel_check.spend(8 * W)?;
            let lost = if stones == 0 {
                [if self.end_is_lost { self.lost(Cells::NONE) } else { Cells::NONE }; 2]
            } else {
                let mut won = [[Cells::NONE]; 2];
                windows[0].combine_into(&mut won[0]);
                leaving.combine_into(stones, &mut won[0]);
                windows[1].combine_into(&mut won[1]);
                leaving.combine_under_reset(stones, &mut won[1]);
                won.map(|[won]| self.lost(won))
            };
            self.record_changes(stones as u32, before, lost, &mut lines)?;
            before = lost;
            arrivals.push(self.arrivals(lost));
            windows.iter_mut().for_each(|window| window.slide(&arrivals));
        }
        self.reach.put(&row, arrivals)?;
        Ok(Some(PlainRow { row: row.number, lines }))
    }
}
