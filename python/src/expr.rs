//! Expressions in Python: the class `Expr` and the functions that create expressions.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};
use pyo3::basic::CompareOp;
use pyo3::exceptions::{PyOverflowError, PyRecursionError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt, PyString, PyTuple};

use crate::node::{
    Argument, Atom, Bool, BoolNode, Comparison, DEEPEST, Function, FunctionNode, Int, Overflow, Prefix,
    Relation, Var,
};

/// An integer or Boolean expression over the variables of a model. Expressions are never changed.
#[pyclass(frozen, module = "gordian")]
#[derive(Debug)]
pub(crate) struct Expr {
    pub(crate) node: Node,
}

/// An expression of either type.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Int(Int),
    Bool(Arc<Bool>),
}

impl From<Overflow> for PyErr {
    fn from(_: Overflow) -> Self {
        PyOverflowError::new_err("a number of the expression exceeds 128 bits")
    }
}

impl Node {
    /// Returns a variable as an expression.
    pub(crate) fn of_variable(var: Arc<Var>, is_bool: bool) -> Self {
        if is_bool { Self::Bool(Bool::new(BoolNode::Var(var))) } else { Self::Int(Int::Atom(Atom::Var(var))) }
    }

    fn depth(&self) -> u32 {
        match self {
            Self::Int(int) => int.depth(),
            Self::Bool(node) => node.depth,
        }
    }

    /// Returns the expression as an integer: false is 0, and true is 1.
    fn int(&self) -> Int {
        match self {
            Self::Int(int) => int.clone(),
            Self::Bool(node) => match &node.node {
                BoolNode::Constant(value) => Int::Constant(Value::from(*value)),
                BoolNode::Var(var) => Int::Atom(Atom::Var(Arc::clone(var))),
                _ => Int::Atom(Atom::Bool(Arc::clone(node))),
            },
        }
    }
}

/// Reads a whole number. Types with `__index__`, such as those of `NumPy`, are accepted.
pub(crate) fn whole(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    // Numbers with 64 bits are read faster.
    if let Ok(value) = object.extract::<i64>() {
        return Ok(value.into());
    }
    if object.is_instance_of::<PyFloat>() {
        return Err(PyTypeError::new_err("expected a whole number, found a float"));
    }
    let object = object.call_method0("__index__").map_err(|_| expected("a whole number", object))?;
    object.extract::<Value>().map_err(|_| PyOverflowError::new_err("the number exceeds 128 bits"))
}

/// Returns the error that an object has the wrong type.
pub(crate) fn expected(what: &str, found: &Bound<'_, PyAny>) -> PyErr {
    let name = found.get_type().name().map_or_else(|_| "another object".to_owned(), |name| name.to_string());
    let hint = if name == "ndarray" { "; iterate over the array, or use `gordian.array`" } else { "" };
    PyTypeError::new_err(format!("expected {what}, found {name}{hint}"))
}

/// Reads an expression or a constant. Returns `None` for an object of another type.
fn operand(object: &Bound<'_, PyAny>) -> PyResult<Option<Node>> {
    if let Ok(expr) = object.cast::<Expr>() {
        return Ok(Some(expr.get().node.clone()));
    }
    if let Ok(value) = object.cast::<PyBool>() {
        return Ok(Some(Node::Bool(Bool::constant(value.is_true()))));
    }
    if object.is_instance_of::<PyInt>() {
        return Ok(Some(Node::Int(Int::Constant(whole(object)?))));
    }
    // `NumPy`'s numbers have no common type. Arrays combine with expressions element by element, and lists do not.
    if object.is_instance_of::<PyFloat>() || object.hasattr("__len__")? || !object.hasattr("__index__")? {
        return Ok(None);
    }
    let is_bool = object.get_type().name()?.to_str()?.starts_with("bool");
    match whole(object) {
        Ok(value) if is_bool => Ok(Some(Node::Bool(Bool::constant(value != 0)))),
        Ok(value) => Ok(Some(Node::Int(Int::Constant(value)))),
        // `__index__` of an array fails.
        Err(_) => Ok(None),
    }
}

/// Reads an integer expression.
pub(crate) fn int(object: &Bound<'_, PyAny>) -> PyResult<Int> {
    Ok(operand(object)?.ok_or_else(|| expected("an integer expression", object))?.int())
}

/// Reads a Boolean expression.
pub(crate) fn boolean(object: &Bound<'_, PyAny>) -> PyResult<Arc<Bool>> {
    match operand(object)? {
        Some(Node::Bool(node)) => Ok(node),
        Some(Node::Int(Int::Constant(value @ (0 | 1)))) => Ok(Bool::constant(value == 1)),
        Some(Node::Int(int)) => Err(PyTypeError::new_err(format!(
            "expected a constraint or a Boolean expression, found the integer expression {int}; compare it, as in `x != 0`"
        ))),
        None => Err(expected("a constraint or a Boolean expression", object)),
    }
}

fn list<'py, T>(
    object: &Bound<'py, PyAny>,
    read: impl Fn(&Bound<'py, PyAny>) -> PyResult<T>,
) -> PyResult<Vec<T>> {
    if object.is_instance_of::<PyString>() {
        return Err(expected("a list", object));
    }
    object.try_iter().map_err(|_| expected("a list", object))?.map(|item| read(&item?)).collect()
}

/// Reads a set of integers: an iterable of numbers.
pub(crate) fn domain(object: &Bound<'_, PyAny>) -> PyResult<Domain> {
    // A range with many numbers is not listed.
    if object.get_type().name()? == "range" && object.getattr("step")?.extract::<i64>()? == 1 {
        let (first, end) = (whole(&object.getattr("start")?)?, whole(&object.getattr("stop")?)?);
        return Ok(Domain::interval(first, end - 1));
    }
    Ok(Domain::from_values(list(object, whole)?))
}

impl Expr {
    pub(crate) fn of(node: Node) -> PyResult<Self> {
        if node.depth() > DEEPEST {
            return Err(PyRecursionError::new_err(format!(
                "the expression is nested more than {DEEPEST} levels deep; add `y == expression` for a variable y, and continue with y"
            )));
        }
        Ok(Self { node })
    }

    fn int(int: Int) -> PyResult<Self> {
        Self::of(Node::Int(int))
    }

    fn bool(node: BoolNode) -> PyResult<Self> {
        Self::of(Node::Bool(Bool::new(node)))
    }

    fn function(node: FunctionNode) -> PyResult<Self> {
        Self::int(Int::Atom(Atom::Function(Arc::new(Function::new(node)))))
    }

    /// Returns `self + factor * other`, or `None` if `other` is no expression.
    fn plus(&self, factor: Value, other: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let Some(other) = operand(other)? else { return Ok(None) };
        Ok(Some(Self::int(self.node.int().plus(factor, &other.int())?)?))
    }

    fn product(x: &Int, y: &Int) -> PyResult<Self> {
        match (x, y) {
            (Int::Constant(factor), x) | (x, Int::Constant(factor)) => Self::int(x.times(*factor)?),
            _ => Self::function(FunctionNode::Times(x.clone(), y.clone())),
        }
    }

    /// Returns the expression as a Boolean, or an error that names the operator.
    fn boolean(&self, operator: &str) -> PyResult<&Arc<Bool>> {
        match &self.node {
            Node::Bool(node) => Ok(node),
            Node::Int(int) => Err(PyTypeError::new_err(format!(
                "`{operator}` expects Boolean expressions, found the integer expression {int}; compare it, as in `x != 0`"
            ))),
        }
    }

    fn junction(&self, and: bool, other: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let left = self.boolean(if and { "&" } else { "|" })?;
        if operand(other)?.is_none() {
            return Ok(None);
        }
        Ok(Some(Self::of(Node::Bool(Bool::junction(and, left, &boolean(other)?)))?))
    }

    /// Applies a function of two integers, in the given order or the opposite one.
    fn binary(
        &self,
        other: &Bound<'_, PyAny>,
        swapped: bool,
        node: fn(Int, Int) -> FunctionNode,
    ) -> PyResult<Option<Self>> {
        let Some(other) = operand(other)? else { return Ok(None) };
        let (x, y) = (self.node.int(), other.int());
        let (x, y) = if swapped { (y, x) } else { (x, y) };
        if let Int::Constant(0) = y
            && !matches!(node(Int::Constant(0), Int::Constant(0)), FunctionNode::Power(..))
        {
            return Err(pyo3::exceptions::PyZeroDivisionError::new_err("the divisor of an expression is 0"));
        }
        Ok(Some(Self::function(node(x, y))?))
    }
}

/// Returns the result of an operator, or `NotImplemented`, so that Python tries the other operand.
fn result(py: Python<'_>, result: Option<Expr>) -> PyResult<Py<PyAny>> {
    match result {
        Some(expr) => Ok(Py::new(py, expr)?.into_any()),
        None => Ok(py.NotImplemented()),
    }
}

#[pymethods]
impl Expr {
    fn __add__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.plus(1, other)?)
    }

    fn __radd__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.plus(1, other)?)
    }

    fn __sub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.plus(-1, other)?)
    }

    fn __rsub__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Some(other) = operand(other)? else { return Ok(py.NotImplemented()) };
        result(py, Some(Self::int(other.int().plus(-1, &self.node.int())?)?))
    }

    fn __mul__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let Some(other) = operand(other)? else { return Ok(py.NotImplemented()) };
        result(py, Some(Self::product(&self.node.int(), &other.int())?))
    }

    fn __rmul__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__mul__(py, other)
    }

    fn __neg__(&self) -> PyResult<Self> {
        Self::int(self.node.int().times(-1)?)
    }

    fn __pos__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __abs__(&self) -> PyResult<Self> {
        Self::function(FunctionNode::Absolute(self.node.int()))
    }

    fn __floordiv__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.binary(other, false, FunctionNode::FloorDivide)?)
    }

    fn __rfloordiv__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.binary(other, true, FunctionNode::FloorDivide)?)
    }

    fn __mod__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.binary(other, false, FunctionNode::FloorRemainder)?)
    }

    fn __rmod__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.binary(other, true, FunctionNode::FloorRemainder)?)
    }

    fn __pow__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        if modulo.is_some() {
            return Err(PyTypeError::new_err("`pow` with a modulus is not supported; use `x ** y % z`"));
        }
        result(py, self.binary(other, false, FunctionNode::Power)?)
    }

    fn __rpow__(
        &self,
        py: Python<'_>,
        other: &Bound<'_, PyAny>,
        modulo: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyAny>> {
        let _ = modulo;
        result(py, self.binary(other, true, FunctionNode::Power)?)
    }

    fn __and__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.junction(true, other)?)
    }

    fn __rand__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__and__(py, other)
    }

    fn __or__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        result(py, self.junction(false, other)?)
    }

    fn __ror__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__or__(py, other)
    }

    fn __xor__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let left = self.boolean("^")?;
        if operand(other)?.is_none() {
            return Ok(py.NotImplemented());
        }
        result(py, Some(Self::bool(BoolNode::Xor(vec![Arc::clone(left), boolean(other)?]))?))
    }

    fn __rxor__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        self.__xor__(py, other)
    }

    fn __invert__(&self) -> PyResult<Self> {
        Self::of(Node::Bool(Bool::not(self.boolean("~")?)))
    }

    /// Returns the constraint that `other` holds if this expression is true.
    fn implies(&self, other: &Bound<'_, PyAny>) -> PyResult<Self> {
        let left = Bool::not(self.boolean("implies")?);
        Self::of(Node::Bool(Bool::junction(false, &left, &boolean(other)?)))
    }

    fn __richcmp__(&self, py: Python<'_>, other: &Bound<'_, PyAny>, op: CompareOp) -> PyResult<Py<PyAny>> {
        let Some(other) = operand(other)? else {
            if other.is_none() || other.is_instance_of::<PyString>() {
                return Err(expected("an expression or a whole number", other));
            }
            return Ok(py.NotImplemented());
        };
        // Two Boolean expressions are equal if an even number of them holds.
        if let (Node::Bool(left), Node::Bool(right), CompareOp::Eq | CompareOp::Ne) = (&self.node, &other, op)
        {
            let differ = Bool::new(BoolNode::Xor(vec![Arc::clone(left), Arc::clone(right)]));
            let node = if matches!(op, CompareOp::Eq) { Bool::not(&differ) } else { differ };
            return result(py, Some(Self::of(Node::Bool(node))?));
        }
        let (left, right) = (self.node.int(), other.int());
        let difference = match right {
            Int::Constant(value) => {
                let (terms, constant) = left.into_sum();
                (terms, value.checked_sub(constant))
            }
            right => {
                let (terms, constant) = left.plus(-1, &right)?.into_sum();
                (terms, constant.checked_neg())
            }
        };
        let (terms, bound) = (difference.0, difference.1.ok_or(Overflow)?);
        let (comparison, bound) = match op {
            CompareOp::Eq => (Comparison::Equal, Some(bound)),
            CompareOp::Ne => (Comparison::NotEqual, Some(bound)),
            CompareOp::Le => (Comparison::AtMost, Some(bound)),
            CompareOp::Ge => (Comparison::AtLeast, Some(bound)),
            CompareOp::Lt => (Comparison::AtMost, bound.checked_sub(1)),
            CompareOp::Gt => (Comparison::AtLeast, bound.checked_add(1)),
        };
        result(py, Some(Self::bool(BoolNode::Compare(terms, comparison, bound.ok_or(Overflow)?))?))
    }

    /// Expressions are compared as constraints, so they are hashed by identity.
    fn __hash__(slf: &Bound<'_, Self>) -> isize {
        (slf.as_ptr().addr() >> 4).cast_signed()
    }

    fn __bool__(&self) -> PyResult<bool> {
        Err(PyTypeError::new_err(format!(
            "the expression {} has no truth value before the model is solved; use `&`, `|`, `~` and `implies` instead of `and`, `or`, `not` and `if`, and `gordian.array` to compare NumPy arrays",
            self.__repr__()
        )))
    }

    fn __repr__(&self) -> String {
        match &self.node {
            Node::Int(int) => int.to_string(),
            Node::Bool(node) => node.to_string(),
        }
    }

    /// True if the values of the expression are true and false.
    #[getter]
    fn is_bool(&self) -> bool {
        matches!(self.node, Node::Bool(_))
    }

    /// The name of a variable, or the text of another expression.
    #[getter]
    fn name(&self) -> String {
        self.__repr__()
    }
}

/// Reads the arguments of a constraint. Each letter of `types` is the type of an argument: `i` an integer expression, `b` a
/// Boolean one, `s` a set, `c` a number, and `I`, `B` and `C` lists; `t` are the entries of a table, in which `None` or `*`
/// stand for any value.
fn arguments(types: &str, objects: &Bound<'_, PyTuple>) -> PyResult<Vec<Argument>> {
    if types.len() != objects.len() {
        return Err(PyTypeError::new_err(format!(
            "expected {} arguments, found {}",
            types.len(),
            objects.len()
        )));
    }
    let entry = |object: &Bound<'_, PyAny>| {
        let is_star = object.cast::<PyString>().is_ok_and(|text| text.to_str().is_ok_and(|text| text == "*"));
        if object.is_none() || is_star { Ok(None) } else { whole(object).map(Some) }
    };
    let read = |(kind, object): (char, Bound<'_, PyAny>)| {
        Ok(match kind {
            'i' => Argument::Int(int(&object)?),
            'I' => Argument::Ints(list(&object, int)?),
            'b' => Argument::Bool(boolean(&object)?),
            'B' => Argument::Bools(list(&object, boolean)?),
            's' => Argument::Set(Arc::new(domain(&object)?)),
            'c' => Argument::Value(whole(&object)?),
            'C' => Argument::Values(list(&object, whole)?.into()),
            't' => Argument::Entries(list(&object, entry)?.into()),
            _ => return Err(PyValueError::new_err(format!("unknown type of argument `{kind}`"))),
        })
    };
    types.chars().zip(objects.iter()).map(read).collect()
}

/// Returns a constraint by its name in FlatZinc. `shown` is its name in texts.
#[pyfunction]
#[pyo3(signature = (name, shown, types, *objects))]
pub(crate) fn relation(name: &str, shown: &str, types: &str, objects: &Bound<'_, PyTuple>) -> PyResult<Expr> {
    let arguments = arguments(types, objects)?;
    Expr::bool(BoolNode::Relation(Relation { name: name.into(), shown: shown.into(), arguments }))
}

/// Returns a function of integers by its name.
#[pyfunction]
#[pyo3(signature = (name, *objects))]
pub(crate) fn function(name: &str, objects: &Bound<'_, PyTuple>) -> PyResult<Expr> {
    let get = |index| objects.get_item(index);
    let ints = |index| list(&get(index)?, int);
    let filled = |index| {
        let ints = ints(index)?;
        if ints.is_empty() {
            return Err(PyValueError::new_err(format!("`{name}` of an empty list has no value")));
        }
        Ok(ints)
    };
    Expr::function(match name {
        "maximum" => FunctionNode::Maximum(filled(0)?),
        "minimum" => FunctionNode::Minimum(filled(0)?),
        "element" => FunctionNode::Element(filled(0)?, int(&get(1)?)?),
        "count" => FunctionNode::Count(ints(0)?, int(&get(1)?)?),
        "among" => FunctionNode::Among(ints(0)?, Arc::new(domain(&get(1)?)?)),
        "divide" => FunctionNode::Divide(int(&get(0)?)?, int(&get(1)?)?),
        "remainder" => FunctionNode::Remainder(int(&get(0)?)?, int(&get(1)?)?),
        _ => return Err(PyValueError::new_err(format!("unknown function `{name}`"))),
    })
}

/// Returns the sum of expressions, each with a weight.
#[pyfunction]
#[pyo3(signature = (expressions, weights=None))]
pub(crate) fn sum(expressions: &Bound<'_, PyAny>, weights: Option<&Bound<'_, PyAny>>) -> PyResult<Expr> {
    let expressions = list(expressions, int)?;
    let weights = match weights {
        Some(weights) => list(weights, whole)?,
        None => vec![1; expressions.len()],
    };
    if weights.len() != expressions.len() {
        return Err(PyValueError::new_err(format!(
            "{} weights for {} expressions",
            weights.len(),
            expressions.len()
        )));
    }
    let mut total = Int::Sum(Prefix::new(Vec::with_capacity(expressions.len())), 0);
    for (expression, weight) in expressions.iter().zip(weights) {
        total = total.plus(weight, expression)?;
    }
    Expr::int(total)
}

/// Returns the conjunction (`all`) or the disjunction (`any`) of Boolean expressions, or whether an odd number of them
/// holds (`odd`).
#[pyfunction]
pub(crate) fn combine(how: &str, expressions: &Bound<'_, PyAny>) -> PyResult<Expr> {
    let nodes = list(expressions, boolean)?;
    Expr::bool(match how {
        "all" => BoolNode::And(Prefix::new(nodes)),
        "any" => BoolNode::Or(Prefix::new(nodes)),
        _ => BoolNode::Xor(nodes),
    })
}
