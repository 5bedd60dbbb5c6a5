//! How much a table takes, before it is made.
//!
//! What the solvers hold follows from the ruleset. How far positions resemble each other does not: that is found by making
//! one or two small tables of the same game, which takes some tenths of a second, and going on from there.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;

use bouton_tables::format::in_memory;
use bouton_tables::{Ruleset, with_rules};

use crate::clock::Instant;
use crate::generate::Solvable;
use crate::stopwatch::Stopwatch;
use crate::{Control, GenerateError, Options, Phase, Resources, parallel};

/// What making a table takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Estimate {
    /// Positions of the table, as its header counts them.
    pub positions: u64,
    /// Memory that [`generate`](crate::generate) takes at the most, in bytes, with as many threads as there are now.
    pub memory: u64,
    /// Length of the file, in bytes.
    pub file: u64,
    /// About how long it takes on this machine, if nothing else is to be done.
    pub time: Duration,
    /// How much of that is for solving, which several processes can share.
    pub solving: Duration,
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
    /// The most that they kept at once of what they had solved.
    pub(crate) kept: u128,
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

    /// The least power of the work with which the file grows, where it grows with it at all, and the greatest with which it and all
    /// that is held grow.
    fn grows_by(&self, _: Options) -> [f64; 2] {
        [0.0, 1.0]
    }

    /// The same game within bounds about half as large. `None` if there is none.
    fn halved(&self) -> Option<Self>;

    /// The largest game within smaller bounds that is no more work than that. `None` if there is none.
    fn within(&self, _: Options, _: u128) -> Option<Self> {
        None
    }

    /// A smaller game that is to be tried, of so much work at the most, and a smaller one still that tells how things grow.
    fn trials(&self, options: Options, most: u128) -> (Self, Option<Self>) {
        by_halves(self, options, most)
    }

    /// Two smaller games with as great heaps, one with a heap less than the other: where files of games with one heap more are longer by
    /// the same number of bytes each time. How many heaps more than the first one this game has.
    fn with_fewer_heaps(&self, _: Options) -> Option<([Self; 2], u32)> {
        None
    }

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

    /// The least number of processes with which what each of them holds to solve this together fits its memory; `None` if there is none.
    fn enough_processes(&self, _: Options, _: &dyn Fn(u64) -> bool) -> Option<usize> {
        None
    }

    /// Steps of a proof, and the bytes that it holds besides the file: at the most, and at the least.
    fn proof(&self) -> (u64, [u128; 2]);
}

/// The first of a game's halves that is no more work than that, and its half.
pub(crate) fn by_halves<R: Estimated>(rules: &R, options: Options, most: u128) -> (R, Option<R>) {
    let mut small = rules.clone();
    while small.work(options) > most
        && let Some(half) = small.halved()
    {
        small = half;
    }
    let half = small.halved();
    (small, half)
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
/// What it takes more to prove a table, whose file is read by other code than that which makes it.
const FOR_A_PROOF: u128 = 1 << 20;
/// What it takes more where it has all that a debugger wants.
const FOR_A_DEBUGGER: u128 = 1 << 20;

/// Estimates the table of a ruleset. Takes up to some tenths of a second.
pub fn estimate(ruleset: &Ruleset, options: Options) -> Estimate {
    let positions = ruleset.positions();
    with_rules!(ruleset, |rules| {
        let rules = &rules.solved_as();
        if let Some((most, file, time)) = rules.without_solving(options) {
            let memory = memory(most, Trail::default());
            return Estimate { positions, memory, file, time, solving: Duration::ZERO };
        }
        let Foreseen { mut trail, times: [time, solving], .. } = foreseen(rules, options);
        if rules.positions() < positions {
            trail.file += OTHER_HEADER;
        }
        Estimate {
            positions,
            memory: memory(rules.solving(options, trail), trail),
            file: capped(trail.file),
            time,
            solving,
        }
    })
}

/// Memory that [`estimate`] tells of any table of a ruleset at the least, in bytes: what follows from the rules alone, known at once and
/// without a trial.
fn certain_memory(ruleset: &Ruleset, options: Options) -> u64 {
    with_rules!(ruleset, |rules| {
        let rules = &rules.solved_as();
        let held = match rules.without_solving(options) {
            Some((most, _, _)) => most,
            None => rules.solving(options, Trail::default()),
        };
        memory(held, Trail::default())
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

/// Memory that making a table takes, where that is more than there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beyond {
    /// In bytes.
    pub bytes: u64,
    /// Whether it takes so much at the least, and not about so much.
    pub at_least: bool,
}

/// What making a table takes if that is more than a limit, all in memory; `None` if it is not. Small games are made for a trial only where
/// the rules alone leave it open: a trial takes memory and time too.
pub fn memory_beyond(ruleset: &Ruleset, options: Options, limit: u64) -> Option<Beyond> {
    if greatest_memory(ruleset, options) <= limit {
        return None;
    }
    let certain = certain_memory(ruleset, options);
    if certain > limit {
        return Some(Beyond { bytes: certain, at_least: true });
    }
    let bytes = estimate(ruleset, options).memory;
    (bytes > limit).then_some(Beyond { bytes, at_least: false })
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

/// Bytes of messages that a process sends and receives in a second, where networks are quick.
const NETWORK: f64 = 1e9;

/// How long several processes take to make a table together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeTogether {
    /// To solve.
    pub solving: Duration,
    /// For messages, where a process sends and receives a gigabyte in a second.
    pub messages: Duration,
    /// For all else, which the first process does alone.
    pub packing: Duration,
}

impl TimeTogether {
    /// In all.
    #[must_use]
    pub fn sum(&self) -> Duration {
        self.solving.saturating_add(self.messages).saturating_add(self.packing)
    }
}

impl Together {
    /// How long so many processes take, each of which would take as long by itself as told: it has processors of its own for its threads.
    #[must_use]
    pub fn time(&self, processes: usize, alone: &Estimate) -> TimeTogether {
        let seconds = |seconds: f64| Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        TimeTogether {
            solving: seconds(alone.solving.as_secs_f64() / (processes as f64 * self.busy)),
            messages: seconds(self.waited_for as f64 / NETWORK),
            packing: alone.time.saturating_sub(alone.solving),
        }
    }
}

/// What it takes so many processes to make a table together, each with as many threads as there are now. It is known exactly,
/// without a trial. `None` if one of them makes it alone, as the game is not one that can be dealt out.
pub fn estimate_together(ruleset: &Ruleset, options: Options, processes: usize) -> Option<Together> {
    let solving = with_rules!(ruleset, |rules| rules.solved_as().solving_together(options, processes))?;
    let [first, others] = [solving.memory, solving.others].map(|bytes| memory_of_blocks(bytes.into()));
    Some(Together { memory: first, others, ..solving })
}

/// The least number of processes with which each of them needs no more than so much memory to make a table together. `None` if there is no
/// such number.
pub fn enough_processes(ruleset: &Ruleset, options: Options, memory: u64) -> Option<usize> {
    let fits = |bytes: u64| memory_of_blocks(bytes.into()) <= memory;
    with_rules!(ruleset, |rules| rules.solved_as().enough_processes(options, &fits))
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
    needs(rules.greatest_trail(options)).min(few) > limit && needs(foreseen(rules, options).trail) > limit
}

/// What packing a table gathers, and what is held while that is found out.
pub(crate) fn packed(rules: &impl Estimated, options: Options) -> [u128; 2] {
    let Foreseen { trail, held, .. } = foreseen(rules, options);
    [trail.packed, held]
}

/// Estimates what it takes to prove a table of a ruleset, of which the file has this length.
pub fn estimate_proof(ruleset: &Ruleset, file: u64) -> ProofEstimate {
    let (steps, held) = with_rules!(ruleset, |rules| rules.proof());
    let [memory, least] = held.map(|held| proof(held, file));
    ProofEstimate { steps, memory, least }
}

/// Memory of a proof that holds so many bytes besides a file of this length.
pub(crate) fn proof(held: u128, file: u64) -> u64 {
    capped(program() + FOR_A_PROOF + held + u128::from(file))
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
    let all = program() + FOR_A_DEBUGGER + solving + trail.packed + trail.file;
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
/// What takes less time says nothing of how time grows.
const MOMENT: Duration = Duration::from_millis(20);

/// A small table that was made.
struct Pilot {
    work: f64,
    trail: Trail,
    time: Duration,
    /// How much of that was for solving.
    solving: Duration,
    /// Bytes that were held for it.
    held: u128,
}

/// Notes when a table is solved, and is packed from then on.
struct Solved<'a> {
    watch: &'a Stopwatch,
    after: OnceLock<Duration>,
}

impl Control for Solved<'_> {
    fn begin(&self, phase: Phase, _: u64) {
        if phase == Phase::Packing {
            self.after.get_or_init(|| self.watch.read());
        }
    }
}

impl Pilot {
    /// Makes the table, several times if that is quick: what else the machine does makes it slower, and nothing faster.
    /// `None` if there is no memory for it.
    fn fly(rules: &impl Estimated, options: Options) -> Option<Self> {
        let first = Instant::now();
        let mut best = Self::fly_once(rules, options)?;
        while first.elapsed() < QUICK {
            let another = Self::fly_once(rules, options)?;
            if another.time < best.time {
                best = another;
            }
        }
        Some(best)
    }

    /// Makes the table, of which the time does not matter.
    fn fly_once(rules: &impl Estimated, options: Options) -> Option<Self> {
        let watch = Stopwatch::start();
        let solved = Solved { watch: &watch, after: OnceLock::new() };
        let mut trail = Trail::default();
        let made = in_memory(|sink| {
            (_, trail) = rules.make(options, &Resources::default(), sink, &solved)?;
            Ok::<_, GenerateError>(())
        });
        made.ok()?;
        let time = watch.read();
        let solving = solved.after.into_inner().unwrap_or(time).min(time);
        let held = rules.solving(options, trail) + trail.packed + trail.file;
        Some(Self { work: rules.work(options) as f64, trail, time, solving, held })
    }

    /// With which power of the work something grows from another, smaller table to this one.
    fn slope(&self, before: &Self, of: impl Fn(&Self) -> f64) -> f64 {
        (of(self) / of(before)).ln() / (self.work / before.work).ln()
    }
}

/// Bytes of a file but for those that are the same for each size of a game.
fn length(pilot: &Pilot) -> f64 {
    pilot.trail.file.saturating_sub(FIXED) as f64
}

/// What is foreseen of a table, from small ones.
#[derive(Clone, Copy)]
struct Foreseen {
    /// What it will leave behind.
    trail: Trail,
    /// How long it takes: in all, and to solve.
    times: [Duration; 2],
    /// Bytes that were held to find that out, by one small table after the other: what is freed is not all used again.
    held: u128,
}

/// A ruleset, whether with depths, and how many threads there are.
type Asked = (Ruleset, bool, usize);

/// What was foreseen last, and of what: it is asked for when a table is found to fit, again for how little memory it can do with, and
/// when it is made.
static LAST: Mutex<Option<(Asked, Foreseen)>> = Mutex::new(None);

fn foreseen<R: Estimated>(rules: &R, options: Options) -> Foreseen {
    let of = (rules.clone().into(), options.depths, parallel::threads());
    let last = || LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = last().as_ref().filter(|(known, _)| *known == of) {
        return *known;
    }
    let found = tried(rules, options);
    *last() = Some((of, found));
    found
}

/// What small tables tell, which are made now.
fn tried<R: Estimated>(rules: &R, options: Options) -> Foreseen {
    let (small, half) = rules.trials(options, PILOT);
    let greatest = rules.greatest_trail(options);
    let Some(pilot) = Pilot::fly(&small, options) else {
        return Foreseen { trail: greatest, times: [Duration::MAX; 2], held: 0 };
    };
    let mut held = pilot.held;
    let by = rules.work(options) as f64 / pilot.work;
    // Of a small table all is known when it is made.
    if by <= 1.0 {
        return Foreseen { trail: pilot.trail, times: [pilot.time, pilot.solving], held };
    }
    // For a larger one there is a second, smaller one to tell how things grow.
    let before = half.and_then(|half| Pilot::fly(&half, options));
    held += before.as_ref().map_or(0, |before| before.held);
    let [least, most] = rules.grows_by(options);
    let slope = |of: fn(&Pilot) -> f64, least: f64| {
        let slope = before.as_ref().map_or(1.0, |before| pilot.slope(before, of));
        // What grows by far less than the least does not follow the work.
        let least = if slope < least / 2.0 { 0.0 } else { least };
        if slope.is_finite() { slope.clamp(least, most) } else { most }
    };
    let margin = MARGIN * by.powf(MARGIN_POWER);
    let bytes_from =
        |least: f64, of: fn(&Pilot) -> f64| (margin * of(&pilot) * by.powf(slope(of, least))) as u128;
    let bytes = |of: fn(&Pilot) -> f64| bytes_from(0.0, of);
    let in_steps = rules.with_fewer_heaps(options).and_then(|(games, more)| {
        let [large, small] = games.map(|game| Pilot::fly_once(&game, options).map(|pilot| pilot.trail.file));
        let (large, small) = large.zip(small)?;
        Some((MARGIN * (large + u128::from(more) * large.saturating_sub(small)) as f64) as u128)
    });
    let of_file = in_steps.unwrap_or_else(|| FIXED + bytes_from(least, length));
    let handed = |pilot: &Pilot| pilot.trail.handed as f64;
    let kept = |pilot: &Pilot| pilot.trail.kept as f64;
    let packed = |pilot: &Pilot| pilot.trail.packed as f64;
    let trail = Trail {
        handed: bytes(handed).min(greatest.handed),
        kept: bytes(kept).min(greatest.kept),
        // What is packed is in the file at last.
        packed: bytes(packed).max(of_file).min(greatest.packed),
        file: (of_file + OTHER_FORM.min(of_file / 4)).min(greatest.file),
    };
    // The time is that of a game as large as can be tried: in small ones, threads wait for each other.
    let larger = rules.within(options, PILOT).filter(|larger| larger.work(options) as f64 > 2.0 * pilot.work);
    let before = before.filter(|before| before.time >= MOMENT);
    let slope = before.map_or(1.0, |before| pilot.slope(&before, |pilot| pilot.time.as_secs_f64()));
    let slope = if slope.is_finite() { slope.clamp(0.95, 1.05) } else { 1.0 };
    let larger = larger.and_then(|larger| Pilot::fly(&larger, options));
    held += larger.as_ref().map_or(0, |larger| larger.held);
    let timed = larger.unwrap_or(pilot);
    let times = (rules.work(options) as f64 / timed.work).powf(slope);
    let longer =
        |time: Duration| Duration::try_from_secs_f64(times * time.as_secs_f64()).unwrap_or(Duration::MAX);
    Foreseen { trail, times: [timed.time, timed.solving].map(longer), held }
}

#[cfg(test)]
mod tests {
    use bouton_tables::rulesets;

    use super::*;

    fn nim(settings: &[&str]) -> Ruleset {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        rulesets::find("nim", &settings).expect("an allowed ruleset").ruleset
    }

    const DEPTHS: Options = Options { depths: true };

    #[test]
    fn processes_share_the_time_to_solve_as_far_as_they_are_busy() {
        let ruleset = nim(&["heaps=8", "size=63"]);
        let alone = Estimate {
            positions: 1,
            memory: 1,
            file: 1,
            time: Duration::from_secs(3000),
            solving: Duration::from_secs(2000),
        };
        for processes in [1, 2, 16, 64, 1000] {
            let together = estimate_together(&ruleset, DEPTHS, processes).unwrap();
            let time = together.time(processes, &alone);
            let shared = time.solving.as_secs_f64() * together.busy * processes as f64;
            assert!((shared - 2000.0).abs() < 0.1, "{time:?}");
            assert_eq!(time.packing, Duration::from_secs(1000));
            assert_eq!(time.messages.is_zero(), processes == 1);
            assert_eq!(time.sum(), time.solving + time.messages + time.packing);
        }
    }

    #[test]
    fn what_is_certain_is_never_more_than_what_is_estimated() {
        let games: [(&[&str], bool); 6] = [
            (&["heaps=5", "size=20"], true),
            (&["heaps=5", "size=20"], false),
            (&["heaps=4", "size=20", "passes=1"], true),
            (&["heaps=4", "size=30", "take=[1,3,4]"], true),
            (&["heaps=4", "size=30", "take=5"], false),
            (&["heaps=3", "size=15", "heaps-per-move=2"], true),
        ];
        for (settings, depths) in games {
            let (ruleset, options) = (nim(settings), Options { depths });
            let (certain, all) = (certain_memory(&ruleset, options), estimate(&ruleset, options).memory);
            assert!(
                certain <= all && all <= greatest_memory(&ruleset, options),
                "{settings:?}: {certain}, {all}"
            );
            let beyond = |limit| memory_beyond(&ruleset, options, limit);
            assert_eq!(beyond(certain - 1), Some(Beyond { bytes: certain, at_least: true }));
            assert_eq!(beyond(u64::MAX), None);
            // A trial may take other time, but not other memory.
            let tried = (certain < all).then_some(Beyond { bytes: all, at_least: false });
            assert_eq!(beyond(certain.max(all - 1)), tried);
        }
    }

    #[test]
    fn as_many_processes_as_are_enough_are_and_fewer_are_not() {
        let ruleset = nim(&["heaps=6", "size=63"]);
        let needs = |processes| estimate_together(&ruleset, DEPTHS, processes).unwrap().memory;
        for limit in (16..32).map(|mebibytes: u64| mebibytes << 20) {
            let enough = enough_processes(&ruleset, DEPTHS, limit).expect("some number is enough");
            assert!(needs(enough) <= limit, "{enough} processes");
            assert!((2..enough).all(|fewer| needs(fewer) > limit), "{enough} processes");
        }
        let least = least_memory(&ruleset, DEPTHS).unwrap().memory;
        assert_eq!(enough_processes(&ruleset, DEPTHS, least - (1 << 20)), None);
        assert_eq!(enough_processes(&nim(&["heaps=3", "take=5"]), DEPTHS, u64::MAX), None);
    }
}
