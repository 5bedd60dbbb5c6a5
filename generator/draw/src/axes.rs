//! Axes: their numbers, ticks and labels.

use super::font::width;
use super::palette::{AXIS, INK, PALE_INK};
use super::scene::{Anchor, Item, Panel};
use super::sheet::{MIDDLE, SMALL, centred, text, upwards};
use bouton_study::words::grouped;

/// An axis with whole numbers.
pub(super) struct PlaneAxis {
    /// Name: the quantity along the axis.
    pub(super) name: String,
    /// Least number.
    pub(super) from: u32,
    /// Greatest number.
    pub(super) to: u32,
}

impl PlaneAxis {
    pub(super) fn count(&self) -> u32 {
        self.to - self.from + 1
    }

    /// Returns the distance of ticks on an axis of `length` units: the least round number that leaves room for labels.
    /// `room` returns the units that a label needs.
    fn step(&self, length: f64, room: impl Fn(&str) -> f64) -> u32 {
        let each = length / f64::from(self.count());
        let widest = room(&grouped(self.from.into())).max(room(&grouped(self.to.into())));
        // 1, 2, 5, 10, 20, 50 and so on.
        let mut steps = (0..9).flat_map(|zeros| [1, 2, 5].map(|digit| digit * 10_u32.pow(zeros)));
        steps.find(|&step| f64::from(step) * each >= widest).unwrap_or(u32::MAX)
    }

    /// Returns the distance of ticks on an axis below a picture.
    pub(super) fn step_below(&self, length: f64) -> u32 {
        self.step(length, |label| width(label, SMALL) + 14.0)
    }

    /// Returns the distance of ticks on an axis to the left of a picture.
    pub(super) fn step_left(&self, length: f64) -> u32 {
        self.step(length, |_| SMALL + 9.0)
    }

    /// Iterates over the multiples of a step.
    fn ticks(&self, step: u32) -> impl Iterator<Item = u32> {
        (self.from.div_ceil(step)..=self.to / step).map(move |n| n * step)
    }
}

const TICK: f64 = 4.0;
/// Distance of an axis from the picture.
const OFF: f64 = 3.0;

/// Draws an axis below a picture. Each number has an equal share of `length` units, with its tick in the middle. The
/// panel begins where the picture does; labels may stand out to the left.
pub(super) fn below(axis: &PlaneAxis, length: f64, step: u32) -> Panel {
    let each = length / f64::from(axis.count());
    let mut items = vec![Item::line((0.0, OFF), (length, OFF), AXIS, 1.0)];
    let mut right = length;
    for tick in axis.ticks(step) {
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

/// Returns how far the name of a short axis below a picture stands out on each side.
pub(super) fn stands_out(axis: &PlaneAxis, length: f64) -> f64 {
    ((width(&axis.name, MIDDLE) - length) / 2.0).max(0.0).ceil()
}

/// Draws an axis to the left of a picture, with its least number at the bottom. The picture begins at the panel's
/// width.
pub(super) fn left(axis: &PlaneAxis, length: f64, step: u32) -> Panel {
    let each = length / f64::from(axis.count());
    let ticks: Vec<u32> = axis.ticks(step).collect();
    let labels: Vec<String> = ticks.iter().map(|&tick| grouped(tick.into())).collect();
    let widest = labels.iter().map(|label| width(label, SMALL)).fold(0.0, f64::max);
    let line = (MIDDLE + 8.0 + widest + 3.0 + TICK).ceil();
    let mut items = vec![Item::line((line, 0.0), (line, length), AXIS, 1.0)];
    for (tick, label) in ticks.into_iter().zip(labels) {
        let y = length - (f64::from(tick - axis.from) + 0.5) * each;
        items.push(Item::line((line - TICK, y), (line, y), AXIS, 1.0));
        items.push(centred((line - TICK - 3.0, y), Anchor::End, SMALL, INK, label));
    }
    let name = width(&axis.name, MIDDLE);
    // The name of a short axis must not reach the labels of the other axis, which lie below.
    items.push(upwards((MIDDLE, (length / 2.0).min(length - name / 2.0)), &axis.name));
    Panel { width: line + OFF, height: length.max(name), items }
}

/// Adds axes to a picture. Axes that are `alike` have equal ticks.
pub(super) fn framed(picture: Panel, x: &PlaneAxis, y: &PlaneAxis, alike: bool) -> Panel {
    let (length, height) = (picture.width, picture.height);
    let steps = [x.step_below(length), y.step_left(height)];
    let [across, up] = if alike { [steps[0].max(steps[1]); 2] } else { steps };
    let (vertical, horizontal) = (left(y, height, up), below(x, length, across));
    let mut panel = Panel::default();
    let top = (vertical.height - height).max(6.0).ceil();
    let begins = vertical.width.max(stands_out(x, length));
    panel.put(Panel { height, ..vertical.clone() }, (begins - vertical.width, top));
    panel.put(picture, (begins, top));
    panel.put(horizontal, (begins, top + height));
    panel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_have_room() {
        let ticks = |from, to, length, room: f64| {
            let axis = PlaneAxis { name: String::new(), from, to };
            axis.ticks(axis.step(length, |_| room)).collect::<Vec<u32>>()
        };
        assert_eq!(ticks(0, 1000, 1001.0, 50.0), (0..=20).map(|n| n * 50).collect::<Vec<_>>());
        assert_eq!(ticks(7, 23, 170.0, 15.0), [8, 10, 12, 14, 16, 18, 20, 22]);
        assert_eq!(ticks(0, 3, 80.0, 15.0), [0, 1, 2, 3]);
        assert_eq!(ticks(7, 7, 1.0, 15.0), Vec::<u32>::new());
        assert_eq!(ticks(0, u32::MAX - 1, 10.0, 100.0), [0]);
    }

    #[test]
    fn axes_that_are_alike_have_equal_ticks() {
        let axis = |to| PlaneAxis { name: "stones".to_owned(), from: 0, to };
        let labels = |alike| {
            let picture = Panel { width: 420.0, height: 200.0, items: Vec::new() };
            let panel = framed(picture, &axis(41), &axis(19), alike);
            let text = |item: &Item| if let Item::Text(text) = item { Some(text.text.clone()) } else { None };
            panel.items.iter().filter_map(text).filter(|text| text != "stones").collect::<Vec<_>>()
        };
        assert_eq!(labels(true), ["0", "5", "10", "15", "0", "5", "10", "15", "20", "25", "30", "35", "40"]);
        assert_ne!(labels(false), labels(true));
    }
}
