//! The tables that are served, by name.

mod folder;
mod served;

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use bouton_generator::{GenerateError, generate_in_memory};
use bouton_tables::{Map, Table, rulesets};
use rayon::prelude::*;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use folder::Folder;
pub(crate) use served::{About, Question, Served};

use crate::problem::Problem;

/// The tables that are served, and the files that cannot be.
#[derive(Debug, Default)]
pub(crate) struct Shelf(RwLock<Entries>);

#[derive(Debug, Default)]
struct Entries {
    served: BTreeMap<String, Arc<Served>>,
    refused: BTreeMap<String, String>,
}

/// A file that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Refused {
    /// The name that its table would have.
    name: String,
    /// Why not, and what to do.
    reason: String,
}

impl Shelf {
    fn read(&self) -> RwLockReadGuard<'_, Entries> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Entries> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table of a name. A request can finish with it after it was replaced.
    pub(crate) fn get(&self, name: &str) -> Result<Arc<Served>, Problem> {
        let entries = self.read();
        match entries.served.get(name) {
            Some(table) => Ok(Arc::clone(table)),
            None => Err(no_such_table(name, &entries)),
        }
    }

    /// All tables, by name.
    pub(crate) fn all(&self) -> Vec<Arc<Served>> {
        self.read().served.values().cloned().collect()
    }

    /// All files that cannot be served, by name.
    pub(crate) fn refused(&self) -> Vec<Refused> {
        let refused =
            |(name, reason): (&String, &String)| Refused { name: name.clone(), reason: reason.clone() };
        self.read().refused.iter().map(refused).collect()
    }

    /// Serves a table under its name, instead of an older one.
    pub(crate) fn put(&self, table: Served) {
        let name = table.about.name.clone();
        let mut entries = self.write();
        entries.refused.remove(&name);
        let older = entries.served.insert(name, Arc::new(table));
        drop(entries);
        // Unmapping a large file takes its time, and so it happens when nobody waits for the shelf.
        drop(older);
    }

    /// Records that a file cannot be served; an older table of that name still is. Returns whether that is new.
    fn refuse(&self, name: &str, reason: &str) -> bool {
        let older = self.write().refused.insert(name.to_owned(), reason.to_owned());
        older.as_deref() != Some(reason)
    }

    /// Stops serving a table.
    fn withdraw(&self, name: &str) {
        let older = self.write().served.remove(name);
        drop(older);
    }

    /// Forgets a file that is gone, and its table.
    fn remove(&self, name: &str) {
        self.write().refused.remove(name);
        self.withdraw(name);
    }
}

/// How many names an error lists.
const LISTED: usize = 20;

fn no_such_table(name: &str, entries: &Entries) -> Problem {
    let shown: String = name.chars().take(60).collect();
    if let Some(reason) = entries.refused.get(name) {
        return Problem::Damaged(format!("the table '{shown}' cannot be served: {reason}"));
    }
    let mut names: Vec<&str> = entries.served.keys().map(String::as_str).take(LISTED).collect();
    if entries.served.len() > LISTED {
        names.push("...");
    }
    let there = match names.len() {
        0 => "there are no tables".to_owned(),
        _ => format!("tables are: {}", names.join(", ")),
    };
    Problem::NoSuchTable(format!("there is no table '{shown}'; {there}"))
}

/// Variants of presets, to compare with them: name, preset, and what is set.
const VARIANTS: &[(&str, &str, &[&str])] = &[
    ("expanding-growth-2", "expanding", &["growth=2"]),
    ("expanding-misere", "expanding", &["play=misere"]),
    ("expanding-resets-1", "expanding", &["resets=1,1"]),
    ("sticks-normal", "sticks", &["play=normal"]),
];

/// The presets and their variants, solved on the spot.
pub(crate) fn make_built_in() -> Result<Vec<Served>, GenerateError> {
    let presets = rulesets::PRESETS.iter().map(|preset| (preset.name, preset.name, &[][..]));
    let all: Vec<(&str, &str, &[&str])> = presets.chain(VARIANTS.iter().copied()).collect();
    let made = all.into_par_iter().map(|(name, preset, settings)| {
        let settings: Vec<String> = settings.iter().map(|&setting| setting.to_owned()).collect();
        let ruleset =
            rulesets::find(preset, &settings).expect("presets and their variants are sound").ruleset;
        let table = Table::open(Map::from(generate_in_memory(&ruleset, true)?));
        Ok(Served::new(name.to_owned(), table.expect("a table just made opens"), "built in"))
    });
    made.collect()
}
