//! Solves one heap from which a move takes certain amounts, however large the heap: by the period of its positions.
//!
//! Problem: a heap may have a billion sizes. Idea: the depth of a size follows from its *window*, the depths of the
//! sizes just below: as many as the greatest amount. If a window repeats an earlier one with all depths greater by the
//! same even number, all later depths repeat too, greater by this number. The solver goes from size to size until the
//! window repeats, which proves the rest. Cost: for each size up to the end of the first period, one step for each
//! amount; one step in all if a move takes any amount up to a limit.
//!
//! Example: take 1 or 2 in normal play. The depths of the sizes 0 to 6 are 0 1 1 2 3 3 4. The window 0 1 repeats as
//! 2 3, so after each 3 sizes the depths are 2 greater.
//!
//! The repetition is found by Brent's method (An improved Monte Carlo factorization algorithm, 1980): each window is
//! compared with a stored one, which is replaced whenever the size has doubled. A rolling hash of the differences of
//! depths decides when to compare.

use std::collections::VecDeque;
use std::time::Duration;

use bouton_tables::heaps::{Heap, HeapRules, MoveKind, Take};

use super::classes::edges::ClassEdge;
use super::classes::level_cut::{LevelSteps, Repetition};
use super::classes::merge_classes::{SearchResult, cut_single_heap};
use super::positions::PositionCode;
use super::sizes::reach;
use super::solved::Solved;
use crate::census::Census;
use crate::control::{CancelCheck, Control};
use crate::making::GenerateError;
use crate::memory::room;

/// Maximum number of positions to solve before the repetition.
const MAX_POSITIONS: usize = 1 << 22;

/// Maximum number of steps before the repetition. A step takes about a nanosecond.
const MAX_STEPS: usize = 1 << 28;

/// Multiplier of the rolling hash: any odd number without a pattern.
const HASH_FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

/// All positions of a game with one heap.
pub(crate) struct SingleHeap {
    code: PositionCode<i64>,
    /// The cells of the first positions: up to the end of the first period, or all.
    cells: Vec<i64>,
    /// How later positions repeat these; `None` if there are no later ones.
    repetition: Option<Repetition>,
    /// Number of sizes.
    sizes: usize,
    /// The least depth of a lost position; 0 if there is none.
    least_depth: u32,
}

/// Makes the parts of a table, and its census; `None` if the game is not of this kind, if it has a long period, or if its
/// positions are so few or so different that the search for classes is better.
pub(super) fn make(
    rules: &HeapRules,
    depths: bool,
    control: &dyn Control,
) -> Result<Option<(SearchResult, Census)>, GenerateError> {
    let Some(heap) = SingleHeap::solve(rules, depths, control)? else { return Ok(None) };
    Ok(heap.parts(depths)?.map(|found| (found, heap.census(depths))))
}

/// Estimates a table that [`make`] makes: maximum bytes of memory, bytes of the file, and time.
pub(super) fn estimate(rules: &HeapRules, depths: bool) -> Option<(u128, u64, Duration)> {
    /// Approximate time for each step from one size to the next.
    const NANOSECONDS_PER_STEP: u64 = 10;
    let heap = SingleHeap::solve(rules, depths, &()).ok()??;
    let SearchResult { single_heap, peak_memory, .. } = heap.parts(depths).ok()??;
    let cut = single_heap?;
    // The segments repeat after at most as many periods as a segment has sizes.
    let sizes = heap.sizes as u64;
    let visited = heap.repetition.map_or(sizes, |repetition| (repetition.period as u64) << cut.sizes_log2);
    let steps = heap.cells.len() as u64 + visited.min(sizes);
    Some((peak_memory.into(), 512 + cut.bits() / 8, Duration::from_nanos(NANOSECONDS_PER_STEP * steps)))
}

impl SingleHeap {
    /// Solves a game; `None` if it is not of this kind, or if its period is too long. Without `depths`, all lost
    /// positions get one depth, and all won positions another.
    fn solve(rules: &HeapRules, depths: bool, control: &dyn Control) -> Result<Option<Self>, GenerateError> {
        if !matches!(rules.move_kind(), MoveKind::AmountsFromOne(_))
            || rules.heaps() > 1
            || rules.passes() > 0
        {
            return Ok(None);
        }
        let (code, sizes) = (PositionCode::new(rules), rules.greatest_bound() as usize + 1);
        let mut heap = Self {
            code,
            cells: room(sizes.min(MAX_POSITIONS) as u64)?,
            repetition: None,
            sizes,
            least_depth: 0,
        };
        let steps = match rules.take() {
            Take::Exactly(amounts) => amounts.len(),
            Take::Any | Take::UpTo(_) => 1,
        };
        let mut moves = BestMove { take: rules.take(), reach: reach(rules), best: VecDeque::new() };
        let mut search = RepetitionSearch::new(reach(rules) as usize);
        let mut cancel_check = CancelCheck::new(control);
        let end = code.cell_of(code.no_move);
        let outcomes_only = [end, code.cell_of(code.candidate(end, code.take_bits(0)))];
        for size in 0..sizes {
            if size >= MAX_POSITIONS.min(MAX_STEPS / steps) {
                return Ok(None);
            }
            cancel_check.spend(steps)?;
            let mut cell = code.cell_of(moves.candidate(code, &heap.cells)?);
            if !depths {
                cell = outcomes_only[code.read(cell).0.depth as usize % 2];
            }
            heap.cells.push(cell);
            heap.repetition = search.add(&heap);
            if heap.repetition.is_some() {
                break;
            }
        }
        // Later periods are no less deep.
        let lost = heap.cells.iter().map(|&cell| code.read(cell)).filter(|&(_, is_lost)| is_lost);
        heap.least_depth = lost.map(|(solved, _)| solved.depth).min().unwrap_or(0);
        Ok(Some(heap))
    }

    /// Returns the parts of a table; `None` if cutting its steps into segments does not save enough.
    fn parts(&self, depths: bool) -> Result<Option<SearchResult>, GenerateError> {
        let step = |size: usize| self.edge(size);
        let steps = LevelSteps { classes: 1, width: self.sizes, step, repetition: self.repetition };
        let mut found = cut_single_heap(if depths { self.least_depth } else { 0 }, &steps)?;
        if let Some(found) = &mut found {
            found.peak_memory += size_of_val(&self.cells[..]) as u64;
        }
        Ok(found)
    }

    fn depth(&self, size: usize) -> u32 {
        self.code.read(self.cells[size]).0.depth
    }

    /// Returns the position with a heap of any size, and whether it is lost.
    fn at(&self, size: usize) -> (Solved, bool) {
        let (solved, mut size, mut deeper) = (self.cells.len(), size, 0);
        if let Some(repetition) = self.repetition.filter(|_| size >= solved) {
            let first = solved - repetition.period;
            // A depth is below 2^30.
            deeper = ((size - first) / repetition.period) as u32 * repetition.deeper;
            size = first + (size - first) % repetition.period;
        }
        let (position, is_lost) = self.code.read(self.cells[size]);
        (Solved { depth: position.depth + deeper, ..position }, is_lost)
    }

    /// Returns the step from the empty multiset to a heap of any size.
    fn edge(&self, size: usize) -> ClassEdge {
        match self.at(size) {
            (Solved { depth, stones }, true) => {
                ClassEdge { class: 1 + stones, deeper: depth - self.least_depth }
            }
            _ => ClassEdge::default(),
        }
    }

    fn census(&self, depths: bool) -> Census {
        let wins =
            |sizes: &mut dyn Iterator<Item = usize>| sizes.filter(|&size| !self.at(size).1).count() as u64;
        let solved = self.cells.len();
        let mut census = Census { wins: wins(&mut (0..solved)), deepest: 0 };
        // The depths of the last period are the greatest, unless the first positions are deeper.
        let mut last = solved..solved;
        if let Some(Repetition { period, .. }) = self.repetition {
            let further = self.sizes - solved;
            census.wins += (further / period) as u64 * wins(&mut (solved - period..solved));
            census.wins += wins(&mut (solved..solved + further % period));
            last = self.sizes - period..self.sizes;
        }
        if depths {
            let all = (0..solved).chain(last).map(|size| self.at(size).0.depth);
            census.deepest = all.max().unwrap_or(0);
        }
        census
    }
}

/// Finds the best move from the next size.
struct BestMove<'a> {
    take: &'a Take,
    /// The greatest amount.
    reach: Heap,
    /// If all amounts up to `reach` are allowed: the sizes in the window that are better to move to than all greater
    /// sizes in the window, ascending. The first is the best.
    best: VecDeque<usize>,
}

impl BestMove<'_> {
    /// Returns the candidate of the best move from the size after all solved ones, whose cells are given; `no_move` if
    /// there is no move.
    fn candidate(&mut self, code: PositionCode<i64>, cells: &[i64]) -> Result<i64, GenerateError> {
        let size = cells.len();
        let candidate = |amount: Heap| code.candidate(cells[size - amount as usize], code.take_bits(amount));
        if let Take::Exactly(amounts) = self.take {
            let legal = amounts.iter().take_while(|&&amount| amount as usize <= size);
            return Ok(legal.map(|&amount| candidate(amount)).max().unwrap_or(code.no_move));
        }
        let Some(last) = size.checked_sub(1) else { return Ok(code.no_move) };
        let high = |size: usize| code.candidate(cells[size], 0);
        // A move to a greater size takes fewer stones, so among equally good sizes the last is the best.
        while self.best.back().is_some_and(|&size| high(size) <= high(last)) {
            self.best.pop_back();
        }
        self.best.try_reserve(1)?;
        self.best.push_back(last);
        while self.best.front().is_some_and(|&first| first + (self.reach as usize) < size) {
            self.best.pop_front();
        }
        Ok(self.best.front().map_or(code.no_move, |&first| candidate((size - first) as Heap)))
    }
}

/// Finds the first repetition of a window.
struct RepetitionSearch {
    /// Length of a window.
    window: usize,
    /// Hash of the differences between adjacent depths of the current window.
    hash: u64,
    /// Factor of the first difference in the hash.
    first_factor: u64,
    /// The last size of the stored window, and its hash.
    stored: Option<(usize, u64)>,
}

impl RepetitionSearch {
    fn new(window: usize) -> Self {
        let first_factor = HASH_FACTOR.wrapping_pow(window.saturating_sub(2) as u32);
        Self { window, hash: 0, first_factor, stored: None }
    }

    /// Adds the last position of a heap. Returns the repetition if the window that ends there repeats the stored one.
    fn add(&mut self, heap: &SingleHeap) -> Option<Repetition> {
        let last = heap.cells.len() - 1;
        let difference = |size: usize| u64::from(heap.depth(size)).wrapping_sub(heap.depth(size - 1).into());
        // A window of n positions has n - 1 differences.
        if last >= self.window && self.window > 1 {
            let first = difference(last + 1 - self.window);
            self.hash = self.hash.wrapping_sub(first.wrapping_mul(self.first_factor));
        }
        if last > 0 && self.window > 1 {
            self.hash = self.hash.wrapping_mul(HASH_FACTOR).wrapping_add(difference(last));
        }
        let (stored, hash) = match self.stored {
            Some((stored, hash)) if last < 2 * stored => (stored, hash),
            _ => {
                if last >= self.window {
                    self.stored = Some((last, self.hash));
                }
                return None;
            }
        };
        let deeper = heap.depth(last).checked_sub(heap.depth(stored))?;
        if hash != self.hash || deeper % 2 == 1 {
            return None;
        }
        let repeats =
            |back: usize| heap.depth(last - back).checked_sub(heap.depth(stored - back)) == Some(deeper);
        let period = last - stored;
        (0..self.window).all(repeats).then_some(Repetition { from: stored + 1 - self.window, period, deeper })
    }
}
