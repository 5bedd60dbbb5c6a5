//! Plays every game from a small start through the advisor, line by line, and compares with an oracle.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::thread::{self, JoinHandle};

use bouton_match::advisor::{AdvisedGame, Advisor, ConversationStyle};
use bouton_match::models::Model;
use bouton_match::players::{Keyboard, LosingPolicy, TablePlayer};
use bouton_match::{Playable, Side, Solution};
use bouton_tables::expanding::{Expanding, Move, Position};
use bouton_tables::{Game, Outcome, Ruleset, Solved, rulesets};

use super::oracle::{Heaps, Pile, TextGame};

/// A conversation with the advisor over pipes.
struct Conversation {
    /// The end of the pipe to which we write.
    ours: PipeWriter,
    /// The end of the pipe from which we read the advisor's output.
    theirs: BufReader<PipeReader>,
    /// The thread of the advisor.
    advisor: JoinHandle<u64>,
}

impl Conversation {
    /// Starts an advisor that continues after the end of a game, so that moves can be taken back.
    fn begin<G: Playable>(
        solution: Solution<G>,
        policy: &LosingPolicy,
        rules: G,
        start: G::Position,
        side: Side,
    ) -> Self {
        let player = TablePlayer::new(solution, policy, &()).unwrap();
        Self::with(AdvisedGame::new(player, rules, start, side).unwrap())
    }

    /// Starts an advisor for a game, with pipes as its terminal.
    fn with<G: Playable>(game: AdvisedGame<G>) -> Self {
        let (heard, ours) = io::pipe().unwrap();
        let (theirs, mut output) = io::pipe().unwrap();
        let style = ConversationStyle { at_terminal: true, quiet: true, bold: false };
        let advisor = thread::spawn(move || {
            Advisor::new(game, Keyboard::new(heard), &mut output, style).run().unwrap()
        });
        Self { ours, theirs: BufReader::new(theirs), advisor }
    }

    /// Reads the advisor's next line.
    fn read_line(&mut self) -> String {
        let mut line = String::new();
        self.theirs.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Types a line. Returns the advisor's next line.
    fn ask(&mut self, line: &str) -> String {
        writeln!(self.ours, "{line}").unwrap();
        self.read_line()
    }

    /// Ends the conversation. Returns the number of refused lines.
    fn end(mut self) -> u64 {
        let _ = self.ask("quit");
        self.advisor.join().unwrap()
    }
}

/// The moves of our side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OurMoves {
    /// Only the advised moves.
    Advised,
    /// Every legal move. A move other than the advised one is entered as played instead of the advice.
    Any,
}

/// The results of the games of a walk.
#[derive(Debug, Default)]
struct GameCounts {
    /// The number of finished games.
    all: u64,
    /// The number of games that we won.
    won: u64,
}

/// A walk through all games against an advisor: each reply of the opponent is tried, and taken back.
struct Walk<'a, T> {
    oracle: &'a T,
    talk: Conversation,
    /// The moves that we try.
    ours: OurMoves,
    /// The games finished so far.
    ended: GameCounts,
}

impl<T: TextGame> Walk<'_, T> {
    /// Tries everything that can follow on our turn, after the advice.
    fn walk_after_advice(&mut self, at: &T::At, advice: &str) {
        let moves = self.oracle.moves(at);
        let (_, next) = moves.iter().find(|(text, _)| text == advice).unwrap_or_else(|| {
            panic!("{advice} is not legal at {}", self.oracle.text(at));
        });
        assert_eq!(self.oracle.is_won(next), !self.oracle.is_won(at), "{advice} at {}", self.oracle.text(at));
        self.walk_after_our_move(next);
        if self.ours == OurMoves::Advised {
            return;
        }
        for (text, next) in moves.iter().filter(|(text, _)| text != advice) {
            assert_eq!(&self.talk.ask(&format!("me {text}")), text);
            self.walk_after_our_move(next);
        }
    }

    /// Lets the opponent make every legal move after ours, and takes each back.
    fn walk_after_our_move(&mut self, at: &T::At) {
        let moves = self.oracle.moves(at);
        if moves.is_empty() {
            return self.read_result(!self.oracle.is_won(at));
        }
        for (text, next) in moves {
            let answer = self.talk.ask(&text);
            if self.oracle.moves(&next).is_empty() {
                self.check_result(self.oracle.is_won(&next), &answer);
            } else {
                self.walk_after_advice(&next, &answer);
            }
            assert_eq!(self.talk.ask("undo"), self.oracle.text(at), "after {text}");
        }
    }

    /// Reads the result of a game, and checks it.
    fn read_result(&mut self, won: bool) {
        let output = self.talk.read_line();
        self.check_result(won, &output);
    }

    /// Checks the result of a game, and counts the game.
    fn check_result(&mut self, won: bool, output: &str) {
        assert_eq!(output, if won { "won" } else { "lost" });
        self.ended.all += 1;
        self.ended.won += u64::from(won);
    }
}

/// Plays every game from a start.
fn play_every_game<G: Playable, T: TextGame>(
    solution: &Solution<G>,
    policy: &LosingPolicy,
    rules: &G,
    oracle: &T,
    side: Side,
    ours: OurMoves,
) -> GameCounts {
    let at = oracle.start();
    let start = rules.parse_position(&oracle.text(&at)).unwrap();
    let talk = Conversation::begin(solution.clone(), policy, rules.clone(), start, side);
    let mut walk = Walk { oracle, talk, ours, ended: GameCounts::default() };
    let is_won = oracle.is_won(&at) == (side == Side::First);
    match side {
        Side::First => {
            let advice = walk.talk.read_line();
            walk.walk_after_advice(&at, &advice);
        }
        Side::Second => walk.walk_after_our_move(&at),
    }
    let Walk { ended, talk, .. } = walk;
    assert_eq!(talk.end(), 0, "no line was refused");
    assert!(ended.all > 0);
    if ours == OurMoves::Advised && is_won {
        assert_eq!(ended.won, ended.all, "a won game is won against everything");
    }
    ended
}

/// Plays both sides of a game from a start with the advised moves.
fn check_both_sides<G: Playable, T: TextGame>(solution: &Solution<G>, rules: &G, oracle: &T) {
    for side in Side::BOTH {
        play_every_game(solution, &LosingPolicy::Longest, rules, oracle, side, OurMoves::Advised);
    }
}

/// Returns a preset with changed settings.
fn preset(name: &str, settings: &[&str]) -> Ruleset {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    rulesets::find(name, &settings).unwrap().ruleset
}

/// Returns the heaps of a small start of a game with these bounds.
fn small_heaps(bounds: &[u32]) -> Vec<u32> {
    let most: &[u32] = match bounds.len() {
        1 => &[20],
        2 => &[8, 9],
        3 => &[3, 5, 7],
        4 => &[1, 3, 5, 7],
        _ => &[1, 2, 3, 2, 4],
    };
    bounds.iter().zip(most).map(|(&bound, &most)| bound.min(most)).collect()
}

#[test]
fn every_preset_is_won_from_won_starts_against_every_line_of_the_opponent() {
    for preset in rulesets::PRESETS {
        let ruleset = rulesets::from_toml(preset.text).unwrap();
        match &ruleset {
            Ruleset::Expanding(rules) => {
                let solution = Solution::solve(rules).unwrap();
                for stones in 1..=13 {
                    check_both_sides(&solution, rules, &Pile::of(rules, stones));
                }
            }
            Ruleset::Heaps(rules) => {
                let solution = Solution::solve(rules).unwrap();
                check_both_sides(&solution, rules, &Heaps::of(rules, &small_heaps(rules.bounds())));
            }
        }
    }
}

#[test]
fn games_with_other_rules_are_won_from_won_starts() {
    let misere: &[&str] = &["play=misere", "stones=11", "resets=[1,1]"];
    for (settings, stones) in [
        (misere, 11),
        (&["growth=3", "base-limit=2", "reset-limit=1", "stones=11", "resets=[2,0]"], 11),
        (&["growth=0", "stones=12", "resets=[0,1]", "play=misere"], 12),
    ] {
        let Ruleset::Expanding(rules) = preset("expanding", settings) else { panic!("Expanding Nim") };
        check_both_sides(&Solution::solve(&rules).unwrap(), &rules, &Pile::of(&rules, stones));
    }
    for settings in [
        &["bounds=[9]", "take=[2,3]", "passes=2", "play=normal"][..],
        &["bounds=[4,2]", "heaps-per-move=2", "passes=1"],
        &["bounds=[3,3,2]", "heaps-per-move=3", "equal-take=true", "passes=1"],
    ] {
        let Ruleset::Heaps(rules) = preset("sticks", settings) else { panic!("a heap game") };
        check_both_sides(&Solution::solve(&rules).unwrap(), &rules, &Heaps::of(&rules, rules.bounds()));
    }
}

/// We play moves other than the advised ones; the next advice must be right for the new position.
#[test]
fn after_any_move_of_ours_the_next_advice_is_right() {
    let Ruleset::Expanding(rules) = preset("expanding", &["stones=7", "resets=[1,1]"]) else {
        panic!("Expanding Nim")
    };
    let oracle = Pile::of(&rules, 7);
    for policy in [LosingPolicy::Longest, LosingPolicy::Adapt(None)] {
        for side in Side::BOTH {
            let ended = play_every_game(
                &Solution::solve(&rules).unwrap(),
                &policy,
                &rules,
                &oracle,
                side,
                OurMoves::Any,
            );
            assert!(ended.won > 0 && ended.won < ended.all, "{ended:?}");
        }
    }
    let heaps = preset("nim-pass", &["bounds=[1,2,2]"]);
    let Ruleset::Heaps(rules) = &heaps else { panic!("a heap game") };
    let oracle = Heaps::of(rules, rules.bounds());
    for side in Side::BOTH {
        let solution = Solution::solve(rules).unwrap();
        let ended =
            play_every_game(&solution, &LosingPolicy::Adapt(None), rules, &oracle, side, OurMoves::Any);
        assert!(ended.won > 0 && ended.won < ended.all, "{ended:?}");
    }
}

/// The beliefs of `adapt` do not depend on moves that were taken back or corrected. The opponent misreads resets. The
/// moves that are entered by mistake are those of a perfect opponent: if they counted, `adapt` would no longer expect
/// misread resets.
#[test]
fn corrected_moves_do_not_change_the_beliefs_about_the_opponent() {
    let Ruleset::Expanding(rules) = preset("expanding", &["stones=90", "resets=[3,3]"]) else {
        panic!("Expanding Nim")
    };
    let (solution, policy) = (Solution::solve(&rules).unwrap(), LosingPolicy::Adapt(None));
    let player = TablePlayer::new(solution.clone(), &policy, &()).unwrap();
    let [misreads, perfect] =
        ["misread", "perfect"].map(|model| model.parse::<Model>().unwrap().terms()[0].1);
    let mut rng = fastrand::Rng::with_seed(7);
    let mut detours = 0;
    for stones in std::iter::repeat_n(40..=90, 4).flatten() {
        let start = rules.start(stones);
        if solution.get().outcome(&start).unwrap() == Outcome::Loss {
            continue;
        }
        let begin = || {
            let (player, rules) = (player.clone(), rules.clone());
            Conversation::with(AdvisedGame::new(player, rules, start.clone(), Side::Second).unwrap())
        };
        let (mut direct, mut with_detours) = (begin(), begin());
        // Returns the position after a move. A text that is not a move reports the end of the game: no stones are left.
        let after = |at: &Position, chosen: &str| match rules.parse_move(chosen) {
            Ok(chosen) => rules.after(at, chosen),
            Err(_) => Position { stones: 0, ..at.clone() },
        };
        let mut at = start.clone();
        while at.stones > 0 {
            let [theirs, other] = [misreads, perfect].map(|of| {
                let chosen: Move = of.draw::<Expanding>(solution.get(), &at, &mut rng).unwrap();
                chosen.to_string()
            });
            let advice = direct.ask(&theirs);
            let detour = with_detours.ask(&other);
            detours += u32::from(other != theirs);
            // A game that our move ends has an extra line about the end.
            let after_other = after(&at, &other);
            if after_other.stones > 0 && after(&after_other, &detour).stones == 0 {
                with_detours.read_line();
            }
            with_detours.ask("undo");
            assert_eq!(with_detours.ask(&theirs), advice, "{theirs} at {at}, after {other} was taken back");
            let before = after(&at, &theirs);
            at = after(&before, &advice);
            if at.stones > 0 {
                let slip = rules.moves(&before).next().unwrap().to_string();
                if after(&before, &slip).stones > 0 {
                    assert_eq!(with_detours.ask(&format!("me {slip}")), slip);
                    assert_eq!(with_detours.ask(&format!("me {advice}")), advice);
                }
            } else if before.stones > 0 {
                assert_eq!(direct.read_line(), with_detours.read_line());
            }
        }
        direct.end();
        with_detours.end();
    }
    assert!(detours > 100, "the detours led elsewhere {detours} times");
}
