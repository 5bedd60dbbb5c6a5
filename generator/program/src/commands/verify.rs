//! `bouton verify`: the proof of a table.

use std::io::{self, Write};
use std::time::Instant;

use bouton_generator::{VerifyError, estimate_proof, verify};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable_json, printable_path};
use bouton_tables::program::note;
use bouton_tables::{Table, hex, with_rules};
use serde::Serialize;

use super::{Done, grouped};
use crate::args::TableFile;
use crate::memory;
use crate::progress::bar;
use crate::{FINE, NO};

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    right: bool,
    positions: u64,
    digest: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(crate) fn run(args: &TableFile) -> Done {
    let began = Instant::now();
    let table = Table::map(&args.file)?;
    let needs = estimate_proof(&table.header().ruleset, table.file_len() as u64);
    if let Some(shortage) = memory::too_much(needs.memory, memory::available()) {
        return Err(format!("this table takes {shortage} to verify; verify it on a larger machine").into());
    }
    let bar = bar(needs.steps, "verifying", false);
    let result = verify(&table, &|steps| bar.inc(steps));
    bar.finish_and_clear();

    let (status, error) = match result {
        Ok(_) => (FINE, None),
        Err(VerifyError::Damaged(damage)) => return Err(format!("{}: {damage}", args.file.display()).into()),
        Err(error @ VerifyError::Memory) => return Err(error.into()),
        Err(wrong) => (NO, Some(format!("{}: {wrong}", args.file.display()))),
    };
    let (positions, digest) = (table.header().positions, hex(&table.digest()));
    let mut out = io::stdout().lock();
    if args.json {
        let report = Report { right: error.is_none(), positions, digest, error };
        writeln!(out, "{}", printable_json(&serde_json::to_string(&report)?))?;
    } else if let Some(error) = error {
        note("bouton", &error);
    } else {
        let (file, seconds) = (printable_path(&args.file), began.elapsed().as_secs_f64());
        let counted_for = with_rules!(&table.header().ruleset, |rules| rules.counted_for());
        writeln!(out, "{file} is right: each of its {} positions{counted_for} follows", grouped(positions))?;
        writeln!(out, "from its successors by the plain rules; the file is whole. {seconds:.2} s")?;
        writeln!(out, "digest {digest}")?;
    }
    Ok(status)
}
