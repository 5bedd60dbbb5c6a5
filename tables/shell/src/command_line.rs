//! Reads command lines, and adds advice to their errors.

use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use anstream::AutoStream;
use bouton_tables::printable::{printable, printable_lines};
use bouton_tables::program::{FAILURE, SUCCESS, check_open, end, error_width, wrapped};
use bouton_tables::rulesets;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command, Parser};

/// Reads the command line.
pub fn parse<P: Parser>() -> Result<P, clap::Error> {
    let words: Vec<OsString> = env::args_os().collect();
    let mut command = with_negative_numbers(P::command());
    command
        .try_get_matches_from_mut(&words)
        .and_then(|mut matches| P::from_arg_matches_mut(&mut matches))
        .map_err(|error| with_advice(error.format(&mut command), &command, &words))
}

/// Lets each option take a negative number as its value: the option's own error then names the allowed numbers.
fn with_negative_numbers(command: Command) -> Command {
    let takes_value = |arg: &Arg| !arg.is_positional() && arg.get_action().takes_values();
    command
        .mut_args(|arg| if takes_value(&arg) { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(with_negative_numbers)
}

/// Adds a suggestion to the error about an unknown option, or removes one that rarely helps.
fn with_advice(mut error: clap::Error, command: &Command, words: &[OsString]) -> clap::Error {
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    if let Some(setting) = meant_setting(&error, command, words) {
        error.remove(ContextKind::SuggestedArg);
        let advice = StyledStr::from(format!("to set a key of the ruleset, write '{setting}'"));
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![advice]));
    } else if let Some(ContextValue::StyledStrs(mut advice)) = error.remove(ContextKind::Suggested) {
        // clap suggests `--` before a value that begins with a dash. That helps with file names only; the user more
        // likely meant a negative number, or an option that does not exist.
        advice.retain(|advice| !advice.to_string().contains("-- "));
        if !advice.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(advice));
        }
    }
    error
}

/// Returns the setting that a user meant by an option with the name of a key: `--set stones=100` for `--stones 100`.
/// `None` if the unknown option is not a key, or the command takes no ruleset.
fn meant_setting(error: &clap::Error, command: &Command, words: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg) else { return None };
    let (option, value) =
        option.split_once('=').map_or((&**option, None), |(option, value)| (option, Some(value)));
    let key = option.strip_prefix("--").filter(|key| rulesets::is_key(key))?;
    let mut words = words.iter().skip(1).map(|word| word.to_string_lossy().into_owned());
    let mut subcommand = command;
    let mut next = None;
    while let Some(word) = words.next() {
        if word == option {
            next = words.next().filter(|word| !word.starts_with("--"));
            break;
        }
        if let Some((_, value)) = word.split_once('=').filter(|(name, _)| *name == option) {
            next = Some(value.to_owned());
            break;
        }
        subcommand = subcommand.find_subcommand(&word).unwrap_or(subcommand);
    }
    let set = subcommand.get_opts().filter_map(Arg::get_long).find(|name| ["set", "set-a"].contains(name))?;
    let value = value.map(str::to_owned).or(next).unwrap_or_else(|| "VALUE".to_owned());
    Some(format!("--{set} {key}={}", printable(&value)))
}

/// Prints the help, the version, or the error of a command line. Returns the exit status.
#[must_use]
pub fn print_help_or_error(program: &str, error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        let printed = check_open().and_then(|()| error.print()).and_then(|()| io::stdout().flush());
        return end(program, printed.map(|()| SUCCESS).map_err(Into::into));
    }
    let plain = error.to_string();
    let shown = printable_lines(&plain);
    // If standard error is closed, the exit status must suffice.
    let _ = if shown != plain {
        io::stderr().write_all(wrapped(&shown, error_width()).as_bytes())
    } else if let Some(width) = error_width() {
        let coloured = wrapped(&error.render().ansi().to_string(), Some(width));
        AutoStream::auto(io::stderr()).write_all(coloured.as_bytes())
    } else {
        error.print()
    };
    FAILURE.into()
}
