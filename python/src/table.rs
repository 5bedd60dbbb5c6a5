//! The native class of tables, and the functions that solve games, open tables and prove them.

use std::io::{self, ErrorKind};
use std::iter;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use bouton_answers::{Board, LineQuestion, LookUpQuestion, Question, Refusal, WhyQuestion, about};
use bouton_generator::{
    GenerateError, GenerateOptions, NeededMemory, VerifyOptions, generate as solve_into, memory_beyond,
    verify_with,
};
use bouton_lookup::Policy;
use bouton_study::StudyError;
use bouton_study::diff::{self, DifferenceKind};
use bouton_study::export::{Format, RowLayout, write};
use bouton_study::filter::Filter;
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

use crate::answer_cache::LazyCache;
use crate::buffers;
use crate::columns;
use crate::errors::{IntoException, OrRaise, QuestionError, TableError, file_error, unwritten};
use crate::long_work::{WorkControl, run_long};
use crate::rules::ruleset;

/// Maximum length of a file that is read into memory, so that later changes to the file have no effect. Larger files are mapped.
const MAX_IN_MEMORY: u64 = 64 << 20;

/// A Python object, such as a dictionary.
type PyObjectResult<'py> = PyResult<Bound<'py, PyAny>>;

/// A table that several threads use at once.
pub(crate) type SharedTable = Arc<bouton_tables::Table>;

/// An open table; `None` after it is closed.
#[pyclass(frozen, module = "bouton._native")]
pub(crate) struct Table(RwLock<Option<OpenTable>>);

#[derive(Clone)]
struct OpenTable {
    table: SharedTable,
    /// Cached answers of earlier calls of `fill`.
    cache: Arc<LazyCache>,
}

impl Table {
    fn new(table: bouton_tables::Table) -> Self {
        Self(RwLock::new(Some(OpenTable { table: Arc::new(table), cache: Arc::default() })))
    }

    /// Returns the table; an error if it is closed.
    pub(crate) fn get(&self) -> PyResult<SharedTable> {
        Ok(self.opened()?.table)
    }

    fn opened(&self) -> PyResult<OpenTable> {
        let open = self.0.read().unwrap_or_else(PoisonError::into_inner).clone();
        open.ok_or_else(|| PyValueError::new_err("the table is closed; open it again"))
    }

    /// Answers a question without the GIL. If the file has changed since it was opened, the result is an error.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&SharedTable) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let table = self.get()?;
        py.detach(|| {
            // A file that changes during the question may have contents that opening would have rejected: catch panics.
            let answer = catch_unwind(AssertUnwindSafe(|| question(&table)));
            check_intact(&table)?;
            answer.unwrap_or_else(|panic| resume_unwind(panic))
        })
    }

    /// Answers a long question about this table, and perhaps another one, like [`ask`](Self::ask), on the threads of [`run_long`].
    pub(crate) fn ask_long<T: Send>(
        &self,
        py: Python<'_>,
        other: Option<&SharedTable>,
        question: impl FnOnce(&SharedTable, &WorkControl) -> PyResult<T> + Send,
    ) -> PyResult<T> {
        let table = self.get()?;
        let answer = run_long(py, None, |control| question(&table, control));
        iter::once(&table).chain(other).try_for_each(|table| check_intact(table))?;
        answer?
    }

    /// Answers a question; the answer is in Python's dictionaries and lists.
    fn answer<'py, Q>(&self, py: Python<'py>, question: Q) -> PyObjectResult<'py>
    where
        Q: Question<Answer: Serialize + Send> + Send,
    {
        let answer = self.ask(py, |table| {
            let cost = with_rules!(&table.header().ruleset, |rules| rules.cost());
            with_table!(table.family(), |table| question.answer(table, cost)).or_raise()
        })?;
        Ok(pythonize(py, &answer)?)
    }
}

/// Raises an exception if the table's file has changed since it was opened.
fn check_intact(table: &bouton_tables::Table) -> PyResult<()> {
    if table.holder().is_intact() {
        return Ok(());
    }
    Err(TableError::new_err("the table's file was changed while it was open; open a valid one"))
}

fn policy(name: &str) -> PyResult<Policy> {
    name.parse().map_err(|_| {
        QuestionError::new_err(format!("found policy '{name}'; a policy is 'fastest', 'longest' or 'trap'"))
    })
}

/// Reads a position in notation.
pub(crate) fn read_position<G: Game>(game: &G, position: &str) -> PyResult<G::Position> {
    game.read_position(position).map_err(Refusal::from).or_raise()
}

/// Returns all positions of a game.
fn region<G: Game>(game: &G) -> PyResult<G::Region> {
    game.region().map_err(|error| QuestionError::new_err(error.to_string()))
}

#[pymethods]
impl Table {
    /// Closes the file. Later questions are errors.
    fn close(&self) {
        let open = self.0.write().unwrap_or_else(PoisonError::into_inner).take();
        drop(open);
    }

    #[getter]
    fn closed(&self) -> bool {
        self.get().is_err()
    }

    /// Describes the table.
    fn about<'py>(&self, py: Python<'py>, name: String) -> PyObjectResult<'py> {
        let about = self.ask(py, |table| Ok(about(table, name, "file")))?;
        Ok(pythonize(py, &about)?)
    }

    /// Returns the ruleset in TOML.
    fn rules_toml(&self) -> PyResult<String> {
        Ok(bouton_tables::rulesets::to_toml(&self.get()?.header().ruleset))
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(with_rules!(&self.get()?.header().ruleset, |rules| region(rules)?.count()) as usize)
    }

    /// Writes the file atomically.
    fn save(&self, py: Python<'_>, path: PathBuf, replace: bool) -> PyResult<()> {
        let table = self.get()?;
        check_target(&path, replace)?;
        py.detach(|| write_whole(&path, table.holder().as_ref(), replace))
            .map_err(|error| unwritten(&path, &error))
    }

    /// Returns the bytes of the file.
    fn content<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, self.get()?.holder().as_ref()))
    }

    fn lookup<'py>(&self, py: Python<'py>, position: String, lost: &str, moves: bool) -> PyObjectResult<'py> {
        self.answer(py, LookUpQuestion { position, moves, policy: policy(lost)? })
    }

    fn line<'py>(&self, py: Python<'py>, position: String, lost: &str, plies: usize) -> PyObjectResult<'py> {
        self.answer(py, LineQuestion { position, policy: policy(lost)?, plies })
    }

    fn why<'py>(&self, py: Python<'py>, position: String) -> PyObjectResult<'py> {
        self.answer(py, WhyQuestion { position })
    }

    /// Computes the Grundy value of a position.
    fn grundy(&self, py: Python<'_>, position: &str) -> PyResult<u32> {
        self.ask_long(py, None, |table, control| {
            with_table!(table.family(), |table| {
                let game = table.game();
                let position = read_position(game, position)?;
                let values = GrundyValues::up_to(game, &position, &mut |steps| control.may_continue(steps));
                Ok(values.or_raise()?.of(&position))
            })
        })
    }

    /// Computes the genus of a position.
    fn genus(&self, py: Python<'_>, position: &str) -> PyResult<String> {
        self.ask_long(py, None, |table, control| {
            with_table!(table.family(), |table| {
                let game = table.game();
                let position = read_position(game, position)?;
                if game.outcome_without_moves() == Outcome::Loss {
                    return Err(QuestionError::new_err(
                        "these rules are of normal play, where the Grundy value is enough: ask for \
                        grundy(position)",
                    ));
                }
                let genus = Genus::of(game, &position, &mut |steps| control.may_continue(steps));
                Ok(genus.or_raise()?.to_string())
            })
        })
    }

    /// Computes the quotient of the game.
    fn quotient<'py>(&self, py: Python<'py>) -> PyObjectResult<'py> {
        let elements = self.ask_long(py, None, |table, control| {
            let found =
                bouton_generator::heaps::quotient_elements(&table.header().ruleset, control).or_raise()?;
            found.map_err(|none| QuestionError::new_err(format!("no quotient can be listed: {none}")))
        })?;
        Ok(pythonize(py, &elements)?)
    }

    /// Lists the columns of a position, and the columns of an answer, each with the bytes of an item.
    #[allow(clippy::type_complexity, reason = "it is a tuple of Python")]
    fn columns(&self) -> PyResult<(Vec<String>, Vec<(String, usize)>)> {
        with_table!(self.get()?.family(), |table| Ok((
            columns::position_columns(table.game()).into_iter().map(|(name, _)| name).collect(),
            columns::answer_columns(table)
        )))
    }

    /// Reads many positions from columns, and writes their answers to other columns.
    fn fill(
        &self,
        py: Python<'_>,
        positions: Vec<(String, Bound<'_, PyAny>)>,
        answers: Vec<(String, Bound<'_, PyAny>)>,
    ) -> PyResult<usize> {
        let positions = buffers::input_columns(&positions)?;
        let (answers, rows) = buffers::output_columns(&answers, &positions)?;
        let cache = self.opened()?.cache;
        self.ask(py, |table| {
            with_table!(table.family(), |table| columns::fill(table, &cache, &positions, &answers, rows))
        })?;
        Ok(rows)
    }

    /// Returns the positions that a filter selects, with their answers, as the contents of a NumPy file.
    fn rows<'py>(
        &self,
        py: Python<'py>,
        filter: &str,
        starts: bool,
        grundy: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let rows = self.ask_long(py, None, |table, control| {
            let header = table.header();
            let filter = Filter::of(&header.ruleset, header.has_depths, filter, starts);
            let filter = filter.map_err(StudyError::from).or_raise()?;
            let layout = RowLayout { format: Format::Npy, grundy };
            let mut rows = Vec::new();
            write(table, &filter, layout, &mut rows, &|steps| control.step(steps)).or_raise()?;
            Ok(rows)
        })?;
        Ok(PyBytes::new(py, &rows))
    }

    /// Returns up to `count` positions from index `first`, in natural order, with outcome and depth.
    fn walk(&self, py: Python<'_>, first: u64, count: usize) -> PyResult<Vec<(String, bool, Option<u32>)>> {
        self.ask(py, |table| {
            with_table!(table.family(), |table| {
                let region = region(table.game())?;
                let first = first.min(region.count());
                let count = (region.count() - first).min(count as u64) as usize;
                let row = |position| {
                    let verdict = table.verdict(&position).or_raise()?;
                    let won = verdict.outcome == Outcome::Win;
                    Ok((table.game().show_position(&position), won, verdict.depth))
                };
                region.walk(first).take(count).map(row).collect()
            })
        })
    }

    /// Compares this table with another one of its family; returns JSON.
    fn diff(
        &self,
        py: Python<'_>,
        other: &Self,
        names: [String; 2],
        limit: usize,
        witness: bool,
    ) -> PyResult<String> {
        let other = other.get()?;
        let options = diff::DiffOptions { names, limit, only: DifferenceKind::Any, witness };
        let found = self.ask_long(py, Some(&other), |one, control| {
            diff::diff(one, &other, &options, &|steps| control.step(steps)).or_raise()
        })?;
        Ok(serde_json::to_string(&found).expect("texts and numbers are JSON"))
    }
}

/// Opens a table's file, and checks every byte of it.
#[pyfunction]
pub(crate) fn open(py: Python<'_>, path: PathBuf) -> PyResult<Table> {
    let opened = py.detach(|| {
        let map = Map::guarded(&path, MAX_IN_MEMORY)
            .map_err(|source| OpenError::Io { path: path.clone(), source })?;
        checked(map).map_err(|reason| OpenError::InFile { path: path.clone(), reason: Box::new(reason) })
    });
    opened.map(Table::new).or_raise()
}

/// Opens a table from the bytes of its file, and checks all of them.
#[pyfunction]
pub(crate) fn read(py: Python<'_>, content: &Bound<'_, PyBytes>) -> PyResult<Table> {
    let content = content.as_bytes();
    py.detach(|| checked(Map::from(content))).map(Table::new).or_raise()
}

/// Opens a table after a check of all its bytes.
fn checked(map: Map) -> Result<bouton_tables::Table, OpenError> {
    let table = bouton_tables::Table::open(map)?;
    table.check_whole()?;
    Ok(table)
}

/// Raises an exception if the game cannot have the depths asked for, or if solving it needs more memory than is available.
fn check_solvable(ruleset: &Ruleset, options: GenerateOptions) -> PyResult<()> {
    if options.depths {
        ruleset.check_depths().map_err(GenerateError::Depths).or_raise()?;
    }
    let available = bouton_memory::available();
    let Some(NeededMemory { bytes, at_least }) = memory_beyond(ruleset, options, available) else {
        return Ok(());
    };
    let needs = if at_least { bouton_memory::at_least_bytes } else { bouton_memory::about_bytes };
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
    let (ruleset, options) = (ruleset(rules, &settings)?, GenerateOptions { depths });
    check_solvable(&ruleset, options)?;
    let made =
        run_long(py, progress, |control| in_memory(|sink| solve_into(&ruleset, options, sink, control)))?;
    Ok(Table::new(bouton_tables::Table::open(made.or_raise()?).or_raise()?))
}

/// Raises an exception if a path must not be written: it is an existing file and `replace` is false, or not a regular file.
fn check_target(path: &Path, replace: bool) -> PyResult<()> {
    let (kind, what) = match path.metadata() {
        Ok(found) if found.is_dir() => (ErrorKind::IsADirectory, "this is a folder; name a file in it"),
        Ok(found) if !found.is_file() => {
            (ErrorKind::AlreadyExists, "this is not a regular file; name another file")
        }
        Ok(_) if !replace => {
            (ErrorKind::AlreadyExists, "there is a file already; name another one, or give replace=True")
        }
        Err(_) if path.is_symlink() => {
            (ErrorKind::AlreadyExists, "this is a link to nothing; remove it, or name another file")
        }
        _ => return Ok(()),
    };
    Err(file_error(path, &kind.into(), what.to_owned()))
}

/// Writes a file atomically.
#[pyfunction]
pub(crate) fn write_file(py: Python<'_>, path: PathBuf, content: &[u8]) -> PyResult<()> {
    check_target(&path, true)?;
    py.detach(|| write_whole(&path, content, true)).map_err(|error: io::Error| unwritten(&path, &error))
}

/// Solves a game and writes its table atomically. Returns the length of the file and its digest.
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
    let (ruleset, options) = (ruleset(rules, &settings)?, GenerateOptions { depths });
    check_target(&path, replace)?;
    check_solvable(&ruleset, options)?;
    let made = run_long(py, progress, |control| {
        let mut summary = None;
        write_whole_by::<GenerateError>(&path, replace, |part| {
            summary = Some(solve_into(&ruleset, options, part.file(), control)?);
            Ok(())
        })?;
        Ok::<_, GenerateError>(summary.expect("`write_whole_by` has called the closure"))
    })?;
    let summary = made.map_err(|error| match error {
        GenerateError::Write(error) => unwritten(&path, &error),
        error => error.into_exception(),
    })?;
    Ok((summary.bytes, bouton_tables::hex(&summary.digest)))
}

/// Proves a table right by checking every position against its successors.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, table: &Table, progress: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    let table = table.get()?;
    let proof = run_long(py, progress, |control| verify_with(&table, &VerifyOptions::default(), control))?;
    proof.map(drop).or_raise()
}
