//! Divides the values of a plane into classes, each with a colour: few enough to be distinguishable, and beginning at round numbers.

use bouton_study::words::{grouped, round_numbers};
use bouton_tables::Outcome;

use super::palette::{LOST, WON, scheme, scheme_above_zero};
use super::plane::Class;

/// The measure that the colours of a plane show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Won or lost for the player to move.
    Outcome,
    /// Plies to the end.
    Depth,
    /// Number of winning moves.
    Winning,
    /// The Grundy value, computed from the rules.
    Grundy,
}

/// Maximum number of classes.
const MAX_CLASSES: usize = 7;

/// Returns the classes for the values of a measure, and a function from a value to its class. The values ascend; there is at least one.
pub(super) fn classes(measure: Measure, values: &[u32]) -> (Vec<Class>, impl Fn(u32) -> u8) {
    let greatest = values.last().copied().unwrap_or(0);
    let (begins, colours) = match measure {
        Measure::Outcome => (vec![Outcome::Loss as u32, Outcome::Win as u32], vec![LOST, WON]),
        Measure::Depth => {
            let begins = round_begins(values, MAX_CLASSES);
            // Greater depths are darker.
            let mut colours = scheme(begins.len());
            colours.reverse();
            (begins, colours)
        }
        Measure::Winning | Measure::Grundy => {
            let above = &values[values.partition_point(|&value| value == 0)..];
            let mut begins = vec![0];
            begins.extend(round_begins(above, MAX_CLASSES - 1));
            // The second class begins at 1, even if no value is 1.
            if let Some(first) = begins.get_mut(1) {
                *first = 1;
            }
            let colours = scheme_above_zero(begins.len());
            (begins, colours)
        }
    };
    let ends = begins[1..].iter().map(|&next| next - 1).chain([greatest]);
    let name = |(&from, to): (&u32, u32)| match (measure, from) {
        (Measure::Outcome, 0) => "lost".to_owned(),
        (Measure::Outcome, _) => "won".to_owned(),
        (Measure::Winning, 0) => "0: lost, or the game is over".to_owned(),
        (Measure::Grundy, 0) => "0: lost".to_owned(),
        _ if from == to => grouped(from.into()),
        _ => format!("{}–{}", grouped(from.into()), grouped(to.into())),
    };
    let names = begins.iter().zip(ends).map(name);
    let classes = names.zip(colours).map(|(name, colour)| Class { name, colour }).collect();
    (classes, move |value| begins.partition_point(|&begin| begin <= value).saturating_sub(1) as u8)
}

/// Returns the numbers at which the classes for ascending values begin: the least value, and at most `most - 1` round numbers.
///
/// The round numbers are multiples of one of 1, 2, 5, 10, 20 and so on, or consecutive members of this series, whichever divides the
/// values most evenly. Classes of equal width alone would not do: in most games many positions have small depths and few have great
/// ones, so that one class would have nearly all positions.
fn round_begins(values: &[u32], most: usize) -> Vec<u32> {
    let Some((&least, &greatest)) = values.first().zip(values.last()) else { return Vec::new() };
    if greatest - least < most as u32 {
        return (least..=greatest).collect();
    }
    let series: Vec<u32> = round_numbers().map_while(|number| u32::try_from(number).ok()).collect();
    let multiples = series.iter().filter_map(|&step| {
        let (first, last) = (least / step + 1, greatest / step);
        let begins = (first..=last).map(|n| n * step);
        (first <= last && last - first < most as u32 - 1).then(|| begins.collect::<Vec<u32>>())
    });
    let between: Vec<u32> =
        series.iter().copied().filter(|number| (least + 1..=greatest).contains(number)).collect();
    let consecutive = (1..most).flat_map(|length| between.windows(length).map(<[u32]>::to_vec));
    let mut best = (0.0, vec![least]);
    for further in multiples.chain(consecutive) {
        let begins: Vec<u32> = std::iter::once(least).chain(further).collect();
        let evenness = evenness(values, &begins);
        if evenness > best.0 + 1e-9 {
            best = (evenness, begins);
        }
    }
    best.1
}

/// Returns the entropy of a division of values into classes. The more evenly the classes divide the values, the greater the entropy.
fn evenness(values: &[u32], begins: &[u32]) -> f64 {
    let ends =
        begins[1..].iter().map(|&end| values.partition_point(|&value| value < end)).chain([values.len()]);
    let mut from = 0;
    let share = |to: usize| {
        let share = (to - from) as f64 / values.len() as f64;
        from = to;
        if share > 0.0 { -share * share.log2() } else { 0.0 }
    };
    ends.map(share).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(measure: Measure, values: &[u32]) -> Vec<String> {
        classes(measure, values).0.into_iter().map(|class| class.name).collect()
    }

    #[test]
    fn classes_are_few_and_begin_at_round_numbers() {
        assert_eq!(names(Measure::Depth, &[0, 3]), ["0", "1", "2", "3"]);
        assert_eq!(names(Measure::Depth, &[5, 7, 7]), ["5", "6", "7"]);
        let even: Vec<u32> = (0..90).collect();
        assert_eq!(names(Measure::Depth, &even), ["0–19", "20–39", "40–59", "60–79", "80–89"]);
        // Many small values, and a few great ones.
        let steep: Vec<u32> = (0..10_000).map(|n| 1_000_000 / (n * n / 100 + 1)).rev().collect();
        let expected = ["1", "2–4", "5–9", "10–19", "20–49", "50–99", "100–1,000,000"];
        assert_eq!(names(Measure::Depth, &steep), expected);
        let ten: Vec<u32> = (0..=10).collect();
        assert_eq!(names(Measure::Winning, &ten)[1..], ["1", "2–3", "4–5", "6–7", "8–9", "10"]);
        assert_eq!(names(Measure::Winning, &[10])[1..], ["1–10"]);
        assert_eq!(names(Measure::Winning, &[1])[1..], ["1"]);
        assert_eq!(names(Measure::Winning, &[0]), ["0: lost, or the game is over"]);
    }

    #[test]
    fn classes_cover_all_values() {
        for measure in [Measure::Depth, Measure::Winning] {
            for greatest in (0..2000).chain([1 << 20, u32::MAX]) {
                let values: Vec<u32> =
                    (0..=100).map(|part| (u64::from(greatest) * part / 100) as u32).collect();
                let (classes, class) = classes(measure, &values);
                assert!((1..=MAX_CLASSES).contains(&classes.len()), "{measure:?} {greatest}");
                assert_eq!(usize::from(class(greatest)), classes.len() - 1, "{measure:?} {greatest}");
                assert_eq!(class(0), 0);
                for class in &classes[1..] {
                    let begin = class.name.split('–').next().unwrap().replace(',', "");
                    let digits = begin.trim_end_matches('0');
                    let round = greatest < 20
                        || digits.len() <= 1
                        || begin.len() - digits.len() + 1 >= begin.len() - 1;
                    assert!(round, "{measure:?} {greatest}: {}", class.name);
                }
            }
        }
    }
}
