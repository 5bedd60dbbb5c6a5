//! The notation of players on the command line.

use std::path::PathBuf;
use std::str::FromStr;

use bouton_tables::printable::shorten;

use super::LosingPolicy;
use crate::models::Model;

/// The help on players.
pub const PLAYERS_HELP: &str = "\
A player is one of these; NAME= before it gives the player a name:
  table                  wins every won position, from the table of --table, or
                         from one solved on the spot
  table:FILE             the same, from a table made by `bouton generate`
  table:FILE:POLICY      with a policy for lost positions (also table:POLICY):
                         longest            loses as late as possible
                         trap               leaves the smallest fraction of winning replies
                         takes-one          makes the first legal move, which takes one stone
                                            where that is allowed
                         random             makes any legal move
                         resets             takes one stone with a reset while there are any
                         swindle:MODEL      the best response to a model of the opponent
                         swindle:F.chances  the same, from a file made by `bouton-match chances`
                         adapt, adapt:MODEL learns from the opponent's moves which habit of a
                                            mixture they have, and responds best to it
  model:MODEL            plays like a model of an opponent
  random                 makes any legal move
  greedy                 takes as many stones as possible
  minimax:DEPTH          searches this many moves ahead, without a table
  human                  you, at this terminal
  exec:COMMAND           a program that reads positions and writes moves, one per line
  bot:COMMAND            a program that also learns the rules, the clocks and the
                         results; docs/bots.md describes how
";

/// The players that need no person at a terminal, as messages list them.
const AUTOMATIC: &str = "random, greedy, minimax:DEPTH, table, table:FILE, table:FILE:POLICY, model:MODEL, exec:COMMAND \
                         and bot:COMMAND";

const MAX_DEPTH: u32 = 1_000_000;

/// A kind of player.
#[derive(Clone, Debug, PartialEq)]
pub enum PlayerKind {
    /// Makes any legal move.
    Random,
    /// Takes as many stones as possible.
    Greedy,
    /// Searches this many plies ahead.
    Minimax(u32),
    /// Plays from a table: without a file, from that of `--table` or from one solved on the spot.
    Table {
        /// The table's file.
        file: Option<PathBuf>,
        /// The policy for lost positions; by default as in [`TablePlayer::with_policy`](super::TablePlayer::with_policy).
        policy: Option<LosingPolicy>,
    },
    /// Plays like a model.
    Model(Model),
    /// A person at the terminal.
    Human,
    /// A program that reads positions and writes moves.
    Exec(String),
    /// A program that follows the protocol of bots.
    Bot(String),
}

/// A player as named on the command line.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerSpec {
    /// The player's name.
    pub name: String,
    /// The kind of player.
    pub kind: PlayerKind,
}

impl PlayerSpec {
    /// Reads a player that plays without a person at a terminal. For a human or an unknown player, the error lists all
    /// such players.
    pub fn automatic(text: &str) -> Result<Self, String> {
        let spec = Self::read(text, AUTOMATIC)?;
        if spec.kind == PlayerKind::Human {
            return Err(format!(
                "a human plays at a terminal, with `bouton-match play`, and not here; players are {AUTOMATIC}"
            ));
        }
        Ok(spec)
    }

    /// Returns the first file of a table that these players name.
    pub fn first_table(players: &[Self]) -> Option<&PathBuf> {
        players.iter().find_map(|player| match &player.kind {
            PlayerKind::Table { file, .. } => file.as_ref(),
            _ => None,
        })
    }

    fn read(text: &str, players: &str) -> Result<Self, String> {
        let is_name = |name: &str| {
            !name.is_empty()
                && name.chars().count() <= 40
                && name.chars().all(|c| c.is_alphanumeric() || "-_.".contains(c))
        };
        let (name, text) = match text.split_once('=') {
            Some((name, rest)) if is_name(name) => (name, rest),
            // A command may contain =. If only the part after = is a player, the part before it is a bad name.
            Some((name, rest))
                if PlayerKind::read(text, players).is_err() && PlayerKind::read(rest, players).is_ok() =>
            {
                let name = shorten(name, 60);
                return Err(format!(
                    "'{name}' is not a name for a player: expected 1 to 40 letters, digits, -, _ and ."
                ));
            }
            _ => (text, text),
        };
        Ok(Self { name: shorten(name, 60), kind: PlayerKind::read(text, players)? })
    }
}

impl FromStr for PlayerSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::read(text, &format!("human, {AUTOMATIC}"))
    }
}

impl PlayerKind {
    fn read(text: &str, players: &str) -> Result<Self, String> {
        Ok(match text.split_once(':') {
            None if text == "random" => Self::Random,
            None if text == "greedy" => Self::Greedy,
            None if text == "human" => Self::Human,
            None if text == "table" => Self::Table { file: None, policy: None },
            Some(("minimax", depth)) => {
                let is_plain = depth.bytes().all(|byte| byte.is_ascii_digit());
                let depth = depth.parse().ok().filter(|depth| is_plain && (1..=MAX_DEPTH).contains(depth));
                Self::Minimax(depth.ok_or_else(|| {
                    format!(
                        "{}: the depth must be a whole number from 1 to {MAX_DEPTH}, for example minimax:6",
                        shorten(text, 60)
                    )
                })?)
            }
            Some(("table", rest)) => table(rest)?,
            Some(("model", model)) => Self::Model(model.parse()?),
            Some((kind @ ("exec" | "bot"), command)) if command.trim().is_empty() => {
                return Err(format!("{kind}: needs a command, for example {kind}:./my-bot"));
            }
            Some(("exec", command)) => Self::Exec(command.to_owned()),
            Some(("bot", command)) => Self::Bot(command.to_owned()),
            _ => {
                return Err(format!("there is no player '{}'; players are {players}", shorten(text, 60)));
            }
        })
    }
}

/// Reads `FILE`, `POLICY` or `FILE:POLICY`. FILE may contain colons: it ends before `:` and the name of a policy.
fn table(text: &str) -> Result<PlayerKind, String> {
    if LosingPolicy::begins_with_policy(text) {
        return Ok(PlayerKind::Table { file: None, policy: Some(text.parse()?) });
    }
    for (colon, _) in text.match_indices(':') {
        let (file, policy) = (&text[..colon], &text[colon + 1..]);
        if LosingPolicy::begins_with_policy(policy) {
            return Ok(PlayerKind::Table { file: Some(file.into()), policy: Some(policy.parse()?) });
        }
        // The text after a table's name must be a policy; the parser's error lists the policies.
        if file.ends_with(".bouton") {
            policy.parse::<LosingPolicy>()?;
        }
    }
    Ok(PlayerKind::Table { file: Some(text.into()), policy: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> PlayerKind {
        text.parse::<PlayerSpec>().unwrap().kind
    }

    fn table(file: Option<&str>, policy: impl Into<Option<LosingPolicy>>) -> PlayerKind {
        PlayerKind::Table { file: file.map(PathBuf::from), policy: policy.into() }
    }

    #[test]
    fn players_are_read_with_and_without_names() {
        let named: PlayerSpec = "alice=exec:./bot --x=1".parse().unwrap();
        assert_eq!(
            named,
            PlayerSpec { name: "alice".to_owned(), kind: PlayerKind::Exec("./bot --x=1".to_owned()) }
        );
        let unnamed: PlayerSpec = "exec:./bot --x=1".parse().unwrap();
        assert_eq!((unnamed.name.as_str(), unnamed.kind), ("exec:./bot --x=1", named.kind));
        let bot = PlayerKind::Bot("./bot --x=1 2>log:1".to_owned());
        assert_eq!([kind("bot:./bot --x=1 2>log:1"), kind("a=bot:./bot --x=1 2>log:1")], [bot.clone(), bot]);
        assert_eq!(kind("minimax:12"), PlayerKind::Minimax(12));
        assert_eq!(kind("model:err:0.5"), PlayerKind::Model("err:0.5".parse().unwrap()));
    }

    #[test]
    fn a_table_is_a_file_a_policy_or_both() {
        let swindle = LosingPolicy::Swindle("err:0.1".parse().unwrap());
        assert_eq!(kind("table"), table(None, None));
        assert_eq!(kind("table:trap"), table(None, LosingPolicy::Trap));
        assert_eq!(kind("table:a.bouton"), table(Some("a.bouton"), None));
        assert_eq!(kind("table:C:\\a.bouton:trap"), table(Some("C:\\a.bouton"), LosingPolicy::Trap));
        assert_eq!(kind("table:a.bouton:swindle:err:0.1"), table(Some("a.bouton"), swindle));
        let stored = LosingPolicy::SwindleFrom("b.chances".into());
        assert_eq!(kind("table:a.bouton:swindle:b.chances"), table(Some("a.bouton"), stored));
    }

    #[test]
    fn automatic_players_exclude_a_human() {
        for text in ["bob", "human", "me=human"] {
            let error = PlayerSpec::automatic(text).unwrap_err().to_string();
            assert!(error.ends_with(&format!("; players are {AUTOMATIC}")), "{error}");
        }
        assert!(!AUTOMATIC.contains("human"));
        assert_eq!(PlayerSpec::automatic("table"), "table".parse());
    }

    #[test]
    fn an_unknown_player_is_refused_with_a_list_of_the_players() {
        for (text, expected) in [
            ("", "there is no player ''; players are human, random"),
            ("bob", "there is no player 'bob'"),
            ("random:3", "there is no player 'random:3'"),
            ("minimax", "there is no player 'minimax'"),
            ("my bot=random", "'my bot' is not a name for a player: expected 1 to 40 letters"),
            ("=random", "'' is not a name for a player"),
            ("minimax:0", "minimax:0: the depth must be a whole number from 1"),
            ("minimax:+3", "minimax:+3: the depth"),
            ("exec: ", "exec: needs a command, for example exec:./my-bot"),
            ("bot:", "bot: needs a command, for example bot:./my-bot"),
            ("table:trap:3", "there is no policy 'trap:3'"),
            ("table:a.bouton:foo", "there is no policy 'foo'; policies are: longest,"),
            ("table:a.bouton:swindle", "found '' in a model"),
            ("model:perfekt", "found 'perfekt' in a model"),
        ] {
            let error = text.parse::<PlayerSpec>().unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }
}
