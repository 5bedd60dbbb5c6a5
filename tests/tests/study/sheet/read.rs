//! Reads the headings, paragraphs and rows of a sheet from its drawing. Font sizes and colours distinguish them.

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

/// Returns the pieces of some pages in drawing order. In two columns, the rows of the left and the right one alternate.
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

/// Returns the pieces under the first heading that begins with `start`; none if there is no such heading.
pub(crate) fn pieces_under<'a>(pieces: &'a [Piece], start: &str) -> &'a [Piece] {
    let is_heading = |piece: &Piece| matches!(piece, Piece::Heading(text) if text.starts_with(start));
    let Some(heading_index) = pieces.iter().position(is_heading) else { return &[] };
    let rest = &pieces[heading_index + 1..];
    let end = rest.iter().position(|piece| matches!(piece, Piece::Heading(_)));
    &rest[..end.unwrap_or(rest.len())]
}

/// Returns the numbers up to `max` of a list, which may contain single numbers, `4, 8 … 20` in equal steps, `7 and up`,
/// and numbers relative to the limit, such as `limit + 3`.
pub(crate) fn numbers_of_list(list: &str, limit: u32, max: u32) -> Vec<u32> {
    let value_of = |text: &str| -> u32 {
        let parse =
            |rest: &str| rest.trim().parse::<u32>().unwrap_or_else(|_| panic!("'{text}' in '{list}'"));
        match text.strip_prefix("limit") {
            None if text == "the limit" => limit,
            None => parse(text),
            Some(rest) => match rest.trim().split_once(' ').unwrap() {
                ("+", rest) => limit + parse(rest),
                ("-", rest) => limit - parse(rest),
                _ => panic!("'{text}' in '{list}'"),
            },
        }
    };
    let mut found: Vec<u32> = Vec::new();
    for item in list.split(", ").filter(|item| *item != "none") {
        let item = item.replace('\u{a0}', " ");
        if let Some(from) = item.strip_suffix(" and up") {
            found.extend(value_of(from)..=max);
        } else if let Some((second, last)) = item.split_once(" … ") {
            let (second, last) = (value_of(second), value_of(last));
            let step = second - found.last().unwrap();
            assert!(step > 0 && (last - second).is_multiple_of(step), "'{item}' in '{list}'");
            found.extend((second..=last).step_by(step as usize));
        } else {
            found.push(value_of(&item));
        }
    }
    assert!(found.is_sorted_by(|one, next| one < next), "{list}");
    found.retain(|&number| number <= max);
    found
}

/// Parses a number with separators between thousands.
pub(crate) fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("'{text}' is not a number"))
}

#[test]
fn lists_on_a_sheet_are_expanded_to_their_numbers() {
    assert_eq!(
        numbers_of_list("4, 8\u{a0}…\u{a0}20, 23, 30 and up", 9, 32),
        [4, 8, 12, 16, 20, 23, 30, 31, 32]
    );
    assert_eq!(numbers_of_list("limit - 2, the limit, limit + 3 and up", 9, 13), [7, 9, 12, 13]);
    assert_eq!(numbers_of_list("none", 9, 13), [] as [u32; 0]);
    assert_eq!(number("1,234,567"), 1_234_567);
}
