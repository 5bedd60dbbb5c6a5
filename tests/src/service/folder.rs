//! A temporary folder of tables for a server.

use std::fs;
use std::path::{Path, PathBuf};

use bouton_generator::generate_in_memory;
use bouton_tables::rulesets;
use tempfile::TempDir;

use crate::programs::lookup;

/// Returns the table of a preset with changed keys.
///
/// # Panics
/// If the rules are not allowed.
#[must_use]
pub fn table(preset: &str, settings: &[&str], depths: bool) -> Vec<u8> {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let found = rulesets::find(preset, &settings).expect("the tests use allowed rules");
    generate_in_memory(&found.ruleset, depths).unwrap()
}

/// A temporary folder, deleted when dropped.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    /// Creates an empty folder.
    ///
    /// # Panics
    /// If the folder cannot be created.
    #[must_use]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    /// Creates a folder with tables, each given by name, preset and settings. All tables have depths.
    #[must_use]
    pub fn of(tables: &[(&str, &str, &[&str])]) -> Self {
        let folder = Self::new();
        for (name, preset, settings) in tables {
            folder.put(name, &table(preset, settings, true));
        }
        folder
    }

    /// Returns the folder's path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Returns the path of a table's file.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(format!("{name}.bouton"))
    }

    /// Creates or replaces the file of a table by renaming, as `bouton generate` does.
    ///
    /// # Panics
    /// If writing fails.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        let part = self.path().join(format!(".{name}.part"));
        fs::write(&part, bytes).expect("it can be written");
        fs::rename(&part, self.file(name)).expect("it can be renamed");
    }

    /// Returns the output of `bouton-lookup --batch` with these arguments, one line per position.
    ///
    /// # Panics
    /// If the program fails.
    #[must_use]
    pub fn lookup(&self, name: &str, positions: &[String], args: &[&str]) -> Vec<String> {
        let file = format!("{name}.bouton");
        let input = positions.join("\n");
        let ran = lookup(self.path(), &[&[&*file, "--batch"], args].concat(), input.as_bytes());
        assert_eq!(ran.stderr, "", "{name} {args:?}");
        let lines: Vec<String> = ran.stdout.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), positions.len(), "{name} {args:?}");
        lines
    }
}

impl Default for Folder {
    fn default() -> Self {
        Self::new()
    }
}
