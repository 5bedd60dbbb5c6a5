//! What we play a match with: a table that covers the announced game, and a policy.

use std::sync::Arc;

use bouton_tables::expanding::{Expanding, MAX_RESETS};
use bouton_tables::{Game, Map, Solved, Table};

use super::{ClientError, Report};
use crate::Solution;
use crate::players::{LosingPolicy, TableMaker, TablePlayer};
use crate::protocol::rest::{MOST_STONES, RESETS};
use crate::protocol::tournament_rules;

/// The largest game that is solved during a match, in positions. It takes about ten seconds, of which our clock may
/// count some, and is a game of 20,000 stones with 4 resets each.
const MOST_POSITIONS: u64 = 150_000_000;
/// The largest game for which the best response to a model is computed, in positions: about ten seconds.
const MOST_POSITIONS_OF_A_MODEL: u64 = 10_000_000;

/// The rules of the announced game.
pub(super) fn rules_announced(stones: u32, resets: u8) -> Result<Expanding, ClientError> {
    tournament_rules(stones, resets).map_err(|_| {
        ClientError::Game(format!(
            "found {stones} stones and {resets} resets, expected at least 1 stone and at most {MAX_RESETS} resets each"
        ))
    })
}

/// The table and the policy that we play with, whichever game is announced.
#[derive(Clone, Debug, Default)]
pub struct Kit {
    table: Option<Arc<Table<Map>>>,
    policy: Option<LosingPolicy>,
    ready: Option<Arc<TableMaker<Expanding>>>,
}

impl Kit {
    /// Plays from `table` if it covers the announced game, and plays lost positions by `policy`, or by
    /// [`LosingPolicy::usual`].
    #[must_use]
    pub fn new(table: Option<Arc<Table<Map>>>, policy: Option<LosingPolicy>) -> Self {
        Self { table, policy, ready: None }
    }

    /// Prepares before the match, while no clock runs: for every game that the table covers, or without a table for the
    /// largest game that tournaments play.
    ///
    /// # Errors
    /// If the policy cannot be followed at all.
    pub fn get_ready(&mut self, report: &mut Report) -> Result<(), ClientError> {
        let solution = match &self.table {
            None => Some(Solution::solve(&rules_announced(MOST_STONES, RESETS)?)?),
            // If it does not fit, the user is told why when the game is announced.
            Some(table) => Solution::new(Arc::clone(table)),
        };
        if let Some(solution) = solution {
            self.ready = Some(Arc::new(self.prepare(solution, report)?));
        }
        Ok(())
    }

    /// Prepares the policy. The match has begun or is about to: playing by another policy is better than not playing.
    fn prepare(
        &self,
        solution: Solution<Expanding>,
        report: &mut Report,
    ) -> Result<TableMaker<Expanding>, ClientError> {
        let positions = solution.get().game().positions();
        let policy = &self.policy.clone().unwrap_or_else(|| LosingPolicy::usual(positions));
        let most = MOST_POSITIONS_OF_A_MODEL;
        let why = if matches!(policy, LosingPolicy::Swindle(_) | LosingPolicy::Adapt(_)) && positions > most {
            format!("it takes too long with {positions} positions; {most} is the most")
        } else {
            match TableMaker::new(solution.clone(), policy) {
                Ok(maker) => return Ok(maker),
                Err(error) => error.to_string(),
            }
        };
        let other = LosingPolicy::Longest;
        report.note(&format!("cannot play by {policy}: {why}; playing by {other} instead"));
        Ok(TableMaker::new(solution, &other)?)
    }

    /// A player for the announced game: from the prepared table if that covers it, otherwise from the given table or a
    /// new one.
    pub(super) fn player(
        &self,
        rules: &Expanding,
        report: &mut Report,
    ) -> Result<TablePlayer<Expanding>, ClientError> {
        let seed = fastrand::u64(..);
        if let Some(ready) = &self.ready
            && covers(&ready.solution, rules).is_ok()
        {
            return Ok(ready.player(seed));
        }
        let mut given = None;
        if let Some(table) = &self.table {
            let solution = Solution::new(Arc::clone(table));
            let solution =
                solution.ok_or_else(|| format!("its game is \"{}\"", table.header().ruleset.family()));
            match solution.and_then(|solution| covers(&solution, rules).map(|()| solution)) {
                Ok(solution) => given = Some(solution),
                Err(why) => {
                    report.note(&format!(
                        "the table does not fit: {why}; solving the game on the spot instead"
                    ));
                }
            }
        }
        let solution = match given {
            Some(solution) => solution,
            None if rules.positions() > MOST_POSITIONS => {
                let (stones, [first, second], positions) =
                    (rules.stones(), rules.resets(), rules.positions());
                return Err(ClientError::Game(format!(
                    "{stones} stones and {first} resets each make {positions} positions, and at most \
                     {MOST_POSITIONS} are solved on the spot; make a table beforehand with `bouton generate \
                     --no-depth --set stones={stones} --set resets={first},{second}` and give it with --table"
                )));
            }
            None => Solution::solve(rules)?,
        };
        Ok(self.prepare(solution, report)?.player(seed))
    }
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
