//! Plays the games of a schedule in several threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::conditions::{Conditions, PlayedGame, StayingPlayers};
use super::schedule::Schedule;
use crate::players::PlayerFactory;
use crate::{Playable, stop};

/// Plays the games of a schedule, `jobs` at the same time, and passes each finished game to `on_finished`. Skips games
/// whose numbers `was_played` reports as finished earlier. When `on_finished` breaks or the program is asked to end,
/// starts no more games, and drops games in progress. Without a clock, `jobs` does not influence the games.
pub fn play_games<G: Playable>(
    conditions: &Conditions<G>,
    factories: &[PlayerFactory<G>],
    schedule: &Schedule,
    was_played: &(dyn Fn(usize) -> bool + Sync),
    jobs: usize,
    on_finished: &mut dyn FnMut(PlayedGame) -> ControlFlow<()>,
) {
    let plays_whole_pairing =
        |pair: &[usize; 2]| pair.iter().any(|&player| factories[player].plays_whole_pairing);
    let run = TournamentRun {
        conditions,
        factories,
        schedule,
        was_played,
        sequential_pairs: (0..schedule.pairs().len())
            .filter(|&pair| plays_whole_pairing(&schedule.pairs()[pair]))
            .collect(),
        next: AtomicUsize::new(0),
        closed: AtomicBool::new(false),
    };
    let (sender, played) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, schedule.games().max(1)) {
            let (run, sender) = (&run, sender.clone());
            scope.spawn(move || run.play(&sender));
        }
        drop(sender);
        for game in played {
            if !run.is_closed() && on_finished(game).is_break() {
                run.closed.store(true, Relaxed);
            }
        }
    });
}

/// Shared state of the threads.
struct TournamentRun<'a, G: Playable> {
    conditions: &'a Conditions<'a, G>,
    factories: &'a [PlayerFactory<G>],
    schedule: &'a Schedule,
    was_played: &'a (dyn Fn(usize) -> bool + Sync),
    /// Pairs with games in sequence, as a player requires. They begin first, because they take longest.
    sequential_pairs: Vec<usize>,
    /// Index of the next task: first the sequential pairs, then all games.
    next: AtomicUsize,
    closed: AtomicBool,
}

impl<G: Playable> TournamentRun<'_, G> {
    fn is_closed(&self) -> bool {
        self.closed.load(Relaxed) || stop::signal_status().is_some()
    }

    fn play(&self, played: &Sender<PlayedGame>) {
        loop {
            let next = self.next.fetch_add(1, Relaxed);
            let mut staying = StayingPlayers::new();
            let flow = match self.sequential_pairs.get(next) {
                Some(&pair) => self
                    .schedule
                    .games_of_pair(pair)
                    .try_for_each(|number| self.play_game(number, &mut staying, played)),
                None => {
                    let number = next - self.sequential_pairs.len();
                    if number >= self.schedule.games() {
                        return;
                    }
                    if self.sequential_pairs.contains(&self.schedule.pair_of(number)) {
                        continue;
                    }
                    self.play_game(number, &mut staying, played)
                }
            };
            if flow.is_break() {
                return;
            }
        }
    }

    fn play_game(
        &self,
        number: usize,
        staying: &mut StayingPlayers<G>,
        played: &Sender<PlayedGame>,
    ) -> ControlFlow<()> {
        if self.is_closed() {
            return ControlFlow::Break(());
        }
        if (self.was_played)(number) {
            return ControlFlow::Continue(());
        }
        let fixture = self.schedule.game(number);
        let game = self.conditions.play(self.factories, staying, fixture, &mut |_| {});
        // A game cut short by the end of the program does not count.
        if stop::signal_status().is_some() || played.send(game).is_err() {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    }
}
