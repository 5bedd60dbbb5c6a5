//! A table, as Python holds it.

use std::io::{self, ErrorKind};
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use bouton_answers::{Board, Effort, Line, LookUp, Question, Refusal, Why, about};
use bouton_generator::{
    Beyond, GenerateError, Options, VerifyOptions, generate as solve_into, memory_beyond, verify_with,
};
use bouton_lookup::{Options as HowToLookUp, Policy};
use bouton_study::diff::{self, Kind};
use bouton_study::export::{Format, Layout, write};
use bouton_study::select::Filter;
use bouton_study::words::grouped;
use bouton_tables::format::in_memory;
use bouton_tables::genus::Genus;
use bouton_tables::grundy::GrundyValues;
use bouton_tables::{Game, Map, OpenError, Outcome, Region, Ruleset, Solved, write_whole, write_whole_by};
use bouton_tables::{with_rules, with_table};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pythonize::pythonize;
use serde::Serialize;

use crate::buffers;
use crate::columns;
use crate::errors::{QuestionError, Raised, TableError, of_file, unwritten};
use crate::kept::KeptWhenMany;
use crate::long::{Watched, long};
use crate::rules::ruleset;

/// A file up to this length is read into memory, where nothing that happens to the file can touch it; a larger one is mapped.
const SMALL: u64 = 64 << 20;

/// A table that several answers are made from at once.
type Shared = Arc<bouton_tables::Table>;

/// An open table, or one that was closed.
#[pyclass(frozen, module = "bouton._native")]
pub(crate) struct Table(RwLock<Option<Open>>);

#[derive(Clone)]
struct Open {
    table: Shared,
    /// Answers that were given in columns.
    kept: Arc<KeptWhenMany>,
}

impl Table {
    fn new(table: bouton_tables::Table) -> Self {
        Self(RwLock::new(Some(Open { table: Arc::new(table), kept: Arc::default() })))
    }

    /// The table.
    pub(crate) fn get(&self) -> PyResult<Shared> {
        Ok(self.opened()?.table)
    }

    fn opened(&self) -> PyResult<Open> {
        let open = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        open.ok_or_else(|| PyValueError::new_err("the table is closed; open it again"))
    }

    /// Asks the table without Python's lock. A file that changed since it was opened gives no answer.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&Shared) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let table = self.get()?;
        py.detach(|| {
            // What changes underneath may be anything, also what was never so when the table was checked.
            let answer = catch_unwind(AssertUnwindSafe(|| question(&table)));
            check_intact(&table)?;
            answer.unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Asks the table, and another one beside it, what takes long: see [`long`]. The rest is as with [`ask`](Self::ask).
    pub(crate) fn ask_long<T: Send>(
        &self,
        py: Python<'_>,
        other: Option<&Shared>,
        question: impl FnOnce(&Shared, &Watched) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let table = self.get()?;
        let answer = long(py, None, |watched| question(&table, watched));
        iter::once(&table).chain(other).try_for_each(|table| check_intact(table))?;
        answer?
    }

    /// An answer, as Python's dictionaries and lists.
    fn answer<'py, Q>(&self, py: Python<'py>, question: Q) -> PyResult<Bound<'py, PyAny>>
    where
        Q: Question<Answer: Serialize + Send> + Send,
    {
        let answer = self.ask(py, |table| {
            let effort = effort(table);
            with_table!(table.family(), |table| question.ask(table, effort)).map_err(Raised::raised)
        })?;
        Ok(pythonize(py, &answer)?)
    }
}

fn check_intact(table: &bouton_tables::Table) -> PyResult<()> {
    if table.holder().is_intact() {
        return Ok(());
    }
    Err(TableError::new_err("the table's file was changed while it was open; open a sound one"))
}

/// What an answer of a table takes.
fn effort(table: &bouton_tables::Table) -> Effort {
    with_rules!(&table.header().ruleset, |rules| rules.effort())
}

fn policy(name: &str) -> PyResult<Policy> {
    name.parse().map_err(|_| {
        QuestionError::new_err(format!("found policy '{name}'; a policy is 'fastest', 'longest' or 'trap'"))
    })
}

fn filter(table: &bouton_tables::Table, text: &str, starts: bool) -> PyResult<Filter> {
    let header = table.header();
    Filter::of(&header.ruleset, header.depths, text, starts).map_err(Raised::raised)
}

#[pymethods]
impl Table {
    /// Lets the file go. The table then answers nothing.
    fn close(&self) {
        let open = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(open);
    }

    #[getter]
    fn closed(&self) -> bool {
        self.get().is_err()
    }

    /// What the table says of itself.
    fn about<'py>(&self, py: Python<'py>, name: String) -> PyResult<Bound<'py, PyAny>> {
        let about = self.ask(py, |table| Ok(about(table, name, "file")))?;
        Ok(pythonize(py, &about)?)
    }

    /// The ruleset in TOML.
    fn rules_toml(&self) -> PyResult<String> {
        Ok(bouton_tables::rulesets::to_toml(&self.get()?.header().ruleset))
    }

    fn __len__(&self) -> PyResult<usize> {
        let count = with_rules!(&self.get()?.header().ruleset, |rules| rules.region().map(|all| all.count()));
        Ok(count.map_err(|error| QuestionError::new_err(error.to_string()))? as usize)
    }

    /// Writes the file: whole, or not at all.
    fn save(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<()> {
        let table = self.get()?;
        check_target(&path, replace)?;
        py.detach(|| write_whole(&path, table.holder().as_ref(), replace))
            .map_err(|error| unwritten(&path, &error))
    }

    /// The bytes of the file.
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.get()?.holder().as_ref()))
    }

    fn lookup<'py>(
        &self,
        py: Python<'py>,
        position: String,
        lost: &str,
        moves: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, LookUp { position, options: HowToLookUp { policy: policy(lost)?, moves } })
    }

    fn line<'py>(
        &self,
        py: Python<'py>,
        position: String,
        lost: &str,
        plies: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, Line { position, policy: policy(lost)?, plies })
    }

    fn why<'py>(&self, py: Python<'py>, position: String) -> PyResult<Bound<'py, PyAny>> {
        self.answer(py, Why { position })
    }

    /// The Grundy value of a position.
    fn grundy(&self, py: Python<'_>, position: &str) -> PyResult<u32> {
        self.ask_long(py, None, |table, watched| {
            with_table!(table.family(), |table| {
                let game = table.game();
                let position = game.read_position(position).map_err(|error| Refusal::from(error).raised())?;
                let values = GrundyValues::up_to(game, &position, &mut |steps| watched.goes_on(steps));
                Ok(values.map_err(Raised::raised)?.of(&position))
            })
        })
    }

    /// The genus of a position.
    fn genus(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask_long(py, None, |table, watched| {
            with_table!(table.family(), |table| {
                let game = table.game();
                let position = game.read_position(position).map_err(|error| Refusal::from(error).raised())?;
                if game.outcome_without_moves() == Outcome::Loss {
                    return Err(QuestionError::new_err(
                        "these rules are of normal play, where a Grundy value says all: ask for grundy(position)",
                    ));
                }
                let genus = Genus::of(game, &position, &mut |steps| watched.goes_on(steps));
                Ok(genus.map_err(Raised::raised)?.to_string())
            })
        })
    }

    /// The quotient of the game.
    fn quotient<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let elements = self.ask_long(py, None, |table, watched| {
            let found = bouton_generator::heaps::quotient(&table.header().ruleset, watched)
                .map_err(Raised::raised)?;
            found.map_err(|none| QuestionError::new_err(format!("no quotient can be listed: {none}")))
        })?;
        Ok(pythonize(py, &elements)?)
    }

    /// The columns of a position, and those of an answer with the bytes of an item of each.
    #[allow(clippy::type_complexity, reason = "it is a tuple of Python")]
    fn columns(&self) -> PyResult<(Vec<String>, Vec<(String, usize)>)> {
        with_table!(self.get()?.family(), |table| Ok((
            columns::of_position(table.game()),
            columns::of_answer(table)
        )))
    }

    /// Answers many positions, which stand in columns, in other columns.
    fn fill(
        &self,
        py: Python<'_>,
        positions: Vec<(String, Bound<'_, PyAny>)>,
        answers: Vec<(String, Bound<'_, PyAny>)>,
    ) -> PyResult<usize> {
        let positions = buffers::sources(&positions)?;
        let (answers, rows) = buffers::sinks(&answers, &positions)?;
        let kept = self.opened()?.kept;
        self.ask(py, |table| {
            with_table!(table.family(), |table| columns::fill(table, &kept, &positions, &answers, rows))
        })?;
        Ok(rows)
    }

    /// Selected positions, with their answers, as a file of NumPy.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        select: &str,
        starts: bool,
        grundy: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let rows = self.ask_long(py, None, |table, watched| {
            let filter = filter(table, select, starts)?;
            let layout = Layout { format: Format::Npy, grundy };
            let mut rows = Vec::new();
            write(table, &filter, layout, &mut rows, &|steps| watched.step(steps)).map_err(Raised::raised)?;
            Ok(rows)
        })?;
        Ok(PyBytes::new(py, &rows))
    }

    /// So many positions from a number on, in natural order, with outcome and depth.
    fn walk(&self, py: Python<'_>, first: u64, count: usize) -> PyResult<Vec<(String, bool, Option<u32>)>> {
        self.ask(py, |table| {
            with_table!(table.family(), |table| {
                let region =
                    table.game().region().map_err(|error| QuestionError::new_err(error.to_string()))?;
                let left = region.count().saturating_sub(first).min(count as u64) as usize;
                let mut rows = Vec::with_capacity(left);
                for position in region.walk(first.min(region.count())).take(left) {
                    let verdict = table.verdict(&position).map_err(Raised::raised)?;
                    let won = verdict.outcome == bouton_tables::Outcome::Win;
                    rows.push((table.game().show_position(&position), won, verdict.depth));
                }
                Ok(rows)
            })
        })
    }

    /// What differs between this table and another of its family, as JSON.
    fn diff(
        &self,
        py: Python<'_>,
        other: &Self,
        names: [String; 2],
        limit: usize,
        witness: bool,
    ) -> PyResult<String> {
        let other = other.get()?;
        let options = diff::Options { names, limit, only: Kind::Any, witness };
        let found = self.ask_long(py, Some(&other), |one, watched| {
            diff::diff(one, &other, &options, &|steps| watched.step(steps)).map_err(Raised::raised)
        })?;
        Ok(serde_json::to_string(&found).expect("texts and numbers are JSON"))
    }
}

/// Opens a table's file, and checks every byte of it.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
    let opened = py.detach(|| {
        let map =
            Map::guarded(&path, SMALL).map_err(|source| OpenError::Io { path: path.clone(), source })?;
        checked(map).map_err(|reason| OpenError::InFile { path: path.clone(), reason: Box::new(reason) })
    });
    opened.map(Table::new).map_err(Raised::raised)
}

/// Opens what a table's file contains, and checks every byte of it.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, content: &Bound<'_, PyBytes>) -> PyResult<Table> {
    let content = content.as_bytes();
    py.detach(|| checked(Map::from(content))).map(Table::new).map_err(Raised::raised)
}

fn checked(map: Map) -> Result<bouton_tables::Table, OpenError> {
    let table = bouton_tables::Table::open(map)?;
    table.check_whole()?;
    Ok(table)
}

/// Refuses to solve a game that takes more memory than there is.
fn check_memory(ruleset: &Ruleset, options: Options) -> PyResult<()> {
    let available = bouton_memory::available();
    let Some(Beyond { bytes, at_least }) = memory_beyond(ruleset, options, available) else { return Ok(()) };
    let needs = if at_least { bouton_memory::at_least } else { bouton_memory::about };
    Err(PyMemoryError::new_err(format!(
        "solving a game of {} positions takes {} of memory, and {} are available; choose a smaller game, or \
         depths=False",
        grouped(ruleset.positions()),
        needs(bytes),
        bouton_memory::bytes(available)
    )))
}

/// Solves a game in memory.
#[pyfunction]
pub(crate) fn solve(
    py: Python<'_>,
    rules: &str,
    settings: Vec<String>,
    depths: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<Table> {
    let (ruleset, options) = (ruleset(rules, &settings)?, Options { depths });
    check_memory(&ruleset, options)?;
    let made = long(py, progress, |watched| in_memory(|sink| solve_into(&ruleset, options, sink, watched)))?;
    let table = bouton_tables::Table::open(made.map_err(Raised::raised)?);
    Ok(Table::new(table.map_err(Raised::raised)?))
}

/// Refuses to write where a file is that is not to be replaced, or something that is not a file.
fn check_target(path: &Path, replace: bool) -> PyResult<()> {
    let refused = |kind: ErrorKind, what: &str| Err(of_file(path, &kind.into(), what.to_owned()));
    match path.metadata() {
        Ok(found) if found.is_dir() => {
            refused(ErrorKind::IsADirectory, "this is a folder; name a file in it")
        }
        Ok(found) if !found.is_file() => {
            refused(ErrorKind::AlreadyExists, "this is not a regular file; name another file")
        }
        Ok(_) if !replace => refused(
            ErrorKind::AlreadyExists,
            "there is a file already; name another one, or give replace=True",
        ),
        Err(_) if path.is_symlink() => {
            refused(ErrorKind::AlreadyExists, "this is a link to nothing; remove it, or name another file")
        }
        _ => Ok(()),
    }
}

/// Writes a file, whole or not at all.
#[pyfunction]
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    check_target(&path, true)?;
    py.detach(|| write_whole(&path, content, true)).map_err(|error: io::Error| unwritten(&path, &error))
}

/// Solves a game and writes its table: whole, or not at all. Gives the bytes of the file and its digest.
#[pyfunction]
pub(crate) fn generate(
    py: Python<'_>,
    path: PathBuf,
    rules: &str,
    settings: Vec<String>,
    depths: bool,
    replace: bool,
    progress: Option<Bound<'_, PyAny>>,
) -> PyResult<(u64, String)> {
    let (ruleset, options) = (ruleset(rules, &settings)?, Options { depths });
    check_target(&path, replace)?;
    check_memory(&ruleset, options)?;
    let made = long(py, progress, |watched| {
        let mut summary = None;
        write_whole_by::<GenerateError>(&path, replace, |part| {
            summary = Some(solve_into(&ruleset, options, part.file(), watched)?);
            Ok(())
        })?;
        Ok::<_, GenerateError>(summary.expect("it was made"))
    })?;
    let summary = made.map_err(|error| match error {
        GenerateError::Write(error) => unwritten(&path, &error),
        error => error.raised(),
    })?;
    Ok((summary.bytes, bouton_tables::hex(&summary.digest)))
}

/// Proves a table right: every position against those one move further.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, table: &Table, progress: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    let table = table.get()?;
    let proof = long(py, progress, |watched| verify_with(&table, &VerifyOptions::default(), watched))?;
    proof.map(drop).map_err(Raised::raised)
}
