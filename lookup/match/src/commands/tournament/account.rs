//! The account of a tournament while it is played.

use std::error::Error;
use std::io;

use bouton_match::tournament::{GamesInOrder, PlayedGame, Scores, Setup, SprtState};
use bouton_match::{Reason, Transcript};
use bouton_tables::printable::printable;
use bouton_tables::program::Output;

use super::report::{Forfeit, GAMES, Results};
use crate::commands::Done;

/// Takes the games in the order of their numbers, whatever order they end in.
pub(super) struct Account<'a> {
    setup: &'a Setup,
    names: &'a [String],
    in_order: GamesInOrder,
    scores: Scores,
    forfeits: Vec<Forfeit>,
    transcript: Option<Transcript>,
    /// Where each game is printed, if that is asked for.
    csv: Option<csv::Writer<Output>>,
    /// Whether the sequential test has ended the tournament.
    decided: bool,
}

impl<'a> Account<'a> {
    /// Of a tournament of these games.
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

    /// A game is over. Returns whether the tournament goes on.
    pub(super) fn add(&mut self, game: PlayedGame) -> Result<bool, Box<dyn Error>> {
        self.in_order.add(game);
        while !self.decided
            && let Some(game) = self.in_order.next_game()
        {
            self.settle(game)?;
            self.decided = self.sprt().is_some_and(|state| state.accepted.is_some());
        }
        Ok(!self.decided)
    }

    /// The results. `seconds` is how long it took to play.
    pub(super) fn results(mut self, seconds: Option<f64>) -> Result<Results, Box<dyn Error>> {
        // After an interruption some games are over, and others before them are not.
        while !self.decided
            && let Some(game) = self.in_order.first_early()
        {
            self.settle(game)?;
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

    fn settle(&mut self, game: PlayedGame) -> Done {
        let PlayedGame { fixture, ending, moves, record } = game;
        self.scores.add(&fixture, &ending);
        if let (Some(transcript), Some(record)) = (&mut self.transcript, &record) {
            // After a failure the other games still count.
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
