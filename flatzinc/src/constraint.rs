//! Typed constraints, into which the calls of an instance are converted.
//!
//! The [table of builtins](crate::builtins) turns each [`Call`](crate::instance::Call) into a [`Constraint`]. Presolve
//! and translation work on these few types instead of on the names. Booleans are integers with the domain 0..1.

use std::sync::Arc;

use gordian_encodings::constraint::Comparison;
use gordian_encodings::{Domain, Value};

use crate::instance::{Operand, Place, VarId};

/// An operand of a typed constraint. Booleans have the values 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ref {
    /// A constant.
    Const(Value),
    /// A variable.
    Var(VarId),
    /// `1 - x`, the negation of a variable with values 0 and 1.
    Not(VarId),
}

impl Ref {
    /// Returns the variable, or `None` for a constant.
    pub(crate) fn variable(self) -> Option<VarId> {
        match self {
            Self::Const(_) => None,
            Self::Var(x) | Self::Not(x) => Some(x),
        }
    }
}

/// The negation of an operand with values 0 and 1.
impl std::ops::Not for Ref {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Const(value) => Self::Const(1 - value),
            Self::Var(x) => Self::Not(x),
            Self::Not(x) => Self::Var(x),
        }
    }
}

/// The condition under which a relation holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum When {
    /// The relation always holds.
    Always,
    /// The literal implies the relation.
    If(Ref),
    /// The literal is equivalent to the relation.
    Iff(Ref),
}

impl When {
    /// Returns the literal of the condition, if any.
    pub(crate) fn condition(self) -> Option<Ref> {
        match self {
            Self::Always => None,
            Self::If(condition) | Self::Iff(condition) => Some(condition),
        }
    }
}

/// A constraint of the instance.
#[derive(Debug, Clone)]
pub(crate) struct Constraint {
    /// The relation between the operands.
    pub(crate) relation: Relation,
    /// The condition of the relation.
    pub(crate) when: When,
    /// The name and location of the call, for error messages.
    pub(crate) origin: Origin,
}

/// The name and location of a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    /// The name of the constraint.
    pub name: Arc<str>,
    /// The location in the input.
    pub place: Place,
}

/// A sum compared with a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(Value, Ref)>,
    pub(crate) comparison: Comparison,
    pub(crate) bound: Value,
}

/// A relation between operands.
#[derive(Debug, Clone)]
pub(crate) enum Relation {
    /// At least one of the literals holds.
    Clause(Vec<Ref>),
    /// All literals hold.
    And(Vec<Ref>),
    /// The number of true literals is odd if the flag is true, and even if it is false.
    Parity(Vec<Ref>, bool),
    /// A sum is at most, equal to or different from a bound.
    Sum(Sum),
    /// The value is in the set.
    In(Ref, Arc<Domain>),
    /// `x y = z`.
    Product([Ref; 3]),
    /// `x div y = z`, rounded towards 0. The relation does not hold for `y = 0`.
    Quotient([Ref; 3]),
    /// `x mod y = z`, where z is 0 or has the sign of x. The relation does not hold for `y = 0`.
    Remainder([Ref; 3]),
    /// `x ^ y = z`. For `y < 0`, z is `1 div x ^ -y`, and the relation does not hold for `x = 0`.
    Power([Ref; 3]),
    /// `|x| = y`.
    Absolute([Ref; 2]),
    /// The value is the maximum (or minimum) of the operands.
    Extremum { of: Vec<Ref>, value: Ref, greatest: bool },
    /// `value = array[index]`. The first element has the index `first`.
    Element { index: Ref, first: Value, array: Arc<[Operand]>, value: Ref },
    /// The operands are pairwise different, except that several operands may have the same value of the set.
    AllDifferent(Vec<Ref>, Arc<Domain>),
    /// The columns equal one of the rows. The rows are stored in one list.
    Table(Vec<Ref>, Arc<[Operand]>),
    /// The number of operands that equal `value` compares with `times`.
    Count { of: Vec<Ref>, value: Ref, comparison: Comparison, times: Ref },
    /// The number of operands in the set equals `times`.
    Among { of: Vec<Ref>, values: Arc<Domain>, times: Ref },
    /// The first list is lexicographically smaller than the second, or (unless `strict`) equal to it.
    Lexicographic { left: Vec<Ref>, right: Vec<Ref>, strict: bool },
    /// `left[i] = j` exactly if `right[j] = i`. The lists start with the given indices.
    Inverse { left: Vec<Ref>, right: Vec<Ref>, first: [Value; 2] },
    /// The successors form a cycle through all nodes. The first node has the given number.
    Circuit(Vec<Ref>, Value),
    /// At every time, the demands of the tasks that run are within the capacity. A task has a start, a duration and a
    /// demand; negative durations and demands count as 0.
    Cumulative { tasks: Vec<[Ref; 3]>, capacity: Ref },
    /// All of the relations hold.
    All(Vec<Relation>),
}

impl Relation {
    /// Returns the relation `left <comparison> right + bound`.
    pub(crate) fn compare(left: Ref, comparison: Comparison, right: Ref, bound: Value) -> Self {
        Self::Sum(Sum { terms: vec![(1, left), (-1, right)], comparison, bound })
    }

    /// Calls `visit` for each operand. An operand may occur more than once.
    pub(crate) fn operands(&self, visit: &mut dyn FnMut(Ref)) {
        let mut all = |list: &[Ref]| list.iter().for_each(|&x| visit(x));
        match self {
            Self::Clause(list)
            | Self::And(list)
            | Self::Parity(list, _)
            | Self::AllDifferent(list, _)
            | Self::Circuit(list, _)
            | Self::Table(list, _) => all(list),
            Self::Sum(sum) => sum.terms.iter().for_each(|&(_, x)| visit(x)),
            Self::In(x, _) => visit(*x),
            Self::Product(list) | Self::Quotient(list) | Self::Remainder(list) | Self::Power(list) => {
                all(list);
            }
            Self::Absolute(list) => all(list),
            Self::Extremum { of, value, .. } => {
                all(of);
                visit(*value);
            }
            Self::Element { index, array, value, .. } => {
                visit(*index);
                visit(*value);
                array.iter().for_each(|element| visit(Ref::of(element)));
            }
            Self::Count { of, value, times, .. } => {
                all(of);
                all(&[*value, *times]);
            }
            Self::Among { of, times, .. } => {
                all(of);
                visit(*times);
            }
            Self::Lexicographic { left, right, .. } | Self::Inverse { left, right, .. } => {
                all(left);
                all(right);
            }
            Self::Cumulative { tasks, capacity } => {
                all(tasks.as_flattened());
                visit(*capacity);
            }
            Self::All(relations) => relations.iter().for_each(|relation| relation.operands(visit)),
        }
    }
}

impl Ref {
    /// Converts an operand. The table of builtins excludes sets here, so a set becomes 0.
    pub(crate) fn of(operand: &Operand) -> Self {
        match *operand {
            Operand::Bool(value) => Self::Const(Value::from(value)),
            Operand::Int(value) => Self::Const(value),
            Operand::Var(x) => Self::Var(x),
            Operand::Set(_) => Self::Const(0),
        }
    }
}
