//! The extension module `gordian._core`: models, queries, puzzles and encodings for the Python package.
//!
//! The module has no meaning of its own. Models become FlatZinc instances, which the crate `gordian` answers queries
//! about; puzzles and encodings are those of the crates `gordian` and `gordian-encodings`.

use std::path::PathBuf;

use gordian::minizinc::Installation;
use pyo3::create_exception;
use pyo3::exceptions::{PyException, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

mod encode;
mod expr;
mod flatten;
mod model;
mod node;
mod options;
mod puzzle;
mod run;
mod value;

create_exception!(gordian, GordianError, PyException, "An error of gordian.");
create_exception!(
    gordian,
    ModelError,
    PyValueError,
    "A model, an option or a query that gordian does not support."
);
create_exception!(
    gordian,
    BoardError,
    PyValueError,
    "A text that is not a board, with the place of the error."
);
create_exception!(gordian, LimitReached, GordianError, "A limit was reached before the result was known.");
create_exception!(gordian, InternalError, PyRuntimeError, "A bug in gordian.");

/// Runs the command line with the given arguments, and returns the exit code.
#[pyfunction]
fn main(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> PyResult<u8> {
    Ok(py.detach(|| run::caught(|| gordian::cli::run_with(arguments)))? as u8)
}

/// Installs the solver of `MiniZinc`, and returns the path of its configuration. `program` runs the command line.
#[pyfunction]
#[pyo3(signature = (program, directory=None))]
fn minizinc_install(program: PathBuf, directory: Option<PathBuf>) -> PyResult<PathBuf> {
    let installation = match directory {
        Some(directory) => Installation::at(directory),
        None => Installation::of_user()
            .ok_or_else(|| PyValueError::new_err("there is no home directory; name a directory"))?,
    };
    installation.write(&program)?;
    Ok(installation.configuration())
}

#[pymodule]
fn _core(m: &Bound<'_, PyModule>) -> PyResult<()> {
    run::install_panic_hook();
    let py = m.py();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("GordianError", py.get_type::<GordianError>())?;
    m.add("ModelError", py.get_type::<ModelError>())?;
    m.add("BoardError", py.get_type::<BoardError>())?;
    m.add("LimitReached", py.get_type::<LimitReached>())?;
    m.add("InternalError", py.get_type::<InternalError>())?;
    m.add_class::<expr::Expr>()?;
    m.add_class::<model::Solution>()?;
    m.add_class::<model::PyModel>()?;
    m.add_class::<model::SolutionIterator>()?;
    m.add_function(wrap_pyfunction!(expr::relation, m)?)?;
    m.add_function(wrap_pyfunction!(expr::function, m)?)?;
    m.add_function(wrap_pyfunction!(expr::sum, m)?)?;
    m.add_function(wrap_pyfunction!(expr::combine, m)?)?;
    m.add_class::<encode::PyTotalizer>()?;
    m.add_function(wrap_pyfunction!(encode::encode, m)?)?;
    m.add_function(wrap_pyfunction!(encode::encoding_names, m)?)?;
    m.add_function(wrap_pyfunction!(encode::encodings, m)?)?;
    m.add_class::<puzzle::PyBoard>()?;
    m.add_class::<puzzle::PyBoardSolution>()?;
    m.add_class::<puzzle::BoardSolutions>()?;
    m.add_function(wrap_pyfunction!(puzzle::make_board, m)?)?;
    m.add_function(wrap_pyfunction!(puzzle::puzzle_types, m)?)?;
    m.add_function(wrap_pyfunction!(minizinc_install, m)?)?;
    m.add_function(wrap_pyfunction!(run::provoke_panic, m)?)?;
    m.add_function(wrap_pyfunction!(main, m)?)?;
    Ok(())
}
