//! Writes a picture as SVG 1.1, well-formed and small.

use super::palette::PAPER;
use super::scene::{Anchor, Cells, Colour, Item, PathStep, Scene, Style, Text};

/// Appends formatted text to a string, as `write!` does. Writing to a string cannot fail.
macro_rules! push {
    ($out:expr, $($text:tt)+) => {{
        use std::fmt::Write as _;
        write!($out, $($text)+).expect("writing to a string");
    }};
}
pub(super) use push;

/// Returns the text of an SVG file.
pub fn svg(scene: &Scene) -> String {
    let Scene { width, height, .. } = scene;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         role=\"img\" aria-labelledby=\"title description\" \
         font-family=\"DejaVu Sans, Verdana, Arial, sans-serif\">\n"
    );
    push!(out, "<title id=\"title\">{}</title>\n", escaped(&scene.title));
    push!(out, "<desc id=\"description\">{}</desc>\n", escaped(&scene.description));
    push!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{}\"/>\n", hex(PAPER));
    for item in &scene.items {
        match item {
            Item::Rect((x, y), (width, height), radius, style) => {
                let [x, y, width, height] = [*x, *y, *width, *height].map(rounded);
                push!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"");
                if *radius > 0.0 {
                    push!(out, " rx=\"{}\"", rounded(*radius));
                }
                push_style(&mut out, *style);
            }
            Item::Circle((x, y), radius, style) => {
                let [x, y, radius] = [*x, *y, *radius].map(rounded);
                push!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"");
                push_style(&mut out, *style);
            }
            Item::Path(steps, style) => {
                out.push_str("<path d=\"");
                steps.iter().for_each(|step| push_step(&mut out, *step));
                out.push('"');
                push_style(&mut out, *style);
            }
            Item::Text(text) => push_text(&mut out, text),
            Item::Cells(cells) => push_cells(&mut out, cells),
        }
    }
    out.push_str("</svg>\n");
    out
}

/// Rounds a number to two decimals.
pub(super) fn rounded(number: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (number * 100.0).round() / 100.0 + 0.0
}

fn hex(Colour(red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Escapes a text for XML. Characters that XML does not allow become question marks.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('?'),
            _ if character.is_control() => out.push('?'),
            _ => out.push(character),
        }
    }
    out
}

/// Appends fill and stroke, and the end of an element.
fn push_style(out: &mut String, style: Style) {
    match style.fill {
        Some(colour) => push!(out, " fill=\"{}\"", hex(colour)),
        None => out.push_str(" fill=\"none\""),
    }
    if let Some((colour, width)) = style.stroke {
        push!(out, " stroke=\"{}\"", hex(colour));
        if (width - 1.0).abs() > 1e-9 {
            push!(out, " stroke-width=\"{}\"", rounded(width));
        }
    }
    out.push_str("/>\n");
}

fn push_step(out: &mut String, step: PathStep) {
    let pair = |(x, y)| format!("{} {}", rounded(x), rounded(y));
    match step {
        PathStep::Move(to) => push!(out, "M{}", pair(to)),
        PathStep::Line(to) => push!(out, "L{}", pair(to)),
        PathStep::Curve(one, other, to) => push!(out, "C{} {} {}", pair(one), pair(other), pair(to)),
        PathStep::Close => out.push('Z'),
    }
}

fn push_text(out: &mut String, text: &Text) {
    let [x, y, size] = [text.at.0, text.at.1, text.size].map(rounded);
    push!(out, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"");
    match text.anchor {
        Anchor::Start => {}
        Anchor::Middle => out.push_str(" text-anchor=\"middle\""),
        Anchor::End => out.push_str(" text-anchor=\"end\""),
    }
    if text.is_upwards {
        push!(out, " transform=\"rotate(-90 {x} {y})\"");
    }
    push!(out, " fill=\"{}\">{}</text>\n", hex(text.colour), escaped(&text.text));
}

/// Draws each run as a line along the middle of its cells, as wide as the cells. In the coordinates of the grid, all numbers are integers.
fn push_cells(out: &mut String, cells: &Cells) {
    let ((x, y), (width, height)) = (cells.at, cells.cell);
    let (x, y) = if cells.down { (x + width / 2.0, y) } else { (x, y + height / 2.0) };
    let [width, height, x, y] = [width, height, x, y].map(rounded);
    push!(
        out,
        "<path fill=\"none\" stroke=\"{}\" shape-rendering=\"crispEdges\" transform=\"matrix({width} 0 0 {height} {x} {y})\" d=\"",
        hex(cells.colour),
    );
    let mut at = (0, 0);
    for (number, run) in cells.runs.iter().enumerate() {
        let (column, row, length) = (i64::from(run.column), i64::from(run.row), i64::from(run.length));
        let (right, down) = (column - at.0, row - at.1);
        // A minus sign separates two numbers like a space.
        let space = if down < 0 { "" } else { " " };
        let (step, along) = (if number == 0 { 'M' } else { 'm' }, if cells.down { 'v' } else { 'h' });
        push!(out, "{step}{right}{space}{down}{along}{length}");
        at = if cells.down { (column, row + length) } else { (column + length, row) };
    }
    push!(out, "\"><title>{}</title></path>\n", escaped(&cells.name));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_at_most_two_decimals_and_no_negative_zero() {
        for (exact, expected) in [
            (0.0, "0"),
            (-0.001, "0"),
            (12.0, "12"),
            (1.5, "1.5"),
            (1.25, "1.25"),
            (1.049, "1.05"),
            (-0.3, "-0.3"),
            (-7.999, "-8"),
        ] {
            assert_eq!(rounded(exact).to_string(), expected);
        }
    }

    #[test]
    fn characters_with_a_meaning_in_xml_are_escaped() {
        assert_eq!(escaped("a<b & \"c\"\u{1}\u{ffff}é"), "a&lt;b &amp; &quot;c&quot;??é");
    }
}
