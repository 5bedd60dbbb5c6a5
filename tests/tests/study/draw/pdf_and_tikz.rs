//! Pictures for paper: PDF files, read by a library that shares nothing with the writer, and TikZ files, read by a
//! small parser of their lines.

use std::collections::BTreeSet;

use bouton_draw::{Scene, pdf, pdf_of_pages, svg, tikz};
use bouton_tests::programs::{bouton, workspace};
use lopdf::{Dictionary, Document, Object};
use roxmltree::Document as Xml;

use super::pictures;

/// Returns the texts of a picture, in drawing order.
fn texts(scene: &Scene) -> Vec<String> {
    let text = svg(scene);
    let document = Xml::parse(&text).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// Parses a PDF file.
fn read(bytes: &[u8]) -> Document {
    assert!(bytes.starts_with(b"%PDF-1."));
    Document::load_mem(bytes).expect("it is a PDF")
}

/// Returns an entry of a dictionary, resolving references.
fn entry<'a>(document: &'a Document, dictionary: &'a Dictionary, name: &[u8]) -> &'a Object {
    let found = dictionary
        .get(name)
        .unwrap_or_else(|_| panic!("{} of {dictionary:?}", String::from_utf8_lossy(name)));
    document.dereference(found).unwrap().1
}

/// Returns the width and the height of the pages, in points.
fn page_sizes(document: &Document) -> Vec<(f32, f32)> {
    let pages = document.get_pages().into_values().map(|page| document.get_dictionary(page).unwrap());
    pages
        .map(|page| {
            let sides = entry(document, page, b"MediaBox").as_array().unwrap();
            let sides: Vec<f32> = sides.iter().map(|side| side.as_float().unwrap()).collect();
            assert_eq!(sides[..2], [0.0, 0.0]);
            (sides[2], sides[3])
        })
        .collect()
}

/// Returns the letters of a text without blanks, because PDF readers insert blanks into gaps. Letters that the font
/// lacks are drawn as boxes, which readers report as U+FFFD.
fn letters(text: &str) -> String {
    text.replace('二', "\u{fffd}").chars().filter(|letter| !letter.is_whitespace()).collect()
}

#[test]
fn every_text_of_a_picture_is_text_in_its_pdf() {
    for (name, scene) in pictures::all() {
        let document = read(&pdf(&scene).unwrap());
        let found = document.extract_text(&[1]).unwrap();
        assert!(letters(&found) == letters(&texts(&scene).concat()), "{name}: {found}");
    }
}

#[test]
fn the_font_is_embedded_and_no_time_is_recorded() {
    let font = std::fs::read(workspace().join("generator/draw/assets/DejaVuSans-subset.ttf")).unwrap();
    let units = |font: &[u8]| ttf_parser::Face::parse(font, 0).unwrap().units_per_em();
    for (name, scene) in pictures::small() {
        let bytes = pdf(&scene).unwrap();
        let document = read(&bytes);
        let page = document.get_pages()[&1];
        let fonts = document.get_page_fonts(page).unwrap();
        assert_eq!(fonts.len(), 1, "{name}");
        for font_of_page in fonts.into_values() {
            let descendant = &entry(&document, font_of_page, b"DescendantFonts").as_array().unwrap()[0];
            let descendant = document.dereference(descendant).unwrap().1.as_dict().unwrap();
            let descriptor = entry(&document, descendant, b"FontDescriptor").as_dict().unwrap();
            let file = entry(&document, descriptor, b"FontFile2").as_stream().unwrap();
            let embedded = file.decompressed_content().unwrap();
            assert!(embedded.len() < font.len(), "{name}: {} bytes", embedded.len());
            // A font subset has no character map, so `Face` would reject it.
            let raw = ttf_parser::RawFace::parse(&embedded, 0).unwrap();
            let tables = ["glyf", "head", "hmtx"].map(|tag| {
                raw.table(ttf_parser::Tag::from_bytes(tag.as_bytes().try_into().unwrap())).is_some()
            });
            assert_eq!(tables, [true; 3], "{name}");
            let head = raw.table(ttf_parser::Tag::from_bytes(b"head")).unwrap();
            assert_eq!(u16::from_be_bytes([head[18], head[19]]), units(&font));
            assert!(entry(&document, font_of_page, b"ToUnicode").as_stream().is_ok());
        }
        let info = entry(&document, &document.trailer, b"Info").as_dict().unwrap();
        let title = lopdf::decode_text_string(info.get(b"Title").unwrap()).unwrap();
        assert_eq!(title, scene.title, "{name}");
        for key in ["CreationDate", "ModDate"] {
            assert!(info.get(key.as_bytes()).is_err(), "{name}: {key}");
        }
        let xmp = document.objects.values().filter_map(|object| object.as_stream().ok()).any(|stream| {
            let plain = stream.decompressed_content().unwrap_or_else(|_| stream.content.clone());
            String::from_utf8_lossy(&plain).contains("Date>")
        });
        assert!(!xmp, "{name}");
    }
}

#[test]
fn a_pdf_has_the_requested_size() {
    let (_, scene) = pictures::small().swap_remove(2);
    let is_close = |found: f32, expected: f64| (f64::from(found) - expected).abs() < 0.001;
    // 96 pixels to the inch, and 72 points.
    let page_size = |scene: &Scene| page_sizes(&read(&pdf(scene).unwrap()))[0];
    let (width, height) = page_size(&scene);
    assert!(
        is_close(width, f64::from(scene.width) * 0.75) && is_close(height, f64::from(scene.height) * 0.75)
    );
    for (size, width, height) in
        [("180x120mm", 180.0, 120.0), ("210x297mm", 210.0, 297.0), ("333x222.2mm", 333.0, 222.2)]
    {
        let sized = scene.clone().sized(size.parse().unwrap()).unwrap();
        let found = page_size(&sized);
        let in_points = |millimetres: f64| millimetres / 25.4 * 72.0;
        assert!(
            is_close(found.0, in_points(width)) && is_close(found.1, in_points(height)),
            "{size}: {found:?}"
        );
        let (across, down) = sized.millimetres();
        assert!((across - width).abs() < 1e-9 && (down - height).abs() < 1e-9, "{size}");
    }
    let sized = scene.clone().sized("800x600".parse().unwrap()).unwrap();
    assert_eq!(page_size(&sized), (600.0, 450.0));
    let two_pages = read(&pdf_of_pages(&[scene.clone(), sized]).unwrap());
    assert_eq!(page_sizes(&two_pages).len(), 2);
    assert!(pdf_of_pages(&[]).unwrap_err().to_string().contains("no page"));
    let wide = Scene { width: 20_000, ..scene };
    for error in [pdf(&wide).unwrap_err(), tikz(&wide).unwrap_err()] {
        assert!(error.to_string().contains("15000 x") && error.to_string().contains("14400"), "{error}");
    }
}

#[test]
fn letters_that_the_font_lacks_are_replaced_by_a_sign() {
    let all = pictures::all();
    let (name, scene) = all.iter().find(|(name, _)| name == "game of 60 plies").unwrap();
    assert!(texts(scene).iter().any(|text| text.contains('二')), "{name}");
    let found = read(&pdf(scene).unwrap()).extract_text(&[1]).unwrap();
    assert!(found.contains('\u{fffd}'), "{name}: {found}");
    let (latex, _) = tikz_texts(&tikz(scene).unwrap());
    assert!(
        latex.iter().any(|text| text.contains('?')) && !latex.iter().any(|text| text.contains('二')),
        "{latex:?}"
    );
}

/// Returns the plain text of a LaTeX text.
fn plain(latex: &str) -> String {
    let mut text = latex.to_owned();
    for (command, letter) in [
        (r"\textbackslash{}", "\u{1}"),
        (r"\textasciitilde{}", "~"),
        (r"\textasciicircum{}", "^"),
        (r"\textless{}", "<"),
        (r"\textgreater{}", ">"),
        (r"\textbar{}", "|"),
        (r"\textendash{}", "–"),
        (r"\textemdash{}", "—"),
        (r"\ldots{}", "…"),
        (r"\ensuremath{\cdot}", "·"),
        (r"\ensuremath{\times}", "×"),
        (r"\ensuremath{-}", "−"),
        (r"\ensuremath{\leq}", "≤"),
        (r"\ensuremath{\geq}", "≥"),
        (r"\ensuremath{\rightarrow}", "→"),
        ("''", "\""),
        ("{}", ""),
    ] {
        text = text.replace(command, letter);
    }
    for sign in ["#", "$", "%", "&", "_", "{", "}"] {
        text = text.replace(&format!(r"\{sign}"), sign);
    }
    assert!(!text.contains('\\'), "{latex}");
    text.replace('\u{1}', "\\")
}

/// Returns the texts of a tikzpicture, and the colours used outside of them.
fn tikz_texts(picture: &str) -> (Vec<String>, BTreeSet<String>) {
    let (mut found, mut colours) = (Vec::new(), BTreeSet::new());
    let body = picture.lines().filter(|line| !line.starts_with('%') && !line.starts_with(r"\definecolor"));
    for line in body {
        let (before, text) = match line.strip_prefix(r"\node").and_then(|node| node.split_once(") {")) {
            Some((before, text)) => (before, text.strip_suffix("};").unwrap()),
            None => (line, ""),
        };
        let named = before.split(|sign: char| !sign.is_ascii_alphanumeric());
        colours.extend(named.filter_map(|word| word.strip_prefix("bouton")).map(str::to_owned));
        if line.starts_with(r"\node") {
            found.push(plain(text));
        }
    }
    colours.remove("");
    (found, colours)
}

#[test]
fn a_tikzpicture_has_every_text_and_defines_its_colours() {
    for (name, scene) in pictures::all() {
        let picture = tikz(&scene).unwrap();
        assert!(picture.contains(r"\usepackage{tikz}") && picture.contains(r"\input{FILE}"), "{name}");
        let (found, colours) = tikz_texts(&picture);
        // LaTeX lacks some letters.
        let expected: Vec<String> = texts(&scene).iter().map(|text| text.replace('二', "?")).collect();
        assert_eq!(found, expected, "{name}");
        let defined = picture.lines().filter_map(|line| line.strip_prefix(r"\definecolor{bouton"));
        let defined: Vec<String> = defined.map(|line| line[..6].to_owned()).collect();
        assert_eq!(defined.iter().cloned().collect::<BTreeSet<String>>(), colours, "{name}");
        assert_eq!(defined.len(), colours.len(), "{name}: a colour is defined twice");
        for begin in [r"\begin{tikzpicture}", r"\end{tikzpicture}", r"\begin{scope}", r"\end{scope}"] {
            assert_eq!(picture.matches(begin).count(), 1, "{name}: {begin}");
        }
        // TeX accepts lines of at most 200,000 letters.
        assert!(picture.lines().all(|line| line.len() < 10_000), "{name}");
    }
}

#[test]
fn a_tikzpicture_has_the_requested_size() {
    let (_, scene) = pictures::small().swap_remove(2);
    let sized = scene.sized("180x120mm".parse().unwrap()).unwrap();
    let picture = tikz(&sized).unwrap();
    let line = picture.lines().find(|line| line.contains("use as bounding box")).unwrap();
    let corner = line.split_once("rectangle (").unwrap().1.trim_end_matches(");");
    let (width, height) = corner.split_once(", -").unwrap();
    for (side, millimetres) in [(width, 180.0), (height, 120.0)] {
        let points: f64 = side.strip_suffix("bp").unwrap().parse().unwrap();
        assert!((points / 72.0 * 25.4 - millimetres).abs() < 1e-5, "{line}");
    }
}

#[test]
fn a_scale_is_refused_for_files_other_than_png() {
    let here = tempfile::tempdir().unwrap();
    for ending in ["svg", "pdf", "tex"] {
        let name = format!("p.{ending}");
        let ran = bouton(here.path(), &["draw", "game-map", "sticks", "--scale", "2", "-o", &name]);
        assert_eq!(ran.status, Some(2), "{ran:?}");
        assert!(ran.stderr.contains("--scale 2: only a PNG has pixels"), "{}", ran.stderr);
        assert!(!here.path().join(name).exists());
    }
}
