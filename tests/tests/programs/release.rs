//! Releases: all files state the same version, and `.ci/release` releases only a tagged commit.

use std::fs;
use std::path::Path;

use bouton_tests::children::{command, output};
use bouton_tests::programs::{ProgramRun, workspace};
use tempfile::TempDir;

/// Returns the text of a file of the project.
fn read(name: &str) -> String {
    fs::read_to_string(workspace().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the text between two others.
fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let rest = text.split_once(before).unwrap_or_else(|| panic!("{before:?} is missing")).1;
    rest.split_once(after).expect("the text ends with the second part").0
}

/// The version of all crates, which Cargo passes to this one too.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs a command in a folder, without the git settings of the person who runs the tests.
fn run(folder: &Path, program: &str, args: &[&str]) -> ProgramRun {
    let mut command = command(program);
    command.current_dir(folder).args(args);
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let ran = output(&mut command);
    ProgramRun {
        status: ran.status.code(),
        stdout: String::from_utf8(ran.stdout).unwrap(),
        stderr: String::from_utf8(ran.stderr).unwrap(),
    }
}

/// Runs git, which must succeed.
fn git(folder: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=A tester", "-c", "user.email=tester@localhost"];
    let ran = run(folder, "git", &[&identity, args].concat());
    assert_eq!(ran.status, Some(0), "git {args:?}: {}", ran.stderr);
}

/// Makes a repository with the files that the script reads; its only commit is tagged with Bouton's version.
fn tagged_repository(changed: &[(&str, &str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::create_dir(folder.path().join(".ci")).unwrap();
    for name in [".ci/release", "CHANGELOG.md", "CITATION.cff", "Cargo.toml"] {
        fs::copy(workspace().join(name), folder.path().join(name)).unwrap();
    }
    // As for a release, the changelog names the version.
    let changelog = folder.path().join("CHANGELOG.md");
    let text = fs::read_to_string(&changelog).unwrap();
    let heading = format!("\n## {VERSION}\n");
    if !text.contains(&heading) {
        fs::write(changelog, text.replace("\n## Unreleased\n", &heading)).unwrap();
    }
    for (name, before, after) in changed {
        let path = folder.path().join(name);
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.contains(before), "{name}: {before:?}");
        fs::write(path, text.replacen(before, after, 1)).unwrap();
    }
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "--quiet", "--message", "a release"]);
    git(folder.path(), &["tag", &format!("v{VERSION}")]);
    folder
}

/// Runs `.ci/release` in a folder.
fn check(folder: &Path, args: &[&str]) -> ProgramRun {
    run(folder, "bash", &[&[".ci/release"], args].concat())
}

/// Checks that the program failed with an error that contains these texts.
fn check_refused(ran: &ProgramRun, expected: &[&str]) {
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for part in expected {
        assert!(ran.stderr.contains(part), "{part:?} in {}", ran.stderr);
    }
}

#[test]
fn this_source_can_be_released() {
    let tag = format!("v{VERSION}");
    let ran = check(workspace(), &["--untagged", "--check", &tag]);
    assert_eq!(ran.status, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout, format!("{tag} can be released\n"));
}

#[test]
fn a_tag_is_released_only_if_it_is_checked_out_unchanged() {
    let tag = &*format!("v{VERSION}");
    let folder = tagged_repository(&[]);
    let ran = check(folder.path(), &["--check", tag]);
    assert_eq!((ran.status, &*ran.stderr), (Some(0), ""), "{ran:?}");

    // Untracked files are not released, and are no obstacle.
    fs::write(folder.path().join("notes"), "mine").unwrap();
    assert_eq!(check(folder.path(), &["--check", tag]).status, Some(0));

    fs::write(folder.path().join("CITATION.cff"), read("CITATION.cff") + "\n").unwrap();
    check_refused(&check(folder.path(), &["--check", tag]), &["CITATION.cff", "commit or undo"]);

    git(folder.path(), &["commit", "--quiet", "--all", "--message", "after the release"]);
    check_refused(
        &check(folder.path(), &["--check", tag]),
        &["is checked out", &format!("git checkout {tag}")],
    );

    git(folder.path(), &["tag", "--delete", tag]);
    check_refused(&check(folder.path(), &["--check", tag]), &["there is no tag", &format!("git tag {tag}")]);
    assert_eq!(check(folder.path(), &["--untagged", "--check", tag]).status, Some(0));
}

#[test]
fn versions_that_differ_are_refused() {
    let tag = &*format!("v{VERSION}");
    let folder = tagged_repository(&[]);
    check_refused(
        &check(folder.path(), &["--check", "v99.0.0"]),
        &["found the tag v99.0.0", &format!("expected {tag}")],
    );

    let (cited, heading) = (format!("\nversion: {VERSION}\n"), format!("\n## {VERSION}\n"));
    let folder = tagged_repository(&[("CITATION.cff", &cited, "\nversion: 99.0.0\n")]);
    check_refused(&check(folder.path(), &["--check", tag]), &["CITATION.cff has version 99.0.0", VERSION]);

    let folder = tagged_repository(&[("CHANGELOG.md", &heading, "\n## Unreleased\n")]);
    check_refused(&check(folder.path(), &["--check", tag]), &["CHANGELOG.md has no section", VERSION]);
    assert_eq!(check(folder.path(), &["--untagged", "--check", tag]).status, Some(0));

    // A section of a longer version, such as 0.1.00 for 0.1.0, does not count.
    let folder = tagged_repository(&[("CHANGELOG.md", &heading, &format!("\n## {VERSION}0\n"))]);
    check_refused(&check(folder.path(), &["--untagged", "--check", tag]), &["CHANGELOG.md has no section"]);
}

#[test]
fn invalid_arguments_are_refused_with_the_usage() {
    let tag = &*format!("v{VERSION}");
    let full = TempDir::new().unwrap();
    fs::write(full.path().join("mine"), "").unwrap();
    let full = full.path().to_str().unwrap();
    for (args, expected) in [
        (&[][..], "found 0 arguments"),
        (&[tag], "found 1 arguments"),
        (&["--check"], "found 0 arguments"),
        (&["--check", tag, "folder"], "found 2 arguments"),
        (&["--twice", "--check", tag], "leave one out"),
        (&["--thrice", tag, "folder"], "found '--thrice'"),
        (&[tag, ""], "expected a folder"),
        (&[tag, full], "give one that is missing or empty"),
    ] {
        let ran = check(workspace(), args);
        assert_eq!(ran.status, Some(2), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(expected) && ran.stderr.contains("usage:"), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn the_minimum_version_of_rust_is_the_same_everywhere() {
    let manifest = read("Cargo.toml");
    let minimum = between(&manifest, "\nrust-version = \"", "\"");
    assert_eq!(between(&read("README.md"), "You need Rust ", " or newer"), minimum);
    // The CI makes all checks with that version.
    assert_eq!(between(&read(".ci/run"), "\nRUST=", "\n"), format!("{minimum}.0"));
    assert_eq!(between(&read("lookup/server/deploy/Containerfile"), "/rust:", "-slim"), minimum);
    let members = between(&manifest, "members = [", "]");
    for member in members.split('"').skip(1).step_by(2) {
        let text = read(&format!("{member}/Cargo.toml"));
        for key in ["rust-version.workspace = true", "version.workspace = true"] {
            assert!(text.lines().any(|line| line == key), "{member}: {key}");
        }
    }
}
