//! `bouton verify`: proves a table.

use std::error::Error;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use bouton_generator::{
    ByClassesError, VerifyError, VerifyOptions, can_be_proved_by_classes, discard_record, estimate_proof,
    verify_by_classes, verify_with,
};
use bouton_memory::at_least_bytes;
use bouton_study::words::InWords;
use bouton_tables::input::{display_name, is_stream};
use bouton_tables::printable::printable_path;
use bouton_tables::program::{Output, note};
use bouton_tables::{FamilyTable, Table, hex, with_rules};
use rayon::ThreadPoolBuilder;
use serde::Serialize;

use super::folder::VERIFY;
use super::{ExitResult, bytes, grouped, print_json, run_each};
use crate::args::Verify;
use crate::cluster::{Agreement, Cluster};
use crate::progress::WorkProgressBar;
use crate::{ANSWER_NO, FAILURE, PROGRAM, SUCCESS, memory, stop};

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

/// Proves tables, together with the other processes of a cluster if there is one.
pub(crate) fn run(args: &Verify, cluster: Option<&Cluster>) -> ExitResult {
    if cluster.is_some() && args.tables.files.len() > 1 {
        return Err(
            "several processes prove one table at a time; give one, or prove them with `bouton verify`"
                .into(),
        );
    }
    run_each(&args.tables.files, |file| prove(file, args, cluster))
}

fn prove(file: &Path, args: &Verify, cluster: Option<&Cluster>) -> ExitResult {
    let began = Instant::now();
    let table = Table::named(file);
    let shown = display_name(file);
    if let Some(cluster) = cluster {
        // Process 0 alone runs the proofs that are quick, or not divided into blocks.
        let is_for_one_process =
            |table: &Table| args.by_classes || !matches!(table.family(), FamilyTable::Heaps(_));
        let work = table.as_ref().map(|table| (!is_for_one_process(table)).then(|| hex(&table.digest())));
        match cluster.agree(&work)? {
            Agreement::Failed => return table.map(|_| FAILURE).map_err(Into::into),
            Agreement::NothingToDo if !cluster.is_first() => return Ok(SUCCESS),
            Agreement::NothingToDo | Agreement::Begin => {}
        }
    }
    let table = table?;
    let proof =
        if args.by_classes { by_classes(&table, args) } else { by_enumeration(&table, file, args, cluster) };
    let proof = proof.map_err(|error| format!("{shown}: {error}"))?;
    if let Some(cluster) = cluster.filter(|cluster| cluster.has_begun())
        && !matches!(proof, Err(VerifyError::Peer { wrong: false, .. }))
    {
        cluster.finish();
        if !cluster.is_first() {
            // All processes have the same result; process 0 prints it.
            return Ok(SUCCESS);
        }
    }
    let (status, right) = match proof {
        Ok(how) => (SUCCESS, Ok(how)),
        Err(VerifyError::Cancelled) => return Ok(stop::exit_status()),
        // Another process failed, and reports the error.
        Err(VerifyError::Peer { wrong: false, .. }) => return Ok(FAILURE),
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
        VerifyError::Damaged(_)
        | VerifyError::Memory
        | VerifyError::TooLittle { .. }
        | VerifyError::Record(_) => Err(error.into()),
        other => Ok(Err(other)),
    }
}

/// Proves a table position by position or line by line.
fn by_enumeration(table: &Table, file: &Path, args: &Verify, cluster: Option<&Cluster>) -> ProofResult {
    let header = table.header();
    let needs = estimate_proof(&header.ruleset, table.file_len() as u64);
    let available = || cluster.map_or_else(memory::available, |cluster| cluster.memory);
    let limit = args.memory.unwrap_or_else(available);
    let is_first = cluster.is_none_or(Cluster::is_first);
    let program = if cluster.is_some() { PROGRAM } else { "bouton" };
    // The memory for lines and windows depends on how many lines are equal. Only the proof itself determines that.
    let is_heaps = matches!(table.family(), FamilyTable::Heaps(_));
    if (is_heaps || args.every_position) && needs.least > limit {
        return Err(too_little(table, needs.least, limit).into());
    }
    let record = (!is_stream(file)).then(|| file.with_added_extension(VERIFY));
    if let (true, true, Some(record)) = (args.restart, is_first, &record) {
        discard_record(record)?;
    }
    stop::handle_signals()?;
    let options = VerifyOptions {
        memory: limit,
        record: record.as_deref(),
        record_interval: Duration::from_secs(args.checkpoint),
        block: None,
        communicator: cluster.filter(|cluster| cluster.has_begun()).map(|cluster| cluster.communicator),
        every_position: args.every_position,
    };
    let threads = memory::threads(cluster.map(|cluster| cluster.threads));
    let threads = ThreadPoolBuilder::new().num_threads(threads).build()?;
    let progress = WorkProgressBar::for_proof(program, !is_first || args.tables.quiet);
    let proved = threads.install(|| verify_with(table, &options, &progress));
    progress.finish();
    if matches!(proved, Err(VerifyError::Cancelled))
        && is_first
        && let Some(record) = record.filter(|record| record.exists())
    {
        let record = printable_path(&record);
        note(
            program,
            &format!("the progress of the verification is kept in {record}: the same command resumes it"),
        );
    }
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
    match verify_by_classes(table, &WorkProgressBar::for_proof("bouton", args.tables.quiet)) {
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
