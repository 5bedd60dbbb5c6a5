//! The description of a table: its ruleset, the numbers of positions, and starts to play from.

use bouton_study::words;
use bouton_tables::{Game, Outcome, RulesetKeys, Table, hex, with_rules, with_table};
use serde::Serialize;
use utoipa::ToSchema;

use crate::board::{Board, BoardTable};

/// The description of a table.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct About {
    /// Name of the table.
    pub name: String,
    /// The ruleset in words.
    pub title: String,
    /// The family of the game.
    #[schema(value_type = crate::board::Family)]
    pub game: &'static str,
    /// The ruleset, without `game`.
    #[schema(value_type = Object)]
    pub rules: RulesetKeys,
    /// The values stored for each position: outcome, best, winning, and depth if the table has depths.
    pub holds: Vec<&'static str>,
    /// Number of positions.
    pub positions: u64,
    /// Number of positions that are won for the player to move.
    pub wins: u64,
    /// The greatest depth; absent if the table holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub deepest: Option<u32>,
    /// The start of the ruleset: all stones, or all heaps at their bounds.
    pub start: String,
    /// A start that people can play in a few minutes; if possible, one that is won for the player who begins.
    pub suggested: String,
    /// Length of the file in bytes.
    pub bytes: usize,
    /// The digest that identifies the table.
    pub digest: String,
    /// Origin of the table: `file`, `built in` if the program made it when it started, or `on request` if for a client.
    pub origin: &'static str,
}

/// Describes a table with this name and origin.
pub fn about(table: &Table, name: String, origin: &'static str) -> About {
    let header = table.header();
    let start = with_rules!(&header.ruleset, |rules| rules.show_position(&Game::start(rules)));
    let mut holds = vec!["outcome", "best", "winning"];
    if header.has_depths {
        holds.push("depth");
    }
    About {
        name,
        title: words::ruleset(&header.ruleset),
        game: header.ruleset.family(),
        rules: header.ruleset.keys(),
        holds,
        positions: header.positions,
        wins: header.wins,
        deepest: header.has_depths.then_some(header.deepest),
        suggested: with_table!(table.family(), |table| suggest(table)).unwrap_or_else(|| start.clone()),
        start,
        bytes: table.file_len(),
        digest: hex(&table.digest()),
        origin,
    }
}

/// Returns the first small start that is won for the player who begins; if none is won, the first of all.
fn suggest<S: BoardTable>(table: &S) -> Option<String> {
    let starts = table.game().small_starts();
    let won = |start: &&_| table.verdict(start).is_ok_and(|verdict| verdict.outcome == Outcome::Win);
    let best = starts.iter().find(won).or(starts.first())?;
    Some(table.game().show_position(best))
}
