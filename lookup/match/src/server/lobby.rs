//! The lobby, where clients wait for an opponent.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bouton_connections::Seats;
use tokio::net::TcpListener;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::time::{Instant, sleep, timeout_at};

use super::connection::{AFTER_REFUSAL, Connection};
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
}

struct Lobby {
    settings: MatchSettings,
    journal: Arc<Journal>,
    hall: Mutex<Hall>,
    finished: UnboundedSender<()>,
}

/// Hosts matches until the number in the settings is finished.
pub(super) async fn host(listener: TcpListener, settings: &MatchSettings, journal: Arc<Journal>) {
    let (finished, mut matches) = unbounded_channel();
    let lobby = Arc::new(Lobby { settings: settings.clone(), journal, hall: Mutex::default(), finished });
    tokio::spawn(Arc::clone(&lobby).accept(listener));
    let mut count = 0;
    while !settings.are_all(count) {
        matches.recv().await;
        count += 1;
    }
}

impl Lobby {
    /// Accepts clients while there are matches for them.
    async fn accept(self: Arc<Self>, listener: TcpListener) {
        let seats = Seats::new(&self.settings.limits());
        for number in 0.. {
            let accepted = listener.accept().await;
            if self.is_over(&self.hall()) {
                return;
            }
            let Ok((stream, address)) = accepted else {
                sleep(AFTER_REFUSAL).await;
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

    fn hall(&self) -> MutexGuard<'_, Hall> {
        self.hall.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether all matches have begun.
    fn is_over(&self, hall: &Hall) -> bool {
        self.settings.are_all(hall.begun)
    }

    fn send_away(&self, address: SocketAddr, why: &str) {
        self.journal.note(&format!("sent {address} away: {why}"));
    }

    /// Receives a client, which may have to send its name first, and lets it play with a waiting one, or wait.
    ///
    /// Clients that ask for different orders are matched. Two that ask for the same order are matched if nobody else can
    /// come, or nobody comes soon.
    async fn receive(self: Arc<Self>, mut connection: Connection) {
        let number = connection.number;
        let greeting = if self.settings.protocol.has_greeting() {
            match self.greet(&mut connection).await {
                Ok(greeting) => greeting,
                Err(why) => return self.send_away(connection.address, &why),
            }
        } else {
            Greeting { name: String::new(), first: false }
        };
        let waits_beside_others = self.admit(Guest { connection, greeting });
        if waits_beside_others {
            let is_last = self.settings.are_all(self.hall().begun + 1);
            if !is_last {
                sleep(TO_FIND_A_PARTNER).await;
            }
            self.settle_for_any(number);
        }
    }

    /// Waits until a client has sent its name.
    async fn greet(&self, connection: &mut Connection) -> Result<Greeting, String> {
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

    /// Lets a client play with one that suits it, or wait. Returns whether it waits beside others that do not suit it.
    fn admit(self: &Arc<Self>, guest: Guest) -> bool {
        let mut hall = self.hall();
        if self.is_over(&hall) {
            self.send_away(guest.connection.address, "there are no more matches");
            return false;
        }
        self.send_the_gone_away(&mut hall);
        let any = !self.settings.protocol.has_greeting();
        let suits = |waiting: &Guest| any || waiting.greeting.first != guest.greeting.first;
        let Some(place) = hall.waiting.iter().position(suits) else {
            hall.waiting.push(guest);
            return hall.waiting.len() > 1;
        };
        let waiting = hall.waiting.remove(place);
        self.begin(&mut hall, [waiting, guest]);
        false
    }

    /// Matches a client that still waits with any other.
    fn settle_for_any(self: &Arc<Self>, number: u64) {
        let mut hall = self.hall();
        self.send_the_gone_away(&mut hall);
        let place = hall.waiting.iter().position(|guest| guest.connection.number == number);
        if let Some(place) = place
            && hall.waiting.len() > 1
            && !self.is_over(&hall)
        {
            let guest = hall.waiting.remove(place);
            let waiting = hall.waiting.remove(0);
            self.begin(&mut hall, [waiting, guest]);
        }
    }

    /// Removes the clients that disconnected or sent something while they waited.
    fn send_the_gone_away(&self, hall: &mut Hall) {
        hall.waiting.retain_mut(|guest| match guest.connection.no_longer_waits() {
            None => true,
            Some(what) => {
                self.send_away(guest.connection.address, &format!("it {what} before its match began"));
                false
            }
        });
    }

    fn begin(self: &Arc<Self>, hall: &mut Hall, guests: [Guest; 2]) {
        hall.begun += 1;
        tokio::spawn(Arc::clone(self).play(hall.begun, guests));
    }

    async fn play(self: Arc<Self>, number: u64, mut guests: [Guest; 2]) {
        guests.sort_by_key(|guest| guest.connection.number);
        let second_first = guests[1].greeting.first;
        let [first, second] = guests;
        let names = self.settings.protocol.names([first.greeting.name, second.greeting.name]);
        let (mut names, mut connections) = (names, [first.connection, second.connection]);
        if second_first {
            names.reverse();
            connections.reverse();
        }
        let game = HostedGame::new(self.settings.rules.stones(), &self.settings, names);
        self.journal.begun(number, &game);
        let duel = Duel::new(&self.settings, game, connections);
        duel.play(|game| self.journal.finished(number, game)).await;
        // Nobody counts any more if the server ends.
        let _ = self.finished.send(());
    }
}
