//! Our own account of a game, independent of the server's.
//!
//! The account follows from the moves and the rules alone. Whatever else a server says is its own account, and is
//! compared with ours. If they differ, the user gets a warning, and our moves must be legal by both. Example: the
//! server shows the limit 3 where our account allows 4. We then take at most 3.

use std::time::Duration;

use bouton_tables::Game;
use bouton_tables::expanding::{Expanding, Move, Position};

use crate::{Lenient, Ply, Side};

/// A server's claims about the current position; `None` where the server claims nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ServerClaim {
    pub(super) stones: Option<u64>,
    /// Resets left, the first side's first.
    pub(super) resets: [Option<u8>; 2],
    /// The limit, regardless of the stones left.
    pub(super) limit: Option<u32>,
    /// True if a reset binds the move.
    pub(super) imposed: Option<bool>,
}

/// The subject of warnings about the limit.
pub(super) const LIMIT: &str = "the most that may be taken next";

/// The account of one game, from our side.
#[derive(Clone, Debug)]
pub(super) struct GameAccount {
    pub(super) rules: Expanding,
    /// The current position, by the moves alone.
    pub(super) position: Position,
    pub(super) side: Side,
    pub(super) plies: Vec<Ply<Expanding>>,
    claim: ServerClaim,
    /// Subjects of past warnings.
    warned: Vec<&'static str>,
}

impl GameAccount {
    /// Starts the account of a game with all stones and resets of the rules; we play `side`.
    pub(super) fn new(rules: Expanding, side: Side) -> Self {
        let (position, claim) = (Game::start(&rules), ServerClaim::default());
        Self { rules, position, side, plies: Vec::new(), claim, warned: Vec::new() }
    }

    pub(super) fn to_move(&self) -> Side {
        Side::BOTH[self.position.turn.index()]
    }

    pub(super) fn is_ours(&self) -> bool {
        self.to_move() == self.side
    }

    /// The limit, regardless of the stones left.
    pub(super) fn limit(&self) -> u32 {
        self.rules.limit(self.position.currentmax, self.position.imposed)
    }

    /// Returns the winner of a game in which `last` made the last move.
    pub(super) fn winner_by_last_move(&self, last: Side) -> Side {
        last.other().winner(self.rules.outcome_without_moves())
    }

    /// Returns true if a move is legal in our account; taking more stones than remain counts as legal.
    pub(super) fn accepts(&self, made: Move) -> bool {
        self.clone().record(made).is_none()
    }

    /// Records a move. Returns the fault of an illegal one, which is recorded as well as possible: the server may
    /// continue.
    ///
    /// A move within the limit that takes more stones than remain takes the rest: some servers allow this.
    pub(super) fn record(&mut self, made: Move) -> Option<String> {
        let stones = self.position.stones;
        let mover = self.position.turn.index();
        let limit = self.limit();
        let wrong = if made.take > limit || made.take == 0 || stones == 0 {
            let most = self.rules.max_take(&self.position);
            Some(format!("a move takes {} stones, where our account allows 1 to {most}", made.take))
        } else if made.reset && self.position.resets[mover] == 0 {
            Some("a move imposes a reset, where our account has none left".to_owned())
        } else {
            None
        };
        let is_legal = self.rules.is_legal(&self.position, made);
        let (chosen, next) = if is_legal {
            (made, self.rules.after(&self.position, made))
        } else {
            // If the move has no effect, only the turn passes, and a reset that bound the move is used up.
            let turn = self.position.turn.other();
            let passed = Position { turn, imposed: made.reset, ..self.position.clone() };
            let nothing = Move { take: 0, ..made };
            self.rules.accepted(&self.position, made).unwrap_or((nothing, passed))
        };
        let before = std::mem::replace(&mut self.position, next);
        let claimed = (!is_legal).then_some(made);
        self.plies.push(Ply { before, chosen, claimed, took: Duration::ZERO });
        self.claim = ServerClaim::default();
        wrong
    }

    /// Compares the server's claims with the account. Returns the differences, each subject once in a game.
    pub(super) fn compare(&mut self, claim: ServerClaim) -> Vec<String> {
        let count =
            |what, claimed: Option<u64>, ours: u64| (what, claimed.map(|n| n.to_string()), ours.to_string());
        let in_words = |imposed| if imposed { "one" } else { "none" }.to_owned();
        let Position { stones, resets, imposed, .. } = self.position;
        let [first, second] = Side::BOTH.map(|side| {
            let ours = side == self.side;
            let what = if ours { "resets that we have left" } else { "resets that the opponent has left" };
            count(what, claim.resets[side.index()].map(u64::from), resets[side.index()].into())
        });
        let claims = [
            count("stones left", claim.stones, stones),
            first,
            second,
            count(LIMIT, claim.limit.map(u64::from), self.limit().into()),
            ("a reset that binds the next move", claim.imposed.map(in_words), in_words(imposed)),
        ];
        self.claim = claim;
        let mut differences = Vec::new();
        for (what, claimed, ours) in claims {
            if let Some(claimed) = claimed.filter(|claimed| *claimed != ours)
                && self.is_first_warning(what)
            {
                differences.push(format!("{what}: the server says {claimed}, our account {ours}"));
            }
        }
        differences
    }

    /// Returns true at the first disagreement about a subject in this game, and remembers it.
    pub(super) fn is_first_warning(&mut self, what: &'static str) -> bool {
        let first = !self.warned.contains(&what);
        if first {
            self.warned.push(what);
        }
        first
    }

    /// Returns the more cautious combination of both accounts: fewer stones, fewer resets for us, more for the
    /// opponent, and a reset in force if either claims one.
    ///
    /// If only one account has stones left, that account counts, because a move needs stones.
    pub(super) fn cautious(&self) -> Position {
        let mut position = self.position.clone();
        let (ours, theirs) = (self.side.index(), self.side.other().index());
        if let Some(claimed) = self.claim.stones {
            position.stones = match (position.stones, claimed) {
                (0, stones) | (stones, 0) => stones,
                (one, other) => one.min(other),
            };
        }
        if let Some(claimed) = self.claim.resets[ours] {
            position.resets[ours] = position.resets[ours].min(claimed);
        }
        if let Some(claimed) = self.claim.resets[theirs] {
            // No table covers more resets than there were at the start.
            position.resets[theirs] = position.resets[theirs].max(claimed).min(self.rules.resets()[theirs]);
        }
        position.imposed |= self.claim.imposed == Some(true);
        position
    }

    /// Returns true if a move is legal by both accounts.
    pub(super) fn allows(&self, chosen: Move) -> bool {
        // A server whose limit is 0 still waits for a move.
        let claimed = self.claim.limit.map_or(u32::MAX, |limit| limit.max(1));
        chosen.take <= claimed && self.rules.is_legal(&self.cautious(), chosen)
    }

    /// Describes the state of the game, for errors.
    pub(super) fn standing(&self) -> String {
        let moves = self.plies.len();
        let who = if self.is_ours() { "we" } else { "the opponent" };
        let position = self.rules.show_position(&self.position);
        let stones = self.position.stones;
        let (plural, left) =
            (if moves == 1 { "" } else { "s" }, if stones == 1 { "stone" } else { "stones" });
        format!("after {moves} move{plural}, with {stones} {left} left ({position}) and {who} to move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bouton_tables::expanding::ExpandingKeys;

    fn account(side: Side) -> GameAccount {
        let rules = ExpandingKeys { stones: 20, resets: [1, 1], ..Default::default() }.rules().unwrap();
        GameAccount::new(rules, side)
    }

    fn plain(take: u32) -> Move {
        Move { take, reset: false }
    }

    #[test]
    fn moves_must_be_legal_by_the_more_cautious_account() {
        let mut account = account(Side::Second);
        assert_eq!(account.record(Move { take: 3, reset: true }), None);
        assert_eq!(account.position.to_string(), "17/3/2/0,1/r");
        let claim =
            ServerClaim { stones: Some(2), resets: [Some(1), Some(0)], limit: Some(4), imposed: Some(false) };
        assert_eq!(account.compare(claim.clone()).len(), 5);
        assert_eq!(account.cautious().to_string(), "2/3/2/1,0/r");
        assert!(account.allows(plain(2)) && !account.allows(plain(3)));
        assert!(!account.allows(Move { take: 1, reset: true }));
        assert_eq!(account.compare(claim), Vec::<String>::new(), "each subject is reported once");
        assert_eq!(account.record(plain(2)), None);
        assert_eq!(account.position.to_string(), "15/3/1/0,1/-");
        assert_eq!(account.cautious(), account.position, "claims about an earlier position are forgotten");
    }

    #[test]
    fn illegal_moves_are_recorded_and_reported() {
        let mut account = account(Side::First);
        assert!(account.record(plain(9)).unwrap().contains("9 stones, where our account allows 1 to 3"));
        assert_eq!(account.position.to_string(), "11/9/2/1,1/-");
        assert_eq!(account.record(Move { take: 1, reset: true }), None);
        assert_eq!(account.record(plain(3)), None);
        assert!(account.record(Move { take: 1, reset: true }).unwrap().contains("reset"));
        assert!(account.record(plain(0)).is_some());
        assert_eq!(account.record(plain(8)), None, "more than remain, within the limit");
        assert_eq!((account.position.stones, account.is_ours()), (0, true));
    }

    #[test]
    fn an_account_without_stones_yields_to_one_with_stones() {
        let mut account = account(Side::First);
        for take in [3, 4, 5, 6] {
            account.record(plain(take));
        }
        assert_eq!(account.position.stones, 2);
        account.compare(ServerClaim { stones: Some(0), limit: Some(0), ..ServerClaim::default() });
        assert!(account.allows(plain(1)) && !account.allows(plain(2)));
        account.record(plain(1));
        account.record(plain(1));
        account.compare(ServerClaim { stones: Some(7), ..ServerClaim::default() });
        assert!(account.allows(plain(7)) && !account.allows(plain(8)));
    }
}
