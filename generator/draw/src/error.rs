//! Errors of drawing.

use bouton_study::StudyError;
use bouton_study::game_map::MapError;
use bouton_study::words::grouped;

pub(crate) type Result<T, E = StudyError> = std::result::Result<T, E>;

/// Checks that a picture has at most `limit` things, called `what`; `advice` says how to request fewer.
pub(crate) fn check_count(limit: u64, what: &str, found: u64, advice: &str) -> Result<()> {
    if found <= limit {
        return Ok(());
    }
    let limit_shown = grouped(limit);
    // Counting may have stopped just beyond the limit.
    let number = if found == limit + 1 { format!("more than {limit_shown}") } else { grouped(found) };
    Err(StudyError::Invalid(format!(
        "the picture would have {number} {what}, and at most {limit_shown} can be drawn; {advice}"
    )))
}

/// Returns the error for a game that cannot be mapped.
pub(crate) fn no_map(error: MapError) -> StudyError {
    match error {
        MapError::TooLarge { what, limit } => {
            let advice = "draw what can be reached from a later position with --from POSITION, or a smaller game with --set";
            // The total is unknown: the search stopped beyond the limit.
            check_count(limit, what, limit + 1, advice).expect_err("the map is too large")
        }
        MapError::Table(error) => error.into(),
    }
}
