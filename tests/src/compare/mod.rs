//! Comparisons of tables with the oracles and with the second reader of the format, position by position.

pub mod expanding;
pub mod heaps;
pub mod learning;
pub mod models;
pub mod twin;

use bouton_tables::expanding::ExpandingTable;
use bouton_tables::heaps::HeapTable;
use bouton_tables::{FamilyTable, Table};

/// Returns the family table of a table of Expanding Nim.
///
/// # Panics
/// If the table belongs to another family.
#[must_use]
pub fn expanding(table: &Table) -> &ExpandingTable {
    let FamilyTable::Expanding(table) = table.family() else { panic!("a table of Expanding Nim") };
    table
}

/// Returns the family table of a table of a heap game.
///
/// # Panics
/// If the table belongs to another family.
#[must_use]
pub fn heaps(table: &Table) -> &HeapTable {
    let FamilyTable::Heaps(table) = table.family() else { panic!("a table of a heap game") };
    table
}
