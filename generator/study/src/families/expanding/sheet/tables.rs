//! The tables of a sheet: the numbers of stones to leave, by the resets of both players and by the limit.
//!
//! Cases with the same lost numbers share a group, and neighbouring limits share a row, to keep the tables short.

use super::outcomes::{Case, OutcomesByLimit};
use super::shifted_table::ShiftedTable;
use crate::sheet::lists::{all_from, numbers, shortened};
use crate::sheet::{SheetBlock, SheetRow};
use crate::words::grouped;

/// A table with more letters than this takes a shorter form, if one exists.
const MAX_LETTERS: usize = 600;

/// The player with more resets left after a move; "you" made the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResetLead {
    Neither,
    You,
    Opponent,
}

impl ResetLead {
    const ALL: [Self; 3] = [Self::Neither, Self::You, Self::Opponent];

    fn of(case: Case) -> Self {
        match case.own.cmp(&case.other) {
            std::cmp::Ordering::Equal => Self::Neither,
            std::cmp::Ordering::Less => Self::You,
            std::cmp::Ordering::Greater => Self::Opponent,
        }
    }
}

/// Returns the letter by which texts refer to a table.
fn letter(lead: ResetLead, imposed: bool) -> char {
    match (imposed, lead) {
        (false, ResetLead::Neither) => 'A',
        (false, ResetLead::You) => 'B',
        (false, ResetLead::Opponent) => 'C',
        (true, ResetLead::Neither) => 'D',
        (true, ResetLead::You) => 'E',
        (true, ResetLead::Opponent) => 'F',
    }
}

/// Returns the letter of the table that contains a case.
pub(super) fn letter_of(case: Case) -> char {
    letter(ResetLead::of(case), case.imposed)
}

/// Makes the tables, each with its heading; the table of equal resets comes first.
pub(super) fn tables(of: &OutcomesByLimit) -> Vec<SheetBlock> {
    let mut blocks = Vec::new();
    let mut in_full = None;
    for imposed in [false, true] {
        for lead in ResetLead::ALL {
            let cases = of
                .cases
                .iter()
                .copied()
                .filter(|case| case.imposed == imposed && ResetLead::of(*case) == lead);
            let groups = CaseGroup::all(of, cases.collect());
            if groups.is_empty() {
                continue;
            }
            blocks.push(SheetBlock::Heading(heading(of, lead, imposed)));
            let rows: Vec<SheetRow> =
                groups.iter().flat_map(|group| group.rows(of, groups.len() > 1)).collect();
            let length: usize = rows.iter().map(|row| row.text.chars().count()).sum();
            if length <= MAX_LETTERS {
                blocks.push(SheetBlock::Rows(rows));
            } else if imposed && lead == ResetLead::Neither {
                blocks.push(SheetBlock::Text(one_move_ahead(of)));
            } else if let Some(all) = ShiftedTable::of(of, &groups).filter(|all| all.length() < length) {
                blocks.extend(all.blocks());
                in_full = all.in_full(of, &groups, letter(lead, imposed));
            } else {
                blocks.push(SheetBlock::Rows(rows));
            }
        }
    }
    blocks.extend(in_full);
    blocks
}

fn heading(of: &OutcomesByLimit, lead: ResetLead, imposed: bool) -> String {
    let letter = letter(lead, imposed);
    if of.cases.len() == 1 {
        return format!("{letter}: what to leave");
    }
    let move_made = if imposed { "you move with a reset, and then" } else { "you move without a reset, and" };
    let resets = match lead {
        ResetLead::Neither => "as many resets left as your opponent",
        ResetLead::You => "more resets left than your opponent",
        ResetLead::Opponent => "fewer resets left than your opponent",
    };
    format!("{letter}: {move_made} have {resets}")
}

/// Writes the rule for numbers to leave after a reset, with equal resets: one move ahead, by the other tables.
fn one_move_ahead(of: &OutcomesByLimit) -> String {
    let most = grouped(of.rules.reset_limit().into());
    let (plain, reset) = (letter(ResetLead::Neither, false), letter(ResetLead::Opponent, true));
    format!(
        "A number is good if your opponent, who may now take only 1 to {most}, can leave you nothing that is good for them: nothing of \
         table {plain} without a reset, and nothing of table {reset} with one."
    )
}

/// Cases with the same lost numbers.
pub(super) struct CaseGroup<'a> {
    pub(super) cases: Vec<Case>,
    /// For each limit and number of stones from 0, whether the position is lost.
    pub(super) lost: &'a [Vec<bool>],
    /// True if `lost` covers all numbers of the game: "and up" can then describe the last ones.
    pub(super) whole: bool,
}

impl<'a> CaseGroup<'a> {
    fn all(of: &'a OutcomesByLimit, cases: Vec<Case>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for case in cases {
            let lost = of.of_case(case);
            match groups.iter_mut().find(|group| group.lost == lost) {
                Some(group) => group.cases.push(case),
                None => groups.push(CaseGroup { cases: vec![case], lost, whole: true }),
            }
        }
        groups
    }

    /// Writes the resets of the opponent, who is to move, and of "you".
    fn resets(&self) -> String {
        let span = |numbers: Vec<u8>| {
            let (least, most) = (numbers.iter().min(), numbers.iter().max());
            let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
            (least, most, if least == most { least.to_string() } else { format!("{least} to {most}") })
        };
        let (from, to, own) = span(self.cases.iter().map(|case| case.own).collect());
        let (others_from, others_to, other) = span(self.cases.iter().map(|case| case.other).collect());
        // Two ranges describe the cases if each pair from them that belongs to this table is one of the cases.
        let lead = ResetLead::of(self.cases[0]);
        let all = (from..=to).flat_map(|own| (others_from..=others_to).map(move |other| (own, other)));
        let all = all.filter(|&(own, other)| ResetLead::of(Case { imposed: false, own, other }) == lead);
        if all.count() == self.cases.len() {
            return format!("opponent {own}, you {other}");
        }
        let pairs: Vec<String> =
            self.cases.iter().map(|case| format!("opponent {}, you {}", case.own, case.other)).collect();
        pairs.join("; ")
    }

    /// Writes the numbers by limit; neighbouring limits with the same text share a row.
    pub(super) fn rows(&self, of: &OutcomesByLimit, is_one_of_several: bool) -> Vec<SheetRow> {
        let mut rows = Vec::new();
        let mut begin = 0;
        while begin < of.rows.len() {
            let (fixed, rising) = (self.same(of, begin, false), self.same(of, begin, true));
            let end = fixed.max(rising);
            let limits = match (of.rows[begin].limit, of.rows[end - 1].limit) {
                _ if of.rows.len() == 1 => String::new(),
                (from, to) if from == to && end < of.rows.len() => format!("limit {from}"),
                (from, _) if end == of.rows.len() => format!("limit {from} and more"),
                (from, to) => format!("limit {from} to {to}"),
            };
            let of_limit = (rising > fixed).then(|| of.rows[begin].limit);
            let resets = if is_one_of_several { self.resets() } else { String::new() };
            let parts = [resets, limits].into_iter().filter(|part| !part.is_empty());
            let mut label = parts.collect::<Vec<_>>().join("; ");
            if label.is_empty() {
                label.push_str("leave");
            }
            rows.push(SheetRow { label, text: in_words(&self.lost[begin], of_limit, self.whole) });
            begin = end;
        }
        rows
    }

    /// Returns the end of the range of rows from `begin` that one text describes. With `rising`, all numbers from a threshold are lost,
    /// and the threshold keeps its distance to the limit: "limit + 3 and up".
    fn same(&self, of: &OutcomesByLimit, begin: usize, rising: bool) -> usize {
        let first = &self.lost[begin];
        let from = all_from(first).filter(|_| rising).map(|from| from as usize);
        let has = |row: usize| {
            let more = (of.rows[row].limit - of.rows[begin].limit) as usize;
            let expected = |number: usize| match from {
                Some(from) => number >= from + more || number < from && first[number],
                None => first[number],
            };
            // A greater limit leaves fewer stones, so each number of this row is one of the first row.
            (1..self.lost[row].len()).all(|number| self.lost[row][number] == expected(number))
        };
        (begin + 1..of.rows.len()).find(|&row| !has(row)).unwrap_or(of.rows.len())
    }
}

/// Writes the lost numbers. If `whole`, the last ones become "and up", relative to `limit` if given.
fn in_words(lost: &[bool], limit: Option<u32>, whole: bool) -> String {
    let from = all_from(lost).filter(|_| whole);
    let before = numbers(lost).into_iter().filter(|&number| from.is_none_or(|from| number < from));
    let mut parts = vec![shortened(&before.collect::<Vec<u32>>())];
    parts.extend(from.map(|from| {
        let from = match limit.map(|limit| (limit, from.checked_sub(limit))) {
            None => from.to_string(),
            Some((_, Some(0))) => "the limit".to_owned(),
            Some((_, Some(above))) => format!("limit + {above}"),
            Some((limit, None)) => format!("limit - {}", limit - from),
        };
        format!("{from} and up")
    }));
    parts.retain(|part| !part.is_empty());
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}
