//! Answers from tables for programs that show games, as plain data: the verdict and the best move, the board and the
//! effect of each move, the rest of the game under best play, why a position is won or lost, maps of positions, and
//! differences between tables.
//!
//! A question is a value; an [`Answerer`] answers it from its table, and the answer can be serialized. Nothing here
//! knows of HTTP, files or threads: the service, the page without a service and the Python package share these answers.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let ruleset = bouton_tables::rulesets::find("sticks", &[])?.ruleset;
//! # let table = bouton_tables::Table::open(bouton_generator::generate_in_memory(&ruleset, true)?)?;
//! use bouton_answers::{Answerer, WhyQuestion};
//!
//! let answerer = Answerer::new(table);
//! let why = answerer.answer(WhyQuestion { position: "2,5,7".to_owned() })?;
//! assert_eq!(why.outcome, "loss");
//! println!("{}", why.text);
//! # Ok(())
//! # }
//! ```

mod about;
mod board;
mod budget;
#[cfg(feature = "built-in")]
mod built_in;
mod diff;
mod families;
mod game_map;
mod line;
mod look_up;
mod map;
mod own_rules;
mod parameters;
mod played_game;
mod refusal;
mod state;
mod why;

use bouton_tables::{Ruleset, Table, with_rules, with_table};

pub use about::{About, about};
pub use board::{Axis, Board, BoardTable, BoardView, MoveView, Pile, RowTake};
pub use budget::{Budget, LookUpCost, MAX_LISTED_MOVES, QuestionKind, USUAL_STEPS};
#[cfg(feature = "built-in")]
pub use built_in::built_in;
pub use diff::{CompareQuestion, Diff, Side, SideAnswer, check_comparable, compare};
pub use game_map::{Edge, GameMap, GameMapQuestion, Node};
pub use line::{LineQuestion, MainLine, Ply};
pub use look_up::{Answer, KnownAnswer, LegalMove, LookUpQuestion, look_up_within};
pub use map::{PartOfTable, PartOfTableQuestion};
pub use own_rules::{OwnLimits, OwnRules};
pub use parameters::{NoParameters, PolicyName, flag, policy, read_parameters};
pub use played_game::{GameQuestion, GameStates, MAX_PLAYED_MOVES};
pub use refusal::Refusal;
pub use state::{BoardMove, BoardState, StateQuestion};
pub use why::{ArgumentBlock, MAX_REPLIES, MoveRefutation, RowChange, RowDigits, WhyAnswer, WhyQuestion};

/// A question to a table of any family.
pub trait Question {
    /// Type of the answer.
    type Answer;

    /// Answers the question from a table. `cost` is the cost of one position in this table, with the limit for the answer.
    ///
    /// # Errors
    /// [`Refusal`]: the text is not a position of the table, the answer would take too much work or be too long, or the
    /// table is damaged.
    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<Self::Answer, Refusal>;
}

/// A table that answers questions, with a limit on the work for one answer.
#[derive(Debug)]
pub struct Answerer {
    table: Table,
    cost: LookUpCost,
}

impl Answerer {
    /// Wraps a table, with the usual limit on work.
    pub fn new(table: Table) -> Self {
        let cost = with_rules!(&table.header().ruleset, |rules| rules.cost());
        Self { table, cost }
    }

    /// Limits the work for one answer to `limit` steps.
    #[must_use]
    pub fn with_limit(mut self, limit: u64) -> Self {
        self.cost.limit = limit;
        self
    }

    /// Returns the table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the ruleset of the table.
    pub fn ruleset(&self) -> &Ruleset {
        &self.table.header().ruleset
    }

    /// Returns the cost of one position, and the limit for one answer.
    pub fn cost(&self) -> LookUpCost {
        self.cost
    }

    /// Answers a question from the table.
    ///
    /// # Errors
    /// As [`Question::answer`].
    pub fn answer<Q: Question>(&self, question: Q) -> Result<Q::Answer, Refusal> {
        with_table!(self.table.family(), |table| question.answer(table, self.cost))
    }
}
