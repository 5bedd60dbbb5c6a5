//! `bouton sheet`: what a player needs at the board, on paper.

use std::error::Error;
use std::path::{Path, PathBuf};

use bouton_draw::handout;
use bouton_study::sheet::{sheet, sheet_fits};
use bouton_tables::input::is_stream;

use super::Done;
use super::picture_file::Target;
use crate::args::Sheet;
use crate::{FINE, source};

/// Pixels of a PNG for each unit.
const SCALE: u32 = 2;

pub(crate) fn run(args: &Sheet) -> Done {
    let file = args.output.clone().map_or_else(|| usual(&args.of.table), Ok)?;
    let target = Target::look(&file, args.format, args.force, None)?;
    let named = source::look_at(&args.of)?;
    sheet_fits(named.ruleset())?;
    let pages = handout(&sheet(&named.open(false, args.quiet)?.table)?, args.paper);
    let size = target.write_pages(&pages, SCALE)?;
    if !args.quiet {
        target.tell(&size)?;
    }
    Ok(FINE)
}

/// The file of a table's or ruleset's sheet, if the user names none: in the current folder, after the name of the other.
fn usual(table: &Path) -> Result<PathBuf, Box<dyn Error>> {
    let name = table
        .file_stem()
        .filter(|_| !is_stream(table))
        .ok_or("there is no name to call the sheet after; name its file with -o")?;
    let mut file = name.to_owned();
    file.push("-sheet.pdf");
    Ok(file.into())
}
