//! The items of a picture, independent of the format. Units are pixels at scale 1.

use super::error::DrawError;
use super::font::width;

/// A colour, opaque: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Fill and stroke of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// Colour of the inside; nothing if left out.
    pub fill: Option<Colour>,
    /// Colour and width of the edge; no edge if left out.
    pub stroke: Option<(Colour, f64)>,
}

impl Style {
    pub(crate) fn filled(colour: Colour) -> Self {
        Self { fill: Some(colour), stroke: None }
    }

    pub(crate) fn line(colour: Colour, width: f64) -> Self {
        Self { fill: None, stroke: Some((colour, width)) }
    }

    pub(crate) fn edged(mut self, colour: Colour, width: f64) -> Self {
        self.stroke = Some((colour, width));
        self
    }
}

/// A point, in units from the left and from the top.
pub(crate) type Point = (f64, f64);

/// A step of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathStep {
    /// Begins a new subpath at this point.
    Move(Point),
    Line(Point),
    /// A cubic curve: two control points, and the end.
    Curve(Point, Point, Point),
    /// A line back to the beginning of the subpath.
    Close,
}

/// Position of a text relative to its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// It begins there.
    Start,
    /// Its middle is there.
    Middle,
    /// It ends there.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// A point of its baseline.
    pub at: Point,
    pub anchor: Anchor,
    pub size: f64,
    pub colour: Colour,
    /// Whether the text runs upwards.
    pub turned: bool,
    pub text: String,
}

impl Text {
    /// Returns how far the text begins before its point, along its baseline.
    pub(crate) fn before(&self) -> f64 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width(&self.text, self.size) / 2.0,
            Anchor::End => width(&self.text, self.size),
        }
    }
}

/// Neighbouring cells of a grid, in one row, or in one column if cells run down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRun {
    /// Column of the first cell, from the left.
    pub column: u32,
    /// Row of the first cell, from the top.
    pub row: u32,
    pub length: u32,
}

/// Cells of a grid that have one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Meaning of the colour.
    pub name: String,
    /// Its upper left corner.
    pub at: Point,
    /// Width and height of a cell.
    pub cell: (f64, f64),
    pub colour: Colour,
    /// Whether runs go down instead of to the right.
    pub down: bool,
    pub runs: Vec<CellRun>,
}

impl Cells {
    /// Iterates over the runs as rectangles: upper left corner, width and height.
    pub(crate) fn rectangles(&self) -> impl Iterator<Item = (Point, (f64, f64))> {
        let (width, height) = self.cell;
        self.runs.iter().map(move |run| {
            let at = (self.at.0 + f64::from(run.column) * width, self.at.1 + f64::from(run.row) * height);
            let (columns, rows) = if self.down { (1, run.length) } else { (run.length, 1) };
            (at, (f64::from(columns) * width, f64::from(rows) * height))
        })
    }
}

/// Groups the items of a scene: consecutive cells form a group, every other item its own.
///
/// Viewers of PDF let the background shine through where two shapes meet. To hide the paper there, a writer draws cells
/// twice: first all of them slightly larger ([`UNDER`]), then in their own size.
pub(crate) fn in_groups(items: &[Item]) -> impl Iterator<Item = &[Item]> {
    let are_cells = |one: &Item, next: &Item| matches!((one, next), (Item::Cells(_), Item::Cells(_)));
    items.chunk_by(are_cells)
}

/// Width of the edge of the larger cells.
pub(crate) const UNDER: f64 = 0.5;

/// An item of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A rectangle: its upper left corner, width and height, and how round its corners are.
    Rect(Point, (f64, f64), f64, Style),
    /// A circle: its centre and its radius.
    Circle(Point, f64, Style),
    Path(Vec<PathStep>, Style),
    Text(Text),
    Cells(Cells),
}

/// Returns the edge of a rectangle from its upper left corner on, with rounded corners as SVG draws them.
pub(crate) fn rectangle((x, y): Point, (width, height): (f64, f64), round: f64) -> Vec<PathStep> {
    let round = round.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (x + width, y + height);
    if round <= 0.0 {
        let corners = [(right, y), (right, bottom), (x, bottom)].map(PathStep::Line);
        return [&[PathStep::Move((x, y))], &corners[..], &[PathStep::Close]].concat();
    }
    let near = round * (1.0 - QUARTER);
    vec![
        PathStep::Move((x + round, y)),
        PathStep::Line((right - round, y)),
        PathStep::Curve((right - near, y), (right, y + near), (right, y + round)),
        PathStep::Line((right, bottom - round)),
        PathStep::Curve((right, bottom - near), (right - near, bottom), (right - round, bottom)),
        PathStep::Line((x + round, bottom)),
        PathStep::Curve((x + near, bottom), (x, bottom - near), (x, bottom - round)),
        PathStep::Line((x, y + round)),
        PathStep::Curve((x, y + near), (x + near, y), (x + round, y)),
        PathStep::Close,
    ]
}

/// Distance of the control points of a quarter circle from its ends, for radius 1.
const QUARTER: f64 = 0.552_284_75;

/// Returns the edge of a circle.
pub(crate) fn circle((x, y): Point, radius: f64) -> Vec<PathStep> {
    rectangle((x - radius, y - radius), (2.0 * radius, 2.0 * radius), radius)
}

impl Item {
    pub(crate) fn line(from: Point, to: Point, colour: Colour, width: f64) -> Self {
        Self::Path(vec![PathStep::Move(from), PathStep::Line(to)], Style::line(colour, width))
    }

    /// Moves the item to the right and down.
    pub(crate) fn shift(&mut self, by: Point) {
        let shift = |point: &mut Point| *point = (point.0 + by.0, point.1 + by.1);
        match self {
            Self::Rect(at, ..) | Self::Circle(at, ..) => shift(at),
            Self::Text(text) => shift(&mut text.at),
            Self::Cells(cells) => shift(&mut cells.at),
            Self::Path(steps, _) => steps.iter_mut().for_each(|step| match step {
                PathStep::Move(to) | PathStep::Line(to) => shift(to),
                PathStep::Curve(one, other, to) => [one, other, to].into_iter().for_each(shift),
                PathStep::Close => {}
            }),
        }
    }
}

/// A part of a picture, which fills a rectangle.
#[derive(Clone, Default)]
pub(crate) struct Panel {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Items, from back to front.
    pub(crate) items: Vec<Item>,
}

impl Panel {
    /// Adds another panel at a point, and grows to contain it.
    pub(crate) fn put(&mut self, other: Panel, at: Point) {
        self.width = self.width.max(at.0 + other.width);
        self.height = self.height.max(at.1 + other.height);
        self.items.extend(other.items.into_iter().map(|mut item| {
            item.shift(at);
            item
        }));
    }
}

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Title, also for screen readers.
    pub title: String,
    /// Description of the contents.
    pub description: String,
    /// Width in units, a whole number.
    pub width: u32,
    /// Height in units, a whole number.
    pub height: u32,
    /// Exact width and height on paper, in points of 1/72 inch, if given in millimetres. Otherwise 96 units make an
    /// inch.
    pub paper: Option<(f64, f64)>,
    /// Items, from back to front.
    pub items: Vec<Item>,
}

/// The place of a picture on paper, in points of 1/72 inch.
pub(crate) struct OnPaper {
    /// Width and height of the paper.
    pub(crate) size: (f64, f64),
    /// Points in a unit.
    pub(crate) scale: f64,
    /// The picture's upper left corner, relative to the paper's.
    pub(crate) corner: Point,
}

/// Points in a unit: 72 points and 96 units make an inch.
const POINTS: f64 = 0.75;
/// Longest side that PDF readers and TeX accept, in points (ISO 32000-1, Annex C).
const LONGEST: f64 = 14_400.0;

impl Scene {
    /// Returns width and height in points.
    fn points(&self) -> (f64, f64) {
        self.paper.unwrap_or((f64::from(self.width) * POINTS, f64::from(self.height) * POINTS))
    }

    /// Returns width and height on paper, in millimetres.
    pub fn millimetres(&self) -> (f64, f64) {
        let (width, height) = self.points();
        (width / 72.0 * 25.4, height / 72.0 * 25.4)
    }

    /// Places the picture on paper: centred, and as large as possible.
    ///
    /// # Errors
    /// If it is larger than any paper.
    pub(crate) fn on_paper(&self) -> Result<OnPaper, DrawError> {
        let units = (f64::from(self.width), f64::from(self.height));
        let size = self.points();
        if size.0.max(size.1) > LONGEST {
            return Err(DrawError::Invalid(format!(
                "the picture would be {:.0} x {:.0} points (1/72 inch), and PDF and LaTeX have at most {LONGEST} on a side; give a --size, \
                 draw fewer positions, or make an SVG",
                size.0, size.1
            )));
        }
        let scale = (size.0 / units.0).min(size.1 / units.1);
        let corner = ((size.0 - units.0 * scale) / 2.0, (size.1 - units.1 * scale) / 2.0);
        Ok(OnPaper { size, scale, corner })
    }
}
