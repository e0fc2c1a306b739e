//! Typed constraints, converted from the calls of an instance.
//!
//! The [table of builtins](crate::builtins) converts each [`Call`](crate::instance::Call) to a [`Constraint`].
//! Therefore, presolve and translation handle only a few types of relations instead of the many constraint names of
//! FlatZinc. Booleans are integers with the domain 0..1.

use std::sync::Arc;

use gordian_encodings::constraint::Comparison;
use gordian_encodings::{Domain, Value};

use crate::instance::{Operand, Origin, VarId};

/// An operand of a typed constraint. Booleans have the values 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Ref {
    /// A constant.
    Const(Value),
    /// A variable.
    Var(VarId),
    /// `1 - x`: the negation of a variable whose values are 0 and 1.
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

/// Negates an operand whose values are 0 and 1.
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
    /// The relation always holds, without a condition.
    Always,
    /// The literal implies the relation.
    If(Ref),
    /// The literal is equivalent to the relation.
    Iff(Ref),
}

impl When {
    /// Returns the literal of the condition, or `None` if the relation always holds.
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
    /// The condition under which the relation holds.
    pub(crate) when: When,
    /// True if the call has the annotation `domain`, which requests domain consistency.
    pub(crate) domain_consistent: bool,
    /// The name and location of the call in the input, for error messages.
    pub(crate) origin: Origin,
}

/// A sum compared with a bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) terms: Vec<(Value, Ref)>,
    pub(crate) comparison: Comparison,
    pub(crate) bound: Value,
}

/// A finite automaton, which may be nondeterministic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Automaton {
    /// The start state.
    pub(crate) start: usize,
    /// The transitions, each as a triple: state, value, next state.
    pub(crate) transitions: Vec<(usize, Value, usize)>,
    /// The accepting states.
    pub(crate) accepting: Vec<usize>,
}

/// A relation between operands.
#[derive(Debug, Clone)]
pub(crate) enum Relation {
    /// A clause: at least one of the literals holds.
    Clause(Vec<Ref>),
    /// A conjunction: all literals hold.
    And(Vec<Ref>),
    /// A parity constraint: the number of true literals is odd if the flag is true, and even otherwise.
    Parity(Vec<Ref>, bool),
    /// A comparison of a sum with a bound.
    Sum(Sum),
    /// The operand has a value in the set.
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
    /// `value` is the maximum (or minimum) of the operands.
    MinMax { of: Vec<Ref>, value: Ref, greatest: bool },
    /// `value = array[index]`, where `first` is the index of the first element.
    Element { index: Ref, first: Value, array: Arc<[Operand]>, value: Ref },
    /// The operands have pairwise different values, but each value in the set may occur several times.
    AllDifferent(Vec<Ref>, Arc<Domain>),
    /// The operands equal one of the rows of the table. The rows are concatenated in one list.
    Table(Vec<Ref>, Arc<[Operand]>),
    /// The total weight of the operands equal to `value` satisfies the comparison with `times`. Each operand is preceded by
    /// its weight; if all weights are 1, the total weight is the number of these operands.
    Count { of: Vec<(Value, Ref)>, value: Ref, comparison: Comparison, times: Ref },
    /// The number of operands with a value in the set equals `times`.
    Among { of: Vec<Ref>, values: Arc<Domain>, times: Ref },
    /// The list `left` is lexicographically smaller than the list `right`; if `strict` is false, the lists may also be
    /// equal.
    Lexicographic { left: Vec<Ref>, right: Vec<Ref>, strict: bool },
    /// `left[i] = j` if and only if `right[j] = i`. `first` contains the index of the first element of each list.
    Inverse { left: Vec<Ref>, right: Vec<Ref>, first: [Value; 2] },
    /// The successors form a circuit through all nodes, where `first` is the index of the first node. If `optional`
    /// is true, nodes that are their own successors are not part of the circuit.
    Circuit { successors: Vec<Ref>, first: Value, optional: bool },
    /// The vertices whose literals hold induce a connected subgraph of the graph with the given edges. The empty set and
    /// single vertices are connected.
    Connected { vertices: Vec<Ref>, edges: Vec<(usize, usize)> },
    /// The automaton accepts the sequence of operands.
    Automaton(Vec<Ref>, Arc<Automaton>),
    /// Value precedence: an operand may have a value of the chain only if an earlier operand has the preceding value
    /// of the chain.
    ValuePrecedence(Vec<Ref>, Arc<[Value]>),
    /// At every time, the total demand of the running tasks is at most the capacity. A task has a start, a duration and
    /// a demand; negative durations and demands are treated as 0.
    Cumulative { tasks: Vec<[Ref; 3]>, capacity: Ref },
    /// No two tasks overlap. A task has a start and a nonnegative duration. If `strict` is false, tasks of duration 0
    /// may overlap others. For a pair (i, j) with a literal, task i must precede task j if the literal is true, and
    /// task j must precede task i otherwise.
    Disjunctive { tasks: Vec<[Ref; 2]>, precedes: Vec<((usize, usize), Ref)>, strict: bool },
    /// No two boxes overlap. A box has an origin and a size in each dimension. If `strict` is false, boxes of size 0 in some
    /// dimension may overlap others.
    Diffn { boxes: Vec<Vec<[Ref; 2]>>, strict: bool },
    /// The conjunction of several relations.
    All(Vec<Relation>),
}

impl Relation {
    /// Returns the relation `left <comparison> right + bound`.
    pub(crate) fn compare(left: Ref, comparison: Comparison, right: Ref, bound: Value) -> Self {
        Self::Sum(Sum { terms: vec![(1, left), (-1, right)], comparison, bound })
    }

    /// Calls `visit` for each operand of the relation. An operand may occur more than once.
    pub(crate) fn operands(&self, visit: &mut dyn FnMut(Ref)) {
        let mut all = |list: &[Ref]| list.iter().for_each(|&x| visit(x));
        match self {
            Self::Clause(list)
            | Self::And(list)
            | Self::Parity(list, _)
            | Self::AllDifferent(list, _)
            | Self::Circuit { successors: list, .. }
            | Self::Connected { vertices: list, .. }
            | Self::Automaton(list, _)
            | Self::ValuePrecedence(list, _)
            | Self::Table(list, _) => all(list),
            Self::Sum(sum) => sum.terms.iter().for_each(|&(_, x)| visit(x)),
            Self::In(x, _) => visit(*x),
            Self::Product(list) | Self::Quotient(list) | Self::Remainder(list) | Self::Power(list) => {
                all(list);
            }
            Self::Absolute(list) => all(list),
            Self::MinMax { of, value, .. } => {
                all(of);
                visit(*value);
            }
            Self::Element { index, array, value, .. } => {
                visit(*index);
                visit(*value);
                array.iter().for_each(|element| visit(Ref::of(element)));
            }
            Self::Count { of, value, times, .. } => {
                for &(_, x) in of {
                    visit(x);
                }
                visit(*value);
                visit(*times);
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
            Self::Disjunctive { tasks, precedes, .. } => {
                all(tasks.as_flattened());
                precedes.iter().map(|&(_, lit)| lit).for_each(visit);
            }
            Self::Diffn { boxes, .. } => boxes.iter().for_each(|sides| all(sides.as_flattened())),
            Self::All(relations) => relations.iter().for_each(|relation| relation.operands(visit)),
        }
    }
}

/// Returns a list of comparisons for each pair of boxes. A pair does not overlap if and only if one of its comparisons holds.
/// The arguments are the operands of [`Relation::Diffn`].
pub(crate) fn apart(boxes: &[Vec<[Ref; 2]>], strict: bool) -> impl Iterator<Item = Vec<Sum>> {
    let pairs = (0..boxes.len()).flat_map(|j| (0..j).map(move |i| [i, j]));
    pairs.map(move |pair| {
        let mut sums = Vec::new();
        let [first, second] = pair.map(|index| &boxes[index]);
        for (&[x, size], &[y, other_size]) in first.iter().zip(second) {
            for terms in [[(1, x), (1, size), (-1, y)], [(1, y), (1, other_size), (-1, x)]] {
                sums.push(Sum { terms: terms.to_vec(), comparison: Comparison::AtMost, bound: 0 });
            }
        }
        if !strict {
            let sizes = first.iter().chain(second).map(|&[_, size]| vec![(1, size)]);
            sums.extend(sizes.map(|terms| Sum { terms, comparison: Comparison::Equal, bound: 0 }));
        }
        sums
    })
}

impl Ref {
    /// Converts an operand of the input. A set never occurs as an operand, because the table of builtins rejects sets
    /// earlier.
    pub(crate) fn of(operand: &Operand) -> Self {
        match *operand {
            Operand::Bool(value) => Self::Const(Value::from(value)),
            Operand::Int(value) => Self::Const(value),
            Operand::Var(x) => Self::Var(x),
            Operand::Set(_) => Self::Const(0),
        }
    }
}
