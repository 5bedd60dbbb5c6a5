//! Draws a plane of cells, each of a class, with axes and legend.

use super::aspect::Aspect;
use super::axes::{PlaneAxis, framed};
use super::drawn::{Drawable, PlaneView};
use super::error::{DrawError, at_most};
use super::palette::{AXIS, HAIR, PALE_INK, PAPER};
use super::scene::{CellRun, Cells, Colour, Item, Panel, PathStep, Style};
use super::sheet::{Legend, LegendEntry};
use bouton_study::Progress;
use bouton_study::select::Filter;
use bouton_study::words::grouped;
use bouton_tables::AskError;
use rayon::prelude::*;

pub(super) const MAX_CELLS: u64 = 2_000_000;
/// Most cells along a side.
const MAX_ALONG: u64 = 7_500;

/// Content of a place without a position.
pub(super) const OUTSIDE: u8 = u8::MAX;
/// Content of a place that the filter does not select.
pub(super) const LEFT_OUT: u8 = u8::MAX - 1;

/// A class of cells: one colour, and its meaning.
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

    /// Returns the runs of neighbouring cells of the same class, along rows or columns.
    fn runs(&self, down: bool) -> Vec<(u8, CellRun)> {
        let (columns, rows) = (self.columns, self.rows());
        let (lines, length) = if down { (columns, rows) } else { (rows, columns) };
        let place = |line, along| if down { along * columns + line } else { line * columns + along };
        let mut runs: Vec<(u8, CellRun)> = Vec::new();
        for line in 0..lines {
            let mut open = false;
            for along in 0..length {
                let class = self.cells[place(line, along) as usize];
                match runs.last_mut() {
                    Some((last, run)) if open && *last == class => run.length += 1,
                    _ => {
                        let (column, row) = if down { (line, along) } else { (along, line) };
                        runs.push((class, CellRun { column, row, length: 1 }));
                    }
                }
                open = true;
            }
        }
        runs
    }

    /// Draws the cells of each class as one shape, by rows or columns, whichever takes fewer runs. `cell` is the size
    /// of a cell.
    pub(super) fn panel(&self, classes: &[Class], cell: (f64, f64)) -> Panel {
        let (across, down) = (self.runs(false), self.runs(true));
        let left_out = across.iter().filter(|(class, _)| *class == LEFT_OUT).map(|(_, run)| *run);
        let ruled = ruled(left_out, cell);
        let is_down = down.len() < across.len();
        let runs = if is_down { down } else { across };
        let (width, height) = (f64::from(self.columns) * cell.0, f64::from(self.rows()) * cell.1);
        let mut items = Vec::new();
        for (number, class) in (0..).zip(classes) {
            let runs: Vec<CellRun> =
                runs.iter().filter(|(class, _)| *class == number).map(|&(_, run)| run).collect();
            if !runs.is_empty() {
                let (name, colour) = (class.name.clone(), class.colour);
                items.push(Item::Cells(Cells { name, at: (0.0, 0.0), cell, colour, down: is_down, runs }));
            }
        }
        items.extend(ruled);
        // Separate large cells by lines.
        if cell.0.min(cell.1) >= 7.0 {
            let line = |from, to| [PathStep::Move(from), PathStep::Line(to)];
            let columns = (1..self.columns).flat_map(|column| {
                let x = f64::from(column) * cell.0;
                line((x, 0.0), (x, height))
            });
            let rows = (1..self.rows()).flat_map(|row| {
                let y = f64::from(row) * cell.1;
                line((0.0, y), (width, y))
            });
            let lines: Vec<PathStep> = columns.chain(rows).collect();
            if !lines.is_empty() {
                items.push(Item::Path(lines, Style::line(PAPER, 1.0)));
            }
        }
        Panel { width, height, items }
    }
}

/// Hatches places that are not selected; places without a position stay blank.
fn ruled(runs: impl Iterator<Item = CellRun>, (width, height): (f64, f64)) -> Option<Item> {
    let line = |run: CellRun| {
        let (x, y) = (f64::from(run.column) * width, (f64::from(run.row) + 0.5) * height);
        [PathStep::Move((x, y)), PathStep::Line((x + f64::from(run.length) * width, y))]
    };
    let steps: Vec<PathStep> = runs.flat_map(line).collect();
    (!steps.is_empty()).then(|| Item::Path(steps, Style::line(AXIS, (height * 0.25).min(1.0))))
}

/// Draws a coloured square for a legend.
pub(super) fn swatch(colour: Colour) -> Panel {
    let style = Style::filled(colour).edged(PALE_INK, 0.5);
    Panel { width: 14.0, height: 12.0, items: vec![Item::Rect((0.0, 0.0), (14.0, 12.0), 0.0, style)] }
}

/// Draws the square of places without a colour for a legend.
fn blank(class: u8) -> Panel {
    let style = Style::filled(PAPER).edged(HAIR, 1.0);
    let mut items = vec![Item::Rect((0.5, 0.5), (13.0, 11.0), 0.0, style)];
    if class == LEFT_OUT {
        let rows = (0..3).map(|row| CellRun { column: 0, row, length: 1 });
        items.extend(ruled(rows, (14.0, 4.0)));
    }
    Panel { width: 14.0, height: 12.0, items }
}

/// Returns the legend of a grid: its classes, with numbers of cells if they are things, and its empty places with the
/// reason. The classes of a scale form a bar.
pub(super) fn legend(title: &str, grid: &Grid, classes: &[Class], kind: ClassKind, outside: &str) -> Legend {
    let mut legend = Legend { title: title.to_owned(), ..Legend::default() };
    if kind == ClassKind::Scale {
        legend.bar = classes.iter().map(|class| (class.colour, class.name.clone())).collect();
    } else {
        for (number, class) in (0..).zip(classes) {
            let label = format!("{}: {}", class.name, grouped(grid.count(number)));
            legend.entries.push(LegendEntry { mark: swatch(class.colour), label });
        }
    }
    legend.entries.extend(empty(grid, outside));
    legend
}

/// Relation of the classes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ClassKind {
    /// Different things, whose cells are counted.
    Things,
    /// Parts of a scale.
    Scale,
}

/// Iterates over the legend's entries for empty places.
fn empty(grid: &Grid, outside: &str) -> impl Iterator<Item = LegendEntry> {
    let outside = LegendEntry { mark: blank(OUTSIDE), label: format!("empty: {outside}") };
    let entries = [(OUTSIDE, outside), (LEFT_OUT, not_selected())];
    entries.into_iter().filter(|(class, _)| grid.count(*class) > 0).map(|(_, entry)| entry)
}

/// Returns the legend's entry for places that the filter does not select.
pub(super) fn not_selected() -> LegendEntry {
    LegendEntry { mark: blank(LEFT_OUT), label: "not selected".to_owned() }
}

/// Returns the number of cells of a plane, before anything is looked up.
///
/// # Errors
/// If they are too many, in all or along a side.
pub(super) fn cells<G: Drawable>(_: &G, view: &PlaneView<G::Position>) -> Result<u64, DrawError> {
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

/// Fills a grid from the upper left; numbers grow to the right and upwards. `at` is not generic, so that the code that
/// divides the work among threads is compiled once.
pub(super) fn fill<T: Send>(
    [x, y]: [&PlaneAxis; 2],
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

/// Content of a place of a plane.
#[derive(Clone, Copy)]
pub(super) enum CellContent<T> {
    /// There is no position.
    Outside,
    /// The filter does not select it.
    LeftOut,
    Known(T),
}

/// Looks up a place. `know` evaluates its position, and returns `None` if the filter does not select the answer.
pub(super) fn look<G: Drawable, T>(
    game: &G,
    filter: &Filter,
    view: &PlaneView<G::Position>,
    (x, y): (u32, u32),
    know: impl FnOnce(&G::Position) -> Result<Option<T>, AskError>,
) -> Result<CellContent<T>, AskError> {
    let Some(position) = game.at(view, x, y) else { return Ok(CellContent::Outside) };
    if !filter.selects_position::<G>(&position) {
        return Ok(CellContent::LeftOut);
    }
    Ok(know(&position)?.map_or(CellContent::LeftOut, CellContent::Known))
}

/// Greatest width of a plane, in units, unless a cell would be smaller than a unit.
const WIDTH: f64 = 1000.0;
/// Greatest height of a plane.
const HEIGHT: f64 = 400.0;
/// Greatest width and height if both axes are alike.
const SQUARE: f64 = 700.0;
/// Greatest size of a cell.
const LARGEST: f64 = 28.0;
/// Longest side of a plane with a given aspect.
const LONGEST: f64 = 16_000.0;

/// Draws a grid of a game's positions with its axes.
///
/// # Errors
/// If the aspect makes it too long.
pub(super) fn plane<G: Drawable>(
    _: &G,
    view: &PlaneView<G::Position>,
    grid: &Grid,
    classes: &[Class],
    aspect: Option<Aspect>,
) -> Result<Panel, DrawError> {
    let (columns, rows) = (f64::from(view.x.count()), f64::from(view.y.count()));
    let size = |room: f64, cells: f64| (room / cells).floor().clamp(1.0, LARGEST);
    let cell = match aspect {
        Some(aspect) => {
            // The shorter side of a cell is a whole number of units, so that cells are distinguishable.
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
