//! The lobby, where clients wait for an opponent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bouton_connections::Seats;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, timeout_at};

use super::connection::{Connection, REFUSAL_PAUSE};
use super::duel::Duel;
use super::hosted_game::HostedGame;
use super::journal::Journal;
use super::match_settings::MatchSettings;
use super::tcp_protocol::next_greeting;
use crate::protocol::MessageStream;
use crate::protocol::tcp::Hello;

/// Time to wait for an opponent with the other order, if all waiting clients ask for the same order.
const PARTNER_WAIT: Duration = Duration::from_secs(1);

/// A client that has sent its greeting, if the protocol has one.
struct Guest {
    connection: Connection,
    greeting: Hello,
}

/// The waiting clients, and the number of matches begun.
#[derive(Default)]
struct WaitingRoom {
    waiting: Vec<Guest>,
    begun: u64,
}

/// The server's state: settings, journal and waiting clients.
struct Lobby {
    settings: MatchSettings,
    journal: Arc<Journal>,
    room: Mutex<WaitingRoom>,
    finished: UnboundedSender<()>,
}

pub(super) async fn host(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) {
    let (finished, mut matches) = unbounded_channel();
    let lobby = Arc::new(Lobby { settings: settings.clone(), journal, room: Mutex::default(), finished });
    tokio::spawn(Arc::clone(&lobby).accept(listener));
    let mut count = 0;
    while !settings.limit_is_reached(count) {
        matches.recv().await;
        count += 1;
    }
}

impl Lobby {
    async fn accept(self: Arc<Self>, listener: TcpListener) {
        let seats = Seats::new(&self.settings.limits());
        for number in 0.. {
            let accepted = listener.accept().await;
            if self.settings.limit_is_reached(self.room().begun) {
                return;
            }
            let Ok((stream, address)) = accepted else {
                sleep(REFUSAL_PAUSE).await;
                continue;
            };
            let seat = match seats.take(address.ip()) {
                Ok(seat) => seat,
                Err(refused) => {
                    self.send_away(address, &refused.to_string());
                    continue;
                }
            };
            match Connection::new(stream, address, number, seat) {
                Ok(connection) => drop(tokio::spawn(Arc::clone(&self).receive(connection))),
                Err(error) => self.send_away(address, &error.to_string()),
            }
        }
    }

    fn room(&self) -> MutexGuard<'_, WaitingRoom> {
        self.room.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send_away(&self, address: SocketAddr, why: &str) {
        self.journal.note(&format!("sent {address} away: {why}"));
    }

    /// Receives a client and its name, if the protocol has names, and matches it with a waiting client or lets it wait.
    ///
    /// Clients that ask for different orders are matched at once. Two clients that ask for the same order are matched
    /// if this is the last match, or no suitable client comes soon.
    async fn receive(self: Arc<Self>, mut connection: Connection) {
        let number = connection.number;
        let greeting = if self.settings.protocol.has_greeting() {
            match self.greet(&mut connection).await {
                Ok(greeting) => greeting,
                Err(why) => return self.send_away(connection.address, &why),
            }
        } else {
            // The order of connecting decides who moves first.
            Hello { name: String::new(), order: 1 }
        };
        let waits_beside_others = self.admit(Guest { connection, greeting });
        if waits_beside_others {
            let is_last = self.settings.limit_is_reached(self.room().begun + 1);
            if !is_last {
                sleep(PARTNER_WAIT).await;
            }
            self.match_with_any(number);
        }
    }

    async fn greet(&self, connection: &mut Connection) -> Result<Hello, String> {
        let join_time = self.settings.join_time();
        let deadline = Instant::now() + join_time;
        let mut stream = MessageStream::new();
        loop {
            let Ok((_, read)) = timeout_at(deadline, connection.receive()).await else {
                return Err(format!("it did not send its name within {join_time:?}"));
            };
            let bytes = read.map_err(|error| error.to_string())?;
            if bytes.is_empty() {
                return Err("it disconnected".to_owned());
            }
            stream.push(&bytes);
            let Some(greeting) = next_greeting(&mut stream)? else { continue };
            if !stream.is_empty() {
                return Err("it sent more than its name before its match began".to_owned());
            }
            return Ok(greeting);
        }
    }

    /// Matches a client with a suitable one, or lets it wait. Returns true if only unsuitable ones wait.
    fn admit(self: &Arc<Self>, guest: Guest) -> bool {
        let mut room = self.room();
        if self.settings.limit_is_reached(room.begun) {
            self.send_away(guest.connection.address, "there are no more matches");
            return false;
        }
        self.remove_departed(&mut room);
        let any = !self.settings.protocol.has_greeting();
        let is_suitable = |waiting: &Guest| any || waiting.greeting.order != guest.greeting.order;
        let Some(index) = room.waiting.iter().position(is_suitable) else {
            room.waiting.push(guest);
            return room.waiting.len() > 1;
        };
        let waiting = room.waiting.remove(index);
        self.begin(&mut room, [waiting, guest]);
        false
    }

    /// Matches a client, if it still waits, with the one of the others that has waited longest.
    fn match_with_any(self: &Arc<Self>, number: u64) {
        let mut room = self.room();
        self.remove_departed(&mut room);
        let index = room.waiting.iter().position(|guest| guest.connection.number == number);
        if let Some(index) = index
            && room.waiting.len() > 1
            && !self.settings.limit_is_reached(room.begun)
        {
            let guest = room.waiting.remove(index);
            let waiting = room.waiting.remove(0);
            self.begin(&mut room, [waiting, guest]);
        }
    }

    fn remove_departed(&self, room: &mut WaitingRoom) {
        room.waiting.retain_mut(|guest| match guest.connection.reason_to_leave() {
            None => true,
            Some(what) => {
                self.send_away(guest.connection.address, &format!("it {what} before its match began"));
                false
            }
        });
    }

    fn begin(self: &Arc<Self>, room: &mut WaitingRoom, guests: [Guest; 2]) {
        room.begun += 1;
        tokio::spawn(Arc::clone(self).play(room.begun, guests));
    }

    async fn play(self: Arc<Self>, number: u64, mut guests: [Guest; 2]) {
        guests.sort_by_key(|guest| guest.connection.number);
        let second_wants_first = guests[1].greeting.order == 0;
        let [first, second] = guests;
        let names = self.settings.protocol.names([first.greeting.name, second.greeting.name]);
        let (mut names, mut connections) = (names, [first.connection, second.connection]);
        if second_wants_first {
            names.reverse();
            connections.reverse();
        }
        let game = HostedGame::new(self.settings.rules.stones(), &self.settings, names);
        self.journal.begun(number, &game);
        let duel = Duel::new(&self.settings, game, connections);
        duel.play(|game| self.journal.finished(number, game)).await;
        // The receiver is gone if the server is ending.
        let _ = self.finished.send(());
    }
}
