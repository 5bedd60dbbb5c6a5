//! Tables held against the oracles and the second reader of the format, position by position.

pub mod expanding;
pub mod heaps;
pub mod learning;
pub mod models;
pub mod twin;

use bouton_tables::expanding::ExpandingTable;
use bouton_tables::heaps::HeapTable;
use bouton_tables::{FamilyTable, Table};

/// The table of a family of which the caller knows that it is Expanding Nim.
///
/// # Panics
/// If it is not.
#[must_use]
pub fn expanding(table: &Table) -> &ExpandingTable {
    let FamilyTable::Expanding(table) = table.family() else { panic!("a table of Expanding Nim") };
    table
}

/// The table of a family of which the caller knows that it is a heap game.
///
/// # Panics
/// If it is not.
#[must_use]
pub fn heaps(table: &Table) -> &HeapTable {
    let FamilyTable::Heaps(table) = table.family() else { panic!("a table of a heap game") };
    table
}
