//! What a board shows.

use bouton_lookup::{Options, Policy};
use bouton_study::game_map::Mapped;
use bouton_tables::{AnswerText, Game, PositionOf};
use serde::Serialize;

use crate::board::{Board, BoardView, Effort, Shown};
use crate::budget::{Asking, Budget};
use crate::look_up::look_up_within;
use crate::{Question, Refusal};

/// The question for everything that a board shows.
#[derive(Clone, Debug)]
pub struct State {
    /// The position, in notation.
    pub position: String,
    /// How to choose a move in a lost position.
    pub policy: Policy,
}

/// Everything that a board shows.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct BoardState {
    /// The position as canonical text.
    pub position: String,
    /// The same for all positions that differ only in the order of their heaps or in the player to move.
    pub key: String,
    /// The family of the game.
    #[cfg_attr(feature = "schemas", schema(value_type = crate::board::Family))]
    pub game: &'static str,
    /// The player to move, 1 or 2; `null` in heap games, whose positions do not say: clients count the plies.
    #[cfg_attr(feature = "schemas", schema(required))]
    pub player: Option<u8>,
    /// Whether no move is left. `outcome` then says whether the player to move has won.
    pub over: bool,
    /// What lies there.
    #[serde(flatten)]
    #[cfg_attr(feature = "schemas", schema(value_type = crate::board::EitherView))]
    pub view: BoardView,
    /// What the table knows of it.
    #[serde(flatten)]
    #[cfg_attr(feature = "schemas", schema(value_type = crate::look_up::KnownAnswer))]
    pub known: AnswerText,
    /// All legal moves, best first; the first is `best`.
    pub moves: Vec<Possible>,
}

/// A legal move, and where it leads.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Possible {
    /// The move.
    #[serde(rename = "move")]
    pub chosen: String,
    /// What it does.
    #[serde(flatten)]
    pub deed: Deed,
    /// The move in words, after "you": "take 2 from row 1".
    pub words: String,
    /// The move in words, after a name: "takes 2 from row 1".
    pub words_of_another: String,
    /// The position it leads to.
    pub to: String,
    /// For the player who makes it.
    #[cfg_attr(feature = "schemas", schema(value_type = crate::board::Outcome))]
    pub outcome: &'static str,
    /// The same as `depth_after`. Deprecated: the next version leaves it out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false, deprecated))]
    pub depth: Option<u32>,
    /// The depth of the position it leads to; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemas", schema(nullable = false))]
    pub depth_after: Option<u32>,
}

/// What a move does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Deed {
    /// What it takes, row by row; nothing if it is a pass.
    pub takes: Vec<Taken>,
    /// Whether it imposes a reset.
    pub reset: bool,
}

/// What a move takes from a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(utoipa::ToSchema))]
pub struct Taken {
    /// The row, counted from 1; `null` in Expanding Nim, which has none.
    #[cfg_attr(feature = "schemas", schema(required))]
    pub row: Option<usize>,
    /// The stones taken.
    pub stones: u32,
}

impl Deed {
    /// In words, after "you" or after a name.
    fn words(&self, after_a_name: bool) -> String {
        let s = if after_a_name { "s" } else { "" };
        if self.takes.is_empty() {
            return format!("take{s} nothing");
        }
        let takes = self.takes.iter().map(|taken| match taken.row {
            Some(row) => format!("{} from row {row}", taken.stones),
            None => taken.stones.to_string(),
        });
        let reset = if self.reset { format!(" and impose{s} a reset") } else { String::new() };
        format!("take{s} {}{reset}", takes.collect::<Vec<_>>().join(" and "))
    }
}

impl Question for State {
    type Answer = BoardState;

    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<BoardState, Refusal> {
        let position = table.game().read_position(&self.position)?;
        let mut budget = effort.budget(Asking::State(self.policy));
        board_state(table, effort, &position, self.policy, &mut budget)
    }
}

/// What a board shows of a position, if the answer stays within the limits.
///
/// # Errors
/// If it does not, or the table is damaged.
pub(crate) fn board_state<S: Shown>(
    table: &S,
    effort: Effort,
    position: &PositionOf<S>,
    policy: Policy,
    budget: &mut Budget,
) -> Result<BoardState, Refusal> {
    let game = table.game();
    let reply = look_up_within(table, effort, position, Options { policy, moves: true }, budget)?;
    let possible = reply.moves.iter().flatten().map(|known| {
        let deed = game.deed(known.chosen);
        Possible {
            chosen: known.chosen.to_string(),
            words: deed.words(false),
            words_of_another: deed.words(true),
            deed,
            to: game.show_position(&game.after(position, known.chosen)),
            outcome: known.outcome.as_str(),
            depth: known.depth,
            depth_after: known.depth,
        }
    });
    let moves: Vec<Possible> = possible.collect();
    Ok(BoardState {
        position: game.show_position(position),
        key: game.show_position(&<S::Game as Mapped>::key(position)),
        game: S::Game::FAMILY,
        player: game.player(position),
        over: moves.is_empty(),
        view: game.board_view(position),
        known: AnswerText::from(&reply.answer),
        moves,
    })
}
