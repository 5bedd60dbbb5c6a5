//! A plane of cells, each of a class.

use super::aspect::Aspect;
use super::axes::{Axis, framed};
use super::drawn::{Drawn, View};
use super::error::{DrawError, at_most};
use super::palette::{AXIS, HAIR, PALE_INK, PAPER};
use super::scene::{Cells, Colour, Item, Panel, Run, Step, Style};
use super::sheet::{Entry, Legend};
use bouton_study::Progress;
use bouton_study::select::Filter;
use bouton_study::words::grouped;
use bouton_tables::AskError;
use rayon::prelude::*;

pub(super) const MAX_CELLS: u64 = 2_000_000;
/// The most cells along a side.
const MAX_ALONG: u64 = 7_500;

/// What a place holds that has no class.
pub(super) const OUTSIDE: u8 = u8::MAX;
/// What a place holds whose position the filter leaves out.
pub(super) const LEFT_OUT: u8 = u8::MAX - 1;

/// What cells of one colour have in common.
pub(super) struct Class {
    pub(super) name: String,
    pub(super) colour: Colour,
}

/// Cells, row by row from the top, each with the number of its class.
pub(super) struct Grid {
    pub(super) columns: u32,
    pub(super) cells: Vec<u8>,
}

impl Grid {
    fn rows(&self) -> u32 {
        (self.cells.len() / self.columns as usize) as u32
    }

    pub(super) fn count(&self, class: u8) -> u64 {
        self.cells.iter().filter(|&&cell| cell == class).count() as u64
    }

    /// Neighbouring cells of the same class, in rows or in columns.
    fn runs(&self, down: bool) -> Vec<(u8, Run)> {
        let (columns, rows) = (self.columns, self.rows());
        let (lines, length) = if down { (columns, rows) } else { (rows, columns) };
        let place = |line, along| if down { along * columns + line } else { line * columns + along };
        let mut runs: Vec<(u8, Run)> = Vec::new();
        for line in 0..lines {
            let mut open = false;
            for along in 0..length {
                let class = self.cells[place(line, along) as usize];
                match runs.last_mut() {
                    Some((last, run)) if open && *last == class => run.length += 1,
                    _ => {
                        let (column, row) = if down { (line, along) } else { (along, line) };
                        runs.push((class, Run { column, row, length: 1 }));
                    }
                }
                open = true;
            }
        }
        runs
    }

    /// The cells as shapes, one for each class, in the way that takes fewer runs. Their panel is as large as
    /// the grid with cells of this size.
    pub(super) fn panel(&self, classes: &[Class], cell: (f64, f64)) -> Panel {
        let (across, down) = (self.runs(false), self.runs(true));
        let left_out = across.iter().filter(|(class, _)| *class == LEFT_OUT).map(|(_, run)| *run);
        let ruled = ruled(left_out, cell);
        let is_down = down.len() < across.len();
        let runs = if is_down { down } else { across };
        let (width, height) = (f64::from(self.columns) * cell.0, f64::from(self.rows()) * cell.1);
        let mut items = Vec::new();
        for (number, class) in (0..).zip(classes) {
            let runs: Vec<Run> =
                runs.iter().filter(|(class, _)| *class == number).map(|&(_, run)| run).collect();
            if !runs.is_empty() {
                let (name, colour) = (class.name.clone(), class.colour);
                items.push(Item::Cells(Cells { name, at: (0.0, 0.0), cell, colour, down: is_down, runs }));
            }
        }
        items.extend(ruled);
        // Large cells are set apart.
        if cell.0.min(cell.1) >= 7.0 {
            let line = |from, to| [Step::Move(from), Step::Line(to)];
            let columns = (1..self.columns).flat_map(|column| {
                let x = f64::from(column) * cell.0;
                line((x, 0.0), (x, height))
            });
            let rows = (1..self.rows()).flat_map(|row| {
                let y = f64::from(row) * cell.1;
                line((0.0, y), (width, y))
            });
            let lines: Vec<Step> = columns.chain(rows).collect();
            if !lines.is_empty() {
                items.push(Item::Path(lines, Style::line(PAPER, 1.0)));
            }
        }
        Panel { width, height, items }
    }
}

/// How places look that are not selected: ruled, while those without a position are blank.
fn ruled(runs: impl Iterator<Item = Run>, (width, height): (f64, f64)) -> Option<Item> {
    let line = |run: Run| {
        let (x, y) = (f64::from(run.column) * width, (f64::from(run.row) + 0.5) * height);
        [Step::Move((x, y)), Step::Line((x + f64::from(run.length) * width, y))]
    };
    let steps: Vec<Step> = runs.flat_map(line).collect();
    (!steps.is_empty()).then(|| Item::Path(steps, Style::line(AXIS, (height * 0.25).min(1.0))))
}

/// A square of a colour, for a legend.
pub(super) fn swatch(colour: Colour) -> Panel {
    let style = Style::filled(colour).edged(PALE_INK, 0.5);
    Panel { width: 14.0, height: 12.0, items: vec![Item::Rect((0.0, 0.0), (14.0, 12.0), 0.0, style)] }
}

/// The same of places without a colour.
fn blank(class: u8) -> Panel {
    let style = Style::filled(PAPER).edged(HAIR, 1.0);
    let mut items = vec![Item::Rect((0.5, 0.5), (13.0, 11.0), 0.0, style)];
    if class == LEFT_OUT {
        let rows = (0..3).map(|row| Run { column: 0, row, length: 1 });
        items.extend(ruled(rows, (14.0, 4.0)));
    }
    Panel { width: 14.0, height: 12.0, items }
}

/// The entries of a grid's classes, each with how many cells are of it if `counted`, and of the places that are empty,
/// with why they are. Classes of a scale are blocks of a bar.
pub(super) fn legend(title: &str, grid: &Grid, classes: &[Class], kind: Kind, outside: &str) -> Legend {
    let mut legend = Legend { title: title.to_owned(), ..Legend::default() };
    if kind == Kind::Scale {
        legend.bar = classes.iter().map(|class| (class.colour, class.name.clone())).collect();
    } else {
        for (number, class) in (0..).zip(classes) {
            let label = format!("{}: {}", class.name, grouped(grid.count(number)));
            legend.entries.push(Entry { mark: swatch(class.colour), label });
        }
    }
    legend.entries.extend(empty(grid, outside));
    legend
}

/// What classes have to do with each other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// They are different things, and cells of each are counted.
    Things,
    /// They are parts of a scale.
    Scale,
}

/// The entries of the places of a grid that are empty, with why they are.
fn empty(grid: &Grid, outside: &str) -> impl Iterator<Item = Entry> {
    let outside = Entry { mark: blank(OUTSIDE), label: format!("empty: {outside}") };
    let entries = [(OUTSIDE, outside), (LEFT_OUT, not_selected())];
    entries.into_iter().filter(|(class, _)| grid.count(*class) > 0).map(|(_, entry)| entry)
}

/// The entry of places that a filter leaves out.
pub(super) fn not_selected() -> Entry {
    Entry { mark: blank(LEFT_OUT), label: "not selected".to_owned() }
}

/// How many cells the plane of a game has, before anything is looked up.
///
/// # Errors
/// If they are too many, in all or along a side.
pub(super) fn cells<G: Drawn>(_: &G, view: &View<G::Position>) -> Result<u64, DrawError> {
    let narrow = if G::SQUARE {
        "narrow it, for example with --where 'heaps=..500,..500' in a game of two heaps"
    } else {
        "narrow it, for example with --where 'stones=1..500 currentmax=..50'"
    };
    let (columns, rows) = (view.x.count(), view.y.count());
    at_most(MAX_ALONG, "cells along a side", columns.max(rows).into(), narrow)?;
    let cells = u64::from(columns) * u64::from(rows);
    at_most(MAX_CELLS, "cells", cells, narrow)?;
    Ok(cells)
}

/// Fills a grid of two axes, which begins at the upper left: numbers grow to the right and upwards. `at` is not generic, so that the
/// division among threads is compiled once.
pub(super) fn fill<T: Send>(
    [x, y]: [&Axis; 2],
    progress: &Progress,
    at: &(dyn Fn((u32, u32)) -> Result<T, AskError> + Sync),
) -> Result<Vec<T>, DrawError> {
    let row = |row| {
        let y = y.to - row;
        let cells = (x.from..=x.to).map(|x| at((x, y)));
        let cells = cells.collect::<Result<Vec<T>, AskError>>()?;
        progress(cells.len() as u64)?;
        Ok(cells)
    };
    let rows = (0..y.count()).into_par_iter().map(row);
    Ok(rows.collect::<Result<Vec<_>, DrawError>>()?.into_iter().flatten().collect())
}

/// What is known of a place of a plane.
#[derive(Clone, Copy)]
pub(super) enum Place<T> {
    /// There is no position.
    Outside,
    /// The filter does not select it.
    LeftOut,
    Known(T),
}

/// Looks at a place. `know` looks at its position, and gives `None` if the filter does not select the answer.
pub(super) fn look<G: Drawn, T>(
    game: &G,
    filter: &Filter,
    view: &View<G::Position>,
    (x, y): (u32, u32),
    know: impl FnOnce(&G::Position) -> Result<Option<T>, AskError>,
) -> Result<Place<T>, AskError> {
    let Some(position) = game.at(view, x, y) else { return Ok(Place::Outside) };
    if !filter.has_position::<G>(&position) {
        return Ok(Place::LeftOut);
    }
    Ok(know(&position)?.map_or(Place::LeftOut, Place::Known))
}

/// So many units wide a plane is at most, unless a cell would be less than a unit.
const WIDTH: f64 = 1000.0;
/// The same of its height.
const HEIGHT: f64 = 400.0;
/// The same of both if they are alike.
const SQUARE: f64 = 700.0;
/// The size of a cell at most.
const LARGEST: f64 = 28.0;
/// The longest side of a plane that has an aspect of its own.
const LONGEST: f64 = 16_000.0;

/// A grid of a game's positions with its axes.
///
/// # Errors
/// If with this aspect it would be too long.
pub(super) fn plane<G: Drawn>(
    _: &G,
    view: &View<G::Position>,
    grid: &Grid,
    classes: &[Class],
    aspect: Option<Aspect>,
) -> Result<Panel, DrawError> {
    let (columns, rows) = (f64::from(view.x.count()), f64::from(view.y.count()));
    let size = |room: f64, cells: f64| (room / cells).floor().clamp(1.0, LARGEST);
    let cell = match aspect {
        Some(aspect) => {
            // The shorter side of a cell is a whole number, so that cells can be seen apart.
            let (wide, high) = (aspect.ratio().max(1.0), (1.0 / aspect.ratio()).max(1.0));
            let short = size(WIDTH, columns * wide).min(size(SQUARE, rows * high));
            (short * wide, short * high)
        }
        None if G::SQUARE => {
            let size = size(SQUARE, columns.max(rows));
            (size, size)
        }
        None => (size(WIDTH, columns), size(HEIGHT, rows).min(12.0 * size(WIDTH, columns))),
    };
    let longest = (columns * cell.0).max(rows * cell.1);
    if longest > LONGEST {
        return Err(DrawError::Invalid(format!(
            "--aspect: with cells like this the plane would be {} pixels long, and at most {} can be drawn; give an aspect \
             nearer to 1:1, or narrow the plane with --where",
            grouped(longest as u64),
            grouped(LONGEST as u64)
        )));
    }
    Ok(framed(grid.panel(classes, cell), &view.x, &view.y, G::SQUARE))
}
