//! Games played at the same time.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::conditions::{Conditions, PlayedGame};
use super::schedule::Schedule;
use crate::players::Maker;
use crate::{Playable, Player, Side, stop};

/// Plays the games of a schedule, `jobs` at the same time, and passes each to `over` when it is over; `is_known` says of a
/// game, by its number, whether it was played before. No more games begin when `over` breaks off or the program is asked to
/// end, and those in progress do not count. What is played depends on nothing but the conditions and the schedule.
pub fn play_games<G: Playable>(
    conditions: &Conditions<G>,
    makers: &[Maker<G>],
    schedule: &Schedule,
    is_known: &(dyn Fn(usize) -> bool + Sync),
    jobs: usize,
    over: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
) {
    let in_order = |pair: &[usize; 2]| pair.iter().any(|&player| makers[player].plays_in_order());
    let hall = Hall {
        conditions,
        makers,
        schedule,
        is_known,
        series: (0..schedule.pairs().len()).filter(|&pair| in_order(&schedule.pairs()[pair])).collect(),
        next: AtomicUsize::new(0),
        closed: AtomicBool::new(false),
    };
    let (sender, played) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, schedule.games().max(1)) {
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
    schedule: &'a Schedule,
    is_known: &'a (dyn Fn(usize) -> bool + Sync),
    /// The pairs of players, by their places, whose games are played one after the other, since either of them says so.
    /// They begin first, because they take longest.
    series: Vec<usize>,
    /// What nobody plays yet: of the series, and then of all games.
    next: AtomicUsize,
    closed: AtomicBool,
}

/// Players who play more than one game, by their numbers.
type Staying<G> = BTreeMap<usize, Box<dyn Player<G>>>;

impl<G: Playable> Hall<'_, G> {
    fn is_closed(&self) -> bool {
        self.closed.load(Relaxed) || stop::asked().is_some()
    }

    /// Plays until there is nothing left to play.
    fn play(&self, played: &Sender<PlayedGame>) {
        loop {
            let next = self.next.fetch_add(1, Relaxed);
            let mut staying = Staying::new();
            let done = match self.series.get(next) {
                Some(&pair) => self
                    .schedule
                    .of_pair(pair)
                    .try_for_each(|number| self.play_game(number, &mut staying, played)),
                None => {
                    let number = next - self.series.len();
                    if number >= self.schedule.games() {
                        return;
                    }
                    if self.series.contains(&self.schedule.pair_of(number)) {
                        continue;
                    }
                    self.play_game(number, &mut staying, played)
                }
            };
            if done.is_break() {
                return;
            }
        }
    }

    fn play_game(
        &self,
        number: usize,
        staying: &mut Staying<G>,
        played: &Sender<PlayedGame>,
    ) -> ControlFlow<()> {
        if self.is_closed() {
            return ControlFlow::Break(());
        }
        if (self.is_known)(number) {
            return ControlFlow::Continue(());
        }
        let fixture = self.schedule.game(number);
        let [mut first, mut second] = Side::BOTH.map(|side| {
            let player = fixture.players[side.index()];
            let make = || self.makers[player].player(self.conditions.seed(&fixture, side));
            staying.remove(&player).unwrap_or_else(make)
        });
        let game = self.conditions.play_with([&mut *first, &mut *second], fixture, &mut |_| {});
        for (player, object) in fixture.players.into_iter().zip([first, second]) {
            if self.makers[player].plays_in_order() {
                staying.insert(player, object);
            }
        }
        // A game that ends because the program does is none.
        if stop::asked().is_some() || played.send(game).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}

/// Puts games that come in any order into that of their numbers.
#[derive(Debug, Default)]
pub struct InOrder {
    next: usize,
    early: BTreeMap<usize, PlayedGame>,
}

impl InOrder {
    /// A game is over.
    pub fn add(&mut self, game: PlayedGame) {
        self.early.insert(game.fixture.number, game);
    }

    /// The next game, if it is over.
    pub fn next_game(&mut self) -> Option<PlayedGame> {
        let game = self.early.remove(&self.next)?;
        self.next += 1;
        Some(game)
    }

    /// Of the games that are over while some before them are not, the first.
    pub fn first_early(&mut self) -> Option<PlayedGame> {
        self.early.pop_first().map(|(_, game)| game)
    }
}
