//! Expanding Nim: no theorem is known, so the table argues.

use bouton_tables::expanding::ExpandingTable;

use crate::Explain;

impl Explain for ExpandingTable {}
