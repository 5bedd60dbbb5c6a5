//! What tables answer to programs that show games, as plain data: what lies on the board and where each move leads, the main
//! line, why a position is won or lost, maps, and differences between tables.
//!
//! A question is a value, and its answer one that can be serialized; [`Asked`] asks a table. Nothing here knows of HTTP, files or
//! threads: the service, the page without a service, and others that put a table before people answer the same from here.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let ruleset = bouton_tables::rulesets::find("sticks", &[])?.ruleset;
//! # let table = bouton_tables::Table::open(bouton_generator::generate_in_memory(&ruleset, true)?)?;
//! use bouton_answers::{Asked, Why};
//!
//! let asked = Asked::new(table);
//! let why = asked.ask(Why { position: "2,5,7".to_owned() })?;
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
mod own;
mod played;
mod refusal;
mod state;
mod why;

use bouton_tables::{Ruleset, Table, with_rules, with_table};

pub use about::{About, about};
pub use board::{Axis, Board, BoardView, Effort, Pile, Shown};
pub use budget::{Asking, Budget, MOVES, STEPS};
#[cfg(feature = "built-in")]
pub use built_in::built_in;
pub use diff::{Diff, Side, SideAnswer, ToCompare, compare, may_compare};
pub use game_map::{Edge, GameMap, Node, WholeGame};
pub use line::{Line, MainLine, PLIES, Ply, USUAL_PLIES};
pub use look_up::{Answer, KnownAnswer, LegalMove, LookUp, look_up_within};
pub use map::{Map, PartOfTable};
pub use own::{Own, OwnLimits};
pub use played::{PLAYED, Played, States};
pub use refusal::{Kind, Refusal};
pub use state::{BoardState, Deed, Possible, State, Taken};
pub use why::{Block, MadeOf, REPLIES, Refutation, RowOf, Why, WhyAnswer};

/// A question to a table of any family.
pub trait Question {
    /// What it gives.
    type Answer;

    /// Asks it; `effort` is that of an answer of the table.
    ///
    /// # Errors
    /// [`Refusal`]: the position is not in the table, the answer would take too much, or the table is damaged.
    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<Self::Answer, Refusal>;
}

/// A table that is asked.
#[derive(Debug)]
pub struct Asked {
    table: Table,
    effort: Effort,
}

impl Asked {
    /// Asks this one.
    pub fn new(table: Table) -> Self {
        let effort = with_rules!(&table.header().ruleset, |rules| rules.effort());
        Self { table, effort }
    }

    /// Lets an answer look at so much, see [`Effort::most`].
    #[must_use]
    pub fn with_most(mut self, most: u64) -> Self {
        self.effort.most = most;
        self
    }

    /// The table.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The rules of its game.
    pub fn ruleset(&self) -> &Ruleset {
        &self.table.header().ruleset
    }

    /// What an answer takes.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Asks the table.
    ///
    /// # Errors
    /// Those of the question.
    pub fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, Refusal> {
        with_table!(self.table.family(), |table| question.ask(table, self.effort))
    }
}
