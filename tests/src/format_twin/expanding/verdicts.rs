//! Reads depths and best moves (FORMAT.md, section 4.4). On a line, the first `own` numbers of stones have a
//! staircase: steps with one depth each. A flight repeats its steps. All others have the answer of another line,
//! shifted and made deeper.

use super::{FLIGHTS, STEPS, Twin, VERDICTS, assert_below_2_to_the_32nd};

/// Depth and best move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Plies to the end.
    pub depth: u64,
    /// Stones that the best move takes; 0 if there is no move.
    pub take: u64,
    /// True if the best move imposes a reset.
    pub reset: bool,
}

/// A record of array 4, by the names in FORMAT.md.
#[derive(Clone, Copy, Debug)]
struct Record {
    /// The number of the first flight of the line's own staircase.
    first: u64,
    /// The number of flights of this staircase.
    flights: u64,
    /// The number of stones below which the line's own staircase answers.
    own: u64,
    /// The class that answers from `own` stones on.
    class: u64,
    /// The number of stones to subtract before that class answers.
    shift: u64,
    /// The depth to add to the answer of that class.
    deeper: u64,
}

/// A flight: the record of array 5.
#[derive(Clone, Copy, Debug)]
struct Flight {
    /// The place where its first round begins.
    start: u64,
    /// Added to the depth of each step.
    base: u64,
    /// The number of places of round 0; 0 if there is no other round.
    gap: u64,
    /// The places by which each round exceeds the one before.
    growth: u64,
    /// The plies by which each round is deeper than the one before.
    rise: u64,
    /// The number of the first step.
    step: u64,
    /// The number of steps after the first.
    more: u64,
}

impl Twin {
    /// Returns depth and best move of the position at `x` of a line; `None` in a table without depths.
    ///
    /// # Panics
    /// If a value is invalid.
    #[must_use]
    pub fn verdict(&self, row: u64, line: u64, x: u64) -> Option<Verdict> {
        self.header.depths.then(|| {
            let verdict = self.own_or_other_verdict(row, self.record(row, line), x);
            self.check_best(row, line, x, verdict);
            let is_lost = (verdict.depth % 2 == 1) == self.rules.misere;
            assert!(is_lost == self.lost(row, line, x), "depth and outcome agree");
            verdict
        })
    }

    /// Checks that the best move is legal.
    fn check_best(&self, row: u64, line: u64, x: u64, Verdict { take, reset, .. }: Verdict) {
        assert!(take > 0 || x == 0, "there is no move only if no stones are left");
        assert!(take <= x, "the best move takes no more stones than there are");
        let most = if line % 2 == 1 { self.rules.reset_limit.into() } else { self.rules.limit(row) };
        assert!(take <= most, "the best move takes no more stones than the limit");
        assert!(
            take == 0 || !reset || self.rules.may_reset(line),
            "a player who imposes a reset has one left"
        );
    }

    /// Returns a record of the array of verdicts.
    fn verdict_record(&self, record: u64) -> Record {
        let fields = [0, 1, 2, 3, 4, 5].map(|field| self.field(VERDICTS, record, field));
        fields.into_iter().for_each(assert_below_2_to_the_32nd);
        let [first, flights, own, class, shift, deeper] = fields;
        Record { first, flights, own, class, shift, deeper }
    }

    /// Returns the verdict with `x` stones: from the record's own part, or from the class that answers the rest.
    fn own_or_other_verdict(&self, row: u64, record: u64, x: u64) -> Verdict {
        let Record { first, flights, own, class, shift, deeper } = self.verdict_record(record);
        if x < own {
            return self.on_flight(self.flight_at(first, flights, x), x);
        }
        assert!(deeper < 1 << 30, "a line is less than 2^30 deeper than another");
        let other = self.record_of_class(row, class);
        let other_x =
            x.checked_sub(shift).expect("a position that another line answers has at least `shift` stones");
        assert!(other_x < self.verdict_record(other).own, "the other line answers with its own staircase");
        let Verdict { depth, take, reset } = self.own_or_other_verdict(row, other, other_x);
        Verdict { depth: depth + deeper, take, reset }
    }

    /// Returns the flight that answers at `x` of a staircase: the last one that starts there or before.
    fn flight_at(&self, first: u64, flights: u64, x: u64) -> Flight {
        assert!(flights > 0, "a staircase has a flight");
        let mut found = self.flight(first);
        assert_eq!(found.start, 0, "the first flight of a staircase starts at 0");
        for number in first + 1..first + flights {
            let next = self.flight(number);
            assert!(found.start < next.start, "the flights of a staircase are ascending");
            if next.start > x {
                break;
            }
            found = next;
        }
        found
    }

    /// Returns the flight with this number.
    fn flight(&self, number: u64) -> Flight {
        let [start, base, gap, growth, rise, step, more] =
            [0, 1, 2, 3, 4, 5, 6].map(|field| self.field(FLIGHTS, number, field));
        Flight { start, base, gap, growth, rise, step, more }
    }

    /// Returns the verdict at `x` of a staircase, from the flight that answers there.
    fn on_flight(&self, Flight { start, base, gap, growth, rise, step, more }: Flight, x: u64) -> Verdict {
        let y = x - start;
        // The round, the place where it begins, and the place where the next one does.
        let (mut k, mut begins, mut next) = (0, 0, gap);
        while gap > 0 && next <= y {
            k += 1;
            begins = next;
            next += gap + growth * k;
        }
        let z = i128::from(y - begins);
        let mut verdict = None;
        for number in step..=step + more {
            let [place, drift, depth, take, advance, single, reset] =
                [0, 1, 2, 3, 4, 5, 6].map(|field| self.field(STEPS, number, field));
            let is_first = number == step;
            let place = i128::from(place) + i128::from(k) * (i128::from(drift) - 3);
            let place = if is_first { 0 } else { place };
            let is_single = !is_first && single == 1;
            if place == z || place < z && !is_single {
                let t = u64::try_from(z - place).expect("a step begins less than 2^64 places before");
                let depth = base + k * rise + depth;
                verdict = Some(Verdict { depth, take: take + advance * t, reset: reset == 1 });
            }
        }
        let verdict = verdict.expect("the first step begins with the round");
        assert!(verdict.depth < 1 << 30, "a depth is below 2^30");
        verdict
    }
}
