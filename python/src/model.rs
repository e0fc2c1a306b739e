//! Models in Python: the class `Model`, its queries and their solutions.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gordian::export::{self, About, Export, ObjectiveAs};
use gordian::flatzinc::{Flat, NamedConstraints, WhyNone};
use gordian::format::Source;
use gordian::puzzle::{Formulation, Puzzle, PuzzleType, Query};
use gordian::query::certificate;
use gordian::query::{self, FieldCounts, FieldValues, Improvement, Observer, Outcome, QueryError, Status};
use gordian::read::{self, ReadOptions};
use gordian::rules::{Content, Solution as RulesSolution};
use gordian::search::{Config, Gap};
use gordian_encodings::{Domain, Value};
use gordian_flatzinc::instance::{
    Annotation, Argument as CallArgument, Call, Goal, Operand, Output, Place, VarDomain, VarId,
};
use gordian_flatzinc::{Instance, TranslateError};
use num_bigint::BigUint;
use pyo3::exceptions::{PyKeyError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PyString};

use crate::expr::{Expr, Node, boolean, domain, expected, int, whole};
use crate::flatten::{Builder, Posted, Refused};
use crate::node::Var;
use crate::options::config;
use crate::run::{Event, Job, Message, Reports, caught};
use crate::value::{NoValue, Values};
use crate::{InternalError, ModelError};

impl From<Refused> for PyErr {
    fn from(refused: Refused) -> Self {
        match refused {
            Refused::Overflow => PyOverflowError::new_err(
                "numbers of the constraint exceed 128 bits; reduce the domains of its variables",
            ),
            Refused::Foreign(name) => {
                PyValueError::new_err(format!("the variable `{name}` belongs to another model"))
            }
            Refused::Unsupported(reason) => PyValueError::new_err(reason),
        }
    }
}

/// The values of all variables of a model that satisfy its constraints.
#[pyclass(frozen, module = "gordian")]
#[derive(Debug)]
pub(crate) struct Solution {
    model: u64,
    pub(crate) values: Arc<[Value]>,
    /// The variables of the user, for `repr`.
    users: Arc<[Arc<Var>]>,
}

#[pymethods]
impl Solution {
    /// Returns the value of an expression: a `bool` or an `int`. For a list or an array of expressions, returns a list or an
    /// array of values.
    fn value(&self, py: Python<'_>, expression: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let object = |value: Bound<'_, PyAny>| value.unbind();
        if let Ok(expr) = expression.cast::<Expr>() {
            let values = Values { model: self.model, values: &self.values };
            let no_value = |reason| match reason {
                NoValue::Undefined => {
                    PyValueError::new_err(format!("the expression {} is undefined", expr.get().text()))
                }
                NoValue::Overflow => PyOverflowError::new_err("the value exceeds 128 bits"),
                NoValue::Unknown(name) => {
                    PyKeyError::new_err(format!("the solution has no value of the variable `{name}`"))
                }
            };
            return Ok(match &expr.get().node {
                Node::Int(int) => object(values.int(int).map_err(no_value)?.into_pyobject(py)?.into_any()),
                Node::Bool(node) => {
                    object(values.bool(node).map_err(no_value)?.into_pyobject(py)?.to_owned().into_any())
                }
            });
        }
        if expression.is_instance_of::<PyInt>()
            || expression.hasattr("__index__")? && !expression.hasattr("__len__")?
        {
            return Ok(expression.clone().unbind());
        }
        if expression.is_instance_of::<PyString>() {
            return Err(expected("an expression", expression));
        }
        let items = expression.try_iter().map_err(|_| expected("an expression", expression))?;
        let values = items.map(|item| self.value(py, &item?)).collect::<PyResult<Vec<_>>>()?;
        let values = PyList::new(py, values)?;
        if expression.hasattr("dtype")? {
            return Ok(py.import("numpy")?.call_method1("array", (values,))?.unbind());
        }
        Ok(values.into_any().unbind())
    }

    fn __getitem__(&self, py: Python<'_>, expression: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.value(py, expression)
    }

    /// Returns a dictionary from the names of the variables to their values.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let values = PyDict::new(py);
        for var in &*self.users {
            values.set_item(&*var.name, self.values[var.id as usize])?;
        }
        Ok(values)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            let value = |solution: &Self, var: &Var| solution.values.get(var.id as usize).copied();
            self.model == other.model && self.users.iter().all(|var| value(self, var) == value(other, var))
        })
    }

    fn __hash__(&self) -> u64 {
        let values = self.users.iter().map(|var| self.values[var.id as usize]);
        values.fold(self.model, |hash, value| {
            hash.rotate_left(5).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ value as u64
        })
    }

    fn __repr__(&self) -> String {
        const LONGEST: usize = 20;
        let pair = |var: &Arc<Var>| format!("{}={}", var.name, self.values[var.id as usize]);
        let mut pairs: Vec<_> = self.users.iter().take(LONGEST).map(pair).collect();
        if self.users.len() > LONGEST {
            pairs.push("...".to_owned());
        }
        format!("Solution({})", pairs.join(", "))
    }
}

/// What the names and the outputs of a copy of the instance are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// A search: the variables of the user are one output.
    Search,
    /// A query about single variables: each is an output with the name `v` and its number.
    Parts,
    /// A text in FlatZinc: each variable has a name that FlatZinc allows.
    Text,
}

/// What a query needs to know of a model.
struct Snapshot {
    model: u64,
    instance: Arc<Instance>,
    users: Arc<[Arc<Var>]>,
}

/// The parts of a model that change.
struct State {
    builder: Builder,
    users: Vec<Arc<Var>>,
    /// A copy of `users` for solutions.
    shared: Option<Arc<[Arc<Var>]>>,
    objective: Option<(bool, Operand)>,
    hints: Vec<(VarId, Value)>,
}

/// A constraint model: variables, constraints and an objective.
#[pyclass(frozen, subclass, module = "gordian._core", name = "Model")]
pub(crate) struct PyModel {
    id: u64,
    state: Mutex<State>,
}

/// What a query reports while it runs.
enum Report {
    Better { values: Arc<[Value]>, value: Value },
    Gap { best: Option<Value>, bound: Value },
    Found(Arc<[Value]>),
}

/// Sends the reports of a query to the thread that called it.
struct Reporter<'s, T> {
    sender: &'s SyncSender<Message<Report, T>>,
    better: bool,
}

fn closed<E>(_: E) -> std::io::Error {
    std::io::ErrorKind::BrokenPipe.into()
}

impl<T> Observer for Reporter<'_, T> {
    fn wants_better(&self) -> bool {
        self.better
    }

    fn better(&mut self, improvement: Improvement<'_>) -> std::io::Result<()> {
        let values = improvement.solution.witness().unwrap_or_default().into();
        let report = Report::Better { values, value: improvement.value };
        self.sender.send(Message::Report(report)).map_err(closed)
    }

    fn gap(
        &mut self,
        _: &dyn Puzzle,
        _: &'static gordian::puzzle::ObjectiveRow,
        gap: Gap,
    ) -> std::io::Result<()> {
        if !self.better {
            return Ok(());
        }
        let report = Report::Gap { best: gap.best, bound: gap.bound };
        self.sender.send(Message::Report(report)).map_err(closed)
    }

    fn solution(
        &mut self,
        _: &dyn Puzzle,
        solution: &RulesSolution,
        _: usize,
        _: Option<u128>,
    ) -> std::io::Result<()> {
        let values = solution.witness().unwrap_or_default().into();
        self.sender.send(Message::Report(Report::Found(values))).map_err(closed)
    }
}

/// The reason why a query has no outcome.
enum Failed {
    /// A limit was reached while the model was translated.
    Stopped,
    Translate(TranslateError),
    Query(QueryError),
    Other(String),
}

impl From<QueryError> for Failed {
    fn from(error: QueryError) -> Self {
        Self::Query(error)
    }
}

impl Failed {
    /// Returns the exception, or `None` if a limit was reached.
    fn exception(self) -> Option<PyErr> {
        Some(match self {
            Self::Stopped => return None,
            Self::Translate(error @ TranslateError::Overflow(_)) => {
                PyOverflowError::new_err(error.to_string())
            }
            Self::Translate(error) => ModelError::new_err(error.to_string()),
            Self::Query(error) => return query_error(error),
            Self::Other(error) => ModelError::new_err(error),
        })
    }
}

/// Returns the exception for an error of a query, or `None` if the thread that called does not wait for it.
pub(crate) fn query_error(error: QueryError) -> Option<PyErr> {
    let message = error.to_string();
    Some(match error {
        QueryError::Observer(_) => return None,
        QueryError::WrongSolution(_) | QueryError::WrongCount(_) | QueryError::Proof(_) => {
            InternalError::new_err(message)
        }
        _ => ModelError::new_err(message),
    })
}

pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Solved => "solved",
        Status::Optimal => "optimal",
        Status::None => "none",
        Status::Stopped => "stopped",
    }
}

/// Translates an instance within the limits of a query.
fn flat(instance: Arc<Instance>, config: &Config) -> Result<Flat, Failed> {
    let flat = config.limits().within(|| Flat::new(instance)).ok_or(Failed::Stopped)?;
    flat.map(Flat::annotated).map_err(Failed::Translate)
}

impl Snapshot {
    fn solution(&self, values: Arc<[Value]>) -> Solution {
        Solution { model: self.model, values, users: Arc::clone(&self.users) }
    }

    fn of_outcome(&self, solution: Option<&RulesSolution>) -> Option<Solution> {
        Some(self.solution(solution?.witness()?.into()))
    }
}

/// Adds what is common to the outcomes of all queries to a dictionary.
pub(crate) fn describe(outcome: &Outcome, into: &Bound<'_, PyDict>) -> PyResult<()> {
    into.set_item("status", status_name(outcome.status))?;
    if let Some(count) = &outcome.count {
        into.set_item("count", natural(into.py(), count)?)?;
    }
    if let Some(unique) = outcome.unique {
        into.set_item("unique", unique)?;
    }
    let py = into.py();
    let times = PyDict::new(py);
    for (step, time) in outcome.times.steps() {
        times.set_item(step, time.as_secs_f64())?;
    }
    into.set_item("times", times)?;
    let statistics = PyDict::new(py);
    let total = outcome.sizes.total();
    statistics.set_item("variables", total.variables)?;
    statistics.set_item("clauses", total.clauses)?;
    statistics.set_item("literals", total.literals)?;
    let solver = &outcome.statistics;
    for (name, value) in [
        ("conflicts", solver.conflicts),
        ("decisions", solver.decisions),
        ("propagations", solver.propagations),
        ("restarts", solver.restarts),
    ] {
        statistics.set_item(name, value)?;
    }
    into.set_item("statistics", statistics)?;
    into.set_item("encodings", &outcome.encodings)?;
    Ok(())
}

/// Returns a number of any size as an object.
pub(crate) fn natural<'py>(py: Python<'py>, number: &BigUint) -> PyResult<Bound<'py, PyAny>> {
    // Python limits the digits of numbers that are read from texts.
    py.get_type::<PyInt>().call_method1("from_bytes", (PyBytes::new(py, &number.to_bytes_le()), "little"))
}

/// Returns a value of a part as an object.
pub(crate) fn content<'py>(py: Python<'py>, content: &Content) -> PyResult<Bound<'py, PyAny>> {
    Ok(match content {
        Content::Number(number) => number.into_pyobject(py)?.into_any(),
        Content::Word(word) => word.into_pyobject(py)?.into_any(),
    })
}

impl Expr {
    pub(crate) fn text(&self) -> String {
        match &self.node {
            Node::Int(int) => int.to_string(),
            Node::Bool(node) => node.to_string(),
        }
    }
}

impl PyModel {
    fn state(&self) -> MutexGuard<'_, State> {
        // A panic while the state was locked has left it as `Builder::attempt` had found it, or with a constraint more.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn variable(&self, name: Option<String>, domain: VarDomain) -> PyResult<Expr> {
        let mut state = self.state();
        let is_bool = domain == VarDomain::Bool;
        let name =
            name.unwrap_or_else(|| format!("{}{}", if is_bool { "b" } else { "x" }, state.users.len() + 1));
        let var = state.builder.user_variable(name.into(), domain)?;
        state.users.push(Arc::clone(&var));
        state.shared = None;
        Ok(Expr { node: Node::of_variable(var, is_bool) })
    }

    /// Adds a constraint, or all constraints of an iterable.
    fn post(&self, object: &Bound<'_, PyAny>, name: Option<&Arc<str>>) -> PyResult<()> {
        let is_list = !object.is_instance_of::<Expr>() && object.hasattr("__iter__")?;
        if is_list && !object.is_instance_of::<PyString>() {
            for item in object.try_iter()? {
                self.post(&item?, name)?;
            }
            return Ok(());
        }
        let node = boolean(object)?;
        let posted = Posted { name: name.cloned(), node };
        caught(|| self.state().builder.post(posted))??;
        Ok(())
    }

    fn snapshot(&self, purpose: Purpose, with_goal: bool, over: Option<&[VarId]>) -> Snapshot {
        let mut state = self.state();
        let users = {
            let State { shared, users, .. } = &mut *state;
            Arc::clone(shared.get_or_insert_with(|| users.as_slice().into()))
        };
        let mut instance = state.builder.instance.clone();
        let output = |name: Arc<str>, is_bool, elements| Output { name, is_bool, dimensions: None, elements };
        let is_bool =
            |instance: &Instance, id: VarId| instance.variables[id.0 as usize].domain == VarDomain::Bool;
        match purpose {
            Purpose::Search => {
                let elements: Arc<[Operand]> =
                    over.unwrap_or(&state.builder.users).iter().map(|&id| Operand::Var(id)).collect();
                let dimensions = Some(vec![(1, elements.len() as Value)]);
                instance.output.push(Output { dimensions, ..output("variables".into(), false, elements) });
            }
            Purpose::Parts => {
                for &id in &state.builder.users {
                    let name = format!("v{}", id.0).into();
                    let shown = output(name, is_bool(&instance, id), Arc::new([Operand::Var(id)]));
                    instance.output.push(shown);
                }
            }
            Purpose::Text => {
                let mut taken = std::collections::HashSet::new();
                for (index, variable) in instance.variables.iter_mut().enumerate() {
                    let mut name = identifier(&variable.name);
                    if !taken.insert(name.clone()) {
                        name = format!("{name}_{index}");
                        taken.insert(name.clone());
                    }
                    variable.name = name.into();
                }
                for &id in &state.builder.users {
                    let name = Arc::clone(&instance.variables[id.0 as usize].name);
                    let shown = output(name, is_bool(&instance, id), Arc::new([Operand::Var(id)]));
                    instance.output.push(shown);
                }
            }
        }
        if let Some((maximise, operand)) = state.objective.clone().filter(|_| with_goal) {
            instance.goal = if maximise { Goal::Maximise(operand) } else { Goal::Minimise(operand) };
        }
        if !state.hints.is_empty() {
            let ids = state.hints.iter().map(|&(id, _)| Operand::Var(id)).collect();
            let values = state.hints.iter().map(|&(_, value)| Operand::Int(value)).collect();
            let arguments = vec![Annotation::Operands(ids), Annotation::Operands(values)];
            instance.search.push(Annotation::Call("warm_start".into(), arguments));
        }
        Snapshot { model: self.id, instance: Arc::new(instance), users }
    }

    /// Reads a list of variables, or of negations of Boolean variables.
    fn ids(&self, variables: &Bound<'_, PyAny>) -> PyResult<Vec<VarId>> {
        let mut ids = Vec::new();
        for item in variables.try_iter()? {
            let expression = int(&item?)?;
            let operand =
                self.state().builder.attempt(|builder| builder.int(&expression, &mut Vec::new()))?;
            match operand {
                Operand::Var(id) => ids.push(id),
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "expected a variable, found the constant {other:?}"
                    )));
                }
            }
        }
        Ok(ids)
    }

    /// Returns the literals of assumptions as operands.
    fn assumed(&self, assumptions: &Bound<'_, PyAny>) -> PyResult<Vec<Operand>> {
        let mut operands = Vec::new();
        for item in assumptions.try_iter()? {
            let node = boolean(&item?)?;
            operands.push(self.state().builder.attempt(|builder| {
                let lit = builder.literal(&node)?;
                builder.operand(lit)
            })?);
        }
        Ok(operands)
    }
}

/// The names that FlatZinc reserves.
const WORDS: &[&str] = &[
    "array",
    "bool",
    "constraint",
    "false",
    "float",
    "int",
    "maximize",
    "minimize",
    "of",
    "predicate",
    "satisfy",
    "set",
    "solve",
    "true",
    "var",
];

/// Returns a name that FlatZinc allows. Names that start with `_` are kept, because no user has declared them.
fn identifier(name: &str) -> String {
    let mut text: String = name
        .chars()
        .map(|letter| if letter.is_ascii_alphanumeric() || letter == '_' { letter } else { '_' })
        .collect();
    if !text.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
        text.insert_str(0, "v_");
    }
    if WORDS.contains(&&*text) {
        text.push('_');
    }
    text
}

type QueryResult = Result<Outcome, Failed>;

#[pymethods]
impl PyModel {
    #[new]
    fn new() -> Self {
        static MODELS: AtomicU64 = AtomicU64::new(0);
        let id = MODELS.fetch_add(1, Ordering::Relaxed);
        let builder = Builder::new(id);
        let state = State { builder, users: Vec::new(), shared: None, objective: None, hints: Vec::new() };
        Self { id, state: Mutex::new(state) }
    }

    /// Creates an integer variable with bounds, or with a set of values.
    #[pyo3(signature = (lo=None, hi=None, name=None, *, values=None))]
    fn int(
        &self,
        lo: Option<&Bound<'_, PyAny>>,
        hi: Option<&Bound<'_, PyAny>>,
        name: Option<String>,
        values: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Expr> {
        let bound = |value: Option<&Bound<'_, PyAny>>| value.map(whole).transpose();
        let (lo, hi) = (bound(lo)?, bound(hi)?);
        let of = match (values, lo, hi) {
            (Some(_), Some(_), _) | (Some(_), _, Some(_)) => {
                return Err(PyTypeError::new_err("a variable has bounds or a set of values, not both"));
            }
            (Some(values), ..) => domain(values)?,
            (None, Some(lo), Some(hi)) => Domain::interval(lo, hi),
            (None, lo, hi) => {
                let x = self.variable(name, VarDomain::Unbounded)?;
                // The domain of a variable has both bounds or none.
                for (value, sign) in [(lo, -1), (hi, 1)] {
                    let (Some(value), Node::Int(int)) = (value, &x.node) else { continue };
                    let (terms, _) = int.clone().into_sum();
                    let comparison = if sign > 0 {
                        crate::node::Comparison::AtMost
                    } else {
                        crate::node::Comparison::AtLeast
                    };
                    let node =
                        crate::node::Bool::new(crate::node::BoolNode::Compare(terms, comparison, value));
                    self.state().builder.define_bound(&node)?;
                }
                return Ok(x);
            }
        };
        if of.is_empty() {
            return Err(PyValueError::new_err(match (lo, hi) {
                (Some(lo), Some(hi)) => format!("the lower bound {lo} exceeds the upper bound {hi}"),
                _ => "a variable needs at least one value".to_owned(),
            }));
        }
        if of.intervals().any(|(first, last)| first == Value::MIN || last == Value::MAX) {
            return Err(PyOverflowError::new_err("bounds range from -2**127 + 1 to 2**127 - 2"));
        }
        self.variable(name, VarDomain::Int(of))
    }

    /// Creates a Boolean variable.
    #[pyo3(signature = (name=None))]
    fn bool(&self, name: Option<String>) -> PyResult<Expr> {
        self.variable(name, VarDomain::Bool)
    }

    /// Adds a constraint, or all constraints of an iterable. `why` shows the name.
    #[pyo3(signature = (constraint, name=None))]
    fn add<'py>(
        slf: Bound<'py, Self>,
        constraint: &Bound<'py, PyAny>,
        name: Option<String>,
    ) -> PyResult<Bound<'py, Self>> {
        slf.get().post(constraint, name.map(Arc::from).as_ref())?;
        Ok(slf)
    }

    fn __iadd__(&self, constraint: &Bound<'_, PyAny>) -> PyResult<()> {
        self.post(constraint, None)
    }

    /// Adds one linear constraint for each row of a matrix: the sum of `row[j] * variables[j]` is compared with
    /// `bounds[i]`. `rows` contains, for each constraint, a list of pairs (index of the variable, weight).
    fn add_linear(
        &self,
        variables: &Bound<'_, PyAny>,
        rows: &Bound<'_, PyAny>,
        comparison: &str,
        bounds: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        use crate::node::{Atom, Bool, BoolNode, Comparison, Int, Overflow, Prefix};
        let mut atoms = Vec::new();
        for item in variables.try_iter()? {
            let atom = match int(&item?)? {
                Int::Atom(atom) => atom,
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "expected a variable, found the expression {other}"
                    )));
                }
            };
            atoms.push(atom);
        }
        let (comparison, shift) = match comparison {
            "<=" => (Comparison::AtMost, 0),
            "<" => (Comparison::AtMost, -1),
            ">=" => (Comparison::AtLeast, 0),
            ">" => (Comparison::AtLeast, 1),
            "==" => (Comparison::Equal, 0),
            "!=" => (Comparison::NotEqual, 0),
            other => return Err(PyValueError::new_err(format!("unknown comparison `{other}`"))),
        };
        let mut bounds = bounds.try_iter()?;
        let mut posted = Vec::new();
        for row in rows.try_iter()? {
            let mut terms: Vec<(Value, Atom)> = Vec::new();
            for pair in row?.try_iter()? {
                let (index, weight): (usize, Bound<'_, PyAny>) = pair?.extract()?;
                let atom = atoms
                    .get(index)
                    .ok_or_else(|| PyValueError::new_err(format!("there is no variable {index}")))?;
                terms.push((whole(&weight)?, atom.clone()));
            }
            let bound =
                bounds.next().ok_or_else(|| PyValueError::new_err("there are fewer bounds than rows"))??;
            let bound = whole(&bound)?.checked_add(shift).ok_or(Overflow)?;
            let node = Bool::new(BoolNode::Compare(Prefix::new(terms), comparison, bound));
            posted.push(Posted { name: None, node });
        }
        if bounds.next().is_some() {
            return Err(PyValueError::new_err("there are more bounds than rows"));
        }
        let mut state = self.state();
        for constraint in posted {
            caught(|| state.builder.post(constraint))??;
        }
        Ok(())
    }

    /// Sets the objective. A model has at most one objective; the last call counts.
    #[pyo3(name = "_set_objective")]
    fn set_objective(&self, expression: &Bound<'_, PyAny>, maximise: bool) -> PyResult<()> {
        let expression = int(expression)?;
        let mut state = self.state();
        let operand = caught(|| {
            state.builder.attempt(|builder| {
                let mut guards = Vec::new();
                let operand = builder.int(&expression, &mut guards)?;
                if guards.is_empty() {
                    Ok(operand)
                } else {
                    Err(Refused::Unsupported(format!(
                        "the objective {expression} may be undefined; add constraints, or use a variable"
                    )))
                }
            })
        })??;
        state.objective = Some((maximise, operand));
        Ok(())
    }

    /// Removes the objective.
    fn remove_objective(&self) {
        self.state().objective = None;
    }

    /// True if the model has an objective.
    #[getter]
    fn has_objective(&self) -> bool {
        self.state().objective.is_some()
    }

    /// Sets the values that the search tries first, as pairs of a variable and a value. Earlier hints are removed.
    #[pyo3(name = "_set_hints")]
    fn set_hints(&self, hints: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut read = Vec::new();
        for pair in hints.try_iter()? {
            let (variable, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair?.extract()?;
            let value = whole(&value)?;
            let id = match int(&variable)? {
                crate::node::Int::Atom(crate::node::Atom::Var(var)) => self.state().builder.id(&var)?,
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "expected a variable, found the expression {other}"
                    )));
                }
            };
            read.push((id, value));
        }
        self.state().hints = read;
        Ok(())
    }

    /// The number of variables of the user.
    #[getter]
    fn variable_count(&self) -> usize {
        self.state().users.len()
    }

    /// The variables of the user, in the order of their creation.
    #[getter]
    fn variables(&self) -> Vec<Expr> {
        let state = self.state();
        let is_bool = |var: &Var| state.builder.instance.variables[var.id as usize].domain == VarDomain::Bool;
        let users = state.users.iter();
        users.map(|var| Expr { node: Node::of_variable(Arc::clone(var), is_bool(var)) }).collect()
    }

    /// The constraints of the user: pairs of a name, or the text of the constraint, and the constraint.
    #[getter]
    fn constraints(&self) -> Vec<(String, Expr)> {
        let state = self.state();
        let pair = |posted: &Posted| (posted.name(), Expr { node: Node::Bool(Arc::clone(&posted.node)) });
        state.builder.posted.iter().map(pair).collect()
    }

    /// Runs a query. Returns its outcome as a dictionary, and the exception that ended it, if any.
    #[pyo3(name = "_query", signature = (query, options=None, callback=None, assumptions=None, over=None))]
    fn query<'py>(
        &self,
        py: Python<'py>,
        query: &str,
        options: Option<&Bound<'py, PyDict>>,
        callback: Option<&Bound<'py, PyAny>>,
        assumptions: Option<&Bound<'py, PyAny>>,
        over: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let over = over.map(|over| self.ids(over)).transpose()?;
        let assumed = assumptions.map(|assumptions| self.assumed(assumptions)).transpose()?;
        let (purpose, with_goal) = match query {
            "optimise" => (Purpose::Search, true),
            "satisfy" | "count" | "unique" => (Purpose::Search, false),
            "backbone" | "count-values" => (Purpose::Parts, false),
            _ => return Err(PyValueError::new_err(format!("unknown query `{query}`"))),
        };
        let mut snapshot = self.snapshot(purpose, with_goal, over.as_deref());
        if let Some(assumed) = &assumed
            && let Some(instance) = Arc::get_mut(&mut snapshot.instance)
        {
            assume(instance, assumed);
        }
        let name = query.to_owned();
        let (instance, wants_better) = (Arc::clone(&snapshot.instance), callback.is_some());
        let job: Job<Report, (QueryResult, Vec<String>)> = Job::start(Arc::clone(&cancel), move |sender| {
            let mut core = Vec::new();
            let run = || {
                let flat = flat(instance, &config)?;
                let query = query_of(&name, flat.puzzle_type());
                let mut reporter = Reporter { sender, better: wants_better };
                let outcome = query::run(&flat, query, &config, &mut reporter)?;
                if outcome.status == Status::None {
                    core = flat.core(&config).map_err(|error| Failed::Other(error.to_string()))?;
                }
                Ok(outcome)
            };
            let outcome = run();
            (outcome, core)
        })?;
        let mut best: Option<(Arc<[Value]>, Value)> = None;
        let result = PyDict::new(py);
        let ((outcome, core), failed) = job.finish(py, |report| {
            let Some(callback) = callback else { return Ok(()) };
            let (solution, value, bound) = match report {
                Report::Better { values, value } => {
                    best = Some((Arc::clone(&values), value));
                    (Some(snapshot.solution(values)), Some(value), None)
                }
                Report::Gap { best, bound } => (None, best, Some(bound)),
                Report::Found(_) => return Ok(()),
            };
            callback.call1((solution, value, bound)).map(drop)
        })?;
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                if let Some(exception) = error.exception() {
                    return Err(failed.unwrap_or(exception));
                }
                Outcome::default()
            }
        };
        describe(&outcome, &result)?;
        let mut solution = snapshot.of_outcome(outcome.solution.as_ref());
        if let Some((_, value, bound)) = outcome.objective {
            result.set_item("objective", value)?;
            result.set_item("bound", bound)?;
        } else if let Some((values, value)) = best.filter(|_| solution.is_none()) {
            // The query ended before it could return its best solution.
            solution = Some(snapshot.solution(values));
            result.set_item("objective", value)?;
        }
        result.set_item("solution", solution)?;
        result.set_item("other", snapshot.of_outcome(outcome.other.as_ref()))?;
        if assumed.is_some() && outcome.status == Status::None {
            let index = |name: &String| name.strip_prefix(ASSUMED)?.parse::<usize>().ok();
            result.set_item("core", core.iter().filter_map(index).collect::<Vec<_>>())?;
        }
        if let Some(backbone) = &outcome.backbone {
            result.set_item("backbone", values_of_parts(py, &snapshot, backbone)?)?;
        }
        if let Some(counts) = &outcome.values {
            result.set_item("values", counts_of_parts(py, &snapshot, counts)?)?;
        }
        Ok((result, failed))
    }

    /// Starts a search for all solutions, and returns an iterator.
    #[pyo3(name = "_start", signature = (options=None, limit=None, sample=None, over=None))]
    fn start(
        &self,
        options: Option<&Bound<'_, PyDict>>,
        limit: Option<usize>,
        sample: Option<usize>,
        over: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<SolutionIterator> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let over = over.map(|over| self.ids(over)).transpose()?;
        let snapshot = self.snapshot(Purpose::Search, false, over.as_deref());
        let instance = Arc::clone(&snapshot.instance);
        let job = Job::start(cancel, move |sender| {
            let flat = flat(instance, &config)?;
            let mut reporter = Reporter { sender, better: false };
            Ok(match sample {
                Some(number) => query::sample(&flat, number, &config, &mut reporter)?,
                None => query::run(&flat, Query::Enumerate { limit }, &config, &mut reporter)?,
            })
        })?;
        Ok(SolutionIterator { reports: Reports::new(job), snapshot, complete: AtomicBool::new(false) })
    }

    /// Returns the indices of constraints that contradict each other and whether no proper subset of them does, the word
    /// `none` if the model has a solution, or `stopped`; and the exception that ended the query, if any.
    #[pyo3(name = "_conflict", signature = (options=None, fewest=true))]
    fn conflict<'py>(
        &self,
        py: Python<'py>,
        options: Option<&Bound<'py, PyDict>>,
        fewest: bool,
    ) -> PyResult<(Bound<'py, PyAny>, Option<PyErr>)> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let (instance, groups, number) = {
            let state = self.state();
            let mut instance = state.builder.instance.clone();
            instance.goal = Goal::Satisfy;
            (instance, state.builder.groups.clone(), state.builder.posted.len())
        };
        let job: Job<(), Result<WhyNone, QueryError>> = Job::start(cancel, move |_| {
            let source = Source::new("model.fzn", String::new());
            let names = (0..number).map(|index| index.to_string()).collect();
            let groups = groups.into_iter().map(|group| group.map(|group| group as usize)).collect();
            NamedConstraints::grouped(&instance, &source, names, groups).why(&config, fewest)
        })?;
        let (result, failed) = job.finish(py, |()| Ok(()))?;
        let result = match result {
            Ok(WhyNone::Contradiction(subset)) => {
                let groups: Vec<usize> = subset.groups.iter().collect();
                (groups, subset.minimal, subset.smallest).into_pyobject(py)?.into_any()
            }
            Ok(WhyNone::Possible) => "none".into_pyobject(py)?.into_any(),
            Ok(WhyNone::Stopped) => "stopped".into_pyobject(py)?.into_any(),
            Err(error) => {
                return Err(query_error(error).unwrap_or_else(|| InternalError::new_err("no outcome")));
            }
        };
        Ok((result, failed))
    }

    /// Runs a query with a proof, and writes the certificate to a directory. Returns the outcome.
    #[pyo3(name = "_certify", signature = (directory, query, options=None))]
    fn certify<'py>(
        &self,
        py: Python<'py>,
        directory: PathBuf,
        query: &str,
        options: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Bound<'py, PyDict>, Option<PyErr>)> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let with_goal = query == "optimise";
        let snapshot = self.snapshot(Purpose::Text, with_goal, None);
        let text = snapshot.instance.to_string();
        let name = query.to_owned();
        let job: Job<(), Result<(Outcome, Option<&'static str>), Failed>> = Job::start(cancel, move |_| {
            // The certificate is about the text, so the text is what is solved.
            let source = Source::new("model.fzn", text);
            let read = config.limits().within(|| read::board(&source, &ReadOptions::default()));
            let board = read
                .ok_or(Failed::Stopped)?
                .map_err(|error| Failed::Other(gordian::format::InputError::from(error).to_string()))?;
            let query = query_of(&name, board.puzzle.puzzle_type());
            let (outcome, proof) = certificate::run(&*board.puzzle, query, &config, &mut query::Silent)?;
            let claim = proof.as_ref().map(|proof| proof.claim.name());
            gordian::cli::write_certificate(&directory, (&*board.puzzle, &source), &outcome, proof.as_ref())
                .map_err(Failed::Other)?;
            Ok((outcome, claim))
        })?;
        let (result, failed) = job.finish(py, |()| Ok(()))?;
        let (outcome, claim) = match result {
            Ok(result) => result,
            Err(error) => match error.exception() {
                Some(exception) => return Err(failed.unwrap_or(exception)),
                None => (Outcome::default(), None),
            },
        };
        let into = PyDict::new(py);
        describe(&outcome, &into)?;
        into.set_item("solution", snapshot.of_outcome(outcome.solution.as_ref()))?;
        into.set_item("other", snapshot.of_outcome(outcome.other.as_ref()))?;
        into.set_item("claim", claim)?;
        if let Some((_, value, bound)) = outcome.objective {
            into.set_item("objective", value)?;
            into.set_item("bound", bound)?;
        }
        Ok((into, failed))
    }

    /// Returns the model as FlatZinc.
    #[pyo3(name = "_flatzinc")]
    fn flatzinc(&self) -> String {
        self.snapshot(Purpose::Text, true, None).instance.to_string()
    }

    /// Returns the formula in a format of `gordian export`.
    #[pyo3(name = "_formula", signature = (format, counting=false, options=None))]
    fn formula(
        &self,
        py: Python<'_>,
        format: &str,
        counting: bool,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let cancel = Arc::new(AtomicBool::new(false));
        let config = config(options, &cancel)?;
        let known = export::FORMATS.iter().map(|format| format.name).collect::<Vec<_>>().join(", ");
        let format = export::find(format).ok_or_else(|| {
            PyValueError::new_err(format!("unknown format `{format}`; the formats are {known} and flatzinc"))
        })?;
        let with_goal = format.objective != ObjectiveAs::Nothing && !counting;
        let snapshot = self.snapshot(Purpose::Search, with_goal, None);
        let job: Job<(), Result<Vec<u8>, Failed>> = Job::start(cancel, move |_| {
            let flat = flat(Arc::clone(&snapshot.instance), &config)?;
            let open = flat.unbounded();
            if !open.is_empty() {
                return Err(Failed::Other(format!(
                    "there is no finite formula: no bounds are known for {}",
                    open.join(", ")
                )));
            }
            let objective = flat.puzzle_type().objectives.first().filter(|_| with_goal);
            let query = if counting { Query::Count } else { objective.into() };
            let written = config.limits().within(|| {
                let Formulation { model, .. } = flat.formulate(&query);
                let encodings =
                    if counting { config.encodings.clone().keep_count() } else { config.encodings.clone() };
                let export = Export::new(model, encodings, format).map_err(|error| error.to_string())?;
                let about = About {
                    puzzle: gordian::flatzinc::NAME,
                    source: "Python",
                    objective: objective.map(|row| row.name),
                };
                let mut text = Vec::new();
                export.write(&about, &mut text).map_err(|error| error.to_string())?;
                Ok(text)
            });
            written.ok_or(Failed::Stopped)?.map_err(Failed::Other)
        })?;
        let (result, failed) = job.finish(py, |()| Ok(()))?;
        if let Some(failed) = failed {
            return Err(failed);
        }
        match result {
            Ok(text) => String::from_utf8(text).map_err(|error| InternalError::new_err(error.to_string())),
            Err(error) => Err(error.exception().unwrap_or_else(|| {
                crate::LimitReached::new_err("a limit was reached before the formula was complete")
            })),
        }
    }
}

/// The names of assumed variables, followed by their index.
const ASSUMED: &str = "assumption ";

/// Adds assumptions to an instance. Each is a variable of its own, whose name contains the index.
fn assume(instance: &mut Instance, assumed: &[Operand]) {
    let mut operands = Vec::with_capacity(assumed.len());
    for (index, operand) in assumed.iter().enumerate() {
        let id = VarId(instance.variables.len() as u32);
        instance.variables.push(gordian_flatzinc::instance::Variable {
            name: format!("{ASSUMED}{index}").into(),
            domain: VarDomain::Bool,
            value: None,
            annotations: Vec::new(),
            place: Place::default(),
        });
        let implied = vec![CallArgument::One(Operand::Var(id)), CallArgument::One(operand.clone())];
        instance.constraints.push(Call {
            name: "bool_eq".into(),
            arguments: implied,
            annotations: Vec::new(),
            place: Place::default(),
        });
        operands.push(Operand::Var(id));
    }
    let arguments = vec![CallArgument::Array(operands.into())];
    instance.constraints.push(Call {
        name: "fzn_assume".into(),
        arguments,
        annotations: Vec::new(),
        place: Place::default(),
    });
}

/// Returns the query with a name that `PyModel::query` accepts.
fn query_of(name: &str, puzzle_type: &'static PuzzleType) -> Query {
    match name {
        "optimise" => puzzle_type.objectives.first().into(),
        "count" => Query::Count,
        "count-values" => Query::CountValues,
        "unique" => Query::Unique,
        "backbone" => Query::Backbone,
        _ => Query::Satisfy,
    }
}

/// Returns the variable of the user with an output name `v` and its number.
fn variable_named<'a>(snapshot: &'a Snapshot, name: &str) -> Option<&'a Arc<Var>> {
    let id = name.strip_prefix('v')?.parse::<u32>().ok()?;
    let index = snapshot.users.binary_search_by_key(&id, |var| var.id).ok()?;
    snapshot.users.get(index)
}

fn variable_object(py: Python<'_>, snapshot: &Snapshot, var: &Arc<Var>) -> PyResult<Py<Expr>> {
    let is_bool = snapshot.instance.variables[var.id as usize].domain == VarDomain::Bool;
    Py::new(py, Expr { node: Node::of_variable(Arc::clone(var), is_bool) })
}

/// Returns the possible and the undecided values of each variable.
fn values_of_parts<'py>(
    py: Python<'py>,
    snapshot: &Snapshot,
    backbone: &[(String, FieldValues)],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (name, values) in backbone {
        let Some(var) = variable_named(snapshot, name) else { continue };
        let contents = |contents: &[Content]| {
            contents.iter().map(|value| content(py, value)).collect::<PyResult<Vec<_>>>()
        };
        let (possible, open, complete) = match values {
            FieldValues::Parts { parts, .. } => match parts.first() {
                Some(part) => (contents(&part.possible)?, contents(&part.open)?, part.open.is_empty()),
                None => continue,
            },
            FieldValues::Whole { possible, complete } => {
                let number = |field: &gordian::rules::Field| match field {
                    gordian::rules::Field::Number(value) => Some(*value),
                    _ => None,
                };
                let values =
                    possible.iter().filter_map(number).map(|value| content(py, &Content::Number(value)));
                (values.collect::<PyResult<Vec<_>>>()?, Vec::new(), *complete)
            }
        };
        list.append((variable_object(py, snapshot, var)?, possible, open, complete))?;
    }
    Ok(list)
}

/// Returns the number of solutions for each value of each variable.
fn counts_of_parts<'py>(
    py: Python<'py>,
    snapshot: &Snapshot,
    counts: &[(String, FieldCounts)],
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for (name, counts) in counts {
        let (Some(var), Some(part)) = (variable_named(snapshot, name), counts.parts.first()) else {
            continue;
        };
        let values = PyDict::new(py);
        for (value, count) in part {
            values.set_item(content(py, value)?, natural(py, count)?)?;
        }
        list.append((variable_object(py, snapshot, var)?, values))?;
    }
    Ok(list)
}

/// The solutions of a model, one after the other.
#[pyclass(frozen, module = "gordian")]
pub(crate) struct SolutionIterator {
    reports: Reports<Report, QueryResult>,
    snapshot: Snapshot,
    complete: AtomicBool,
}

#[pymethods]
impl SolutionIterator {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Solution>> {
        let Some(event) = self.reports.next(py)? else { return Ok(None) };
        match event {
            Event::Report(Report::Found(values)) => Ok(Some(self.snapshot.solution(values))),
            Event::Report(Report::Better { .. } | Report::Gap { .. }) => {
                unreachable!("the reporter of an enumeration sends solutions")
            }
            Event::Done(Ok(outcome)) if outcome.status == Status::Stopped => {
                Err(crate::LimitReached::new_err("a limit was reached before all solutions were found"))
            }
            Event::Done(Ok(_)) => {
                self.complete.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Event::Done(Err(error)) => Err(error.exception().unwrap_or_else(|| {
                crate::LimitReached::new_err("a limit was reached before all solutions were found")
            })),
        }
    }
}
