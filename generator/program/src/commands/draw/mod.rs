//! `bouton draw`: draws pictures.

mod transcript;

use std::error::Error;

use bouton_draw::{Measure, PlaneOptions, Scene};
use bouton_record::GameRecord;

use super::ExitResult;
use super::picture_file::PictureTarget;
use crate::args::{Draw, GamePicture, Output, Picture};
use crate::progress::{bar, on_bar};
use crate::{FINE, source};

pub(crate) fn run(args: &Draw) -> ExitResult {
    match &args.picture {
        Picture::Heatmap(args) => drawn(&args.output, |quiet| {
            // A filter may ask for depths too.
            let depths = args.measure == Measure::Depth || args.filter.contains("depth");
            let named = source::read_input(&args.of)?;
            let steps = bouton_draw::heatmap_fits(named.ruleset(), args.measure, &args.filter)?;
            let source = named.open(depths, quiet)?;
            let bar = bar(steps, "drawing", quiet);
            let plane = PlaneOptions { filter: &args.filter, aspect: args.aspect, progress: &on_bar(&bar) };
            Ok(bouton_draw::heatmap(&source.table, args.measure, plane)?)
        }),
        Picture::Diff(args) => drawn(&args.output, |quiet| {
            let (a, b) = source::read_inputs(&args.of)?;
            let steps = bouton_draw::diff_fits(a.ruleset(), b.ruleset(), &args.filter)?;
            let (a, b) = (a.open(false, quiet)?, b.open(false, quiet)?);
            let bar = bar(steps, "drawing", quiet);
            let plane = PlaneOptions { filter: &args.filter, aspect: args.aspect, progress: &on_bar(&bar) };
            Ok(bouton_draw::diff(&a.table, &b.table, plane)?)
        }),
        Picture::GameMap(args) => drawn(&args.output, |quiet| {
            let (named, from) = (source::read_input(&args.of)?, args.from.as_deref());
            bouton_draw::game_map_fits(named.ruleset(), from)?;
            Ok(Some(bouton_draw::game_map(&named.open(false, quiet)?.table, from)?))
        }),
        Picture::Starts(args) => drawn(&args.output, |quiet| {
            let named = source::read_input(&args.of)?;
            bouton_draw::starts_fit(named.ruleset(), &args.filter)?;
            Ok(bouton_draw::starts(&named.open(false, quiet)?.table, &args.filter)?)
        }),
        Picture::Game(args) => drawn(&args.output, |quiet| Ok(Some(game(args, quiet)?))),
    }
}

/// Makes and writes a picture. Checks the file first.
fn drawn(output: &Output, make: impl FnOnce(bool) -> Result<Option<Scene>, Box<dyn Error>>) -> ExitResult {
    let target = PictureTarget::look(&output.file, output.format, output.force, output.scale)?;
    let nothing =
        "no position is selected: there is nothing to draw, and no file was made; select others with --where";
    let scene = make(output.quiet)?.ok_or(nothing)?;
    let scene = if let Some(size) = output.size { scene.sized(size)? } else { scene };
    // A picture without a given size has enough pixels for any screen.
    let scale = output.scale.unwrap_or(if output.size.is_some() { 1 } else { 2 });
    let size = target.write(&scene, scale)?;
    if !output.quiet {
        target.tell(&size)?;
    }
    Ok(FINE)
}

fn game(args: &GamePicture, quiet: bool) -> Result<Scene, Box<dyn Error>> {
    let in_line =
        |error: &dyn std::fmt::Display| format!("{}, line {}: {error}", args.transcript.display(), args.game);
    let line = transcript::line(&args.transcript, args.game)?;
    let record = GameRecord::from_line(&line).map_err(|error| in_line(&error))?;
    bouton_draw::game_fits(&record).map_err(|error| in_line(&error))?;
    let table = match &args.table {
        Some(table) => source::read_named(table, &[])?.open(true, quiet)?.table,
        None => source::solved(&record.ruleset, true, quiet)?,
    };
    Ok(bouton_draw::game(&record, &table).map_err(|error| in_line(&error))?)
}
