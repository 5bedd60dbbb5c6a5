//! The service reads positions and moves as people type them (`tests/data/typed.json`).

use bouton_tests::service::{Folder, Server};
use bouton_tests::typed::TypedGame;
use serde_json::Value;

/// Encodes a text for the query of an address.
fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02x}")).collect()
}

#[test]
fn the_service_reads_what_people_type() {
    let games = TypedGame::all();
    let settings: Vec<Vec<String>> = games.iter().map(TypedGame::settings).collect();
    let settings: Vec<Vec<&str>> =
        settings.iter().map(|settings| settings.iter().map(String::as_str).collect()).collect();
    let tables: Vec<_> = games
        .iter()
        .zip(&settings)
        .map(|(game, settings)| (&*game.preset, &*game.preset, &settings[..]))
        .collect();
    let folder = Folder::of(&tables);
    let server = Server::of(folder.path());
    let mut client = server.client();
    for game in &games {
        let path = format!("/api/tables/{}", game.preset);
        for (typed, notation) in &game.positions {
            for question in ["lookup", "state"] {
                let answer = client.get(&format!("{path}/{question}?position={}", encoded(typed)));
                assert_eq!(answer.json()["position"], notation.as_str(), "{typed}");
            }
        }
        let texts: Vec<&String> = game.positions.keys().collect();
        let body = serde_json::to_string(&texts).expect("texts");
        let answers = client.post(&format!("{path}/lookup"), &body).json();
        for (answer, notation) in answers.as_array().expect("answers").iter().zip(game.positions.values()) {
            assert_eq!(answer["position"], notation.as_str());
        }
        for (typed, expected) in &game.not_positions {
            let answer = client.get(&format!("{path}/lookup?position={}", encoded(typed)));
            let detail = answer.problem(400, "bad-position");
            assert!(detail.contains(expected), "{typed}: {detail}");
        }
        let start: Value = client.get(&path).json();
        let start = start["start"].as_str().expect("a position").to_owned();
        let mut played = |moves: &str| {
            client.get(&format!("{path}/game?position={}&moves={}", encoded(&start), encoded(moves)))
        };
        // In this query commas separate moves.
        for (typed, notation) in game.moves.iter().filter(|(typed, _)| !typed.contains(',')) {
            assert_eq!(played(typed).json(), played(notation).json(), "{typed}");
        }
        for (typed, expected) in game.not_moves.iter().filter(|(typed, _)| !typed.contains(',')) {
            let detail = played(typed).problem(400, "bad-move");
            assert!(detail.starts_with("move 1: ") && detail.contains(expected), "{typed}: {detail}");
        }
    }
}
