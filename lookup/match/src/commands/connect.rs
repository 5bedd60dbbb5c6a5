//! `bouton-match connect`.

use super::Done;
use crate::FINE;
use crate::args::Connect;

pub(crate) fn run(_: &Connect) -> Done {
    Ok(FINE)
}
