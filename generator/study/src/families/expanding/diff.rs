//! What two rulesets of Expanding Nim have in common.

use bouton_tables::expanding::{Expanding, ExpandingRegion, Move, Position, Turn};
use bouton_tables::{Game, Region, TooManyPositions};

use crate::diff::breakdown::{Axis, Bin, Ranges};
use crate::diff::{Compared, Overlap};

impl Compared for Expanding {
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<impl Overlap<Game = Self> + 'a, TooManyPositions> {
        PileOverlap::new(a, b)
    }
}

struct PileOverlap<'a> {
    rules: [&'a Expanding; 2],
    compared: ExpandingRegion,
    other_turn: Option<ExpandingRegion>,
    reached: ExpandingRegion,
    stones: Ranges,
    currentmax: Ranges,
}

impl<'a> PileOverlap<'a> {
    fn new(a: &'a Expanding, b: &'a Expanding) -> Result<Self, TooManyPositions> {
        let region = |turns: &[Turn]| ExpandingRegion::common(&[a, b], turns);
        let compared = region(&[Turn::First])?;
        let [first, second] = compared.resets();
        Ok(Self {
            rules: [a, b],
            stones: Ranges::up_to(compared.stones().into()),
            currentmax: Ranges::up_to(compared.greatest_currentmax().into()),
            // With the same resets for both, they are the same positions, seen from the other side.
            other_turn: (first != second).then(|| region(&[Turn::Second])).transpose()?,
            reached: region(&[Turn::First, Turn::Second])?,
            compared,
        })
    }

    fn opening(&self, stones: u32) -> Position {
        Position { resets: self.compared.resets(), ..self.rules[0].start(stones) }
    }
}

impl Overlap for PileOverlap<'_> {
    type Game = Expanding;

    fn compared(&self) -> &impl Region<Game = Expanding> {
        &self.compared
    }

    fn further(&self) -> Option<&impl Region<Game = Expanding>> {
        self.other_turn.as_ref()
    }

    fn reached(&self) -> &impl Region<Game = Expanding> {
        &self.reached
    }

    fn sides(&self, position: &Position) -> [Position; 2] {
        [position.clone(), position.clone()]
    }

    fn show(&self, position: &Position) -> String {
        self.rules[0].show_position(position)
    }

    fn axes(&self) -> Vec<Axis> {
        let [first, second] = self.compared.resets();
        let pairs = (0..=first).flat_map(|first| (0..=second).map(move |second| [first, second]));
        vec![
            self.stones.axis("stones"),
            self.currentmax.axis("currentmax"),
            Axis { name: "resets", parts: pairs.map(|resets| Bin::Resets { resets }).collect() },
            Axis { name: "imposed", parts: [false, true].map(|imposed| Bin::Imposed { imposed }).to_vec() },
        ]
    }

    fn parts(&self, position: &Position, parts: &mut Vec<usize>) {
        let seconds = usize::from(self.compared.resets()[1]) + 1;
        let [first, second] = position.resets.map(usize::from);
        parts.extend([
            self.stones.of(position.stones.into()),
            self.currentmax.of(position.currentmax.into()),
            first * seconds + second,
            usize::from(position.imposed),
        ]);
    }

    fn stones_of_start(&self, position: &Position) -> Option<u64> {
        let is_one = self.pairs_of_starts().is_none()
            && position.stones > 0
            && *position == self.rules[0].start(position.stones);
        is_one.then_some(position.stones.into())
    }

    fn pairs_of_starts(&self) -> Option<u64> {
        (self.rules[0].resets() != self.rules[1].resets()).then(|| self.compared.stones().into())
    }

    fn walk_starts(&self, from: u64) -> impl Iterator<Item = (u64, [Position; 2])> {
        (from as u32 + 1..=self.compared.stones())
            .map(|stones| (stones.into(), self.rules.map(|rules| rules.start(stones))))
    }

    fn range_of_starts(&self) -> (u64, u64) {
        (1, self.compared.stones().into())
    }

    fn starts_in_words(&self) -> [&'static str; 2] {
        ["with 1 to so many stones, each with its own resets", "stones"]
    }

    fn openings(&self) -> impl Iterator<Item = Position> {
        (1..=self.compared.stones()).map(|stones| self.opening(stones))
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let [a, b] = self.rules;
        a.moves(position).filter(|&chosen| b.is_legal(position, chosen))
    }

    fn after(&self, position: &Position, chosen: Move) -> Position {
        self.rules[0].after(position, chosen)
    }
}
