//! Expanding Nim, solved straight from the rules and as naively as possible.
//!
//! The fast solvers are compared with this oracle. It is useful only while every reader can see that it is right, and
//! while it shares no idea with the code it checks. So it visits each position by itself and tries every move; it
//! merges nothing, skips nothing, and uses no symmetry. Keep it so.

use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The rules, as plain numbers, assumed to be in range: `base_limit` at least 1, `reset_limit` from 1 to
/// `base_limit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The most stones that a game starts with; the table covers smaller games too.
    pub stones: u32,
    /// The least limit of a move without a reset.
    pub base_limit: u32,
    /// The limit without a reset is currentmax plus this number, and at least `base_limit`.
    pub growth: u32,
    /// The limit under a reset.
    pub reset_limit: u32,
    /// The resets of the first and the second player at the start.
    pub resets: [u32; 2],
    /// True if taking the last stone loses.
    pub misere: bool,
}

/// The fields of [`Rules`] in order, for lists of games.
pub type Keys = (u32, u32, u32, u32, [u32; 2], bool);

impl From<Keys> for Rules {
    fn from((stones, base_limit, growth, reset_limit, resets, misere): Keys) -> Self {
        Self { stones, base_limit, growth, reset_limit, resets, misere }
    }
}

/// A position: everything that decides the rest of the game. Positions are ordered by stones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The stones that remain.
    pub stones: u32,
    /// The most stones that anyone has taken in one move so far.
    pub currentmax: u32,
    /// The player to move, 1 or 2.
    pub turn: u8,
    /// The resets that players 1 and 2 have left.
    pub resets: [u32; 2],
    /// True if a reset binds the player to move.
    pub imposed: bool,
}

/// The oracle's verdict on a position. A move is the number of stones taken, and whether it imposes a reset. Moves
/// are ordered by stones, and without a reset before with one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// True if the player to move wins.
    pub win: bool,
    /// Plies to the end, when the winner hurries and the loser delays.
    pub depth: u32,
    /// Every move that wins.
    pub winning: Vec<(u32, bool)>,
    /// The best move. In a won position: the winning move to the least depth; in a lost one: the move to the greatest
    /// depth. Ties go to the first in order. `None` in a finished game.
    pub best: Option<(u32, bool)>,
}

/// Returns the limit: the most stones that the player to move may take from a large enough pile.
fn limit(rules: &Rules, p: &Position) -> u32 {
    match p.imposed {
        true => rules.reset_limit,
        // Saturating, because growth has no upper bound; the pile is a limit of its own anyway.
        false => (rules.base_limit).max(p.currentmax.saturating_add(rules.growth)),
    }
}

/// Returns every legal move with the position after it, in the order of a [`Verdict`].
pub fn legal_moves(rules: &Rules, p: &Position) -> Vec<((u32, bool), Position)> {
    let mover = usize::from(p.turn) - 1;
    let mut moves = Vec::new();
    for take in 1..=limit(rules, p).min(p.stones) {
        for reset in [false, true] {
            if reset && p.resets[mover] == 0 {
                continue;
            }
            let mut resets = p.resets;
            resets[mover] -= u32::from(reset);
            let next = Position {
                stones: p.stones - take,
                currentmax: p.currentmax.max(take),
                turn: 3 - p.turn,
                resets,
                // A reset binds one move only.
                imposed: reset,
            };
            moves.push(((take, reset), next));
        }
    }
    moves
}

/// Returns the fewest stones that must be gone for `m` to be the most taken at once; `None` if no game of any length
/// can reach this currentmax. Does not depend on `rules.stones`.
pub fn least(rules: &Rules, m: u32) -> Option<u32> {
    if m <= rules.base_limit {
        Some(m)
    } else if rules.growth == 0 {
        None
    } else {
        // `least` is 0 for numbers below 0 as well as for 0.
        Some(m + least(rules, m.saturating_sub(rules.growth))?)
    }
}

/// Returns every position of the table, with both turns, in the order of [`Position`].
pub fn positions(rules: &Rules) -> Vec<Position> {
    let n = rules.stones;
    let mut all = Vec::new();
    for stones in 0..=n {
        let fits = |m: &u32| least(rules, *m).is_some_and(|gone| stones + gone <= n);
        // `least(m)` is at least m, so no greater currentmax can fit.
        for currentmax in (0..=n - stones).filter(fits) {
            for turn in [1, 2] {
                for first in 0..=rules.resets[0] {
                    for second in 0..=rules.resets[1] {
                        for imposed in [false, true] {
                            all.push(Position { stones, currentmax, turn, resets: [first, second], imposed });
                        }
                    }
                }
            }
        }
    }
    all
}

/// Returns the verdict on every position of the table; panics if a move leads out of the table, which would be a bug.
///
/// Every move takes a stone. Processing the positions by their stones therefore finds every successor already solved:
/// this is the recursion over the rules, without its stack.
pub fn solve(rules: &Rules) -> BTreeMap<Position, Verdict> {
    let mut verdicts: BTreeMap<Position, Verdict> = BTreeMap::new();
    for p in positions(rules) {
        let (mut winning, mut losing) = (Vec::new(), Vec::new());
        for (mv, next) in legal_moves(rules, &p) {
            let after = &verdicts[&next];
            let side = if after.win { &mut losing } else { &mut winning };
            side.push((mv, after.depth));
        }
        // If elements tie, `min_by_key` returns the first; `max_by_key` would return the last.
        let fastest = winning.iter().min_by_key(|m| m.1);
        let slowest = losing.iter().min_by_key(|m| Reverse(m.1));
        let best = fastest.or(slowest);
        // Without a move the game is over: the opponent took the last stone, and in misère play lost.
        let verdict = Verdict {
            win: best.map_or(rules.misere, |_| !winning.is_empty()),
            depth: best.map_or(0, |m| m.1 + 1),
            best: best.map(|m| m.0),
            winning: winning.iter().map(|m| m.0).collect(),
        };
        verdicts.insert(p, verdict);
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// The limits of the preset `expanding`, with enough stones and resets for the worked examples.
    const RULES: Rules =
        Rules { stones: 8, base_limit: 3, growth: 1, reset_limit: 3, resets: [1, 0], misere: false };

    /// Returns a position with player 1 to move.
    fn at(stones: u32, currentmax: u32, resets: [u32; 2], imposed: bool) -> Position {
        Position { stones, currentmax, turn: 1, resets, imposed }
    }

    fn play(p: Position, mv: (u32, bool)) -> Position {
        BTreeMap::from_iter(legal_moves(&RULES, &p))[&mv]
    }

    fn most(p: Position) -> u32 {
        legal_moves(&RULES, &p).last().expect("a move").0.0
    }

    /// Formats a verdict in one line: `win DEPTH: WINNING MOVES; BEST`.
    fn summary(v: &Verdict) -> String {
        let text = |&(take, reset): &(u32, bool)| format!("{take}{}", if reset { "r" } else { "" });
        let outcome = if v.win { "win" } else { "loss" };
        let winning: Vec<_> = v.winning.iter().map(text).collect();
        let best = v.best.as_ref().map_or("none".to_string(), text);
        format!("{outcome} {}: {}; {best}", v.depth, winning.join(" "))
    }

    #[test]
    fn eight_stones_without_resets_are_solved_as_by_hand() {
        let verdicts = solve(&RULES);
        let of = |stones| summary(&verdicts[&at(stones, 0, [0, 0], false)]);
        // Worked by hand; 4/0 means 4 stones at currentmax 0. 4/0 leaves 1 to 3, all to be taken at once; 5/0 and 6/0
        // go to a 4 with limit 3; 7/0 cannot, as its 3 raises the limit to 4; 8/0 goes to 7/1, or faster to 5/3, limit
        // 4.
        assert_eq!(of(0), "loss 0: ; none");
        assert_eq!(of(4), "loss 2: ; 1");
        assert_eq!(of(5), "win 3: 1; 1");
        assert_eq!(of(6), "win 3: 2; 2");
        assert_eq!(of(7), "loss 4: ; 1");
        assert_eq!(of(8), "win 3: 1 3; 3");
        // Take 1, then 3, then the remaining 4 at once.
        let p = play(play(at(8, 0, [0, 0], false), (1, false)), (3, false));
        assert_eq!(p, at(4, 3, [0, 0], false));
        assert_eq!(summary(&verdicts[&p]), "win 1: 4; 4");
    }

    #[test]
    fn the_limit_grows_with_the_greatest_move() {
        let start = at(20, 0, [0, 0], false);
        let after = |takes: &[u32]| takes.iter().fold(start, |p, &take| play(p, (take, false)));
        let limits = [most(start), most(after(&[3])), most(after(&[3, 4]))];
        assert_eq!(limits, [3, 4, 5]);
        // A small move does not lower the limit, and no move takes more than remains.
        assert_eq!(most(after(&[3, 4, 1])), 5);
        assert_eq!(most(at(2, 9, [0, 0], false)), 2);
        assert_eq!([3, 4, 5].map(|m| least(&RULES, m)), [3, 7, 12].map(Some));
    }

    #[test]
    fn a_reset_binds_the_next_move_only() {
        let p = play(at(50, 8, [2, 1], false), (1, true));
        assert_eq!((p.turn, p.resets, p.currentmax, most(p)), (2, [1, 1], 8, 3));
        // The bound player may impose a reset in turn; if not, the next limit follows from currentmax again.
        let (back, free) = (play(p, (2, true)), play(p, (2, false)));
        assert_eq!((back, most(back)), (at(47, 8, [1, 0], true), 3));
        assert_eq!((free, most(free)), (at(47, 8, [1, 1], false), 9));
        // Currentmax grows under a reset too.
        let p = play(at(20, 2, [0, 0], true), (3, false));
        assert_eq!((p.currentmax, most(p)), (3, 4));
    }

    #[test]
    fn a_reset_can_win_for_its_owner_only() {
        let verdicts = solve(&RULES);
        // 5/3 leaves 1 to 4 and the limit is 4: lost, unless a reset keeps the opponent from the 4.
        // Resets are their owner's: it does not help player 2 that player 1 has one.
        let p = at(5, 3, [1, 0], false);
        assert_eq!(summary(&verdicts[&at(5, 3, [0, 0], false)]), "loss 2: ; 1");
        assert_eq!(summary(&verdicts[&p]), "win 3: 1r; 1r");
        assert!(!verdicts[&Position { turn: 2, ..p }].win);
        // The last move may impose a reset as well, to no effect.
        assert_eq!(summary(&verdicts[&at(1, 0, [1, 0], false)]), "win 1: 1 1r; 1");
    }

    #[test]
    fn without_growth_multiples_of_4_are_lost() {
        let mut r = RULES;
        (r.growth, r.stones, r.resets) = (0, 21, [0, 0]);
        assert_eq!((least(&r, 3), least(&r, 4)), (Some(3), None));
        for (p, v) in solve(&r).iter().filter(|(p, _)| p.stones > 0) {
            // From the textbooks: leave a multiple of 4; each 4 stones take two plies.
            let (depth, rest) = (p.stones / 4 * 2, p.stones % 4);
            let expected = match rest {
                0 => format!("loss {depth}: ; 1"),
                _ => format!("win {}: {rest}; {rest}", depth + 1),
            };
            assert_eq!(summary(v), expected, "{p:?}");
        }
    }

    #[test]
    fn in_misere_play_the_last_stone_loses() {
        let mut r = RULES;
        r.misere = true;
        let verdicts = solve(&r);
        let of = |stones, reset| summary(&verdicts[&at(stones, 0, [reset, 0], false)]);
        // The last stone must be taken, with a reset or without; from two or three stones, leave one.
        assert_eq!(of(0, 0), "win 0: ; none");
        assert_eq!([of(1, 0), of(1, 1)], ["loss 1: ; 1", "loss 1: ; 1"]);
        assert_eq!([of(2, 0), of(2, 1)], ["win 2: 1; 1", "win 2: 1 1r; 1"]);
        assert_eq!(of(3, 0), "win 2: 2; 2");
    }

    /// Returns rulesets with base limits from 1 to 3, growths from 0 to 4, and all allowed reset limits.
    fn varied_rules(stones: u32) -> Vec<Rules> {
        let (mut r, mut all) = (RULES, Vec::new());
        for (resets, misere) in [([0, 0], false), ([1, 2], false), ([1, 1], true)] {
            for (base_limit, growth) in (1..=3).flat_map(|b| (0..=4).map(move |g| (b, g))) {
                for reset_limit in 1..=base_limit {
                    (r.stones, r.resets, r.misere) = (stones, resets, misere);
                    (r.base_limit, r.growth, r.reset_limit) = (base_limit, growth, reset_limit);
                    all.push(r.clone());
                }
            }
        }
        all
    }

    #[test]
    fn forward_search_finds_no_other_position_and_each_pair_of_stones_and_currentmax() {
        for r in varied_rules(14) {
            let listed = positions(&r);
            assert!(listed.is_sorted_by(|a, b| a < b), "each once: {r:?}");
            let table: BTreeSet<_> = listed.into_iter().collect();
            let mut seen = BTreeSet::new();
            let mut open: Vec<_> = (0..=r.stones).map(|n| at(n, 0, r.resets, false)).collect();
            while let Some(p) = open.pop() {
                if seen.insert(p) {
                    open.extend(legal_moves(&r, &p).into_iter().map(|(_, next)| next));
                }
            }
            assert!(seen.is_subset(&table), "{r:?}");
            // Not every position arises (a reset before the first move does not), but each pair of stones and
            // currentmax does.
            let pair = |p: &Position| (p.stones, p.currentmax);
            let arising: BTreeSet<_> = seen.iter().map(pair).collect();
            assert_eq!(arising, table.iter().map(pair).collect(), "{r:?}");
        }
    }

    #[test]
    fn verdicts_agree_with_bare_recursion() {
        /// Returns outcome and depth by their definitions alone.
        fn by_definition(r: &Rules, p: &Position) -> (bool, u32) {
            let moves = legal_moves(r, p);
            let after: Vec<_> = moves.iter().map(|(_, next)| by_definition(r, next)).collect();
            let win = after.iter().any(|a| !a.0) || p.stones == 0 && r.misere;
            let useful = after.iter().filter(|a| a.0 != win).map(|a| a.1 + 1);
            let depth = if win { useful.min() } else { useful.max() };
            (win, depth.unwrap_or(0))
        }
        for r in varied_rules(7) {
            for (p, v) in solve(&r) {
                assert_eq!((v.win, v.depth), by_definition(&r, &p), "{r:?} {p:?}");
                let mut moves = legal_moves(&r, &p);
                let best = |m: &&(_, _)| by_definition(&r, &m.1) == (!v.win, v.depth - 1);
                assert_eq!(v.best, moves.iter().find(best).map(|m| m.0));
                moves.retain(|m| !by_definition(&r, &m.1).0);
                assert!(moves.iter().map(|m| &m.0).eq(&v.winning), "{r:?} {p:?}");
            }
        }
    }
}
