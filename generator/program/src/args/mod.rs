//! The command line.

mod choices;
mod draw;
mod inputs;
mod size;

use std::path::PathBuf;

use bouton_draw::Paper;
use bouton_shell::{whole, whole_of};
use bouton_study::diff::DifferenceKind;
use bouton_study::export::Sequence;
use bouton_tables::Outcome;
use clap::{Args as Arguments, ColorChoice, Parser, Subcommand};

pub(crate) use choices::Rows;
use choices::{DIFFERENCES, FORMATS, OUTCOMES, PAPERS, SEQUENCES, one_of};
pub(crate) use draw::{GamePicture, Output, Picture};
pub(crate) use inputs::{OneInput, RulesetInput, TwoInputs};
use size::size;

use crate::commands::picture_file::PictureFormat;

const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (table format 1)");

/// Solves Nim-like games completely, ahead of time.
///
/// `bouton generate` makes a table in which every position of a game has its outcome, its depth and its best
/// move; `bouton-lookup` answers from it during a match.
#[derive(Debug, Parser)]
#[command(name = "bouton", version = VERSION, propagate_version = true)]
#[command(
    after_help = "Exit status: 0: success; 1: the answer is no: the table is wrong, the two games differ, or a claim \
                  is false; 2: an error; standard error says how to fix it."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Solve a ruleset and write its table.
    Generate(Generate),
    /// Prove that a table is right: check every position against its successors, by the plain rules.
    Verify(Verify),
    /// Show the contents of a table, or the progress of a work folder.
    Info(TableFiles),
    /// Print a ruleset as a TOML file to start from.
    Rules(Rules),
    /// Compare two tables or rulesets, position by position.
    Diff(DiffArgs),
    /// Export positions as rows for other programs.
    Export(Export),
    /// Look for patterns in a table: periods, gaps, Grundy values, theorems.
    Analyze(Analyze),
    /// Check a claim, for example about the lost positions, at all positions of a table.
    Check(Check),
    /// Draw pictures: planes of positions, differences, starts, the map of a small game, a recorded game.
    #[command(subcommand)]
    Draw(Picture),
    /// Print a sheet for the board on paper: which positions to leave the opponent, without a computer.
    Sheet(Sheet),
    /// Print completions for a shell, for this program or for bouton-lookup.
    Completions(Completions),
    /// Print a page for `man`, or write all pages to a folder, including the page of bouton-lookup.
    Man(bouton_shell::Pages),
}

#[derive(Debug, Arguments)]
#[group(skip)]
pub(crate) struct Completions {
    #[command(flatten)]
    pub(crate) shell: bouton_shell::Completions,
    /// The program to complete.
    #[arg(value_enum, default_value = "bouton")]
    pub(crate) program: DescribedProgram,
}

/// The programs for which `bouton` prints completions.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub(crate) enum DescribedProgram {
    Bouton,
    BoutonLookup,
}

/// Makes tables with several processes that MPI starts, on one machine or several: `mpirun -n 8 bouton-mpi generate ...`.
///
/// The table is the same as the table of `bouton generate`, to the last byte. For everything else, use `bouton`.
#[derive(Debug, Parser)]
// Output through MPI does not reach the user's terminal directly.
#[command(name = "bouton-mpi", version = VERSION, propagate_version = true, color = ColorChoice::Never)]
#[command(
    after_help = "Exit status: 0: success; 1: the table is wrong; 2: an error; standard error says how to fix it."
)]
pub(crate) struct ClusterArgs {
    #[command(subcommand)]
    pub(crate) command: ClusterCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ClusterCommand {
    /// Solve a ruleset and write its table. --memory and --threads apply to each process; FILE.work must be in a folder that all
    /// machines share.
    Generate(Generate),
    /// Prove that a table is right: check every position against its successors, by the plain rules. One process does this alone.
    Verify(Verify),
}

#[derive(Debug, Arguments)]
pub(crate) struct Generate {
    #[command(flatten)]
    pub(crate) input: RulesetInput,
    /// Where to write the table; - is standard output [default: NAME.bouton in the current folder]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Omit depths: the table is far smaller, and still has every outcome and every winning move. Expanding Nim of more
    /// than 1,000,000,000 stones is solved only without depths.
    #[arg(long)]
    pub(crate) no_depth: bool,
    /// Number of threads, 1 to 1024 [default: one per processor]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print how much memory, disk space and time the table would take, and stop.
    #[arg(long)]
    pub(crate) estimate: bool,
    /// With --estimate: the number of processes that make the table together (`bouton-mpi`), 1 to 100000.
    #[arg(long, value_name = "N", requires = "estimate", value_parser = whole::<u32>(1..=100_000))]
    pub(crate) processes: Option<u32>,
    /// Memory to use at most, for example 4GiB [default: the memory available]. A game that does not fit is solved with the work folder
    /// FILE.work, if it can be solved in parts.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
    /// Start even if the table seems to take more memory than is available.
    #[arg(long, conflicts_with = "memory")]
    pub(crate) allow_memory: bool,
    /// Discard what an interrupted run left in FILE.work, and start over.
    #[arg(long)]
    pub(crate) restart: bool,
    /// Seconds before the first checkpoint, and least seconds between two, 0 to 86400; an interrupted run resumes from
    /// the last checkpoint. Together, checkpoints take at most about a twentieth of the time [default: as their cost
    /// allows, but at least 10, and at most 300 before the first]
    #[arg(long, value_name = "SECONDS", value_parser = whole_of::<u64>("seconds", 0..=86_400))]
    pub(crate) checkpoint: Option<u64>,
    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors.
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Verify {
    #[command(flatten)]
    pub(crate) tables: TableFiles,
    /// Prove the outcomes by classes of heaps, for any number of heaps and in seconds. For tables without depths, of games
    /// without passes whose moves take from one heap.
    #[arg(long, conflicts_with = "memory")]
    pub(crate) by_classes: bool,
    /// Try every move of every position. By default whole lines are checked, which proves the same in far less time; heap
    /// games for which memory is short are proved by every move.
    #[arg(long, conflicts_with = "by_classes")]
    pub(crate) every_position: bool,
    /// Memory to use at most, for example 4GiB [default: the memory available]. By every move, a heap game takes far longer if four bytes
    /// for each position do not fit.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    pub(crate) memory: Option<u64>,
}

#[derive(Debug, Arguments)]
pub(crate) struct TableFiles {
    /// One table or several; - is standard input. `info` also shows a work folder.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print one JSON object for each file.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing but errors; the exit status is the answer.
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Rules {
    #[command(flatten)]
    pub(crate) input: RulesetInput,
    /// List the presets instead.
    #[arg(long)]
    pub(crate) list: bool,
    /// Print one JSON object; with --list, one for each preset.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "A and B are tables, or rulesets (a preset or a TOML file) to solve first. Prints the rules that differ, the \
                  positions that changed, the starts, and a line of play to a position with a different outcome; --json prints all of \
                  it for programs (docs/outputs.md).\n\nExit status: 0: every position is the same in both; 1: they differ; 2: an error."
)]
pub(crate) struct DiffArgs {
    #[command(flatten)]
    pub(crate) inputs: TwoInputs,
    /// Compare only which starts are won and lost, for games with too many positions to compare.
    #[arg(long, conflicts_with_all = ["limit", "only"])]
    pub(crate) starts: bool,
    /// Number of differing positions to list, 0 to 1000000.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = whole::<u32>(0..=1_000_000))]
    pub(crate) limit: u32,
    /// List only positions that differ in this aspect.
    #[arg(long, value_parser = one_of(DIFFERENCES), default_value = "any", hide_default_value = true)]
    pub(crate) only: DifferenceKind,
    /// Solve rulesets without depths, which is faster; the best move is then the first winning move.
    #[arg(long)]
    pub(crate) no_depth: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing; the exit status is the answer.
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "A filter, for example --where 'stones=1..200 turn=1 resets=4,4', selects the positions whose fields all match. A number is \
                  written 7, 1..20, 5.., ..9 or *. Fields of Expanding Nim: stones, currentmax, turn, resets (two), imposed (- or r). Of \
                  heap games: heaps (as many values as heaps, in any order), nonempty, total, passes. Of both families: outcome (win or loss), depth, winning \
                  (number of winning moves). docs/outputs.md describes each column."
)]
pub(crate) struct Export {
    #[command(flatten)]
    pub(crate) input: OneInput,
    /// The format of the rows.
    #[arg(long, short, value_parser = one_of(FORMATS))]
    pub(crate) format: Rows,
    /// Export only positions whose fields match.
    #[arg(long = "where", value_name = "FIELD=VALUE ...")]
    pub(crate) filter: Option<String>,
    /// Export only positions with this outcome.
    #[arg(long, value_parser = one_of(OUTCOMES))]
    pub(crate) outcome: Option<Outcome>,
    /// Solve a ruleset without depths, which is faster; the best move is then the first winning move.
    #[arg(long)]
    pub(crate) no_depth: bool,
    /// Export only positions from which a game can start.
    #[arg(long)]
    pub(crate) starts: bool,
    /// Add the Grundy value of each position (in misère play the genus), computed from the rules.
    #[arg(long)]
    pub(crate) grundy: bool,
    /// The sequence of a b-file.
    #[arg(long, value_parser = one_of(SEQUENCES))]
    pub(crate) sequence: Option<Sequence>,
    /// List the differences between neighbouring terms instead: a(n + 1) - a(n).
    #[arg(long)]
    pub(crate) differences: bool,
    /// The index n of the first term [default: as in the OEIS, 1 for losing numbers and pairs, 0 for others]
    #[arg(long, value_name = "N", value_parser = whole::<i32>(i32::MIN.into()..=i32::MAX.into()))]
    pub(crate) offset: Option<i32>,
    /// Where to write [default: -, standard output]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but the rows and errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "Expanding Nim: the losing numbers of stones along each line (positions with the same currentmax, turn, resets and \
                  imposed). Heap games: whether the table agrees with the theorems of Bouton, Sprague and Grundy, Moore or Wythoff, and \
                  the Grundy values of heaps with their period. Everything printed was checked at every position. docs/outputs.md \
                  describes the output of --json.\n\n\
                  Exit status: 0: success; 1: the theorem that decides the game proves the table wrong; 2: an error."
)]
pub(crate) struct Analyze {
    #[command(flatten)]
    pub(crate) input: OneInput,
    /// Print the quotient of a heap game instead: its elements, their products, the lost elements, and the element of each heap.
    #[arg(long, conflicts_with = "filter")]
    pub(crate) quotient: bool,
    /// Analyze only these lines of Expanding Nim, for example 'resets=4,4 turn=1' [default: the lines of the starts]
    #[arg(long = "where", value_name = "FIELD=VALUE ...")]
    pub(crate) filter: Option<String>,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Show no progress.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "An expression is written as in Python, for example 'xor(heaps) == 0', 'heaps[0] == floor((heaps[1] - heaps[0]) * (1 + sqrt(5)) \
                  / 2)' or 'stones % 4 == 0 if resets[0] == 0 else stones < 3'. It may name the fields of --where: in \
                  heap games heaps (a list, the least heap first), nonempty, total, passes; in Expanding Nim stones, currentmax, turn, resets \
                  (a list), imposed (true or false). Functions: xor, sum, min, max, sorted, mod, floor, sqrt, abs.\n\n\
                  The claim is that a position is lost if and only if the expression is true there. An expression that names won, lost, depth, winning \
                  (number of winning moves) or grundy (normal play) is claimed to be true at every position.\n\n\
                  Exit status: 0: true everywhere; 1: there are exceptions; 2: an error."
)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) input: OneInput,
    /// The claim, an expression (see below).
    #[arg(allow_hyphen_values = true)]
    pub(crate) expression: String,
    /// Check only positions whose fields match, for example 'total=..50'.
    #[arg(long = "where", value_name = "FIELD=VALUE ...")]
    pub(crate) filter: Option<String>,
    /// Check only positions from which a game can start.
    #[arg(long)]
    pub(crate) starts: bool,
    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing; the exit status is the answer.
    #[arg(long, short, conflicts_with = "json")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
#[command(
    after_help = "Expanding Nim: the numbers of stones to leave, by the limit and by the resets that both players have left, and how often \
                  simple rules about resets hold. Heap games: the theorem that decides the game, if one is known, and the lost \
                  positions, as far as there is room. Lists are shortened, but agree exactly with the table."
)]
pub(crate) struct Sheet {
    #[command(flatten)]
    pub(crate) input: OneInput,
    /// The file to write: FILE.pdf with a page for each sheet of paper, or FILE.svg, FILE.png or FILE.tex with all pages below each
    /// other; - is standard output [default: NAME-sheet.pdf in the current folder]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the sheet [default: by the extension of FILE]
    #[arg(long, short, value_enum, hide_possible_values = true, value_name = "svg|png|pdf|tex")]
    pub(crate) format: Option<PictureFormat>,
    /// The size of the paper.
    #[arg(long, value_parser = one_of(PAPERS), value_name = "PAPER", default_value = "a4")]
    pub(crate) paper: Paper,
    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent_and_names_the_format_that_is_read() {
        super::Args::command().debug_assert();
        assert!(super::VERSION.ends_with(&format!("(table format {})", bouton_tables::FORMAT_VERSION)));
    }
}
