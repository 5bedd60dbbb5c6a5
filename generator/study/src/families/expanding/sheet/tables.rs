//! The tables of a sheet: which numbers of stones to leave, by what both players have left and by the limit.

use super::outcomes::{Case, OutcomesByLimit};
use super::shifted_table::ShiftedTable;
use crate::sheet::lists::{numbers, all_from, shortened};
use crate::sheet::{Block, Row};
use crate::words::grouped;

/// A table that is longer than this, in letters, is said in another way if there is one.
const MAX_LETTERS: usize = 600;

/// ResetLead has more resets left after a move: whoever made it, the opponent, or neither.
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

/// The letter of a table, by which the text speaks of it.
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

/// The table in which a case is.
pub(super) fn letter_of(case: Case) -> char {
    letter(ResetLead::of(case), case.imposed)
}

/// The tables, each below its heading: first that of equal resets.
pub(super) fn tables(of: &OutcomesByLimit) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut in_full = None;
    for imposed in [false, true] {
        for lead in ResetLead::ALL {
            let cases =
                of.cases.iter().copied().filter(|case| case.imposed == imposed && ResetLead::of(*case) == lead);
            let groups = CaseGroup::all(of, cases.collect());
            if groups.is_empty() {
                continue;
            }
            blocks.push(Block::Heading(heading(of, lead, imposed)));
            let rows: Vec<Row> = groups.iter().flat_map(|group| group.rows(of, groups.len() > 1)).collect();
            let length: usize = rows.iter().map(|row| row.text.chars().count()).sum();
            if length <= MAX_LETTERS {
                blocks.push(Block::Rows(rows));
            } else if imposed && lead == ResetLead::Neither {
                blocks.push(Block::Text(one_move_ahead(of)));
            } else if let Some(all) = ShiftedTable::of(of, &groups).filter(|all| all.length() < length) {
                blocks.extend(all.blocks());
                in_full = all.in_full(of, &groups, letter(lead, imposed));
            } else {
                blocks.push(Block::Rows(rows));
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

/// What is good to leave after a reset, with as many resets for both: whatever the opponent cannot answer with something good.
fn one_move_ahead(of: &OutcomesByLimit) -> String {
    let most = grouped(of.rules.reset_limit().into());
    let (plain, reset) = (letter(ResetLead::Neither, false), letter(ResetLead::Opponent, true));
    format!(
        "A number is good if your opponent, who may now take only 1 to {most}, can leave you nothing that is good for them: nothing of \
         table {plain} without a reset, and nothing of table {reset} with one."
    )
}

/// Cases in which the same numbers are lost.
pub(super) struct CaseGroup<'a> {
    pub(super) cases: Vec<Case>,
    /// For each limit, which numbers are lost, from 0 on.
    pub(super) lost: &'a [Vec<bool>],
    /// Whether these are all numbers that there are, so that the last of them can be said to go on.
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

    /// What the players have left: the opponent, lead is to move, and you.
    fn resets(&self) -> String {
        let span = |numbers: Vec<u8>| {
            let (least, most) = (numbers.iter().min(), numbers.iter().max());
            let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
            (least, most, if least == most { least.to_string() } else { format!("{least} to {most}") })
        };
        let (from, to, own) = span(self.cases.iter().map(|case| case.own).collect());
        let (others_from, others_to, other) = span(self.cases.iter().map(|case| case.other).collect());
        // All pairs of two spans, of which those count that the table is about.
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

    /// The numbers by limit; limits of which the same can be said are together.
    pub(super) fn rows(&self, of: &OutcomesByLimit, is_one_of_several: bool) -> Vec<Row> {
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
            rows.push(Row { label, text: in_words(&self.lost[begin], of_limit, self.whole) });
            begin = end;
        }
        rows
    }

    /// The end of the rows from one on of which the same can be said. With `rising`, all numbers from one on are lost, and that one
    /// is always as far from the limit.
    fn same(&self, of: &OutcomesByLimit, begin: usize, rising: bool) -> usize {
        let first = &self.lost[begin];
        let from = all_from(first).filter(|_| rising).map(|from| from as usize);
        let has = |row: usize| {
            let more = (of.rows[row].limit - of.rows[begin].limit) as usize;
            let expected = |number: usize| match from {
                Some(from) => number >= from + more || number < from && first[number],
                None => first[number],
            };
            // With a greater limit fewer stones can be left, so that there is something to compare.
            (1..self.lost[row].len()).all(|number| self.lost[row][number] == expected(number))
        };
        (begin + 1..of.rows.len()).find(|&row| !has(row)).unwrap_or(of.rows.len())
    }
}

/// The numbers that are lost. If they are the `whole`, the last ones go on: from so many above a limit, if one is given.
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
