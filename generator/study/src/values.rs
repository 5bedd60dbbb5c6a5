//! The Grundy values of positions that are asked for.

use bouton_tables::Region;
use bouton_tables::grundy::{self, GrundyError, GrundyValues, Valued};

use crate::groups::{Groups, last_selected};
use crate::select::{Fields, Filter};
use crate::{Progress, Stopped};

/// The Grundy values of positions up to a last one, each of which is a step of progress, unless they follow from those of heaps.
///
/// # Errors
/// If there are none in this game, or too many positions, or if it is stopped.
pub fn grundy_values<G: Valued, E: From<GrundyError> + From<Stopped>>(
    game: &G,
    last: &G::Position,
    progress: &Progress,
) -> Result<GrundyValues<G>, E> {
    GrundyValues::up_to(game, last, &mut |steps| progress(steps).is_ok()).map_err(|error| match error {
        GrundyError::Cancelled => Stopped.into(),
        other => other.into(),
    })
}

/// The Grundy values of all positions that a filter selects.
///
/// # Errors
/// Those of [`grundy_values`].
pub(crate) fn of_selected<G, E>(game: &G, filter: &Filter, progress: &Progress) -> Result<GrundyValues<G>, E>
where
    G: Valued + Fields<Region: Groups + Sync>,
    E: From<GrundyError> + From<Stopped>,
{
    grundy_values(game, &last_of(game, filter)?, progress)
}

/// How many steps of progress [`of_selected`] reports.
///
/// # Errors
/// If there are none in this game, or too many positions.
pub(crate) fn steps<G>(game: &G, filter: &Filter) -> Result<u64, GrundyError>
where
    G: Valued + Fields<Region: Groups + Sync>,
{
    grundy::steps(game, &last_of(game, filter)?)
}

/// The last position that a filter selects; if there is none, the first of all. It is not looked for where positions have no values.
fn last_of<G>(game: &G, filter: &Filter) -> Result<G::Position, GrundyError>
where
    G: Valued + Fields<Region: Groups + Sync>,
{
    grundy::check(game)?;
    let region = game.region()?;
    let first = || region.walk(0).next().expect("every game has a position");
    Ok(last_selected(&region, filter).unwrap_or_else(first))
}
