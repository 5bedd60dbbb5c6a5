//! `bouton export`: positions as rows for other programs.

use std::error::Error;
use std::io::{self, IsTerminal, Write};

use bouton_generator::export::{self, ExportError, Extent, Format, Sequence};
use bouton_generator::select::Filter;
use bouton_tables::{Map, Outcome, Table, write_whole_by};

use super::{Done, target};
use crate::args::{Export, ExportFormat, ExportSequence};
use crate::progress::bar;
use crate::{FINE, source};

pub(crate) fn run(args: &Export) -> Done {
    let file = args.output.as_deref().filter(|file| *file != "-").map(target::behind_link);
    if let Some(file) = &file {
        target::check(file, args.force, "exists")?;
    } else if args.format == ExportFormat::Npy && io::stdout().is_terminal() {
        return Err("an array is no text to show on a terminal; name a file with -o".into());
    }
    let source = source::open(&args.table, &args.settings, true, args.quiet)?;
    let filter = chosen(args, &source.table)?;
    let rows = match (args.format, args.sequence) {
        (ExportFormat::Bfile, sequence) => Rows::Terms(terms(args, &source.table, &filter, sequence)?),
        (_, Some(_)) => return Err("--sequence goes with --format bfile only".into()),
        (ExportFormat::Csv, None) => Rows::Positions(Format::Csv),
        (ExportFormat::Jsonl, None) => Rows::Positions(Format::Jsonl),
        (ExportFormat::Npy, None) => Rows::Positions(Format::Npy),
    };
    let Some(file) = file else {
        let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
        write(args, &source.table, &filter, &rows, &mut out)?;
        return Ok(FINE);
    };
    let written = write_whole_by(&file, args.force, |out| {
        let mut out = io::BufWriter::with_capacity(1 << 16, out);
        write(args, &source.table, &filter, &rows, &mut out)
    });
    match written {
        Err(ExportError::Io(error)) => Err(target::cannot_write(&file, &error)),
        Err(error) => Err(error.into()),
        Ok(()) => Ok(FINE),
    }
}

/// What is written.
enum Rows {
    Positions(Format),
    /// Terms of a sequence, and the number of the first.
    Terms((u64, Vec<u64>)),
}

fn chosen(args: &Export, table: &Table<Map>) -> Result<Filter, Box<dyn Error>> {
    // A sequence is along one line: the starts, if nothing else is asked for.
    let starts = args.starts || args.format == ExportFormat::Bfile && args.filter.is_none();
    let filter = export::filter(table, args.filter.as_deref().unwrap_or_default(), starts)?;
    Ok(match args.outcome {
        None => filter,
        Some(outcome) => filter.outcome(Outcome::from_won(outcome == crate::args::Of::Win)),
    })
}

fn terms(
    args: &Export,
    table: &Table<Map>,
    filter: &Filter,
    sequence: Option<ExportSequence>,
) -> Result<(u64, Vec<u64>), Box<dyn Error>> {
    let filtered = args.starts || args.filter.is_some() || args.outcome.is_some();
    Ok(match sequence.unwrap_or(ExportSequence::Losing) {
        ExportSequence::Losing => (1, export::sequence(table, filter, Sequence::Losing)?),
        ExportSequence::Grundy if filtered => {
            return Err(
                "Grundy values are of all heaps: --sequence grundy takes no --where, --starts or --outcome"
                    .into(),
            );
        }
        ExportSequence::Grundy => (0, export::sequence(table, filter, Sequence::Grundy)?),
    })
}

fn write(
    args: &Export,
    table: &Table<Map>,
    filter: &Filter,
    rows: &Rows,
    out: &mut dyn Write,
) -> Result<(), ExportError> {
    let none = match rows {
        Rows::Terms((first, terms)) => {
            for (n, term) in (*first..).zip(terms) {
                writeln!(out, "{n} {term}")?;
            }
            terms.is_empty()
        }
        Rows::Positions(format) => {
            let positions = export::positions(table, filter);
            // An array begins with its number of rows, which is known only when all were looked at.
            let npy = *format == Format::Npy;
            let bar = bar(if npy { 2 * positions } else { positions }, "exporting", args.quiet);
            let extent =
                if npy { export::extent(table, filter, &|rows| bar.inc(rows))? } else { Extent::default() };
            let rows = export::write(table, filter, extent, *format, out, &|rows| bar.inc(rows));
            bar.finish_and_clear();
            rows? == 0
        }
    };
    out.flush()?;
    if none && !args.quiet {
        let what = if matches!(rows, Rows::Terms(_)) { "losing number" } else { "position" };
        eprintln!("bouton: no {what} of {} is as asked for: there are no rows", args.table);
    }
    Ok(())
}
