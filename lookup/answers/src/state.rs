//! Everything that a board shows of a position.

use bouton_lookup::{LookUpOptions, Policy};
use bouton_study::game_map::Mappable;
use bouton_tables::{AnswerText, Game, PositionOf};
use serde::Serialize;

use crate::board::{Board, BoardTable, BoardView, MoveView};
use crate::budget::{Budget, LookUpCost, QuestionKind};
use crate::look_up::look_up_within;
use crate::{Question, Refusal};

/// The question for everything that a board shows.
#[derive(Clone, Debug)]
pub struct StateQuestion {
    /// The position, in notation.
    pub position: String,
    /// Choice of a move in a lost position.
    pub policy: Policy,
}

/// Everything that a board shows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct BoardState {
    /// The position as canonical text.
    pub position: String,
    /// Identifies the position on a map: the same text for any order of the heaps and either player to move.
    pub key: String,
    /// The family of the game.
    #[cfg_attr(feature = "schemas", schema(value_type = crate::board::Family))]
    pub game: &'static str,
    /// The player to move, 1 or 2; `null` in heap games, whose positions do not include the player.
    #[cfg_attr(feature = "schemas", schema(required))]
    pub player: Option<u8>,
    /// Whether no move is left. In that case `outcome` says whether the player to move has won.
    pub over: bool,
    /// The stones on the board.
    #[serde(flatten)]
    pub view: BoardView,
    /// The table's answer for the position.
    #[serde(flatten)]
    #[cfg_attr(feature = "schemas", schema(value_type = crate::look_up::KnownAnswer))]
    pub known: AnswerText,
    /// All legal moves, best first; the first is `best`.
    pub moves: Vec<BoardMove>,
}

/// A legal move, and where it leads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct BoardMove {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// Effect of the move.
    #[serde(flatten)]
    pub move_view: MoveView,
    /// The move in words, after "you": "take 2 from row 1".
    pub words: String,
    /// The move in words, after a name: "takes 2 from row 1".
    pub words_of_another: String,
    /// The position after the move.
    pub to: String,
    /// Outcome for the player who makes the move.
    #[cfg_attr(feature = "schemas", schema(value_type = crate::board::Outcome))]
    pub outcome: &'static str,
    /// The same as `depth_after`. Deprecated: the next version omits it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false, deprecated))]
    pub depth: Option<u32>,
    /// Depth of the position after the move; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub depth_after: Option<u32>,
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
            chosen: known.chosen.to_string(),
            move_view: game.move_view(known.chosen),
            words_of_another: after_name(&words),
            words,
            to: game.show_position(&game.after(position, known.chosen)),
            outcome: known.outcome.as_str(),
            depth: known.depth,
            depth_after: known.depth,
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
