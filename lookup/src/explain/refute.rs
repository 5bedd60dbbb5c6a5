//! The table's own argument: each move of a lost position ends the game, or has an answer that leads to a lost position
//! again.

use bouton_tables::{AskError, Game, MoveSet, Outcome, PositionOf, Solved};

use super::MAX_TEXT_REPLIES;

/// Why a position is won or lost, by the table alone: a winning move, if there is one, leads to a lost position, whose
/// moves are all refuted.
#[derive(Clone, Debug)]
pub struct Refutation<G: Game> {
    /// Outcome for the player to move.
    pub outcome: Outcome,
    /// The move from a won position to `lost`; `None` in a lost position, and if no move is left.
    pub best: Option<G::Move>,
    /// The position whose moves are refuted: the position after the best move, or, without `best`, the position itself.
    pub lost: G::Position,
    /// The moves of `lost`, in the natural order.
    pub replies: Vec<RefutedMove<G>>,
    /// Number of further moves, beyond the limit.
    pub more: usize,
}

/// A move of a lost position.
#[derive(Clone, Debug)]
pub struct RefutedMove<G: Game> {
    /// The move.
    pub chosen: G::Move,
    /// The position after the move.
    pub to: G::Position,
    /// A winning answer, and the position after it; `None` if no move is left, which is a win for the opponent.
    pub answer: Option<(G::Move, G::Position)>,
}

/// Argues from the table why a position is won or lost, with at most `most` replies.
///
/// # Errors
/// If the table does not cover the position, or is damaged.
pub fn refute<S: Solved>(
    table: &S,
    position: &PositionOf<S>,
    most: usize,
) -> Result<Refutation<S::Game>, AskError> {
    let game = table.game();
    let answer = table.answer(position)?;
    let outcome = answer.verdict.outcome;
    let best = answer.best.filter(|_| outcome == Outcome::Win);
    let lost = best.map_or_else(|| position.clone(), |best| game.after(position, best));
    let mut moves = game.moves(&lost);
    let replies = moves.by_ref().take(most).map(|chosen| {
        let to = game.after(&lost, chosen);
        let answer = table.answer(&to)?;
        let best = answer.best.filter(|_| !answer.winning.is_empty());
        let answer = best.map(|best| (best, game.after(&to, best)));
        Ok(RefutedMove { chosen, to, answer })
    });
    let replies = replies.collect::<Result<_, AskError>>()?;
    let more = moves.count();
    Ok(Refutation { outcome, best, lost, replies, more })
}

impl<G: Game> Refutation<G> {
    /// Returns the conclusion from the replies, in words.
    pub fn summary(&self, game: &G) -> String {
        let is_over = self.replies.is_empty();
        match self.best {
            None if is_over => format!("No move is left, which is a {} by the rules.", self.outcome),
            None if self.replies.iter().any(|reply| reply.answer.is_none()) => {
                "Every move ends the game, or has an answer that leads to a lost position again:".to_owned()
            }
            None => "Every move has an answer that leads to a lost position again:".to_owned(),
            Some(best) => {
                let why = if is_over {
                    "no move is left there."
                } else {
                    "every reply has an answer that leads to a lost position again."
                };
                let (best, next) = (best.to_string(), game.show_position(&self.lost));
                format!("{best} leads to {next}, which is lost for the opponent: {why}")
            }
        }
    }

    /// Returns the argument in words: the summary, and a table of at most 40 replies.
    pub(super) fn text(&self, game: &G) -> String {
        let mut text = self.summary(game) + "\n";
        if self.replies.is_empty() {
            return text;
        }
        let mut rows = vec![["move", "to", "answer", "to"].map(str::to_owned)];
        for RefutedMove { chosen, to, answer } in self.replies.iter().take(MAX_TEXT_REPLIES) {
            let [reply, then] = match answer {
                Some((best, then)) => [best.to_string(), game.show_position(then)],
                None => ["-".to_owned(), "no move is left: the opponent has won".to_owned()],
            };
            rows.push([chosen.to_string(), game.show_position(to), reply, then]);
        }
        let widths: [usize; 4] =
            std::array::from_fn(|column| rows.iter().map(|row| row[column].len()).max().unwrap_or(0));
        for row in rows {
            let cells = row.iter().zip(widths).map(|(cell, width)| format!("  {cell:<width$}"));
            text.push_str(cells.collect::<String>().trim_end());
            text.push('\n');
        }
        let more = self.more + self.replies.len().saturating_sub(MAX_TEXT_REPLIES);
        if more > 0 {
            text += &format!("  and {more} more moves\n");
        }
        text
    }
}
