//! `bouton verify`: the proof of a table.

use std::io::{self, Write};
use std::time::Instant;

use bouton_generator::{ByClassesError, VerifyError, estimate_proof, verify, verify_by_classes};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable_json, printable_path};
use bouton_tables::program::note;
use bouton_tables::{Map, Table, hex, with_rules};
use serde::Serialize;

use super::{Done, grouped};
use crate::args::Verify;
use crate::memory;
use crate::progress::bar;
use crate::{FINE, NO};

/// What `--json` prints.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct Report {
    right: bool,
    positions: u64,
    /// For how many heaps, where that is more than those of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    proved_for: Option<&'static str>,
    digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(crate) fn run(args: &Verify) -> Done {
    let began = Instant::now();
    let table = Table::map(&args.table.file)?;
    let proof = if args.by_classes { by_classes(&table) } else { by_enumeration(&table) };
    let (status, right) = match proof {
        Ok(how) => (FINE, Ok(how)),
        Err(Unproved::Wrong(wrong)) => (NO, Err(format!("{}: {wrong}", args.table.file.display()))),
        Err(Unproved::Other(error)) => return Err(format!("{}: {error}", args.table.file.display()).into()),
    };
    let (positions, digest) = (table.header().positions, hex(&table.digest()));
    let mut out = io::stdout().lock();
    if args.table.json {
        let proved_for = right.as_ref().ok().filter(|_| args.by_classes).map(|_| "any number of heaps");
        let report = Report { right: right.is_ok(), positions, proved_for, digest, error: right.err() };
        writeln!(out, "{}", printable_json(&serde_json::to_string(&report)?))?;
        return Ok(status);
    }
    match right {
        Err(error) => note("bouton", &error),
        Ok(how) => {
            let (file, seconds) = (printable_path(&args.table.file), began.elapsed().as_secs_f64());
            writeln!(out, "{file} is right: {how}; the file is whole. {seconds:.2} s")?;
            writeln!(out, "digest {digest}")?;
        }
    }
    Ok(status)
}

/// Why a table is not proved.
enum Unproved {
    /// It is wrong: what of it.
    Wrong(VerifyError),
    /// It is not known whether it is right.
    Other(String),
}

impl From<VerifyError> for Unproved {
    fn from(error: VerifyError) -> Self {
        match error {
            VerifyError::Damaged(_) | VerifyError::Memory => Self::Other(error.to_string()),
            wrong => Self::Wrong(wrong),
        }
    }
}

/// Proves a table position by position. Says what was proved.
fn by_enumeration(table: &Table<Map>) -> Result<String, Unproved> {
    let header = table.header();
    let needs = estimate_proof(&header.ruleset, table.file_len() as u64);
    if let Some(shortage) = memory::too_much(needs.memory, memory::available()) {
        return Err(Unproved::Other(format!(
            "this table takes {shortage} to verify; verify it on a larger machine, or try --by-classes"
        )));
    }
    let bar = bar(needs.steps, "verifying", false);
    let proved = verify(table, &|steps| bar.inc(steps));
    bar.finish_and_clear();
    proved?;
    let counted_for = with_rules!(&header.ruleset, |rules| rules.counted_for());
    let positions = grouped(header.positions);
    Ok(format!(
        "each of its {positions} positions{counted_for} follows\nfrom its successors by the plain rules"
    ))
}

/// Proves a table by classes. Says what was proved.
fn by_classes(table: &Table<Map>) -> Result<String, Unproved> {
    match verify_by_classes(table) {
        Ok(proved) => {
            let (classes, positions) = (proved.classes, grouped(table.header().positions));
            Ok(format!(
                "{classes} classes decide all its positions ({positions}), as they decide\nthose of any number of such heaps"
            ))
        }
        Err(ByClassesError::Verify(error)) => Err(error.into()),
        Err(error @ ByClassesError::NoQuotient(_)) => {
            Err(Unproved::Other(format!("{error}: leave --by-classes out")))
        }
    }
}
