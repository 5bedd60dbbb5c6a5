//! A table of Expanding Nim, open for questions.

use std::hint::select_unpredictable;
use std::sync::OnceLock;

use super::bitmaps::{AT_ONCE, Bitmaps};
use super::layout::Layout;
use super::lost_runs::LostRuns;
use super::mask::{SHORT, TakeMask, Winning, first_of};
use super::outcomes::{Lists, OutcomeLine, Outcomes};
use super::position::{Move, Position, Turn};
use super::rules::Expanding;
use super::verdicts::{RowVerdicts, Verdicts};
use crate::format::{Body, Fault, PADDING, Packed};
use crate::{Answer, AskError, Damage, FamilyTable, Game, Header, MoveSet, Outcome, Solved, Verdict};

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
    /// The most that may be taken without a reset.
    limit: u32,
    /// For each class its line.
    outcomes: Box<[OutcomeLine]>,
    /// The same lines as bitmaps, in a small table.
    bitmaps: Option<Bitmaps>,
    verdicts: Option<RowVerdicts>,
}

/// The lines to which moves lead, by their classes.
#[derive(Clone, Copy)]
struct Next {
    plain: usize,
    /// With a reset. If the player to move has none left, this is a line all the same, but not one that a move leads to.
    reset: usize,
    may_reset: bool,
}

impl Expanding {
    /// Opens the body of a table of these rules: reads its directory, and checks all that later arithmetic relies on.
    pub(crate) fn open<D: AsRef<[u8]>>(
        &self,
        header: &Header,
        body: Body<D>,
    ) -> Result<FamilyTable<D>, Damage> {
        let depths = header.depths;
        let classes = Packed::<1>::read(&body, 0)?;
        let outcomes = Outcomes {
            lines: Packed::read(&body, 1)?,
            lists: Lists::read(&body, 2, header.gaps)?,
            bits: Packed::read(&body, 3)?,
        };
        let verdicts = Verdicts::read(&body, header)?;
        let damage = |what: &str| Err(Damage::new(what));
        if !body.ends_in_zeros(PADDING)? {
            return damage("its last bytes are not zero");
        }
        if outcomes.bits.count() > 0 && outcomes.bits.stride() != 1 {
            return damage("its pool of bits has wider fields");
        }
        // Before the layout is made, which has an entry for each row: their number is bounded by what the
        // file holds.
        let count = outcomes.lines.count();
        let rows = if header.gaps { Layout::count_rows_of_table(self) } else { Layout::count_rows(self) };
        if rows > count || (body.len() as u64) < least_body(rows) {
            return damage("it has fewer rows than its ruleset");
        }
        let layout = if header.gaps { Layout::of_table(self) } else { Layout::try_new(self) };
        let layout = layout.ok_or_else(|| Damage::new("its rows do not fit into memory"))?;
        let width = count / rows;
        // That a row has no more classes than lines bounds what unpacking it takes.
        let lines = layout.lines() as u64;
        if classes.count() != lines || width > lines || !count.is_multiple_of(rows) {
            return damage("its lines do not fit its ruleset");
        }
        if verdicts.count() != if depths { count } else { 0 } {
            return damage("its lines of depths do not fit its lines of outcomes");
        }
        let classes = (0..classes.count())
            .map(|line| match classes.get(&body, line)? {
                [class] if class < width => Ok(class as u32),
                [class] => Err(Damage::new(format!("line {line} is of class {class}, of {width}"))),
            })
            .collect::<Result<_, _>>()?;
        let rows = (0..layout.rows()).map(|_| OnceLock::new()).collect();
        let (rules, width) = (self.clone(), width as usize);
        let verdicts = depths.then_some(verdicts);
        let table = ExpandingTable { rules, layout, body, classes, width, outcomes, verdicts, rows };
        Ok(FamilyTable::Expanding(table))
    }
}

impl<D: AsRef<[u8]>> ExpandingTable<D> {
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
        let (width, stay) = (self.width as u64, self.layout.stay(row));
        let limit = self.layout.currentmax(row).saturating_add(self.rules.growth());
        let outcomes = (0..width)
            .map(|class| self.outcomes.line(&self.body, first + class, stay))
            .collect::<Result<Box<[_]>, _>>()?;
        let length = self.layout.length(row);
        let fits = Bitmaps::fit(self.rows.len() as u64, width, self.layout.length(0).into());
        let bitmaps = fits.then(|| {
            let mut bitmaps = Bitmaps::new(self.width, length);
            for (class, line) in outcomes.iter().enumerate() {
                LostRuns::new(&self.body, line, length)
                    .each(|run| bitmaps.set(class, run.start as u32, run.end as u32))?;
            }
            Ok::<_, Fault>(bitmaps)
        });
        let bitmaps = bitmaps.transpose()?;
        let verdicts = self.verdicts.as_ref().map(|verdicts| verdicts.row(&self.body, first, width));
        let verdicts = verdicts.transpose()?;
        Ok(self.rows[row].get_or_init(|| Row { stay, limit, outcomes, bitmaps, verdicts }))
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
            && (position.currentmax <= self.layout.open_from() || self.arises(position))
            && position.resets[0] <= first
            && position.resets[1] <= second;
        if !known {
            return Err(self.outside(position));
        }
        Ok(self.row(position.currentmax)?)
    }

    /// Whether a pair of stones and currentmax can arise.
    #[cold]
    fn arises(&self, position: &Position) -> bool {
        self.rules.most_stones(position.currentmax).is_some_and(|most| position.stones <= most)
    }

    #[cold]
    fn outside(&self, position: &Position) -> AskError {
        match self.rules.check(position) {
            Err(error) => error.into(),
            Ok(()) => Damage::new(format!("it does not have the position {position}")).into(),
        }
    }

    /// Depth and best move, if the table holds depths.
    #[inline(always)]
    fn depth_and_best(&self, row: &Row, position: &Position) -> Result<Option<(u32, Option<Move>)>, Fault> {
        let (Some(verdicts), Some(of_row)) = (&self.verdicts, &row.verdicts) else { return Ok(None) };
        let class = self.classes[self.layout.line_of(position)];
        verdicts.get(&self.body, of_row, class, position.stones).map(Some)
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
            match &row.bitmaps {
                Some(bitmaps) => {
                    let mut taken = 0;
                    while taken < stay {
                        let reach = AT_ONCE.min(stay - taken);
                        mask.set(taken, bitmaps.lost_below(class, stones - taken, reach));
                        taken += reach;
                    }
                }
                None => row.outcomes[class].lost_below(&self.body, stones, stay, mask)?,
            }
        }
        // Taking k, more than the row's currentmax, makes k the new one.
        let open = self.layout.open_from().min(reach + 1).max(stay + 1);
        for take in stay + 1..open {
            let row = self.row(take)?;
            let lost = match &row.bitmaps {
                Some(bitmaps) => bitmaps.lost_below(class, stones - take + 1, 1),
                None => u64::from(row.outcomes[class].is_lost(&self.body, stones - take)?),
            };
            mask.set(take - 1, lost);
        }
        if open <= reach {
            let row = self.row(open)?;
            row.outcomes[class].lost_between(&self.body, stones, open, reach, mask)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn next(&self, position: &Position) -> Next {
        let (next, mover) = (position.turn.other(), position.turn.index());
        let mut resets = position.resets;
        let plain = self.classes[self.layout.line(next, resets, false)] as usize;
        let may_reset = resets[mover] > 0;
        resets[mover] -= u8::from(may_reset);
        let reset = self.classes[self.layout.line(next, resets, true)] as usize;
        Next { plain, reset, may_reset }
    }

    /// Which of the takes from 1 to `reach`, at most [`SHORT`], lead to a lost position on the lines of two classes, from bitmaps.
    #[inline(always)]
    fn lost_after_near(
        &self,
        stones: u32,
        row: &Row,
        bitmaps: &Bitmaps,
        reach: u32,
        classes: [usize; 2],
    ) -> Result<[u64; 2], Fault> {
        let stay = reach.min(row.stay);
        let mut lost = classes.map(|class| bitmaps.lost_below(class, stones, stay));
        // Taking k, more than the row's currentmax, makes k the new one: from some k on all share a row.
        let mut take = stay + 1;
        while take <= reach {
            let end = if take < self.layout.open_from() { take } else { reach };
            if let Some(bitmaps) = &self.row(take)?.bitmaps {
                for (lost, class) in lost.iter_mut().zip(classes) {
                    *lost |= bitmaps.lost_below(class, stones - take + 1, end - take + 1) << (take - 1);
                }
            }
            take = end + 1;
        }
        Ok(lost)
    }

    /// The same on any lines, and of more moves; those with a reset only if there is one left.
    #[inline(always)]
    fn lost_after_all<M: TakeMask + ?Sized>(
        &self,
        stones: u32,
        row: &Row,
        reach: u32,
        Next { plain, reset, may_reset }: Next,
        [of_plain, of_reset]: [&mut M; 2],
    ) -> Result<(), Fault> {
        self.lost_after(stones, row, reach, plain, of_plain)?;
        if may_reset { self.lost_after(stones, row, reach, reset, of_reset) } else { Ok(()) }
    }

    /// The answer in a small table. The masks stay in registers until the end: a mask that is written as two words and read as
    /// one value of twice the length would be waited for. Which resets are left is no branch, as it cannot be foreseen.
    #[inline(always)]
    fn answer_near(
        &self,
        position: &Position,
        row: &Row,
        bitmaps: &Bitmaps,
        reach: u32,
        known: Option<(u32, Option<Move>)>,
    ) -> Result<Answer<Move, Winning>, AskError> {
        let Next { plain, reset, may_reset } = self.next(position);
        let stones = position.stones;
        let [of_plain, of_reset] = self.lost_after_near(stones, row, bitmaps, reach, [plain, reset])?;
        let of_reset = of_reset & 0_u64.wrapping_sub(may_reset.into());
        let (verdict, best) = self.conclude(position, row, known, first_of(of_plain, of_reset))?;
        Ok(Answer { verdict, best, winning: Winning::short(of_plain, of_reset, may_reset) })
    }

    /// The same in any other table.
    #[inline(never)]
    fn answer_from_lines(
        &self,
        position: &Position,
        row: &Row,
        reach: u32,
        known: Option<(u32, Option<Move>)>,
    ) -> Result<Answer<Move, Winning>, AskError> {
        let next = self.next(position);
        let (mut of_plain, mut of_reset) = (0_u64, 0_u64);
        self.lost_after_all(position.stones, row, reach, next, [&mut of_plain, &mut of_reset])?;
        let (verdict, best) = self.conclude(position, row, known, first_of(of_plain, of_reset))?;
        Ok(Answer { verdict, best, winning: Winning::short(of_plain, of_reset, next.may_reset) })
    }

    /// The same where moves are of more stones than a word has bits. Kept out of the way of the usual case.
    #[inline(never)]
    fn answer_far(
        &self,
        position: &Position,
        row: &Row,
        reach: u32,
        known: Option<(u32, Option<Move>)>,
    ) -> Result<Answer<Move, Winning>, AskError> {
        let next = self.next(position);
        let mut words = vec![0; 2 * reach.div_ceil(64) as usize];
        let (of_plain, of_reset) = words.split_at_mut(reach.div_ceil(64) as usize);
        self.lost_after_all(position.stones, row, reach, next, [of_plain, of_reset])?;
        let winning = Winning::long(words, next.may_reset);
        let (verdict, best) = self.conclude(position, row, known, winning.first())?;
        Ok(Answer { verdict, best, winning })
    }

    /// Verdict and best move, given the depth and the best move that are stored, if any are, and the first winning move.
    #[inline(always)]
    fn conclude(
        &self,
        position: &Position,
        row: &Row,
        known: Option<(u32, Option<Move>)>,
        first: Option<Move>,
    ) -> Result<(Verdict, Option<Move>), AskError> {
        let won =
            first.is_some() || position.stones == 0 && self.rules.outcome_without_moves() == Outcome::Win;
        let outcome = Outcome::from_won(won);
        match known {
            // All winning moves tie, or all moves of a lost position: fewest stones, no reset.
            None => {
                let any = Move { take: 1, reset: false };
                let best = select_unpredictable(first.is_some(), first.unwrap_or(any), any);
                Ok((Verdict { outcome, depth: None }, (position.stones > 0).then_some(best)))
            }
            Some((depth, best))
                if self.rules.play().outcome_at_depth(depth) == outcome
                    && self.is_legal(position, row, best) =>
            {
                Ok((Verdict { outcome, depth: Some(depth) }, best))
            }
            Some(_) => Err(Self::disagree(position)),
        }
    }

    /// All that is known of a position.
    #[inline(always)]
    fn ask(&self, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        let row = self.row_of(position)?;
        // First what waits longest for memory: the processor does the rest meanwhile.
        let known = self.depth_and_best(row, position)?;
        let reach = self.reach(position, row);
        match &row.bitmaps {
            _ if reach > SHORT => self.answer_far(position, row, reach, known),
            Some(bitmaps) => self.answer_near(position, row, bitmaps, reach, known),
            None => self.answer_from_lines(position, row, reach, known),
        }
    }

    /// The most stones that may be taken.
    #[inline(always)]
    fn reach(&self, position: &Position, row: &Row) -> u32 {
        let limit = select_unpredictable(position.imposed, self.rules.reset_limit(), row.limit);
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

    /// The number of the line of such positions: lines of one number are alike at every currentmax, and stored once.
    ///
    /// # Panics
    /// If the resets are more than the ruleset has.
    pub fn line_number(&self, turn: Turn, resets: [u8; 2], imposed: bool) -> u32 {
        assert!(
            resets.iter().zip(self.rules.resets()).all(|(&left, all)| left <= all),
            "more resets than there are"
        );
        self.classes[self.layout.line(turn, resets, imposed)]
    }

    /// The lost ones of this position and those that differ from it only in having fewer stones, run by run.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged where its line is described.
    pub fn lost_runs(&self, position: &Position) -> Result<LostRuns<'_, D>, AskError> {
        let row = self.row_of(position)?;
        let line = &row.outcomes[self.classes[self.layout.line_of(position)] as usize];
        Ok(LostRuns::new(&self.body, line, position.stones + 1))
    }

    /// Which are lost of this position and those that differ from it only in having fewer stones: bit `s % 64` of word `s / 64`
    /// stands for s stones.
    ///
    /// # Errors
    /// If the table does not cover the position, or is damaged where the answer lies.
    pub fn lost_up_to(&self, position: &Position) -> Result<Vec<u64>, AskError> {
        let row = self.row_of(position)?;
        let line = &row.outcomes[self.classes[self.layout.line_of(position)] as usize];
        let count = position.stones + 1;
        let word = |low: u32| -> Result<u64, AskError> {
            let reach = (count - low).min(64);
            let mut taken = [0];
            line.lost_below(&self.body, low + reach, reach, &mut taken[..])?;
            // Upwards along the line is downwards in stones taken.
            Ok(taken[0].reverse_bits() >> (64 - reach))
        };
        (0..count).step_by(64).map(word).collect()
    }

    fn outcome(&self, position: &Position, row: &Row) -> Result<Outcome, Fault> {
        let class = self.classes[self.layout.line_of(position)];
        let lost = match &row.bitmaps {
            Some(bitmaps) => bitmaps.lost_below(class as usize, position.stones + 1, 1) != 0,
            None => row.outcomes[class as usize].is_lost(&self.body, position.stones)?,
        };
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
        let depth = self.depth_and_best(row, position)?.map(|(depth, _)| depth);
        if depth.is_some_and(|depth| self.rules.play().outcome_at_depth(depth) != outcome) {
            return Err(Self::disagree(position));
        }
        Ok(Verdict { outcome, depth })
    }

    fn answer(&self, position: &Position) -> Result<Answer<Move, Winning>, AskError> {
        self.ask(position)
    }

    // The same loop as for any game, but without a call for each position: that would be an eighth of the time.
    fn answers(
        &self,
        positions: &[Position],
        answers: &mut Vec<Answer<Move, Winning>>,
    ) -> Result<(), (usize, AskError)> {
        answers.reserve(positions.len());
        for (place, position) in positions.iter().enumerate() {
            match self.ask(position) {
                Ok(answer) => answers.push(answer),
                Err(error) => return Err((place, error)),
            }
        }
        Ok(())
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::verdicts::MAX_DEPTH;
    use super::super::{ExpandingKeys, MAX_STONES};
    use super::*;
    use crate::Table;
    use crate::format::forged::{self, Records, records};

    const CLASSES: usize = 0;
    const OUTCOMES: usize = 1;
    const BITS: usize = 3;
    const VERDICTS: usize = 4;
    const BLOCKS: usize = 5;
    const STARTS: usize = 6;
    const STEPS: usize = 8;

    /// What a table file is made of.
    #[derive(Clone)]
    struct Parts {
        keys: ExpandingKeys,
        depths: bool,
        arrays: [Records; 9],
        /// The fewest bytes of directory and arrays.
        least: u64,
    }

    impl Parts {
        /// A table of rows with so many classes, in which every position is as at 0 stones.
        fn flat(keys: ExpandingKeys, depths: bool, classes: u64) -> Self {
            let rules = keys.clone().rules().unwrap();
            let (rows, lines) = (Layout::count_rows(&rules), Layout::try_new(&rules).unwrap().lines() as u64);
            let end = u64::from(keys.stones) + 1;
            let mut arrays: [Records; 9] = Default::default();
            arrays[CLASSES] = records((0..lines).map(|line| [line % classes]));
            arrays[OUTCOMES] = records((0..rows * classes).map(|_| [0, 0, 0, 0, 0, 1]));
            if depths {
                arrays[VERDICTS] = records((0..rows * classes).map(|_| [0, 7, end, 0, 0, 0]));
                arrays[BLOCKS] = records([[0, 0, 0]]);
                arrays[7] = records([[0]]);
                arrays[STEPS] = records([[0, 0, 0, 0]]);
            }
            Self { keys, depths, arrays, least: 0 }
        }

        /// The table of 10 stones of which 1 to 3 may be taken: multiples of 4 are lost. The second of two classes
        /// has an end of its own, and else what the first one has 4 stones before.
        fn fours() -> Self {
            let keys = ExpandingKeys { stones: 10, growth: 0, resets: [0; 2], ..Default::default() };
            let lost = (0..11).map(|x| [u64::from(x % 4 == 0)]);
            let arrays = [
                records([[0], [1], [0], [1]]),
                records([[0, 11, 0, 0, 0, 0], [0, 11, 0, 0, 0, 0]]),
                records::<2>([]),
                records(lost),
                records([[0, 4, 11, 0, 0, 0], [1, 4, 5, 0, 4, 2]]),
                records([[0, 0, 5], [6, 0, 2]]),
                // The last one makes them bytes.
                records([[1], [4], [5], [8], [9], [1], [4], [255]]),
                records([[0], [1], [2], [3], [4], [5], [0], [1], [2]]),
                records([[0, 0, 0, 0], [1, 1, 1, 0], [2, 1, 0, 0], [3, 1, 1, 0], [4, 1, 0, 0], [5, 1, 1, 0]]),
            ];
            Self { keys, depths: true, arrays, least: 0 }
        }

        fn file(&self) -> Vec<u8> {
            let header = forged::header(self.keys.clone().rules().unwrap(), self.depths);
            forged::file(&header, &self.arrays, self.least)
        }

        /// Why the table does not open, or nothing if it does.
        fn refusal(&self) -> Option<String> {
            Table::open(self.file()).err().map(|error| error.to_string())
        }
    }

    fn of_family(table: &Table<Vec<u8>>) -> &ExpandingTable<Vec<u8>> {
        match table.family() {
            FamilyTable::Expanding(table) => table,
            FamilyTable::Heaps(_) => panic!("another family"),
        }
    }

    /// Several rows, of 24 lines each.
    fn rows() -> ExpandingKeys {
        ExpandingKeys { stones: 40, resets: [1, 2], ..Default::default() }
    }

    #[test]
    fn damage_that_opening_does_not_meet_is_found_by_who_looks_for_it() {
        let file = Parts { least: 300_000, ..Parts::fours() }.file();
        let table = Table::open(&file[..]).unwrap();
        assert_eq!((table.check_sums(), table.check_whole(), table.file_len()), (Ok(()), Ok(()), file.len()));
        assert_eq!(table.format(), crate::FORMAT_VERSION);
        let mut damaged = file.clone();
        damaged[file.len() - 10_000] ^= 1;
        let damaged = Table::open(damaged).unwrap();
        let sum = damaged.check_sums().unwrap_err();
        assert!(sum.what.contains("the sum of block"), "{sum}");
        assert_eq!(damaged.check_whole(), Err(sum));
        // A file of another digest, of which all sums hold.
        let mut other = file;
        other[24] ^= 1;
        let sum = crc32fast::hash(&other[..60]).to_le_bytes();
        other[60..64].copy_from_slice(&sum);
        let other = Table::open(other).unwrap();
        assert_eq!(other.check_sums(), Ok(()));
        assert!(other.check_whole().unwrap_err().what.contains("digest"));
    }

    #[test]
    fn a_table_answers_its_positions_and_no_others() {
        let table = Table::open(Parts::fours().file()).unwrap();
        let table = of_family(&table);
        let mut answered = 0;
        for (stones, currentmax) in (0..13).flat_map(|stones| (0..13).map(move |max| (stones, max))) {
            for (turn, imposed) in [(Turn::First, false), (Turn::First, true), (Turn::Second, false)] {
                for resets in [[0, 0], [1, 0], [0, 1]] {
                    let position = Position { stones, currentmax, turn, resets, imposed };
                    if let Err(error) = table.game().check(&position) {
                        assert_eq!(table.answer(&position), Err(error.clone().into()), "{position}");
                        assert_eq!(table.verdict(&position), Err(error.clone().into()), "{position}");
                        assert_eq!(table.lost_up_to(&position), Err(error.into()), "{position}");
                        continue;
                    }
                    let depth = stones / 4 * 2 + u32::from(stones % 4 > 0);
                    let take = if stones % 4 > 0 { stones % 4 } else { stones.min(1) };
                    let best = (take > 0).then_some(Move { take, reset: false });
                    let verdict = Verdict { outcome: Outcome::from_won(stones % 4 > 0), depth: Some(depth) };
                    let answer = table.answer(&position).unwrap();
                    assert_eq!((answer.verdict, answer.best), (verdict, best), "{position}");
                    assert!(answer.winning.iter().eq(best.filter(|_| verdict.outcome == Outcome::Win)));
                    assert_eq!(table.verdict(&position), Ok(verdict), "{position}");
                    let multiples = 0b1_0001_0001 & ((2 << stones) - 1);
                    assert_eq!(table.lost_up_to(&position), Ok(vec![multiples]), "{position}");
                    answered += 1;
                }
            }
        }
        // With 10, 9, 8 and 7 stones and fewer at currentmax 0, 1, 2 and 3.
        assert_eq!(answered, 3 * (11 + 10 + 9 + 8));
    }

    #[test]
    fn a_best_move_that_is_not_legal_is_damage() {
        let at_one_stone = |step: [u64; 4]| {
            let mut parts = Parts::fours();
            parts.arrays[STEPS][1][..4].copy_from_slice(&step);
            let table = Table::open(parts.file()).unwrap();
            let table = of_family(&table);
            table.answer(&Position { stones: 1, ..table.game().start(10) }).map(|answer| answer.best)
        };
        assert_eq!(at_one_stone([1, 1, 1, 0]), Ok(Some(Move { take: 1, reset: false })));
        for (step, why) in [
            ([1, 2, 1, 0], "more than there are"),
            ([1, 1, 1, 1], "a reset where none is left"),
            ([1, 0, 0, 0], "none where there are moves"),
        ] {
            let error = at_one_stone(step).unwrap_err().to_string();
            assert!(error.contains("disagree"), "{why}: {error}");
        }
    }

    #[test]
    fn flat_tables_open_and_answer_where_the_game_is_over() {
        for (depths, classes) in [(true, 1), (true, 24), (false, 1), (false, 24)] {
            let table = Table::open(Parts::flat(rows(), depths, classes).file()).unwrap();
            let table = of_family(&table);
            assert_eq!(table.has_depths(), depths);
            let over = Position { currentmax: 5, ..table.game().start(0) };
            let verdict = Verdict { outcome: Outcome::Loss, depth: depths.then_some(0) };
            assert_eq!(table.verdict(&over), Ok(verdict));
            assert_eq!(table.answer(&over).unwrap().verdict, verdict);
        }
    }

    #[test]
    fn winning_moves_of_more_stones_than_a_word_has_bits_are_found() {
        let keys = ExpandingKeys { base_limit: 100, reset_limit: 70, ..rows() };
        let table = Table::open(Parts::flat(ExpandingKeys { stones: 150, ..keys }, false, 1).file()).unwrap();
        let table = of_family(&table);
        for (stones, imposed) in [(150, false), (80, false), (150, true)] {
            let position = Position { stones, imposed, ..table.game().start(0) };
            // Every position that follows is lost here.
            assert!(table.answer(&position).unwrap().winning.iter().eq(table.game().moves(&position)));
        }
    }

    #[test]
    fn the_lost_positions_of_a_line_have_a_bit_each() {
        let keys = ExpandingKeys { stones: 150, ..rows() };
        let table = Table::open(Parts::flat(keys, false, 1).file()).unwrap();
        let table = of_family(&table);
        for stones in [0, 62, 63, 64, 127, 128, 150] {
            let words = table.lost_up_to(&table.game().start(stones)).unwrap();
            assert_eq!(words.len() as u32, stones / 64 + 1, "{stones}");
            let (last, full) = words.split_last().unwrap();
            assert!(full.iter().all(|&word| word == u64::MAX), "{stones}");
            assert_eq!(*last, u64::MAX >> (63 - stones % 64), "{stones}");
        }
    }

    #[test]
    fn arrays_of_bits_and_of_starts_have_fields_of_one_bit_and_of_a_byte() {
        let pool = |value| {
            let mut parts = Parts::fours();
            parts.arrays[BITS][0][0] = value;
            parts.refusal()
        };
        assert_eq!(pool(1), None);
        assert!(pool(2).unwrap().contains("its pool of bits has wider fields"));
        let starts = |value| {
            let mut parts = Parts::fours();
            parts.arrays[STARTS][7][0] = value;
            parts.refusal()
        };
        assert_eq!(starts(128), None);
        assert!(starts(127).unwrap().contains("its starts are not bytes"));
        assert!(starts(256).unwrap().contains("its starts are not bytes"));
    }

    #[test]
    fn fields_of_depths_have_at_most_30_bits() {
        for (array, field) in [(BLOCKS, 1), (STEPS, 0)] {
            let mut parts = Parts::fours();
            parts.arrays[array][1][field] = MAX_DEPTH;
            assert_eq!(parts.refusal(), None);
            parts.arrays[array][1][field] = MAX_DEPTH + 1;
            assert!(parts.refusal().unwrap().contains("its depths are in fields too wide"));
        }
    }

    #[test]
    fn last_bytes_that_are_not_zero_are_refused() {
        for (back, ends_wrong) in [(1, true), (8, true), (9, true), (16, true), (17, false)] {
            // Where zeros fill the body, nothing else is wrong.
            let file = Parts { least: 1000, ..Parts::fours() }.file();
            let file = forged::resealed(file, |body| body[body.len() - back] = 1);
            let found = Table::open(file).err().map(|error| error.to_string());
            assert_eq!(found.is_some(), ends_wrong, "{back}");
            assert!(found.is_none_or(|error| error.contains("its last bytes are not zero")), "{back}");
        }
    }

    #[test]
    fn as_many_records_as_rows_and_classes_are_asked_for() {
        let refused = |depths, change: &dyn Fn(&mut [Records; 9])| {
            let mut parts = Parts::flat(rows(), depths, 3);
            change(&mut parts.arrays);
            parts.refusal().unwrap()
        };
        let with_more = |array: usize, more: usize| {
            move |arrays: &mut [Records; 9]| {
                let record = arrays[array][0];
                arrays[array].extend(vec![record; more]);
            }
        };
        let number = Parts::flat(rows(), true, 1).arrays[OUTCOMES].len();
        for depths in [true, false] {
            // Another record for each line; and for each row, but not for each line of depths.
            assert!(refused(depths, &with_more(CLASSES, 1)).contains("its lines do not fit its ruleset"));
            assert!(refused(depths, &with_more(OUTCOMES, 1)).contains("its lines do not fit its ruleset"));
            assert!(refused(depths, &|arrays| arrays[OUTCOMES].truncate(number - 1)).contains("fewer rows"));
            assert!(refused(depths, &|arrays| arrays[CLASSES].truncate(23)).contains("its lines do not fit"));
        }
        for change in [number, 1] {
            assert!(refused(true, &with_more(VERDICTS, change)).contains("its lines of depths do not fit"));
        }
        assert!(refused(true, &|arrays| arrays[VERDICTS].clear()).contains("its lines of depths do not fit"));
        let depths = |arrays: &mut [Records; 9]| arrays[VERDICTS] = arrays[OUTCOMES].clone();
        assert!(refused(false, &depths).contains("its lines of depths do not fit"));
        assert!(
            Parts::flat(rows(), false, 25).refusal().unwrap().contains("its lines do not fit its ruleset")
        );
    }

    #[test]
    fn a_line_of_a_class_that_its_row_does_not_have_is_refused() {
        let mut parts = Parts::flat(rows(), true, 3);
        for class in [3, 4] {
            parts.arrays[CLASSES][5][0] = class;
            let expected = format!("line 5 is of class {class}, of 3");
            assert!(parts.refusal().unwrap().contains(&expected));
        }
    }

    #[test]
    fn each_row_beyond_65536_takes_four_bytes_of_the_body() {
        assert_eq!([0, 65_536, 65_537, 70_000].map(least_body), [0, 0, 4, 17_856]);
        // As many rows as there are currentmax.
        let keys = ExpandingKeys { stones: 69_999, base_limit: 1, reset_limit: 1, ..Default::default() };
        let keys = ExpandingKeys { growth: MAX_STONES, ..keys };
        let rules = keys.clone().rules().unwrap();
        assert_eq!(Layout::count_rows(&rules), 70_000);
        let least = least_body(70_000) - PADDING as u64;
        let flat = Parts::flat(keys, false, 1);
        assert_eq!(Parts { least, ..flat.clone() }.refusal(), None);
        let refusal = Parts { least: least - 8, ..flat }.refusal().unwrap();
        assert!(refusal.contains("fewer rows than its ruleset"), "{refusal}");
    }
}
