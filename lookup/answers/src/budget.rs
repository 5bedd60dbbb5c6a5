//! How much work an answer may take, and how long it may be.

use bouton_study::words::grouped;

use crate::Refusal;

/// The usual limit on the work for one answer, in ways to move that are looked along in a position: about a second at most.
pub const STEPS: u64 = 20_000_000;
/// Moves that the answer to a position lists.
pub const MOVES: usize = 10_000;

/// How much work was done for an answer.
#[derive(Debug)]
pub struct Budget {
    spent: u64,
    most: u64,
}

impl Budget {
    /// One of so many steps.
    #[must_use]
    pub fn new(most: u64) -> Self {
        Self { spent: 0, most }
    }

    /// Adds so many steps.
    ///
    /// # Errors
    /// If there may not be so many.
    pub fn spend(&mut self, steps: u64) -> Result<(), Refusal> {
        let spent = self.spent.saturating_add(steps);
        if spent > self.most {
            return Err(Refusal::TooMuch(format!(
                "this answer would examine more than {} moves; ask for fewer positions at once, for a position with fewer \
                 moves, or without moves=true and policy=trap; or use bouton-lookup",
                grouped(self.most)
            )));
        }
        self.spent = spent;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_ends() {
        let mut budget = Budget::new(STEPS);
        budget.spend(STEPS).unwrap();
        assert!(matches!(budget.spend(1), Err(Refusal::TooMuch(_))));
    }
}
