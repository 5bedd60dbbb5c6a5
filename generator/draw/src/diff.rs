//! Draws a plane of two tables, to show what a change of the rules does to each position.

use bouton_study::StudyError;
use bouton_study::diff::same_family;
use bouton_study::filter::Filter;
use bouton_study::words::InWords;
use bouton_tables::{AskError, Outcome, Ruleset, Solved, Table, with_rules, with_table};

use super::drawable::{Drawable, PlaneView};
use super::error::Result;
use super::palette::CHANGES;
use super::plane::{
    CellContent, Class, Grid, NOT_SELECTED, OUTSIDE, PlaneOptions, cell_content, check_size, draw_plane,
    fill, legend,
};
use super::scene::Scene;
use super::sheet::sheet;

/// Draws the differences between two tables of a family in a plane, as [`heatmap`](super::heatmap) draws one table. If the filter does not
/// fix resets or passes, each table uses those of its own start. Returns `None` if there is nothing to show.
///
/// # Errors
/// If the families differ, the filter does not parse or selects no plane, the plane is too large, a table is damaged,
/// or the progress callback stops the work.
pub fn diff(a: &Table, b: &Table, options: PlaneOptions<'_>) -> Result<Option<Scene>> {
    same_family(["A", "B"], &a.header().ruleset, &b.header().ruleset).map_err(StudyError::Invalid)?;
    with_table!(a.family(), b.family(), |a, b| draw(a, b, options), else unreachable!("the families are equal"))
}

/// Checks without tables that [`diff`] can draw a plane of two rulesets. Returns the number of its steps of progress.
///
/// # Errors
/// If the families differ, the filter does not parse or selects no plane, or the plane is too large.
pub fn diff_fits(a: &Ruleset, b: &Ruleset, filter: &str) -> Result<u64> {
    same_family(["A", "B"], a, b).map_err(StudyError::Invalid)?;
    with_rules!(
        a,
        b,
        |a, b| common_planes(a, b, filter)?.map_or(Ok(0), |[plane, _]| check_size(a, &plane)),
        else unreachable!("the families are equal")
    )
}

/// Returns the planes that a filter selects in two games, with equal axes; `None` if one plane has no positions.
#[allow(clippy::type_complexity)]
fn common_planes<G: Drawable>(a: &G, b: &G, filter: &str) -> Result<Option<[PlaneView<G::Position>; 2]>> {
    let [Some(mut a), Some(mut b)] = G::planes_of_two(a, b, filter)? else { return Ok(None) };
    for (a, b) in [(&mut a.x, &mut b.x), (&mut a.y, &mut b.y)] {
        let (from, to) = (a.from.min(b.from), a.to.max(b.to));
        // The name of an axis may state its greatest number.
        if a.to < to {
            a.name.clone_from(&b.name);
        }
        (a.from, a.to, b.from, b.to) = (from, to, from, to);
    }
    Ok(Some([a, b]))
}

/// The names of the classes, in the order of [`CHANGES`].
const NAMES: [&str; 6] =
    ["won in both", "lost in both", "won in A, lost in B", "lost in A, won in B", "only in A", "only in B"];

fn draw<S: Solved<Game: Drawable>>(a: &S, b: &S, options: PlaneOptions<'_>) -> Result<Option<Scene>> {
    let text = options.filter;
    let Some([in_a, in_b]) = common_planes(a.game(), b.game(), text)? else { return Ok(None) };
    check_size(a.game(), &in_a)?;
    let filter = Filter::parse(a.game(), true, text).or_else(|_| Filter::parse(b.game(), true, text))?;
    let cells = fill([&in_a.x, &in_a.y], options.progress, &|at| {
        let of_a = cell_content(a.game(), &filter, &in_a, at, |position| a.outcome(position).map(Some))?;
        let of_b = cell_content(b.game(), &filter, &in_b, at, |position| b.outcome(position).map(Some))?;
        Ok::<u8, AskError>(match (of_a, of_b) {
            (CellContent::Outside, CellContent::Outside) => OUTSIDE,
            (CellContent::NotSelected, _) | (_, CellContent::NotSelected) => NOT_SELECTED,
            (CellContent::Value(Outcome::Win), CellContent::Value(Outcome::Win)) => 0,
            (CellContent::Value(Outcome::Loss), CellContent::Value(Outcome::Loss)) => 1,
            (CellContent::Value(Outcome::Win), CellContent::Value(Outcome::Loss)) => 2,
            (CellContent::Value(Outcome::Loss), CellContent::Value(Outcome::Win)) => 3,
            (CellContent::Value(_), CellContent::Outside) => 4,
            (CellContent::Outside, CellContent::Value(_)) => 5,
        })
    })?;
    let grid = Grid { columns: in_a.x.count() as u32, cells };
    if (0..6).all(|class| grid.count(class) == 0) {
        return Ok(None);
    }
    let class = |(name, colour): (&str, _)| Class { name: name.to_owned(), colour };
    let classes: Vec<Class> = NAMES.into_iter().zip(CHANGES).map(class).collect();
    let mut legend = legend("For the player to move", &grid, &classes, false, S::Game::OUTSIDE);
    // Name the last two classes, of positions in only one table, only if they occur.
    let mut is_named = (0..).map(|class| !(4..6).contains(&class) || grid.count(class) > 0);
    legend.entries.retain(|_| is_named.next() == Some(true));
    let (words_a, words_b) = (a.game().describe(&in_a), b.game().describe(&in_b));
    let subtitle = match words_a == words_b {
        true => format!("{words_a}: what changes from A to B"),
        false => format!("A with {words_a}; B with {words_b}: what changes from A to B"),
    };
    let title = format!("A: {}\nB: {}", a.game().in_words(), b.game().in_words());
    let plane = draw_plane(a.game(), &in_a, &grid, &classes, options.aspect)?;
    Ok(Some(sheet(&title, &subtitle, plane, &legend)))
}
