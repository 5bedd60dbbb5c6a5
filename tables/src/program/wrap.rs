//! Wrapping of lines to the width of a terminal.

/// Breaks the lines of a text between words, so that none exceeds `width` columns. A longer word stays whole. Without
/// a width, returns the text unchanged.
///
/// The rest of a broken line is indented by two columns more than its beginning. In a list such as ` name meaning`, the
/// rest aligns with the meaning, if the meaning begins in the left half of the line. Colours (`ESC [ ... m`) take no
/// columns. A comment after a setting (`key = 1 # comment`) continues as a comment.
pub fn wrapped(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else { return text.to_owned() };
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive('\n') {
        if columns(line.trim_end_matches('\n')) <= width {
            out.push_str(line);
        } else {
            wrap_line(line, width, &mut out);
        }
    }
    out
}

const COMMENT: &str = "# ";

fn wrap_line(line: &str, width: usize, out: &mut String) {
    let indent = indent_of_rest(line, width);
    let is_comment = line.chars().skip(indent).take(COMMENT.len()).eq(COMMENT.chars());
    let mark = if is_comment { COMMENT } else { "" };
    let mut column = 0;
    for part in line.split_inclusive(' ') {
        let word = part.trim_end_matches([' ', '\n']);
        // Blanks before the first word and between two columns form parts without a word.
        if !word.is_empty() && column > indent && column + columns(word) > width {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.extend(std::iter::repeat_n(' ', indent));
            out.push_str(mark);
            column = indent + mark.len();
        }
        out.push_str(part);
        column += columns(part);
    }
}

/// Returns the column at which the rest of a broken line continues.
fn indent_of_rest(line: &str, width: usize) -> usize {
    let start = line.len() - line.trim_start_matches(' ').len();
    let column_of_meaning = line[start..].find("  ").map(|gap| {
        let text = line[start + gap..].trim_start_matches(' ');
        columns(&line[..line.len() - text.len()])
    });
    column_of_meaning.filter(|&column| column <= width / 2).unwrap_or(start + 2)
}

/// Returns the number of columns that a text takes on a terminal.
fn columns(text: &str) -> usize {
    let mut letters = text.chars();
    let mut columns = 0;
    while let Some(letter) = letters.next() {
        if letter == '\u{1b}' {
            letters.by_ref().find(|&letter| letter == 'm');
        } else {
            columns += 1;
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words_and_their_rest_is_indented() {
        let text = "  a line of several words\nshort\n\nlonger-than-that-is-one\n";
        assert_eq!(wrapped(text, None), text);
        assert_eq!(wrapped(text, Some(80)), text);
        let narrow = "  a line of\n    several\n    words\nshort\n\nlonger-than-that-is-one\n";
        assert_eq!(wrapped(text, Some(12)), narrow);
        assert_eq!(wrapped("no end of line", Some(8)), "no end\n  of\n  line");
        assert_eq!(wrapped("a longer-than-that b", Some(8)), "a longer-than-that\n  b");
    }

    #[test]
    fn the_rest_of_an_entry_of_a_list_aligns_with_its_meaning() {
        let list = "  size   the largest size of a heap\n  n      number\n";
        let narrow = "  size   the largest\n         size of a\n         heap\n  n      number\n";
        assert_eq!(wrapped(list, Some(20)), narrow);
        let setting = "  size = 9   # stones of a heap\n";
        assert_eq!(wrapped(setting, Some(26)), "  size = 9   # stones of a\n             # heap\n");
        // If the column leaves too little room, the list layout is ignored.
        let wide = "  a long name  and what it means";
        assert_eq!(wrapped(wide, Some(20)), "  a long name  and\n    what it means");
    }

    #[test]
    fn colours_take_no_columns() {
        let coloured = "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m no such thing";
        assert_eq!(wrapped(coloured, Some(20)), coloured);
        assert_eq!(wrapped(coloured, Some(15)), "\u{1b}[1m\u{1b}[31merror:\u{1b}[0m no such\n  thing");
    }
}
