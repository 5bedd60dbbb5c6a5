//! What each family of games provides to make tables and to estimate their cost.

use std::time::Duration;

use bouton_tables::Game;
use bouton_tables::format::Sink;

use crate::control::Control;
use crate::making::{GenerateError, GenerateOptions, Resources, Summary};

/// A family whose rulesets can be solved.
pub(crate) trait Solvable: Game {
    /// Solves the rules and writes their table. Also returns the bytes in use, for estimates.
    fn make(
        &self,
        options: GenerateOptions,
        resources: &Resources,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<(Summary, Measurement), GenerateError>;

    /// Does what [`make`](Self::make) does in memory, perhaps with short, slower solvers: a program that calls only
    /// this function is small (WebAssembly). By default uses the solvers of `make`.
    fn make_small(
        &self,
        options: GenerateOptions,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<Summary, GenerateError> {
        Ok(self.make(options, &Resources::default(), sink, control)?.0)
    }

    /// Does the share of a rank other than 0. By default rank 0 works alone.
    fn work_as_rank(&self, _: GenerateOptions, _: &Resources, _: &dyn Control) -> Result<(), GenerateError> {
        Ok(())
    }
}

/// Bytes in use while making a table.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Measurement {
    /// Bytes that solvers handed over to the packer, in all.
    pub(crate) handed_over: u128,
    /// Maximum bytes of solved positions that solvers kept at once.
    pub(crate) kept: u128,
    /// Bytes that the packer gathered, in all.
    pub(crate) packed: u128,
    /// Length of the file.
    pub(crate) file: u128,
}

/// A family whose tables can be estimated.
pub(crate) trait Estimated: Solvable {
    /// Returns a game with the same answers that is solved in place of this one. Call all methods below on that game,
    /// except [`Estimated::proof_steps`].
    fn effective_game(&self) -> Self {
        self.clone()
    }

    /// Approximate number of steps of the solver. Time and memory grow with it.
    fn work(&self, options: GenerateOptions) -> u128;

    /// Bounds `[least, most]` on exponents of growth. A file that grows with the work grows at least like work^least;
    /// file and memory grow at most like work^most.
    fn growth_exponents(&self, _: GenerateOptions) -> [f64; 2] {
        [0.0, 1.0]
    }

    /// Returns the same game with about half the bounds, if there is one.
    fn halved(&self) -> Option<Self>;

    /// Returns the same game with the largest smaller bounds for which its work is at most the given one, if there are
    /// such bounds.
    fn largest_game_within(&self, _: GenerateOptions, _: u128) -> Option<Self> {
        None
    }

    /// Returns a game of at most `most` work for the trial run, and a still smaller one to measure growth.
    fn trials(&self, options: GenerateOptions, most: u128) -> (Self, Option<Self>) {
        by_halves(self, options, most)
    }

    /// For games in which each further heap adds the same number of bytes to the file: returns two smaller games with
    /// the same bounds, the second with one heap less than the first, and how many heaps this game has more than the
    /// first.
    fn with_fewer_heaps(&self, _: GenerateOptions) -> Option<([Self; 2], u32)> {
        None
    }

    /// Bytes in use while solving.
    fn solving_bytes(&self, options: GenerateOptions, measurement: Measurement) -> u128;

    /// Upper bounds on the measured bytes of any table of these rules.
    fn greatest_measurement(&self, options: GenerateOptions) -> Measurement;

    /// For tables that are made without solving all positions: returns the maximum memory in bytes, the length of the
    /// file, and the approximate time.
    fn without_solving(&self, _: GenerateOptions) -> Option<(u128, u64, Duration)> {
        None
    }

    /// Minimum memory in bytes for solving with a work folder, and the maximum bytes of the folder. `None` if this game
    /// cannot use a work folder. Trial runs use at most the given number of bytes.
    fn least_memory_and_folder(&self, _: GenerateOptions, _: u64) -> Option<(u128, u128)> {
        None
    }

    /// Cost of solving with several ranks; `None` if rank 0 must work alone.
    fn cluster_cost(&self, _: GenerateOptions, _: usize) -> Option<ClusterCost> {
        None
    }

    /// Returns the least number of processes with which each share fits into the memory of its process; `None` if there
    /// is no such number.
    fn enough_processes(&self, _: GenerateOptions, _: &dyn Fn(u64) -> bool) -> Option<usize> {
        None
    }

    /// Returns the steps of a proof.
    fn proof_steps(&self) -> u64;
}

/// Resources that several processes need to make a table together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClusterCost {
    /// Memory of rank 0, which also packs the table, in bytes: the maximum of all ranks.
    pub memory: u64,
    /// Maximum memory of each other rank, in bytes.
    pub memory_of_others: u64,
    /// Messages with results between ranks, in all.
    pub messages: u64,
    /// Bytes of all these messages.
    pub bytes: u64,
    /// Bytes on the critical path: the sum over all stages of the bytes of the rank that sends and receives most.
    pub critical_path_bytes: u64,
    /// Efficiency while solving, between 0 and 1: the share of time in which a rank has work, if messages took no time.
    /// As the number of tasks is fixed, this falls with the number of processes.
    pub efficiency: f64,
}

/// Halves a game until its work is at most `most`. Returns the result, and its half.
pub(crate) fn by_halves<R: Estimated>(rules: &R, options: GenerateOptions, most: u128) -> (R, Option<R>) {
    let mut small = rules.clone();
    while small.work(options) > most
        && let Some(half) = small.halved()
    {
        small = half;
    }
    let half = small.halved();
    (small, half)
}
