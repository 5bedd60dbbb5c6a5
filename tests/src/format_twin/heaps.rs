//! Tables of the family heaps (FORMAT.md, section 5).

use super::body::Body;
use super::{Header, Refusal, must, open};
use crate::oracle::heaps::{Move, Rules, Take, legal_moves};

const STEM: usize = 0;
/// The array of level 0; that of level k is k further.
const LEVELS: usize = 1;

/// What a table has stored of a lost position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Plies to the end; 0 in a table without depths.
    pub depth: u64,
    /// How many stones the best move takes, all heaps together; 0 in a table without depths.
    pub stones: u64,
}

/// All that a table tells of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Whether the position is lost for the player to move.
    pub lost: bool,
    /// Plies to the end; `None` in a table without depths.
    pub depth: Option<u64>,
    /// The best move; `None` where there is no move.
    pub best: Option<Move>,
    /// All winning moves, in order.
    pub winning: Vec<Move>,
}

/// A table file, checked as a whole and taken apart. What the checksums cannot know, a lookup finds, and
/// panics.
#[derive(Clone, Debug)]
pub struct Twin {
    header: Header,
    rules: Rules,
    body: Body,
    /// The bounds, in descending order.
    bounds: Vec<u32>,
    /// How many heaps the stem has.
    stem: usize,
}

impl Twin {
    /// Takes a file apart.
    ///
    /// # Errors
    /// If the prefix, a checksum, the header or the body is not as it must be.
    pub fn read(file: &[u8]) -> Result<Self, Refusal> {
        let (header, body) = open(file)?;
        let super::Rules::Heaps(rules) = header.rules.clone() else {
            return Err("the family is not 1".to_owned());
        };
        let bounds: Vec<u32> = rules.bounds.iter().rev().copied().collect();
        let mut fields = vec![2; 1 + bounds.len()];
        if rules.take == Take::Any {
            fields[bounds.len()] = 3;
        }
        let body = Body::read(body, &fields)?;
        let filled = |level: usize| body.records(LEVELS + level) > 0;
        let stem = (0..bounds.len()).find(|&level| filled(level)).unwrap_or(bounds.len());
        must((stem..bounds.len()).all(filled), "all levels from that of the stem on have records")?;
        must(rules.take != Take::Any || stem < bounds.len(), "there are targets")?;
        let twin = Self { header, rules, body, bounds, stem };
        twin.check_numbers()?;
        twin.check_fields()?;
        Ok(twin)
    }

    /// How many records there are of everything.
    fn check_numbers(&self) -> Result<(), Refusal> {
        let groups = u128::from(self.rules.passes + 1) * u128::from(groups(&self.bounds[..self.stem]));
        must(groups < 1 << 64, "the groups of the stem can be counted")?;
        for level in (self.stem..self.bounds.len()).filter(|&level| !self.has_targets(level)) {
            must(
                self.body.records(LEVELS + level).is_multiple_of(self.sizes()),
                "every class of a level has a step for each size",
            )?;
        }
        let records = u128::from(self.body.records(STEM));
        if records > 0 {
            return must(records == groups, "the stem has a record for each of its groups");
        }
        must(self.stem < self.bounds.len(), "a table has records")?;
        must(u128::from(self.classes(self.stem)) == groups, "each group of the stem is a class")
    }

    /// The values of the fields.
    fn check_fields(&self) -> Result<(), Refusal> {
        for array in 0..=self.bounds.len() {
            // The stem leads to the classes of its own heaps, a level to those of a heap more.
            let heaps = if array == STEM { self.stem } else { array };
            let targets = array != STEM && self.has_targets(array - LEVELS);
            for record in 0..self.body.records(array) {
                let [class, deeper, stones] = [0, 1, 2].map(|field| self.body.field(array, record, field));
                if !targets && heaps < self.bounds.len() {
                    must(class < self.classes(heaps), "classes are classes that there are")?;
                }
                must(self.header.depths || [deeper, stones] == [0, 0], "without depths there are none")?;
            }
        }
        Ok(())
    }

    /// What the header says.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The ruleset.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many heaps the stem has.
    #[must_use]
    pub fn stem(&self) -> usize {
        self.stem
    }

    /// Every field of every record of an array, in order.
    #[must_use]
    pub fn numbers(&self, array: usize) -> Vec<u64> {
        self.body.numbers(array)
    }

    /// The number of sizes that a heap can have.
    fn sizes(&self) -> u64 {
        u64::from(self.bounds[0]) + 1
    }

    /// Whether the classes of so many heaps have targets instead of steps.
    fn has_targets(&self, heaps: usize) -> bool {
        self.rules.take == Take::Any && heaps == self.bounds.len() - 1
    }

    /// How many classes there are of so many heaps: not of fewer than the stem has, nor of all.
    fn classes(&self, heaps: usize) -> u64 {
        let records = self.body.records(LEVELS + heaps);
        if self.has_targets(heaps) { records } else { records / self.sizes() }
    }

    /// What is stored of a position, if it is lost; `None` if it is won. The heaps are looked up in the order
    /// in which they are given: the first ones in the stem, and each other one by a step.
    #[must_use]
    pub fn loss_in_order(&self, heaps: &[u32], passes: u32) -> Option<Loss> {
        let (group, others) = heaps.split_at(self.stem);
        let mut group = group.to_vec();
        group.sort_by(|one, other| other.cmp(one));
        let bounds = &self.bounds[..self.stem];
        let record = u64::from(passes) * groups(bounds) + rank(bounds, &group);
        let (mut class, mut depth) = if self.body.records(STEM) > 0 {
            (self.body.field(STEM, record, 0), self.body.field(STEM, record, 1))
        } else {
            (record, 0)
        };
        for (level, &heap) in (self.stem..).zip(others) {
            let array = LEVELS + level;
            if self.has_targets(level) {
                let [size, deeper, stones] = [0, 1, 2].map(|field| self.body.field(array, class, field));
                return (size == u64::from(heap)).then(|| self.loss(depth + deeper, stones));
            }
            let step = class * self.sizes() + u64::from(heap);
            depth += self.body.field(array, step, 1);
            class = self.body.field(array, step, 0);
        }
        (class > 0).then(|| self.loss(depth, class - 1))
    }

    fn loss(&self, depth: u64, stones: u64) -> Loss {
        assert!(depth < 1 << 30, "a depth is below 2^30");
        assert!(!self.header.depths || (depth % 2 == 1) == self.rules.misere, "the depth is that of a loss");
        Loss { depth, stones }
    }

    /// What is stored of a position, if it is lost.
    fn loss_of(&self, rows: &[u32], passes: u32) -> Option<Loss> {
        let mut heaps = rows.to_vec();
        heaps.sort_by(|one, other| other.cmp(one));
        self.loss_in_order(&heaps, passes)
    }

    /// The depth of a position, in a table with depths.
    fn depth(&self, rows: &[u32], passes: u32) -> u64 {
        if let Some(loss) = self.loss_of(rows, passes) {
            return loss.depth;
        }
        let moves = legal_moves(&self.rules, rows, passes);
        let lost = moves.iter().filter_map(|(_, rows, passes)| self.loss_of(rows, *passes));
        let least = lost.map(|loss| loss.depth).min();
        assert!(least.is_some() || moves.is_empty(), "a move out of a won position wins");
        let depth = least.map_or(0, |least| least + 1);
        assert!((depth % 2 == 0) == self.rules.misere, "the depth is that of a win");
        depth
    }

    /// All that the table tells of a position, its heaps in any order.
    #[must_use]
    pub fn answer(&self, rows: &[u32], passes: u32) -> Answer {
        let moves = legal_moves(&self.rules, rows, passes);
        let loss = self.loss_of(rows, passes);
        let winning: Vec<_> =
            moves.iter().filter(|(_, rows, passes)| self.loss_of(rows, *passes).is_some()).collect();
        let depth = self.header.depths.then(|| self.depth(rows, passes));
        let best = match (loss, depth) {
            (Some(_), None) => moves.first(),
            (None, None) => winning.first().copied(),
            (Some(loss), Some(depth)) => moves.iter().find(|(chosen, rows, passes)| {
                u64::from(chosen.stones()) == loss.stones && self.depth(rows, *passes) + 1 == depth
            }),
            // Of several that are least min_by_key takes the first.
            (None, Some(_)) => winning
                .iter()
                .min_by_key(|(chosen, rows, passes)| (self.depth(rows, *passes), chosen.stones()))
                .copied(),
        };
        assert!(best.is_some() || moves.is_empty(), "where there are moves one of them is best");
        let best = best.map(|(chosen, ..)| chosen.clone());
        let winning = winning.into_iter().map(|(chosen, ..)| chosen.clone()).collect();
        Answer { lost: loss.is_some(), depth, best, winning }
    }
}

/// `below(i, v)` for groups of as many heaps as there are bounds, which are descending; i is counted from 1.
fn below(bounds: &[u32], i: usize, v: u32) -> u64 {
    let Some(v) = v.checked_sub(1) else { return 0 };
    let fewer = below(bounds, i, v);
    if i == bounds.len() { fewer + 1 } else { fewer + below(bounds, i + 1, v.min(bounds[i]) + 1) }
}

/// How many groups there are of as many heaps as there are bounds, which are descending.
#[must_use]
pub fn groups(bounds: &[u32]) -> u64 {
    bounds.first().map_or(1, |&greatest| below(bounds, 1, greatest + 1))
}

/// The rank of a group of as many heaps as there are bounds, both descending.
#[must_use]
pub fn rank(bounds: &[u32], group: &[u32]) -> u64 {
    (1..).zip(group).map(|(i, &size)| below(bounds, i, size)).sum()
}
