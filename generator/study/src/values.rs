//! The Grundy values of positions that are asked for.

use bouton_tables::genus::{self, Genera};
use bouton_tables::grundy::{self, GrundyError, GrundyValues, Valued};
use bouton_tables::{Game, Outcome, Region};

use crate::groups::{GroupedRegion, last_selected};
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
pub(crate) fn selected_grundy_values<G, E>(game: &G, filter: &Filter, progress: &Progress) -> Result<GrundyValues<G>, E>
where
    G: Valued + Fields<Region: GroupedRegion + Sync>,
    E: From<GrundyError> + From<Stopped>,
{
    grundy_values(game, &last_of(game, filter)?, progress)
}

/// How many steps of progress [`selected_grundy_values`] reports.
///
/// # Errors
/// If there are none in this game, or too many positions.
pub(crate) fn steps<G>(game: &G, filter: &Filter) -> Result<u64, GrundyError>
where
    G: Valued + Fields<Region: GroupedRegion + Sync>,
{
    grundy::steps(game, &last_of(game, filter)?)
}

/// The genera of all positions that a filter selects, in misère play.
///
/// # Errors
/// If there are too many positions, or if it is stopped.
pub(crate) fn selected_genera<G, E>(game: &G, filter: &Filter, progress: &Progress) -> Result<Genera<G>, E>
where
    G: Valued + Fields<Region: GroupedRegion + Sync>,
    E: From<GrundyError> + From<Stopped>,
{
    let last = last_of_all(game, filter)?;
    // Several values are computed for each position; the first of them is a step of progress.
    let mut left = genus::positions(game, &last)?;
    let genera = Genera::up_to(game, &last, &mut |steps| {
        let steps = steps.min(left);
        left -= steps;
        progress(steps).is_ok()
    });
    genera.map_err(|error| match error {
        GrundyError::Cancelled => Stopped.into(),
        other => other.into(),
    })
}

/// How many steps of progress [`selected_genera`] reports.
///
/// # Errors
/// If there are too many positions.
pub(crate) fn genus_steps<G>(game: &G, filter: &Filter) -> Result<u64, GrundyError>
where
    G: Valued + Fields<Region: GroupedRegion + Sync>,
{
    genus::positions(game, &last_of_all(game, filter)?)
}

/// Whether a game is in misère play, where positions have genera.
pub(crate) fn is_misere<G: Game>(game: &G) -> bool {
    game.outcome_without_moves() == Outcome::Win
}

/// The last position that a filter selects; if there is none, the first of all. It is not looked for where positions have no values.
fn last_of<G>(game: &G, filter: &Filter) -> Result<G::Position, GrundyError>
where
    G: Valued + Fields<Region: GroupedRegion + Sync>,
{
    grundy::check(game)?;
    last_of_all(game, filter)
}

fn last_of_all<G>(game: &G, filter: &Filter) -> Result<G::Position, GrundyError>
where
    G: Valued + Fields<Region: GroupedRegion + Sync>,
{
    let region = game.region()?;
    let first = || region.walk(0).next().expect("every game has a position");
    Ok(last_selected(&region, filter).unwrap_or_else(first))
}
