//! Messages of the server of 2016: whole numbers with spaces between them. A message ends after its last number, which
//! is always a single digit; nothing separates messages.

use bouton_tables::expanding::Move;

use super::MessageStream;

/// Maximum length of a message, in bytes; real ones are far shorter.
const MAX_MESSAGE: usize = 64;

/// The resets of each player.
pub const RESETS: u8 = 1;
/// The least currentmax that the server sends while the game goes on.
pub const LEAST_CURRENTMAX: u32 = 2;

/// The server's message to the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextState {
    /// Stones left.
    pub stones: u64,
    /// The most stones taken in one move so far, but at least 2; 0 when the game is over.
    pub currentmax: u32,
    /// True if a reset binds this move.
    pub reset: bool,
    /// True if the game is over.
    pub over: bool,
}

/// The message that the game is over.
pub const OVER: TextState = TextState { stones: 0, currentmax: 0, reset: false, over: true };

impl TextState {
    /// Encodes the message.
    pub fn to_text(self) -> String {
        format!("{} {} {} {}", self.stones, self.currentmax, u8::from(self.reset), u8::from(self.over))
    }
}

/// Encodes a move, the answer to the message.
pub fn move_text(chosen: Move) -> String {
    format!("{} {}", chosen.take, u8::from(chosen.reset))
}

impl MessageStream {
    /// Returns the next complete state, if there is one.
    pub fn next_state(&mut self) -> Result<Option<TextState>, String> {
        let expected = "4 whole numbers below 2^32 with spaces between them, the last two 0 or 1";
        self.next_numbers(expected, |[stones, currentmax, reset, over]: [u32; 4]| {
            let (stones, over) = (stones.into(), over == 1);
            (reset <= 1).then_some(TextState { stones, currentmax, reset: reset == 1, over })
        })
    }

    /// Returns the next complete move, if there is one.
    pub fn next_move(&mut self) -> Result<Option<Move>, String> {
        let expected = "2 whole numbers below 2^32 with spaces between them, the last 0 or 1";
        self.next_numbers(expected, |[take, reset]: [u32; 2]| Some(Move { take, reset: reset == 1 }))
    }

    /// Returns a message of the next N numbers; the last is a single digit, 0 or 1. `expected` names
    /// the numbers in the text of an error.
    fn next_numbers<const N: usize, T>(
        &mut self,
        expected: &str,
        read: impl Fn([u32; N]) -> Option<T>,
    ) -> Result<Option<T>, String> {
        self.skip_blanks();
        let wrong = || format!("found \"{}\", expected {expected}", self.shown());
        let mut numbers = [0_u32; N];
        let mut at = 0;
        for (index, number) in numbers.iter_mut().enumerate() {
            let is_last = index + 1 == N;
            let rest = self.bytes[at..].trim_ascii_start();
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let digits = if is_last { digits.min(1) } else { digits };
            at = self.bytes.len() - rest.len() + digits;
            if digits == 0 && !rest.is_empty() || at > MAX_MESSAGE {
                return Err(wrong());
            }
            if digits == 0 || digits == rest.len() && !is_last {
                return Ok(None);
            }
            let text = std::str::from_utf8(&rest[..digits]).expect("digits are ASCII");
            *number = text.parse().map_err(|_| wrong())?;
        }
        let message = if numbers[N - 1] <= 1 { read(numbers) } else { None };
        let message = message.ok_or_else(wrong)?;
        self.bytes.drain(..at);
        Ok(Some(message))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn states(pieces: &[&str]) -> Vec<TextState> {
        let mut stream = MessageStream::new();
        let mut found = Vec::new();
        for piece in pieces {
            stream.push(piece.as_bytes());
            while let Some(state) = stream.next_state().unwrap() {
                found.push(state);
            }
        }
        assert!(stream.is_empty());
        found
    }

    #[test]
    fn messages_are_read_whether_joined_or_split() {
        let first = TextState { stones: 1000, currentmax: 2, reset: false, over: false };
        let second = TextState { stones: 997, currentmax: 3, reset: true, over: false };
        let text = [first, second, OVER].map(TextState::to_text).concat();
        assert_eq!(text, "1000 2 0 0997 3 1 00 0 0 1");
        for at in 0..=text.len() {
            for then in at..=text.len() {
                let pieces = [&text[..at], &text[at..then], &text[then..]];
                assert_eq!(states(&pieces), [first, second, OVER], "{pieces:?}");
            }
        }
        let mut moves = MessageStream::new();
        moves.push(b" 12 1\n3 0");
        assert_eq!(moves.next_move(), Ok(Some(Move { take: 12, reset: true })));
        assert_eq!(moves.next_move(), Ok(Some(Move { take: 3, reset: false })));
        assert_eq!((moves.next_move(), moves.is_empty()), (Ok(None), true));
    }

    #[test]
    fn invalid_messages_are_refused() {
        for text in ["x", "3 x", "-1 0", "3 2", "99999999999 0", "3.5 0", "{\"order\": 0}"] {
            let mut stream = MessageStream::new();
            stream.push(text.as_bytes());
            assert!(stream.next_move().is_err(), "{text}");
        }
        for endless in [&[b'1'; 10_000][..], &[&b"3"[..], &[b' '; 10_000]].concat()] {
            let mut stream = MessageStream::new();
            stream.push(endless);
            assert!(stream.next_move().is_err());
        }
        let mut stream = MessageStream::new();
        stream.push(&[b' '; 10_000]);
        assert_eq!((stream.next_move(), stream.bytes.len()), (Ok(None), 0));
    }
}
