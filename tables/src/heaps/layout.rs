//! The writer's choices in the layout of a heap table's body: entries of the header (FORMAT.md, sections 2 and 5).

use super::position::Heap;
use super::rules::{HeapRules, MoveKind};
use crate::Damage;

/// Maximum binary logarithm of a segment's size: 2^30 sizes are more than a heap can have.
const MAX_CUT: u8 = 30;

/// The layout of a body. The default applies to a table whose header does not mention the layout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayLayout {
    /// The greatest effective size, if below the greatest bound: greater heaps are looked up as this size.
    pub greatest: Option<Heap>,
    /// Number of heaps in the stem for each number of passes left; empty if the stems are equal.
    pub stems: Vec<u8>,
    /// For each level from 0: the binary logarithm of the size of the segments into which its edges are cut, or 0 if the
    /// level is not cut. Empty if no level is cut.
    pub cuts: Vec<u8>,
    /// True if heaps are added in descending order only.
    pub is_descending: bool,
}

impl ArrayLayout {
    /// Checks that these rules allow the layout, and that no entry states its default. `descending` is allowed even if it
    /// changes nothing.
    pub(crate) fn check(&self, rules: &HeapRules) -> Result<(), Damage> {
        let Self { greatest, stems, cuts, is_descending: descending } = self;
        let has_targets = rules.at_most_one_loss_per_line();
        if let Some(greatest) = *greatest {
            let least = rules.bounds().iter().rev().nth(1).copied().unwrap_or(1);
            if rules.move_kind() != MoveKind::AnyFromOne
                || !(least..rules.greatest_bound()).contains(&greatest)
            {
                return Err(Damage::new(format!(
                    "its header has greatest = {greatest}, which its ruleset does not allow"
                )));
            }
        }
        let max_stem = rules.heaps() - usize::from(has_targets);
        let differ = stems.iter().any(|stem| Some(stem) != stems.first());
        let stems_fit = stems.iter().all(|&stem| usize::from(stem) <= max_stem);
        if !stems.is_empty() && (stems.len() != usize::from(rules.passes()) + 1 || !differ || !stems_fit) {
            return Err(Damage::new("its header has stems that its ruleset does not allow"));
        }
        let cuts_fit = cuts.iter().all(|&cut| cut <= MAX_CUT) && cuts.iter().any(|&cut| cut > 0);
        // Targets replace the edges of the last level.
        let only_edges_are_cut = cuts.iter().skip(max_stem).all(|&cut| cut == 0);
        if !cuts.is_empty() && (cuts.len() != rules.heaps() || !cuts_fit || !only_edges_are_cut) {
            return Err(Damage::new("its header has cuts that its ruleset does not allow"));
        }
        if *descending && has_targets {
            return Err(Damage::new("its header has descending = true, which its ruleset does not allow"));
        }
        Ok(())
    }

    /// Returns the number of sizes that the edges of each level distinguish, from level 0.
    pub fn sizes(&self, rules: &HeapRules) -> Vec<u64> {
        let greatest = self.greatest.unwrap_or(rules.greatest_bound());
        // In descending order, a heap is at most the bound of its index.
        let size = |bound: &Heap| u64::from(if self.is_descending { *bound } else { greatest }) + 1;
        rules.bounds().iter().rev().map(size).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{HeapKeys, Take};
    use super::*;

    #[test]
    fn a_layout_must_fit_the_rules_and_have_its_shortest_form() {
        let rules = |take: Take, heaps_per_move: u32| {
            HeapKeys {
                bounds: vec![2, 4, 9],
                take,
                heaps_per_move: heaps_per_move.into(),
                passes: 1,
                ..Default::default()
            }
            .rules()
            .unwrap()
        };
        let (any, listed) = (rules(Take::Any, 1), rules(Take::UpTo(2), 1));
        let greatest = |greatest| ArrayLayout { greatest: Some(greatest), ..Default::default() };
        let stems = |stems: &[u8]| ArrayLayout { stems: stems.to_vec(), ..Default::default() };
        let cuts = |cuts: &[u8]| ArrayLayout { cuts: cuts.to_vec(), ..Default::default() };
        let descending = ArrayLayout { is_descending: true, ..Default::default() };
        for layout in [
            ArrayLayout::default(),
            greatest(4),
            greatest(8),
            stems(&[0, 2]),
            stems(&[2, 1]),
            cuts(&[0, 30, 0]),
        ] {
            assert_eq!(layout.check(&any), Ok(()), "{layout:?}");
            assert_eq!(layout.check(&listed).is_ok(), layout.greatest.is_none(), "{layout:?}");
        }
        for layout in [
            greatest(3),
            greatest(9),
            greatest(0),
            stems(&[1]),
            stems(&[1, 1]),
            stems(&[0, 1, 2]),
            stems(&[0, 3]),
            cuts(&[0, 0, 0]),
            cuts(&[1]),
            cuts(&[1, 1, 1, 1]),
            cuts(&[31, 0, 0]),
            cuts(&[1, 0, 1]),
        ] {
            assert!(layout.check(&any).is_err(), "{layout:?}");
        }
        assert_eq!(stems(&[0, 3]).check(&listed), Ok(()));
        assert_eq!(cuts(&[1, 0, 1]).check(&listed), Ok(()));
        assert_eq!((descending.check(&any).is_err(), descending.check(&listed)), (true, Ok(())));
        let sizes = |layout: ArrayLayout| layout.sizes(&listed);
        assert_eq!((sizes(ArrayLayout::default()), sizes(descending)), (vec![10, 10, 10], vec![10, 5, 3]));
        assert_eq!(greatest(5).sizes(&any), [6, 6, 6]);
        assert!(stems(&[0, 4]).check(&listed).is_err());
        assert!(greatest(5).check(&rules(Take::Any, 2)).is_err());
        let one = |bound| HeapKeys { bounds: vec![bound], ..Default::default() }.rules().unwrap();
        assert_eq!(
            [0, 1, 4, 5].map(|size| greatest(size).check(&one(5)).is_ok()),
            [false, true, true, false]
        );
    }
}
