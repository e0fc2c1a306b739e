//! Expressions over the variables of a model, independent of Python.
//!
//! An expression is a tree that is never changed. `m.add` translates it into calls of FlatZinc constraints
//! ([`flatten`](crate::flatten)); nothing here knows what a constraint means.

use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, Mutex, PoisonError};

use gordian_encodings::{Domain, Value};

/// The greatest depth of an expression. The functions that walk through expressions are recursive.
pub(crate) const DEEPEST: u32 = 400;

/// A number of a model beyond 128 bits.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Overflow;

/// A variable of a model.
#[derive(Debug)]
pub(crate) struct Var {
    /// The number of the model.
    pub(crate) model: u64,
    /// The index of the variable in the instance.
    pub(crate) id: u32,
    pub(crate) name: Arc<str>,
}

/// The first elements of a list that may be shared with longer lists.
///
/// A loop such as `total = total + x` creates a sum in each step. As long as each sum extends the last one, all of them
/// share one list, so the loop takes linear time.
#[derive(Debug)]
pub(crate) struct Prefix<T> {
    items: Arc<Mutex<Vec<T>>>,
    len: usize,
}

impl<T> Clone for Prefix<T> {
    fn clone(&self) -> Self {
        Self { items: Arc::clone(&self.items), len: self.len }
    }
}

impl<T: Clone> Prefix<T> {
    pub(crate) fn new(items: Vec<T>) -> Self {
        let len = items.len();
        Self { items: Arc::new(Mutex::new(items)), len }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Calls a function with the elements.
    pub(crate) fn read<R>(&self, f: impl FnOnce(&[T]) -> R) -> R {
        f(&self.items.lock().unwrap_or_else(PoisonError::into_inner)[..self.len])
    }

    /// Returns the list with further elements. If no other list continues this one, they share their elements.
    pub(crate) fn extended(&self, more: impl IntoIterator<Item = T>) -> Self {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        if items.len() == self.len {
            items.extend(more);
            Self { items: Arc::clone(&self.items), len: items.len() }
        } else {
            let mut copy = items[..self.len].to_vec();
            drop(items);
            copy.extend(more);
            Self::new(copy)
        }
    }
}

/// What a sum may contain: a variable, a function, or a Boolean expression with the values 0 and 1.
#[derive(Debug, Clone)]
pub(crate) enum Atom {
    Var(Arc<Var>),
    Function(Arc<Function>),
    Bool(Arc<Bool>),
}

impl Atom {
    fn depth(&self) -> u32 {
        match self {
            Self::Var(_) => 0,
            Self::Function(function) => function.depth,
            Self::Bool(node) => node.depth,
        }
    }
}

/// The terms of a sum.
pub(crate) type Terms = Prefix<(Value, Atom)>;

/// An integer expression.
#[derive(Debug, Clone)]
pub(crate) enum Int {
    Constant(Value),
    Atom(Atom),
    /// A sum of terms and a constant.
    Sum(Terms, Value),
}

impl Int {
    pub(crate) fn depth(&self) -> u32 {
        match self {
            Self::Constant(_) => 0,
            Self::Atom(atom) => atom.depth(),
            Self::Sum(terms, _) => depth(terms),
        }
    }

    /// Returns the terms and the constant of the expression, multiplied by a factor.
    fn scaled(&self, factor: Value) -> Result<(Vec<(Value, Atom)>, Value), Overflow> {
        Ok(match self {
            Self::Constant(value) => (Vec::new(), value.checked_mul(factor).ok_or(Overflow)?),
            Self::Atom(atom) => (vec![(factor, atom.clone())], 0),
            Self::Sum(terms, constant) => {
                let constant = constant.checked_mul(factor).ok_or(Overflow)?;
                let scale =
                    |(weight, atom): &(Value, Atom)| Some((weight.checked_mul(factor)?, atom.clone()));
                let terms: Option<Vec<_>> = terms.read(|terms| terms.iter().map(scale).collect());
                (terms.ok_or(Overflow)?, constant)
            }
        })
    }

    pub(crate) fn times(&self, factor: Value) -> Result<Self, Overflow> {
        Ok(match self.scaled(factor)? {
            (terms, constant) if terms.is_empty() => Self::Constant(constant),
            (terms, constant) => Self::Sum(Prefix::new(terms), constant),
        })
    }

    /// Returns the sum of this expression and a multiple of another one.
    pub(crate) fn plus(&self, factor: Value, other: &Self) -> Result<Self, Overflow> {
        if let (Self::Sum(terms, constant), Self::Constant(value)) = (self, other) {
            let added = value.checked_mul(factor).and_then(|value| constant.checked_add(value));
            return Ok(Self::Sum(terms.clone(), added.ok_or(Overflow)?));
        }
        let (more, added) = other.scaled(factor)?;
        Ok(match self {
            Self::Sum(terms, constant) => {
                Self::Sum(terms.extended(more), constant.checked_add(added).ok_or(Overflow)?)
            }
            Self::Constant(constant) if more.is_empty() => {
                Self::Constant(constant.checked_add(added).ok_or(Overflow)?)
            }
            Self::Constant(constant) => {
                Self::Sum(Prefix::new(more), constant.checked_add(added).ok_or(Overflow)?)
            }
            Self::Atom(atom) => {
                let mut terms = Vec::with_capacity(1 + more.len());
                terms.push((1, atom.clone()));
                terms.extend(more);
                Self::Sum(Prefix::new(terms), added)
            }
        })
    }

    /// Returns the sum as terms and a constant.
    pub(crate) fn into_sum(self) -> (Terms, Value) {
        match self {
            Self::Constant(value) => (Prefix::new(Vec::new()), value),
            Self::Atom(atom) => (Prefix::new(vec![(1, atom)]), 0),
            Self::Sum(terms, constant) => (terms, constant),
        }
    }
}

fn depth(terms: &Terms) -> u32 {
    terms.read(|terms| terms.iter().map(|(_, atom)| atom.depth()).max().unwrap_or(0))
}

/// A comparison with a constant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
}

impl Comparison {
    pub(crate) fn negated_bound(self, bound: Value) -> Option<(Self, Value)> {
        Some(match self {
            Self::Equal => (Self::NotEqual, bound),
            Self::NotEqual => (Self::Equal, bound),
            Self::AtMost => (Self::AtLeast, bound.checked_add(1)?),
            Self::AtLeast => (Self::AtMost, bound.checked_sub(1)?),
        })
    }
}

/// A Boolean expression.
#[derive(Debug)]
pub(crate) struct Bool {
    pub(crate) node: BoolNode,
    pub(crate) depth: u32,
}

#[derive(Debug)]
pub(crate) enum BoolNode {
    Constant(bool),
    Var(Arc<Var>),
    Not(Arc<Bool>),
    /// The sum of the terms is compared with the bound.
    Compare(Terms, Comparison, Value),
    And(Prefix<Arc<Bool>>),
    Or(Prefix<Arc<Bool>>),
    /// An odd number of the expressions holds.
    Xor(Vec<Arc<Bool>>),
    /// A constraint of the FlatZinc library by name.
    Relation(Relation),
}

/// A constraint by its name in FlatZinc, with its arguments.
#[derive(Debug)]
pub(crate) struct Relation {
    pub(crate) name: Arc<str>,
    /// The name in Python, for texts.
    pub(crate) shown: Arc<str>,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument of a constraint or function.
#[derive(Debug, Clone)]
pub(crate) enum Argument {
    Int(Int),
    Ints(Vec<Int>),
    Bool(Arc<Bool>),
    Bools(Vec<Arc<Bool>>),
    Set(Arc<Domain>),
    Value(Value),
    Values(Arc<[Value]>),
    /// The entries of a table. `None` stands for any value.
    Entries(Arc<[Option<Value>]>),
}

impl Argument {
    fn depth(&self) -> u32 {
        match self {
            Self::Int(int) => int.depth(),
            Self::Ints(ints) => ints.iter().map(Int::depth).max().unwrap_or(0),
            Self::Bool(node) => node.depth,
            Self::Bools(nodes) => nodes.iter().map(|node| node.depth).max().unwrap_or(0),
            Self::Set(_) | Self::Value(_) | Self::Values(_) | Self::Entries(_) => 0,
        }
    }
}

/// A function of integers. Its value is a new variable of the instance.
#[derive(Debug)]
pub(crate) struct Function {
    pub(crate) node: FunctionNode,
    pub(crate) depth: u32,
}

#[derive(Debug)]
pub(crate) enum FunctionNode {
    Absolute(Int),
    Times(Int, Int),
    /// The quotient, rounded towards zero.
    Divide(Int, Int),
    /// The remainder of [`FunctionNode::Divide`].
    Remainder(Int, Int),
    /// The quotient, rounded down.
    FloorDivide(Int, Int),
    /// The remainder of [`FunctionNode::FloorDivide`].
    FloorRemainder(Int, Int),
    Power(Int, Int),
    Maximum(Vec<Int>),
    Minimum(Vec<Int>),
    /// The element of a list at an index that starts at 0.
    Element(Vec<Int>, Int),
    /// How many of the expressions have the value.
    Count(Vec<Int>, Int),
    /// How many of the expressions have a value in the set.
    Among(Vec<Int>, Arc<Domain>),
}

impl Function {
    pub(crate) fn new(node: FunctionNode) -> Self {
        let most = |ints: &[Int]| ints.iter().map(Int::depth).max().unwrap_or(0);
        let depth = match &node {
            FunctionNode::Absolute(x) => x.depth(),
            FunctionNode::Times(x, y)
            | FunctionNode::Divide(x, y)
            | FunctionNode::Remainder(x, y)
            | FunctionNode::FloorDivide(x, y)
            | FunctionNode::FloorRemainder(x, y)
            | FunctionNode::Power(x, y) => x.depth().max(y.depth()),
            FunctionNode::Maximum(list) | FunctionNode::Minimum(list) | FunctionNode::Among(list, _) => {
                most(list)
            }
            FunctionNode::Element(list, x) | FunctionNode::Count(list, x) => most(list).max(x.depth()),
        };
        Self { node, depth: depth + 1 }
    }
}

impl Bool {
    pub(crate) fn new(node: BoolNode) -> Arc<Self> {
        let most = |nodes: &[Arc<Bool>]| nodes.iter().map(|node| node.depth).max().unwrap_or(0);
        let depth = match &node {
            BoolNode::Constant(_) | BoolNode::Var(_) => 0,
            BoolNode::Not(inner) => inner.depth + 1,
            BoolNode::Compare(terms, ..) => depth(terms) + 1,
            BoolNode::And(list) | BoolNode::Or(list) => list.read(most) + 1,
            BoolNode::Xor(list) => most(list) + 1,
            BoolNode::Relation(relation) => {
                relation.arguments.iter().map(Argument::depth).max().unwrap_or(0) + 1
            }
        };
        Arc::new(Self { node, depth })
    }

    pub(crate) fn constant(value: bool) -> Arc<Self> {
        Self::new(BoolNode::Constant(value))
    }

    pub(crate) fn not(node: &Arc<Self>) -> Arc<Self> {
        match &node.node {
            BoolNode::Not(inner) => Arc::clone(inner),
            BoolNode::Constant(value) => Self::constant(!value),
            _ => Self::new(BoolNode::Not(Arc::clone(node))),
        }
    }

    /// Returns the conjunction (`and` is true) or the disjunction of two expressions. The operands of a conjunction of
    /// conjunctions are one list.
    pub(crate) fn junction(and: bool, left: &Arc<Self>, right: &Arc<Self>) -> Arc<Self> {
        let list = match (&left.node, and) {
            (BoolNode::And(list), true) | (BoolNode::Or(list), false) => list.extended([Arc::clone(right)]),
            _ => Prefix::new(vec![Arc::clone(left), Arc::clone(right)]),
        };
        let depth = left.depth.max(right.depth + 1).max(1);
        Arc::new(Self { node: if and { BoolNode::And(list) } else { BoolNode::Or(list) }, depth })
    }
}

/// Writes a list, with an ellipsis if it is long.
fn list<T: Display>(f: &mut Formatter<'_>, items: &[T], between: &str) -> fmt::Result {
    const LONGEST: usize = 12;
    for (index, item) in items.iter().take(LONGEST).enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        write!(f, "{item}")?;
    }
    if items.len() > LONGEST { write!(f, "{between}...") } else { Ok(()) }
}

struct Bracketed<'a, T>(&'a [T]);

impl<T: Display> Display for Bracketed<'_, T> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        list(f, self.0, ", ")?;
        f.write_str("]")
    }
}

impl Display for Atom {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Var(var) => f.write_str(&var.name),
            Self::Function(function) => function.fmt(f),
            Self::Bool(node) => Operand(node).fmt(f),
        }
    }
}

struct Sum<'a>(&'a [(Value, Atom)], Value);

impl Display for Sum<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 12;
        for (index, (weight, atom)) in self.0.iter().take(LONGEST).enumerate() {
            let sign = match (index, *weight < 0) {
                (0, false) => "",
                (0, true) => "-",
                (_, false) => " + ",
                (_, true) => " - ",
            };
            match weight.unsigned_abs() {
                1 => write!(f, "{sign}{atom}")?,
                weight => write!(f, "{sign}{weight}*{atom}")?,
            }
        }
        if self.0.len() > LONGEST {
            f.write_str(" + ...")?;
        }
        match (self.0.is_empty(), self.1) {
            (true, constant) => write!(f, "{constant}"),
            (false, 0) => Ok(()),
            (false, constant) if constant < 0 => write!(f, " - {}", constant.unsigned_abs()),
            (false, constant) => write!(f, " + {constant}"),
        }
    }
}

impl Display for Int {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(value) => value.fmt(f),
            Self::Atom(atom) => atom.fmt(f),
            Self::Sum(terms, constant) => terms.read(|terms| Sum(terms, *constant).fmt(f)),
        }
    }
}

/// An integer expression in parentheses, unless it is a constant or a single name.
struct Factor<'a>(&'a Int);

impl Display for Factor<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Int::Sum(..) => write!(f, "({})", self.0),
            int => int.fmt(f),
        }
    }
}

impl Display for Function {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.node {
            FunctionNode::Absolute(x) => write!(f, "abs({x})"),
            FunctionNode::Times(x, y) => write!(f, "{} * {}", Factor(x), Factor(y)),
            FunctionNode::Divide(x, y) => write!(f, "div({x}, {y})"),
            FunctionNode::Remainder(x, y) => write!(f, "rem({x}, {y})"),
            FunctionNode::FloorDivide(x, y) => write!(f, "{} // {}", Factor(x), Factor(y)),
            FunctionNode::FloorRemainder(x, y) => write!(f, "{} % {}", Factor(x), Factor(y)),
            FunctionNode::Power(x, y) => write!(f, "{} ** {}", Factor(x), Factor(y)),
            FunctionNode::Maximum(list) => write!(f, "maximum({})", Bracketed(list)),
            FunctionNode::Minimum(list) => write!(f, "minimum({})", Bracketed(list)),
            FunctionNode::Element(list, x) => write!(f, "element({}, {x})", Bracketed(list)),
            FunctionNode::Count(list, x) => write!(f, "count({}, {x})", Bracketed(list)),
            FunctionNode::Among(list, set) => write!(f, "among({}, {})", Bracketed(list), Set(set)),
        }
    }
}

/// A Boolean expression as an operand: in parentheses, unless it is a single name or a call.
struct Operand<'a>(&'a Bool);

impl Display for Operand<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.node {
            BoolNode::Constant(_) | BoolNode::Var(_) | BoolNode::Not(_) | BoolNode::Relation(_) => {
                self.0.fmt(f)
            }
            _ => write!(f, "({})", self.0),
        }
    }
}

impl Display for Bool {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let operands = |f: &mut Formatter<'_>, nodes: &[Arc<Bool>], between| {
            let operands: Vec<_> = nodes.iter().map(|node| Operand(node)).collect();
            list(f, &operands, between)
        };
        match &self.node {
            BoolNode::Constant(true) => f.write_str("True"),
            BoolNode::Constant(false) => f.write_str("False"),
            BoolNode::Var(var) => f.write_str(&var.name),
            BoolNode::Not(inner) => write!(f, "~{}", Operand(inner)),
            BoolNode::Compare(terms, comparison, bound) => {
                let sign = match comparison {
                    Comparison::Equal => "==",
                    Comparison::NotEqual => "!=",
                    Comparison::AtMost => "<=",
                    Comparison::AtLeast => ">=",
                };
                terms.read(|terms| write!(f, "{} {sign} {bound}", Sum(terms, 0)))
            }
            BoolNode::And(list) => list.read(|list| operands(f, list, " & ")),
            BoolNode::Or(list) => list.read(|list| operands(f, list, " | ")),
            BoolNode::Xor(list) => operands(f, list, " ^ "),
            BoolNode::Relation(relation) => {
                write!(f, "{}(", relation.shown)?;
                list(f, &relation.arguments, ", ")?;
                f.write_str(")")
            }
        }
    }
}

struct Set<'a>(&'a Domain);

impl Display for Set<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, (first, last)) in self.0.intervals().enumerate() {
            let between = if index > 0 { ", " } else { "" };
            if first == last {
                write!(f, "{between}{first}")?;
            } else {
                write!(f, "{between}{first}..{last}")?;
            }
        }
        f.write_str("}")
    }
}

impl Display for Argument {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => int.fmt(f),
            Self::Ints(ints) => Bracketed(ints).fmt(f),
            Self::Bool(node) => node.fmt(f),
            Self::Bools(nodes) => Bracketed(nodes).fmt(f),
            Self::Set(set) => Set(set).fmt(f),
            Self::Value(value) => value.fmt(f),
            Self::Values(values) => Bracketed(values).fmt(f),
            Self::Entries(entries) => write!(f, "[{} entries]", entries.len()),
        }
    }
}
