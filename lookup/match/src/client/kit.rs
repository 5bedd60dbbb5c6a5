//! What we play a match with: a table that covers the announced game, and a policy.

use std::sync::Arc;

use bouton_tables::expanding::{Expanding, MAX_RESETS, MAX_STONES};
use bouton_tables::{Game, Solved, Table};

use super::{ClientError, Report};
use crate::models::ChancesError;
use crate::players::{LosingPolicy, TablePlayer};
use crate::protocol::rest::{MOST_STONES, RESETS};
use crate::protocol::tournament_rules;
use crate::{Solution, Watch};

/// The largest game that is solved during a match, in positions. It takes about ten seconds, of which our clock may
/// count some, and is a game of 20,000 stones with 4 resets each.
const MOST_POSITIONS: u64 = 150_000_000;

/// The rules of the announced game.
pub(super) fn rules_announced(stones: u32, resets: u8) -> Result<Expanding, ClientError> {
    rules(stones, resets).map_err(|what| ClientError::game(&what))
}

/// The rules of a game. The error says which limit it exceeds.
fn rules(stones: u32, resets: u8) -> Result<Expanding, String> {
    tournament_rules(stones, resets).map_err(|_| {
        format!(
            "found {stones} stones and {resets} resets each, expected 1 to {MAX_STONES} stones and at most {MAX_RESETS} \
             resets each"
        )
    })
}

/// The table and the policy that we play with, whichever game is announced.
#[derive(Clone, Debug, Default)]
pub struct Kit {
    table: Option<Arc<Table>>,
    policy: Option<LosingPolicy>,
    ready: Option<TablePlayer<Expanding>>,
}

impl Kit {
    /// Solves the announced game on the spot, and plays lost positions by `policy`, or as [`TablePlayer::usual`] does.
    pub fn new(policy: Option<LosingPolicy>) -> Self {
        Self { policy, ..Self::default() }
    }

    /// Prepares before the match, while no clock runs: for every game that `table` covers, or without a table for games of
    /// up to so many stones and resets, which are by default those of the largest game that tournaments play. Other games
    /// are solved on the spot. `watch` hears how far it is.
    ///
    /// # Errors
    /// If the policy cannot be followed, or there are too many stones.
    pub fn get_ready(
        &mut self,
        table: Option<Arc<Table>>,
        stones: Option<u32>,
        resets: Option<u8>,
        report: &mut Report,
        watch: &dyn Watch,
    ) -> Result<(), ClientError> {
        let solution = match &table {
            None => {
                let rules = rules(stones.unwrap_or(MOST_STONES), resets.unwrap_or(RESETS));
                let rules = rules.and_then(|rules| check_size(&rules).map(|()| rules)).map_err(|what| {
                    ClientError::Unplayable(format!(
                        "cannot prepare the game of --stones and --resets: {what}"
                    ))
                })?;
                Some(Solution::solve_watched(&rules, watch)?)
            }
            // If it does not fit, the user is told why when the game is announced.
            Some(table) => Solution::new(Arc::clone(table)),
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

    /// Prepares the policy.
    fn prepare(
        &self,
        solution: Solution<Expanding>,
        report: &mut Report,
        watch: &dyn Watch,
    ) -> Result<TablePlayer<Expanding>, ChancesError> {
        if let Some(policy) = &self.policy {
            return TablePlayer::new(solution, policy, watch);
        }
        let (player, why) = TablePlayer::usual(solution, watch)?;
        why.into_iter().for_each(|why| report.note(&why));
        Ok(player)
    }

    /// Prepares the policy while the match goes on: playing by another one is better than not playing.
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

    /// The policy that is asked for.
    fn wanted(&self) -> String {
        self.policy.as_ref().map_or_else(|| "the usual policy".to_owned(), ToString::to_string)
    }

    /// A player for the announced game: from the prepared table if that covers it, otherwise from a new one.
    pub(super) fn player(
        &self,
        rules: &Expanding,
        report: &mut Report,
    ) -> Result<TablePlayer<Expanding>, ClientError> {
        let seed = fastrand::u64(..);
        let covered = self.ready.as_ref().map(|ready| covers(&ready.solution, rules).map(|()| ready));
        let why = match covered {
            Some(Ok(ready)) => return Ok(ready.with_seed(seed)),
            Some(Err(why)) => why,
            None => self.table.as_ref().map_or(String::new(), |table| {
                format!("its game is \"{}\"", table.header().ruleset.family())
            }),
        };
        check_size(rules).map_err(|what| ClientError::game(&what))?;
        if self.table.is_some() {
            report.note(&format!("the table does not fit: {why}; solving the game on the spot instead"));
        } else if let Some(ready) = &self.ready {
            let [game, prepared] = [rules, ready.solution.get().game()].map(in_words);
            report.note(&format!(
                "a game of {game}, not the one prepared (up to {prepared}): solving it while our clock runs; --stones and \
                 --resets prepare it beforehand"
            ));
        }
        Ok(self.prepare_at_once(rules, report)?.with_seed(seed))
    }
}

/// The size of a game.
pub(super) fn in_words(rules: &Expanding) -> String {
    let (stones, [resets, _]) = (rules.stones(), rules.resets());
    let plural = |number| if number == 1 { "" } else { "s" };
    format!("{stones} stone{} and {resets} reset{} each", plural(stones), plural(resets.into()))
}

/// Checks that solving a game does not take too long. The error says what to do instead.
fn check_size(rules: &Expanding) -> Result<(), String> {
    let positions = rules.positions();
    if positions <= MOST_POSITIONS {
        return Ok(());
    }
    let (stones, [first, second]) = (rules.stones(), rules.resets());
    Err(format!(
        "{stones} stones and {first} resets each make {positions} positions, and at most {MOST_POSITIONS} are solved on the \
         spot; make a table beforehand with `bouton generate --no-depth --set stones={stones} --set \
         resets={first},{second}` and give it with --table"
    ))
}

/// Checks that a table covers a game; the error says why it does not.
fn covers(solution: &Solution<Expanding>, rules: &Expanding) -> Result<(), String> {
    let of_table = solution.get().game();
    if !rules.plays_like(of_table) {
        return Err("its rules are not those of the tournaments".to_owned());
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
