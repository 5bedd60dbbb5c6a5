//! The command line of `bouton sheet`.

use std::path::PathBuf;

use bouton_draw::Paper;
use clap::Args as Arguments;

use super::choices::{PAPERS, one_of};
use super::inputs::OneInput;
use crate::commands::picture_file::PictureFormat;

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
