//! `bouton draw`: pictures.

mod output;

use std::error::Error;

use bouton_generator::draw::{self, Scene};

use self::output::Target;
use super::Done;
use crate::args::{self, Draw, Output, Picture};
use crate::{FINE, source};

pub(crate) fn run(args: &Draw) -> Done {
    match &args.picture {
        Picture::Heatmap(args) => {
            let depths = args.measure == args::Measure::Depth;
            let measure = match args.measure {
                args::Measure::Outcome => draw::Measure::Outcome,
                args::Measure::Depth => draw::Measure::Depth,
                args::Measure::Winning => draw::Measure::Winning,
            };
            drawn(&args.output, |quiet| {
                // A filter may ask for depths too.
                let depths = depths || args.filter.contains("depth");
                let table = source::open(&args.of.table, &args.of.settings, depths, quiet)?.table;
                Ok(draw::heatmap(&table, measure, &args.filter)?)
            })
        }
        Picture::Diff(args) => drawn(&args.output, |quiet| {
            let open = |which, settings| source::open(which, settings, false, quiet);
            let (a, b) = (open(&args.a, &args.set_a)?, open(&args.b, &args.set_b)?);
            Ok(draw::diff(&a.table, &b.table, &args.filter)?)
        }),
        Picture::GameMap(args) => drawn(&args.output, |quiet| {
            let table = source::open(&args.of.table, &args.of.settings, false, quiet)?.table;
            Ok(Some(draw::game_map(&table, args.from.as_deref())?))
        }),
        Picture::Starts(_) | Picture::Game(_) => Err("not yet".into()),
    }
}

/// Makes a picture and writes it. All that can be wrong with its file is found out before the work is begun.
fn drawn(
    output: &Output,
    make: impl FnOnce(bool) -> Result<Option<Scene>, Box<dyn Error>>,
) -> Done {
    let target = Target::look(output)?;
    match make(output.quiet)? {
        Some(scene) => target.write(&scene)?,
        None => eprintln!("bouton: no position is selected: there is nothing to draw, and no file was made"),
    }
    Ok(FINE)
}
