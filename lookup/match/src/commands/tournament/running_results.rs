//! The results of a tournament while it is being played.

use std::collections::BTreeMap;

use bouton_match::tournament::{PlayedGame, Schedule, Scores, Setup, SprtState};
use bouton_match::{Reason, Transcript};
use bouton_tables::program::Output;

use super::report::{Forfeit, GAME_COLUMNS, Results, write_row};
use crate::args::{CsvContent, FormatArgs};
use crate::commands::CommandResult;

/// Counts games in the order of their numbers, not of their ends, so that the results, and the game at which a
/// sequential test stops, do not depend on timing.
pub(super) struct RunningResults<'a> {
    setup: &'a Setup,
    schedule: Schedule,
    names: &'a [String],
    /// Results of the counted games. Before the end, these are the first games, without a gap.
    scores: Scores,
    /// Finished games that wait for an earlier one, by number.
    early: BTreeMap<usize, PlayedGame>,
    forfeits: Vec<Forfeit>,
    transcript: Option<Transcript>,
    /// CSV writer with one row per game, if requested.
    csv: Option<csv::Writer<Output>>,
}

impl<'a> RunningResults<'a> {
    /// Starts with no games. If the format is CSV with a row per game, prints the header.
    pub(super) fn new(
        setup: &'a Setup,
        names: &'a [String],
        transcript: Option<Transcript>,
        format: &FormatArgs,
    ) -> CommandResult<Self> {
        let prints_games = format.csv == Some(CsvContent::Games);
        let mut csv = prints_games.then(|| csv::Writer::from_writer(Output::data()));
        if let Some(csv) = &mut csv {
            write_row(csv, GAME_COLUMNS.split(','))?;
        }
        Ok(Self {
            setup,
            schedule: setup.schedule(),
            names,
            scores: Scores::new(names),
            early: BTreeMap::new(),
            forfeits: Vec::new(),
            transcript,
            csv,
        })
    }

    /// Adds a game, and counts all games that no longer wait for earlier ones. Returns false once the sequential test
    /// is decided.
    pub(super) fn add(&mut self, game: PlayedGame) -> CommandResult<bool> {
        self.early.insert(game.game, game);
        while !self.is_decided()
            && let Some(game) = self.early.remove(&(self.scores.games() as usize + 1))
        {
            self.record_game(game)?;
        }
        Ok(!self.is_decided())
    }

    /// Returns the results. `seconds` is the playing time of this run; `None` if no games were played.
    pub(super) fn results(mut self, seconds: Option<f64>) -> CommandResult<Results> {
        // After an interruption some games are missing. Later games count in the standings, but not in the sequential
        // test, whose error rates hold only for games in order.
        let sprt = self.sprt();
        if !self.is_decided() {
            for game in std::mem::take(&mut self.early).into_values() {
                self.record_game(game)?;
            }
        }
        if let Some(csv) = &mut self.csv {
            csv.flush()?;
        }
        let strengths = self.scores.strengths();
        Ok(Results {
            games: self.scores.games(),
            of: self.setup.all_games(),
            starts: self.setup.starts.clone(),
            seconds,
            standings: self.scores.standings(&strengths),
            pairs: self.scores.pairs(&strengths),
            sprt,
            forfeits: self.forfeits,
        })
    }

    fn sprt(&self) -> Option<SprtState> {
        self.setup.sprt.map(|sprt| sprt.state(self.scores.doubles(0, 1)))
    }

    /// Returns true once the sequential test has ended the tournament.
    fn is_decided(&self) -> bool {
        self.sprt().is_some_and(|state| state.accepted.is_some())
    }

    fn record_game(&mut self, game: PlayedGame) -> CommandResult {
        let PlayedGame { game: number, moves, ending, record } = game;
        let fixture = self.schedule.game(number - 1);
        self.scores.add(&fixture, &ending);
        if let (Some(transcript), Some(record)) = (&mut self.transcript, &record) {
            // Report a failed write once; `results` then still counts the games that have ended.
            let added = transcript.add(record);
            added.inspect_err(|_| self.transcript = None)?;
        }
        let names = fixture.players.map(|player| self.names[player].as_str());
        let start = &self.setup.starts[fixture.start];
        if let Some(csv) = &mut self.csv {
            let (reason, detail) = ending.reason.parts();
            let (winner, side) = (names[ending.winner.index()], ending.winner.to_string());
            let (number, moves) = (number.to_string(), moves.to_string());
            let cells = [&number, names[0], names[1], start, winner, &side, reason, &moves, detail];
            write_row(csv, cells)?;
        }
        if !matches!(ending.reason, Reason::Played | Reason::Decided) {
            self.forfeits.push(Forfeit {
                game: number,
                first: names[0].to_owned(),
                second: names[1].to_owned(),
                start: start.clone(),
                ending: ending.in_words(names),
            });
        }
        Ok(())
    }
}
