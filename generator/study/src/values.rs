//! Grundy values and misère genera of the positions that a filter selects.
//!
//! The value of a position depends on earlier positions, so values are computed for all positions up to the last selected one, in
//! natural order.

use bouton_tables::genus::{self, Genera};
use bouton_tables::grundy::{self, GrundyError, GrundyGame, GrundyValues};
use bouton_tables::{Game, Region};

use crate::Progress;
use crate::filter::{Fields, Filter};
use crate::groups::{GroupedRegion, last_selected};

/// The kind of a position's value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueKind {
    /// The Grundy value, in normal play.
    Grundy,
    /// The genus, in misère play.
    Genus,
}

/// The values of positions.
pub(crate) enum PositionValues<G: Game> {
    Grundy(GrundyValues<G>),
    Genus(Genera<G>),
}

impl ValueKind {
    /// Returns the last position that a filter selects; the first position of the game if the filter selects none.
    fn last_position<G: Fields<Region: GroupedRegion>>(
        self,
        game: &G,
        filter: &Filter,
    ) -> Result<G::Position, GrundyError> {
        if self == Self::Grundy {
            // Refuse early: the search for the last position can take long.
            grundy::check(game)?;
        }
        let region = game.region()?;
        let first = || region.walk(0).next().expect("every game has a position");
        Ok(last_selected(&region, filter).unwrap_or_else(first))
    }

    /// Number of steps of progress that [`values`](Self::values) reports.
    pub(crate) fn steps<G: Fields<Region: GroupedRegion>>(
        self,
        game: &G,
        filter: &Filter,
    ) -> Result<u64, GrundyError> {
        let last = self.last_position(game, filter)?;
        match self {
            Self::Grundy => grundy::count_positions(game, &last),
            Self::Genus => genus::count_positions(game, &last),
        }
    }

    /// Computes the values of all positions that a filter selects. Each position up to the last selected one is a step of progress; there
    /// are no steps if the values of single heaps suffice.
    pub(crate) fn values<G: Fields<Region: GroupedRegion>>(
        self,
        game: &G,
        filter: &Filter,
        progress: &Progress,
    ) -> Result<PositionValues<G>, GrundyError> {
        let last = self.last_position(game, filter)?;
        if self == Self::Grundy {
            let values = GrundyValues::up_to(game, &last, &mut |steps| progress(steps).is_ok());
            return values.map(PositionValues::Grundy);
        }
        // `up_to` goes over the positions several times, once for each number of the genus. Only the first round counts as
        // progress.
        let mut left = genus::count_positions(game, &last)?;
        let genera = Genera::up_to(game, &last, &mut |steps| {
            let steps = steps.min(left);
            left -= steps;
            progress(steps).is_ok()
        });
        genera.map(PositionValues::Genus)
    }
}

impl<G: GrundyGame> PositionValues<G> {
    /// Returns the Grundy value and the genus of a position, as far as they are known: one of the two.
    pub(crate) fn of(&self, position: &G::Position) -> (Option<u32>, Option<String>) {
        match self {
            Self::Grundy(values) => (Some(values.of(position)), None),
            Self::Genus(genera) => (None, Some(genera.of(position).to_string())),
        }
    }
}
