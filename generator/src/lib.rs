//! Solves Nim-like games completely, ahead of time, and proves tables right.
//!
//! [`generate`] solves a ruleset and writes its table to a sink; [`generate_in_memory`] returns the table's bytes.
//! [`estimate`] predicts memory, file size and time. [`verify`] checks every position of a table against the plain
//! rules. These functions work for every family of games; the solvers of the families are the modules `expanding` and
//! [`heaps`]. This crate shows no progress bar. It writes no files, except in a work folder ([`generate_with`]).
//!
//! ```
//! use bouton_generator::{generate_in_memory, verify};
//! use bouton_tables::{FamilyTable, Game, Solved, Table, rulesets};
//!
//! let ruleset = rulesets::find("expanding", &["stones=50".to_owned()])?.ruleset;
//! let table = Table::open(generate_in_memory(&ruleset, true)?)?;
//! verify(&table)?;
//!
//! let FamilyTable::Expanding(expanding) = table.family() else { panic!("it is another game") };
//! let answer = expanding.answer(&expanding.game().parse_position("50")?)?;
//! println!("50 stones: {} in {:?} plies", answer.verdict.outcome, answer.verdict.depth);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod census;
mod clock;
mod communicator;
mod control;
mod estimate;
mod expanding;
mod extrapolation;
mod family;
mod generate;
pub mod heaps;
mod making;
mod memory;
mod parallel;
mod process_memory;
mod proof;
mod stopwatch;
mod verify;
mod work;

pub use census::Census;
pub use communicator::{Communicator, Message};
pub use control::{Control, Event, Phase};
pub use estimate::{
    ClusterTime, Estimate, MemoryWithFolder, NeededMemory, enough_processes, estimate, estimate_cluster,
    memory_beyond, memory_upper_bound, memory_with_folder,
};
pub use family::ClusterCost;
pub use generate::{
    generate, generate_in_memory, generate_small, generate_with, remove_finished_work, work_as_rank,
};
pub use heaps::{ByClasses, ByClassesError};
pub use making::{GenerateError, GenerateOptions, Resources, Summary};
pub use proof::{Counts, Flaw, VerifyError, VerifyOptions};
pub use verify::{can_be_proved_by_classes, verify, verify_by_classes, verify_with};
pub use work::{WorkError, WorkProgress, discard_work, read_work_progress};
