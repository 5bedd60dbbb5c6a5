//! `bouton`: makes tables of solved games, verifies, compares, exports, analyzes and draws them.

use std::process::ExitCode;

fn main() -> ExitCode {
    bouton_program::run_alone()
}
