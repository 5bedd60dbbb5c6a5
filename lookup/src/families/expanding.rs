//! Expanding Nim.

use bouton_tables::expanding::ExpandingTable;

use crate::Explain;

impl Explain for ExpandingTable {}
