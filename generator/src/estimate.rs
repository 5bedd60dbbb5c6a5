//! Estimates memory, file size and time before a table is made.
//!
//! The memory of most solvers follows from the ruleset. All other memory, and the length of the file, are extrapolated
//! from small tables of similar games (`extrapolation`).

use std::time::Duration;

use bouton_tables::{Ruleset, with_rules};

use crate::extrapolation::{Extrapolation, extrapolation};
use crate::family::{ClusterCost, Estimated, Measurement};
use crate::making::GenerateOptions;
use crate::memory::capped;
use crate::process_memory::{memory, memory_of_blocks, program_bytes};

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

/// Maximum number of bytes by which the header grows if a game with lower bounds is solved in place of the user's.
const MAX_HEADER_GROWTH: u128 = 64;
/// Bytes of the code that reads tables, for a proof.
const PROOF_CODE_BYTES: u128 = 1 << 20;

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

/// Returns a lower bound on [`Estimate::memory`], in bytes. The bound needs no trial run.
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

/// Memory for making a table, if it exceeds a limit.
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
    capped((u128::from(memory) * 63 / 64).saturating_sub(program_bytes()))
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

/// Returns the memory of a proof that uses `bytes` bytes in addition to a file of `file` bytes.
pub(crate) fn proof_memory(bytes: u128, file: u64) -> u64 {
    capped(program_bytes() + PROOF_CODE_BYTES + bytes + u128::from(file))
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
