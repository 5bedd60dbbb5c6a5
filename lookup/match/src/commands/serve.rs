//! `bouton-match serve`.

use super::Done;
use crate::FINE;
use crate::args::Serve;

pub(crate) fn run(_: &Serve) -> Done {
    Ok(FINE)
}
