//! Heap games (Nim and its relatives), solved straight from the rules and as naively as possible.
//!
//! The fast solvers are compared with this oracle. It is useful only while every reader can see that it is right, and
//! while it shares no idea with the code it checks. So it visits each position by itself and tries every move in
//! every row, even if several rows are equal. It merges one thing only: heaps in another order are the same position,
//! which is a rule of the game. Keep it so.

use std::collections::{BTreeMap, BTreeSet};

/// The amounts that a move may take from one heap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Take {
    /// Any number of stones.
    Any,
    /// From 1 to this number.
    UpTo(u32),
    /// One of these amounts, which are distinct and at least 1, in any order.
    Exactly(Vec<u32>),
}

impl Take {
    /// Returns whether a move may take `n` stones from a heap.
    fn allows(&self, n: u32) -> bool {
        match self {
            Self::Any => true,
            Self::UpTo(most) => n <= *most,
            Self::Exactly(amounts) => amounts.contains(&n),
        }
    }
}

/// The rules, as plain numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The largest size of each row's heap.
    pub bounds: Vec<u32>,
    /// The amounts that may be taken from one heap.
    pub take: Take,
    /// Maximum number of heaps that a move takes from: from 1 to the number of heaps.
    pub heaps_per_move: usize,
    /// The numbers of heaps that a move takes from, if not all up to the maximum are allowed; otherwise empty.
    pub exactly: Vec<usize>,
    /// True if a move must take the same amount from each of its heaps.
    pub equal_take: bool,
    /// The passes at the start, shared by both players.
    pub passes: u32,
    /// True if the player without a move wins.
    pub misere: bool,
}

impl Rules {
    /// Returns true if a move can take any number of stones from one heap alone. Then of the positions that differ in one
    /// heap only, at most one is lost.
    pub fn has_one_loss_per_line(&self) -> bool {
        self.take == Take::Any && (self.exactly.is_empty() || self.exactly.contains(&1))
    }
}

/// The fields of [`Rules`] in order, for lists of games.
pub type Keys = (Vec<u32>, Take, usize, bool, u32, bool);

impl From<Keys> for Rules {
    fn from((bounds, take, heaps_per_move, equal_take, passes, misere): Keys) -> Self {
        Self { bounds, take, heaps_per_move, exactly: vec![], equal_take, passes, misere }
    }
}

/// A position: everything that decides the rest of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The sizes of the heaps, ascending: heaps in another order are the same position.
    pub heaps: Vec<u32>,
    /// The number of passes left.
    pub passes: u32,
}

impl Position {
    /// Returns the position of heaps in any order.
    pub fn new(rows: &[u32], passes: u32) -> Self {
        let mut heaps = rows.to_vec();
        heaps.sort();
        Self { heaps, passes }
    }
}

/// A move. Its derived order is the one that moves are listed in: `1:1`, `1:1+2:1`, `1:2`, `2:1`, pass.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Move {
    /// Rows, counted from 1 and ascending, each with the amount taken.
    Take(Vec<(usize, u32)>),
    /// A pass, which leaves the heaps unchanged.
    Pass,
}

impl Move {
    /// Returns the total number of stones taken.
    pub fn stones(&self) -> u32 {
        match self {
            Self::Take(taken) => taken.iter().map(|t| t.1).sum(),
            Self::Pass => 0,
        }
    }
}

/// The outcome and the depth of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// True if the player to move wins.
    pub win: bool,
    /// Plies to the end, when the winner hurries and the loser delays.
    pub depth: u32,
}

/// The oracle's answer about heaps in a given order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// True if the player to move wins.
    pub win: bool,
    /// Plies to the end, when the winner hurries and the loser delays.
    pub depth: u32,
    /// Every move that wins, in the order of [`Move`].
    pub winning: Vec<Move>,
    /// The best move. In a won position: the winning move to the least depth; in a lost one: the move to the greatest
    /// depth. Ties go to the fewest stones, then to the first in order. `None` if there is no move.
    pub best: Option<Move>,
}

/// Returns every position of the table: all heaps within the bounds of their rows, with each number of passes.
pub fn positions(rules: &Rules) -> Vec<Position> {
    let mut all = vec![vec![]];
    for &bound in &rules.bounds {
        let longer = |rows: Vec<u32>| (0..=bound).map(move |heap| [&rows[..], &[heap]].concat());
        all = all.into_iter().flat_map(longer).collect();
    }
    // The set removes heaps that differ only in their order.
    let with_passes = |rows: Vec<u32>| (0..=rules.passes).map(move |passes| Position::new(&rows, passes));
    all.into_iter().flat_map(with_passes).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns every legal move, with the rows and the passes after it, in the order of [`Move`].
pub fn legal_moves(rules: &Rules, rows: &[u32], passes: u32) -> Vec<(Move, Vec<u32>, u32)> {
    // Every way to take from the rows so far, including taking nothing.
    let mut ways: Vec<Vec<(usize, u32)>> = vec![vec![]];
    for (i, &heap) in rows.iter().enumerate() {
        for way in ways.clone() {
            for n in (1..=heap).filter(|&n| rules.take.allows(n)) {
                let unequal = way.iter().any(|t| t.1 != n);
                if way.len() < rules.heaps_per_move && !(rules.equal_take && unequal) {
                    ways.push([&way[..], &[(i + 1, n)]].concat());
                }
            }
        }
    }
    let mut moves = Vec::new();
    let is_move = |way: &Vec<_>| match &rules.exactly[..] {
        [] => !way.is_empty(),
        counts => counts.contains(&way.len()),
    };
    for way in ways.into_iter().filter(is_move) {
        let mut after = rows.to_vec();
        for (row, n) in &way {
            after[row - 1] -= n;
        }
        moves.push((Move::Take(way), after, passes));
    }
    // If no move takes stones the game is over, even if passes are left.
    if passes > 0 && !moves.is_empty() {
        moves.push((Move::Pass, rows.to_vec(), passes - 1));
    }
    moves.sort();
    moves
}

/// Returns the verdict on every position of the table; panics if a move leads out of the table, which would be a bug.
///
/// Every move takes a stone or a pass. Processing the positions by their stones and then by their passes therefore
/// finds every successor already solved: this is the recursion over the rules, without its stack.
pub fn solve(rules: &Rules) -> BTreeMap<Position, Verdict> {
    let mut verdicts: BTreeMap<Position, Verdict> = BTreeMap::new();
    let mut open = positions(rules);
    open.sort_by_key(|p| (p.heaps.iter().sum::<u32>(), p.passes));
    for p in open {
        let (mut winning, mut losing) = (Vec::new(), Vec::new());
        for (_, rows, passes) in legal_moves(rules, &p.heaps, p.passes) {
            let after = verdicts[&Position::new(&rows, passes)];
            let side = if after.win { &mut losing } else { &mut winning };
            side.push(after.depth + 1);
        }
        let verdict = match (winning.iter().min(), losing.iter().max()) {
            (Some(&fastest), _) => Verdict { win: true, depth: fastest },
            (None, Some(&slowest)) => Verdict { win: false, depth: slowest },
            // No move is possible; stones may be left, if the heaps are too small for the allowed amounts.
            (None, None) => Verdict { win: rules.misere, depth: 0 },
        };
        verdicts.insert(p, verdict);
    }
    verdicts
}

/// Returns the answer about the heaps in these rows, given the result of [`solve`] under the same rules.
pub fn answer(rules: &Rules, verdicts: &BTreeMap<Position, Verdict>, rows: &[u32], passes: u32) -> Answer {
    let Verdict { win, depth } = verdicts[&Position::new(rows, passes)];
    let (mut winning, mut candidates) = (Vec::new(), Vec::new());
    for (mv, rows, passes) in legal_moves(rules, rows, passes) {
        let after = verdicts[&Position::new(&rows, passes)];
        if !after.win {
            winning.push(mv.clone());
        }
        // The best moves keep both outcome and depth.
        if after.win != win && after.depth + 1 == depth {
            candidates.push(mv);
        }
    }
    // If elements tie, `min_by_key` returns the first.
    let best = candidates.into_iter().min_by_key(Move::stones);
    Answer { win, depth, winning, best }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rules of Nim, for the tests to modify.
    fn nim(bounds: &[u32]) -> Rules {
        let bounds = bounds.to_vec();
        Rules {
            bounds,
            take: Take::Any,
            heaps_per_move: 1,
            exactly: vec![],
            equal_take: false,
            passes: 0,
            misere: false,
        }
    }

    /// Returns the lost positions with this many passes left, in order, each with its heaps ascending.
    fn lost(rules: &Rules, passes: u32) -> Vec<Vec<u32>> {
        let verdicts = solve(rules).into_iter();
        verdicts.filter(|(p, v)| p.passes == passes && !v.win).map(|(p, _)| p.heaps).collect()
    }

    /// Checks the lost positions against a rule from the literature.
    fn check_lost(rules: &Rules, rule: impl Fn(&[u32]) -> bool) {
        let all = positions(rules).into_iter().map(|p| p.heaps);
        assert_eq!(lost(rules, 0), all.filter(|h| rule(h)).collect::<Vec<_>>(), "{rules:?}");
    }

    fn nim_sum(heaps: &[u32]) -> u32 {
        heaps.iter().fold(0, |sum, heap| sum ^ heap)
    }

    fn text(mv: &Move) -> String {
        match mv {
            Move::Take(taken) => taken.iter().map(|(r, n)| format!("{r}:{n}")).collect::<Vec<_>>().join("+"),
            Move::Pass => "pass".to_string(),
        }
    }

    /// Formats an answer in one line: `win DEPTH: WINNING MOVES; BEST`.
    fn summary(rules: &Rules, rows: &[u32], passes: u32) -> String {
        let a = answer(rules, &solve(rules), rows, passes);
        let outcome = if a.win { "win" } else { "loss" };
        let winning: Vec<_> = a.winning.iter().map(text).collect();
        let best = a.best.as_ref().map_or("none".to_string(), text);
        format!("{outcome} {}: {}; {best}", a.depth, winning.join(" "))
    }

    #[test]
    fn boutons_theorem_holds_in_nim_and_misere_nim() {
        let mut r = nim(&[7, 7, 7]);
        check_lost(&r, |h| nim_sum(h) == 0);
        r.misere = true;
        let small = |h: &[u32]| h.iter().all(|&heap| heap <= 1);
        check_lost(&r, |h| nim_sum(h) == if small(h) { 1 } else { 0 });
        // The preset `sticks`.
        r.bounds = vec![3, 5, 7];
        let expected = "001 022 033 044 055 111 123 145 246 257 347 356";
        let digits = |s: &str| s.bytes().map(|b| u32::from(b - b'0')).collect::<Vec<_>>();
        assert_eq!(lost(&r, 0), expected.split(' ').map(digits).collect::<Vec<_>>());
        assert_eq!(positions(&r).len(), 76 + 12);
    }

    #[test]
    fn moores_theorem_holds() {
        // If a move takes from at most 2 heaps, each bit of a lost position is set in a multiple of 3 heaps.
        let set = |h: &[u32], bit: u32| h.iter().filter(|&heap| heap >> bit & 1 == 1).count();
        for bounds in [&[7, 7, 7][..], &[6, 6, 6, 6], &[2, 5, 3, 7]] {
            let r = Rules { heaps_per_move: 2, ..nim(bounds) };
            check_lost(&r, |h| (0..3).all(|bit| set(h, bit) % 3 == 0));
        }
    }

    #[test]
    fn wythoffs_pairs_are_lost() {
        let mut r = Rules { heaps_per_move: 2, equal_take: true, ..nim(&[11, 18]) };
        let later = [[3, 5], [4, 7], [6, 10], [8, 13], [9, 15], [11, 18]];
        assert_eq!(lost(&r, 0), [&[[0, 0], [1, 2]][..], &later].concat());
        r.misere = true;
        assert_eq!(lost(&r, 0), [&[[0, 1], [2, 2]][..], &later].concat());
    }

    #[test]
    fn subtraction_games_have_their_known_lost_positions() {
        let mut r = Rules { take: Take::Exactly(vec![4, 1, 3]), ..nim(&[40]) };
        check_lost(&r, |h| [0, 2].contains(&(h[0] % 7)));
        // Two heaps are lost if their Grundy values, with period 7, are equal.
        r.bounds = vec![20, 15];
        let value = |heap: u32| [0, 1, 0, 1, 2, 3, 2][heap as usize % 7];
        check_lost(&r, |h| value(h[0]) == value(h[1]));
        for most in 1..=9 {
            let r = Rules { take: Take::UpTo(most), ..nim(&[8, 8, 8]) };
            check_lost(&r, |h| nim_sum(&[h[0], h[1], h[2]].map(|heap| heap % (most + 1))) == 0);
        }
    }

    #[test]
    fn a_pass_may_win_or_delay_but_needs_a_move_to_replace() {
        let r = Rules { passes: 1, ..nim(&[8, 8]) };
        assert_eq!(lost(&r, 1), [[0, 0], [1, 2], [3, 4], [5, 6], [7, 8]]);
        assert!(lost(&r, 0).iter().all(|h| h[0] == h[1]), "equal heaps, as in Nim without passes");
        // Without stones no pass is possible. With stones, a pass may win, or delay the end.
        assert!(legal_moves(&r, &[0, 0], 1).is_empty());
        assert_eq!(summary(&r, &[0, 0], 1), "loss 0: ; none");
        assert_eq!(summary(&r, &[1, 1], 1), "win 3: pass; pass");
        // 2:1 leaves 1,1 with the pass and takes equally long; a pass takes fewer stones.
        assert_eq!(summary(&r, &[1, 2], 1), "loss 4: ; pass");
    }

    #[test]
    fn a_game_ends_when_no_amount_can_be_taken_even_with_passes_left() {
        let r = Rules { take: Take::Exactly(vec![2]), passes: 2, ..nim(&[3, 1]) };
        let m = Rules { misere: true, ..r.clone() };
        // The game ends when no stone can be taken, however many passes are left.
        for passes in 0..=2 {
            let of = [&r, &m].map(|rules| summary(rules, &[1, 1], passes));
            assert_eq!(of, ["loss 0: ; none", "win 0: ; none"], "{passes} passes");
        }
        assert_eq!(summary(&r, &[3, 1], 0), "win 1: 1:2; 1:2");
        assert_eq!(summary(&r, &[3, 1], 1), "win 1: 1:2; 1:2");
        // After a pass the opponent's only move is 1:2, which ends the game and loses.
        assert_eq!(summary(&m, &[3, 1], 0), "loss 1: ; 1:2");
        assert_eq!(summary(&m, &[3, 1], 1), "win 2: pass; pass");
    }

    #[test]
    fn moves_are_listed_in_order_and_ties_go_to_the_fewest_stones() {
        let mut r = Rules { heaps_per_move: 2, passes: 1, ..nim(&[2, 2]) };
        let of = |r: &Rules| legal_moves(r, &[2, 1], 1).iter().map(|m| text(&m.0)).collect::<Vec<_>>();
        assert_eq!(of(&r), ["1:1", "1:1+2:1", "1:2", "1:2+2:1", "2:1", "pass"]);
        r.equal_take = true;
        assert_eq!(of(&r), ["1:1", "1:1+2:1", "1:2", "2:1", "pass"]);
        let r = nim(&[2, 3, 3]);
        assert_eq!(summary(&r, &[1, 1, 1], 0), "win 3: 1:1 2:1 3:1; 1:1");
        assert_eq!(summary(&r, &[2, 1, 0], 0), "win 3: 1:1; 1:1");
        assert_eq!(summary(&r, &[0, 1, 2], 0), "win 3: 3:1; 3:1");
        assert_eq!(summary(&r, &[0, 2, 2], 0), "loss 4: ; 2:1");
        // Of equally deep moves the one with the fewest stones is best, and only among these the one in the first row:
        // after 1:3 and 2:1 the game takes two more plies, after 1:1 four.
        let r = Rules { take: Take::Exactly(vec![1, 3]), ..nim(&[4, 1]) };
        assert_eq!(summary(&r, &[4, 1], 0), "win 3: 1:1 1:3 2:1; 2:1");
        // Either move ends the game; 1:2 leaves a stone that no move can take.
        let r = Rules { take: Take::Exactly(vec![3, 2]), ..nim(&[3]) };
        assert_eq!(summary(&r, &[3], 0), "win 1: 1:2 1:3; 1:2");
    }

    #[test]
    fn positions_are_the_heaps_within_the_bounds() {
        let r = Rules { passes: 2, ..nim(&[4, 1, 3]) };
        // Ascending heaps fit if the first is within the least bound, the second within the next, and so on.
        let fits = |h: &[u32]| h.is_sorted() && h[0] <= 1 && h[1] <= 3 && h[2] <= 4;
        let cube = (0..125).map(|n| vec![n / 25, n / 5 % 5, n % 5]).filter(|h| fits(h));
        let expected = cube.flat_map(|h| [0, 1, 2].map(|passes| Position { heaps: h.clone(), passes }));
        assert_eq!(positions(&r), expected.collect::<Vec<_>>());
    }

    /// Finds the moves by their results: tries all triples of heaps as the position after a move.
    fn moves_by_result(r: &Rules, rows: &[u32], passes: u32) -> Vec<(Move, Vec<u32>, u32)> {
        let mut moves = Vec::new();
        let results = (0..64).map(|n| vec![n / 16, n / 4 % 4, n % 4]);
        for after in results.filter(|t| (0..3).all(|i| t[i] <= rows[i])) {
            let changed = (0..3).filter(|&i| after[i] < rows[i]);
            let taken: Vec<_> = changed.map(|i| (i + 1, rows[i] - after[i])).collect();
            let allowed = taken.iter().all(|t| r.take.allows(t.1));
            let equal = taken.iter().all(|t| t.1 == taken[0].1) || !r.equal_take;
            if allowed && equal && (1..=r.heaps_per_move).contains(&taken.len()) {
                moves.push((Move::Take(taken), after, passes));
            }
        }
        moves.sort();
        if passes > 0 && !moves.is_empty() {
            moves.push((Move::Pass, rows.to_vec(), passes - 1));
        }
        moves
    }

    /// Returns outcome and depth by their definitions alone, with the heaps left in their rows.
    fn by_definition(r: &Rules, rows: &[u32], passes: u32) -> (bool, u32) {
        let moves = moves_by_result(r, rows, passes);
        let after: Vec<_> = moves.iter().map(|(_, rows, passes)| by_definition(r, rows, *passes)).collect();
        let win = after.iter().any(|a| !a.0) || after.is_empty() && r.misere;
        let useful = after.iter().filter(|a| a.0 != win).map(|a| a.1 + 1);
        let depth = if win { useful.min() } else { useful.max() };
        (win, depth.unwrap_or(0))
    }

    #[test]
    fn answers_agree_with_bare_recursion() {
        let takes = [Take::Any, Take::UpTo(2), Take::Exactly(vec![3, 1]), Take::Exactly(vec![2])];
        for (take, n) in takes.iter().flat_map(|take| (0..12).map(move |n| (take, n))) {
            let mut r = Rules { take: take.clone(), passes: 1, ..nim(&[1, 3, 2]) };
            (r.heaps_per_move, r.equal_take, r.misere) = (n % 3 + 1, n / 3 % 2 == 1, n / 6 == 1);
            let verdicts = solve(&r);
            for Position { heaps, passes } in positions(&r) {
                let rows = [heaps[1], heaps[2], heaps[0]];
                let moves = moves_by_result(&r, &rows, passes);
                assert_eq!(legal_moves(&r, &rows, passes), moves, "{r:?} {rows:?}");
                let (win, depth) = by_definition(&r, &rows, passes);
                let sign = if win { 1 } else { -1 };
                // The least of these is the best move; in a won position, it is a winning one.
                let sort_key = |(mv, rows, passes): &(Move, Vec<u32>, u32)| {
                    let after = by_definition(&r, rows, *passes);
                    (after.0, sign * i64::from(after.1), mv.stones(), mv.clone())
                };
                let sort_keys: Vec<_> = moves.iter().map(sort_key).collect();
                let winning = sort_keys.iter().filter(|m| !m.0).map(|m| m.3.clone()).collect();
                let best = sort_keys.into_iter().min().map(|m| m.3);
                let expected = Answer { win, depth, winning, best };
                assert_eq!(answer(&r, &verdicts, &rows, passes), expected, "{r:?} {rows:?} {passes}");
            }
        }
    }
}
