//! Compares the library's reader of Expanding Nim tables with the *twin*, a second reader written from FORMAT.md alone,
//! position by position. Both must refuse invalid contents.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use bouton_tables::expanding::{Expanding, Move, Position};
use bouton_tables::{AskError, Outcome, Solved, Table};

use super::expanding;
use crate::format_twin::expanding::Twin;
use crate::{layouts, positions};

/// Returns the row, the line and the place (`x` in FORMAT.md) of a position.
#[must_use]
pub fn place(twin: &Twin, position: &Position) -> (u64, u64, u64) {
    let rules = twin.rules();
    let line = rules.line(position.turn.number(), position.resets, position.imposed);
    (rules.row(position.currentmax), line, position.stones)
}

/// Returns whether the twin finds a position lost; panics at invalid contents.
#[must_use]
pub fn lost(twin: &Twin, position: &Position) -> bool {
    let (row, line, x) = place(twin, position);
    twin.lost(row, line, x)
}

/// Returns depth and best move as the twin reads them; panics at invalid contents.
///
/// # Panics
/// If a number does not fit into its type.
#[must_use]
pub fn verdict(twin: &Twin, position: &Position) -> Option<(u32, Option<Move>)> {
    let (row, line, x) = place(twin, position);
    twin.verdict(row, line, x).map(|verdict| {
        let take = u32::try_from(verdict.take).expect("at most all stones");
        let depth = u32::try_from(verdict.depth).expect("at most a ply for each stone");
        (depth, (take > 0).then_some(Move { take, reset: verdict.reset }))
    })
}

/// Checks that both readers refuse to open a table, and that the twin gives the reason `what`.
///
/// # Panics
/// If one reader accepts the table.
pub fn check_refusal_on_opening(table: &layouts::DecodedTable, what: &str) {
    let file = table.seal();
    assert!(Table::open(&file).is_err(), "{what}: it opens");
    let refusal = Twin::read(&file).map(|_| ()).expect_err(what);
    assert!(refusal.ends_with(what), "{refusal}, and not {what}");
}

/// The kind of a table's contents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Both readers either understand the contents in the same way, or refuse them.
    Defined,
    /// FORMAT.md leaves the reader's behaviour open, for example if starts are not ascending.
    Undefined,
}

/// Returns the twin's reasons for refusing positions of a table that opens. Checks that the library's reader refuses
/// these positions too. For each other position the reader must give the twin's answer or report damage: it reads more
/// at once, and so may meet invalid contents that the twin does not read. If the contents are [`Content::Undefined`],
/// the reader need only refuse the positions that the twin refuses for the reason `about`.
///
/// # Panics
/// If one of these checks fails.
#[must_use]
pub fn refusals(
    table: &layouts::DecodedTable,
    rules: &Expanding,
    content: Content,
    about: &str,
) -> Vec<String> {
    let file = table.seal();
    let twin = Twin::read(&file).unwrap_or_else(|refusal| panic!("{about}: {refusal}"));
    let table = Table::open(file).unwrap_or_else(|error| panic!("{about}: {error}"));
    let table = expanding(&table);
    let mut reasons = Vec::new();
    for position in positions::expanding::every(rules) {
        let read = catch_unwind(AssertUnwindSafe(|| (lost(&twin, &position), verdict(&twin, &position))));
        let found = table.verdict(&position);
        // The reader skips the best move if only depth and outcome are asked for.
        let answer =
            table.has_depths().then(|| table.answer(&position).map(|answer| (answer.verdict, answer.best)));
        let is_damage = |error: &AskError| matches!(error, AskError::Damaged(_));
        let assert_damage = |error: &AskError| assert!(is_damage(error), "{position}: {about}: {error}");
        match read {
            Ok(_) if content == Content::Undefined => {
                found
                    .as_ref()
                    .err()
                    .into_iter()
                    .chain(answer.iter().filter_map(|answer| answer.as_ref().err()))
                    .for_each(assert_damage);
            }
            Ok((is_lost, verdict)) => {
                let expected = (Outcome::from_won(!is_lost), verdict.map(|(depth, _)| depth));
                match &found {
                    Ok(found) => assert_eq!((found.outcome, found.depth), expected, "{position}: {about}"),
                    Err(error) => assert_damage(error),
                }
                match &answer {
                    Some(Ok((found, best))) => {
                        let expected_best = verdict.and_then(|(_, best)| best);
                        assert_eq!(
                            ((found.outcome, found.depth), *best),
                            (expected, expected_best),
                            "{position}: {about}"
                        );
                    }
                    Some(Err(error)) => assert_damage(error),
                    None => {}
                }
            }
            Err(panic) => {
                let message = panic_message(&*panic);
                let is_refused = match &answer {
                    Some(answer) => answer.as_ref().is_err_and(is_damage),
                    None => found.as_ref().is_err_and(is_damage),
                };
                let must_refuse = content == Content::Defined || message.contains(about);
                assert!(is_refused || !must_refuse, "{position}: {about}: {message}, and {found:?}");
                reasons.push(message);
            }
        }
    }
    reasons
}

/// Returns the message of a panic.
///
/// # Panics
/// If the message is not text.
#[must_use]
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic.downcast_ref::<String>().cloned();
    message.or_else(|| panic.downcast_ref::<&str>().map(|&message| message.to_owned())).expect("a text")
}

/// Checks that the twin refuses some positions, all for the reason `what`, and that the library refuses them too, and
/// answers others as the twin does ([`refusals`]).
///
/// # Panics
/// If one of these checks fails.
pub fn check_refusal_where_read(table: &layouts::DecodedTable, rules: &Expanding, what: &str) {
    let reasons = refusals(table, rules, Content::Defined, what);
    assert!(!reasons.is_empty(), "{what}: the twin refuses no position");
    for message in reasons {
        assert!(message.contains(what), "{message}, and not {what}");
    }
}
