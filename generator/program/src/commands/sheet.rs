//! `bouton sheet`: prints a sheet of paper for a player at the board.

use std::error::Error;
use std::path::{Path, PathBuf};

use bouton_draw::handout;
use bouton_study::sheet::{sheet, sheet_fits};
use bouton_tables::input::is_stream;

use super::ExitResult;
use super::picture_file::PictureTarget;
use crate::args::Sheet;
use crate::source;

/// Pixels of a PNG for each unit.
const SCALE: u32 = 2;

pub(crate) fn run(args: &Sheet) -> ExitResult {
    let file = args.output.clone().map_or_else(|| default_file(&args.input.table), Ok)?;
    let target = PictureTarget::new(&file, args.format, args.force, None)?;
    let mut input = source::read_input(&args.input)?;
    sheet_fits(&input.ruleset)?;
    let pages = handout(&sheet(&input.take_table(false, args.quiet)?)?, args.paper);
    target.write(&pages, SCALE, args.quiet)
}

/// Returns the default file of a sheet: in the current folder, named after the table or ruleset.
fn default_file(table: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let name = table
        .file_stem()
        .filter(|_| !is_stream(table))
        .ok_or("a stream gives the sheet no name; name its file with -o")?;
    let mut file = name.to_owned();
    file.push("-sheet.pdf");
    Ok(file.into())
}
