//! Lays out a sheet for a player at the board on pages of paper.

use bouton_study::sheet::{Sheet, SheetBlock, SheetRow};

use super::font::{width, wrap};
use super::palette::{HAIRLINE, INK, LOST, PALE_INK};
use super::scene::{Anchor, Item, POINTS_PER_UNIT, Panel, Scene};
use super::sheet::{paragraph, text};

/// The size of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Paper {
    /// 210 by 297 millimetres.
    #[default]
    A4,
    /// 8.5 by 11 inches.
    Letter,
}

impl Paper {
    /// Width and height, in points of 1/72 inch.
    fn points(self) -> (f64, f64) {
        match self {
            Self::A4 => (210.0 / 25.4 * 72.0, 297.0 / 25.4 * 72.0),
            Self::Letter => (612.0, 792.0),
        }
    }
}

/// Size of letters in the title. 10 units are 7.5 points.
const TITLE: f64 = 17.0;
/// Size of letters in headings.
const HEADING: f64 = 12.5;
/// Size of letters in paragraphs.
const BODY: f64 = 10.5;
/// Size of letters at the foot of each page.
const FOOT: f64 = 9.35;
/// Size of letters in tables.
const TABLE: f64 = 10.0;
/// Size of letters in the tables of a sheet of more than [`FEW_PAGES`] pages, if that saves a page: 7 points.
const SMALL_TABLE: f64 = 9.4;
/// A sheet of at most this number of pages keeps letters of size [`TABLE`].
const FEW_PAGES: usize = 2;
/// Margin of each page: 10 millimetres.
const MARGIN: f64 = 38.0;
/// Space between the label of a row and its text.
const GAP: f64 = 10.0;
/// Space between two columns of rows.
const COLUMN_GAP: f64 = 24.0;
/// Minimum number of short rows that are set in two columns.
const MIN_SHORT_ROWS: usize = 6;
/// Minimum number of extra rows.
const MIN_EXTRA_ROWS: usize = 3;
/// Space above the first line of a row's text, and below the last.
const LINE_SPACE: f64 = 1.5;

/// Returns the pages of a sheet, as scenes of the paper's size. Only the first page shows the sheet's title.
pub fn handout(sheet: &Sheet, paper: Paper) -> Vec<Scene> {
    let [usual, small] = [TABLE, SMALL_TABLE].map(|letters| pages(sheet, paper, letters));
    if usual.len() > FEW_PAGES && small.len() < usual.len() { small } else { usual }
}

/// Returns the pages of a sheet whose tables have this size of letters.
fn pages(sheet: &Sheet, paper: Paper, letters: f64) -> Vec<Scene> {
    let points = paper.points();
    let [width, height] = [points.0, points.1].map(|side| (side / POINTS_PER_UNIT).round());
    let mut flow = PageFlow {
        inner: width - 2.0 * MARGIN,
        room: height - 2.0 * MARGIN - 2.0 * FOOT,
        letters,
        pages: vec![Panel::default()],
    };
    flow.put(vec![paragraph(&wrap(&sheet.title, TITLE, flow.inner), TITLE, INK)], 0.0);
    for block in &sheet.blocks {
        flow.block(block);
    }
    let count = flow.pages.len();
    let pages = (1..).zip(flow.pages).map(|(number, page)| {
        let mut canvas = Panel::default();
        canvas.put(page, (MARGIN, MARGIN));
        let foot = height - MARGIN;
        canvas.items.push(text((MARGIN, foot), Anchor::Start, FOOT, PALE_INK, &sheet.source));
        let page = format!("page {number} of {count}");
        canvas.items.push(text((width - MARGIN, foot), Anchor::End, FOOT, PALE_INK, page));
        Scene {
            title: sheet.title.clone(),
            description: "what to leave the opponent, for the board".to_owned(),
            width: width as u32,
            height: height as u32,
            paper: Some(points),
            items: canvas.items,
        }
    });
    pages.collect()
}

/// Joins pages into one picture, one below the other.
///
/// # Panics
/// If there is no page.
pub fn join_pages(pages: &[Scene]) -> Scene {
    let first = pages.first().expect("a sheet has a page");
    let mut joined = Panel::default();
    for Scene { width, height, items, .. } in pages {
        let page = Panel { width: (*width).into(), height: (*height).into(), items: items.clone() };
        joined.put(page, (0.0, joined.height));
    }
    let points = pages.iter().filter_map(|page| page.paper).map(|(_, height)| height).sum();
    let paper = first.paper.map(|(width, _)| (width, points));
    Scene { height: joined.height as u32, paper, items: joined.items, ..first.clone() }
}

/// The pages filled so far.
struct PageFlow {
    /// Width of a page within its margins.
    inner: f64,
    /// Height of a page within its margins, and above the foot.
    room: f64,
    /// Size of letters in tables.
    letters: f64,
    pages: Vec<Panel>,
}

impl PageFlow {
    /// Adds panels below the previous ones, after a space of `above` units. Begins a new page if not all of them fit.
    fn put(&mut self, panels: Vec<Panel>, above: f64) {
        let height: f64 = panels.iter().map(|panel| panel.height).sum();
        if height > self.room && panels.len() > 1 {
            // No page has room for all of them.
            return panels.into_iter().for_each(|panel| self.put(vec![panel], 0.0));
        }
        if self.height() > 0.0 && self.height() + above + height > self.room {
            self.pages.push(Panel::default());
        }
        let page = self.pages.last_mut().expect("there is a page");
        let mut y = if page.height > 0.0 { page.height + above } else { 0.0 };
        for panel in panels {
            let height = panel.height;
            page.put(panel, (0.0, y));
            y += height;
        }
    }

    /// Returns the height of the last page so far.
    fn height(&self) -> f64 {
        self.pages.last().map_or(0.0, |page| page.height)
    }

    fn block(&mut self, block: &SheetBlock) {
        match block {
            SheetBlock::Heading(heading) => {
                // A heading must not be last on a page.
                if self.height() + 60.0 > self.room {
                    self.pages.push(Panel::default());
                }
                self.put(vec![self.heading(heading)], 8.0);
            }
            SheetBlock::Text(words) => {
                for line in wrap(words, BODY, self.inner) {
                    self.put(vec![paragraph(&[line], BODY, INK)], 1.0);
                }
            }
            SheetBlock::Rows(rows) => self.rows(rows),
            SheetBlock::Extra(heading, rows) => self.extra(heading, rows),
        }
    }

    fn heading(&self, heading: &str) -> Panel {
        let mut panel = paragraph(&wrap(heading, HEADING, self.inner), HEADING, LOST);
        panel.items.push(Item::line((0.0, panel.height), (self.inner, panel.height), LOST, 0.75));
        panel.height += 2.0;
        panel
    }

    /// Adds a heading and as many rows as fit on the page; nothing if fewer than [`MIN_EXTRA_ROWS`] fit.
    fn extra(&mut self, heading: &str, rows: &[SheetRow]) {
        let heading = self.heading(heading);
        let label = self.label_width(rows);
        let mut room = self.room - self.height() - 8.0 - heading.height;
        let panels = rows.iter().map(|row| self.row(row, label, self.inner));
        let fitting = panels.take_while(|panels| {
            room -= panels.iter().map(|panel| panel.height).sum::<f64>();
            room >= 0.0
        });
        let fitting: Vec<Vec<Panel>> = fitting.collect();
        if fitting.len() >= MIN_EXTRA_ROWS {
            self.put(vec![heading], 8.0);
            fitting.into_iter().for_each(|panels| self.put(panels, 0.0));
        }
    }

    /// Adds rows. If there are many short rows at the end, they form two columns.
    fn rows(&mut self, rows: &[SheetRow]) {
        let label = self.label_width(rows);
        let half = ((self.inner - COLUMN_GAP) / 2.0).floor();
        let is_short = |row: &SheetRow| label + GAP + width(&row.text, self.letters) <= half;
        let short = rows.iter().rev().take_while(|row| is_short(row)).count();
        let in_one_column = if short >= MIN_SHORT_ROWS { rows.len() - short } else { rows.len() };
        for row in &rows[..in_one_column] {
            let panels = self.row(row, label, self.inner);
            self.put(panels, 0.0);
        }
        // The first half goes to the left column, the second to the right.
        let rest = &rows[in_one_column..];
        let (left, right) = rest.split_at(rest.len().div_ceil(2));
        for (index, row) in left.iter().enumerate() {
            let mut panel = stack(self.row(row, label, half));
            if let Some(other) = right.get(index) {
                panel.put(stack(self.row(other, label, half)), (half + COLUMN_GAP, 0.0));
            }
            self.put(vec![panel], 0.0);
        }
    }

    /// Returns the width of the widest label.
    fn label_width(&self, rows: &[SheetRow]) -> f64 {
        rows.iter().map(|row| width(&row.label, self.letters)).fold(0.0, f64::max).ceil()
    }

    /// Draws a row of `inner` units: its label of `label` units, its text in lines, and a rule below. Returns a panel for each line.
    fn row(&self, row: &SheetRow, label: f64, inner: f64) -> Vec<Panel> {
        let letters = self.letters;
        let lines = wrap(&row.text, letters, inner - label - GAP);
        let last = lines.len().saturating_sub(1);
        let draw_line = |(index, line): (usize, &String)| {
            let above = if index == 0 { LINE_SPACE } else { 0.0 };
            let height = (letters * 1.25).round() + above;
            let mut panel = Panel { width: inner, height, items: Vec::new() };
            let y = letters + above;
            if index == 0 {
                panel.items.push(text((0.0, y), Anchor::Start, letters, PALE_INK, &row.label));
            }
            panel.items.push(text((label + GAP, y), Anchor::Start, letters, INK, line));
            if index == last {
                panel.height += LINE_SPACE;
                panel.items.push(Item::line((0.0, panel.height), (inner, panel.height), HAIRLINE, 0.5));
            }
            panel
        };
        lines.iter().enumerate().map(draw_line).collect()
    }
}

/// Joins panels, one below the other.
fn stack(panels: Vec<Panel>) -> Panel {
    panels.into_iter().fold(Panel::default(), |mut stack, panel| {
        let y = stack.height;
        stack.put(panel, (0.0, y));
        stack
    })
}
