//! The lobby, where clients wait for an opponent.

use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;

use super::connection::{AFTER_REFUSAL, Connection, MOST_CONNECTIONS, PIECE, Seat};
use super::duel::Duel;
use super::hosted_game::HostedGame;
use super::journal::Journal;
use super::match_settings::MatchSettings;
use super::tcp_protocol::{Greeting, next_greeting};
use crate::protocol::MessageStream;

/// How long a client that asks for the same order as all waiting clients is kept for one that asks for the other order.
const TO_FIND_A_PARTNER: Duration = Duration::from_secs(1);

/// A client that has sent its name.
struct Guest {
    connection: Connection,
    greeting: Greeting,
}

/// The waiting clients, and the number of matches.
#[derive(Default)]
struct Hall {
    waiting: Vec<Guest>,
    begun: u64,
    /// Those of them that could not be played after all.
    called_off: u64,
}

impl Hall {
    /// Removes the clients that disconnected or sent something while they waited.
    fn remove_the_gone(&mut self) -> Vec<Guest> {
        self.waiting.extract_if(.., |guest| !guest.connection.is_waiting()).collect()
    }

    /// Matches that were played or are in progress.
    fn played(&self) -> u64 {
        self.begun - self.called_off
    }
}

struct Lobby {
    settings: MatchSettings,
    journal: Arc<Journal>,
    hall: Mutex<Hall>,
    finished: Sender<()>,
}

/// Hosts matches until the number in the settings is finished.
pub(super) fn host(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) -> io::Result<()> {
    let (sender, finished) = channel();
    let lobby =
        Arc::new(Lobby { settings: settings.clone(), journal, hall: Mutex::default(), finished: sender });
    thread::Builder::new().spawn(move || lobby.accept(&listener))?;
    let mut count = 0;
    while !settings.are_all(count) {
        // The lobby holds a sender while it accepts clients, and each match until it is finished.
        if finished.recv().is_err() {
            return Err(io::Error::other("the server no longer accepts connections; start it again"));
        }
        count += 1;
    }
    Ok(())
}

impl Lobby {
    /// Accepts clients while there are matches for them.
    fn accept(self: &Arc<Self>, listener: &TcpListener) {
        let seats = Arc::new(Semaphore::new(MOST_CONNECTIONS));
        for number in 0.. {
            let accepted = listener.accept();
            if self.is_over(&self.hall()) {
                return;
            }
            let Ok((stream, address)) = accepted else {
                thread::sleep(AFTER_REFUSAL);
                continue;
            };
            let Ok(seat) = Arc::clone(&seats).try_acquire_owned() else {
                self.send_away(address, "all places are taken");
                continue;
            };
            if let Err(error) = self.receive(stream, address, number, seat) {
                self.send_away(address, &error.to_string());
            }
        }
    }

    fn hall(&self) -> MutexGuard<'_, Hall> {
        self.hall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all matches have begun.
    fn is_over(&self, hall: &Hall) -> bool {
        self.settings.are_all(hall.played())
    }

    fn send_away(&self, address: SocketAddr, why: &str) {
        self.journal.note(&format!("sent {address} away: {why}"));
    }

    /// Receives a client, in a thread of its own if it has to send its name first.
    fn receive(
        self: &Arc<Self>,
        stream: TcpStream,
        address: SocketAddr,
        number: u64,
        seat: Seat,
    ) -> io::Result<()> {
        let connection = Connection::new(stream, address, number, seat)?;
        if !self.settings.protocol.has_greeting() {
            self.admit(Guest { connection, greeting: Greeting { name: String::new(), first: false } });
            return Ok(());
        }
        let lobby = Arc::clone(self);
        let receiving = move || match lobby.greet(connection) {
            Ok(guest) => lobby.admit(guest),
            Err(why) => lobby.send_away(address, &why),
        };
        thread::Builder::new().spawn(receiving).map(drop)
    }

    /// Waits until a client has sent its name.
    fn greet(&self, mut connection: Connection) -> Result<Guest, String> {
        let join_time = Duration::from_secs(self.settings.join_time.into());
        let deadline = Instant::now() + join_time;
        let mut stream = MessageStream::new();
        let mut buffer = [0; PIECE];
        loop {
            match connection.read_until(deadline, &mut buffer) {
                Ok(0) => return Err("it disconnected".to_owned()),
                Ok(read) => stream.push(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                    return Err(format!("it did not send its name within {join_time:?}"));
                }
                Err(error) => return Err(error.to_string()),
            }
            let Some(greeting) = next_greeting(&mut stream)? else { continue };
            if !stream.is_empty() {
                return Err("it sent more than its name before its match began".to_owned());
            }
            return Ok(Guest { connection, greeting });
        }
    }

    /// Lets a client play with a waiting one, or wait.
    ///
    /// Clients that ask for different orders are matched. Two that ask for the same order are matched if nobody else can
    /// come, or nobody comes soon.
    fn admit(self: &Arc<Self>, guest: Guest) {
        let mut hall = self.hall();
        if self.is_over(&hall) {
            drop(hall);
            return self.send_away(guest.connection.address, "there are no more matches");
        }
        let gone = hall.remove_the_gone();
        let any = !self.settings.protocol.has_greeting();
        let suits = |waiting: &Guest| any || waiting.greeting.first != guest.greeting.first;
        let mut unsuited = None;
        if let Some(place) = hall.waiting.iter().position(suits) {
            let waiting = hall.waiting.remove(place);
            self.begin(hall, [waiting, guest]);
        } else {
            if !hall.waiting.is_empty() {
                unsuited = Some(guest.connection.number);
            }
            hall.waiting.push(guest);
            drop(hall);
        }
        self.part_from(&gone);
        if let Some(number) = unsuited {
            let played = self.hall().played();
            let is_last = self.settings.are_all(played + 1);
            if !is_last {
                thread::sleep(TO_FIND_A_PARTNER);
            }
            self.settle_for_any(number);
        }
    }

    fn part_from(&self, gone: &[Guest]) {
        let why = "it disconnected or sent something before its match began";
        gone.iter().for_each(|guest| self.send_away(guest.connection.address, why));
    }

    /// Matches a client that still waits with any other.
    fn settle_for_any(self: &Arc<Self>, number: u64) {
        let mut hall = self.hall();
        let gone = hall.remove_the_gone();
        let place = hall.waiting.iter().position(|guest| guest.connection.number == number);
        if let Some(place) = place
            && hall.waiting.len() > 1
            && !self.is_over(&hall)
        {
            let guest = hall.waiting.remove(place);
            let waiting = hall.waiting.remove(0);
            self.begin(hall, [waiting, guest]);
        } else {
            drop(hall);
        }
        self.part_from(&gone);
    }

    fn begin(self: &Arc<Self>, mut hall: MutexGuard<'_, Hall>, guests: [Guest; 2]) {
        hall.begun += 1;
        let number = hall.begun;
        drop(hall);
        let lobby = Arc::clone(self);
        let playing = move || lobby.play(number, guests);
        if let Err(error) = thread::Builder::new().spawn(playing) {
            self.call_off(number, &error);
        }
    }

    /// A match cannot be played: the system has no thread or no handle left.
    fn call_off(&self, number: u64, error: &io::Error) {
        self.journal.note(&format!("match {number} is called off: {error}"));
        self.hall().called_off += 1;
    }

    fn play(&self, number: u64, mut guests: [Guest; 2]) {
        guests.sort_by_key(|guest| guest.connection.number);
        let second_first = guests[1].greeting.first;
        let [first, second] = guests;
        let names = self.settings.protocol.names([first.greeting.name, second.greeting.name]);
        let (mut names, mut connections) = (names, [first.connection, second.connection]);
        if second_first {
            names.reverse();
            connections.reverse();
        }
        let game = match HostedGame::new(self.settings.stones, &self.settings, names) {
            Ok(game) => game,
            Err(error) => return self.call_off(number, &io::Error::other(error)),
        };
        self.journal.begun(number, &game);
        let duel = Duel::new(&self.settings, game, connections);
        match duel.play(|game| self.journal.finished(number, game)) {
            // The receiver is gone if the server ends.
            Ok(()) => drop(self.finished.send(())),
            Err(error) => self.call_off(number, &error),
        }
    }
}
