//! Draws the won and lost starts of Expanding Nim: a row for each pair of the players' resets, with a cell for each number of stones.
//! If the rows are long, the picture has several bands, one below the other; each band has all rows for a part of the stones.

use bouton_study::StudyError;
use bouton_study::filter::Filter;
use bouton_study::words::{InWords, grouped, percent};
use bouton_tables::expanding::{Expanding, Position};
use bouton_tables::{AskError, FamilyTable, Game, Outcome, Ruleset, Solved, Table};

use crate::axes::{self, PictureAxis};
use crate::error::{Result, check_count};
use crate::font::width;
use crate::palette::{INK, LOST, PALE_INK, PAPER, WON};
use crate::plane::{Class, Grid, MAX_CELLS, NOT_SELECTED, not_selected, swatch};
use crate::scene::{Anchor, Colour, Item, Panel, Point, Scene};
use crate::sheet::{Legend, LegendEntry, MIDDLE, centred, sheet, text};

/// Maximum number of rows in all bands together.
const MAX_ROWS: u64 = 1500;
/// Maximum width of a band, in units.
const MAX_WIDTH: u32 = 1000;
/// Maximum height of the rows of all bands, in units, if cells are 2 to 10 units wide.
const MAX_HEIGHT: f64 = 1400.0;
/// Height of a row.
const ROW: f64 = 11.0;
/// Space between rows with different resets of player 1.
const GROUP_GAP: f64 = 6.0;
/// Space between bands.
const BAND_GAP: f64 = 18.0;
/// Size of the letters at the ends of rows.
const LETTERS: f64 = 9.5;

/// Advice on how to request fewer starts.
const NARROW: &str = "narrow it, for example with --where 'stones=1..500' or 'resets=4,*'";

struct StartsRow {
    resets: [u8; 2],
    /// The class of each start: an index into [`CLASSES`], or [`NOT_SELECTED`].
    starts: Vec<u8>,
}

/// The names and colours of the classes.
const CLASSES: [(&str, Colour); 2] = [("lost start", LOST), ("won start", WON)];

/// Draws the starts of Expanding Nim, won or lost, for every pair of resets; `None` if the filter selects no start.
///
/// # Errors
/// If the table is not of Expanding Nim or is damaged, the filter does not parse, or there are too many starts.
pub fn starts(table: &Table, filter: &str) -> Result<Option<Scene>> {
    match table.family() {
        FamilyTable::Expanding(table) => draw(table, filter),
        FamilyTable::Heaps(_) => Err(no_starts(&table.header().ruleset)),
    }
}

/// Checks without a table that [`starts`] can draw a ruleset's starts.
///
/// # Errors
/// If the ruleset is not of Expanding Nim, the filter does not parse, or there are too many starts.
pub fn starts_fit(ruleset: &Ruleset, filter: &str) -> Result<()> {
    let rules = Expanding::of(ruleset).ok_or_else(|| no_starts(ruleset))?;
    StartSelection::of(rules, filter).map(drop)
}

fn no_starts(ruleset: &Ruleset) -> StudyError {
    StudyError::Invalid(format!(
        "pictures of starts exist only for Expanding Nim, where a game can start with any number of stones; \
         this is game \"{}\": draw it with `bouton draw heatmap` or `bouton draw game-map`",
        ruleset.family()
    ))
}

fn draw<S: Solved<Game = Expanding>>(table: &S, filter: &str) -> Result<Option<Scene>> {
    let Some(StartSelection { filter, stones, pairs, layout }) = StartSelection::of(table.game(), filter)?
    else {
        return Ok(None);
    };
    let class = |resets, stones| {
        let start = Position { resets, ..table.game().start(stones) };
        if !filter.selects_position::<Expanding>(&start) {
            return Ok(NOT_SELECTED);
        }
        Ok(u8::from(table.outcome(&start)? == Outcome::Win))
    };
    let row = |&resets: &[u8; 2]| {
        let starts = (stones.from..=stones.to).map(|stones| class(resets, stones));
        Ok(StartsRow { resets, starts: starts.collect::<Result<_, AskError>>()? })
    };
    let rows = pairs.iter().map(row).collect::<Result<Vec<StartsRow>, AskError>>()?;
    if rows.iter().all(|row| row.starts.iter().all(|&start| start == NOT_SELECTED)) {
        return Ok(None);
    }
    let subtitle = "starts of games, player 1 to move: a line for each pair of resets, player 1's and player \
                    2's; after it the number of lost starts";
    let entry = |(name, colour): (&str, _)| LegendEntry {
        mark: swatch(colour),
        label: format!("{name} for player 1"),
    };
    let mut entries: Vec<LegendEntry> = CLASSES.map(entry).into_iter().rev().collect();
    if rows.iter().any(|row| row.starts.contains(&NOT_SELECTED)) {
        entries.push(not_selected());
    }
    let legend = Legend { entries, ..Legend::default() };
    Ok(Some(sheet(&table.game().in_words(), subtitle, layout.picture(&stones, &rows), &legend)))
}

/// The stones and resets among which a filter selects starts.
struct StartSelection {
    filter: Filter,
    stones: PictureAxis,
    /// The pairs of both players' resets.
    pairs: Vec<[u8; 2]>,
    layout: StartsLayout,
}

impl StartSelection {
    /// Returns the stones and resets among which a filter selects starts; `None` if it allows none.
    fn of(rules: &Expanding, filter: &str) -> Result<Option<Self>> {
        let filter = Filter::parse(rules, true, filter)?;
        if filter.restricts_answer() {
            return Err(StudyError::Invalid("--where: starts are selected by stones and resets".to_owned()));
        }
        let span = filter.span("stones", 0);
        let (from, to) = (span.from.max(1), span.to.min(rules.stones()));
        let left = |player: usize| {
            let span = filter.span("resets", player);
            (0..=rules.resets()[player]).filter(move |&left| span.has(left.into()))
        };
        let pairs: Vec<[u8; 2]> =
            left(0).flat_map(|first| left(1).map(move |second| [first, second])).collect();
        if from > to || pairs.is_empty() {
            return Ok(None);
        }
        let stones = PictureAxis { name: "stones at the start".to_owned(), from, to };
        let cells = stones.count() * pairs.len() as u64;
        let layout = StartsLayout::of(&stones, pairs.len());
        let rows = layout.bands * pairs.len() as u64;
        check_count(MAX_CELLS, "starts", cells, NARROW)?;
        check_count(MAX_ROWS, "lines", rows, NARROW)?;
        Ok(Some(Self { filter, stones, pairs, layout }))
    }
}

impl StartsRow {
    /// Writes how many of the `count` starts from index `first` on are lost.
    fn lost_in_words(&self, first: usize, count: usize) -> String {
        let starts = &self.starts[first..first + count];
        let lost = starts.iter().filter(|&&start| start == 0).count() as u64;
        format!("{} ({})", grouped(lost), percent(lost, count as u64))
    }
}

/// The division of the stones into bands.
struct StartsLayout {
    /// Width of a cell, in units.
    cell: u32,
    /// Number of cells in each row of a band.
    length: u32,
    bands: u64,
}

impl StartsLayout {
    /// Returns a single band with cells 20 or 16 units wide, if the stones fit. Otherwise returns bands with cells 10, 8, 5, 4 or 2
    /// units wide: the widest with which the rows are within [`MAX_HEIGHT`]; with cells 1 unit wide if none are.
    fn of(stones: &PictureAxis, rows: usize) -> Self {
        let with = |cell: u32| {
            let length = stones.count().min((MAX_WIDTH / cell).into());
            Self { cell, length: length as u32, bands: stones.count().div_ceil(length) }
        };
        let fits = |layout: &Self| layout.bands as f64 * rows as f64 * ROW <= MAX_HEIGHT;
        let single = [20, 16].map(with).into_iter().find(|layout| layout.bands == 1);
        single.or_else(|| [10, 8, 5, 4, 2].map(with).into_iter().find(fits)).unwrap_or_else(|| with(1))
    }

    /// Draws all bands with their axes.
    fn picture(&self, stones: &PictureAxis, rows: &[StartsRow]) -> Panel {
        let label = |row: &StartsRow| format!("{},{}", row.resets[0], row.resets[1]);
        let widest = rows.iter().map(|row| width(&label(row), LETTERS));
        let left = (widest.fold(width(NAME, LETTERS), f64::max) + 7.0).ceil();
        let left = left.max(axes::overhang(stones, f64::from(self.length * self.cell)));
        let mut panel = Panel::default();
        for band in 0..self.bands {
            let first = band * u64::from(self.length);
            let count = stones.count().min(first + u64::from(self.length)) - first;
            let is_last = band + 1 == self.bands;
            let cells = self.band(rows, first as usize, count as usize, is_last);
            let (top, bottom) = (panel.height, panel.height + cells.height);
            panel.put(cells, (left, top));
            let name = if is_last { stones.name.clone() } else { String::new() };
            let axis = PictureAxis { name, from: stones.from + first, to: stones.from + first + count - 1 };
            let across = count as f64 * f64::from(self.cell);
            let mut below = axes::below(&axis, across, axis.step_below(across));
            below.height -= if is_last { 0.0 } else { MIDDLE };
            panel.put(below, (left, bottom));
            panel.items.extend(column(rows, NAME, rows.iter().map(label), (left - 6.0, top)));
            panel.height += if is_last { 0.0 } else { BAND_GAP };
        }
        panel
    }

    /// Draws the rows of a band, each with its number of lost starts at the end.
    fn band(&self, rows: &[StartsRow], first: usize, count: usize, is_last: bool) -> Panel {
        let cell = (f64::from(self.cell), ROW);
        let classes = CLASSES.map(|(name, colour)| Class { name: name.to_owned(), colour });
        let across = count as f64 * cell.0;
        let mut panel = Panel { height: HEADER, ..Panel::default() };
        let mut columns = vec![(if self.bands == 1 { "lost" } else { "lost of these" }, first, count)];
        if is_last && self.bands > 1 {
            columns.push(("lost of all", 0, rows[0].starts.len()));
        }
        for (number, row) in rows.iter().enumerate() {
            let y = panel.height + space_above(rows, number);
            let cells = row.starts[first..first + count].to_vec();
            panel.put(Grid { columns: count as u32, cells }.panel(&classes, cell), (0.0, y));
            // Separate the rows.
            panel.items.push(Item::line((0.0, y), (across, y), PAPER, 1.5));
        }
        let mut right = across + 10.0;
        for (name, first, count) in columns {
            let texts: Vec<String> = rows.iter().map(|row| row.lost_in_words(first, count)).collect();
            let widest = texts.iter().map(|text| width(text, LETTERS)).fold(width(name, LETTERS), f64::max);
            right += widest;
            panel.items.extend(column(rows, name, texts, (right, 0.0)));
            right += 14.0;
        }
        panel.width = right - 14.0;
        panel
    }
}

/// Height of the names of columns above the rows of a band.
const HEADER: f64 = 16.0;
/// Name of the column of resets to the left of the rows.
const NAME: &str = "resets";

/// Draws a column of texts, one for each row of a band, with its name above. Texts end at `right`.
fn column(
    rows: &[StartsRow],
    name: &str,
    texts: impl IntoIterator<Item = String>,
    (right, top): Point,
) -> Vec<Item> {
    let mut items = vec![text((right, top + HEADER - 4.0), Anchor::End, LETTERS, PALE_INK, name)];
    let mut y = top + HEADER;
    for (number, text) in texts.into_iter().enumerate() {
        y += space_above(rows, number);
        items.push(centred((right, y + ROW / 2.0), Anchor::End, LETTERS, INK, text));
        y += ROW;
    }
    items
}

/// Returns the space above a row: [`GROUP_GAP`] if the resets of player 1 differ from those in the row above.
fn space_above(rows: &[StartsRow], number: usize) -> f64 {
    let resets_of_1 = |number: usize| rows[number].resets[0];
    if number > 0 && resets_of_1(number) != resets_of_1(number - 1) { GROUP_GAP } else { 0.0 }
}
