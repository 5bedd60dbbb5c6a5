//! A stream of questions, answered line by line.

use std::io::{self, BufRead, Read, Write};

use bouton_tables::{Game, Solved};
use serde::Serialize;

use crate::reply::{Options, look_up};

/// The longest line that is read as a position; the longest position is far shorter.
const LONGEST: u64 = 4096;
/// Characters of a bad line that its answer repeats.
const ECHOED: usize = 60;

/// The answer to a bad line.
#[derive(Serialize)]
struct Bad<'a> {
    position: &'a str,
    error: String,
}

/// Answers each line of `questions`, a position each, with a line of JSON. A bad line gets an object with an
/// `error`.
///
/// Answers are written out as soon as no further whole question waits, so that a program can ask and wait for
/// the answer. Gives the number of bad lines.
///
/// # Errors
/// If reading or writing fails.
pub fn batch<S: Solved>(
    table: &S,
    options: Options,
    mut questions: io::BufReader<impl Read>,
    answers: impl Write,
) -> io::Result<u64> {
    let mut answers = io::BufWriter::with_capacity(1 << 16, answers);
    let mut line = Vec::new();
    let mut bad = 0;
    loop {
        line.clear();
        if questions.by_ref().take(LONGEST).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let whole = line.ends_with(b"\n") || (line.len() as u64) < LONGEST;
        let answer =
            if whole { answer(table, options, &line) } else { Err(too_long(&mut questions, &line)?) };
        match answer {
            Ok(json) => answers.write_all(json.as_bytes())?,
            Err(error) => {
                bad += 1;
                answers.write_all(error.as_bytes())?;
            }
        }
        answers.write_all(b"\n")?;
        // A part of a line may wait too: whoever writes it may first want this answer.
        if !questions.buffer().contains(&b'\n') {
            answers.flush()?;
        }
    }
    answers.flush()?;
    Ok(bad)
}

fn answer<S: Solved>(table: &S, options: Options, line: &[u8]) -> Result<String, String> {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let Ok(text) = std::str::from_utf8(line) else {
        return Err(error(
            &String::from_utf8_lossy(line),
            "this line is not valid UTF-8; write positions in ASCII".into(),
        ));
    };
    let position = table.game().parse_position(text).map_err(|e| error(text, e.to_string()))?;
    let reply = look_up(table, &position, options).map_err(|e| error(text, e.to_string()))?;
    Ok(reply.to_json())
}

fn error(position: &str, error: String) -> String {
    let position = match position.char_indices().nth(ECHOED) {
        None => position,
        Some((end, _)) => &format!("{}...", &position[..end]),
    };
    serde_json::to_string(&Bad { position, error }).expect("texts are JSON")
}

/// Passes over the rest of a line that is too long; gives its answer.
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
    let what_to_do = format!("a line of {bytes} bytes is no position; write one position a line");
    Ok(error(&String::from_utf8_lossy(line), what_to_do))
}
