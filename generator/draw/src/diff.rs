//! A plane of two tables: what a change of the rules does to each position.

use bouton_study::diff::same_family;
use bouton_study::select::Filter;
use bouton_tables::{AskError, Outcome, Ruleset, Solved, Table, with_rules, with_table};

use super::aspect::PlaneOptions;
use super::drawn::{Drawn, View};
use super::error::DrawError;
use super::palette::CHANGES;
use super::plane::{Class, Grid, Kind, LEFT_OUT, OUTSIDE, Place, cells, fill, legend, look, plane};
use super::scene::Scene;
use super::sheet::sheet;

/// Draws what differs between two tables of a family in a plane, which is that of [`heatmap`](super::heatmap).
/// Each has its own resets, or passes, unless the filter says which. `None` if there is nothing to show.
///
/// # Errors
/// If the tables are of two families, the filter does not parse or leaves no plane, the plane is too large, or
/// a table is damaged; or if it is stopped.
pub fn diff<'a>(
    a: &Table,
    b: &Table,
    plane: impl Into<PlaneOptions<'a>>,
) -> Result<Option<Scene>, DrawError> {
    let options = plane.into();
    same_family(["A", "B"], &a.header().ruleset, &b.header().ruleset).map_err(DrawError::Invalid)?;
    with_table!(a.family(), b.family(), |a, b| draw(a, b, options), else unreachable!("they are of one family"))
}

/// Whether [`diff`] could draw a plane of two rulesets' tables, before there are any; gives the steps of progress that it would report.
///
/// # Errors
/// If they are of two families, the filter does not parse or leaves no plane, or the plane is too large.
pub fn diff_fits(a: &Ruleset, b: &Ruleset, filter: &str) -> Result<u64, DrawError> {
    same_family(["A", "B"], a, b).map_err(DrawError::Invalid)?;
    with_rules!(
        a,
        b,
        |a, b| views(a, b, filter)?.map_or(Ok(0), |[view, _]| cells(a, &view)),
        else unreachable!("they are of one family")
    )
}

/// The planes of two rulesets that a filter selects, each as long as the longer one; `None` if one of them is empty: the
/// picture would be of one colour.
#[allow(clippy::type_complexity)]
fn views<G: Drawn>(a: &G, b: &G, filter: &str) -> Result<Option<[View<G::Position>; 2]>, DrawError> {
    let [Some(mut a), Some(mut b)] = G::views_of_two(a, b, filter)? else { return Ok(None) };
    for (a, b) in [(&mut a.x, &mut b.x), (&mut a.y, &mut b.y)] {
        let (from, to) = (a.from.min(b.from), a.to.max(b.to));
        // The name may say how far the axis goes.
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
    G: Drawn,
{
    let text = options.filter;
    let Some(views) = views(a.game(), b.game(), text)? else { return Ok(None) };
    cells(a.game(), &views[0])?;
    let filter = Filter::parse(a.game(), true, text).or_else(|_| Filter::parse(b.game(), true, text))?;
    let filled = fill([&views[0].x, &views[0].y], options.progress, &|at| {
        let in_a = look(a.game(), &filter, &views[0], at, |position| a.outcome(position).map(Some))?;
        let in_b = look(b.game(), &filter, &views[1], at, |position| b.outcome(position).map(Some))?;
        Ok::<u8, AskError>(match (in_a, in_b) {
            (Place::Outside, Place::Outside) => OUTSIDE,
            (Place::LeftOut, _) | (_, Place::LeftOut) => LEFT_OUT,
            (Place::Known(Outcome::Win), Place::Known(Outcome::Win)) => 0,
            (Place::Known(Outcome::Loss), Place::Known(Outcome::Loss)) => 1,
            (Place::Known(Outcome::Win), Place::Known(Outcome::Loss)) => 2,
            (Place::Known(Outcome::Loss), Place::Known(Outcome::Win)) => 3,
            (Place::Known(_), Place::Outside) => 4,
            (Place::Outside, Place::Known(_)) => 5,
        })
    })?;
    let grid = Grid { columns: views[0].x.count(), cells: filled };
    if (0..6).all(|class| grid.count(class) == 0) {
        return Ok(None);
    }
    let class = |(name, colour): (&str, _)| Class { name: name.to_owned(), colour };
    let classes: Vec<Class> = NAMES.into_iter().zip(CHANGES).map(class).collect();
    let mut legend = legend("For the player to move", &grid, &classes, Kind::Things, G::OUTSIDE);
    // The last two classes, positions of one table only, are named where there are such.
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
