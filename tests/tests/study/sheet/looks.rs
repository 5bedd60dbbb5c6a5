//! The layout of sheets: one or two pages, readable letters, no overlapping texts.

use std::collections::BTreeSet;

use bouton_draw::{Paper, Scene, join_pages, pdf_of_pages, svg, tikz};
use bouton_tables::{Ruleset, rulesets};
use lopdf::Document;
use roxmltree::Document as Xml;

use super::read::pages;
use crate::draw::picture_files;

/// Returns a preset with changed settings.
fn ruleset(preset: &str, settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    rulesets::find(preset, &settings).unwrap().ruleset
}

/// Returns the pages of all tested sheets, with their names: of the preset of Expanding Nim with changed settings, and
/// of the presets of heap games.
fn all_sheets(paper: Paper) -> Vec<(String, Vec<Scene>)> {
    let games: [(&str, &[&str]); 14] = [
        ("expanding", &[]),
        ("expanding", &["growth=2"]),
        ("expanding", &["play=misere"]),
        ("expanding", &["base-limit=5"]),
        ("expanding", &["resets=1,1"]),
        ("expanding", &["resets=4,2"]),
        ("expanding", &["resets=0,0"]),
        ("expanding", &["resets=6,6"]),
        ("expanding", &["stones=30"]),
        ("sticks", &[]),
        ("nim", &[]),
        ("nim-pass", &[]),
        ("subtraction", &[]),
        ("wythoff", &[]),
    ];
    games
        .map(|(preset, settings)| {
            (format!("{preset} {settings:?}"), pages(&ruleset(preset, settings), paper))
        })
        .into()
}

#[test]
fn a_sheet_has_one_or_two_pages_and_letters_of_at_least_7_points() {
    for (paper, size) in [(Paper::A4, (210.0, 297.0)), (Paper::Letter, (215.9, 279.4))] {
        for (name, pages) in all_sheets(paper) {
            assert!((1..=2).contains(&pages.len()), "{name}: {} pages", pages.len());
            for page in &pages {
                let (width, height) = page.millimetres();
                assert!((width - size.0).abs() < 1e-9 && (height - size.1).abs() < 1e-9, "{name}");
                // The size of a pixel in points.
                let scale = width / 25.4 * 72.0 / f64::from(page.width);
                let drawn = svg(page);
                let document = Xml::parse(&drawn).unwrap();
                let texts = document.descendants().filter(|node| node.has_tag_name("text"));
                let sizes: BTreeSet<String> =
                    texts.map(|text| text.attribute("font-size").unwrap().to_owned()).collect();
                assert!(
                    sizes.iter().all(|size| size.parse::<f64>().unwrap() * scale >= 7.0),
                    "{name}: {sizes:?}"
                );
                picture_files::check_picture(&picture_files::font(), &name, page);
            }
        }
    }
}

#[test]
fn a_pdf_of_a_sheet_has_all_its_pages_and_all_its_text() {
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
    for (name, pages) in all_sheets(Paper::A4) {
        let document = Document::load_mem(&pdf_of_pages(&pages).unwrap()).unwrap();
        assert_eq!(document.get_pages().len(), pages.len(), "{name}");
        for (number, page) in (1..).zip(&pages) {
            let drawn = svg(page);
            let expected = Xml::parse(&drawn).unwrap();
            let texts = expected.descendants().filter(|node| node.has_tag_name("text"));
            let expected: String = texts.map(|node| node.text().unwrap_or_default().to_owned()).collect();
            let found = document.extract_text(&[number]).unwrap();
            assert!(letters(&found) == letters(&expected), "{name}, page {number}");
        }
    }
}

#[test]
fn in_a_file_of_one_picture_the_pages_stand_below_each_other() {
    let (name, pages) = all_sheets(Paper::A4).swap_remove(0);
    let joined = join_pages(&pages);
    assert_eq!((joined.width, joined.height), (pages[0].width, 2 * pages[0].height), "{name}");
    let (width, height) = joined.millimetres();
    assert!((width - 210.0).abs() < 1e-9 && (height - 2.0 * 297.0).abs() < 1e-9, "{name}");
    picture_files::check_picture(&picture_files::font(), &name, &joined);
    assert!(tikz(&joined).unwrap().contains(r"\end{tikzpicture}"));
}
