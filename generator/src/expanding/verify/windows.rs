//! Every answer follows from what moves lead to, which windows find that are moved along lines.
//!
//! The moves of a position lead to places beside each other, of lines that are the same for all positions of a line. With a stone
//! more, one such place comes in and one goes out: so the best of them is known without looking at each, and what the proof takes
//! follows the number of positions, not that of moves. Only moves of more than ever before lead to a line each, as many as `growth`
//! says. The position without stones is known, and every move takes a stone: a table in which this holds everywhere is right everywhere.

use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;

use bouton_tables::expanding::{Expanding, ExpandingTable, Move, Position, Turn, Winning};
use bouton_tables::{Answer, Outcome, Play, Solved, Table, Verdict};

use super::groups::{Group, Groups, Kind, after, different_kinds, number, position};
use crate::control::check as go_on;
use crate::estimate;
use crate::memory::{Grow, filled};
use crate::proof::{Counts, Flaw, VerifyError, VerifyOptions, check_position};
use crate::{Control, parallel};

/// What it is worth to move to a position: more, the better. To a lost one more than to a won one; of lost ones, the sooner the game
/// ends the more; of won ones, the later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Worth(u32);

impl Worth {
    /// To a lost position, if the game ended later than any does.
    const WINS: u32 = 1 << 31;

    /// The depth must be below 2^31.
    fn of(Verdict { outcome, depth }: Verdict) -> Self {
        let depth = depth.unwrap_or(0);
        Self(if outcome == Outcome::Loss { u32::MAX - depth } else { depth })
    }

    fn wins(self) -> bool {
        self.0 >= Self::WINS
    }

    fn verdict(self) -> Verdict {
        let depth = if self.wins() { u32::MAX - self.0 } else { self.0 };
        Verdict { outcome: Outcome::from_won(!self.wins()), depth: Some(depth) }
    }

    /// The verdict of a position from which it is best to move to this one.
    fn verdict_before(self) -> Verdict {
        let Verdict { outcome, depth } = self.verdict();
        Verdict { outcome: Outcome::from_won(outcome == Outcome::Loss), depth: depth.map(|depth| depth + 1) }
    }
}

/// What is known of the lines of a group, one after the other by their numbers.
#[derive(Debug)]
struct Level {
    /// Places of a line.
    length: usize,
    /// For each line and place.
    worth: Vec<Worth>,
    /// For each line, whether places are lost, from the last one on downwards: so those that moves of ever more stones lead to come one
    /// after the other.
    lost: Vec<u64>,
}

impl Level {
    /// Reads the lines of a group, of which these are the kinds.
    fn read<D: AsRef<[u8]> + Sync>(
        table: &ExpandingTable<D>,
        group: &Group,
        kinds: &[Kind],
        control: &dyn Control,
    ) -> Result<Self, VerifyError> {
        let length = group.most as usize + 1;
        let mut worth = filled((length * kinds.len()) as u64, Worth::default())?;
        parallel::chunks(&mut worth, PIECE as usize, |piece, worth| {
            go_on(control)?;
            for (place, worth) in (piece * PIECE as usize..).zip(worth) {
                let position = position(kinds[place / length], (place % length) as u32, group.first);
                let verdict = table.verdict(&position)?;
                if verdict.depth.is_some_and(|depth| depth > position.stones) {
                    return Err(too_deep(&position, verdict));
                }
                *worth = Worth::of(verdict);
            }
            Ok::<_, VerifyError>(())
        })?;
        let words = length.div_ceil(64);
        let mut lost = filled((words * kinds.len()) as u64, 0)?;
        parallel::chunks(&mut lost, words, |line, words| {
            for (at, worth) in worth[line * length..][..length].iter().rev().enumerate() {
                words[at / 64] |= u64::from(worth.wins()) << (at % 64);
            }
            Ok::<_, VerifyError>(())
        })?;
        Ok(Self { length, worth, lost })
    }

    fn line(&self, number: u32) -> Line<'_> {
        let (number, words) = (number as usize, self.length.div_ceil(64));
        Line {
            worth: &self.worth[number * self.length..][..self.length],
            lost: &self.lost[number * words..][..words],
        }
    }
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

/// What is known of a line.
#[derive(Clone, Copy, Debug)]
struct Line<'a> {
    worth: &'a [Worth],
    lost: &'a [u64],
}

impl Line<'_> {
    /// Which of `count` places, 1 to 64, are lost, from `first` on downwards.
    #[inline]
    fn lost_below(&self, first: u32, count: u32) -> u64 {
        let at = self.worth.len() - 1 - first as usize;
        let (word, shift) = (at / 64, at % 64);
        let high = if shift > 0 { self.lost.get(word + 1).map_or(0, |next| next << (64 - shift)) } else { 0 };
        (self.lost[word] >> shift | high) & (u64::MAX >> (64 - count))
    }
}

/// The places of a line that moves of some numbers of stones lead to, for ever more stones.
struct Window<'a> {
    line: Line<'a>,
    /// The fewest and the most stones of the moves.
    by: [u32; 2],
    /// From here on places have not come in yet.
    next: u32,
    /// Of those that came in, the places that are worth more than all that came in later: the best one is the first that is still in.
    best: VecDeque<(u32, Worth)>,
}

impl<'a> Window<'a> {
    /// For positions of so many stones and more.
    fn new(line: Line<'a>, by: [u32; 2], stones: u32) -> Self {
        Self { line, by, next: stones.saturating_sub(by[1]), best: VecDeque::new() }
    }

    /// The best move of a position, by what it is worth and its stones: of those that are as good, the one of fewest stones. Stones must
    /// not become fewer from call to call.
    #[inline]
    fn best(&mut self, stones: u32) -> Option<(Worth, u32)> {
        let [least, most] = self.by;
        let newest = stones.checked_sub(least)?;
        if least == most {
            return Some((self.line.worth[newest as usize], least));
        }
        for place in self.next..=newest {
            let worth = self.line.worth[place as usize];
            while self.best.back().is_some_and(|&(_, before)| before <= worth) {
                self.best.pop_back();
            }
            self.best.push_back((place, worth));
        }
        self.next = newest + 1;
        while self.best.front().is_some_and(|&(place, _)| place + most < stones) {
            self.best.pop_front();
        }
        self.best.front().map(|&(place, worth)| (worth, stones - place))
    }

    /// Sets, in the words of a mask, the bits of the moves to lost places.
    #[inline]
    fn mark(&self, stones: u32, mask: &mut [u64]) {
        let [least, most] = self.by;
        let most = most.min(stones);
        let mut take = least;
        while take <= most {
            let count = (most + 1 - take).min(64);
            let bits = self.line.lost_below(stones - take, count);
            let (word, shift) = ((take - 1) as usize / 64, (take - 1) % 64);
            mask[word] |= bits << shift;
            if shift > 0 && bits >> (64 - shift) != 0 {
                mask[word + 1] |= bits >> (64 - shift);
            }
            take += count;
        }
    }
}

/// What is at hand to check the positions of a group.
struct Proof<'a, D> {
    table: &'a ExpandingTable<D>,
    rules: &'a Expanding,
    groups: &'a Groups,
    /// The number of the group, and all that it leads to, from itself on.
    at: usize,
    levels: &'a VecDeque<Level>,
}

/// The fewest places of a line that are a piece of work.
pub(super) const PIECE: u32 = 1 << 14;

/// Checks every position. Progress is counted in pairs of stones and currentmax.
pub(super) fn verify<D: AsRef<[u8]> + Sync>(
    of_family: &ExpandingTable<D>,
    table: &Table<D>,
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
    let least = estimate::proof(held(&groups, lines.len()), table.file_len() as u64);
    if least > options.memory {
        return Err(VerifyError::TooLittle { least, limit: options.memory });
    }
    // From the present group up.
    let mut levels: VecDeque<Level> = VecDeque::new();
    let mut counts = Counts::default();
    // From the last group down: moves lead to the same one or a later one.
    for at in (0..groups.all().len()).rev() {
        let group = &groups.all()[at];
        // Before the level is made whose moves reach them, drop those that no move reaches any more.
        levels.truncate(groups.reached(at) - 1);
        levels.push_front(Level::read(of_family, group, &lines, control)?);
        let proof = Proof { table: of_family, rules, groups: &groups, at, levels: &levels };
        // What a window begins with is looked at once more.
        let widest = groups.moves(rules, at, (Turn::First, [0, 0], false)).map(|(_, by)| by[1] - by[0]).max();
        let piece = PIECE.max(widest.unwrap_or(0).saturating_mul(4));
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
    }
    Ok(counts)
}

/// The most bytes that the levels take that are needed at the same time.
fn held(groups: &Groups, lines: usize) -> u128 {
    let all = groups.all();
    let places = |group: &Group| u128::from(group.most) + 1;
    let (mut end, mut of_these, mut most) = (0, 0, 0);
    for at in 0..all.len() {
        while end < at + groups.reached(at) {
            of_these += places(&all[end]);
            end += 1;
        }
        most = most.max(of_these);
        of_these -= places(&all[at]);
    }
    most * lines as u128 * (8 * size_of::<Worth>() as u128 + 1) / 8
}

impl<D: AsRef<[u8]> + Sync> Proof<'_, D> {
    /// The places that moves from positions of a kind lead to, which are of another kind.
    fn windows(&self, kind: Kind, target: Kind, stones: u32) -> Result<Vec<Window<'_>>, VerifyError> {
        let mut windows = Vec::new();
        for (at, by) in self.groups.moves(self.rules, self.at, kind) {
            let line = self.levels[at - self.at].line(number(self.table, target));
            windows.grow(Window::new(line, by, stones))?;
        }
        Ok(windows)
    }

    /// Checks places of a line.
    fn check(&self, (kind, lines): (Kind, u64), places: Range<u32>) -> Result<Counts, VerifyError> {
        let group = &self.groups.all()[self.at];
        let own = self.levels[0].line(number(self.table, kind)).worth;
        let (plain, reset) = after(kind);
        let mut windows = [self.windows(kind, plain, places.start)?, Vec::new()];
        if let Some(reset) = reset {
            windows[1] = self.windows(kind, reset, places.start)?;
        }
        let furthest = windows[0].last().map_or(0, |window| window.by[1]);
        let words = u64::from(furthest.div_ceil(64));
        let mut masks = [filled(words, 0)?, filled(words, 0)?];
        let mut counts = Counts::default();
        for stones in places {
            let position = position(kind, stones, group.first);
            let answer = self.table.answer(&position)?;
            let mut best = None;
            for (resets, (windows, mask)) in windows.iter_mut().zip(&mut masks).enumerate() {
                mask.fill(0);
                for window in windows {
                    let Some((worth, take)) = window.best(stones) else { break };
                    best = best.max(Some((worth, Reverse(take), Reverse(resets))));
                    window.mark(stones, mask);
                }
            }
            let verdict = match best {
                // A player without a move has lost in normal play, and has won in misère play.
                None => {
                    Verdict { outcome: Outcome::from_won(self.rules.play() == Play::Misere), depth: Some(0) }
                }
                Some((worth, ..)) => worth.verdict_before(),
            };
            let best = best.map(|(_, Reverse(take), Reverse(resets))| Move { take, reset: resets > 0 });
            let is_right = own[stones as usize] == Worth::of(verdict)
                && answer.verdict == verdict
                && answer.best == best
                && are_marked(answer.winning.runs(false), &mut masks[0])
                && are_marked(answer.winning.runs(true), &mut masks[1]);
            if !is_right {
                return Err(self.flaw(&position, &answer));
            }
            counts.add(&verdict, lines * group.pairs_at(self.rules, stones));
        }
        Ok(counts)
    }

    /// What is wrong with an answer.
    #[cold]
    fn flaw(&self, position: &Position, answer: &Answer<Move, Winning>) -> VerifyError {
        let verdict = |of: &Position| {
            let level = &self.levels[self.groups.of(of.currentmax) - self.at];
            level.line(number(self.table, (of.turn, of.resets, of.imposed))).worth[of.stones as usize]
                .verdict()
        };
        match check_position(self.table, position, answer, verdict(position), |_, _, next| verdict(next)) {
            Err(error) => error,
            Ok(()) => VerifyError::Contradictory(format!("two ways to check {position} do not agree")),
        }
    }
}

/// Whether runs of numbers of stones are all that is marked in a mask, which is of no use afterwards.
#[inline]
fn are_marked(runs: impl Iterator<Item = Range<u32>>, mask: &mut [u64]) -> bool {
    for run in runs {
        let (mut bit, end) = (run.start - 1, run.end - 1);
        while bit < end {
            let Some(word) = mask.get_mut((bit / 64) as usize) else { return false };
            let count = (64 - bit % 64).min(end - bit);
            *word ^= (u64::MAX >> (64 - count)) << (bit % 64);
            bit += count;
        }
    }
    mask.iter().all(|&word| word == 0)
}
