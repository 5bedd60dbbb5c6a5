//! Expanding Nim.

use bouton_tables::expanding::{Expanding, ExpandingRegion, ExpandingTable, Layout, Move, Position, Turn};
use bouton_tables::{FamilyTable, Map, Region};

use super::{Illustrated, MOST_STICKS, Numbered, Numbers, Playable, sticks};

impl Playable for Expanding {
    type Table = ExpandingTable<Map>;

    const HAS_RESETS: bool = true;

    fn of_table(table: &FamilyTable<Map>) -> Option<&ExpandingTable<Map>> {
        match table {
            FamilyTable::Expanding(table) => Some(table),
            _ => None,
        }
    }

    fn start_of(stones: u32) -> Option<String> {
        Some(stones.to_string())
    }

    fn with_reset(chosen: Move) -> Option<Move> {
        Some(Move { reset: true, ..chosen })
    }

    fn misread(&self, position: &Position) -> Position {
        let mut believed = position.clone();
        if position.imposed {
            // As if the low limit followed from currentmax: with growth 1 and a limit of 3, as if nobody had taken
            // more than 2.
            let believed_most = self.base_limit().saturating_sub(self.growth());
            believed.currentmax = position.currentmax.min(believed_most);
        }
        believed
    }
}

impl Numbered for Expanding {
    type Numbers = ExpandingNumbers;

    fn numbers(&self) -> ExpandingNumbers {
        let layout = Layout::try_new(self).expect("a table has few enough rows");
        let mirrored = self.resets()[0] == self.resets()[1];
        let turns = if mirrored { &[Turn::First][..] } else { &[Turn::First, Turn::Second] };
        let region = ExpandingRegion::common(&[self], turns).expect("a table has few enough positions");
        let lines = if mirrored { layout.lines() / 2 } else { layout.lines() } as u64;
        let mut starts = vec![0];
        let mut end = 0;
        for row in 0..layout.rows() {
            end += u64::from(layout.length(row)) * lines;
            starts.push(end);
        }
        ExpandingNumbers { layout, mirrored, region, starts }
    }

    fn count_of_starts(&self) -> u64 {
        self.stones().into()
    }

    fn starts(&self) -> Vec<Position> {
        (1..=self.stones()).map(|stones| self.start(stones)).collect()
    }
}

/// Numbers by row, line and stones. If both players begin with the same number of resets, a position and its mirror image,
/// with the players exchanged, share a number.
#[derive(Debug)]
pub struct ExpandingNumbers {
    layout: Layout,
    mirrored: bool,
    /// Of a position and its mirror image, only the one.
    region: ExpandingRegion,
    /// The first number of each row, and finally the number of positions.
    starts: Vec<u64>,
}

impl Numbers<Expanding> for ExpandingNumbers {
    fn count(&self) -> u64 {
        self.starts.last().copied().unwrap_or(0)
    }

    fn of(&self, position: &Position) -> u64 {
        let row = self.layout.row(position.currentmax);
        let Position { turn, resets: [first, second], imposed, .. } = *position;
        let line = if self.mirrored && turn == Turn::Second {
            self.layout.line(Turn::First, [second, first], imposed)
        } else {
            self.layout.line(turn, [first, second], imposed)
        };
        self.starts[row] + line as u64 * u64::from(self.layout.length(row)) + u64::from(position.stones)
    }

    fn layers(&self) -> impl Iterator<Item = Vec<Position>> {
        let mut positions = self.region.walk(0).peekable();
        (0..=self.region.stones()).map(move |stones| {
            // Row 0 stands for several values of currentmax, and with many stones left only the least of them can
            // arise.
            let of_row_0 = self.layout.floor().min(self.region.stones() - stones);
            let layer = std::iter::from_fn(|| positions.next_if(|position| position.stones == stones));
            layer.filter(|position| position.currentmax >= of_row_0).collect()
        })
    }
}

/// Sticks in one line of a picture.
const IN_A_LINE: u32 = 50;

impl Illustrated for Expanding {
    fn picture(&self, position: &Position) -> String {
        let Position { stones, currentmax, turn, resets, imposed } = *position;
        let mut lines: Vec<String> = Vec::new();
        let mut left = stones;
        while left > IN_A_LINE && stones <= MOST_STICKS {
            lines.push(sticks(IN_A_LINE));
            left -= IN_A_LINE;
        }
        lines.push(sticks(left));
        let limit = self.limit(currentmax, imposed);
        let most = limit.min(stones);
        let why = if imposed { ", as a reset binds this turn" } else { "" };
        let left = resets[turn.index()];
        let theirs = resets[turn.other().index()];
        format!(
            "{}\n{stones} left; take 1 to {most}{why}; resets left: yours {left}, the opponent's {theirs}",
            lines.join("\n")
        )
    }

    fn help(&self) -> String {
        let limit = self.reset_limit();
        format!(
            "A move is the number of stones that you take, such as 3. With an r behind it, 3r, it also imposes a reset, as \
             long as you have resets left: the opponent's next move takes at most {limit}.\n\
             A position is STONES/CURRENTMAX/TURN/RESETS1,RESETS2/IMPOSED: the stones left, the most taken in one move so \
             far, the player to move, the resets that each player has left, and r if a reset binds this move."
        )
    }
}
