//! Estimates memory, file size and time before a table is made.
//!
//! The memory of most solvers follows from the ruleset. All other memory, and the length of the file, depend on how much
//! of the table turns out to be equal. So we make up to five small tables of similar games, in a few tenths of a second,
//! and extrapolate: if a quantity is 4 times as large for 8 times the work, it grows with the power
//! ln 4 / ln 8 = 2/3 of the work.

use std::iter::successors;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bouton_tables::format::in_memory;
use bouton_tables::{Ruleset, with_rules};

use crate::clock::Instant;
use crate::control::{Control, Phase};
use crate::family::{ClusterCost, Estimated, Measurement};
use crate::making::{GenerateError, GenerateOptions, Resources};
use crate::memory::capped;
use crate::parallel;
use crate::stopwatch::Stopwatch;

/// Resources that making a table needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Positions of the table, as its header counts them.
    pub positions: u64,
    /// Maximum memory of [`generate`](crate::generate) with the current number of threads, in bytes.
    pub memory: u64,
    /// Length of the file, in bytes.
    pub file: u64,
    /// Approximate time on this machine, if it is otherwise idle.
    pub time: Duration,
    /// Part of the time that is for solving, which several processes can share.
    pub solving: Duration,
}

/// Resources that proving a table needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEstimate {
    /// Steps of progress that [`verify`](crate::verify) reports.
    pub steps: u64,
    /// Maximum memory with the current number of threads, in bytes.
    pub memory: u64,
    /// Minimum memory, in bytes: enough for the verdicts that one position needs. The proof then computes verdicts again
    /// whenever it needs them. Less than `memory` only for heap games.
    pub least: u64,
}

/// Maximum work of a trial run. Much smaller games have untypical lost positions.
const TRIAL_WORK: u128 = 1 << 24;
/// Where memory is short, trial runs are made smaller, down to about this work.
const LEAST_TRIAL_WORK: u128 = 1 << 14;
/// Safety margin by which extrapolated bytes are multiplied.
const MARGIN: f64 = 1.1;
/// In addition, extrapolated bytes are multiplied by this power of the ratio of work.
const MARGIN_POWER: f64 = 0.06;
/// Bytes of a file that do not depend on the size of the game.
const FIXED_FILE_BYTES: u128 = 256;
/// Small files of similar games may be encoded differently, which adds at most this number of bytes, or a quarter of
/// the file if that is less.
const MAX_ENCODING_EXCESS: u128 = 2 << 10;
/// Maximum number of bytes by which the header grows if a game with lower bounds is solved in place of the user's.
const MAX_HEADER_GROWTH: u128 = 64;
/// Bytes of the program itself.
const PROGRAM_BYTES: u128 = 8 << 20;
/// Bytes of a thread.
const THREAD_BYTES: u128 = 256 << 10;
/// Bytes of the code that reads tables, for a proof.
const PROOF_CODE_BYTES: u128 = 1 << 20;
/// Bytes of debug information, if the program has any.
const DEBUG_INFO_BYTES: u128 = 1 << 20;

/// Estimates the resources for the table of a ruleset. Takes up to a few tenths of a second.
pub fn estimate(ruleset: &Ruleset, options: GenerateOptions) -> Estimate {
    estimate_within(ruleset, options, u64::MAX)
}

/// Estimates the resources for the table of a ruleset, with trial runs that use at most `limit` bytes of memory.
fn estimate_within(ruleset: &Ruleset, options: GenerateOptions, limit: u64) -> Estimate {
    let positions = ruleset.positions();
    with_rules!(ruleset, |rules| {
        let rules = &rules.effective_game();
        if let Some((most, file, time)) = rules.without_solving(options) {
            let memory = memory(most, Measurement::default());
            return Estimate { positions, memory, file, time, solving: Duration::ZERO };
        }
        let Extrapolation { mut measurement, times: [time, solving], .. } =
            extrapolation(rules, options, limit);
        if rules.positions() < positions {
            measurement.file += MAX_HEADER_GROWTH;
        }
        let memory = memory(rules.solving_bytes(options, measurement), measurement);
        Estimate { positions, memory, file: capped(measurement.file), time, solving }
    })
}

/// Returns a lower bound on the memory for making a table that [`estimate`] returns, in bytes. The bound needs no trial
/// run.
fn memory_lower_bound(ruleset: &Ruleset, options: GenerateOptions) -> u64 {
    with_rules!(ruleset, |rules| memory_for(&rules.effective_game(), options, Measurement::default))
}

/// Returns an upper bound on the memory for making a table, in bytes. The bound needs no trial run, and is often far
/// too high.
pub fn memory_upper_bound(ruleset: &Ruleset, options: GenerateOptions) -> u64 {
    with_rules!(ruleset, |rules| {
        let rules = &rules.effective_game();
        memory_for(rules, options, || rules.greatest_measurement(options))
    })
}

/// Returns the memory of the process that makes a table, if solving and packing use the bytes of `measurement`.
fn memory_for(
    rules: &impl Estimated,
    options: GenerateOptions,
    measurement: impl FnOnce() -> Measurement,
) -> u64 {
    let (solving, measurement) = match rules.without_solving(options) {
        Some((most, ..)) => (most, Measurement::default()),
        None => {
            let measurement = measurement();
            (rules.solving_bytes(options, measurement), measurement)
        }
    };
    memory(solving, measurement)
}

/// Memory for making a table, which is more than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeededMemory {
    /// The memory, in bytes.
    pub bytes: u64,
    /// `bytes` is a lower bound, not an estimate.
    pub at_least: bool,
}

/// Returns the memory for making a table without a work folder, if this is more than `limit`. Makes trial runs, which take
/// time and up to `limit` bytes of memory, only if the bounds that follow from the rules do not decide.
pub fn memory_beyond(ruleset: &Ruleset, options: GenerateOptions, limit: u64) -> Option<NeededMemory> {
    if memory_upper_bound(ruleset, options) <= limit {
        return None;
    }
    let certain = memory_lower_bound(ruleset, options);
    if certain > limit {
        return Some(NeededMemory { bytes: certain, at_least: true });
    }
    let bytes = estimate_within(ruleset, options, limit).memory;
    (bytes > limit).then_some(NeededMemory { bytes, at_least: false })
}

/// Minimum memory for making a table with a work folder, and the size of the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryWithFolder {
    /// Memory, in bytes.
    pub memory: u64,
    /// Maximum bytes of the work folder.
    pub folder: u64,
}

/// Returns the minimum memory for making a table with a work folder, determined with trial runs that use at most `limit`
/// bytes of memory. `None` if the game's solver cannot use a folder.
pub fn memory_with_folder(
    ruleset: &Ruleset,
    options: GenerateOptions,
    limit: u64,
) -> Option<MemoryWithFolder> {
    let (solving, folder) =
        with_rules!(ruleset, |rules| rules.effective_game().least_memory_and_folder(options, limit))?;
    Some(MemoryWithFolder { memory: memory_of_blocks(solving), folder: capped(folder) })
}

/// Bytes that a rank sends and receives in a second on a fast network.
const NETWORK_SPEED: f64 = 1e9;

/// Time that several processes need to make a table together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClusterTime {
    /// Solving.
    pub solving: Duration,
    /// Messages, at a gigabyte per second and rank.
    pub messages: Duration,
    /// Everything else, which rank 0 does alone.
    pub packing: Duration,
}

impl ClusterTime {
    /// Total time.
    #[must_use]
    pub fn sum(&self) -> Duration {
        self.solving.saturating_add(self.messages).saturating_add(self.packing)
    }
}

impl ClusterCost {
    /// Estimates the time of `processes` processes, where one process needs `alone`. Each process has processors of its
    /// own.
    #[must_use]
    pub fn time(&self, processes: usize, alone: &Estimate) -> ClusterTime {
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        ClusterTime {
            solving: seconds(alone.solving.as_secs_f64() / (processes as f64 * self.efficiency)),
            messages: seconds(self.critical_path_bytes as f64 / NETWORK_SPEED),
            packing: alone.time.saturating_sub(alone.solving),
        }
    }
}

/// Estimates the resources of `processes` processes with the current number of threads each. `None` if the game cannot be
/// distributed.
pub fn estimate_cluster(
    ruleset: &Ruleset,
    options: GenerateOptions,
    processes: usize,
) -> Option<ClusterCost> {
    let solving = with_rules!(ruleset, |rules| rules.effective_game().cluster_cost(options, processes))?;
    let [first, others] =
        [solving.memory, solving.memory_of_others].map(|bytes| memory_of_blocks(bytes.into()));
    Some(ClusterCost { memory: first, memory_of_others: others, ..solving })
}

/// Returns the fewest processes that can make a table together with at most `memory` bytes each. `None` if no number of
/// processes can.
pub fn enough_processes(ruleset: &Ruleset, options: GenerateOptions, memory: u64) -> Option<usize> {
    let fits = |bytes: u64| memory_of_blocks(bytes.into()) <= memory;
    with_rules!(ruleset, |rules| rules.effective_game().enough_processes(options, &fits))
}

/// Returns the bytes for solving, out of `memory` bytes for the whole process.
pub(crate) fn bytes_for_solving(memory: u64) -> u64 {
    // Block buffers are page-aligned and reused, so little slack is needed.
    capped((u128::from(memory) * 63 / 64).saturating_sub(program()))
}

/// Returns the bytes for packing a table in memory, out of `memory` bytes for the whole process, if solving uses `solving`
/// bytes.
pub(crate) fn bytes_for_packing(memory: u64, solving: u128) -> u64 {
    bytes_for_solving(memory).saturating_sub(capped(solving))
}

/// Reports whether making a table needs more than `limit` bytes of memory.
pub(crate) fn needs_more_than(rules: &impl Estimated, options: GenerateOptions, limit: u64) -> bool {
    let needs = |measurement| memory(rules.solving_bytes(options, measurement), measurement);
    // Packing rarely needs more than solving, so four times the memory for solving is safe enough to skip the trial runs.
    let bound = needs(Measurement::default()).saturating_mul(4);
    needs(rules.greatest_measurement(options)).min(bound) > limit
        && needs(extrapolation(rules, options, limit).measurement) > limit
}

/// Estimates the bytes that packing gathers. Also returns the bytes that the trial runs of this estimate use, at most
/// `limit` at a time.
pub(crate) fn packing_bytes(rules: &impl Estimated, options: GenerateOptions, limit: u64) -> [u128; 2] {
    let Extrapolation { measurement, trial_bytes, .. } = extrapolation(rules, options, limit);
    [measurement.packed, trial_bytes]
}

/// Estimates the proof of a table whose file has `file` bytes.
pub fn estimate_proof(ruleset: &Ruleset, file: u64) -> ProofEstimate {
    let (steps, bytes) = with_rules!(ruleset, |rules| rules.proof_steps_and_bytes());
    let [memory, least] = bytes.map(|bytes| proof_memory(bytes, file));
    ProofEstimate { steps, memory, least }
}

/// Returns the memory of a proof that uses `bytes` bytes in addition to a file of `file` bytes.
pub(crate) fn proof_memory(bytes: u128, file: u64) -> u64 {
    capped(program() + PROOF_CODE_BYTES + bytes + u128::from(file))
}

/// Returns the bytes for the proof's own data, out of `memory` bytes for the whole process.
pub(crate) fn bytes_for_proof(memory: u64, file: u64) -> u64 {
    memory.saturating_sub(proof_memory(0, file))
}

/// Returns the memory of the process if solving uses `solving` bytes, and packing uses the measured bytes.
fn memory(solving: u128, measurement: Measurement) -> u64 {
    let sum = program() + DEBUG_INFO_BYTES + solving + measurement.packed + measurement.file;
    // The allocator does not reuse all freed memory.
    capped(sum + sum / 10)
}

/// Returns the memory of the process if blocks, which are page-aligned, use `bytes` bytes.
fn memory_of_blocks(bytes: u128) -> u64 {
    let sum = program() + bytes;
    capped(sum + sum / 16)
}

/// Returns the bytes of the program and its threads.
fn program() -> u128 {
    PROGRAM_BYTES + THREAD_BYTES * parallel::threads() as u128
}

/// Short trial runs are repeated until this time has passed.
const REPEAT_TIME: Duration = Duration::from_millis(60);
/// Shorter runs are too noisy to extrapolate their time.
const MIN_TIME: Duration = Duration::from_millis(20);

/// A trial run: a small table that was made, and its cost.
struct TrialRun {
    work: f64,
    measurement: Measurement,
    time: Duration,
    /// Part of `time` for solving.
    solving: Duration,
    /// Bytes in use.
    bytes: u128,
}

/// Records when solving ends and packing begins.
struct SolvingTimer<'a> {
    stopwatch: &'a Stopwatch,
    /// Time until packing began.
    solving: OnceLock<Duration>,
}

impl Control for SolvingTimer<'_> {
    fn begin(&self, phase: Phase, _: u64) {
        if phase == Phase::Packing {
            self.solving.get_or_init(|| self.stopwatch.read());
        }
    }
}

impl TrialRun {
    /// Makes the table, repeatedly if this is quick, and returns the fastest run: other programs only make a run slower.
    /// `None` if that takes more than `limit` bytes of memory, or more than there are.
    fn run(rules: &impl Estimated, options: GenerateOptions, limit: u64) -> Option<Self> {
        let first = Instant::now();
        let mut best = Self::run_once(rules, options, limit)?;
        while first.elapsed() < REPEAT_TIME {
            let another = Self::run_once(rules, options, limit)?;
            if another.time < best.time {
                best = another;
            }
        }
        Some(best)
    }

    /// Makes the table once.
    fn run_once(rules: &impl Estimated, options: GenerateOptions, limit: u64) -> Option<Self> {
        let nothing = Measurement::default();
        if memory(rules.solving_bytes(options, nothing), nothing) > limit {
            return None;
        }
        // The allocator does not return all memory of the trial runs before.
        let resources = Resources { memory: limit - limit / 8, ..Resources::default() };
        let stopwatch = Stopwatch::start();
        let timer = SolvingTimer { stopwatch: &stopwatch, solving: OnceLock::new() };
        let mut measurement = nothing;
        let made = in_memory(|sink| {
            (_, measurement) = rules.make(options, &resources, sink, &timer)?;
            Ok::<_, GenerateError>(())
        });
        made.ok()?;
        let time = stopwatch.read();
        let solving = timer.solving.into_inner().unwrap_or(time).min(time);
        let bytes = rules.solving_bytes(options, measurement) + measurement.packed + measurement.file;
        Some(Self { work: rules.work(options) as f64, measurement, time, solving, bytes })
    }

    /// Returns the power of the work with which a quantity grows from the smaller trial run to this one.
    fn slope(&self, smaller: &Self, quantity: impl Fn(&Self) -> f64) -> f64 {
        (quantity(self) / quantity(smaller)).ln() / (self.work / smaller.work).ln()
    }
}

/// Returns the bytes of the file that depend on the size of the game.
fn variable_length(trial: &TrialRun) -> f64 {
    trial.measurement.file.saturating_sub(FIXED_FILE_BYTES) as f64
}

/// Estimates that are extrapolated from trial runs.
#[derive(Clone, Copy)]
struct Extrapolation {
    /// Bytes in use while making the table.
    measurement: Measurement,
    /// Total time, and time for solving.
    times: [Duration; 2],
    /// Bytes used by the trial runs together, except those with fewer heaps: the allocator does not reuse all freed
    /// memory.
    trial_bytes: u128,
}

/// Cache key of an extrapolation: ruleset, depths, number of threads, limit of memory.
type EstimateKey = (Ruleset, bool, usize, u64);

/// The last extrapolation, as making one table asks for the same extrapolation several times.
static LAST_EXTRAPOLATION: Mutex<Option<(EstimateKey, Extrapolation)>> = Mutex::new(None);

/// Returns the extrapolation, from the cache if possible.
fn extrapolation<R: Estimated>(rules: &R, options: GenerateOptions, limit: u64) -> Extrapolation {
    let key = (rules.clone().into(), options.depths, parallel::threads(), limit);
    let last = || LAST_EXTRAPOLATION.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, cached)) = last().as_ref().filter(|(cached, _)| *cached == key) {
        return *cached;
    }
    let extrapolation = extrapolate(rules, options, limit);
    *last() = Some((key, extrapolation));
    extrapolation
}

/// Makes the trial runs, within `limit` bytes of memory, and extrapolates from them.
fn extrapolate<R: Estimated>(rules: &R, options: GenerateOptions, limit: u64) -> Extrapolation {
    let greatest = rules.greatest_measurement(options);
    // If a trial run does not fit into memory, try smaller ones.
    let works =
        successors(Some(TRIAL_WORK), |work| Some(work / 4)).take_while(|&work| work >= LEAST_TRIAL_WORK);
    let mut trials = works.filter_map(|work| {
        let (small, half) = rules.trials(options, work);
        Some((work, TrialRun::run(&small, options, limit)?, half))
    });
    let Some((most_work, trial, half)) = trials.next() else {
        return Extrapolation { measurement: greatest, times: [Duration::MAX; 2], trial_bytes: 0 };
    };
    let work = rules.work(options) as f64;
    let ratio = work / trial.work;
    if ratio <= 1.0 {
        // The trial run has made the table itself.
        let times = [trial.time, trial.solving];
        return Extrapolation { measurement: trial.measurement, times, trial_bytes: trial.bytes };
    }
    // A second, smaller trial run measures growth.
    let smaller = half.and_then(|half| TrialRun::run(&half, options, limit));
    let [least, most] = rules.growth_exponents(options);
    let slope = |quantity: fn(&TrialRun) -> f64, least: f64| {
        let slope = smaller.as_ref().map_or(1.0, |smaller| trial.slope(smaller, quantity));
        // A much smaller exponent means that this quantity does not depend on the work.
        let least = if slope < least / 2.0 { 0.0 } else { least };
        if slope.is_finite() { slope.clamp(least, most) } else { most }
    };
    let margin = MARGIN * ratio.powf(MARGIN_POWER);
    let bytes_from = |least: f64, quantity: fn(&TrialRun) -> f64| {
        (margin * quantity(&trial) * ratio.powf(slope(quantity, least))) as u128
    };
    let bytes = |quantity: fn(&TrialRun) -> f64| bytes_from(0.0, quantity);
    let file_by_heaps = rules.with_fewer_heaps(options).and_then(|(games, more)| {
        let [large, small] =
            games.map(|game| TrialRun::run_once(&game, options, limit).map(|trial| trial.measurement.file));
        let (large, small) = large.zip(small)?;
        Some((MARGIN * (large + u128::from(more) * large.saturating_sub(small)) as f64) as u128)
    });
    let file = file_by_heaps.unwrap_or_else(|| FIXED_FILE_BYTES + bytes_from(least, variable_length));
    let measurement = Measurement {
        handed_over: bytes(|trial| trial.measurement.handed_over as f64).min(greatest.handed_over),
        kept: bytes(|trial| trial.measurement.kept as f64).min(greatest.kept),
        // Packing gathers everything that the file holds.
        packed: bytes(|trial| trial.measurement.packed as f64).max(file).min(greatest.packed),
        file: (file + MAX_ENCODING_EXCESS.min(file / 4)).min(greatest.file),
    };
    // Extrapolate the time from the largest possible trial run: in small games, threads wait for each other.
    let larger = rules
        .largest_game_within(options, most_work)
        .filter(|larger| larger.work(options) as f64 > 2.0 * trial.work)
        .and_then(|larger| TrialRun::run(&larger, options, limit));
    let trial_bytes = [Some(&trial), smaller.as_ref(), larger.as_ref()].into_iter().flatten();
    let trial_bytes = trial_bytes.map(|trial| trial.bytes).sum();
    let slope = smaller
        .filter(|smaller| smaller.time >= MIN_TIME)
        .map_or(1.0, |smaller| trial.slope(&smaller, |trial| trial.time.as_secs_f64()));
    let slope = if slope.is_finite() { slope.clamp(0.95, 1.05) } else { 1.0 };
    let timed = larger.unwrap_or(trial);
    let factor = (work / timed.work).powf(slope);
    let longer =
        |time: Duration| Duration::try_from_secs_f64(factor * time.as_secs_f64()).unwrap_or(Duration::MAX);
    Extrapolation { measurement, times: [timed.time, timed.solving].map(longer), trial_bytes }
}

#[cfg(test)]
mod tests {
    use bouton_tables::rulesets;

    use super::*;

    fn nim(settings: &[&str]) -> Ruleset {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        rulesets::find("nim", &settings).expect("an allowed ruleset").ruleset
    }

    const DEPTHS: GenerateOptions = GenerateOptions { depths: true };

    #[test]
    fn the_time_to_solve_is_divided_by_the_processes_times_their_efficiency() {
        let ruleset = nim(&["heaps=8", "size=63"]);
        let alone = Estimate {
            positions: 1,
            memory: 1,
            file: 1,
            time: Duration::from_secs(3000),
            solving: Duration::from_secs(2000),
        };
        for processes in [1, 2, 16, 64, 1000] {
            let together = estimate_cluster(&ruleset, DEPTHS, processes).unwrap();
            let time = together.time(processes, &alone);
            let shared = time.solving.as_secs_f64() * together.efficiency * processes as f64;
            assert!((shared - 2000.0).abs() < 0.1, "{time:?}");
            assert_eq!(time.packing, Duration::from_secs(1000));
            assert_eq!(time.messages.is_zero(), processes == 1);
            assert_eq!(time.sum(), time.solving + time.messages + time.packing);
        }
    }

    #[test]
    fn an_estimate_lies_between_the_bounds_that_need_no_trial_run() {
        let games: [(&[&str], bool); 6] = [
            (&["heaps=5", "size=20"], true),
            (&["heaps=5", "size=20"], false),
            (&["heaps=4", "size=20", "passes=1"], true),
            (&["heaps=4", "size=30", "take=[1,3,4]"], true),
            (&["heaps=4", "size=30", "take=5"], false),
            (&["heaps=3", "size=15", "heaps-per-move=2"], true),
        ];
        for (settings, depths) in games {
            let (ruleset, options) = (nim(settings), GenerateOptions { depths });
            let (certain, estimated) =
                (memory_lower_bound(&ruleset, options), estimate(&ruleset, options).memory);
            assert!(
                certain <= estimated && estimated <= memory_upper_bound(&ruleset, options),
                "{settings:?}: {certain}, {estimated}"
            );
            let beyond = |limit| memory_beyond(&ruleset, options, limit);
            assert_eq!(beyond(certain - 1), Some(NeededMemory { bytes: certain, at_least: true }));
            assert_eq!(beyond(u64::MAX), None);
            // The time of a trial run varies, but its memory does not.
            let measured =
                (certain < estimated).then_some(NeededMemory { bytes: estimated, at_least: false });
            assert_eq!(beyond(certain.max(estimated - 1)), measured);
        }
    }

    #[test]
    fn enough_processes_fit_their_memory_and_fewer_do_not() {
        let ruleset = nim(&["heaps=6", "size=63"]);
        let needs = |processes| estimate_cluster(&ruleset, DEPTHS, processes).unwrap().memory;
        for limit in (16..32).map(|mebibytes: u64| mebibytes << 20) {
            let enough = enough_processes(&ruleset, DEPTHS, limit).expect("some number is enough");
            assert!(needs(enough) <= limit, "{enough} processes");
            assert!((2..enough).all(|fewer| needs(fewer) > limit), "{enough} processes");
        }
        let least = memory_with_folder(&ruleset, DEPTHS, u64::MAX).unwrap().memory;
        assert_eq!(enough_processes(&ruleset, DEPTHS, least - (1 << 20)), None);
        // Rank 0 solves one or two heaps alone.
        let outcomes = GenerateOptions { depths: false };
        assert_eq!(enough_processes(&nim(&["heaps=2"]), outcomes, u64::MAX), None);
        assert_eq!(enough_processes(&nim(&["heaps=3", "take=5"]), DEPTHS, u64::MAX), Some(2));
    }
}
