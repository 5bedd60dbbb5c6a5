//! How much a table takes, before it is made.
//!
//! What the solvers hold follows from the ruleset. How far positions resemble each other does not: that is found by making
//! one or two small tables of the same game, which takes some hundredths of a second, and going on from there.

use std::time::{Duration, Instant};

use bouton_tables::format::{Sink, in_memory};
use bouton_tables::{Game, Ruleset, with_rules};

use crate::{Control, GenerateError, Options, Summary, parallel};

/// What making a table takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Positions of the table, as its header counts them.
    pub positions: u64,
    /// Memory that [`generate`](crate::generate) takes at the most, in bytes, with as many threads as there are now.
    pub memory: u64,
    /// Length of the file, in bytes.
    pub file: u64,
    /// How long it takes on this machine, as busy as it is now.
    pub time: Duration,
}

/// What proving a table takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProofEstimate {
    /// Steps of progress that [`verify`](crate::verify) reports.
    pub steps: u64,
    /// Memory that it takes at the most, in bytes.
    pub memory: u64,
}

/// What was held while a table was made, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trail {
    /// All that solvers handed over to be packed.
    pub(crate) handed: u64,
    /// What packing gathered.
    pub(crate) packed: u64,
}

/// A family whose tables can be estimated.
pub(crate) trait Estimated: Game {
    /// About how many places a solver goes through: what time and memory follow.
    fn work(&self, options: Options) -> u128;

    /// The same game within bounds about half as large. `None` if there is none.
    fn halved(&self) -> Option<Self>;

    /// Makes the table.
    fn make(
        &self,
        options: Options,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<(Summary, Trail), GenerateError>;

    /// Bytes that are held while solving.
    fn solving(&self, options: Options, trail: Trail) -> u128;

    /// The greatest trail that a table of these rules can leave, whatever its positions are.
    fn greatest_trail(&self, options: Options) -> (Trail, u64);

    /// What proving a table takes, besides its file.
    fn proof(&self) -> ProofEstimate;
}

/// Tables of so much work are made to estimate greater ones: each takes some hundredths of a second.
const PILOT: u128 = 1 << 22;
/// What is found in a small table is taken for more in a greater one: by this share, and by this power of how many times
/// more work that is.
const MARGIN: f64 = 1.1;
const MARGIN_POWER: f64 = 0.06;
/// What the program takes by itself, and for each thread.
const PROGRAM: u128 = 7 << 20;
const THREAD: u128 = 256 << 10;

/// Estimates the table of a ruleset. Takes up to some tenths of a second.
#[must_use]
pub fn estimate(ruleset: &Ruleset, options: Options) -> Estimate {
    Estimate { positions: ruleset.positions(), ..with_rules!(ruleset, |rules| of_rules(rules, options)) }
}

/// Memory that no table of a ruleset exceeds while it is made, in bytes: known at once, and often far above what it
/// takes.
#[must_use]
pub fn greatest_memory(ruleset: &Ruleset, options: Options) -> u64 {
    fn greatest<G: Estimated>(rules: &G, options: Options) -> u64 {
        let (trail, file) = rules.greatest_trail(options);
        memory(rules, options, trail, file)
    }
    with_rules!(ruleset, |rules| greatest(rules, options))
}

/// Estimates what it takes to prove a table of a ruleset, of which the file has this length.
#[must_use]
pub fn estimate_proof(ruleset: &Ruleset, file: u64) -> ProofEstimate {
    let ProofEstimate { steps, memory } = with_rules!(ruleset, |rules| rules.proof());
    ProofEstimate { steps, memory: memory.saturating_add(file) }
}

fn memory(rules: &impl Estimated, options: Options, trail: Trail, file: u64) -> u64 {
    let program = PROGRAM + THREAD * parallel::threads() as u128;
    let all = program + rules.solving(options, trail) + u128::from(trail.packed) + u128::from(file);
    // What is freed is not all used again.
    u64::try_from(all + all / 16).unwrap_or(u64::MAX)
}

/// A small table that was made.
struct Pilot {
    work: f64,
    trail: Trail,
    file: u64,
    time: Duration,
}

impl Pilot {
    /// Makes the table; `None` if there is no memory for it.
    fn fly(rules: &impl Estimated, options: Options) -> Option<Self> {
        let (began, mut trail) = (Instant::now(), Trail::default());
        let made = in_memory(|sink| {
            let made = rules.make(options, sink, &())?;
            trail = made.1;
            Ok::<_, GenerateError>(())
        });
        let file = made.ok()?.len() as u64;
        Some(Self { work: rules.work(options) as f64, trail, file, time: began.elapsed() })
    }
}

fn of_rules<G: Estimated>(rules: &G, options: Options) -> Estimate {
    let mut smaller = vec![rules.clone()];
    while let Some(last) = smaller.last()
        && last.work(options) > PILOT
        && let Some(half) = last.halved()
    {
        smaller.push(half);
    }
    // Of a small table all is known when it is made. For a larger one there is a second, smaller one to tell how things
    // grow.
    let last = smaller.pop().unwrap_or_else(|| rules.clone());
    let known = smaller.is_empty();
    let pilot = Pilot::fly(&last, options);
    let before = if known { None } else { last.halved().and_then(|half| Pilot::fly(&half, options)) };
    let (trail, file, time) = match (pilot, before) {
        (Some(pilot), _) if known => (pilot.trail, pilot.file, pilot.time),
        (Some(pilot), before) => {
            let by = rules.work(options) as f64 / pilot.work;
            let grown = |of: &dyn Fn(&Pilot) -> f64, least: f64, most: f64| {
                let slope = before
                    .as_ref()
                    .map_or(1.0, |before| (of(&pilot) / of(before)).ln() / (pilot.work / before.work).ln());
                let slope = if slope.is_finite() { slope.clamp(least, most) } else { most };
                of(&pilot) * by.powf(slope)
            };
            let margin = MARGIN * by.powf(MARGIN_POWER);
            let bytes =
                |of: &dyn Fn(&Pilot) -> u64| (margin * grown(&|pilot| of(pilot) as f64, 0.0, 1.0)) as u64;
            let trail = Trail {
                handed: bytes(&|pilot| pilot.trail.handed),
                packed: bytes(&|pilot| pilot.trail.packed),
            };
            let seconds = grown(&|pilot| pilot.time.as_secs_f64(), 0.7, 1.1);
            let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
            (trail, bytes(&|pilot| pilot.file), time)
        }
        (None, _) => (Trail::default(), 0, Duration::MAX),
    };
    let (most, most_file) = rules.greatest_trail(options);
    let trail = Trail { handed: trail.handed.min(most.handed), packed: trail.packed.min(most.packed) };
    let file = file.min(most_file);
    Estimate { positions: 0, memory: memory(rules, options, trail, file), file, time }
}
