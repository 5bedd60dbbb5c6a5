//! Draws a plane of two tables, to show what a change of the rules does to each position.

use bouton_study::diff::same_family;
use bouton_study::select::Filter;
use bouton_tables::{AskError, Outcome, Ruleset, Solved, Table, with_rules, with_table};

use super::aspect::PlaneOptions;
use super::drawn::{Drawable, PlaneView};
use super::error::DrawError;
use super::palette::CHANGES;
use super::plane::{
    CellContent, Class, ClassKind, Grid, LEFT_OUT, OUTSIDE, cells, fill, legend, look, plane,
};
use super::scene::Scene;
use super::sheet::sheet;

/// Draws the differences between two tables of a family, in the plane of [`heatmap`](super::heatmap). Unless the filter
/// fixes them, each table has its own resets or passes. Returns `None` if there is nothing to show.
///
/// # Errors
/// If the families differ, the filter does not parse or selects no plane, the plane is too large, a table is damaged,
/// or the progress callback stops it.
pub fn diff<'a>(
    a: &Table,
    b: &Table,
    plane: impl Into<PlaneOptions<'a>>,
) -> Result<Option<Scene>, DrawError> {
    let options = plane.into();
    same_family(["A", "B"], &a.header().ruleset, &b.header().ruleset).map_err(DrawError::Invalid)?;
    with_table!(a.family(), b.family(), |a, b| draw(a, b, options), else unreachable!("they are of one family"))
}

/// Checks without tables that [`diff`] can draw a plane of two rulesets. Returns the steps of progress that it would
/// report.
///
/// # Errors
/// If the families differ, the filter does not parse or selects no plane, or the plane is too large.
pub fn diff_fits(a: &Ruleset, b: &Ruleset, filter: &str) -> Result<u64, DrawError> {
    same_family(["A", "B"], a, b).map_err(DrawError::Invalid)?;
    with_rules!(
        a,
        b,
        |a, b| views(a, b, filter)?.map_or(Ok(0), |[view, _]| cells(a, &view)),
        else unreachable!("they are of one family")
    )
}

/// Returns the selected planes of two rulesets, with axes of equal length; `None` if one plane is empty, as the picture
/// would have one colour.
#[allow(clippy::type_complexity)]
fn views<G: Drawable>(a: &G, b: &G, filter: &str) -> Result<Option<[PlaneView<G::Position>; 2]>, DrawError> {
    let [Some(mut a), Some(mut b)] = G::views_of_two(a, b, filter)? else { return Ok(None) };
    for (a, b) in [(&mut a.x, &mut b.x), (&mut a.y, &mut b.y)] {
        let (from, to) = (a.from.min(b.from), a.to.max(b.to));
        // The name may state the axis's length.
        if a.to < to {
            a.name.clone_from(&b.name);
        }
        (a.from, a.to, b.from, b.to) = (from, to, from, to);
    }
    Ok(Some([a, b]))
}

const NAMES: [&str; 6] =
    ["won in both", "lost in both", "won in A, lost in B", "lost in A, won in B", "only in A", "only in B"];

fn draw<A, B, G>(a: &A, b: &B, options: PlaneOptions<'_>) -> Result<Option<Scene>, DrawError>
where
    A: Solved<Game = G> + Sync,
    B: Solved<Game = G> + Sync,
    G: Drawable,
{
    let text = options.filter;
    let Some(views) = views(a.game(), b.game(), text)? else { return Ok(None) };
    cells(a.game(), &views[0])?;
    let filter = Filter::parse(a.game(), true, text).or_else(|_| Filter::parse(b.game(), true, text))?;
    let filled = fill([&views[0].x, &views[0].y], options.progress, &|at| {
        let in_a = look(a.game(), &filter, &views[0], at, |position| a.outcome(position).map(Some))?;
        let in_b = look(b.game(), &filter, &views[1], at, |position| b.outcome(position).map(Some))?;
        Ok::<u8, AskError>(match (in_a, in_b) {
            (CellContent::Outside, CellContent::Outside) => OUTSIDE,
            (CellContent::LeftOut, _) | (_, CellContent::LeftOut) => LEFT_OUT,
            (CellContent::Known(Outcome::Win), CellContent::Known(Outcome::Win)) => 0,
            (CellContent::Known(Outcome::Loss), CellContent::Known(Outcome::Loss)) => 1,
            (CellContent::Known(Outcome::Win), CellContent::Known(Outcome::Loss)) => 2,
            (CellContent::Known(Outcome::Loss), CellContent::Known(Outcome::Win)) => 3,
            (CellContent::Known(_), CellContent::Outside) => 4,
            (CellContent::Outside, CellContent::Known(_)) => 5,
        })
    })?;
    let grid = Grid { columns: views[0].x.count(), cells: filled };
    if (0..6).all(|class| grid.count(class) == 0) {
        return Ok(None);
    }
    let class = |(name, colour): (&str, _)| Class { name: name.to_owned(), colour };
    let classes: Vec<Class> = NAMES.into_iter().zip(CHANGES).map(class).collect();
    let mut legend = legend("For the player to move", &grid, &classes, ClassKind::Things, G::OUTSIDE);
    // Name the last two classes, of positions in only one table, only if they occur.
    let mut named = (0..).map(|class| !(4..6).contains(&class) || grid.count(class) > 0);
    legend.entries.retain(|_| named.next() == Some(true));
    let seen = [a.game().words(&views[0]), b.game().words(&views[1])];
    let subtitle = match &seen {
        [in_a, in_b] if in_a == in_b => format!("{in_a}: what changes from A to B"),
        [in_a, in_b] => format!("A with {in_a}; B with {in_b}: what changes from A to B"),
    };
    let title = format!("A: {}\nB: {}", a.game().in_words(), b.game().in_words());
    let plane = plane(a.game(), &views[0], &grid, &classes, options.aspect)?;
    Ok(Some(sheet(&title, &subtitle, plane, &legend)))
}
