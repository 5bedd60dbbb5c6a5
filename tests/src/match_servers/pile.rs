//! The rules of the tournaments once more, apart from the programs that are tested.

/// A game in progress. Player 0 moves first.
#[derive(Clone, Debug)]
pub struct Pile {
    /// Stones left.
    pub stones: u32,
    /// The most taken at once.
    pub most: u32,
    /// Resets left.
    pub resets: [u8; 2],
    /// Whether a reset binds the next move.
    pub imposed: bool,
    /// Who is to move.
    pub to_move: usize,
}

impl Pile {
    /// The start of a game.
    #[must_use]
    pub fn new(stones: u32, resets: u8) -> Self {
        Self { stones, most: 0, resets: [resets; 2], imposed: false, to_move: 0 }
    }

    /// The most that may be taken, before looking at the stones.
    #[must_use]
    pub fn limit(&self) -> u32 {
        if self.imposed { 3 } else { (self.most + 1).max(3) }
    }

    /// Makes a move; the answer is what is wrong with it. More than remain may be taken within the limit.
    ///
    /// # Errors
    /// If it is not legal.
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
}

/// Somebody who plays at random, legally; or as a list says as long as it lasts.
#[derive(Clone, Debug)]
pub struct Opponent {
    state: u64,
    listed: Vec<(u32, bool)>,
}

impl Opponent {
    /// The seed decides all moves.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        Self { state: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1, listed: Vec::new() }
    }

    /// First these moves, legal or not.
    #[must_use]
    pub fn first(mut self, moves: &[(u32, bool)]) -> Self {
        self.listed = moves.iter().rev().copied().collect();
        self
    }

    fn below(&mut self, bound: u32) -> u32 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 33) % u64::from(bound)) as u32
    }

    /// A move.
    pub fn choose(&mut self, pile: &Pile) -> (u32, bool) {
        self.listed.pop().unwrap_or_else(|| {
            let take = 1 + self.below(pile.limit().min(pile.stones));
            (take, pile.resets[pile.to_move] > 0 && self.below(4) == 0)
        })
    }
}
