//! Small rulesets of both families for the tests of `export`.

use std::path::Path;

use bouton_tables::{Ruleset, rulesets};

use crate::programs::bouton;

/// A ruleset as the arguments of a command line.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The preset to start from.
    pub preset: &'static str,
    /// The values of the `--set` options.
    pub settings: &'static [&'static str],
}

const fn case(preset: &'static str, settings: &'static [&'static str]) -> Case {
    Case { preset, settings }
}

/// Rulesets that together use every key.
pub const CASES: [Case; 27] = [
    case("expanding", &["stones=30", "resets=1,1"]),
    case("expanding", &["stones=40", "resets=0,0"]),
    case("expanding", &["stones=24", "resets=2,1", "base-limit=4", "reset-limit=1"]),
    case(
        "expanding",
        &["stones=25", "growth=0", "base-limit=4", "reset-limit=2", "play=misere", "resets=2,1"],
    ),
    case("expanding", &["stones=20", "growth=4", "reset-limit=1", "resets=0,2"]),
    case("expanding", &["stones=30", "growth=1000", "base-limit=1", "reset-limit=1", "resets=0,0"]),
    case("expanding", &["stones=18", "play=misere", "resets=1,0"]),
    case("expanding", &["stones=1"]),
    case("expanding", &["stones=1", "play=misere", "resets=0,0"]),
    // Resets with two digits.
    case("expanding", &["stones=9", "resets=11,0"]),
    case("expanding", &["stones=12", "growth=2", "base-limit=5", "reset-limit=5", "resets=1,1"]),
    // More winning moves than a machine word has bits.
    case("expanding", &["stones=90", "base-limit=70", "reset-limit=66", "resets=1,0"]),
    case("sticks", &[]),
    case("marienbad", &["play=normal"]),
    case("nim", &["heaps=3", "size=6"]),
    case("nim", &["heaps=1", "size=1"]),
    case("nim-misere", &["bounds=[11,2]"]),
    // Natural order compares the greatest heap first, which is in the last column.
    case("nim", &["bounds=[2,4,9]", "take=3"]),
    case("subtraction", &["heaps=1", "size=40"]),
    case("subtraction", &["bounds=[12,9]", "play=misere"]),
    case("subtraction", &["bounds=[30]", "take=[2,5]", "passes=3"]),
    case("moore", &["size=5"]),
    case("moore", &["bounds=[3,4,5]", "take=2", "passes=2", "play=misere"]),
    case("wythoff", &["size=15"]),
    case("nim-pass", &["size=6"]),
    // Sixteen columns of heaps, and moves with two-digit rows.
    case("nim", &["heaps=16", "size=1", "passes=1"]),
    // No position has a move.
    case("nim", &["bounds=[3,3]", "take=[7]"]),
];

impl Case {
    /// Returns the ruleset.
    ///
    /// # Panics
    /// If the rules are not allowed.
    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        let settings: Vec<String> = self.settings.iter().map(|&setting| setting.to_owned()).collect();
        rulesets::find(self.preset, &settings).expect("the tests use allowed rules").ruleset
    }

    /// Returns the ruleset as arguments of a command line.
    #[must_use]
    pub fn args(&self) -> Vec<&'static str> {
        let settings = self.settings.iter().flat_map(|&setting| ["--set", setting]);
        [self.preset].into_iter().chain(settings).collect()
    }

    /// Makes the ruleset's table in a folder.
    ///
    /// # Panics
    /// If the program fails.
    pub fn make(&self, folder: &Path, file: &str, depths: bool) {
        let mut args = vec!["generate", "--quiet", "--force", "-o", file];
        args.extend((!depths).then_some("--no-depth"));
        args.extend(self.args());
        let made = bouton(folder, &args);
        assert_eq!((made.status, made.stderr.as_str()), (Some(0), ""), "{self:?}");
    }
}
