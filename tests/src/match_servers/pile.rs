//! The rules of Expanding Nim for these servers, implemented independently of the programs under test.

use std::collections::HashMap;

/// The rules of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ServerRules {
    /// The least limit without a reset.
    pub limit: u32,
    /// The limit without a reset is the most taken at once plus this number, and at least `limit`.
    pub growth: u32,
    /// The limit under a reset.
    pub reset_limit: u32,
    /// True if the player who takes the last stone loses.
    pub misere: bool,
}

impl ServerRules {
    /// The rules of the tournaments.
    pub const USUAL: Self = Self { limit: 3, growth: 1, reset_limit: 3, misere: false };

    /// The rules of the server of 2025 with the option `-m`.
    #[must_use]
    pub fn with_init_max(limit: u32) -> Self {
        Self { limit, reset_limit: limit, ..Self::USUAL }
    }
}

/// A game in progress. Player 0 moves first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pile {
    /// Stones left.
    pub stones: u32,
    /// The most taken at once.
    pub most: u32,
    /// Resets left.
    pub resets: [u8; 2],
    /// True if a reset binds the next move.
    pub imposed: bool,
    /// The player to move.
    pub to_move: usize,
    /// The rules.
    pub rules: ServerRules,
}

impl Pile {
    /// Returns the start of a tournament game.
    #[must_use]
    pub fn new(stones: u32, resets: u8) -> Self {
        Self::of(ServerRules::USUAL, stones, resets)
    }

    /// Returns the start of a game with other rules.
    #[must_use]
    pub fn of(rules: ServerRules, stones: u32, resets: u8) -> Self {
        Self { stones, most: 0, resets: [resets; 2], imposed: false, to_move: 0, rules }
    }

    /// Returns the limit of the next move, regardless of the stones left.
    #[must_use]
    pub fn limit(&self) -> u32 {
        if self.imposed {
            self.rules.reset_limit
        } else {
            (self.most + self.rules.growth).max(self.rules.limit)
        }
    }

    /// Makes a move. Within the limit, a move may take more stones than remain.
    ///
    /// # Errors
    /// If the move is illegal: the reason.
    pub fn play(&mut self, take: u32, reset: bool) -> Result<(), &'static str> {
        if take == 0 || take > self.limit() {
            return Err("made an illegal move");
        }
        if reset {
            let left = &mut self.resets[self.to_move];
            *left = left.checked_sub(1).ok_or("used too many resets")?;
        }
        self.stones = self.stones.saturating_sub(take);
        self.most = self.most.max(take);
        self.imposed = reset;
        self.to_move = 1 - self.to_move;
        Ok(())
    }

    /// Returns the winner of a finished game, if `last` made the last move.
    #[must_use]
    pub fn winner(&self, last: usize) -> usize {
        if self.rules.misere { 1 - last } else { last }
    }

    /// Returns all legal moves, up to the stones left.
    fn moves(&self) -> Vec<(u32, bool)> {
        let resets: &[bool] = if self.resets[self.to_move] > 0 { &[false, true] } else { &[false] };
        let takes = 1..=self.limit().min(self.stones);
        takes.flat_map(|take| resets.iter().map(move |&reset| (take, reset))).collect()
    }

    /// Returns the position after a legal move.
    fn after(&self, (take, reset): (u32, bool)) -> Self {
        let mut next = self.clone();
        next.play(take, reset).expect("a listed move is legal");
        next
    }

    /// Tries all moves, and returns true if the player to move wins. `known` caches the results.
    #[must_use]
    pub fn is_won(&self, known: &mut HashMap<Self, bool>) -> bool {
        if self.stones == 0 {
            return self.winner(1 - self.to_move) == self.to_move;
        }
        if let Some(&won) = known.get(self) {
            return won;
        }
        let won = self.moves().into_iter().any(|chosen| !self.after(chosen).is_won(known));
        known.insert(self.clone(), won);
        won
    }
}

/// An opponent: makes given moves first, then random legal moves, or winning moves if it is perfect.
#[derive(Clone, Debug)]
pub struct Opponent {
    /// The state of the pseudorandom numbers.
    state: u64,
    /// The moves to make first.
    first_moves: Vec<(u32, bool)>,
    /// Whether each pile met so far is won; `None` if the opponent is not perfect.
    known: Option<HashMap<Pile, bool>>,
}

impl Opponent {
    /// Returns an opponent that plays random moves, determined by the seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, first_moves: Vec::new(), known: None }
    }

    /// Returns an opponent that wins every won position, and plays lost ones at random.
    #[must_use]
    pub fn perfect(seed: u64) -> Self {
        Self { known: Some(HashMap::new()), ..Self::random(seed) }
    }

    /// Makes the opponent play these moves first, legal or not.
    #[must_use]
    pub fn first(mut self, moves: &[(u32, bool)]) -> Self {
        self.first_moves = moves.iter().rev().copied().collect();
        self
    }

    /// Returns a pseudorandom number below a bound, by xorshift.
    fn random_below(&mut self, bound: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 33) % u64::from(bound)) as u32
    }

    /// Chooses a move.
    pub fn choose(&mut self, pile: &Pile) -> (u32, bool) {
        if let Some(chosen) = self.first_moves.pop() {
            return chosen;
        }
        if let Some(known) = &mut self.known {
            let winning = pile.moves().into_iter().find(|&chosen| !pile.after(chosen).is_won(known));
            if let Some(winning) = winning {
                return winning;
            }
        }
        let take = 1 + self.random_below(pile.limit().min(pile.stones));
        (take, pile.resets[pile.to_move] > 0 && self.random_below(4) == 0)
    }
}
