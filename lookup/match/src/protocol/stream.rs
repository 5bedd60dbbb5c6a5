//! Messages from a stream of bytes without separators.

use serde_json::{Deserializer, Value};

/// Maximum length of an object, in bytes; those of real servers and clients are far shorter.
const MAX_OBJECT: usize = 16 << 10;

/// Splits incoming bytes, which may hold parts of a message or several messages, into whole messages.
///
/// An error quotes the bytes that are not a message, and names the expected message. The stream is unusable afterwards.
#[derive(Debug, Default)]
pub struct MessageStream {
    pub(crate) bytes: Vec<u8>,
}

impl MessageStream {
    /// Makes an empty stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Returns true if only white space is left.
    pub fn is_empty(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }

    /// Returns the next JSON object, if it is complete. Fails if the bytes do not begin with an object, or it is too
    /// long.
    pub fn next_object(&mut self) -> Result<Option<Value>, String> {
        self.skip_blanks();
        let not_json = || format!("found \"{}\", which is not a JSON object", self.shown());
        if self.bytes.first().is_some_and(|&byte| byte != b'{') {
            return Err(not_json());
        }
        let mut objects = Deserializer::from_slice(&self.bytes).into_iter();
        let object = match objects.next().transpose() {
            Err(error) if !error.is_eof() => return Err(not_json()),
            incomplete_or_whole => incomplete_or_whole.ok().flatten(),
        };
        let length = if object.is_some() { objects.byte_offset() } else { self.bytes.len() };
        if length > MAX_OBJECT {
            return Err(format!("found a JSON object of more than {MAX_OBJECT} bytes"));
        }
        if object.is_some() {
            self.bytes.drain(..length);
        }
        Ok(object)
    }

    pub(super) fn skip_blanks(&mut self) {
        let blank = self.bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.bytes.drain(..blank);
    }

    pub(super) fn shown(&self) -> String {
        const SHOWN: usize = 40;
        let shown = &self.bytes[..self.bytes.len().min(SHOWN)];
        let more = if self.bytes.len() > SHOWN { "..." } else { "" };
        format!("{}{more}", shown.escape_ascii())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#" {"name": "a } \" {", "n": {"m": 1}}{"order": 0}
 "#;

    fn objects(stream: &mut MessageStream) -> Vec<String> {
        let mut found = Vec::new();
        while let Some(object) = stream.next_object().unwrap() {
            found.push(object.to_string());
        }
        found
    }

    #[test]
    fn objects_are_read_whether_joined_or_split() {
        let mut whole = MessageStream::new();
        whole.push(TWO.as_bytes());
        let expected = objects(&mut whole);
        assert_eq!(expected, [r#"{"n":{"m":1},"name":"a } \" {"}"#, r#"{"order":0}"#]);
        for first in 0..TWO.len() {
            for second in first..TWO.len() {
                let mut stream = MessageStream::new();
                let mut found = Vec::new();
                for piece in [&TWO[..first], &TWO[first..second], &TWO[second..]] {
                    stream.push(piece.as_bytes());
                    found.extend(objects(&mut stream));
                }
                assert_eq!(found, expected, "split at {first} and {second}");
                assert!(stream.is_empty());
            }
        }
    }

    #[test]
    fn invalid_objects_are_refused() {
        for (text, expected) in [
            ("hello", "found \"hello\""),
            ("[1]", "found \"[1]\""),
            ("{\"a\": nonsense}", "found \"{"),
            ("}{", "found \"}{\""),
            ("\u{1}", "\\x01"),
        ] {
            let mut stream = MessageStream::new();
            stream.push(text.as_bytes());
            let error = stream.next_object().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let mut stream = MessageStream::new();
        stream.push(b"{\"a\":\"");
        stream.push(&vec![b'x'; MAX_OBJECT]);
        assert!(stream.next_object().unwrap_err().to_string().contains("of more than"));
        let mut stream = MessageStream::new();
        stream.push("{\"a\":".repeat(100).as_bytes());
        assert_eq!(stream.next_object(), Ok(None));
        stream.push("{\"a\":".repeat(1900).as_bytes());
        assert!(stream.next_object().is_err(), "deep nesting is refused, and does not overflow the stack");
    }
}
