//! Groups of cases with the same lost numbers, and their rows in a table.

use super::outcomes::{Case, LimitRow, OutcomesByLimit};
use crate::sheet::SheetRow;
use crate::sheet::lists::{all_lost_from, lost_numbers, shorten};

/// Cases with the same lost numbers.
pub(super) struct CaseGroup<'a> {
    pub(super) cases: Vec<Case>,
    /// For each limit and number of stones from 0, whether the position is lost.
    pub(super) lost: &'a [Vec<bool>],
    /// Whether `lost` has all numbers of the game, so that "and up" can describe the last ones.
    pub(super) is_whole: bool,
}

impl<'a> CaseGroup<'a> {
    /// Divides cases, each with its lost numbers, into groups.
    pub(super) fn all(cases: impl Iterator<Item = (&'a Case, &'a Vec<Vec<bool>>)>) -> Vec<Self> {
        let mut groups: Vec<Self> = Vec::new();
        for (&case, lost) in cases {
            match groups.iter_mut().find(|group| group.lost == lost) {
                Some(group) => group.cases.push(case),
                None => groups.push(CaseGroup { cases: vec![case], lost, is_whole: true }),
            }
        }
        groups
    }

    /// Writes the resets of the opponent, who is to move, and of "you".
    fn resets(&self) -> String {
        let range = |number: fn(&Case) -> u8| {
            let numbers = || self.cases.iter().map(number);
            let (least, most) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
            (least..=most, if least == most { least.to_string() } else { format!("{least} to {most}") })
        };
        let (owns, own_in_words) = range(|case| case.own);
        let (others, other_in_words) = range(|case| case.other);
        // Two ranges describe the cases if each pair from them that belongs to this table is one of the cases.
        let lead = self.cases[0].lead();
        let pairs = owns.flat_map(|own| others.clone().map(move |other| (own, other)));
        let pairs = pairs.filter(|&(own, other)| Case { imposed: false, own, other }.lead() == lead);
        if pairs.count() == self.cases.len() {
            return format!("opponent {own_in_words}, you {other_in_words}");
        }
        let pairs: Vec<String> =
            self.cases.iter().map(|case| format!("opponent {}, you {}", case.own, case.other)).collect();
        pairs.join("; ")
    }

    /// Writes the numbers by limit; neighbouring limits with the same text share a row.
    pub(super) fn rows(&self, outcomes: &OutcomesByLimit, is_one_of_several: bool) -> Vec<SheetRow> {
        let limits = &outcomes.rows;
        let mut rows = Vec::new();
        let mut begin = 0;
        while begin < limits.len() {
            let (fixed, rising) = (self.same_text(limits, begin, false), self.same_text(limits, begin, true));
            let end = fixed.max(rising);
            let range = match (limits[begin].limit, limits[end - 1].limit) {
                _ if limits.len() == 1 => String::new(),
                (from, to) if from == to && end < limits.len() => format!("limit {from}"),
                (from, _) if end == limits.len() => format!("limit {from} and more"),
                (from, to) => format!("limit {from} to {to}"),
            };
            let relative_to = (rising > fixed).then(|| limits[begin].limit);
            let resets = if is_one_of_several { self.resets() } else { String::new() };
            let parts = [resets, range].into_iter().filter(|part| !part.is_empty());
            let mut label = parts.collect::<Vec<_>>().join("; ");
            if label.is_empty() {
                label.push_str("leave");
            }
            rows.push(SheetRow { label, text: in_words(&self.lost[begin], relative_to, self.is_whole) });
            begin = end;
        }
        rows
    }

    /// Returns the end of the range of limits from index `begin` that one text describes. With `rising`, the text may rise with the
    /// limit, as "limit + 3 and up": all numbers from a threshold are lost, and the threshold keeps its distance to the limit.
    fn same_text(&self, limits: &[LimitRow], begin: usize, rising: bool) -> usize {
        let first = &self.lost[begin];
        let threshold = all_lost_from(first).filter(|_| rising).map(|from| from as usize);
        let has_same_text = |row: usize| {
            let rise = (limits[row].limit - limits[begin].limit) as usize;
            let expected = |number: usize| match threshold {
                Some(from) => number >= from + rise || number < from && first[number],
                None => first[number],
            };
            // A greater limit leaves fewer stones, so each number of this row is one of the first row.
            (1..self.lost[row].len()).all(|number| self.lost[row][number] == expected(number))
        };
        (begin + 1..limits.len()).find(|&row| !has_same_text(row)).unwrap_or(limits.len())
    }
}

/// Writes the lost numbers. For a whole game, the last ones become "7 and up", or "limit + 3 and up" given a limit of 4.
fn in_words(lost: &[bool], limit: Option<u32>, is_whole: bool) -> String {
    let from = all_lost_from(lost).filter(|_| is_whole);
    let before = lost_numbers(lost).into_iter().filter(|&number| from.is_none_or(|from| number < from));
    let mut parts = vec![shorten(&before.collect::<Vec<u32>>())];
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
