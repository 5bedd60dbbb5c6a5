//! `bouton generate`: from a ruleset to a table.

use std::error::Error;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bouton_generator::{
    GenerateError, Options, Resources, Summary, WorkError, assist, generate_with, look_at_work, throw_away,
    tidy_work,
};
use bouton_memory::about;
use bouton_shell::{Target, cannot_write};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::program::{check_open, note};
use bouton_tables::rulesets::{Named, find};
use bouton_tables::{NotPlaced, OpenError, Part, Ruleset, Table, release_large, with_rules};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use super::estimate::Estimated;
use super::first_steps::first_steps;
use super::info::{About, summary};
use super::work_error;
use super::{Done, bytes, count, grouped, print_json};
use crate::args::Generate;
use crate::company::{Agreement, Company};
use crate::memory::Fit;
use crate::progress::{Making, Told};
use crate::{FINE, TROUBLE, memory, stop};

/// What `--json` prints of a table.
#[derive(Serialize)]
struct Made<'a> {
    file: &'a str,
    /// Whether it was made now, and was not there already.
    made: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(flatten)]
    table: About<'a>,
}

/// What is to be made, and where.
struct Order<'a> {
    args: &'a Generate,
    company: Option<&'a Company<'a>>,
    name: String,
    ruleset: Ruleset,
    options: Options,
    target: Target,
    /// For work that does not fit memory; `None` if the table goes to no file.
    folder: Option<PathBuf>,
    threads: ThreadPool,
    /// Memory that there is for this process, in bytes.
    available: u64,
    /// Memory that it may use.
    limit: u64,
}

impl<'a> Order<'a> {
    fn new(args: &'a Generate, company: Option<&'a Company<'a>>) -> Result<Self, Box<dyn Error>> {
        let Named { name, ruleset } = find(&args.which.ruleset, &args.which.settings)?;
        let target =
            Target::named(&args.output.clone().unwrap_or_else(|| own_name(&args.which.ruleset, &name)));
        let asked = args.threads.map(usize::from).or(company.map(|company| company.threads));
        let threads = memory::threads(asked);
        // Before the threads are there.
        let available = company.map_or_else(|| memory::available_for(threads), |company| company.memory);
        Ok(Self {
            args,
            company,
            name: name.to_string(),
            ruleset,
            options: Options { depths: !args.no_depth },
            folder: target.file().map(work_folder),
            target,
            threads: ThreadPoolBuilder::new().num_threads(threads).build()?,
            available,
            limit: args.memory.unwrap_or(available),
        })
    }

    /// Where it is reported what was done.
    fn report(&self) -> Box<dyn Write> {
        self.target.report(self.args.quiet, self.args.json)
    }

    fn resources(&self) -> Resources<'_> {
        Resources {
            memory: if self.args.allow_memory { u64::MAX } else { self.limit },
            folder: self.folder.as_deref(),
            pause: self.args.checkpoint.map(Duration::from_secs),
            peers: self.company.map(|company| company.peers),
        }
    }

    /// The name of the program.
    fn program(&self) -> &'static str {
        if self.company.is_some() { crate::PROGRAM } else { "bouton" }
    }

    fn processes(&self) -> usize {
        self.company.map_or(1, |company| company.peers.count())
    }
}

/// Makes a table; with several processes, if there is a company of them.
pub(crate) fn run(args: &Generate, company: Option<&Company>) -> Done {
    // Memory that one part of the work has freed counts against a limit as long as it is kept for another.
    release_large();
    let order = Order::new(args, company);
    let Some(company) = company else {
        let order = order?;
        let mut out = order.report();
        return match prepare(&order, &mut *out)? {
            Some(part) => make(&order, part, &mut *out),
            None => Ok(FINE),
        };
    };
    // All that can fail is tried before anybody begins. The first one writes the table.
    let prepared = order.and_then(|order| {
        let part = if company.is_first() { prepare(&order, &mut *order.report())? } else { None };
        Ok((order, part))
    });
    let what = match &prepared {
        Ok((_, None)) if company.is_first() => Ok(None),
        Ok((order, _)) => Ok(Some(format!("{:?} {:?}", order.ruleset, order.options))),
        Err(error) => Err(error),
    };
    match (company.agree(&what)?, prepared?) {
        (Agreement::Failed, _) => Ok(TROUBLE),
        (Agreement::NothingToDo, _) => Ok(FINE),
        (Agreement::Begin, (order, Some(part))) => make(&order, part, &mut *order.report()),
        (Agreement::Begin, (order, None)) => help(&order, company),
    }
}

/// Does all that comes before the work. Gives the file to write to, unless nothing is left to do.
fn prepare(order: &Order, out: &mut dyn Write) -> Result<Option<Part>, Box<dyn Error>> {
    let Order { args, ruleset, options, target, folder, threads, available, limit, .. } = order;
    if args.estimate {
        let processes = args.processes.map_or(order.processes(), |processes| processes as usize);
        let processes = (args.processes.is_some() || processes > 1).then_some(processes);
        threads.install(|| Estimated::new(ruleset, *options, *available, processes)).print(args.json)?;
        return Ok(None);
    }
    if !args.quiet {
        check_open()?;
    }
    if let Some(table) = look_at_target(target, ruleset, options.depths, args.force)? {
        if args.json {
            let table = About::of(&table);
            print_json(out, &Made { file: &target.to_string(), made: false, table, seconds: None })?;
        } else {
            writeln!(out, "{target} is there already: a table of these rules, undamaged.")?;
        }
        // A run that was killed when all was done has left it behind. What is of another table, or used, stays.
        let _ = folder.as_deref().map(|folder| tidy_work(folder, ruleset, options.depths));
        return Ok(None);
    }
    if limit > available && args.memory.is_some() {
        let (limit, available) = (bytes(*limit), bytes(*available));
        note(order.program(), &format!("--memory {limit} is more than what is available, {available}"));
    }
    if !args.allow_memory {
        let fit = || match order.processes() {
            1 => memory::fit(ruleset, *options, *limit),
            processes => memory::fit_together(ruleset, *options, processes, *limit),
        };
        match (threads.install(fit), folder) {
            (Fit::Whole, _) => {}
            (Fit::Folder(whole, _), None) => {
                let (whole, limit) = (about(whole), bytes(*limit));
                return Err(format!(
                    "all at once takes {whole} of memory, of which {limit} may be used; what does not fit can be kept on disk beside \
                     a file: name one with -o"
                )
                .into());
            }
            (Fit::Folder(whole, most), Some(folder)) => {
                let (folder_shown, left) = (printable_path(folder), memory::disk_left(folder));
                let (whole, limit, most_shown) = (about(whole), bytes(*limit), bytes(most));
                writeln!(
                    out,
                    "All at once takes {whole} of memory: what does not fit in {limit} is kept in {folder_shown}, up to {most_shown}."
                )?;
                if let Some(left) = left.filter(|&left| left < most) {
                    writeln!(
                        out,
                        "Its disk has {} left. If that is not enough, the work ends there, and goes on once there is more.",
                        bytes(left)
                    )?;
                }
            }
            (Fit::Not(shortage), _) => {
                let error = too_large(order, &shortage);
                return Err(format!("{error}, and --allow-memory begins all the same").into());
            }
        }
    }
    if let (true, Some(folder)) = (args.restart, folder) {
        throw_away(folder)?;
    }
    stop::ask_first()?;
    // What goes to no file is made in one nevertheless: its first bytes are written last.
    let elsewhere = std::env::temp_dir().join("bouton");
    let file = target.file().unwrap_or(&elsewhere);
    Ok(Some(Part::beside(file).map_err(|error| cannot_write(file, &error))?))
}

fn make(order: &Order, mut part: Part, out: &mut dyn Write) -> Done {
    let Order { args, ruleset, options, target, threads, .. } = order;
    let began = Instant::now();
    let resources = order.resources();
    let making = Making::new(order.program(), args.quiet);
    let made = threads.install(|| generate_with(ruleset, *options, &resources, part.file(), &making));
    let Told { moved, exchanged } = making.end();
    let made = match made {
        Ok(made) => made,
        Err(GenerateError::Cancelled) => {
            if let Some(kept) = kept_in(order) {
                writeln!(out, "{kept}")?;
            }
            // The others have stopped too, or wait for the end.
            order.company.map(Company::part);
            return Ok(stop::status());
        }
        Err(GenerateError::Memory) if kept_in(order).is_some() => {
            let error = "packing the table takes more memory than was foreseen; allow more with --memory";
            return Err(still_kept(error.into(), order));
        }
        Err(GenerateError::Memory) => {
            return Err(too_large(order, "more memory than there is").into());
        }
        Err(GenerateError::Write(error)) => {
            return Err(still_kept(cannot_write(target.file().unwrap_or(part.path()), &error), order));
        }
        Err(GenerateError::Work(error)) if work_error::is_forbidden(&error) => {
            return Err(work_error::with_advice(error));
        }
        Err(GenerateError::Work(error @ WorkError::Io { .. })) => {
            return Err(still_kept(work_error::with_advice(error), order));
        }
        Err(error @ (GenerateError::Unproved(_) | GenerateError::Work(_))) => return Err(error.into()),
    };
    let table = checked(&part, &made)?;
    match target.file() {
        Some(file) => place(part, file, ruleset, args)?,
        None => pass_on(&mut part, target)?,
    }
    // The table is in its place: what is left beside it is in nobody's way. A folder that was not used is of another one.
    if moved.is_some()
        && let Some(Err(error)) = order.folder.as_deref().map(throw_away)
    {
        note(order.program(), &error);
    }
    let seconds = began.elapsed().as_secs_f64();

    if args.json {
        let table = About::of(&table);
        print_json(out, &Made { file: &target.to_string(), made: true, table, seconds: Some(seconds) })?;
        return Ok(FINE);
    }
    writeln!(out, "{target}: every position of {}, solved", printable(&order.name))?;
    for line in summary(table.header(), &table) {
        writeln!(out, "  {line}")?;
    }
    let by = match order.company {
        None => format!("on {}", count(threads.current_num_threads() as u64, "thread", "threads")),
        Some(company) => format!("by {}", company.in_words()),
    };
    writeln!(out, "  time       {seconds:.2} s {by}")?;
    let peak = match order.company {
        None => memory::peak().map(bytes),
        Some(company) => company.part().map(|[most, sum]| {
            format!("{} in the process with the most, {} in all", bytes(most), bytes(sum))
        }),
    };
    if let Some(peak) = peak {
        writeln!(out, "  memory     {peak}")?;
    }
    if let Some((messages, sent)) = exchanged {
        writeln!(out, "  messages   {} of {} in all", grouped(messages), bytes(sent))?;
    }
    if let Some((read, written)) = moved {
        writeln!(out, "  disk       {} written and {} read beside the table", bytes(written), bytes(read))?;
    }
    if let Some(file) = target.file() {
        write!(out, "{}", first_steps(&table, file)?)?;
    }
    Ok(FINE)
}

/// Does the share of a process other than the first.
fn help(order: &Order, company: &Company) -> Done {
    stop::ask_first()?;
    let resources = order.resources();
    match order
        .threads
        .install(|| assist(&order.ruleset, order.options, &resources, &Making::new(order.program(), true)))
    {
        Ok(()) => {
            company.part();
            Ok(FINE)
        }
        Err(GenerateError::Cancelled) => {
            company.part();
            Ok(stop::status())
        }
        Err(error) => Err(error.into()),
    }
}

/// The folder for work that does not fit memory, and for checkpoints.
fn work_folder(file: &Path) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(".work");
    name.into()
}

/// What to say of work that is kept, if there is something in the work folder to go on with.
fn kept_in(order: &Order) -> Option<String> {
    let folder = order.folder.as_deref().filter(|folder| matches!(look_at_work(folder), Ok(Some(_))))?;
    let folder = printable_path(folder);
    let restart = if order.args.restart { " without --restart" } else { "" };
    Some(format!("The work so far is kept in {folder}: the same command{restart} goes on with it."))
}

/// An error after which work is kept, if there is some.
fn still_kept(error: Box<dyn Error>, order: &Order) -> Box<dyn Error> {
    match kept_in(order) {
        Some(kept) => format!("{error}\n{kept}").into(),
        None => error,
    }
}

/// The name of a table's file that is not named: that of the preset, or of the ruleset's file.
fn own_name(which: &Path, name: &str) -> PathBuf {
    match which.file_stem() {
        // A name that is no text is kept as it is.
        Some(stem) if which.to_str().is_none() => Path::new(stem).with_extension("bouton"),
        _ => format!("{name}.bouton").into(),
    }
}

/// Writes a finished table to what is no file.
fn pass_on(part: &mut Part, target: &Target) -> Result<(), Box<dyn Error>> {
    let mut stream = target.open_stream()?;
    let file = part.file();
    file.seek(SeekFrom::Start(0))?;
    io::copy(file, &mut stream)?;
    Ok(stream.flush()?)
}

/// What to say of a table that cannot be made for want of memory.
fn too_large(Order { args, ruleset, options, limit, available, .. }: &Order, takes: &str) -> String {
    let allow = if args.memory.is_some() && limit < available { "allow more with --memory, or " } else { "" };
    let smaller = with_rules!(ruleset, |rules| rules.smaller());
    let fits = memory::fits_without_depths(ruleset, *options, *limit);
    let no_depth = if fits { ", or add --no-depth" } else { "" };
    format!(
        "making a table of {} positions takes {takes}; {allow}ask for {smaller}{no_depth}; --estimate tells beforehand what a table takes",
        grouped(ruleset.positions()),
    )
}

/// The table just made, after a check of what is in the file.
fn checked(part: &Part, made: &Summary) -> Result<Table, Box<dyn Error>> {
    let table = Table::map(part.path())?;
    table.check_sums()?;
    if (table.header(), table.digest()) != (&made.header, made.digest) {
        return Err("the file does not hold what was written to it; check the disk, and try again".into());
    }
    Ok(table)
}

/// Puts the table in its place. If that has been taken meanwhile, the table is kept beside it.
fn place(part: Part, file: &Path, ruleset: &Ruleset, args: &Generate) -> Result<(), Box<dyn Error>> {
    let NotPlaced { error, part } = match part.place(args.force) {
        Ok(()) => return Ok(()),
        Err(not_placed) => not_placed,
    };
    // Somebody else made it meanwhile: fine if it is the same.
    let taken = error.kind() == io::ErrorKind::AlreadyExists;
    let same = || look_at_target(&Target::File(file.to_owned()), ruleset, !args.no_depth, false);
    if taken && matches!(same(), Ok(Some(_))) {
        return Ok(());
    }
    match part.map(Part::keep) {
        Some(Ok(kept)) if taken => Err(format!(
            "{} was made by another program meanwhile; the new table is {}: rename it to replace the other one",
            printable_path(file),
            printable_path(&kept),
        )
        .into()),
        Some(Ok(kept)) => {
            let error = cannot_write(file, &error);
            Err(format!("{error}; the table is {}", printable_path(&kept)).into())
        }
        Some(Err(_)) | None => Err(cannot_write(file, &error)),
    }
}

/// The very table asked for, if it is there already. Any other file in its place is an error, unless it may be replaced.
fn look_at_target(
    target: &Target,
    ruleset: &Ruleset,
    depths: bool,
    force: bool,
) -> Result<Option<Table>, Box<dyn Error>> {
    if let Some(file) = target.file().filter(|file| file.is_file()) {
        let found = Table::map(file);
        if let Ok(table) = &found
            && (&table.header().ruleset, table.header().depths) == (ruleset, depths)
            && table.check_whole().is_ok()
        {
            return Ok(found.ok());
        }
        if let (Err(error @ OpenError::Io { .. }), false) = (found, force) {
            return Err(error.into());
        }
    }
    target.check(force, "exists and is not this table", Some("a table"))?;
    Ok(None)
}
