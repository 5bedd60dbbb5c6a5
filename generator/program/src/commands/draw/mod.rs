//! `bouton draw`: draws pictures.

mod transcript;

use std::error::Error;

use bouton_draw::{Measure, PlaneOptions, Scene};
use bouton_record::GameRecord;

use super::ExitResult;
use super::picture_file::PictureTarget;
use crate::args::{GamePicture, Output, Picture};
use crate::progress::with_bar;
use crate::source;

pub(crate) fn run(picture: &Picture) -> ExitResult {
    match picture {
        Picture::Heatmap(args) => draw_picture(&args.output, |quiet| {
            // A filter may ask for depths too.
            let depths = args.measure == Measure::Depth || args.filter.contains("depth");
            let mut input = source::read_input(&args.input)?;
            let steps = bouton_draw::heatmap_fits(&input.ruleset, args.measure, &args.filter)?;
            let table = input.take_table(depths, quiet)?;
            Ok(with_bar(steps, "drawing", quiet, |progress| {
                let plane = PlaneOptions { filter: &args.filter, aspect: args.aspect, progress };
                bouton_draw::heatmap(&table, args.measure, plane)
            })?)
        }),
        Picture::Diff(args) => draw_picture(&args.output, |quiet| {
            let (mut a, mut b) = source::read_inputs(&args.inputs)?;
            let steps = bouton_draw::diff_fits(&a.ruleset, &b.ruleset, &args.filter)?;
            let (a, b) = (a.take_table(false, quiet)?, b.take_table(false, quiet)?);
            Ok(with_bar(steps, "drawing", quiet, |progress| {
                let plane = PlaneOptions { filter: &args.filter, aspect: args.aspect, progress };
                bouton_draw::diff(&a, &b, plane)
            })?)
        }),
        Picture::GameMap(args) => draw_picture(&args.output, |quiet| {
            let (mut input, from) = (source::read_input(&args.input)?, args.from.as_deref());
            bouton_draw::game_map_fits(&input.ruleset, from)?;
            Ok(Some(bouton_draw::game_map(&input.take_table(false, quiet)?, from)?))
        }),
        Picture::Starts(args) => draw_picture(&args.output, |quiet| {
            let mut input = source::read_input(&args.input)?;
            bouton_draw::starts_fit(&input.ruleset, &args.filter)?;
            Ok(bouton_draw::starts(&input.take_table(false, quiet)?, &args.filter)?)
        }),
        Picture::Game(args) => draw_picture(&args.output, |quiet| Ok(Some(draw_game(args, quiet)?))),
    }
}

/// Makes and writes a picture. Checks the file first.
fn draw_picture(
    output: &Output,
    make: impl FnOnce(bool) -> Result<Option<Scene>, Box<dyn Error>>,
) -> ExitResult {
    let target = PictureTarget::new(&output.file, output.format, output.force, output.scale)?;
    let nothing =
        "no position is selected: there is nothing to draw, and no file was made; select others with --where";
    let scene = make(output.quiet)?.ok_or(nothing)?;
    let scene = if let Some(size) = output.size { scene.sized(size)? } else { scene };
    // Without a requested size, two pixels for each unit make a picture sharp on any screen.
    let scale = output.scale.unwrap_or(if output.size.is_some() { 1 } else { 2 });
    target.write(&[scene], scale, output.quiet)
}

fn draw_game(args: &GamePicture, quiet: bool) -> Result<Scene, Box<dyn Error>> {
    let in_line =
        |error: &dyn std::fmt::Display| format!("{}, line {}: {error}", args.transcript.display(), args.game);
    let line = transcript::line(&args.transcript, args.game)?;
    let record = GameRecord::from_line(&line).map_err(|error| in_line(&error))?;
    bouton_draw::game_fits(&record).map_err(|error| in_line(&error))?;
    let table = match &args.table {
        Some(table) => source::read_named(table, &[])?.take_table(true, quiet)?,
        None => source::solve(&record.ruleset, true, quiet)?,
    };
    Ok(bouton_draw::game(&record, &table).map_err(|error| in_line(&error))?)
}
