//! A match on the server of 2016, which sends the state only when it is our turn.

use std::time::Instant;

use bouton_tables::expanding::{Expanding, Move};

use super::client_game::ClientGame;
use super::error::{ClientResult, MatchResult, NOT_BEGUN, garbage};
use super::game_account::{GameAccount, ServerClaim};
use super::match_options::MatchOptions;
use super::match_rules::Announcement;
use super::report::Report;
use super::transport::{Feed, Transport};
use crate::Side;
use crate::protocol::text_2016::{LEAST_CURRENTMAX, RESETS, TextState, move_text};

const GUESS_REMARK: &str = " (or one stone less: the server does not announce the number; --stones sets it)";

/// Plays a match.
pub fn play(transport: &mut dyn Transport, options: &MatchOptions, report: &mut Report) -> ClientResult {
    play_on(Feed::new(Instant::now(), transport, options), report)
}

/// Plays a match whose first bytes may have arrived already.
pub(super) fn play_on(mut feed: Feed, report: &mut Report) -> ClientResult {
    let first = next_state(&mut feed, NOT_BEGUN)?;
    if first.over {
        report.ended(MatchResult::Unknown, "the server ended the match before we moved");
        return Ok(MatchResult::Unknown);
    }
    let mut game = begin(first, feed.options, report)?;
    loop {
        if let Some(chosen) = game.choose() {
            feed.send(move_text(chosen).as_bytes(), game.pause());
            game.record(chosen, None);
        }
        let state = next_state(&mut feed, &game.account.standing())?;
        if state.over {
            return Ok(end(&mut game));
        }
        // If the server announces our turn twice, the opponent took nothing, which is reported.
        let taken = game.account.position.stones.saturating_sub(state.stones);
        let take = u32::try_from(taken).unwrap_or(u32::MAX);
        game.record(Move { take, reset: state.reset }, None);
        compare_state(&mut game, &state);
    }
}

fn next_state(feed: &mut Feed, standing: &str) -> ClientResult<TextState> {
    feed.next(standing, |stream| {
        let hint = "if this is another server, say which: --protocol tcp or rest";
        stream.next_state().map_err(|found| garbage("of 2016", &found, standing, hint))
    })
}

/// Begins the game that the first message shows.
fn begin<'a, 'r>(
    state: TextState,
    options: &'a MatchOptions,
    report: &'a mut Report<'r>,
) -> ClientResult<ClientGame<'a, 'r>> {
    let mut announced =
        Announcement { stones: state.stones.max(1), resets: None, init_max: None, clock: options.clock };
    let provisional = announced.rules(options, RESETS)?;
    let user_stones = options.stones.filter(|&user_stones| {
        let fits =
            user_stones >= state.stones && user_stones - state.stones <= provisional.base_limit().into();
        if !fits {
            let found = state.stones;
            report.note(&format!(
                "--stones {user_stones} cannot be right: the server says that {found} are left"
            ));
        }
        fits
    });
    // Moves of up to this many stones do not change the currentmax that the server shows.
    let hidden = LEAST_CURRENTMAX.max(provisional.base_limit() - 1);
    let may_be_untouched = state.currentmax <= hidden && !state.reset;
    let is_first = may_be_untouched
        && user_stones.map_or(options.side == Side::First, |user_stones| user_stones == state.stones);
    let (taken, is_certain) = match user_stones {
        _ if is_first => (0, true),
        Some(user_stones) if user_stones > state.stones => ((user_stones - state.stones) as u32, true),
        _ if state.currentmax <= hidden => (guess(&provisional, hidden), false),
        _ => {
            let least = provisional.least(state.currentmax).unwrap_or(0);
            (u32::try_from(least).unwrap_or(u32::MAX), true)
        }
    };
    announced.stones = state.stones + u64::from(taken);
    let rules = announced.rules(options, RESETS)?;
    let side = if is_first { Side::First } else { Side::Second };
    let about = match hidden {
        _ if is_certain => None,
        2 => Some("1 or 2".to_owned()),
        _ => Some(format!("1 to {hidden}")),
    };
    let remark = match &about {
        None => String::new(),
        Some(_) if hidden == 2 => GUESS_REMARK.to_owned(),
        Some(about) => format!(" (if the opponent has taken {taken}; it may be {about}, --stones sets it)"),
    };
    let mut game = ClientGame::new(&announced, rules, &remark, side, options, report)?;
    game.begin()?;
    if !is_first {
        game.record(Move { take: taken, reset: state.reset }, about.as_deref());
    }
    compare_state(&mut game, &state);
    Ok(game)
}

/// Guesses how many stones the first move took: the greatest number up to `hidden` that leaves the limit at its lowest.
fn guess(rules: &Expanding, hidden: u32) -> u32 {
    let limit = |taken| rules.limit(taken, false);
    (1..=hidden).rev().find(|&taken| limit(taken) == limit(1)).unwrap_or(1)
}

fn compare_state(game: &mut ClientGame, state: &TextState) {
    let GameAccount { rules, position, .. } = &game.account;
    let shown = [LEAST_CURRENTMAX, rules.base_limit() - 1].map(|least| position.currentmax.max(least));
    let limit = if shown.contains(&state.currentmax) {
        rules.limit(position.currentmax, state.reset)
    } else {
        // The number differs from our account. It may also be the limit less one, as on the server of 2016.
        let plain = rules.limit(state.currentmax, state.reset);
        if state.reset { plain } else { plain.min(state.currentmax.saturating_add(1)) }
    };
    game.compare(ServerClaim {
        stones: Some(state.stones),
        limit: Some(limit),
        imposed: Some(state.reset),
        ..ServerClaim::default()
    });
}

/// Ends the game. The server does not report the winner.
fn end(game: &mut ClientGame) -> MatchResult {
    let (left, limit) = (game.account.position.stones, game.account.limit());
    let ours = game.account.side;
    let (last, reason) = if left == 0 {
        // The server sends no state after a last move of the opponent, so an account without stones ends with our move.
        (Some(ours), "we took the last stone".to_owned())
    } else if left <= limit.into() {
        let reason = format!("the opponent may have taken the last {left}; the server does not say who won");
        (Some(ours.other()), reason)
    } else {
        let reason = format!(
            "the server does not say who won: {left} stones were left and the opponent could take at most {limit}, so \
             somebody made an illegal move or disconnected"
        );
        (None, reason)
    };
    game.end(last.map(|last| game.account.winner_by_last_move(last)), &reason)
}
