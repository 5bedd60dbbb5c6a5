//! Composes the sheet around a picture: title and subtitle above the picture, legend beside or below it.

use super::font::{CAPITAL_HEIGHT, cut, width, wrap};
use super::palette::{INK, PALE_INK};
use super::scene::{Anchor, Colour, Item, Panel, Point, Scene, Style, Text};

/// Size of the letters of labels and legends.
pub(super) const SMALL: f64 = 11.0;
/// Size of the letters of subtitles and names of axes.
pub(super) const MIDDLE: f64 = 12.5;
/// Size of the letters of titles.
const LARGE: f64 = 17.0;
/// Margin of the sheet.
const MARGIN: f64 = 24.0;
/// Space between the picture and its legend.
const GAP: f64 = 22.0;
/// Minimum width within the margins, so that a small picture leaves room for the title.
const MIN_WIDTH: f64 = 540.0;
/// Pictures wider than this have their legend below.
const WIDE: f64 = 620.0;

pub(super) fn text(at: Point, anchor: Anchor, size: f64, colour: Colour, text: impl Into<String>) -> Item {
    Item::Text(Text { at, anchor, size, colour, is_upwards: false, text: text.into() })
}

/// Returns a text whose letters are vertically centred on a point.
pub(super) fn centred(
    at: Point,
    anchor: Anchor,
    size: f64,
    colour: Colour,
    words: impl Into<String>,
) -> Item {
    text((at.0, at.1 + CAPITAL_HEIGHT / 2.0 * size), anchor, size, colour, words)
}

/// Returns the name of a vertical axis, centred on a point.
pub(super) fn upwards(at: Point, text: &str) -> Item {
    let (anchor, text) = (Anchor::Middle, text.to_owned());
    Item::Text(Text { at, anchor, size: MIDDLE, colour: PALE_INK, is_upwards: true, text })
}

/// Returns lines of text, one below the other.
pub(super) fn paragraph(lines: &[String], size: f64, colour: Colour) -> Panel {
    let mut panel = Panel::default();
    for line in lines {
        panel.items.push(text((0.0, panel.height + size), Anchor::Start, size, colour, line));
        panel.height += (size * 1.35).round();
        panel.width = panel.width.max(width(line, size));
    }
    panel
}

pub(super) struct LegendEntry {
    pub(super) mark: Panel,
    /// Meaning of the mark.
    pub(super) label: String,
}

/// Width and height of a square of a colour bar.
const SQUARE: f64 = 18.0;

#[derive(Default)]
pub(super) struct Legend {
    /// Title; may be empty.
    pub(super) title: String,
    /// The colours of a colour bar and their labels, in ascending order; empty if there is no bar.
    pub(super) bar: Vec<(Colour, String)>,
    pub(super) entries: Vec<LegendEntry>,
}

impl Legend {
    /// Space between the mark and the text of an entry.
    const SPACE: f64 = 7.0;

    fn entry(entry: &LegendEntry) -> Panel {
        let height = entry.mark.height.max(16.0);
        let mut panel = Panel { width: 0.0, height, items: Vec::new() };
        let label_x = entry.mark.width + Self::SPACE;
        panel.put(entry.mark.clone(), (0.0, (height - entry.mark.height) / 2.0));
        panel.items.push(centred((label_x, height / 2.0), Anchor::Start, SMALL, INK, &entry.label));
        panel.width = label_x + width(&entry.label, SMALL);
        panel
    }

    /// Draws the bar upright, with the greatest class above.
    fn upright(&self) -> Panel {
        let mut panel = Panel::default();
        for (colour, label) in self.bar.iter().rev() {
            let y = panel.height;
            let label_at = (SQUARE + Self::SPACE, y + SQUARE / 2.0);
            let style = Style::filled(*colour).edged(PALE_INK, 0.5);
            panel.items.push(Item::Rect((0.0, y), (SQUARE, SQUARE), 0.0, style));
            panel.items.push(centred(label_at, Anchor::Start, SMALL, INK, label));
            panel.width = panel.width.max(label_at.0 + width(label, SMALL));
            panel.height += SQUARE;
        }
        panel
    }

    /// Draws the bar horizontally, with the least class to the left and labels below.
    fn flat(&self) -> Panel {
        let mut panel = Panel { height: SQUARE + SMALL + 5.0, ..Panel::default() };
        for (colour, label) in &self.bar {
            let (x, across) = (panel.width, (width(label, SMALL) + 12.0).max(SQUARE).ceil());
            let style = Style::filled(*colour).edged(PALE_INK, 0.5);
            panel.items.push(Item::Rect((x, 0.0), (across, SQUARE), 0.0, style));
            let label_at = (x + across / 2.0, SQUARE + SMALL + 2.0);
            panel.items.push(text(label_at, Anchor::Middle, SMALL, INK, label));
            panel.width += across;
        }
        panel
    }

    /// Draws title, bar and entries, one below the other.
    fn column(&self) -> Panel {
        let mut panel = Panel::default();
        if !self.title.is_empty() {
            panel = paragraph(std::slice::from_ref(&self.title), SMALL, PALE_INK);
            panel.height += 4.0;
        }
        if !self.bar.is_empty() {
            panel.put(self.upright(), (0.0, panel.height));
            panel.height += 8.0;
        }
        for entry in &self.entries {
            panel.put(Self::entry(entry), (0.0, panel.height));
            panel.height += 3.0;
        }
        panel
    }

    /// Draws title, bar and entries side by side, in lines of at most `most` units.
    fn lines(&self, most: f64) -> Panel {
        let mut panel = Panel::default();
        let (mut left, mut y, mut height) = (0.0, 0.0, 0.0_f64);
        if !self.title.is_empty() {
            panel.put(paragraph(&[format!("{}:", self.title)], SMALL, PALE_INK), (0.0, 1.0));
            left = panel.width + 16.0;
        }
        let mut x = left;
        if !self.bar.is_empty() {
            let bar = self.flat();
            (x, height) = (x + bar.width + 20.0, bar.height);
            panel.put(bar, (left, 0.0));
        }
        for entry in &self.entries {
            let entry = Self::entry(entry);
            if x > left && x + entry.width > most {
                (x, y, height) = (left, y + height + 4.0, 0.0);
            }
            let (across, down) = (entry.width, entry.height);
            panel.put(entry, (x, y));
            (x, height) = (x + across + 20.0, height.max(down));
        }
        panel
    }
}

/// Composes a sheet: title, subtitle, picture, and legend. The legend is beside the picture if there is room, otherwise below.
pub(super) fn sheet(title: &str, subtitle: &str, picture: Panel, legend: &Legend) -> Scene {
    if picture.width > WIDE {
        return sheet_with_legend_below(title, subtitle, picture, legend);
    }
    let (legend, legend_x) = (legend.column(), picture.width + GAP);
    let inner = (legend_x + legend.width).max(MIN_WIDTH).ceil();
    page(title, subtitle, inner, [(picture, (0.0, 0.0)), (legend, (legend_x, 0.0))])
}

/// Composes a sheet with the legend below, and the picture centred.
pub(super) fn sheet_with_legend_below(title: &str, subtitle: &str, picture: Panel, legend: &Legend) -> Scene {
    let inner = picture.width.max(MIN_WIDTH).ceil();
    let (left, bottom) = (((inner - picture.width) / 2.0).floor(), picture.height + GAP - 6.0);
    page(title, subtitle, inner, [(picture, (left, 0.0)), (legend.lines(inner), (0.0, bottom))])
}

/// Composes title and subtitle, `inner` units wide, and below them the parts at their points.
fn page(title: &str, subtitle: &str, inner: f64, parts: [(Panel, Point); 2]) -> Scene {
    let lines: Vec<String> = title.lines().flat_map(|line| wrap(line, LARGE, inner)).collect();
    let mut page = paragraph(&lines, LARGE, INK);
    let subtitle_lines = paragraph(&wrap(subtitle, MIDDLE, inner), MIDDLE, PALE_INK);
    page.put(subtitle_lines, (0.0, page.height + 2.0));
    let top = page.height + 16.0;
    parts.into_iter().for_each(|(part, (x, y))| page.put(part, (x, top + y)));
    let mut canvas = Panel { width: inner, ..Panel::default() };
    canvas.put(page, (MARGIN, MARGIN));
    Scene {
        title: title.replace('\n', "; "),
        description: subtitle.to_owned(),
        width: (canvas.width + MARGIN).ceil() as u32,
        height: (canvas.height + MARGIN).ceil() as u32,
        paper: None,
        items: canvas.items,
    }
}

/// Shortens a player's name to fit a legend.
pub(super) fn short_name(name: &str) -> String {
    cut(name, SMALL, 180.0)
}
