//! `bouton info FOLDER`: shows what interrupted runs left in a folder.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bouton_generator::{WorkProgress, read_work_progress};
use bouton_tables::is_left_behind;
use bouton_tables::printable::{printable, printable_path, shorten};
use serde::Serialize;

use super::{ExitResult, bytes, count, exact_bytes, percentage, print_json};
use crate::SUCCESS;

/// Shows a work folder, or lists what runs have left in another folder.
pub(super) fn run(folder: &Path, json: bool, out: &mut dyn Write) -> ExitResult {
    match read_checked(folder)? {
        Some(progress) => show_work(folder, &progress, json, out),
        None if folder.extension().is_some_and(|ending| ending == WORK) => {
            let early = "it has no checkpoint yet; the command that made it starts over";
            Err(format!("{} cannot be shown: {early}", printable_path(folder)).into())
        }
        None => list_leftovers(folder, json, out),
    }
}

/// A file's name with facts about it, as JSON.
#[derive(Serialize)]
pub(super) struct FileFacts<'a, T> {
    pub(super) file: &'a str,
    #[serde(flatten)]
    pub(super) about: T,
}

fn show_work(folder: &Path, progress: &WorkProgress, json: bool, out: &mut dyn Write) -> ExitResult {
    let used = folder_len(folder).map_err(unreadable(folder))?;
    if json {
        let facts: BTreeMap<_, _> = progress.facts().iter().map(|(name, what)| (name, what)).collect();
        let about = serde_json::json!({
            "share": progress.share(), "packing": progress.is_packing(), "blocks": progress.blocks(), "bytes": used, "work": facts,
        });
        return print_json(out, &FileFacts { file: &folder.to_string_lossy(), about });
    }
    writeln!(out, "{}: an unfinished table (interrupted or running)", printable_path(folder))?;
    let packed = if progress.is_packing() { ", and is being packed" } else { "" };
    writeln!(out, "  solved     {:.1} %{packed}", 100.0 * progress.share())?;
    let blocks = count(progress.blocks() as u64, "block", "blocks");
    writeln!(out, "  size       {} in {blocks}, whole and undamaged", exact_bytes(used))?;
    writeln!(out, "work:")?;
    for (name, what) in progress.facts() {
        writeln!(out, "  {} = {}", printable(name), shorten(what, MAX_FACT_CHARS))?;
    }
    let table = folder.with_extension("");
    writeln!(
        out,
        "Repeat the same `bouton generate -o {}` to resume; --restart starts over.",
        printable_path(&table)
    )?;
    Ok(SUCCESS)
}

/// Maximum number of characters shown of a fact, as a list of amounts may be long.
const MAX_FACT_CHARS: usize = 200;

/// A file or folder that an interrupted run left, or that a run still uses.
#[derive(Serialize)]
struct Leftover {
    file: PathBuf,
    /// The file's extension.
    kind: &'static str,
    /// Finished share, from 0 to 1; `None` if unknown.
    share: Option<f64>,
    bytes: u64,
    /// The reason why no run can resume from it, if there is one.
    error: Option<String>,
}

/// Extension of work folders.
const WORK: &str = "work";
/// Extension of incomplete files.
const PART: &str = "part";

impl Leftover {
    /// Examines a file or folder. Returns `None` if it is no leftover.
    fn examine(path: PathBuf) -> io::Result<Option<Self>> {
        let ending = path.extension().and_then(|ending| ending.to_str());
        let (kind, progress) = match ending {
            Some(WORK) if path.is_dir() => (WORK, read_checked(&path)),
            Some(PART) if is_left_behind(&path) => (PART, Ok(None)),
            _ => return Ok(None),
        };
        let bytes = if kind == WORK { folder_len(&path)? } else { fs::metadata(&path)?.len() };
        let (share, error) = match progress {
            Ok(progress) => (progress.map(|progress| progress.share()), None),
            Err(error) => (None, Some(error.to_string())),
        };
        Ok(Some(Self { file: path, kind, share, bytes, error }))
    }

    /// Describes the progress, and how to resume.
    fn in_words(&self) -> String {
        let table = self.file.with_extension("");
        let table = printable_path(table.file_name().unwrap_or_default().as_ref());
        let done = self.share.map(|share| percentage((share * 1e6) as u64, 1_000_000));
        match (&self.error, self.kind, done) {
            (Some(error), ..) => {
                let faults = error.lines().count() as u64 - 1;
                let more = if faults > 0 { format!(" (and {faults} more)") } else { String::new() };
                format!("{}{more}", error.lines().next().unwrap_or_default())
            }
            (None, WORK, Some(done)) => {
                format!("{done} solved; `bouton generate -o {table}` with the same ruleset resumes it")
            }
            (None, WORK, None) => format!("no checkpoint yet; `bouton generate -o {table}` starts over"),
            _ => "an incomplete file, which can be removed".to_owned(),
        }
    }
}

/// Lists what runs have left in a folder.
fn list_leftovers(folder: &Path, json: bool, out: &mut dyn Write) -> ExitResult {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        // Skip entries removed meanwhile.
        found.extend(Leftover::examine(entry?.path()).ok().flatten());
    }
    found.sort_by(|one, other| one.file.cmp(&other.file));
    let shown = printable_path(folder);
    if json {
        return print_json(
            out,
            &FileFacts { file: &folder.to_string_lossy(), about: serde_json::json!({ "leftovers": found }) },
        );
    }
    if found.is_empty() {
        writeln!(out, "{shown}: no interrupted run has left anything in this folder")?;
        return Ok(SUCCESS);
    }
    let left = count(found.len() as u64, "leftover", "leftovers");
    writeln!(out, "{shown}: {left} of unfinished runs")?;
    let rows = found.iter().map(|leftover| {
        let name = printable_path(leftover.file.file_name().unwrap_or_default().as_ref()).to_string();
        [name, bytes(leftover.bytes), leftover.in_words()]
    });
    let rows: Vec<_> = rows.collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let [names, sizes] = [width(0), width(1)];
    for [name, size, state] in &rows {
        writeln!(out, "  {name:<names$}  {size:>sizes$}  {state}")?;
    }
    Ok(SUCCESS)
}

/// Reads the last checkpoint of a folder and checks all of its files. Returns `None` if there is no checkpoint.
fn read_checked(folder: &Path) -> Result<Option<WorkProgress>, Box<dyn Error>> {
    let Some(mut progress) = read_work_progress(folder)? else { return Ok(None) };
    loop {
        let faults = progress.check(folder);
        // A run may have finished meanwhile, and removed its folder.
        let Some(now) = read_work_progress(folder)? else { return Ok(None) };
        let before = std::mem::replace(&mut progress, now);
        // If a running program has made another checkpoint meanwhile, and removed files of this one, check again.
        if before != progress && !faults.is_empty() {
            continue;
        }
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        return if faults.is_empty() { Ok(Some(before)) } else { Err(faults.join("\n").into()) };
    }
}

/// Returns the message for a folder that cannot be read.
fn unreadable(folder: &Path) -> impl Fn(io::Error) -> String + '_ {
    |error| format!("cannot read {}: {error}", printable_path(folder))
}

/// Returns the total size of the files in a folder, in bytes.
fn folder_len(folder: &Path) -> io::Result<u64> {
    let len = |entry: io::Result<fs::DirEntry>| match entry?.metadata() {
        Ok(metadata) => Ok(metadata.len()),
        // A running program has removed the file.
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
        Err(error) => Err(error),
    };
    fs::read_dir(folder)?.map(len).sum()
}
