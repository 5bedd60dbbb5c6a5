//! The lost positions of all lines, in games where a move takes any number of stones: each line has at most one.
//!
//! Each lost position is entered at the lines through it: {3,2,1} at the lines of {2,1}, {3,1} and {3,2}, with the
//! sizes 3, 2 and 1.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use bouton_tables::heaps::{Heap, HeapRules, Ranks};

use super::neighbourhood::PositionWalk;
use super::position_source::Positions;
use crate::control::{Control, check_cancelled};
use crate::heaps::classes::edges::VOID;
use crate::heaps::classes::multisets::MultisetSource;
use crate::heaps::classes::pack::LostTarget;
use crate::heaps::frame::numbers::Number;
use crate::heaps::frame::partition::Partition;
use crate::heaps::line::without;
use crate::heaps::sizes::multisets_without;
use crate::making::GenerateError;
use crate::memory::filled_with;
use crate::parallel;

/// The lost position of each line, by passes left and the rank of the other heaps.
pub(super) struct LostLines {
    /// Ranks of the other heaps.
    pub(super) others: Ranks,
    /// The size of the heap in the lost position; one above the greatest bound if there is none.
    sizes: Vec<AtomicU32>,
    /// The depth of the lost position, then the stones of its best move; empty without depths.
    depths: Vec<AtomicU32>,
}

/// Returns the bytes of the lost positions, with depths.
pub(super) fn bytes(rules: &HeapRules) -> u128 {
    12 * multisets_without(rules.bounds(), 1) * (u128::from(rules.passes()) + 1)
}

impl LostLines {
    pub(super) fn find<C: Number>(
        positions: &Positions<C>,
        control: &dyn Control,
    ) -> Result<Self, GenerateError> {
        let layout = positions.layout;
        let others = Ranks::try_new(&layout.ranges.own_bounds()[1..])?;
        let none = layout.ranges.bound(0) + 1;
        let count = others.count().saturating_mul(layout.layers);
        let depths = if positions.depths { count.saturating_mul(2) } else { 0 };
        let lines = Self {
            others,
            sizes: filled_with(count, || AtomicU32::new(none))?,
            depths: filled_with(depths, || AtomicU32::new(0))?,
        };
        parallel::for_each(positions.parts() * layout.layers as usize, |number| {
            check_cancelled(control)?;
            let (layer, block) = ((number / positions.parts()) as u64, number % positions.parts());
            if layout.shape(block).cells == 0 {
                return Ok(());
            }
            let mut walk = PositionWalk::new(layout, layout.ranges_of(block));
            positions.part(layer, block, &mut |edges| {
                for edge in edges {
                    if edge.deeper != VOID {
                        let best_take = edge.class - 1;
                        lines.set(layer, &walk.heaps()[layout.ranges.stand_ins..], edge.deeper, best_take);
                    }
                    walk.advance();
                }
            })
        })?;
        Ok(lines)
    }

    /// Enters a lost position at the lines through it.
    fn set(&self, layer: u64, heaps: &[Heap], deeper: u32, best_take: u32) {
        for place in 0..heaps.len() {
            let line = (layer * self.others.count() + self.others.rank(&without(heaps, place))) as usize;
            // `Relaxed` suffices: the end of the parallel section orders its stores before later loads.
            self.sizes[line].store(heaps[place], Relaxed);
            if !self.depths.is_empty() {
                self.depths[2 * line].store(deeper, Relaxed);
                self.depths[2 * line + 1].store(best_take, Relaxed);
            }
        }
    }

    /// Returns the lost position of a line, by layer and the rank of the other heaps.
    pub(super) fn target(&self, layer: u64, rank: u64) -> LostTarget {
        let line = (layer * self.others.count() + rank) as usize;
        let depth = |at: usize| self.depths.get(2 * line + at).map_or(0, |number| number.load(Relaxed));
        LostTarget { size: self.sizes[line].load(Relaxed), deeper: depth(0), best_take: depth(1) }
    }
}
