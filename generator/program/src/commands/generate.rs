//! `bouton generate`: from a ruleset to a table.

use std::error::Error;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bouton_generator::{
    Estimate, GenerateError, Least, Options, Resources, Summary, WorkError, assist, estimate,
    estimate_together, generate_with, least_memory, look_at_work, throw_away, tidy_work,
};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::program::note;
use bouton_tables::rulesets::{Named, find};
use bouton_tables::{Map, NotPlaced, OpenError, Part, Ruleset, Table, release_large, with_rules};
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::first_steps::first_steps;
use super::info::summary;
use super::{Done, bytes, bytes_enough, count, grouped, roughly, target};
use crate::args::Generate;
use crate::company::{Agreement, Company};
use crate::memory::Fit;
use crate::progress::{Making, Told};
use crate::{FINE, TROUBLE, memory, stop};

/// What is to be made, and where.
struct Order<'a> {
    args: &'a Generate,
    company: Option<&'a Company<'a>>,
    name: String,
    ruleset: Ruleset,
    options: Options,
    file: PathBuf,
    folder: PathBuf,
    threads: ThreadPool,
    /// Memory that there is for this process, in bytes.
    available: u64,
    /// Memory that it may use.
    limit: u64,
}

impl<'a> Order<'a> {
    fn new(args: &'a Generate, company: Option<&'a Company<'a>>) -> Result<Self, Box<dyn Error>> {
        let Named { name, ruleset } = find(&args.which.ruleset, &args.which.settings)?;
        let file = args.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.bouton")));
        let file = target::behind_link(&file);
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
            folder: work_folder(&file),
            file,
            threads: ThreadPoolBuilder::new().num_threads(threads).build()?,
            available,
            limit: args.memory.unwrap_or(available),
        })
    }

    fn resources(&self) -> Resources<'_> {
        Resources {
            memory: if self.args.allow_memory { u64::MAX } else { self.limit },
            folder: Some(&self.folder),
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
    let mut out: Box<dyn Write> =
        if args.quiet { Box::new(io::sink()) } else { Box::new(io::stdout().lock()) };
    // Memory that one part of the work has freed counts against a limit as long as it is kept for another.
    release_large();
    let order = Order::new(args, company);
    let Some(company) = company else {
        let order = order?;
        return match prepare(&order, &mut *out)? {
            Some(part) => make(&order, part, &mut *out),
            None => Ok(FINE),
        };
    };
    // All that can fail is tried before anybody begins. The first one writes the table.
    let prepared = order.and_then(|order| {
        let part = if company.is_first() { prepare(&order, &mut *out)? } else { None };
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
        (Agreement::Begin, (order, Some(part))) => make(&order, part, &mut *out),
        (Agreement::Begin, (order, None)) => help(&order, company),
    }
}

/// Does all that comes before the work. Gives the file to write to, unless nothing is left to do.
fn prepare(order: &Order, out: &mut dyn Write) -> Result<Option<Part>, Box<dyn Error>> {
    let Order { args, ruleset, options, file, folder, threads, available, limit, .. } = order;
    if args.estimate {
        let needs = threads.install(|| estimate(ruleset, *options));
        let least = least_memory(ruleset, *options);
        let processes = args.processes.map_or(order.processes(), |processes| processes as usize);
        let mut text = estimated(&needs, least, *available);
        if args.processes.is_some() || processes > 1 {
            text += &estimated_together(ruleset, *options, processes, &needs);
        }
        io::stdout().write_all(text.as_bytes())?;
        return Ok(None);
    }
    if look_at_target(file, ruleset, options.depths, args.force)? {
        writeln!(out, "{} is there already: a table of these rules, undamaged.", printable_path(file))?;
        // A run that was killed when all was done has left it behind. What is of another table, or used, stays.
        let _ = tidy_work(folder, ruleset, options.depths);
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
        match threads.install(fit) {
            Fit::Whole => {}
            Fit::Folder(whole, most) => {
                let (folder_shown, left) = (printable_path(folder), memory::disk_left(folder));
                let (whole, limit, most_shown) = (bytes(whole), bytes(*limit), bytes(most));
                writeln!(
                    out,
                    "All at once takes about {whole} of memory: what does not fit in {limit} is kept in {folder_shown}, up to {most_shown}."
                )?;
                if let Some(left) = left.filter(|&left| left < most) {
                    writeln!(
                        out,
                        "Its disk has {} left. If that is not enough, the work ends there, and goes on once there is more.",
                        bytes(left)
                    )?;
                }
            }
            Fit::Not(shortage) => {
                let error = too_large(order, &shortage);
                return Err(format!("{error}, and --allow-memory begins all the same").into());
            }
        }
    }
    if args.restart {
        throw_away(folder)?;
    }
    stop::ask_first()?;
    Ok(Some(Part::beside(file).map_err(|error| target::cannot_write(file, &error))?))
}

fn make(order: &Order, mut part: Part, out: &mut dyn Write) -> Done {
    let Order { args, ruleset, options, file, folder, threads, .. } = order;
    let began = Instant::now();
    let resources = order.resources();
    let making = Making::new(order.program(), args.quiet);
    let made = match threads.install(|| generate_with(ruleset, *options, &resources, part.file(), &making)) {
        Ok(made) => made,
        Err(GenerateError::Cancelled) => {
            if has_checkpoint(folder) {
                writeln!(out, "{}", kept_in(order))?;
            }
            // The others have stopped too, or wait for the end.
            order.company.map(Company::part);
            return Ok(stop::status());
        }
        Err(GenerateError::Memory) if has_checkpoint(folder) => {
            let error = "packing the table takes more memory than was foreseen; allow more with --memory";
            return Err(still_kept(error.into(), order));
        }
        Err(GenerateError::Memory) => {
            return Err(too_large(order, "more memory than there is").into());
        }
        Err(GenerateError::Write(error)) => {
            return Err(still_kept(target::cannot_write(file, &error), order));
        }
        Err(GenerateError::Work(error)) if target::is_forbidden(&error) => {
            return Err(target::with_advice(error));
        }
        Err(GenerateError::Work(error @ WorkError::Io { .. })) => {
            return Err(still_kept(target::with_advice(error), order));
        }
        Err(error @ (GenerateError::Unproved(_) | GenerateError::Work(_))) => return Err(error.into()),
    };
    let table = checked(&part, &made)?;
    place(part, file, ruleset, args)?;
    // The table is in its place: what is left beside it is in nobody's way. A folder that was not used is of another one.
    let Told { moved, exchanged } = making.told();
    if moved.is_some()
        && let Err(error) = throw_away(folder)
    {
        note(order.program(), &error);
    }
    let seconds = began.elapsed().as_secs_f64();

    writeln!(out, "{}: every position of {}, solved", printable_path(file), printable(&order.name))?;
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
    write!(out, "{}", first_steps(&table, file)?)?;
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

/// What to say of work that is kept.
fn kept_in(order: &Order) -> String {
    let folder = printable_path(&order.folder);
    let restart = if order.args.restart { " without --restart" } else { "" };
    format!("The work so far is kept in {folder}: the same command{restart} goes on with it.")
}

/// An error after which work is kept, if there is some.
fn still_kept(error: Box<dyn Error>, order: &Order) -> Box<dyn Error> {
    if has_checkpoint(&order.folder) { format!("{error}\n{}", kept_in(order)).into() } else { error }
}

/// Whether there is something in a work folder to go on with.
fn has_checkpoint(folder: &Path) -> bool {
    matches!(look_at_work(folder), Ok(Some(_)))
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
fn checked(part: &Part, made: &Summary) -> Result<Table<Map>, Box<dyn Error>> {
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
    if taken && look_at_target(file, ruleset, !args.no_depth, false).unwrap_or(false) {
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
            let error = target::cannot_write(file, &error);
            Err(format!("{error}; the table is {}", printable_path(&kept)).into())
        }
        Some(Err(_)) | None => Err(target::cannot_write(file, &error)),
    }
}

/// Whether the file is the very table asked for. Any other file in its place is an error, unless it may be
/// replaced.
fn look_at_target(file: &Path, ruleset: &Ruleset, depths: bool, force: bool) -> Result<bool, Box<dyn Error>> {
    if file.is_file() {
        let found = Table::map(file);
        if let Ok(table) = &found
            && (&table.header().ruleset, table.header().depths) == (ruleset, depths)
            && table.check_whole().is_ok()
        {
            return Ok(true);
        }
        if let (Err(error @ OpenError::Io { .. }), false) = (found, force) {
            return Err(error.into());
        }
    }
    target::check(file, force, "exists and is not this table")?;
    Ok(false)
}

fn estimated(needs: &Estimate, least: Option<Least>, available: u64) -> String {
    let least = least.filter(|least| least.memory < needs.memory).map_or(String::new(), |least| {
        let (memory, folder) = (bytes_enough(least.memory), bytes(least.folder));
        format!("at least   {memory}, with up to {folder} on disk beside the table (--memory)\n")
    });
    format!(
        "positions  {}\nmemory     about {} ({} available)\n{least}file       about {}\ntime       about {}\n",
        grouped(needs.positions),
        bytes(needs.memory),
        bytes(available),
        bytes(needs.file),
        roughly(needs.time),
    )
}

/// What several processes take to make a table together.
fn estimated_together(ruleset: &Ruleset, options: Options, processes: usize, alone: &Estimate) -> String {
    let Some(needs) = estimate_together(ruleset, options, processes) else {
        return format!(
            "together   {processes} processes do not make this table together: one of them would make it alone\n"
        );
    };
    let time = needs.time(processes, alone);
    format!(
        "together   {} in the first of {processes} processes, {} in each other one\n           {} messages of {} in all, {:.2} bytes for a position\n           busy for {:.0} % of the solving; waits for {} of messages\n           about {}: {} to solve, {} for messages, {} to pack\n",
        bytes_enough(needs.memory),
        bytes_enough(needs.others),
        grouped(needs.messages),
        bytes(needs.bytes),
        needs.bytes as f64 / ruleset.positions() as f64,
        100.0 * needs.busy,
        bytes(needs.waited_for),
        roughly(time.sum()),
        roughly(time.solving),
        roughly(time.messages),
        roughly(time.packing),
    )
}
