//! The parser of filters.

use thiserror::Error;

use super::field::{Field, Span};

/// A filter that does not parse.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("--where, at character {at}: found {}; {allowed}", shown(found))]
pub struct FilterError {
    /// Position of the error, counted in characters from 1.
    pub at: usize,
    /// The invalid text.
    pub found: String,
    /// The allowed text.
    pub allowed: String,
}

fn shown(found: &str) -> String {
    if found.is_empty() { "nothing".to_owned() } else { format!("'{found}'") }
}

/// The text of a filter. The parser cuts slices from it, so that an error can say where a slice begins in the text.
#[derive(Clone, Copy)]
struct FilterText<'a>(&'a str);

impl FilterText<'_> {
    /// Makes the error about a part of the text, which must be a slice of it.
    fn error(self, part: &str, allowed: impl Into<String>) -> FilterError {
        // `part` is a slice of the text: the distance of their addresses is its offset.
        let before = &self.0[..part.as_ptr().addr() - self.0.as_ptr().addr()];
        let found = part.chars().take(40).flat_map(char::escape_debug).collect();
        FilterError { at: before.chars().count() + 1, found, allowed: allowed.into() }
    }

    /// Reads the value of a field: a span for each of its numbers, separated by commas.
    fn spans(self, field: &Field, value: &str) -> Result<Vec<Span>, FilterError> {
        let spans = value.split(',').map(|part| self.span(field, part)).collect::<Result<Vec<_>, _>>()?;
        if spans.len() == field.numbers {
            return Ok(spans);
        }
        let allowed = match field.numbers {
            1 => format!("{} is one number or range", field.name),
            numbers => {
                format!("{} has {numbers} numbers, for example {}", field.name, vec!["*"; numbers].join(","))
            }
        };
        Err(self.error(value, allowed))
    }

    /// Reads a number, a range, a word of the field, or `*`.
    fn span(self, field: &Field, part: &str) -> Result<Span, FilterError> {
        if part == "*" {
            return Ok(Span::ANY);
        }
        if !field.words.is_empty() {
            let word = field.words.iter().position(|&word| word == part);
            let allowed = || format!("expected {} or * for {}", field.words.join(" or "), field.name);
            return Ok(Span::only(word.ok_or_else(|| self.error(part, allowed()))? as u64));
        }
        let number = |part: &str| {
            let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
            let number = if digits { part.parse().ok() } else { None };
            let allowed = "expected a whole number such as 7, a range such as 1..20, 5.. or ..9, or *";
            number.ok_or_else(|| self.error(part, allowed))
        };
        let span = match part.split("..").collect::<Vec<_>>()[..] {
            ["", to] if !to.is_empty() => Span { from: 0, to: number(to)? },
            [from, ""] => Span { from: number(from)?, to: u64::MAX },
            [from, to] => Span { from: number(from)?, to: number(to)? },
            _ => Span::only(number(part)?),
        };
        if span.from > span.to {
            return Err(self.error(part, "a range starts with its lesser number"));
        }
        let Span { from, to } = field.range;
        if span.from > to || span.to < from {
            let or = if to == from + 1 { " or " } else { " to " };
            return Err(self.error(part, format!("{} is {from}{or}{to}", field.name)));
        }
        Ok(span)
    }
}

/// Reads a filter: returns the index of each named field in `fields`, with its spans.
pub(super) fn parse(fields: &[Field], text: &str) -> Result<Vec<(usize, Vec<Span>)>, FilterError> {
    let source = FilterText(text);
    let names = fields.iter().map(|field| field.name).collect::<Vec<_>>().join(", ");
    let example = format!("{}={}", fields[0].name, vec!["1..20"; fields[0].numbers].join(","));
    let mut clauses: Vec<(usize, Vec<Span>)> = Vec::new();
    for clause in text.split_whitespace() {
        let [name, value] = clause.split('=').collect::<Vec<_>>()[..] else {
            let allowed = format!("write FIELD=VALUE without spaces, for example {example}");
            return Err(source.error(clause, allowed));
        };
        let Some(field) = fields.iter().position(|field| field.name == name) else {
            // Not every table has depths.
            let why = if name == "depth" { "the table has no depths; " } else { "" };
            return Err(source.error(name, format!("{why}the fields are {names}")));
        };
        if clauses.iter().any(|&(known, _)| known == field) {
            return Err(source.error(name, "this field is given twice; give each field once"));
        }
        clauses.push((field, source.spans(&fields[field], value)?));
    }
    Ok(clauses)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &[Field] = &[
        Field::number("stones"),
        Field::list("resets", "resets", 2),
        Field::word("imposed", &["-", "r"]),
        Field::ranged("turn", 1, 2),
    ];

    #[test]
    fn fields_are_read_as_numbers_ranges_and_words() {
        let span = |from, to| Span { from, to };
        let clauses = parse(FIELDS, " resets=4,..2  stones=5..200 imposed=r ").unwrap();
        assert_eq!(
            clauses,
            [(1, vec![Span::only(4), span(0, 2)]), (0, vec![span(5, 200)]), (2, vec![Span::only(1)])]
        );
        assert_eq!(parse(FIELDS, "stones=7..").unwrap(), [(0, vec![span(7, u64::MAX)])]);
        assert_eq!(parse(FIELDS, "resets=*,0").unwrap(), [(1, vec![Span::ANY, Span::only(0)])]);
        assert_eq!(parse(FIELDS, "turn=..1").unwrap(), [(3, vec![span(0, 1)])]);
        assert_eq!(parse(FIELDS, "").unwrap(), []);
    }

    #[test]
    fn parse_errors_give_the_first_wrong_character() {
        for (text, at, found) in [
            ("stones=1 stnes=2", 10, "stnes"),
            ("stones", 1, "stones"),
            ("stones=1=2", 1, "stones=1=2"),
            ("stones=x", 8, "x"),
            ("stones=", 8, ""),
            ("stones=..", 8, ""),
            ("stones=1..x", 11, "x"),
            ("stones=9..2", 8, "9..2"),
            ("stones=1...2", 11, ".2"),
            ("stones=-1", 8, "-1"),
            ("stones=99999999999999999999", 8, "99999999999999999999"),
            ("resets=4", 8, "4"),
            ("resets=4,é", 10, "é"),
            ("imposed=1", 9, "1"),
            ("stones=1 stones=2", 10, "stones"),
            ("turn=0", 6, "0"),
            ("turn=3", 6, "3"),
            ("turn=3..", 6, "3.."),
        ] {
            let error = parse(FIELDS, text).unwrap_err();
            assert_eq!((error.at, &error.found[..]), (at, found), "{text}: {error}");
        }
    }
}
