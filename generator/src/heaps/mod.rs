//! Solving heap games.
//!
//! Sizes of a heap that make no difference are left out first (`told`). What the rules allow decides how the others are solved: where
//! a move takes from one heap, words decide much at once (`any`, `listed`), plane by plane (`planes`), or rows of
//! cells do, block by block (`blocks`, `positions`), and two heaps find their partners (`pairs`); where a move takes any number
//! from several heaps, positions pass on what can be reached from them (`several`); all else is solved move by move
//! (`general`). All these give the same table. Only tables of very many positions, without depths, are made from
//! classes that decide any number of heaps (`quotient`). Whatever was solved is then reduced to the classes that the table is
//! made of (`reduce`, which begins with `targets`; where heaps in any order have too many classes, those in descending order,
//! `rows`), and written with what its steps have in common (`cuts`, `pack`).

mod any;
mod blocks;
mod cells;
mod cuts;
mod due;
mod edges;
mod estimate;
mod general;
mod groups;
mod level;
mod line;
mod listed;
mod numbering;
mod pack;
mod pairs;
mod planes;
mod positions;
mod quotient;
mod reduce;
mod rows;
mod saver;
mod several;
mod squares;
mod stages;
mod store;
mod targets;
mod told;
mod verify;

use std::sync::atomic::{AtomicU8, AtomicU32};

use bouton_tables::format::Sink;
use bouton_tables::heaps::{Heap, HeapRules, Ranks, Take, multisets_within};

pub use pack::{Edge, Parts, Target};
pub use quotient::NoQuotient;
pub(crate) use quotient::{suits_table as suits_classes, verify as verify_by_classes};
pub use verify::BlockProof;

use self::cells::Cell;
use self::general::{Layer, Solved};
use self::groups::{ByRank, VOID};
use self::line::without;
use self::planes::{Planes, padded};
use self::reduce::{Found, reduce_bits, reduce_lines, reduce_positions};
use self::stages::Stages;
use self::told::{of_all, told_apart};
use crate::control::Patience;
use crate::estimate::{Trail, beyond};
use crate::generate::Solvable;
use crate::memory::filled;
use crate::work::is_begun;
use crate::{Census, Control, GenerateError, Options, Phase, Resources, Summary};

impl Solvable for HeapRules {
    fn make(
        &self,
        Options { depths }: Options,
        resources: &Resources,
        sink: &mut dyn Sink,
        control: &dyn Control,
    ) -> Result<(Summary, Trail), GenerateError> {
        let told = told_apart(self);
        let (Found { parts, held }, census) = solve(&told, depths, resources, control)?;
        let summary = parts.write(self, &told, depths, of_all(self, &told, census), sink)?;
        let file = summary.bytes.into();
        Ok((summary, Trail { handed: 0, packed: held.into(), file }))
    }

    fn assist(
        &self,
        Options { depths }: Options,
        resources: &Resources,
        control: &dyn Control,
    ) -> Result<(), GenerateError> {
        let told = told_apart(self);
        match Method::of(&told, depths) {
            Method::AnyDepths => blocks::assist(&told, resources, control),
            _ => Ok(()),
        }
    }
}

/// What a table is made of, and what its header counts.
fn solve(
    rules: &HeapRules,
    depths: bool,
    resources: &Resources,
    control: &dyn Control,
) -> Result<(Found, Census), GenerateError> {
    if !depths && quotient::is_worthwhile(rules) {
        control.begin(Phase::Solving, 0);
        match quotient::find(rules, control)? {
            Ok(quotient) => {
                let (parts, census) = quotient::make(rules, &quotient)?;
                return Ok((Found { held: parts.bytes(), parts }, census));
            }
            // Such games are decided by classes: it would be wrong to go on.
            Err(gap @ NoQuotient::Gap(_)) => return Err(GenerateError::Unproved(gap)),
            Err(_) => {}
        }
    }
    if in_positions(rules, depths, resources)? {
        control.begin(Phase::Solving, positions::steps(rules)?);
        return positions::make(rules, Options { depths }, resources, control);
    }
    control.begin(Phase::Solving, steps(rules, depths)?);
    match Method::of(rules, depths) {
        Method::Pairs => solve_pairs(rules, control),
        Method::Any => solve_any(rules, control),
        Method::AnyDepths => blocks::make(rules, resources, control),
        Method::Listed => solve_listed(rules, control),
        Method::Positions => positions::make(rules, Options { depths }, resources, control),
        Method::Several => solve_positions(rules, depths, several::solve, control),
        Method::General => solve_positions(rules, depths, general::solve, control),
    }
}

/// Whether a game that would be solved otherwise is solved in blocks of positions: if it does not fit memory so, or was begun in
/// blocks.
fn in_positions(rules: &HeapRules, depths: bool, resources: &Resources) -> Result<bool, GenerateError> {
    let Some(folder) = resources.folder.filter(|_| Method::of(rules, depths) == Method::Listed) else {
        return Ok(false);
    };
    let options = Options { depths };
    Ok(beyond(rules, options, resources.memory) || is_begun(folder, &rules.clone().into(), depths)?)
}

/// How a ruleset is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Method {
    /// Any number of stones from one of at most two heaps, without depths.
    Pairs,
    /// Any number of stones from one heap, without depths.
    Any,
    /// The same with depths.
    AnyDepths,
    /// Certain numbers of stones from one heap, without depths.
    Listed,
    /// The same with depths.
    Positions,
    /// Any number of stones from several heaps.
    Several,
    /// Position by position, move by move.
    General,
}

impl Method {
    fn of(rules: &HeapRules, depths: bool) -> Self {
        match rules.take() {
            _ if several::fits(rules) => Self::Several,
            _ if rules.heaps_per_move() > 1 => Self::General,
            Take::Any if depths => Self::AnyDepths,
            Take::Any if rules.heaps() <= 2 => Self::Pairs,
            Take::Any => Self::Any,
            Take::UpTo(_) | Take::Exactly(_) if depths => Self::Positions,
            // Lines that remember more than there are positions are of a game with few of them.
            _ if listed_memory(rules) > 8 * u128::from(rules.multisets()) => Self::General,
            Take::UpTo(_) | Take::Exactly(_) => Self::Listed,
        }
    }
}

/// Steps of progress of the solver.
fn steps(rules: &HeapRules, depths: bool) -> Result<u64, GenerateError> {
    let layers = u64::from(rules.passes()) + 1;
    Ok(match Method::of(rules, depths) {
        Method::AnyDepths => blocks::steps(rules),
        Method::Pairs => 0,
        Method::Positions => positions::steps(rules)?,
        Method::Any | Method::Listed => layers.saturating_mul(Planes::rows(rules)),
        Method::Several | Method::General => rules.positions(),
    })
}

/// Multisets of the greatest heaps of all but so many, within their bounds.
fn groups_without(bounds: &[Heap], least: usize) -> u128 {
    multisets_within(&bounds[least.min(bounds.len())..]).unwrap_or(u64::MAX).into()
}

/// The memory in which a listed game is solved, but for what comes of it.
fn listed_memory(rules: &HeapRules) -> u128 {
    let bounds = padded(rules);
    8 * groups_without(&bounds, 2) * (u128::from(bounds[0]) / 64 + 1) * u128::from(reach(rules))
}

/// The most stones that a move takes from a heap; 1 if there are no moves.
fn reach(rules: &HeapRules) -> Heap {
    match (rules.take(), rules.take().count(rules.greatest())) {
        (Take::Exactly(amounts), count) => amounts[..count as usize].last().copied().unwrap_or(1),
        // The greatest of so many amounts from 1 on.
        (Take::Any | Take::UpTo(_), count) => count,
    }
}

/// Solves a layer for each number of passes left, from none up: `solve` is told that number, and the layer of a pass less.
fn by_passes<L>(
    rules: &HeapRules,
    mut solve: impl FnMut(u8, Option<&L>) -> Result<L, GenerateError>,
) -> Result<Vec<L>, GenerateError> {
    let mut layers = Vec::new();
    for passes in 0..=rules.passes() {
        let layer = solve(passes, layers.last())?;
        layers.push(layer);
    }
    Ok(layers)
}

fn solve_any(rules: &HeapRules, control: &dyn Control) -> Result<(Found, Census), GenerateError> {
    match u64::from(rules.greatest()) < AtomicU8::MOST {
        true => solve_any_in::<AtomicU8>(rules, control),
        false => solve_any_in::<AtomicU32>(rules, control),
    }
}

/// The same with sizes in cells `T`.
fn solve_any_in<T: Cell>(rules: &HeapRules, control: &dyn Control) -> Result<(Found, Census), GenerateError> {
    let planes = Planes::new(rules)?;
    let layers: Vec<any::Lines<T>> =
        by_passes(rules, |_, passed| any::solve(rules, &planes, passed, control))?;
    let lost = layers.iter().map(|lines| lines.lost).sum();
    pack_lines(rules, lost, &|layer, rank| layers[layer as usize].target(rank), control)
}

fn solve_pairs(rules: &HeapRules, control: &dyn Control) -> Result<(Found, Census), GenerateError> {
    let layers: Vec<pairs::Pairs> = by_passes(rules, |_, passed| pairs::solve(rules, passed, control))?;
    let lost = layers.iter().map(|layer| layer.lost).sum();
    // The rank of a heap is its size, and that of no heap is 0.
    pack_lines(rules, lost, &|layer, rank| layers[layer as usize].partners[rank as usize], control)
}

/// Packs lines without depths. `target` tells the size of the heap in the lost position of a line, by passes left and the rank of
/// the other heaps, and `lost` is the number of lost positions.
fn pack_lines(
    rules: &HeapRules,
    lost: u64,
    target: &(impl Fn(u64, u64) -> Heap + Sync + Send),
    control: &dyn Control,
) -> Result<(Found, Census), GenerateError> {
    let census = Census { wins: rules.positions() - lost, deepest: 0 };
    let others = Ranks::try_new(&rules.bounds()[1..])?;
    let at = |layer: u64, rank: u64| Target { size: target(layer, rank), deeper: 0, tries: 0 };
    Ok((reduce_lines(rules, &ByRank { ranks: &others, at }, &mut Stages::new(None), control)?, census))
}

fn solve_listed(rules: &HeapRules, control: &dyn Control) -> Result<(Found, Census), GenerateError> {
    let planes = Planes::new(rules)?;
    let layers: Vec<listed::LostBits> =
        by_passes(rules, |_, passed| listed::solve(rules, &planes, passed, control))?;
    let lost: u64 = layers.iter().map(|layer| layer.lost).sum();
    let found = reduce_bits(rules, &layers, control)?;
    Ok((found, Census { wins: rules.positions() - lost, deepest: 0 }))
}

/// The edge to a position.
fn edge_of(rules: &HeapRules, depths: bool, solved: Solved) -> Edge {
    match solved.is_lost(rules.play()) {
        false => Edge { class: 0, deeper: VOID },
        true if depths => Edge { class: 1 + solved.stones, deeper: solved.depth },
        true => Edge { class: 1, deeper: 0 },
    }
}

fn solve_positions(
    rules: &HeapRules,
    depths: bool,
    solve: impl Fn(&HeapRules, &Ranks, &dyn Control) -> Result<Vec<Layer>, GenerateError>,
    control: &dyn Control,
) -> Result<(Found, Census), GenerateError> {
    let ranks = Ranks::try_new(rules.bounds())?;
    let layers = solve(rules, &ranks, control)?;
    let census = census(rules, &ranks, &layers, depths, control)?;
    let found = match rules.take() {
        Take::Any => {
            let (ranks, lines) = targets(rules, &ranks, &layers, depths, control)?;
            let line = |layer, rank| lines[(layer * ranks.count() + rank) as usize];
            reduce_lines(rules, &ByRank { ranks: &ranks, at: line }, &mut Stages::new(None), control)
        }
        Take::UpTo(_) | Take::Exactly(_) => {
            let at = |layer: u64, rank: u64| edge_of(rules, depths, layers[layer as usize].at(rank));
            reduce_positions(rules, &ranks, &at, control)
        }
    };
    Ok((found?, census))
}

fn census(
    rules: &HeapRules,
    ranks: &Ranks,
    layers: &[Layer],
    depths: bool,
    control: &dyn Control,
) -> Result<Census, GenerateError> {
    let mut census = Census::default();
    let mut patience = Patience::new(control);
    for solved in layers.iter().flat_map(|layer| (0..ranks.count()).map(|rank| layer.at(rank))) {
        patience.spend(1)?;
        census.wins += u64::from(!solved.is_lost(rules.play()));
        census.deepest = census.deepest.max(if depths { solved.depth } else { 0 });
    }
    Ok(census)
}

/// The one lost position of each line, if there is one: for each number of passes left, by the rank of the
/// other heaps.
fn targets(
    rules: &HeapRules,
    ranks: &Ranks,
    layers: &[Layer],
    depths: bool,
    control: &dyn Control,
) -> Result<(Ranks, Vec<Target>), GenerateError> {
    let mut patience = Patience::new(control);
    let others = Ranks::try_new(&rules.bounds()[1..])?;
    let none = Target { size: rules.greatest() + 1, deeper: 0, tries: 0 };
    let mut lines = filled((layers.len() as u64).saturating_mul(others.count()), none)?;
    for (layer, lines) in layers.iter().zip(lines.chunks_exact_mut(others.count() as usize)) {
        for rank in 0..ranks.count() {
            patience.spend(1)?;
            let solved = layer.at(rank);
            if solved.is_lost(rules.play()) {
                let heaps = ranks.unrank(rank);
                for place in 0..heaps.len() {
                    let line = others.rank(&without(&heaps, place));
                    let (deeper, tries) = if depths { (solved.depth, solved.stones) } else { (0, 0) };
                    lines[line as usize] = Target { size: heaps[place], deeper, tries };
                }
            }
        }
    }
    Ok((others, lines))
}
