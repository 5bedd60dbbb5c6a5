//! The library's client against the library's server, over loopback. `serve_and_connect` runs the programs.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use bouton_match::Side;
use bouton_match::client::{self, MatchKit, MatchOptions, MatchResult, Report};
use bouton_match::players::LosingPolicy;
use bouton_match::protocol::tcp::Dialect;
use bouton_match::server::{Journal, MatchSettings, Protocol, serve};
use bouton_tables::expanding::ExpandingKeys;
use bouton_tests::match_servers::connect;

/// A client's result, and its output.
type ClientRun = (MatchResult, String);

/// Starts a server for one match; returns its address.
fn start_server(protocol: Protocol) -> (SocketAddr, thread::JoinHandle<()>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let keys = ExpandingKeys { stones: 30, ..protocol.usual_rules().keys().clone() };
    let settings = MatchSettings { rules: keys.rules().unwrap(), clock: 15, ..MatchSettings::new(protocol) };
    let journal = Journal::new(Box::new(std::io::sink()), Box::new(std::io::sink()));
    let hosting = thread::spawn(move || serve(listener, &settings, Arc::new(journal)).unwrap());
    (address, hosting)
}

/// Plays a match as a client of a server.
fn play(
    address: SocketAddr,
    protocol: client::ProtocolChoice,
    side: Side,
    session: Option<u64>,
) -> ClientRun {
    let options = MatchOptions {
        protocol,
        name: "Same".to_owned(),
        side,
        kit: MatchKit::new(Some(LosingPolicy::Longest)),
        session,
        stones: Some(30),
        patience: Duration::from_secs(20),
        pause: Duration::ZERO,
        ..MatchOptions::default()
    };
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let ended = connect(&address.to_string(), &options, &mut Report::new(&mut out, &mut err, false));
    let output = [out, err].concat();
    (ended.unwrap(), String::from_utf8(output).unwrap())
}

/// Checks that exactly one client has won, and that neither warns about a move.
fn check_result([(one, first_output), (other, second_output)]: [ClientRun; 2]) {
    let output = format!("{first_output}\n{second_output}");
    assert!(
        matches!((one, other), (MatchResult::Won, MatchResult::Lost) | (MatchResult::Lost, MatchResult::Won)),
        "{output}"
    );
    assert!(output.contains("0 left") && !output.contains("WARNING"), "{output}");
}

#[test]
fn two_clients_of_the_same_name_play_to_the_end_in_either_order() {
    for sides in [Side::BOTH, [Side::Second, Side::First]] {
        let (address, hosting) = start_server(Protocol::Tcp(Dialect::Y2017));
        let players = sides.map(|side| {
            let playing = thread::spawn(move || play(address, client::ProtocolChoice::Tcp, side, None));
            // The first client to connect keeps its name; the other one gets another name. A busy machine needs the
            // time.
            thread::sleep(Duration::from_millis(1500));
            playing
        });
        check_result(players.map(|player| player.join().unwrap()));
        hosting.join().unwrap();
    }
}

#[test]
fn two_clients_of_the_same_name_agree_on_the_winner_over_http() {
    let (address, hosting) = start_server(Protocol::Rest);
    let first = thread::spawn(move || play(address, client::ProtocolChoice::Rest, Side::First, None));
    thread::sleep(Duration::from_millis(1500));
    let second = play(address, client::ProtocolChoice::Rest, Side::Second, Some(1));
    check_result([first.join().unwrap(), second]);
    hosting.join().unwrap();
}
