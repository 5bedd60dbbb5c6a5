//! The labels in pictures of planes and games, and the options for their appearance.

use std::fs;

use bouton_draw::{Measure, PlaneOptions, Scene, game, heatmap, png, svg};
use bouton_record::GameRecord;
use bouton_tests::programs::{ProgramRun, bouton};
use roxmltree::Document;
use tempfile::TempDir;

use super::picture_files::decoded;
use super::pictures::{single_stone_game, table};
use super::plane_options;

/// Returns all texts of a picture, in drawing order.
fn texts(scene: &Scene) -> Vec<String> {
    let text = svg(scene);
    let document = Document::parse(&text).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| node.text().unwrap_or_default().to_owned()).collect()
}

/// Returns the moves in the picture of a game. They are the texts of size 10, except for the numbers in red circles.
fn moves(scene: &Scene) -> Vec<String> {
    let text = svg(scene);
    let document = Document::parse(&text).unwrap();
    let items: Vec<_> = document.root_element().children().filter(roxmltree::Node::is_element).collect();
    let pairs = items.windows(2).filter(|pair| {
        let in_circle = pair[0].has_tag_name("circle") && pair[0].attribute("fill") == Some("#c03a0a");
        pair[1].attribute("font-size") == Some("10") && !in_circle
    });
    pairs.map(|pair| pair[1].text().unwrap_or_default().to_owned()).collect()
}

/// Returns the numbers among some texts.
fn numbers(texts: &[String]) -> Vec<u32> {
    texts.iter().filter_map(|text| text.replace(',', "").parse().ok()).collect()
}

/// Runs `bouton draw`.
fn draw(here: &TempDir, args: &[&str]) -> ProgramRun {
    bouton(here.path(), &[&["draw"], args].concat())
}

#[test]
fn axes_name_the_bounds_of_their_heaps() {
    for (name, settings, filter, across, up) in [
        (
            "sticks",
            &[][..],
            "heaps=3,*,*",
            "one heap, of up to 7: stones",
            "another heap, of up to 5: stones",
        ),
        ("sticks", &[], "heaps=*,6,*", "one heap, of up to 5: stones", "another heap, of up to 3: stones"),
        (
            "nim",
            &["heaps=2", "size=1000"],
            "",
            "one heap, of up to 1,000: stones",
            "another heap, of up to 1,000: stones",
        ),
    ] {
        let texts = texts(
            &heatmap(&table(name, settings), Measure::Outcome, plane_options(filter)).unwrap().unwrap(),
        );
        for axis in [across, up] {
            assert!(texts.iter().any(|text| text == axis), "{name} {filter}: {axis} in {texts:?}");
        }
    }
}

#[test]
fn axes_of_equal_length_have_equal_ticks() {
    for size in [9, 40, 200, 1000] {
        let table = table("nim", &["heaps=2", &format!("size={size}")]);
        let texts = texts(&heatmap(&table, Measure::Outcome, plane_options("")).unwrap().unwrap());
        let numbers = numbers(&texts);
        // The ticks of one axis precede the other axis's.
        assert!(numbers.len() > 4 && numbers.len().is_multiple_of(2), "{size}: {numbers:?}");
        let (up, across) = numbers.split_at(numbers.len() / 2);
        assert_eq!(up, across, "{size}");
    }
}

#[test]
fn places_without_a_position_and_positions_not_selected_look_different() {
    let table = table("expanding", &["stones=60"]);
    let scene = heatmap(&table, Measure::Outcome, plane_options("outcome=loss")).unwrap().unwrap();
    let found = texts(&scene);
    for label in ["empty: cannot arise", "not selected"] {
        assert_eq!(found.iter().filter(|text| *text == label).count(), 1, "{label} in {found:?}");
    }
    // The swatches of the legend are to the left of their labels: one is blank, and the other is hatched.
    let text = svg(&scene);
    let document = Document::parse(&text).unwrap();
    let (width, _, pixels) = decoded(&png(&scene, 1).unwrap());
    let colours = ["empty: cannot arise", "not selected"].map(|label| {
        let node = document
            .descendants()
            .find(|node| node.has_tag_name("text") && node.text() == Some(label))
            .unwrap();
        let [x, y] = ["x", "y"].map(|name| node.attribute(name).unwrap().parse::<f64>().unwrap() as u32);
        let column = (y - 8..y).map(|y| pixels[(y * width + x - 14) as usize]);
        column.collect::<std::collections::BTreeSet<[u8; 3]>>().len()
    });
    assert!(colours[0] == 1 && colours[1] > 1, "{colours:?}");
    let items = texts(&heatmap(&table, Measure::Outcome, plane_options("")).unwrap().unwrap());
    assert!(!items.iter().any(|text| text.contains("not selected")), "{items:?}");
}

#[test]
fn a_star_or_a_range_for_a_fixed_field_is_refused() {
    let here = tempfile::tempdir().unwrap();
    for (args, found, give) in [
        (["heatmap", "expanding", "--where", "turn=*"], "found * in turn", "turn=1"),
        (["heatmap", "expanding", "--where", "resets=4,*"], "found * in resets", "resets=1,1"),
        (["heatmap", "expanding", "--where", "imposed=*"], "found * in imposed", "imposed=-"),
        (["heatmap", "nim-pass", "--where", "heaps=1,*,* passes=*"], "found * in passes", "passes=1"),
        (["heatmap", "nim-pass", "--where", "heaps=1,*,* passes=0..1"], "found 0..1 in passes", "passes=1"),
    ] {
        let ran = draw(
            &here,
            &[&args[..], &["--set", "size=5", "-o", "p.svg"][if args[1] == "nim-pass" { 0 } else { 2 }..]]
                .concat(),
        );
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(found) && ran.stderr.contains(give), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_picture_has_the_requested_size() {
    let here = tempfile::tempdir().unwrap();
    for (size, file, more, reported) in [
        ("1600x900", "a.svg", &[][..], "1600 x 900"),
        ("1600x900", "a.png", &[], "1600 x 900"),
        ("800x900", "b.png", &["--scale", "2"], "1600 x 1800"),
        ("254x127mm", "c.svg", &[], "960 x 480"),
    ] {
        let args = ["heatmap", "sticks", "--where", "heaps=3,*,*", "--size", size, "-o", file];
        let ran = draw(&here, &[&args[..], more].concat());
        assert_eq!(
            (ran.status, ran.stdout),
            (Some(0), format!("{file}: {reported} pixels\n")),
            "{size}: {}",
            ran.stderr
        );
    }
    let text = fs::read_to_string(here.path().join("c.svg")).unwrap();
    assert!(text.contains("width=\"960\" height=\"480\" viewBox=\"0 0 960 480\""), "{}", &text[..300]);
    for (size, expected) in [
        ("800", "found '800', expected a width and a height"),
        ("10x10", "found '10x10'"),
        ("99999x10", "100 to 10,000 pixels"),
        ("wide", "give for example 1600x900"),
        ("100x100", "but this picture needs at least"),
    ] {
        let ran = draw(&here, &["game-map", "sticks", "--size", size, "-o", "d.svg"]);
        assert_eq!(ran.status, Some(2), "{size}: {ran:?}");
        assert!(ran.stderr.contains(expected), "{size}: {}", ran.stderr);
    }
    assert!(!here.path().join("d.svg").exists());
}

#[test]
fn cells_have_the_requested_aspect() {
    let table = table("expanding", &["stones=40"]);
    for (aspect, ratio) in [("1", 1.0), ("3:1", 3.0), ("1:2", 0.5)] {
        let plane = PlaneOptions { aspect: Some(aspect.parse().unwrap()), ..plane_options("") };
        let text = svg(&heatmap(&table, Measure::Outcome, plane).unwrap().unwrap());
        let cell = text.split("transform=\"matrix(").nth(1).unwrap();
        let cell: Vec<f64> = cell.split(' ').take(4).map(|number| number.parse().unwrap()).collect();
        assert!((cell[0] / cell[3] - ratio).abs() < 0.01, "{aspect}: {cell:?}");
    }
    let here = tempfile::tempdir().unwrap();
    for (aspect, expected) in
        [("0", "found '0'"), ("1:99", "from 1:50 to 50:1"), ("equal", "give for example 1:1")]
    {
        let ran = draw(&here, &["diff", "sticks", "sticks", "--aspect", aspect, "-o", "d.svg"]);
        assert!(ran.status == Some(2) && ran.stderr.contains(expected), "{aspect}: {ran:?}");
    }
    let long = ["heatmap", "expanding", "--aspect", "50:1", "-o", "d.svg"];
    let ran = draw(&here, &long);
    assert!(ran.status == Some(2) && ran.stderr.contains("at most 16,000 can be drawn"), "{ran:?}");
}

#[test]
fn a_recorded_game_shows_every_move_and_every_mistake() {
    for (plies, stones) in [(9, 9), (60, 60), (300, 300), (1000, 1000), (2000, 2100)] {
        let table = table("expanding", &[&format!("stones={stones}")]);
        let line = single_stone_game(plies, stones);
        let line = if plies == stones {
            line
        } else {
            // An interrupted game.
            line.split("],\"winner\"").next().unwrap().to_owned()
        };
        let scene = game(&GameRecord::from_line(&line).unwrap(), &table).unwrap();
        let found = texts(&scene);
        let listed = found.iter().any(|text| text.starts_with("All moves"));
        assert_eq!(moves(&scene).len(), plies, "{plies} plies");
        assert!(moves(&scene).iter().all(|text| text == "1"), "{plies} plies");
        assert_eq!(listed, plies > 100, "{plies} plies");

        let more = found
            .iter()
            .find_map(|text| Some(text.strip_prefix("And ")?.split(' ').next()?.replace(',', "")));
        let in_words = found.iter().filter(|text| text.starts_with("Ply ")).count();
        let reported = in_words + more.map_or(0, |number| number.parse::<usize>().unwrap());
        let legend = found.iter().find_map(|text| text.strip_prefix("gives the win away: "));
        let legend =
            legend.map_or(0, |text| text.split(' ').next().unwrap().replace(',', "").parse().unwrap());
        assert_eq!(reported, legend, "{plies} plies");
        assert!(plies < 60 || legend > 10, "{plies} plies: {legend} mistakes");
        // All mistakes without a description are listed by number.
        let named: Vec<&String> = found.iter().skip_while(|text| !text.starts_with("And ")).collect();
        let named = named.iter().flat_map(|text| text.split(", ")).filter(|part| {
            part.split(' ').next_back().is_some_and(|last| last.trim_end_matches(',').parse::<u32>().is_ok())
        });
        assert!(legend <= 12 || named.count() >= legend - 12, "{plies} plies");
    }
}
