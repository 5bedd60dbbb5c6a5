//! The colours, all of them here.
//!
//! Nothing is shown by hue alone. Any two colours that stand for different things in one picture differ in
//! lightness too (a test measures it), so that they are told apart in greyscale, and by those who do not see
//! red, green or blue. The hues are blue against orange and yellow, which every common kind of colour
//! blindness leaves apart (Okabe and Ito, 2008), and viridis (van der Walt and Smith, 2015), which grows
//! evenly in lightness.

use super::scene::Colour;

pub(super) const PAPER: Colour = Colour(255, 255, 255);
/// Titles, labels, marks.
pub(super) const INK: Colour = Colour(0x22, 0x26, 0x2b);
/// What matters less: subtitles, names of axes.
pub(super) const PALE_INK: Colour = Colour(0x5c, 0x64, 0x6e);
/// Axes and their ticks.
pub(super) const AXIS: Colour = Colour(0x9a, 0xa1, 0xa9);
/// Lines behind everything.
pub(super) const HAIR: Colour = Colour(0xd9, 0xdc, 0xe0);

/// Won for the player to move; won by player 1.
pub(super) const WON: Colour = Colour(0xf6, 0xcf, 0x7f);
/// Lost for the player to move.
pub(super) const LOST: Colour = Colour(0x0d, 0x4f, 0x86);

/// Won in both; lost in both; won in A, lost in B; lost in A, won in B; only in A; only in B.
pub(super) const CHANGES: [Colour; 6] = [
    Colour(0xf1, 0xf1, 0xef),
    Colour(0xb1, 0xb3, 0xb6),
    Colour(0xe0, 0x72, 0x1f),
    Colour(0x06, 0x3a, 0x68),
    Colour(0xdd, 0xe2, 0x8f),
    Colour(0xd2, 0xc2, 0xdd),
];

/// Positions that player 1 wins, and player 2.
pub(super) const PLAYERS: [Colour; 2] = [Colour(0x0d, 0x4f, 0x86), Colour(0xf0, 0xa8, 0x30)];
/// Moves that win, in a map.
pub(super) const WINNING: Colour = Colour(0x2b, 0x33, 0x3d);
/// All other moves.
pub(super) const MOVE: Colour = Colour(0xc6, 0xcb, 0xd1);
pub(super) const MISTAKE: Colour = Colour(0xc0, 0x3a, 0x0a);

/// Viridis, from dark to light, at even distances.
const VIRIDIS: [Colour; 9] = [
    Colour(0x44, 0x01, 0x54),
    Colour(0x47, 0x2d, 0x7b),
    Colour(0x3b, 0x52, 0x8b),
    Colour(0x2c, 0x72, 0x8e),
    Colour(0x21, 0x91, 0x8c),
    Colour(0x28, 0xae, 0x80),
    Colour(0x5e, 0xc9, 0x62),
    Colour(0xad, 0xdc, 0x30),
    Colour(0xfd, 0xe7, 0x25),
];

/// The most classes of a scheme.
pub(super) const MOST_CLASSES: usize = VIRIDIS.len();

/// So many colours, at most [`MOST_CLASSES`], from dark to light, as far apart as can be.
pub(super) fn scheme(classes: usize) -> Vec<Colour> {
    spread(classes, 0)
}

/// The same for numbers of which 0 is another thing than the others: it is far darker than they are.
pub(super) fn scheme_above_zero(classes: usize) -> Vec<Colour> {
    let above = classes.saturating_sub(1);
    let mut colours = vec![VIRIDIS[0]];
    // With few classes the lighter part is enough for them.
    colours.extend(spread(above, VIRIDIS.len() - (above + 2).clamp(6, VIRIDIS.len() - 1)));
    colours
}

fn spread(classes: usize, from: usize) -> Vec<Colour> {
    let last = classes.max(2) - 1;
    (0..classes).map(|class| VIRIDIS[from + (class * (VIRIDIS.len() - 1 - from) + last / 2) / last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lightness L* of CIELAB, 0 to 100.
    fn lightness(Colour(red, green, blue): Colour) -> f64 {
        let linear = |part: u8| {
            let part = f64::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
        };
        let y = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        if y > 0.008_856 { 116.0 * y.cbrt() - 16.0 } else { 903.3 * y }
    }

    fn apart(colours: &[Colour]) -> f64 {
        let mut all: Vec<f64> = colours.iter().map(|&colour| lightness(colour)).collect();
        all.sort_by(f64::total_cmp);
        all.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::MAX, f64::min)
    }

    #[test]
    fn colours_that_stand_side_by_side_differ_in_lightness() {
        assert!(apart(&[WON, LOST, PAPER]) > 12.0);
        assert!(apart(&[PLAYERS[0], PLAYERS[1], MISTAKE]) > 10.0);
        assert!(apart(&CHANGES) > 7.0, "{:?}", CHANGES.map(lightness));
        for classes in 1..=MOST_CLASSES {
            for mut colours in [scheme(classes), scheme_above_zero(classes)] {
                assert_eq!(colours.len(), classes);
                colours.push(PAPER);
                assert!(apart(&colours) > 5.0, "{classes}");
            }
        }
    }
}
