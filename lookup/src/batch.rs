//! A stream of positions, answered line by line.

use std::io::{self, BufRead, Read, Write};

use bouton_tables::printable::printable_json;
use bouton_tables::{Game, Solved};

use crate::reply::{LookUpOptions, look_up};

/// Maximum length of a line; the longest position is far shorter.
const MAX_LINE_BYTES: u64 = 4096;
/// Maximum number of characters of an invalid line that its error repeats.
const MAX_ECHOED_CHARS: usize = 60;

/// Answers each line of `questions`, a position, with a line of JSON; an invalid line with an object that has an `error`.
/// Returns the number of invalid lines.
///
/// Flushes the answers whenever no complete line is left in the buffer, so that a program can wait for each answer.
///
/// # Errors
/// If reading or writing fails.
pub fn batch<S: Solved>(
    table: &S,
    options: LookUpOptions,
    mut questions: io::BufReader<impl Read>,
    answers: impl Write,
) -> io::Result<u64> {
    let mut answers = io::BufWriter::with_capacity(1 << 16, answers);
    let (mut line, mut json) = (Vec::new(), String::new());
    let mut invalid = 0;
    loop {
        line.clear();
        json.clear();
        if questions
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut line)
            .map_err(|error| input_error(&error))?
            == 0
        {
            break;
        }
        let is_complete = line.ends_with(b"\n") || (line.len() as u64) < MAX_LINE_BYTES;
        let answered = if is_complete {
            answer_line(table, options, &line, &mut json)
        } else {
            let bytes = line.len() + questions.skip_until(b'\n').map_err(|error| input_error(&error))?;
            Err(format!("this line of {bytes} bytes is not a position; write one position per line"))
        };
        if let Err(error) = answered {
            write_error(&String::from_utf8_lossy(strip_line_end(&line)), &error, &mut json);
            invalid += 1;
        }
        json.push('\n');
        answers.write_all(json.as_bytes())?;
        // Flush even if part of a line is buffered: its writer may want this answer before it completes the line.
        if !questions.buffer().contains(&b'\n') {
            answers.flush()?;
        }
    }
    answers.flush()?;
    Ok(invalid)
}

fn input_error(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("cannot read standard input: {error}"))
}

/// Appends the answer to one line, in JSON.
fn answer_line<S: Solved>(
    table: &S,
    options: LookUpOptions,
    line: &[u8],
    json: &mut String,
) -> Result<(), String> {
    let text = std::str::from_utf8(strip_line_end(line));
    let text = text.map_err(|_| "this line is not valid UTF-8; write positions in ASCII")?;
    let position = table.game().read_position(text).map_err(|error| error.to_string())?;
    look_up(table, &position, options).map_err(|error| error.to_string())?.write_json(json);
    Ok(())
}

fn strip_line_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Appends a JSON object in place of an answer: the `position`, shortened if it is long, and an `error`.
pub fn write_error(position: &str, error: &str, json: &mut String) {
    let position = match position.char_indices().nth(MAX_ECHOED_CHARS) {
        None => position,
        Some((end, _)) => &format!("{}...", &position[..end]),
    };
    let [position, error] =
        [position, error].map(|text| serde_json::to_string(text).expect("texts are JSON"));
    json.push_str(&printable_json(&format!("{{\"position\":{position},\"error\":{error}}}")));
}
