//! How the body of a heap table is laid out, where that does not follow from its ruleset (FORMAT.md, sections 2 and 5).

use super::position::Heap;
use super::rules::HeapRules;
use super::take::Take;
use crate::Damage;

/// The most that a level can be cut into: segments of 2^30 sizes, more than a heap can have.
const MOST_CUT: u8 = 30;

/// How a body is laid out. The default is that of a table whose header says nothing of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The greatest size of a heap that is told apart from greater ones, if that is not the greatest bound.
    pub greatest: Option<Heap>,
    /// For each number of passes left how many heaps the stem has; empty if it has as many for all.
    pub stems: Vec<u8>,
    /// For each number of heaps, from 0 up, into segments of how many sizes the steps are cut: the logarithm to base 2, or 0
    /// if they are not. Empty if none are.
    pub cuts: Vec<u8>,
    /// Whether heaps are added in descending order only, so that a step never leads to a greater heap.
    pub descending: bool,
}

impl Layout {
    /// Checks that a table of these rules can be so laid out, and that this is the one way to say so.
    ///
    /// # Errors
    /// Says what cannot be.
    pub(crate) fn check(&self, rules: &HeapRules) -> Result<(), Damage> {
        let Self { greatest, stems, cuts, descending } = self;
        let has_targets = *rules.take() == Take::Any;
        if let Some(greatest) = *greatest {
            let least = rules.bounds().iter().rev().nth(1).copied().unwrap_or(1);
            if !has_targets || rules.heaps_per_move() > 1 || !(least..rules.greatest()).contains(&greatest) {
                return Err(Damage::new(format!(
                    "its header has greatest = {greatest}, which its ruleset does not allow"
                )));
            }
        }
        let most = rules.heaps() - usize::from(has_targets);
        let differ = stems.iter().any(|stem| Some(stem) != stems.first());
        let all_fit = stems.iter().all(|&stem| usize::from(stem) <= most);
        if !stems.is_empty() && (stems.len() != usize::from(rules.passes()) + 1 || !differ || !all_fit) {
            return Err(Damage::new("its header has stems that its ruleset does not allow"));
        }
        let all_fit = cuts.iter().all(|&cut| cut <= MOST_CUT) && cuts.iter().any(|&cut| cut > 0);
        // There are no steps where targets take their place.
        let have_steps = cuts.iter().skip(most).all(|&cut| cut == 0);
        if !cuts.is_empty() && (cuts.len() != rules.heaps() || !all_fit || !have_steps) {
            return Err(Damage::new("its header has cuts that its ruleset does not allow"));
        }
        if *descending && has_targets {
            return Err(Damage::new("its header has descending = true, which its ruleset does not allow"));
        }
        Ok(())
    }

    /// How many sizes of a further heap the steps of level 0, level 1 and so on tell apart.
    #[must_use]
    pub fn sizes(&self, rules: &HeapRules) -> Vec<u64> {
        let greatest = self.greatest.unwrap_or(rules.greatest());
        // A heap that is added in descending order is no greater than the bound of its place.
        let size = |bound: &Heap| u64::from(if self.descending { *bound } else { greatest }) + 1;
        rules.bounds().iter().rev().map(size).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::HeapKeys;
    use super::*;

    #[test]
    fn a_layout_must_fit_the_rules_and_say_something() {
        let rules = |take: Take, heaps_per_move| {
            HeapKeys { bounds: vec![2, 4, 9], take, heaps_per_move, passes: 1, ..Default::default() }
                .rules()
                .unwrap()
        };
        let (any, listed) = (rules(Take::Any, 1), rules(Take::UpTo(2), 1));
        let greatest = |greatest| Layout { greatest: Some(greatest), ..Default::default() };
        let stems = |stems: &[u8]| Layout { stems: stems.to_vec(), ..Default::default() };
        let cuts = |cuts: &[u8]| Layout { cuts: cuts.to_vec(), ..Default::default() };
        let descending = Layout { descending: true, ..Default::default() };
        for layout in
            [Layout::default(), greatest(4), greatest(8), stems(&[0, 2]), stems(&[2, 1]), cuts(&[0, 30, 0])]
        {
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
        let sizes = |layout: Layout| layout.sizes(&listed);
        assert_eq!((sizes(Layout::default()), sizes(descending)), (vec![10, 10, 10], vec![10, 5, 3]));
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
