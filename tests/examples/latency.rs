//! Measures our client's time for a move over loopback, including all input and output: the time between a server's
//! state and the client's move. Real servers leave TCP_NODELAY off: their system delays a message until the previous
//! one is acknowledged, which our system does at once.
//!
//! `cargo run --release -p bouton-tests --example latency`

use bouton_tables::Game;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use bouton_match::Side;
use bouton_match::client::{self, MatchKit, MatchOptions, ProtocolChoice, Report};
use bouton_match::protocol::MessageStream;
use bouton_match::protocol::tcp::{Dialect, GameState, Init, MoveMessage, PlayerState, to_bytes};
use bouton_tables::expanding::{Expanding, ExpandingKeys, Move};

const STONES: u32 = 1000;
const RESETS: u8 = 4;

type BoxedError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), BoxedError> {
    for nodelay in [true, false] {
        let mut taken = play(nodelay)?;
        taken.sort();
        let [median, most] = [taken[taken.len() / 2], taken[taken.len() - 1]];
        let all: Duration = taken.iter().sum();
        writeln!(
            std::io::stdout(),
            "server {} TCP_NODELAY: {} moves: median {median:.1?}, longest {most:.1?}, all {all:.1?}",
            if nodelay { "with" } else { "without" },
            taken.len()
        )?;
    }
    Ok(())
}

/// Returns the time of each move of a match.
fn play(nodelay: bool) -> Result<Vec<Duration>, BoxedError> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let server = std::thread::spawn(move || serve(&listener, nodelay));
    let (mut out, mut err) = (std::io::sink(), std::io::stderr());
    let mut report = Report::new(&mut out, &mut err, true);
    let mut kit = MatchKit::default();
    kit.get_ready(None, &ExpandingKeys::default().rules()?, &mut report, &())?;
    let options = MatchOptions {
        protocol: ProtocolChoice::Tcp,
        name: "Us".to_owned(),
        side: Side::Second,
        kit,
        patience: Duration::from_secs(60),
        pause: Duration::ZERO,
        ..MatchOptions::default()
    };
    client::connect(&address, &options, &mut report)?;
    server.join().expect("the server does not panic")
}

/// Takes one stone at each turn, and measures the time of each answer.
fn serve(listener: &TcpListener, nodelay: bool) -> Result<Vec<Duration>, BoxedError> {
    let (mut client, _) = listener.accept()?;
    client.set_nodelay(nodelay)?;
    let rules = ExpandingKeys { stones: STONES, resets: [RESETS; 2], ..Default::default() }.rules()?;
    let mut position = rules.start(STONES);
    let mut stream = MessageStream::new();
    receive(&mut client, &mut stream)?;
    client.write_all(&to_bytes(&Init {
        init_stones: STONES,
        init_resets: RESETS,
        game_time: None,
        init_max: None,
    }))?;
    let mut taken = Vec::new();
    let mut chosen = Move { take: 1, reset: false };
    loop {
        position = rules.after(&position, chosen);
        let began = Instant::now();
        client.write_all(&to_bytes(&state(&rules, &position, chosen)))?;
        if position.stones == 0 {
            return Ok(taken);
        }
        chosen = Move { take: 1, reset: false };
        if position.turn.index() == Side::Second.index() {
            let answer: MoveMessage = serde_json::from_value(receive(&mut client, &mut stream)?)?;
            taken.push(began.elapsed());
            chosen = Move { take: answer.num_stones, reset: answer.reset };
        }
    }
}

fn state(rules: &Expanding, position: &bouton_tables::expanding::Position, made: Move) -> GameState {
    let player = |side: Side, name: &str| PlayerState {
        resets_left: position.resets[side.index()],
        time_taken: 0.0,
        name: name.to_owned(),
    };
    let over = position.stones == 0;
    GameState {
        finished: over,
        winner: over.then(|| "Us".to_owned()),
        reason: over.then(|| "Player Us won the game! Congrats!".to_owned()),
        current_max: Dialect::Y2017.current_max(rules, position),
        stones_left: position.stones,
        stones_removed: made.take,
        reset_used: made.reset,
        init_max: None,
        player_0: player(Side::First, "Them"),
        player_1: player(Side::Second, "Us"),
    }
}

fn receive(client: &mut TcpStream, stream: &mut MessageStream) -> Result<serde_json::Value, BoxedError> {
    let mut buffer = [0; 1024];
    loop {
        if let Some(object) = stream.next_object()? {
            return Ok(object);
        }
        let read = client.read(&mut buffer)?;
        if read == 0 {
            return Err("the client broke off".into());
        }
        stream.push(&buffer[..read]);
    }
}
