//! The implementation of [`Game`] for heap games: rules, positions of a table, and notation.

use std::fmt;

use super::keys::HeapKeys;
use super::moves::Moves;
use super::position::{Heap, Heaps, Move, Position};
use super::region::HeapRegion;
use super::rules::HeapRules;
use crate::keys::FamilyKeys;
use crate::notation::{number, unexpected, write_number};
use crate::{Game, Outcome, PositionError, Ruleset, TooManyPositions};

impl HeapRules {
    /// Reads heaps such as `3,5,7`.
    fn parse_heaps(&self, text: &str) -> Result<Heaps, PositionError> {
        let mut heaps = Heaps::new();
        let expected = || {
            format!("a whole number from 0 to {}, with a comma before the next heap", self.greatest_bound())
        };
        for field in text.split(',') {
            let heap = number("heaps", field, expected)?;
            if heaps.len() == self.heaps() {
                return Err(self.wrong_number_of_heaps(text.split(',').count()));
            }
            heaps.push(heap);
        }
        // Heaps omitted at the end are empty.
        Ok(heaps.padded(self.heaps()))
    }

    /// Returns the error for a position with another number of heaps.
    fn wrong_number_of_heaps(&self, found: usize) -> PositionError {
        let covered = if self.heaps() == 1 { "1 heap".to_owned() } else { format!("{} heaps", self.heaps()) };
        PositionError::Outside { field: "number of heaps", found: found.to_string(), covered }
    }
}

/// Returns heaps as text, such as `3,5,7`.
fn joined(heaps: &[Heap]) -> String {
    heaps.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

impl Game for HeapRules {
    const FAMILY: &'static str = HeapKeys::FAMILY;
    const TITLE: &'static str = "a heap game";

    type Position = Position;
    type Move = Move;
    type Region = HeapRegion;

    fn of(ruleset: &Ruleset) -> Option<&Self> {
        match ruleset {
            Ruleset::Heaps(rules) => Some(rules),
            _ => None,
        }
    }

    fn plays_like(&self, other: &Self) -> bool {
        let unbounded = |rules: &Self| HeapKeys { bounds: Vec::new(), passes: 0, ..rules.keys().clone() };
        unbounded(self) == unbounded(other)
    }

    fn start(&self) -> Position {
        Position { heaps: self.bounds().iter().copied().collect(), passes: self.passes() }
    }

    fn check(&self, position: &Position) -> Result<(), PositionError> {
        if position.passes > self.passes() {
            let covered = format!("0 to {} passes left", self.passes());
            let found = position.passes.to_string();
            return Err(PositionError::Outside { field: "passes", found, covered });
        }
        if position.heaps.len() != self.heaps() {
            return Err(self.wrong_number_of_heaps(position.heaps.len()));
        }
        if !self.fits(&position.heaps) {
            let bounds = joined(self.bounds());
            let covered = format!("heaps of at most {bounds} stones, in any order");
            let found = joined(&position.heaps);
            return Err(PositionError::Outside { field: "heaps", found, covered });
        }
        Ok(())
    }

    fn region(&self) -> Result<HeapRegion, TooManyPositions> {
        HeapRegion::common(self, self)
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let (heaps, passes) = text.split_once('/').map_or((text, None), |(heaps, rest)| (heaps, Some(rest)));
        let heaps = self.parse_heaps(heaps)?;
        let passes = match passes {
            None => self.passes(),
            Some(field) if self.passes() == 0 => {
                return Err(unexpected("end", field, "nothing after the heaps, since there are no passes"));
            }
            Some(field) => number("passes", field, || {
                format!("the passes left, a whole number from 0 to {}, and nothing after it", self.passes())
            })?,
        };
        let position = Position { heaps, passes };
        self.check(&position)?;
        Ok(position)
    }

    fn notation_of_position(typed: &str) -> Option<String> {
        super::phrases::position(typed)
    }

    fn write_position(&self, position: &Position, text: &mut impl fmt::Write) -> fmt::Result {
        for (row, heap) in position.heaps.iter().enumerate() {
            if row > 0 {
                text.write_char(',')?;
            }
            write_number(*heap, text)?;
        }
        if self.passes() > 0 {
            text.write_char('/')?;
            write_number(position.passes, text)?;
        }
        Ok(())
    }

    fn write_move(&self, chosen: Move, text: &mut impl fmt::Write) -> fmt::Result {
        chosen.write(text)
    }

    fn parse_move(&self, text: &str) -> Result<Move, PositionError> {
        if text == "pass" {
            return Ok(Move::PASS);
        }
        let mut chosen = Move::PASS;
        for part in text.split('+') {
            let (row, take) =
                part.split_once(':').ok_or_else(|| unexpected("move", part, &self.moves_look_like()))?;
            let expected = || format!("a row from 1 to {}", self.heaps());
            let row: usize = number("row", row, expected)?;
            let take: Heap = number("take", take, || "a number of stones, at least 1".to_owned())?;
            if !(1..=self.heaps()).contains(&row) {
                return Err(unexpected("row", &row.to_string(), &expected()));
            }
            if take == 0 {
                return Err(unexpected("take", "0", "a number of stones, at least 1"));
            }
            if chosen.taken_from(row - 1) > 0 {
                return Err(unexpected("row", &row.to_string(), "each row once only"));
            }
            chosen.set(row - 1, take);
        }
        Ok(chosen)
    }

    fn notation_of_move(&self, typed: &str) -> Option<String> {
        super::phrases::chosen(typed, self.heaps())
    }

    fn moves_look_like(&self) -> String {
        // Some positions have billions of moves.
        const MAX_TRIED: usize = 1000;
        let start = self.start();
        let taking = || self.moves(&start).take(MAX_TRIED).filter(|chosen| !chosen.is_pass());
        let mut text = "ROW:TAKE".to_owned();
        if let Some(first) = taking().next() {
            text += &format!(", such as {first}");
            if self.heaps() == 1 {
                text += &format!(", or the stones alone, such as {}", first.stones());
            }
        }
        if let Some(several) = taking().find(|chosen| chosen.takes().count() > 1) {
            text += &format!(", several with a plus, such as {several}");
        }
        text + if self.passes() > 0 { ", or pass" } else { "" }
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        Moves::new(self, position)
    }

    fn is_legal(&self, position: &Position, chosen: Move) -> bool {
        if chosen.is_pass() {
            return position.passes > 0 && self.can_take(&position.heaps);
        }
        let mut takes = chosen.takes();
        let are_allowed = takes.clone().all(|(row, take)| {
            position.heaps.get(row).is_some_and(|&heap| take <= heap) && self.take().allows(take)
        });
        let (first, heaps) = (chosen.takes().next(), chosen.takes().count());
        are_allowed
            && self.heap_counts().allows(heaps)
            && (!self.equal_take()
                || takes.all(|(_, take)| first.is_some_and(|(_, of_first)| take == of_first)))
    }

    fn after(&self, position: &Position, chosen: Move) -> Position {
        debug_assert!(self.is_legal(position, chosen), "{chosen} is not legal at {:?}", position.heaps);
        let mut next = *position;
        next.passes -= u8::from(chosen.is_pass());
        for (row, take) in chosen.takes() {
            next.heaps[row] -= take;
        }
        next
    }

    fn move_in_words(&self, chosen: Move) -> String {
        if chosen.is_pass() {
            return "take nothing".to_owned();
        }
        let takes = chosen.takes().map(|(row, take)| format!("{take} from row {}", row + 1));
        format!("take {}", takes.collect::<Vec<_>>().join(" and "))
    }

    fn player(&self, _: &Position) -> Option<u8> {
        None
    }

    fn stones_taken(&self, chosen: Move) -> u64 {
        chosen.stones()
    }

    fn outcome_without_moves(&self) -> Outcome {
        self.play().outcome_without_moves()
    }
}

#[cfg(test)]
mod tests {
    use super::super::heap_counts::HeapCounts;
    use super::super::take::Take;
    use super::*;
    use crate::Region;

    fn rules(bounds: &[Heap], passes: u32) -> HeapRules {
        HeapKeys { bounds: bounds.to_vec(), passes, ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn a_position_reads_back_as_it_prints() {
        let plain = rules(&[3, 5, 7], 0);
        for text in ["3,5,7", "7,3,5", "0,0,0", "1,7,1"] {
            assert_eq!(plain.show_position(&plain.parse_position(text).unwrap()), text);
        }
        let passing = rules(&[3, 5, 7], 2);
        for text in ["3,5,7/2", "7,3,5/0"] {
            assert_eq!(passing.show_position(&passing.parse_position(text).unwrap()), text);
        }
    }

    #[test]
    fn omitted_fields_mean_empty_heaps_and_all_passes() {
        let rules = rules(&[3, 5, 7], 2);
        for (short, full) in [("7", "7,0,0/2"), ("5,5/1", "5,5,0/1"), ("0", "0,0,0/2")] {
            assert_eq!(rules.show_position(&rules.parse_position(short).unwrap()), full);
        }
    }

    #[test]
    fn the_error_about_an_invalid_or_uncovered_position_names_the_field() {
        let error =
            |passes, text: &str| rules(&[3, 5, 7], passes).parse_position(text).unwrap_err().to_string();
        for (passes, text, expected) in [
            (0, "", "heaps: found ''"),
            (0, "3,5,", "heaps: found ''"),
            (0, "3, 5,7", "heaps: found ' 5'"),
            (0, "3;5;7", "heaps: found '3;5;7'"),
            (0, "03,5,7", "heaps: found '03'"),
            (0, "-1", "heaps: found '-1'"),
            (0, "99999999999", "heaps: found '99999999999'"),
            (0, "1,1,1,1", "number of heaps: found 4, but the table covers 3 heaps"),
            (0, "8,0,0", "heaps: found 8,0,0, but the table covers heaps of at most 3,5,7 stones"),
            (0, "0,8,0", "heaps: found 0,8,0, but"),
            (0, "0,0,8", "heaps: found 0,0,8, but"),
            (0, "4,6,7", "heaps: found 4,6,7, but"),
            (0, "7,6,1", "heaps: found 7,6,1, but"),
            (0, "3,5,7/0", "end: found '0', expected nothing after the heaps, since there are no passes"),
            (0, "3,5,7 ", "heaps: found '7 '"),
            (2, "3,5,7/3", "passes: found 3, but the table covers 0 to 2 passes left"),
            (2, "3,5,7/", "passes: found ''"),
            (2, "3,5,7/1/", "passes: found '1/'"),
            (2, "3,5,7/x", "passes: found 'x'"),
        ] {
            assert!(error(passes, text).starts_with(expected), "{text}: {}", error(passes, text));
        }
    }

    #[test]
    fn moves_read_back_as_they_print() {
        let rules = rules(&[3, 5, 7], 2);
        for text in ["1:1", "3:7", "1:2+3:1", "1:1+2:2+3:3", "pass"] {
            assert_eq!(rules.parse_move(text).unwrap().to_string(), text);
        }
        assert_eq!(rules.parse_move("3:1+1:2").unwrap().to_string(), "1:2+3:1");
        for text in
            ["", "1", "1:", ":1", "0:1", "4:1", "1:0", "1:1+1:2", "1:1+", "1:1 ", "Pass", "passx", "1:1:1"]
        {
            assert!(rules.parse_move(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_is_legal_if_it_is_listed() {
        let exactly = |counts: &[u32]| HeapCounts::exactly(counts).unwrap();
        let keys =
            |bounds: &[Heap], take: Take, heaps_per_move: u32, equal_take: bool, passes: u32| HeapKeys {
                bounds: bounds.to_vec(),
                take,
                heaps_per_move: heaps_per_move.into(),
                equal_take,
                passes,
                ..Default::default()
            };
        for keys in [
            keys(&[2, 3, 3], Take::Any, 1, false, 1),
            keys(&[2, 3, 3], Take::UpTo(2), 2, false, 0),
            keys(&[3, 3, 3], Take::exactly(vec![1, 3]), 3, true, 0),
            keys(&[4, 4], Take::Any, 2, true, 2),
            HeapKeys { heaps_per_move: exactly(&[2]), ..keys(&[2, 3, 3], Take::Any, 2, false, 1) },
            HeapKeys { heaps_per_move: exactly(&[1, 3]), ..keys(&[3, 3, 3], Take::UpTo(2), 3, true, 0) },
        ] {
            let rules = keys.rules().unwrap();
            for position in Region::walk(&rules.region().unwrap(), 0) {
                let listed: Vec<Move> = rules.moves(&position).collect();
                let heaps = position.heaps.len();
                // The takes tried include one stone more than the heap has.
                let mut tried = vec![Move::PASS];
                for (row, &heap) in position.heaps.iter().enumerate() {
                    tried = (0..=heap + 1)
                        .flat_map(|take| {
                            tried.iter().map(move |&chosen| {
                                let mut chosen = chosen;
                                chosen.set(row, take);
                                chosen
                            })
                        })
                        .collect();
                }
                assert_eq!(listed.iter().filter(|chosen| tried.contains(chosen)).count(), listed.len());
                for chosen in tried {
                    let legal = listed.contains(&chosen);
                    assert_eq!(
                        rules.is_legal(&position, chosen),
                        legal,
                        "{chosen} of {heaps} heaps, {position:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn positions_and_moves_are_written_in_notation_and_in_words() {
        let rules = rules(&[3, 5, 7], 2);
        let written_forms = |text: &str| {
            let chosen = rules.parse_move(text).unwrap();
            let mut written = String::new();
            rules.write_move(chosen, &mut written).unwrap();
            (written, rules.move_in_words(chosen), rules.stones_taken(chosen))
        };
        let expected = |text: &str, words: &str, stones| (text.to_owned(), words.to_owned(), stones);
        assert_eq!(written_forms("2:4"), expected("2:4", "take 4 from row 2", 4));
        assert_eq!(written_forms("1:2+3:7"), expected("1:2+3:7", "take 2 from row 1 and 7 from row 3", 9));
        assert_eq!(written_forms("pass"), expected("pass", "take nothing", 0));
        assert_eq!(rules.player(&rules.start()), None);
    }

    #[test]
    fn rulesets_that_differ_in_their_bounds_only_play_alike() {
        let game = |change: &dyn Fn(&mut HeapKeys)| {
            let mut keys = HeapKeys { bounds: vec![3, 5, 7], ..Default::default() };
            change(&mut keys);
            keys.rules().unwrap()
        };
        let rules = game(&|_| {});
        assert!(rules.plays_like(&game(&|keys| (keys.bounds, keys.passes) = (vec![9], 3))));
        assert!(!rules.plays_like(&game(&|keys| keys.play = crate::Play::Misere)));
        assert!(!rules.plays_like(&game(&|keys| keys.take = Take::UpTo(3))));
        assert_eq!(HeapRules::of(&rules.clone().into()), Some(&rules));
        let pile = crate::expanding::ExpandingKeys::default().rules().unwrap();
        assert_eq!(HeapRules::of(&pile.into()), None);
    }
}
