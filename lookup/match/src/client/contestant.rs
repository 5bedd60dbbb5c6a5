//! Our player: a table that covers the game announced, and what is played from it.

use std::cmp::Reverse;
use std::sync::Arc;

use bouton_tables::expanding::{Expanding, MAX_RESETS, Move, Position};
use bouton_tables::{Map, Outcome, Solved, Table, Verdict};

use super::{Account, ClientError, Report};
use crate::players::{LosingPolicy, TableMaker, TablePlayer};
use crate::protocol::rest::{MOST_STONES, RESETS};
use crate::protocol::tournament_rules;
use crate::{Choice, MoveRequest, Playable, Player, Ply, Side, Solution};

/// The most positions of a game that is solved on the spot, while our clock may run: some ten seconds. That
/// is 20,000 stones with 4 resets each.
const MOST_POSITIONS: u64 = 150_000_000;
/// The most positions for which the best response to a model is computed: some ten seconds.
const MOST_POSITIONS_OF_A_MODEL: u64 = 10_000_000;

/// Our player of one game.
pub(super) struct Contestant {
    solution: Solution<Expanding>,
    player: TablePlayer<Expanding>,
}

/// The rules of the game announced.
pub(super) fn rules_announced(stones: u32, resets: u8) -> Result<Expanding, ClientError> {
    tournament_rules(stones, resets).map_err(|_| {
        let allowed = format!("at least 1 stone and at most {MAX_RESETS} resets of each player can be");
        ClientError::Game(format!("{stones} stones and {resets} resets, where {allowed}"))
    })
}

/// What we play with, whatever game is announced.
#[derive(Clone, Debug, Default)]
pub struct Kit {
    table: Option<Arc<Table<Map>>>,
    policy: Option<LosingPolicy>,
    ready: Option<Arc<Ready>>,
}

/// A solution with what the policy needs of it.
#[derive(Debug)]
struct Ready {
    solution: Solution<Expanding>,
    maker: TableMaker<Expanding>,
}

impl Kit {
    /// A table to play from, if there is one that covers the game announced, and how lost positions are played:
    /// by [`LosingPolicy::usual`] if nothing is said.
    #[must_use]
    pub fn new(table: Option<Arc<Table<Map>>>, policy: Option<LosingPolicy>) -> Self {
        Self { table, policy, ready: None }
    }

    /// Does before the match what would otherwise be done when the game is announced, and our clock may run: gets
    /// ready for every game that the table covers, or, without one, for the greatest that tournaments play.
    ///
    /// # Errors
    /// If the policy cannot be followed at all.
    pub fn get_ready(&mut self, report: &mut Report) -> Result<(), ClientError> {
        let usual = rules_announced(MOST_STONES, RESETS)?;
        let solution = match &self.table {
            None => Solution::solve(&usual),
            Some(table) => match Solution::new(Arc::clone(table)) {
                Some(solution) => solution,
                // What is wrong with it is told when the game is announced.
                None => return Ok(()),
            },
        };
        self.ready = Some(Arc::new(self.arm(solution, report)?));
        Ok(())
    }

    /// Computes what the policy needs.
    fn arm(&self, solution: Solution<Expanding>, report: &mut Report) -> Result<Ready, ClientError> {
        // The match has begun, or soon will: to play lost positions otherwise than wanted is better than not
        // to play.
        let positions = solution.get().game().positions();
        let policy = &self.policy.clone().unwrap_or_else(|| LosingPolicy::usual(positions));
        let maker = if matches!(policy, LosingPolicy::Swindle(_) | LosingPolicy::Adapt(_))
            && positions > MOST_POSITIONS_OF_A_MODEL
        {
            let most = MOST_POSITIONS_OF_A_MODEL;
            Err(format!("it takes too long for {positions} positions, more than {most}"))
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

    /// A player of the game announced: from what is ready if that covers it, otherwise from the table or from one
    /// made on the spot.
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
                solution.ok_or_else(|| "it is of a game of heaps, not of Expanding Nim".to_owned());
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
            None => Solution::solve(rules),
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

    /// A move was made that the rules allow.
    pub(super) fn saw(&mut self, ply: &Ply<Expanding>, by: Side) {
        self.player.saw(ply, by);
    }

    /// What is known of a position; nothing of one that cannot arise.
    pub(super) fn verdict(&self, position: &Position) -> Option<Verdict> {
        self.solution.get().verdict(position).ok()
    }

    /// A move that our account and the server's allow: the player's own if they both do. `None` if no stone
    /// is left.
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

    /// The best of the moves that both accounts allow, in a position that the player cannot be asked about,
    /// or in which he wants what only our account allows.
    fn best_allowed(&self, account: &Account, position: &Position) -> Option<Move> {
        let game = account.rules();
        let allowed = game.moves(position).filter(|&chosen| account.allows(chosen));
        allowed.max_by_key(|&chosen| {
            let next = game.after(position, chosen);
            // A won position is one that the opponent has lost. A table that does not know is no worse than
            // one that says that he wins at once.
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

/// Whether a solution covers a game, or why not.
fn covers(solution: &Solution<Expanding>, rules: &Expanding) -> Result<(), String> {
    let of_table = solution.get().game();
    if !rules.plays_like(of_table) {
        return Err("its limits, or who wins, are not those of the tournaments".to_owned());
    }
    let (stones, resets) = (of_table.stones(), of_table.resets());
    if stones < rules.stones() {
        return Err(format!("it covers {stones} stones, and the game has {}", rules.stones()));
    }
    let announced = rules.resets();
    if resets[0] < announced[0] || resets[1] < announced[1] {
        let ([a, b], [c, d]) = (resets, announced);
        return Err(format!("it covers {a},{b} resets, and the game has {c},{d}"));
    }
    Ok(())
}
