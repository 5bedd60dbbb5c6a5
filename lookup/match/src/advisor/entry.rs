//! What a person, or a program, types.

/// A line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry<'a> {
    /// Nothing.
    Blank,
    /// Take the opponent's last move back, and our reply.
    Undo,
    /// What we really played.
    Ours(&'a str),
    /// What does each move do?
    Moves,
    /// Why is the position won or lost?
    Why,
    /// What is on the board?
    Position,
    /// What may be typed?
    Help,
    /// End.
    Quit,
    /// The opponent's move.
    Theirs(&'a str),
}

impl<'a> Entry<'a> {
    /// Reads a line without blanks around it, in any case. A line that is not a command is a move.
    pub(super) fn read(line: &'a str) -> Self {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (&*command.to_ascii_lowercase(), rest.trim()) {
            ("", _) => Self::Blank,
            ("me", chosen) => Self::Ours(chosen),
            ("undo", "") => Self::Undo,
            ("moves", "") => Self::Moves,
            ("why", "") => Self::Why,
            ("position", "") => Self::Position,
            ("help", "") => Self::Help,
            ("quit", "") => Self::Quit,
            _ => Self::Theirs(line),
        }
    }

    /// Whether the game is another one afterwards, if the line can be followed.
    pub(super) fn changes_the_game(self) -> bool {
        matches!(self, Self::Undo | Self::Ours(_) | Self::Theirs(_))
    }
}

/// What may be typed besides a move.
pub(super) const COMMANDS: &str = "\
undo: take back the opponent's last move, and your reply to it.
me MOVE: what you really played, if not what was advised.
moves: what each move does. why: why you win or lose. position: where the game is.
quit: end, also before the game does.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_command_is_a_move_of_the_opponent() {
        for (line, entry) in [
            ("", Entry::Blank),
            ("undo", Entry::Undo),
            ("me", Entry::Ours("")),
            ("Me  5 R", Entry::Ours("5 R")),
            ("UNDO", Entry::Undo),
            ("moves", Entry::Moves),
            ("position", Entry::Position),
            ("quit", Entry::Quit),
            ("7 r", Entry::Theirs("7 r")),
            ("undo 3", Entry::Theirs("undo 3")),
            ("mexico", Entry::Theirs("mexico")),
        ] {
            assert_eq!(Entry::read(line), entry, "{line}");
        }
    }

    #[test]
    fn the_help_names_every_command() {
        for (name, entry) in [
            ("undo", Entry::Undo),
            ("me", Entry::Ours("")),
            ("moves", Entry::Moves),
            ("why", Entry::Why),
            ("position", Entry::Position),
            ("quit", Entry::Quit),
        ] {
            assert_eq!(Entry::read(name), entry);
            assert!(COMMANDS.split_whitespace().any(|word| word.trim_end_matches(':') == name), "{name}");
        }
    }
}
