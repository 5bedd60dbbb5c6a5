//! `bouton generate`: solves a ruleset and writes its table.

use std::error::Error;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bouton_generator::{
    GenerateError, GenerateOptions, Resources, Summary, WorkError, discard_work, generate_with,
    read_work_progress, remove_finished_work, work_as_rank,
};
use bouton_memory::about_bytes;
use bouton_shell::{OutputTarget, cannot_write};
use bouton_study::words::InWords;
use bouton_tables::printable::{printable, printable_path};
use bouton_tables::program::{check_open, note};
use bouton_tables::rulesets::{NamedRuleset, find};
use bouton_tables::{OpenError, PartFile, PlacementError, Ruleset, Table, return_freed_memory, with_rules};
use rayon::{ThreadPool, ThreadPoolBuilder};
use serde::Serialize;

use super::estimate::EstimateReport;
use super::first_steps::first_steps;
use super::info::{TableFacts, summary};
use super::{ExitResult, bytes, count, grouped, print_json, work_error};
use crate::args::Generate;
use crate::cluster::{Agreement, Cluster};
use crate::memory::Fit;
use crate::progress::{RunFacts, WorkProgressBar};
use crate::{FAILURE, SUCCESS, memory, stop};

/// The result, as `--json` prints it.
#[derive(Serialize)]
struct GeneratedTable<'a> {
    file: String,
    /// False if the table existed already.
    made: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    #[serde(flatten)]
    table: TableFacts<'a>,
}

impl<'a> GeneratedTable<'a> {
    /// Describes a table that was made in this many seconds; `None` if it existed already.
    fn new(target: &OutputTarget, table: &'a Table, seconds: Option<f64>) -> Self {
        Self { file: target.to_string(), made: seconds.is_some(), seconds, table: TableFacts::of(table) }
    }
}

/// A table to make, with its destination and resources.
struct GenerateJob<'a> {
    args: &'a Generate,
    cluster: Option<&'a Cluster<'a>>,
    name: String,
    ruleset: Ruleset,
    options: GenerateOptions,
    target: OutputTarget,
    /// Work folder; `None` if the table is not written to a file.
    folder: Option<PathBuf>,
    pool: ThreadPool,
    /// Memory available to this process, in bytes.
    available: u64,
    /// Memory that this process may use, in bytes.
    limit: u64,
}

impl<'a> GenerateJob<'a> {
    fn new(args: &'a Generate, cluster: Option<&'a Cluster<'a>>) -> Result<Self, Box<dyn Error>> {
        let NamedRuleset { name, ruleset } = find(&args.input.ruleset, &args.input.settings)?;
        if !args.no_depth {
            let advise = |error| format!("{error}; ask for fewer stones, or add --no-depth");
            ruleset.check_depths().map_err(advise)?;
        }
        let target = OutputTarget::named(
            &args.output.clone().unwrap_or_else(|| default_file(&args.input.ruleset, &name)),
        );
        let requested = args.threads.map(usize::from).or(cluster.map(|cluster| cluster.threads));
        let threads = memory::threads(requested);
        // Determine the memory before the threads exist.
        let available = cluster.map_or_else(|| memory::available_for(threads), |cluster| cluster.memory);
        Ok(Self {
            args,
            cluster,
            name: name.to_string(),
            ruleset,
            options: GenerateOptions { depths: !args.no_depth },
            folder: target.file().map(|file| file.with_added_extension("work")),
            target,
            pool: ThreadPoolBuilder::new().num_threads(threads).build()?,
            available,
            limit: args.memory.unwrap_or(available),
        })
    }

    fn report(&self) -> Box<dyn Write> {
        self.target.report(self.args.quiet, self.args.json)
    }

    fn resources(&self) -> Resources<'_> {
        Resources {
            memory: if self.args.allow_memory { u64::MAX } else { self.limit },
            folder: self.folder.as_deref(),
            checkpoint_interval: self.args.checkpoint.map(Duration::from_secs),
            communicator: self.cluster.map(|cluster| cluster.communicator),
        }
    }

    fn program(&self) -> &'static str {
        if self.cluster.is_some() { crate::PROGRAM } else { "bouton" }
    }

    fn processes(&self) -> usize {
        self.cluster.map_or(1, |cluster| cluster.communicator.size())
    }
}

/// Makes a table, together with the other processes of a cluster if there is one.
pub(crate) fn run(args: &Generate, cluster: Option<&Cluster>) -> ExitResult {
    // Memory that the allocator retains would count against a limit.
    return_freed_memory();
    // Before any process begins, each reads its ruleset, and process 0 prepares the table: errors appear early.
    let prepared = GenerateJob::new(args, cluster).and_then(|job| {
        let is_first = cluster.is_none_or(Cluster::is_first);
        let part = if is_first { prepare(&job, &mut *job.report())? } else { None };
        Ok((job, part))
    });
    if let Some(cluster) = cluster {
        let work = match &prepared {
            Ok((_, None)) if cluster.is_first() => Ok(None),
            Ok((job, _)) => Ok(Some(format!("{:?} {:?}", job.ruleset, job.options))),
            Err(error) => Err(error),
        };
        match cluster.agree(&work)? {
            Agreement::Failed => return prepared.map(|_| FAILURE),
            Agreement::NothingToDo => return Ok(SUCCESS),
            Agreement::Begin => {}
        }
    }
    match (prepared?, cluster) {
        ((job, Some(part)), _) => make_table(&job, part, &mut *job.report()),
        ((job, None), Some(cluster)) => serve_rank_0(&job, cluster),
        ((_, None), None) => Ok(SUCCESS),
    }
}

/// Prepares the work: checks output and memory, and discards old work with `--restart`. Returns the file to write to.
/// With `--estimate`, prints an estimate and returns `None`; if the table exists already, reports that and returns `None`.
fn prepare(job: &GenerateJob, out: &mut dyn Write) -> Result<Option<PartFile>, Box<dyn Error>> {
    let GenerateJob { args, ruleset, options, target, folder, pool, available, limit, .. } = job;
    if args.estimate {
        let processes = args.processes.map_or(job.processes(), |processes| processes as usize);
        let processes = (args.processes.is_some() || processes > 1).then_some(processes);
        pool.install(|| EstimateReport::new(ruleset, *options, *available, processes)).print(args.json)?;
        return Ok(None);
    }
    if !args.quiet {
        check_open()?;
    }
    if let Some(table) = find_existing(target, ruleset, options.depths, args.force)? {
        if args.json {
            print_json(out, &GeneratedTable::new(target, &table, None))?;
        } else {
            writeln!(out, "{target} exists already: an undamaged table of these rules.")?;
        }
        // Remove leftovers of a run that was killed after its last step. Folders of other tables, or in use, stay.
        let _ = folder.as_deref().map(|folder| remove_finished_work(folder, ruleset, options.depths));
        return Ok(None);
    }
    target.check(args.force, "exists and is not this table", Some("a table"))?;
    if limit > available && args.memory.is_some() {
        let (limit, available) = (bytes(*limit), bytes(*available));
        note(job.program(), &format!("--memory {limit} is more than the {available} available"));
    }
    if !args.allow_memory {
        let fit = || match job.processes() {
            1 => memory::fit(ruleset, *options, *limit),
            processes => memory::fit_cluster(ruleset, *options, processes, *limit),
        };
        match (pool.install(fit), folder) {
            (Fit::InMemory, _) => {}
            (Fit::Folder(whole, _), None) => {
                let (whole, limit) = (about_bytes(whole), bytes(*limit));
                return Err(format!(
                    "solving the whole game at once takes {whole} of memory, and {limit} may be used; name a \
                     file with -o, and parts that do not fit are kept on disk beside it"
                )
                .into());
            }
            (Fit::Folder(whole, most), Some(folder)) => {
                let (folder_shown, left) = (printable_path(folder), memory::free_disk_bytes(folder));
                let (whole, limit, most_shown) = (about_bytes(whole), bytes(*limit), bytes(most));
                writeln!(
                    out,
                    "Solving the whole game at once takes {whole} of memory: parts that do not fit in \
                    {limit} are kept in {folder_shown}, up to {most_shown}."
                )?;
                if let Some(left) = left.filter(|&left| left < most) {
                    writeln!(
                        out,
                        "Its disk has {} left. If that is not enough, the run stops; it can be resumed once \
                        there is more.",
                        bytes(left)
                    )?;
                }
            }
            (Fit::TooLarge(shortage), _) => {
                let error = too_large(job, &shortage);
                return Err(format!("{error}, and --allow-memory starts anyway").into());
            }
        }
    }
    if let (true, Some(folder)) = (args.restart, folder) {
        discard_work(folder)?;
    }
    stop::handle_signals()?;
    // A table for a stream is first written to a temporary file, because its first bytes are written last.
    let temporary = std::env::temp_dir().join("bouton");
    let file = target.file().unwrap_or(&temporary);
    Ok(Some(PartFile::beside(file).map_err(|error| cannot_write(file, &error))?))
}

/// Solves the ruleset, writes the table to `part`, moves it to its place, and reports.
fn make_table(job: &GenerateJob, mut part: PartFile, out: &mut dyn Write) -> ExitResult {
    let GenerateJob { args, ruleset, options, target, pool, .. } = job;
    let began = Instant::now();
    let resources = job.resources();
    let progress = WorkProgressBar::new(job.program(), args.quiet);
    let made = pool.install(|| generate_with(ruleset, *options, &resources, part.file(), &progress));
    let RunFacts { folder_bytes, messages } = progress.finish();
    let made = match made {
        Ok(made) => made,
        Err(GenerateError::Cancelled) => {
            if let Some(hint) = resume_hint(job) {
                writeln!(out, "{hint}")?;
            }
            // The other processes have stopped too, or wait for the end.
            job.cluster.map(Cluster::finish);
            return Ok(stop::exit_status());
        }
        Err(GenerateError::Memory) if resume_hint(job).is_some() => {
            let error = "packing the table takes more memory than estimated; allow more with --memory";
            return Err(with_resume_hint(error.into(), job));
        }
        Err(GenerateError::Memory) => {
            let takes = match args.memory {
                Some(_) => format!("more memory than the {} that it may use", bytes(job.limit)),
                None => "more memory than there is".to_owned(),
            };
            return Err(too_large(job, &takes).into());
        }
        Err(GenerateError::Write(error)) => {
            return Err(with_resume_hint(cannot_write(target.file().unwrap_or(part.path()), &error), job));
        }
        Err(GenerateError::Work(error)) if work_error::is_forbidden(&error) => {
            return Err(work_error::with_advice(error));
        }
        Err(GenerateError::Work(error @ WorkError::Io { .. })) => {
            return Err(with_resume_hint(work_error::with_advice(error), job));
        }
        Err(error @ (GenerateError::Depths(_) | GenerateError::Unproved(_) | GenerateError::Work(_))) => {
            return Err(error.into());
        }
    };
    let table = open_written(&part, &made)?;
    match target.file() {
        Some(file) => move_into_place(part, file, ruleset, args)?,
        None => write_stream(&mut part, target)?,
    }
    // The table is in place, so an error about leftovers is only a note. If this run used no work folder, one that
    // exists belongs to another run, and stays.
    if folder_bytes.is_some()
        && let Some(Err(error)) = job.folder.as_deref().map(discard_work)
    {
        note(job.program(), &error);
    }
    let seconds = began.elapsed().as_secs_f64();

    if args.json {
        return print_json(out, &GeneratedTable::new(target, &table, Some(seconds)));
    }
    writeln!(out, "{target}: every position of {}, solved", printable(&job.name))?;
    for line in summary(table.header(), &table) {
        writeln!(out, "  {line}")?;
    }
    let by = match job.cluster {
        None => format!("on {}", count(pool.current_num_threads() as u64, "thread", "threads")),
        Some(cluster) => format!("by {}", cluster.in_words()),
    };
    writeln!(out, "  time       {seconds:.2} s {by}")?;
    let peak = match job.cluster {
        None => memory::peak().map(bytes),
        Some(cluster) => cluster.finish().map(|[greatest, sum]| {
            format!("{} in the process with the most, {} in all", bytes(greatest), bytes(sum))
        }),
    };
    if let Some(peak) = peak {
        writeln!(out, "  memory     {peak}")?;
    }
    if let Some((messages, sent)) = messages {
        writeln!(out, "  messages   {}, with {} in all", grouped(messages), bytes(sent))?;
    }
    if let Some((read, written)) = folder_bytes {
        writeln!(out, "  disk       {} written and {} read beside the table", bytes(written), bytes(read))?;
    }
    if let Some(file) = target.file() {
        write!(out, "{}", first_steps(&table, file)?)?;
    }
    Ok(SUCCESS)
}

/// Works as a rank other than 0, until rank 0 has made the table.
fn serve_rank_0(job: &GenerateJob, cluster: &Cluster) -> ExitResult {
    stop::handle_signals()?;
    let resources = job.resources();
    let progress = WorkProgressBar::new(job.program(), true);
    let status = match job.pool.install(|| work_as_rank(&job.ruleset, job.options, &resources, &progress)) {
        Ok(()) => SUCCESS,
        Err(GenerateError::Cancelled) => stop::exit_status(),
        Err(error) => return Err(error.into()),
    };
    cluster.finish();
    Ok(status)
}

/// Returns the message on how to resume, if the work folder has a checkpoint.
fn resume_hint(job: &GenerateJob) -> Option<String> {
    let folder = job.folder.as_deref().filter(|folder| matches!(read_work_progress(folder), Ok(Some(_))))?;
    let folder = printable_path(folder);
    let restart = if job.args.restart { " without --restart" } else { "" };
    Some(format!("The work so far is kept in {folder}: the same command{restart} resumes it."))
}

/// Adds the message on how to resume to an error.
fn with_resume_hint(error: Box<dyn Error>, job: &GenerateJob) -> Box<dyn Error> {
    match resume_hint(job) {
        Some(hint) => format!("{error}\n{hint}").into(),
        None => error,
    }
}

/// Returns the default name of a table's file, from the preset's name or the ruleset's file.
fn default_file(which: &Path, name: &str) -> PathBuf {
    match which.file_stem() {
        // Keep a name that is not UTF-8.
        Some(stem) if which.to_str().is_none() => Path::new(stem).with_extension("bouton"),
        _ => format!("{name}.bouton").into(),
    }
}

/// Copies a finished table to a stream.
fn write_stream(part: &mut PartFile, target: &OutputTarget) -> Result<(), Box<dyn Error>> {
    let mut stream = target.open_directly()?;
    let file = part.file();
    file.seek(SeekFrom::Start(0))?;
    io::copy(file, &mut stream)?;
    Ok(stream.flush()?)
}

/// Returns the message for a table that does not fit into memory.
fn too_large(
    GenerateJob { args, ruleset, options, limit, available, .. }: &GenerateJob,
    takes: &str,
) -> String {
    let allow = if args.memory.is_some() && limit < available { "allow more with --memory, or " } else { "" };
    let smaller = with_rules!(ruleset, |rules| rules.smaller());
    let fits = memory::fits_without_depths(ruleset, *options, *limit);
    let no_depth = if fits { ", or add --no-depth" } else { "" };
    format!(
        "making a table of {} positions takes {takes}; {allow}ask for {smaller}{no_depth}; --estimate says \
        in advance what a table takes",
        grouped(ruleset.positions()),
    )
}

/// Opens the finished table, and compares the file's contents with the data written to it.
fn open_written(part: &PartFile, made: &Summary) -> Result<Table, Box<dyn Error>> {
    let table = Table::map(part.path())?;
    table.check_sums()?;
    if (table.header(), table.digest()) != (&made.header, made.digest) {
        return Err("the file differs from what was written to it; check the disk, and try again".into());
    }
    Ok(table)
}

/// Moves the table to its place. If another file is there meanwhile, keeps the table beside it.
fn move_into_place(
    part: PartFile,
    file: &Path,
    ruleset: &Ruleset,
    args: &Generate,
) -> Result<(), Box<dyn Error>> {
    let PlacementError { error, part } = match part.place(args.force) {
        Ok(()) => return Ok(()),
        Err(not_placed) => not_placed,
    };
    // Accept a file that another program made meanwhile if it is the same table.
    let is_taken = error.kind() == io::ErrorKind::AlreadyExists;
    let same = || find_existing(&OutputTarget::File(file.to_owned()), ruleset, !args.no_depth, false);
    if is_taken && matches!(same(), Ok(Some(_))) {
        return Ok(());
    }
    match part.map(PartFile::keep) {
        Some(Ok(kept)) if is_taken => Err(format!(
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

/// Returns the requested table if it exists already. A file that cannot be read is an error, unless `force` is set.
fn find_existing(
    target: &OutputTarget,
    ruleset: &Ruleset,
    depths: bool,
    force: bool,
) -> Result<Option<Table>, Box<dyn Error>> {
    if let Some(file) = target.file().filter(|file| file.is_file()) {
        let found = Table::map(file);
        if let Ok(table) = &found
            && (&table.header().ruleset, table.header().has_depths) == (ruleset, depths)
            && table.check_whole().is_ok()
        {
            return Ok(found.ok());
        }
        if let (Err(error @ OpenError::Io { .. }), false) = (found, force) {
            return Err(error.into());
        }
    }
    Ok(None)
}
