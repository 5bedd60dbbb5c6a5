//! Pictures.

use bouton_draw::{
    Aspect, DrawError, Measure, PlaneOptions, Scene, diff, game_map, heatmap, pdf, png, svg, tikz,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::errors::{IntoException, QuestionError, TooMuchError};
use crate::table::Table;

/// A picture.
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
        Ok(PyBytes::new(py, &bytes.map_err(IntoException::into_exception)?))
    }

    fn tikz(&self) -> PyResult<String> {
        tikz(&self.0).map_err(IntoException::into_exception)
    }

    /// Returns the picture scaled to another size.
    fn sized(&self, size: &str) -> PyResult<Self> {
        let scene = size.parse().and_then(|size| self.0.clone().sized(size));
        scene.map(Self).map_err(IntoException::into_exception)
    }
}

fn aspect(text: Option<&str>) -> PyResult<Option<Aspect>> {
    text.map(str::parse).transpose().map_err(|error: DrawError| error.into_exception())
}

fn picture(drawn: Result<Option<Scene>, DrawError>) -> PyResult<Picture> {
    let nothing = || QuestionError::new_err("no position is selected; there is nothing to draw");
    drawn.map_err(IntoException::into_exception)?.map(Picture).ok_or_else(nothing)
}

/// Draws a plane of a table.
#[pyfunction]
pub(crate) fn draw_heatmap(
    py: Python<'_>,
    table: &Table,
    of: &str,
    select: &str,
    aspect: Option<&str>,
) -> PyResult<Picture> {
    let measure = match of {
        "outcome" => Measure::Outcome,
        "depth" => Measure::Depth,
        "winning" => Measure::Winning,
        "grundy" => Measure::Grundy,
        _ => {
            let what = format!("found of='{of}'; a heat map is of 'outcome', 'depth', 'winning' or 'grundy'");
            return Err(QuestionError::new_err(what));
        }
    };
    let aspect = self::aspect(aspect)?;
    table.ask_long(py, None, |table, control| {
        let progress = &|steps| control.step(steps);
        picture(heatmap(table, measure, PlaneOptions { filter: select, aspect, progress }))
    })
}

/// Draws a plane of the differences between two tables.
#[pyfunction]
pub(crate) fn draw_diff(
    py: Python<'_>,
    one: &Table,
    other: &Table,
    select: &str,
    aspect: Option<&str>,
) -> PyResult<Picture> {
    let (other, aspect) = (other.get()?, self::aspect(aspect)?);
    one.ask_long(py, Some(&other), |one, control| {
        let progress = &|steps| control.step(steps);
        picture(diff(one, &other, PlaneOptions { filter: select, aspect, progress }))
    })
}

/// Draws all positions of a small game, or those reachable from a position.
#[pyfunction]
pub(crate) fn draw_map(py: Python<'_>, table: &Table, position: Option<&str>) -> PyResult<Picture> {
    table.ask(py, |table| picture(game_map(table, position).map(Some)))
}
