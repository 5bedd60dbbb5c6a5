//! Reads positions and moves of heap games in informal words, such as `take 2 from row 3`.

use crate::word_cursor::{TAKE, WordCursor};

const ROW: [&str; 6] = ["row", "rows", "heap", "heaps", "pile", "piles"];
const FROM: [&str; 2] = ["from", "of"];
const PASSES: [&str; 2] = ["pass", "passes"];

/// Returns the notation of a position: `3 5 7`, `3-5-7`, `heaps 3, 5 and 7` and `3;5;7` become `3,5,7`. The passes
/// left follow after a slash or in words.
pub(super) fn position(text: &str) -> Option<String> {
    let mut typed = WordCursor::new(text);
    typed.word(&ROW);
    let is_bracketed = typed.mark(&['(', '[']);
    let mut heaps = vec![typed.number()?];
    while let Some(heap) = next_heap(&mut typed) {
        heaps.push(heap);
    }
    typed.mark(&[',', ';', '.']);
    if is_bracketed && !typed.mark(&[')', ']']) {
        return None;
    }
    let passes = passes(&mut typed, &mut heaps);
    let heaps = heaps.join(",");
    typed.is_empty().then(|| passes.map_or(heaps.clone(), |passes| format!("{heaps}/{passes}")))
}

/// Reads a separator and a heap.
fn next_heap<'a>(typed: &mut WordCursor<'a>) -> Option<&'a str> {
    let mut after = *typed;
    if after.mark(&[',', ';']) {
        after.word(&["and"]);
    } else if after.mark(&['-']) {
        while after.mark(&['-']) {}
    } else if !after.mark(&['.', '+', '&', '×']) {
        after.word(&["x", "and"]);
    }
    let heap = after.number()?;
    *typed = after;
    Some(heap)
}

/// Reads the passes left: `/1`, `passes left: 1`, or `1 pass left`, whose number was first read as a heap.
fn passes<'a>(typed: &mut WordCursor<'a>, heaps: &mut Vec<&'a str>) -> Option<&'a str> {
    let mut after = *typed;
    let has_slash = after.mark(&['/']);
    let has_word = after.word(&PASSES);
    if !has_slash && !has_word {
        return None;
    }
    after.mark(&[':']);
    let passes = match after.number() {
        Some(passes) => passes,
        None if has_word && !has_slash && heaps.len() > 1 => heaps.pop()?,
        None => return None,
    };
    *typed = after;
    Some(passes)
}

/// Returns the notation of a move: `take 2 from row 3`, `row 3: 2` and `2 of heap 3` become `3:2`. In a game of one
/// heap, a single number is the number of stones.
pub(super) fn chosen(text: &str, heaps: usize) -> Option<String> {
    let mut typed = WordCursor::new(text);
    let has_verb = typed.word(&TAKE);
    if typed.word(if has_verb { &["nothing"] } else { &["pass", "passes", "nothing"] }) {
        return typed.is_empty().then(|| "pass".to_owned());
    }
    let mut notation = String::new();
    loop {
        let (row, take) = one_take(&mut typed, heaps)?;
        if !notation.is_empty() {
            notation.push('+');
        }
        notation.extend([row, ":", take]);
        if typed.is_empty() {
            return Some(notation);
        }
        if !typed.mark(&['+', '&']) && !typed.word(&["and"]) {
            return None;
        }
    }
}

/// Reads one take. Returns the row and the number of stones.
fn one_take<'a>(typed: &mut WordCursor<'a>, heaps: usize) -> Option<(&'a str, &'a str)> {
    typed.word(&TAKE);
    let mut after = *typed;
    let is_row_named = after.word(&FROM) | after.word(&ROW);
    let number = after.number()?;
    let is_separated = after.mark(&[':']) || is_row_named && after.mark(&[',']);
    let row_and_take = if is_row_named || is_separated {
        // The row comes first: `3:2`, `row 3: 2`, `from row 3 take 2`.
        let has_verb = after.word(&TAKE);
        (number, after.number().filter(|_| is_separated || has_verb)?)
    } else if after.word(&FROM) {
        after.word(&ROW);
        (after.number()?, number)
    } else if heaps == 1 {
        ("1", number)
    } else {
        return None;
    };
    *typed = after;
    Some(row_and_take)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heaps_may_be_separated_in_many_ways() {
        for typed in [
            "3,5,7",
            "3 5 7",
            "3-5-7",
            "3 – 5 – 7",
            "3--5--7",
            "3;5;7",
            "3.5.7",
            "3x5x7",
            "3 × 5 X 7",
            "3+5+7",
            "3, 5, 7.",
            "3,5,7,",
            "3, 5 and 7",
            "3, 5, and 7",
            "Heaps 3, 5, 7",
            "rows 3 5 7",
            "[3, 5, 7]",
            "(3 5 7)",
            "3 sticks, 5 sticks, 7 sticks",
        ] {
            assert_eq!(position(typed).as_deref(), Some("3,5,7"), "{typed}");
        }
        for typed in [
            "",
            "x",
            "-3",
            "+3",
            ",3",
            "3,,5",
            "3 5 7 x",
            "3 5 / 7 / 1",
            "(3 5 7",
            "3 5 7)",
            "1e1",
            "3:5",
            "3 +- 5",
        ] {
            assert_eq!(position(typed), None, "{typed}");
        }
    }

    #[test]
    fn passes_are_read_after_a_slash_and_in_words() {
        for typed in [
            "3,5/1",
            "3 5 / 1",
            "3-5/1",
            "[3,5]/1",
            "3, 5, 1 pass left",
            "3 5 passes: 1",
            "rows 3, 5; passes left: 1",
        ] {
            assert_eq!(position(typed).as_deref(), Some("3,5/1"), "{typed}");
        }
        for typed in ["3,5/", "3,5/-", "1 pass", "3 5 pass 1 1", "3,5 / pass"] {
            assert_eq!(position(typed), None, "{typed}");
        }
    }

    #[test]
    fn moves_are_read_in_words_and_unclear_texts_are_not() {
        for (typed, notation) in [
            ("3:2", "3:2"),
            (" 3 : 2 ", "3:2"),
            ("Row 3 : 2", "3:2"),
            ("row 3, take 2", "3:2"),
            ("from row 3 take 2 sticks", "3:2"),
            ("2 from heap 3", "3:2"),
            ("2 from 3", "3:2"),
            ("2 of pile 3", "3:2"),
            ("TAKE 2 sticks FROM row 3", "3:2"),
            ("removed 2 from the row 3", "3:2"),
            ("take 3:2", "3:2"),
            ("1:2 + 3:1", "1:2+3:1"),
            ("1:2 & 3:1", "1:2+3:1"),
            ("take 2 from row 1 and 1 from row 3", "1:2+3:1"),
            ("take 2 from row 1 and take 1 from row 3", "1:2+3:1"),
            ("PASS", "pass"),
            ("take nothing", "pass"),
            ("nothing", "pass"),
        ] {
            assert_eq!(chosen(typed, 3).as_deref(), Some(notation), "{typed}");
        }
        for typed in [
            "",
            "take",
            "3",
            "3 2",
            "3-2",
            "3,2",
            "row 3 2",
            "2 from",
            "row 3",
            "1:2 3:1",
            "1:2, 3:1",
            "1:2+",
            "take pass",
            "pass 1",
            "2 and 3 from row 1",
            "3:2:1",
            "from 3",
            "3::2",
        ] {
            assert_eq!(chosen(typed, 3), None, "{typed}");
        }
        for (typed, notation) in [
            ("7", Some("1:7")),
            ("take 7", Some("1:7")),
            ("7 stones", Some("1:7")),
            ("1:7", Some("1:7")),
            ("7 7", None),
        ] {
            assert_eq!(chosen(typed, 1).as_deref(), notation, "{typed}");
        }
    }
}
