//! The theorems that decide games.

use std::fmt::{self, Display, Formatter};

/// A theorem that decides a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theorem {
    /// Identifier of the theorem, for programs.
    pub key: &'static str,
    /// Name of the theorem, for people: its authors, and mostly the year.
    pub name: &'static str,
    /// The statement in words.
    pub statement: String,
    /// The number by which the theorem divides the heap; or a divisor that the numbers of ones in the columns of a lost
    /// position have in common. `None` for other theorems.
    pub modulus: Option<u32>,
    /// The numbers that the statement lists, in their order.
    pub values: Vec<u32>,
    /// Whether `values` omits some.
    pub more: bool,
}

impl Theorem {
    pub(crate) fn new(key: &'static str, name: &'static str, modulus: Option<u32>, statement: &str) -> Self {
        Self { key, name, statement: statement.to_owned(), modulus, values: Vec::new(), more: false }
    }
}

impl Display for Theorem {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        write!(f, "{}: {}", self.name, self.statement)
    }
}
