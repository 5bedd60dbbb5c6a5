//! Grundy values and misère genera of the positions that a filter selects.
//!
//! The value of a position depends on earlier positions, so values are computed for all positions up to the last selected one, in
//! natural order.

use bouton_tables::Region;
use bouton_tables::genus::{self, Genera};
use bouton_tables::grundy::{self, GrundyError, GrundyGame, GrundyValues};

use crate::Progress;
use crate::filter::{Fields, Filter};
use crate::groups::{GroupedRegion, last_selected};

/// A game with values whose positions a filter can select.
pub(crate) trait ValuedSelection: GrundyGame + Fields<Region: GroupedRegion> {}

impl<G: GrundyGame + Fields<Region: GroupedRegion>> ValuedSelection for G {}

/// Computes the Grundy values of all positions that a filter selects. Each computed position is a step, unless the values of heaps suffice.
pub(crate) fn selected_grundy_values<G: ValuedSelection>(
    game: &G,
    filter: &Filter,
    progress: &Progress,
) -> Result<GrundyValues<G>, GrundyError> {
    // Before the search for the last position, which can take long.
    grundy::check(game)?;
    let last = last_position(game, filter)?;
    GrundyValues::up_to(game, &last, &mut |steps| progress(steps).is_ok())
}

/// Number of steps of progress that [`selected_grundy_values`] reports.
pub(crate) fn steps<G: ValuedSelection>(game: &G, filter: &Filter) -> Result<u64, GrundyError> {
    grundy::check(game)?;
    grundy::count_positions(game, &last_position(game, filter)?)
}

/// Computes the genera of all positions that a filter selects, in misère play.
pub(crate) fn selected_genera<G: ValuedSelection>(
    game: &G,
    filter: &Filter,
    progress: &Progress,
) -> Result<Genera<G>, GrundyError> {
    let last = last_position(game, filter)?;
    // `up_to` computes several values for each position; only the first of them counts as a step.
    let mut left = genus::count_positions(game, &last)?;
    Genera::up_to(game, &last, &mut |steps| {
        let steps = steps.min(left);
        left -= steps;
        progress(steps).is_ok()
    })
}

/// Number of steps of progress that [`selected_genera`] reports.
pub(crate) fn genus_steps<G: ValuedSelection>(game: &G, filter: &Filter) -> Result<u64, GrundyError> {
    genus::count_positions(game, &last_position(game, filter)?)
}

/// Returns the last position that a filter selects; the first position of the game if the filter selects none.
fn last_position<G: ValuedSelection>(game: &G, filter: &Filter) -> Result<G::Position, GrundyError> {
    let region = game.region()?;
    let first = || region.walk(0).next().expect("every game has a position");
    Ok(last_selected(&region, filter).unwrap_or_else(first))
}
