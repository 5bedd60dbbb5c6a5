//! Heap games: why a position is won or lost, by the theorem that decides the game, if one is known and
//! can be computed; otherwise by the table's own argument ([`refute`]).

use bouton_tables::heaps::theory::{Theory, grundy_values, wythoff_pairs};
use bouton_tables::heaps::{Heap, HeapTable, Move, Position, Take};
use bouton_tables::{AskError, Game, Outcome, Play, Solved};

use crate::explain::{
    Argument, ArgumentPart, Columns, ExampleReply, Explain, HeapChange, MoveEffect, Sentence, Theorem, refute,
};

/// Largest heap that is explained by Grundy values or Wythoff pairs, which need the values of all smaller heaps.
const MAX_COMPUTED_HEAP: Heap = 1_000_000;

/// Maximum number of Grundy values shown.
const MAX_SHOWN_VALUES: usize = 64;
/// Maximum number of lost pairs or lost heaps shown.
const MAX_SHOWN_LOST: usize = 12;

type HeapParts = Vec<ArgumentPart<Position, Move>>;

impl Explain for HeapTable {
    fn argue(&self, position: &Position, most: usize) -> Result<Argument<Position, Move>, AskError> {
        let answer = self.answer(position)?;
        let by_table = |reason: Option<Sentence>| {
            let mut parts: HeapParts = reason.into_iter().map(ArgumentPart::Sentence).collect();
            parts.push(ArgumentPart::Replies(refute(self, position, most)?));
            Ok(Argument(parts))
        };
        let Some(best) = answer.best else { return by_table(None) };
        let Some(theory) = Theory::of(self.game()) else { return by_table(Some(Sentence::no_theorem())) };
        let computes = matches!(theory, Theory::Grundy(Take::Exactly(_)) | Theory::Wythoff);
        if computes && position.heaps.iter().any(|&heap| heap > MAX_COMPUTED_HEAP) {
            return by_table(Some(Sentence::too_large()));
        }
        let lost = answer.verdict.outcome == Outcome::Loss;
        let (least, most) = (position.heaps.iter().copied().min(), position.heaps.iter().copied().max());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        let judge = theory.judge(if theory == Theory::Wythoff { least } else { most });
        if judge.is_lost(&position.heaps) != lost {
            return by_table(Some(Sentence::contradicted()));
        }
        let next = self.game().after(position, best);
        let argument = HeapArgument { table: self, position, best, next: &next, lost };
        Ok(Argument(match &theory {
            Theory::Nim => argument.by_nim_sum(Theorem::nim(), |heap| heap),
            Theory::MisereNim => argument.by_misere_nim(),
            Theory::Grundy(take) => {
                // Compute one value more than is shown, to know whether there are more.
                let (values, more) =
                    truncated(grundy_values(take, most.min(MAX_SHOWN_VALUES as Heap)), MAX_SHOWN_VALUES);
                argument.by_nim_sum(Theorem::grundy(values, more), |heap| judge.value(heap))
            }
            Theory::Bachet { at_once, rest } => argument.by_bachet(at_once + 1, *rest),
            Theory::Moore(at_once) => argument.by_moore(*at_once as u32),
            Theory::Wythoff => argument.by_wythoff(),
        }))
    }
}

/// Returns the first `most` items of a list, and whether there were more.
fn truncated<T>(mut all: Vec<T>, most: usize) -> (Vec<T>, bool) {
    let more = all.len() > most;
    all.truncate(most);
    (all, more)
}

/// A position with moves left, and what all arguments about it need.
struct HeapArgument<'a> {
    table: &'a HeapTable,
    position: &'a Position,
    best: Move,
    /// The position after `best`.
    next: &'a Position,
    /// Whether `position` is lost.
    lost: bool,
}

impl HeapArgument<'_> {
    /// Returns the best move and its effect.
    fn effect(&self) -> MoveEffect {
        let change = |(row, _): (usize, Heap)| HeapChange {
            row: row + 1,
            from: self.position.heaps[row],
            to: self.next.heaps[row],
        };
        MoveEffect { chosen: self.best.to_string(), changes: self.best.takes().map(change).collect() }
    }

    /// Returns the best move of a lost position, and the opponent's answer to it.
    fn example(&self) -> Option<ExampleReply> {
        let answer = self.table.answer(self.next).ok()?.best?;
        Some(ExampleReply { chosen: self.best.to_string(), answer: answer.to_string() })
    }

    /// Argues by the nim-sum of the values of the heaps.
    fn by_nim_sum(&self, theorem: Theorem, value: impl Fn(Heap) -> u32 + Copy) -> HeapParts {
        let columns = |position: &Position| Columns::new(&position.heaps, value, 2);
        let before = columns(self.position);
        let sum = before.nim_sum().expect("the modulus is 2");
        let mut parts = vec![ArgumentPart::Theorem(theorem), ArgumentPart::Columns(*self.position, before)];
        if self.lost {
            let misere = self.table.game().play() == Play::Misere;
            parts.push(ArgumentPart::Sentence(Sentence::sum_is_zero(misere, self.example())));
            return parts;
        }
        let row = self.best.takes().next().map_or(0, |(row, _)| row);
        let [from, to] = [self.position, self.next].map(|position| value(position.heaps[row]));
        parts.extend([
            ArgumentPart::Sentence(Sentence::makes_sum_zero(self.effect(), from, to, sum)),
            ArgumentPart::Columns(*self.next, columns(self.next)),
            ArgumentPart::Sentence(Sentence::sum_stays_not()),
        ]);
        parts
    }

    /// Argues as in normal play, except where all heaps have at most one stone, now or after the best move.
    fn by_misere_nim(&self) -> HeapParts {
        let has_ones_only = |position: &Position| position.heaps.iter().all(|&heap| heap <= 1);
        let ones = |position: &Position| position.heaps.iter().filter(|&&heap| heap == 1).count();
        if !has_ones_only(self.position) && (self.lost || !has_ones_only(self.next)) {
            return self.by_nim_sum(Theorem::misere_nim(), |heap| heap);
        }
        let sentence = if has_ones_only(self.position) {
            Sentence::ones(ones(self.position))
        } else {
            Sentence::leaves_ones(self.effect(), ones(self.next))
        };
        vec![ArgumentPart::Theorem(Theorem::misere_nim()), ArgumentPart::Sentence(sentence)]
    }

    /// Argues by the remainder of the only heap.
    fn by_bachet(&self, modulus: u32, rest: u32) -> HeapParts {
        let greatest = self.table.game().greatest_bound();
        // Compute one heap more than is shown, to know whether there are more.
        let lost = (rest..=greatest).step_by(modulus as usize).take(MAX_SHOWN_LOST + 1);
        let (lost, more) = truncated(lost.collect(), MAX_SHOWN_LOST);
        let (position, effect, example) = match self.lost {
            true => (self.position, None, self.example()),
            false => (self.next, Some(self.effect()), None),
        };
        let heap = position.heaps[0];
        vec![
            ArgumentPart::Theorem(Theorem::bachet(modulus, lost, more)),
            ArgumentPart::Sentence(Sentence::rest(effect, heap, modulus, rest, example)),
        ]
    }

    /// Argues by the number of ones in each column, modulo one more than the heaps that a move may take from.
    fn by_moore(&self, heaps: u32) -> HeapParts {
        let modulus = heaps + 1;
        let columns = |position: &Position| {
            ArgumentPart::Columns(*position, Columns::new(&position.heaps, |heap| heap, modulus))
        };
        let mut parts = vec![ArgumentPart::Theorem(Theorem::moore(heaps)), columns(self.position)];
        if self.lost {
            parts.push(ArgumentPart::Sentence(Sentence::all_multiples(modulus, self.example())));
            return parts;
        }
        parts.extend([
            ArgumentPart::Sentence(Sentence::makes_multiples(self.effect(), modulus)),
            columns(self.next),
            ArgumentPart::Sentence(Sentence::multiples_stay_not(modulus)),
        ]);
        parts
    }

    /// Argues by the list of lost pairs.
    fn by_wythoff(&self) -> HeapParts {
        let least = |position: &Position| position.heaps.iter().copied().min().unwrap_or(0);
        let pairs = wythoff_pairs(least(if self.lost { self.position } else { self.next }));
        let number = pairs.len() - 1;
        let pair = pairs[number];
        let (pairs, more) = truncated(pairs, MAX_SHOWN_LOST);
        let effect = (!self.lost).then(|| self.effect());
        vec![
            ArgumentPart::Theorem(Theorem::wythoff(&pairs, more)),
            ArgumentPart::Sentence(Sentence::lost_pair(effect, number, pair)),
        ]
    }
}
