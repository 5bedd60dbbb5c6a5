//! Tests of the protocol of bots (docs/bots.md), with shell scripts as bots. `templates` tests the bots of that document.

mod conversation;
mod failing;
mod templates;

use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use bouton_match::players::{BotLimits, BotPlayer, GreedyPlayer, PlayerPreparation, PlayerSpec};
use bouton_match::{
    Choice, Ending, GameInfo, MoveRequest, Player, PlayerIdentities, Reason, Referee, Side, play_out,
};
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::heaps::HeapKeys;
use bouton_tables::{Game, Play};
use tempfile::TempDir;

use crate::bot_processes::{LONG, is_gone, wait_for_line};

/// Limits for bots that obey the protocol.
const PATIENT: BotLimits = BotLimits { ready: LONG, quit: LONG };

/// Returns rules of Expanding Nim with one reset each.
fn expanding(stones: u64) -> Expanding {
    ExpandingKeys { stones, resets: [1, 1], ..Default::default() }.rules().unwrap()
}

/// A temporary folder for bots: shell scripts that log their process IDs and all lines that they receive there.
struct ScriptFolder {
    folder: TempDir,
}

impl ScriptFolder {
    /// Makes an empty folder.
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// Returns the path of a file in the folder.
    fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a shell script that runs `commands` for each line. The line is in `$line`, and its first word in `$word`.
    fn each_line(&self, commands: &str) -> String {
        let (pids, received_lines) = (self.file("pids"), self.file("received"));
        format!(
            "echo $$ >>{}; while read -r line; do printf '%s\\n' \"$line\" >>{}; word=${{line%% *}}; {commands}; done",
            pids.display(),
            received_lines.display()
        )
    }

    /// Returns a script that answers the greeting with `ready`, and runs `commands` at each position.
    fn bot(&self, ready: &str, commands: &str) -> String {
        self.each_line(&format!(
            "case $word in bouton) echo {ready};; position) {commands};; quit) exit;; esac"
        ))
    }

    /// Returns the lines of a file in the folder; none if there is no file.
    fn lines(&self, name: &str) -> Vec<String> {
        fs::read_to_string(self.file(name)).unwrap_or_default().lines().map(str::to_owned).collect()
    }

    /// Returns the process IDs that the scripts wrote.
    fn pids(&self) -> Vec<String> {
        self.lines("pids")
    }

    /// Returns the received lines that begin with this word.
    fn received_lines(&self, word: &str) -> Vec<String> {
        self.lines("received").into_iter().filter(|line| line.split(' ').next() == Some(word)).collect()
    }
}

/// Plays a game in which the bot has this side. The seeds are 7 and 8.
fn play<G: Game>(
    bot: &mut BotPlayer,
    side: Side,
    opponent: &mut dyn Player<G>,
    rules: &G,
    clock: Option<Duration>,
) -> Ending {
    let mut referee = Referee::new(rules.clone(), rules.start(), clock);
    let identities = PlayerIdentities { names: ["Ann (1)", "Bob"], seeds: [7, 8] };
    match side {
        Side::First => play_out(identities, &mut referee, [bot, opponent], &mut |_| {}),
        Side::Second => play_out(identities, &mut referee, [opponent, bot], &mut |_| {}),
    }
    referee.ending().unwrap().clone()
}

/// Plays a game of 30 stones without a clock; the bot moves first.
fn play_30(bot: &mut BotPlayer) -> Ending {
    play(bot, Side::First, &mut GreedyPlayer, &expanding(30), None)
}

/// Returns the failure reported for a bot that fails in its first game.
fn failure(script: &str) -> String {
    let ending = play_30(&mut BotPlayer::new(script, PATIENT));
    assert_eq!(ending.winner, Side::Second, "{script}");
    let Reason::Failed(what) = ending.reason else { panic!("{script}: {:?}", ending.reason) };
    what
}

/// An opponent that waits, and then makes the same choice in each turn.
struct FixedPlayer(Duration, Result<Choice<&'static str>, Reason>);

impl<G: Game> Player<G> for FixedPlayer {
    fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
        thread::sleep(self.0);
        self.1.clone().map(|choice| match choice {
            Choice::Move(text) => Choice::Move(request.game.parse_move(text).unwrap()),
            Choice::TakeBack => Choice::TakeBack,
            Choice::Resign => Choice::Resign,
        })
    }
}
