//! Measures the time of Bouton's client for a move over loopback, including all input and output: from the server's
//! game state to the client's move. The server plays with TCP_NODELAY on and off. Real servers leave it off: their
//! system then holds a message back until the previous one is acknowledged. The client has its own system acknowledge
//! at once, on Linux.
//!
//! `cargo run --release -p bouton-tests --example latency`

use bouton_tables::Game;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use bouton_match::Side;
use bouton_match::client::{MatchKit, MatchOptions, ProtocolChoice, Report, Server};
use bouton_match::protocol::MessageStream;
use bouton_match::protocol::tcp::{Dialect, GameState, Init, MoveMessage, PlayerState, to_bytes};
use bouton_tables::expanding::{Expanding, ExpandingKeys, Move};

const STONES: u64 = 1000;
const RESETS: u8 = 4;

type BoxedError = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), BoxedError> {
    for nodelay in [true, false] {
        let mut move_times = play(nodelay)?;
        move_times.sort();
        let [median, longest] = [move_times[move_times.len() / 2], move_times[move_times.len() - 1]];
        let sum: Duration = move_times.iter().sum();
        writeln!(
            std::io::stdout(),
            "server {} TCP_NODELAY: {} moves: median {median:.1?}, longest {longest:.1?}, all {sum:.1?}",
            if nodelay { "with" } else { "without" },
            move_times.len()
        )?;
    }
    Ok(())
}

/// Plays a match. Returns the time of each move of the client.
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
    Server::find(&address, &options, &mut report)?.play(&options, &mut report)?;
    server.join().expect("the server does not panic")
}

/// Plays the server: its own player takes one stone at each turn. Returns the time of each move of the client.
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
    let mut move_times = Vec::new();
    let mut chosen = Move { take: 1, reset: false };
    loop {
        position = rules.after(&position, chosen);
        let began = Instant::now();
        client.write_all(&to_bytes(&state(&rules, &position, chosen)))?;
        if position.stones == 0 {
            return Ok(move_times);
        }
        chosen = Move { take: 1, reset: false };
        if position.turn.index() == Side::Second.index() {
            let answer: MoveMessage = serde_json::from_value(receive(&mut client, &mut stream)?)?;
            move_times.push(began.elapsed());
            chosen = Move { take: answer.num_stones, reset: answer.reset };
        }
    }
}

/// Returns the state of the game that the server sends after a move.
fn state(rules: &Expanding, position: &bouton_tables::expanding::Position, last_move: Move) -> GameState {
    let player = |side: Side, name: &str| PlayerState {
        resets_left: position.resets[side.index()],
        time_taken: 0.0,
        name: name.to_owned(),
    };
    let is_over = position.stones == 0;
    GameState {
        finished: is_over,
        winner: is_over.then(|| "Us".to_owned()),
        reason: is_over.then(|| "Player Us won the game! Congrats!".to_owned()),
        current_max: Dialect::Y2017.current_max(rules, position),
        stones_left: position.stones,
        stones_removed: last_move.take,
        reset_used: last_move.reset,
        init_max: None,
        player_0: player(Side::First, "Them"),
        player_1: player(Side::Second, "Us"),
    }
}

/// Reads the next JSON object that the client sends.
fn receive(client: &mut TcpStream, stream: &mut MessageStream) -> Result<serde_json::Value, BoxedError> {
    let mut buffer = [0; 1024];
    loop {
        if let Some(object) = stream.next_object()? {
            return Ok(object);
        }
        let read = client.read(&mut buffer)?;
        if read == 0 {
            return Err("the client closed the connection".into());
        }
        stream.push(&buffer[..read]);
    }
}
