//! `bouton verify`: proves a table.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use bouton_generator::{
    ByClassesError, VerifyError, VerifyOptions, can_be_proved_by_classes, verify_by_classes, verify_with,
};
use bouton_memory::at_least_bytes;
use bouton_study::words::InWords;
use bouton_tables::input::display_name;
use bouton_tables::program::{Output, note};
use bouton_tables::{FamilyTable, Table, hex, with_rules};
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use super::{ExitResult, bytes, grouped, print_json, run_each};
use crate::args::Verify;
use crate::progress::WorkProgressBar;
use crate::{ANSWER_NO, SUCCESS, memory, stop};

/// The result, as `--json` prints it.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ProofReport<'a> {
    file: &'a str,
    right: bool,
    positions: u64,
    /// The number of heaps proved, if it exceeds that of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_for: Option<&'static str>,
    digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Proves tables.
pub(crate) fn run(args: &Verify) -> ExitResult {
    run_each(&args.tables.files, |file| prove(file, args))
}

fn prove(file: &Path, args: &Verify) -> ExitResult {
    let began = Instant::now();
    let table = Table::named(file)?;
    let shown = display_name(file);
    let proof = if args.by_classes { by_classes(&table, args) } else { by_enumeration(&table, args) };
    let (status, right) = match proof.map_err(|error| format!("{shown}: {error}"))? {
        Ok(how) => (SUCCESS, Ok(how)),
        Err(cancelled @ VerifyError::Cancelled) => {
            note("bouton", &format!("{shown}: {cancelled}"));
            return Ok(stop::exit_status());
        }
        Err(wrong) => (ANSWER_NO, Err(format!("{shown}: {wrong}"))),
    };
    let (positions, digest) = (table.header().positions, hex(&table.digest()));
    let mut out = Output::of(args.tables.json);
    if args.tables.json {
        let report = ProofReport {
            file: &file.to_string_lossy(),
            right: right.is_ok(),
            positions,
            proved_for: (right.is_ok() && args.by_classes).then_some("any number of heaps"),
            digest,
            error: right.err(),
        };
        print_json(&mut out, &report)?;
        return Ok(status);
    }
    match right {
        Err(error) => note("bouton", &error),
        Ok(_) if args.tables.quiet => {}
        Ok(how) => {
            let seconds = began.elapsed().as_secs_f64();
            writeln!(out, "{shown} is right: {how}; the file is whole. {seconds:.2} s")?;
            writeln!(out, "digest {digest}")?;
        }
    }
    Ok(status)
}

/// The result of a proof: why the table is right, or an error that says why it is wrong or that the proof was interrupted.
type ProofResult = Result<Result<String, VerifyError>, Box<dyn Error>>;

/// Returns the result after an error, which is an outer error if the proof could not be made.
fn unproved(error: VerifyError) -> ProofResult {
    match error {
        VerifyError::Damaged(_) | VerifyError::Memory | VerifyError::TooLittle { .. } => Err(error.into()),
        other => Ok(Err(other)),
    }
}

/// Proves a table position by position or line by line.
fn by_enumeration(table: &Table, args: &Verify) -> ProofResult {
    let header = table.header();
    let limit = args.memory.unwrap_or_else(memory::available);
    let is_heaps = matches!(table.family(), FamilyTable::Heaps(_));
    stop::handle_signals()?;
    let options = VerifyOptions { memory: limit, every_position: args.every_position };
    let threads = ThreadPoolBuilder::new().num_threads(memory::threads(None)).build()?;
    let progress = WorkProgressBar::new("bouton", args.tables.quiet);
    let proved = threads.install(|| verify_with(table, &options, &progress));
    progress.finish();
    match proved {
        Ok(_) => {}
        Err(VerifyError::TooLittle { least, limit }) => return Err(too_little(table, least, limit).into()),
        Err(error) => return unproved(error),
    }
    let counted_for = with_rules!(&header.ruleset, |rules| rules.counted_for());
    let positions = grouped(header.positions);
    Ok(Ok(if is_heaps || header.has_depths || args.every_position {
        format!(
            "each of its {positions} positions{counted_for} follows from its successors, by the plain rules"
        )
    } else {
        format!(
            "each line of its {positions} positions{counted_for} follows from the lines to which moves lead, \
            by the plain rules"
        )
    }))
}

/// Returns the message for a table whose verification needs more memory than allowed.
fn too_little(table: &Table, least: u64, limit: u64) -> String {
    let (least, limit) = (at_least_bytes(least), bytes(limit));
    let larger = if can_be_proved_by_classes(table) {
        ", verify it on a larger machine, or try --by-classes"
    } else {
        ", or verify it on a larger machine"
    };
    format!(
        "verifying this table takes {least} of memory, and {limit} are available; allow more with \
        --memory{larger}"
    )
}

fn by_classes(table: &Table, args: &Verify) -> ProofResult {
    stop::handle_signals()?;
    match verify_by_classes(table, &WorkProgressBar::new("bouton", args.tables.quiet)) {
        Ok(proved) => {
            let (classes, positions) = (proved.classes, grouped(table.header().positions));
            Ok(Ok(format!(
                "{classes} classes decide all its positions ({positions}), as they decide those of any number of such heaps"
            )))
        }
        Err(ByClassesError::Verify(error)) => unproved(error),
        Err(error @ ByClassesError::NoQuotient(_)) => Err(format!("{error}: omit --by-classes").into()),
    }
}
