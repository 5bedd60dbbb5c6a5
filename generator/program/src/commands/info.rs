//! `bouton info`: what a table says of itself.

use std::io::{self, Write};
use std::path::Path;

use bouton_generator::look_at_record;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::{Header, Ruleset, Table, hex, rulesets};
use serde::Serialize;

use super::{Done, count, exact_bytes, folder, grouped, share};
use crate::FINE;
use crate::args::TableFile;

#[derive(Serialize)]
struct About<'a> {
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

pub(crate) fn run(args: &TableFile) -> Done {
    if args.file.is_dir() {
        return folder::run(&args.file, args.json);
    }
    if args.file.extension().is_some_and(|ending| ending == folder::VERIFY) {
        return verification(&args.file, args.json);
    }
    let table = Table::map(&args.file)?;
    table.check_whole().map_err(|damage| format!("{}: {damage}", args.file.display()))?;
    let header = table.header();
    let mut out = io::stdout().lock();
    if args.json {
        // Of more positions than a header counts, the won ones are not known.
        let is_counted = header.positions < u64::MAX;
        let about = About {
            format: table.format(),
            ruleset: &header.ruleset,
            depths: header.depths,
            positions: header.positions,
            wins: is_counted.then_some(header.wins),
            losses: is_counted.then_some(header.positions - header.wins),
            deepest: header.depths.then_some(header.deepest),
            bytes: table.file_len(),
            digest: hex(&table.digest()),
        };
        writeln!(out, "{}", serde_json::to_string(&about)?)?;
        return Ok(FINE);
    }
    let (file, format) = (printable_path(&args.file), table.format());
    writeln!(out, "{file}: a table of format {format}, whole and undamaged")?;
    for line in summary(header, &table) {
        writeln!(out, "  {line}")?;
    }
    writeln!(out, "ruleset:")?;
    for line in rulesets::to_toml(&header.ruleset).lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(FINE)
}

/// How far a verification is.
fn verification(file: &Path, json: bool) -> Done {
    let cannot = || format!("cannot read {}: there is no such file", file.display());
    let written = look_at_record(file)?.ok_or_else(cannot)?;
    let (checked, all, digest) = (written.counts().positions, written.positions(), written.digest());
    let mut out = io::stdout().lock();
    if json {
        let about = serde_json::json!({ "share": written.share(), "checked": checked, "positions": all, "digest": digest });
        writeln!(out, "{about}")?;
        return Ok(FINE);
    }
    writeln!(out, "{}: a verification that was broken off, or goes on", printable_path(file))?;
    writeln!(
        out,
        "  checked    {} ({} of {} positions)",
        share(checked, all),
        grouped(checked),
        grouped(all)
    )?;
    writeln!(out, "  digest     {} (of the table)", printable(digest))?;
    writeln!(
        out,
        "The same `bouton verify {}` goes on from here; with --restart it begins again.",
        printable_path(&file.with_extension(""))
    )?;
    Ok(FINE)
}

/// What is in a table, line by line.
pub(crate) fn summary<D: AsRef<[u8]>>(header: &Header, table: &Table<D>) -> Vec<String> {
    let [positions, wins, losses] =
        [header.positions, header.wins, header.positions - header.wins].map(grouped);
    let counted = match header.positions {
        // There are more than a header counts.
        u64::MAX => "won and lost ones are not counted".to_owned(),
        _ => format!("won {wins}, lost {losses}, for the player to move"),
    };
    let depths = if header.depths {
        format!("held; the longest game takes {}", count(header.deepest.into(), "ply", "plies"))
    } else {
        "not held (made with --no-depth)".to_owned()
    };
    let len = table.file_len() as u64;
    let each = len as f64 / header.positions as f64;
    // Three digits that mean something, of however small a number.
    let decimals = if each < 0.01 { 2 - each.log10().floor() as i32 } else { 4 };
    let each = format!("{each:.0$} bytes a position", decimals.clamp(4, 20) as usize);
    vec![
        format!("positions  {positions} ({counted})"),
        format!("depths     {depths}"),
        format!("size       {}, {each}", exact_bytes(len)),
        format!("digest     {}", hex(&table.digest())),
    ]
}
