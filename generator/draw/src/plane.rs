//! Draws a plane of cells, each of a class, with axes and legend.

use std::str::FromStr;

use super::axes::{PictureAxis, with_axes};
use super::drawable::{Drawable, PlaneView};
use super::error::{Result, check_count};
use super::palette::{AXIS, HAIRLINE, PALE_INK, PAPER};
use super::scene::{CellRun, Cells, Colour, Item, Panel, PathStep, Style};
use super::sheet::{Legend, LegendEntry};
use bouton_study::filter::Filter;
use bouton_study::words::grouped;
use bouton_study::{Progress, StudyError};
use bouton_tables::AskError;
use rayon::prelude::*;

/// Maximum number of cells of a plane.
pub(super) const MAX_CELLS: u64 = 2_000_000;
/// Maximum number of cells along a side.
const MAX_ALONG_SIDE: u64 = 7_500;

/// Maximum ratio of a cell's longer side to its shorter one.
const MAX_RATIO: f64 = 50.0;

/// The width of a plane's cells divided by their height: 1/50 to 50. As text it is `W:H` or one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aspect(f64);

impl FromStr for Aspect {
    type Err = StudyError;

    fn from_str(text: &str) -> Result<Self> {
        let (width, height) = text.split_once(':').unwrap_or((text, "1"));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| *number > 0.0);
        let ratio = number(width).zip(number(height)).map(|(width, height)| width / height);
        let ratio = ratio.filter(|ratio| (1.0 / MAX_RATIO..=MAX_RATIO).contains(ratio));
        ratio.map(Self).ok_or_else(|| {
            StudyError::Invalid(format!(
                "found '{}', expected the ratio of a cell's width to its height, from 1:50 to 50:1; give for example \
                 1:1 for squares, or 3:1",
                text.escape_debug()
            ))
        })
    }
}

/// The plane of a game to draw, and how to draw it.
#[derive(Clone, Copy)]
pub struct PlaneOptions<'a> {
    /// The filter that selects the plane, and the positions in it that get a colour.
    pub filter: &'a str,
    /// Shape of the cells. By default squares for heap games; otherwise the shape with which the plane fills up to 1000
    /// by 400 units, with cells of at most 28 by 28 units.
    pub aspect: Option<Aspect>,
    /// Callback for finished cells, and for positions whose Grundy values were computed.
    pub progress: &'a Progress<'a>,
}

/// The class of cells without a position.
pub(super) const OUTSIDE: u8 = u8::MAX;
/// The class of cells whose position the filter does not select.
pub(super) const NOT_SELECTED: u8 = u8::MAX - 1;

/// A class of cells, which have the same colour.
pub(super) struct Class {
    /// Meaning of the colour.
    pub(super) name: String,
    pub(super) colour: Colour,
}

pub(super) struct Grid {
    pub(super) columns: u32,
    /// The class of each cell, row by row from the top.
    pub(super) cells: Vec<u8>,
}

impl Grid {
    fn rows(&self) -> u32 {
        (self.cells.len() / self.columns as usize) as u32
    }

    pub(super) fn count(&self, class: u8) -> u64 {
        self.cells.iter().filter(|&&cell| cell == class).count() as u64
    }

    /// Returns the runs of neighbouring cells of the same class, in columns if `down`, otherwise in rows.
    fn runs(&self, down: bool) -> Vec<(u8, CellRun)> {
        let (columns, rows) = (self.columns, self.rows());
        let (lines, length) = if down { (columns, rows) } else { (rows, columns) };
        let mut runs: Vec<(u8, CellRun)> = Vec::new();
        for line in 0..lines {
            for index in 0..length {
                let (column, row) = if down { (line, index) } else { (index, line) };
                let class = self.cells[(row * columns + column) as usize];
                match runs.last_mut() {
                    Some((last, run)) if index > 0 && *last == class => run.length += 1,
                    _ => runs.push((class, CellRun { column, row, length: 1 })),
                }
            }
        }
        runs
    }

    /// Draws the cells of each class as one shape, made of runs along rows or along columns, whichever gives fewer
    /// runs. `cell` is a cell's size.
    pub(super) fn panel(&self, classes: &[Class], cell: (f64, f64)) -> Panel {
        let (across, down) = (self.runs(false), self.runs(true));
        let not_selected = across.iter().filter(|(class, _)| *class == NOT_SELECTED).map(|(_, run)| *run);
        let hatching = hatching(not_selected, cell);
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
        items.extend(hatching);
        // Separate large cells by lines.
        if cell.0.min(cell.1) >= 7.0 {
            let line = |from, to| [PathStep::Move(from), PathStep::Line(to)];
            let columns = (1..self.columns).map(|column| f64::from(column) * cell.0);
            let rows = (1..self.rows()).map(|row| f64::from(row) * cell.1);
            let vertical = columns.flat_map(|x| line((x, 0.0), (x, height)));
            let horizontal = rows.flat_map(|y| line((0.0, y), (width, y)));
            let lines: Vec<PathStep> = vertical.chain(horizontal).collect();
            if !lines.is_empty() {
                items.push(Item::Path(lines, Style::line(PAPER, 1.0)));
            }
        }
        Panel { width, height, items }
    }
}

/// Draws a horizontal line through runs of cells whose positions are not selected.
fn hatching(runs: impl Iterator<Item = CellRun>, (width, height): (f64, f64)) -> Option<Item> {
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

/// Draws a cell without a colour for a legend, of class [`OUTSIDE`] or [`NOT_SELECTED`].
fn blank(class: u8) -> Panel {
    let style = Style::filled(PAPER).edged(HAIRLINE, 1.0);
    let mut items = vec![Item::Rect((0.5, 0.5), (13.0, 11.0), 0.0, style)];
    if class == NOT_SELECTED {
        let rows = (0..3).map(|row| CellRun { column: 0, row, length: 1 });
        items.extend(hatching(rows, (14.0, 4.0)));
    }
    Panel { width: 14.0, height: 12.0, items }
}

/// Returns the legend of a grid. If the classes are parts of a scale, they form a bar; otherwise each class has an entry with its number
/// of cells. Cells without a colour have an entry if there are any; `outside` names those without a position.
pub(super) fn legend(title: &str, grid: &Grid, classes: &[Class], is_scale: bool, outside: &str) -> Legend {
    let mut legend = Legend { title: title.to_owned(), ..Legend::default() };
    if is_scale {
        legend.bar = classes.iter().map(|class| (class.colour, class.name.clone())).collect();
    } else {
        for (number, class) in (0..).zip(classes) {
            let label = format!("{}: {}", class.name, grouped(grid.count(number)));
            legend.entries.push(LegendEntry { mark: swatch(class.colour), label });
        }
    }
    let outside = LegendEntry { mark: blank(OUTSIDE), label: format!("empty: {outside}") };
    let blank = [(OUTSIDE, outside), (NOT_SELECTED, not_selected())].into_iter();
    legend.entries.extend(blank.filter(|(class, _)| grid.count(*class) > 0).map(|(_, entry)| entry));
    legend
}

/// Returns the legend's entry for cells whose positions the filter does not select.
pub(super) fn not_selected() -> LegendEntry {
    LegendEntry { mark: blank(NOT_SELECTED), label: "not selected".to_owned() }
}

/// Returns the number of cells of a plane. It is an error if there are too many in all or along a side.
pub(super) fn check_size<G: Drawable>(_: &G, plane: &PlaneView<G::Position>) -> Result<u64> {
    let narrow = if G::SQUARE {
        "narrow it, for example with --where 'heaps=..500,..500' in a game of two heaps"
    } else {
        "narrow it, for example with --where 'stones=1..500 currentmax=..50'"
    };
    let (columns, rows) = (plane.x.count(), plane.y.count());
    check_count(MAX_ALONG_SIDE, "cells along a side", columns.max(rows), narrow)?;
    let cells = columns * rows;
    check_count(MAX_CELLS, "cells", cells, narrow)?;
    Ok(cells)
}

/// Calls `at` with the two numbers of each cell, on all threads. Returns the results in the order of a [`Grid`]: row by row from the top.
/// Numbers grow to the right and upwards. `at` is `dyn`, so that rayon's long code is not compiled for each caller.
pub(super) fn fill<T: Send>(
    [x, y]: [&PictureAxis; 2],
    progress: &Progress,
    at: &(dyn Fn((u64, u64)) -> Result<T, AskError> + Sync),
) -> Result<Vec<T>> {
    let row = |row: u32| {
        let y = y.to - u64::from(row);
        let cells = (x.from..=x.to).map(|x| at((x, y)));
        let cells = cells.collect::<Result<Vec<T>, AskError>>()?;
        progress(cells.len() as u64)?;
        Ok(cells)
    };
    let rows = (0..y.count() as u32).into_par_iter().map(row);
    Ok(rows.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

/// The content of a cell.
#[derive(Clone, Copy)]
pub(super) enum CellContent<T> {
    /// There is no position.
    Outside,
    /// The filter does not select the position.
    NotSelected,
    /// The value of the position.
    Value(T),
}

/// Returns the content of a cell. `value` returns a position's value, if the filter selects its answer.
pub(super) fn cell_content<G: Drawable, T>(
    game: &G,
    filter: &Filter,
    plane: &PlaneView<G::Position>,
    (x, y): (u64, u64),
    value: impl FnOnce(&G::Position) -> Result<Option<T>, AskError>,
) -> Result<CellContent<T>, AskError> {
    let Some(position) = game.position_at(plane, x, y) else { return Ok(CellContent::Outside) };
    if !filter.selects_position::<G>(&position) {
        return Ok(CellContent::NotSelected);
    }
    Ok(value(&position)?.map_or(CellContent::NotSelected, CellContent::Value))
}

/// Maximum width of a plane, in units, unless a cell would be smaller than a unit.
const MAX_WIDTH: f64 = 1000.0;
/// Maximum height of a plane, in units, unless a cell would be smaller than a unit.
const MAX_HEIGHT: f64 = 400.0;
/// Maximum width and height of a plane of square cells, and maximum height of a plane with a given aspect, in units,
/// unless a cell would be smaller than a unit.
const MAX_SQUARE: f64 = 700.0;
/// Maximum width and height of a cell; with a given aspect, maximum length of its shorter side.
const MAX_CELL: f64 = 28.0;
/// Maximum width and height of any plane. A longer one is an error.
const MAX_SIDE: f64 = 16_000.0;

/// Draws a grid of a game's positions with its axes. It is an error if the aspect makes the grid too long.
pub(super) fn draw_plane<G: Drawable>(
    _: &G,
    plane: &PlaneView<G::Position>,
    grid: &Grid,
    classes: &[Class],
    aspect: Option<Aspect>,
) -> Result<Panel> {
    let (columns, rows) = (plane.x.count() as f64, plane.y.count() as f64);
    let size = |room: f64, cells: f64| (room / cells).floor().clamp(1.0, MAX_CELL);
    let cell = match aspect {
        Some(Aspect(ratio)) => {
            // The shorter side of a cell is a whole number of units, at least one, so that cells are distinguishable.
            let (wide, high) = (ratio.max(1.0), (1.0 / ratio).max(1.0));
            let short = size(MAX_WIDTH, columns * wide).min(size(MAX_SQUARE, rows * high));
            (short * wide, short * high)
        }
        None if G::SQUARE => {
            let size = size(MAX_SQUARE, columns.max(rows));
            (size, size)
        }
        None => (size(MAX_WIDTH, columns), size(MAX_HEIGHT, rows).min(12.0 * size(MAX_WIDTH, columns))),
    };
    let longest = (columns * cell.0).max(rows * cell.1);
    if longest > MAX_SIDE {
        return Err(StudyError::Invalid(format!(
            "--aspect: with cells like this the plane would be {} pixels long, and at most {} can be drawn; give an aspect \
             nearer to 1:1, or narrow the plane with --where",
            grouped(longest as u64),
            grouped(MAX_SIDE as u64)
        )));
    }
    Ok(with_axes(grid.panel(classes, cell), &plane.x, &plane.y, G::SQUARE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_is_one_number_or_two() {
        for (text, ratio) in
            [("1", 1.0), ("3:1", 3.0), ("1:4", 0.25), (" 2 : 4 ", 0.5), ("0.5", 0.5), ("50", 50.0)]
        {
            assert_eq!(text.parse::<Aspect>().unwrap(), Aspect(ratio), "{text}");
        }
        for text in ["", "x", "0", "-1", "1:0", "0:0", "51", "1:51", "nan", "inf", "1:2:3", "1e999", ":"] {
            let error = text.parse::<Aspect>().unwrap_err().to_string();
            assert!(error.contains(&format!("found '{text}'")) && error.contains("1:50 to 50:1"), "{error}");
        }
    }
}
