//! Verification of tables: each family states its rules a second time ([`PlainRules`]), and [`check_position`] checks
//! one position.
//!
//! Solvers, tables and lookups all use the moves of [`Game`], so a bug there would affect all of them alike. The proof
//! therefore enumerates the moves itself, from the keys of the ruleset alone. As every move takes a stone or uses up a
//! pass, a table in which each position follows from its successors is right everywhere, by induction.

mod compact_verdict;
mod counts;
mod error;

use std::cmp::Reverse;

use bouton_tables::{AnswerOf, AskError, Game, MoveSet, Outcome, Play, PositionOf, Solved, Table, Verdict};

pub(crate) use self::compact_verdict::CompactVerdict;
pub use self::counts::Counts;
pub use self::error::{Flaw, VerifyError};
use crate::control::Control;

/// The rules of a family, stated a second time for the proof. Implementations must not use the moves, successors or
/// legality of [`Game`].
pub(crate) trait PlainRules: Game {
    /// Calls `visit` with every legal move in the natural order, the stones it takes, and the position after it.
    fn each_move(&self, position: &Self::Position, visit: impl FnMut(&Self::Move, u64, &Self::Position));

    /// Returns the rule for the end of the game.
    fn play(&self) -> Play;
}

/// Resources and options of a verification.
#[derive(Clone, Copy, Debug)]
pub struct VerifyOptions {
    /// Memory of the whole process in bytes, including the mapped file. For heap games with `every_position`, more memory
    /// saves time: up to four bytes for each position.
    pub memory: u64,
    /// Try every move of every position, although the proof by lines is equivalent.
    pub every_position: bool,
}

impl Default for VerifyOptions {
    /// Unlimited memory, and the fastest proof.
    fn default() -> Self {
        Self { memory: u64::MAX, every_position: false }
    }
}

/// A family's table that can be proved.
pub(crate) trait Provable {
    /// Checks and counts every position, through the table's public reader. `table` is the same table. Fails at the first
    /// wrong position in the order of the check.
    fn verify(
        &self,
        table: &Table,
        options: &VerifyOptions,
        control: &dyn Control,
    ) -> Result<Counts, VerifyError>;
}

/// The best move so far, with a key of its depth and stones. A better move has a smaller key.
struct BestMove<K, M>(Option<(K, M)>);

impl<K: PartialOrd, M: Copy> BestMove<K, M> {
    /// Replaces the best move by a strictly better one, so that the first of equally good moves counts.
    #[inline]
    fn consider(&mut self, key: K, chosen: &M) {
        if self.0.as_ref().is_none_or(|(best, _)| key < *best) {
            self.0 = Some((key, *chosen));
        }
    }
}

/// Returns the error about a wrong part of a position's entry.
pub(crate) fn wrong<G: Game>(
    game: &G,
    position: &G::Position,
    what: &'static str,
    found: &dyn ToString,
    follows: &dyn ToString,
) -> VerifyError {
    let (found, follows) = (found.to_string(), follows.to_string());
    VerifyError::Wrong(Flaw { position: game.show_position(position), what, found, follows })
}

/// Compares the verdict and the best move in a table with those that follow from the successors.
pub(crate) fn compare<G: Game, B: PartialEq + ToString>(
    game: &G,
    position: &G::Position,
    found: (Verdict, Option<B>),
    follows: (Verdict, Option<B>),
) -> Result<(), VerifyError> {
    let (what, part) = if found.0.outcome != follows.0.outcome {
        ("outcome", 0)
    } else if found.0.depth != follows.0.depth {
        ("depth", 1)
    } else if found.1 != follows.1 {
        ("best move", 2)
    } else {
        return Ok(());
    };
    let [found, follows] = [found, follows].map(|(Verdict { outcome, depth }, best)| {
        let parts = [
            Some(outcome.to_string()),
            depth.map(|depth| depth.to_string()),
            best.map(|best| best.to_string()),
        ];
        parts[part].clone().unwrap_or("none".to_owned())
    });
    Err(wrong(game, position, what, &found, &follows))
}

/// Checks one position against its successors. `own` is the position's verdict as another question gave it; `after` returns
/// the verdict of a position after a move.
pub(crate) fn check_position<S: Solved<Game: PlainRules>>(
    table: &S,
    position: &PositionOf<S>,
    answer: &AnswerOf<S>,
    own: Verdict,
    mut after: impl FnMut(&PositionOf<S>) -> Result<Verdict, AskError>,
) -> Result<(), VerifyError> {
    let game = table.game();
    let wrong =
        |what, found: &dyn ToString, follows: &dyn ToString| Err(wrong(game, position, what, found, follows));
    let list = "list of winning moves";
    if own != answer.verdict {
        return wrong("outcome or depth", &"different from one question to the next", &"the same each time");
    }
    let mut listed = answer.winning.iter();
    // The first winning move where the list has another one.
    let mut unlisted = None;
    let (mut winning, mut losing) = (BestMove(None), BestMove(None));
    let mut failed = None;
    game.each_move(position, |chosen, stones, next| {
        let Verdict { outcome, depth } = match after(next) {
            Ok(verdict) => verdict,
            Err(error) => {
                failed.get_or_insert(error);
                return;
            }
        };
        // Plies to the end of the game with this move. Without depths all moves tie; the number of stones does not
        // matter.
        let plies = depth.map_or(0, |depth| depth + 1);
        let stones = if table.has_depths() { stones } else { 0 };
        if outcome == Outcome::Loss {
            if unlisted.is_none() && listed.next() != Some(*chosen) {
                unlisted = Some(*chosen);
            }
            winning.consider((plies, stones), chosen);
        } else if winning.0.is_none() {
            // Losing moves matter only while no move wins.
            losing.consider((Reverse(plies), stones), chosen);
        }
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    if let Some(unlisted) = unlisted {
        return wrong(list, &"another one", &format!("that {unlisted} wins"));
    }
    if let Some(extra) = listed.next() {
        return wrong(list, &extra, &"that it does not win, or comes earlier");
    }

    let wins = winning.0.is_some();
    let losing = losing.0.map(|((Reverse(plies), _), chosen)| (plies, chosen));
    let best = winning.0.map(|((plies, _), chosen)| (plies, chosen)).or(losing);
    let outcome = match best {
        // A player without a move has lost in normal play, and has won in misère play.
        None => Outcome::from_won(game.play() == Play::Misere),
        Some(_) => Outcome::from_won(wins),
    };
    let depth = table.has_depths().then(|| best.map_or(0, |(plies, _)| plies));
    let follows = (Verdict { outcome, depth }, best.map(|(_, best)| best));
    compare(game, position, (answer.verdict, answer.best), follows)
}

#[cfg(test)]
mod tests {
    use bouton_tables::rulesets::find;
    use bouton_tables::{Answer, with_rules, with_table};

    use super::*;

    /// Compares the moves of every position reachable from a start, and returns the number of these positions.
    fn compare_moves<G: PlainRules>(game: &G, start: G::Position) -> usize {
        let (mut reached, mut next) = (vec![start], 0);
        while next < reached.len() {
            let position = reached[next].clone();
            let expected: Vec<_> = game
                .moves(&position)
                .map(|chosen| (chosen, game.stones_taken(chosen), game.after(&position, chosen)))
                .collect();
            let mut plain = Vec::new();
            game.each_move(&position, |chosen, stones, after| plain.push((*chosen, stones, after.clone())));
            assert_eq!(plain, expected, "{}", game.show_position(&position));
            for (.., after) in plain {
                if !reached.contains(&after) {
                    reached.push(after);
                }
            }
            next += 1;
        }
        assert_eq!(Outcome::from_won(game.play() == Play::Misere), game.outcome_without_moves());
        reached.len()
    }

    #[test]
    fn the_moves_of_the_proof_equal_those_of_the_game() {
        let mut positions = 0;
        for (preset, settings, start) in [
            ("expanding", &["stones=20", "resets=[1,2]"][..], "20"),
            ("expanding", &["stones=20", "resets=[1,0]", "growth=0", "base-limit=4", "reset-limit=2"], "20"),
            ("expanding", &["stones=20", "resets=[0,1]", "growth=7", "play=misere"], "20"),
            ("sticks", &["play=normal"], "3,5,7"),
            ("sticks", &["take=4", "passes=2"], "3,5,7"),
            ("sticks", &["take=[2,3]", "passes=1"], "3,5,7"),
            ("sticks", &["heaps-per-move=2"], "3,5,7"),
            ("sticks", &["heaps-per-move=3", "take=[1,3,4]"], "7,3,5"),
            ("sticks", &["heaps-per-move=3", "equal-take=true", "take=5", "passes=1"], "5,7,3"),
        ] {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            let ruleset = find(preset, &settings).expect("allowed rules").ruleset;
            positions += with_rules!(&ruleset, |rules| {
                compare_moves(rules, rules.parse_position(start).expect("it is a start"))
            });
        }
        assert!(positions > 3000, "{positions}");
    }

    /// Checks that [`check_position`] accepts each answer of a table, and refuses it with any other outcome, depth, best
    /// move or list of winning moves. Returns the number of refusals.
    fn check_refusals<S: Solved<Game: PlainRules>>(table: &S, start: PositionOf<S>) -> usize {
        let game = table.game();
        let mut all = vec![start];
        for at in 0.. {
            let Some(position) = all.get(at).cloned() else { break };
            for next in game.moves(&position).map(|chosen| game.after(&position, chosen)) {
                if !all.contains(&next) {
                    all.push(next);
                }
            }
        }
        let mut refused = 0;
        for position in &all {
            let check = |answer: &AnswerOf<S>| {
                check_position(table, position, answer, answer.verdict, |next| table.verdict(next))
            };
            let mut refuse = |part: &str, answer: &AnswerOf<S>| {
                let Err(VerifyError::Wrong(flaw)) = check(answer) else { panic!("{position:?}: {part}") };
                assert_eq!(flaw.what, part, "{position:?}");
                refused += 1;
            };
            let answer = || table.answer(position).unwrap();
            check(&answer()).unwrap();
            let Verdict { outcome, depth } = answer().verdict;
            let outcome = Outcome::from_won(outcome == Outcome::Loss);
            refuse("outcome", &Answer { verdict: Verdict { outcome, depth }, ..answer() });
            let depth = depth.map_or(Some(1), |depth| Some(depth + 1));
            refuse("depth", &Answer { verdict: Verdict { depth, ..answer().verdict }, ..answer() });
            for best in game.moves(position).map(Some).chain([None]).filter(|best| *best != answer().best) {
                refuse("best move", &Answer { best, ..answer() });
            }
            for other in &all {
                let winning = table.answer(other).unwrap().winning;
                if !winning.iter().eq(answer().winning.iter()) {
                    refuse("list of winning moves", &Answer { winning, ..answer() });
                }
            }
        }
        refused
    }

    #[test]
    fn an_answer_with_any_other_part_is_refused() {
        let mut refused = 0;
        for (preset, settings, start) in [
            ("expanding", &["stones=8", "resets=[1,1]"][..], "8"),
            ("expanding", &["stones=8", "resets=[1,0]", "play=misere"], "8"),
            ("sticks", &[], "3,2,4"),
            ("sticks", &["play=normal", "passes=1"], "2,2,3"),
            ("sticks", &["heaps-per-move=2", "take=3"], "2,2,3"),
        ] {
            let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
            let ruleset = find(preset, &settings).expect("allowed rules").ruleset;
            for depths in [true, false] {
                let table =
                    Table::open(crate::generate::generate_in_memory(&ruleset, depths).unwrap()).unwrap();
                refused += with_table!(table.family(), |table| {
                    check_refusals(table, table.game().parse_position(start).expect("it is a start"))
                });
            }
        }
        assert!(refused > 20_000, "{refused}");
    }
}
