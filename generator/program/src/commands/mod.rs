//! The subcommands, one file each.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use bouton_tables::printable::printable_json;
use bouton_tables::program::{Output, note, width};
use serde::Serialize;

use crate::{FAILURE, SUCCESS, stop};

pub(crate) use bouton_memory::{bytes, bytes_rounded_up};
pub(crate) use bouton_study::words::{count, grouped};

pub(crate) mod analyze;
pub(crate) mod check;
pub(crate) mod diff;
pub(crate) mod draw;
mod estimate;
pub(crate) mod export;
mod first_steps;
mod folder;
pub(crate) mod generate;
pub(crate) mod info;
pub(crate) mod picture_file;
mod quotient;
pub(crate) mod rules;
pub(crate) mod sheet;
pub(crate) mod shell;
pub(crate) mod verify;
mod work_error;

/// An exit status, or an error for the user.
pub(crate) type ExitResult = Result<u8, Box<dyn Error>>;

/// Runs `run` on each of several files. Prints errors and continues. Returns the worst exit status.
pub(crate) fn run_each(files: &[PathBuf], mut run: impl FnMut(&Path) -> ExitResult) -> ExitResult {
    if let [file] = files {
        return run(file);
    }
    let mut worst = SUCCESS;
    for file in files {
        worst = worst.max(match run(file) {
            Ok(status) => status,
            // If standard output is closed, stop.
            Err(error) if error.is::<io::Error>() => return Err(error),
            Err(error) => {
                note("bouton", &error);
                FAILURE
            }
        });
        if stop::is_requested() {
            return Ok(stop::exit_status());
        }
    }
    Ok(worst)
}

/// Prints an object as one line of JSON.
pub(crate) fn print_json(out: &mut dyn Write, object: &impl Serialize) -> ExitResult {
    writeln!(out, "{}", printable_json(&serde_json::to_string(object)?))?;
    Ok(SUCCESS)
}

/// Prints a result to standard output: with `json` as one line, otherwise in words, which `quiet` suppresses.
pub(crate) fn print<T: Serialize>(
    result: &T,
    json: bool,
    quiet: bool,
    in_words: impl FnOnce(&T) -> String,
) -> ExitResult {
    let mut out = Output::of(json);
    if json {
        return print_json(&mut out, result);
    }
    if !quiet {
        write!(out, "{}", in_words(result))?;
    }
    Ok(SUCCESS)
}

/// Writes an exact number of bytes.
pub(crate) fn exact_bytes(number: u64) -> String {
    let exact = format!("{} bytes", grouped(number));
    if number < 1024 { exact } else { format!("{exact} ({})", bytes(number)) }
}

/// Writes an estimated time with one significant digit.
pub(crate) fn rounded_time(time: Duration) -> String {
    const UNITS: [(&str, f64); 5] =
        [("s", 1.0), ("minutes", 60.0), ("hours", 3600.0), ("days", 86_400.0), ("years", 31_557_600.0)];
    let seconds = time.as_secs_f64();
    if seconds < 0.01 {
        return "0.01 s".to_owned();
    }
    // Use the greatest unit that gives a number of about two or more.
    let (unit, length) = UNITS.into_iter().rfind(|&(_, length)| seconds >= 1.95 * length).unwrap_or(UNITS[0]);
    let number = seconds / length;
    let power = 10_f64.powf(number.log10().floor());
    let rounded = (number / power).round() * power;
    if rounded < 1.0 {
        format!("{rounded:.2} {unit}").replace("0 s", " s")
    } else {
        format!("{} {unit}", grouped(rounded as u64))
    }
}

/// Writes a share in percent. A share above 0 never reads as 0 %, and an incomplete one never as 100 %.
pub(crate) fn percentage(part: u64, whole: u64) -> String {
    let percent = 100.0 * part as f64 / whole.max(1) as f64;
    match percent {
        _ if part == 0 => "0 %".to_owned(),
        _ if part == whole => "100 %".to_owned(),
        ..0.01 => "< 0.01 %".to_owned(),
        99.99.. => "> 99.99 %".to_owned(),
        ..1.0 | 99.0.. => format!("{percent:.2} %"),
        _ => format!("{percent:.1} %"),
    }
}

/// Formats rows of cells in columns, within the width of the terminal.
pub(crate) fn in_columns(rows: &[Vec<String>]) -> String {
    bouton_shell::in_columns(rows, "  ", width())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_rounded_to_one_digit() {
        let rounded =
            [0.0, 0.014, 0.26, 1.0, 1.4, 9.4, 28.0, 97.0, 119.0, 145.0, 3700.0, 8000.0, 200_000.0, 1e9];
        let rounded = rounded.map(|seconds| rounded_time(Duration::from_secs_f64(seconds)));
        let expected = [
            "0.01 s",
            "0.01 s",
            "0.3 s",
            "1 s",
            "1 s",
            "9 s",
            "30 s",
            "100 s",
            "2 minutes",
            "2 minutes",
            "60 minutes",
            "2 hours",
            "2 days",
            "30 years",
        ];
        assert_eq!(rounded, expected);
    }

    #[test]
    fn numbers_are_grouped_and_shares_are_never_rounded_to_all_or_nothing() {
        assert_eq!([0, 999, 1000, 1_499_600].map(grouped), ["0", "999", "1,000", "1,499,600"]);
        assert_eq!(exact_bytes(436), "436 bytes");
        assert_eq!(
            [(0, 7), (7, 7), (1, 3), (1, 200), (1, 100_000)].map(|(part, whole)| percentage(part, whole)),
            ["0 %", "100 %", "33.3 %", "0.50 %", "< 0.01 %"]
        );
        assert_eq!(exact_bytes(86_432), "86,432 bytes (84.4 KiB)");
    }
}
