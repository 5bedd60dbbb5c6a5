//! The dialogue of `bouton-match advise` with a person at a terminal.

use std::io::Cursor;

use bouton_match::advisor::{AdvisedGame, Advisor, ConversationStyle, ask_side};
use bouton_match::players::{Keyboard, LosingPolicy, TablePlayer};
use bouton_match::{Playable, Side, Solution};
use bouton_tables::expanding::{Expanding, ExpandingKeys};
use bouton_tables::heaps::HeapKeys;
use bouton_tables::{Game, Play};

/// Returns a keyboard on which this is typed.
fn keyboard(typed: &[u8]) -> Keyboard {
    Keyboard::new(Cursor::new(typed.to_vec()))
}

const AT_TERMINAL: ConversationStyle = ConversationStyle { at_terminal: true, quiet: false, bold: false };

/// Returns the output for a game of these rules from their start, and the number of refused lines.
fn talk_through<G: Playable>(rules: &G, side: Side, style: ConversationStyle, typed: &[u8]) -> (String, u64) {
    let solution = Solution::solve(rules).unwrap();
    let player = TablePlayer::new(solution, &LosingPolicy::Longest, &()).unwrap();
    let game = AdvisedGame::new(player, rules.clone(), rules.start(), side).unwrap();
    let mut screen = Vec::new();
    let refused = Advisor::new(game, keyboard(typed), &mut screen, style).run().unwrap();
    (String::from_utf8(screen).unwrap(), refused)
}

/// Returns rules of Expanding Nim with one reset each.
fn pile(stones: u64) -> Expanding {
    ExpandingKeys { stones, resets: [1, 1], ..Default::default() }.rules().unwrap()
}

#[test]
fn a_person_is_asked_for_the_side_until_the_answer_is_valid() {
    for (typed, side) in [
        (&b"first\n"[..], Some(Side::First)),
        (b" SECOND \n", Some(Side::Second)),
        (b"\nme\n\xff\n2\n", Some(Side::Second)),
        (b"1", Some(Side::First)),
        (b"third\n", None),
        (b"", None),
    ] {
        let mut screen = Vec::new();
        assert_eq!(ask_side(&keyboard(typed), &mut screen).unwrap(), side, "{typed:?}");
        let screen = String::from_utf8(screen).unwrap();
        assert!(screen.starts_with("Do you move first or second? "), "{screen}");
    }
}

#[test]
fn each_move_is_advised_with_the_outcome_and_the_position() {
    // From 5, taking 1 wins: it leaves 4 to a player who can take at most 3.
    let (screen, refused) = talk_through(&pile(5), Side::First, AT_TERMINAL, b"take 1\n\n");
    let expected = "\
Expanding Nim from 5/0/1/1,1/-; lost positions are played by longest.
A player who cannot move has lost: the player who makes the last move wins.
Type the opponent's moves, such as 1 or 1r; `help` lists all commands.
  5 left; you take 1 to 3; resets left: yours 1, theirs 1
  >>>  TAKE 1  (1)
  You win in 3 plies.
  4 left; they take 1 to 3; resets left: yours 1, theirs 1

Opponent's move:   3 left; you take 1 to 3; resets left: yours 1, theirs 1
  >>>  TAKE 3  (3)
  You win in 1 ply.
You have won.

The game is over: Enter to end, or undo, or me MOVE: ";
    assert_eq!((screen.as_str(), refused), (expected, 0));
}

#[test]
fn an_error_of_the_opponent_is_reported() {
    // 4 stones are lost for the first player.
    let (screen, _) = talk_through(&pile(4), Side::First, AT_TERMINAL, b"1\n\n");
    assert!(screen.contains("You lose in 2 plies if they never err; longest chose this move."), "{screen}");
    let erred = screen.contains("They erred: you win in 1 ply.") && screen.contains("You have won.");
    assert!(erred, "{screen}");
    let (screen, _) = talk_through(&pile(4), Side::First, AT_TERMINAL, b"3\n\n");
    assert!(screen.contains("You have lost.") && !screen.contains("erred"), "{screen}");
    // A won position that stays won is no error of either player.
    let (screen, _) = talk_through(&pile(4), Side::Second, AT_TERMINAL, b"1\n");
    assert!(screen.contains("  You win in 1 ply.\n"), "{screen}");
}

#[test]
fn illegal_input_is_explained_and_changes_nothing() {
    let long = [b'1'; 5000];
    let typed = [&b"five\n9\n\x1b[2J\n\xff\xfe\n1 1\nme 9\nme\n"[..], &long, b"\nposition\n"].concat();
    let (screen, refused) = talk_through(&pile(20), Side::First, AT_TERMINAL, &typed);
    for expected in [
        "  That is not a move: move: found 'five', expected the stones taken,",
        "  That is not legal: 9 at ",
        "  That is a line that is not UTF-8 text",
        "  That is a line of more than 4096 bytes",
        "  That is not a move: move: found '1 1'",
        "  That is not legal: 9 at 20/0/1/1,1/-, where the legal moves are 1, 1r, 2,",
        "  Write the move that you played after `me`.",
    ] {
        assert!(screen.contains(expected), "{expected}\n{screen}");
    }
    assert_eq!(refused, 8);
    assert!(!screen.contains('\x1b'), "{screen}");
    // Only our first move has been made.
    let position = screen.rsplit("move:   ").next().unwrap().split('/').next().unwrap();
    assert!(["17", "18", "19"].contains(&position), "{screen}");
}

#[test]
fn moves_are_taken_back_and_corrected_at_any_time() {
    let rules = HeapKeys { bounds: vec![2, 2], play: Play::Normal, ..Default::default() };
    let rules = rules.rules().unwrap();
    let quiet = ConversationStyle { quiet: true, ..AT_TERMINAL };
    let talk = |side, typed: &str| talk_through(&rules, side, quiet, typed.as_bytes());
    // No move has been made, or only ours.
    let (screen, refused) = talk(Side::Second, "undo\nme 1:1\nquit\n");
    let nothing = "error: There is nothing to take back: the opponent has not moved yet.";
    assert_eq!(screen, format!("{nothing}\nerror: You have not moved yet.\nover\n"));
    assert_eq!(refused, 2);
    let (screen, _) = talk(Side::First, "undo\nme 2:2\nposition\n");
    let expected =
        "error: There is nothing to take back: the opponent has not moved yet; `me MOVE` changes yours.";
    assert_eq!(screen, format!("2:1\n{expected}\n2:2\n2,0\nover\n").replacen("2:1", &screen[..3], 1));
    // The end is taken back, whoever made the last move.
    let (screen, refused) = talk(Side::Second, "1:2\nundo\n1:2\n2:1\nme 2:1\n2:1\nundo\nme 2:2\n\n");
    let over = "error: The game is over; `undo` takes the opponent's last move back.";
    assert_eq!(screen, format!("2:2\nwon\n2,2\n2:2\nwon\n{over}\n2:1\nlost\n0,1\n2:2\nwon\n"));
    assert_eq!(refused, 1);
    let (screen, refused) = talk(Side::Second, "1:2\nme 2:1\n2:1\nme 2:2\n");
    let opponents_move = "error: The last move is the opponent's; `undo` takes it back.";
    assert_eq!((screen.as_str(), refused), (&*format!("2:2\nwon\n2:1\nlost\n{opponents_move}\n"), 1));
}

#[test]
fn a_line_is_a_command_in_upper_or_lower_case_or_else_a_move() {
    let rules = HeapKeys { bounds: vec![2, 2], play: Play::Normal, ..Default::default() }.rules().unwrap();
    let quiet = ConversationStyle { quiet: true, ..AT_TERMINAL };
    let typed = b"undo 3\nmexico\n\n1:2\nMe  2:1 \nPOSITION\nUnDo\nQUIT\n1:2\n";
    let (screen, refused) = talk_through(&rules, Side::Second, quiet, typed);
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines[..2].iter().all(|line| line.starts_with("error: That is not a move")), "{screen}");
    assert_eq!((&lines[2..], refused), (&["2:2", "won", "2:1", "0,1", "2,2", "over"][..], 2), "{screen}");
}

#[test]
fn help_moves_and_reasons_are_shown() {
    let (screen, _) = talk_through(&pile(5), Side::Second, AT_TERMINAL, b"why\nmoves\n1\nhelp\nmoves\nwhy\n");
    assert!(screen.contains("5/0/1/1,1/-, where they are to move:\n1"), "{screen}");
    assert!(screen.contains("Their moves at 5/0/1/1,1/-, best first, with the plies left"), "{screen}");
    assert!(screen.contains("Your moves at 4/1/2/1,1/-, best first"), "{screen}");
    assert!(screen.contains("  winning: none\n"), "{screen}");
    assert!(screen.contains("4/1/2/1,1/-, where you were to move:\n"), "{screen}");
    for help in
        ["undo: takes", "me MOVE: corrects", "moves: shows", "why: says", "position: prints", "quit: ends"]
    {
        assert!(screen.contains(help), "{help}: {screen}");
    }
    // In a finished game too.
    let (screen, _) = talk_through(&pile(1), Side::First, AT_TERMINAL, b"moves\nwhy\nposition\n");
    assert!(screen.contains("Your moves at 1/0/1/1,1/-") && !screen.contains("Their moves"), "{screen}");
    assert!(screen.contains("  0/1/2/1,1/-\n  0 left\n"), "{screen}");
    // A long list is cut, with a note.
    let wide = HeapKeys { bounds: vec![90, 90], play: Play::Normal, ..Default::default() };
    let (screen, _) = talk_through(&wide.rules().unwrap(), Side::Second, AT_TERMINAL, b"moves\n");
    assert!(screen.contains(", and 120 more\n"), "{screen}");
}

#[test]
fn our_move_is_bold_if_the_terminal_allows_it() {
    let style = ConversationStyle { bold: true, ..AT_TERMINAL };
    let (screen, _) = talk_through(&pile(1), Side::First, style, b"");
    assert!(screen.contains("\x1b[1m>>>  TAKE 1\x1b[0m  (1)"), "{screen}");
}

#[test]
fn a_finished_start_gets_its_result() {
    let rules = HeapKeys { bounds: vec![1], play: Play::Misere, ..Default::default() }.rules().unwrap();
    let player = TablePlayer::new(Solution::solve(&rules).unwrap(), &LosingPolicy::Longest, &()).unwrap();
    let over = rules.parse_position("0").unwrap();
    for (side, expected) in [(Side::First, "won\n"), (Side::Second, "lost\n")] {
        let game = AdvisedGame::new(player.clone(), rules.clone(), over, side).unwrap();
        let mut screen = Vec::new();
        let style = ConversationStyle { quiet: true, ..ConversationStyle::default() };
        // In misère play the player who cannot move has won.
        Advisor::new(game, keyboard(b"1:1\n"), &mut screen, style).run().unwrap();
        assert_eq!(String::from_utf8(screen).unwrap(), expected);
    }
}
