//! `bouton-match chances`.

use super::Done;
use crate::FINE;
use crate::args::ChancesArgs;

pub(crate) fn run(args: &ChancesArgs) -> Done {
    let _ = (&args.table, &args.model, &args.output, args.force);
    Ok(FINE)
}
