//! `/game` answers with the states of a whole game.

use bouton_tests::positions::Dice;
use bouton_tests::service::{Server, ordered};

use super::{list, names, random_positions, small, state, text};

#[test]
fn the_states_of_a_game_are_those_of_its_positions() {
    let folder = small();
    let server = Server::of(folder.path());
    let (mut client, mut dice) = (server.client(), Dice::new(21));
    for name in names() {
        for start in random_positions(name, 10, &mut dice) {
            let mut expected = vec![state(&mut client, name, &start)];
            let mut moves: Vec<String> = Vec::new();
            while let legal @ [_, ..] = list(expected.last().unwrap(), "moves")
                && moves.len() < 12
            {
                let chosen = &legal[dice.up_to(legal.len() as u32 - 1) as usize];
                moves.push(text(chosen, "move").replace('+', "%2B"));
                let to = text(chosen, "to").to_owned();
                expected.push(state(&mut client, name, &to));
            }
            let path = format!("/api/tables/{name}/game?position={start}&moves={}", moves.join(","));
            assert_eq!(list(&client.get(&path).json(), "states"), expected, "{path}");
        }
    }
    let reply = ordered(server.get("/api/tables/sticks/game?position=1,2,3").success_text());
    assert_eq!(reply.keys(), "states");
}

#[test]
fn a_policy_gives_the_same_states_in_a_game_as_alone() {
    let folder = small();
    let server = Server::of(folder.path());
    let reply = server.json("/api/tables/wythoff/game?position=20,35&moves=1:2&policy=trap");
    let state = server.json("/api/tables/wythoff/state?position=18,35&policy=trap");
    assert_eq!(list(&reply, "states")[1], state);
}

#[test]
fn an_illegal_move_is_named_with_the_legal_ones() {
    let folder = small();
    let server = Server::of(folder.path());
    for (table, start, moves, expected) in [
        (
            "sticks",
            "3,5,7",
            "1:1,2:6",
            "move 2: found 2:6 at 2,5,7, where the legal moves are 1:1, 1:2, 2:1,",
        ),
        ("sticks", "0,0,1", "3:1,3:1", "move 2: found 3:1 at 0,0,0, where no move is left"),
        ("sticks", "3,5,7", "%F0%9F%98%80", "move 1: move: found '\u{1f600}', expected ROW:TAKE"),
        ("wythoff", "5,8", "1:1%2B2:2", "move 1: found 1:1+2:2 at 5,8, where the legal moves are "),
        (
            "wythoff",
            "5,8",
            "1:1+2:1",
            "move 1: move: found '1:1 2:1', expected ROW:TAKE, such as 1:1, several with a plus, such as 1:1+2:1; in an address, write a + as %2B",
        ),
        ("pile", "9", "3,5", "move 2: found 5 at 6/3/2/2,1/-, where the legal moves are 1, 1r, 2,"),
        ("pile", "9", "3,-1", "move 2: move: found '-1', expected the stones taken"),
    ] {
        let path = format!("/api/tables/{table}/game?position={start}&moves={moves}");
        let detail = server.get(&path).problem(400, "bad-move");
        assert!(detail.starts_with(expected), "{moves}: {detail}");
        assert!(detail.len() < 300, "{detail}");
    }
}

#[test]
fn games_of_more_than_4000_moves_are_refused() {
    let folder = small();
    let server = Server::of(folder.path());
    let moves = |plies: usize| vec!["1:1"; plies].join(",");
    let ask = |moves: String| server.get(&format!("/api/tables/one/game?position=50&moves={moves}"));
    assert_eq!(list(&ask(moves(50)).json(), "states").len(), 51);
    assert!(ask(moves(51)).problem(400, "bad-move").starts_with("move 51: "));
    let detail = ask(moves(4001)).problem(422, "too-much");
    assert!(detail.contains("4,001 moves"), "{detail}");
}
