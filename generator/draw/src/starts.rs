//! Winning and losing starts of Expanding Nim: a line of stones for each pair of resets.

use bouton_tables::expanding::{Expanding, ExpandingTable, Position};
use bouton_tables::{AskError, Family, Outcome, Ruleset, Solved, Table};

use super::axes::{self, Axis};
use super::error::DrawError;
use super::font::width;
use super::palette::{INK, LOST, PALE_INK, PAPER, WON};
use super::plane::{Class, Grid, LEFT_OUT, MAX_CELLS, swatch};
use super::scene::{Anchor, Item, Panel, Scene};
use super::sheet::{Entry, Legend, MIDDLE, centred, sheet, text};
use bouton_study::select::Filter;
use bouton_study::words::{self, grouped, percent};

/// The most lines of a picture, all bands together.
const MAX_LINES: u64 = 1500;
/// So many units wide a band of stones is at most.
const WIDTH: u32 = 1000;
/// So many units high all lines are at most, unless a stone would be less than a unit wide.
const HEIGHT: f64 = 1400.0;
/// How high a line is.
const LINE: f64 = 11.0;
/// Between the lines of one number of resets of player 1 and the next.
const GROUP: f64 = 6.0;
/// Between bands.
const BAND: f64 = 18.0;
/// Letters of what stands at the ends of lines.
const LETTERS: f64 = 9.5;

const NARROW: &str = "narrow it, for example with --where 'stones=1..500' or 'resets=4,*'";

/// A line: a pair of resets, and the class of each start.
struct Line {
    resets: [u8; 2],
    starts: Vec<u8>,
}

/// Lost and won starts, by the numbers of their classes.
const CLASSES: [(&str, super::scene::Colour); 2] = [("lost start", LOST), ("won start", WON)];

/// Draws which starts are won and lost, for every pair of resets. `None` if the filter leaves none.
///
/// # Errors
/// If the table is not of Expanding Nim, the filter does not parse, there are too many starts, or the table is
/// damaged.
pub fn starts<D: AsRef<[u8]>>(table: &Table<D>, filter: &str) -> Result<Option<Scene>, DrawError> {
    let title = words::ruleset(&table.header().ruleset);
    let Family::Expanding(table) = table.family() else { return Err(NOT_HEAPS) };
    let Some(Plan { filter, stones, pairs, form }) = Plan::of(table.game(), filter)? else { return Ok(None) };
    let line = |&resets: &[u8; 2]| Line::look(table, &filter, resets, &stones);
    let lines = pairs.iter().map(line).collect::<Result<Vec<Line>, AskError>>()?;
    if lines.iter().all(|line| line.starts.iter().all(|&start| start == LEFT_OUT)) {
        return Ok(None);
    }
    let subtitle = "starts of games, player 1 to move: a line for each pair of resets, player 1's and player 2's; behind it how many \
                    starts are lost";
    let entry =
        |(name, colour): (&str, _)| Entry { mark: swatch(colour), label: format!("{name} for player 1") };
    let legend = Legend { title: String::new(), entries: CLASSES.map(entry).into_iter().rev().collect() };
    Ok(Some(sheet(&title, subtitle, form.picture(&stones, &lines), &legend)))
}

/// Whether [`starts`] could draw those of a ruleset's table, before there is one.
///
/// # Errors
/// If the ruleset is not of Expanding Nim, the filter does not parse, or there are too many starts.
pub fn starts_fit(ruleset: &Ruleset, filter: &str) -> Result<(), DrawError> {
    let Ruleset::Expanding(rules) = ruleset else { return Err(NOT_HEAPS) };
    Plan::of(rules, filter).map(drop)
}

const NOT_HEAPS: DrawError = DrawError::ExpandingOnly { what: "pictures of starts" };

/// What is to be drawn.
struct Plan {
    filter: Filter,
    stones: Axis,
    /// Pairs of resets.
    pairs: Vec<[u8; 2]>,
    form: Form,
}

impl Plan {
    /// What a filter selects; `None` if that is nothing.
    fn of(rules: &Expanding, filter: &str) -> Result<Option<Self>, DrawError> {
        let filter = Filter::parse(rules, true, filter)?;
        if filter.asks_for_answer() {
            return Err(DrawError::Plane("--where: starts are selected by stones and resets".to_owned()));
        }
        let span = filter.span("stones", 0);
        let (from, to) = (span.from.max(1), span.to.min(rules.stones().into()));
        let left = |player: usize| {
            let span = filter.span("resets", player);
            (0..=rules.resets()[player]).filter(move |&left| span.has(left.into()))
        };
        let pairs: Vec<[u8; 2]> =
            left(0).flat_map(|first| left(1).map(move |second| [first, second])).collect();
        if from > to || pairs.is_empty() {
            return Ok(None);
        }
        let stones = Axis { name: "stones at the start".to_owned(), from: from as u32, to: to as u32 };
        let cells = u64::from(stones.count()) * pairs.len() as u64;
        let form = Form::of(&stones, pairs.len());
        let lines = u64::from(form.bands) * pairs.len() as u64;
        for (what, found, limit) in [("starts", cells, MAX_CELLS), ("lines", lines, MAX_LINES)] {
            if found > limit {
                return Err(DrawError::TooLarge { what, found, limit, narrow: NARROW });
            }
        }
        Ok(Some(Self { filter, stones, pairs, form }))
    }
}

impl Line {
    fn look<D: AsRef<[u8]>>(
        table: &ExpandingTable<D>,
        filter: &Filter,
        resets: [u8; 2],
        stones: &Axis,
    ) -> Result<Self, AskError> {
        let class = |stones| {
            let start = Position { resets, ..table.game().start(stones) };
            if !filter.has_position::<Expanding>(&start) {
                return Ok(LEFT_OUT);
            }
            Ok(u8::from(table.verdict(&start)?.outcome == Outcome::Win))
        };
        Ok(Self { resets, starts: (stones.from..=stones.to).map(class).collect::<Result<_, AskError>>()? })
    }

    fn losing(&self, from: usize, count: usize) -> String {
        let starts = &self.starts[from..from + count];
        let losing = starts.iter().filter(|&&start| start == 0).count() as u64;
        format!("{} ({})", grouped(losing), percent(losing, count as u64))
    }
}

/// How the stones are broken into bands.
struct Form {
    /// How wide a start is.
    cell: u32,
    /// Starts of a band.
    length: u32,
    bands: u32,
}

impl Form {
    /// The widest starts with which all bands have room.
    fn of(stones: &Axis, lines: usize) -> Self {
        let with = |cell: u32| {
            let length = (WIDTH / cell).min(stones.count());
            Self { cell, length, bands: stones.count().div_ceil(length) }
        };
        let fits = |form: &Self| f64::from(form.bands) * lines as f64 * LINE <= HEIGHT;
        let single = [20, 16].map(with).into_iter().find(|form| form.bands == 1);
        single.or_else(|| [10, 8, 5, 4, 2].map(with).into_iter().find(fits)).unwrap_or_else(|| with(1))
    }

    fn picture(&self, stones: &Axis, lines: &[Line]) -> Panel {
        let label = |line: &Line| format!("{},{}", line.resets[0], line.resets[1]);
        let widest = lines.iter().map(|line| width(&label(line), LETTERS));
        let left = (widest.fold(width(NAME, LETTERS), f64::max) + 7.0).ceil();
        let mut panel = Panel::default();
        for band in 0..self.bands {
            let first = band * self.length;
            let count = self.length.min(stones.count() - first);
            let last = band + 1 == self.bands;
            let of_band = self.band(lines, first as usize, count as usize, last);
            let (top, bottom) = (panel.height, panel.height + of_band.height);
            panel.put(of_band, (left, top));
            let name = if last { stones.name.clone() } else { String::new() };
            let axis = Axis { name, from: stones.from + first, to: stones.from + first + count - 1 };
            let mut below = axes::below(&axis, f64::from(count * self.cell));
            below.height -= if last { 0.0 } else { MIDDLE };
            panel.put(below, (left, bottom));
            let at = (left - 6.0, top + HEADER - 4.0);
            panel.items.push(text(at, Anchor::End, LETTERS, PALE_INK, NAME));
            let mut y = top + HEADER;
            for (number, line) in lines.iter().enumerate() {
                y += gap(lines, number);
                let at = (left - 6.0, y + LINE / 2.0);
                panel.items.push(centred(at, Anchor::End, LETTERS, INK, label(line)));
                y += LINE;
            }
            panel.height += if last { 0.0 } else { BAND };
        }
        panel
    }

    /// The lines of a band, with the number of losing starts behind each.
    fn band(&self, lines: &[Line], first: usize, count: usize, last: bool) -> Panel {
        let cell = (f64::from(self.cell), LINE);
        let classes = CLASSES.map(|(name, colour)| Class { name: name.to_owned(), colour });
        let across = count as f64 * cell.0;
        let mut panel = Panel { height: HEADER, ..Panel::default() };
        let mut columns = vec![(if self.bands == 1 { "lost" } else { "lost of these" }, first, count)];
        if last && self.bands > 1 {
            columns.push(("lost of all", 0, lines[0].starts.len()));
        }
        for (number, line) in lines.iter().enumerate() {
            let y = panel.height + gap(lines, number);
            let cells = line.starts[first..first + count].to_vec();
            panel.put(Grid { columns: count as u32, cells }.panel(&classes, cell), (0.0, y));
            // Each line is a strip of its own.
            panel.items.push(Item::line((0.0, y), (across, y), PAPER, 1.5));
        }
        let mut right = across + 10.0;
        for (name, first, count) in columns {
            let texts: Vec<String> = lines.iter().map(|line| line.losing(first, count)).collect();
            let widest = texts.iter().map(|text| width(text, LETTERS)).fold(width(name, LETTERS), f64::max);
            right += widest;
            panel.items.push(text((right, HEADER - 4.0), Anchor::End, LETTERS, PALE_INK, name));
            let mut y = HEADER;
            for (number, text) in texts.into_iter().enumerate() {
                y += gap(lines, number);
                panel.items.push(centred((right, y + LINE / 2.0), Anchor::End, LETTERS, INK, text));
                y += LINE;
            }
            right += 14.0;
        }
        panel.width = right - 14.0;
        panel
    }
}

/// Above the lines of a band.
const HEADER: f64 = 16.0;
/// What stands at the beginning of lines.
const NAME: &str = "resets";

/// The room above a line: more where player 1 has another number of resets than in the line before.
fn gap(lines: &[Line], number: usize) -> f64 {
    let first = |number: usize| lines[number].resets[0];
    if number > 0 && first(number) != first(number - 1) { GROUP } else { 0.0 }
}
