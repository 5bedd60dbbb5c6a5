//! The catalog: the tables that are served, by name, and the files that cannot be.

mod folder;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use axum::http::HeaderValue;
use bouton_answers::{About, Answerer, Budget, Question, QuestionKind, Refusal, about, built_in};
use bouton_generator::{GenerateError, generate_in_memory};
use bouton_tables::{Ruleset, Table};
use rayon::prelude::*;
use serde::Serialize;
use utoipa::ToSchema;

pub(crate) use folder::TableFolder;

use crate::problem::Problem;
use crate::work_queue::WorkQueue;
use crate::{caching, limits};

/// The tables that are served, and the files that cannot be.
#[derive(Debug, Default)]
pub(crate) struct Catalog(RwLock<CatalogEntries>);

#[derive(Debug, Default)]
struct CatalogEntries {
    served: BTreeMap<String, Arc<ServedTable>>,
    refused: BTreeMap<String, String>,
}

/// A file that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct RefusedFile {
    /// The name that its table would have. Bytes that are not UTF-8 are shown as `\xff`, and `.bouton` is a file that
    /// has no name before the ending.
    name: String,
    /// The reason, and a remedy.
    reason: String,
}

impl Catalog {
    fn read(&self) -> RwLockReadGuard<'_, CatalogEntries> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, CatalogEntries> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the table of a name or a digest, and whether `name` is a digest, which always means the same table. A
    /// request can finish with this table even if another one replaces it meanwhile.
    pub(crate) fn find(&self, name: &str) -> Result<(Arc<ServedTable>, bool), Problem> {
        let (entries, by_digest) = (self.read(), is_digest(name));
        // No file may be named like a digest.
        let found = match by_digest {
            true => entries.served.values().find(|table| table.about.digest == name),
            false => entries.served.get(name),
        };
        found.map(|table| (Arc::clone(table), by_digest)).ok_or_else(|| no_such_table(name, &entries))
    }

    /// Returns all tables, sorted by name.
    pub(crate) fn all(&self) -> Vec<Arc<ServedTable>> {
        self.read().served.values().cloned().collect()
    }

    /// Returns all files that cannot be served, sorted by name.
    pub(crate) fn refused(&self) -> Vec<RefusedFile> {
        let refused =
            |(name, reason): (&String, &String)| RefusedFile { name: name.clone(), reason: reason.clone() };
        self.read().refused.iter().map(refused).collect()
    }

    /// Serves a table under its name, in place of an older one.
    pub(crate) fn put(&self, table: ServedTable) {
        let name = table.about.name.clone();
        let mut entries = self.write();
        entries.refused.remove(&name);
        let older = entries.served.insert(name, Arc::new(table));
        drop(entries);
        // Drop the older table without the lock: unmapping a large file takes time.
        drop(older);
    }

    /// Records that a file cannot be served; an older table of that name remains. Returns whether the reason is new.
    fn refuse(&self, name: &str, reason: &str) -> bool {
        let older = self.write().refused.insert(name.to_owned(), reason.to_owned());
        older.as_deref() != Some(reason)
    }

    /// Stops serving a table. Drops it without the lock, as [`put`](Self::put) does.
    fn withdraw(&self, name: &str) {
        let withdrawn = self.write().served.remove(name);
        drop(withdrawn);
    }

    /// Forgets a removed file and its table.
    fn remove(&self, name: &str) {
        self.write().refused.remove(name);
        self.withdraw(name);
    }
}

/// Number of hexadecimal digits of a digest.
const DIGEST_DIGITS: usize = 64;
/// Maximum number of names in an error.
const MAX_NAMES_SHOWN: usize = 20;

fn is_digest(name: &str) -> bool {
    name.len() == DIGEST_DIGITS && name.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'))
}

fn no_such_table(name: &str, entries: &CatalogEntries) -> Problem {
    let shown: String = name.chars().take(60).collect();
    // Check this first: no file may be named like a digest.
    if is_digest(name) {
        return Problem::NoSuchTable(format!(
            "no table has the digest {name}; /api/tables lists the digests of all tables; ask for own rules by their \
             spelling"
        ));
    }
    if let Some(reason) = entries.refused.get(name) {
        return Problem::Refused(Refusal::Damaged(format!("the table '{shown}' cannot be served: {reason}")));
    }
    let mut names: Vec<&str> = entries.served.keys().map(String::as_str).take(MAX_NAMES_SHOWN).collect();
    if entries.served.len() > MAX_NAMES_SHOWN {
        names.push("...");
    }
    let advice = match names.len() {
        0 => "there are no tables".to_owned(),
        _ => format!("tables are: {}", names.join(", ")),
    };
    Problem::NoSuchTable(format!("there is no table '{shown}'; {advice}"))
}

/// Solves the presets and their variants, and serves their tables.
pub(crate) fn put_built_in(catalog: &Catalog, max_answer_steps: u64) -> Result<(), GenerateError> {
    built_in().into_par_iter().try_for_each(|(name, ruleset)| {
        let table = Table::open(generate_in_memory(&ruleset, true)?).expect("a table just made opens");
        catalog.put(ServedTable::new(name, table, "built in", max_answer_steps));
        Ok(())
    })
}

#[derive(Debug)]
pub(crate) struct ServedTable {
    answerer: Answerer,
    pub(crate) about: About,
    /// The entity tag of all answers from this table.
    pub(crate) tag: HeaderValue,
    /// Whether an answer takes microseconds: it examines few moves, and never waits for a page of a mapped file.
    pub(crate) is_quick: bool,
}

impl ServedTable {
    /// Wraps a checked table. An answer may take at most `max_answer_steps` steps.
    pub(crate) fn new(name: String, table: Table, origin: &'static str, max_answer_steps: u64) -> Self {
        let about = about(&table, name, origin);
        let answerer = Answerer::new(table).with_limit(max_answer_steps);
        let is_in_memory = answerer.table().holder().is_in_memory();
        let is_quick = is_in_memory && answerer.cost().answer <= limits::MAX_QUICK_STEPS;
        let tag = caching::tag(&[&about.digest]);
        Self { answerer, about, tag, is_quick }
    }

    pub(crate) fn ruleset(&self) -> &Ruleset {
        self.answerer.ruleset()
    }

    /// Returns an unspent budget for one answer.
    pub(crate) fn budget(&self, asking: QuestionKind) -> Budget {
        self.answerer.cost().budget(asking)
    }

    /// Answers a question from the table. Fails if the mapped file has changed since it was checked.
    pub(crate) fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, Problem> {
        let ask = || self.answerer.answer(question).map_err(Problem::from);
        if self.answerer.table().holder().is_in_memory() {
            return ask();
        }
        self.check_intact()?;
        // If the mapped file has changed, assumptions that were checked when it was opened may not hold, and the code
        // may panic.
        let answer = catch_unwind(AssertUnwindSafe(ask));
        self.check_intact()?;
        answer.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// Computes a heavy answer on another thread, so that other requests do not wait.
    pub(crate) async fn ask_heavy<Q>(
        self: &Arc<Self>,
        work: &WorkQueue,
        question: Q,
    ) -> Result<Q::Answer, Problem>
    where
        Q: Question<Answer: Send> + Send + 'static,
    {
        let table = Arc::clone(self);
        work.run_heavy(move || table.ask(question)).await?
    }

    /// Returns whether the file is unchanged since it was checked.
    pub(crate) fn is_intact(&self) -> bool {
        self.answerer.table().holder().is_intact()
    }

    fn check_intact(&self) -> Result<(), Problem> {
        if self.is_intact() {
            return Ok(());
        }
        let what = format!(
            "the file of the table '{}' was changed in place while it was mapped; replace it by renaming a \
             valid table to its name",
            self.about.name
        );
        Err(Problem::Refused(Refusal::Damaged(what)))
    }
}
