//! What two heap games have in common.

use bouton_tables::heaps::{HeapRegion, HeapRules, Heaps, Move, Position, Take};
use bouton_tables::{Region, TooManyPositions};

use crate::diff::breakdown::{Axis, Ranges};
use crate::diff::{Compared, Overlap};

impl Compared for HeapRules {
    fn overlap<'a>(a: &'a Self, b: &'a Self) -> Result<impl Overlap<Game = Self> + 'a, TooManyPositions> {
        HeapOverlap::new(a, b)
    }
}

struct HeapOverlap<'a> {
    rules: [&'a HeapRules; 2],
    region: HeapRegion,
    /// Which of the two has fewer heaps, or as many.
    smaller: usize,
    total: u64,
    totals: Ranges,
    heaps: Ranges,
    passes: Ranges,
}

impl<'a> HeapOverlap<'a> {
    fn new(a: &'a HeapRules, b: &'a HeapRules) -> Result<Self, TooManyPositions> {
        let region = HeapRegion::common(a, b)?;
        let total = region.bounds().iter().map(|&bound| u64::from(bound)).sum();
        Ok(Self {
            rules: [a, b],
            smaller: usize::from(b.heaps() < a.heaps()),
            total,
            totals: Ranges::up_to(total),
            heaps: Ranges::up_to(region.bounds().len() as u64),
            passes: Ranges::up_to(region.passes().into()),
            region,
        })
    }

    /// Heaps with empty ones added, as many as a ruleset has.
    fn padded(mut heaps: Heaps, rules: &HeapRules) -> Heaps {
        while heaps.len() < rules.heaps() {
            heaps.push(0);
        }
        heaps
    }

    fn legal(&self, rules: &HeapRules, position: &Position, chosen: Move) -> bool {
        rules.is_legal(&Position { heaps: Self::padded(position.heaps, rules), ..*position }, chosen)
    }

    fn total(position: &Position) -> u64 {
        position.heaps.iter().map(|&heap| u64::from(heap)).sum()
    }
}

impl Overlap for HeapOverlap<'_> {
    type Game = HeapRules;

    fn compared(&self) -> &impl Region<Game = HeapRules> {
        &self.region
    }

    fn further(&self) -> Option<&impl Region<Game = HeapRules>> {
        None::<&HeapRegion>
    }

    fn reached(&self) -> &impl Region<Game = HeapRules> {
        &self.region
    }

    fn sides(&self, position: &Position) -> [Position; 2] {
        self.rules.map(|rules| Position { heaps: Self::padded(position.heaps, rules), ..*position })
    }

    fn show(&self, position: &Position) -> String {
        let heaps: Vec<String> = position.heaps.iter().map(ToString::to_string).collect();
        // Passes are shown if either game has any: left out, they would be taken for all.
        let passes = self.rules.iter().any(|rules| rules.passes() > 0);
        heaps.join(",") + &if passes { format!("/{}", position.passes) } else { String::new() }
    }

    fn axes(&self) -> Vec<Axis> {
        let mut axes = vec![self.heaps.axis("heaps"), self.totals.axis("total")];
        if self.region.passes() > 0 {
            axes.push(self.passes.axis("passes"));
        }
        axes
    }

    fn parts(&self, position: &Position, parts: &mut Vec<usize>) {
        let nonempty = position.heaps.iter().filter(|&&heap| heap > 0).count();
        parts.push(self.heaps.of(nonempty as u64));
        parts.push(self.totals.of(Self::total(position)));
        if self.region.passes() > 0 {
            parts.push(self.passes.of(position.passes.into()));
        }
    }

    fn stones_of_start(&self, position: &Position) -> Option<u64> {
        let is_one = self.pairs_of_starts().is_none() && position.passes == self.region.passes();
        is_one.then(|| Self::total(position))
    }

    fn pairs_of_starts(&self) -> Option<u64> {
        let [a, b] = self.rules.map(HeapRules::passes);
        (a != b).then(|| self.region.count() / (u64::from(self.region.passes()) + 1))
    }

    fn walk_starts(&self, from: u64) -> impl Iterator<Item = (u64, [Position; 2])> {
        let layers = u64::from(self.region.passes()) + 1;
        self.region.walk(from * layers).step_by(layers as usize).map(|position| {
            let start = |rules: &HeapRules| Position {
                heaps: Self::padded(position.heaps, rules),
                passes: rules.passes(),
            };
            (Self::total(&position), self.rules.map(start))
        })
    }

    fn range_of_starts(&self) -> (u64, u64) {
        (0, self.total)
    }

    fn starts_in_words(&self) -> [&'static str; 2] {
        ["any heaps, all passes left", "stones in all"]
    }

    fn openings(&self) -> impl Iterator<Item = Position> {
        let heaps = self.region.bounds().iter().copied().collect();
        std::iter::once(Position { heaps, passes: self.region.passes() })
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        // Those of the game with fewer heaps, which has no move more for want of a row.
        let (rules, other) = (self.rules[self.smaller], self.rules[1 - self.smaller]);
        rules.moves(position).filter(move |&chosen| self.legal(other, position, chosen))
    }

    fn after(&self, position: &Position, chosen: Move) -> Position {
        self.rules[self.smaller].after(position, chosen)
    }

    fn knows_distances(&self) -> bool {
        self.rules.iter().all(|rules| *rules.take() == Take::Any && !rules.equal_take())
    }

    fn distance(&self, from: &Position, to: &Position) -> Option<u32> {
        let (ours, theirs) = (from.heaps.descending(), to.heaps.descending());
        let passes = u32::from(from.passes.checked_sub(to.passes)?);
        // Each heap can become any lesser one in a move: all that counts is how many have to.
        if theirs.iter().zip(ours.iter()).any(|(to, from)| to > from)
            || passes > 0 && ours.iter().all(|&heap| heap == 0)
        {
            return None;
        }
        let at_once = self.rules.iter().map(|rules| rules.heaps_per_move()).min().unwrap_or(1);
        let changed = ours.len() - shared(&ours, &theirs);
        Some(changed.div_ceil(at_once) as u32 + passes)
    }
}

/// How many heaps two sets of heaps, in descending order, share.
fn shared(a: &[u32], b: &[u32]) -> usize {
    let (mut i, mut j, mut shared) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        shared += usize::from(a[i] == b[j]);
        (i, j) = (i + usize::from(a[i] >= b[j]), j + usize::from(b[j] >= a[i]));
    }
    shared
}
