//! A stream of positions, answered line by line.

use std::io::{self, BufRead, Read, Write};

use bouton_tables::printable::printable_json;
use bouton_tables::{AskError, Solved};
use serde::Serialize;

use crate::Typed;
use crate::reply::{LookUpError, Options, look_up};

/// The longest line that is read as a position; the longest position is far shorter.
const LONGEST: u64 = 4096;
/// Characters of a bad line that its answer repeats.
const ECHOED: usize = 60;

/// The answer to a bad line.
#[derive(Serialize)]
struct Bad<'a> {
    position: &'a str,
    error: &'a str,
}

/// Answers each line of `questions`, one position per line, with a line of JSON. An invalid line gets an object with
/// an `error`.
///
/// Answers are flushed as soon as no further whole line waits, so that a program can ask and wait for the answer.
/// Returns the number of invalid lines.
///
/// # Errors
/// If reading or writing fails.
pub fn batch<S: Solved<Game: Typed>>(
    table: &S,
    options: Options,
    mut questions: io::BufReader<impl Read>,
    answers: impl Write,
) -> io::Result<u64> {
    let mut answers = io::BufWriter::with_capacity(1 << 16, answers);
    let (mut line, mut json) = (Vec::new(), String::new());
    let mut bad = 0;
    loop {
        line.clear();
        json.clear();
        if questions.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST;
        let fine = if whole {
            answer_line(table, options, &line, &mut json)
        } else {
            write_error(&String::from_utf8_lossy(&line), &too_long(&mut questions, &line)?, &mut json);
            false
        };
        bad += u64::from(!fine);
        json.push('\n');
        answers.write_all(json.as_bytes())?;
        // Part of a line may wait too: its writer may want this answer first.
        if !questions.buffer().contains(&b'\n') {
            answers.flush()?;
        }
    }
    answers.flush()?;
    Ok(bad)
}

fn answer_line<S: Solved<Game: Typed>>(table: &S, options: Options, line: &[u8], json: &mut String) -> bool {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok(text) => answer(table, options, text, json),
        Err(_) => {
            let what_to_do = "this line is not valid UTF-8; write positions in ASCII";
            write_error(&String::from_utf8_lossy(line), what_to_do, json);
            false
        }
    }
}

/// Appends the answer to one of many questions, an object of JSON: that of [`look_up`], or one with an `error`
/// if there is none. Tells whether there is.
fn answer<S: Solved<Game: Typed>>(table: &S, options: Options, position: &str, json: &mut String) -> bool {
    let parsed = table.game().read_position(position).map_err(AskError::from);
    let answered = parsed.map_err(LookUpError::from).and_then(|parsed| {
        look_up(table, &parsed, options)?.write_json(json);
        Ok(())
    });
    if let Err(error) = &answered {
        write_error(position, &error.to_string(), json);
    }
    answered.is_ok()
}

/// Appends a JSON object in place of an answer: the position, shortened if it is long, and an `error`.
pub fn write_error(position: &str, error: &str, json: &mut String) {
    let position = match position.char_indices().nth(ECHOED) {
        None => position,
        Some((end, _)) => &format!("{}...", &position[..end]),
    };
    let bad = serde_json::to_string(&Bad { position, error }).expect("texts are JSON");
    json.push_str(&printable_json(&bad));
}

/// Skips the rest of a line that is too long, and returns the error for it.
fn too_long(questions: &mut io::BufReader<impl Read>, line: &[u8]) -> io::Result<String> {
    let mut rest = 0;
    loop {
        let waiting = questions.fill_buf()?;
        let end = waiting.iter().position(|&byte| byte == b'\n');
        let used = end.map_or(waiting.len(), |end| end + 1);
        rest += used;
        let done = end.is_some() || waiting.is_empty();
        questions.consume(used);
        if done {
            break;
        }
    }
    let bytes = line.len() + rest;
    Ok(format!("this line of {bytes} bytes is not a position; write one position per line"))
}
