//! Progress bars.

use bouton_shell::Bar;

/// Makes a bar for `games` games; `played` of them were played earlier.
pub(crate) fn of_games(games: u64, played: u64, quiet: bool) -> Bar {
    let bar = Bar::new("{msg} {wide_bar} {pos} of {len} games {left}", games, quiet);
    bar.set_message("playing");
    bar.set_position(played);
    bar.done_before(played);
    bar
}

/// Makes a bar for the preparations before the first move.
pub(crate) fn of_stages(quiet: bool) -> Bar {
    Bar::new("{msg} {wide_bar} {done} {left}", 0, quiet)
}
