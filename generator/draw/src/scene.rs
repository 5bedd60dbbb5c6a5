//! What a picture consists of, before it is SVG or PNG.

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
    /// What is in it, the hindmost first.
    pub items: Vec<Item>,
}
