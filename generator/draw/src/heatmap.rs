//! A plane of a table, coloured by outcome, depth or winning moves.

use bouton_study::select::Filter;
use bouton_study::words::{InWords, grouped};
use bouton_tables::grundy::GrundyValues;
use bouton_tables::{
    AskError, MoveSet, Outcome, PositionOf, Ruleset, Solved, Table, Verdict, with_rules, with_table,
};

use super::drawn::Drawn;
use super::error::DrawError;
use super::palette::{LOST, MOST_CLASSES, WON, scheme, scheme_above_zero};
use super::plane::{Class, Grid, LEFT_OUT, OUTSIDE, Place, check_size, fill, legend, look, plane};
use super::scene::Scene;
use super::sheet::sheet;

/// What the colours of a plane show.
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

/// Draws a plane of a table: Expanding Nim by stones and currentmax, heap games by the sizes of two heaps. A
/// filter selects the plane, and which of its positions are shown. `None` if there are none.
///
/// # Errors
/// If the filter does not parse or leaves no plane, the plane is too large, depths are asked of a table that
/// holds none, or the table is damaged.
pub fn heatmap<D: AsRef<[u8]>>(
    table: &Table<D>,
    measure: Measure,
    filter: &str,
) -> Result<Option<Scene>, DrawError> {
    if measure == Measure::Depth && !table.header().depths {
        return Err(DrawError::Invalid(
            "--of depth needs depths, and the table holds none; draw --of outcome or winning, or generate it again without \
             --no-depth"
                .to_owned(),
        ));
    }
    with_table!(table.family(), |table| draw(table, measure, filter))
}

/// Whether [`heatmap`] could draw a plane of a ruleset's table, before there is one.
///
/// # Errors
/// If the filter does not parse or leaves no plane, or the plane is too large.
pub fn heatmap_fits(ruleset: &Ruleset, filter: &str) -> Result<(), DrawError> {
    with_rules!(ruleset, |rules| {
        let view = rules.view(&Filter::parse(rules, true, filter)?)?;
        view.map_or(Ok(()), |view| check_size(rules, &view))
    })
}

fn draw<S: Solved<Game: Drawn>>(
    table: &S,
    measure: Measure,
    filter: &str,
) -> Result<Option<Scene>, DrawError> {
    let game = table.game();
    let filter = Filter::parse(game, table.has_depths(), filter)?;
    let Some(view) = game.view(&filter)? else { return Ok(None) };
    check_size(game, &view)?;
    let grundy = (measure == Measure::Grundy).then(|| GrundyValues::of_all(game, &mut |_| true)).transpose();
    let grundy = grundy.map_err(|error| DrawError::Invalid(error.to_string()))?;
    let value = |position: &_| {
        let value = value(table, measure, &filter, position)?;
        Ok(value.map(|value| grundy.as_ref().map_or(value, |values| values.of(position))))
    };
    let places = fill(&view, |at| look(game, &filter, &view, at, value))?;
    let known = |place: &_| if let Place::Known(value) = *place { Some(value) } else { None };
    let mut values: Vec<u32> = places.iter().filter_map(known).collect();
    if values.is_empty() {
        return Ok(None);
    }
    values.sort_unstable();
    let (classes, class) = classes(measure, &values);
    let cells = places.iter().map(|place| match *place {
        Place::Outside => OUTSIDE,
        Place::LeftOut => LEFT_OUT,
        Place::Known(value) => class(value),
    });
    let grid = Grid { columns: view.x.count(), cells: cells.collect() };
    let (subtitle, heading) = match measure {
        Measure::Outcome => ("won or lost", "For the player to move"),
        Measure::Depth => ("depth", "Depth: plies to the end"),
        Measure::Winning => ("number of winning moves", "Winning moves"),
        Measure::Grundy => ("Grundy value", "Grundy value"),
    };
    let subtitle = format!("{}: {subtitle}", game.words(&view));
    let legend = legend(heading, &grid, &classes, measure == Measure::Outcome, S::Game::OUTSIDE);
    Ok(Some(sheet(&game.in_words(), &subtitle, plane(game, &view, &grid, &classes), &legend)))
}

/// What a position is coloured by; `None` if the filter does not select its answer.
fn value<S: Solved<Game: Drawn>>(
    table: &S,
    measure: Measure,
    filter: &Filter,
    position: &PositionOf<S>,
) -> Result<Option<u32>, AskError> {
    let of = |verdict: Verdict| match measure {
        Measure::Depth => verdict.depth.unwrap_or(0),
        _ => verdict.outcome as u32,
    };
    if measure != Measure::Winning && !filter.asks_for_answer() {
        return Ok(Some(of(table.verdict(position)?)));
    }
    let answer = table.answer(position)?;
    let value = if measure == Measure::Winning { answer.winning.len() as u32 } else { of(answer.verdict) };
    Ok(filter.has_answer(&answer).then_some(value))
}

/// The classes of a measure with these values, ascending, of which there is at least one; and the class of a value.
fn classes(measure: Measure, values: &[u32]) -> (Vec<Class>, impl Fn(u32) -> u8) {
    let greatest = values.last().copied().unwrap_or(0);
    let (begins, colours) = match measure {
        Measure::Outcome => (vec![Outcome::Loss as u32, Outcome::Win as u32], vec![LOST, WON]),
        Measure::Depth => {
            let begins = depths(values);
            // The deeper, the darker.
            let mut colours = scheme(begins.len());
            colours.reverse();
            (begins, colours)
        }
        Measure::Winning | Measure::Grundy => {
            // 0, 1, 2, 3 to 4, 5 to 8 and so on, the last without an end.
            let mut begins = vec![0, 1, 2, 3, 5, 9, 17, 33, 65];
            begins.retain(|&begin| begin <= greatest);
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

/// Where classes of depths begin: at round numbers, so that about as many positions are in each. Most games
/// have many short ends and a few long ones, which classes of the same width would not show.
fn depths(values: &[u32]) -> Vec<u32> {
    let (least, greatest) = values.first().zip(values.last()).map_or((0, 0), |(least, most)| (*least, *most));
    if greatest - least < MOST_CLASSES as u32 {
        return (least..=greatest).collect();
    }
    let mut begins = vec![least];
    for class in 1..MOST_CLASSES {
        let value = values[values.len() * class / MOST_CLASSES];
        let unit = match value {
            ..10 => 1,
            10..20 => 2,
            20..100 => 5,
            100..200 => 10,
            _ => 5 * 10_u32.pow(value.ilog10() - 1),
        };
        let round = value - value % unit;
        if round > begins[begins.len() - 1] {
            begins.push(round);
        }
    }
    begins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(measure: Measure, values: &[u32]) -> Vec<String> {
        classes(measure, values).0.into_iter().map(|class| class.name).collect()
    }

    #[test]
    fn classes_cover_all_values_and_are_at_most_nine() {
        assert_eq!(names(Measure::Depth, &[0, 3]), ["0", "1", "2", "3"]);
        assert_eq!(names(Measure::Depth, &[5, 7, 7]), ["5", "6", "7"]);
        let even: Vec<u32> = (0..90).collect();
        let expected = ["0–9", "10–19", "20–29", "30–39", "40–49", "50–59", "60–69", "70–79", "80–89"];
        assert_eq!(names(Measure::Depth, &even), expected);
        assert_eq!(names(Measure::Winning, &[10])[1..], ["1", "2", "3–4", "5–8", "9–10"]);
        assert_eq!(names(Measure::Winning, &[1])[1..], ["1"]);
        for measure in [Measure::Depth, Measure::Winning] {
            for greatest in (0..2000).chain([1 << 20, u32::MAX]) {
                let values: Vec<u32> =
                    (0..=100).map(|part| (u64::from(greatest) * part / 100) as u32).collect();
                let (classes, class) = classes(measure, &values);
                assert!((1..=MOST_CLASSES).contains(&classes.len()), "{measure:?} {greatest}");
                assert_eq!(usize::from(class(greatest)), classes.len() - 1, "{measure:?} {greatest}");
                assert_eq!(class(0), 0);
            }
        }
    }
}
