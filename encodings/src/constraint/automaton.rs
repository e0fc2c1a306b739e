//! Finite automata.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};

/// A finite automaton accepts (or rejects) the sequence of values of the expressions. The automaton may be
/// nondeterministic: it accepts a sequence if it has a run on the sequence that ends in an accepting state. (In
/// constraint programming, this is the constraint `regular`.)
///
/// ```
/// use gordian_encodings::constraint::Automaton;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// // Shifts of 0 (free) and 1 (work): never work three days in a row.
/// let mut model = Model::new();
/// let days = model.integers::<4>(0..=1);
/// let transitions = [(0, 0, 0), (0, 1, 1), (1, 0, 0), (1, 1, 2), (2, 0, 0)];
/// model.post(Automaton::new(days, 0, transitions, [0, 1, 2]));
/// assert!(model.holds(&Assignment::new(vec![], vec![1, 1, 0, 1])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![0, 1, 1, 1])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Automaton {
    /// The expressions whose values form the sequence.
    pub exprs: Vec<Expr>,
    /// The start state of the automaton.
    pub start: usize,
    /// The transitions, each with its source state, its value and its target state.
    pub transitions: Vec<(usize, Value, usize)>,
    /// The accepting states.
    pub accepting: Vec<usize>,
    /// True if the automaton must accept the sequence, false if it must reject it.
    pub accepts: bool,
}

impl Automaton {
    /// Creates the constraint that the automaton accepts the values of the expressions.
    pub fn new(
        exprs: impl IntoIterator<Item: Into<Expr>>,
        start: usize,
        transitions: impl Into<Vec<(usize, Value, usize)>>,
        accepting: impl Into<Vec<usize>>,
    ) -> Self {
        let exprs = exprs.into_iter().map(Into::into).collect();
        Self { exprs, start, transitions: transitions.into(), accepting: accepting.into(), accepts: true }
    }

    /// Returns the transition table, which lists the possible next states for each state and value.
    pub(crate) fn table(&self) -> FxHashMap<(usize, Value), Vec<usize>> {
        let mut table: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for &(from, value, to) in &self.transitions {
            table.entry((from, value)).or_default().push(to);
        }
        table
    }

    /// Returns whether at least one of the given states is accepting.
    pub(crate) fn is_accepted(&self, states: &BTreeSet<usize>) -> bool {
        self.accepting.iter().any(|state| states.contains(state))
    }
}

/// Returns the states that the automaton can reach from any of the given states by reading `value`.
pub(crate) fn successors(
    table: &FxHashMap<(usize, Value), Vec<usize>>,
    states: &BTreeSet<usize>,
    value: Value,
) -> BTreeSet<usize> {
    states.iter().filter_map(|&state| table.get(&(state, value))).flatten().copied().collect()
}

impl Constraint for Automaton {
    fn scope(&self) -> Scope {
        Scope::of_exprs(&self.exprs)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let table = self.table();
        let values = self.exprs.iter().map(|expr| assignment.value(expr));
        let states =
            values.fold(BTreeSet::from([self.start]), |states, value| successors(&table, &states, value));
        self.is_accepted(&states) == self.accepts
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { accepts: !self.accepts, ..self.clone() })
    }
}
