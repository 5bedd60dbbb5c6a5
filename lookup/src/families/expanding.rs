//! Expanding Nim.

use bouton_tables::expanding::{Expanding, ExpandingTable};

use crate::{Explain, Typed};

impl Typed for Expanding {
    const TITLE: &'static str = "Expanding Nim";

    fn example(&self) -> String {
        "217/9/1/4,3/-".to_owned()
    }
}

impl<D: AsRef<[u8]>> Explain for ExpandingTable<D> {}
