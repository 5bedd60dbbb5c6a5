//! Answers from the table of a heap game.

use std::ops::Range;

use super::any_order::AnyOrder;
use super::automaton::Automaton;
use super::classes::Classes;
use super::edge_sources::{StoredEdges, UnpackedEdges};
use super::edges::Lost;
use super::lost_positions::each_lost;
use super::position::{Heap, Move, Position};
use super::region::HeapRegion;
use super::rules::HeapRules;
use super::sorted_heaps::SortedHeaps;
use super::winning::WinningMoves;
use super::wins::{WinSearch, Wins};
use crate::format::Body;
use crate::lazy_after::LazyAfter;
use crate::{Answer, AskError, Damage, Game, Header, Outcome, Solved, Verdict};

/// An open table of a heap game.
#[derive(Debug)]
pub struct HeapTable {
    rules: HeapRules,
    has_depths: bool,
    body: Body,
    automaton: Automaton,
    /// The edges of the automaton in memory, unpacked after the first questions.
    unpacked: LazyAfter<UnpackedEdges>,
    /// The common bound of all heaps, if the bounds are equal.
    equal_bound: Option<Heap>,
}

/// Number of questions that are answered before unpacking, which takes as long as about a hundred questions.
const FEW_QUESTIONS: u32 = 32;

impl HeapRules {
    /// Opens the body of a table of these rules, and checks everything that later arithmetic relies on.
    pub(crate) fn open(&self, header: &Header, body: Body) -> Result<HeapTable, Damage> {
        Ok(HeapTable {
            automaton: Automaton::read(header.has_depths, self, &header.layout, &body)?,
            equal_bound: (self.bounds()[0] == self.greatest_bound()).then(|| self.greatest_bound()),
            rules: self.clone(),
            has_depths: header.has_depths,
            body,
            unpacked: LazyAfter::new(),
        })
    }
}

/// Evaluates an expression with the fastest search for a position, after checking that the table covers the position.
macro_rules! with_search {
    ($table:ident, $position:ident, |$search:ident| $body:expr) => {{
        $table.check($position)?;
        match $table.unpacked() {
            Some(edges) if edges.is_in_any_order() => {
                let $search = $table.search(edges, $position, AnyOrder);
                $body
            }
            Some(edges) => {
                let $search = $table.search(edges, $position, $table.sorted($position));
                $body
            }
            None => {
                let edges = $table.stored();
                let $search = $table.search(&edges, $position, $table.sorted($position));
                $body
            }
        }
    }};
}

impl HeapTable {
    pub(crate) fn body(&self) -> &Body {
        &self.body
    }

    pub(crate) fn body_mut(&mut self) -> &mut Body {
        &mut self.body
    }

    /// Returns the classes of the table.
    pub fn classes(&self) -> Classes<'_> {
        Classes(self.stored())
    }

    /// Returns the stored depth of a lost position, which is 0 in a table without depths, and the number of stones that its
    /// best move takes. `None` if the position is won.
    pub fn lost(&self, position: &Position) -> Result<Option<(u32, u64)>, AskError> {
        with_search!(self, position, |search| {
            Ok(search.lost()?.map(|Lost { depth, best_take }| (depth, best_take)))
        })
    }

    /// Checks that the table covers a position.
    #[inline]
    fn check(&self, position: &Position) -> Result<(), AskError> {
        let Position { heaps, passes } = position;
        let is_covered = heaps.len() == self.rules.heaps()
            && *passes <= self.rules.passes()
            && match self.equal_bound {
                Some(bound) => heaps.iter().all(|&heap| heap <= bound),
                None => self.rules.fits(heaps),
            };
        if is_covered { Ok(()) } else { Err(self.refusal(position)) }
    }

    /// Returns the error for a position that the table does not cover.
    #[cold]
    fn refusal(&self, position: &Position) -> AskError {
        match self.rules.check(position) {
            Err(error) => error.into(),
            Ok(()) => Damage::new("it does not have a position of its ruleset").into(),
        }
    }

    /// Returns the error for stored answers that contradict each other.
    #[cold]
    fn contradiction(position: &Position) -> AskError {
        let (heaps, passes) = (&position.heaps[..], position.passes);
        let what = format!(
            "its entries for the heaps {heaps:?} with {passes} passes left contradict each \
            other"
        );
        Damage::new(what).into()
    }

    #[cold]
    fn best_move_of_lost(&self, position: &Position, lost: Lost) -> Result<Option<Move>, AskError> {
        let first = self.rules.moves(position).next();
        // Without depths, all moves are equally good.
        if !self.has_depths || first.is_none() {
            return Ok(first);
        }
        if self.rules.heaps_per_move() > 1 {
            let moves = self.rules.moves(position).filter(|chosen| chosen.stones() == lost.best_take);
            return self.first_move_to_depth(position, lost, moves);
        }
        // At most one move per row takes this many stones. A take of 0 is a pass in any row.
        let take = Heap::try_from(lost.best_take).unwrap_or(Heap::MAX);
        let moves = (0..position.heaps.len()).map(|row| Move::single(row, take));
        self.first_move_to_depth(
            position,
            lost,
            moves.filter(|&chosen| self.rules.is_legal(position, chosen)),
        )
    }

    /// Returns the first of `moves` that leads to a position of depth one less than a lost position's.
    fn first_move_to_depth(
        &self,
        position: &Position,
        lost: Lost,
        moves: impl Iterator<Item = Move>,
    ) -> Result<Option<Move>, AskError> {
        for chosen in moves {
            // `verdict` refuses a depth that contradicts the outcome, so a position of this depth is won.
            let next = self.verdict(&self.rules.after(position, chosen))?;
            if next.depth == lost.depth.checked_sub(1) {
                return Ok(Some(chosen));
            }
        }
        Err(Self::contradiction(position))
    }

    /// Returns the verdict, after checking the depth against the outcome.
    #[cfg_attr(feature = "fast", inline(always))]
    fn checked(&self, position: &Position, outcome: Outcome, depth: u32) -> Result<Verdict, AskError> {
        if self.has_depths && self.rules.play().outcome_at_depth(depth) != outcome {
            return Err(Self::contradiction(position));
        }
        Ok(Verdict { outcome, depth: self.has_depths.then_some(depth) })
    }

    /// Returns the depth and the best move of a won position with these winning moves.
    #[cfg_attr(feature = "fast", inline(always))]
    fn depth_of_won(&self, position: &Position, wins: &Wins) -> Result<(u32, Option<Move>), AskError> {
        match wins.best {
            Some((depth, _, index)) => Ok((depth + 1, wins.moves.get(index))),
            None if self.rules.moves(position).next().is_none()
                && self.rules.play().outcome_without_moves() == Outcome::Win =>
            {
                Ok((0, None))
            }
            None => Err(Self::contradiction(position)),
        }
    }

    #[inline]
    fn search<'a, E, O>(&'a self, edges: &'a E, position: &'a Position, order: O) -> WinSearch<'a, E, O> {
        WinSearch { rules: &self.rules, automaton: &self.automaton, edges, position, order }
    }

    #[inline]
    fn sorted(&self, position: &Position) -> SortedHeaps {
        SortedHeaps::new(&self.automaton, &position.heaps)
    }

    fn stored(&self) -> StoredEdges<'_> {
        StoredEdges { automaton: &self.automaton, body: &self.body }
    }

    /// Returns the unpacked edges after the first questions.
    #[inline]
    fn unpacked(&self) -> Option<&UnpackedEdges> {
        self.unpacked.get(FEW_QUESTIONS, || UnpackedEdges::new(&self.automaton, &self.body))
    }

    /// Adds the winning moves of a position to `wins`. Returns its verdict and its best move.
    fn find_wins(&self, position: &Position, wins: &mut Wins) -> Result<(Verdict, Option<Move>), AskError> {
        with_search!(self, position, |search| {
            let lost = search.wins(wins)?;
            self.verdict_and_best(position, lost, wins)
        })
    }

    /// Returns the verdict and the best move, given the winning moves, and the answer for the position if it is lost.
    #[cfg_attr(feature = "fast", inline(always))]
    fn verdict_and_best(
        &self,
        position: &Position,
        lost: Option<Lost>,
        wins: &Wins,
    ) -> Result<(Verdict, Option<Move>), AskError> {
        match (lost, wins.best) {
            (None, _) => {
                let (depth, best) = self.depth_of_won(position, wins)?;
                Ok((self.checked(position, Outcome::Win, depth)?, best))
            }
            (Some(lost), None) => {
                let best = self.best_move_of_lost(position, lost)?;
                if best.is_none() && self.rules.play().outcome_without_moves() != Outcome::Loss {
                    return Err(Self::contradiction(position));
                }
                Ok((self.checked(position, Outcome::Loss, lost.depth)?, best))
            }
            (Some(_), Some(_)) => Err(Self::contradiction(position)),
        }
    }
}

impl Solved for HeapTable {
    type Game = HeapRules;
    type WinningMoves = WinningMoves;

    fn game(&self) -> &HeapRules {
        &self.rules
    }

    fn has_depths(&self) -> bool {
        self.has_depths
    }

    fn outcome(&self, position: &Position) -> Result<Outcome, AskError> {
        with_search!(self, position, |search| Ok(Outcome::from_won(search.lost()?.is_none())))
    }

    fn verdict(&self, position: &Position) -> Result<Verdict, AskError> {
        with_search!(self, position, |search| {
            if let Some(lost) = search.lost()? {
                return self.checked(position, Outcome::Loss, lost.depth);
            }
            if !self.has_depths {
                return Ok(Verdict { outcome: Outcome::Win, depth: None });
            }
            let mut wins = Wins::new(self.has_depths);
            search.wins(&mut wins)?;
            self.checked(position, Outcome::Win, self.depth_of_won(position, &wins)?.0)
        })
    }

    fn answer(&self, position: &Position) -> Result<Answer<Move, WinningMoves>, AskError> {
        let mut wins = Wins::new(self.has_depths);
        let (verdict, best) = self.find_wins(position, &mut wins)?;
        Ok(Answer { verdict, best, winning: wins.moves })
    }

    fn each_lost(
        &self,
        region: &HeapRegion,
        indexes: Range<u64>,
        visit: &mut dyn FnMut(u64, Position),
    ) -> Result<(), AskError> {
        match self.unpacked() {
            Some(edges) if !edges.is_in_any_order() => {
                each_lost(&self.automaton, edges, region, indexes, visit)?;
            }
            _ => each_lost(&self.automaton, &self.stored(), region, indexes, visit)?,
        }
        Ok(())
    }

    fn answer_each(
        &self,
        positions: &[Position],
        mut visit: impl FnMut(usize, Answer<Move, &WinningMoves>),
    ) -> Result<(), (usize, AskError)> {
        for (index, position) in positions.iter().enumerate() {
            let mut wins = Wins::new(self.has_depths);
            let (verdict, best) = self.find_wins(position, &mut wins).map_err(|error| (index, error))?;
            visit(index, Answer { verdict, best, winning: &wins.moves });
        }
        Ok(())
    }
}

#[cfg(test)]
#[cfg(feature = "write")]
mod tests {
    use super::super::HeapKeys;
    use super::super::position::Heaps;
    use super::super::take::Take;
    use super::super::tests::sample_tables::{self, Parts};
    use super::*;
    use crate::{Game, MoveSet, Play};

    fn rules(bounds: &[Heap], take: Take, heaps_per_move: u32, passes: u32, play: Play) -> HeapRules {
        let keys = HeapKeys {
            bounds: bounds.to_vec(),
            take,
            heaps_per_move: heaps_per_move.into(),
            passes,
            play,
            ..Default::default()
        };
        keys.rules().unwrap()
    }

    /// Returns a game in which a move takes the same number from each of its heaps.
    fn equal_take(bounds: &[Heap], heaps_per_move: u32, passes: u32, play: Play) -> HeapRules {
        let keys = HeapKeys {
            bounds: bounds.to_vec(),
            heaps_per_move: heaps_per_move.into(),
            equal_take: true,
            ..Default::default()
        };
        HeapKeys { passes, play, ..keys }.rules().unwrap()
    }

    /// Returns games of all kinds.
    fn games() -> Vec<HeapRules> {
        let mut games = Vec::new();
        for play in [Play::Normal, Play::Misere] {
            for passes in [0, 2] {
                games.push(rules(&[7], Take::UpTo(3), 1, passes, play));
                games.push(rules(&[1, 3, 5], Take::Any, 1, passes, play));
                games.push(rules(&[4, 4], Take::Any, 1, passes, play));
                games.push(rules(&[3, 3, 3], Take::exactly(vec![1, 3]), 1, passes, play));
                games.push(rules(&[2, 4], Take::UpTo(2), 2, passes, play));
                games.push(rules(&[2, 2, 3], Take::Any, 2, passes, play));
                games.push(equal_take(&[3, 4], 2, passes, play));
                games.push(equal_take(&[2, 2, 3], 2, passes, play));
                games.push(equal_take(&[2, 2, 3], 3, passes, play));
                // The best move takes from two heaps.
                games.push(rules(&[3, 3, 3], Take::exactly(vec![1, 3]), 2, passes, play));
            }
        }
        games
    }

    fn open(parts: &Parts) -> HeapTable {
        let body = Body::open(parts.file(), crate::format::Content::Table).unwrap();
        parts.rules.open(&parts.header(), body).unwrap()
    }

    fn position(heaps: &[Heap], passes: u8) -> Position {
        Position { heaps: heaps.iter().copied().collect(), passes }
    }

    #[test]
    fn edges_are_unpacked_after_32_questions() {
        let table = open(&Parts::unranked(&rules(&[3, 3], Take::UpTo(2), 1, 0, Play::Normal), true));
        let ask = || table.verdict(&position(&[1, 2], 0)).unwrap();
        for _ in 0..FEW_QUESTIONS {
            ask();
        }
        assert!(table.unpacked.so_far().is_none());
        ask();
        assert!(table.unpacked.so_far().is_some_and(Option::is_some));
    }

    #[test]
    fn forged_tables_answer_by_the_rules() {
        for rules in games() {
            let solved = sample_tables::Solved::new(&rules);
            for depths in [true, false] {
                let mut all = vec![Parts::ranked(&rules, depths)];
                if *rules.take() != Take::Any && rules.heaps() > 1 {
                    all.push(Parts::ranked_but_last(&rules, depths));
                }
                if *rules.take() != Take::Any && rules.bounds()[0] == rules.greatest_bound() {
                    all.push(Parts::unranked(&rules, depths));
                }
                for table in all.iter().map(open) {
                    // Ask twice, since the second question may use unpacked edges.
                    for (position, solution) in solved.positions.iter().chain(&solved.positions) {
                        let depth = depths.then_some(solution.depth);
                        let verdict = Verdict { outcome: solution.outcome, depth };
                        assert_eq!(table.verdict(position), Ok(verdict), "{position:?} {rules:?}");
                        assert_eq!(table.outcome(position), Ok(solution.outcome), "{position:?} {rules:?}");
                        let answer = table.answer(position).unwrap();
                        assert_eq!(answer.verdict, verdict);
                        assert!(answer.winning.iter().eq(solution.winning.iter().copied()), "{position:?}");
                        let first = answer.winning.first().or_else(|| rules.moves(position).next());
                        let best = if depths { solution.best } else { first };
                        assert_eq!(answer.best, best, "{position:?} {rules:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn positions_beyond_the_bounds_or_the_passes_are_refused() {
        for rules in games() {
            let table = open(&Parts::ranked(&rules, true));
            let (start, passes) = (rules.start().heaps, rules.passes());
            let mut greater = start;
            greater[0] += 1;
            let mut fewer = start;
            fewer.pop();
            let more: Heaps = start.iter().copied().chain([0]).collect();
            for (heaps, passes) in [(start, passes + 1), (greater, passes), (fewer, passes), (more, passes)] {
                let position = Position { heaps, passes };
                let error = Game::check(&rules, &position).unwrap_err();
                assert_eq!(table.verdict(&position), Err(error.clone().into()));
                assert_eq!(table.answer(&position), Err(error.into()));
            }
        }
    }

    #[test]
    fn a_depth_that_contradicts_its_outcome_is_damage() {
        for play in [Play::Normal, Play::Misere] {
            let mut parts = Parts::ranked(&rules(&[7], Take::UpTo(3), 1, 0, play), true);
            parts.stem.iter_mut().for_each(|[class, deeper, ..]| *deeper += u64::from(*class > 0));
            let table = open(&parts);
            // Following the best move detects either error. Depths start at 1 in misère play, where depth 0 is won.
            for size in u32::from(play == Play::Misere)..=7 {
                let position = position(&[size], 0);
                assert!(matches!(table.verdict(&position), Err(AskError::Damaged(_))), "{position:?}");
                assert!(matches!(table.answer(&position), Err(AskError::Damaged(_))), "{position:?}");
            }
        }
    }

    #[test]
    fn a_lost_position_without_a_move_to_its_depth_is_damage() {
        for per_move in [1, 2] {
            let rules = rules(&[3, 3], Take::UpTo(2), per_move, 0, Play::Normal);
            let solved = sample_tables::Solved::new(&rules);
            let lost = solved.positions.iter().filter(|(_, solution)| solution.outcome == Outcome::Loss);
            let (&lost, solution) = lost.max_by_key(|(_, solution)| solution.depth).unwrap();
            assert!(solution.depth >= 2);
            let rank = super::super::Ranks::try_new(rules.bounds()).unwrap().rank(&lost.heaps) as usize;
            for depth in [0, solution.depth - 2, solution.depth + 2] {
                let mut parts = Parts::ranked(&rules, true);
                parts.stem[rank][1] = depth.into();
                let table = open(&parts);
                assert_eq!(table.verdict(&lost).unwrap().depth, Some(depth));
                assert_eq!(table.answer(&lost), Err(HeapTable::contradiction(&lost)));
            }
        }
    }

    #[test]
    fn a_table_of_equal_outcomes_answers_only_finished_games() {
        for (play, depths) in
            [(Play::Normal, true), (Play::Normal, false), (Play::Misere, true), (Play::Misere, false)]
        {
            for class in [0, 1] {
                let mut parts = Parts::ranked(&rules(&[4], Take::UpTo(2), 1, 0, play), depths);
                parts.stem.fill([class, 0, 0, 0, 0, 0, 0, 0]);
                let table = open(&parts);
                let right_at_the_end = (class == 0) == (play == Play::Misere);
                for size in 0..=4 {
                    let is_answered = table.answer(&position(&[size], 0)).is_ok();
                    assert_eq!(
                        is_answered,
                        size == 0 && right_at_the_end,
                        "{play:?}, {depths}, {class}, {size}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_missing_class_is_refused_before_and_after_unpacking() {
        // In unpacked edges, an invalid class would lead into the edges of the next level.
        let rules = rules(&[2, 2, 2], Take::UpTo(2), 1, 0, Play::Normal);
        let good = Parts::unranked(&rules, true);
        let classes: Vec<u64> = good.levels.iter().map(|level| level.len() as u64 / 3).collect();
        for (array, position) in
            [(0, position(&[2, 0, 0], 0)), (1, position(&[2, 2, 2], 0)), (2, position(&[2; 3], 0))]
        {
            let mut parts = good.clone();
            let records = if array == 0 { &mut parts.stem } else { &mut parts.levels[array - 1] };
            // The last record, which belongs to the greatest sizes.
            records.last_mut().unwrap()[0] = classes[array];
            let table = open(&parts);
            for number in 0..3 * FEW_QUESTIONS {
                let found = table.verdict(&position);
                assert!(matches!(found, Err(AskError::Damaged(_))), "array {array}, question {number}");
            }
            // Questions that do not read the record are still answered.
            assert_eq!(table.verdict(&self::position(&[0; 3], 0)).is_ok(), array > 0);
        }
    }
}
