//! JSON objects from a stream of bytes without separators.

use serde_json::Value;
use thiserror::Error;

/// The longest object that is read, in bytes; those of real servers and clients are far shorter.
const LONGEST: usize = 16 << 10;

/// A stream that has something other than JSON objects.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
pub enum StreamError {
    /// It is not JSON.
    #[error("found \"{found}\", which is not a JSON object")]
    NotJson {
        /// What was found, shortened.
        found: String,
    },
    /// An object does not end.
    #[error("found a JSON object of more than {LONGEST} bytes")]
    TooLong,
}

/// Takes bytes as they come, in pieces or several objects at once, and returns whole objects.
#[derive(Debug, Default)]
pub struct JsonStream {
    bytes: Vec<u8>,
    /// The number of bytes scanned so far, and the state after them: the depth of braces, whether they end in a string,
    /// and whether they end with a backslash.
    scanned: usize,
    depth: u32,
    in_string: bool,
    escaped: bool,
}

impl JsonStream {
    /// An empty stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Whether nothing but white space is left.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.iter().all(u8::is_ascii_whitespace)
    }

    /// The next whole object, if there is one.
    ///
    /// # Errors
    /// If the bytes are not the beginning of a JSON object, or of one that is too long. The stream cannot be used then.
    pub fn next_object(&mut self) -> Result<Option<Value>, StreamError> {
        let Some(end) = self.scan()? else { return Ok(None) };
        let object = serde_json::from_slice(&self.bytes[..end]).map_err(|_| self.not_json())?;
        self.bytes.drain(..end);
        self.scanned = 0;
        Ok(Some(object))
    }

    /// Scans the new bytes for the end of the first object.
    fn scan(&mut self) -> Result<Option<usize>, StreamError> {
        if self.scanned == 0 {
            let blank = self.bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            self.bytes.drain(..blank);
            if self.bytes.first().is_some_and(|&byte| byte != b'{') {
                return Err(self.not_json());
            }
        }
        while self.scanned < self.bytes.len() {
            let byte = self.bytes[self.scanned];
            self.scanned += 1;
            if self.scanned > LONGEST {
                return Err(StreamError::TooLong);
            }
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' if self.in_string => self.escaped = true,
                b'"' => self.in_string = !self.in_string,
                b'{' if !self.in_string => self.depth += 1,
                b'}' if !self.in_string => {
                    self.depth -= 1;
                    if self.depth == 0 {
                        return Ok(Some(self.scanned));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn not_json(&self) -> StreamError {
        const SHOWN: usize = 40;
        let shown = &self.bytes[..self.bytes.len().min(SHOWN)];
        let more = if self.bytes.len() > SHOWN { "..." } else { "" };
        StreamError::NotJson { found: format!("{}{more}", shown.escape_ascii()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#" {"name": "a } \" {", "n": {"m": 1}}{"order": 0}
 "#;

    fn objects(stream: &mut JsonStream) -> Vec<String> {
        let mut found = Vec::new();
        while let Some(object) = stream.next_object().unwrap() {
            found.push(object.to_string());
        }
        found
    }

    #[test]
    fn objects_are_found_however_the_bytes_are_joined_or_split() {
        let mut whole = JsonStream::new();
        whole.push(TWO.as_bytes());
        let expected = objects(&mut whole);
        assert_eq!(expected, [r#"{"n":{"m":1},"name":"a } \" {"}"#, r#"{"order":0}"#]);
        for first in 0..TWO.len() {
            for second in first..TWO.len() {
                let mut stream = JsonStream::new();
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
    fn what_is_no_object_is_refused() {
        for (text, expected) in [
            ("hello", "found \"hello\""),
            ("[1]", "found \"[1]\""),
            ("{\"a\": nonsense}", "found \"{"),
            ("}{", "found \"}{\""),
            ("\u{1}", "\\x01"),
        ] {
            let mut stream = JsonStream::new();
            stream.push(text.as_bytes());
            let error = stream.next_object().unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        let mut stream = JsonStream::new();
        stream.push(b"{\"a\":\"");
        stream.push(&vec![b'x'; LONGEST]);
        assert_eq!(stream.next_object(), Err(StreamError::TooLong));
        let mut stream = JsonStream::new();
        stream.push(&vec![b'{'; 10_000]);
        assert_eq!(stream.next_object(), Ok(None));
        stream.push(&vec![b'}'; 10_000]);
        assert!(stream.next_object().is_err(), "such depth is refused, not recursed into");
    }
}
