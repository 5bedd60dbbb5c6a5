//! Heap games: why a position is won or lost, by the theorem that decides the game, or by the table.

mod columns;

use bouton_tables::heaps::theory::{Theory, column_sums, grundy_values, nim_sum, wythoff_pairs};
use bouton_tables::heaps::{Heap, HeapTable, Move, Position, Take};
use bouton_tables::{AskError, Game, Outcome, Solved};

use self::columns::{Row, Sums, show};
use crate::Explain;
use crate::explain::{explain_by_refutation, paragraph};

/// The longest heap for which the values of all smaller ones are computed to explain a position.
const LONGEST: Heap = 1_000_000;

/// In the words of the theorem that decides the game, if there is one, else by a refutation of every reply.
impl<D: AsRef<[u8]>> Explain for HeapTable<D> {
    fn explain(&self, position: &Position) -> Result<String, AskError> {
        let answer = self.answer(position)?;
        let Some(best) = answer.best else { return explain_by_refutation(self, position) };
        let by_table = |why: &str| {
            let argument = explain_by_refutation(self, position)?;
            Ok(format!("{}\n{argument}", paragraph(why)))
        };
        let Some(theory) = Theory::of(self.game()) else {
            return by_table("No theorem known here decides these rules; this is the table's own argument.");
        };
        let computes = matches!(theory, Theory::Grundy(Take::Exactly(_)) | Theory::Wythoff);
        if computes && position.heaps.iter().any(|&heap| heap > LONGEST) {
            return by_table(
                "These heaps are too large to compute here what the theorem of the game says of them; this is the \
                 table's own argument.",
            );
        }
        let lost = answer.verdict.outcome == Outcome::Loss;
        let (least, most) = (position.heaps.iter().copied().min(), position.heaps.iter().copied().max());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        let judge = theory.judge(if theory == Theory::Wythoff { least } else { most });
        if judge.is_lost(&position.heaps) != lost {
            return by_table(
                "The theorem that decides this game contradicts the table: do not trust the table, and run `bouton verify` \
                 on it. The table's own argument:",
            );
        }
        let next = self.game().after(position, best);
        let case = Case { table: self, position, best, next: &next, lost };
        Ok(match &theory {
            Theory::Nim => case.nim_sum(NIM, |heap| heap),
            Theory::MisereNim => case.misere(),
            Theory::Grundy(take) => {
                // One more than is shown, to know whether there are more.
                let values = grundy_values(take, most.min(SHOWN as Heap));
                let shown: Vec<String> = values.iter().take(SHOWN).map(ToString::to_string).collect();
                let more = if values.len() > SHOWN { ", ..." } else { "" };
                let first = format!("The values of heaps of 0, 1, 2, ... stones: {}{more}", shown.join(", "));
                case.nim_sum(&format!("{GRUNDY} {first}"), |heap| judge.value(heap))
            }
            Theory::Moore(at_once) => case.moore(*at_once as u32 + 1),
            Theory::Wythoff => case.wythoff(),
        })
    }
}

/// So many values of the smallest heaps are shown.
const SHOWN: usize = 64;

const NIM: &str = "\
Bouton (1901): a position is lost if its nim-sum is 0, that is, if each column of the heaps in binary has an \
even number of ones.";
const GRUNDY: &str = "\
Sprague and Grundy: the value of a heap is the least number that is not the value of a heap which a move can \
make of it. A position is lost if the nim-sum of the values is 0: if each column has an even number of ones.";
const MISERE: &str = "\
Bouton (1901), misère play: as long as some heap has two stones or more, a position is lost if its nim-sum \
is 0, as in normal play. When all heaps have at most one stone, each move takes one of them: then a position \
is lost if their number is odd.";
const NO_MOVE_KEEPS_IT: &str = "\
a move changes one heap, and each column in which its number changes becomes odd.";

/// A position of a game with moves left, and the best move.
struct Case<'a, D> {
    table: &'a HeapTable<D>,
    position: &'a Position,
    best: Move,
    next: &'a Position,
    lost: bool,
}

impl<D: AsRef<[u8]>> Case<'_, D> {
    /// What the best move does, as "1:2 makes 5 of 7 in row 1".
    fn deed(&self) -> String {
        let of = |(row, _): (usize, Heap)| {
            format!("{} of {} in row {}", self.next.heaps[row], self.position.heaps[row], row + 1)
        };
        let all: Vec<String> = self.best.takes().map(of).collect();
        format!("{} makes {}", self.best, all.join(" and "))
    }

    /// What the opponent does against the best try of a lost position.
    fn reply(&self) -> String {
        let reply = self.table.answer(self.next).ok().and_then(|answer| answer.best);
        reply.map_or_else(String::new, |reply| {
            format!(" After {}, for example, the answer is {reply}.", self.best)
        })
    }

    fn nim_sum(&self, theorem: &str, value: impl Fn(Heap) -> u32 + Copy) -> String {
        let columns = |position: &Position| {
            let rows: Vec<Row> =
                position.heaps.iter().map(|&heap| Row { heap, value: value(heap) }).collect();
            let sum = nim_sum(&rows.iter().map(|row| row.value).collect::<Vec<_>>());
            let all = rows.iter().fold(sum, |all, row| all | row.value);
            let columns = (0..u32::BITS - all.leading_zeros()).map(|column| sum >> column & 1).collect();
            (sum, show(&rows, &Sums { label: "nim-sum", number: Some(sum), columns }))
        };
        let (sum, shown) = columns(self.position);
        let start = format!("{}\n{shown}\n", paragraph(theorem));
        if self.lost {
            let reply = self.reply();
            let end = if theorem == MISERE {
                ", or leaves an odd number of heaps of one stone and no others"
            } else {
                ""
            };
            return start
                + &paragraph(&format!(
                    "The nim-sum is 0, and no move keeps it so: {NO_MOVE_KEEPS_IT} The opponent's answer makes all columns \
                     even again{end}.{reply}"
                ));
        }
        let row = self.best.takes().next().map_or(0, |(row, _)| row);
        let (from, to) = (value(self.position.heaps[row]), value(self.next.heaps[row]));
        let (_, after) = columns(self.next);
        let deed = paragraph(&format!(
            "The columns with a 1 in the nim-sum have to change, in one heap. {}: {from} xor {sum} is {to}, and the nim-sum becomes 0.",
            self.deed()
        ));
        let end = paragraph(&format!("From there no move keeps the sum 0: {NO_MOVE_KEEPS_IT}"));
        format!("{start}{deed}\n{after}\n{end}")
    }

    fn misere(&self) -> String {
        let small = |position: &Position| position.heaps.iter().all(|&heap| heap <= 1);
        let ones = |position: &Position| match position.heaps.iter().filter(|&&heap| heap == 1).count() {
            1 => (1, "1 heap of one stone".to_owned()),
            n => (n, format!("{n} heaps of one stone")),
        };
        if !small(self.position) && (self.lost || !small(self.next)) {
            return self.nim_sum(MISERE, |heap| heap);
        }
        let here = if small(self.position) {
            let (number, heaps) = ones(self.position);
            let (parity, last) = match number % 2 {
                0 => ("even", "the opponent"),
                _ => ("odd", "the player to move"),
            };
            format!("The position has {heaps}: the number is {parity}, so {last} has to take the last one.")
        } else {
            format!(
                "Here misère play departs from normal play, as the move leaves no heap of two stones or more. {}, which \
                 leaves {}: an odd number, of which the opponent has to take the last one. In normal play one would \
                 leave an even number.",
                self.deed(),
                ones(self.next).1
            )
        };
        format!("{}\n{}", paragraph(MISERE), paragraph(&here))
    }

    fn moore(&self, modulus: u32) -> String {
        let columns = |position: &Position| {
            let rows: Vec<Row> = position.heaps.iter().map(|&heap| Row { heap, value: heap }).collect();
            let label = format!("ones mod {modulus}");
            let columns = column_sums(&position.heaps).iter().map(|sum| sum % modulus).collect();
            show(&rows, &Sums { label: &label, number: None, columns })
        };
        let theorem = paragraph(&format!(
            "Moore (1910): with up to {} heaps a move, a position is lost if the number of ones in each column of the heaps \
             in binary is a multiple of {modulus}.",
            modulus - 1
        ));
        let why = format!(
            "no move keeps them so: in the highest column that a move changes, it takes away between 1 and {} ones.",
            modulus - 1
        );
        let here = columns(self.position);
        if self.lost {
            let end = paragraph(&format!("All are multiples of {modulus}, and {why}{}", self.reply()));
            return format!("{theorem}\n{here}\n{end}");
        }
        let deed = paragraph(&format!("{}, and every column becomes a multiple of {modulus}:", self.deed()));
        let end = paragraph(&format!("From there {why}"));
        format!("{theorem}\n{here}\n{deed}\n{}\n{end}", columns(self.next))
    }

    fn wythoff(&self) -> String {
        let least = |position: &Position| position.heaps.iter().copied().min().unwrap_or(0);
        let pairs = wythoff_pairs(least(if self.lost { self.position } else { self.next }));
        let shown: Vec<String> = pairs.iter().take(12).map(|(a, b)| format!("({a},{b})")).collect();
        let more = if pairs.len() > 12 { " ..." } else { "" };
        let theorem = paragraph(&format!(
            "Wythoff (1907): the lost pairs are (0,0) and then each time the least number that no earlier pair has, with \
             the number of the pair added to it for the other heap: {}{more}",
            shown.join(" ")
        ));
        let number = pairs.len() - 1;
        let (a, b) = pairs[number];
        let deed = if self.lost { "This is".to_owned() } else { format!("{}:", self.deed()) };
        let end = paragraph(&format!(
            "{deed} ({a},{b}), pair number {number}. No move leads from one lost pair to another, since no two of them have \
             a number in common, and no two the same difference."
        ));
        format!("{theorem}\n{end}")
    }
}
