//! The command line of `bouton draw`.

use std::path::PathBuf;

use bouton_draw::{Aspect, Measure, PictureSize};
use bouton_shell::whole;
use clap::{Args as Arguments, Subcommand};

use super::choices::{MEASURES, one_of};
use super::inputs::{OneInput, TwoInputs};
use crate::commands::picture_file::PictureFormat;

const WHERE_HELP: &str = "TABLE is a table, or a ruleset (a preset or a TOML file) to solve first.\n\n\
    Fields of --where, written 'FIELD=VALUE FIELD=VALUE ...': in Expanding Nim stones and currentmax (numbers or ranges such as 1..500), \
    turn, resets (two, such as 4,4) and imposed (- or r); in heap games heaps (two of them free, such as 3,*,*) and passes. Positions \
    that do not match outcome, depth or winning are omitted.";

#[derive(Debug, Subcommand)]
pub(crate) enum Picture {
    /// A plane of positions: stones and currentmax, or the sizes of two heaps.
    #[command(after_help = WHERE_HELP)]
    Heatmap(Heatmap),
    /// The same plane for two tables: which positions are won and lost in each.
    #[command(after_help = WHERE_HELP)]
    Diff(DiffPicture),
    /// Winning and losing starts of Expanding Nim, for every pair of resets.
    #[command(
        after_help = "Fields of --where: stones (a number or a range such as 1..500) and resets (two, such as 4,4 or 0..2,*)."
    )]
    Starts(Starts),
    /// The map of a small game: its positions by stones left, and all moves.
    GameMap(GameMap),
    /// A recorded game, ply by ply: who would win, how soon, and which moves gave the win away.
    Game(GamePicture),
}

/// Where a picture goes.
#[derive(Debug, Arguments)]
pub(crate) struct Output {
    /// The file to draw: FILE.svg, FILE.png, FILE.pdf, or FILE.tex, a tikzpicture for \input in a LaTeX document; - is standard output.
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Format of the picture [default: by the extension of FILE]
    #[arg(long, short, value_enum, hide_possible_values = true, value_name = "svg|png|pdf|tex")]
    pub(crate) format: Option<PictureFormat>,
    /// Size of the picture, in pixels (1600x900) or millimetres (180x120mm) [default: as large as needed]
    #[arg(long, value_name = "WIDTHxHEIGHT", value_parser = str::parse::<PictureSize>)]
    pub(crate) size: Option<PictureSize>,
    /// Pixels of a PNG for each pixel of the picture's size, 1 to 8; for PNG only [default: 2, or 1 with --size]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=8))]
    pub(crate) scale: Option<u32>,
    /// Replace an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    /// Print nothing but errors.
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct Heatmap {
    #[command(flatten)]
    pub(crate) input: OneInput,
    /// The measure that the colours show.
    #[arg(long = "of", value_parser = one_of(MEASURES), value_name = "WHAT", default_value = "outcome")]
    pub(crate) measure: Measure,
    /// Select the plane, and the positions in it (see below).
    #[arg(long = "where", value_name = "FILTER", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    /// Ratio of a cell's width to its height, such as 1:1 or 3:1 [default: squares for heaps, otherwise the ratio
    /// that fills 1000 by 400 units]
    #[arg(long, value_name = "W:H", value_parser = str::parse::<Aspect>)]
    pub(crate) aspect: Option<Aspect>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Arguments)]
pub(crate) struct DiffPicture {
    #[command(flatten)]
    pub(crate) inputs: TwoInputs,
    /// Select the plane (see below); each table has its own resets or passes unless they are given.
    #[arg(long = "where", value_name = "FILTER", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    /// Ratio of a cell's width to its height, such as 1:1 or 3:1 [default: squares for heaps, otherwise the ratio
    /// that fills 1000 by 400 units]
    #[arg(long, value_name = "W:H", value_parser = str::parse::<Aspect>)]
    pub(crate) aspect: Option<Aspect>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Arguments)]
pub(crate) struct Starts {
    #[command(flatten)]
    pub(crate) input: OneInput,
    /// Select stones and resets (see below).
    #[arg(long = "where", value_name = "FILTER", default_value = "", hide_default_value = true)]
    pub(crate) filter: String,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Arguments)]
pub(crate) struct GameMap {
    #[command(flatten)]
    pub(crate) input: OneInput,
    /// The position at the top, in notation [default: the start of the ruleset]
    #[arg(long, value_name = "POSITION")]
    pub(crate) from: Option<String>,
    #[command(flatten)]
    pub(crate) output: Output,
}

#[derive(Debug, Arguments)]
pub(crate) struct GamePicture {
    /// A transcript, made with `bouton-match play --record`.
    pub(crate) transcript: PathBuf,
    /// The number of the game's line in the transcript, from 1.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(1..=u32::MAX.into()))]
    pub(crate) game: u32,
    /// A table of the game's rules [default: solve the rules first]
    #[arg(long, value_name = "TABLE")]
    pub(crate) table: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: Output,
}
