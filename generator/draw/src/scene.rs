//! A picture as a list of shapes and texts, independent of the file format. A unit is a pixel of a PNG at scale 1.

use super::error::Result;
use super::font::width;
use bouton_study::StudyError;

/// A colour, opaque: red, green and blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Fill and stroke of a shape.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Style {
    /// Colour of the inside, if it is filled.
    pub fill: Option<Colour>,
    /// Colour and width of the edge, if there is one.
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
    /// A straight line to this point.
    Line(Point),
    /// A cubic Bézier curve: two control points, and the end.
    Curve(Point, Point, Point),
    /// A line back to the beginning of the subpath.
    Close,
}

/// The part of a text that is at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// The beginning.
    Start,
    /// The middle.
    Middle,
    /// The end.
    End,
}

/// A line of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Text {
    /// The point of the baseline at which the anchor is.
    pub at: Point,
    pub anchor: Anchor,
    pub size: f64,
    pub colour: Colour,
    /// Whether the text runs from bottom to top.
    pub is_upwards: bool,
    pub text: String,
}

impl Text {
    /// Returns the distance from the beginning of the text to its point, along the baseline.
    pub(crate) fn width_before_point(&self) -> f64 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => width(&self.text, self.size) / 2.0,
            Anchor::End => width(&self.text, self.size),
        }
    }
}

/// Neighbouring cells of a grid, in one row or one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRun {
    /// Column of the first cell, from the left.
    pub column: u32,
    /// Row of the first cell, from the top.
    pub row: u32,
    /// Number of cells.
    pub length: u32,
}

/// Cells of a grid that have one colour.
#[derive(Clone, Debug, PartialEq)]
pub struct Cells {
    /// Meaning of the colour.
    pub name: String,
    /// Upper left corner of the grid.
    pub at: Point,
    /// Width and height of a cell.
    pub cell: (f64, f64),
    pub colour: Colour,
    /// Whether each run is in one column instead of one row.
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

    /// Returns the style of the cells; with `is_underlay`, that of the slightly larger cells drawn behind them (see
    /// [`with_underlays`]).
    pub(crate) fn style(&self, is_underlay: bool) -> Style {
        let style = Style::filled(self.colour);
        if is_underlay { style.edged(self.colour, UNDERLAY_EDGE) } else { style }
    }
}

/// Iterates over the items of a scene in the order in which they are drawn, with larger cells below the cells of grids.
///
/// PDF viewers let the background shine through where two shapes meet. To hide the paper there, all cells of a grid are first drawn
/// slightly larger, with an edge ([`UNDERLAY_EDGE`]), then in their own size. The second part of each pair is true for the larger ones.
pub(crate) fn with_underlays(items: &[Item]) -> impl Iterator<Item = (&Item, bool)> {
    let are_cells = |one: &Item, next: &Item| matches!((one, next), (Item::Cells(_), Item::Cells(_)));
    items.chunk_by(are_cells).flat_map(|group| {
        let cells = group.iter().filter(|item| matches!(item, Item::Cells(_)));
        cells.map(|item| (item, true)).chain(group.iter().map(|item| (item, false)))
    })
}

/// Width of the edge of the larger cells.
const UNDERLAY_EDGE: f64 = 0.5;

/// An item of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// A rectangle: its upper left corner, its width and height, and the radius of its round corners.
    Rect(Point, (f64, f64), f64, Style),
    /// A circle: its centre and radius.
    Circle(Point, f64, Style),
    /// Lines and curves.
    Path(Vec<PathStep>, Style),
    Text(Text),
    Cells(Cells),
}

/// Returns the edge of a rectangle from its upper left corner on. Its corners have this radius, as far as there is room.
pub(crate) fn rectangle((x, y): Point, (width, height): (f64, f64), radius: f64) -> Vec<PathStep> {
    let radius = radius.min(width / 2.0).min(height / 2.0);
    let (right, bottom) = (x + width, y + height);
    if radius <= 0.0 {
        let corners = [(right, y), (right, bottom), (x, bottom)].map(PathStep::Line);
        return [&[PathStep::Move((x, y))], &corners[..], &[PathStep::Close]].concat();
    }
    // Distance of the control points from the corner.
    let control = radius * (1.0 - QUARTER_CIRCLE);
    vec![
        PathStep::Move((x + radius, y)),
        PathStep::Line((right - radius, y)),
        PathStep::Curve((right - control, y), (right, y + control), (right, y + radius)),
        PathStep::Line((right, bottom - radius)),
        PathStep::Curve((right, bottom - control), (right - control, bottom), (right - radius, bottom)),
        PathStep::Line((x + radius, bottom)),
        PathStep::Curve((x + control, bottom), (x, bottom - control), (x, bottom - radius)),
        PathStep::Line((x, y + radius)),
        PathStep::Curve((x, y + control), (x + control, y), (x + radius, y)),
        PathStep::Close,
    ]
}

/// Distance of the control points from the ends of a Bézier curve that approximates a quarter circle of radius 1.
const QUARTER_CIRCLE: f64 = 0.552_284_75;

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
        self.map_points(|(x, y)| (x + by.0, y + by.1));
    }

    /// Replaces each point of the item.
    pub(crate) fn map_points(&mut self, map: impl Fn(Point) -> Point) {
        let replace = |point: &mut Point| *point = map(*point);
        match self {
            Self::Rect(at, ..) | Self::Circle(at, ..) => replace(at),
            Self::Text(text) => replace(&mut text.at),
            Self::Cells(cells) => replace(&mut cells.at),
            Self::Path(steps, _) => steps.iter_mut().for_each(|step| match step {
                PathStep::Move(to) | PathStep::Line(to) => replace(to),
                PathStep::Curve(one, other, to) => [one, other, to].into_iter().for_each(replace),
                PathStep::Close => {}
            }),
        }
    }
}

/// A part of a picture: items in a rectangle, whose upper left corner is the origin.
#[derive(Clone, Default)]
pub(crate) struct Panel {
    pub(crate) width: f64,
    pub(crate) height: f64,
    /// Items, from back to front.
    pub(crate) items: Vec<Item>,
}

impl Panel {
    /// Adds the items of another panel, with its origin at a point, and grows to contain that panel.
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
    /// Exact width and height on paper, in points of 1/72 inch; `None` if 96 units make an inch.
    pub paper: Option<(f64, f64)>,
    /// Items, from back to front.
    pub items: Vec<Item>,
}

/// The place of a picture on paper, in points of 1/72 inch.
pub(crate) struct PaperPlacement {
    /// Width and height of the paper.
    pub(crate) size: (f64, f64),
    /// Points in a unit.
    pub(crate) scale: f64,
    /// The picture's upper left corner, relative to the paper's.
    pub(crate) corner: Point,
}

/// Points in a unit: 72 points and 96 units make an inch.
pub(crate) const POINTS_PER_UNIT: f64 = 0.75;
/// Maximum width and height for PDF readers and TeX, in points (ISO 32000-1, Annex C).
const MAX_SIDE: f64 = 14_400.0;

impl Scene {
    /// Returns width and height in points.
    fn points(&self) -> (f64, f64) {
        self.paper
            .unwrap_or((f64::from(self.width) * POINTS_PER_UNIT, f64::from(self.height) * POINTS_PER_UNIT))
    }

    /// Returns width and height on paper, in millimetres.
    pub fn millimetres(&self) -> (f64, f64) {
        let (width, height) = self.points();
        (width / 72.0 * 25.4, height / 72.0 * 25.4)
    }

    /// Places the picture on paper: centred, and as large as possible. It is an error if the picture is larger than any paper.
    pub(crate) fn on_paper(&self) -> Result<PaperPlacement> {
        let units = (f64::from(self.width), f64::from(self.height));
        let size = self.points();
        if size.0.max(size.1) > MAX_SIDE {
            return Err(StudyError::Invalid(format!(
                "the picture would be {:.0} x {:.0} points (1/72 inch), and PDF and LaTeX have at most {MAX_SIDE} on a side; give a --size, \
                 draw fewer positions, or make an SVG",
                size.0, size.1
            )));
        }
        let scale = (size.0 / units.0).min(size.1 / units.1);
        let corner = ((size.0 - units.0 * scale) / 2.0, (size.1 - units.1 * scale) / 2.0);
        Ok(PaperPlacement { size, scale, corner })
    }
}
