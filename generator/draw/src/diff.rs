//! A plane of two tables: what a change of the rules does to each position.

use bouton_study::diff::same_family;
use bouton_study::select::Filter;
use bouton_study::words;
use bouton_tables::{Game, Outcome, Ruleset, Solved, Table, with_rules, with_table};

use super::drawn::Drawn;
use super::error::DrawError;
use super::palette::CHANGES;
use super::plane::{Class, Grid, LEFT_OUT, OUTSIDE, check_size, fill, legend, plane};
use super::scene::Scene;
use super::sheet::sheet;
use super::view::{View, united};

/// Draws what differs between two tables of a family in a plane, which is that of [`heatmap`](super::heatmap).
/// Each has its own resets, or passes, unless the filter says which. `None` if there is nothing to show.
///
/// # Errors
/// If the tables are of two families, the filter does not parse or leaves no plane, the plane is too large, or
/// a table is damaged.
pub fn diff<D: AsRef<[u8]>>(a: &Table<D>, b: &Table<D>, filter: &str) -> Result<Option<Scene>, DrawError> {
    let titles = [a, b].map(|table| words::ruleset(&table.header().ruleset));
    same_family(["A", "B"], &a.header().ruleset, &b.header().ruleset)?;
    with_table!(a.family(), b.family(), |a, b| draw(a, b, filter, &titles), else unreachable!("they are of one family"))
}

/// Whether [`diff`] could draw a plane of two rulesets' tables, before there are any.
///
/// # Errors
/// If they are of two families, the filter does not parse or leaves no plane, or the plane is too large.
pub fn diff_fits(a: &Ruleset, b: &Ruleset, filter: &str) -> Result<(), DrawError> {
    fn fits<G: Drawn>(a: &G, b: &G, filter: &str) -> Result<(), DrawError> {
        match views(a, b, filter)? {
            Some([view, _]) => check_size(&view, G::SQUARE),
            None => Ok(()),
        }
    }
    same_family(["A", "B"], a, b)?;
    with_rules!(a, b, |a, b| fits(a, b, filter), else unreachable!("they are of one family"))
}

/// The planes of two rulesets that a filter selects, each as long as the longer one; `None` if one of them is empty: the
/// picture would be of one colour.
#[allow(clippy::type_complexity)]
fn views<G: Drawn>(a: &G, b: &G, filter: &str) -> Result<Option<[View<G::Position>; 2]>, DrawError> {
    Ok(match G::views_of_two(a, b, filter)? {
        [Some(a), Some(b)] => Some(united([a, b])),
        _ => None,
    })
}

const NAMES: [&str; 6] =
    ["won in both", "lost in both", "won in A, lost in B", "lost in A, won in B", "only in A", "only in B"];

fn draw<A, B, G>(a: &A, b: &B, text: &str, titles: &[String; 2]) -> Result<Option<Scene>, DrawError>
where
    A: Solved<Game = G>,
    B: Solved<Game = G>,
    G: Drawn,
{
    let Some(views) = views(a.game(), b.game(), text)? else { return Ok(None) };
    check_size(&views[0], G::SQUARE)?;
    let filter = Filter::parse(a.game(), true, text).or_else(|_| Filter::parse(b.game(), true, text))?;
    let cells = fill(&views[0], |x, y| {
        let in_a = place(a, &filter, &views[0], x, y)?;
        let in_b = place(b, &filter, &views[1], x, y)?;
        Ok::<u8, DrawError>(match (in_a, in_b) {
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
    let grid = Grid { columns: views[0].x.count(), cells };
    if (0..6).all(|class| grid.count(class) == 0) {
        return Ok(None);
    }
    let classes = NAMES.iter().zip(CHANGES).map(|(&name, colour)| Class { name: name.to_owned(), colour });
    let classes: Vec<Class> = classes.collect();
    let mut legend = legend("For the player to move", &grid, &classes, true, G::OUTSIDE);
    // What there is none of is said only where it could be.
    let named = classes.len();
    let mut number = 0;
    legend.entries.retain(|_| {
        number += 1;
        number <= 4 || number > named || grid.count(number as u8 - 1) > 0
    });
    let seen = [a.game().words(&views[0]), b.game().words(&views[1])];
    let subtitle = match &seen {
        [in_a, in_b] if in_a == in_b => format!("{in_a}: what changes from A to B"),
        [in_a, in_b] => format!("A with {in_a}; B with {in_b}: what changes from A to B"),
    };
    let title = format!("A: {}\nB: {}", titles[0], titles[1]);
    Ok(Some(sheet(&title, &subtitle, plane(&views[0], &grid, &classes, G::SQUARE), &legend)))
}

enum Place {
    Outside,
    LeftOut,
    Known(Outcome),
}

fn place<S: Solved<Game: Drawn>>(
    table: &S,
    filter: &Filter,
    view: &View<<S::Game as Game>::Position>,
    x: u32,
    y: u32,
) -> Result<Place, DrawError> {
    let Some(position) = table.game().at(view, x, y) else { return Ok(Place::Outside) };
    if !filter.has_position::<S::Game>(&position) {
        return Ok(Place::LeftOut);
    }
    Ok(Place::Known(table.verdict(&position)?.outcome))
}
