//! Sample tables, recorded games and pictures for the tests of drawing.

use bouton_draw::{Measure, PlaneOptions, Scene, diff, game, game_map, heatmap, starts};
use bouton_generator::generate_in_memory;
use bouton_record::GameRecord;
use bouton_tables::{Ruleset, Table, rulesets};

use super::plane_options;

/// A recorded game with mistakes; the first player's name needs escaping in XML.
pub(crate) const RECORDED: &str = r#"{"game":"expanding","rules":{"stones":30,"base-limit":3,"growth":1,"reset-limit":3,"resets":[4,4],"play":"normal"},"players":["a<b & \"c\"","greedy"],"start":"30/0/1/4,4/-","moves":["3r","3","4r","3","4r","3","4","5","1"],"winner":"first","reason":"played","seconds":[1e-6,0.0]}"#;

/// Returns a preset with changed settings.
pub(crate) fn ruleset(preset: &str, settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    rulesets::find(preset, &settings).expect("it is a ruleset").ruleset
}

/// Makes the table, with depths, of a preset with changed settings.
pub(crate) fn table(preset: &str, settings: &[&str]) -> Table {
    Table::open(generate_in_memory(&ruleset(preset, settings), true).unwrap())
        .expect("a table just made opens")
}

/// Makes the table of the preset of Expanding Nim with changed settings.
fn expanding(settings: &[&str]) -> Table {
    table("expanding", settings)
}

/// Returns small pictures of every kind, with their names.
pub(crate) fn small() -> Vec<(&'static str, Scene)> {
    let thirty = expanding(&["stones=30", "resets=1,1"]);
    let other = expanding(&["stones=25", "resets=0,1", "growth=2"]);
    let drawn = |scene: Option<Scene>| scene.expect("there is something to draw");
    vec![
        ("heatmap-outcome", drawn(heatmap(&thirty, Measure::Outcome, plane_options("")).unwrap())),
        (
            "heatmap-depth",
            drawn(heatmap(&thirty, Measure::Depth, plane_options("imposed=r stones=1..20")).unwrap()),
        ),
        (
            "heatmap-heaps",
            drawn(heatmap(&table("sticks", &[]), Measure::Winning, plane_options("heaps=3,*,*")).unwrap()),
        ),
        ("diff", drawn(diff(&thirty, &other, plane_options("")).unwrap())),
        ("starts", drawn(starts(&expanding(&["stones=40", "resets=2,1"]), "").unwrap())),
        ("game-map-heaps", game_map(&table("sticks", &["bounds=[1,2,3]", "passes=1"]), None).unwrap()),
        ("game-map-expanding", game_map(&expanding(&["stones=5", "resets=1,0"]), None).unwrap()),
        ("game", game(&GameRecord::from_line(RECORDED).unwrap(), &expanding(&["stones=30"])).unwrap()),
    ]
}

/// Returns pictures of every kind, from almost empty ones to those of the whole preset, with their names.
pub(crate) fn all() -> Vec<(String, Scene)> {
    let mut scenes: Vec<(String, Scene)> =
        small().into_iter().map(|(name, scene)| (name.to_owned(), scene)).collect();
    let mut add = |name: &str, scene: Option<Scene>| {
        scenes.push((name.to_owned(), scene.unwrap_or_else(|| panic!("{name} is empty"))));
    };
    let (unfinished, _) = RECORDED.split_once(",\"4\",\"5\"").unwrap();
    let unfinished = GameRecord::from_line(unfinished).unwrap();
    assert_eq!(unfinished.moves.len(), 6);
    add("game without its end", Some(game(&unfinished, &expanding(&["stones=30"])).unwrap()));
    let preset = expanding(&[]);
    let measures = [Measure::Outcome, Measure::Depth, Measure::Winning];
    for measure in measures {
        add(&format!("preset {measure:?}"), heatmap(&preset, measure, plane_options("")).unwrap());
        let filter = "stones=900.. currentmax=2 outcome=win";
        add(&format!("narrow {measure:?}"), heatmap(&preset, measure, plane_options(filter)).unwrap());
        add(
            &format!("one place {measure:?}"),
            heatmap(&preset, measure, plane_options("stones=7 currentmax=3")).unwrap(),
        );
    }
    for (name, settings, filter) in [
        ("wythoff", &[][..], ""),
        ("subtraction", &["heaps=2"], ""),
        ("subtraction", &["heaps=2", "play=misere", "take=2"], "total=..60"),
        ("sticks", &["bounds=[2,90]"], "heaps=*,5.."),
        ("nim-pass", &[], "heaps=*,3,* passes=0"),
    ] {
        let table = table(name, settings);
        for measure in measures {
            add(
                &format!("{name} {settings:?} {measure:?}"),
                heatmap(&table, measure, plane_options(filter)).unwrap(),
            );
        }
    }
    // Games with almost no positions, or with only two along one side of the plane.
    for (name, settings, filter) in [
        ("expanding", &["stones=1"][..], ""),
        ("expanding", &["stones=2", "resets=0,0", "play=misere"], ""),
        ("expanding", &["stones=3"], "stones=2 currentmax=1"),
        ("sticks", &["bounds=[1,1]"], ""),
        ("sticks", &["bounds=[1,7]"], ""),
        ("nim", &["bounds=[1,1000]"], ""),
        ("nim", &["bounds=[1,1,1]"], "heaps=1,*,*"),
    ] {
        let table = table(name, settings);
        for measure in measures {
            add(
                &format!("small {name} {settings:?} {measure:?}"),
                heatmap(&table, measure, plane_options(filter)).unwrap(),
            );
        }
        add(&format!("small diff {name} {settings:?}"), diff(&table, &table, plane_options(filter)).unwrap());
        let from = if settings.contains(&"bounds=[1,1000]") { Some("0,9") } else { None };
        add(&format!("small map {name} {settings:?}"), Some(game_map(&table, from).unwrap()));
    }
    add("starts of 1 stone", starts(&expanding(&["stones=1", "resets=0,0"]), "").unwrap());
    for aspect in ["1:50", "1:1", "7:2", "50"] {
        let shaped = PlaneOptions { aspect: Some(aspect.parse().unwrap()), ..plane_options("stones=..100") };
        add(&format!("aspect {aspect}"), heatmap(&preset, Measure::Depth, shaped).unwrap());
        let shaped = PlaneOptions { aspect: Some(aspect.parse().unwrap()), ..plane_options("") };
        add(
            &format!("heaps, aspect {aspect}"),
            heatmap(&table("wythoff", &["size=9"]), Measure::Winning, shaped).unwrap(),
        );
    }
    for settings in [&["growth=2"][..], &["resets=1,1"], &["play=misere", "base-limit=5", "reset-limit=1"]] {
        add(&format!("diff {settings:?}"), diff(&preset, &expanding(settings), plane_options("")).unwrap());
    }
    let (three, two) = (table("nim", &["heaps=3", "size=20"]), table("wythoff", &["size=30"]));
    add("diff of 3 heaps and 2", diff(&three, &two, plane_options("")).unwrap());
    add("starts", starts(&preset, "").unwrap());
    add("starts, all resets", starts(&expanding(&["stones=60", "resets=15,15"]), "").unwrap());
    add("starts, some", starts(&preset, "stones=990.. resets=4,2..").unwrap());
    for (name, settings, from) in [
        ("sticks", &[][..], None),
        ("sticks", &[], Some("0,2,2")),
        ("sticks", &[], Some("0,0,0")),
        ("wythoff", &["size=6"], None),
        ("nim-pass", &["size=4"], None),
        ("expanding", &["stones=8", "resets=1,1"], None),
        ("expanding", &["stones=9", "resets=0,0"], None),
        ("expanding", &[], Some("6/4/2/3,0/r")),
    ] {
        let label = format!("map {name} {settings:?} {from:?}");
        add(&label, Some(game_map(&table(name, settings), from).unwrap()));
    }
    for (plies, stones) in [(1, 1), (2, 2), (60, 60), (1000, 1000)] {
        let table = expanding(&[&format!("stones={stones}")]);
        let scene = game(&GameRecord::from_line(&single_stone_game(plies, stones)).unwrap(), &table).unwrap();
        add(&format!("game of {plies} plies"), Some(scene));
    }
    scenes
}

/// Returns the record of a game in which each move takes one stone. Lost positions are three or four stones apart, so
/// in a long game a third to a half of the moves are mistakes. One player has a very long name, and the other's is a
/// letter that the font lacks.
pub(crate) fn single_stone_game(plies: usize, stones: usize) -> String {
    let moves = vec!["\"1\""; plies].join(",");
    let winner = if plies % 2 == 1 { "first" } else { "second" };
    format!(
        r#"{{"game":"expanding","rules":{{"stones":{stones},"base-limit":3,"growth":1,"reset-limit":3,"resets":[4,4],"play":"normal"}},"players":["a player with a name that is a good deal longer than there is room for","二"],"start":"{stones}","moves":[{moves}],"winner":"{winner}","reason":"played","seconds":[0,0]}}"#
    )
}
