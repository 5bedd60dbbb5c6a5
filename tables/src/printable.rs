//! Makes text from outside safe to print, so that it can neither control the terminal nor pass for the program's words.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Returns true if a terminal shows a character, and the character does not disturb the text around it.
///
/// Terminals obey control characters: those of ASCII, DEL, and U+0080 to U+009F, which include a one-character start
/// of an escape sequence. Zero-width characters, line separators and marks of writing direction disturb other text.
pub fn is_printable(letter: char) -> bool {
    !letter.is_control()
        && !matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns a text on one line, with characters that are not [printable](is_printable) escaped as in Rust: `\u{1b}`.
///
/// Programs pass every foreign text through this function, or through one of the functions below, before printing it:
/// file names, keys and values of rulesets, names of players, messages of servers and other programs.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, is_printable, |letter, shown| shown.extend(letter.escape_default()))
}

/// Escapes a message of several lines like [`printable`], but keeps its newlines.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    let keep = |letter| letter == '\n' || is_printable(letter);
    escaped(text, keep, |letter, shown| shown.extend(letter.escape_default()))
}

/// Escapes JSON text without changing its meaning. Outside strings, the text must hold no
/// unprintable characters except newlines.
pub fn printable_json(json: &str) -> Cow<'_, str> {
    let keep = |letter| letter == '\n' || is_printable(letter);
    escaped(json, keep, |letter, shown| {
        for unit in letter.encode_utf16(&mut [0; 2]) {
            write!(shown, "\\u{unit:04x}").expect("writing to a string");
        }
    })
}

/// Escapes a text like [`printable`]. A text of more than `max_chars` characters is cut, and ends in `...` and its
/// length in bytes.
pub fn shorten(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}... ({} bytes)", printable(&text[..end]), text.len()),
        None => printable(text).into_owned(),
    }
}

/// Escapes the path of a file like [`printable`].
pub fn printable_path(path: &Path) -> String {
    printable(&path.to_string_lossy()).into_owned()
}

/// Escapes the characters for which `keep` is false.
fn escaped(text: &str, keep: impl Fn(char) -> bool, escape: impl Fn(char, &mut String)) -> Cow<'_, str> {
    if text.chars().all(&keep) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if keep(letter) { shown.push(letter) } else { escape(letter, &mut shown) }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_character_that_a_terminal_obeys_is_printed() {
        for letter in '\0'..=char::MAX {
            let text = format!("a{letter}b");
            for shown in [printable(&text), printable_json(&text.replace('\n', ""))] {
                assert!(shown.chars().all(is_printable), "{letter:?}: {shown}");
                assert!(!is_printable(letter) || shown == text, "{letter:?} is printable and stays");
            }
        }
        // Some terminal obeys each of these characters, or reorders the text around it.
        for letter in
            "\0\u{7}\u{8}\n\r\t\u{1b}\u{7f}\u{85}\u{9b}\u{9d}\u{200f}\u{2028}\u{202e}\u{2066}\u{feff}".chars()
        {
            assert!(!is_printable(letter), "{letter:?}");
        }
        assert!("Zoë 東京 🎲 ̈ ".chars().all(is_printable));
    }

    #[test]
    fn escapes_show_each_character_as_its_number() {
        assert_eq!(printable("A\n\u{1b}[31mB\u{202e}"), r"A\n\u{1b}[31mB\u{202e}");
        assert_eq!(printable_lines("A\n\u{1b}[31mB\r\n"), "A\n\\u{1b}[31mB\\r\n");
        assert_eq!(printable_json("{\"a\":\"\u{9b}\u{e0001}\"}\n"), "{\"a\":\"\\u009b\\udb40\\udc01\"}\n");
        assert!(matches!(printable("Zoë"), Cow::Borrowed(_)));
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(shorten("abc", 3), "abc");
        assert_eq!(shorten("abcdé", 3), "abc... (6 bytes)");
        assert_eq!(shorten("ab\u{1b}cd", 3), "ab\\u{1b}... (5 bytes)");
    }
}
