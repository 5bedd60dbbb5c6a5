//! Draws axes: lines with ticks and labels, below a picture and to the left of it.

use super::font::width;
use super::palette::{AXIS, INK, PALE_INK};
use super::scene::{Anchor, Item, Panel};
use super::sheet::{MIDDLE, SMALL, centred, text, upwards};
use bouton_study::words::{grouped, round_numbers};

/// An axis of a picture, with the whole numbers `from` to `to`.
pub(super) struct PictureAxis {
    /// The quantity along the axis.
    pub(super) name: String,
    pub(super) from: u64,
    pub(super) to: u64,
}

impl PictureAxis {
    pub(super) fn count(&self) -> u64 {
        self.to - self.from + 1
    }

    /// Returns the difference of two neighbouring ticks on an axis of `length` units: the least round number that leaves room for
    /// labels. `room` returns the units that a label needs.
    fn step(&self, length: f64, room: impl Fn(&str) -> f64) -> u64 {
        let unit = length / self.count() as f64;
        let needed = room(&grouped(self.from)).max(room(&grouped(self.to)));
        round_numbers().find(|&step| step as f64 * unit >= needed).unwrap_or(u64::MAX)
    }

    /// Returns the difference of ticks on an axis below a picture.
    pub(super) fn step_below(&self, length: f64) -> u64 {
        self.step(length, |label| width(label, SMALL) + 14.0)
    }

    /// Returns the difference of ticks on an axis to the left of a picture.
    pub(super) fn step_left(&self, length: f64) -> u64 {
        self.step(length, |_| SMALL + 9.0)
    }

    /// Iterates over the multiples of a step that lie on the axis.
    fn ticks(&self, step: u64) -> impl Iterator<Item = u64> {
        (self.from.div_ceil(step)..=self.to / step).map(move |n| n * step)
    }
}

/// Length of a tick.
const TICK: f64 = 4.0;
/// Distance of an axis from the picture.
const DISTANCE: f64 = 3.0;

/// Draws an axis below a picture, with ticks at the multiples of `step`. Each number has an equal share of `length` units, with its tick
/// in the middle of the share. The left edge of the panel is the left edge of the picture; a label may extend beyond it.
pub(super) fn below(axis: &PictureAxis, length: f64, step: u64) -> Panel {
    let unit = length / axis.count() as f64;
    let mut items = vec![Item::line((0.0, DISTANCE), (length, DISTANCE), AXIS, 1.0)];
    let mut right = length;
    for tick in axis.ticks(step) {
        let x = ((tick - axis.from) as f64 + 0.5) * unit;
        items.push(Item::line((x, DISTANCE), (x, DISTANCE + TICK), AXIS, 1.0));
        let label = grouped(tick);
        right = right.max(x + width(&label, SMALL) / 2.0);
        items.push(text((x, DISTANCE + TICK + 2.0 + SMALL), Anchor::Middle, SMALL, INK, label));
    }
    let name_y = DISTANCE + TICK + SMALL + 6.0 + MIDDLE;
    items.push(text((length / 2.0, name_y), Anchor::Middle, MIDDLE, PALE_INK, axis.name.clone()));
    Panel { width: right.max((length + width(&axis.name, MIDDLE)) / 2.0), height: name_y + 4.0, items }
}

/// Returns the units by which the name of a short axis below a picture extends beyond the axis on each side.
pub(super) fn overhang(axis: &PictureAxis, length: f64) -> f64 {
    ((width(&axis.name, MIDDLE) - length) / 2.0).max(0.0).ceil()
}

/// Draws an axis to the left of a picture, with the least number at the bottom. The right edge of the panel is the left edge of the
/// picture. A name longer than the axis extends above the origin of the panel; the height of the panel is then the length of the name.
pub(super) fn left(axis: &PictureAxis, length: f64, step: u64) -> Panel {
    let unit = length / axis.count() as f64;
    let ticks: Vec<u64> = axis.ticks(step).collect();
    let labels: Vec<String> = ticks.iter().map(|&tick| grouped(tick)).collect();
    let widest = labels.iter().map(|label| width(label, SMALL)).fold(0.0, f64::max);
    let line_x = (MIDDLE + 8.0 + widest + 3.0 + TICK).ceil();
    let mut items = vec![Item::line((line_x, 0.0), (line_x, length), AXIS, 1.0)];
    for (tick, label) in ticks.into_iter().zip(labels) {
        let y = length - ((tick - axis.from) as f64 + 0.5) * unit;
        items.push(Item::line((line_x - TICK, y), (line_x, y), AXIS, 1.0));
        items.push(centred((line_x - TICK - 3.0, y), Anchor::End, SMALL, INK, label));
    }
    let name_width = width(&axis.name, MIDDLE);
    // The name of a short axis must not reach the labels of the other axis, which lie below.
    items.push(upwards((MIDDLE, (length / 2.0).min(length - name_width / 2.0)), &axis.name));
    Panel { width: line_x + DISTANCE, height: length.max(name_width), items }
}

/// Adds axes to a picture. With `equal_steps`, the ticks of both axes have the same difference.
pub(super) fn with_axes(picture: Panel, x: &PictureAxis, y: &PictureAxis, equal_steps: bool) -> Panel {
    let (length, height) = (picture.width, picture.height);
    let steps = [x.step_below(length), y.step_left(height)];
    let [x_step, y_step] = if equal_steps { [steps[0].max(steps[1]); 2] } else { steps };
    let (vertical, horizontal) = (left(y, height, y_step), below(x, length, x_step));
    let mut panel = Panel::default();
    // Leave room above the picture for the rest of the name of a short vertical axis.
    let top = (vertical.height - height).max(6.0).ceil();
    let start = vertical.width.max(overhang(x, length));
    panel.put(Panel { height, ..vertical.clone() }, (start - vertical.width, top));
    panel.put(picture, (start, top));
    panel.put(horizontal, (start, top + height));
    panel
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_at_round_numbers_with_room_for_labels() {
        let ticks = |from, to, length, room: f64| {
            let axis = PictureAxis { name: String::new(), from, to };
            axis.ticks(axis.step(length, |_| room)).collect::<Vec<u64>>()
        };
        assert_eq!(ticks(0, 1000, 1001.0, 50.0), (0..=20).map(|n| n * 50).collect::<Vec<_>>());
        assert_eq!(ticks(7, 23, 170.0, 15.0), [8, 10, 12, 14, 16, 18, 20, 22]);
        assert_eq!(ticks(0, 3, 80.0, 15.0), [0, 1, 2, 3]);
        assert_eq!(ticks(7, 7, 1.0, 15.0), Vec::<u64>::new());
        assert_eq!(ticks(0, u64::MAX - 1, 10.0, 100.0), [0]);
    }

    #[test]
    fn axes_with_equal_steps_have_ticks_at_the_same_distance() {
        let axis = |to| PictureAxis { name: "stones".to_owned(), from: 0, to };
        let labels = |equal_steps| {
            let picture = Panel { width: 420.0, height: 200.0, items: Vec::new() };
            let panel = with_axes(picture, &axis(41), &axis(19), equal_steps);
            let text = |item: &Item| if let Item::Text(text) = item { Some(text.text.clone()) } else { None };
            panel.items.iter().filter_map(text).filter(|text| text != "stones").collect::<Vec<_>>()
        };
        assert_eq!(labels(true), ["0", "5", "10", "15", "0", "5", "10", "15", "20", "25", "30", "35", "40"]);
        assert_ne!(labels(false), labels(true));
    }
}
