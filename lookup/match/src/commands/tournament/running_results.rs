//! The results of a tournament while it is being played.

use std::error::Error;
use std::io;

use bouton_match::tournament::{GamesInOrder, PlayedGame, Scores, Setup, SprtState};
use bouton_match::{Reason, Transcript};
use bouton_tables::printable::printable;
use bouton_tables::program::Output;

use super::report::{Forfeit, GAMES, Results};
use crate::commands::CommandResult;

/// Counts games in the order of their numbers, although they end in any order. So the results, and the point at which
/// a sequential test stops, do not depend on timing.
pub(super) struct RunningResults<'a> {
    setup: &'a Setup,
    names: &'a [String],
    in_order: GamesInOrder,
    scores: Scores,
    forfeits: Vec<Forfeit>,
    transcript: Option<Transcript>,
    /// The output for a row for each game, if requested.
    csv: Option<csv::Writer<Output>>,
    /// True once the sequential test has ended the tournament.
    decided: bool,
}

impl<'a> RunningResults<'a> {
    /// Starts without games. Prints the head of the rows if `print_games`.
    pub(super) fn new(
        setup: &'a Setup,
        names: &'a [String],
        transcript: Option<Transcript>,
        print_games: bool,
    ) -> Result<Self, Box<dyn Error>> {
        let mut csv = print_games.then(|| csv::Writer::from_writer(Output::data()));
        if let Some(csv) = &mut csv {
            csv.write_record(GAMES).map_err(io::Error::from)?;
        }
        let (in_order, scores) = (GamesInOrder::default(), Scores::new(names));
        Ok(Self { setup, names, in_order, scores, forfeits: Vec::new(), transcript, csv, decided: false })
    }

    /// Adds a finished game. Returns true if the tournament continues.
    pub(super) fn add(&mut self, game: PlayedGame) -> Result<bool, Box<dyn Error>> {
        self.in_order.add(game);
        while !self.decided
            && let Some(game) = self.in_order.next_game()
        {
            self.record_game(game)?;
            self.decided = self.sprt().is_some_and(|state| state.accepted.is_some());
        }
        Ok(!self.decided)
    }

    /// Returns the results. `seconds` is the playing time.
    pub(super) fn results(mut self, seconds: Option<f64>) -> Result<Results, Box<dyn Error>> {
        // After an interruption, finished games may follow unfinished ones.
        while !self.decided
            && let Some(game) = self.in_order.first_early()
        {
            self.record_game(game)?;
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
            sprt: self.sprt(),
            failures: self.forfeits,
        })
    }

    fn sprt(&self) -> Option<SprtState> {
        self.setup.sprt.map(|sprt| sprt.state(self.scores.doubles(0, 1)))
    }

    fn record_game(&mut self, game: PlayedGame) -> CommandResult {
        let PlayedGame { fixture, ending, moves, record } = game;
        self.scores.add(&fixture, &ending);
        if let (Some(transcript), Some(record)) = (&mut self.transcript, &record) {
            // After a failed write, the other games still count.
            let added = transcript.add([record]);
            added.inspect_err(|_| self.transcript = None)?;
        }
        let number = fixture.number + 1;
        let sides = fixture.players.map(|player| self.names[player].as_str());
        let start = &self.setup.starts[fixture.start];
        if let Some(csv) = &mut self.csv {
            let (reason, detail) = ending.reason.parts();
            let (winner, side) = (sides[ending.winner.index()], ending.winner.to_string());
            let (number, moves) = (number.to_string(), moves.to_string());
            let cells = [&number, sides[0], sides[1], start, winner, &side, reason, &moves, detail];
            csv.write_record(cells.map(|cell| printable(cell).into_owned())).map_err(io::Error::from)?;
        }
        if !matches!(ending.reason, Reason::Played | Reason::Decided) {
            self.forfeits.push(Forfeit {
                game: number,
                first: sides[0].to_owned(),
                second: sides[1].to_owned(),
                start: start.clone(),
                ending: ending.in_words(sides),
            });
        }
        Ok(())
    }
}
