//! Draws a plane of a table, coloured by outcome, depth, winning moves or Grundy values.

use bouton_study::StudyError;
use bouton_study::filter::{AnswerPart, Filter};
use bouton_study::words::InWords;
use bouton_tables::grundy::{self, GrundyValues};
use bouton_tables::{Ruleset, Solved, Table, Verdict, with_rules, with_table};

use super::classes::{Measure, classes};
use super::drawable::{Drawable, PlaneView};
use super::error::Result;
use super::plane::{
    CellContent, Grid, NOT_SELECTED, OUTSIDE, PlaneOptions, cell_content, check_size, draw_plane, fill,
    legend,
};
use super::scene::Scene;
use super::sheet::sheet;

/// Draws a plane of a table: Expanding Nim by stones and currentmax, heap games by the sizes of two heaps. The filter selects the plane,
/// and the positions in it that get a colour. Returns `None` if it selects no position.
///
/// # Errors
/// If the filter does not parse or selects no plane, the plane is too large, or too long with its aspect, the table lacks the requested
/// depths or is damaged, or the progress callback stops the work.
pub fn heatmap(table: &Table, measure: Measure, options: PlaneOptions<'_>) -> Result<Option<Scene>> {
    if measure == Measure::Depth && !table.header().has_depths {
        return Err(StudyError::Invalid(
            "--of depth needs depths, and the table has none; draw --of outcome or winning, or generate it \
             again without --no-depth"
                .to_owned(),
        ));
    }
    with_table!(table.family(), |table| draw(table, measure, options))
}

/// Checks without a table that [`heatmap`] can draw a plane of a ruleset. Returns the number of its steps of progress.
///
/// # Errors
/// If the filter does not parse or selects no plane, the plane is too large, or its positions have no Grundy values.
pub fn heatmap_fits(ruleset: &Ruleset, measure: Measure, filter: &str) -> Result<u64> {
    with_rules!(ruleset, |rules| {
        let Some(plane) = rules.plane(&Filter::parse(rules, true, filter)?)? else { return Ok(0) };
        let steps_of_values = match measure {
            Measure::Grundy => grundy::count_positions(rules, &last_position(rules, &plane)?)?,
            _ => 0,
        };
        Ok(steps_of_values + check_size(rules, &plane)?)
    })
}

/// Returns an upper bound, in natural order, of the positions of a plane: the position with the plane's greatest numbers if there is one,
/// otherwise the last position of the game.
fn last_position<G: Drawable>(game: &G, plane: &PlaneView<G::Position>) -> Result<G::Position> {
    let greatest = game.position_at(plane, plane.x.to, plane.y.to);
    Ok(greatest.map_or_else(|| grundy::last_position(game), Ok)?)
}

fn draw<S: Solved<Game: Drawable>>(
    table: &S,
    measure: Measure,
    options: PlaneOptions<'_>,
) -> Result<Option<Scene>> {
    let game = table.game();
    let filter = Filter::parse(game, table.has_depths(), options.filter)?;
    let Some(plane) = game.plane(&filter)? else { return Ok(None) };
    check_size(game, &plane)?;
    let grundy = match measure {
        Measure::Grundy => {
            let last = last_position(game, &plane)?;
            Some(GrundyValues::up_to(game, &last, &mut |steps| (options.progress)(steps).is_ok())?)
        }
        _ => None,
    };
    let part = match measure {
        Measure::Winning => AnswerPart::Winning,
        Measure::Depth => AnswerPart::Depth,
        Measure::Outcome | Measure::Grundy => AnswerPart::Outcome,
    };
    let value = |position: &_| {
        let value = |(verdict, winning): (Verdict, usize)| match (measure, &grundy) {
            (_, Some(values)) => values.of(position),
            (Measure::Winning, _) => winning as u32,
            (Measure::Depth, _) => verdict.depth.unwrap_or(0),
            _ => verdict.outcome as u32,
        };
        Ok(filter.look_up(table, position, part)?.map(value))
    };
    // Use `table`, not `game`: only the table is `Sync`.
    let contents = fill([&plane.x, &plane.y], options.progress, &|at| {
        cell_content(table.game(), &filter, &plane, at, value)
    })?;
    let value_of = |content: &_| if let CellContent::Value(value) = *content { Some(value) } else { None };
    let mut values: Vec<u32> = contents.iter().filter_map(value_of).collect();
    if values.is_empty() {
        return Ok(None);
    }
    values.sort_unstable();
    let (classes, class) = classes(measure, &values);
    let cells = contents.iter().map(|content| match *content {
        CellContent::Outside => OUTSIDE,
        CellContent::NotSelected => NOT_SELECTED,
        CellContent::Value(value) => class(value),
    });
    let grid = Grid { columns: plane.x.count() as u32, cells: cells.collect() };
    let (subtitle, heading) = match measure {
        Measure::Outcome => ("won or lost", "For the player to move"),
        Measure::Depth => ("depth", "Depth: plies to the end"),
        Measure::Winning => ("number of winning moves", "Winning moves"),
        Measure::Grundy => ("Grundy value", "Grundy value"),
    };
    let subtitle = format!("{}: {subtitle}", game.describe(&plane));
    let legend = legend(heading, &grid, &classes, measure != Measure::Outcome, S::Game::OUTSIDE);
    let plane = draw_plane(game, &plane, &grid, &classes, options.aspect)?;
    Ok(Some(sheet(&game.in_words(), &subtitle, plane, &legend)))
}
