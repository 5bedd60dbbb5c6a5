//! Kills `bouton generate` repeatedly at random moments until its table is complete, and compares the table with one
//! made without interruption.
//!
//! ```text
//! cargo build --release && cargo run --release -p bouton-tests --example kills -- 100 FOLDER nim --set heaps=7 --set size=63
//! ```
//!
//! The first argument is the minimum number of kills; the table is made again and again until then. `FOLDER` must
//! exist, without `t.bouton.work` in it. The other arguments go to `bouton generate`. If they begin with `--ranks N`, N
//! processes make the table together, and one of them is killed (`cargo build --release -p bouton-mpi` first).

#![allow(clippy::print_stdout, reason = "an example prints its results")]

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use bouton_tests::positions::Dice;

/// Starts making the table `t.bouton` in a folder, with as many checkpoints as possible.
fn start(folder: &Path, ranks: Option<&str>, args: &[String]) -> Child {
    let programs = std::env::current_exe().expect("it runs");
    let programs = programs.ancestors().nth(2).expect("it was built");
    let mut command = match ranks {
        None => Command::new(programs.join("bouton")),
        Some(ranks) => {
            let mut command = Command::new("mpirun");
            command.args(["--oversubscribe", "-n", ranks]).arg(programs.join("bouton-mpi"));
            // MPI's report of each kill is not of interest.
            command.stderr(Stdio::null());
            command
        }
    };
    command.arg("generate").args(args).args(["--quiet", "--checkpoint", "0", "-o", "t.bouton"]);
    command.current_dir(folder).stdout(Stdio::null()).spawn().expect("bouton is built")
}

/// Kills a process; with `has_ranks`, one of its children instead, if it has any.
fn kill(child: &mut Child, has_ranks: bool, dice: &mut Dice) {
    let id = child.id();
    let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
    let children: Vec<&str> = children.split_whitespace().collect();
    if !has_ranks || children.is_empty() {
        child.kill().expect("it can be killed");
    } else {
        let chosen = children[dice.up_to(children.len() as u32 - 1) as usize];
        // The process may have ended already.
        Command::new("kill").args(["-9", chosen]).stderr(Stdio::null()).status().expect("kill runs");
    }
    child.wait().expect("it ends");
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [kills, folder, args @ ..] = &args[..] else {
        panic!("name how many kills, a folder, and a ruleset")
    };
    let (ranks, args) = match args {
        [option, ranks, args @ ..] if option == "--ranks" => (Some(ranks.as_str()), args),
        args => (None, args),
    };
    let (kills, folder): (u32, _) = (kills.parse().expect("a number of kills"), Path::new(folder));
    let table = folder.join("t.bouton");
    let make_uninterrupted = || {
        let _ = fs::remove_file(&table);
        let begin = Instant::now();
        assert!(start(folder, ranks, args).wait().expect("it ends").success());
        (fs::read(&table).expect("the table is there"), begin.elapsed())
    };
    let (expected, time) = make_uninterrupted();
    println!("in one go: {:.1} s, {} bytes", time.as_secs_f64(), expected.len());
    let mut dice = Dice::new(1);
    let (mut killed, mut tables, mut resumed) = (0, 0, 0);
    while killed < kills {
        fs::remove_file(&table).expect("the table is there");
        loop {
            resumed += u32::from(folder.join("t.bouton.work/progress").exists());
            let mut child = start(folder, ranks, args);
            let wait = time.mul_f64(f64::from(dice.up_to(1200)) / 1000.0);
            let deadline = Instant::now() + wait;
            while Instant::now() < deadline && child.try_wait().expect("its status can be read").is_none() {
                thread::sleep(Duration::from_millis(1));
            }
            if let Some(status) = child.try_wait().expect("its status can be read") {
                assert!(status.success(), "a run failed after {killed} kills");
                break;
            }
            kill(&mut child, ranks.is_some(), &mut dice);
            killed += 1;
        }
        tables += 1;
        assert!(
            fs::read(&table).expect("the table is there") == expected,
            "the table differs after {killed} kills"
        );
        assert!(!folder.join("t.bouton.work").exists(), "the work folder is left behind");
        println!("{killed} kills, {tables} tables with the same bytes, {resumed} runs found a checkpoint");
    }
}
