//! Expanding Nim.

use bouton_tables::AskError;
use bouton_tables::expanding::{Expanding, ExpandingTable, Position};

use crate::explain::explain_by_refutation;
use crate::{Explain, Typed};

impl Typed for Expanding {
    const TITLE: &'static str = "Expanding Nim";

    fn example(&self) -> String {
        "217/9/1/4,3/-".to_owned()
    }
}

impl<D: AsRef<[u8]>> Explain for ExpandingTable<D> {
    fn explain(&self, position: &Position) -> Result<String, AskError> {
        explain_by_refutation(self, position)
    }
}
