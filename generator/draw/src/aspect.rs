//! How wide the cells of a plane are.

use std::str::FromStr;

use bouton_study::Progress;

use super::error::DrawError;

/// The width of a cell of a plane, divided by its height: 1/50 to 50. As text it is `W:H` or one number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Aspect(f64);

/// How much longer one side of a cell may be than the other.
const MOST: f64 = 50.0;

impl Aspect {
    pub(super) fn ratio(self) -> f64 {
        self.0
    }
}

impl FromStr for Aspect {
    type Err = DrawError;

    fn from_str(text: &str) -> Result<Self, DrawError> {
        let (width, height) = text.split_once(':').unwrap_or((text, "1"));
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| *number > 0.0);
        let ratio = number(width).zip(number(height)).map(|(width, height)| width / height);
        let ratio = ratio.filter(|ratio| (1.0 / MOST..=MOST).contains(ratio));
        ratio.map(Self).ok_or_else(|| {
            DrawError::Invalid(format!(
                "found '{}', expected the width of a cell to its height, from 1:50 to 50:1; give for example 1:1 for squares, or 3:1",
                text.escape_debug()
            ))
        })
    }
}

/// Which plane of a game is drawn, and how.
#[derive(Clone, Copy)]
pub struct PlaneOptions<'a> {
    /// A filter that selects the plane, and which of its positions are shown.
    pub filter: &'a str,
    /// How wide cells are. If left out, squares in games of heaps, and otherwise what fills a sheet.
    pub aspect: Option<Aspect>,
    /// Is told of the cells that are done, and of the positions of which Grundy values are computed for them.
    pub progress: &'a Progress<'a>,
}

impl<'a> From<&'a str> for PlaneOptions<'a> {
    /// A filter alone.
    fn from(filter: &'a str) -> Self {
        Self { filter, aspect: None, progress: &|_| Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aspects_are_one_number_or_two() {
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
