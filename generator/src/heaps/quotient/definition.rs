//! A quotient as data, and why a game may have none.

use bouton_tables::heaps::{Heap, HeapRules, MoveKind};
use rustc_hash::FxHashMap;
use thiserror::Error;

/// A quotient. Class 0 is the class of no heaps. Classes are numbered by the fewest heaps that make them up, so the
/// classes of at most k heaps have the lowest numbers.
#[derive(Clone, Debug)]
pub(crate) struct Quotient {
    /// One above the greatest size of a heap.
    pub(super) width: usize,
    /// For each class and each size of a further heap, the class of all these heaps.
    pub(super) next: Vec<u32>,
    /// For each class, whether its positions are lost.
    pub(super) lost: Vec<bool>,
}

impl Quotient {
    /// Numbers the classes in the order of a breadth-first search from the class of no heaps, which is 0.
    pub(super) fn numbered(
        width: usize,
        next: impl Fn(u32, usize) -> u32,
        is_lost: impl Fn(u32) -> bool,
    ) -> Self {
        let mut numbers = FxHashMap::from_iter([(0, 0_u32)]);
        let mut order = vec![0];
        let mut quotient = Self { width, next: Vec::new(), lost: Vec::new() };
        while let Some(&class) = order.get(quotient.lost.len()) {
            quotient.lost.push(is_lost(class));
            quotient.next.extend((0..width).map(|size| {
                let after = next(class, size);
                *numbers.entry(after).or_insert_with(|| {
                    order.push(after);
                    order.len() as u32 - 1
                })
            }));
        }
        quotient
    }

    /// Returns the greatest size of a heap.
    pub(super) fn greatest(&self) -> Heap {
        self.width as Heap - 1
    }

    pub(super) fn classes(&self) -> usize {
        self.lost.len()
    }

    /// Returns the class after adding a heap.
    #[inline]
    pub(super) fn next(&self, class: u32, size: Heap) -> u32 {
        self.next[class as usize * self.width + size as usize]
    }

    pub(super) fn is_lost(&self, class: u32) -> bool {
        self.lost[class as usize]
    }

    /// Returns for each class its parent, which has a lower number, and the heap that leads from the parent to the
    /// class. For class 0 the entry is (0, 0) and has no meaning. Returns `None` if another class has no parent.
    pub(super) fn parents(&self) -> Option<Vec<(u32, Heap)>> {
        let mut parents = vec![None; self.classes()];
        for (at, &class) in self.next.iter().enumerate() {
            parents[class as usize].get_or_insert(((at / self.width) as u32, (at % self.width) as Heap));
        }
        parents[0] = Some((0, 0));
        let parents = parents.into_iter().collect::<Option<Vec<_>>>()?;
        (1..).zip(&parents[1..]).all(|(class, &(parent, _))| parent < class).then_some(parents)
    }

    /// Returns for each class the fewest heaps that make it up.
    pub(super) fn fewest_heaps(&self) -> Vec<usize> {
        let mut fewest = vec![0; self.classes()];
        let parents = self.parents().expect("the quotient is proved");
        for (class, (parent, _)) in parents.into_iter().enumerate().skip(1) {
            fewest[class] = fewest[parent as usize] + 1;
        }
        fewest
    }
}

/// The reason why a game has no quotient, why the quotient is not listed, or why it does not prove a table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoQuotient {
    /// The proof does not apply to such games, or such tables.
    #[error("the proof by classes is for {0}")]
    Rules(&'static str),
    /// The heaps are too great, or the proof would need too many classes. With any number of stones a move there are
    /// about as many classes as stones; with a short list of amounts there are fewer.
    #[error(
        "the game is too large to be proved in some seconds: its heaps have up to {0} stones, so it may have \
        as many classes, or its list of amounts is long"
    )]
    TooLarge(Heap),
    /// The table has too many classes to follow them all, or bounds that differ too much.
    #[error(
        "the table has too many classes, or bounds that differ too much, to follow its classes in some seconds"
    )]
    TableTooLarge,
    /// The quotient is too large to be listed.
    #[error("the quotient has {0} elements, and at most {1} are listed; choose smaller heaps")]
    TooManyElements(usize, usize),
    /// The proof has a gap.
    #[error("the proof by classes has a gap: {0}")]
    Gap(String),
}

/// Returns an error if the proof does not apply to such games.
pub(super) fn check_rules(rules: &HeapRules) -> Result<(), NoQuotient> {
    if !matches!(rules.move_kind(), MoveKind::AnyFromOne | MoveKind::AmountsFromOne(_)) {
        return Err(NoQuotient::Rules("games in which a move takes from one heap"));
    }
    if rules.passes() > 0 {
        return Err(NoQuotient::Rules("games without passes"));
    }
    Ok(())
}

/// Reports whether a quotient is small enough for a proof in some seconds.
pub(super) fn is_provable(classes: usize, sizes: usize) -> bool {
    const STEPS: u64 = 1 << 23;
    const WORK: u64 = 1 << 32;
    let steps = classes as u64 * sizes as u64;
    steps <= STEPS && steps * classes as u64 <= WORK
}
