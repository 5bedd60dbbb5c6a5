//! The tables that are served, by name.

mod folder;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use axum::http::HeaderValue;
use bouton_generator::{GenerateError, generate_in_memory};
use bouton_study::words;
use bouton_tables::{Game, Map, NamedKeys, Outcome, Ruleset, Table, hex, rulesets, with_rules, with_table};
use rayon::prelude::*;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use folder::Folder;

use crate::board::{Board, Effort, Shown};
use crate::problem::Problem;
use crate::work::Work;
use crate::{caching, limits};

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

/// A table that is served.
#[derive(Debug)]
pub(crate) struct Served {
    table: Table<Map>,
    pub(crate) about: About,
    /// The entity tag of all answers from this table.
    pub(crate) tag: HeaderValue,
    /// See `Board::effort`.
    effort: Effort,
    /// Whether an answer takes microseconds: there is little to look along, and no page of a file to wait for.
    pub(crate) quick: bool,
    /// Whether the file under the map is not what it was.
    lost: AtomicBool,
}

/// A table, described.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct About {
    /// Its name.
    pub(crate) name: String,
    /// Its ruleset in words.
    title: String,
    /// `expanding` or `heaps`.
    game: &'static str,
    /// The ruleset, without `game`.
    #[schema(value_type = Object)]
    rules: NamedKeys,
    /// What it knows of each position: outcome, best, winning, and depth if it holds depths.
    holds: Vec<&'static str>,
    /// Number of positions.
    positions: u64,
    /// How many of them are won for the player to move.
    wins: u64,
    /// The greatest depth; absent if it holds no depths.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    deepest: Option<u32>,
    /// The start of the ruleset: all stones, or all heaps at their bounds.
    start: String,
    /// A start that people can play in a few minutes; if possible, one that is won for the player who begins.
    suggested: String,
    /// Length of the file.
    bytes: usize,
    /// The digest that identifies it.
    pub(crate) digest: String,
    /// `file`, or `built in` if the server made it.
    origin: &'static str,
}

/// A question to a table of any family.
pub(crate) trait Question {
    /// What it gives.
    type Answer;

    /// Asks it; `effort` is that of an answer of the table.
    fn ask<S: Shown>(self, table: &S, effort: Effort) -> Result<Self::Answer, Problem>;
}

impl Served {
    /// Serves a table that was checked.
    pub(crate) fn new(name: String, table: Table<Map>, origin: &'static str) -> Self {
        let header = table.header();
        let start = with_rules!(&header.ruleset, |rules| rules.show_position(&Game::start(rules)));
        let mut holds = vec!["outcome", "best", "winning"];
        if header.depths {
            holds.push("depth");
        }
        let about = About {
            name,
            title: words::ruleset(&header.ruleset),
            game: header.ruleset.family(),
            rules: header.ruleset.keys(),
            holds,
            positions: header.positions,
            wins: header.wins,
            deepest: header.depths.then_some(header.deepest),
            suggested: with_table!(table.family(), |table| suggest(table)).unwrap_or_else(|| start.clone()),
            start,
            bytes: table.file_len(),
            digest: hex(&table.digest()),
            origin,
        };
        let effort = with_rules!(&header.ruleset, |rules| rules.effort());
        let quick = effort.answer <= limits::QUICK && table.holder().is_in_memory();
        let tag = caching::tag(&[&about.digest]);
        Self { table, about, tag, effort, quick, lost: AtomicBool::new(false) }
    }

    pub(crate) fn ruleset(&self) -> &Ruleset {
        &self.table.header().ruleset
    }

    /// Asks the table. A file that changed since it was checked gives no answer.
    pub(crate) fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, Problem> {
        let ask = || with_table!(self.table.family(), |table| question.ask(table, self.effort));
        if self.table.holder().is_in_memory() {
            return ask();
        }
        if self.lost.load(Relaxed) {
            return Err(self.loss());
        }
        // What changes underneath may be anything, also what was never so when the table was checked.
        let answer = catch_unwind(AssertUnwindSafe(ask));
        if !self.is_intact() {
            return Err(self.loss());
        }
        answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// The same for a question that takes more than microseconds: other requests do not wait for it.
    pub(crate) async fn ask_heavy<Q>(self: &Arc<Self>, work: &Work, question: Q) -> Result<Q::Answer, Problem>
    where
        Q: Question<Answer: Send> + Send + 'static,
    {
        let table = Arc::clone(self);
        work.heavy(move || table.ask(question)).await?
    }

    /// Whether the file is what it was when it was checked.
    pub(crate) fn is_intact(&self) -> bool {
        let intact = self.table.holder().is_intact();
        if !intact {
            self.lost.store(true, Relaxed);
        }
        intact
    }

    fn loss(&self) -> Problem {
        let what = format!(
            "the file of the table '{}' was changed in place while it was mapped; replace it by renaming a sound one into \
             its place",
            self.about.name
        );
        Problem::Damaged(what)
    }
}

/// A small start that is won for the player who begins, or else the best of those that are not.
fn suggest<S: Shown>(table: &S) -> Option<String> {
    let starts = table.game().small_starts();
    let won = |start: &&_| table.verdict(start).is_ok_and(|verdict| verdict.outcome == Outcome::Win);
    let best = starts.iter().find(won).or(starts.first())?;
    Some(table.game().show_position(best))
}
