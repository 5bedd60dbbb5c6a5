//! Answers from a table of Expanding Nim.
//!
//! At a row's first question its lines are decoded ([`RowLines`]). After some questions a small table is unpacked whole
//! ([`UnpackedTable`]), which is faster. Either way, an answer finds the takes that lead to a lost position, and looks
//! up depth and best move. Takes beyond 63 stones do not fit into a word and are found in a slower way.

mod lookahead;

use std::hint::select_unpredictable;
use std::sync::OnceLock;

use super::layout::ExpandingLayout;
use super::lost_runs::{LostRuns, LostTrains};
use super::mask::{RunEnds, SHORT, TakeMask, WinningMoves, first_of};
use super::outcomes::{OutcomeArrays, OutcomeLine};
use super::position::{Move, Position, Turn};
use super::rules::Expanding;
use super::unpacked_table::{NextClasses, StoredLines, UnpackedRow, UnpackedTable};
use super::verdict_runs::VerdictRuns;
use super::verdicts::{VerdictRow, Verdicts};
use crate::format::{Body, Fault, PADDING, Packed};
use crate::lazy_after::LazyAfter;
use crate::{Answer, AskError, Damage, Game, Header, MoveSet, Outcome, Solved, Verdict};

/// An open table of Expanding Nim.
#[derive(Debug)]
pub struct ExpandingTable {
    rules: Expanding,
    layout: ExpandingLayout,
    body: Body,
    /// The class of each line.
    classes: Vec<u32>,
    class_count: usize,
    outcomes: OutcomeArrays,
    /// `None` without depths.
    verdicts: Option<Verdicts>,
    /// The lines of each row, decoded at the row's first question.
    rows: Box<[OnceLock<RowLines>]>,
    /// The unpacked table, after the first questions, if it is small and undamaged.
    unpacked: LazyAfter<UnpackedTable>,
}

/// Number of questions that are answered before a small table is unpacked.
const FEW_QUESTIONS: u32 = 256;

/// Number of rows for which a body of any length is accepted. Each further row needs four bytes of the body, so that
/// opening takes time and memory in proportion to the length of the file.
const FREE_ROWS: u64 = 65_536;

/// Returns the minimum length in bytes of the body of a table of `rows` rows.
pub fn min_body_len(rows: u64) -> u64 {
    4 * rows.saturating_sub(FREE_ROWS)
}

/// A row, decoded for queries.
#[derive(Debug)]
struct RowLines {
    /// Maximum number of stones that a move takes without leaving the row.
    stay: u32,
    /// Maximum number of stones that a move may take without a reset in force.
    limit: u32,
    /// The outcome line of each class.
    outcomes: Box<[OutcomeLine]>,
    verdicts: Option<VerdictRow>,
}

/// The row of a position, from the fastest source at hand: the unpacked table, or decoded lines.
#[derive(Clone, Copy)]
enum RowSource<'a> {
    Unpacked(&'a UnpackedTable, &'a UnpackedRow),
    Decoded(&'a RowLines),
}

impl Expanding {
    /// Opens the body of a table of these rules, and checks everything that later arithmetic relies on.
    pub(crate) fn open(&self, header: &Header, body: Body) -> Result<ExpandingTable, Damage> {
        if header.has_depths {
            self.check_depths().map_err(|error| Damage::new(error.to_string()))?;
        }
        let classes = Packed::<1>::read(&body, 0)?;
        let outcomes = OutcomeArrays {
            lines: Packed::read(&body, 1)?,
            lists: Packed::read(&body, 2)?,
            bits: Packed::read(&body, 3)?,
        };
        let verdicts = Verdicts::read(&body, header.has_depths)?;
        let damage = |what: &str| Err(Damage::new(what));
        if !body.ends_in_zeros(PADDING)? {
            return damage("its last bytes are not zero");
        }
        if outcomes.bits.count() > 0 && outcomes.bits.stride() != 1 {
            return damage("the fields of its pool of bits are too wide");
        }
        // Check the number of rows before allocating the layout, which has an entry for each row.
        let count = outcomes.lines.count();
        let rows = ExpandingLayout::count_rows(self);
        if rows > count || (body.len() as u64) < min_body_len(rows) {
            return damage("it has fewer rows than its ruleset");
        }
        let layout =
            ExpandingLayout::for_table(self).ok_or_else(|| Damage::new("its rows do not fit into memory"))?;
        let class_count = count / rows;
        // At most one class per line: this bounds the memory of a decoded row.
        let lines = layout.lines() as u64;
        if classes.count() != lines || class_count > lines || !count.is_multiple_of(rows) {
            return damage("its lines do not fit its ruleset");
        }
        if verdicts.as_ref().is_some_and(|verdicts| verdicts.count() != count) {
            return damage("its lines of depths do not fit its lines of outcomes");
        }
        let classes = (0..classes.count())
            .map(|line| match classes.get(&body, line)? {
                [class] if class < class_count => Ok(class as u32),
                [class] => Err(Damage::new(format!("line {line} is of class {class}, of {class_count}"))),
            })
            .collect::<Result<_, _>>()?;
        Ok(ExpandingTable {
            rules: self.clone(),
            rows: (0..layout.rows()).map(|_| OnceLock::new()).collect(),
            layout,
            body,
            classes,
            class_count: class_count as usize,
            outcomes,
            verdicts,
            unpacked: LazyAfter::new(),
        })
    }
}

impl ExpandingTable {
    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    pub(crate) fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }

    #[cfg_attr(feature = "fast", inline(always))]
    fn row(&self, currentmax: u32) -> Result<&RowLines, Fault> {
        let row = self.layout.row(currentmax);
        match self.rows.get(row).ok_or(Fault::OutOfRange)?.get() {
            Some(row) => Ok(row),
            None => self.decode_row(row),
        }
    }

    #[cold]
    fn decode_row(&self, row: usize) -> Result<&RowLines, Fault> {
        let first = (row * self.class_count) as u64;
        let (class_count, stay) = (self.class_count as u64, self.layout.stay(row));
        let limit = self.rules.limit(self.layout.currentmax(row), false);
        let outcomes = (0..class_count)
            .map(|class| self.outcomes.line(&self.body, first + class, stay))
            .collect::<Result<Box<[_]>, _>>()?;
        let verdicts = self.verdicts.as_ref().map(|verdicts| verdicts.row(&self.body, first, class_count));
        let verdicts = verdicts.transpose()?;
        Ok(self.rows[row].get_or_init(|| RowLines { stay, limit, outcomes, verdicts }))
    }

    /// Returns the unpacked table, if there is one.
    #[cfg_attr(feature = "fast", inline(always))]
    fn unpacked(&self) -> Option<&UnpackedTable> {
        self.unpacked.get(FEW_QUESTIONS, || self.unpack())
    }

    fn unpack(&self) -> Option<UnpackedTable> {
        let classes_of_line = |line: usize| {
            let (turn, resets) = self.layout.turn_and_resets(line);
            (self.classes[line], self.next_classes(turn, resets))
        };
        let lines = StoredLines {
            body: &self.body,
            layout: &self.layout,
            rules: &self.rules,
            classes: self.class_count,
            lines: (0..self.layout.lines()).map(classes_of_line).collect(),
            outcomes: &self.outcomes,
            verdicts: self.verdicts.as_ref(),
        };
        UnpackedTable::new(&lines)
    }

    /// Checks that the table covers a position, and returns its row.
    #[cfg_attr(feature = "fast", inline(always))]
    fn row_of(&self, position: &Position) -> Result<&RowLines, AskError> {
        self.check(position, self.layout.length(self.layout.row(position.currentmax)))?;
        Ok(self.row(position.currentmax)?)
    }

    /// Checks that the unpacked table covers a position, and returns its row.
    #[cfg_attr(feature = "fast", inline(always))]
    fn unpacked_row_of<'s>(
        &self,
        unpacked: &'s UnpackedTable,
        position: &Position,
    ) -> Result<&'s UnpackedRow, AskError> {
        let Some(row) = unpacked.rows.get(self.layout.row(position.currentmax)) else {
            return Err(self.refusal(position));
        };
        self.check(position, row.length)?;
        Ok(row)
    }

    /// Checks that the table covers a position, whose row has this length.
    #[cfg_attr(feature = "fast", inline(always))]
    fn check(&self, position: &Position, length: u64) -> Result<(), AskError> {
        let [first, second] = self.rules.resets();
        // Row 0 is as long as currentmax 0 requires, so check currentmax too. In other rows, the length suffices.
        let is_covered = position.stones < length
            && position.stones + u64::from(position.currentmax) <= self.rules.stones()
            && (position.currentmax <= self.layout.least_open_currentmax() || self.arises(position))
            && position.resets[0] <= first
            && position.resets[1] <= second;
        if is_covered { Ok(()) } else { Err(self.refusal(position)) }
    }

    /// Returns true if a pair of stones and currentmax can arise.
    #[cold]
    fn arises(&self, position: &Position) -> bool {
        self.rules.max_stones(position.currentmax).is_some_and(|most| position.stones <= most)
    }

    /// Returns the error for a position that the table does not cover.
    #[cold]
    fn refusal(&self, position: &Position) -> AskError {
        match self.rules.check(position) {
            Err(error) => error.into(),
            Ok(()) => Damage::new(format!("it does not have the position {position}")).into(),
        }
    }

    /// Checks that the table covers a position, and returns its row from the fastest source.
    #[cfg_attr(feature = "fast", inline(always))]
    fn source_of(&self, position: &Position) -> Result<RowSource<'_>, AskError> {
        Ok(match self.unpacked() {
            Some(unpacked) => RowSource::Unpacked(unpacked, self.unpacked_row_of(unpacked, position)?),
            None => RowSource::Decoded(self.row_of(position)?),
        })
    }

    /// Returns the depth and the best move on the line of `class`, if the table stores depths.
    #[cfg_attr(feature = "fast", inline(always))]
    fn depth_and_best(
        &self,
        source: RowSource,
        class: u32,
        position: &Position,
    ) -> Result<Option<(u32, Option<Move>)>, Fault> {
        let Some(verdicts) = &self.verdicts else { return Ok(None) };
        let row = match source {
            RowSource::Unpacked(unpacked, row) => {
                if let Some(stored) = unpacked.verdict(row, class, Self::place_with_depth(position))? {
                    return Ok(Some(stored));
                }
                // Only outcomes are unpacked.
                self.row(position.currentmax)?
            }
            RowSource::Decoded(row) => row,
        };
        let stones = Self::place_with_depth(position);
        row.verdicts.as_ref().map(|row| verdicts.get(&self.body, row, class, stones)).transpose()
    }

    /// Returns the stones of a position, which the table has checked. A table with depths has at most
    /// [`MAX_STONES_WITH_DEPTHS`](super::MAX_STONES_WITH_DEPTHS).
    #[cfg_attr(feature = "fast", inline(always))]
    fn place_with_depth(position: &Position) -> u32 {
        position.stones as u32
    }

    /// Sets the bits of the takes from 1 to `reach` that lead to a lost position, on the line of `class`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn lost_after<M: TakeMask>(
        &self,
        stones: u64,
        row: &RowLines,
        reach: u32,
        class: usize,
        mask: &mut M,
    ) -> Result<(), Fault> {
        let stay = reach.min(row.stay);
        if stay > 0 {
            row.outcomes[class].lost_below(&self.body, stones, stay, mask)?;
        }
        // A take k beyond `stay` makes k the currentmax. From `open` on, such takes lead to the open row.
        let open = self.layout.least_open_currentmax().min(reach + 1).max(stay + 1);
        for take in stay + 1..open {
            let row = self.row(take)?;
            mask.set(take - 1, row.outcomes[class].is_lost(&self.body, stones - u64::from(take))?.into());
        }
        if open <= reach {
            let row = self.row(open)?;
            row.outcomes[class].lost_between(&self.body, stones, open, reach, mask)?;
        }
        Ok(())
    }

    /// Returns the classes of the lines that moves lead to.
    #[cfg_attr(feature = "fast", inline(always))]
    fn next_classes(&self, turn: Turn, mut resets: [u8; 2]) -> NextClasses {
        let (next, mover) = (turn.other(), turn.index());
        let plain = self.classes[self.layout.line(next, resets, false)] as usize;
        let may_reset = resets[mover] > 0;
        resets[mover] -= u8::from(may_reset);
        let reset = self.classes[self.layout.line(next, resets, true)] as usize;
        NextClasses { plain, reset, may_reset }
    }

    /// Answers from the unpacked table. The masks stay in registers until the end, since writing two words and reading
    /// them as one wide value would stall. Unpredictable conditions are computed without branches.
    #[cfg_attr(feature = "fast", inline(always))]
    fn answer_from_unpacked<T>(
        &self,
        position: &Position,
        unpacked: &UnpackedTable,
        use_answer: impl FnOnce(Answer<Move, WinningMoves>) -> T,
    ) -> Result<T, AskError> {
        let row = self.unpacked_row_of(unpacked, position)?;
        let line = &unpacked.lines[self.layout.line_of(position)];
        // Begin with the slowest memory access, so that the processor overlaps the rest.
        let source = RowSource::Unpacked(unpacked, row);
        let stored = self.depth_and_best(source, line.class, position)?;
        let reach = self.reach(position, row.limit);
        let Some([plain, reset]) = unpacked.short_masks(row, line, position.stones, reach) else {
            return self.answer_far(position, reach, stored, line.next, source).map(use_answer);
        };
        let (verdict, best) = self.verdict_of(position, reach, stored, first_of(plain, reset))?;
        Ok(use_answer(Answer { verdict, best, winning: WinningMoves::short(plain, reset) }))
    }

    /// Answers from decoded lines.
    #[inline(never)]
    fn answer_from_lines(&self, position: &Position) -> Result<Answer<Move, WinningMoves>, AskError> {
        let row = self.row_of(position)?;
        let source = RowSource::Decoded(row);
        let stored = self.depth_and_best(source, self.classes[self.layout.line_of(position)], position)?;
        let reach = self.reach(position, row.limit);
        let next = self.next_classes(position.turn, position.resets);
        if self.is_large() {
            for line in self.lines_after(position, row, reach)? {
                line.prefetch(&self.body);
            }
        }
        if reach > SHORT {
            return self.answer_far(position, reach, stored, next, source);
        }
        let (mut plain, mut reset) = (0_u64, 0_u64);
        self.lost_after(position.stones, row, reach, next.plain, &mut plain)?;
        if next.may_reset {
            self.lost_after(position.stones, row, reach, next.reset, &mut reset)?;
        }
        let (verdict, best) = self.verdict_of(position, reach, stored, first_of(plain, reset))?;
        Ok(Answer { verdict, best, winning: WinningMoves::short(plain, reset) })
    }

    /// Answers if takes exceed the bits of a word. Kept out of line, since it is rare.
    #[inline(never)]
    fn answer_far(
        &self,
        position: &Position,
        reach: u32,
        stored: Option<(u32, Option<Move>)>,
        next: NextClasses,
        source: RowSource,
    ) -> Result<Answer<Move, WinningMoves>, AskError> {
        let (mut plain, mut reset) = (RunEnds::new(), RunEnds::new());
        let lost_after = |class: usize, ends: &mut RunEnds| match source {
            RowSource::Unpacked(unpacked, row) => {
                unpacked.lost_after(row, position.stones, reach, class, ends);
                Ok(())
            }
            RowSource::Decoded(row) => self.lost_after(position.stones, row, reach, class, ends),
        };
        lost_after(next.plain, &mut plain)?;
        if next.may_reset {
            lost_after(next.reset, &mut reset)?;
        }
        let winning = WinningMoves::runs_of(&mut plain, &mut reset);
        let (verdict, best) = self.verdict_of(position, reach, stored, winning.first())?;
        Ok(Answer { verdict, best, winning })
    }

    /// Returns the verdict and the best move, given the greatest legal take, the stored depth and best move, if any,
    /// and the first winning move.
    #[cfg_attr(feature = "fast", inline(always))]
    fn verdict_of(
        &self,
        position: &Position,
        reach: u32,
        stored: Option<(u32, Option<Move>)>,
        first: Option<Move>,
    ) -> Result<(Verdict, Option<Move>), AskError> {
        // Without a branch, since the outcome is unpredictable.
        let won =
            first.is_some() | (position.stones == 0) & (self.rules.outcome_without_moves() == Outcome::Win);
        let outcome = Outcome::from_won(won);
        match stored {
            // Without depths, all winning moves tie, or all moves of a lost position: prefer few stones, and no reset.
            None => {
                let default = Move { take: 1, reset: false };
                let best = select_unpredictable(first.is_some(), first.unwrap_or(default), default);
                Ok((Verdict { outcome, depth: None }, (position.stones > 0).then_some(best)))
            }
            Some((depth, best))
                if self.rules.play().outcome_at_depth(depth) == outcome
                    && Self::is_legal(position, reach, best) =>
            {
                Ok((Verdict { outcome, depth: Some(depth) }, best))
            }
            Some(_) => Err(Self::contradiction(position)),
        }
    }

    /// Passes the full answer for a position to `use_answer`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn answer_with<T>(
        &self,
        position: &Position,
        use_answer: impl FnOnce(Answer<Move, WinningMoves>) -> T,
    ) -> Result<T, AskError> {
        match self.unpacked() {
            Some(unpacked) => self.answer_from_unpacked(position, unpacked, use_answer),
            None => self.answer_from_lines(position).map(use_answer),
        }
    }

    /// Returns the greatest legal take, in a row of this limit.
    #[cfg_attr(feature = "fast", inline(always))]
    fn reach(&self, position: &Position, limit: u32) -> u32 {
        let limit = select_unpredictable(position.imposed, self.rules.reset_limit(), limit);
        position.at_most_left(limit)
    }

    /// Returns true if the best move is legal, or rightly absent. Callers play the move without a further check.
    #[cfg_attr(feature = "fast", inline(always))]
    fn is_legal(position: &Position, reach: u32, best: Option<Move>) -> bool {
        match best {
            Some(best) => {
                best.take.wrapping_sub(1) < reach
                    && u8::from(best.reset) <= position.resets[position.turn.index()]
            }
            None => position.stones == 0,
        }
    }

    /// Returns the error for a depth or best move that contradicts the outcome.
    #[cold]
    fn contradiction(position: &Position) -> AskError {
        Damage::new(format!("depth, best move and outcome of {position} disagree")).into()
    }

    /// Returns the number of a line's class. Lines of the same class are equal at every currentmax, and stored once.
    /// The ruleset must have these resets.
    pub fn line_number(&self, turn: Turn, resets: [u8; 2], imposed: bool) -> u32 {
        assert!(
            resets.iter().zip(self.rules.resets()).all(|(&left, allowed)| left <= allowed),
            "more resets than there are"
        );
        self.classes[self.layout.line(turn, resets, imposed)]
    }

    /// Returns the outcome line of a position.
    fn outcome_line(&self, position: &Position) -> Result<&OutcomeLine, AskError> {
        let row = self.row_of(position)?;
        Ok(&row.outcomes[self.classes[self.layout.line_of(position)] as usize])
    }

    /// Returns the runs of lost positions on the line of this position, up to its number of stones.
    pub fn lost_runs(&self, position: &Position) -> Result<LostRuns<'_>, AskError> {
        Ok(LostRuns::new(&self.body, self.outcome_line(position)?, position.stones + 1))
    }

    /// Returns the trains of lost positions on the line of this position, up to its number of stones.
    pub fn lost_trains(&self, position: &Position) -> Result<LostTrains<'_>, AskError> {
        Ok(LostTrains::new(&self.body, self.outcome_line(position)?, position.stones + 1))
    }

    /// Returns the lost positions on the line of this position, up to its number of stones, as a bit set: bit `s %
    /// 64` of word `s / 64` stands for s stones.
    pub fn lost_up_to(&self, position: &Position) -> Result<Vec<u64>, AskError> {
        let runs = self.lost_runs(position)?;
        let mut words = vec![0; position.stones as usize / 64 + 1];
        for run in runs {
            for stones in run? {
                words[stones as usize / 64] |= 1 << (stones % 64);
            }
        }
        Ok(words)
    }

    /// Returns the verdicts on the line of this position, up to its number of stones; `None` if the table has no depths.
    pub fn verdict_runs(&self, position: &Position) -> Result<Option<VerdictRuns<'_>>, AskError> {
        let (Some(verdicts), Some(row)) = (&self.verdicts, &self.row_of(position)?.verdicts) else {
            return Ok(None);
        };
        let class = self.classes[self.layout.line_of(position)];
        verdicts.check_order(&self.body, row, class)?;
        Ok(Some(VerdictRuns {
            body: &self.body,
            verdicts,
            row,
            class,
            play: self.rules.play(),
            lost: self.lost_runs(position)?.peekable(),
            at: 0,
            end: Self::place_with_depth(position) + 1,
        }))
    }

    /// Returns the outcome of a position on the line of `class`.
    #[cfg_attr(feature = "fast", inline(always))]
    fn outcome_from(&self, source: RowSource, class: u32, position: &Position) -> Result<Outcome, Fault> {
        let is_lost = match source {
            RowSource::Unpacked(unpacked, row) => unpacked.is_lost(row, class, position.stones),
            RowSource::Decoded(row) => row.outcomes[class as usize].is_lost(&self.body, position.stones)?,
        };
        Ok(Outcome::from_won(!is_lost))
    }
}

impl Solved for ExpandingTable {
    type Game = Expanding;
    type WinningMoves = WinningMoves;

    fn game(&self) -> &Expanding {
        &self.rules
    }

    fn has_depths(&self) -> bool {
        self.verdicts.is_some()
    }

    fn outcome(&self, position: &Position) -> Result<Outcome, AskError> {
        let source = self.source_of(position)?;
        Ok(self.outcome_from(source, self.classes[self.layout.line_of(position)], position)?)
    }

    fn verdict(&self, position: &Position) -> Result<Verdict, AskError> {
        let source = self.source_of(position)?;
        let class = self.classes[self.layout.line_of(position)];
        let outcome = self.outcome_from(source, class, position)?;
        let stored = self.depth_and_best(source, class, position)?;
        let Some((depth, _)) = stored else { return Ok(Verdict { outcome, depth: None }) };
        if self.rules.play().outcome_at_depth(depth) != outcome {
            return Err(Self::contradiction(position));
        }
        Ok(Verdict { outcome, depth: Some(depth) })
    }

    fn answer(&self, position: &Position) -> Result<Answer<Move, WinningMoves>, AskError> {
        self.answer_with(position, |answer| answer)
    }

    // Calls `answer_with`, which is inlined: a call of `answer` for each position would cost an eighth of the time.
    fn answer_each(
        &self,
        positions: &[Position],
        mut visit: impl FnMut(usize, Answer<Move, &WinningMoves>),
    ) -> Result<(), (usize, AskError)> {
        for (index, position) in positions.iter().enumerate() {
            if self.is_large() {
                self.prefetch_later(positions, index);
            }
            let visit =
                |Answer { verdict, best, winning }| visit(index, Answer { verdict, best, winning: &winning });
            self.answer_with(position, visit).map_err(|error| (index, error))?;
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "write"))]
mod tests;
