//! The service answers a single position as `bouton-lookup --batch` does, byte for byte.

use bouton_tests::exported::cases::CASES;
use bouton_tests::positions::Dice;
use bouton_tests::service::{Client, Folder, Server};

use super::random_positions_of;

/// The requests: arguments of the program, and parameters of the service.
const REQUESTS: [(&[&str], &str); 6] = [
    (&[], ""),
    (&["--moves"], "&moves=true"),
    (&["--policy", "trap"], "&policy=trap"),
    (&["--policy", "trap", "--moves"], "&policy=trap&moves=true"),
    (&["--policy", "fastest"], "&policy=fastest"),
    (&["--policy", "longest", "--moves"], "&moves=true&policy=longest"),
];

/// Compares the service's answers with the program's, for each position and request. Returns the number of positions
/// that get an answer, which must not depend on the request.
fn count_answered(folder: &Folder, client: &mut Client, name: &str, positions: &[String]) -> usize {
    let counts = REQUESTS.map(|(args, query)| {
        let mut answered = 0;
        for (position, line) in positions.iter().zip(folder.lookup(name, positions, args)) {
            let encoded = position.replace('+', "%2B").replace(' ', "+");
            let answer = client.get(&format!("/api/tables/{name}/lookup?position={encoded}{query}"));
            if line.contains("\"error\":") {
                let _ = answer.problem(400, "bad-position");
            } else {
                answered += 1;
                assert_eq!(answer.success_text().trim_end(), line, "{name} {position} {args:?}");
                assert_eq!(answer.header("content-type"), Some("application/json"));
            }
        }
        answered
    });
    assert!(counts.iter().all(|&count| count == counts[0]), "{name}: {counts:?}");
    counts[0]
}

#[test]
fn every_position_of_3_5_7_in_any_order_is_answered_as_by_the_program() {
    let folder = Folder::of(&[("sticks", "sticks", &[])]);
    let server = Server::of(folder.path());
    let position = |n: u32| format!("{},{},{}", n / 64, n / 8 % 8, n % 8);
    let positions: Vec<String> = (0..512).map(position).collect();
    let fits = |n: u32| {
        let mut heaps = [n / 64, n / 8 % 8, n % 8];
        heaps.sort_unstable();
        heaps[0] <= 3 && heaps[1] <= 5
    };
    let expected = (0..512).filter(|&n| fits(n)).count();
    assert_eq!(count_answered(&folder, &mut server.client(), "sticks", &positions), expected);
}

#[test]
fn random_positions_of_many_games_are_answered_as_by_the_program() {
    let (folder, mut dice) = (Folder::new(), Dice::new(14));
    let mut games = Vec::new();
    for (number, case) in CASES.iter().enumerate() {
        let name = format!("game-{number}");
        case.make(folder.path(), &format!("{name}.bouton"), number % 3 != 2);
        games.push((name, random_positions_of(&case.ruleset(), 30, &mut dice)));
    }
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (name, positions) in &games {
        assert_eq!(count_answered(&folder, &mut client, name, positions), positions.len(), "{name}");
    }
}

#[test]
fn the_service_accepts_the_same_abbreviated_positions_as_the_program() {
    let folder = super::small();
    let server = Server::of(folder.path());
    let mut client = server.client();
    for (name, positions) in [
        (
            "pile",
            "0|40|41|12|12/3|12/3/2|12/3/2/1,0|12/3/2/1,0/r|12/3/3|12//1|x|-1|+1|1e1|12/3/1/3,0|40/9| 12 |12 3",
        ),
        ("flat", "0|40|41|12|12/3|12/3/2|12/3/2/1,0|12/3/2/1,0/r|12/3/1/1/-|12/3/1/1,1/-/7"),
        ("sticks", "0|3|7|3,5|5,7,3|8|4,5,7|1,1,1,0|1,,1|1.5|,|1/0|3 5 7| 3,  5|3 5 7 1| 8 |3 x"),
        ("passing", "7|7,1|1,2/1|1,2/0|1,2/2|0/1|1,2/|1/2/3"),
        ("one", "0|50|51|5,0"),
    ] {
        let positions: Vec<String> = positions.split('|').map(str::to_owned).collect();
        let covered = count_answered(&folder, &mut client, name, &positions);
        assert!(covered > 1 && covered < positions.len(), "{name}: {covered}");
    }
}

#[test]
fn all_of_an_address_may_be_percent_encoded_and_parameters_come_in_any_order() {
    let folder = super::small();
    let server = Server::of(folder.path());
    for (name, plain, other) in [
        ("pile", "position=12/3/2/1,0/-", "position=12%2F3%2f2%2F1%2C0%2F-"),
        (
            "pile",
            "position=12/3/2/1,0/-&moves=true&policy=trap",
            "policy=%74rap&position=12/3/2/1,0/-&moves=true",
        ),
        ("sticks", "position=3,5,7", "%70osition=%33,%35,%37"),
        // Positions as people type them.
        ("sticks", "position=3,5,7", "position=+3+5%207%0A"),
    ] {
        let ask = |query| server.get(&format!("/api/tables/{name}/lookup?{query}"));
        assert_eq!(ask(plain).success_text(), ask(other).success_text());
    }
    assert_eq!(
        server.get("/api/tables/%73ticks").success_text(),
        server.get("/api/tables/sticks").success_text()
    );
}
