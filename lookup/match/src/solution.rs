//! A table of a known family, shared by all who play from it.

use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use bouton_generator::generate;
use bouton_tables::{Map, OpenError, Solved, Table};

use crate::Family;

/// A table of one family's games.
#[derive(Debug)]
pub struct Solution<F> {
    table: Arc<Table<Map>>,
    family: PhantomData<fn() -> F>,
}

impl<F> Clone for Solution<F> {
    fn clone(&self) -> Self {
        Self { table: Arc::clone(&self.table), family: PhantomData }
    }
}

impl<F: Family> Solution<F> {
    /// The table as one of this family; `None` if it is of another one.
    #[must_use]
    pub fn new(table: Arc<Table<Map>>) -> Option<Self> {
        F::of_table(&table)?;
        Some(Self { table, family: PhantomData })
    }

    /// The table as one of a game, within whatever bounds; `None` if it is of another game.
    #[must_use]
    pub fn of_game(table: Arc<Table<Map>>, rules: &F) -> Option<Self> {
        Self::new(table).filter(|solution| solution.get().game().plays_like(rules))
    }

    /// Solves a game on the spot.
    #[must_use]
    pub fn solve(rules: &F) -> Self {
        let made = generate(&rules.ruleset(), true, &|_| {});
        let table = Table::open(Map::from(made)).expect("a table just made opens");
        Self::new(Arc::new(table)).expect("it is of the family of its rules")
    }

    /// The table.
    #[must_use]
    pub fn get(&self) -> &F::Table {
        F::of_table(&self.table).expect("looked at when the solution was made")
    }

    /// The table as one of any family.
    #[must_use]
    pub fn table(&self) -> Arc<Table<Map>> {
        Arc::clone(&self.table)
    }

    /// The digest that names it.
    #[must_use]
    pub fn digest(&self) -> [u8; 32] {
        self.table.digest()
    }
}

/// Opens a table that a game is to be played from, after a check of every byte.
///
/// # Errors
/// If the file cannot be read, is not a table, or is damaged.
pub fn open_table(path: &Path) -> Result<Arc<Table<Map>>, OpenError> {
    let table = Table::map(path)?;
    table.check_whole()?;
    Ok(Arc::new(table))
}
