//! `bouton verify` with little memory, and when it is interrupted.

use std::path::Path;

use bouton_tests::programs::bouton;
#[cfg(target_os = "linux")]
use bouton_tests::programs::{files, peak_memory, send_signal, start_bouton, wait_until};

/// Makes the table of Nim with four heaps.
fn make(folder: &Path, size: &str) {
    let made = bouton(folder, &["generate", "nim", "--set", "heaps=4", "--set", size, "-o", "t.bouton"]);
    assert_eq!(made.status, Some(0), "{made:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_verification_says_so_and_leaves_no_file() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path();
    // Without stored verdicts, its verification takes many seconds.
    make(folder, "size=60");
    let args = ["verify", "t.bouton", "--every-position", "--memory"];
    let least = least_memory(folder, &[&args[..], &["1MiB"]].concat());
    let child = start_bouton(folder, &[&args[..], &[&least]].concat());
    // Until it handles signals.
    wait_until(|| handles_interrupts(child.id()));
    send_signal("INT", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let printed = String::from_utf8(output.stderr).unwrap();
    assert!(printed.contains("t.bouton: the table was not verified: the run was cancelled"), "{printed}");
    assert_eq!(files(folder), ["t.bouton"]);
}

/// Returns whether a process handles Ctrl-C (signal 2) itself.
#[cfg(target_os = "linux")]
fn handles_interrupts(process: u32) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let handled = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or_default();
    u64::from_str_radix(handled.trim(), 16).is_ok_and(|handled| handled >> 1 & 1 == 1)
}

/// Returns the memory that a refused command asks for, as `--memory` reads it.
fn least_memory(folder: &Path, args: &[&str]) -> String {
    let refused = bouton(folder, args);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    let least = refused.stderr.split("at least ").nth(1).and_then(|rest| rest.split(" of memory").next());
    least.expect("the error names the required memory").replace(' ', "")
}

#[test]
fn too_little_memory_is_refused_and_the_required_amount_is_printed() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path();
    make(folder, "size=24");
    let least = least_memory(folder, &["verify", "t.bouton", "--memory", "1MiB"]);
    let proved = bouton(folder, &["verify", "t.bouton", "--memory", &least]);
    assert_eq!(proved.status, Some(0), "{least}: {proved:?}");
    let both = bouton(folder, &["verify", "t.bouton", "--memory", "1GiB", "--by-classes"]);
    assert_eq!(both.status, Some(2), "{both:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_printed_memory_is_enough_and_at_most_twice_what_is_used() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path();
    // Verdicts of some of the last game's positions fill the memory.
    let games: [(&[&str], u64); 6] = [
        (&["nim", "--set", "heaps=4", "--set", "size=24"], 0),
        (&["nim", "--set", "heaps=5", "--set", "size=12", "--no-depth"], 0),
        (&["nim", "--set", "heaps=4", "--set", "size=16", "--set", "passes=2"], 0),
        (&["moore", "--set", "heaps=4", "--set", "size=10"], 0),
        (&["expanding", "--set", "stones=700"], 0),
        (&["nim", "--set", "heaps=3", "--set", "size=200", "--set", "take=3"], 3),
    ];
    for (game, more) in games {
        let made = bouton(folder, &[&["generate", "--force", "-o", "t.bouton"], game].concat());
        assert_eq!(made.status, Some(0), "{made:?}");
        let way: &[&str] = if more > 0 { &["--every-position"] } else { &[] };
        let args = [&["verify", "t.bouton"], way, &["--memory"]].concat();
        let refused = bouton(folder, &[&args[..], &["1MiB"]].concat());
        // Proofs by classes exist for some of these tables only.
        let has_proof_by_classes = game.contains(&"--no-depth");
        assert_eq!(refused.stderr.contains("--by-classes"), has_proof_by_classes, "{refused:?}");
        let least = least_memory(folder, &[&args[..], &["1MiB"]].concat());
        let least = least.strip_suffix("MiB").expect("a few mebibytes").parse::<f64>().unwrap();
        let memory = least + more as f64;
        let mut child = start_bouton(folder, &[&args[..], &[&format!("{memory}MiB")]].concat());
        let taken = peak_memory(&mut child);
        assert!(child.wait().unwrap().success());
        let memory = memory * f64::from(1 << 20);
        // `profile.test` in Cargo.toml builds the generator as one codegen unit: built as several, a program takes a
        // MiB more, and may exceed the announced memory.
        assert!(
            taken as f64 <= memory && 2.0 * taken as f64 >= memory,
            "{game:?}: {memory} announced, {taken} taken"
        );
    }
}
