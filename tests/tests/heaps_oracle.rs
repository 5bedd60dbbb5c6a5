//! Tables of heap games agree with the naive oracle at every position: in outcome, depth, best move and all
//! winning moves.

use bouton_tests::compare::heaps::agrees_with_the_oracle;
use bouton_tests::oracle::heaps::{Rules, Take};
use rayon::prelude::*;

fn takes() -> [Take; 4] {
    [Take::Any, Take::UpTo(2), Take::Exactly(vec![1, 3, 4]), Take::Exactly(vec![2])]
}

/// Every combination of the grid.
fn grid(bounds: &[&[u32]]) -> Vec<Rules> {
    let mut all = Vec::new();
    for bounds in bounds {
        for take in takes() {
            for heaps_per_move in 1..=bounds.len().min(3) {
                for equal_take in [false, true].into_iter().filter(|&equal| !equal || heaps_per_move > 1) {
                    for passes in 0..=2 {
                        for misere in [false, true] {
                            let (bounds, take) = (bounds.to_vec(), take.clone());
                            all.push(Rules { bounds, take, heaps_per_move, equal_take, passes, misere });
                        }
                    }
                }
            }
        }
    }
    all
}

#[test]
fn every_position_of_the_grid_of_equal_bounds_agrees() {
    let bounds: Vec<Vec<u32>> =
        (1..=4).flat_map(|heaps| (1..=6).map(move |size| vec![size; heaps])).collect();
    let bounds: Vec<&[u32]> = bounds.iter().map(Vec::as_slice).collect();
    grid(&bounds).par_iter().for_each(agrees_with_the_oracle);
}

#[test]
fn every_position_of_the_grid_of_unequal_bounds_agrees() {
    let bounds: &[&[u32]] =
        &[&[1, 6], &[3, 5], &[2, 3, 6], &[3, 5, 5], &[4, 4, 6], &[1, 3, 5, 6], &[2, 2, 5, 5], &[1, 1, 1, 6]];
    grid(bounds).par_iter().for_each(agrees_with_the_oracle);
}
