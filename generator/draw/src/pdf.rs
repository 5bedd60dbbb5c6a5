//! Writes a picture as PDF: shapes as paths, and text as text in an embedded font.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Content, Filter, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use subsetter::GlyphRemapper;
use ttf_parser::GlyphId;

use super::error::Result;
use super::font::{BYTES, CAPITAL_HEIGHT, FACE, advance, letters};
use super::palette::PAPER;
use super::scene::{
    Cells, Colour, Item, PaperPlacement, PathStep, Scene, Style, Text, circle, rectangle, with_underlays,
};
use bouton_study::StudyError;

/// The name of the font in the pages.
const FONT: Name = Name(b"F");
/// The name of the embedded font: six letters for a subset, and the name of the whole font.
const FONT_NAME: Name = Name(b"BOUTON+DejaVuSans");
/// The text names glyphs by their numbers, not by characters of some set.
const GLYPHS: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };
/// Units of an em in the widths of a font, and in the adjustment of letters.
const EM: f32 = 1000.0;

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
    let first = scenes.first().ok_or_else(|| failed("it has no page"))?;
    let mut next_id = Ref::new(1);
    let [catalog, tree, about, font_id] = std::array::from_fn(|_| next_id.bump());
    let mut pdf = Pdf::new();
    let mut font = FontSubset::default();
    let mut pages = Vec::new();
    for scene in scenes {
        let paper = scene.on_paper()?;
        let content = Canvas { content: Content::new(), font: &mut font }.draw_scene(scene, &paper);
        let [page_id, content_id] = std::array::from_fn(|_| next_id.bump());
        let mut page = pdf.page(page_id);
        page.parent(tree).contents(content_id);
        page.media_box(Rect::new(0.0, 0.0, paper.size.0 as f32, paper.size.1 as f32));
        page.resources().fonts().pair(FONT, font_id);
        page.finish();
        pdf.stream(content_id, &compressed(&content)).filter(Filter::FlateDecode);
        pages.push(page_id);
    }
    font.write(&mut pdf, font_id, &mut next_id)?;
    pdf.catalog(catalog).lang(TextStr("en")).pages(tree);
    pdf.pages(tree).count(pages.len() as i32).kids(pages);
    let mut info = pdf.document_info(about);
    info.title(TextStr(&first.title)).subject(TextStr(&first.description)).creator(TextStr("bouton"));
    info.finish();
    Ok(pdf.finish())
}

fn failed(why: impl std::fmt::Display) -> StudyError {
    StudyError::Invalid(format!("cannot make a PDF: {why}"))
}

fn compressed(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory")
}

/// The glyphs in use. The file embeds no others.
#[derive(Default)]
struct FontSubset {
    /// Numbers the glyphs in the order of their first use; 0 is the empty box.
    numbers: GlyphRemapper,
    /// The glyph and the letter of each number from 1 on.
    glyphs: Vec<(GlyphId, char)>,
}

impl FontSubset {
    /// Returns the number of a letter's glyph.
    fn number(&mut self, glyph: GlyphId, letter: char) -> u16 {
        let number = self.numbers.remap(glyph.0);
        if usize::from(number) > self.glyphs.len() {
            self.glyphs.push((glyph, letter));
        }
        number
    }

    /// Embeds the font.
    fn write(&self, pdf: &mut Pdf, id: Ref, next_id: &mut Ref) -> Result<()> {
        let [glyphs_id, descriptor_id, letters_id, file_id] = std::array::from_fn(|_| next_id.bump());
        let encoding = Name(b"Identity-H");
        let mut font = pdf.type0_font(id);
        font.base_font(FONT_NAME).encoding_predefined(encoding);
        font.descendant_font(glyphs_id).to_unicode(letters_id);
        font.finish();

        let mut glyphs = pdf.cid_font(glyphs_id);
        glyphs.subtype(CidFontType::Type2).base_font(FONT_NAME).system_info(GLYPHS);
        glyphs.font_descriptor(descriptor_id).default_width(0.0).cid_to_gid_map_predefined(Name(b"Identity"));
        let all = [GlyphId(0)].into_iter().chain(self.glyphs.iter().map(|&(glyph, _)| glyph));
        glyphs.widths().consecutive(0, all.map(|glyph| advance(glyph) as f32 * EM));
        glyphs.finish();

        let units = |units: i16| f32::from(units) / f32::from(FACE.units_per_em()) * EM;
        let bounds = FACE.global_bounding_box();
        let mut descriptor = pdf.font_descriptor(descriptor_id);
        descriptor.name(FONT_NAME).flags(FontFlags::NON_SYMBOLIC).italic_angle(0.0);
        descriptor.bbox(Rect::new(
            units(bounds.x_min),
            units(bounds.y_min),
            units(bounds.x_max),
            units(bounds.y_max),
        ));
        descriptor.ascent(units(FACE.ascender())).descent(units(FACE.descender()));
        // The thickness of a stem only matters to viewers that substitute another font.
        descriptor.cap_height(CAPITAL_HEIGHT as f32 * EM).stem_v(80.0).font_file2(file_id);
        descriptor.finish();

        let mut letters = UnicodeCmap::new(Name(b"Letters"), GLYPHS);
        for (number, &(_, letter)) in (1_u16..).zip(&self.glyphs) {
            letters.pair(number, letter);
        }
        pdf.cmap(letters_id, &compressed(&letters.finish())).filter(Filter::FlateDecode);

        let subset = subsetter::subset(BYTES, 0, &self.numbers).map_err(failed)?;
        let packed = compressed(&subset);
        pdf.stream(file_id, &packed).filter(Filter::FlateDecode).pair(Name(b"Length1"), subset.len() as i32);
        Ok(())
    }
}

/// The page that is being drawn.
struct Canvas<'a> {
    content: Content,
    font: &'a mut FontSubset,
}

impl Canvas<'_> {
    /// Draws a picture. Returns the operators of the page.
    fn draw_scene(mut self, scene: &Scene, paper: &PaperPlacement) -> Vec<u8> {
        // In PDF, y points up.
        self.content.transform([1.0, 0.0, 0.0, -1.0, 0.0, paper.size.1 as f32]);
        self.path(&rectangle((0.0, 0.0), paper.size, 0.0), Style::filled(PAPER));
        let [scale, x, y] = [paper.scale, paper.corner.0, paper.corner.1].map(|number| number as f32);
        self.content.transform([scale, 0.0, 0.0, scale, x, y]);
        with_underlays(&scene.items).for_each(|(item, is_underlay)| self.draw(item, is_underlay));
        self.content.finish().into_vec()
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

    fn path(&mut self, steps: &[PathStep], Style { fill, stroke }: Style) {
        let content = &mut self.content;
        if let Some(colour) = fill {
            let [red, green, blue] = parts(colour);
            content.set_fill_rgb(red, green, blue);
        }
        if let Some((colour, width)) = stroke {
            let [red, green, blue] = parts(colour);
            content.set_stroke_rgb(red, green, blue).set_line_width(width as f32);
        }
        for step in steps {
            match *step {
                PathStep::Move((x, y)) => content.move_to(x as f32, y as f32),
                PathStep::Line((x, y)) => content.line_to(x as f32, y as f32),
                PathStep::Curve((x1, y1), (x2, y2), (x, y)) => {
                    content.cubic_to(x1 as f32, y1 as f32, x2 as f32, y2 as f32, x as f32, y as f32)
                }
                PathStep::Close => content.close_path(),
            };
        }
        match (fill, stroke) {
            (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
            (Some(_), None) => content.fill_nonzero(),
            (None, Some(_)) => content.stroke(),
            (None, None) => content.end_path(),
        };
    }

    fn text(&mut self, text: &Text) {
        let content = &mut self.content;
        let [red, green, blue] = parts(text.colour);
        content.set_fill_rgb(red, green, blue);
        let (x, y) = (text.at.0 as f32, text.at.1 as f32);
        let before = text.width_before_point() as f32;
        // Letters stand upright, although y points down; a text that runs upwards takes a quarter turn to the left.
        let matrix = match text.is_upwards {
            true => [0.0, -1.0, -1.0, 0.0, x, y + before],
            false => [1.0, 0.0, 0.0, -1.0, x - before, y],
        };
        content.begin_text().set_font(FONT, text.size as f32).set_text_matrix(matrix);
        let mut shown = content.show_positioned();
        let mut items = shown.items();
        for (letter, char) in letters(&text.text, 1.0).zip(text.text.chars()) {
            let number = if letter.glyph.0 == 0 { 0 } else { self.font.number(letter.glyph, char) };
            items.show(Str(&number.to_be_bytes()));
            let narrower = letter.advance - advance(letter.glyph);
            if narrower != 0.0 {
                items.adjust(-narrower as f32 * EM);
            }
        }
        items.finish();
        shown.finish();
        content.end_text();
    }

    /// Draws all cells of a colour as one path.
    fn cells(&mut self, cells: &Cells, style: Style) {
        let steps = cells.rectangles().flat_map(|(at, size)| rectangle(at, size, 0.0));
        self.path(&steps.collect::<Vec<PathStep>>(), style);
    }
}

/// Returns the parts of a colour, from 0 to 1.
fn parts(Colour(red, green, blue): Colour) -> [f32; 3] {
    [red, green, blue].map(|part| f32::from(part) / 255.0)
}
