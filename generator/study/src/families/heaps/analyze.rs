//! Heap tables as a whole: how they agree with a theorem, and their Grundy values.

use std::collections::TryReserveError;

use bouton_tables::heaps::theory::grundy_values;
use bouton_tables::heaps::{HeapRules, Take};
use bouton_tables::{Game, Solved};

use super::grundy::{obstacle, pairs};
use super::theory::agreement;
use crate::Progress;
use crate::analyze::{
    Agreement, AnalyzeError, Analyzed, Effort, Findings, GrundyValues, Period, SHOWN, Whole, period,
};
use crate::select::Filter;

impl Analyzed for HeapRules {
    fn scope(&self, filter: Option<&str>) -> Result<Filter, AnalyzeError> {
        match filter {
            None => Ok(Filter::parse(self, true, "")?),
            Some(_) => Err(AnalyzeError::NoLines { game: Self::FAMILY }),
        }
    }

    fn effort(&self, _: &Filter) -> Effort {
        // Ranks of all heaps but the greatest; values of those up to the greatest, and how far they repeat.
        let stones: u64 = self.bounds().iter().map(|&bound| u64::from(bound) + 1).sum();
        Effort { steps: self.positions(), memory: 8 * stones }
    }

    fn findings<S>(table: &S, _: &Filter, progress: &Progress) -> Result<Findings, AnalyzeError>
    where
        S: Solved<Game = Self> + Sync,
    {
        let rules = table.game();
        let (losing, theory) = agreement(table, progress)?;
        let positions = rules.positions();
        // In such a game a theorem says what the values are, and was held against every position just now.
        // A table that contradicts it is wrong, and has no values.
        let has_values = obstacle(rules).is_none() && !theory.as_ref().is_some_and(Agreement::proves_wrong);
        let density = losing as f64 / positions as f64;
        let grundy = has_values.then(|| values(rules)).transpose()?;
        Ok(Findings::Whole(Whole { positions, losing, density, theory, grundy }))
    }
}

fn values(rules: &HeapRules) -> Result<GrundyValues, TryReserveError> {
    let values = grundy_values(rules.take(), rules.greatest());
    let found = period(&values)?;
    // How far back a move reaches.
    let reach = match rules.take() {
        Take::Any => None,
        Take::UpTo(most) => Some(*most),
        Take::Exactly(amounts) => amounts.last().copied(),
    };
    let length = values.len();
    let repeats = |period: Period| length as u64 - period.preperiod - period.period;
    let for_ever = found.zip(reach).is_some_and(|(period, reach)| repeats(period) >= u64::from(reach));
    let shown = found.map_or(length, |found| (found.preperiod + found.period) as usize).min(SHOWN);
    Ok(GrundyValues {
        values_to: rules.greatest(),
        greatest: values.iter().copied().max().unwrap_or(0),
        preperiod: found.map(|found| found.preperiod),
        period: found.map(|found| found.period),
        for_ever,
        checked: pairs(rules),
        values: values[..shown].to_vec(),
    })
}
