//! Every position follows from the best of its moves, which is found without a look at each.
//!
//! The moves of a position lead to places beside each other of the same row, and to one place of each row behind it as far as the limit
//! goes. Of both the best one is known as the proof goes along lines and from row to row ([`Moves`](super::rows::Moves)), so that what
//! it takes follows the number of positions, not that of moves. The position without stones is known, and every move takes a stone: a
//! table in which this holds everywhere is right everywhere.
//!
//! Which moves win follows from the outcomes that are stored, of which each is looked at. One position of each group is asked for a
//! whole answer.

use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position};
use bouton_tables::{Outcome, Play, Solved, Table, Verdict};

use super::best::{Choice, Worth};
use super::groups::{Group, Groups, Kind, after, different_kinds, number, position};
use super::rows::{Row, Rows};
use super::{ask, ask_somewhere};
use crate::control::check as go_on;
use crate::estimate;
use crate::memory::{Grow, filled};
use crate::proof::{Counts, Flaw, VerifyError, VerifyOptions};
use crate::{Control, parallel};

/// What is stored of a place: what it is worth to move there, and its best move in short.
#[derive(Clone, Copy, Default)]
struct Place {
    worth: Worth,
    best: u32,
}

/// A best move in 32 bits: twice the stones, and one more with a reset; 0 if there is none. None that is legal is as the greatest number.
fn short(best: Option<Move>) -> u32 {
    best.map_or(0, |best| best.take.saturating_mul(2) | u32::from(best.reset))
}

/// The fewest places of a line that are a piece of work.
pub(super) const PIECE: u32 = 1 << 14;

/// Checks every position. Progress is counted in pairs of stones and currentmax.
pub(super) fn verify(
    of_family: &ExpandingTable,
    table: &Table,
    options: &VerifyOptions,
    control: &dyn Control,
) -> Result<Counts, VerifyError> {
    let rules = of_family.game();
    let groups = Groups::new(rules, table.header().gaps)?;
    let kinds = different_kinds(of_family, rules)?;
    // For each line that is stored some kind that has it.
    let mut lines: Vec<Kind> = Vec::new();
    for kind in super::groups::kinds(rules) {
        let number = number(of_family, kind) as usize;
        while lines.len() <= number {
            lines.grow(kind)?;
        }
        lines[number] = kind;
    }
    let all_lines = lines.len() as u128;
    let held = Rows::held(&groups, all_lines) + held_besides(rules, all_lines);
    let least = estimate::proof(held, table.file_len() as u64);
    if least > options.memory {
        return Err(VerifyError::TooLittle { least, limit: options.memory });
    }
    let mut rows = Rows::new(rules, &groups, lines.len());
    let mut counts = Counts::default();
    // From the last group down: moves lead to the same one or a later one.
    for group in groups.all().iter().rev() {
        rows.go_on()?;
        let places = read(of_family, group, &lines, control)?;
        rows.push(Row::new(group.most as usize + 1, places.iter().map(|place| place.worth))?);
        let proof = Proof { table: of_family, rules, group, rows: &rows, places: &places };
        // What a window begins with is looked at once more.
        let widest = group.limit.min(group.most.into()) as u32;
        let piece = PIECE.max(widest.saturating_mul(4));
        let pieces = (group.most / piece + 1) as usize;
        let works = kinds.len() * pieces;
        let pairs = group.pairs_below(rules, u64::from(group.most) + 1);
        let check = |work: usize| -> Result<Counts, VerifyError> {
            go_on(control)?;
            let from = (work % pieces) as u32 * piece;
            let counts =
                proof.check(kinds[work / pieces], from..(group.most + 1).min(from.saturating_add(piece)))?;
            let done = |works_done: usize| (u128::from(pairs) * works_done as u128 / works as u128) as u64;
            control.advance(done(work + 1) - done(work));
            Ok(counts)
        };
        counts = counts.and(parallel::reduce(works, check, |a, b| Ok(a.and(b)))?);
        ask_somewhere(of_family, group, kinds[0].0)?;
    }
    Ok(counts)
}

/// The most bytes that are held at the same time besides rows, for so many lines.
pub(super) fn held_besides(rules: &Expanding, lines: u128) -> u128 {
    let of_place = size_of::<Place>() + Rows::BESTS;
    (u128::from(rules.stones()) + 1) * lines * of_place as u128
}

/// Reads the lines of a group, of which these are the kinds.
fn read(
    table: &ExpandingTable,
    group: &Group,
    kinds: &[Kind],
    control: &dyn Control,
) -> Result<Vec<Place>, VerifyError> {
    let length = group.most as usize + 1;
    let mut places = filled((length * kinds.len()) as u64, Place::default())?;
    parallel::chunks(&mut places, PIECE as usize, |piece, places| {
        go_on(control)?;
        for (at, place) in (piece * PIECE as usize..).zip(places) {
            let position = position(kinds[at / length], (at % length) as u32, group.first);
            let (verdict, best) = table.verdict_and_best(&position)?;
            if verdict.depth.is_some_and(|depth| depth > position.stones) {
                return Err(too_deep(&position, verdict));
            }
            *place = Place { worth: Worth::of(verdict), best: short(best) };
        }
        Ok::<_, VerifyError>(())
    })?;
    Ok(places)
}

/// Every move takes a stone.
#[cold]
fn too_deep(position: &Position, verdict: Verdict) -> VerifyError {
    VerifyError::Wrong(Flaw {
        position: position.to_string(),
        what: "depth",
        found: verdict.depth.unwrap_or(0).to_string(),
        follows: format!("at most {}", position.stones),
    })
}

/// What is at hand to check the positions of a group.
struct Proof<'a> {
    table: &'a ExpandingTable,
    rules: &'a Expanding,
    group: &'a Group,
    rows: &'a Rows<'a>,
    /// What is stored of the group.
    places: &'a [Place],
}

impl Proof<'_> {
    /// Checks places of a line.
    fn check(&self, (kind, lines): (Kind, u64), range: Range<u32>) -> Result<Counts, VerifyError> {
        let length = self.group.most as usize + 1;
        let own = &self.places[number(self.table, kind) as usize * length..][..length];
        let (plain, reset) = after(kind);
        let moves = |target| self.rows.moves(kind, number(self.table, target), range.start);
        let (mut plain, mut reset) = (moves(plain), reset.map(moves));
        let without_moves = Outcome::from_won(self.rules.play() == Play::Misere);
        let without_moves = (Verdict { outcome: without_moves, depth: Some(0) }, None);
        let mut counts = Counts::default();
        for stones in range {
            let without = plain.best(stones);
            let with = reset.as_mut().map_or(Choice::NONE, |moves| moves.best(stones));
            // Of two that are as good and of as many stones it is the one without a reset.
            let is_with = with > without;
            let best = without.max(with).get();
            let (verdict, best) = best.map_or(without_moves, |(worth, take)| {
                (worth.verdict_before(), Some(Move { take, reset: is_with }))
            });
            let Place { worth, best: stored } = own[stones as usize];
            if worth != Worth::of(verdict) || stored != short(best) {
                return Err(self.flaw(&position(kind, stones, self.group.first)));
            }
            counts.add(&verdict, lines * self.group.pairs_at(self.rules, stones));
        }
        Ok(counts)
    }

    /// What is wrong at a position.
    #[cold]
    fn flaw(&self, position: &Position) -> VerifyError {
        match ask(self.table, position) {
            Err(error) => error,
            Ok(()) => VerifyError::Contradictory(format!("two ways to check {position} do not agree")),
        }
    }
}
