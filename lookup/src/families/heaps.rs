//! Heap games: why a position is won or lost, by the theorem that decides the game, if one is known and
//! can be computed; otherwise by the table's own argument ([`refute`]).

use bouton_tables::heaps::theory::{Theory, grundy_values, wythoff_pairs};
use bouton_tables::heaps::{Heap, HeapRules, HeapTable, Move, Position, Take};
use bouton_tables::{AskError, Game, Outcome, Play, Solved};

use crate::explain::{
    Argument, ArgumentPart, Columns, Explain, HeapChange, MoveEffect, Sentence, Theorem, refute,
};

/// Largest heap that is explained by Grundy values or Wythoff pairs, which need the values of all smaller heaps.
const MAX_COMPUTED_HEAP: Heap = 1_000_000;

/// Maximum number of Grundy values shown.
const MAX_SHOWN_VALUES: usize = 64;
/// Maximum number of lost pairs or lost heaps shown.
const MAX_SHOWN_LOST: usize = 12;

/// Reasons why the table's own argument follows instead of a theorem's: the name of the sentence, and its words.
const NO_THEOREM: (&str, &str) =
    ("no-theorem", "Bouton knows no theorem that decides these rules; this is the table's own argument.");
const TOO_LARGE: (&str, &str) = (
    "too-large",
    "These heaps are too large for the game's theorem to be computed here; this is the table's own argument.",
);
const CONTRADICTED: (&str, &str) = (
    "contradicted",
    "The theorem that decides this game contradicts the table: do not trust the table, and run `bouton verify` on it. The \
     table's own argument:",
);

const NO_MOVE_KEEPS_SUM: &str =
    "a move changes one heap, and each column in which its number changes becomes odd.";

type HeapParts = Vec<ArgumentPart<HeapRules>>;

impl Explain for HeapTable {
    fn argue(&self, position: &Position, most: usize) -> Result<Argument<HeapRules>, AskError> {
        let answer = self.answer(position)?;
        let by_table = |reason: Option<(&'static str, &str)>| {
            let reason = reason.map(|(key, text)| ArgumentPart::Sentence(Sentence::new(key, text, &[])));
            let mut parts: HeapParts = reason.into_iter().collect();
            parts.push(ArgumentPart::Replies(refute(self, position, most)?));
            Ok(Argument(parts))
        };
        let Some(best) = answer.best else { return by_table(None) };
        let Some(theory) = Theory::of(self.game()) else { return by_table(Some(NO_THEOREM)) };
        let computes = matches!(theory, Theory::Grundy(Take::Exactly(_)) | Theory::Wythoff);
        if computes && position.heaps.iter().any(|&heap| heap > MAX_COMPUTED_HEAP) {
            return by_table(Some(TOO_LARGE));
        }
        let lost = answer.verdict.outcome == Outcome::Loss;
        let (least, most) = (position.heaps.iter().copied().min(), position.heaps.iter().copied().max());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        let judge = theory.judge(if theory == Theory::Wythoff { least } else { most });
        if judge.is_lost(&position.heaps) != lost {
            return by_table(Some(CONTRADICTED));
        }
        let next = self.game().after(position, best);
        let argument = HeapArgument { table: self, position, best, next: &next, lost };
        Ok(Argument(match &theory {
            Theory::Nim => argument.by_nim(),
            Theory::MisereNim => argument.by_misere_nim(),
            Theory::Grundy(take) => argument.by_grundy(take, most, |heap| judge.value(heap)),
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

/// Lists numbers, with dots if there are more.
fn list(numbers: &[u32], more: bool) -> String {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(", ") + if more { ", ..." } else { "" }
}

/// A position with moves left, and the data for an argument by any theorem. Each method `by_...` states its theorem and
/// draws the conclusions.
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

    /// Returns a conclusion: about a lost position with an example, otherwise with the effect of the best move.
    fn conclusion(&self, key: &'static str, text: String, numbers: &[u32]) -> Sentence {
        let sentence = Sentence::new(key, text, numbers);
        if !self.lost {
            return sentence.with_effect(self.effect());
        }
        match self.table.answer(self.next).ok().and_then(|answer| answer.best) {
            Some(answer) => sentence.with_example(self.best.to_string(), answer.to_string()),
            None => sentence,
        }
    }

    /// Argues by the columns of the heaps. Each conclusion follows the columns of a position: of this one, then of the
    /// position after the best move.
    fn by_columns(
        &self,
        theorem: Theorem,
        columns: impl Fn(&Position) -> Columns,
        conclusions: Vec<Sentence>,
    ) -> HeapParts {
        let mut parts = vec![ArgumentPart::Theorem(theorem)];
        for (position, sentence) in [self.position, self.next].into_iter().zip(conclusions) {
            parts.push(ArgumentPart::Columns(*position, columns(position)));
            parts.push(ArgumentPart::Sentence(sentence));
        }
        parts
    }

    fn by_nim(&self) -> HeapParts {
        let statement = "a position is lost if its nim-sum is 0, that is, if each column of the heaps in binary has an even \
                         number of ones.";
        self.by_nim_sum(Theorem::new("nim", "Bouton (1901)", Some(2), statement), |heap| heap)
    }

    /// Argues by the Grundy values of the heaps. `most` is the greatest heap.
    fn by_grundy(&self, take: &Take, most: Heap, value: impl Fn(Heap) -> u32 + Copy) -> HeapParts {
        // Compute one value more than is shown, to know whether there are more.
        let (values, more) =
            truncated(grundy_values(take, most.min(MAX_SHOWN_VALUES as Heap)), MAX_SHOWN_VALUES);
        let statement = format!(
            "the value of a heap is the least number that is not the value of a heap that a move can make from it. A position \
             is lost if the nim-sum of the values is 0: if each column has an even number of ones. The values of heaps of 0, \
             1, 2, ... stones: {}",
            list(&values, more)
        );
        let theorem = Theorem::new("grundy", "Sprague and Grundy", Some(2), &statement);
        self.by_nim_sum(Theorem { values, more, ..theorem }, value)
    }

    /// Argues by the nim-sum of the values of the heaps.
    fn by_nim_sum(&self, theorem: Theorem, value: impl Fn(Heap) -> u32 + Copy) -> HeapParts {
        let columns = |position: &Position| Columns::new(&position.heaps, value, 2);
        let conclusions = if self.lost {
            // Misère play ends differently: an odd number of single stones is lost.
            let end = match self.table.game().play() {
                Play::Misere => ", or leaves an odd number of heaps of one stone and no others",
                Play::Normal => "",
            };
            let text = format!(
                "The nim-sum is 0, and no move keeps it at 0: {NO_MOVE_KEEPS_SUM} The opponent's answer makes all columns even \
                 again{end}."
            );
            vec![self.conclusion("sum-is-zero", text, &[])]
        } else {
            let sum = columns(self.position).nim_sum().expect("the modulus is 2");
            let row = self.best.takes().next().map_or(0, |(row, _)| row);
            let [from, to] = [self.position, self.next].map(|position| value(position.heaps[row]));
            let effect = self.effect();
            let makes = format!(
                "The columns with a 1 in the nim-sum have to change, in one heap. {effect}: {from} xor {sum} is {to}, and the \
                 nim-sum becomes 0."
            );
            let stays = format!("From there no move keeps the sum 0: {NO_MOVE_KEEPS_SUM}");
            vec![
                self.conclusion("makes-sum-zero", makes, &[from, to, sum]),
                Sentence::new("sum-stays-not", stays, &[]),
            ]
        };
        self.by_columns(theorem, columns, conclusions)
    }

    /// Argues as in normal play, except where all heaps have at most one stone, now or after the winning move.
    fn by_misere_nim(&self) -> HeapParts {
        let has_ones_only = |position: &Position| position.heaps.iter().all(|&heap| heap <= 1);
        let ones = |position: &Position| position.heaps.iter().filter(|&&heap| heap == 1).count();
        let statement = "as long as some heap has two stones or more, a position is lost if its nim-sum is 0, as in normal \
                         play. When no heap has two stones or more, each move takes a heap of one stone: then a position is \
                         lost if the number of these heaps is odd.";
        let theorem = Theorem::new("misere-nim", "Bouton (1901), misère play", Some(2), statement);
        if !has_ones_only(self.position) && (self.lost || !has_ones_only(self.next)) {
            return self.by_nim_sum(theorem, |heap| heap);
        }
        let single_stones = |heaps: usize| match heaps {
            1 => "1 heap of one stone".to_owned(),
            _ => format!("{heaps} heaps of one stone"),
        };
        let sentence = if has_ones_only(self.position) {
            let heaps = ones(self.position);
            let (parity, last) = match heaps % 2 {
                0 => ("even", "the opponent"),
                _ => ("odd", "the player to move"),
            };
            let text = format!(
                "The position has {}: the number is {parity}, so {last} has to take the last one.",
                single_stones(heaps)
            );
            Sentence::new("ones", text, &[heaps as u32])
        } else {
            let (effect, heaps) = (self.effect(), ones(self.next));
            let text = format!(
                "Here misère play departs from normal play, as the move leaves no heap of two stones or more. {effect}, which \
                 leaves {}: an odd number, of which the opponent has to take the last one. In normal play one would leave an \
                 even number.",
                single_stones(heaps)
            );
            Sentence::new("leaves-ones", text, &[heaps as u32]).with_effect(effect)
        };
        vec![ArgumentPart::Theorem(theorem), ArgumentPart::Sentence(sentence)]
    }

    /// Argues by the remainder of the only heap.
    fn by_bachet(&self, modulus: u32, rest: u32) -> HeapParts {
        let greatest = self.table.game().greatest_bound();
        // Compute one heap more than is shown, to know whether there are more.
        let lost = (rest..=greatest).step_by(modulus as usize).take(MAX_SHOWN_LOST + 1);
        let (lost, more) = truncated(lost.collect(), MAX_SHOWN_LOST);
        let rule = match rest {
            0 => format!("{modulus} divides the heap"),
            _ => format!("the heap leaves remainder 1 when divided by {modulus}"),
        };
        let statement = format!(
            "a position is lost if {rule}: {}. Whatever one player takes, the other can bring the total taken to {modulus}.",
            list(&lost, more)
        );
        let theorem = Theorem::new("bachet", "Bachet (1612)", Some(modulus), &statement);
        let (position, subject) = match self.lost {
            true => (self.position, String::new()),
            false => (self.next, format!("{}: ", self.effect())),
        };
        let heap = position.heaps[0];
        let remainder = match rest {
            0 => format!("{modulus} divides {heap}."),
            rest => format!("{heap} divided by {modulus} leaves {rest}."),
        };
        let consequence = match (heap == rest, self.lost) {
            (true, _) if rest == 0 => String::new(),
            (true, false) => " The opponent has to take the last one.".to_owned(),
            (true, true) => " The player to move has to take the last one.".to_owned(),
            (false, false) => {
                format!(
                    " Whatever the opponent takes, bring the total taken to {modulus}, and this stays true."
                )
            }
            (false, true) => format!(
                " Whatever the player to move takes, the opponent can bring the total taken to {modulus}, and this stays true."
            ),
        };
        let text = subject + &remainder + &consequence;
        vec![
            ArgumentPart::Theorem(Theorem { values: lost, more, ..theorem }),
            ArgumentPart::Sentence(self.conclusion("rest", text, &[heap, modulus, rest])),
        ]
    }

    /// Argues by the number of ones in each column modulo k + 1, where a move takes from up to k = `heaps` heaps.
    fn by_moore(&self, heaps: u32) -> HeapParts {
        let modulus = heaps + 1;
        let statement = format!(
            "with up to {heaps} heaps a move, a position is lost if the number of ones in each column of the heaps in binary is \
             a multiple of {modulus}."
        );
        let theorem = Theorem::new("moore", "Moore (1910)", Some(modulus), &statement);
        let columns = |position: &Position| Columns::new(&position.heaps, |heap| heap, modulus);
        let no_move_keeps_them = format!(
            "no move keeps all of them multiples: in the highest column that a move changes, it takes away between 1 and {heaps} \
             ones."
        );
        let conclusions = if self.lost {
            let text = format!("All are multiples of {modulus}, and {no_move_keeps_them}");
            vec![self.conclusion("all-multiples", text, &[modulus])]
        } else {
            let effect = self.effect();
            let makes = format!("{effect}, and every column becomes a multiple of {modulus}:");
            let stays = format!("From there {no_move_keeps_them}");
            vec![
                self.conclusion("makes-multiples", makes, &[modulus]),
                Sentence::new("multiples-stay-not", stays, &[modulus]),
            ]
        };
        self.by_columns(theorem, columns, conclusions)
    }

    /// Argues by the list of lost pairs.
    fn by_wythoff(&self) -> HeapParts {
        let least = |position: &Position| position.heaps.iter().copied().min().unwrap_or(0);
        let pairs = wythoff_pairs(least(if self.lost { self.position } else { self.next }));
        let number = pairs.len() - 1;
        let (a, b) = pairs[number];
        let (pairs, more) = truncated(pairs, MAX_SHOWN_LOST);
        let shown: Vec<String> = pairs.iter().map(|(a, b)| format!("({a},{b})")).collect();
        let statement = format!(
            "the lost pairs are (a, a + n) for n = 0, 1, 2, ..., where a is the least number that no earlier pair has: {}{}",
            shown.join(" "),
            if more { " ..." } else { "" }
        );
        let theorem = Theorem::new("wythoff", "Wythoff (1907)", None, &statement);
        let values = pairs.iter().flat_map(|&(a, b)| [a, b]).collect();
        let subject = if self.lost { "This is".to_owned() } else { format!("{}:", self.effect()) };
        let text = format!(
            "{subject} ({a},{b}), pair number {number}. No move leads from one lost pair to another, since no two of them have a \
             number in common, and no two the same difference."
        );
        let mut sentence = Sentence::new("lost-pair", text, &[number as u32, a, b]);
        if !self.lost {
            sentence = sentence.with_effect(self.effect());
        }
        vec![ArgumentPart::Theorem(Theorem { values, more, ..theorem }), ArgumentPart::Sentence(sentence)]
    }
}
