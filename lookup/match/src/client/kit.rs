//! The kit of a match: a table that covers the announced game, and a policy.

use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::{Game, Solved};

use super::error::{ClientResult, unplayable_game};
use super::report::Report;
use crate::models::ChancesError;
use crate::players::{LosingPolicy, TablePlayer};
use crate::settings::{differing_game, options_for, size_in_words, variant_in_words};
use crate::{PreparationProgress, Solution};

/// Maximum number of positions of a game to solve on the spot: 20,000 stones with 4 resets each. Solving takes about
/// ten seconds, and our clock may count a part of them.
const MAX_POSITIONS: u64 = 150_000_000;

/// The table and the policy of a match.
#[derive(Clone, Debug, Default)]
pub struct MatchKit {
    policy: Option<LosingPolicy>,
    ready: Option<TablePlayer<Expanding>>,
    /// True if the kit is ready to play from a table of the user.
    has_table: bool,
}

impl MatchKit {
    /// Makes a kit that solves the announced game on the spot. Without a policy, plays as [`TablePlayer::with_policy`] says.
    pub fn new(policy: Option<LosingPolicy>) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Prepares the kit before the match, while no clock runs: for every game that `table` covers, or, without a table,
    /// for games of these rules with at most as many stones and resets. Other games are solved on the spot. Reports to
    /// `progress`. Fails if the policy cannot be followed, or the game is too large.
    pub fn get_ready(
        &mut self,
        table: Option<Solution<Expanding>>,
        rules: &Expanding,
        report: &mut Report,
        progress: &dyn PreparationProgress,
    ) -> ClientResult<()> {
        self.has_table = table.is_some();
        let solution = match table {
            None => {
                check_size(rules)
                    .map_err(|what| format!("cannot prepare the game of these rules: {what}"))?;
                Solution::solve_watched(rules, progress)?
            }
            Some(solution) => solution,
        };
        let player = self.prepare(solution, report, progress).map_err(|error| {
            let policy = self.policy_name();
            format!("cannot play by {policy}: {error}; give another --policy, or none")
        })?;
        self.ready = Some(player);
        Ok(())
    }

    fn prepare(
        &self,
        solution: Solution<Expanding>,
        report: &mut Report,
        progress: &dyn PreparationProgress,
    ) -> Result<TablePlayer<Expanding>, ChancesError> {
        let (player, why) = TablePlayer::with_policy(solution, self.policy.as_ref(), progress)?;
        why.into_iter().for_each(|why| report.note(&why));
        Ok(player)
    }

    /// Prepares the policy during the match. Falls back to another policy, which is better than not playing.
    fn prepare_at_once(
        &self,
        rules: &Expanding,
        report: &mut Report,
    ) -> ClientResult<TablePlayer<Expanding>> {
        let solution = Solution::solve(rules)?;
        self.prepare(solution.clone(), report, &()).or_else(|error| {
            let other = LosingPolicy::Longest;
            report
                .note(&format!("cannot play by {}: {error}; playing by {other} instead", self.policy_name()));
            TablePlayer::new(solution, &other, &()).map_err(|error| error.to_string())
        })
    }

    fn policy_name(&self) -> String {
        self.policy.as_ref().map_or_else(|| "the default policy".to_owned(), ToString::to_string)
    }

    /// Returns a player for a match of these rules: with the prepared table if it covers the match, or else with one
    /// solved now. Messages mention the announced limit.
    pub(super) fn player(
        &self,
        rules: &Expanding,
        init_max: Option<u32>,
        report: &mut Report,
    ) -> ClientResult<TablePlayer<Expanding>> {
        let seed = fastrand::u64(..);
        let check_size =
            |why: &str| check_size(rules).map_err(|what| unplayable_game(&format!("{why}{what}")));
        match &self.ready {
            None => check_size("")?,
            Some(ready) => {
                let prepared = ready.solution.get().game();
                let Err(reason) = covers(prepared, rules, init_max) else { return Ok(ready.with_seed(seed)) };
                if self.has_table {
                    let why = format!("the table is refused: {reason}; ");
                    check_size(&why)?;
                    let command = options_for(&covering_both(rules, prepared));
                    report.note(&format!(
                        "{why}solving the game on the spot instead; make the table with: bouton generate{command}"
                    ));
                } else {
                    check_size("")?;
                    let mut options = options_for(rules);
                    if options.is_empty() {
                        options = format!(" --set stones={}", rules.stones());
                    }
                    let [game, prepared] = [rules, prepared]
                        .map(|rules| size_in_words(rules, " and ") + &variant_in_words(rules));
                    report.note(&format!(
                        "a game of {game}, not the one prepared (up to {prepared}): solving it while our clock runs;{options} \
                         prepares it in advance"
                    ));
                }
            }
        }
        Ok(self.prepare_at_once(rules, report)?.with_seed(seed))
    }
}

fn check_size(rules: &Expanding) -> Result<(), String> {
    let positions = rules.positions();
    if positions <= MAX_POSITIONS {
        return Ok(());
    }
    Err(format!(
        "{} make {positions} positions, and at most {MAX_POSITIONS} are solved on the spot; make a table beforehand with \
         `bouton generate --no-depth{}` and give it with --table",
        size_in_words(rules, " and "),
        options_for(rules)
    ))
}

/// Checks that a table of the rules `table_rules` covers a match. The error names the values of both.
fn covers(table_rules: &Expanding, rules: &Expanding, init_max: Option<u32>) -> Result<(), String> {
    if !rules.plays_like(table_rules) {
        let has = differing_game(table_rules, rules).join(" and ");
        let needs = differing_game(rules, table_rules).join(" and ");
        let server =
            init_max.map_or(String::new(), |limit| format!("the server announces init_max {limit}: "));
        return Err(format!("it has {has}, but {server}the match has {needs}"));
    }
    let (stones, resets) = (table_rules.stones(), table_rules.resets());
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

/// Returns the rules with the greater bounds of both.
fn covering_both(rules: &Expanding, table_rules: &Expanding) -> Expanding {
    let ([a, b], [c, d]) = (rules.resets(), table_rules.resets());
    let stones = rules.stones().max(table_rules.stones());
    let keys = ExpandingKeys { stones, resets: [a.max(c), b.max(d)], ..rules.keys().clone() };
    keys.rules().expect("both bounds are allowed")
}
