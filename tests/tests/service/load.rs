//! Many clients at once: tables replaced under load, and different questions in parallel.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use bouton_tests::positions::Dice;
use bouton_tests::service::{Folder, Server, table};

use super::random_positions_of;

/// The bodies of answers, by tag, then by path.
type AnswersByTag = HashMap<String, HashMap<String, String>>;

#[test]
fn no_request_fails_while_its_table_is_replaced_a_hundred_times() {
    let games = [&["stones=40", "resets=1,1"][..], &["stones=40", "resets=1,1", "growth=2"]];
    let tables = games.map(|settings| table("expanding", settings, true));
    let settings: Vec<String> = games[0].iter().map(|&setting| setting.to_owned()).collect();
    let ruleset = bouton_tables::rulesets::find("expanding", &settings).unwrap().ruleset;
    let folder = Folder::new();
    // The answers of both tables, at positions that the first one covers; the second one may not cover all of these.
    let positions = random_positions_of(&ruleset, 60, &mut Dice::new(31));
    let truths = tables.each_ref().map(|bytes| {
        folder.put("game", bytes);
        folder.lookup("game", &positions, &["--moves"])
    });
    let covered: Vec<usize> = (0..positions.len())
        .filter(|&number| truths.iter().all(|truth| !truth[number].contains("\"error\"")))
        .collect();
    assert!(covered.len() > 30, "{}", covered.len());
    let server = Server::of(folder.path());
    let is_over = AtomicBool::new(false);
    let ask = |seed: u64| {
        let (mut client, mut dice, mut answers_by_tag, mut asked) =
            (server.client(), Dice::new(seed), AnswersByTag::new(), [0, 0]);
        while !is_over.load(Ordering::Relaxed) {
            let number = covered[dice.up_to(covered.len() as u32 - 1) as usize];
            let path = format!("/api/tables/game/lookup?position={}&moves=true", positions[number]);
            let answer = client.get(&path);
            let body = answer.success_text().trim_end();
            let which = truths.iter().position(|truth| truth[number] == body);
            asked[which.unwrap_or_else(|| panic!("of neither table: {answer}"))] += 1;
            // A tag identifies one table.
            let tag = answer.header("etag").expect("the answer has an ETag").to_owned();
            let known = answers_by_tag.entry(tag).or_default().entry(path).or_insert_with(|| body.to_owned());
            assert_eq!(known, body);
            if dice.up_to(20) == 0 {
                client = server.client();
            }
        }
        asked
    };
    let asked: Vec<[u32; 2]> = thread::scope(|scope| {
        let clients: Vec<_> = (1..=8).map(|seed| scope.spawn(move || ask(seed * 77))).collect();
        for round in 0..100 {
            folder.put("game", &tables[round % 2]);
            thread::sleep(Duration::from_millis([20, 70, 110, 60][round % 4]));
        }
        is_over.store(true, Ordering::Relaxed);
        clients.into_iter().map(|client| client.join().expect("no request failed")).collect()
    });
    for which in 0..2 {
        assert!(asked.iter().map(|asked| asked[which]).sum::<u32>() > 0, "both were served: {asked:?}");
    }
    let all = server.json("/api/tables");
    assert_eq!(all["refused"].as_array().map(Vec::len), Some(0), "{all}");
}

#[test]
fn parallel_requests_get_the_same_answers_as_single_ones() {
    let folder = super::small();
    let server = Server::of(folder.path());
    let mut paths = Vec::new();
    let mut dice = Dice::new(37);
    for name in super::names() {
        for position in super::random_positions(name, 4, &mut dice) {
            for question in ["lookup", "state", "line", "why", "map"] {
                paths.push(format!("/api/tables/{name}/{question}?position={position}"));
            }
        }
    }
    let truth: Vec<String> = paths.iter().map(|path| server.get(path).success_text().to_owned()).collect();
    thread::scope(|scope| {
        for seed in 1..=8 {
            let (server, paths, truth) = (&server, &paths, &truth);
            scope.spawn(move || {
                let (mut client, mut dice) = (server.client(), Dice::new(seed * 13));
                for _ in 0..300 {
                    let number = dice.up_to(paths.len() as u32 - 1) as usize;
                    assert_eq!(client.get(&paths[number]).success_text(), truth[number], "{}", paths[number]);
                }
            });
        }
    });
}

#[test]
fn thirty_clients_get_their_maps_in_parallel() {
    let folder = super::small();
    let server = Server::of(folder.path());
    let paths = ["3,5,7", "2,5,7", "3,4,7", "3,5,6", "1,5,7", "3,5,5"]
        .map(|position| format!("/api/tables/sticks/game-map?position={position}"));
    let first: Vec<String> = paths.iter().map(|path| server.get(path).success_text().to_owned()).collect();
    // A fresh server has no maps in its cache.
    let server = Server::of(folder.path());
    thread::scope(|scope| {
        for client in 0..30 {
            let (server, paths, first) = (&server, &paths, &first);
            scope.spawn(move || {
                let number = client % paths.len();
                assert_eq!(server.get(&paths[number]).success_text(), first[number], "{}", paths[number]);
            });
        }
    });
}
