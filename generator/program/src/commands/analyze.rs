//! `bouton analyze`: looks for patterns in a table.

use bouton_study::analyze::{
    Agreement, Analysis, Findings, HeapFindings, HeapGrundyValues, Obstacle, Period, RuleDifference, Scope,
    StoneLine, analyze,
};
use bouton_tables::input::display_name;
use bouton_tables::program::note;

use super::{ExitResult, count, grouped, in_columns, percentage, print, quotient};
use crate::args::Analyze;
use crate::progress::with_bar;
use crate::{ANSWER_NO, SUCCESS, memory, source};

pub(crate) fn run(args: &Analyze) -> ExitResult {
    let mut input = source::read_input(&args.input)?;
    if args.quotient {
        return quotient::run(&input.name, &input.ruleset, args.json, args.quiet);
    }
    let scope = Scope::of(&input.ruleset, args.filter.as_deref())?;
    let available = memory::available();
    if scope.memory > available {
        let shortage = memory::shortage(scope.memory, available, false);
        return Err(format!("analyzing this takes {shortage}; analyze fewer lines, or shorter ones").into());
    }
    let table = input.take_table(false, args.quiet)?;
    let found = with_bar(scope.steps, "analyzing", args.quiet, |progress| analyze(&table, &scope, progress))?;
    if matches!(&found.findings, Findings::Lines { lines } if lines.is_empty()) {
        let of = display_name(&args.input.table);
        return Err(format!(
            "no line of {of} is selected; --where selects lines by the fields of their positions"
        )
        .into());
    }
    print(&found, args.json, false, |found| in_words(&input.name, table.header().has_depths, found))?;
    if found.proves_wrong() {
        let wrong = format!("{} is wrong: the theorem decides its game; generate it again", input.name);
        note("bouton", &wrong);
        return Ok(ANSWER_NO);
    }
    Ok(SUCCESS)
}

fn in_words(name: &str, depths: bool, found: &Analysis) -> String {
    let text = match &found.findings {
        Findings::Lines { lines } => {
            let number = count(lines.len() as u64, "line", "lines");
            format!("{name}: {number} along the stones\n\n{}", line_table(lines))
        }
        Findings::Whole(heaps) => heaps_in_words(name, heaps),
    };
    // If `analyze` has solved a ruleset, the table has no depths, and another digest than the table of `generate`.
    let which = if depths { "" } else { " (of the table without depths)" };
    text + &format!("\ndigest {}{which}\n", found.digest)
}

fn line_table(lines: &[StoneLine]) -> String {
    let heading = [
        "line",
        "stones",
        "losing",
        "share",
        "first",
        "last",
        "gaps",
        "most often",
        "longest wins",
        "period",
    ];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    let number = |n: Option<u64>| n.map_or("none".to_owned(), grouped);
    for line in lines {
        let [first, second] = line.resets;
        let imposed = if line.imposed { 'r' } else { '-' };
        let gaps = match (line.gaps.first(), line.gaps.last()) {
            (Some((least, _)), Some((greatest, _))) if least == greatest => least.to_string(),
            (Some((least, _)), Some((greatest, _))) => format!("{least} to {greatest}"),
            _ => "none".to_owned(),
        };
        let most_often = line.gaps.iter().rev().max_by_key(|(_, times)| times);
        let wins = line
            .longest_wins
            .map_or("none".to_owned(), |run| format!("{} from {}", grouped(run.length), grouped(run.from)));
        let period = match (line.period, line.quasi_period) {
            (Some(Period { preperiod, period }), _) => format!("{period} from {preperiod} on"),
            (None, Some(mean)) => format!("about {mean:.2}"),
            (None, None) => "none".to_owned(),
        };
        rows.push(vec![
            format!("*/{}/{}/{first},{second}/{imposed}", line.currentmax, line.turn),
            grouped(line.stones),
            grouped(line.losing),
            percentage(line.losing, line.stones + 1),
            number(line.first),
            number(line.last),
            gaps,
            most_often.map_or("none".to_owned(), |(gap, times)| {
                format!("{gap} ({})", count(*times, "time", "times"))
            }),
            wins,
            period,
        ]);
    }
    in_columns(&rows)
        + "\nA line has all positions from 0 to the number of stones that is shown; * stands for these numbers. Gaps are distances between\n\
           neighbouring losing numbers of stones; a period holds to the end of the range; 'about' is the mean gap if\n\
           there is no period.\n"
}

fn heaps_in_words(name: &str, found: &HeapFindings) -> String {
    let positions = count(found.positions, "position", "positions");
    let (lost, part) = (grouped(found.losing), percentage(found.losing, found.positions));
    let mut text = format!("{name}: {positions}, {lost} of them lost ({part})\n");
    text += &match &found.theory {
        None => "\nBouton knows no theorem that decides this game.\n".to_owned(),
        Some(agreement) => theory_in_words(agreement),
    };
    text + &match &found.grundy {
        None if found.theory.as_ref().is_some_and(Agreement::proves_wrong) => String::new(),
        None => obstacle_in_words(found.obstacle),
        Some(values) => values_in_words(values),
    }
}

fn obstacle_in_words(obstacle: Option<Obstacle>) -> String {
    let why = match obstacle {
        Some(Obstacle::Misere) => {
            "it is in misère play. `bouton-lookup --grundy` prints the genus of a position"
        }
        Some(Obstacle::Passes) => {
            "its passes belong to no heap. `bouton-lookup --grundy` prints the value of a position"
        }
        Some(Obstacle::SeveralHeaps) => {
            "a move may take from several heaps. `bouton-lookup --grundy` prints the value of a position"
        }
        None => return String::new(),
    };
    format!("\nHeaps of this game have no Grundy values by themselves: {why}.\n")
}

fn theory_in_words(agreement: &Agreement) -> String {
    let Agreement { name, checked, exceptions, first_exception, unlike, .. } = agreement;
    let about = match unlike {
        RuleDifference { passes: false, play: false } => "decides this game",
        RuleDifference { passes: true, play: true } => {
            "is about the same game in normal play and without passes, and need not hold here"
        }
        RuleDifference { passes: true, .. } => {
            "is about the same game without passes, and need not hold here"
        }
        RuleDifference { play: true, .. } => "is about the same game in normal play, and need not hold here",
    };
    let text = format!("\nThe theorem of {} {about}.\n", name.replace(", misère", " on misère Nim"));
    let checked = count(*checked, "position", "positions");
    text + &match first_exception {
        None => format!("The table agrees with it at each of its {checked}.\n"),
        Some(first) => format!(
            "Of {checked}, {} have another outcome than the theorem says. The first: {}, a {} in the table, a {} by the theorem.\n",
            grouped(*exceptions),
            first.position,
            first.outcome,
            first.theory
        ),
    }
}

/// Maximum number of Grundy values printed.
const MAX_VALUES: usize = 60;

fn values_in_words(found: &HeapGrundyValues) -> String {
    let values: Vec<String> = found.values.iter().take(MAX_VALUES).map(ToString::to_string).collect();
    let whole_period = found.period.is_some() && found.values.len() <= MAX_VALUES;
    let more = if values.len() as u64 <= u64::from(found.values_to) { " ..." } else { "" };
    let mut text = format!(
        "\nGrundy values of heaps of 0 to {} stones, the greatest {}:\n  {}{more}\n",
        grouped(found.values_to.into()),
        grouped(found.greatest.into()),
        values.join(" ")
    );
    text += &match (found.preperiod, found.period) {
        (Some(preperiod), Some(period)) => {
            let how_long = if found.for_ever { "for ever" } else { "to the end of that range" };
            let repeat = format!("repeat with period {period} {how_long}");
            let (repetition, shown) = match preperiod {
                0 => (format!("They {repeat}, from the first value on"), "; the list shows one period"),
                _ => {
                    let preperiod = count(preperiod, "value", "values");
                    (format!("After {preperiod}, they {repeat}"), "; the list ends after one period")
                }
            };
            format!("{repetition}{}.\n", if whole_period { shown } else { "" })
        }
        _ => "They have no period in that range.\n".to_owned(),
    };
    text + &format!("Checked against the table for {} of heaps.\n", count(found.checked, "pair", "pairs"))
}
