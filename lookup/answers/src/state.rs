//! Everything that a board shows of a position.

use bouton_lookup::{LookUpOptions, Policy};
use bouton_study::game_map::Mappable;
use bouton_tables::{AnswerText, Game, PositionOf};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::board::{Board, BoardTable, BoardView, MoveView};
use crate::budget::{Budget, LookUpCost, QuestionKind};
use crate::look_up::{LegalMove, look_up_within};
use crate::parameters::{PolicyName, policy};
use crate::{Question, Refusal};

/// The question for everything that a board shows.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct StateQuestion {
    /// The position, in notation.
    #[param(example = "2,5,7", pattern = "^[0-9]+([,/][0-9]+)*(/[r-])?$")]
    pub position: String,
    /// How to choose a move in a lost position; the default is longest.
    #[serde(default, deserialize_with = "policy")]
    #[param(inline, value_type = Option<PolicyName>)]
    pub policy: Policy,
}

/// Everything that a board shows.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoardState {
    /// The position as canonical text.
    pub position: String,
    /// Identifies the position on a map: the same text for any order of the heaps and either player to move.
    pub key: String,
    /// The family of the game.
    #[schema(value_type = crate::board::Family)]
    pub game: &'static str,
    /// The player to move, 1 or 2; `null` in heap games, whose positions do not include the player.
    #[schema(required)]
    pub player: Option<u8>,
    /// Whether no move is left. In that case `outcome` says whether the player to move has won.
    pub over: bool,
    /// The stones on the board.
    #[serde(flatten)]
    pub view: BoardView,
    /// The table's answer for the position.
    #[serde(flatten)]
    #[schema(value_type = crate::look_up::KnownAnswer)]
    pub known: AnswerText,
    /// All legal moves, best first; the first is `best`.
    pub moves: Vec<BoardMove>,
}

/// A legal move, and where it leads.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct BoardMove {
    /// The move.
    #[serde(flatten)]
    pub legal: LegalMove,
    /// The stones that the move takes, and whether it imposes a reset.
    #[serde(flatten)]
    pub move_view: MoveView,
    /// The move in words, after "you": "take 2 from row 1".
    pub words: String,
    /// The move in words, after a name: "takes 2 from row 1".
    pub words_of_another: String,
    /// The position after the move.
    pub to: String,
}

/// Returns the words of a move after a name instead of "you".
fn after_name(words: &str) -> String {
    words.replace("take ", "takes ").replace("impose ", "imposes ")
}

impl Question for StateQuestion {
    type Answer = BoardState;

    fn answer<S: BoardTable>(self, table: &S, cost: LookUpCost) -> Result<BoardState, Refusal> {
        let position = table.game().read_position(&self.position)?;
        let mut budget = cost.budget(QuestionKind::State(self.policy));
        board_state(table, &position, self.policy, &mut budget)
    }
}

/// Returns everything that a board shows of a position, if the answer stays within the limits.
///
/// # Errors
/// If the answer would exceed a limit, or the table is damaged.
pub(crate) fn board_state<S: BoardTable>(
    table: &S,
    position: &PositionOf<S>,
    policy: Policy,
    budget: &mut Budget,
) -> Result<BoardState, Refusal> {
    let game = table.game();
    let reply = look_up_within(table, position, LookUpOptions { policy, list_moves: true }, budget)?;
    let moves = reply.moves.iter().flatten().map(|known| {
        let words = game.move_in_words(known.chosen);
        BoardMove {
            legal: known.into(),
            move_view: game.move_view(known.chosen),
            words_of_another: after_name(&words),
            words,
            to: game.show_position(&game.after(position, known.chosen)),
        }
    });
    let moves: Vec<BoardMove> = moves.collect();
    Ok(BoardState {
        position: game.show_position(position),
        key: game.show_position(&<S::Game as Mappable>::key(position)),
        game: S::Game::FAMILY,
        player: game.player(position),
        over: moves.is_empty(),
        view: game.board_view(position),
        known: AnswerText::from(&reply.answer),
        moves,
    })
}
