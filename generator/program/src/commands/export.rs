//! `bouton export`: positions as rows for other programs.

use std::error::Error;
use std::io::{self, Write};
use std::path::Path;

use bouton_shell::{OutputTarget, cannot_write};
use bouton_study::StudyError;
use bouton_study::export::{self, Format, RowLayout, Sequence};
use bouton_study::filter::Filter;
use bouton_tables::input::display_name;
use bouton_tables::program::note;
use bouton_tables::{PartFile, Table, write_whole_by};

use super::{ExitResult, bytes, count};
use crate::args::{Export, Rows};
use crate::progress::with_bar;
use crate::source::{self, Input};
use crate::{ANSWER_NO, SUCCESS, memory, stop};

pub(crate) fn run(args: &Export) -> ExitResult {
    let target = args.output.as_deref().map_or(OutputTarget::Stdout, OutputTarget::named);
    let binary = matches!(args.format, Rows::Positions(Format::Npy)).then_some("a NumPy array");
    target.check(args.force, "exists", binary)?;
    // Check all options before anything is solved.
    let rows = requested_rows(args)?;
    let mut input = source::read_input(&args.input)?;
    source::check_no_depth(args.no_depth, &[&input])?;
    let filter = selection(args, &input)?;
    let (selected, steps) = match rows {
        Rows::Positions(format) => {
            let layout = RowLayout { format, grundy: args.grundy };
            export::positions_and_steps(&input.ruleset, &filter, layout)?
        }
        Rows::Terms(_) => (0, 0),
    };
    if let Some(file) = target.file()
        && !filter.restricts_answer()
    {
        check_room(selected, file)?;
    }
    let table = input.take_table(!args.no_depth, args.quiet)?;
    let write = |out: &mut dyn Write| {
        let mut out = io::BufWriter::with_capacity(1 << 16, out);
        write(args, &table, &filter, &rows, steps, &mut out)
    };
    let written = match target.file() {
        None => write(&mut *target.open_directly()?),
        Some(file) => write_whole_by(file, args.force, |part: &mut PartFile| {
            stop::remove_when_stopped(part.path().to_owned())?;
            write(part.file())
        }),
    };
    match (written, &target) {
        (Err(error @ StudyError::Wrong(_)), _) => {
            note("bouton", &format!("{}: {error}", input.name));
            Ok(ANSWER_NO)
        }
        (Err(StudyError::Io(error)), OutputTarget::File(file) | OutputTarget::Stream(file)) => {
            Err(cannot_write(file, &error))
        }
        (Err(StudyError::Io(error)), OutputTarget::Stdout) => Err(error.into()),
        (Err(error), _) => Err(error.into()),
        (Ok(()), _) => Ok(SUCCESS),
    }
}

/// Minimum bytes of a row in any format: a position of one digit, and an outcome.
const MIN_ROW_BYTES: u64 = 8;

/// Checks that the disk has room for `rows` rows.
fn check_room(rows: u64, file: &Path) -> Result<(), String> {
    let least = rows.saturating_mul(MIN_ROW_BYTES);
    match memory::free_disk_bytes(file) {
        Some(left) if left < least => Err(format!(
            "{} are selected; their rows take at least {}, and the disk of {} has {} left; select fewer with \
             --where or --starts",
            count(rows, "position", "positions"),
            bytes(least),
            file.display(),
            bytes(left)
        )),
        _ => Ok(()),
    }
}

/// Returns the rows to write, or an error if options contradict each other.
fn requested_rows(args: &Export) -> Result<Rows, &'static str> {
    let filtered = args.starts || args.filter.is_some() || args.outcome.is_some();
    match (args.format, args.sequence) {
        (Rows::Terms(_), Some(Sequence::Grundy)) if filtered => {
            Err("--sequence grundy has the values of all heaps, and takes no --where, --starts or --outcome")
        }
        (Rows::Terms(_), _) if args.grundy => {
            Err("--grundy adds a column to positions; a b-file of Grundy values is --sequence grundy")
        }
        (Rows::Terms(_), Some(sequence)) => Ok(Rows::Terms(sequence)),
        (Rows::Positions(_), Some(_)) => Err("--sequence needs --format bfile"),
        (Rows::Positions(_), None) if args.differences => Err("--differences needs --format bfile"),
        (Rows::Positions(_), None) if args.offset.is_some() => Err("--offset needs --format bfile"),
        (rows, None) => Ok(rows),
    }
}

/// Returns the filter of `--where`, `--starts` and `--outcome`.
fn selection(args: &Export, input: &Input) -> Result<Filter, Box<dyn Error>> {
    // By default, most sequences are of the starts: losing numbers of one line, or pairs with all passes left.
    let counts_positions = matches!(args.sequence, Some(Sequence::Counts | Sequence::Positions));
    let starts_by_default = matches!(args.format, Rows::Terms(_)) && !counts_positions;
    let starts = args.starts || starts_by_default && args.filter.is_none();
    let text = args.filter.as_deref().unwrap_or_default();
    let filter = Filter::of(&input.ruleset, input.has_depths(!args.no_depth), text, starts)?;
    Ok(match args.outcome {
        None => filter,
        Some(outcome) => filter.only_outcome(outcome),
    })
}

fn write(
    args: &Export,
    table: &Table,
    filter: &Filter,
    rows: &Rows,
    steps: u64,
    out: &mut dyn Write,
) -> Result<(), StudyError> {
    let is_empty = match rows {
        Rows::Terms(sequence) => {
            let (first, terms) = export::sequence(table, filter, *sequence)?;
            let first = args.offset.map_or(first as i64, i64::from);
            let mut terms: Vec<i128> = terms.into_iter().map(i128::from).collect();
            if args.differences {
                terms = terms.windows(2).map(|two| two[1] - two[0]).collect();
            }
            for (n, term) in (first..).zip(&terms) {
                writeln!(out, "{n} {term}")?;
            }
            terms.is_empty()
        }
        Rows::Positions(format) => {
            let layout = RowLayout { format: *format, grundy: args.grundy };
            let rows = with_bar(steps, "exporting", args.quiet, |progress| {
                export::write(table, filter, layout, out, progress)
            });
            rows? == 0
        }
    };
    out.flush()?;
    if is_empty && !args.quiet {
        let of = display_name(&args.input.table);
        let why = match rows {
            Rows::Terms(_) if args.differences => {
                format!("fewer than two terms of {of} are selected, which have no differences")
            }
            Rows::Terms(Sequence::Losing) => format!("no losing number of {of} is selected"),
            Rows::Terms(Sequence::Lower | Sequence::Upper) => format!("no lost pair of {of} is selected"),
            Rows::Terms(_) | Rows::Positions(_) => format!("no position of {of} is selected"),
        };
        note("bouton", &format!("{why}: there are no rows"));
    }
    Ok(())
}
