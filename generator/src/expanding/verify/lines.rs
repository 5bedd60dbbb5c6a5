//! Proves outcomes line by line, by trains of lost places.
//!
//! A place is won exactly if a move leads to a lost place. Moves of a to b stones into a run of lost places [s, e)
//! start from the places s + a to e - 1 + b, which are therefore won. The places outside of all such ranges must be
//! lost. For example, with moves of 1 to 3 stones the lost places 0 and 4 cover 1-3 and 5-7, so 4 must be stored as
//! lost, and 8 too.
//!
//! Lost places mostly come in *trains*, runs of equal length at equal distances, and so do the places that they cover. If
//! the covers with the same gap as a train of the line leave exactly its runs uncovered once, they do so after every gap.
//! Then it remains to be shown that no other cover touches these runs. So the proof passes over many runs at once
//! ([`LineProof::repeats`]); the cost is proportional to the number of trains.

use bouton_tables::expanding::{Expanding, ExpandingTable, LostTrain, LostTrains};
use bouton_tables::{Outcome, Play, Solved};

use super::answers::check_one_answer;
use super::groups::{CurrentmaxGroup, CurrentmaxGroups, LineKind, distinct_kinds, position, target_kinds};
use crate::control::{CancelCheck, Control, advance_by_part, check_cancelled};
use crate::memory::{Grow, capped};
use crate::parallel;
use crate::proof::{Counts, Flaw, VerifyError};

/// A place beyond all lines.
const NEVER: u64 = u64::MAX;

/// A cursor on the places that one line covers: its lost places, moved up by `takes[0]` to `takes[1]` stones. With
/// `takes` of 0 these are the lost places themselves, as for the line that is being proved. The starts of runs ascend,
/// and so do their ends, since lost runs do not overlap.
struct TrainSweep<'a> {
    trains: LostTrains<'a>,
    takes: [u64; 2],
    /// The runs of the current train that end after the places proved so far. At the end of the line, a run at
    /// [`NEVER`].
    train: LostTrain,
}

impl<'a> TrainSweep<'a> {
    fn new(trains: LostTrains<'a>, takes: [u32; 2]) -> Result<Self, VerifyError> {
        let train = LostTrain { start: 0, width: 0, gap: 1, count: 1 };
        let mut sweep = Self { trains, takes: takes.map(u64::from), train };
        sweep.next_train()?;
        Ok(sweep)
    }

    fn next_train(&mut self) -> Result<(), VerifyError> {
        let Some(train) = self.trains.next() else {
            self.train = LostTrain { start: NEVER, width: 0, gap: 1, count: 1 };
            return Ok(());
        };
        let LostTrain { start, width, gap, count } =
            train.map_err(|damage| VerifyError::Contradictory(damage.what))?;
        let [least, most] = self.takes;
        let (start, width) = (start + least, width + most - least);
        // Runs that touch are one run.
        self.train = if width < gap {
            LostTrain { start, width, gap, count }
        } else {
            LostTrain { start, width: (count - 1) * gap + width, gap: 1, count: 1 }
        };
        Ok(())
    }

    /// First place of the current run.
    fn start(&self) -> u64 {
        self.train.start
    }

    /// First place after the current run.
    fn end(&self) -> u64 {
        self.train.start.saturating_add(self.train.width)
    }

    /// Passes over the runs that end at `place` or before.
    fn pass(&mut self, place: u64) -> Result<(), VerifyError> {
        while self.end() <= place {
            let LostTrain { gap, count, .. } = self.train;
            let passed = if gap > 1 { (place - self.end()) / gap + 1 } else { 1 };
            if passed < count {
                self.train.start += passed * gap;
                self.train.count -= passed;
            } else {
                self.next_train()?;
            }
        }
        Ok(())
    }

    /// Returns the end of the current run if it covers a place, otherwise the place itself.
    fn covered_until(&self, place: u64) -> u64 {
        if self.start() <= place { place.max(self.end()) } else { place }
    }

    /// Returns how many of the next runs of `line`, after its current one, certainly touch no run of this sweep. The
    /// current run of `line` must touch none, and all earlier runs of this sweep must end before it.
    fn repeats(&self, line: &LostTrain) -> u64 {
        let LostTrain { start, width, gap, count } = self.train;
        if start == NEVER {
            return NEVER;
        }
        let line_end = line.start + line.width;
        let Some(distance) = start.checked_sub(line_end) else { return 0 };
        // The runs of the line that come before this train.
        let before = distance / line.gap;
        if before > 0 {
            return before;
        }
        // The last place of a run of the line is `end` places after the start of a run here, modulo `gap`. The two runs
        // touch if that is less than `touching`.
        let touching = (width + line.width - 1).min(gap);
        let end = gap - 1 - distance % gap;
        let mut repeats = (distance + (count - 1) * gap) / line.gap;
        repeats = repeats.min(MAX_REPEATS);
        while steps_below(touching, [end, line.gap], gap, repeats) > 0 {
            repeats /= 2;
        }
        repeats
    }
}

/// Maximum number of runs that the proof passes over at once, so that sums of their places fit 64 bits.
const MAX_REPEATS: u64 = 1 << 31;

/// Returns how many of the places `start + step`, `start + 2 × step`, …, `start + count × step` are less than `below`,
/// modulo `modulus`: the sum of floor(place / modulus) - floor((place - below) / modulus). `modulus` is added to each
/// place, so that no difference is negative.
fn steps_below(below: u64, [start, step]: [u64; 2], modulus: u64, count: u64) -> u64 {
    let (step, first) = (step % modulus, start % modulus + step % modulus + modulus);
    sum_of_quotients(count, first, step, modulus) - sum_of_quotients(count, first - below, step, modulus)
}

/// Returns the sum of the floors of `first / by`, `(first + step) / by`, … over `count` terms.
///
/// The floors count the points with whole coordinates below a line. The whole parts of its slope and of its height are
/// summed at once. To exchange the coordinates then leaves a smaller problem of the same kind, as in Euclid's
/// algorithm. See Graham, Knuth and Patashnik, "Concrete Mathematics", section 3.5.
fn sum_of_quotients(mut count: u64, mut first: u64, mut step: u64, mut by: u64) -> u64 {
    let mut sum = 0;
    while count > 0 {
        sum += count * (count - 1) / 2 * (step / by) + count * (first / by);
        let top = step % by * count + first % by;
        (count, first, step, by) = (top / by, top % by, by, step % by);
    }
    sum
}

/// The proof of all lines.
struct LineProof<'a> {
    table: &'a ExpandingTable,
    rules: &'a Expanding,
    groups: CurrentmaxGroups,
}

/// Maximum number of complete answers to check.
const MAX_ANSWERS: usize = 256;

/// Checks every line, and for up to [`MAX_ANSWERS`] groups the complete answer of one position. A step of progress is a
/// pair of stones and currentmax.
pub(super) fn verify(table: &ExpandingTable, control: &dyn Control) -> Result<Counts, VerifyError> {
    let rules = table.game();
    let proof = LineProof { table, rules, groups: CurrentmaxGroups::new(rules)? };
    let kinds = distinct_kinds(table, rules)?;
    // An answer tries all moves, so it takes longer than the proof of a line.
    let answer_every = proof.groups.as_slice().len().div_ceil(MAX_ANSWERS);
    let check = |number: usize| -> Result<Counts, VerifyError> {
        check_cancelled(control)?;
        let (group_number, kind_number) = (number / kinds.len(), number % kinds.len());
        let group = &proof.groups.as_slice()[group_number];
        let (kind, equal_kinds) = kinds[kind_number];
        let lost = proof.check(group_number, kind, control)?;
        if kind_number == 0 && group_number.is_multiple_of(answer_every) {
            check_one_answer(table, group, kind)?;
        }
        let pairs = group.pairs_below(rules, group.most + 1);
        advance_by_part(control, capped(pairs), kind_number, kinds.len());
        let on_equal_lines = |pairs: u128| capped(pairs * u128::from(equal_kinds));
        Ok(Counts { positions: on_equal_lines(pairs), wins: on_equal_lines(pairs - lost), deepest: 0 })
    };
    parallel::reduce(proof.groups.as_slice().len() * kinds.len(), check, |a, b| Ok(a.and(b)))
}

impl LineProof<'_> {
    /// Returns the lost places of a line, up to `most` stones, moved by the stones of moves.
    fn sweep(
        &self,
        kind: LineKind,
        group: &CurrentmaxGroup,
        most: u64,
        takes: [u32; 2],
    ) -> Result<TrainSweep<'_>, VerifyError> {
        TrainSweep::new(self.table.lost_trains(&position(kind, most, group.first))?, takes)
    }

    /// Checks a line of group `number`. Returns the number of its lost positions.
    fn check(&self, number: usize, kind: LineKind, control: &dyn Control) -> Result<u128, VerifyError> {
        let group = &self.groups.as_slice()[number];
        let (plain, reset) = target_kinds(kind);
        let mut covers = Vec::new();
        for target in [Some(plain), reset].into_iter().flatten() {
            for (target_group, takes @ [least, _]) in self.groups.targets(self.rules, number, kind) {
                let target_group = &self.groups.as_slice()[target_group];
                covers.grow(self.sweep(target, target_group, group.most - u64::from(least), takes)?)?;
            }
        }
        let mut line = self.sweep(kind, group, group.most, [0, 0])?;
        let pairs_below = |stones| group.pairs_below(self.rules, stones);
        let mut lost = 0;
        let end = group.most + 1;
        // Place 0 is the end of the game.
        let mut place = u64::from(self.rules.play() == Play::Misere);
        if place == 1 && line.start() == 0 {
            return Err(self.wrong(group, kind, 0, true));
        }
        let mut cancel_check = CancelCheck::new(control);
        while place < end {
            cancel_check.spend(4 + 2 * covers.len())?;
            line.pass(place)?;
            let mut covered = place;
            // The first place that a cover reaches, if none covers this one.
            let mut next_cover = NEVER;
            for cover in &mut covers {
                cover.pass(place)?;
                covered = covered.max(cover.covered_until(place));
                next_cover = next_cover.min(cover.start());
            }
            if covered > place {
                // Moves lead from these places to lost ones, so they are won.
                if line.start() < covered.min(end) {
                    return Err(self.wrong(group, kind, line.start().max(place), true));
                }
                place = covered;
                continue;
            }
            // No move leads from these places to lost ones, so they are lost.
            let until = next_cover.min(end);
            if line.start() > place {
                return Err(self.wrong(group, kind, place, false));
            }
            let repeats = if line.start() == place && line.end() <= until {
                self.repeats(&line.train, &covers, group)
            } else {
                0
            };
            let gap = line.train.gap;
            let until = until.min(line.end());
            let pairs = pairs_below(until) - pairs_below(place);
            lost += pairs * u128::from(1 + repeats);
            place = until + repeats * gap;
        }
        Ok(lost)
    }

    /// Returns how often the current run of the line repeats after it, as far as this can be shown at once.
    fn repeats(&self, line: &LostTrain, covers: &[TrainSweep], group: &CurrentmaxGroup) -> u64 {
        let LostTrain { start, width, gap, count } = *line;
        // Leave the last run to the caller's loop, which needs the place after it.
        let Some(mut repeats) = count.checked_sub(2).filter(|&repeats| repeats > 0) else { return 0 };
        // The current runs of the covers with the same gap must cover exactly the places between this run and the next.
        let (mut place, next) = (start + width, start + gap);
        loop {
            let in_step = covers.iter().filter(|cover| cover.train.gap == gap && cover.train.count > 1);
            let covered = in_step.map(|cover| cover.covered_until(place)).max().unwrap_or(place);
            if covered == place {
                return 0;
            }
            place = covered;
            if place >= next {
                break;
            }
        }
        if place > next {
            return 0;
        }
        for cover in covers {
            if repeats == 0 {
                return 0;
            }
            let LostTrain { start: cover_start, count, gap: cover_gap, .. } = cover.train;
            repeats = repeats.min(if cover_gap != gap || cover_start == NEVER {
                cover.repeats(line)
            } else if cover.end() > next {
                0
            } else {
                count.saturating_sub(2)
            });
        }
        // Each run must stand for equally many positions.
        let pairs = |stones: u64| group.pairs_below(self.rules, stones);
        let last = start + repeats * gap + width;
        let rate = pairs(start + 1) - pairs(start);
        if pairs(last) - pairs(start) == rate * u128::from(last - start) { repeats } else { 0 }
    }

    /// Returns the error for a place with a wrong outcome.
    fn wrong(
        &self,
        group: &CurrentmaxGroup,
        kind: LineKind,
        stones: u64,
        is_found_lost: bool,
    ) -> VerifyError {
        // The first currentmax of the group has every place of the line.
        let position = position(kind, stones, group.first);
        let show = |lost: bool| Outcome::from_won(!lost).to_string();
        VerifyError::Wrong(Flaw {
            position: position.to_string(),
            what: "outcome",
            found: show(is_found_lost),
            follows: show(!is_found_lost),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_into_a_range_are_counted() {
        for modulus in 1..30 {
            for (start, step) in (0..modulus).flat_map(|start| (0..40).map(move |step| (start, step))) {
                for below in 1..=modulus {
                    let mut expected = 0;
                    for count in 0..40 {
                        assert_eq!(steps_below(below, [start, step], modulus, count), expected);
                        expected += u64::from((start + (count + 1) * step) % modulus < below);
                    }
                }
            }
        }
    }
}
