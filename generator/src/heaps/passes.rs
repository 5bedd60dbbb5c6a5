//! Solves a game layer by layer: one layer for each number of passes left.

use bouton_tables::heaps::HeapRules;

use crate::making::GenerateError;

/// Solves a layer for each number of passes left, from none up. `solve` gets the layer with one pass less.
pub(crate) fn by_passes<L>(
    rules: &HeapRules,
    mut solve: impl FnMut(Option<&L>) -> Result<L, GenerateError>,
) -> Result<Vec<L>, GenerateError> {
    let mut layers = Vec::new();
    for _ in 0..=rules.passes() {
        let layer = solve(layers.last())?;
        layers.push(layer);
    }
    Ok(layers)
}
