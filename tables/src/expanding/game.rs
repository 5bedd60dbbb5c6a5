//! The implementation of [`Game`] for Expanding Nim: rules, positions of a table, and notation.

use std::fmt;

use super::keys::ExpandingKeys;
use super::position::{Move, Position, Turn};
use super::region::ExpandingRegion;
use super::rules::Expanding;
use crate::keys::FamilyKeys;
use crate::notation::{number, unexpected};
use crate::{Game, Outcome, PositionError, Ruleset, TooManyPositions};

impl Expanding {
    /// Returns the maximum number of stones that the player to move may take.
    pub fn max_take(&self, position: &Position) -> u32 {
        position.at_most_left(self.limit(position.currentmax, position.imposed))
    }

    /// Reads the notation of a position, without checking that a table covers the position.
    fn parse_fields(&self, text: &str) -> Result<Position, PositionError> {
        let mut position = self.start(0);
        let mut fields = text.split('/');
        let stones = fields.next().unwrap_or_default();
        position.stones = number("stones", stones, || format!("a whole number from 0 to {}", self.stones()))?;
        if let Some(field) = fields.next() {
            position.currentmax = number("currentmax", field, || {
                format!("a whole number from 0 to {}", self.greatest_currentmax())
            })?;
        }
        if let Some(field) = fields.next() {
            position.turn = match field {
                "1" => Turn::First,
                "2" => Turn::Second,
                _ => return Err(unexpected("turn", field, "1 or 2, the player to move")),
            };
        }
        if let Some(field) = fields.next() {
            let expected = || format!("the resets left, at most {},{}", self.resets()[0], self.resets()[1]);
            let (first, second) =
                field.split_once(',').ok_or_else(|| unexpected("resets", field, &expected()))?;
            position.resets = [number("resets", first, expected)?, number("resets", second, expected)?];
        }
        if let Some(field) = fields.next() {
            position.imposed = match field {
                "r" => true,
                "-" => false,
                _ => return Err(unexpected("imposed", field, "r if a reset binds this turn, else -")),
            };
        }
        match fields.next() {
            None => Ok(position),
            Some(field) => {
                Err(unexpected("end", field, "no more than STONES/CURRENTMAX/TURN/RESETS1,RESETS2/IMPOSED"))
            }
        }
    }
}

impl Game for Expanding {
    const FAMILY: &'static str = ExpandingKeys::FAMILY;
    const TITLE: &'static str = "Expanding Nim";

    type Position = Position;
    type Move = Move;
    type Region = ExpandingRegion;

    fn of(ruleset: &Ruleset) -> Option<&Self> {
        match ruleset {
            Ruleset::Expanding(rules) => Some(rules),
            _ => None,
        }
    }

    fn plays_like(&self, other: &Self) -> bool {
        let unbounded = |rules: &Self| ExpandingKeys { stones: 0, resets: [0, 0], ..rules.keys().clone() };
        unbounded(self) == unbounded(other)
    }

    fn start(&self) -> Position {
        self.start(self.stones())
    }

    fn check(&self, position: &Position) -> Result<(), PositionError> {
        let outside = |field, found: String, covered| Err(PositionError::Outside { field, found, covered });
        let Position { stones, currentmax, resets, .. } = *position;
        if stones > self.stones() {
            return outside(
                "stones",
                stones.to_string(),
                format!("games of at most {} stones", self.stones()),
            );
        }
        for (player, (&left, &allowed)) in (1..).zip(resets.iter().zip(&self.resets())) {
            if left > allowed {
                return outside(
                    "resets",
                    left.to_string(),
                    format!("0 to {allowed} resets of player {player}"),
                );
            }
        }
        let why = match (self.least(currentmax), self.max_stones(currentmax)) {
            (_, Some(most)) if stones <= most => return Ok(()),
            (None, _) => format!("with growth 0 no move takes more than {} stones", self.base_limit()),
            (Some(least), most) => {
                let left = most.map_or_else(
                    || format!("more than the {} there are", self.stones()),
                    |most| format!("which leaves at most {most} of {}, not {stones}", self.stones()),
                );
                format!(
                    "for {currentmax} to be the most taken at once, at least {least} stones must have gone, {left}"
                )
            }
        };
        Err(PositionError::CannotArise { why })
    }

    fn region(&self) -> Result<ExpandingRegion, TooManyPositions> {
        ExpandingRegion::common(&[self], &[Turn::First, Turn::Second])
    }

    fn parse_position(&self, text: &str) -> Result<Position, PositionError> {
        let position = self.parse_fields(text)?;
        self.check(&position)?;
        Ok(position)
    }

    fn notation_of_position(typed: &str) -> Option<String> {
        super::phrases::position(typed)
    }

    fn write_position(&self, position: &Position, text: &mut impl fmt::Write) -> fmt::Result {
        position.write(text)
    }

    fn write_move(&self, chosen: Move, text: &mut impl fmt::Write) -> fmt::Result {
        chosen.write(text)
    }

    fn parse_move(&self, text: &str) -> Result<Move, PositionError> {
        let (digits, reset) = text.strip_suffix('r').map_or((text, false), |digits| (digits, true));
        match number("move", digits, String::new) {
            Ok(take @ 1..) => Ok(Move { take, reset }),
            _ => Err(unexpected("move", text, &self.moves_look_like())),
        }
    }

    fn notation_of_move(&self, typed: &str) -> Option<String> {
        super::phrases::chosen(typed)
    }

    fn moves_look_like(&self) -> String {
        let reset = if self.resets() == [0, 0] { "" } else { ", with r after it for a reset, such as 1r" };
        format!("the stones taken, such as 1{reset}")
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let max_take = self.max_take(position);
        let resets = if position.resets[position.turn.index()] > 0 { &[false, true][..] } else { &[false] };
        (1..=max_take).flat_map(move |take| resets.iter().map(move |&reset| Move { take, reset }))
    }

    fn is_legal(&self, position: &Position, chosen: Move) -> bool {
        let max_take = self.max_take(position);
        (1..=max_take).contains(&chosen.take) && (!chosen.reset || position.resets[position.turn.index()] > 0)
    }

    fn after(&self, position: &Position, chosen: Move) -> Position {
        debug_assert!(self.is_legal(position, chosen), "{chosen} is not legal at {position}");
        let mut resets = position.resets;
        if chosen.reset {
            resets[position.turn.index()] -= 1;
        }
        Position {
            stones: position.stones - u64::from(chosen.take),
            currentmax: position.currentmax.max(chosen.take),
            turn: position.turn.other(),
            resets,
            imposed: chosen.reset,
        }
    }

    fn move_in_words(&self, chosen: Move) -> String {
        format!("take {}{}", chosen.take, if chosen.reset { " and impose a reset" } else { "" })
    }

    fn player(&self, position: &Position) -> Option<u8> {
        Some(position.turn.number())
    }

    fn stones_taken(&self, chosen: Move) -> u64 {
        chosen.take.into()
    }

    fn outcome_without_moves(&self) -> Outcome {
        self.play().outcome_without_moves()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Region;

    fn preset() -> Expanding {
        ExpandingKeys { resets: [4, 3], ..Default::default() }.rules().unwrap()
    }

    #[test]
    fn a_position_reads_back_as_it_prints() {
        let rules = preset();
        for text in ["217/9/1/4,3/-", "0/0/2/0,0/r", "1000/0/1/4,3/-"] {
            assert_eq!(rules.parse_position(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn omitted_fields_are_those_of_the_start_of_a_game() {
        let rules = preset();
        for (short, full) in [
            ("7", "7/0/1/4,3/-"),
            ("7/2", "7/2/1/4,3/-"),
            ("7/2/2", "7/2/2/4,3/-"),
            ("7/2/2/1,0", "7/2/2/1,0/-"),
        ] {
            assert_eq!(rules.parse_position(short).unwrap().to_string(), full);
        }
    }

    #[test]
    fn a_syntax_error_names_the_field() {
        let rules = preset();
        let cases = [
            ("", "stones: found ''"),
            ("x", "stones: found 'x'"),
            ("-1", "stones: found '-1'"),
            ("+1", "stones: found '+1'"),
            (" 1", "stones: found ' 1'"),
            ("01", "stones: found '01'"),
            ("99999999999999999999", "stones: found '99999999999999999999'"),
            ("5/", "currentmax: found ''"),
            ("5/1/3", "turn: found '3'"),
            ("5/1/1/4", "resets: found '4'"),
            ("5/1/1/4,3,2", "resets: found '3,2'"),
            ("5/1/1/4,3/x", "imposed: found 'x'"),
            ("5/1/1/4,3/-/", "end: found ''"),
        ];
        for (text, expected) in cases {
            let error = rules.parse_position(text).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{text}: {error}");
        }
    }

    #[test]
    fn a_pair_that_cannot_arise_is_refused_with_the_reason() {
        let error = |text| preset().parse_position(text).unwrap_err().to_string();
        assert_eq!(
            error("990/5"),
            "this position cannot arise: for 5 to be the most taken at once, at least 12 stones must have gone, \
             which leaves at most 988 of 1000, not 990"
        );
        assert!(error("1/60").contains("more than the 1000 there are"));
        assert!(error("1001").starts_with("stones: found 1001, but the table covers"));
        assert!(error("10/1/1/4,4").contains("0 to 3 resets of player 2"));
        let flat = ExpandingKeys { growth: 0, ..Default::default() }.rules().unwrap();
        assert!(flat.parse_position("5/4").unwrap_err().to_string().contains("with growth 0"));
    }

    #[test]
    fn moves_read_back_as_they_print() {
        let rules = preset();
        for text in ["5", "5r", "44r"] {
            assert_eq!(rules.parse_move(text).unwrap().to_string(), text);
        }
        for text in ["", "r", "0", "0r", "5R", "5rr", "-5", "05"] {
            assert!(rules.parse_move(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_move_is_legal_if_it_is_listed() {
        for (base_limit, growth, reset_limit) in [(2, 1, 1), (3, 0, 2), (4, 2, 4)] {
            let keys = ExpandingKeys { stones: 14, base_limit, growth, reset_limit, ..Default::default() };
            let rules = ExpandingKeys { resets: [1, 0], ..keys }.rules().unwrap();
            for position in Region::walk(&rules.region().unwrap(), 0) {
                let listed: Vec<Move> = rules.moves(&position).collect();
                assert!(listed.is_sorted(), "{position}");
                for take in 0..=position.stones as u32 + 2 {
                    for chosen in [Move { take, reset: false }, Move { take, reset: true }] {
                        let legal = listed.contains(&chosen);
                        assert_eq!(rules.is_legal(&position, chosen), legal, "{chosen} at {position}");
                    }
                }
            }
        }
    }

    #[test]
    fn positions_and_moves_are_written_in_notation_and_in_words() {
        let rules = preset();
        let (plain, reset) = (Move { take: 5, reset: false }, Move { take: 44, reset: true });
        let mut text = String::new();
        rules.write_move(plain, &mut text).unwrap();
        rules.write_move(reset, &mut text).unwrap();
        rules.write_position(&rules.parse_position("217/9/2/1,0/r").unwrap(), &mut text).unwrap();
        assert_eq!(text, "544r217/9/2/1,0/r");
        assert_eq!(
            [plain, reset].map(|chosen| rules.move_in_words(chosen)),
            ["take 5", "take 44 and impose a reset"]
        );
        assert_eq!([plain, reset].map(|chosen| rules.stones_taken(chosen)), [5, 44]);
        let player = |text| rules.player(&rules.parse_position(text).unwrap());
        assert_eq!([player("9/0/1"), player("9/0/2")], [Some(1), Some(2)]);
    }

    #[test]
    fn rulesets_that_differ_in_their_bounds_only_play_alike() {
        let game = |change: &dyn Fn(&mut ExpandingKeys)| {
            let mut keys = ExpandingKeys::default();
            change(&mut keys);
            keys.rules().unwrap()
        };
        let rules = game(&|_| {});
        assert!(rules.plays_like(&game(&|keys| (keys.stones, keys.resets) = (20, [1, 0]))));
        assert!(!rules.plays_like(&game(&|keys| keys.play = crate::Play::Misere)));
        assert!(!rules.plays_like(&game(&|keys| keys.growth = 2)));
        assert_eq!(Expanding::of(&rules.clone().into()), Some(&rules));
        let heaps = crate::heaps::HeapKeys { bounds: vec![3], ..Default::default() };
        assert_eq!(Expanding::of(&heaps.rules().unwrap().into()), None);
    }
}
