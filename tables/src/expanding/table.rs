//! A table of Expanding Nim, open for questions.

use super::layout::Layout;
use super::mask::{TakeMask, Winning, Words};
use super::outcomes::Outcomes;
use super::position::{Move, Position};
use super::rules::Expanding;
use super::verdicts::Verdicts;
use crate::format::{Body, Header};
use crate::packed::Packed;
use crate::{Answer, AskError, Damage, MoveSet, Outcome, Ruleset, Solved, Verdict};

/// A table of Expanding Nim. `D` holds the file's bytes: a [`Map`](crate::Map), or a vector.
#[derive(Debug)]
pub struct ExpandingTable<D> {
    rules: Expanding,
    layout: Layout,
    body: Body<D>,
    /// For each line its class.
    classes: Vec<u32>,
    /// Number of classes.
    width: u64,
    outcomes: Outcomes,
    verdicts: Option<Verdicts>,
}

impl<D: AsRef<[u8]>> ExpandingTable<D> {
    /// Reads the body's directory and checks all that later arithmetic relies on.
    pub(crate) fn new(header: &Header, body: Body<D>) -> Result<Self, Damage> {
        let Ruleset::Expanding(rules) = &header.ruleset;
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
        };
        let damage = |what: &str| Err(Damage::new(what));
        if outcomes.bits.count() > 0 && outcomes.bits.stride() != 1 {
            return damage("its pool of bits has wider fields");
        }
        if verdicts.starts.count() > 0 && verdicts.starts.stride() != 8 {
            return damage("its starts are not bytes");
        }
        // Before the layout is made, whose length is the number of rows: it is bounded by what the file holds.
        if Layout::count_rows(rules) > outcomes.lines.count() {
            return damage("it has fewer rows than its ruleset");
        }
        let layout = Layout::new(rules);
        let (rows, lines) = (layout.rows() as u64, layout.lines() as u64);
        let width = outcomes.lines.count() / rows;
        if classes.count() != lines || outcomes.lines.count() % rows != 0 {
            return damage("its lines do not fit its ruleset");
        }
        if verdicts.lines.count() != if header.depths { outcomes.lines.count() } else { 0 } {
            return damage("its lines of depths do not fit its lines of outcomes");
        }
        let classes = (0..lines)
            .map(|line| match classes.get(&body, line)? {
                [class] if class < width => Ok(class as u32),
                [class] => Err(Damage::new(format!("line {line} is of class {class}, of {width}"))),
            })
            .collect::<Result<_, _>>()?;
        let verdicts = header.depths.then_some(verdicts);
        Ok(Self { rules: rules.clone(), layout, body, classes, width, outcomes, verdicts })
    }

    pub(crate) fn body(&self) -> &Body<D> {
        &self.body
    }

    /// The row of a position, after a check that the table has it.
    #[inline]
    fn row(&self, position: &Position) -> Result<usize, AskError> {
        let row = self.layout.row(position.currentmax);
        let [first, second] = self.rules.resets();
        let known = position.stones < self.layout.length(row)
            && position.resets[0] <= first
            && position.resets[1] <= second;
        if known { Ok(row) } else { Err(self.outside(position)) }
    }

    #[cold]
    fn outside(&self, position: &Position) -> AskError {
        match self.rules.check(position) {
            Err(error) => error.into(),
            Ok(()) => Damage::new(format!("it does not have the position {position}")).into(),
        }
    }

    /// The record of a row and line in the arrays of lines.
    #[inline]
    fn record(&self, row: usize, line: usize) -> u64 {
        row as u64 * self.width + u64::from(self.classes[line])
    }

    #[inline]
    fn depth_and_best(&self, verdicts: &Verdicts, row: usize, position: &Position) -> Result<(u32, Option<Move>), Damage> {
        let class = self.classes[self.layout.line_of(position)];
        verdicts.get(&self.body, row as u64 * self.width, u64::from(class), u64::from(position.stones))
    }

    /// Marks the takes, up to `reach`, that lead to a lost position on the line of `next`, with or without a reset.
    #[inline]
    fn lost_after<M: TakeMask + ?Sized>(
        &self,
        position: &Position,
        row: usize,
        reach: u32,
        next: usize,
        mask: &mut M,
    ) -> Result<(), Damage> {
        // Taking at most the row's currentmax stays in the row; taking k more goes k rows on.
        let stay = reach.min(self.layout.currentmax(row));
        if stay > 0 {
            let line = self.outcomes.line(&self.body, self.record(row, next))?;
            self.outcomes.lost_below(&self.body, &line, position.stones.into(), stay.into(), mask)?;
        }
        for take in stay + 1..=reach {
            let row = self.layout.row(take);
            let line = self.outcomes.line(&self.body, self.record(row, next))?;
            if self.outcomes.is_lost(&self.body, &line, u64::from(position.stones - take))? {
                mask.set(take - 1, 1);
            }
        }
        Ok(())
    }

    #[inline]
    fn winning(&self, position: &Position, row: usize) -> Result<Winning, Damage> {
        let limit = if position.imposed { self.rules.reset_limit() } else { self.layout.limit(row) };
        let reach = limit.min(position.stones);
        let (mover, mut resets) = (position.turn.index(), position.resets);
        let takes = |next| -> Result<Words, Damage> {
            if reach <= 64 {
                let mut mask = 0_u64;
                self.lost_after(position, row, reach, next, &mut mask)?;
                return Ok(Words::from_iter([mask]));
            }
            let mut words = Words::from_elem(0, reach.div_ceil(64) as usize);
            self.lost_after(position, row, reach, next, &mut words[..])?;
            Ok(words)
        };
        let next = position.turn.other();
        let plain = takes(self.layout.line(next, resets, false))?;
        let reset = if resets[mover] == 0 {
            Words::new()
        } else {
            resets[mover] -= 1;
            takes(self.layout.line(next, resets, true))?
        };
        Ok(Winning { plain, reset })
    }

    fn outcome(&self, position: &Position, row: usize) -> Result<Outcome, Damage> {
        let line = self.outcomes.line(&self.body, self.record(row, self.layout.line_of(position)))?;
        let lost = self.outcomes.is_lost(&self.body, &line, position.stones.into())?;
        Ok(Outcome::from_won(!lost))
    }

    /// Number of classes of lines, of the number of lines that a row has.
    #[must_use]
    pub fn classes(&self) -> (u64, usize) {
        (self.width, self.layout.lines())
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
        let row = self.row(position)?;
        let outcome = self.outcome(position, row)?;
        let depth = match &self.verdicts {
            None => None,
            Some(verdicts) => Some(self.depth_and_best(verdicts, row, position)?.0),
        };
        Ok(Verdict { outcome, depth })
    }

    fn answer(&self, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        let row = self.row(position)?;
        let winning = self.winning(position, row)?;
        let won = if position.stones == 0 {
            self.rules.outcome_without_moves() == Outcome::Win
        } else {
            winning.plain.iter().chain(&winning.reset).any(|&word| word != 0)
        };
        let outcome = Outcome::from_won(won);
        let Some(verdicts) = &self.verdicts else {
            // All moves of a lost position tie: fewest stones, no reset.
            let any = || (position.stones > 0).then_some(Move { take: 1, reset: false });
            let best = winning.first().or_else(any);
            return Ok(Answer { verdict: Verdict { outcome, depth: None }, best, winning });
        };
        let (depth, best) = self.depth_and_best(verdicts, row, position)?;
        if self.rules.play().outcome_at_depth(depth) != outcome {
            return Err(Damage::new(format!("depth and outcome of {position} disagree")).into());
        }
        Ok(Answer { verdict: Verdict { outcome, depth: Some(depth) }, best, winning })
    }
}
