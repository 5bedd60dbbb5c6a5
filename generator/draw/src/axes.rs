//! Axes: which numbers stand along them, and where.

use super::font::width;
use super::palette::{AXIS, INK, PALE_INK};
use super::scene::{Anchor, Item, Panel};
use super::sheet::{MIDDLE, SMALL, centred, text, upwards};
use bouton_study::words::grouped;

/// Whole numbers along an axis.
pub(super) struct Axis {
    /// What they count.
    pub(super) name: String,
    /// The least.
    pub(super) from: u32,
    /// The greatest.
    pub(super) to: u32,
}

impl Axis {
    pub(super) fn count(&self) -> u32 {
        self.to - self.from + 1
    }

    /// Round numbers, as many as there is room for: `length` units in all, `room` for a label of so many
    /// units.
    pub(super) fn ticks(&self, length: f64, room: impl Fn(&str) -> f64) -> Vec<u32> {
        let each = length / f64::from(self.count());
        let widest = room(&grouped(self.from.into())).max(room(&grouped(self.to.into())));
        // 1, 2, 5, 10, 20, 50 and so on.
        let mut steps = (0..9).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u32.pow(zeros)));
        let step = steps.find(|&step| f64::from(step) * each >= widest).unwrap_or(u32::MAX);
        let first = self.from.div_ceil(step);
        (first..=self.to / step).map(|n| n * step).collect()
    }
}

const TICK: f64 = 4.0;
/// Between an axis and what it measures.
const OFF: f64 = 3.0;

/// An axis below a picture: `length` units for its numbers, each in the middle of its share. Its panel begins
/// where the picture does, and labels may stand out to the left.
pub(super) fn below(axis: &Axis, length: f64) -> Panel {
    let each = length / f64::from(axis.count());
    let room = |label: &str| width(label, SMALL) + 14.0;
    let mut items = vec![Item::line((0.0, OFF), (length, OFF), AXIS, 1.0)];
    let mut right = length;
    for tick in axis.ticks(length, room) {
        let x = (f64::from(tick - axis.from) + 0.5) * each;
        items.push(Item::line((x, OFF), (x, OFF + TICK), AXIS, 1.0));
        let label = grouped(tick.into());
        right = right.max(x + width(&label, SMALL) / 2.0);
        items.push(text((x, OFF + TICK + 2.0 + SMALL), Anchor::Middle, SMALL, INK, label));
    }
    let name = OFF + TICK + SMALL + 6.0 + MIDDLE;
    items.push(text((length / 2.0, name), Anchor::Middle, MIDDLE, PALE_INK, axis.name.clone()));
    let needed = width(&axis.name, MIDDLE);
    Panel { width: right.max((length + needed) / 2.0), height: name + 4.0, items }
}

/// An axis to the left of a picture, its least number at the bottom. The picture begins at the panel's width.
pub(super) fn left(axis: &Axis, length: f64) -> Panel {
    let each = length / f64::from(axis.count());
    let ticks = axis.ticks(length, |_| SMALL + 9.0);
    let labels: Vec<String> = ticks.iter().map(|&tick| grouped(tick.into())).collect();
    let widest = labels.iter().map(|label| width(label, SMALL)).fold(0.0, f64::max);
    let line = (MIDDLE + 8.0 + widest + 3.0 + TICK).ceil();
    let mut items = vec![Item::line((line, 0.0), (line, length), AXIS, 1.0)];
    for (tick, label) in ticks.into_iter().zip(labels) {
        let y = length - (f64::from(tick - axis.from) + 0.5) * each;
        items.push(Item::line((line - TICK, y), (line, y), AXIS, 1.0));
        items.push(centred((line - TICK - 3.0, y), Anchor::End, SMALL, INK, label));
    }
    items.push(upwards((MIDDLE, length / 2.0), &axis.name));
    Panel { width: line + OFF, height: length.max(width(&axis.name, MIDDLE)), items }
}

/// A picture with its axes: as wide and as high as they take.
pub(super) fn framed(picture: Panel, x: &Axis, y: &Axis) -> Panel {
    let (length, height) = (picture.width, picture.height);
    let (vertical, horizontal) = (left(y, height), below(x, length));
    let mut panel = Panel::default();
    // The name of a short axis is longer than the axis.
    let name = vertical.height;
    let top = ((name - height) / 2.0).max(6.0).ceil();
    let begins = vertical.width;
    panel.put(Panel { height, ..vertical }, (0.0, top));
    panel.put(picture, (begins, top));
    panel.put(horizontal, (begins, top + height));
    panel.height = panel.height.max(top + (height + name) / 2.0);
    panel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_have_room() {
        let axis = |from, to| Axis { name: String::new(), from, to };
        assert_eq!(axis(0, 1000).ticks(1001.0, |_| 50.0), (0..=20).map(|n| n * 50).collect::<Vec<_>>());
        assert_eq!(axis(7, 23).ticks(170.0, |_| 15.0), [8, 10, 12, 14, 16, 18, 20, 22]);
        assert_eq!(axis(0, 3).ticks(80.0, |_| 15.0), [0, 1, 2, 3]);
        assert_eq!(axis(7, 7).ticks(1.0, |_| 15.0), Vec::<u32>::new());
        assert_eq!(axis(0, u32::MAX - 1).ticks(10.0, |_| 100.0), [0]);
    }
}
