//! What a picture consists of, before it is written in a format.

use super::error::DrawError;
use super::font::width;

/// A colour, opaque: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// How the inside and the edge of a shape look.
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
pub enum Step {
    /// Begin anew there.
    Move(Point),
    Line(Point),
    /// In a cubic curve: two control points, and the end.
    Curve(Point, Point, Point),
    /// Back to where it began.
    Close,
}

/// Where a text stands, seen from its point.
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
    /// Whether it runs from below to above.
    pub turned: bool,
    pub text: String,
}

impl Text {
    /// How far it begins before its point, along the line that it runs.
    pub(crate) fn before(&self) -> f64 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width(&self.text, self.size) / 2.0,
            Anchor::End => width(&self.text, self.size),
        }
    }
}

/// Neighbouring cells of a grid, in one row or, where cells run down, in one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Column of the first cell, from the left.
    pub column: u32,
    /// Row of the first cell, from the top.
    pub row: u32,
    pub length: u32,
}

/// Cells of a grid that have one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// What the colour means.
    pub name: String,
    /// Its upper left corner.
    pub at: Point,
    /// Width and height of a cell.
    pub cell: (f64, f64),
    pub colour: Colour,
    /// Whether runs go down and not to the right.
    pub down: bool,
    pub runs: Vec<Run>,
}

impl Cells {
    /// Each run as a rectangle: its upper left corner, width and height.
    pub(crate) fn rectangles(&self) -> impl Iterator<Item = (Point, (f64, f64))> {
        let (width, height) = self.cell;
        self.runs.iter().map(move |run| {
            let at = (self.at.0 + f64::from(run.column) * width, self.at.1 + f64::from(run.row) * height);
            let (columns, rows) = if self.down { (1, run.length) } else { (run.length, 1) };
            (at, (f64::from(columns) * width, f64::from(rows) * height))
        })
    }
}

/// The items of a scene, apart as they are drawn; cells that follow each other are together.
///
/// Where two shapes meet, programs that show PDF let through what is behind them, a little. So that this is no paper, cells are drawn
/// twice: all of them somewhat larger ([`UNDER`]), and then as they are.
pub(crate) fn in_groups(items: &[Item]) -> impl Iterator<Item = &[Item]> {
    let are_cells = |one: &Item, next: &Item| matches!((one, next), (Item::Cells(_), Item::Cells(_)));
    items.chunk_by(are_cells)
}

/// How wide the edge is of cells that are drawn larger.
pub(crate) const UNDER: f64 = 0.5;

/// A thing to be drawn.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A rectangle: its upper left corner, width and height, and how round its corners are.
    Rect(Point, (f64, f64), f64, Style),
    /// A circle: its centre and its radius.
    Circle(Point, f64, Style),
    Path(Vec<Step>, Style),
    Text(Text),
    Cells(Cells),
}

/// The edge of a rectangle, from its upper left corner, with round corners as SVG draws them.
pub(crate) fn rectangle((x, y): Point, (width, height): (f64, f64), round: f64) -> Vec<Step> {
    let round = round.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (x + width, y + height);
    if round <= 0.0 {
        let corners = [(right, y), (right, bottom), (x, bottom)].map(Step::Line);
        return [&[Step::Move((x, y))], &corners[..], &[Step::Close]].concat();
    }
    let near = round * (1.0 - QUARTER);
    vec![
        Step::Move((x + round, y)),
        Step::Line((right - round, y)),
        Step::Curve((right - near, y), (right, y + near), (right, y + round)),
        Step::Line((right, bottom - round)),
        Step::Curve((right, bottom - near), (right - near, bottom), (right - round, bottom)),
        Step::Line((x + round, bottom)),
        Step::Curve((x + near, bottom), (x, bottom - near), (x, bottom - round)),
        Step::Line((x, y + round)),
        Step::Curve((x, y + near), (x + near, y), (x + round, y)),
        Step::Close,
    ]
}

/// How far the control points of a quarter of a circle are from its ends, for each unit of its radius.
const QUARTER: f64 = 0.552_284_75;

/// The edge of a circle.
pub(crate) fn circle((x, y): Point, radius: f64) -> Vec<Step> {
    rectangle((x - radius, y - radius), (2.0 * radius, 2.0 * radius), radius)
}

impl Item {
    pub(crate) fn line(from: Point, to: Point, colour: Colour, width: f64) -> Self {
        Self::Path(vec![Step::Move(from), Step::Line(to)], Style::line(colour, width))
    }

    /// Moves it to the right and down.
    pub(crate) fn shift(&mut self, by: Point) {
        let shift = |point: &mut Point| *point = (point.0 + by.0, point.1 + by.1);
        match self {
            Self::Rect(at, ..) | Self::Circle(at, ..) => shift(at),
            Self::Text(text) => shift(&mut text.at),
            Self::Cells(cells) => shift(&mut cells.at),
            Self::Path(steps, _) => steps.iter_mut().for_each(|step| match step {
                Step::Move(to) | Step::Line(to) => shift(to),
                Step::Curve(one, other, to) => [one, other, to].into_iter().for_each(shift),
                Step::Close => {}
            }),
        }
    }
}

/// A part of a picture, which fills a rectangle.
#[derive(Clone, Default)]
pub(crate) struct Panel {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// What is in it, the hindmost first.
    pub(crate) items: Vec<Item>,
}

impl Panel {
    /// Takes in another one, at a point; grows so that it holds it.
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
    /// What it is, for those who do not see it.
    pub title: String,
    /// What is to be seen.
    pub description: String,
    /// Width in units, a whole number.
    pub width: u32,
    /// Height in units, a whole number.
    pub height: u32,
    /// Width and height on paper, in points of 1/72 inch, if they were asked for in millimetres: exact, where whole units are not. If
    /// left out, 96 units make an inch.
    pub paper: Option<(f64, f64)>,
    /// What is in it, the hindmost first.
    pub items: Vec<Item>,
}

/// Where a picture is on paper, in points of 1/72 inch.
pub(crate) struct OnPaper {
    /// Width and height of the paper.
    pub(crate) size: (f64, f64),
    /// Points of a unit.
    pub(crate) scale: f64,
    /// The picture's upper left corner, from that of the paper.
    pub(crate) corner: Point,
}

/// Points of a unit: 72 points and 96 units make an inch.
const POINTS: f64 = 0.75;
/// The longest side, in points, of what PDF readers and TeX take (ISO 32000-1, Annex C).
const LONGEST: f64 = 14_400.0;

impl Scene {
    /// Width and height in points.
    fn points(&self) -> (f64, f64) {
        self.paper.unwrap_or((f64::from(self.width) * POINTS, f64::from(self.height) * POINTS))
    }

    /// Width and height on paper, in millimetres.
    pub fn millimetres(&self) -> (f64, f64) {
        let (width, height) = self.points();
        (width / 72.0 * 25.4, height / 72.0 * 25.4)
    }

    /// Where the picture is on paper: in the middle, as large as there is room for.
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
