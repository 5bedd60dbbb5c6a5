//! Reports a comparison in words.

use bouton_study::diff::{
    Bin, Both, Changes, Diff, DiffHeading, Starts, StartsDiff, Subject, Witness, WitnessSearch,
};
use bouton_study::words::abridged;
use bouton_tables::{AnswerText, Outcome};

use crate::commands::{count, grouped, in_columns, percentage};

pub(super) fn report(found: &Diff) -> String {
    let mut text = heading(&found.heading, [found.only_a, found.only_b]);
    text += &changes(found);
    for (axis, parts) in &found.by {
        if found.changes.different > 0 && parts.len() > 1 {
            let rows = parts.iter().map(|part| (bin_in_words(&part.bin), &part.changes));
            text += &breakdown(&axis.replace("heaps", "heaps not empty"), rows.collect());
        }
    }
    text += &starts(&found.starts);
    text += &witness(found);
    text + &first_differences(found)
}

pub(super) fn report_starts(found: &StartsDiff) -> String {
    heading(&found.heading, [0, 0]) + &starts(&found.starts)
}

fn heading(DiffHeading { subjects, rules, .. }: &DiffHeading, [only_a, only_b]: [u64; 2]) -> String {
    let subject = |letter, subject: &Subject, only| {
        let only_here =
            if only > 0 { format!(", {} of them only here", grouped(only)) } else { String::new() };
        let depths = if subject.depths { "" } else { "; no depths" };
        let positions = count(subject.positions, "position", "positions");
        format!("{letter}  {}: {positions}{only_here}{depths}\n", subject.name)
    };
    let mut text = subject("A", &subjects.a, only_a) + &subject("B", &subjects.b, only_b) + "\n";
    if rules.is_empty() {
        text += "The rules are the same.\n";
    }
    for (key, Both { a, b }) in rules {
        text += &format!("{key:<15}{} in A, {} in B\n", a.in_short(), b.in_short());
    }
    text
}

fn changes(found: &Diff) -> String {
    let Changes { compared, different, .. } = found.changes;
    let positions = grouped(compared);
    let other_turn = found.turn_2.filter(|&differ| differ > 0).map_or(String::new(), |differ| {
        format!("With player 2 to move, who has other resets, {} differ.\n", grouped(differ))
    });
    let not_compared = match (found.changes.depth, found.changes.best) {
        (None, None) => "  (depths and best moves are not compared, since only one table has depths)\n",
        (None, _) => "  (depths are not compared, since neither table has them)\n",
        _ => "",
    };
    if different == 0 {
        return format!(
            "\nPositions in both games: {positions}. None of them differs.\n{not_compared}{other_turn}"
        );
    }
    let rows = columns().into_iter().filter_map(|(_, name, number)| {
        let number = number(&found.changes)?;
        Some(vec![name.to_owned(), grouped(number), percentage(number, compared)])
    });
    format!(
        "\nPositions in both games: {positions}. {} of them differ, {} in outcome:\n{}{not_compared}{other_turn}",
        grouped(different),
        grouped(found.changes.win_to_loss + found.changes.loss_to_win),
        in_columns(&rows.collect::<Vec<_>>())
    )
}

type Number = fn(&Changes) -> Option<u64>;

/// Columns of the report: short name, description, and number.
fn columns() -> [(&'static str, &'static str, Number); 5] {
    [
        ("win to loss", "won in A, lost in B", |changes| Some(changes.win_to_loss)),
        ("loss to win", "lost in A, won in B", |changes| Some(changes.loss_to_win)),
        ("winning", "other winning moves", |changes| Some(changes.winning)),
        ("best", "another best move", |changes| changes.best),
        ("depth", "another depth", |changes| changes.depth),
    ]
}

fn breakdown(axis: &str, parts: Vec<(String, &Changes)>) -> String {
    let compared = columns().into_iter().filter(|(_, _, number)| number(parts[0].1).is_some());
    let columns: Vec<(&str, Number)> = compared.map(|(name, _, number)| (name, number)).collect();
    let names = columns.iter().map(|(name, _)| (*name).to_owned());
    let mut rows = vec![[format!("by {axis}"), "compared".to_owned()].into_iter().chain(names).collect()];
    // Most parts have no differences: one row stands for all of them.
    let (differ, same): (Vec<_>, Vec<_>) = parts.into_iter().partition(|(_, changes)| changes.different > 0);
    for (name, changes) in differ {
        let mut row = vec![name, grouped(changes.compared)];
        let shares = columns.iter().filter_map(|(_, number)| number(changes));
        row.extend(shares.map(|number| percentage(number, changes.compared)));
        rows.push(row);
    }
    let same_positions: u64 = same.iter().map(|(_, changes)| changes.compared).sum();
    if same_positions > 0 {
        let mut row = vec!["the others".to_owned(), grouped(same_positions)];
        row.extend(columns.iter().map(|_| percentage(0, 1)));
        rows.push(row);
    }
    format!("\n{}", in_columns(&rows))
}

fn bin_in_words(bin: &Bin) -> String {
    match bin {
        Bin::Range { from, to } if from == to => grouped(*from),
        Bin::Range { from, to } => format!("{} to {}", grouped(*from), grouped(*to)),
        Bin::Resets { resets: [first, second] } => format!("{first},{second}"),
        Bin::Imposed { imposed: true } => "r".to_owned(),
        Bin::Imposed { imposed: false } => "-".to_owned(),
    }
}

fn starts(found: &Starts) -> String {
    let Starts { compared, losing_a, losing_b, differ, first, last, agree_up_to, agree_from, in_words } =
        *found;
    let [which, stones] = in_words;
    let [compared, losing_a, losing_b] = [compared, losing_a, losing_b].map(grouped);
    let mut text = format!(
        "\nStarts ({which}): {compared} pairs compared; lost for the player who begins: {losing_a} in A, {losing_b} in B.\n"
    );
    let (Some(first), Some(last)) = (first, last) else {
        return text + "All pairs have the same outcome.\n";
    };
    let between = if first == last {
        format!("at {} {stones}", grouped(first))
    } else {
        format!("from {} to {} {stones}", grouped(first), grouped(last))
    };
    text += &format!("{} in outcome, {between}.\n", count(differ, "pair differs", "pairs differ"));
    let point = match (agree_up_to, agree_from) {
        (Some(up_to), Some(from)) => {
            format!("Up to {} {stones} the pairs agree, and from {} on.", grouped(up_to), grouped(from))
        }
        (Some(up_to), None) => {
            format!("Up to {} {stones} the pairs agree; they differ at the end.", grouped(up_to))
        }
        (None, Some(from)) => format!("From {} {stones} on the pairs agree.", grouped(from)),
        (None, None) => {
            "The pairs differ at both ends: there is no point up to which, or from which on, all agree."
                .to_owned()
        }
    };
    text + &point + "\n"
}

fn witness(found: &Diff) -> String {
    let Witness { start, moves, position, a, b } = match &found.witness {
        WitnessSearch::Needless => return String::new(),
        WitnessSearch::Unreachable => {
            return "\nNo line of play that both allow leads to a position with another outcome.\n"
                .to_owned();
        }
        WitnessSearch::GivenUp(positions) => {
            let positions = grouped(*positions as u64);
            return format!(
                "\nNo line of play to a position with another outcome was found within {positions} positions.\n"
            );
        }
        WitnessSearch::Found(witness) => &**witness,
    };
    let line = if moves.is_empty() {
        format!("{start}, where a game begins")
    } else {
        let number = count(moves.len() as u64, "move", "moves");
        format!("{start} to {position} in {number}: {}", moves.join(" "))
    };
    format!("\nA shortest line of play to a position with another outcome: {line}\n{}", answers(a, b))
}

fn first_differences(found: &Diff) -> String {
    if found.first.is_empty() {
        return String::new();
    }
    let mut text = match found.first.len() {
        1 => "\nThe first position that differs:\n".to_owned(),
        listed => format!("\nThe first {listed} positions that differ:\n"),
    };
    for difference in &found.first {
        text += &format!("  {}\n", difference.position);
        text += &answers(&difference.answers.a, &difference.answers.b);
    }
    text
}

fn answers(a: &AnswerText, b: &AnswerText) -> String {
    format!("    A  {}\n    B  {}\n", answer(a), answer(b))
}

/// Maximum number of winning moves shown.
const MAX_MOVES: usize = 8;

fn answer(answer: &AnswerText) -> String {
    let depth =
        answer.depth.map_or(String::new(), |depth| format!(" in {}", count(depth.into(), "ply", "plies")));
    let moves = match (answer.outcome, &answer.best) {
        (_, None) => ", the game is over".to_owned(),
        (Outcome::Loss, Some(best)) => format!(", best try {best}"),
        (Outcome::Win, Some(best)) => {
            let others = answer.winning.iter().filter(|&chosen| chosen != best);
            match abridged(others, " ", MAX_MOVES) {
                none if none.is_empty() => format!(", by {best}"),
                others => format!(", best {best}; also {others}"),
            }
        }
    };
    format!("{}{depth}{moves}", answer.outcome)
}
