//! Writes a picture as TikZ, for papers written in LaTeX.

use super::error::Result;
use super::palette::PAPER;
use super::scene::{
    Anchor, Cells, Colour, Item, PathStep, Scene, Style, Text, circle, rectangle, with_underlays,
};
use super::svg::{push, rounded};

/// Maximum number of cells in a path; number of steps after which a path without a fill is cut at its next `Move`. TeX has little memory.
const STEPS_PER_PATH: usize = 200;
/// Number of steps in a line of the output, whose length TeX limits.
const STEPS_PER_LINE: usize = 8;
/// TeX points (72.27 to an inch) in a point of 1/72 inch.
const TEX_POINTS: f64 = 72.27 / 72.0;

/// Returns a `tikzpicture` of exactly the picture's size, for `\input` in a document that loads the package tikz.
///
/// Only characters that LaTeX's default encoding has are written: ASCII, the letters of Latin-1 except Ð, Þ, ð and þ, and the signs of
/// this program's own texts. All others become question marks.
///
/// # Errors
/// If the picture is larger than TeX allows.
pub fn tikz(scene: &Scene) -> Result<String> {
    let paper = scene.on_paper()?;
    let (width, height) = (to_tex_precision(paper.size.0), to_tex_precision(paper.size.1));
    let scale = to_tex_precision(paper.scale);
    let mut out = String::new();
    push!(out, "% {}\n% {}\n%\n", in_comment(&scene.title), in_comment(&scene.description));
    push!(
        out,
        "% Made by bouton. In the preamble of the document: \\usepackage{{tikz}}\n\
         % Where the picture is to be: \\input{{FILE}}, with the name of this file. It is {width}bp wide and {height}bp high.\n\
         \\begin{{tikzpicture}}[x={scale}bp, y=-{scale}bp, bouton/.style={{inner sep=0, outer sep=0, font=\\fontsize{{10}}{{12}}\\selectfont}}]\n"
    );
    for colour in colours(scene) {
        push!(out, "\\definecolor{{{}}}{{HTML}}{{{}}}\n", name(colour), &name(colour)[6..]);
    }
    push!(
        out,
        "\\path[fill={}, use as bounding box] (0bp, 0bp) rectangle ({width}bp, -{height}bp);\n",
        name(PAPER)
    );
    let corner = (to_tex_precision(paper.corner.0), to_tex_precision(-paper.corner.1));
    push!(out, "\\begin{{scope}}[shift={{({}bp, {}bp)}}]\n", corner.0, corner.1);
    for (item, is_underlay) in with_underlays(&scene.items) {
        push_item(&mut out, item, is_underlay, paper.scale);
    }
    out.push_str("\\end{scope}\n\\end{tikzpicture}%\n");
    Ok(out)
}

/// Rounds a length to five decimals, TeX's precision.
fn to_tex_precision(length: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (length * 100_000.0).round() / 100_000.0 + 0.0
}

/// Replaces control characters, so that a text stays in one line of a comment.
fn in_comment(text: &str) -> String {
    text.replace(char::is_control, "?")
}

/// Returns the name of a colour in the document: `bouton` and six hexadecimal digits.
fn name(Colour(red, green, blue): Colour) -> String {
    format!("bouton{red:02X}{green:02X}{blue:02X}")
}

/// Returns the colours of a picture without duplicates, in order of appearance.
fn colours(scene: &Scene) -> Vec<Colour> {
    let mut colours = vec![PAPER];
    for item in &scene.items {
        let of_item = match item {
            Item::Rect(.., style) | Item::Circle(.., style) | Item::Path(_, style) => {
                [style.fill, style.stroke.map(|(colour, _)| colour)]
            }
            Item::Text(text) => [Some(text.colour), None],
            Item::Cells(cells) => [Some(cells.colour), None],
        };
        for colour in of_item.into_iter().flatten() {
            if !colours.contains(&colour) {
                colours.push(colour);
            }
        }
    }
    colours
}

fn push_item(out: &mut String, item: &Item, is_underlay: bool, scale: f64) {
    match item {
        Item::Rect(at, size, radius, style) => push_path(out, &rectangle(*at, *size, *radius), *style, scale),
        Item::Circle(at, radius, style) => push_path(out, &circle(*at, *radius), *style, scale),
        Item::Path(steps, style) => push_path(out, steps, *style, scale),
        Item::Text(text) => push_text(out, text, scale),
        Item::Cells(cells) => push_cells(out, cells, cells.style(is_underlay), scale),
    }
}

/// Returns the options of TikZ for a style; empty for an invisible one.
fn options(style: Style, scale: f64) -> String {
    let fill = style.fill.map(|colour| format!("fill={}", name(colour)));
    let stroke = style.stroke.map(|(colour, width)| {
        format!("draw={}, line width={}bp", name(colour), to_tex_precision(width * scale))
    });
    fill.into_iter().chain(stroke).collect::<Vec<String>>().join(", ")
}

fn push_path(out: &mut String, steps: &[PathStep], style: Style, scale: f64) {
    let options = options(style, scale);
    if options.is_empty() {
        return;
    }
    // Each part of a path must begin with a `Move`.
    let mut rest = steps;
    while !rest.is_empty() {
        let is_move = |index: &usize| matches!(rest[*index], PathStep::Move(_));
        let cut = (STEPS_PER_PATH..rest.len()).find(is_move).filter(|_| style.fill.is_none());
        let (path, later) = rest.split_at(cut.unwrap_or(rest.len()));
        push!(out, "\\path[{options}]");
        for line in path.chunks(STEPS_PER_LINE) {
            out.push_str("\n ");
            line.iter().for_each(|step| push_step(out, *step));
        }
        out.push_str(";\n");
        rest = later;
    }
}

fn push_step(out: &mut String, step: PathStep) {
    let pair = |(x, y)| format!("({}, {})", rounded(x), rounded(y));
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
    let (x, y) = (rounded(text.at.0), rounded(text.at.1));
    let anchor = match text.anchor {
        Anchor::Start => "base west",
        Anchor::Middle => "base",
        Anchor::End => "base east",
    };
    let rotation = if text.is_upwards { ", rotate=90" } else { "" };
    // Scale text instead of changing the font's size, as not all LaTeX fonts exist in all sizes.
    let size = to_tex_precision(text.size * scale * TEX_POINTS / 10.0);
    let (colour, text) = (name(text.colour), escaped(&text.text));
    push!(
        out,
        "\\node[bouton, anchor={anchor}, scale={size}{rotation}, text={colour}] at ({x}, {y}) {{{text}}};\n"
    );
}

fn push_cells(out: &mut String, cells: &Cells, style: Style, scale: f64) {
    let options = options(style, scale);
    let rectangles: Vec<_> = cells.rectangles().collect();
    for path in rectangles.chunks(STEPS_PER_PATH) {
        push!(out, "\\path[{options}]");
        for ((x, y), (width, height)) in path {
            let [left, top, right, bottom] = [*x, *y, x + width, y + height].map(rounded);
            push!(out, "\n  ({left}, {top}) rectangle ({right}, {bottom})");
        }
        out.push_str(";\n");
    }
}

/// Escapes a text for LaTeX.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut before = ' ';
    for character in text.chars() {
        // An empty group keeps LaTeX from joining two characters into one, such as -- into a dash.
        if "-'`,?!<>".contains(before) && "-'`,<>".contains(character) {
            out.push_str("{}");
        }
        before = character;
        match character {
            '\\' => out.push_str("\\textbackslash{}"),
            '~' => out.push_str("\\textasciitilde{}"),
            '^' => out.push_str("\\textasciicircum{}"),
            '<' => out.push_str("\\textless{}"),
            '>' => out.push_str("\\textgreater{}"),
            '|' => out.push_str("\\textbar{}"),
            '"' => out.push_str("''"),
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => out.extend(['\\', character]),
            ' '..='~' => out.push(character),
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
            'À'..='ÿ' => out.push(character),
            _ => out.push('?'),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped_for_latex() {
        assert_eq!(
            escaped(r"a_b & 5 % of {#1} $x^2$ \end"),
            r"a\_b \& 5 \% of \{\#1\} \$x\textasciicircum{}2\$ \textbackslash{}end"
        );
        assert_eq!(escaped("<a> -- 'b' \u{7} 二 é"), r"\textless{}a\textgreater{} -{}- 'b' ? ? é");
        assert_eq!(escaped("1–2 ≤ 3…"), r"1\textendash{}2 \ensuremath{\leq} 3\ldots{}");
        assert_eq!(in_comment("one\ntwo"), "one?two");
    }
}
