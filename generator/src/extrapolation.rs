//! Extrapolates memory, file size and time from trial runs.
//!
//! These quantities depend on how well the table compresses, which does not follow from the rules. So we make up to
//! five small tables of similar games, in a few tenths of a second. If a quantity is 4 times as large for 8 times the
//! work, it grows with the power ln 4 / ln 8 = 2/3 of the work.

use std::iter::successors;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bouton_tables::Ruleset;
use bouton_tables::format::in_memory;

use crate::clock::Instant;
use crate::control::{Control, Phase};
use crate::family::{Estimated, Measurement};
use crate::making::{GenerateError, GenerateOptions, Resources};
use crate::parallel;
use crate::process_memory::memory;
use crate::stopwatch::Stopwatch;

/// Maximum work of a trial run. Much smaller games have untypical lost positions.
const TRIAL_WORK: u128 = 1 << 24;
/// If memory is short, trial runs are smaller, down to about this work.
const LEAST_TRIAL_WORK: u128 = 1 << 14;
/// Safety margin by which extrapolated bytes are multiplied.
const MARGIN: f64 = 1.1;
/// In addition, extrapolated bytes are multiplied by this power of the ratio of work.
const MARGIN_POWER: f64 = 0.06;
/// Bytes of a file that do not depend on the size of the game.
const FIXED_FILE_BYTES: u128 = 256;
/// A small file may be encoded differently than the files of the trial runs. This adds at most this number of bytes,
/// and at most a quarter of the file.
const MAX_ENCODING_EXCESS: u128 = 2 << 10;
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
    /// Bytes that the run used.
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
    /// `None` if a run needs more than `limit` bytes of memory, or an allocation fails.
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
        // The allocator keeps some memory of earlier trial runs.
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
pub(crate) struct Extrapolation {
    /// Bytes in use while making the table.
    pub(crate) measurement: Measurement,
    /// Total time, and time for solving.
    pub(crate) times: [Duration; 2],
    /// Sum of the bytes that the trial runs used, except those with fewer heaps. The allocator does not reuse all of
    /// this memory.
    pub(crate) trial_bytes: u128,
}

/// Cache key of an extrapolation: ruleset, depths, number of threads, limit of memory.
type EstimateKey = (Ruleset, bool, usize, u64);

/// The last extrapolation: making one table asks for the same extrapolation several times.
static LAST_EXTRAPOLATION: Mutex<Option<(EstimateKey, Extrapolation)>> = Mutex::new(None);

/// Returns the extrapolation, from the cache if possible.
pub(crate) fn extrapolation<R: Estimated>(rules: &R, options: GenerateOptions, limit: u64) -> Extrapolation {
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
    let mut works =
        successors(Some(TRIAL_WORK), |work| Some(work / 4)).take_while(|&work| work >= LEAST_TRIAL_WORK);
    let trial = works.find_map(|work| {
        let (small, half) = rules.trials(options, work);
        Some((work, TrialRun::run(&small, options, limit)?, half))
    });
    let Some((most_work, trial, half)) = trial else {
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
