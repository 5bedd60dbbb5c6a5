//! The font: widths of texts, and outlines of letters.

use std::sync::LazyLock;

use tiny_skia::PathBuilder;
use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// A subset of DejaVu Sans; `assets/README.md` says how it was made.
pub(super) const BYTES: &[u8] = include_bytes!("../assets/DejaVuSans-subset.ttf");

pub(super) static FACE: LazyLock<Face<'static>> =
    LazyLock::new(|| Face::parse(BYTES, 0).expect("the font is part of the program"));

/// Height of capitals and digits above the baseline, for size 1.
pub(super) const CAPITAL_HEIGHT: f64 = 0.73;

pub(super) struct Letter {
    /// The glyph: an empty box for a letter that the font does not have.
    pub(super) glyph: GlyphId,
    /// Distance from the beginning of the text.
    pub(super) x: f64,
    /// Distance to the next letter.
    pub(super) advance: f64,
}

/// Returns the distance from a glyph to the next one, for size 1.
pub(super) fn advance(glyph: GlyphId) -> f64 {
    f64::from(FACE.glyph_hor_advance(glyph).unwrap_or(0)) / f64::from(FACE.units_per_em())
}

pub(super) fn letters(text: &str, size: f64) -> impl Iterator<Item = Letter> {
    text.chars().scan(0.0, move |at, letter| {
        let glyph = FACE.glyph_index(letter);
        // If the font does not have the letter, a viewer takes it from another font. Assume the greatest width there: one em.
        let advance = glyph.map_or(size, |glyph| advance(glyph) * size);
        let x = *at;
        *at += advance;
        Some(Letter { glyph: glyph.unwrap_or_default(), x, advance })
    })
}

pub(super) fn width(text: &str, size: f64) -> f64 {
    letters(text, size).last().map_or(0.0, |last| last.x + last.advance)
}

/// Returns the outlines of a text's letters. The text begins at the origin, and y points down.
pub(super) fn outline(text: &str, size: f64) -> PathBuilder {
    let scale = size / f64::from(FACE.units_per_em());
    let mut pen = Pen { path: PathBuilder::new(), scale, x: 0.0 };
    for Letter { glyph, x, .. } in letters(text, size) {
        pen.x = x;
        // A space has no outline.
        let _ = FACE.outline_glyph(glyph, &mut pen);
    }
    pen.path
}

/// Draws the outlines of letters.
struct Pen {
    path: PathBuilder,
    scale: f64,
    /// Where the current letter begins.
    x: f64,
}

impl Pen {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        ((self.x + f64::from(x) * self.scale) as f32, (-f64::from(y) * self.scale) as f32)
    }
}

impl OutlineBuilder for Pen {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.path.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.path.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, _: f32, _: f32, _: f32, _: f32, x: f32, y: f32) {
        // TrueType fonts have no cubic curves.
        self.line_to(x, y);
    }

    fn close(&mut self) {
        self.path.close();
    }
}

/// Breaks a text between words into lines of at most `most` units. Cuts words that are wider.
pub(super) fn wrap(text: &str, size: f64, most: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        if let Some(line) = lines.last_mut()
            && width(line, size) + width(" ", size) + width(word, size) <= most
        {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(cut(word, size, most));
        }
    }
    lines
}

/// Cuts a text to at most `most` units, with an ellipsis.
pub(super) fn cut(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let room = most - width("…", size);
    let ends = text.char_indices().map(|(begin, letter)| begin + letter.len_utf8());
    let end = ends.take_while(|&end| width(&text[..end], size) <= room).last().unwrap_or(0);
    format!("{}…", text[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up_and_cut_texts_have_at_most_the_requested_width() {
        assert_eq!(width("", 10.0), 0.0);
        assert!((width("ab", 10.0) - width("a", 10.0) - width("b", 10.0)).abs() < 1e-9);
        assert!(width("iii", 10.0) < width("mmm", 10.0));
        assert_eq!(width("東", 10.0), 10.0);
        let long = "a rather long name";
        assert!(width(&cut(long, 10.0, 60.0), 10.0) <= 60.0);
        assert_eq!(cut(long, 10.0, 600.0), long);
        assert!(wrap(long, 10.0, 60.0).iter().all(|line| width(line, 10.0) <= 60.0));
        assert_eq!(wrap(long, 10.0, 60.0).join(" "), long);
    }
}
