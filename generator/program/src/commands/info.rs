//! `bouton info`: shows the rules and figures of a table, or the progress of a work folder.

use std::io::{self, Write};
use std::path::Path;

use bouton_tables::input::display_name;
use bouton_tables::program::Output;
use bouton_tables::{FORMAT_VERSION, Header, Ruleset, Table, hex, rulesets};
use serde::Serialize;

use super::folder::{self, FileFacts};
use super::{ExitResult, count, exact_bytes, grouped, print_json, run_each};
use crate::SUCCESS;
use crate::args::TableFiles;

/// Facts of a table, as `--json` prints them.
#[derive(Serialize)]
pub(super) struct TableFacts<'a> {
    format: u32,
    #[serde(flatten)]
    ruleset: &'a Ruleset,
    depths: bool,
    positions: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    losses: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deepest: Option<u32>,
    bytes: usize,
    digest: String,
}

impl<'a> TableFacts<'a> {
    pub(super) fn of(table: &'a Table) -> Self {
        let header = table.header();
        // If the header cannot count all positions, the won ones are unknown.
        let is_counted = header.positions < u64::MAX;
        Self {
            format: FORMAT_VERSION,
            ruleset: &header.ruleset,
            depths: header.has_depths,
            positions: header.positions,
            wins: is_counted.then_some(header.wins),
            losses: is_counted.then_some(header.positions - header.wins),
            deepest: header.has_depths.then_some(header.deepest),
            bytes: table.file_len(),
            digest: hex(&table.digest()),
        }
    }
}

pub(crate) fn run(args: &TableFiles) -> ExitResult {
    let mut out: Box<dyn Write> =
        if args.quiet { Box::new(io::sink()) } else { Box::new(Output::of(args.json)) };
    let mut is_first = true;
    run_each(&args.files, |file| {
        if !args.json && !std::mem::take(&mut is_first) {
            writeln!(out)?;
        }
        show(file, args.json, &mut *out)
    })
}

/// Shows a table or a folder.
fn show(file: &Path, json: bool, out: &mut dyn Write) -> ExitResult {
    if file.is_dir() {
        return folder::run(file, json, out);
    }
    let table = Table::named(file)?;
    let (name, file) = (file.to_string_lossy(), display_name(file));
    table.check_whole().map_err(|damage| format!("{file}: {damage}"))?;
    let header = table.header();
    if json {
        return print_json(out, &FileFacts { file: &name, about: TableFacts::of(&table) });
    }
    writeln!(out, "{file}: a table of format {FORMAT_VERSION}, whole and undamaged")?;
    for line in summary(header, &table) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "ruleset:")?;
    for line in rulesets::in_short(&header.ruleset).lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(SUCCESS)
}

/// Summarizes a table, line by line.
pub(crate) fn summary(header: &Header, table: &Table) -> Vec<String> {
    let [positions, wins, losses] =
        [header.positions, header.wins, header.positions - header.wins].map(grouped);
    let counted = match header.positions {
        // There are more positions than a header can count.
        u64::MAX => "won and lost ones are not counted".to_owned(),
        _ => format!("won {wins}, lost {losses}, for the player to move"),
    };
    let depths = if header.has_depths {
        format!("stored; the longest game takes {}", count(header.deepest.into(), "ply", "plies"))
    } else {
        "not stored (made with --no-depth)".to_owned()
    };
    let len = table.file_len() as u64;
    let each = len as f64 / header.positions as f64;
    // Show three significant digits of small numbers, otherwise four decimals.
    let decimals = if each < 0.01 { 2 - each.log10().floor() as i32 } else { 4 };
    let each = format!("{each:.0$} bytes a position", decimals.clamp(4, 20) as usize);
    vec![
        format!("positions  {positions} ({counted})"),
        format!("depths     {depths}"),
        format!("size       {}, {each}", exact_bytes(len)),
        format!("digest     {}", hex(&table.digest())),
    ]
}
