//! Encodings of cardinality and pseudo-Boolean constraints, as lists of integer clauses.

use std::sync::{Mutex, PoisonError};

use gordian_encodings::constraint::{AtMostOne, Cardinality, Comparison, ExactlyOne, Linear};
use gordian_encodings::{
    CONSTRAINTS, Cnf, Encoded, Encodings, Fallback, IncrementalTotalizer, Lit, Model, Strength, Term, Value,
    constant,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::run::caught;

/// The greatest number of a variable.
const GREATEST: u32 = i32::MAX as u32 / 2;

/// Reads literals in the notation of DIMACS.
fn literals(numbers: &[i64]) -> PyResult<Vec<Lit>> {
    let lit = |&number: &i64| {
        let variable = number.unsigned_abs();
        if variable == 0 || variable > GREATEST.into() {
            return Err(PyValueError::new_err(format!(
                "expected literals from 1 to {GREATEST} or their negations, found {number}"
            )));
        }
        let index = variable as u32 - 1;
        Ok(if number > 0 { Lit::positive(index) } else { Lit::negative(index) })
    };
    numbers.iter().map(lit).collect()
}

/// Returns a model with variables for the literals and all numbers up to `top`, so that new variables have greater ones.
fn model(lits: &[Lit], top: Option<u32>) -> PyResult<Model> {
    let used = lits.iter().map(|lit| lit.vidx32() + 1).max().unwrap_or(0);
    let top = top.unwrap_or(0).max(used);
    if top > GREATEST {
        return Err(PyValueError::new_err(format!("top_id: expected at most {GREATEST}, found {top}")));
    }
    let mut model = Model::new();
    for _ in 0..top {
        model.boolean();
    }
    Ok(model)
}

fn numbers(clause: &[Lit]) -> Vec<i32> {
    clause.iter().map(|lit| lit.to_ipasir()).collect()
}

/// Returns the names of the encodings of a type of constraint that write clauses.
fn names(constraint: &str) -> Vec<&'static str> {
    let row = CONSTRAINTS.iter().find(|row| row.name == constraint);
    let rows = row.map(|row| (row.encodings)()).unwrap_or_default();
    rows.into_iter().filter(|row| row.strength != Strength::Lazy).map(|row| row.name).collect()
}

/// The types of constraints that a sum of literals can be encoded as, starting with the most specific one.
fn types(weighted: bool, bounds: (Value, Value)) -> &'static [&'static str] {
    match (weighted, bounds) {
        (true, _) => &["linear"],
        (false, (0, 1)) => &["at-most-one", "cardinality", "linear"],
        (false, (1, 1)) => &["exactly-one", "cardinality", "linear"],
        (false, _) => &["cardinality", "linear"],
    }
}

/// Encodes the constraint that a sum of literals, each with a weight, is between two bounds. Returns the clauses, the number
/// of the greatest variable, and the type of constraint and the encoding that were used.
#[pyfunction]
#[pyo3(signature = (lits, weights, least, most, encoding=None, top_id=None, count=false))]
#[expect(clippy::type_complexity, clippy::too_many_arguments, reason = "private to the Python package")]
pub(crate) fn encode(
    py: Python<'_>,
    lits: Vec<i64>,
    weights: Option<Vec<i64>>,
    least: Option<i64>,
    most: Option<i64>,
    encoding: Option<String>,
    top_id: Option<u32>,
    count: bool,
) -> PyResult<(Vec<Vec<i32>>, u32, Vec<(&'static str, &'static str)>)> {
    let lits = literals(&lits)?;
    if let Some(weights) = &weights
        && weights.len() != lits.len()
    {
        return Err(PyValueError::new_err(format!("{} weights for {} literals", weights.len(), lits.len())));
    }
    let mut model = model(&lits, top_id)?;
    let n = lits.len() as Value;
    let (low, high) = match &weights {
        None => (0, n),
        Some(weights) => weights.iter().fold((0, 0), |(low, high), &weight| {
            (low + Value::from(weight.min(0)), high + Value::from(weight.max(0)))
        }),
    };
    let least = least.map_or(low, |bound| Value::from(bound).max(low));
    let most = most.map_or(high, |bound| Value::from(bound).min(high));
    let mut encodings = Encodings::auto();
    let types = types(weights.is_some(), (least, most));
    let of_type = match encoding.as_deref() {
        None | Some("auto") => types[0],
        Some(name) => {
            let known = types.iter().copied().find(|constraint| names(constraint).contains(&name));
            let Some(constraint) = known else {
                let mut all: Vec<&str> = types.iter().flat_map(|constraint| names(constraint)).collect();
                all.sort_unstable();
                all.dedup();
                return Err(PyValueError::new_err(format!(
                    "no encoding `{name}` for this constraint; there are auto, {}",
                    all.join(", ")
                )));
            };
            encodings
                .choose_named(constraint, name)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            constraint
        }
    };
    let encodings = if count { encodings.keep_count() } else { encodings };
    let work = move || {
        let terms = |lits: &[Lit]| -> Vec<(Value, Term)> {
            let weight = |index: usize| weights.as_ref().map_or(1, |weights| Value::from(weights[index]));
            lits.iter().enumerate().map(|(index, &lit)| (weight(index), Term::Lit(lit))).collect()
        };
        let counted = |bound: Value| usize::try_from(bound).unwrap_or(0);
        if least > most {
            model.post(gordian_encodings::constraint::Clause::new([]));
        } else {
            match of_type {
                "at-most-one" => model.post(AtMostOne::new(lits)),
                "exactly-one" => model.post(ExactlyOne::new(lits)),
                "cardinality" => model.post(Cardinality::between(lits, counted(least), counted(most))),
                _ if least == most => model.post(Linear::new(terms(&lits), Comparison::Equal, least)),
                _ => {
                    if least > low {
                        model.post(Linear::at_least(terms(&lits), least));
                    }
                    if most < high {
                        model.post(Linear::at_most(terms(&lits), most));
                    }
                }
            }
        }
        let mut cnf = Cnf::default();
        let encoded = model.encode(&encodings, &mut cnf);
        let replaced = encoded.fallbacks().iter().map(Fallback::to_string).collect::<Vec<_>>();
        let used =
            encoded.encodings().iter().map(|&(constraint, encoding, _)| (constraint, encoding)).collect();
        (cnf.iter().map(numbers).collect(), cnf.variables().max(model.variables()), used, replaced)
    };
    let (clauses, top, used, replaced) = py.detach(|| caught(work))?;
    // The result must be what was asked for.
    if let Some(reason) = replaced.first().filter(|_| encoding.is_some() || count) {
        return Err(PyValueError::new_err(reason.clone()));
    }
    Ok((clauses, top, used))
}

/// Returns the names of the encodings of a type of constraint, such as `cardinality`, that write clauses.
#[pyfunction]
pub(crate) fn encoding_names(constraint: &str) -> PyResult<Vec<&'static str>> {
    let names = names(constraint);
    if names.is_empty() {
        let known: Vec<_> = CONSTRAINTS.iter().map(|row| row.name).collect();
        return Err(PyValueError::new_err(format!(
            "no constraint `{constraint}`; there are {}",
            known.join(", ")
        )));
    }
    Ok(names)
}

/// Returns the types of constraints whose encoding can be chosen, each with the names of its encodings.
#[pyfunction]
pub(crate) fn encodings(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let all = PyDict::new(py);
    for row in gordian_encodings::registry::choosable() {
        let names: Vec<_> = (row.encodings)().iter().map(|encoding| encoding.name).collect();
        all.set_item(row.name, names)?;
    }
    Ok(all)
}

/// A counter of true literals whose clauses are written as bounds are needed.
#[pyclass(frozen, module = "gordian._core", name = "IncrementalTotalizer")]
pub(crate) struct PyTotalizer {
    state: Mutex<TotalizerState>,
}

struct TotalizerState {
    totalizer: IncrementalTotalizer,
    encoded: Encoded,
    cnf: Cnf,
    top: u32,
}

#[pymethods]
impl PyTotalizer {
    #[new]
    #[pyo3(signature = (lits, top_id=None))]
    fn new(lits: Vec<i64>, top_id: Option<u32>) -> PyResult<Self> {
        let lits = literals(&lits)?;
        let model = model(&lits, top_id)?;
        let mut cnf = Cnf::default();
        let encoded = caught(|| model.encode(&Encodings::auto(), &mut cnf))?;
        let top = model.variables();
        let state = TotalizerState { totalizer: IncrementalTotalizer::new(lits), encoded, cnf, top };
        Ok(Self { state: Mutex::new(state) })
    }

    /// Returns a literal and the new clauses: under the assumption of the literal, at most `most` of the literals are true.
    /// The literal is `None` if every assignment satisfies the bound.
    fn at_most(&self, most: usize) -> PyResult<(Option<i32>, Vec<Vec<i32>>)> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let TotalizerState { totalizer, encoded, cnf, top } = &mut *state;
        let before = cnf.len();
        let lit = caught(|| {
            let mut sink = encoded.sink(cnf);
            let lit = totalizer.at_most(most, &mut sink);
            *top = (*top).max(sink.variables());
            lit
        })?;
        let clauses = (before..cnf.len()).map(|index| numbers(cnf.clause_at(index))).collect();
        Ok((constant(lit).is_none().then(|| lit.to_ipasir()), clauses))
    }

    /// All clauses so far.
    #[getter]
    fn clauses(&self) -> Vec<Vec<i32>> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.cnf.iter().map(numbers).collect()
    }

    /// The greatest number of a variable so far.
    #[getter]
    fn top_id(&self) -> u32 {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).top
    }
}
