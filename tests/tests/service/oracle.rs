//! The service's answers agree with the naive solvers at every position of small games, and its states at many.

use std::collections::BTreeMap;

use bouton_tests::oracle::{expanding, heaps};
use bouton_tests::service::{Folder, Server};
use serde_json::{Value, json};

use super::{list, look_up_batches, state, text};

/// Returns the rules of 3-5-7.
fn sticks() -> heaps::Rules {
    heaps::Rules {
        bounds: vec![3, 5, 7],
        take: heaps::Take::Any,
        heaps_per_move: 1,
        exactly: vec![],
        equal_take: false,
        passes: 0,
        misere: true,
    }
}

/// Writes heaps in notation.
fn rows(heaps: &[u32]) -> String {
    heaps.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Writes a move of a heap game in notation.
fn move_of_heaps(chosen: &heaps::Move) -> String {
    match chosen {
        heaps::Move::Take(taken) => {
            taken.iter().map(|(row, take)| format!("{row}:{take}")).collect::<Vec<_>>().join("+")
        }
        heaps::Move::Pass => "pass".to_owned(),
    }
}

#[test]
fn every_position_of_3_5_7_agrees_with_the_oracle() {
    let rules = sticks();
    let verdicts = heaps::solve(&rules);
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let mut client = server.client();
    assert_eq!(verdicts.len(), 88);
    for p in verdicts.keys() {
        let [a, b, c] = p.heaps[..] else { panic!("three heaps") };
        for heaps in [[a, b, c], [b, c, a], [c, b, a]] {
            let expected = heaps::answer(&rules, &verdicts, &heaps, 0);
            let reply = state(&mut client, "sticks", &rows(&heaps));
            let winning: Vec<String> = expected.winning.iter().map(move_of_heaps).collect();
            let best = expected.best.as_ref().map(move_of_heaps);
            let outcome = if expected.win { "win" } else { "loss" };
            assert_eq!(
                [&reply["outcome"], &reply["depth"], &reply["winning"], &reply["best"], &reply["heaps"]],
                [&json!(outcome), &json!(expected.depth), &json!(winning), &json!(best), &json!(heaps)],
                "{heaps:?}"
            );
            let legal = heaps::legal_moves(&rules, &heaps, 0);
            let expected: BTreeMap<String, (String, bool, u32)> = legal
                .into_iter()
                .map(|(chosen, after, passes)| {
                    let verdict = verdicts[&heaps::Position::new(&after, passes)];
                    (move_of_heaps(&chosen), (rows(&after), !verdict.win, verdict.depth))
                })
                .collect();
            assert_eq!(moves(&reply), expected, "{heaps:?}");
        }
    }
}

/// Returns the moves of a state, each with the position after it, its outcome for the mover, and the depth there.
fn moves(reply: &Value) -> BTreeMap<String, (String, bool, u32)> {
    let moves = list(reply, "moves").iter().map(|chosen| {
        let depth = u32::try_from(super::number(chosen, "depth_after")).unwrap();
        (text(chosen, "move").to_owned(), (text(chosen, "to").to_owned(), chosen["outcome"] == "win", depth))
    });
    let all: BTreeMap<_, _> = moves.collect();
    assert_eq!(all.len(), list(reply, "moves").len(), "a move is listed twice: {reply}");
    all
}

/// Writes a position of Expanding Nim in notation.
fn position(p: &expanding::Position) -> String {
    let [first, second] = p.resets;
    let imposed = if p.imposed { "r" } else { "-" };
    format!("{}/{}/{}/{first},{second}/{imposed}", p.stones, p.currentmax, p.turn)
}

/// Writes a move of Expanding Nim in notation.
fn move_of_pile((take, reset): (u32, bool)) -> String {
    format!("{take}{}", if reset { "r" } else { "" })
}

#[test]
fn every_position_of_small_games_of_expanding_nim_agrees_with_the_oracle() {
    let games = [
        (16, 3, 1, 3, [1, 1], false),
        (14, 3, 2, 2, [2, 0], true),
        (14, 4, 0, 1, [0, 1], false),
        (13, 1, 100, 1, [1, 0], true),
    ];
    let all: Vec<expanding::Rules> = games.map(expanding::Rules::from).to_vec();
    let folder = Folder::new();
    for (number, r) in all.iter().enumerate() {
        let settings = [
            format!("stones={}", r.stones),
            format!("base-limit={}", r.base_limit),
            format!("growth={}", r.growth),
            format!("reset-limit={}", r.reset_limit),
            format!("resets={},{}", r.resets[0], r.resets[1]),
            format!("play={}", if r.misere { "misere" } else { "normal" }),
        ];
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        folder.put(&format!("game-{number}"), &bouton_tests::service::table("expanding", &settings, true));
    }
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (number, rules) in all.iter().enumerate() {
        let (name, verdicts) = (format!("game-{number}"), expanding::solve(rules));
        let positions: Vec<String> = verdicts.keys().map(position).collect();
        let answers = look_up_batches(&mut client, &name, &positions);
        for ((p, verdict), answer) in verdicts.iter().zip(&answers) {
            let outcome = if verdict.win { "win" } else { "loss" };
            let winning: Vec<String> = verdict.winning.iter().copied().map(move_of_pile).collect();
            let expected = json!({"position": position(p), "outcome": outcome, "depth": verdict.depth,
                "best": verdict.best.map(move_of_pile), "winning": winning});
            assert_eq!(answer, &expected, "{rules:?}");
        }
        // Every third position, with the positions after its moves.
        for (p, verdict) in verdicts.iter().step_by(3) {
            let reply = state(&mut client, &name, &position(p));
            assert_eq!(reply["best"], json!(verdict.best.map(move_of_pile)), "{p:?}");
            let expected = expanding::legal_moves(rules, p).into_iter().map(|(chosen, next)| {
                let after = &verdicts[&next];
                (move_of_pile(chosen), (position(&next), !after.win, after.depth))
            });
            assert_eq!(moves(&reply), expected.collect(), "{p:?} {rules:?}");
            let pile = &reply["pile"];
            let limit =
                if p.imposed { rules.reset_limit } else { rules.base_limit.max(p.currentmax + rules.growth) };
            let expected = json!({"stones": p.stones, "currentmax": p.currentmax, "limit": limit,
                "resets": p.resets, "imposed": p.imposed});
            assert_eq!(pile, &expected, "{p:?}");
            assert_eq!(reply["player"], p.turn);
            assert_eq!(reply["over"], p.stones == 0);
        }
    }
}
