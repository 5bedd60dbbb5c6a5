//! `bouton verify` with little memory, and its resumption after an interruption.

use std::fs;
use std::path::Path;

#[cfg(target_os = "linux")]
use bouton_tests::programs::peak_memory;
use bouton_tests::programs::{bouton, files, send_signal, start_bouton, wait_until};

/// Makes a table whose verification by every move takes a few seconds in a test build.
fn make(folder: &Path) {
    let made = bouton(folder, &["generate", "nim", "--set", "heaps=4", "--set", "size=60", "-o", "t.bouton"]);
    assert_eq!(made.status, Some(0), "{made:?}");
}

#[test]
fn an_interrupted_verification_resumes() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path();
    make(folder);
    let record = folder.join("t.bouton.verify");
    let args = ["verify", "t.bouton", "--every-position", "--checkpoint", "0"];
    // Interrupted, and killed.
    for signal in ["INT", "KILL"] {
        let mut child = start_bouton(folder, &args);
        wait_until(|| record.exists());
        send_signal(signal, &child);
        let status = child.wait().unwrap();
        assert_eq!(status.code(), (signal == "INT").then_some(130));
    }
    let info = bouton(folder, &["info", "t.bouton.verify"]);
    assert!(info.stdout.contains("of 635,376 positions)"), "{info:?}");
    assert!(info.stdout.contains("Repeat `bouton verify t.bouton` to resume"), "{info:?}");
    let info = bouton(folder, &["info", "t.bouton.verify", "--json"]);
    assert!(info.stdout.contains("\"positions\":635376"), "{info:?}");

    let saved = fs::read(&record).unwrap();
    // The verification resumes without `--every-position` too.
    let done = bouton(folder, &["verify", "t.bouton"]);
    assert_eq!(done.status, Some(0), "{done:?}");
    assert!(done.stderr.contains("resumes from a checkpoint, with"), "{done:?}");
    assert!(done.stdout.starts_with("t.bouton is right: each of its 635,376 positions"), "{done:?}");
    assert_eq!(files(folder), ["t.bouton"]);

    // A damaged record is refused; `--restart` discards it.
    fs::write(&record, &saved[..saved.len() - 1]).unwrap();
    let refused = bouton(folder, &args);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("t.bouton.verify is damaged"), "{refused:?}");
    let again = bouton(folder, &["verify", "t.bouton", "--restart"]);
    assert_eq!((again.status, &again.stderr[..]), (Some(0), ""), "{again:?}");
    assert_eq!(files(folder), ["t.bouton"]);
}

#[test]
fn too_little_memory_is_refused_and_the_required_amount_is_printed() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path();
    make(folder);
    let refused = bouton(folder, &["verify", "t.bouton", "--memory", "1MiB"]);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    let least = refused.stderr.split("at least ").nth(1).and_then(|rest| rest.split(" of memory").next());
    let least = least.expect("the error names the required memory");
    let proved = bouton(folder, &["verify", "t.bouton", "--memory", least]);
    assert_eq!(proved.status, Some(0), "{least}: {proved:?}");
    let both = bouton(folder, &["verify", "t.bouton", "--memory", "1GiB", "--by-classes"]);
    assert_eq!(both.status, Some(2), "{both:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn the_printed_memory_is_enough_and_at_most_twice_what_is_used() {
    let here = tempfile::tempdir().unwrap();
    let folder = here.path();
    let games: [&[&str]; 6] = [
        &["nim", "--set", "heaps=4", "--set", "size=60"],
        &["nim", "--set", "heaps=5", "--set", "size=30", "--no-depth"],
        &["nim", "--set", "heaps=4", "--set", "size=30", "--set", "passes=2"],
        &["nim", "--set", "heaps=2", "--set", "size=1000", "--set", "take=3"],
        &["moore", "--set", "heaps=4", "--set", "size=20"],
        &["expanding", "--set", "stones=700"],
    ];
    for game in games {
        let made = bouton(folder, &[&["generate", "--force", "-o", "t.bouton"], game].concat());
        assert_eq!(made.status, Some(0), "{made:?}");
        let refused = bouton(folder, &["verify", "t.bouton", "--memory", "1MiB"]);
        let least =
            refused.stderr.split("at least ").nth(1).and_then(|rest| rest.split(" MiB of memory").next());
        let least = least.unwrap_or_else(|| panic!("the error names the required memory: {refused:?}"));
        // Proofs by classes exist for some of these tables only.
        let has_proof_by_classes = game.contains(&"--no-depth");
        assert_eq!(refused.stderr.contains("--by-classes"), has_proof_by_classes, "{refused:?}");
        let mut child = start_bouton(folder, &["verify", "t.bouton", "--memory", &format!("{least}MiB")]);
        let taken = peak_memory(&mut child);
        assert!(child.wait().unwrap().success());
        let least = least.parse::<f64>().unwrap() * f64::from(1 << 20);
        // `profile.test` in Cargo.toml builds the generator as one codegen unit: built as several, a program takes a
        // MiB more, and may exceed the announced memory.
        assert!(
            taken as f64 <= least && 2.0 * taken as f64 >= least,
            "{game:?}: {least} announced, {taken} taken"
        );
    }
}
