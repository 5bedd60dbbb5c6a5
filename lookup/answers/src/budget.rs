//! The cost of answers, and limits on the work for one answer and on its length.

use bouton_lookup::{LookUpOptions, Policy};
use bouton_study::words::grouped;

use crate::refusal::Refusal;

/// Usual limit on the work for one answer, in steps: about a second.
pub const USUAL_STEPS: u64 = 20_000_000;
/// Maximum number of moves that the answer for a position lists.
pub const MAX_LISTED_MOVES: usize = 10_000;

/// Upper bounds on the cost of answers, in steps. A step reads a word of the table or examines a move, so time is
/// proportional to steps.
#[derive(Clone, Copy, Debug)]
pub struct LookUpCost {
    /// Steps for the outcome and depth of one position.
    pub verdict: u64,
    /// Steps for the outcome, depth and winning moves of one position.
    pub answer: u64,
    /// Limit on the steps of the answer to one question.
    pub limit: u64,
}

/// The kind of a question and its options, which determine the advice in the error if the answer exceeds a limit.
#[derive(Clone, Copy, Debug)]
pub enum QuestionKind {
    /// The best move in a position.
    Position(LookUpOptions),
    /// The best moves in many positions.
    Positions(LookUpOptions),
    /// Everything that a board shows.
    State(Policy),
    /// Everything that a board shows, at the start of a game and after each move.
    Game(Policy),
    /// The main line.
    Line(Policy),
    /// Why a position is won or lost.
    Why,
    /// The part of a table around a position.
    Map,
}

impl QuestionKind {
    /// Returns the advice if the answer takes too much work, and the advice if the position has too many moves.
    fn advice(self) -> [String; 2] {
        let of_policy = |policy| LookUpOptions { policy, list_moves: false };
        let (options, work, moves) = match self {
            Self::Position(options) => {
                (options, "ask for a position with fewer stones, or use bouton-lookup", None)
            }
            Self::Positions(options) => {
                (options, "ask for fewer positions at once, or use bouton-lookup --batch", None)
            }
            Self::State(policy) => (
                of_policy(policy),
                "ask for a position with fewer stones, or ask /lookup, which does not examine every move",
                Some("ask for a position with fewer stones, or ask /lookup, which does not list all moves"),
            ),
            Self::Game(policy) => (
                of_policy(policy),
                "ask for a part of the game, or ask /lookup for each position",
                Some(
                    "begin at a position with fewer stones, or ask /lookup for each position, which does not list all moves",
                ),
            ),
            Self::Line(policy) => (of_policy(policy), "ask for fewer plies", None),
            Self::Why => (LookUpOptions::default(), "ask /lookup, or use bouton-lookup --explain", None),
            Self::Map => (LookUpOptions::default(), "ask /lookup for single positions", None),
        };
        // The expensive options in use.
        let without = match (options.list_moves, options.policy == Policy::Trap) {
            (true, true) => Some("omit moves=true and policy=trap"),
            (true, false) => Some("omit moves=true"),
            (false, true) => Some("omit policy=trap"),
            (false, false) => None,
        };
        let fewer_moves = without.unwrap_or("ask for a position with fewer stones");
        [
            without.map_or_else(|| work.to_owned(), |without| format!("{without}, or {work}")),
            moves.map_or_else(|| format!("{fewer_moves}, or use bouton-lookup"), str::to_owned),
        ]
    }
}

/// The work done for an answer, and its limit.
#[derive(Debug)]
pub struct Budget {
    spent: u64,
    pub(crate) cost: LookUpCost,
    question: QuestionKind,
}

impl LookUpCost {
    /// Returns the costs of one position, with the usual limit for one answer.
    pub(crate) fn new(verdict: u64, answer: u64) -> Self {
        Self { verdict, answer, limit: USUAL_STEPS }
    }

    /// Returns an unspent budget for one answer.
    #[must_use]
    pub fn budget(self, question: QuestionKind) -> Budget {
        Budget { spent: 0, cost: self, question }
    }
}

impl Budget {
    /// Spends `steps` steps.
    ///
    /// # Errors
    /// If the limit would be exceeded.
    pub fn spend(&mut self, steps: u64) -> Result<(), Refusal> {
        let spent = self.spent.saturating_add(steps);
        if spent > self.cost.limit {
            let [advice, _] = self.question.advice();
            let limit = grouped(self.cost.limit);
            return Err(Refusal::TooMuch(format!(
                "this answer would examine more than {limit} moves; {advice}"
            )));
        }
        self.spent = spent;
        Ok(())
    }

    /// Checks the number of moves that the answer for one position lists or compares.
    ///
    /// # Errors
    /// If there are more than [`MAX_LISTED_MOVES`].
    pub(crate) fn check_moves(&self, moves: usize) -> Result<(), Refusal> {
        if moves <= MAX_LISTED_MOVES {
            return Ok(());
        }
        let [_, advice] = self.question.advice();
        let limit = grouped(MAX_LISTED_MOVES as u64);
        Err(Refusal::TooMuch(format!("the answer would list or compare more than {limit} moves; {advice}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_allows_its_limit_and_no_more() {
        let mut budget = LookUpCost::new(1, 1).budget(QuestionKind::Why);
        budget.spend(USUAL_STEPS).unwrap();
        assert!(matches!(budget.spend(1), Err(Refusal::TooMuch(_))));
    }

    #[test]
    fn the_advice_names_the_options_in_use_and_no_others() {
        let options = |moves, policy| LookUpOptions { policy, list_moves: moves };
        let (plain, trap) = (Policy::default(), Policy::Trap);
        for (asking, work, moves) in [
            (
                QuestionKind::Position(options(true, trap)),
                "omit moves=true and policy=trap, or ask for a position with fewer stones, or use \
                bouton-lookup",
                "omit moves=true and policy=trap, or use bouton-lookup",
            ),
            (
                QuestionKind::Position(options(false, plain)),
                "ask for a position with fewer stones, or use bouton-lookup",
                "ask for a position with fewer stones, or use bouton-lookup",
            ),
            (
                QuestionKind::Positions(options(true, plain)),
                "omit moves=true, or ask for fewer positions at once, or use bouton-lookup --batch",
                "omit moves=true, or use bouton-lookup",
            ),
            (
                QuestionKind::State(plain),
                "ask for a position with fewer stones, or ask /lookup, which does not examine every move",
                "ask for a position with fewer stones, or ask /lookup, which does not list all moves",
            ),
            (
                QuestionKind::Game(trap),
                "omit policy=trap, or ask for a part of the game, or ask /lookup for each position",
                "begin at a position with fewer stones, or ask /lookup for each position, which does not list all moves",
            ),
            (
                QuestionKind::Line(plain),
                "ask for fewer plies",
                "ask for a position with fewer stones, or use bouton-lookup",
            ),
        ] {
            let advice = |refusal: Result<(), Refusal>| {
                let advice = refusal.unwrap_err().to_string();
                advice.split_once("; ").unwrap().1.to_owned()
            };
            let mut budget = LookUpCost { limit: 0, ..LookUpCost::new(1, 1) }.budget(asking);
            assert_eq!(advice(budget.spend(1)), work, "{asking:?}");
            assert_eq!(advice(budget.check_moves(MAX_LISTED_MOVES + 1)), moves, "{asking:?}");
        }
    }
}
