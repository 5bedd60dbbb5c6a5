//! How much a table takes, before it is made.
//!
//! What the solvers hold follows from the ruleset. How far positions resemble each other does not: that is found by making
//! one or two small tables of the same game, which takes some tenths of a second, and going on from there.

use std::time::{Duration, Instant};

use bouton_tables::format::in_memory;
use bouton_tables::{Ruleset, with_rules};

use crate::generate::Solvable;
use crate::{GenerateError, Options, Resources, parallel};

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
    /// Memory that it takes at the most, in bytes, with as many threads as there are now.
    pub memory: u64,
    /// Memory with which it can do, in bytes: verdicts are then made again whenever they are needed. Only heap games can do with
    /// less than the most.
    pub least: u64,
}

/// What was held while a table was made, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Trail {
    /// All that solvers handed over to be packed.
    pub(crate) handed: u128,
    /// What packing gathered.
    pub(crate) packed: u128,
    /// The file.
    pub(crate) file: u128,
}

/// A family whose tables can be estimated.
pub(crate) trait Estimated: Solvable {
    /// The game that is solved instead: one with the same answers. All that follows but the proof is asked of it.
    fn solved_as(&self) -> Self {
        self.clone()
    }

    /// About how many places a solver goes through: what time and memory follow.
    fn work(&self, options: Options) -> u128;

    /// The greatest power of the work with which what packing gathers, and the file, grow.
    fn grows_by(&self, _: Options) -> f64 {
        1.0
    }

    /// The same game within bounds about half as large. `None` if there is none.
    fn halved(&self) -> Option<Self>;

    /// Bytes that are held while solving.
    fn solving(&self, options: Options, trail: Trail) -> u128;

    /// The greatest trail that a table of these rules can leave, whatever its positions are.
    fn greatest_trail(&self, options: Options) -> Trail;

    /// What a table takes that is made otherwise than by solving all positions: the most bytes of memory, the bytes of
    /// the file, and about how long it takes.
    fn without_solving(&self, _: Options) -> Option<(u128, u64, Duration)> {
        None
    }

    /// Bytes that are held while solving, if what does not fit lies in a work folder, and the most bytes of that folder. `None` if
    /// nothing can lie there.
    fn solving_at_least(&self, _: Options) -> Option<(u128, u128)> {
        None
    }

    /// What it takes several processes to solve this together; `None` if one of them does it alone.
    fn solving_together(&self, _: Options, _: usize) -> Option<Together> {
        None
    }

    /// Steps of a proof, and the bytes that it holds besides the file: at the most, and at the least.
    fn proof(&self) -> (u64, [u128; 2]);
}

/// Tables of so much work are made to estimate greater ones: each takes some tenths of a second. Much smaller ones have
/// lost positions that follow rules of their own.
const PILOT: u128 = 1 << 24;
/// What is found in a small table is taken for more in a greater one: by this share, and by this power of how many times
/// more work that is.
const MARGIN: f64 = 1.1;
const MARGIN_POWER: f64 = 0.06;
/// Bytes of a file that are the same for each size of a game.
const FIXED: u128 = 256;
/// From one size of a game to the next small files may have another form, and be longer by a quarter, or by so many bytes.
const OTHER_FORM: u128 = 2 << 10;
/// The header of a game of which another is solved is longer than that of the other by so many bytes at the most.
const OTHER_HEADER: u128 = 64;
/// What the program takes by itself, and for each thread.
const PROGRAM: u128 = 8 << 20;
const THREAD: u128 = 256 << 10;
/// What a proof takes besides verdicts and the file.
const PROOF: u128 = 32 << 20;

/// Estimates the table of a ruleset. Takes up to some tenths of a second.
pub fn estimate(ruleset: &Ruleset, options: Options) -> Estimate {
    let positions = ruleset.positions();
    with_rules!(ruleset, |rules| {
        let rules = &rules.solved_as();
        if let Some((most, file, time)) = rules.without_solving(options) {
            return Estimate { positions, memory: memory(most, Trail::default()), file, time };
        }
        let (mut trail, time) = foreseen(rules, options);
        if rules.positions() < positions {
            trail.file += OTHER_HEADER;
        }
        Estimate {
            positions,
            memory: memory(rules.solving(options, trail), trail),
            file: capped(trail.file),
            time,
        }
    })
}

/// Memory that no table of a ruleset exceeds while it is made, in bytes: known at once, and often far above what it
/// takes.
pub fn greatest_memory(ruleset: &Ruleset, options: Options) -> u64 {
    with_rules!(ruleset, |rules| {
        let rules = &rules.solved_as();
        if let Some((most, _, _)) = rules.without_solving(options) {
            return memory(most, Trail::default());
        }
        let trail = rules.greatest_trail(options);
        memory(rules.solving(options, trail), trail)
    })
}

/// With how little memory a table can be made, if what does not fit lies in a work folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Least {
    /// Memory, in bytes.
    pub memory: u64,
    /// The most bytes that the folder then takes.
    pub folder: u64,
}

/// With how little memory a table can be made. `None` if its game is solved in memory only.
pub fn least_memory(ruleset: &Ruleset, options: Options) -> Option<Least> {
    let (solving, folder) = with_rules!(ruleset, |rules| rules.solved_as().solving_at_least(options))?;
    Some(Least { memory: memory_of_blocks(solving), folder: capped(folder) })
}

/// What it takes several processes to make a table together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Together {
    /// Memory of the first process, which also packs the table, in bytes: no other one takes more.
    pub memory: u64,
    /// Memory of each other process, at the most, in bytes.
    pub others: u64,
    /// Messages with what was found out that processes send each other, in all.
    pub messages: u64,
    /// Bytes of all these messages.
    pub bytes: u64,
    /// Bytes that are waited for: of each stage of the work those of the process that sends and receives most.
    pub waited_for: u64,
    /// The share of the time that processes have work to do while they solve, if messages took no time: between 0 and 1. As the
    /// work is cut into a certain number of parts, it falls with the number of processes.
    pub busy: f64,
}

/// What it takes so many processes to make a table together, each with as many threads as there are now. It is known exactly,
/// without a trial. `None` if one of them makes it alone, as the game is not one that can be dealt out.
pub fn estimate_together(ruleset: &Ruleset, options: Options, processes: usize) -> Option<Together> {
    let solving = with_rules!(ruleset, |rules| rules.solved_as().solving_together(options, processes))?;
    let [first, others] = [solving.memory, solving.others].map(|bytes| memory_of_blocks(bytes.into()));
    Some(Together { memory: first, others, ..solving })
}

/// Memory that is left for solving if the process may use so much.
pub(crate) fn for_solving(memory: u64) -> u64 {
    // Blocks have pages of their own, which are all used again.
    capped((u128::from(memory) * 63 / 64).saturating_sub(program()))
}

/// Whether a table takes more than so much memory to make.
pub(crate) fn beyond(rules: &impl Estimated, options: Options, limit: u64) -> bool {
    let needs = |trail| memory(rules.solving(options, trail), trail);
    // It is seldom that packing takes more than solving does.
    let few = needs(Trail::default()).saturating_mul(4);
    needs(rules.greatest_trail(options)).min(few) > limit && needs(foreseen(rules, options).0) > limit
}

/// What packing a table gathers.
pub(crate) fn packed(rules: &impl Estimated, options: Options) -> u128 {
    foreseen(rules, options).0.packed
}

/// Estimates what it takes to prove a table of a ruleset, of which the file has this length.
pub fn estimate_proof(ruleset: &Ruleset, file: u64) -> ProofEstimate {
    let (steps, held) = with_rules!(ruleset, |rules| rules.proof());
    let [memory, least] = held.map(|held| proof(held, file));
    ProofEstimate { steps, memory, least }
}

/// Memory of a proof that holds so many bytes besides a file of this length.
pub(crate) fn proof(held: u128, file: u64) -> u64 {
    capped(PROOF + THREAD * parallel::threads() as u128 + held + u128::from(file))
}

/// Memory that is left for what a proof holds, if the process may use so much.
pub(crate) fn for_proof(memory: u64, file: u64) -> u64 {
    memory.saturating_sub(proof(0, file))
}

/// A number of bytes, or the greatest one if there are more.
fn capped(bytes: u128) -> u64 {
    u64::try_from(bytes).unwrap_or(u64::MAX)
}

/// Memory where so much is held while solving, and such a trail is left.
fn memory(solving: u128, trail: Trail) -> u64 {
    let all = program() + solving + trail.packed + trail.file;
    // What is freed is not all used again.
    capped(all + all / 10)
}

/// Memory where so much is held in blocks, which have pages of their own.
fn memory_of_blocks(bytes: u128) -> u64 {
    let all = program() + bytes;
    capped(all + all / 16)
}

/// What the program takes by itself.
fn program() -> u128 {
    PROGRAM + THREAD * parallel::threads() as u128
}

/// Small tables are made again for so long.
const QUICK: Duration = Duration::from_millis(60);

/// A small table that was made.
struct Pilot {
    work: f64,
    trail: Trail,
    time: Duration,
}

impl Pilot {
    /// Makes the table, several times if that is quick: what else the machine does makes it slower, and nothing faster.
    /// `None` if there is no memory for it.
    fn fly(rules: &impl Estimated, options: Options) -> Option<Self> {
        let (first, mut trail, mut time) = (Instant::now(), Trail::default(), Duration::MAX);
        while time == Duration::MAX || first.elapsed() < QUICK {
            let began = Instant::now();
            let made = in_memory(|sink| {
                (_, trail) = rules.make(options, &Resources::default(), sink, &())?;
                Ok::<_, GenerateError>(())
            });
            made.ok()?;
            time = time.min(began.elapsed());
        }
        Some(Self { work: rules.work(options) as f64, trail, time })
    }
}

/// What a table will leave behind, and how long it takes.
fn foreseen(rules: &impl Estimated, options: Options) -> (Trail, Duration) {
    let mut small = rules.clone();
    while small.work(options) > PILOT
        && let Some(half) = small.halved()
    {
        small = half;
    }
    let greatest = rules.greatest_trail(options);
    let Some(pilot) = Pilot::fly(&small, options) else { return (greatest, Duration::MAX) };
    let by = rules.work(options) as f64 / pilot.work;
    // Of a small table all is known when it is made.
    if by <= 1.0 {
        return (pilot.trail, pilot.time);
    }
    // For a larger one there is a second, smaller one to tell how things grow.
    let before = small.halved().and_then(|half| Pilot::fly(&half, options));
    let grown = |of: &dyn Fn(&Pilot) -> f64, least: f64, most: f64| {
        let slope = before
            .as_ref()
            .map_or(1.0, |before| (of(&pilot) / of(before)).ln() / (pilot.work / before.work).ln());
        let slope = if slope.is_finite() { slope.clamp(least, most) } else { most };
        of(&pilot) * by.powf(slope)
    };
    let margin = MARGIN * by.powf(MARGIN_POWER);
    let bytes = |of: fn(&Trail) -> u128| {
        let bytes = margin * grown(&|pilot| of(&pilot.trail) as f64, 0.0, rules.grows_by(options));
        (bytes as u128).min(of(&greatest))
    };
    let mut trail = Trail {
        handed: bytes(|trail| trail.handed),
        packed: bytes(|trail| trail.packed),
        file: FIXED + bytes(|trail| trail.file.saturating_sub(FIXED)),
    };
    trail.file = (trail.file + OTHER_FORM.min(trail.file / 4)).min(greatest.file);
    let seconds = grown(&|pilot| pilot.time.as_secs_f64(), 0.7, 1.1);
    (trail, Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX))
}
