//! Proves that a quotient decides a game with any number of heaps, from the plain rules alone (docs/proof-by-classes.md).
//!
//! For heaps X, let W(X) be the set of classes s such that some move in X, with further heaps of class s added to X,
//! leads to a lost class. The class of X is right if W(X) contains the class of no heaps exactly where the quotient
//! says that X is won. Heaps of the same class may have different moves. So for each class we compute the classes in W
//! of all its heaps (`sure`), and those in W of any of its heaps (`possible`), adding one heap after another until
//! nothing changes.

use std::collections::VecDeque;

use bouton_tables::Play;
use bouton_tables::heaps::{Heap, HeapRules, Heaps, Position};
use rustc_hash::FxHashSet;

use super::class_set::ClassSet;
use super::definition::{Quotient, is_provable};
use crate::control::{CancelCheck, Control, Phase, check_cancelled};
use crate::making::GenerateError;
use crate::parallel;
use crate::proof::PlainRules;

/// Products of classes that a thread looks up at a time.
const PIECE: usize = 1 << 16;

/// A kind of heaps: heaps that have the same class and the same W.
#[derive(Clone, PartialEq, Eq, Hash)]
struct HeapKind {
    class: u32,
    /// W of one such heap.
    wins: ClassSet,
    /// The heap has a move.
    has_moves: bool,
}

/// Bounds on W of the heaps of a class that have a move.
#[derive(Clone)]
struct WinBounds {
    /// Classes in W of all these heaps.
    sure: ClassSet,
    /// Classes in W of any of these heaps.
    possible: ClassSet,
}

/// Proves a quotient. Reports progress as `phase`.
///
/// # Errors
/// The outer error if `control` cancels; the inner one describes the gap, with an example of heaps.
pub(super) fn prove(
    quotient: &Quotient,
    rules: &HeapRules,
    phase: Phase,
    control: &dyn Control,
) -> Result<Result<(), String>, GenerateError> {
    let Some(parents) = quotient.parents() else {
        return Ok(Err("there are classes without heaps".to_owned()));
    };
    let classes = quotient.classes();
    QuotientProof { quotient, control, classes, product: Vec::new(), parents }.run(rules, phase)
}

struct QuotientProof<'a> {
    quotient: &'a Quotient,
    control: &'a dyn Control,
    classes: usize,
    /// For each two classes, the class of both together.
    product: Vec<u32>,
    /// [`Quotient::parents`].
    parents: Vec<(u32, Heap)>,
}

impl QuotientProof<'_> {
    fn run(mut self, rules: &HeapRules, phase: Phase) -> Result<Result<(), String>, GenerateError> {
        if !is_provable(self.classes, self.quotient.width) {
            return Ok(Err(format!("there are {} classes, too many for a proof", self.classes)));
        }
        // Two steps for each class: commutativity, and the bounds on W.
        self.control.begin(phase, 2 * self.classes as u64);
        if let Err(gap) = self.check_monoid()? {
            return Ok(Err(gap));
        }
        self.multiply()?;
        self.induct(rules)
    }

    /// Returns an example of heaps of a class, in words.
    fn example(&self, class: u32) -> String {
        let mut heaps = Vec::new();
        let mut at = class;
        while at > 0 {
            let (parent, heap) = self.parents[at as usize];
            heaps.push(heap.to_string());
            at = parent;
        }
        if heaps.is_empty() { "no heaps".to_owned() } else { format!("heaps such as {}", heaps.join(",")) }
    }

    /// Checks that an empty heap changes nothing, and that the order of adding heaps does not matter. All classes are
    /// reachable from class 0, so each pair of classes then has one product, and the classes are a commutative monoid.
    fn check_monoid(&self) -> Result<Result<(), String>, GenerateError> {
        let (quotient, mut cancel_check) = (self.quotient, CancelCheck::new(self.control));
        let all = || 0..self.classes as u32;
        if let Some(class) = all().find(|&class| quotient.next(class, 0) != class) {
            return Ok(Err(format!("an empty heap changes the class of {}", self.example(class))));
        }
        // One of several sizes with the same transitions is enough.
        let mut seen = FxHashSet::default();
        let column = |size: Heap| all().map(|class| quotient.next(class, size)).collect::<Vec<u32>>();
        let sizes: Vec<Heap> = (1..=quotient.greatest()).filter(|&size| seen.insert(column(size))).collect();
        for class in all() {
            for (number, &size) in sizes.iter().enumerate() {
                cancel_check.spend(2 * number)?;
                let after = quotient.next(class, size);
                let differs = |&&other: &&Heap| {
                    quotient.next(after, other) != quotient.next(quotient.next(class, other), size)
                };
                if let Some(other) = sizes[..number].iter().find(differs) {
                    let heaps = self.example(class);
                    return Ok(Err(format!(
                        "the order in which {other} and {size} are added to {heaps} matters"
                    )));
                }
            }
            self.control.advance(1);
        }
        Ok(Ok(()))
    }

    fn multiply(&mut self) -> Result<(), GenerateError> {
        let mut cancel_check = CancelCheck::new(self.control);
        self.product.try_reserve_exact(self.classes * self.classes)?;
        for class in 0..self.classes {
            cancel_check.spend(2 * self.classes)?;
            let row = self.product.len();
            self.product.push(class as u32);
            for &(parent, heap) in &self.parents[1..] {
                self.product.push(self.quotient.next(self.product[row + parent as usize], heap));
            }
        }
        Ok(())
    }

    fn product(&self, class: u32) -> &[u32] {
        &self.product[class as usize * self.classes..][..self.classes]
    }

    /// Returns the classes whose product with `class` is in `set`.
    fn residual(&self, class: u32, set: &ClassSet) -> ClassSet {
        let product = self.product(class);
        ClassSet::of(self.classes, |other| set.has(product[other] as usize))
    }

    /// Returns the kinds of heaps, by the plain rules.
    fn kinds(&self, rules: &HeapRules) -> Result<Vec<HeapKind>, GenerateError> {
        let mut cancel_check = CancelCheck::new(self.control);
        let lost: ClassSet = ClassSet::of(self.classes, |class| self.quotient.is_lost(class as u32));
        let lost_residuals: Vec<ClassSet> =
            (0..self.classes).map(|class| self.residual(class as u32, &lost)).collect();
        let class_of = |size: Heap| self.quotient.next(0, size);
        let (mut kinds, mut seen) = (Vec::new(), FxHashSet::default());
        for size in 1..=self.quotient.greatest() {
            let mut kind =
                HeapKind { class: class_of(size), wins: ClassSet::empty(self.classes), has_moves: false };
            cancel_check.spend(size as usize * (1 + self.classes / 64))?;
            let single_heap = Position { heaps: Heaps::from_iter([size]), passes: 0 };
            rules.each_move(&single_heap, |_, stones, _| {
                kind.wins.unite(&lost_residuals[class_of(size - stones as Heap) as usize]);
                kind.has_moves = true;
            });
            if seen.insert(kind.clone()) {
                kinds.push(kind);
            }
        }
        Ok(kinds)
    }

    /// Returns the classes of heaps without a move.
    fn classes_without_moves(&self, kinds: &[HeapKind]) -> Vec<u32> {
        let (mut found, mut seen) = (vec![0], ClassSet::empty(self.classes));
        seen.add(0);
        let mut next = 0;
        while let Some(&class) = found.get(next) {
            next += 1;
            for kind in kinds.iter().filter(|kind| !kind.has_moves) {
                let after = self.product(class)[kind.class as usize];
                if !seen.has(after as usize) {
                    seen.add(after as usize);
                    found.push(after);
                }
            }
        }
        found
    }

    /// Runs the induction over the number of heaps.
    fn induct(&self, rules: &HeapRules) -> Result<Result<(), String>, GenerateError> {
        let kinds = self.kinds(rules)?;
        let without_moves = self.classes_without_moves(&kinds);
        let end_is_lost = rules.play() == Play::Normal;
        if let Some(&class) = without_moves.iter().find(|&&class| self.quotient.is_lost(class) != end_is_lost)
        {
            return Ok(Err(format!("the outcome of {} is wrong: there is no move", self.example(class))));
        }
        let mut worklist = Worklist::new(self.classes);
        let mut cancel_check = CancelCheck::new(self.control);
        // A heap that has a move, added to heaps that have none.
        for &class in &without_moves {
            for kind in kinds.iter().filter(|kind| kind.has_moves) {
                cancel_check.spend(self.classes)?;
                let wins = self.residual(class, &kind.wins);
                worklist.add(self.product(class)[kind.class as usize], &wins, &wins);
            }
        }
        // Any heap, added to heaps that have a move.
        let kinds_per_piece = (PIECE / self.classes).max(1);
        let mut seen = ClassSet::empty(self.classes);
        while let Some((class, wins)) = worklist.next() {
            check_cancelled(self.control)?;
            if !seen.has(class as usize) {
                seen.add(class as usize);
                self.control.advance(1);
            }
            let add = |kind: &HeapKind| {
                let by_its_moves = self.residual(class, &kind.wins);
                let [sure, possible] = [&wins.sure, &wins.possible].map(|before| {
                    let mut after = self.residual(kind.class, before);
                    after.unite(&by_its_moves);
                    after
                });
                (self.product(class)[kind.class as usize], sure, possible)
            };
            let pieces: Vec<&[HeapKind]> = kinds.chunks(kinds_per_piece).collect();
            let added =
                parallel::map(pieces.len(), |piece| Ok(pieces[piece].iter().map(add).collect::<Vec<_>>()))?;
            added.flatten().for_each(|(class, sure, possible)| worklist.add(class, &sure, &possible));
        }
        for (class, wins) in (0..).zip(&worklist.wins) {
            let Some(wins) = wins else { continue };
            let example = || self.example(class);
            if self.quotient.is_lost(class) && wins.possible.has(0) {
                return Ok(Err(format!("heaps of the class of {} may be won, and count as lost", example())));
            }
            if !self.quotient.is_lost(class) && !wins.sure.has(0) {
                return Ok(Err(format!("heaps of the class of {} may be lost, and count as won", example())));
            }
        }
        Ok(Ok(()))
    }
}

/// The bounds on W so far, and the classes to continue from.
struct Worklist {
    /// For each class, the bounds so far; `None` if no heaps of the class have been reached.
    wins: Vec<Option<WinBounds>>,
    /// Queue of classes whose bounds have changed, each once.
    changed: VecDeque<u32>,
    /// For each class, whether it is in the queue.
    is_queued: Vec<bool>,
}

impl Worklist {
    fn new(classes: usize) -> Self {
        let wins = (0..classes).map(|_| None).collect();
        Self { wins, changed: VecDeque::new(), is_queued: vec![false; classes] }
    }

    /// Adds the bounds of some heaps of a class.
    fn add(&mut self, class: u32, sure: &ClassSet, possible: &ClassSet) {
        let new = match &mut self.wins[class as usize] {
            Some(known) => known.sure.intersect(sure) | known.possible.unite(possible),
            unknown => {
                *unknown = Some(WinBounds { sure: sure.clone(), possible: possible.clone() });
                true
            }
        };
        if new && !std::mem::replace(&mut self.is_queued[class as usize], true) {
            self.changed.push_back(class);
        }
    }

    /// Removes and returns the next class whose bounds have changed.
    fn next(&mut self) -> Option<(u32, WinBounds)> {
        let class = self.changed.pop_front()?;
        self.is_queued[class as usize] = false;
        self.wins[class as usize].clone().map(|wins| (class, wins))
    }
}
