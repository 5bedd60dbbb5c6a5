//! A played game: everything that a board shows at the start and after each move.

use bouton_lookup::Policy;
use bouton_study::words::grouped;
use bouton_tables::Game;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::board::BoardTable;
use crate::budget::{LookUpCost, MAX_LISTED_MOVES, QuestionKind};
use crate::parameters::{PolicyName, policy};
use crate::state::{BoardState, board_state};
use crate::{Question, Refusal};

/// Maximum number of moves of a played game.
pub const MAX_PLAYED_MOVES: usize = 4_000;

/// The question for the states of a whole game.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GameQuestion {
    /// The start, in notation.
    #[param(example = "3,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
    /// The moves in notation, separated by commas, at most 4,000; may be absent or empty. The + of a move is encoded as
    /// %2B.
    #[serde(default)]
    #[param(example = "1:1,3:2")]
    pub moves: String,
    /// How to choose a move in a lost position; the default is longest.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    pub policy: Policy,
}

/// The states of a whole game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameStates {
    /// The states at the start and after each move.
    pub states: Vec<BoardState>,
}

impl Question for GameQuestion {
    type Answer = GameStates;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<GameStates, Refusal> {
        let game = table.game();
        let texts = || self.moves.split(',').filter(|_| !self.moves.is_empty());
        let plies = texts().count();
        if plies > MAX_PLAYED_MOVES {
            return Err(Refusal::TooMuch(format!(
                "the game has {} moves, and at most {} are allowed; begin at a later position",
                grouped(plies as u64),
                grouped(MAX_PLAYED_MOVES as u64)
            )));
        }
        let mut position = game.read_position(&self.position)?;
        let (mut budget, mut listed) = (cost.budget(QuestionKind::Game(self.policy)), 0);
        let mut next = |position: &_| {
            let state = board_state(table, position, self.policy, &mut budget)?;
            listed += state.moves.len();
            // The same limit as for one position: otherwise the answer could be megabytes long.
            if listed > MAX_LISTED_MOVES {
                return Err(Refusal::TooMuch(format!(
                    "the states of this game list more than {} moves together; ask for a part of the game",
                    grouped(MAX_LISTED_MOVES as u64)
                )));
            }
            Ok(state)
        };
        let mut states = vec![next(&position)?];
        for (ply, text) in (1..).zip(texts()) {
            let chosen = game.read_move(&position, text).map_err(|error| {
                // In the query of an address, a + that is not encoded means a blank.
                let had_plus = text.contains(' ') && game.parse_move(&text.replace(' ', "+")).is_ok();
                let advice = if had_plus { "; in an address, write a + as %2B" } else { "" };
                Refusal::Move(format!("move {ply}: {error}{advice}"))
            })?;
            position = game.after(&position, chosen);
            states.push(next(&position)?);
        }
        Ok(GameStates { states })
    }
}

#[cfg(test)]
mod tests {
    use bouton_generator::generate_in_memory;
    use bouton_tables::{Table, rulesets};

    use super::*;
    use crate::{Answerer, StateQuestion};

    fn answerer(preset: &str, settings: &[&str]) -> Answerer {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let ruleset = rulesets::find(preset, &settings).unwrap().ruleset;
        Answerer::new(Table::open(generate_in_memory(&ruleset, true).unwrap()).unwrap())
    }

    fn play(answerer: &Answerer, position: &str, moves: &str) -> Result<GameStates, Refusal> {
        let (position, moves) = (position.to_owned(), moves.to_owned());
        answerer.answer(GameQuestion { position, moves, policy: Policy::default() })
    }

    #[test]
    fn a_played_game_has_the_states_that_its_positions_have() {
        for (preset, settings, moves, positions) in [
            ("sticks", &[][..], "1:1,3:7,2:5", &["3,5,7", "2,5,7", "2,5,0", "2,0,0"][..]),
            ("sticks", &[], "", &["3,5,7"]),
            ("sticks", &[], "take 1 from row 1,row 3: 7", &["3,5,7", "2,5,7", "2,5,0"]),
            ("nim-pass", &["size=3"], "pass,3:2", &["3,3,3/1", "3,3,3/0", "3,3,1/0"]),
            ("wythoff", &["size=5"], "1:2+2:2", &["5,5", "3,3"]),
            ("expanding", &["stones=9"], "3r,2", &["9/0/1/4,4/-", "6/3/2/3,4/r", "4/3/1/3,4/-"]),
        ] {
            let answerer = answerer(preset, settings);
            let found = play(&answerer, positions[0], moves).unwrap().states;
            let state = |&position: &&str| {
                let state = StateQuestion { position: position.to_owned(), policy: Policy::default() };
                format!("{:?}", answerer.answer(state).unwrap())
            };
            let found: Vec<String> = found.iter().map(|state| format!("{state:?}")).collect();
            assert_eq!(found, positions.iter().map(state).collect::<Vec<_>>(), "{preset} {moves}");
        }
    }

    #[test]
    fn an_illegal_or_unreadable_move_is_named_by_its_number() {
        let sticks = answerer("sticks", &[]);
        for (moves, expected) in [
            ("1:1,1:3", "move 2: found 1:3 at 2,5,7, where the legal moves are 1:1, 1:2, 2:1, "),
            ("1:3,2:5,3:7,1:1", "move 4: found 1:1 at 0,0,0, where no move is left"),
            ("pass", "move 1: found pass at 3,5,7, where the legal moves are 1:1, "),
            ("1:1,", "move 2: move: found '', expected ROW:TAKE"),
            ("1:1,x", "move 2: move: found 'x', expected ROW:TAKE"),
            ("9:1", "move 1: row: found '9', expected a row from 1 to 3"),
            ("1:1,2 1", "move 2: move: found '2 1', expected ROW:TAKE, such as 1:1"),
            (
                "1:1,Row 1: 3",
                "move 2: found 1:3 ('Row 1: 3') at 2,5,7, where the legal moves are 1:1, 1:2, 2:1, ",
            ),
            (
                "1:1,1:1 2:1",
                "move 2: move: found '1:1 2:1', expected ROW:TAKE, such as 1:1; in an address, write a + as %2B",
            ),
        ] {
            let refusal = play(&sticks, "3,5,7", moves).unwrap_err();
            assert!(matches!(refusal, Refusal::Move(_)), "{moves}: {refusal:?}");
            assert!(refusal.to_string().starts_with(expected), "{moves}: {refusal}");
            assert_eq!(refusal.to_string().contains("%2B"), expected.contains("%2B"), "{moves}: {refusal}");
        }
        assert!(matches!(play(&sticks, "9,9,9", "1:1"), Err(Refusal::Position(_))));
    }

    #[test]
    fn games_of_too_many_moves_or_too_many_listed_moves_are_refused() {
        let long = answerer("nim", &["bounds=[5000]", "take=1"]);
        let moves = |plies: usize| vec!["1:1"; plies].join(",");
        assert_eq!(play(&long, "5000", &moves(MAX_PLAYED_MOVES)).unwrap().states.len(), MAX_PLAYED_MOVES + 1);
        let wide = answerer("nim", &["bounds=[1000]"]);
        for (refused, expected) in [
            (
                play(&long, "5000", &moves(MAX_PLAYED_MOVES + 1)),
                "the game has 4,001 moves, and at most 4,000 are allowed",
            ),
            // 1,000 moves, then 999, and so on: 10,945 in all.
            (play(&wide, "1000", &moves(10)), "the states of this game list more than 10,000 moves together"),
        ] {
            let refusal = refused.unwrap_err();
            assert!(matches!(&refusal, Refusal::TooMuch(why) if why.starts_with(expected)), "{refusal:?}");
        }
        // 9,955 moves in all.
        assert_eq!(play(&wide, "1000", &moves(9)).unwrap().states.len(), 10);
    }
}
