//! The sheet for a heap game: the theorem that decides the game, if there is one, and the lost positions.

use std::collections::BTreeMap;
use std::ops::Range;

use bouton_tables::heaps::theory::{Theory, grundy_values};
use bouton_tables::heaps::{HeapRules, HeapTable, Position, Take};
use bouton_tables::{Game, Play, Region, Solved};

use super::analyze::{agreement, authors};
use super::{amounts_in_words, heap_counts, total};
use crate::error::Result;
use crate::groups::map_reduce_chunks;
use crate::sheet::lists::shorten;
use crate::sheet::{OnPaper, SheetBlock, SheetRow, winner_from, wrong_at};
use crate::words::{count, grouped};

/// Maximum number of listed lost positions.
const MAX_LISTED: u64 = 2000;
/// Maximum length of the list of lost positions, in characters.
const MAX_LIST_LENGTH: usize = 9000;
/// Maximum size of a heap for which a sheet lists Grundy values.
const MAX_HEAP: u32 = 10_000;

impl OnPaper for HeapTable {
    fn blocks(&self) -> Result<Vec<SheetBlock>> {
        let mut blocks = vec![
            SheetBlock::Text(in_sentences(self.game())),
            SheetBlock::Heading("At the start".to_owned()),
            SheetBlock::Text(winner_from_start(self)?),
        ];
        blocks.extend(theorem(self)?);
        blocks.extend(lost_positions(self)?);
        Ok(blocks)
    }
}

fn in_sentences(rules: &HeapRules) -> String {
    let amount = match rules.take() {
        Take::Any => "any number of stones".to_owned(),
        Take::UpTo(1) => "1 stone".to_owned(),
        Take::UpTo(most) => format!("1 to {} stones", grouped((*most).into())),
        Take::Exactly(amounts) => format!("{} stones", amounts_in_words(amounts)),
    };
    let from = match (rules.heaps_per_move(), rules.equal_take()) {
        (1, _) => "from one heap".to_owned(),
        (most, true) if rules.heap_counts().is_up_to() => {
            format!("from one heap, or the same from each of up to {most}")
        }
        (_, equal) => {
            let same = if equal { ", the same from each" } else { "" };
            format!("from each of {} heaps{same}", heap_counts(rules))
        }
    };
    let passes = match rules.passes() {
        0 => String::new(),
        1 => " Once in a game, one of the players may pass instead.".to_owned(),
        passes => format!(" Up to {passes} times in a game, by either player, a player may pass instead."),
    };
    let end = match rules.play() {
        Play::Normal => "A player who cannot move has lost.",
        Play::Misere => "A player who cannot move has won.",
    };
    format!("A move takes {amount} {from}.{passes} {end}")
}

/// Says who wins from the start, and with which first moves.
fn winner_from_start(table: &HeapTable) -> Result<String> {
    let start = table.game().start();
    let winner = winner_from(table, &start, |_| " (row:stones taken)")?;
    Ok(format!("From {}, {winner}.", table.game().show_position(&start)))
}

/// Writes the theorem that decides the game, after a check at every position of the table.
fn theorem(table: &HeapTable) -> Result<Vec<SheetBlock>> {
    let rules = table.game();
    let Some(theory) = Theory::of(rules) else {
        return Ok(vec![SheetBlock::Text(
            "Bouton knows no theorem that decides this game; the list below does.".to_owned(),
        )]);
    };
    if let (_, Some(agreement)) = agreement(table, &|_| Ok(()))?
        && let Some(exception) = &agreement.first_exception
    {
        return Err(wrong_at(&exception.position));
    }
    let nim_sum = "To find the nim-sum, write the numbers in binary below each other: it is 0 if each column has an even number of ones.";
    let mut blocks =
        vec![SheetBlock::Heading(format!("What decides it: the theorem of {}", authors(&theory)[1]))];
    let statement = match &theory {
        Theory::Nim => format!(
            "Leave heaps whose nim-sum is 0: then your opponent has lost. {nim_sum} With two heaps, leave equal ones."
        ),
        Theory::MisereNim => format!(
            "As long as some heap you leave has two stones or more, leave heaps whose nim-sum is 0. If all that you leave have one stone, \
             leave an odd number of them. {nim_sum}"
        ),
        Theory::Bachet { at_once, rest } => {
            let modulus = u64::from(*at_once) + 1;
            let leave = match rest {
                0 => format!("that {modulus} divides"),
                rest => format!("whose remainder is {rest} when divided by {modulus}"),
            };
            format!(
                "Leave a heap {leave}. Whatever your opponent then takes, bring the total taken to \
                {modulus}."
            )
        }
        Theory::Grundy(Take::UpTo(most)) => format!(
            "The value of a heap is the remainder of its size divided by {}. Leave heaps whose values have \
            the nim-sum 0. {nim_sum}",
            u64::from(*most) + 1
        ),
        Theory::Grundy(_) => {
            format!("Each heap has a value, below. Leave heaps whose values have the nim-sum 0. {nim_sum}")
        }
        Theory::Moore(heaps) => format!(
            "Write the heaps in binary below each other. Leave heaps for which the number of ones in each \
            column is a multiple of {}.",
            heaps + 1
        ),
        Theory::Wythoff => {
            "The lost pairs are a, a + n for n = 1, 2, ..., where a is the least number above 0 that no \
                            earlier pair has: 1,2; 3,5; 4,7; 6,10; and so on. Leave one of them."
                .to_owned()
        }
    };
    blocks.push(SheetBlock::Text(statement));
    if let Theory::Grundy(take @ Take::Exactly(_)) = &theory
        && rules.greatest_bound() <= MAX_HEAP
    {
        let mut heaps: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (heap, value) in (0..).zip(grundy_values(take, rules.greatest_bound())) {
            heaps.entry(value).or_default().push(heap);
        }
        let row = |(value, heaps): (u32, Vec<u32>)| SheetRow {
            label: format!("value {value}"),
            text: shorten(&heaps),
        };
        blocks.push(SheetBlock::Heading("Grundy values: the heaps of each value".to_owned()));
        blocks.push(SheetBlock::Rows(heaps.into_iter().map(row).collect()));
    }
    Ok(blocks)
}

/// Lost positions by their total of stones: for each total the number of positions, and the positions themselves, unless this and the
/// lesser totals together have too many to list.
type LostByTotal = BTreeMap<u64, (u64, Vec<Position>)>;

/// Adds the lost positions of a later range. Drops the positions of a total if it and the lesser totals have too many to list.
fn and_later(mut earlier: LostByTotal, later: LostByTotal) -> LostByTotal {
    for (stones, (count, positions)) in later {
        let of_total = earlier.entry(stones).or_default();
        of_total.0 += count;
        of_total.1.extend(positions);
    }
    let mut sum = 0;
    for (count, positions) in earlier.values_mut() {
        sum += *count;
        if sum > MAX_LISTED {
            positions.clear();
        }
    }
    earlier
}

/// Lists the lost positions by their total of stones, as far as there is room.
fn lost_positions(table: &HeapTable) -> Result<Vec<SheetBlock>> {
    let rules = table.game();
    let region = rules.region()?;
    let find_lost = |indices: Range<u64>| -> Result<LostByTotal> {
        let mut found = LostByTotal::new();
        table.each_lost(&region, indices, &mut |_, position| {
            let (count, positions) = found.entry(total(&position)).or_default();
            *count += 1;
            positions.push(position);
        })?;
        // The empty heaps are not listed.
        found.remove(&0);
        Ok(found)
    };
    let by_total = map_reduce_chunks(region.count(), find_lost, and_later)?;
    let all: u64 = by_total.values().map(|(count, _)| count).sum();
    let mut room = MAX_LIST_LENGTH;
    let mut shown = 0;
    let mut rows = Vec::new();
    for (stones, (number, positions)) in by_total.into_iter().take_while(|(_, (_, found))| !found.is_empty())
    {
        let texts: Vec<String> = positions.iter().map(|position| rules.show_position(position)).collect();
        let text = texts.join("  ");
        let Some(left) = room.checked_sub(text.len() + 12) else { break };
        room = left;
        shown += number;
        rows.push(SheetRow { label: count(stones, "stone", "stones"), text });
    }
    let empty = match rules.play() {
        Play::Normal => "Leaving nothing wins, too.",
        Play::Misere => "Never leave nothing.",
    };
    let order = if rules.heaps() > 1 { " Heaps may be in any order." } else { "" };
    let passes =
        if rules.passes() > 0 { " The number after the / is the number of passes left." } else { "" };
    let heading = if shown == all {
        format!("The lost positions, all {}, by their stones", grouped(all))
    } else {
        let most = rows.last().map_or("0 stones", |row| &row.label);
        format!("The lost positions of up to {most}: {} of {}", grouped(shown), grouped(all))
    };
    let text = format!("Leave your opponent one of these.{order}{passes} {empty}");
    Ok(vec![SheetBlock::Heading(heading), SheetBlock::Text(text), SheetBlock::Rows(rows)])
}
