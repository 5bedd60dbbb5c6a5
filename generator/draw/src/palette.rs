//! All colours.
//!
//! Two colours with different meanings in one picture also differ in lightness; a test measures this for the colours of
//! positions. So readers can distinguish them in greyscale or with any colour blindness. The hues are blue against
//! orange and yellow, which remain distinct under every common kind of colour blindness (Okabe and Ito, 2008), and
//! viridis (van der Walt and Smith, 2015), whose lightness grows evenly.

use super::scene::Colour;

/// Returns the colour `#rrggbb`.
const fn hex(code: u32) -> Colour {
    let [_, red, green, blue] = code.to_be_bytes();
    Colour(red, green, blue)
}

pub(super) const PAPER: Colour = hex(0xffffff);
/// Titles, labels, marks.
pub(super) const INK: Colour = hex(0x22262b);
/// Subtitles, names of axes, and other less important text.
pub(super) const PALE_INK: Colour = hex(0x5c646e);
/// Axes and their ticks.
pub(super) const AXIS: Colour = hex(0x9aa1a9);
/// Thin lines in the background.
pub(super) const HAIRLINE: Colour = hex(0xd9dce0);

/// Won for the player to move.
pub(super) const WON: Colour = hex(0xf6cf7f);
/// Lost for the player to move.
pub(super) const LOST: Colour = hex(0x0d4f86);

/// Positions of two tables: won in both; lost in both; won in A and lost in B; lost in A and won in B; only in A; only in B.
pub(super) const CHANGES: [Colour; 6] =
    [hex(0xf1f1ef), hex(0xb1b3b6), hex(0xe0721f), hex(0x063a68), hex(0xdde28f), hex(0xd2c2dd)];

/// Positions of a recorded game: first, those that the player of the first move wins; second, those that the other player wins.
pub(super) const PLAYERS: [Colour; 2] = [hex(0x0d4f86), hex(0xf0a830)];
/// Winning moves in a map.
pub(super) const WINNING: Colour = hex(0x2b333d);
/// Other moves in a map.
pub(super) const MOVE: Colour = hex(0xc6cbd1);
/// Mistakes in a recorded game.
pub(super) const MISTAKE: Colour = hex(0xc03a0a);

/// Viridis, from dark to light, at even distances.
const VIRIDIS: [u32; 9] =
    [0x440154, 0x472d7b, 0x3b528b, 0x2c728e, 0x21918c, 0x28ae80, 0x5ec962, 0xaddc30, 0xfde725];

/// Returns a colour for each of `classes` classes of numbers, at most nine, from dark to light, at even distances in
/// [`VIRIDIS`].
pub(super) fn scheme(classes: usize) -> Vec<Colour> {
    scheme_from(0, classes)
}

/// Returns colours for classes of numbers. The first class has only 0, and gets the darkest colour; if there are few
/// classes, the colours of the others are much lighter.
pub(super) fn scheme_above_zero(classes: usize) -> Vec<Colour> {
    let above = classes.saturating_sub(1);
    let mut colours = vec![hex(VIRIDIS[0])];
    // For few classes, the lighter part of the scheme has enough colours.
    colours.extend(scheme_from(VIRIDIS.len() - (above + 2).clamp(6, VIRIDIS.len() - 1), above));
    colours
}

/// Returns colours at even distances in the part of [`VIRIDIS`] from index `first` on.
fn scheme_from(first: usize, classes: usize) -> Vec<Colour> {
    let last = classes.max(2) - 1;
    let index = |class| first + (class * (VIRIDIS.len() - 1 - first) + last / 2) / last;
    (0..classes).map(|class| hex(VIRIDIS[index(class)])).collect()
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

    /// Returns the least difference in lightness of two colours.
    fn least_difference(colours: &[Colour]) -> f64 {
        let mut all: Vec<f64> = colours.iter().map(|&colour| lightness(colour)).collect();
        all.sort_by(f64::total_cmp);
        all.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::MAX, f64::min)
    }

    #[test]
    fn colours_that_stand_side_by_side_differ_in_lightness() {
        assert!(least_difference(&[WON, LOST, PAPER]) > 12.0);
        assert!(least_difference(&[PLAYERS[0], PLAYERS[1], MISTAKE]) > 10.0);
        assert!(least_difference(&CHANGES) > 7.0, "{:?}", CHANGES.map(lightness));
        for classes in 1..=VIRIDIS.len() {
            for mut colours in [scheme(classes), scheme_above_zero(classes)] {
                assert_eq!(colours.len(), classes);
                colours.push(PAPER);
                assert!(least_difference(&colours) > 5.0, "{classes}");
            }
        }
    }
}
