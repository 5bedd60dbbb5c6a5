//! The sheet for Expanding Nim: the numbers of stones to leave the opponent.

mod case_group;
mod outcomes;
mod reset_statistics;
mod shifted_table;
mod tables;

use bouton_tables::expanding::{Expanding, ExpandingTable};
use bouton_tables::{Play, Solved};

use self::outcomes::{Case, OutcomesByLimit};
use crate::error::Result;
use crate::sheet::{OnPaper, SheetBlock, winner_from};
use crate::words::{count, grouped};

impl OnPaper for ExpandingTable {
    fn blocks(&self) -> Result<Vec<SheetBlock>> {
        let outcomes = OutcomesByLimit::of(self)?;
        let rules = self.game();
        let mut blocks = vec![
            SheetBlock::Text(in_sentences(rules)),
            SheetBlock::Text(winner_from_start(self, &outcomes)?),
            SheetBlock::Heading("How to use it".to_owned()),
            SheetBlock::Text(how_to_use(rules)),
        ];
        let mut tables = tables::tables(&outcomes);
        let about_resets = reset_statistics::about_resets(self, &outcomes)?;
        if !about_resets.is_empty() {
            let heading =
                "Resets, counted over all positions with stones left, once for each limit".to_owned();
            let words = std::iter::once(SheetBlock::Heading(heading))
                .chain(about_resets.into_iter().map(SheetBlock::Text));
            // Insert after the first table: with equal resets, no other one is needed until a player imposes a reset.
            let is_heading = |block: &SheetBlock| matches!(block, SheetBlock::Heading(_));
            let second = tables.iter().skip(1).position(is_heading).map_or(tables.len(), |index| index + 1);
            tables.splice(second..second, words);
        }
        blocks.extend(tables);
        Ok(blocks)
    }
}

fn in_sentences(rules: &Expanding) -> String {
    let base = count(rules.base_limit().into(), "stone", "stones");
    let limit = match rules.growth() {
        0 if rules.base_limit() == 1 => "A move takes 1 stone.".to_owned(),
        0 => format!(
            "A move takes 1 stone or more, at most {}: that is the limit.",
            grouped(rules.base_limit().into())
        ),
        growth => format!(
            "A move takes 1 stone or more, up to a limit. The limit is {base} at first, and then always {} more than the most that \
             anyone has taken at once, if that is more.",
            grouped(growth.into())
        ),
    };
    let [first, second] = rules.resets();
    let number = match (first, second) {
        (0, 0) => None,
        (first, second) if first == second => Some(format!("{first} times each")),
        (first, second) => Some(format!("player 1 {first} times, player 2 {second} times")),
    };
    let resets = number.map(|number| {
        format!(
            " With a move you may impose a reset ({number}): your opponent's next move then takes at most {}.",
            grouped(rules.reset_limit().into())
        )
    });
    let end = match rules.play() {
        Play::Normal => "The player who takes the last stone wins.",
        Play::Misere => "The player who takes the last stone loses.",
    };
    format!("{limit}{} {end}", resets.unwrap_or_default())
}

/// Says who wins from the start with all stones, and counts the lost starts.
fn winner_from_start(table: &ExpandingTable, outcomes: &OutcomesByLimit) -> Result<String> {
    let rules = table.game();
    let winner = winner_from(table, &rules.start(rules.stones()), |moves| {
        let has_reset = moves.split([' ', ',']).any(|name| name.ends_with('r'));
        if has_reset { " (r: with a reset)" } else { "" }
    })?;
    let [own, other] = rules.resets();
    let case = Case { imposed: false, own, other };
    let (row, letter) = (&outcomes.rows[0], tables::letter(case.lead(), false));
    let lost = outcomes.lost[&case][0][1..].iter().filter(|lost| **lost).count() as u64;
    let limit = if outcomes.rows.len() > 1 { format!("of limit {} ", row.limit) } else { String::new() };
    let resets = match (own, other) {
        (0, 0) => String::new(),
        (own, other) if own == other => format!(" with {own} resets each"),
        (own, other) => format!(" with {own} and {other} resets"),
    };
    Ok(format!(
        "From {}, {winner}. Of all starts{resets}, {} of {} are lost for player 1: the numbers {limit}in table {letter}.",
        count(rules.stones(), "stone", "stones"),
        grouped(lost),
        grouped(row.stones)
    ))
}

fn how_to_use(rules: &Expanding) -> String {
    let mut sentences = vec![
        "Leave your opponent a number of stones that is in the table: they have then lost, as long as you keep doing so."
            .to_owned(),
    ];
    if rules.growth() > 0 {
        let becomes = match rules.growth() {
            1 => "it stays as it is, unless you take all of it, which makes it 1 more".to_owned(),
            growth => {
                format!("after k stones it is k + {}, or what it was if that is more", grouped(growth.into()))
            }
        };
        sentences.push(format!(
            "Look up the limit that your opponent will have: {becomes}. In brackets: the most taken at once so far."
        ));
    }
    if rules.resets() != [0, 0] {
        sentences.push("The resets that you both have left after your move say which table.".to_owned());
    }
    let empty = match rules.play() {
        Play::Normal => "Leaving 0 wins, too.",
        Play::Misere => "Never leave 0.",
    };
    let steps = "4, 8\u{a0}…\u{a0}20 continues in equal steps: 4, 8, 12, 16, 20.";
    let lost = "If you can leave no number of the table, you have lost, unless your opponent errs.";
    sentences.extend([empty, steps, lost].map(str::to_owned));
    sentences.join(" ")
}
