//! Bindings of `bouton-draw`: pictures of tables.

use bouton_draw::{Aspect, Measure, PlaneOptions, Scene, diff, game_map, heatmap, pdf, png, svg, tikz};
use bouton_study::StudyError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{OrRaise, QuestionError, TooMuchError};
use crate::table::Table;

/// A picture; the Python class `bouton.Picture` wraps it.
#[pyclass(frozen, module = "bouton._native")]
pub(crate) struct Picture(Scene);

#[pymethods]
impl Picture {
    fn svg(&self) -> String {
        svg(&self.0)
    }

    fn png<'py>(&self, py: Python<'py>, scale: u32) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| png(&self.0, scale));
        Ok(PyBytes::new(py, &bytes.map_err(|error| TooMuchError::new_err(error.to_string()))?))
    }

    fn pdf<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| pdf(&self.0));
        Ok(PyBytes::new(py, &bytes.or_raise()?))
    }

    fn tikz(&self) -> PyResult<String> {
        tikz(&self.0).or_raise()
    }

    /// Returns the picture scaled to fit a size such as `1600x900` or `180x120mm`, centred.
    fn sized(&self, size: &str) -> PyResult<Self> {
        size.parse().and_then(|size| self.0.clone().sized(size)).map(Self).or_raise()
    }
}

/// Wraps a scene; raises an exception if there is nothing to draw.
fn picture(drawn: Result<Option<Scene>, StudyError>) -> PyResult<Picture> {
    let nothing = || QuestionError::new_err("no position is selected; there is nothing to draw");
    drawn.or_raise()?.map(Picture).ok_or_else(nothing)
}

/// Draws a plane of a table. `measure` is the quantity that the colours show.
#[pyfunction]
pub(crate) fn draw_heatmap(
    py: Python<'_>,
    table: &Table,
    measure: &str,
    filter: &str,
    aspect: Option<&str>,
) -> PyResult<Picture> {
    let measure = match measure {
        "outcome" => Measure::Outcome,
        "depth" => Measure::Depth,
        "winning" => Measure::Winning,
        "grundy" => Measure::Grundy,
        _ => {
            // `of` is the name of `measure` in Python, as `where` is that of `filter`.
            return Err(QuestionError::new_err(format!(
                "found of='{measure}', expected 'outcome', 'depth', 'winning' or 'grundy'"
            )));
        }
    };
    let aspect: Option<Aspect> = aspect.map(str::parse).transpose().or_raise()?;
    table.ask_long(py, None, |table, control| {
        let progress = &|steps| control.step(steps);
        picture(heatmap(table, measure, PlaneOptions { filter, aspect, progress }))
    })
}

/// Draws a plane of the differences between two tables.
#[pyfunction]
pub(crate) fn draw_diff(
    py: Python<'_>,
    one: &Table,
    other: &Table,
    filter: &str,
    aspect: Option<&str>,
) -> PyResult<Picture> {
    let other = other.get()?;
    let aspect: Option<Aspect> = aspect.map(str::parse).transpose().or_raise()?;
    one.ask_long(py, Some(&other), |one, control| {
        let progress = &|steps| control.step(steps);
        picture(diff(one, &other, PlaneOptions { filter, aspect, progress }))
    })
}

/// Draws the positions of a small game that can be reached from a position, by default from the start.
#[pyfunction]
pub(crate) fn draw_map(py: Python<'_>, table: &Table, position: Option<&str>) -> PyResult<Picture> {
    table.ask(py, |table| picture(game_map(table, position).map(Some)))
}
