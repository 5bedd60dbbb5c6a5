//! Tables of the family heaps (FORMAT.md, section 5).

use super::body::Body;
use super::header::{self, Header, Layout, open};
use super::{Refusal, must};
use crate::oracle::heaps::{Move, Rules, Take, legal_moves};

const STEM: usize = 0;
/// The array of level 0. Level k is in array `LEVELS + k`.
const LEVELS: usize = 1;

/// The stored facts about a lost position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Plies to the end; 0 in a table without depths.
    pub depth: u64,
    /// Total number of stones that the best move takes; 0 in a table without depths.
    pub stones: u64,
}

/// A table's complete answer about a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// True if the position is lost for the player to move.
    pub lost: bool,
    /// Plies to the end; `None` in a table without depths.
    pub depth: Option<u64>,
    /// The best move; `None` if there is no move.
    pub best: Option<Move>,
    /// All winning moves, in order.
    pub winning: Vec<Move>,
}

/// A decoded table file, valid as far as checksums and directory can show. A lookup that meets invalid contents
/// panics.
#[derive(Clone, Debug)]
pub struct Twin {
    header: Header,
    rules: Rules,
    body: Body,
    /// The bounds, in descending order; the first one is the greatest size in lookups.
    bounds: Vec<u32>,
    /// The number of heaps in the stem, for each number of passes left.
    stems: Vec<usize>,
    /// The cut of each level that has one.
    cuts: Vec<Option<Cut>>,
}

/// The cut of a level.
#[derive(Clone, Copy, Debug)]
struct Cut {
    /// The number of edges in a segment.
    edges: u64,
    /// The number of the array with the segments of each class.
    array: usize,
}

impl Twin {
    /// Decodes a file.
    ///
    /// # Errors
    /// If the prefix, a checksum, the header or the body is invalid.
    pub fn read(file: &[u8]) -> Result<Self, Refusal> {
        let (header, body) = open(file)?;
        let header::Rules::Heaps(rules) = header.rules.clone() else {
            return Err("the game is not a heap game".to_owned());
        };
        let Layout { greatest, stems, cuts, .. } = header.layout.clone();
        let mut bounds: Vec<u32> = rules.bounds.iter().rev().copied().collect();
        bounds[0] = greatest.unwrap_or(bounds[0]);
        let mut fields = vec![2; 1 + bounds.len()];
        if rules.take == Take::Any {
            fields[bounds.len()] = 3;
        }
        let mut cut = |cut: &u32| {
            (*cut > 0).then(|| {
                fields.push(2);
                Cut { edges: 1 << cut, array: fields.len() - 1 }
            })
        };
        let cuts: Vec<_> = cuts.map_or(vec![None; bounds.len()], |cuts| cuts.iter().map(&mut cut).collect());
        let body = Body::read(body, &fields)?;
        let filled = |level: usize| body.records(LEVELS + level) > 0;
        let stem = (0..bounds.len()).find(|&level| filled(level)).unwrap_or(bounds.len());
        must((stem..bounds.len()).all(filled), "all levels from the stem's on have records")?;
        must(rules.take != Take::Any || stem < bounds.len(), "there are targets")?;
        let stems = match stems {
            None => vec![stem; rules.passes as usize + 1],
            Some(stems) => stems.iter().map(|&stem| stem as usize).collect(),
        };
        must(stems.iter().min() == Some(&stem), "the least stem ends before the first level with records")?;
        let twin = Self { header, rules, body, bounds, stems, cuts };
        let whole = |level| level >= stem && !twin.has_targets(level);
        must(
            (0..twin.bounds.len()).all(|level| twin.cuts[level].is_none() || whole(level)),
            "a level that is cut has edges, and records",
        )?;
        twin.check_numbers()?;
        twin.check_widths()?;
        twin.check_fields()?;
        Ok(twin)
    }

    /// Checks the numbers of records.
    fn check_numbers(&self) -> Result<(), Refusal> {
        let groups: u128 = self.stems.iter().map(|&stem| u128::from(groups(&self.bounds[..stem]))).sum();
        must(groups < 1 << 64, "the groups of the stem can be counted")?;
        for level in (self.stem()..self.bounds.len()).filter(|&level| !self.has_targets(level)) {
            let records = self.body.records(LEVELS + level);
            if let Some(cut) = self.cuts[level] {
                must(records.is_multiple_of(cut.edges), "every segment has all its edges")?;
                must(
                    self.body.records(cut.array).is_multiple_of(self.segments(level, cut)),
                    "every class of a level that is cut has a segment for each size",
                )?;
            } else {
                must(
                    records.is_multiple_of(self.sizes(level)),
                    "every class of a level has an edge for each size",
                )?;
            }
        }
        let records = u128::from(self.body.records(STEM));
        if records > 0 {
            return must(records == groups, "the stem has a record for each of its groups");
        }
        must(self.header.layout.stems.is_none(), "stems for numbers of passes have records")?;
        must(self.stem() < self.bounds.len(), "a table has records")?;
        must(u128::from(self.classes(self.stem())) == groups, "each group of the stem is a class")
    }

    /// Checks that fields without meaning have no bits.
    fn check_widths(&self) -> Result<(), Refusal> {
        let levels = (0..self.bounds.len()).filter(|&level| !self.has_targets(level));
        let cuts = self.cuts.iter().flatten().map(|cut| cut.array);
        let mut arrays = [STEM].into_iter().chain(levels.map(|level| LEVELS + level)).chain(cuts);
        must(
            self.header.depths || arrays.all(|array| self.body.widths(array)[1] == 0),
            "without depths there are no bits for them",
        )
    }

    /// Checks the values of the fields.
    fn check_fields(&self) -> Result<(), Refusal> {
        // The stem leads to classes of its own number of heaps, and a level to classes of one more.
        let heaps = self.stems.iter().flat_map(|&stem| (0..groups(&self.bounds[..stem])).map(move |_| stem));
        for (record, heaps) in (0..self.body.records(STEM)).zip(heaps) {
            self.check_class(STEM, record, heaps)?;
        }
        for level in 0..self.bounds.len() {
            for record in 0..self.body.records(LEVELS + level) {
                if self.has_targets(level) {
                    let values = [1, 2].map(|field| self.body.field(LEVELS + level, record, field));
                    must(self.header.depths || values == [0, 0], "without depths there are none")?;
                } else {
                    self.check_class(LEVELS + level, record, level + 1)?;
                }
            }
            let Some(cut) = self.cuts[level] else { continue };
            let segments = self.body.records(LEVELS + level) / cut.edges;
            for record in 0..self.body.records(cut.array) {
                must(
                    self.body.field(cut.array, record, 0) < segments,
                    "the number of a segment is below their count",
                )?;
            }
        }
        Ok(())
    }

    /// Checks that a record leads to an existing class of this many heaps.
    fn check_class(&self, array: usize, record: u64, heaps: usize) -> Result<(), Refusal> {
        let is_whole = heaps == self.bounds.len();
        must(
            is_whole || self.body.field(array, record, 0) < self.classes(heaps),
            "the number of a class is below their count",
        )
    }

    /// Returns the decoded header.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Returns the ruleset.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the number of heaps in the stem: the least one, if it depends on the passes left.
    #[must_use]
    pub fn stem(&self) -> usize {
        self.stems.iter().copied().min().expect("a stem for 0 passes")
    }

    /// Returns every field of every record of an array, in order.
    #[must_use]
    pub fn numbers(&self, array: usize) -> Vec<u64> {
        self.body.numbers(array)
    }

    /// Returns the number of possible sizes of the next heap after `heaps` others. With `descending` the next bound
    /// limits this heap.
    fn sizes(&self, heaps: usize) -> u64 {
        let greatest = if self.header.layout.descending { self.bounds[heaps] } else { self.bounds[0] };
        u64::from(greatest) + 1
    }

    /// Returns the number of segments of a class of this many heaps if its level is cut.
    fn segments(&self, heaps: usize, cut: Cut) -> u64 {
        self.sizes(heaps).div_ceil(cut.edges)
    }

    /// Returns whether the classes of this many heaps have targets instead of edges.
    fn has_targets(&self, heaps: usize) -> bool {
        self.rules.has_one_loss_per_line() && heaps == self.bounds.len() - 1
    }

    /// Returns the number of classes of this many heaps: at least as many as in the stem, and not all.
    fn classes(&self, heaps: usize) -> u64 {
        let records = self.body.records(LEVELS + heaps);
        match self.cuts[heaps] {
            _ if self.has_targets(heaps) => records,
            Some(cut) => self.body.records(cut.array) / self.segments(heaps, cut),
            None => records / self.sizes(heaps),
        }
    }

    /// Returns the stored facts about a position if it is lost; `None` if it is won. Looks the heaps up in the given
    /// order, or in descending order if the table requires it: the first ones in the stem, and each other one by an
    /// edge or as the target.
    #[must_use]
    pub fn loss_in_order(&self, heaps: &[u32], passes: u32) -> Option<Loss> {
        let mut heaps: Vec<u32> = heaps.iter().map(|&heap| heap.min(self.bounds[0])).collect();
        if self.header.layout.descending {
            heaps.sort_by(|one, other| other.cmp(one));
        }
        let loss = self.loss_of_sizes(&heaps, passes);
        let has_greatest = self.header.layout.greatest.is_some() && heaps.contains(&self.bounds[0]);
        assert!(!(has_greatest && loss.is_some()), "with the greatest size no position is lost");
        loss
    }

    /// Looks up heaps whose sizes are already limited and ordered as the table requires.
    fn loss_of_sizes(&self, heaps: &[u32], passes: u32) -> Option<Loss> {
        let (stem, before) = (self.stems[passes as usize], &self.stems[..passes as usize]);
        let (group, others) = heaps.split_at(stem);
        let mut group = group.to_vec();
        group.sort_by(|one, other| other.cmp(one));
        let before: u64 = before.iter().map(|&stem| groups(&self.bounds[..stem])).sum();
        let record = before + rank(&self.bounds[..stem], &group);
        let (mut class, mut depth) = if self.body.records(STEM) > 0 {
            (self.body.field(STEM, record, 0), self.body.field(STEM, record, 1))
        } else {
            (record, 0)
        };
        for (level, &heap) in (stem..).zip(others) {
            let (array, heap) = (LEVELS + level, u64::from(heap));
            if self.has_targets(level) {
                let [size, deeper, stones] = [0, 1, 2].map(|field| self.body.field(array, class, field));
                return (size == heap).then(|| self.loss(depth + deeper, stones));
            }
            let edge = match self.cuts[level] {
                None => class * self.sizes(level) + heap,
                Some(cut) => {
                    let record = class * self.segments(level, cut) + heap / cut.edges;
                    depth += self.body.field(cut.array, record, 1);
                    self.body.field(cut.array, record, 0) * cut.edges + heap % cut.edges
                }
            };
            depth += self.body.field(array, edge, 1);
            class = self.body.field(array, edge, 0);
        }
        (class > 0).then(|| self.loss(depth, class - 1))
    }

    /// Returns the data of a lost position, after checking its depth.
    fn loss(&self, depth: u64, stones: u64) -> Loss {
        assert!(depth < 1 << 30, "a depth is below 2^30");
        assert!(!self.header.depths || (depth % 2 == 1) == self.rules.misere, "the depth is that of a loss");
        Loss { depth, stones }
    }

    /// Returns the stored facts about a position, if it is lost.
    fn loss_of(&self, rows: &[u32], passes: u32) -> Option<Loss> {
        let mut heaps = rows.to_vec();
        heaps.sort_by(|one, other| other.cmp(one));
        self.loss_in_order(&heaps, passes)
    }

    /// Returns the depth of a position, in a table with depths.
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

    /// Returns the table's complete answer about a position, with its heaps in any order.
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
            // If elements tie, `min_by_key` returns the first.
            (None, Some(_)) => winning
                .iter()
                .min_by_key(|(chosen, rows, passes)| (self.depth(rows, *passes), chosen.stones()))
                .copied(),
        };
        assert!(best.is_some() || moves.is_empty(), "if there are moves, one of them is best");
        let best = best.map(|(chosen, ..)| chosen.clone());
        let winning = winning.into_iter().map(|(chosen, ..)| chosen.clone()).collect();
        Answer { lost: loss.is_some(), depth, best, winning }
    }
}

/// Returns `below(i, v)` of FORMAT.md for multisets with one heap per bound. The bounds are descending; i is counted
/// from 1.
fn below(bounds: &[u32], i: usize, v: u32) -> u64 {
    let Some(v) = v.checked_sub(1) else { return 0 };
    let fewer = below(bounds, i, v);
    if i == bounds.len() { fewer + 1 } else { fewer + below(bounds, i + 1, v.min(bounds[i]) + 1) }
}

/// Counts the multisets with one heap per bound. The bounds are descending.
#[must_use]
pub fn groups(bounds: &[u32]) -> u64 {
    bounds.first().map_or(1, |&greatest| below(bounds, 1, greatest + 1))
}

/// Returns the rank of a multiset with one heap per bound, both descending.
#[must_use]
pub fn rank(bounds: &[u32], group: &[u32]) -> u64 {
    (1..).zip(group).map(|(i, &size)| below(bounds, i, size)).sum()
}
