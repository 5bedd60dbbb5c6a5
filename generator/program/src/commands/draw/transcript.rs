//! Reads one line of a transcript.

use std::error::Error;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use bouton_tables::input::{display_name, open};

/// Maximum bytes of a line: enough for far more moves than fit into a picture.
const MAX_LINE: u64 = 1 << 20;

/// Returns a line of a file, counted from 1.
pub(super) fn line(path: &Path, number: u32) -> Result<String, Box<dyn Error>> {
    let shown = display_name(path);
    let cannot = |reason: &dyn std::fmt::Display| {
        format!("cannot read {shown}: {reason}; give a transcript made with `bouton-match play --record`")
    };
    let mut file = BufReader::new(open(path).map_err(|error| cannot(&error))?);
    let mut current = 0;
    loop {
        current += 1;
        let mut line = Vec::new();
        file.by_ref().take(MAX_LINE).read_until(b'\n', &mut line).map_err(|error| cannot(&error))?;
        if line.is_empty() {
            let lines = current - 1;
            return Err(format!("{shown} has no line {number}: it has {lines}; give a lower --game").into());
        }
        if line.len() as u64 == MAX_LINE && !line.ends_with(b"\n") {
            return Err(format!(
                "{shown}, line {current}: this is not a line of a transcript: it is too long"
            )
            .into());
        }
        if current >= number {
            let text = String::from_utf8(line);
            return Ok(text.map_err(|_| format!("{shown}, line {current}: it is not UTF-8 text"))?);
        }
    }
}
