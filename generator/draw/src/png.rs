//! Writes a picture as PNG.

use bouton_study::StudyError;
use tiny_skia::{FillRule, Paint, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::error::Result;
use super::font::outline;
use super::palette::PAPER;
use super::scene::{Cells, Colour, Item, PathStep, Scene, Style, Text, rectangle};

/// Maximum width and height of Bouton's PNGs, in pixels.
const MAX_SIDE: u64 = 16_384;

/// Returns the bytes of a PNG file, with `scale` pixels for each unit of the scene.
///
/// # Errors
/// If a side would have more than 16,384 pixels, the picture is empty, or the encoder fails.
pub fn png(scene: &Scene, scale: u32) -> Result<Vec<u8>> {
    let [width, height] = [scene.width, scene.height].map(|side| u64::from(side) * u64::from(scale));
    if width.max(height) > MAX_SIDE {
        return Err(StudyError::Invalid(format!(
            "the picture would be {width} x {height} pixels, and a PNG may have at most {MAX_SIDE} on a side; give a smaller --scale, \
             draw fewer positions, or make an SVG or a PDF"
        )));
    }
    let empty = || StudyError::Invalid(format!("the picture would be empty: {width} x {height} pixels"));
    let mut canvas = Canvas {
        pixmap: Pixmap::new(width as u32, height as u32).ok_or_else(empty)?,
        scale: f64::from(scale),
        transform: Transform::from_scale(scale as f32, scale as f32),
    };
    canvas.pixmap.fill(colour(PAPER));
    scene.items.iter().for_each(|item| canvas.draw(item));
    let encoded = canvas.pixmap.encode_png();
    encoded.map_err(|error| StudyError::Invalid(format!("the PNG cannot be encoded: {error}")))
}

fn colour(Colour(red, green, blue): Colour) -> tiny_skia::Color {
    tiny_skia::Color::from_rgba8(red, green, blue, 255)
}

fn paint(fill: Colour, anti_alias: bool) -> Paint<'static> {
    let mut paint = Paint { anti_alias, ..Paint::default() };
    paint.set_color(colour(fill));
    paint
}

/// The picture that is being drawn.
struct Canvas {
    pixmap: Pixmap,
    scale: f64,
    transform: Transform,
}

impl Canvas {
    fn draw(&mut self, item: &Item) {
        match item {
            Item::Rect(at, size, radius, style) => {
                self.path(path_of(&rectangle(*at, *size, *radius)), *style);
            }
            Item::Circle((x, y), radius, style) => {
                let mut path = PathBuilder::new();
                path.push_circle(*x as f32, *y as f32, *radius as f32);
                self.path(path, *style);
            }
            Item::Path(steps, style) => self.path(path_of(steps), *style),
            Item::Text(text) => self.text(text),
            Item::Cells(cells) => self.cells(cells),
        }
    }

    fn path(&mut self, path: PathBuilder, style: Style) {
        let Some(path) = path.finish() else { return };
        if let Some(fill) = style.fill {
            self.pixmap.fill_path(&path, &paint(fill, true), FillRule::Winding, self.transform, None);
        }
        if let Some((line, width)) = style.stroke {
            let stroke = Stroke { width: width as f32, ..Stroke::default() };
            self.pixmap.stroke_path(&path, &paint(line, true), &stroke, self.transform, None);
        }
    }

    fn text(&mut self, text: &Text) {
        let Some(path) = outline(&text.text, text.size).finish() else { return };
        let turn = if text.is_upwards { -90.0 } else { 0.0 };
        let transform = self
            .transform
            .pre_translate(text.at.0 as f32, text.at.1 as f32)
            .pre_concat(Transform::from_rotate(turn))
            .pre_translate(-text.width_before_point() as f32, 0.0);
        self.pixmap.fill_path(&path, &paint(text.colour, true), FillRule::Winding, transform, None);
    }

    /// Draws cells without gaps: rounds each edge to the nearest boundary between pixels.
    fn cells(&mut self, cells: &Cells) {
        let paint = paint(cells.colour, false);
        for run in &cells.runs {
            let (columns, rows) = if cells.down { (1, run.length) } else { (run.length, 1) };
            let x = |column| ((cells.at.0 + f64::from(column) * cells.cell.0) * self.scale).round() as f32;
            let y = |row| ((cells.at.1 + f64::from(row) * cells.cell.1) * self.scale).round() as f32;
            let (right, bottom) = (x(run.column + columns), y(run.row + rows));
            if let Some(rect) = Rect::from_ltrb(x(run.column), y(run.row), right, bottom) {
                self.pixmap.fill_rect(rect, &paint, Transform::identity(), None);
            }
        }
    }
}

fn path_of(steps: &[PathStep]) -> PathBuilder {
    let mut path = PathBuilder::new();
    for step in steps {
        match *step {
            PathStep::Move((x, y)) => path.move_to(x as f32, y as f32),
            PathStep::Line((x, y)) => path.line_to(x as f32, y as f32),
            PathStep::Curve((x1, y1), (x2, y2), (x, y)) => {
                path.cubic_to(x1 as f32, y1 as f32, x2 as f32, y2 as f32, x as f32, y as f32);
            }
            PathStep::Close => path.close(),
        }
    }
    path
}
