//! A table of a statically known family, shared by all players that use it.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use bouton_generator::{GenerateError, GenerateOptions, generate, memory_beyond};
use bouton_tables::format::in_memory;
use bouton_tables::{OpenError, Ruleset, Solved, Table};

use crate::Playable;
use crate::watch::{GeneratorProgress, PreparationProgress};

/// Memory limit for solving a game on the spot, in bytes.
const MAX_MEMORY: u64 = 4 << 30;

/// Returns the error for a game that is too large to be solved on the spot.
fn too_large(ruleset: &Ruleset) -> String {
    let positions = match ruleset.positions() {
        u64::MAX => "more than 10^19".to_owned(),
        positions => positions.to_string(),
    };
    let option = if ruleset.check_depths().is_ok() { "" } else { " --no-depth" };
    format!(
        "a game of {positions} positions is too large to be solved on the spot; make its table with `bouton \
         generate{option}` and give that: to a player as table:FILE, to `replay` with --table FILE, to `advise` in place of the rules"
    )
}

/// A table of one family.
#[derive(Clone, Debug)]
pub struct Solution<G> {
    table: Arc<Table>,
    family: PhantomData<fn() -> G>,
}

impl<G: Playable> Solution<G> {
    /// Wraps a table of this family; `None` if it belongs to another family.
    pub fn new(table: Arc<Table>) -> Option<Self> {
        G::of_table(table.family())?;
        Some(Self { table, family: PhantomData })
    }

    /// Wraps a table of these rules, with any bounds; `None` if it is a table of another game.
    pub fn of_game(table: Arc<Table>, rules: &G) -> Option<Self> {
        Self::new(table).filter(|solution| solution.get().game().plays_like(rules))
    }

    /// Solves a game on the spot.
    pub fn solve(rules: &G) -> Result<Self, String> {
        Self::solve_watched(rules, &())
    }

    /// Solves a game on the spot, and reports to `progress`.
    pub fn solve_watched(rules: &G, progress: &dyn PreparationProgress) -> Result<Self, String> {
        let ruleset = rules.clone().into();
        let control = GeneratorProgress(progress);
        let bytes = in_memory(|sink| generate(&ruleset, GenerateOptions::default(), sink, &control));
        let bytes = bytes.map_err(|_: GenerateError| too_large(&ruleset))?;
        let table = Table::open(bytes).expect("a table just made opens");
        Ok(Self::new(Arc::new(table)).expect("it is of the family of its rules"))
    }

    /// Solves a game on the spot. Fails if the estimated memory exceeds the limit.
    pub fn solve_if_small(rules: &G, progress: &dyn PreparationProgress) -> Result<Self, String> {
        let ruleset: Ruleset = rules.clone().into();
        if ruleset.check_depths().is_err()
            || memory_beyond(&ruleset, GenerateOptions::default(), MAX_MEMORY).is_some()
        {
            return Err(too_large(&ruleset));
        }
        Self::solve_watched(rules, progress)
    }

    /// Returns the table.
    pub fn get(&self) -> &G::Table {
        G::of_table(self.table.family()).expect("checked when the solution was made")
    }

    /// Returns the shared table of unknown family.
    pub fn table(&self) -> Arc<Table> {
        Arc::clone(&self.table)
    }
}

/// Opens a table and checks every byte of it. Fails if the file cannot be read, is not a table, or is damaged.
pub fn open_table(path: &Path) -> Result<Arc<Table>, OpenError> {
    let table = Table::named(path)?;
    table.check_whole()?;
    Ok(Arc::new(table))
}
