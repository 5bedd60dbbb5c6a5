//! SVG files are well-formed, with texts and rectangles on the canvas and no overlapping texts; PNGs have the requested
//! size; equal tables make equal files in every format.

use std::sync::LazyLock;

use bouton_draw::{Scene, pdf, png, svg, tikz};
use bouton_tests::programs::workspace;
use roxmltree::{Document, Node};
use ttf_parser::Face;

use super::pictures;

/// A rectangle: left, top, right, bottom.
type Bounds = [f64; 4];

/// Returns an attribute that is a number.
fn number(node: Node, name: &str) -> f64 {
    let text = node.attribute(name).unwrap_or_else(|| panic!("{name} of {node:?}"));
    text.parse().unwrap_or_else(|_| panic!("{name}={text}"))
}

/// Returns the bounds of a text, measured with the pictures' font. Left and right are given by the letters' advance
/// widths, top and bottom by the ink of the highest and the lowest letter.
fn bounds(font: &Face, text: Node) -> Bounds {
    let (x, y, size) = (number(text, "x"), number(text, "y"), number(text, "font-size"));
    let scale = size / f64::from(font.units_per_em());
    let (mut width, mut above, mut below) = (0.0, 0.0_f64, 0.0_f64);
    for letter in text.text().unwrap_or_default().chars() {
        let Some(glyph) = font.glyph_index(letter) else {
            // A letter that the font lacks: assumed to be as wide and as high above the baseline as the font size, and to
            // reach a quarter of the size below it.
            (width, above, below) = (width + size, above.max(size), below.max(0.25 * size));
            continue;
        };
        width += f64::from(font.glyph_hor_advance(glyph).unwrap()) * scale;
        if let Some(ink) = font.glyph_bounding_box(glyph) {
            above = above.max(f64::from(ink.y_max) * scale);
            below = below.max(-f64::from(ink.y_min) * scale);
        }
    }
    let start = match text.attribute("text-anchor") {
        None => 0.0,
        Some("middle") => -width / 2.0,
        Some("end") => -width,
        Some(other) => panic!("anchor {other}"),
    };
    match text.attribute("transform") {
        None => [x + start, y - above, x + start + width, y + below],
        Some(turned) => {
            assert!(turned.starts_with("rotate(-90 "), "{turned}");
            [x - above, y - start - width, x + below, y - start]
        }
    }
}

/// Returns the font of the pictures.
pub(crate) fn font() -> Face<'static> {
    static FONT: LazyLock<Vec<u8>> = LazyLock::new(|| {
        std::fs::read(workspace().join("generator/draw/assets/DejaVuSans-subset.ttf")).unwrap()
    });
    Face::parse(&FONT, 0).unwrap()
}

/// Returns whether two rectangles overlap visibly.
fn overlap(a: &Bounds, b: &Bounds) -> bool {
    // An overlap of less than half a pixel is invisible.
    let tolerance = 0.5;
    a[0] + tolerance < b[2] && b[0] + tolerance < a[2] && a[1] + tolerance < b[3] && b[1] + tolerance < a[3]
}

/// The margin without text around every picture, in pixels.
const MARGIN: f64 = 16.0;

/// Returns the width and height of a picture in pixels.
fn view(document: &Document) -> (f64, f64) {
    let root = document.root_element();
    let (width, height) = (number(root, "width"), number(root, "height"));
    assert_eq!(root.attribute("viewBox"), Some(&format!("0 0 {width} {height}")[..]));
    (width, height)
}

/// Checks that a picture is well-formed and titled, that its texts keep out of the margin and do not overlap, and
/// that its rectangles are on the canvas.
pub(crate) fn check_picture(font: &Face, name: &str, scene: &Scene) {
    let text = svg(scene);
    let document = Document::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let root = document.root_element();
    assert_eq!(root.attribute("role"), Some("img"));
    let (width, height) = view(&document);
    assert_eq!((width, height), (scene.width.into(), scene.height.into()), "{name}");
    let title = root.children().find(|node| node.has_tag_name("title")).and_then(|node| node.text());
    assert!(title.is_some_and(|title| title.contains("play")), "{name}: {title:?}");

    let texts: Vec<Node> = root.descendants().filter(|node| node.has_tag_name("text")).collect();
    assert!(texts.len() > 4, "{name}");
    let boxes: Vec<Bounds> = texts.iter().map(|&text| bounds(font, text)).collect();
    for (number, (place, text)) in boxes.iter().zip(&texts).enumerate() {
        let text = text.text().unwrap_or_default();
        let inside = place[0] >= MARGIN
            && place[1] >= MARGIN
            && place[2] <= width - MARGIN
            && place[3] <= height - MARGIN;
        assert!(
            inside,
            "{name}: '{text}' at {place:?} is not within the margins of the canvas of {width} x {height}"
        );
        for (other, other_text) in boxes[..number].iter().zip(&texts) {
            assert!(
                !overlap(place, other),
                "{name}: '{text}' at {place:?} overlaps '{:?}' at {other:?}",
                other_text.text()
            );
        }
    }
    for rect in root.children().filter(|node| node.has_tag_name("rect") && node.has_attribute("x")) {
        let (x, y) = (number(rect, "x"), number(rect, "y"));
        let (right, bottom) = (x + number(rect, "width"), y + number(rect, "height"));
        assert!(x >= 0.0 && y >= 0.0 && right <= width && bottom <= height, "{name}: {rect:?}");
    }
}

#[test]
fn every_picture_is_well_formed_and_its_texts_do_not_overlap() {
    let font = font();
    for (name, scene) in pictures::all() {
        check_picture(&font, &name, &scene);
    }
}

/// Returns the width, height and pixels of a PNG.
pub(crate) fn decoded(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgba);
    let pixels = pixels.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
    (info.width, info.height, pixels)
}

#[test]
fn a_png_has_the_size_that_its_scale_says_and_is_not_blank() {
    for (name, scene) in pictures::small() {
        for scale in [1, 3] {
            let bytes = png(&scene, scale).unwrap();
            let header = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap());
            let size = (scene.width * scale, scene.height * scale);
            assert_eq!((header(16), header(20)), size, "{name}");
            let (width, height, pixels) = decoded(&bytes);
            assert_eq!((width, height), size);
            let inked = pixels.iter().filter(|&&pixel| pixel != [255; 3]).count();
            assert!(inked > pixels.len() / 50, "{name}: {inked} of {}", pixels.len());
        }
    }
}

#[test]
fn the_same_tables_make_the_same_pictures() {
    for ((name, one), (_, other)) in pictures::small().into_iter().zip(pictures::small()) {
        assert!(svg(&one) == svg(&other), "{name}");
        assert!(png(&one, 2).unwrap() == png(&other, 2).unwrap(), "{name}");
        assert!(pdf(&one).unwrap() == pdf(&other).unwrap(), "{name}");
        assert!(tikz(&one).unwrap() == tikz(&other).unwrap(), "{name}");
    }
}

#[test]
fn a_png_with_too_long_a_side_is_refused() {
    let scene = Scene {
        title: String::new(),
        description: String::new(),
        width: 9000,
        height: 10,
        paper: None,
        items: Vec::new(),
    };
    assert!(png(&scene, 1).is_ok());
    let error = png(&scene, 2).unwrap_err().to_string();
    assert!(error.contains("18000 x 20 pixels") && error.contains("16384"), "{error}");
}
