//! The kit of a match: a table that covers the announced game, and a policy.

use std::sync::Arc;

use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::{Game, Solved, Table};

use super::match_rules::{differing_game, in_words, options_for, variant_in_words};
use super::{ClientError, Report};
use crate::models::ChancesError;
use crate::players::{LosingPolicy, TablePlayer};
use crate::{PreparationProgress, Solution};

/// The largest game to solve during a match, in positions: 20,000 stones with 4 resets each. That takes about ten
/// seconds, some of which our clock may count.
const MOST_POSITIONS: u64 = 150_000_000;

/// The table and the policy of a match.
#[derive(Clone, Debug, Default)]
pub struct MatchKit {
    table: Option<Arc<Table>>,
    policy: Option<LosingPolicy>,
    ready: Option<TablePlayer<Expanding>>,
}

impl MatchKit {
    /// Makes a kit that solves the announced game on the spot, and plays lost positions by `policy`, or as
    /// [`TablePlayer::usual`] does.
    pub fn new(policy: Option<LosingPolicy>) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Prepares the kit before the match, while no clock runs: for every game that `table` covers, or, without a
    /// table, for games of these rules with at most as many stones and resets. Other games are solved on the spot.
    /// Reports progress to `watch`.
    ///
    /// # Errors
    /// If the policy cannot be followed, the game is too large, or the table is of heap games.
    pub fn get_ready(
        &mut self,
        table: Option<Arc<Table>>,
        rules: &Expanding,
        report: &mut Report,
        watch: &dyn PreparationProgress,
    ) -> Result<(), ClientError> {
        let solution =
            match &table {
                None => {
                    check_size(rules).map_err(|what| {
                        ClientError::Unplayable(format!("cannot prepare the game of these rules: {what}"))
                    })?;
                    Some(Solution::solve_watched(rules, watch)?)
                }
                Some(table) => Some(Solution::new(Arc::clone(table)).ok_or_else(|| {
                    ClientError::not_expanding("the table", table.header().ruleset.family())
                })?),
            };
        let ready = solution.map(|solution| self.prepare(solution, report, watch)).transpose();
        self.ready = ready.map_err(|error| {
            let wanted = self.wanted();
            ClientError::Unplayable(format!(
                "cannot play by {wanted}: {error}; give another --policy, or none"
            ))
        })?;
        self.table = table;
        Ok(())
    }

    fn prepare(
        &self,
        solution: Solution<Expanding>,
        report: &mut Report,
        watch: &dyn PreparationProgress,
    ) -> Result<TablePlayer<Expanding>, ChancesError> {
        if let Some(policy) = &self.policy {
            return TablePlayer::new(solution, policy, watch);
        }
        let (player, why) = TablePlayer::usual(solution, watch)?;
        why.into_iter().for_each(|why| report.note(&why));
        Ok(player)
    }

    /// Prepares the policy during the match. Falls back to another policy, which is better than not playing.
    fn prepare_at_once(
        &self,
        rules: &Expanding,
        report: &mut Report,
    ) -> Result<TablePlayer<Expanding>, ClientError> {
        let solution = Solution::solve(rules)?;
        self.prepare(solution.clone(), report, &()).or_else(|error| {
            let other = LosingPolicy::Longest;
            report.note(&format!("cannot play by {}: {error}; playing by {other} instead", self.wanted()));
            Ok(TablePlayer::new(solution, &other, &())?)
        })
    }

    fn wanted(&self) -> String {
        self.policy.as_ref().map_or_else(|| "the usual policy".to_owned(), ToString::to_string)
    }

    /// Returns a player for a match of these rules: from the prepared table if that covers the match, otherwise from
    /// a new one. `init_max` is the announced limit, if there is one.
    pub(super) fn player(
        &self,
        rules: &Expanding,
        init_max: Option<u32>,
        report: &mut Report,
    ) -> Result<TablePlayer<Expanding>, ClientError> {
        let seed = fastrand::u64(..);
        let mut why = String::new();
        if let Some(ready) = &self.ready {
            let prepared = ready.solution.get().game();
            match covers(prepared, rules, init_max) {
                Ok(()) => return Ok(ready.with_seed(seed)),
                Err(reason) if self.table.is_some() => {
                    why = format!("the table is refused: {reason}");
                }
                Err(_) => {
                    let [game, prepared] =
                        [rules, prepared].map(|rules| in_words(rules) + &variant_in_words(rules));
                    why = format!("a game of {game}, not the one prepared (up to {prepared})");
                }
            }
        }
        check_size(rules).map_err(|what| {
            let why = if self.table.is_some() { format!("{why}; ") } else { String::new() };
            ClientError::game(&format!("{why}{what}"))
        })?;
        if self.table.is_some() {
            let prepared = self.ready.as_ref().map_or(rules, |ready| ready.solution.get().game());
            let command = options_for(&covering_both(rules, prepared));
            report.note(&format!(
                "{why}; solving the game on the spot instead; make the table with: bouton generate{command}"
            ));
        } else if !why.is_empty() {
            let mut options = options_for(rules);
            if options.is_empty() {
                options = format!(" --set stones={}", rules.stones());
            }
            report.note(&format!("{why}: solving it while our clock runs;{options} prepares it beforehand"));
        }
        Ok(self.prepare_at_once(rules, report)?.with_seed(seed))
    }
}

fn check_size(rules: &Expanding) -> Result<(), String> {
    let positions = rules.positions();
    if positions <= MOST_POSITIONS {
        return Ok(());
    }
    Err(format!(
        "{} make {positions} positions, and at most {MOST_POSITIONS} are solved on the spot; make a table beforehand with \
         `bouton generate --no-depth{}` and give it with --table",
        in_words(rules),
        options_for(rules)
    ))
}

/// Checks that a table of the rules `of_table` covers a match. The error names the values of both.
fn covers(of_table: &Expanding, rules: &Expanding, init_max: Option<u32>) -> Result<(), String> {
    if !rules.plays_like(of_table) {
        let has = differing_game(of_table, rules).join(" and ");
        let needs = differing_game(rules, of_table).join(" and ");
        let server =
            init_max.map_or(String::new(), |limit| format!("the server announces init_max {limit}: "));
        return Err(format!("it has {has}, but {server}the match has {needs}"));
    }
    let (stones, resets) = (of_table.stones(), of_table.resets());
    if stones < rules.stones() {
        return Err(format!("it covers {stones} stones, but the game has {}", rules.stones()));
    }
    let announced = rules.resets();
    if resets[0] < announced[0] || resets[1] < announced[1] {
        let ([a, b], [c, d]) = (resets, announced);
        return Err(format!("it covers {a},{b} resets, but the game has {c},{d}"));
    }
    Ok(())
}

fn covering_both(rules: &Expanding, of_table: &Expanding) -> Expanding {
    let ([a, b], [c, d]) = (rules.resets(), of_table.resets());
    let stones = rules.stones().max(of_table.stones());
    let keys = ExpandingKeys { stones, resets: [a.max(c), b.max(d)], ..rules.keys().clone() };
    keys.rules().expect("both bounds are allowed")
}
