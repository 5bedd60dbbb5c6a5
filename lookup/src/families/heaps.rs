//! Heap games: why a position is won or lost, by the theorem that decides the game, or by the table.

use bouton_tables::heaps::theory::{Theory, column_sums, grundy_values, nim_sum, wythoff_pairs};
use bouton_tables::heaps::{Heap, HeapTable, Move, Position, Take};
use bouton_tables::{AskError, Game, Outcome, Solved};

use crate::explain::{Argument, Columns, Deed, Explain, Made, Part, Row, Sentence, Theorem, Try, refute};

/// The longest heap for which the values of all smaller ones are computed to explain a position.
const LONGEST: Heap = 1_000_000;

/// So many values of the smallest heaps, and so many lost pairs or lost heaps, are shown.
const VALUES: usize = 64;
const PAIRS: usize = 12;

type Parts = Vec<Part<Position, Move>>;

/// In the words of the theorem that decides the game, if there is one, else by a refutation of every reply.
impl Explain for HeapTable {
    fn argue(&self, position: &Position, most: usize) -> Result<Argument<Position, Move>, AskError> {
        let answer = self.answer(position)?;
        let by_table = |why: Option<Sentence>| {
            let mut parts: Parts = why.into_iter().map(Part::Sentence).collect();
            parts.push(Part::Replies(refute(self, position, most)?));
            Ok(Argument(parts))
        };
        let Some(best) = answer.best else { return by_table(None) };
        let Some(theory) = Theory::of(self.game()) else { return by_table(Some(Sentence::NoTheorem)) };
        let computes = matches!(theory, Theory::Grundy(Take::Exactly(_)) | Theory::Wythoff);
        if computes && position.heaps.iter().any(|&heap| heap > LONGEST) {
            return by_table(Some(Sentence::TooLarge));
        }
        let lost = answer.verdict.outcome == Outcome::Loss;
        let (least, most) = (position.heaps.iter().copied().min(), position.heaps.iter().copied().max());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        let judge = theory.judge(if theory == Theory::Wythoff { least } else { most });
        if judge.is_lost(&position.heaps) != lost {
            return by_table(Some(Sentence::Contradicted));
        }
        let next = self.game().after(position, best);
        let case = Case { table: self, position, best, next: &next, lost };
        Ok(Argument(match &theory {
            Theory::Nim => case.nim_sum(Theorem::Nim, |heap| heap),
            Theory::MisereNim => case.misere(),
            Theory::Grundy(take) => {
                // One more than is shown, to know whether there are more.
                let (values, more) = first(grundy_values(take, most.min(VALUES as Heap)), VALUES);
                case.nim_sum(Theorem::Grundy { values, more }, |heap| judge.value(heap))
            }
            Theory::Bachet { at_once, rest } => case.rest(at_once + 1, *rest),
            Theory::Moore(at_once) => case.moore(*at_once as u32),
            Theory::Wythoff => case.wythoff(),
        }))
    }
}

/// So many of a list, and whether it has more.
fn first<T>(mut all: Vec<T>, most: usize) -> (Vec<T>, bool) {
    let more = all.len() > most;
    all.truncate(most);
    (all, more)
}

/// A position of a game with moves left, and the best move.
struct Case<'a> {
    table: &'a HeapTable,
    position: &'a Position,
    best: Move,
    next: &'a Position,
    lost: bool,
}

impl Case<'_> {
    /// What the best move does.
    fn deed(&self) -> Deed {
        let made = |(row, _): (usize, Heap)| Made {
            row: row + 1,
            from: self.position.heaps[row],
            to: self.next.heaps[row],
        };
        Deed { chosen: self.best.to_string(), made: self.best.takes().map(made).collect() }
    }

    /// What the opponent does against the best try of a lost position.
    fn example(&self) -> Option<Try> {
        let answer = self.table.answer(self.next).ok()?.best?;
        Some(Try { chosen: self.best.to_string(), answer: answer.to_string() })
    }

    fn nim_sum(&self, theorem: Theorem, value: impl Fn(Heap) -> u32 + Copy) -> Parts {
        let columns = |position: &Position| {
            let rows: Vec<Row> =
                position.heaps.iter().map(|&heap| Row { heap, value: value(heap) }).collect();
            let sum = nim_sum(&rows.iter().map(|row| row.value).collect::<Vec<_>>());
            let all = rows.iter().fold(sum, |all, row| all | row.value);
            let sums = (0..u32::BITS - all.leading_zeros()).map(|column| sum >> column & 1).collect();
            (sum, Part::Columns(*position, Columns { rows, sums, modulus: 2 }))
        };
        let (sum, here) = columns(self.position);
        let misere = theorem == Theorem::MisereNim;
        let mut parts = vec![Part::Theorem(theorem), here];
        if self.lost {
            parts.push(Part::Sentence(Sentence::SumIsZero { misere, example: self.example() }));
            return parts;
        }
        let row = self.best.takes().next().map_or(0, |(row, _)| row);
        let values = [self.position, self.next].map(|position| value(position.heaps[row]));
        let (_, after) = columns(self.next);
        let deed = self.deed();
        parts.extend([
            Part::Sentence(Sentence::MakesSumZero { deed, values, sum }),
            after,
            Part::Sentence(Sentence::SumStaysNot),
        ]);
        parts
    }

    fn misere(&self) -> Parts {
        let small = |position: &Position| position.heaps.iter().all(|&heap| heap <= 1);
        let ones = |position: &Position| position.heaps.iter().filter(|&&heap| heap == 1).count();
        if !small(self.position) && (self.lost || !small(self.next)) {
            return self.nim_sum(Theorem::MisereNim, |heap| heap);
        }
        let here = if small(self.position) {
            Sentence::Ones { heaps: ones(self.position) }
        } else {
            Sentence::LeavesOnes { deed: self.deed(), heaps: ones(self.next) }
        };
        vec![Part::Theorem(Theorem::MisereNim), Part::Sentence(here)]
    }

    fn rest(&self, modulus: u32, rest: u32) -> Parts {
        let greatest = self.table.game().greatest();
        // One more than is shown, as above.
        let lost = (rest..=greatest).step_by(modulus as usize).take(PAIRS + 1);
        let (lost, more) = first(lost.collect(), PAIRS);
        let (position, deed, example) = match self.lost {
            true => (self.position, None, self.example()),
            false => (self.next, Some(self.deed()), None),
        };
        let heap = position.heaps[0];
        vec![
            Part::Theorem(Theorem::Bachet { modulus, lost, more }),
            Part::Sentence(Sentence::Rest { deed, heap, modulus, rest, example }),
        ]
    }

    fn moore(&self, heaps: u32) -> Parts {
        let modulus = heaps + 1;
        let columns = |position: &Position| {
            let rows = position.heaps.iter().map(|&heap| Row { heap, value: heap }).collect();
            let sums = column_sums(&position.heaps).iter().map(|sum| sum % modulus).collect();
            Part::Columns(*position, Columns { rows, sums, modulus })
        };
        let mut parts = vec![Part::Theorem(Theorem::Moore { heaps }), columns(self.position)];
        if self.lost {
            parts.push(Part::Sentence(Sentence::AllMultiples { modulus, example: self.example() }));
            return parts;
        }
        parts.extend([
            Part::Sentence(Sentence::MakesMultiples { modulus, deed: self.deed() }),
            columns(self.next),
            Part::Sentence(Sentence::MultiplesStayNot { modulus }),
        ]);
        parts
    }

    fn wythoff(&self) -> Parts {
        let least = |position: &Position| position.heaps.iter().copied().min().unwrap_or(0);
        let pairs = wythoff_pairs(least(if self.lost { self.position } else { self.next }));
        let number = pairs.len() - 1;
        let pair = pairs[number];
        let (pairs, more) = first(pairs, PAIRS);
        let deed = (!self.lost).then(|| self.deed());
        vec![
            Part::Theorem(Theorem::Wythoff { pairs, more }),
            Part::Sentence(Sentence::LostPair { deed, pair, number }),
        ]
    }
}
