//! The options of queries.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gordian::backend;
use gordian::search::{Config, strategy};
use gordian_encodings::Encodings;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::expr::expected;

/// The names of the options, for error messages.
const NAMES: &str = "time_limit, conflicts, memory, threads, seed, solver, strategy and encodings";

/// Returns the configuration that options select. The clock starts now.
pub(crate) fn config(options: Option<&Bound<'_, PyDict>>, cancel: &Arc<AtomicBool>) -> PyResult<Config> {
    let mut config = Config { cancel: Some(Arc::clone(cancel)), ..Config::default() };
    let Some(options) = options else { return Ok(config) };
    for (name, value) in options.iter() {
        let name: String = name.extract()?;
        let wrong = |what: &str| PyValueError::new_err(format!("{name}: expected {what}, found {value}"));
        if value.is_none() {
            if !NAMES.contains(&name) {
                return Err(unknown(&name));
            }
            continue;
        }
        match &*name {
            "time_limit" => {
                let what = "a number of seconds from 0";
                let seconds: f64 = value.extract().map_err(|_| expected(what, &value))?;
                let time = Duration::try_from_secs_f64(seconds).map_err(|_| wrong(what))?;
                // A deadline beyond the range of the clock is never reached.
                config.deadline = Instant::now().checked_add(time);
            }
            "conflicts" => {
                config.conflicts = Some(value.extract().map_err(|_| wrong("a number of conflicts"))?);
            }
            "memory" => config.memory = Some(value.extract().map_err(|_| wrong("a number of bytes"))?),
            "threads" => {
                let threads = value.extract().ok().filter(|&threads| (1..=1024).contains(&threads));
                config.threads = threads.ok_or_else(|| wrong("a number of threads from 1 to 1024"))?;
            }
            "seed" => config.seed = value.extract().map_err(|_| wrong("a number from 0 to 4294967295"))?,
            "solver" => {
                let name: String = value.extract().map_err(|_| expected("the name of a solver", &value))?;
                config.solver =
                    backend::find(&name).map_err(|error| PyValueError::new_err(error.to_string()))?;
            }
            "strategy" => {
                let name: String = value.extract().map_err(|_| expected("the name of a strategy", &value))?;
                config.strategy =
                    strategy(&name).map_err(|error| PyValueError::new_err(error.to_string()))?;
            }
            "encodings" => config.encodings = encodings(&value)?,
            _ => return Err(unknown(&name)),
        }
    }
    Ok(config)
}

fn unknown(name: &str) -> PyErr {
    PyTypeError::new_err(format!("unknown option `{name}`; the options are {NAMES}"))
}

/// Reads a choice of encodings: a dictionary, a text such as `integers=log`, or a list of such texts.
pub(crate) fn encodings(value: &Bound<'_, PyAny>) -> PyResult<Encodings> {
    let mut encodings = Encodings::auto();
    let wrong = |error: gordian_encodings::ChoiceError| PyValueError::new_err(format!("encodings: {error}"));
    if let Ok(choices) = value.cast::<PyDict>() {
        for (constraint, encoding) in choices.iter() {
            let (constraint, encoding): (String, String) = (constraint.extract()?, encoding.extract()?);
            encodings.choose_named(&constraint, &encoding).map_err(wrong)?;
        }
    } else if let Ok(choice) = value.cast::<PyString>() {
        encodings.choose_from(choice.to_str()?).map_err(wrong)?;
    } else {
        for choice in value.try_iter().map_err(|_| expected("a dictionary of encodings", value))? {
            encodings.choose_from(&choice?.extract::<String>()?).map_err(wrong)?;
        }
    }
    Ok(encodings)
}
