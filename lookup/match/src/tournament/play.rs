//! Plays the games of a schedule in several threads.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
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
    let is_sequential: Vec<bool> = schedule.pairs().iter().map(plays_whole_pairing).collect();
    // Pairs with games in sequence, as a player requires, begin first, because they take longest.
    let sequential = (0..is_sequential.len())
        .filter(|&pair| is_sequential[pair])
        .map(|pair| schedule.games_of_pair(pair).collect());
    let single = (0..schedule.games())
        .filter(|&number| !is_sequential[schedule.pair_of(number)])
        .map(|number| vec![number]);
    let tasks = Mutex::new(sequential.chain(single));
    let next_task = || -> Option<Vec<usize>> { tasks.lock().unwrap_or_else(PoisonError::into_inner).next() };
    let closed = AtomicBool::new(false);
    let is_closed = || closed.load(Relaxed) || stop::signal_status().is_some();
    let (sender, played) = channel();
    thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, schedule.games().max(1)) {
            let sender = sender.clone();
            scope.spawn(move || {
                while let Some(numbers) = next_task() {
                    let mut staying = StayingPlayers::new();
                    for number in numbers.into_iter().filter(|&number| !was_played(number)) {
                        if is_closed() {
                            return;
                        }
                        let fixture = schedule.game(number);
                        let game = conditions.play(factories, &mut staying, fixture, &mut |_| {});
                        // A game cut short by the end of the program does not count.
                        if stop::signal_status().is_some() || sender.send(game).is_err() {
                            return;
                        }
                    }
                }
            });
        }
        drop(sender);
        for game in played {
            if !is_closed() && on_finished(game).is_break() {
                closed.store(true, Relaxed);
            }
        }
    });
}
