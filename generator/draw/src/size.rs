//! Sizes of pictures, and scaling to them.

use std::str::FromStr;

use super::error::Result;
use super::scene::{Item, POINTS_PER_UNIT, Scene};
use bouton_study::StudyError;

/// The size of a picture: width and height, 100 to 10,000 pixels each. As text: `800x600`, or `180x120mm` (96 pixels are 25.4 mm).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureSize {
    width: u32,
    height: u32,
    /// The exact size in points, if given in millimetres.
    points: Option<(f64, f64)>,
}

/// Minimum width and height, in pixels.
const MIN_SIDE: f64 = 100.0;
/// Maximum width and height, in pixels.
const MAX_SIDE: f64 = 10_000.0;
/// Pixels in a millimetre, as in CSS.
const PIXELS_PER_MILLIMETRE: f64 = 96.0 / 25.4;
/// Minimum scale at which letters are readable.
const MIN_SCALE: f64 = 0.5;

impl FromStr for PictureSize {
    type Err = StudyError;

    fn from_str(text: &str) -> Result<Self> {
        let (sides, unit) = match text.strip_suffix("mm") {
            Some(sides) => (sides, PIXELS_PER_MILLIMETRE),
            None => (text.strip_suffix("px").unwrap_or(text), 1.0),
        };
        let side = |text: &str| {
            let side = text.trim().parse::<f64>().ok()? * unit;
            (MIN_SIDE..=MAX_SIDE).contains(&side.round()).then_some(side)
        };
        let size = sides.split_once(['x', '×']).and_then(|(width, height)| side(width).zip(side(height)));
        let size = size.map(|(width, height)| Self {
            width: width.round() as u32,
            height: height.round() as u32,
            points: (unit != 1.0).then_some((width * POINTS_PER_UNIT, height * POINTS_PER_UNIT)),
        });
        size.ok_or_else(|| {
            StudyError::Invalid(format!(
                "found '{}', expected a width and a height, each 100 to 10,000 pixels or 27 to 2,645 millimetres; give for example \
                 1600x900, or 180x120mm",
                text.escape_debug()
            ))
        })
    }
}

impl Scene {
    /// Returns a picture of this size that contains the picture: centred, and as large as possible.
    ///
    /// # Errors
    /// If the letters would be too small to be read.
    pub fn sized(mut self, size: PictureSize) -> Result<Self> {
        let [width, height] = [self.width, self.height].map(f64::from);
        let scale = (f64::from(size.width) / width).min(f64::from(size.height) / height);
        if scale < MIN_SCALE {
            let [least_width, least_height] = [width, height].map(|side| (side * MIN_SCALE).ceil());
            return Err(StudyError::Invalid(format!(
                "--size: found {}x{}, but this picture needs at least {least_width}x{least_height} pixels to \
                 be legible; give a larger size, or draw fewer positions",
                size.width, size.height
            )));
        }
        let margin =
            ((f64::from(size.width) - width * scale) / 2.0, (f64::from(size.height) - height * scale) / 2.0);
        for item in &mut self.items {
            item.scale(scale);
            item.shift(margin);
        }
        Ok(Self { width: size.width, height: size.height, paper: size.points, ..self })
    }
}

impl Item {
    /// Scales the item from the upper left corner of the picture.
    fn scale(&mut self, by: f64) {
        let scaled = |(x, y): (f64, f64)| (x * by, y * by);
        self.map_points(scaled);
        match self {
            Self::Rect(_, size, radius, _) => (*size, *radius) = (scaled(*size), *radius * by),
            Self::Circle(_, radius, _) => *radius *= by,
            Self::Path(..) => {}
            Self::Text(text) => text.size *= by,
            Self::Cells(cells) => cells.cell = scaled(cells.cell),
        }
        if let Self::Rect(.., style) | Self::Circle(.., style) | Self::Path(_, style) = self
            && let Some((_, width)) = &mut style.stroke
        {
            *width *= by;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_in_pixels_or_millimetres() {
        for (text, width, height, millimetres) in [
            ("800x600", 800, 600, None),
            ("100x10000px", 100, 10_000, None),
            ("254x127mm", 960, 480, Some((254.0, 127.0))),
            ("180x120.5mm", 680, 455, Some((180.0, 120.5))),
            ("300 × 200", 300, 200, None),
        ] {
            let size = text.parse::<PictureSize>().unwrap();
            assert_eq!((size.width, size.height), (width, height), "{text}");
            let found = size.points.map(|(width, height)| [width, height].map(|side| side / 72.0 * 25.4));
            match (found, millimetres) {
                (Some([width, height]), Some(asked)) => {
                    assert!((width - asked.0).abs() < 1e-9 && (height - asked.1).abs() < 1e-9, "{text}");
                }
                (found, asked) => assert!(found.is_none() && asked.is_none(), "{text}"),
            }
        }
        for text in [
            "",
            "800",
            "800x",
            "x600",
            "99x600",
            "800x10001",
            "-800x600",
            "800x600cm",
            "nanxinf",
            "20x20mm",
            "1x2x3",
        ] {
            let error = text.parse::<PictureSize>().unwrap_err().to_string();
            assert!(
                error.contains(&format!("found '{text}'")) && error.contains("100 to 10,000 pixels"),
                "{error}"
            );
        }
    }
}
