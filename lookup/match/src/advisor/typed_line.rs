//! The lines that a person, or a program, types.

/// A typed line: a move or a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TypedLine<'a> {
    Blank,
    /// Takes back the opponent's last move, and our reply.
    Undo,
    /// Reports the move that we really played.
    Ours(&'a str),
    /// Lists the effect of each move.
    Moves,
    /// Explains why the position is won or lost.
    Why,
    Position,
    Help,
    Quit,
    Theirs(&'a str),
}

impl<'a> TypedLine<'a> {
    /// Reads a line without blanks around it. Commands are in any case; a line that is not a command is a move.
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
}

/// Help on all commands except `help`.
pub(super) const COMMANDS: &str = "\
undo: takes back the opponent's last move, and your reply to it.
me MOVE: corrects your last move, if you played another one.
moves: shows what each move does. why: says why you win or lose. position: prints the position.
quit: ends the program, also before the game is over.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_a_command_or_else_a_move_of_the_opponent() {
        for (line, typed) in [
            ("", TypedLine::Blank),
            ("undo", TypedLine::Undo),
            ("me", TypedLine::Ours("")),
            ("Me  5 R", TypedLine::Ours("5 R")),
            ("UNDO", TypedLine::Undo),
            ("moves", TypedLine::Moves),
            ("position", TypedLine::Position),
            ("quit", TypedLine::Quit),
            ("7 r", TypedLine::Theirs("7 r")),
            ("undo 3", TypedLine::Theirs("undo 3")),
            ("mexico", TypedLine::Theirs("mexico")),
        ] {
            assert_eq!(TypedLine::read(line), typed, "{line}");
        }
    }

    #[test]
    fn the_help_names_every_other_command() {
        for (name, typed) in [
            ("undo", TypedLine::Undo),
            ("me", TypedLine::Ours("")),
            ("moves", TypedLine::Moves),
            ("why", TypedLine::Why),
            ("position", TypedLine::Position),
            ("quit", TypedLine::Quit),
        ] {
            assert_eq!(TypedLine::read(name), typed);
            assert!(COMMANDS.split_whitespace().any(|word| word.trim_end_matches(':') == name), "{name}");
        }
    }
}
