//! What the user types.

mod draw;

use std::path::PathBuf;

use clap::{Args as Arguments, Parser, Subcommand, ValueEnum};

pub(crate) use draw::{Draw, GamePicture, Measure, Output, Picture};

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (table format 1)");

/// Solves Nim-like games completely, ahead of time.
///
/// `bouton generate` makes a table in which every position of a game has its outcome, its depth and its best
/// move; `bouton-lookup` answers from it during a match.
#[derive(Debug, Parser)]
#[command(name = "bouton", version = VERSION, propagate_version = true)]
#[command(
    after_help = "Exit status: 0 fine; 1 the table is wrong, or the two differ; 2 trouble (bad usage, unreadable or damaged file)."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve a ruleset and write its table.
    Generate(Generate),
    /// Prove a table right: every position from its successors, by the plain rules.
    Verify(Verify),
    /// Tell what is in a table.
    Info(Info),
    /// Print a ruleset as a file to start from.
    Rules(Rules),
    /// Compare two tables or rulesets, position by position.
    Diff(Diff),
    /// Write positions as rows that other programs read.
    Export(Export),
    /// Look for order in a table: periods, gaps, Grundy values, theorems.
    Analyze(Analyze),
    /// Draw pictures: planes of positions, what differs, starts, the map of a small game, a recorded game.
    Draw(Draw),
}

/// A ruleset, by preset or file, and changes to it.
#[derive(Debug, Arguments)]
pub(crate) struct Which {
    /// A preset's name (`bouton rules --list` tells them), or the path of a TOML file.
    #[arg(default_value = "expanding")]
    pub(crate) ruleset: String,
    /// Override one key of the ruleset, for example --set growth=2 or --set resets=1,1; may be given again.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// A table, or a ruleset and changes to it.
#[derive(Debug, Arguments)]
pub(crate) struct One {
    /// A table, or a ruleset (a preset's name or a TOML file), which is solved on the spot.
    pub(crate) table: String,
    /// Override one key of the ruleset; may be given again.
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) settings: Vec<String>,
}

/// Two of them.
#[derive(Debug, Arguments)]
pub(crate) struct Two {
    /// The first table or ruleset.
    pub(crate) a: String,
    /// The second.
    pub(crate) b: String,
    /// Override one key of ruleset A; may be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set_a: Vec<String>,
    /// Override one key of ruleset B; may be given again.
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set_b: Vec<String>,
}

#[derive(Debug, Arguments)]
pub(crate) struct Generate {
    #[command(flatten)]
    pub(crate) which: Which,
    /// Where to write the table; NAME.bouton in the current folder if left out.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Leave depths out: a far smaller table that still has every outcome and every winning move.
    #[arg(long)]
    pub(crate) no_depth: bool,
    /// Threads to use; all processors if left out.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Tell what the table would take, and make nothing.
    #[arg(long)]
    pub(crate) estimate: bool,
    /// Replace a file that is there already.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Verify {
    /// The table.
    pub(crate) file: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Info {
    /// The table.
    pub(crate) file: PathBuf,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Rules {
    #[command(flatten)]
    pub(crate) which: Which,
    /// List the presets instead.
    #[arg(long)]
    pub(crate) list: bool,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "A and B are tables, or rulesets (a preset's name or a TOML file), which are solved on the spot. The rules that differ, the \
                  positions that changed, the starts, and a line of play to a position with another outcome are told; --json has all of \
                  it for programs (docs/outputs.md).\n\nExit status: 0 every position is the same in both; 1 they differ; 2 trouble."
)]
pub(crate) struct Diff {
    #[command(flatten)]
    pub(crate) of: Two,
    /// How many differing positions to list.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub(crate) limit: u32,
    /// List only positions that differ in this.
    #[arg(long, value_enum, default_value_t = Only::Any, hide_default_value = true)]
    pub(crate) only: Only,
    /// Leave out depths, where rulesets are solved on the spot: faster. The best move is then the first that wins.
    #[arg(long)]
    pub(crate) no_depth: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing: the exit status tells.
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

/// In what listed positions differ.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Only {
    /// In anything.
    Any,
    /// Won in one and lost in the other.
    Outcome,
    /// In depth.
    Depth,
    /// In the set of winning moves.
    Winning,
    /// In the best move.
    Best,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "A filter, for example --where 'stones=1..200 turn=1 resets=4,4': all fields must be as they say; a number is written 7, \
                  1..20, 5.., ..9 or *. Fields of Expanding Nim: stones, currentmax, turn, resets (two), imposed (- or r). Of heap games: \
                  heaps (all of them, ascending), nonempty, total, passes. Of both: outcome (win or loss), depth, winning (number of \
                  winning moves). What stands in each column: docs/outputs.md."
)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) of: One,
    /// How to write the rows.
    #[arg(long, short, value_enum)]
    pub(crate) format: ExportFormat,
    /// Only positions whose fields are as these say.
    #[arg(long = "where", value_name = "FIELD=VALUE ...")]
    pub(crate) filter: Option<String>,
    /// Only positions of this outcome.
    #[arg(long, value_enum)]
    pub(crate) outcome: Option<OutcomeArg>,
    /// Leave out depths, where a ruleset is solved on the spot: faster. The best move is then the first that wins.
    #[arg(long)]
    pub(crate) no_depth: bool,
    /// Only positions with which a game can begin.
    #[arg(long)]
    pub(crate) starts: bool,
    /// Which sequence a b-file has.
    #[arg(long, value_enum)]
    pub(crate) sequence: Option<ExportSequence>,
    /// Where to write; to standard output if left out, or -.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace a file that is there already.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but errors, besides the rows.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "Of Expanding Nim: the losing numbers of stones along each line (positions with the same currentmax, turn, resets and \
                  imposed). Of heap games: whether the table agrees with the theorems of Bouton, Sprague and Grundy, Moore or Wythoff, and \
                  the Grundy values of heaps with their period. All that is told was checked at every position. --json: docs/outputs.md.\n\n\
                  Exit status: 0 fine; 1 the table is wrong, by the theorem that decides its game; 2 trouble."
)]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) of: One,
    /// Which lines of Expanding Nim, for example 'resets=4,4 turn=1'; those of the starts if left out.
    #[arg(long = "where", value_name = "FIELD=VALUE ...")]
    pub(crate) filter: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportFormat {
    /// Comma-separated values.
    Csv,
    /// Lines of JSON, as `bouton-lookup --json` prints them.
    Jsonl,
    /// A structured array for NumPy.
    Npy,
    /// A sequence, as the OEIS keeps them: n and a(n).
    Bfile,
}

/// An outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutcomeArg {
    /// Won for the player to move.
    Win,
    /// Lost.
    Loss,
}

/// A sequence of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExportSequence {
    /// The losing numbers of stones (the default).
    Losing,
    /// The Grundy values of heaps of 0, 1, 2 and so on stones.
    Grundy,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_tells_the_format_that_is_read() {
        super::Args::command().debug_assert();
        assert!(super::VERSION.ends_with(&format!("(table format {})", bouton_tables::FORMAT_VERSION)));
    }
}
