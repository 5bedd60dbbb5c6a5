//! Texts from outside, made fit to be shown.

/// Whether a character shows nothing and changes how others show: what a terminal would obey, and marks that
/// turn the direction of writing.
pub(crate) fn is_control(letter: char) -> bool {
    letter.is_control()
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// A text without such characters, and not longer than so many others.
pub(crate) fn plain(text: &str, most: usize) -> String {
    let mut shown = text.chars().filter(|&letter| !is_control(letter));
    let mut short: String = shown.by_ref().take(most).collect();
    if shown.next().is_some() {
        short.push_str("...");
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_short_and_obeyed_by_nobody() {
        assert_eq!(plain("A\n\u{1b}[31mB\u{202e}C\u{0}", 40), "A[31mBC");
        assert_eq!(plain("abcdef", 3), "abc...");
        assert_eq!(plain("abc\n", 3), "abc");
    }
}
