//! Killing `bouton generate` at any moment leaves the earlier file, or the new one, or none: never a part.

use std::fs;
use std::time::{Duration, Instant};

use bouton_tables::Table;
use bouton_tests::programs::{files, start_bouton};

#[test]
fn a_kill_at_any_moment_leaves_a_whole_table_or_what_was_there() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("t.bouton");
    let generate = |growth: &str| {
        let growth = format!("growth={growth}");
        start_bouton(
            here.path(),
            &["generate", "--force", "--set", &growth, "--set", "stones=600", "-o", "t.bouton"],
        )
    };
    let began = Instant::now();
    let finished = generate("1").wait_with_output().unwrap();
    let whole_run = began.elapsed();
    assert!(finished.status.success());
    let old = fs::read(&path).unwrap();
    assert!(generate("2").wait_with_output().unwrap().status.success());
    let new = fs::read(&path).unwrap();

    // From before it starts to after it ends, in steps that have nothing to do with its own.
    for step in 0..60_u32 {
        let with_old = step % 3 != 0;
        if with_old {
            fs::write(&path, &old).unwrap();
        } else {
            fs::remove_file(&path).unwrap();
        }
        let mut child = generate("2");
        std::thread::sleep(Duration::from_nanos(whole_run.as_nanos() as u64 * u64::from(step) / 50));
        child.kill().unwrap();
        child.wait().unwrap();
        match fs::read(&path) {
            Ok(found) => assert!(found == new || with_old && found == old, "step {step}: a file of its own"),
            Err(_) => assert!(!with_old, "step {step}: the old file is gone"),
        }
        // So that every step finds a file to remove or replace.
        fs::write(&path, &new).unwrap();
    }
    Table::map(&path).unwrap().check_whole().unwrap();
    // What a kill leaves behind is hidden, and named after the table.
    for name in files(here.path()) {
        assert!(name == "t.bouton" || name.starts_with(".t.bouton.") && name.ends_with(".part"), "{name}");
    }
}
