//! Writes a picture as PDF: shapes as paths, and text as text in an embedded font.

use krilla::color::rgb;
use krilla::geom::{Path, PathBuilder, Point as PdfPoint, Transform};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Document, SerializeSettings};

use super::error::Result;
use super::font::{BYTES, letters};
use super::palette::PAPER;
use super::scene::{
    Cells, Colour, Item, OnPaper, PathStep, Scene, Style, Text, circle, rectangle, with_underlays,
};
use bouton_study::StudyError;

/// Returns the bytes of a PDF file with one page, as large as the picture. The file does not say when and where it was made.
///
/// A letter that the font does not have appears as an empty box, and a search may not find it.
///
/// # Errors
/// If the picture is larger than PDF readers allow.
pub fn pdf(scene: &Scene) -> Result<Vec<u8>> {
    pdf_of_pages(std::slice::from_ref(scene))
}

/// Returns the bytes of a PDF file with a page for each picture, titled after the first one.
///
/// # Errors
/// As [`pdf`], and if there is no picture.
pub fn pdf_of_pages(scenes: &[Scene]) -> Result<Vec<u8>> {
    let failed = |why: &dyn std::fmt::Debug| StudyError::Invalid(format!("cannot make a PDF: {why:?}"));
    let first = scenes.first().ok_or_else(|| failed(&"it has no page"))?;
    let font = Font::new(BYTES.into(), 0).ok_or_else(|| failed(&"the font cannot be read"))?;
    let mut document = Document::new_with(SerializeSettings::default());
    let about = Metadata::new().title(first.title.clone()).description(first.description.clone());
    document.set_metadata(about.language("en".to_owned()).creator("bouton".to_owned()));
    for scene in scenes {
        let paper = scene.on_paper()?;
        let (width, height) = (paper.size.0 as f32, paper.size.1 as f32);
        let settings = PageSettings::from_wh(width, height).ok_or_else(|| failed(&"a page is empty"))?;
        let mut page = document.start_page_with(settings);
        Canvas { surface: page.surface(), font: &font }.scene(scene, &paper);
        page.finish();
    }
    document.finish().map_err(|error| failed(&error))
}

/// The page that is being drawn.
struct Canvas<'a> {
    surface: Surface<'a>,
    font: &'a Font,
}

fn fill(Colour(red, green, blue): Colour) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}

fn stroke((colour, width): (Colour, f64)) -> Stroke {
    Stroke { paint: fill(colour).paint, width: width as f32, ..Stroke::default() }
}

impl Canvas<'_> {
    fn scene(mut self, scene: &Scene, paper: &OnPaper) {
        self.path(&rectangle((0.0, 0.0), paper.size, 0.0), Style::filled(PAPER));
        let [scale, x, y] = [paper.scale, paper.corner.0, paper.corner.1].map(|number| number as f32);
        self.surface.push_transform(&Transform::from_row(scale, 0.0, 0.0, scale, x, y));
        with_underlays(&scene.items).for_each(|(item, is_underlay)| self.draw(item, is_underlay));
        self.surface.pop();
        self.surface.finish();
    }

    fn draw(&mut self, item: &Item, is_underlay: bool) {
        match item {
            Item::Rect(at, size, radius, style) => self.path(&rectangle(*at, *size, *radius), *style),
            Item::Circle(at, radius, style) => self.path(&circle(*at, *radius), *style),
            Item::Path(steps, style) => self.path(steps, *style),
            Item::Text(text) => self.text(text),
            Item::Cells(cells) => self.cells(cells, cells.style(is_underlay)),
        }
    }

    fn path(&mut self, steps: &[PathStep], style: Style) {
        let Some(path) = path_of(steps) else { return };
        // Without fill and stroke, krilla would draw in black.
        if style != Style::default() {
            self.surface.set_fill(style.fill.map(fill));
            self.surface.set_stroke(style.stroke.map(stroke));
            self.surface.draw_path(&path);
        }
    }

    fn text(&mut self, text: &Text) {
        let glyphs: Vec<KrillaGlyph> = letters(&text.text, 1.0)
            .zip(text.text.char_indices())
            .map(|(letter, (start, char))| {
                let range = start..start + char.len_utf8();
                let glyph = GlyphId::new(letter.glyph.0.into());
                KrillaGlyph::new(glyph, letter.advance as f32, 0.0, 0.0, 0.0, range, None)
            })
            .collect();
        self.surface.set_fill(Some(fill(text.colour)));
        self.surface.set_stroke(None);
        let (x, y) = (text.at.0 as f32, text.at.1 as f32);
        // For a text that runs upwards, a quarter turn to the left.
        let [xx, yx, xy, yy] = if text.is_upwards { [0.0, -1.0, 1.0, 0.0] } else { [1.0, 0.0, 0.0, 1.0] };
        self.surface.push_transform(&Transform::from_row(xx, yx, xy, yy, x, y));
        let start = PdfPoint::from_xy(-text.width_before_point() as f32, 0.0);
        let font = self.font.clone();
        self.surface.draw_glyphs(start, &glyphs, font, &text.text, text.size as f32, false);
        self.surface.pop();
    }

    /// Draws all cells of a colour as one path.
    fn cells(&mut self, cells: &Cells, style: Style) {
        let steps = cells.rectangles().flat_map(|(at, size)| rectangle(at, size, 0.0));
        self.path(&steps.collect::<Vec<PathStep>>(), style);
    }
}

fn path_of(steps: &[PathStep]) -> Option<Path> {
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
    path.finish()
}
