//! Reads a sheet as a user does: headings, paragraphs and rows, from the drawing.

use bouton_draw::{Paper, Scene, handout, svg};
use bouton_generator::generate_in_memory;
use bouton_study::sheet::sheet;
use bouton_tables::{Ruleset, Table};
use roxmltree::Document;

/// A part of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    Heading(String),
    /// Consecutive paragraphs.
    Text(String),
    Row {
        label: String,
        text: String,
    },
}

/// Returns the pages of a ruleset's sheet.
pub(crate) fn pages(ruleset: &Ruleset, paper: Paper) -> Vec<Scene> {
    let table = Table::open(generate_in_memory(ruleset, false).unwrap()).unwrap();
    handout(&sheet(&table).unwrap(), paper)
}

/// Returns the parts of some pages in reading order.
pub(crate) fn pieces(pages: &[Scene]) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    for page in pages {
        let drawn = svg(page);
        let document = Document::parse(&drawn).unwrap();
        for node in document.descendants().filter(|node| node.has_tag_name("text")) {
            let line = node.text().unwrap().to_owned();
            let is_pale = node.attribute("fill") == Some("#5c646e");
            match (node.attribute("font-size").unwrap(), found.last_mut()) {
                // The title, and the footer of each page.
                ("17" | "9.35", _) => {}
                ("12.5", _) => found.push(Piece::Heading(line)),
                ("10.5", Some(Piece::Text(text))) => *text += &format!(" {line}"),
                ("10.5", _) => found.push(Piece::Text(line)),
                ("10" | "9.4", _) if is_pale => found.push(Piece::Row { label: line, text: String::new() }),
                ("10" | "9.4", Some(Piece::Row { text, .. })) if text.is_empty() => *text = line,
                ("10" | "9.4", Some(Piece::Row { text, .. })) => *text += &format!(" {line}"),
                (size, last) => panic!("'{line}' of size {size} after {last:?}"),
            }
        }
    }
    found
}

/// Returns the parts after a heading, up to the next one.
pub(crate) fn below<'a>(pieces: &'a [Piece], heading: &str) -> &'a [Piece] {
    let is = |piece: &Piece| matches!(piece, Piece::Heading(text) if text.starts_with(heading));
    let Some(begin) = pieces.iter().position(is) else { return &[] };
    let rest = &pieces[begin + 1..];
    let end = rest.iter().position(|piece| matches!(piece, Piece::Heading(_)));
    &rest[..end.unwrap_or(rest.len())]
}

/// Returns the numbers of a list up to `most`: single numbers, `4, 8 … 20` in equal steps, `7 and up`, and numbers
/// above a limit.
pub(crate) fn expanded(list: &str, limit: u32, most: u32) -> Vec<u32> {
    let number = |text: &str| -> u32 {
        let above =
            |rest: &str| rest.trim().parse::<u32>().unwrap_or_else(|_| panic!("'{text}' in '{list}'"));
        match text.strip_prefix("limit") {
            None if text == "the limit" => limit,
            None => above(text),
            Some(rest) => match rest.trim().split_once(' ').unwrap() {
                ("+", rest) => limit + above(rest),
                ("-", rest) => limit - above(rest),
                _ => panic!("'{text}' in '{list}'"),
            },
        }
    };
    let mut found: Vec<u32> = Vec::new();
    for item in list.split(", ").filter(|item| *item != "none") {
        let item = item.replace('\u{a0}', " ");
        if let Some(from) = item.strip_suffix(" and up") {
            found.extend(number(from)..=most);
        } else if let Some((second, last)) = item.split_once(" … ") {
            let (second, last) = (number(second), number(last));
            let step = second - found.last().unwrap();
            assert!(step > 0 && (last - second).is_multiple_of(step), "'{item}' in '{list}'");
            found.extend((second..=last).step_by(step as usize));
        } else {
            found.push(number(&item));
        }
    }
    assert!(found.is_sorted_by(|one, next| one < next), "{list}");
    found.retain(|&number| number <= most);
    found
}

/// Parses a number with separators between thousands.
pub(crate) fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("'{text}' is no number"))
}

#[test]
fn lists_are_read_as_they_are_meant() {
    assert_eq!(expanded("4, 8\u{a0}…\u{a0}20, 23, 30 and up", 9, 32), [4, 8, 12, 16, 20, 23, 30, 31, 32]);
    assert_eq!(expanded("limit - 2, the limit, limit + 3 and up", 9, 13), [7, 9, 12, 13]);
    assert_eq!(expanded("none", 9, 13), [] as [u32; 0]);
    assert_eq!(number("1,234,567"), 1_234_567);
}
