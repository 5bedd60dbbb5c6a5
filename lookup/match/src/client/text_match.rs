//! A match on the server of 2016, which sends the state only when it is our turn.

use bouton_tables::expanding::Move;

use super::account::Claim;
use super::kit::rules_announced;
use super::notes::{Announced, Notes};
use super::transport::{Feed, Transport};
use super::{ClientError, Ended, MatchOptions, NOT_BEGUN, Report};
use crate::Side;
use crate::protocol::text_2016::{LEAST_CURRENTMAX, RESETS, TextState, move_text};

const A_GUESS: &str = " (or one stone less: the server does not say how many there were; --stones does)";

/// Plays a match.
///
/// # Errors
/// If it could not be played to its end.
pub fn play(
    transport: &mut dyn Transport,
    options: &MatchOptions,
    report: &mut Report,
) -> Result<Ended, ClientError> {
    play_on(Feed::new(transport, options), report)
}

/// Plays a match, whose first bytes may have come already.
pub(super) fn play_on(mut feed: Feed, report: &mut Report) -> Result<Ended, ClientError> {
    let first = next_state(&mut feed, NOT_BEGUN)?;
    if first.over {
        report.ended(Ended::Unknown, "the server ended the match before we moved");
        return Ok(Ended::Unknown);
    }
    let mut notes = begin(first, feed.options, report)?;
    loop {
        if let Some(chosen) = notes.choose() {
            feed.send(move_text(chosen).as_bytes(), notes.pause());
            notes.record(chosen, None);
        }
        let state = next_state(&mut feed, &notes.account.standing())?;
        if state.over {
            return Ok(end(&mut notes));
        }
        // Even if the server says twice that it is our turn: the opponent then took nothing, which is reported.
        let take = notes.account.position.stones.saturating_sub(state.stones);
        notes.record(Move { take, reset: state.reset }, None);
        hear(&mut notes, &state);
    }
}

fn next_state(feed: &mut Feed, standing: &str) -> Result<TextState, ClientError> {
    feed.next(standing, |stream| {
        let hint = "if this is another server, say which: --protocol tcp or rest";
        let garbage = |found: &str| ClientError::garbage("of 2016", found, standing, hint);
        stream.next_state().map_err(|error| garbage(&error.to_string()))
    })
}

/// Begins the game that the first message shows.
fn begin<'a, 'r>(
    state: TextState,
    options: &'a MatchOptions,
    report: &'a mut Report<'r>,
) -> Result<Notes<'a, 'r>, ClientError> {
    let any = rules_announced(state.stones.max(1), RESETS)?;
    let given = options.stones.filter(|&given| {
        let fits = given >= state.stones && given - state.stones <= any.base_limit();
        if !fits {
            let found = state.stones;
            report.note(&format!("--stones {given} cannot be right: the server says that {found} are left"));
        }
        fits
    });
    // At most 2 stones have been taken in one move then, and perhaps none.
    let untouched = state.currentmax <= LEAST_CURRENTMAX && !state.reset;
    let first = untouched && given.map_or(options.side == Side::First, |given| given == state.stones);
    // Where 1 or 2 are possible, take it to be 2: the future is the same.
    let least = any.least(state.currentmax.max(LEAST_CURRENTMAX)).unwrap_or(0);
    let least = u32::try_from(least).unwrap_or(u32::MAX);
    let taken = match given {
        _ if first => 0,
        Some(given) if given > state.stones => given - state.stones,
        _ => least,
    };
    let stones = state.stones.saturating_add(taken);
    let side = if first { Side::First } else { Side::Second };
    let known =
        first || given.is_some_and(|given| given > state.stones) || state.currentmax > LEAST_CURRENTMAX;
    let remark = if known { "" } else { A_GUESS };
    let announced = Announced { stones, resets: RESETS, clock: options.clock };
    let mut notes = Notes::with_a_remark(announced, remark, side, options, report)?;
    notes.begin()?;
    if !first {
        let about = if known { None } else { Some("1 or 2") };
        notes.record(Move { take: taken, reset: state.reset }, about);
    }
    hear(&mut notes, &state);
    Ok(notes)
}

fn hear(notes: &mut Notes, state: &TextState) {
    let limit = notes.account.rules.limit(state.currentmax, state.reset);
    notes.hear(Claim {
        stones: Some(state.stones),
        limit: Some(limit),
        imposed: Some(state.reset),
        ..Claim::default()
    });
}

/// The game is over. The server does not say who won.
fn end(notes: &mut Notes) -> Ended {
    let (left, limit) = (notes.account.position.stones, notes.account.limit());
    let (ended, reason) = if left == 0 {
        (Ended::Won, "we took the last stone".to_owned())
    } else if left <= limit {
        let reason = format!("the opponent may have taken the last {left}; the server does not say who won");
        (Ended::Lost, reason)
    } else {
        let reason = format!(
            "the server does not say who won: {left} stones were left and the opponent could take at most {limit}, so \
             somebody made an illegal move or disconnected"
        );
        (Ended::Unknown, reason)
    };
    notes.end(ended, &reason)
}
