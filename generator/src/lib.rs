//! Solves Nim-like games completely, ahead of time, and proves tables right.
//!
//! [`generate`] makes the table of a ruleset and writes it wherever it is told; [`generate_in_memory`] does so into
//! memory. [`estimate`] says beforehand what that takes, and [`verify`] checks a table position by position
//! against the plain rules. Each works for every family of games; the families' own
//! solvers are the modules `expanding` and [`heaps`]. Nothing here knows of progress bars, or writes files but those of a work
//! folder, if [`generate_with`] is given one.
//!
//! ```
//! use bouton_generator::{generate_in_memory, verify};
//! use bouton_tables::{FamilyTable, Game, Solved, Table, rulesets};
//!
//! let ruleset = rulesets::find("expanding", &["stones=50".to_owned()])?.ruleset;
//! let table = Table::open(generate_in_memory(&ruleset, true)?)?;
//! verify(&table, &|_| {})?;
//!
//! let FamilyTable::Expanding(expanding) = table.family() else { panic!("it is another game") };
//! let answer = expanding.answer(&expanding.game().parse_position("50")?)?;
//! println!("50 stones: {} in {:?} plies", answer.verdict.outcome, answer.verdict.depth);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod census;
mod clock;
mod control;
mod estimate;
mod expanding;
mod generate;
pub mod heaps;
mod memory;
mod parallel;
mod peers;
mod proof;
mod stopwatch;
mod work;

pub use census::Census;
pub use control::{Control, Event, Phase};
pub use estimate::{
    Beyond, Estimate, Least, ProofEstimate, TimeTogether, Together, enough_processes, estimate,
    estimate_proof, estimate_together, greatest_memory, least_memory, memory_beyond,
};
pub use generate::{
    GenerateError, Options, Resources, Summary, assist, generate, generate_in_memory, generate_small,
    generate_with, tidy_work,
};
pub use peers::{Parcel, Peers};
pub use proof::{
    ByClasses, ByClassesError, Checked, Counts, Flaw, ProofRecord, ProofWritten, RecordError, VerifyError,
    VerifyOptions, look_at_record, may_be_proved_by_classes, throw_away_record, verify, verify_by_classes,
    verify_with,
};
pub use work::{Progress as WorkProgress, WorkError, look as look_at_work, throw_away};

/// Told how much more work is done, from any thread.
pub type Progress<'a> = dyn Fn(u64) + Sync + 'a;
