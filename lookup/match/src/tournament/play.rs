//! Games played at the same time.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::conditions::{Conditions, PlayedGame};
use super::schedule::{Fixture, parts};
use crate::players::Maker;
use crate::{Playable, Player, Side, stop};

/// Plays games, `jobs` at the same time, and passes each to `over` when it is over. No more games begin when `over` breaks
/// off or the program is asked to end, and those in progress do not count. What is played depends on nothing but the
/// conditions and the fixtures.
pub fn play_fixtures<G: Playable>(
    conditions: &Conditions<G>,
    makers: &[Maker<G>],
    fixtures: &[Fixture],
    jobs: usize,
    over: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
) {
    let parts = parts(fixtures, |player| makers[player].plays_in_order());
    let hall = Hall { conditions, makers, parts, next: AtomicUsize::new(0), closed: AtomicBool::new(false) };
    let (sender, played) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, hall.parts.len().max(1)) {
            let (hall, sender) = (&hall, sender.clone());
            scope.spawn(move || hall.play(&sender));
        }
        drop(sender);
        for game in played {
            if !hall.is_closed() && over(game).is_break() {
                hall.closed.store(true, Relaxed);
            }
        }
    });
}

/// Where the games are played.
struct Hall<'a, G: Playable> {
    conditions: &'a Conditions<'a, G>,
    makers: &'a [Maker<G>],
    parts: Vec<Vec<Fixture>>,
    /// The first part that nobody plays yet.
    next: AtomicUsize,
    closed: AtomicBool,
}

impl<G: Playable> Hall<'_, G> {
    fn is_closed(&self) -> bool {
        self.closed.load(Relaxed) || stop::asked().is_some()
    }

    /// Plays one part after the other while there are any.
    fn play(&self, played: &Sender<PlayedGame>) {
        while let Some(part) = self.parts.get(self.next.fetch_add(1, Relaxed)) {
            // Players who play all these games, by their numbers.
            let mut staying: BTreeMap<usize, Box<dyn Player<G>>> = BTreeMap::new();
            for fixture in part {
                if self.is_closed() {
                    return;
                }
                let [mut first, mut second] = Side::BOTH.map(|side| {
                    let player = fixture.players[side.index()];
                    let make = || self.makers[player].player(self.conditions.seed(fixture, side));
                    staying.remove(&player).unwrap_or_else(make)
                });
                let game = self.conditions.play_with([&mut *first, &mut *second], *fixture, &mut |_| {});
                // A game that ends because the program does is none.
                if stop::asked().is_some() || played.send(game).is_err() {
                    return;
                }
                for (player, object) in fixture.players.into_iter().zip([first, second]) {
                    if self.makers[player].plays_in_order() {
                        staying.insert(player, object);
                    }
                }
            }
        }
    }
}

/// Puts games that come in any order into that of their numbers.
#[derive(Debug)]
pub struct InOrder {
    /// The number of the next game, and of those after it.
    expected: std::vec::IntoIter<usize>,
    next: Option<usize>,
    early: BTreeMap<usize, PlayedGame>,
}

impl InOrder {
    /// For these games.
    pub fn of(fixtures: &[Fixture]) -> Self {
        let mut numbers: Vec<usize> = fixtures.iter().map(|fixture| fixture.number).collect();
        numbers.sort_unstable();
        let mut expected = numbers.into_iter();
        Self { next: expected.next(), expected, early: BTreeMap::new() }
    }

    /// A game is over.
    pub fn add(&mut self, game: PlayedGame) {
        self.early.insert(game.fixture.number, game);
    }

    /// The next game, if it is over.
    pub fn next_game(&mut self) -> Option<PlayedGame> {
        let game = self.early.remove(&self.next?)?;
        self.next = self.expected.next();
        Some(game)
    }

    /// Of the games that are over while some before them are not, the first.
    pub fn first_early(&mut self) -> Option<PlayedGame> {
        self.early.pop_first().map(|(_, game)| game)
    }
}
