//! Sheets of Expanding Nim: their tables, read as the sheet says, give the outcome of every position, as the rules do.
//! A number of stones is good if leaving it wins.

use std::collections::{BTreeMap, BTreeSet};

use bouton_draw::Paper;
use bouton_tables::{Play, Ruleset, rulesets};
use bouton_tests::oracle::expanding::{Position, Rules, least, legal_moves, positions};

use super::read::{Piece, number, numbers_of_list, pages, pieces, pieces_under};

/// The outcomes of all positions, computed by the rules alone, with an array instead of a map for speed.
pub(crate) struct LostPositions {
    rules: Rules,
    /// The largest `currentmax` that can arise.
    max_currentmax: u32,
    /// For each position, by its index, whether it is lost.
    lost: Vec<bool>,
}

impl LostPositions {
    pub(crate) fn of(rules: &Rules) -> Self {
        let arises = |m: &u32| least(rules, *m).is_some_and(|gone| gone <= rules.stones);
        let max_currentmax = (0..=rules.stones).rfind(arises).unwrap();
        let [first, second] = rules.resets.map(|resets| resets as usize + 1);
        let count = (rules.stones as usize + 1) * (max_currentmax as usize + 1) * 4 * first * second;
        let mut outcomes = Self { rules: rules.clone(), max_currentmax, lost: vec![false; count] };
        // The oracle lists positions with fewer stones first.
        for position in positions(rules) {
            let moves = legal_moves(rules, &position);
            let wins = moves.iter().any(|(_, next)| outcomes.is_lost(next));
            let index = outcomes.index(&position);
            outcomes.lost[index] = if moves.is_empty() { !rules.misere } else { !wins };
        }
        outcomes
    }

    /// Returns the index of a position in `lost`.
    fn index(&self, position: &Position) -> usize {
        let Position { stones, currentmax, turn, resets: [first, second], imposed } = *position;
        let [max_first, max_second] = self.rules.resets;
        let numbers = [
            (stones, self.rules.stones),
            (currentmax, self.max_currentmax),
            (u32::from(turn) - 1, 1),
            (first, max_first),
            (second, max_second),
            (imposed.into(), 1),
        ];
        numbers.into_iter().fold(0, |index, (number, max)| index * (max as usize + 1) + number as usize)
    }

    /// Returns whether a position is lost.
    pub(crate) fn is_lost(&self, position: &Position) -> bool {
        self.lost[self.index(position)]
    }
}

/// Returns the preset's rules with some settings, for the program and for the oracle.
pub(crate) fn rules_of(settings: &[&str]) -> (Ruleset, Rules) {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let ruleset = rulesets::find("expanding", &settings).unwrap().ruleset;
    let Ruleset::Expanding(rules) = &ruleset else { panic!("another game") };
    let plain = Rules {
        stones: rules.stones().try_into().expect("a small game"),
        base_limit: rules.base_limit(),
        growth: rules.growth(),
        reset_limit: rules.reset_limit(),
        resets: rules.resets().map(u32::from),
        misere: rules.play() == Play::Misere,
    };
    (ruleset, plain)
}

/// The resets of the opponent, who is to move, and of the reader; whether a reset binds the opponent; and the limit.
type Key = (u32, u32, bool, u32);

/// The contents of a sheet: the numbers of stones that are good to leave in each situation.
struct SheetContents<'a> {
    rules: &'a Rules,
    /// The headings, texts and rows of the sheet.
    pieces: Vec<Piece>,
    /// All limits that can arise.
    limits: BTreeSet<u32>,
    /// For each situation, whether each number of stones is good.
    good: BTreeMap<Key, Vec<bool>>,
}

/// Parses `3` or `1 to 4`.
fn parse_range(text: &str) -> (u32, u32) {
    let (from, to) = text.split_once(" to ").unwrap_or((text, text));
    (from.parse().unwrap(), to.parse().unwrap())
}

impl<'a> SheetContents<'a> {
    fn of(rules: &'a Rules, pieces: Vec<Piece>) -> Self {
        let arises = |m: &u32| least(rules, *m).is_some_and(|gone| gone <= rules.stones);
        let limits =
            (0..=rules.stones).filter(arises).map(|m| rules.base_limit.max(m.saturating_add(rules.growth)));
        let mut contents = Self { rules, limits: limits.collect(), pieces, good: BTreeMap::new() };
        // Table D, one move ahead, refers to the other tables.
        for letter in ['A', 'B', 'C', 'E', 'F', 'D'] {
            contents.read(letter);
        }
        contents
    }

    /// Returns the pairs of resets that a table covers.
    fn pairs(&self, letter: char) -> Vec<(u32, u32)> {
        let [first, second] = self.rules.resets;
        let of = |own: u32, other: u32| (0..=own).flat_map(move |one| (0..=other).map(move |two| (one, two)));
        let pairs: BTreeSet<(u32, u32)> = of(first, second).chain(of(second, first)).collect();
        let belongs = |own: &u32, other: &u32| match letter {
            'A' | 'D' => own == other,
            'B' | 'E' => own < other,
            _ => own > other,
        };
        pairs.into_iter().filter(|(own, other)| belongs(own, other)).collect()
    }

    /// Reads the table with this letter. Tables A to C are without a reset that binds, D to F with one; in A and D the
    /// resets of both are equal, in B and E the opponent has fewer, in C and F more.
    fn read(&mut self, letter: char) {
        let pieces = self.pieces.clone();
        let found = pieces_under(&pieces, &format!("{letter}: "));
        let pairs = self.pairs(letter);
        let imposed = letter >= 'D';
        if imposed && self.rules.resets == [0, 0] {
            assert!(found.is_empty());
            return;
        }
        assert_eq!(found.is_empty(), pairs.is_empty(), "{letter}");
        let words = || {
            found
                .iter()
                .filter_map(|piece| if let Piece::Text(text) = piece { Some(text.as_str()) } else { None })
        };
        let text = words().next().unwrap_or_default();
        let rows = found.iter().filter_map(|piece| {
            if let Piece::Row { label, text } = piece { Some((label, text)) } else { None }
        });
        if text.contains("can leave you no number") {
            return self.read_one_move_ahead(text, &pairs);
        }
        let shift = text.strip_prefix("With ").map(|rest| {
            let most: u32 = rest.split_once(" reset").unwrap().0.parse().unwrap();
            let step: u32 =
                rest.split_once("first add ").unwrap().1.split_once(' ').unwrap().0.parse().unwrap();
            for fewer in 0..most {
                assert!(text.contains(&format!("{fewer} each: add {}", step * (most - fewer))), "{text}");
            }
            (most, step)
        });
        // With r resets, numbers up to step * r + step have their own rows.
        let small_step = words().find_map(|text| text.split_once("this holds above ")).map(|(_, rest)| {
            let step: u32 = rest.split_once("r + ").unwrap().0.parse().unwrap();
            assert!(rest.starts_with(&format!("{step}r + {step}.")), "{rest}");
            step
        });
        let mut small = BTreeSet::new();
        for (label, text) in rows {
            let (resets, limits) = self.label(label, letter);
            let is_small = small_step.is_some() && resets.is_some();
            for &limit in &limits {
                let max_number = self.rules.stones + shift.map_or(0, |(most, step)| most * step);
                let numbers: BTreeSet<u32> = numbers_of_list(text, limit, max_number).into_iter().collect();
                let is_covered = |pair: &&(u32, u32)| resets.as_ref().is_none_or(|all| all.contains(pair));
                for &(own, other) in pairs.iter().filter(is_covered) {
                    let (key, zero_is_good) = ((own, other, imposed, limit), self.zero_is_good());
                    let end = small_step.map_or(0, |step| step * (own + 1));
                    let more = shift.map_or(0, |(most, step)| step * (most - own));
                    let is_good = |stones: u32| match stones {
                        0 => zero_is_good,
                        stones if is_small => numbers.contains(&stones),
                        stones => stones > end && numbers.contains(&(stones + more)),
                    };
                    if is_small {
                        assert!(small.insert(key), "{letter}: {own} and {other} at {limit} twice");
                        let good = self.good.get_mut(&key).expect("the other rows come first");
                        for stones in 0..=end.min(self.rules.stones) {
                            good[stones as usize] = is_good(stones);
                        }
                    } else {
                        let before = self.good.insert(key, (0..=self.rules.stones).map(is_good).collect());
                        assert!(before.is_none(), "{letter}: {own} and {other} at {limit} twice");
                    }
                }
            }
        }
        let all: BTreeSet<Key> = pairs
            .iter()
            .flat_map(|&(own, other)| self.limits.iter().map(move |&limit| (own, other, imposed, limit)))
            .collect();
        assert!(small_step.is_none() || small == all, "{letter}: small numbers of some are missing");
    }

    /// Returns whether it is good to leave nothing.
    fn zero_is_good(&self) -> bool {
        let Some(Piece::Text(how)) = pieces_under(&self.pieces, "How to use it").first() else {
            panic!("no words")
        };
        assert!(how.contains("Leaving 0 wins, too.") != how.contains("Never leave 0."), "{how}");
        how.contains("Leaving 0 wins, too.")
    }

    /// Returns the pairs of resets, if the label names any, and the limits that it covers.
    fn label(&self, label: &str, letter: char) -> (Option<BTreeSet<(u32, u32)>>, Vec<u32>) {
        let (mut pairs, mut limits) = (None, self.limits.clone());
        for part in label.split("; ").filter(|part| *part != "leave") {
            if let Some(resets) = part.strip_prefix("opponent ") {
                let (own, other) = resets.split_once(", you ").unwrap();
                let ((from, to), (least, most)) = (parse_range(own), parse_range(other));
                let covered = self.pairs(letter).into_iter();
                let covered = covered
                    .filter(|(own, other)| (from..=to).contains(own) && (least..=most).contains(other));
                pairs.get_or_insert_with(BTreeSet::new).extend(covered);
            } else {
                let rest = part.strip_prefix("limit ").unwrap();
                let (rest, taken) = rest.strip_suffix(')').map_or((rest, None), |rest| {
                    let (rest, taken) = rest.split_once(" (").unwrap();
                    (rest, Some(parse_range(taken)))
                });
                let (from, to) = rest
                    .strip_suffix(" and more")
                    .map_or_else(|| parse_range(rest), |from| (from.parse().unwrap(), u32::MAX));
                limits.retain(|limit| (from..=to).contains(limit));
                if let Some((from, to)) = taken {
                    let limit_of = |m: u32| self.rules.base_limit.max(m.saturating_add(self.rules.growth));
                    assert!((from..=to).all(|m| limits.contains(&limit_of(m))), "{label}");
                }
            }
        }
        assert!(!limits.is_empty(), "{label}");
        (pairs, limits.into_iter().collect())
    }

    /// Reads a table by the rule that a number is good if no reply leaves a number that is good for the opponent.
    fn read_one_move_ahead(&mut self, text: &str, pairs: &[(u32, u32)]) {
        let most: u32 = text.split_once("only 1 to ").unwrap().1.split_once(',').unwrap().0.parse().unwrap();
        assert!(text.contains("table A without a reset, and none of table F with one"), "{text}");
        for &(own, other) in pairs {
            for &limit in &self.limits {
                let good = (0..=self.rules.stones).map(|stones| {
                    let mut replies = (1..=most.min(stones)).flat_map(|taken| {
                        let after = limit.max(taken.saturating_add(self.rules.growth));
                        let plain = Some((other, own, false, after));
                        let reset = own.checked_sub(1).map(|fewer| (other, fewer, true, after));
                        [plain, reset].into_iter().flatten().map(move |key| (key, stones - taken))
                    });
                    // Limits beyond all that arise do not matter.
                    let is_good =
                        |(key, left): (Key, u32)| self.good.get(&key).is_some_and(|good| good[left as usize]);
                    if stones == 0 { self.zero_is_good() } else { !replies.any(is_good) }
                });
                let good = good.collect();
                self.good.insert((own, other, true, limit), good);
            }
        }
    }
}

/// Compares the sheet of a game with the rules at every position. Returns the pieces of the sheet.
fn check_sheet(settings: &[&str]) -> Vec<Piece> {
    let (ruleset, rules) = rules_of(settings);
    let lost = LostPositions::of(&rules);
    let contents = SheetContents::of(&rules, pieces(&pages(&ruleset, Paper::A4)));
    let mut last = None;
    for position in positions(&rules) {
        let Position { stones, currentmax, turn, resets, imposed } = position;
        // Without resets none can be imposed.
        if imposed && rules.resets == [0, 0] {
            continue;
        }
        let [own, other] = if turn == 1 { resets } else { [resets[1], resets[0]] };
        let limit = rules.base_limit.max(currentmax.saturating_add(rules.growth));
        let good = contents
            .good
            .get(&(own, other, imposed, limit))
            .unwrap_or_else(|| panic!("{settings:?}: {position:?}"));
        assert_eq!(good[stones as usize], lost.is_lost(&position), "{settings:?}: {position:?}");
        last = Some(position);
    }
    assert!(last.is_some());
    check_start_sentence(&rules, &lost, &contents.pieces);
    check_full_lists(&rules, &lost, &contents.pieces);
    contents.pieces
}

/// Returns the start with this number of stones.
fn start(rules: &Rules, stones: u32) -> Position {
    Position { stones, currentmax: 0, turn: 1, resets: rules.resets, imposed: false }
}

/// Checks the sentence about the starts: how many are lost, who wins, and the winning first moves.
fn check_start_sentence(rules: &Rules, lost: &LostPositions, pieces: &[Piece]) {
    let Some(Piece::Text(text)) = pieces.first() else { panic!("no words") };
    let all = (1..=rules.stones).filter(|&stones| lost.is_lost(&start(rules, stones))).count() as u64;
    let (before, total) = text.split_once(" are lost for player 1").unwrap().0.rsplit_once(" of ").unwrap();
    assert_eq!(
        (number(before.rsplit_once(' ').unwrap().1), number(total)),
        (all, rules.stones.into()),
        "{text}"
    );
    let first = start(rules, rules.stones);
    assert_eq!(text.contains("player 2 wins"), lost.is_lost(&first), "{text}");
    if let Some((_, rest)) = text.split_once("the winning first move") {
        let named = rest.split_once([' ']).unwrap().1.split_once(' ').map_or("", |(_, named)| named);
        let named = named.split(['.', '(']).next().unwrap().replace(" and ", ", ");
        let wins: BTreeSet<String> = legal_moves(rules, &first)
            .into_iter()
            .filter(|(_, next)| lost.is_lost(next))
            .map(|((taken, reset), _)| format!("{taken}{}", if reset { "r" } else { "" }))
            .collect();
        let (more, named): (Vec<&str>, Vec<&str>) =
            named.split(", ").map(str::trim).partition(|name| name.ends_with("more"));
        assert!(named.iter().all(|name| wins.contains(*name)), "{text}: {wins:?}");
        let unnamed = more.first().map_or(0, |more| number(more.split_once(' ').unwrap().0));
        assert_eq!(named.len() as u64 + unnamed, wins.len() as u64, "{text}");
    }
}

/// Checks the rows of "A once more", which list all lost numbers of stones, hundred by hundred.
fn check_full_lists(rules: &Rules, lost: &LostPositions, pieces: &[Piece]) {
    let is_full_list =
        |piece: &&Piece| matches!(piece, Piece::Heading(text) if text.starts_with("A once more"));
    let Some(Piece::Heading(heading)) = pieces.iter().find(is_full_list) else { return };
    let resets =
        heading.split_once("with ").map_or(0, |(_, rest)| rest.split(' ').next().unwrap().parse().unwrap());
    for piece in pieces_under(pieces, "A once more, number by number") {
        let Piece::Row { label, text } = piece else { panic!("{piece:?}") };
        let (limit, taken) = label.strip_prefix("limit ").unwrap().split_once(" (").unwrap();
        let (from, to) = parse_range(taken.strip_suffix(')').unwrap());
        for currentmax in from..=to {
            assert_eq!(limit.parse(), Ok(rules.base_limit.max(currentmax + rules.growth)), "{label}");
        }
        let most = rules.stones - least(rules, from).unwrap();
        let at = |stones: u32| Position { currentmax: from, resets: [resets; 2], ..start(rules, stones) };
        let expected: Vec<u32> = (1..=most).filter(|&stones| lost.is_lost(&at(stones))).collect();
        let read = |hundred: &str| hundred.split_whitespace().map(|number| number.parse().unwrap()).collect();
        let hundreds: Vec<Vec<u32>> = text.split('|').filter(|text| *text != "none").map(read).collect();
        let same_hundred = |numbers: &Vec<u32>| numbers.iter().all(|number| number / 100 == numbers[0] / 100);
        assert!(hundreds.iter().all(same_hundred), "{text}");
        assert_eq!(hundreds.concat(), expected, "{label}");
    }
}

#[test]
fn sheets_of_small_games_agree_with_the_rules_at_every_position() {
    for settings in [
        &["stones=60", "resets=2,2"][..],
        &["stones=60", "resets=2,2", "play=misere"],
        &["stones=50", "resets=3,1"],
        &["stones=50", "resets=0,2", "growth=2"],
        &["stones=50", "resets=0,0"],
        &["stones=45", "resets=2,2", "base-limit=5", "reset-limit=2"],
        &["stones=45", "resets=2,1", "base-limit=4", "reset-limit=1", "play=misere"],
        &["stones=40", "resets=2,2", "growth=0"],
        &["stones=40", "resets=0,0", "growth=0", "base-limit=1", "reset-limit=1"],
        &["stones=40", "resets=1,1", "growth=7"],
        &["stones=40", "resets=1,1", "growth=100"],
        &["stones=1", "resets=1,1"],
        &["stones=2", "resets=4,0", "play=misere"],
    ] {
        check_sheet(settings);
    }
}

#[test]
fn sheets_of_larger_games_agree_with_the_rules_and_shorten_long_lists() {
    for settings in [
        &["stones=300", "resets=2,2"][..],
        &["stones=300", "resets=2,2", "play=misere"],
        &["stones=250", "resets=3,1", "growth=2"],
        &["stones=300", "resets=2,2", "base-limit=5", "reset-limit=2"],
        &["stones=900", "resets=0,0"],
    ] {
        let found = check_sheet(settings);
        let is_long = |piece: &Piece| matches!(piece, Piece::Text(text) if text.starts_with("With "));
        let has_no_resets = settings.contains(&"resets=0,0");
        assert!(
            has_no_resets || pieces_under(&found, "A: ").iter().any(is_long),
            "{settings:?}: no list is shortened"
        );
    }
}

#[test]
fn the_sheet_of_the_tournament_agrees_with_the_rules_at_every_position() {
    let found = check_sheet(&[]);
    let words =
        |heading: &str| pieces_under(&found, heading).iter().any(|piece| matches!(piece, Piece::Text(_)));
    assert!(words("A: ") && words("D: ") && !pieces_under(&found, "A once more").is_empty());
}
