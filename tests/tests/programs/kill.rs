//! Killing or interrupting `bouton generate` at any moment leaves the old file, the new one, or none, and never a part
//! under the table's name.

use std::fs;
use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::time::{Duration, Instant};

use bouton_tables::Table;
use bouton_tests::children::{command, spawn};
use bouton_tests::programs::{files, program, run_in_bash, send_signal, start_bouton, wait_until};

/// Starts making a table.
fn generate(folder: &Path, ruleset: &[&str]) -> Child {
    start_bouton(folder, &[&["generate", "--force", "--quiet", "-o", "t.bouton"], ruleset].concat())
}

/// Returns whether a file is the unfinished part of a table `t.bouton`.
fn is_part(name: &str) -> bool {
    name.starts_with(".t.bouton.") && name.ends_with(".part")
}

/// Kills a run after `wait`, and compares the files with the old and the new table.
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
    // The next run finds a file to remove or replace.
    fs::write(&path, new).unwrap();
}

#[test]
fn a_killed_run_resumes_from_its_work_folder() {
    let here = tempfile::tempdir().unwrap();
    let ruleset = ["nim", "--set", "heaps=6", "--set", "size=40"];
    let began = Instant::now();
    assert!(generate(here.path(), &ruleset).wait_with_output().unwrap().status.success());
    let whole_run = began.elapsed();
    let path = here.path().join("t.bouton");
    let expected = fs::read(&path).unwrap();
    fs::remove_file(&path).unwrap();
    // In blocks, with the least memory.
    let estimate = start_bouton(here.path(), &[&["generate", "--estimate"], &ruleset[..]].concat());
    let estimate = String::from_utf8(estimate.wait_with_output().unwrap().stdout).unwrap();
    let least =
        estimate.lines().find_map(|line| line.strip_prefix("at least   ")).expect("it can be made in blocks");
    let least = least.split(',').next().unwrap();
    let more = ["--memory", least, "--checkpoint", "0"];
    let with_little = [&ruleset[..], &more].concat();
    let work = here.path().join("t.bouton.work");
    let mut with_checkpoint = 0;
    for step in 1..=12_u32 {
        let mut child = generate(here.path(), &with_little);
        std::thread::sleep(whole_run * step / 6);
        child.kill().unwrap();
        child.wait().unwrap();
        with_checkpoint += u32::from(work.join("progress").exists());
        if path.exists() {
            assert!(fs::read(&path).unwrap() == expected, "the table differs after {step} kills");
            fs::remove_file(&path).unwrap();
        }
    }
    assert!(with_checkpoint > 0, "no run made a checkpoint");
    assert!(generate(here.path(), &with_little).wait_with_output().unwrap().status.success());
    assert!(fs::read(&path).unwrap() == expected);
    assert!(!work.exists(), "the work folder is left behind");
}

/// Sets the mode of a file or folder.
#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;

    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[cfg(unix)]
#[test]
fn a_work_folder_without_write_permission_is_not_offered_for_resuming() {
    use std::os::unix::fs::MetadataExt;

    let here = tempfile::tempdir().unwrap();
    set_mode(here.path(), 0o777);
    let args =
        ["generate", "nim", "--set", "heaps=6", "--set", "size=40", "--memory", "20MiB", "-o", "t.bouton"];
    let work = here.path().join("t.bouton.work");
    let mut child = start_bouton(here.path(), &[&args[..], &["--checkpoint", "0"]].concat());
    wait_until(|| work.join("progress").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    for name in files(&work) {
        set_mode(&work.join(name), 0o444);
    }
    set_mode(&work, 0o555);
    // Root may do everything, so another user resumes the run.
    let is_root = fs::metadata(here.path()).unwrap().uid() == 0;
    let other = if is_root { "setpriv --reuid=65534 --regid=65534 --clear-groups" } else { "" };
    let copy = here.path().join("bouton");
    fs::copy(bouton_tests::programs::program("bouton"), &copy).unwrap();
    let refused =
        run_in_bash(&format!("exec {other} \"$0\" \"$@\""), copy.to_str().unwrap(), here.path(), &args);
    set_mode(&work, 0o755);
    assert_eq!(refused.status, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("cannot write t.bouton.work/lock"), "{refused:?}");
    assert!(!refused.stderr.contains("resumes"), "{refused:?}");
    assert_eq!(
        refused.stderr.contains("t.bouton.work belongs to root: name another file"),
        is_root,
        "{refused:?}"
    );
}

/// Kills runs that replace the table of one ruleset by that of another, which is large enough that writing it takes a
/// moment.
fn check_kills(old: &[&str], new: &[&str]) {
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

    // Kills from before the start until after the end, in steps independent of the run's own.
    for step in 0..24_u32 {
        let old = (step % 3 != 0).then_some(&old[..]);
        kill_and_check(here.path(), ruleset, old, &new, |_| std::thread::sleep(whole_run * step / 20));
    }

    // Kills during writing: as soon as a part of the file exists, and a little later.
    let mut killed_while_writing = 0;
    for step in 0..16_u32 {
        let old = (step % 2 != 0).then_some(&old[..]);
        let before = files(here.path());
        kill_and_check(here.path(), ruleset, old, &new, |child| {
            // The first part only tests whether the folder is writable; the second one is the file.
            while child.try_wait().unwrap().is_none() {
                let parts = fs::read_dir(here.path()).unwrap().filter_map(Result::ok);
                let is_new = |name: &str| is_part(name) && !before.iter().any(|other| other == name);
                let mut parts = parts.filter(|entry| is_new(&entry.file_name().to_string_lossy()));
                if parts.any(|part| part.metadata().is_ok_and(|part| part.len() > 0)) {
                    std::thread::sleep(Duration::from_micros(100) * step);
                    break;
                }
            }
        });
        // Killed during writing: the part of this run is left, and none of an earlier run.
        let parts = files(here.path()).iter().filter(|name| is_part(name)).count();
        assert!(parts <= 1, "{parts} parts are left");
        killed_while_writing += parts;
    }
    assert!(killed_while_writing > 0, "no kill came while the file was written");

    Table::map(&path).unwrap().check_whole().unwrap();
    // Files left by a kill are hidden and named after the table; the next run removes them.
    for name in files(here.path()) {
        assert!(name == "t.bouton" || is_part(&name), "{name}");
    }
    fs::remove_file(&path).unwrap();
    assert!(generate(here.path(), ruleset).wait_with_output().unwrap().status.success());
    assert_eq!(files(here.path()), ["t.bouton"]);
}

#[test]
fn a_kill_at_any_moment_leaves_the_new_table_or_the_old_file() {
    let ruleset = |growth| ["--set", growth, "--set", "stones=3000", "--set", "resets=[1,1]"];
    check_kills(&ruleset("growth=5"), &ruleset("growth=6"));
}

#[test]
fn a_kill_at_any_moment_leaves_the_new_heap_table_or_the_old_file() {
    // The old file is a table of the other family.
    check_kills(&["expanding"], &["nim-pass", "--set", "size=200"]);
}

/// Waits until a run has begun its file, which stays, unlike the early trial file that tests whether the folder is
/// writable.
fn wait_for_part(folder: &Path, child: &mut Child) {
    let part = || files(folder).into_iter().find(|name| is_part(name));
    loop {
        assert!(child.try_wait().unwrap().is_none(), "the run ended before it began its file");
        let before = part();
        std::thread::sleep(Duration::from_millis(10));
        if before.is_some() && before == part() {
            return;
        }
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_ends_at_once_and_leaves_nothing_behind() {
    // Games that take long, and that leave no work folder.
    let games: [&[&str]; 4] = [
        &["--set", "stones=100000000", "--set", "resets=[4,4]", "--no-depth"],
        &["--set", "stones=2000000"],
        &["nim", "--set", "heaps=3", "--set", "size=4000"],
        &["nim", "--set", "heaps=3", "--set", "size=4000", "--set", "play=misere"],
    ];
    let signals = [("INT", 130), ("TERM", 143), ("HUP", 129), ("INT", 130)];
    for (game, (signal, expected)) in games.into_iter().zip(signals) {
        let here = tempfile::tempdir().unwrap();
        fs::write(here.path().join("t.bouton"), "old").unwrap();
        let mut child = generate(here.path(), game);
        wait_for_part(here.path(), &mut child);
        // The signal arrives in the middle of the run.
        std::thread::sleep(Duration::from_millis(500));
        send_signal(signal, &child);
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        assert_eq!((status.code(), stdout, stderr), (Some(expected), vec![], vec![]), "{game:?}: {status}");
        assert_eq!(files(here.path()), ["t.bouton"], "{game:?}");
        assert_eq!(fs::read(here.path().join("t.bouton")).unwrap(), b"old");
    }
}

/// `nohup` starts a program in this way, so that it outlives its terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_ignores_hangups_continues_after_one() {
    let here = tempfile::tempdir().unwrap();
    let script = "trap '' HUP; exec \"$0\" generate -o t.bouton --set stones=1000000";
    let mut command = command("sh");
    command.args(["-c", script]).arg(program("bouton")).current_dir(here.path());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = spawn(&mut command);
    wait_for_part(here.path(), &mut child);
    send_signal("HUP", &child);
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none(), "the run ended");
    send_signal("TERM", &child);
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(files(here.path()), [""; 0]);
}

#[test]
fn if_another_file_appears_meanwhile_the_new_table_gets_another_name() {
    let here = tempfile::tempdir().unwrap();
    let path = here.path().join("t.bouton");
    let args = ["generate", "-o", "t.bouton", "--set", "stones=100000", "--set", "resets=[1,1]"];
    let mut child = start_bouton(here.path(), &args);
    wait_for_part(here.path(), &mut child);
    fs::write(&path, "another").unwrap();
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(stderr).unwrap();
    assert_eq!(status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("the new table is t-2.bouton"), "{stderr}");
    assert_eq!(files(here.path()), ["t-2.bouton", "t.bouton"]);
    assert_eq!(fs::read(&path).unwrap(), b"another");
    Table::map(&here.path().join("t-2.bouton")).unwrap().check_whole().unwrap();
    // If the same table is in its place, the run's own copy is not needed.
    fs::rename(here.path().join("t-2.bouton"), here.path().join("u.bouton")).unwrap();
    fs::remove_file(&path).unwrap();
    let mut child = start_bouton(here.path(), &args);
    wait_for_part(here.path(), &mut child);
    fs::rename(here.path().join("u.bouton"), &path).unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(files(here.path()), ["t.bouton"]);
}
