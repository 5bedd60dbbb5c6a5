//! Runs programs on an emulated terminal, and returns the screen that a person would see.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Stdio};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::programs::program;

/// Rows of the terminal.
const ROWS: u16 = 24;

/// Runs a program on a terminal of 24 rows. Returns its exit status and the final screen.
///
/// # Panics
/// If there is no terminal, or the program does not start.
#[must_use]
pub fn run_on_terminal(columns: u16, name: &str, folder: &Path, args: &[&str]) -> (Option<i32>, String) {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("there is a terminal");
    grantpt(&terminal).and_then(|()| unlockpt(&terminal)).expect("the terminal can be used");
    let path = ptsname(&terminal, Vec::new()).expect("the terminal has a name");
    let path = Path::new(std::ffi::OsStr::from_bytes(path.as_bytes()));
    let side = File::options().read(true).write(true).open(path).expect("the terminal opens");
    let size = Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&side, size).expect("the terminal has a size");
    let stdio = || Stdio::from(side.try_clone().expect("files can be opened"));
    let mut command = Command::new(program(name));
    command.args(args).current_dir(folder).env("TERM", "xterm").env_remove("CARGO");
    let mut child =
        command.stdin(stdio()).stdout(stdio()).stderr(stdio()).spawn().expect("the program starts");
    // Our copies would keep the terminal open after the end of the program.
    drop((command, side));
    let mut printed = Vec::new();
    // A terminal reports its end as an error.
    let _ = File::from(terminal).read_to_end(&mut printed);
    let status = child.wait().expect("the program ends").code();
    let mut screen = vt100::Parser::new(ROWS, columns, 0);
    screen.process(&printed);
    (status, screen.screen().contents())
}
