//! Frontier states: constraints as automata that read the values of their variables one by one.
//!
//! A sweep assigns the variables of a model in a fixed order. For each *state*, it counts the partial assignments
//! that lead to the state. The state of a model consists of the states of its constraints. A constraint implements
//! [`Constraint::frontier`](crate::Constraint::frontier) if its states are small. For example, the state of a
//! cardinality constraint is the number of true literals so far. The state of a connected set of vertices is a
//! partition of the *frontier* into connected components. The frontier consists of the vertices that have both
//! assigned and unassigned neighbours. For constraints without frontier states, the sweep uses their clauses.
//!
//! A [`Frontier`] does not depend on the variable order. For a given order, [`Frontier::automaton`] returns the
//! [`Automaton`].
//!
//! The definitions of the states are from Knuth: *The Art of Computer Programming* 4A, section 7.1.4 (simpath), and
//! Kawahara, Inoue, Iwashita, Minato: *Frontier-based search for enumerating all constrained subgraphs with
//! compressed representation*, IEICE Transactions 2017.

use std::fmt::Debug;

use crate::lit::{Lit, Var, constant};

mod components;
mod connected;
mod paths;
mod slots;
mod sum;

pub use components::ComponentsFrontier;
pub use connected::ConnectedFrontier;
pub use paths::PathsFrontier;
pub use sum::SumFrontier;

/// A constraint that has frontier states.
pub trait Frontier: Debug + Send + Sync {
    /// Returns the components of a state, for example one for each vertex of a graph. A component is needed only from
    /// the step that reads its first variable to the step that reads its last variable. Each variable of the constraint
    /// occurs in some component.
    fn parts(&self) -> Vec<Part>;

    /// Returns the automaton that reads the variables in the given order, or `None` if its states are too large.
    /// `order` contains each variable of the constraint once.
    fn automaton(&self, order: &[Var]) -> Option<Box<dyn Automaton>>;
}

/// A component of a constraint's state, used to estimate the number of states.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The variables that determine the component, in ascending order.
    pub variables: Vec<Var>,
    /// The binary logarithm of the component's typical number of values.
    pub bits: f64,
}

impl Part {
    /// Creates a component of a state from its literals, which may include constants and repeated variables.
    pub(crate) fn of(lits: impl IntoIterator<Item = Lit>, bits: f64) -> Self {
        let lits = lits.into_iter().filter(|&lit| constant(lit).is_none());
        let mut variables: Vec<Var> = lits.map(Lit::var).collect();
        variables.sort_unstable();
        variables.dedup();
        Self { variables, bits }
    }
}

/// A deterministic automaton that accepts the satisfying assignments of a constraint. Each state is an array of
/// bytes, always of the same length. After the last variable has been read, all bytes of the state are zero.
pub trait Automaton: Debug + Send + Sync {
    /// Returns the number of bytes of a state.
    fn width(&self) -> usize;

    /// Writes the initial state to `state`, whose bytes must be zero. Returns false if the automaton accepts no
    /// assignment.
    fn open(&self, state: &mut [u8]) -> bool;

    /// Reads the value of the variable at position `index` of the order, and replaces `state` by the next state.
    /// Returns false if the automaton rejects all assignments that extend the values read so far.
    fn read(&self, index: usize, value: bool, state: &mut [u8]) -> bool;
}

/// The times at which a sweep assigns literals. Constants are assigned at time 0, and the `t`th variable at time `t`.
struct Times {
    /// The variables in ascending order.
    variables: Vec<Var>,
    /// The position of each variable in the sweep, plus one.
    positions: Vec<usize>,
}

impl Times {
    fn new(order: &[Var]) -> Self {
        let mut sorted: Vec<(Var, usize)> = order.iter().copied().zip(1..).collect();
        sorted.sort_unstable();
        let (variables, positions) = sorted.into_iter().unzip();
        Self { variables, positions }
    }

    /// Returns the time at which a sweep assigns a literal. The time of a constant is 0. The time of any other literal
    /// is one plus the position of its variable in the order.
    fn of(&self, lit: Lit) -> usize {
        match constant(lit) {
            Some(_) => 0,
            None => self.variables.binary_search(&lit.var()).map_or(0, |at| self.positions[at]),
        }
    }

    /// Returns the number of points in time, including time 0.
    fn len(&self) -> usize {
        self.variables.len() + 1
    }
}

/// Returns whether `lit` is true if its variable has the given value.
fn holds(lit: Lit, value: bool) -> bool {
    constant(lit).unwrap_or(lit.is_pos() == value)
}
