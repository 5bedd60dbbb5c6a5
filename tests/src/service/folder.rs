//! A folder of tables to serve.

use std::fs;
use std::path::{Path, PathBuf};

use bouton_generator::generate_in_memory;
use bouton_tables::rulesets;
use tempfile::TempDir;

use crate::programs::lookup;

/// The table of a preset with changed keys, with depths or without.
///
/// # Panics
/// If the rules are not allowed.
#[must_use]
pub fn table(preset: &str, settings: &[&str], depths: bool) -> Vec<u8> {
    let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
    let found = rulesets::find(preset, &settings).expect("the tests use allowed rules");
    generate_in_memory(&found.ruleset, depths).unwrap()
}

/// A folder that is there until it is dropped.
#[derive(Debug)]
pub struct Folder(TempDir);

impl Folder {
    /// An empty one.
    ///
    /// # Panics
    /// If none can be made.
    #[must_use]
    pub fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder can be made"))
    }

    /// One with tables: their names, presets and settings, with depths each.
    #[must_use]
    pub fn of(tables: &[(&str, &str, &[&str])]) -> Self {
        let folder = Self::new();
        for (name, preset, settings) in tables {
            folder.put(name, &table(preset, settings, true));
        }
        folder
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path of a table's file.
    #[must_use]
    pub fn file(&self, name: &str) -> PathBuf {
        self.path().join(format!("{name}.bouton"))
    }

    /// Puts the file of a table into its place, or in the place of an older one, as `bouton generate` does.
    ///
    /// # Panics
    /// If it cannot.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        let part = self.path().join(format!(".{name}.part"));
        fs::write(&part, bytes).expect("it can be written");
        fs::rename(&part, self.file(name)).expect("it can be renamed");
    }

    /// What `bouton-lookup --batch` says to some positions, a line for each, with these arguments.
    ///
    /// # Panics
    /// If it fails.
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
