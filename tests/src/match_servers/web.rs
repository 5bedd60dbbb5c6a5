//! A web server of 2020, with just enough HTTP for one session.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use super::{Opponent, Pile};

/// A false answer (status and body) for a method and a path.
pub type FalseAnswer = Box<dyn Fn(&str, &str) -> Option<(u16, String)> + Send>;

/// A fault in the transport of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request does not reach the server.
    RequestLost,
    /// The server executes the request, and the answer is lost.
    AnswerLost,
    /// A reverse proxy refuses the request for lack of capacity.
    Unavailable,
}

/// The fault for each request, by method and path.
pub type Faults = Box<dyn FnMut(&str, &str) -> Option<Fault> + Send>;

/// A session with an opponent.
pub struct WebScript {
    /// The client's side.
    pub client: usize,
    /// The true state of the game.
    pub pile: Pile,
    /// The player of the other side.
    pub opponent: Opponent,
    /// The names of both players.
    pub names: [String; 2],
    /// The number of status requests answered with "not your turn" before the opponent joins or moves.
    pub opponent_delay: u32,
    /// The false answers.
    pub false_answer: FalseAnswer,
    /// The transport faults.
    pub faults: Faults,
    /// Falsifies currentmax.
    pub lie: fn(u32) -> u32,
    /// True if the server closes the connection without an answer on the first request for each move.
    pub drops_moves: bool,
    /// True if the server accepts each move but closes the connection twice without an answer: to the move, and to
    /// the next status request. It refuses a repeated move.
    pub closes_twice: bool,
    /// The moves played, with the stones left after each.
    pub moves: Vec<(u32, bool, u32)>,
    /// The client's violations.
    pub violations: Vec<String>,
    /// The side that has won.
    pub winner: Option<usize>,
    /// Method and target of every request.
    pub requests: Vec<String>,
    /// The number of moves before the last request that was dropped.
    dropped_after: usize,
    /// True if the server closes the connection on the next status request.
    closes_next_status: bool,
    /// The number of status requests answered with "not your turn" in this turn.
    refused_statuses: u32,
    /// True if the client has requested the status of this turn.
    has_asked_status: bool,
    /// True if the answer to a move was lost, and no status has arrived since.
    is_in_doubt: bool,
    /// True if the client has joined the session.
    has_joined: bool,
}

const TOKEN: &str = "s3cret&token";

impl WebScript {
    /// Returns a session without faults.
    #[must_use]
    pub fn new(client: usize, stones: u32, seed: u64) -> Self {
        Self {
            client,
            pile: Pile::new(stones, 4),
            opponent: Opponent::random(seed),
            names: ["Opponent".to_owned(), "Opponent".to_owned()],
            opponent_delay: 0,
            false_answer: Box::new(|_, _| None),
            faults: Box::new(|_, _| None),
            lie: |most| most,
            drops_moves: false,
            closes_twice: false,
            moves: Vec::new(),
            violations: Vec::new(),
            winner: None,
            requests: Vec::new(),
            dropped_after: usize::MAX,
            closes_next_status: false,
            refused_statuses: 0,
            has_asked_status: false,
            is_in_doubt: false,
            has_joined: false,
        }
    }

    /// Plays a move, and ends the game if it is illegal or the last one.
    fn play(&mut self, take: u32, reset: bool) {
        let mover = self.pile.to_move;
        match self.pile.play(take, reset) {
            Ok(()) if self.pile.stones == 0 => self.winner = Some(self.pile.winner(mover)),
            Ok(()) => {}
            Err(wrong) => {
                self.winner = Some(1 - mover);
                if mover == self.client {
                    self.violations.push(format!("{wrong}: {take} {reset}"));
                }
            }
        }
        self.moves.push((take, reset, self.pile.stones));
    }

    /// Returns the status of the session by its name in the protocol.
    fn game_status(&self) -> &'static str {
        match (self.winner, self.pile.to_move) {
            _ if self.client == 1 && !self.has_joined => "wait_for_b_join",
            (Some(_), _) => "end",
            (None, 0) => "wait_for_a_move",
            (None, _) => "wait_for_b_move",
        }
    }

    /// Returns the answer to a client that makes or joins the session.
    fn session_json(&self) -> String {
        let status = if self.client == 0 { "wait_for_b_join" } else { "wait_for_a_move" };
        let stones = self.pile.stones;
        format!(
            r#"{{"status":"success","game_status":"{status}","session_id":7,"token":"{TOKEN}","init_stones":{stones}}}"#
        )
    }

    /// Answers a status request. In the opponent's turn, the opponent moves after `opponent_delay` requests.
    fn status(&mut self) -> String {
        let ours = self.pile.to_move == self.client;
        if self.winner.is_none()
            && (!ours || self.moves.is_empty())
            && self.refused_statuses < self.opponent_delay
        {
            self.refused_statuses += 1;
            let status = if self.moves.is_empty() && ours { "wait_for_b_join" } else { self.game_status() };
            return format!(
                r#"{{"status":"success","game_status":"{status}","your_turn":false,"message":"It's not your turn yet."}}"#
            );
        }
        self.refused_statuses = 0;
        self.has_asked_status = true;
        if self.winner.is_none() && !ours {
            let (take, reset) = self.opponent.choose(&self.pile);
            self.play(take, reset);
        }
        let status = self.game_status();
        if let Some(winner) = self.winner {
            let name = &self.names[winner];
            return format!(
                r#"{{"status":"success","game_status":"{status}","your_turn":false,"message":"Game Over! Winner: {name}"}}"#
            );
        }
        let Pile { stones, most, resets, imposed, .. } = self.pile;
        let greatest_take = self.pile.limit().min(stones);
        let (left, most) = (resets[self.client], (self.lie)(most));
        format!(
            r#"{{"status":"success","game_status":"{status}","your_turn":true,"message":"It's your turn now.","stones_left":{stones},"reset":{imposed},"current_max":{most},"accept_max_value":{greatest_take},"reset_left":{left},"start_time":"2020-10-01T12:00:00.000Z","time_left":119.5}}"#
        )
    }

    /// Returns the answer to a request for all moves.
    fn moves_json(&self) -> String {
        let moves: Vec<String> = (0..)
            .zip(&self.moves)
            .map(|(number, (take, reset, left))| {
                let player = &self.names[number % 2];
                format!(
                    r#"{{"player":"{player}","time":0.2,"stones_removed":{take},"stones_left":{left},"reset":{reset}}}"#
                )
            })
            .collect();
        let (status, moves) = (self.game_status(), moves.join(","));
        format!(r#"{{"status":"success","game_status":"{status}","moves":[{moves}]}}"#)
    }

    /// Answers a request, subject to its fault; `None` closes the connection without an answer.
    fn respond(&mut self, method: &str, target: &str, body: &str) -> Option<(u16, String)> {
        self.requests.push(format!("{method} {target}"));
        let path = target.split('?').next().unwrap_or_default();
        let (is_move, is_status) = (path.ends_with("/move.json"), path.ends_with("/status.json"));
        if is_move && self.is_in_doubt {
            self.violations.push("moved again without knowing what became of the first try".to_owned());
        }
        let answer = match (self.faults)(method, path) {
            Some(Fault::RequestLost) => None,
            Some(Fault::Unavailable) => Some((503, "<html>busy</html>".to_owned())),
            Some(Fault::AnswerLost) => {
                self.answer(method, target, body);
                None
            }
            None => self.answer(method, target, body),
        };
        let has_arrived = answer.as_ref().is_some_and(|(status, _)| *status != 503);
        if is_move && !has_arrived {
            self.is_in_doubt = true;
        } else if is_status && has_arrived {
            self.is_in_doubt = false;
        }
        answer
    }

    /// Returns the status and the body of the answer to a request; `None` if the request is unknown.
    fn answer(&mut self, method: &str, target: &str, body: &str) -> Option<(u16, String)> {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        if let Some(answer) = (self.false_answer)(method, path) {
            return Some(answer);
        }
        let field = |key: &str| {
            let mut fields = body.split('&').filter_map(|field| field.split_once('='));
            fields.find(|(name, _)| *name == key).map(|(_, value)| value.to_owned())
        };
        let has_token = query == "token=s3cret%26token";
        let answer = match (method, path) {
            ("POST", "/sessions.json") => {
                self.names[0] = field("name").unwrap_or_default();
                let stones = field("stones").and_then(|stones| stones.parse().ok()).unwrap_or(0);
                self.pile = Pile::of(self.pile.rules, stones, self.pile.resets[0]);
                self.session_json()
            }
            ("POST", "/sessions/join.json") if field("id").as_deref() == Some("7") => {
                if std::mem::replace(&mut self.has_joined, true) {
                    return Some((
                        400,
                        r#"{"status":"failed","reason":"Player B already exists."}"#.to_owned(),
                    ));
                }
                self.names[1] = field("name").unwrap_or_default();
                self.session_json()
            }
            ("GET", "/sessions/7/status.json")
                if has_token && std::mem::take(&mut self.closes_next_status) =>
            {
                return None;
            }
            ("GET", "/sessions/7/status.json") if has_token => self.status(),
            ("POST", "/sessions/7/move.json") if has_token && self.closes_twice => {
                if self.pile.to_move != self.client || self.winner.is_some() {
                    return Some((400, r#"{"status":"failed","reason":"It's not your turn."}"#.to_owned()));
                }
                self.take_move(&field("stones"), &field("reset"));
                self.closes_next_status = true;
                return None;
            }
            ("POST", "/sessions/7/move.json") if has_token => {
                if self.drops_moves && self.dropped_after != self.moves.len() {
                    self.dropped_after = self.moves.len();
                    // Half of the time the server has executed the move before it closes the connection.
                    if self.moves.len() % 4 < 2 {
                        return None;
                    }
                    self.take_move(&field("stones"), &field("reset"));
                    return None;
                }
                self.take_move(&field("stones"), &field("reset"));
                r#"{"status":"success"}"#.to_owned()
            }
            ("GET", "/sessions/7.json") => self.moves_json(),
            _ => return Some((404, r#"{"status":"failed","reason":"Session not found"}"#.to_owned())),
        };
        Some((200, answer))
    }

    /// Plays the client's move, and notes its violations of the protocol.
    fn take_move(&mut self, stones: &Option<String>, reset: &Option<String>) {
        if self.pile.to_move != self.client {
            self.violations.push("moved out of turn".to_owned());
        } else if !std::mem::take(&mut self.has_asked_status) {
            self.violations.push("moved without asking for the status".to_owned());
        }
        let take = stones.as_ref().and_then(|stones| stones.parse().ok()).unwrap_or(0);
        self.play(take, reset.as_deref() == Some("yes"));
    }
}

/// A web server with one session.
pub struct WebServer {
    /// The address, HOST:PORT.
    pub address: String,
    /// The session.
    pub script: Arc<Mutex<WebScript>>,
}

impl WebServer {
    /// Starts the server, which runs until the test ends.
    ///
    /// # Panics
    /// If loopback is unavailable.
    #[must_use]
    pub fn start(script: WebScript) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback has free ports");
        let address = listener.local_addr().expect("it is bound").to_string();
        let script = Arc::new(Mutex::new(script));
        let served = Arc::clone(&script);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // Input that is not HTTP gets an error or a closed connection; the test sees that from how the client
                // ended.
                let _ = serve_one(stream, &served);
            }
        });
        Self { address, script }
    }
}

/// Answers the request of one connection by the script.
fn serve_one(mut stream: TcpStream, script: &Mutex<WebScript>) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    let mut reader = BufReader::new(stream.try_clone()?);
    if !reader.fill_buf()?.first().is_some_and(u8::is_ascii_alphabetic) {
        return stream
            .write_all(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    }
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let (request, mut length) = (line.clone(), 0);
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let header = line.trim_end().to_ascii_lowercase();
        if header.is_empty() {
            break;
        }
        if let Some(value) = header.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap_or(0);
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = String::from_utf8_lossy(&body);
    let mut words = request.split_whitespace();
    let (method, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let answer = script.lock().expect("no test panics in between").respond(method, target, &body);
    let Some((status, body)) = answer else { return Ok(()) };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status} Some Reason\r\nContent-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}
