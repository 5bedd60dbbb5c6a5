//! The messages that a bot receives: game, positions, clocks and results; and its processes.

use super::*;

#[test]
fn a_bot_receives_a_game_from_the_first_line_to_the_last() {
    let script = ScriptFolder::new();
    let mut bot = BotPlayer::new(&script.bot("ready 1", "echo 1"), PATIENT);
    play(&mut bot, Side::First, &mut GreedyPlayer, &expanding(6), None);
    let rules = r#"{"game":"expanding","rules":{"stones":6,"base-limit":3,"growth":1,"reset-limit":3,"resets":[1,1],"play":"normal"}}"#;
    let expected = [
        "bouton 1",
        &format!("newgame first clock none seed 7 against Bob rules {rules}"),
        "position 6/0/1/1,1/- clock none none after none",
        "position 2/3/1/1,1/- clock none none after 3",
        "result lost played",
        "quit",
    ];
    assert_eq!(script.lines("received"), expected);

    let script = ScriptFolder::new();
    let mut bot = BotPlayer::new(&script.bot("' ready  1 \r'", "echo 3:7"), PATIENT);
    let sticks =
        HeapKeys { bounds: vec![1, 5, 7], play: Play::Misere, ..Default::default() }.rules().unwrap();
    // The opponent takes all of row 2, and the bot all of row 3.
    let mut opponent = FixedPlayer(Duration::ZERO, Ok(Choice::Move("2:5")));
    play(&mut bot, Side::Second, &mut opponent, &sticks, Some(Duration::from_millis(1_000_500)));
    let rules = r#"{"game":"heaps","rules":{"bounds":[1,5,7],"take":"any","heaps-per-move":1,"equal-take":false,"passes":0,"play":"misere"}}"#;
    let received_lines = script.lines("received");
    let game = format!("newgame second clock 1000.500 seed 8 against Ann_(1) rules {rules}");
    assert_eq!(received_lines[..2], ["bouton 1", &game]);
    assert!(
        received_lines[2].starts_with("position 1,0,7 clock 1000.500 ")
            && received_lines[2].ends_with(" after 2:5")
    );
    // The opponent's second move, again from row 2, is illegal.
    let end = "result won illegal-move 2:5 at 1,0,0, where the legal moves are 1:1";
    assert_eq!(received_lines[3..], [end, "quit"]);
}

#[test]
fn a_bot_receives_both_clocks_its_own_first() {
    let slowly = Duration::from_millis(50);
    for side in Side::BOTH {
        let script = ScriptFolder::new();
        let mut bot = BotPlayer::new(&script.bot("ready 1", "echo 1"), PATIENT);
        let mut opponent = FixedPlayer(slowly, Ok(Choice::Move("1")));
        play(&mut bot, side, &mut opponent, &expanding(9), Some(LONG));
        let positions = script.received_lines("position");
        assert!(positions.len() >= 4, "{positions:?}");
        for (number, line) in positions.iter().enumerate() {
            let words: Vec<&str> = line.split(' ').collect();
            let ["position", _, "clock", ours, theirs, "after", last] = words[..] else { panic!("{line}") };
            assert!([ours, theirs].iter().all(|time| time.split_once('.').unwrap().1.len() == 3), "{line}");
            let [ours, theirs]: [f64; 2] = [ours, theirs].map(|time| time.parse().unwrap());
            // If the opponent moved first, it has made one more move before each of these lines.
            let moved = number + side.index();
            assert!(theirs <= 60.0 - 0.05 * moved as f64, "{line}");
            assert!(ours > 0.0 && if number == 0 { ours == 60.0 } else { ours < 60.0 }, "{line}");
            assert_eq!(last, if moved == 0 { "none" } else { "1" });
        }
    }
}

#[test]
fn a_bot_process_plays_one_game_or_a_pairing_as_it_announces() {
    for (ready, processes) in [("ready 1", 3), ("ready 1 pairing", 1)] {
        let script = ScriptFolder::new();
        let command = script.bot(ready, "echo 1");
        let mut bot = BotPlayer::new(&command, PATIENT);
        for side in [Side::First, Side::Second, Side::First] {
            let ending = play(&mut bot, side, &mut GreedyPlayer, &expanding(30), Some(LONG));
            assert_eq!(ending.reason, Reason::Played);
        }
        drop(bot);
        let pids = script.pids();
        assert_eq!(pids.len(), processes, "{ready}");
        assert!(pids.iter().all(|pid| is_gone(pid)));
        for word in ["bouton", "quit"] {
            assert_eq!(script.received_lines(word).len(), processes, "{ready}");
        }
        assert_eq!(script.received_lines("result").len(), 3);
        let games = script.received_lines("newgame");
        let begin = ["newgame first clock 60.000 seed 7 ", "newgame second clock 60.000 seed 8 "];
        for (game, begins) in games.iter().zip([begin[0], begin[1], begin[0]]) {
            assert!(game.starts_with(begins), "{game}");
        }
    }
}

#[test]
fn the_greeting_says_if_a_bot_process_plays_all_games_of_a_pairing() {
    let rules = expanding(30);
    let mut preparation = PlayerPreparation::new(rules.clone(), vec![rules.start(30)], None, &());
    for (ready, plays_whole_pairing) in [("ready 1", false), ("ready 1 pairing", true)] {
        let script = ScriptFolder::new();
        let command = script.bot(ready, "echo 1");
        let spec: PlayerSpec = format!("bot:{command}").parse().unwrap();
        let maker = preparation.factory(&spec).unwrap();
        assert_eq!(maker.plays_whole_pairing, plays_whole_pairing);
        // The trial process received `quit`.
        assert_eq!(script.lines("received"), ["bouton 1", "quit"]);
        assert_eq!(BotPlayer::try_start(&command, PATIENT), Ok(plays_whole_pairing));
    }
    assert!(!preparation.factory(&"greedy".parse().unwrap()).unwrap().plays_whole_pairing);
}

#[test]
fn no_clock_runs_while_a_bot_starts() {
    let script = ScriptFolder::new();
    let command = format!("sleep 0.2; {}", script.bot("ready 1", "echo 1"));
    let mut bot = BotPlayer::new(&command, PATIENT);
    play(&mut bot, Side::First, &mut GreedyPlayer, &expanding(1), Some(Duration::from_secs(60)));
    assert_eq!(script.received_lines("position"), ["position 1/0/1/1,1/- clock 60.000 60.000 after none"]);
}

#[test]
fn a_bot_receives_every_result_with_its_reason() {
    let now = Duration::ZERO;
    let failed = Reason::Failed("it said\nnothing \u{1b}[2J".to_owned());
    for (moves, choice, expected) in [
        ("echo 1", Ok(Choice::Resign), "result won resigned"),
        ("echo 1", Err(Reason::Time), "result won time"),
        ("echo 1", Err(failed), r"result won failed it said\nnothing \u{1b}[2J"),
        (
            "echo 1",
            Ok(Choice::Move("9")),
            "result won illegal-move 9 at 4/1/2/1,1/-, where the legal moves are 1, 1r, 2, 2r, 3, 3r",
        ),
        (
            "echo 9",
            Ok(Choice::Resign),
            "result lost illegal-move 9 at 5/0/1/1,1/-, where the legal moves are 1, 1r, 2, 2r, 3, 3r",
        ),
        ("echo 1", Ok(Choice::Move("1")), "result won played"),
    ] {
        let script = ScriptFolder::new();
        let mut bot = BotPlayer::new(&script.bot("ready 1", moves), PATIENT);
        play(&mut bot, Side::First, &mut FixedPlayer(now, choice), &expanding(5), None);
        assert_eq!(
            script.lines("received").split_off(script.lines("received").len() - 2),
            [expected, "quit"]
        );
    }
}

#[test]
fn a_bot_that_moves_second_is_not_told_of_a_game_that_its_opponent_cannot_begin() {
    struct AbsentPlayer;
    impl<G: Game> Player<G> for AbsentPlayer {
        fn begin(&mut self, _: &GameInfo<G>) -> Result<(), Reason> {
            Err(Reason::Failed("absent".to_owned()))
        }
        fn choose(&mut self, _: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
            panic!("the game is over")
        }
    }
    let script = ScriptFolder::new();
    let mut bot = BotPlayer::new(&script.bot("ready 1 pairing", "echo 1"), PATIENT);
    let rules = expanding(30);
    play(&mut bot, Side::First, &mut GreedyPlayer, &rules, None);
    let ending = play(&mut bot, Side::Second, &mut AbsentPlayer, &rules, None);
    assert_eq!(ending, Ending::forfeit(Side::First, Reason::Failed("absent".to_owned())));
    // The bot moves first, so it receives the game and the result.
    play(&mut bot, Side::First, &mut AbsentPlayer, &rules, None);
    drop(bot);
    assert_eq!((script.received_lines("newgame").len(), script.received_lines("result").len()), (2, 2));
    assert_eq!(script.received_lines("result")[1], "result won failed absent");
}

#[test]
fn after_moves_are_taken_back_a_bot_receives_the_position_and_no_new_game() {
    /// Makes these choices in turn.
    struct UndoingPlayer(Vec<Choice<&'static str>>);
    impl<G: Game> Player<G> for UndoingPlayer {
        fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
            let choice = self.0.remove(0);
            FixedPlayer(Duration::ZERO, Ok(choice)).choose(request)
        }
    }
    let script = ScriptFolder::new();
    let mut bot = BotPlayer::new(&script.bot("ready 1", "echo 1"), PATIENT);
    let mut undoing =
        UndoingPlayer(vec![Choice::Move("2"), Choice::TakeBack, Choice::Move("3"), Choice::Resign]);
    play(&mut bot, Side::First, &mut undoing, &expanding(30), None);
    let positions = ["30/0/1/1,1/-", "27/2/1/1,1/-", "26/3/1/1,1/-"];
    let after = ["none", "2", "3"];
    let expected =
        [0, 1, 2].map(|at| format!("position {} clock none none after {}", positions[at], after[at]));
    assert_eq!(script.received_lines("position"), expected);
    assert_eq!((script.received_lines("newgame").len(), script.pids().len()), (1, 1));
}
