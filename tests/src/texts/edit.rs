//! Random edits of texts, as a fuzzer makes them.

/// Tokens of the parsers, and numbers at the edges of their ranges.
const TOKENS: [&str; 34] = [
    "0",
    "1",
    "-1",
    "+1",
    "00",
    "1.5",
    "1e9",
    "1e-400",
    "255",
    "256",
    "65536",
    "1000000000",
    "4294967295",
    "4294967296",
    "4294967297",
    "18446744073709551615",
    "99999999999999999999",
    "-0.0",
    ".",
    ":",
    ",",
    "/",
    "*",
    "+",
    "=",
    "\"",
    "{",
    "}",
    "[1,2]",
    "null",
    "true",
    "\u{202e}\u{1b}[31m",
    "\\u001b[31m",
    "\u{0}",
];

/// A change of a text. Positions are taken modulo its length.
#[derive(Clone, Copy, Debug)]
pub struct Edit {
    /// The position of the change.
    pub at: u16,
    /// The number of bytes to remove.
    pub removed: u8,
    /// Selects the replacement: a token, or a copy of part of the text itself.
    pub replacement: u16,
}

impl Edit {
    /// Makes the change.
    pub fn apply(self, text: &mut Vec<u8>) {
        let start = usize::from(self.at) % (text.len() + 1);
        let end = (start + usize::from(self.removed)).min(text.len());
        let replacement = usize::from(self.replacement);
        let new = match TOKENS.get(replacement % (2 * TOKENS.len())) {
            Some(token) => token.as_bytes().to_vec(),
            None => {
                let from = replacement % (text.len() + 1);
                text[from..(from + replacement % 17).min(text.len())].to_vec()
            }
        };
        text.splice(start..end, new);
    }
}
