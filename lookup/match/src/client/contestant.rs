//! Our player in a match: a table that covers the announced game, and a player that uses it.

use std::cmp::Reverse;
use std::sync::Arc;

use bouton_tables::expanding::{Expanding, MAX_RESETS, Move, Position};
use bouton_tables::{Game, Map, Outcome, Solved, Table, Verdict};

use super::{Account, ClientError, Report};
use crate::players::{LosingPolicy, TableMaker, TablePlayer};
use crate::protocol::rest::{MOST_STONES, RESETS};
use crate::protocol::tournament_rules;
use crate::{Choice, MoveRequest, Player, Ply, Side, Solution};

/// The largest game that is solved during a match, in positions. It takes about ten seconds, of which our clock may
/// count some, and is a game of 20,000 stones with 4 resets each.
const MOST_POSITIONS: u64 = 150_000_000;
/// The largest game for which the best response to a model is computed, in positions: about ten seconds.
const MOST_POSITIONS_OF_A_MODEL: u64 = 10_000_000;

/// Our player of one game.
pub(super) struct Contestant {
    solution: Solution<Expanding>,
    player: TablePlayer<Expanding>,
}

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
    ready: Option<Arc<Ready>>,
}

/// A table with everything that the policy needs from it.
#[derive(Debug)]
struct Ready {
    solution: Solution<Expanding>,
    maker: TableMaker<Expanding>,
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
        let usual = rules_announced(MOST_STONES, RESETS)?;
        let solution = match &self.table {
            None => Solution::solve(&usual)?,
            Some(table) => match Solution::new(Arc::clone(table)) {
                Some(solution) => solution,
                // The user is told why it does not fit when the game is announced.
                None => return Ok(()),
            },
        };
        self.ready = Some(Arc::new(self.arm(solution, report)?));
        Ok(())
    }

    /// Prepares the policy.
    fn arm(&self, solution: Solution<Expanding>, report: &mut Report) -> Result<Ready, ClientError> {
        // The match has begun or is about to: playing by another policy is better than not playing.
        let positions = solution.get().game().positions();
        let policy = &self.policy.clone().unwrap_or_else(|| LosingPolicy::usual(positions));
        let maker = if matches!(policy, LosingPolicy::Swindle(_) | LosingPolicy::Adapt(_))
            && positions > MOST_POSITIONS_OF_A_MODEL
        {
            let most = MOST_POSITIONS_OF_A_MODEL;
            Err(format!("it takes too long with {positions} positions; {most} is the most"))
        } else {
            TableMaker::new(solution.clone(), policy).map_err(|error| error.to_string())
        };
        let maker = match maker {
            Ok(maker) => maker,
            Err(why) => {
                let other = LosingPolicy::Longest;
                report.note(&format!("cannot play by {policy}: {why}; playing by {other} instead"));
                TableMaker::new(solution.clone(), &other)?
            }
        };
        Ok(Ready { solution, maker })
    }

    /// A player for the announced game: from the prepared table if that covers it, otherwise from the given table or a
    /// new one.
    pub(super) fn contestant(
        &self,
        rules: &Expanding,
        report: &mut Report,
    ) -> Result<Contestant, ClientError> {
        if let Some(ready) = &self.ready
            && covers(&ready.solution, rules).is_ok()
        {
            return Ok(ready.contestant());
        }
        let given = self.table.as_ref().and_then(|table| {
            let solution = Solution::new(Arc::clone(table));
            let solution =
                solution.ok_or_else(|| format!("its game is \"{}\"", table.header().ruleset.family()));
            match solution.and_then(|solution| covers(&solution, rules).map(|()| solution)) {
                Ok(solution) => Some(solution),
                Err(why) => {
                    let instead = "solving the game on the spot instead";
                    report.note(&format!("the table does not fit: {why}; {instead}"));
                    None
                }
            }
        });
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
        Ok(self.arm(solution, report)?.contestant())
    }
}

impl Ready {
    fn contestant(&self) -> Contestant {
        Contestant { solution: self.solution.clone(), player: self.maker.player(fastrand::u64(..)) }
    }
}

impl Contestant {
    /// The game begins.
    pub(super) fn begin(&mut self, side: Side, start: &Position) -> Result<(), ClientError> {
        let began = self.player.begin(side, start);
        began.map_err(|failure| ClientError::Game(format!("{start}: {failure:?}")))
    }

    /// A legal move was made.
    pub(super) fn saw(&mut self, ply: &Ply<Expanding>, by: Side) {
        self.player.saw(ply, by);
    }

    /// The table's verdict; `None` for a position that cannot arise.
    pub(super) fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.solution.get().verdict(position).ok()
    }

    /// A move that is legal in both our account and the server's: the player's own choice if possible. `None` if no
    /// stones are left.
    pub(super) fn choose(&mut self, account: &Account) -> Option<Move> {
        let (game, position) = (account.rules(), account.cautious());
        if position.stones == 0 {
            return None;
        }
        let request = MoveRequest { game, position: &position, plies: account.plies(), deadline: None };
        match self.player.choose(&request) {
            Ok(Choice::Move(chosen)) if account.allows(chosen) => Some(chosen),
            _ => self.best_allowed(account, &position),
        }
    }

    /// The best move that is legal in both accounts, where the player has no answer or chooses a move that is legal only
    /// in ours.
    fn best_allowed(&self, account: &Account, position: &Position) -> Option<Move> {
        let game = account.rules();
        let allowed = game.moves(position).filter(|&chosen| account.allows(chosen));
        allowed.max_by_key(|&chosen| {
            let next = game.after(position, chosen);
            // Best is a position that is lost for the opponent. One that the table does not know counts like one
            // that the opponent wins at once.
            let worth = match self.verdict(&next) {
                _ if next.stones == 0 => (2, 0),
                Some(Verdict { outcome: Outcome::Loss, depth }) => (1, -i64::from(depth.unwrap_or(0))),
                Some(Verdict { outcome: Outcome::Win, depth }) => (0, i64::from(depth.unwrap_or(0))),
                None => (0, 0),
            };
            (worth, Reverse(chosen))
        })
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
