//! Reads positions and moves of Expanding Nim in informal words, such as `take 5 and impose a reset`.

use crate::word_cursor::{TAKE, WordCursor};

const RESET: [&str; 3] = ["r", "reset", "resets"];

/// Returns the notation of a position. Slashes separate the fields; a blank may separate the two numbers of resets,
/// and the last field may be a word: `217 / 9 / 1 / 4 3 / reset` becomes `217/9/1/4,3/r`.
pub(super) fn position(text: &str) -> Option<String> {
    let mut typed = WordCursor::new(text);
    let mut notation = typed.number()?.to_owned();
    for field in [currentmax, turn, resets, imposed] {
        if !typed.mark(&['/']) {
            break;
        }
        notation.push('/');
        field(&mut typed, &mut notation)?;
    }
    typed.is_empty().then_some(notation)
}

fn currentmax(typed: &mut WordCursor<'_>, notation: &mut String) -> Option<()> {
    notation.push_str(typed.number()?);
    Some(())
}

fn turn(typed: &mut WordCursor<'_>, notation: &mut String) -> Option<()> {
    typed.word(&["player"]);
    notation.push_str(typed.number()?);
    Some(())
}

fn resets(typed: &mut WordCursor<'_>, notation: &mut String) -> Option<()> {
    let first = typed.number()?;
    typed.mark(&[',', ';', '-']);
    notation.extend([first, ",", typed.number()?]);
    typed.word(&RESET);
    Some(())
}

fn imposed(typed: &mut WordCursor<'_>, notation: &mut String) -> Option<()> {
    notation.push(if typed.word(&RESET) {
        'r'
    } else if typed.mark(&['-']) || typed.word(&["no"]) && typed.word(&RESET) {
        '-'
    } else {
        return None;
    });
    Some(())
}

/// Returns the notation of a move: `5 R`, `5 and a reset` and `take 5 and impose a reset` become `5r`.
pub(super) fn chosen(text: &str) -> Option<String> {
    let mut typed = WordCursor::new(text);
    typed.word(&TAKE);
    let mut notation = typed.number()?.to_owned();
    if !typed.is_empty() {
        typed.mark(&['+', ',', '&']);
        typed.word(&["and", "with"]);
        typed.word(&["impose", "imposes", "imposed"]);
        let is_negated = typed.word(&["no", "without"]);
        if !typed.word(&RESET) {
            return None;
        }
        notation.push_str(if is_negated { "" } else { "r" });
    }
    typed.is_empty().then_some(notation)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_dashes_and_case_do_not_matter_in_a_position() {
        for typed in [
            "217/9/1/4,3/r",
            "217 / 9/1 /4, 3 /R",
            "217 stones / 9 / player 1 / 4-3 / reset",
            "217/9/1/4 3/r",
            "217/9/1/4;3 resets/r",
        ] {
            assert_eq!(position(typed).as_deref(), Some("217/9/1/4,3/r"), "{typed}");
        }
        for typed in ["217/9/1/4,3/-", "217/9/1/4-3/-", "217/9/1/4 – 3/ –", "217/9/1/4,3/no reset"] {
            assert_eq!(position(typed).as_deref(), Some("217/9/1/4,3/-"), "{typed}");
        }
        for (typed, notation) in [("217 Stones", "217"), ("217 / 9", "217/9"), ("9/ 0 /2", "9/0/2")] {
            assert_eq!(position(typed).as_deref(), Some(notation), "{typed}");
        }
        for typed in [
            "",
            "-1",
            "x",
            "217 9",
            "3 5 7",
            "3-5-7",
            "1,000",
            "1 000",
            "217/",
            "217/9/1/4",
            "217/9/1/4,3/",
            "217/9/1/4,3/x",
            "217/9/1/4,3/-/",
            "217/9/1/4,3/no",
            "217/9/1/4,3/--",
            "217//1",
        ] {
            assert_eq!(position(typed), None, "{typed}");
        }
    }

    #[test]
    fn moves_are_read_in_words() {
        for (typed, notation) in [
            ("7", "7"),
            ("Take 7", "7"),
            ("took 7 stones", "7"),
            ("7 without a reset", "7"),
            ("7, no reset", "7"),
            (" 7R ", "7r"),
            ("7 r", "7r"),
            ("7 reset", "7r"),
            ("7 + reset", "7r"),
            ("7 and a reset", "7r"),
            ("7 stones with a reset", "7r"),
            ("take 7 and reset", "7r"),
            ("take 7 and impose a reset", "7r"),
        ] {
            assert_eq!(chosen(typed).as_deref(), Some(notation), "{typed}");
        }
        for typed in [
            "",
            "take",
            "r",
            "reset",
            "7 3",
            "7 r r",
            "7rr",
            "-7",
            "7-",
            "7 and",
            "7 without",
            "+7",
            "7 from row 1",
        ] {
            assert_eq!(chosen(typed), None, "{typed}");
        }
    }
}
