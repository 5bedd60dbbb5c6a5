//! Killing `bouton generate` at any moment leaves the earlier file, or the new one, or none: never a part.

use std::fs;
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};

use bouton_tables::Table;
use bouton_tests::programs::{files, start_bouton};

/// Starts making a table.
fn generate(folder: &Path, ruleset: &[&str]) -> Child {
    start_bouton(folder, &[&["generate", "--force", "--quiet", "-o", "t.bouton"], ruleset].concat())
}

fn is_part(name: &str) -> bool {
    name.starts_with(".t.bouton.") && name.ends_with(".part")
}

/// Kills a run after `wait`, and checks what is there against what was there and what was to come.
fn kill_and_check(
    folder: &Path,
    ruleset: &[&str],
    old: Option<&[u8]>,
    new: &[u8],
    wait: impl FnOnce(&mut Child),
) {
    let path = folder.join("t.bouton");
    match old {
        Some(old) => fs::write(&path, old).unwrap(),
        None => fs::remove_file(&path).unwrap(),
    }
    let mut child = generate(folder, ruleset);
    wait(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    match fs::read(&path) {
        Ok(found) => {
            assert!(
                found == new || Some(&found[..]) == old,
                "a file that is neither the old nor the new one"
            );
        }
        Err(_) => assert!(old.is_none(), "the old file is gone"),
    }
    // So that the next run finds a file to remove or replace.
    fs::write(&path, new).unwrap();
}

/// Kills runs that are to replace the table of one ruleset by that of another, so long that writing it takes
/// a moment.
fn kill_at_any_moment(old: &[&str], new: &[&str]) {
    let ruleset = new;
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("t.bouton");
    assert!(generate(here.path(), old).wait_with_output().unwrap().status.success());
    let old = fs::read(&path).unwrap();
    let began = Instant::now();
    assert!(generate(here.path(), new).wait_with_output().unwrap().status.success());
    let whole_run = began.elapsed();
    let new = fs::read(&path).unwrap();
    assert!(new.len() > 90_000, "{}", new.len());

    // From before it starts to after it ends, in steps that have nothing to do with its own.
    for step in 0..24_u32 {
        let old = (step % 3 != 0).then_some(&old[..]);
        kill_and_check(here.path(), ruleset, old, &new, |_| std::thread::sleep(whole_run * step / 20));
    }

    // And while it writes: as soon as there is a part of the file, and a little later.
    let mut caught = 0;
    for step in 0..16_u32 {
        for name in files(here.path()).iter().filter(|name| is_part(name)) {
            fs::remove_file(here.path().join(name)).unwrap();
        }
        let old = (step % 2 != 0).then_some(&old[..]);
        kill_and_check(here.path(), ruleset, old, &new, |child| {
            // The first part only tries whether the folder can be written; the second one is the file.
            while child.try_wait().unwrap().is_none() {
                let parts = fs::read_dir(here.path()).unwrap().filter_map(Result::ok);
                let mut parts = parts.filter(|entry| is_part(&entry.file_name().to_string_lossy()));
                if parts.any(|part| part.metadata().is_ok_and(|part| part.len() > 0)) {
                    std::thread::sleep(Duration::from_micros(100) * step);
                    break;
                }
            }
        });
        // Killed in the midst of it: the part is left.
        caught += usize::from(files(here.path()).iter().any(|name| is_part(name)));
    }
    assert!(caught > 0, "no kill came while the file was written");

    Table::map(&path).unwrap().check_whole().unwrap();
    // What a kill leaves behind is hidden, and named after the table.
    for name in files(here.path()) {
        assert!(name == "t.bouton" || is_part(&name), "{name}");
    }
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_table_or_what_was_there() {
    let ruleset = |growth| ["--set", growth, "--set", "stones=3000", "--set", "resets=[1,1]"];
    kill_at_any_moment(&ruleset("growth=5"), &ruleset("growth=6"));
}

#[test]
fn a_kill_at_any_moment_leaves_a_whole_table_of_heaps_or_what_was_there() {
    // What was there is a table of the other family.
    kill_at_any_moment(&["expanding"], &["nim-pass", "--set", "size=200"]);
}
