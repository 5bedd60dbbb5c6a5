//! What analyzing needs of a family.

use bouton_tables::Solved;

use super::{AnalyzeError, Findings};
use crate::Progress;
use crate::select::{Fields, Filter};

/// What an analysis costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Steps of progress that it reports.
    pub steps: u64,
    /// Memory besides the table's, in bytes, at the most.
    pub memory: u64,
}

/// A family whose tables can be analyzed.
pub(crate) trait Analyzed: Fields {
    /// The filter for what is analyzed, given the one that the user wrote.
    ///
    /// # Errors
    /// If that does not parse, or does not select what can be analyzed.
    fn scope(&self, filter: Option<&str>) -> Result<Filter, AnalyzeError>;

    /// What analyzing that costs.
    fn effort(&self, filter: &Filter) -> Effort;

    /// Analyzes it.
    ///
    /// # Errors
    /// If the table is damaged, or has too many positions.
    fn findings<S>(table: &S, filter: &Filter, progress: &Progress) -> Result<Findings, AnalyzeError>
    where
        S: Solved<Game = Self> + Sync;
}
