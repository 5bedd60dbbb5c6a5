//! Options for drawing a plane: its filter, the shape of its cells, and a progress callback.

use std::str::FromStr;

use bouton_study::{Progress, StudyError};

use super::error::Result;

/// The width of a plane's cells divided by their height: 1/50 to 50. As text it is `W:H` or one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aspect(f64);

/// Maximum ratio of a cell's longer side to its shorter one.
const MAX_RATIO: f64 = 50.0;

impl Aspect {
    pub(super) fn ratio(self) -> f64 {
        self.0
    }
}

impl FromStr for Aspect {
    type Err = StudyError;

    fn from_str(text: &str) -> Result<Self> {
        let (width, height) = text.split_once(':').unwrap_or((text, "1"));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| *number > 0.0);
        let ratio = number(width).zip(number(height)).map(|(width, height)| width / height);
        let ratio = ratio.filter(|ratio| (1.0 / MAX_RATIO..=MAX_RATIO).contains(ratio));
        ratio.map(Self).ok_or_else(|| {
            StudyError::Invalid(format!(
                "found '{}', expected the ratio of a cell's width to its height, from 1:50 to 50:1; give for example \
                 1:1 for squares, or 3:1",
                text.escape_debug()
            ))
        })
    }
}

/// The plane of a game to draw, and how to draw it.
#[derive(Clone, Copy)]
pub struct PlaneOptions<'a> {
    /// The filter that selects the plane, and those of its positions that get a colour.
    pub filter: &'a str,
    /// Shape of the cells. By default squares for heap games; otherwise the shape with which the plane fills up to 1000
    /// by 400 units, with cells of at most 28 by 28 units.
    pub aspect: Option<Aspect>,
    /// Callback for finished cells, and for positions whose Grundy values were computed.
    pub progress: &'a Progress<'a>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_aspect_is_one_number_or_two() {
        for (text, ratio) in
            [("1", 1.0), ("3:1", 3.0), ("1:4", 0.25), (" 2 : 4 ", 0.5), ("0.5", 0.5), ("50", 50.0)]
        {
            assert_eq!(text.parse::<Aspect>().unwrap().ratio(), ratio, "{text}");
        }
        for text in ["", "x", "0", "-1", "1:0", "0:0", "51", "1:51", "nan", "inf", "1:2:3", "1e999", ":"] {
            let error = text.parse::<Aspect>().unwrap_err().to_string();
            assert!(error.contains(&format!("found '{text}'")) && error.contains("1:50 to 50:1"), "{error}");
        }
    }
}
