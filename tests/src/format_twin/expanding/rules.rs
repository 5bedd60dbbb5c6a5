//! The rules of Expanding Nim, and the rows and lines that follow from them.

/// The ruleset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The greatest number of stones at the start of a game.
    pub stones: u64,
    /// The least limit without a reset.
    pub base_limit: u32,
    /// The limit without a reset is currentmax plus this number, and at least `base_limit`.
    pub growth: u32,
    /// The limit under a reset.
    pub reset_limit: u32,
    /// The resets of player 1 and player 2 at the start.
    pub resets: [u8; 2],
    /// True if the player who takes the last stone loses.
    pub misere: bool,
}

impl Rules {
    /// Returns the greatest currentmax in row 0.
    pub(in crate::format_twin) fn floor(&self) -> u32 {
        self.base_limit.saturating_sub(self.growth)
    }

    /// Returns the fewest stones that must be gone for `m` to be the most taken at once; `None` if `m` cannot arise.
    #[must_use]
    pub fn least(&self, m: u32) -> Option<u64> {
        if m <= self.base_limit {
            return Some(m.into());
        }
        if self.growth == 0 {
            return None;
        }
        Some(u64::from(m) + self.least(m.saturating_sub(self.growth))?)
    }

    /// Returns whether a limit can be 2^32 or more.
    pub(in crate::format_twin) fn exceeds_32_bits(&self) -> bool {
        // Moves back from the currentmax whose limit is 2^32, each of as many stones as allowed before.
        let (mut most, mut gone) = ((1 << 32) - u64::from(self.growth), 0);
        while most > u64::from(self.base_limit) && gone <= self.stones && self.growth > 0 {
            gone += most;
            most = most.saturating_sub(self.growth.into());
        }
        self.growth > 0 && gone + most <= self.stones
    }

    /// Returns the count of possible numbers of stones at a currentmax; 0 if it cannot arise.
    #[must_use]
    pub fn stones_at(&self, currentmax: u32) -> u64 {
        self.least(currentmax).map_or(0, |least| (self.stones + 1).saturating_sub(least))
    }

    /// Returns the row of a currentmax.
    #[must_use]
    pub fn row(&self, currentmax: u32) -> u64 {
        let mut row = u64::from(currentmax.saturating_sub(self.floor()));
        // From one row to the next the length falls and the limit rises, so all rows after an open row are open too.
        while row > 0 && self.may_be_emptied(row - 1) {
            row -= 1;
        }
        row
    }

    /// Returns the count of possible numbers of stones in a row.
    pub(in crate::format_twin) fn length(&self, row: u64) -> u64 {
        if row == 0 { self.stones + 1 } else { self.stones_at(self.floor() + row as u32) }
    }

    /// Returns the number of rows.
    pub(super) fn rows(&self) -> u64 {
        if self.growth == 0 {
            return 1;
        }
        1 + (0..).take_while(|&row| !self.may_be_emptied(row)).count() as u64
    }

    /// Returns whether a row is the open one or a later one: there a move may take all stones.
    fn may_be_emptied(&self, row: u64) -> bool {
        let limit = u64::from(self.floor()) + row + u64::from(self.growth);
        self.growth > 0 && self.length(row) <= limit + 1
    }

    /// Returns the most stones that a move within a row may take.
    pub(super) fn stay(&self, row: u64) -> u64 {
        let most = self.length(row) - 1;
        if self.may_be_emptied(row) { most } else { most.min(u64::from(self.floor()) + row) }
    }

    /// Returns the number of lines of a row: one for each turn, count of resets, and reset imposed or not.
    pub(in crate::format_twin) fn lines(&self) -> u64 {
        4 * (u64::from(self.resets[0]) + 1) * (u64::from(self.resets[1]) + 1)
    }

    /// Returns the line of a turn (1 or 2), the remaining resets, and whether a reset binds this turn.
    #[must_use]
    pub fn line(&self, turn: u8, resets: [u8; 2], imposed: bool) -> u64 {
        let [first, second] = resets.map(u64::from);
        let [most1, most2] = self.resets.map(u64::from);
        let pair = (u64::from(turn - 1) * (most1 + 1) + first) * (most2 + 1) + second;
        pair * 2 + u64::from(imposed)
    }

    /// Returns the limit of a row without a reset. In the open row it exceeds the stones that can remain.
    pub(super) fn limit(&self, row: u64) -> u64 {
        u64::from(self.floor()) + row + u64::from(self.growth)
    }

    /// Returns whether the player to move on a line has a reset left.
    pub(super) fn may_reset(&self, line: u64) -> bool {
        let [most1, most2] = self.resets.map(u64::from);
        let pair = line / 2;
        let (first, second) = (pair / (most2 + 1) % (most1 + 1), pair % (most2 + 1));
        let is_first_players = pair / (most2 + 1) / (most1 + 1) == 0;
        if is_first_players { first > 0 } else { second > 0 }
    }
}
