//! Expanding Nim.

use bouton_tables::expanding::ExpandingTable;

use crate::Explain;

impl<D: AsRef<[u8]>> Explain for ExpandingTable<D> {}
