//! Writes a picture as TikZ, for papers written in LaTeX.

use std::fmt::Write;

use super::error::DrawError;
use super::palette::PAPER;
use super::scene::{
    Anchor, Cells, Colour, Item, PathStep, Scene, Style, Text, UNDER, circle, in_groups, rectangle,
};
use super::svg::number;

/// `write!` to a string, which has no errors.
macro_rules! push {
    ($out:expr, $($text:tt)+) => { write!($out, $($text)+).expect("writing to a string") };
}

/// `writeln!` to a string, which has no errors.
macro_rules! line {
    ($out:expr, $($text:tt)+) => { writeln!($out, $($text)+).expect("writing to a string") };
}

/// Cells in one path, and the number of steps after which a path without a fill is cut at its next `Move`: TeX has little
/// memory for a path.
const PART: usize = 200;
/// Steps in a line of text.
const IN_LINE: usize = 8;
/// TeX points (72.27 to an inch) in a point of 1/72 inch.
const TEX_POINTS: f64 = 72.27 / 72.0;

/// Returns a `tikzpicture` of exactly the picture's size, which a document includes with `\input`. It requires only the
/// package tikz, and uses the document's font.
///
/// Only characters that LaTeX's default encoding has are written: ASCII, the letters of Latin-1 except Ð, Þ, ð and þ, and
/// the signs of this program's own texts. All others become question marks.
///
/// # Errors
/// If the picture is larger than what TeX takes.
pub fn tikz(scene: &Scene) -> Result<String, DrawError> {
    let paper = scene.on_paper()?;
    let (width, height) = (exact(paper.size.0), exact(paper.size.1));
    let scale = exact(paper.scale);
    let mut out = String::new();
    line!(out, "% {}", comment(&scene.title));
    line!(out, "% {}", comment(&scene.description));
    line!(out, "%");
    line!(out, "% Made by bouton. In the preamble of the document: \\usepackage{{tikz}}");
    line!(
        out,
        "% Where the picture is to be: \\input{{FILE}}, with the name of this file. It is {width}bp wide and {height}bp high."
    );
    line!(
        out,
        "\\begin{{tikzpicture}}[x={scale}bp, y=-{scale}bp, bouton/.style={{inner sep=0, outer sep=0, font=\\fontsize{{10}}{{12}}\\selectfont}}]"
    );
    for colour in colours(scene) {
        line!(out, "\\definecolor{{{}}}{{HTML}}{{{}}}", name(colour), &name(colour)[6..]);
    }
    line!(
        out,
        "\\path[fill={}, use as bounding box] (0bp, 0bp) rectangle ({width}bp, -{height}bp);",
        name(PAPER)
    );
    let corner = (exact(paper.corner.0), exact(-paper.corner.1));
    line!(out, "\\begin{{scope}}[shift={{({}bp, {}bp)}}]", corner.0, corner.1);
    for group in in_groups(&scene.items) {
        for item in group {
            if let Item::Cells(cells) = item {
                push_cells(
                    &mut out,
                    cells,
                    Style::filled(cells.colour).edged(cells.colour, UNDER),
                    paper.scale,
                );
            }
        }
        group.iter().for_each(|item| push(&mut out, item, paper.scale));
    }
    out.push_str("\\end{scope}\n\\end{tikzpicture}%\n");
    Ok(out)
}

/// Rounds a length to TeX's precision.
fn exact(length: f64) -> f64 {
    (length * 100_000.0).round() / 100_000.0 + 0.0
}

/// Makes a text fit for a line of a comment.
fn comment(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '?' } else { letter }).collect()
}

fn name(Colour(red, green, blue): Colour) -> String {
    format!("bouton{red:02X}{green:02X}{blue:02X}")
}

/// Returns the colours of a picture without duplicates, in order of appearance.
fn colours(scene: &Scene) -> Vec<Colour> {
    let of = |style: &Style| [style.fill, style.stroke.map(|(colour, _)| colour)];
    let mut all = vec![PAPER];
    for item in &scene.items {
        let its = match item {
            Item::Rect(.., style) | Item::Circle(.., style) | Item::Path(_, style) => of(style),
            Item::Text(text) => [Some(text.colour), None],
            Item::Cells(cells) => [Some(cells.colour), None],
        };
        for colour in its.into_iter().flatten() {
            if !all.contains(&colour) {
                all.push(colour);
            }
        }
    }
    all
}

fn push(out: &mut String, item: &Item, scale: f64) {
    match item {
        Item::Rect(at, size, round, style) => push_path(out, &rectangle(*at, *size, *round), *style, scale),
        Item::Circle(at, radius, style) => push_path(out, &circle(*at, *radius), *style, scale),
        Item::Path(steps, style) => push_path(out, steps, *style, scale),
        Item::Text(text) => push_text(out, text, scale),
        Item::Cells(cells) => push_cells(out, cells, Style::filled(cells.colour), scale),
    }
}

/// Returns the options that draw a path; empty if it is invisible.
fn options(style: Style, scale: f64) -> String {
    let fill = style.fill.map(|colour| format!("fill={}", name(colour)));
    let stroke = style
        .stroke
        .map(|(colour, width)| format!("draw={}, line width={}bp", name(colour), exact(width * scale)));
    fill.into_iter().chain(stroke).collect::<Vec<String>>().join(", ")
}

fn push_path(out: &mut String, steps: &[PathStep], style: Style, scale: f64) {
    let options = options(style, scale);
    if options.is_empty() {
        return;
    }
    // Lines without a fill may be drawn in parts, each from where the pen is put down.
    let mut rest = steps;
    while !rest.is_empty() {
        let begins_anew = |place: &usize| matches!(rest[*place], PathStep::Move(_));
        let part =
            (PART..rest.len()).find(begins_anew).filter(|_| style.fill.is_none()).unwrap_or(rest.len());
        let (path, later) = rest.split_at(part);
        push!(out, "\\path[{options}]");
        for (place, step) in path.iter().enumerate() {
            // TeX limits the length of a line of text.
            if place % IN_LINE == 0 {
                out.push_str("\n ");
            }
            push_step(out, *step);
        }
        out.push_str(";\n");
        rest = later;
    }
}

fn push_step(out: &mut String, step: PathStep) {
    let pair = |(x, y)| format!("({}, {})", number(x), number(y));
    match step {
        PathStep::Move(to) => push!(out, " {}", pair(to)),
        PathStep::Line(to) => push!(out, " -- {}", pair(to)),
        PathStep::Curve(one, other, to) => {
            push!(out, " .. controls {} and {} .. {}", pair(one), pair(other), pair(to));
        }
        PathStep::Close => push!(out, " -- cycle"),
    }
}

fn push_text(out: &mut String, text: &Text, scale: f64) {
    let (x, y) = (number(text.at.0), number(text.at.1));
    let anchor = match text.anchor {
        Anchor::Start => "base west",
        Anchor::Middle => "base",
        Anchor::End => "base east",
    };
    let turned = if text.turned { ", rotate=90" } else { "" };
    // Scale text instead of changing the font's size, as not all LaTeX fonts exist in all sizes.
    let size = exact(text.size * scale * TEX_POINTS / 10.0);
    let (colour, text) = (name(text.colour), escaped(&text.text));
    line!(
        out,
        "\\node[bouton, anchor={anchor}, scale={size}{turned}, text={colour}] at ({x}, {y}) {{{text}}};"
    );
}

fn push_cells(out: &mut String, cells: &Cells, style: Style, scale: f64) {
    let options = options(style, scale);
    let all: Vec<_> = cells.rectangles().collect();
    for some in all.chunks(PART) {
        push!(out, "\\path[{options}]");
        for ((x, y), (width, height)) in some {
            let [left, top, right, bottom] = [*x, *y, x + width, y + height].map(number);
            push!(out, "\n  ({left}, {top}) rectangle ({right}, {bottom})");
        }
        out.push_str(";\n");
    }
}

/// Escapes a text for LaTeX.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for letter in text.chars() {
        // LaTeX would join such letters into a ligature, such as -- into a dash.
        if "-'`,?!<>".contains(before) && "-'`,<>".contains(letter) {
            out.push_str("{}");
        }
        before = letter;
        match letter {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("''"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', letter]),
            ' '..='~' => out.push(letter),
            '\u{a0}' => out.push('~'),
            '–' => out.push_str("\\textendash{}"),
            '—' => out.push_str("\\textemdash{}"),
            '‘' => out.push_str("\\textquoteleft{}"),
            '’' => out.push_str("\\textquoteright{}"),
            '“' => out.push_str("\\textquotedblleft{}"),
            '”' => out.push_str("\\textquotedblright{}"),
            '…' => out.push_str("\\ldots{}"),
            '·' => out.push_str("\\ensuremath{\\cdot}"),
            '×' => out.push_str("\\ensuremath{\\times}"),
            '÷' => out.push_str("\\ensuremath{\\div}"),
            '−' => out.push_str("\\ensuremath{-}"),
            '±' => out.push_str("\\ensuremath{\\pm}"),
            '≤' => out.push_str("\\ensuremath{\\leq}"),
            '≥' => out.push_str("\\ensuremath{\\geq}"),
            '←' => out.push_str("\\ensuremath{\\leftarrow}"),
            '↑' => out.push_str("\\ensuremath{\\uparrow}"),
            '→' => out.push_str("\\ensuremath{\\rightarrow}"),
            '↓' => out.push_str("\\ensuremath{\\downarrow}"),
            // Letters that LaTeX's default encoding does not have.
            'Ð' | 'Þ' | 'ð' | 'þ' => out.push('?'),
            'À'..='ÿ' => out.push(letter),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_command() {
        assert_eq!(
            escaped(r"a_b & 5 % of {#1} $x^2$ \end"),
            r"a\_b \& 5 \% of \{\#1\} \$x\textasciicircum{}2\$ \textbackslash{}end"
        );
        assert_eq!(escaped("<a> -- 'b' \u{7} 二 é"), r"\textless{}a\textgreater{} -{}- 'b' ? ? é");
        assert_eq!(escaped("1–2 ≤ 3…"), r"1\textendash{}2 \ensuremath{\leq} 3\ldots{}");
        assert_eq!(comment("one\ntwo"), "one?two");
    }
}
