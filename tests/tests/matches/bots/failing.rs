//! Bots that break a rule of the protocol lose the game, with the reason.

use super::*;

#[test]
fn an_invalid_greeting_is_refused_with_the_expected_one() {
    let expected = "; expected 'ready 1' or 'ready 1 pairing' as the answer to 'bouton 1'";
    for (script, found) in [
        ("read line; echo ready 2", "it said 'ready 2', which is another version of the protocol"),
        (
            "read line; echo ready 0 pairing",
            "it said 'ready 0 pairing', which is another version of the protocol",
        ),
        ("read line; echo ready", "it said 'ready'"),
        ("read line; echo ready one", "it said 'ready one'"),
        ("read line; echo ready 1 game", "it said 'ready 1 game'"),
        ("read line; echo ready 1 pairing now", "it said 'ready 1 pairing now'"),
        ("read line; echo READY 1", "it said 'READY 1'"),
        ("read line; echo", "it said ''"),
        ("cat", "it said 'bouton 1'"),
        ("read line; printf 'ready 1 \\033[2J\\n'", r"it said 'ready 1 \u{1b}[2J'"),
        ("read line; printf 'ready 1\\377\\n'", "it said a line that is not UTF-8 text, 'ready 1\u{fffd}'"),
        ("read line; printf 'ready 1\\nready 1\\n'; cat", "it said more than one line: 'ready 1' and more"),
        ("yes | tr -d '\\n'", "it said a line of more than 4096 bytes, which begins 'yyy"),
        ("exit 3", "it ended (exit status: 3)"),
        ("echo no idea >&2; exit 1", "it ended (exit status: 1) and wrote to standard error: no idea"),
    ] {
        let why = BotPlayer::try_start(script, PATIENT).unwrap_err();
        assert!(why.starts_with(found) && why.contains(expected), "{script}: {why}");
        let lost = failure(script);
        assert!(lost.starts_with(found) && lost.contains(expected), "{script}: {lost}");
    }
    // The program reports what it notices first: the bot's output, or its closed input.
    let why = BotPlayer::try_start("echo hello", PATIENT).unwrap_err();
    assert!(why.contains(" said 'hello'") && why.contains(expected), "{why}");
    let why = BotPlayer::try_start("read line; echo 1", PATIENT).unwrap_err();
    assert!(why.ends_with("reads positions and writes moves is a player exec:COMMAND"), "{why}");
    let why = BotPlayer::try_start("./no-such-bot", PATIENT).unwrap_err();
    assert!(why.starts_with("it cannot be started: it ended (exit status: 127) and wrote"), "{why}");
}

#[test]
fn waiting_for_the_greeting_of_a_bot_has_a_limit() {
    let script = ScriptFolder::new();
    let command = script.each_line("sleep 1000");
    let limits = BotLimits { ready: Duration::from_millis(200), quit: LONG };
    let why = BotPlayer::try_start(&command, limits).unwrap_err();
    assert_eq!(
        why,
        "it wrote no line for 0.2 s; expected 'ready 1' or 'ready 1 pairing' as the answer to 'bouton 1', ended by a \
         newline and flushed"
    );
    let mut bot = BotPlayer::new(&command, limits);
    let began = Instant::now();
    // The clock is stopped meanwhile; otherwise it would run out.
    let ending =
        play(&mut bot, Side::First, &mut GreedyPlayer, &expanding(30), Some(Duration::from_millis(1)));
    assert_eq!(ending, Ending::forfeit(Side::First, Reason::Failed(why)));
    assert!(began.elapsed() < LONG, "the bot is killed without a wait for `quit`");
    assert!(script.pids().iter().all(|pid| is_gone(pid)));
    let patient = BotLimits::default();
    assert_eq!((patient.ready, patient.quit), (Duration::from_secs(10), Duration::from_secs(1)));
}

#[test]
fn invalid_output_loses_the_game_and_is_quoted() {
    let bot = |moves: &str| {
        let script = ScriptFolder::new();
        let reason = failure(&script.bot("ready 1", moves));
        assert!(script.pids().iter().all(|pid| is_gone(pid)));
        // The bot could misunderstand any further line, so it gets none.
        assert_eq!((script.received_lines("result").len(), script.received_lines("quit").len()), (0, 0));
        reason
    };
    assert!(bot("echo ready 1").starts_with("it said 'ready 1', which is not a move: move: found 'ready 1'"));
    assert!(bot("echo").starts_with("it said '', which is not a move: move: "));
    assert_eq!(bot("printf '1\\n2\\n'"), "it said more than one line: '1' and more");
    assert!(bot("printf '1\\377\\n'").starts_with("it said a line that is not UTF-8 text, '1"));
    let reason = bot("yes | head -c 10000 | tr -d '\\n'; sleep 1000");
    assert!(reason.starts_with("it said a line of more than 4096 bytes, which begins 'yyyy"), "{reason}");
    let reason = bot("printf '\\033[2J\\a\\342\\200\\256\\n'");
    assert!(reason.starts_with(r"it said '\u{1b}[2J\u{7}\u{202e}', which is not a move"), "{reason}");
    assert!(reason.chars().all(bouton_tables::printable::is_printable), "{reason}");
    assert_eq!(bot("exec >&-; sleep 1000"), "it closed its output");
    assert_eq!(
        bot("echo lost my table >&2; exit 4"),
        "it ended (exit status: 4) and wrote to standard error: lost my table"
    );
}

#[test]
fn output_out_of_turn_loses_the_game() {
    /// Thinks until the bot has written its output.
    struct WaitingPlayer(PathBuf);
    impl<G: Game> Player<G> for WaitingPlayer {
        fn choose(&mut self, request: &MoveRequest<G>) -> Result<Choice<G::Move>, Reason> {
            wait_for_line(&self.0);
            FixedPlayer(Duration::from_millis(500), Ok(Choice::Move("1"))).choose(request)
        }
    }
    let script = ScriptFolder::new();
    let spoken = script.file("spoken");
    let command = script.each_line(&format!(
        "case $word in bouton) echo ready 1;; newgame) echo hello; echo >{};; position) echo 1;; esac",
        spoken.display()
    ));
    let mut bot = BotPlayer::new(&command, PATIENT);
    let ending = play(&mut bot, Side::Second, &mut WaitingPlayer(spoken), &expanding(30), None);
    let expected = Reason::Failed("it spoke out of turn: 'hello'".to_owned());
    assert_eq!(ending, Ending::forfeit(Side::Second, expected));
    // Output after the end of a game: the bot loses the next game.
    let script = ScriptFolder::new();
    let command = script.each_line(
        "case $word in bouton) echo ready 1 pairing;; position) echo 1;; result) echo thanks;; esac",
    );
    let mut bot = BotPlayer::new(&command, PATIENT);
    assert_eq!(play_30(&mut bot).reason, Reason::Played);
    let Reason::Failed(reason) = play_30(&mut bot).reason else { panic!("the bot spoke out of turn") };
    assert!(reason.contains("'thanks'"), "{reason}");
    assert_eq!(play_30(&mut bot).reason, Reason::Played, "a new process plays");
    assert_eq!(script.pids().len(), 2);
}

#[test]
fn a_crash_loses_one_game_and_a_new_process_plays_the_next() {
    for (crash, reason) in [
        // A crash in the bot's second game, and one between two games.
        ("newgame) n=x$n;; position) [ \"$n\" != xx ] || exit 3; echo 1", "it ended (exit status: 3)"),
        ("position) echo 1;; result) exit 0", "it ended (exit status: 0)"),
    ] {
        let script = ScriptFolder::new();
        let command = script
            .each_line(&format!("case $word in bouton) echo ready 1 pairing;; {crash};; quit) exit;; esac"));
        let mut bot = BotPlayer::new(&command, PATIENT);
        assert_eq!(play_30(&mut bot).reason, Reason::Played);
        assert_eq!(play_30(&mut bot), Ending::forfeit(Side::First, Reason::Failed(reason.to_owned())));
        assert_eq!(play_30(&mut bot).reason, Reason::Played);
        drop(bot);
        let pids = script.pids();
        assert_eq!(pids.len(), 2, "{crash}");
        assert!(pids.iter().all(|pid| is_gone(pid)));
        assert_eq!(
            script.received_lines("result").len(),
            2,
            "results of the games that it played to their end"
        );
    }
}

#[test]
fn a_bot_that_answers_too_late_loses_on_time_and_its_process_ends() {
    let script = ScriptFolder::new();
    let command = script.bot("ready 1 pairing", "sleep 1000");
    let mut bot = BotPlayer::new(&command, PATIENT);
    let began = Instant::now();
    for game in 1..=2 {
        let clock = Some(Duration::from_millis(300));
        let ending = play(&mut bot, Side::First, &mut GreedyPlayer, &expanding(30), clock);
        assert_eq!(ending, Ending::forfeit(Side::First, Reason::Time));
        assert_eq!(script.pids().len(), game);
        assert!(script.pids().iter().all(|pid| is_gone(pid)));
    }
    assert!(began.elapsed() < LONG, "the bot is killed without a wait for `quit`");
    assert!(script.received_lines("result").is_empty());
}

#[test]
fn a_move_just_too_late_ends_the_process() {
    let script = ScriptFolder::new();
    let mut bot = BotPlayer::new(&script.bot("ready 1 pairing", "echo 1"), PATIENT);
    let rules = expanding(30);
    bot.begin(&GameInfo::new(&rules, Side::Second, &rules.start(30))).unwrap();
    // The referee measures the time, and may find that it ran out although the bot answered.
    Player::<Expanding>::ended(&mut bot, &Ending::forfeit(Side::Second, Reason::Time), Side::Second);
    assert!(is_gone(&script.pids()[0]));
    assert!(script.received_lines("result").is_empty());
    // The opponent's loss on time is a result like any other.
    bot.begin(&GameInfo::new(&rules, Side::Second, &rules.start(30))).unwrap();
    Player::<Expanding>::ended(&mut bot, &Ending::forfeit(Side::First, Reason::Time), Side::Second);
    drop(bot);
    assert_eq!(script.received_lines("result"), ["result won time"]);
}

#[test]
fn a_bot_that_does_not_quit_is_killed_with_its_children() {
    for ready in ["ready 1", "ready 1 pairing"] {
        let script = ScriptFolder::new();
        let child = script.file("child");
        let command = format!(
            "trap '' TERM HUP INT PIPE; sleep 1000 & echo $! >{}; {}; while :; do sleep 1; done",
            child.display(),
            script.each_line(&format!("case $word in bouton) echo {ready};; position) echo 1;; esac"))
        );
        let limits = BotLimits { ready: LONG, quit: Duration::from_millis(300) };
        let mut bot = BotPlayer::new(&command, limits);
        assert_eq!(play_30(&mut bot).reason, Reason::Played);
        drop(bot);
        assert!(is_gone(&script.pids()[0]) && is_gone(wait_for_line(&child).trim()), "{ready}");
    }
}

#[test]
fn a_bot_has_time_to_quit_after_quit_or_the_end_of_its_input() {
    for (quit, after) in [("quit) sleep 0.3; echo saved >>$saved; exit;;", ""), ("", "; echo saved >>$saved")]
    {
        let script = ScriptFolder::new();
        let saved = script.file("saved");
        let command = format!(
            "saved={}; {}{after}",
            saved.display(),
            script.each_line(&format!("case $word in bouton) echo ready 1;; position) echo 1;; {quit} esac"))
        );
        let mut bot = BotPlayer::new(&command, PATIENT);
        let began = Instant::now();
        assert_eq!(play_30(&mut bot).reason, Reason::Played);
        assert!(began.elapsed() < LONG);
        assert_eq!(script.lines("saved"), ["saved"], "it saved before the next game can begin");
    }
}
