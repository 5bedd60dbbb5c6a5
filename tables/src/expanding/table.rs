//! A table of Expanding Nim, open for questions.

use std::hint::select_unpredictable;
use std::sync::OnceLock;

use super::layout::Layout;
use super::mask::{TakeMask, Winning, Words};
use super::outcomes::{OutcomeLine, Outcomes};
use super::position::{Move, Position};
use super::rules::Expanding;
use super::verdicts::{MAX_DEPTH, VerdictLine, Verdicts};
use crate::format::{Body, Fault};
use crate::format::{PADDING, Packed};
use crate::{Answer, AskError, Damage, MoveSet, Outcome, Solved, Verdict};

/// A table of Expanding Nim. `D` holds the file's bytes: a [`Map`](crate::Map), or a vector.
#[derive(Debug)]
pub struct ExpandingTable<D> {
    rules: Expanding,
    layout: Layout,
    body: Body<D>,
    /// For each line its class.
    classes: Vec<u32>,
    /// Number of classes.
    width: usize,
    outcomes: Outcomes,
    verdicts: Option<Verdicts>,
    /// The records of a row's lines, unpacked when the row is first asked for.
    rows: Box<[OnceLock<Row>]>,
}

/// So many rows a file may have, besides one for each four bytes of its body: what opening takes is a small
/// multiple of its length.
const FEW_ROWS: u64 = 65_536;

/// The fewest bytes that the body of a table of so many rows has.
#[must_use]
pub fn least_body(rows: u64) -> u64 {
    4 * rows.saturating_sub(FEW_ROWS)
}

/// A row, ready to be asked.
#[derive(Debug)]
struct Row {
    /// The most stones taken by a move that stays in the row.
    stay: u32,
    /// For each class its line.
    outcomes: Box<[OutcomeLine]>,
    verdicts: Box<[VerdictLine]>,
}

impl Expanding {
    /// Opens the body of a table of these rules.
    pub(crate) fn open<D: AsRef<[u8]>>(
        &self,
        depths: bool,
        body: Body<D>,
    ) -> Result<ExpandingTable<D>, Damage> {
        ExpandingTable::new(depths, self, body)
    }
}

impl<D: AsRef<[u8]>> ExpandingTable<D> {
    /// Reads the body's directory and checks all that later arithmetic relies on.
    fn new(depths: bool, rules: &Expanding, body: Body<D>) -> Result<Self, Damage> {
        let classes = Packed::<1>::read(&body, 0)?;
        let outcomes = Outcomes {
            lines: Packed::read(&body, 1)?,
            lists: Packed::read(&body, 2)?,
            bits: Packed::read(&body, 3)?,
        };
        let verdicts = Verdicts {
            lines: Packed::read(&body, 4)?,
            blocks: Packed::read(&body, 5)?,
            starts: Packed::read(&body, 6)?,
            values: Packed::read(&body, 7)?,
            steps: Packed::read(&body, 8)?,
        };
        let damage = |what: &str| Err(Damage::new(what));
        if !body.ends_in_zeros(PADDING)? {
            return damage("its last bytes are not zero");
        }
        if outcomes.bits.count() > 0 && outcomes.bits.stride() != 1 {
            return damage("its pool of bits has wider fields");
        }
        if verdicts.starts.count() > 0 && verdicts.starts.stride() != 8 {
            return damage("its starts are not bytes");
        }
        if verdicts.blocks.greatest(1).max(verdicts.steps.greatest(0)) > MAX_DEPTH {
            return damage("its depths are in fields too wide");
        }
        // Before the layout is made, which has an entry for each row: their number is bounded by what the
        // file holds.
        let count = outcomes.lines.count();
        let rows = Layout::count_rows(rules);
        if rows > count || (body.len() as u64) < least_body(rows) {
            return damage("it has fewer rows than its ruleset");
        }
        let layout = Layout::new(rules);
        let width = count / rows;
        // That a row has no more classes than lines bounds what unpacking it takes.
        let lines = layout.lines() as u64;
        if classes.count() != lines || width > lines || !count.is_multiple_of(rows) {
            return damage("its lines do not fit its ruleset");
        }
        if verdicts.lines.count() != if depths { count } else { 0 } {
            return damage("its lines of depths do not fit its lines of outcomes");
        }
        let classes = (0..classes.count())
            .map(|line| match classes.get(&body, line)? {
                [class] if class < width => Ok(class as u32),
                [class] => Err(Damage::new(format!("line {line} is of class {class}, of {width}"))),
            })
            .collect::<Result<_, _>>()?;
        let rows = (0..layout.rows()).map(|_| OnceLock::new()).collect();
        let (rules, width) = (rules.clone(), width as usize);
        let verdicts = depths.then_some(verdicts);
        Ok(Self { rules, layout, body, classes, width, outcomes, verdicts, rows })
    }

    pub(crate) fn body(&self) -> &Body<D> {
        &self.body
    }

    pub(crate) fn body_mut(&mut self) -> &mut Body<D> {
        &mut self.body
    }

    /// The row of a currentmax.
    #[inline(always)]
    fn row(&self, currentmax: u32) -> Result<&Row, Fault> {
        let row = self.layout.row(currentmax);
        match self.rows.get(row).ok_or(Fault::Astray)?.get() {
            Some(row) => Ok(row),
            None => self.unpack(row),
        }
    }

    #[cold]
    fn unpack(&self, row: usize) -> Result<&Row, Fault> {
        let first = (row * self.width) as u64;
        let (width, stay) = (self.width as u64, self.layout.currentmax(row));
        let outcomes = (0..width)
            .map(|class| self.outcomes.line(&self.body, first + class, stay))
            .collect::<Result<_, _>>()?;
        let verdicts = match &self.verdicts {
            None => Box::default(),
            Some(verdicts) => (0..width)
                .map(|class| verdicts.line(&self.body, first, class, width))
                .collect::<Result<_, _>>()?,
        };
        Ok(self.rows[row].get_or_init(|| Row { stay, outcomes, verdicts }))
    }

    /// The row of a position, after a check that the table has it.
    #[inline(always)]
    fn row_of(&self, position: &Position) -> Result<&Row, AskError> {
        let [first, second] = self.rules.resets();
        let length = self.layout.length(self.layout.row(position.currentmax));
        // In row 0, which is as long as for currentmax 0, the most taken at once is gone; in the others its
        // length says so.
        let most = u64::from(position.stones) + u64::from(position.currentmax);
        let known = position.stones < length
            && most <= u64::from(self.rules.stones())
            && position.resets[0] <= first
            && position.resets[1] <= second;
        if !known {
            return Err(self.outside(position));
        }
        Ok(self.row(position.currentmax)?)
    }

    #[cold]
    fn outside(&self, position: &Position) -> AskError {
        match self.rules.check(position) {
            Err(error) => error.into(),
            Ok(()) => Damage::new(format!("it does not have the position {position}")).into(),
        }
    }

    #[inline(always)]
    fn depth_and_best(
        &self,
        verdicts: &Verdicts,
        row: &Row,
        position: &Position,
    ) -> Result<(u32, Option<Move>), Fault> {
        let class = self.classes[self.layout.line_of(position)];
        verdicts.get(&self.body, &row.verdicts[class as usize], position.stones)
    }

    /// Marks the takes, from 1 to `reach`, that lead to a lost position on the line of `class`.
    #[inline(always)]
    fn lost_after<M: TakeMask + ?Sized>(
        &self,
        stones: u32,
        row: &Row,
        reach: u32,
        class: usize,
        mask: &mut M,
    ) -> Result<(), Fault> {
        let stay = reach.min(row.stay);
        if stay > 0 {
            row.outcomes[class].lost_below(&self.body, stones, stay, mask)?;
        }
        // Taking k, more than the row's currentmax, makes k the new one.
        for take in stay + 1..=reach {
            if self.row(take)?.outcomes[class].is_lost(&self.body, stones - take)? {
                mask.set(take - 1, 1);
            }
        }
        Ok(())
    }

    /// The same for moves of more stones than a word has bits. Kept out of the way of the usual case.
    #[inline(never)]
    fn lost_after_far(
        &self,
        stones: u32,
        row: &Row,
        reach: u32,
        class: usize,
        mask: &mut [u64],
    ) -> Result<(), Fault> {
        self.lost_after(stones, row, reach, class, mask)
    }

    #[inline(always)]
    fn winning(&self, position: &Position, row: &Row) -> Result<Winning, Fault> {
        let reach = self.reach(position, row);
        let (next, mover) = (position.turn.other(), position.turn.index());
        let mut resets = position.resets;
        let plain = self.classes[self.layout.line(next, resets, false)] as usize;
        let may_reset = resets[mover] > 0;
        resets[mover] -= u8::from(may_reset);
        let reset = self.classes[self.layout.line(next, resets, true)] as usize;
        let reset = may_reset.then_some(reset);
        let mut winning = Winning::new(reach, may_reset);
        match &mut winning.words {
            Words::One([of_plain, of_reset]) => {
                self.lost_after(position.stones, row, reach, plain, of_plain)?;
                if let Some(reset) = reset {
                    self.lost_after(position.stones, row, reach, reset, of_reset)?;
                }
            }
            Words::Many(words) => {
                let (of_plain, of_reset) = words.split_at_mut(reach.div_ceil(64) as usize);
                self.lost_after_far(position.stones, row, reach, plain, of_plain)?;
                if let Some(reset) = reset {
                    self.lost_after_far(position.stones, row, reach, reset, of_reset)?;
                }
            }
        }
        Ok(winning)
    }

    /// The most stones that may be taken.
    #[inline(always)]
    fn reach(&self, position: &Position, row: &Row) -> u32 {
        let limit =
            select_unpredictable(position.imposed, self.rules.reset_limit(), row.stay + self.rules.growth());
        limit.min(position.stones)
    }

    /// Whether a move is legal, or none where there is none. Whoever plays the best move relies on it.
    #[inline(always)]
    fn is_legal(&self, position: &Position, row: &Row, best: Option<Move>) -> bool {
        match best {
            Some(best) => {
                best.take.wrapping_sub(1) < self.reach(position, row)
                    && u8::from(best.reset) <= position.resets[position.turn.index()]
            }
            None => position.stones == 0,
        }
    }

    #[cold]
    fn disagree(position: &Position) -> AskError {
        Damage::new(format!("depth, best move and outcome of {position} disagree")).into()
    }

    fn outcome(&self, position: &Position, row: &Row) -> Result<Outcome, Fault> {
        let class = self.classes[self.layout.line_of(position)];
        let lost = row.outcomes[class as usize].is_lost(&self.body, position.stones)?;
        Ok(Outcome::from_won(!lost))
    }
}

impl<D: AsRef<[u8]>> Solved for ExpandingTable<D> {
    type Game = Expanding;
    type Winning = Winning;

    fn game(&self) -> &Expanding {
        &self.rules
    }

    fn has_depths(&self) -> bool {
        self.verdicts.is_some()
    }

    fn verdict(&self, position: &Position) -> Result<Verdict, AskError> {
        let row = self.row_of(position)?;
        let outcome = self.outcome(position, row)?;
        let depth = match &self.verdicts {
            None => None,
            Some(verdicts) => Some(self.depth_and_best(verdicts, row, position)?.0),
        };
        if depth.is_some_and(|depth| self.rules.play().outcome_at_depth(depth) != outcome) {
            return Err(Self::disagree(position));
        }
        Ok(Verdict { outcome, depth })
    }

    fn answer(&self, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        let row = self.row_of(position)?;
        // First what waits longest for memory: the processor does the rest meanwhile.
        let known = match &self.verdicts {
            None => None,
            Some(verdicts) => Some(self.depth_and_best(verdicts, row, position)?),
        };
        let winning = self.winning(position, row)?;
        let won = if position.stones == 0 {
            self.rules.outcome_without_moves() == Outcome::Win
        } else {
            !winning.is_empty()
        };
        let outcome = Outcome::from_won(won);
        let (depth, best) = match known {
            // All winning moves tie, or all moves of a lost position: fewest stones, no reset.
            None => {
                (None, winning.first().or((position.stones > 0).then_some(Move { take: 1, reset: false })))
            }
            Some((depth, best))
                if self.rules.play().outcome_at_depth(depth) == outcome
                    && self.is_legal(position, row, best) =>
            {
                (Some(depth), best)
            }
            Some(_) => return Err(Self::disagree(position)),
        };
        Ok(Answer { verdict: Verdict { outcome, depth }, best, winning })
    }
}
