//! Players that need no table: the search `minimax`, a program (`exec`), and a person (`human`).

use std::fmt::Debug;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use bouton_match::players::{ExecPlayer, GreedyPlayer, HumanPlayer, Keyboard, MinimaxPlayer};
use bouton_match::{
    Choice, Ending, GameInfo, GameRecord, MoveRequest, Playable, Player, PlayerIdentities, Reason, Referee,
    Side, Solution, play_out,
};
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::heaps::{HeapKeys, HeapRules};
use bouton_tables::{Game, Outcome, Play, Solved};

use crate::bot_processes::{LONG, is_gone, wait_for_line};

/// Players without names of their own.
pub(crate) const UNNAMED: PlayerIdentities<'static> =
    PlayerIdentities { names: ["first", "second"], seeds: [1, 2] };

/// Returns rules of Expanding Nim with one reset each.
fn expanding(stones: u64, play: Play) -> Expanding {
    ExpandingKeys { stones, resets: [1, 1], play, ..Default::default() }.rules().unwrap()
}

/// Returns the rules of the game 3-5-7 in misère play.
fn sticks() -> HeapRules {
    HeapKeys { bounds: vec![3, 5, 7], play: Play::Misere, ..Default::default() }.rules().unwrap()
}

/// Asks for a move at a position.
fn ask<G: Game>(
    player: &mut impl Player<G>,
    game: &G,
    position: &G::Position,
    clock: Option<Duration>,
) -> Result<Choice<G::Move>, Reason> {
    let deadline = clock.map(|clock| Instant::now() + clock);
    player.choose(&MoveRequest {
        game,
        position,
        plies: &[],
        deadline,
        clocks: clock.map(|clock| [clock; 2]),
    })
}

mod minimax {
    use super::*;

    /// Checks that a search to the end of the game wins as soon, or loses as late, as the table says.
    fn check_perfect_play<F: Playable>(rules: &F, positions: impl Iterator<Item = F::Position>, depth: u32)
    where
        F::Position: Debug,
    {
        let solution = Solution::solve(rules).unwrap();
        let table = solution.get();
        let mut won = 0;
        for position in positions {
            let verdict = table.verdict(&position).unwrap();
            if rules.moves(&position).next().is_none() {
                continue;
            }
            let Ok(Choice::Move(chosen)) = ask(&mut MinimaxPlayer { depth }, rules, &position, None) else {
                panic!("no move at {position:?}")
            };
            let after = table.verdict(&rules.after(&position, chosen)).unwrap();
            assert_eq!(after.outcome, verdict.outcome.reversed(), "{chosen} at {position:?}");
            assert_eq!(after.depth.unwrap() + 1, verdict.depth.unwrap(), "{chosen} at {position:?}");
            won += u32::from(verdict.outcome == Outcome::Win);
        }
        assert!(won > 0);
    }

    #[test]
    fn a_search_that_sees_the_end_of_expanding_nim_plays_perfectly() {
        for play in [Play::Normal, Play::Misere] {
            let rules = expanding(14, play);
            check_perfect_play(&rules, (1..=14).map(|stones| rules.start(stones)), 14);
        }
    }

    #[test]
    fn a_search_that_sees_the_end_of_sticks_plays_perfectly() {
        let rules = sticks();
        let texts =
            (0..=3).flat_map(|a| (0..=5).flat_map(move |b| (0..=7).map(move |c| format!("{a},{b},{c}"))));
        let positions: Vec<_> = texts.map(|text| rules.parse_position(&text).unwrap()).collect();
        check_perfect_play(&rules, positions.into_iter(), 15);
    }

    #[test]
    fn a_search_of_any_depth_on_a_short_clock_makes_a_move() {
        let preset = ExpandingKeys::default().rules().unwrap();
        let many_moves =
            HeapKeys { bounds: vec![99; 3], heaps_per_move: 3.into(), ..Default::default() }.rules().unwrap();
        let huge_heap = HeapKeys { bounds: vec![1_000_000_000], play: Play::Misere, ..Default::default() }
            .rules()
            .unwrap();
        check_makes_a_move(&preset);
        check_makes_a_move(&many_moves);
        check_makes_a_move(&huge_heap);
    }

    fn check_makes_a_move<F: Playable>(rules: &F) {
        let began = Instant::now();
        let clock = Some(Duration::from_millis(200));
        let chosen = ask(&mut MinimaxPlayer { depth: u32::MAX }, rules, &rules.start(), clock);
        assert!(matches!(chosen, Ok(Choice::Move(chosen)) if rules.is_legal(&rules.start(), chosen)));
        assert!(began.elapsed() < LONG);
    }

    #[test]
    fn a_game_against_the_clock_is_played_to_its_end() {
        let rules = expanding(60, Play::Normal);
        let mut referee = Referee::new(rules.clone(), rules.start(60), Some(Duration::from_secs(3)));
        play_out(
            UNNAMED,
            &mut referee,
            [&mut MinimaxPlayer { depth: u32::MAX }, &mut GreedyPlayer],
            &mut |_| {},
        );
        assert_eq!(referee.ending().unwrap().reason, Reason::Played);
    }
}

mod exec {
    use super::*;

    /// Plays a game of this many stones between a program, which moves first, and the greedy player.
    fn play(script: &str, stones: u64, clock: Option<Duration>) -> Ending {
        let rules = expanding(stones, Play::Normal);
        let mut referee = Referee::new(rules.clone(), rules.start(stones), clock);
        play_out(UNNAMED, &mut referee, [&mut ExecPlayer::new(script), &mut GreedyPlayer], &mut |_| {});
        referee.ending().unwrap().clone()
    }

    /// Returns the reported failure of a program. Panics if the program does not lose its game by a failure.
    fn failure(script: &str) -> String {
        let began = Instant::now();
        let ending = play(script, 30, Some(LONG));
        assert!(began.elapsed() < LONG);
        assert_eq!(ending.winner, Side::Second);
        let Reason::Failed(what) = ending.reason else { panic!("{script}: {:?}", ending.reason) };
        what
    }

    #[test]
    fn a_program_that_reads_positions_and_writes_moves_plays() {
        let takes_one = "while read position; do echo 1; done";
        assert_eq!(play(takes_one, 1, None), Ending { winner: Side::First, reason: Reason::Played });
        assert_eq!(play(takes_one, 30, Some(LONG)).reason, Reason::Played);
        let takes_all = "while IFS=/ read stones rest; do echo \" $stones\r\"; done";
        assert_eq!(play(takes_all, 3, None), Ending { winner: Side::First, reason: Reason::Played });
        assert!(matches!(play(takes_all, 30, None).reason, Reason::IllegalMove(_)));
    }

    #[test]
    fn a_program_receives_positions_in_notation() {
        let here = tempfile::tempdir().unwrap();
        let file = here.path().join("received");
        let rules = sticks();
        let mut referee = Referee::new(rules.clone(), rules.start(), None);
        let script = format!("while read position; do echo $position >>{}; echo 3:1; done", file.display());
        play_out(UNNAMED, &mut referee, [&mut ExecPlayer::new(&script), &mut GreedyPlayer], &mut |_| {});
        let received = std::fs::read_to_string(file).unwrap();
        let expected: Vec<_> =
            referee.plies().iter().step_by(2).map(|ply| rules.show_position(&ply.before)).collect();
        assert!(received.lines().count() > 1);
        assert!(received.starts_with(&expected.join("\n")), "{received}");
    }

    #[test]
    fn each_game_has_its_own_process() {
        let here = tempfile::tempdir().unwrap();
        let file = here.path().join("pids");
        let script = format!("echo $$ >>{}; while read position; do echo 1; done", file.display());
        let mut player = ExecPlayer::new(&script);
        for _ in 0..2 {
            let rules = expanding(10, Play::Normal);
            let mut referee = Referee::new(rules.clone(), rules.start(10), Some(LONG));
            play_out(UNNAMED, &mut referee, [&mut player, &mut GreedyPlayer], &mut |_| {});
            assert_eq!(referee.ending().unwrap().reason, Reason::Played);
        }
        drop(player);
        let pids = std::fs::read_to_string(file).unwrap();
        let pids: Vec<&str> = pids.lines().collect();
        assert_eq!(pids.len(), 2);
        assert_ne!(pids[0], pids[1]);
        assert!(pids.into_iter().all(is_gone));
    }

    #[test]
    fn a_crash_of_a_program_is_reported_with_its_last_words() {
        let what = failure("no-such-program-anywhere");
        assert!(what.starts_with("it ended (exit status: 127) and wrote to standard error: "), "{what}");
        assert!(what.contains("no-such-program-anywhere"), "{what}");
        let what =
            failure("read a; echo 1; read b; echo first >&2; printf 'no \\033[2Jidea\\n\\n' >&2; exit 3");
        assert_eq!(what, "it ended (exit status: 3) and wrote to standard error: no \\u{1b}[2Jidea");
        assert_eq!(failure("exit 0"), "it ended (exit status: 0)");
        assert!(failure("read a; kill -SEGV $$").starts_with("it ended (signal: 11"));
        let what = failure("yes x | tr -d '\\n' | head -c 100000 >&2; exit 1");
        let shown =
            format!("it ended (exit status: 1) and wrote to standard error: {}... (", "x".repeat(200));
        assert!(what.starts_with(&shown), "{what}");
    }

    #[test]
    fn a_program_that_answers_too_late_loses_on_time() {
        for script in
            ["sleep 1000", "read a; echo 1; read b; sleep 1000", "trap '' TERM; while :; do :; done"]
        {
            let ending = play(script, 30, Some(Duration::from_millis(300)));
            assert_eq!(ending, Ending { winner: Side::Second, reason: Reason::Time }, "{script}");
        }
    }

    #[test]
    fn an_invalid_move_is_quoted() {
        let what = failure("read a; echo take three");
        assert!(
            what.starts_with("it said 'take three', which is not a move: move: found 'take three'"),
            "{what}"
        );
        assert!(failure("read a; echo").starts_with("it said '', which is not a move"));
        assert!(failure("read a; printf '1\\377\\n'").contains("not UTF-8"));
        let long = failure("read a; yes 1 | head -n 1000 | tr -d '\\n'; echo");
        assert!(long.starts_with("it said '1111") && long.len() < 400, "{long}");
    }

    #[test]
    fn output_before_an_early_exit_is_quoted() {
        // Whether the early output or the exit is noticed first is random; both messages quote the output.
        let what = failure("echo hello");
        assert!(what.contains(" 'hello'"), "{what}");
    }

    #[test]
    fn more_than_one_answer_is_reported() {
        assert_eq!(failure("read a; printf '1\\n2\\n'; cat"), "it said more than one line: '1' and more");
        // Now the script writes the lines one after the other: the second arrives while the opponent, a slow player,
        // thinks.
        struct SlowPlayer;
        impl<G: Game> Player<G> for SlowPlayer {
            fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
                thread::sleep(Duration::from_millis(500));
                GreedyPlayer.choose(request)
            }
        }
        let rules = expanding(50, Play::Normal);
        let mut referee = Referee::new(rules.clone(), rules.start(50), None);
        let mut player = ExecPlayer::new("while read a; do echo 1; sleep 0.01; echo 1; done");
        play_out(UNNAMED, &mut referee, [&mut player, &mut SlowPlayer], &mut |_| {});
        let expected = Reason::Failed("it spoke out of turn: '1'".to_owned());
        assert_eq!(referee.ending().unwrap().reason, expected);
    }

    #[test]
    fn a_program_that_answers_twice_loses_even_if_it_has_won() {
        let rules = expanding(50, Play::Normal);
        let play_from = |script: &str, stones| {
            let mut referee = Referee::new(rules.clone(), rules.start(stones), None);
            let mut player = ExecPlayer::new(script);
            play_out(UNNAMED, &mut referee, [&mut player, &mut GreedyPlayer], &mut |_| {});
            referee
        };
        // The program makes the last move of the game and wins: the first move from 1 stone, the third from 5. After the
        // game only further moves are a failure; other lines are ignored.
        for stones in [1, 5] {
            let by_rules = play_from("while read a; do echo 1; done; echo good game", stones);
            assert_eq!(by_rules.ending().unwrap(), &Ending { winner: Side::First, reason: Reason::Played });
            for script in [
                "while read a; do echo 1; echo 1; done",
                "while read a; do echo 1; done; echo well; echo 1",
                "read a; echo 1; sleep 0.01; echo 1; read a; echo 1",
            ] {
                let lost = play_from(script, stones);
                let ending = lost.ending().unwrap();
                assert_eq!(ending.winner, Side::Second, "{script} from {stones}");
                let Reason::Failed(what) = &ending.reason else { panic!("{ending:?}") };
                assert!(what.contains("'1'") || what.contains("ended"), "{what}");
                let record = GameRecord::of(&lost, ["twice", "greedy"]).unwrap();
                assert_eq!(record.replay(&rules).unwrap().ending(), Some(ending));
            }
        }
    }

    #[test]
    fn endless_output_is_truncated() {
        let what = failure("yes | tr -d '\\n'");
        assert!(what.contains("a line of more than 4096 bytes, which begins 'yyyy"), "{what}");
        // A flood of lines waits in the pipe, not in our memory.
        let what = failure("yes");
        assert!(what.contains("it said more than one line: 'y'") || what.contains("out of turn"), "{what}");
    }

    #[test]
    fn a_running_program_that_closes_its_input_or_output_is_reported() {
        assert_eq!(failure("exec >&-; sleep 1000"), "it closed its output");
        // The first question may still have been written; the next one cannot be.
        assert_eq!(failure("exec <&-; sleep 0.2; echo 1; exec sleep 1000"), "it closed its input");
    }

    #[test]
    fn a_program_that_does_not_end_is_killed_after_its_game() {
        let here = tempfile::tempdir().unwrap();
        let file = here.path().join("pid");
        let rules = expanding(10, Play::Normal);
        let mut player = ExecPlayer::new(&format!(
            "trap '' TERM HUP INT PIPE; echo $$ >{}; read a; echo 1; while :; do sleep 1; done",
            file.display()
        ));
        player.begin(&GameInfo::new(&rules, Side::First, &rules.start(10))).unwrap();
        let chosen = ask(&mut player, &rules, &rules.start(10), Some(LONG)).unwrap();
        assert_eq!(chosen, Choice::Move(rules.parse_move("1").unwrap()));
        let pid = wait_for_line(&file);
        drop(player);
        assert!(is_gone(&pid));
        assert!(!Path::new(&format!("/proc/{pid}")).exists(), "no zombie is left");
    }

    #[test]
    fn children_of_a_program_end_with_it() {
        let here = tempfile::tempdir().unwrap();
        let file = here.path().join("pid");
        let child =
            format!("(trap '' TERM HUP; echo $(sh -c 'echo $PPID') >{}; sleep 1000) &", file.display());
        for (script, reason) in [
            // In the first case the program continues to play; in the second it crashes while its child holds its
            // pipes.
            ("while read a; do echo 1; done", Reason::Played),
            ("read a; exit 4", Reason::Failed("it ended (exit status: 4)".to_owned())),
        ] {
            let wait = format!("while ! [ -s {} ]; do sleep 0.01; done;", file.display());
            assert_eq!(play(&format!("{child} {wait} {script}"), 10, Some(LONG)).reason, reason);
            assert!(is_gone(&wait_for_line(&file)), "{script}");
            std::fs::remove_file(&file).unwrap();
        }
    }
}

mod human {
    use super::*;

    /// The output shown to a person.
    #[derive(Clone, Default)]
    struct Screen(Arc<Mutex<Vec<u8>>>);

    impl Screen {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Screen {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Plays a game of this many stones between a person, who moves first and types this text, and the greedy player.
    /// If `with_hints`, the person can get hints from a table.
    fn session(stones: u64, with_hints: bool, typed: &[u8]) -> (String, Referee<Expanding>) {
        let rules = expanding(stones, Play::Normal);
        let solution = with_hints.then(|| Solution::solve(&rules).unwrap());
        let screen = Screen::default();
        let typed = Keyboard::new(io::Cursor::new(typed.to_owned()));
        let mut person = HumanPlayer::new(typed, Box::new(screen.clone()), solution);
        let mut referee = Referee::new(rules.clone(), rules.start(stones), None);
        play_out(UNNAMED, &mut referee, [&mut person, &mut GreedyPlayer], &mut |_| {});
        (screen.text(), referee)
    }

    /// Plays a game of this many stones between two persons at one keyboard.
    fn session_of_two(stones: u64, typed: &'static [u8]) -> (String, Referee<Expanding>) {
        let rules = expanding(stones, Play::Normal);
        let screen = Screen::default();
        let typed = Keyboard::new(typed);
        let mut first = HumanPlayer::new(typed.clone(), Box::new(screen.clone()), None);
        let mut second = HumanPlayer::new(typed, Box::new(screen.clone()), None);
        let mut referee = Referee::new(rules.clone(), rules.start(stones), None);
        play_out(UNNAMED, &mut referee, [&mut first, &mut second], &mut |_| {});
        (screen.text(), referee)
    }

    fn count(screen: &str, text: &str) -> usize {
        screen.matches(text).count()
    }

    #[test]
    fn a_person_is_shown_the_game_and_asked_until_there_is_a_move() {
        let (screen, game) = session(5, false, b"\n  1R \n3\n1\n");
        assert_eq!(game.ending().unwrap(), &Ending { winner: Side::First, reason: Reason::Played });
        let prompt = "first player, your move (hint, undo, moves, quit, help): ";
        let expected = format!(
            "\n\
             |||||\n\
             5 left; take 1 to 3; resets left: yours 1, the opponent's 1\n\
             5/0/1/1,1/-\n\
             {prompt}{prompt}\n\
             The second player's move: 3 (take 3)\n\
             |\n\
             1 left; take 1 to 1; resets left: yours 0, the opponent's 1\n\
             1/3/1/0,1/-\n\
             {prompt}That is not legal: 3 at 1/3/1/0,1/-, where the legal moves are 1.\n\
             {prompt}"
        );
        assert_eq!(screen, expected);
    }

    #[test]
    fn a_hint_is_the_best_move_of_the_table_in_words() {
        let rules = expanding(14, Play::Normal);
        let solution = Solution::solve(&rules).unwrap();
        for stones in 1..=14 {
            let answer = solution.get().answer(&rules.start(stones)).unwrap();
            let best = answer.best.unwrap();
            let (hint, words) = (session(stones, true, b"hint\nquit\n").0, rules.move_in_words(best));
            let expected = match (answer.verdict.outcome, answer.verdict.depth.unwrap()) {
                (Outcome::Win, 1) => format!("Hint: {best} ({words}) wins in 1 ply."),
                (Outcome::Win, depth) => format!("Hint: {best} ({words}) wins in {depth} plies."),
                (Outcome::Loss, depth) => format!(
                    "You lose in {depth} plies if your opponent never errs. The best try: {best} ({words})."
                ),
            };
            // The session's own table covers no more stones than its start; `solution` covers 14. The hints must agree.
            assert!(hint.contains(&expected), "{expected}\n{hint}");
        }
    }

    #[test]
    fn there_are_no_hints_without_a_table_or_outside_of_it() {
        assert!(
            session(9, false, b"hint\n")
                .0
                .contains("There are no hints: this game is too large to be solved on the spot.")
        );
        let rules = expanding(30, Play::Normal);
        let screen = Screen::default();
        let mut person = HumanPlayer::new(
            Keyboard::new(&b"hint\nquit\n"[..]),
            Box::new(screen.clone()),
            Some(Solution::solve(&expanding(20, Play::Normal)).unwrap()),
        );
        assert_eq!(ask(&mut person, &rules, &rules.start(30), None), Ok(Choice::Resign));
        assert!(screen.text().contains("There is no hint: stones: found 30, but the table covers"));
    }

    #[test]
    fn a_move_and_the_reply_are_taken_back() {
        let (screen, game) = session(5, false, b"undo\n2\nundo\n1\n1\nUNDO\n1\nquit\n");
        assert_eq!(count(&screen, "There is nothing to take back"), 1, "{screen}");
        assert_eq!(game.ending().unwrap().reason, Reason::Played);
        // 2 and the reply 3 end the game, so nothing can be taken back.
        assert_eq!(game.plies().len(), 2);
        let (screen, game) = session(20, false, b"2\nundo\n1\nundo\nundo\n3\nquit\n");
        assert_eq!(count(&screen, "There is nothing to take back"), 1, "{screen}");
        assert_eq!(count(&screen, "20/0/1/1,1/-"), 3, "{screen}");
        assert_eq!(game.plies()[0].chosen, game.game().parse_move("3").unwrap());
    }

    #[test]
    fn quitting_or_ending_the_input_resigns() {
        for typed in [&b"quit\n"[..], b"1\nQuit", b"", b"1", b"hint"] {
            let (_, game) = session(30, false, typed);
            assert_eq!(game.ending().unwrap(), &Ending::forfeit(Side::First, Reason::Resigned));
        }
    }

    #[test]
    fn invalid_input_is_explained_and_a_move_asked_for_again() {
        let mut typed = b"five\n0\n\x1b[2J\n\xff\xfe\n".to_vec();
        typed.extend([b'1'; 50_000]);
        typed.extend(b"\n4\n1\n");
        let (screen, game) = session(30, false, &typed);
        assert!(
            screen.contains("That is not a move: move: found 'five', expected the stones taken"),
            "{screen}"
        );
        assert!(screen.contains("That is a line that is not UTF-8 text"), "{screen}");
        assert!(screen.contains("That is a line of more than 4096 bytes"), "{screen}");
        assert!(
            screen.contains("That is not legal: 4 at 30/0/1/1,1/-, where the legal moves are 1, 1r,"),
            "{screen}"
        );
        assert!(!screen.contains('\x1b'), "{screen}");
        assert_eq!(game.plies()[0].chosen.take, 1);
    }

    #[test]
    fn legal_moves_and_the_notation_are_shown() {
        let (screen, _) = session(30, false, b"moves\nhelp\n");
        assert!(screen.contains("Legal moves: 1, 1r, 2, 2r, 3, 3r.\n"), "{screen}");
        assert!(screen.contains("With an r after it, 3r, it also imposes a reset"), "{screen}");
        assert!(screen.contains("makes the last move wins"), "{screen}");
        let rules = HeapKeys {
            bounds: vec![200, 200],
            heaps_per_move: 2.into(),
            passes: 1,
            play: Play::Misere,
            ..Default::default()
        }
        .rules()
        .unwrap();
        let screen = Screen::default();
        let typed = Keyboard::new(&b"help\nmoves\npass\n"[..]);
        let mut person = HumanPlayer::new(typed, Box::new(screen.clone()), None);
        let passes = Choice::Move(rules.parse_move("pass").unwrap());
        assert_eq!(ask(&mut person, &rules, &rules.start(), None), Ok(passes));
        let screen = screen.text();
        assert!(
            screen.contains("1:2+2:1 takes from two rows") && screen.contains("`pass` passes"),
            "{screen}"
        );
        assert!(screen.contains("makes the last move loses"), "{screen}");
        assert!(screen.contains("1:1+2:99, and more."), "{screen}");
    }

    #[test]
    fn two_persons_at_one_keyboard_move_in_turn() {
        let (screen, game) = session_of_two(4, b"1\n2r\n1\n");
        assert_eq!(game.ending().unwrap(), &Ending { winner: Side::First, reason: Reason::Played });
        assert_eq!(count(&screen, "first player, your move"), 2);
        assert_eq!(count(&screen, "second player, your move"), 1);
        assert!(screen.contains("The second player's move: 2r (take 2 and impose a reset)"), "{screen}");
    }

    #[test]
    fn a_person_loses_when_the_time_runs_out() {
        // An input that never delivers anything: one end of the pipe stays open.
        let (nothing, open) = io::pipe().unwrap();
        let rules = expanding(9, Play::Normal);
        let screen = Screen::default();
        let mut person = HumanPlayer::new(Keyboard::new(nothing), Box::new(screen.clone()), None);
        let mut referee = Referee::new(rules.clone(), rules.start(9), Some(Duration::from_millis(200)));
        play_out(UNNAMED, &mut referee, [&mut person, &mut GreedyPlayer], &mut |_| {});
        assert_eq!(referee.ending().unwrap(), &Ending::forfeit(Side::First, Reason::Time));
        assert!(screen.text().contains("first player (0."), "{}", screen.text());
        drop(open);
    }
}
