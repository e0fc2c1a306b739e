//! Encodings of automata: literals stand for the possible states of the automaton after each value.
//!
//! * `layered-graph`: a layered graph (`layered_graph.rs`) over the equivalent deterministic automaton, whose states
//!   are sets of states of the given automaton. A layer contains only states from which a solution can still be
//!   reached. Asymptotic size: `O(n * d * s)` for n integers with d values, where s is the maximum number of states in
//!   a layer. Strength: domain consistent.
//! * `states`: a literal for each state after each value. Let v be the value of a transition, and p the literal of the
//!   state that it leaves. The literal of a state is defined as the disjunction of `p and x=v` over all transitions
//!   into the state. After the last value, the literal of at least one accepting state must be true. If the automaton
//!   must reject, the literals of all accepting states must be false. Size for n integers, s states and t transitions:
//!   at most `n * (s + t)` variables and `n * (4 * t + s)` clauses. Strength: a consistency checker if the automaton
//!   must accept; if it must reject, checks total assignments only.
//!
//! Both encodings of automata preserve the number of solutions.
//!
//! Example: an automaton that accepts sequences without two consecutive ones can be in state 0 or in state 1 after the
//! value x. The literals of these two states are `x=0` and `x=1`, and the encoding has the clause `x=1 -> y=0` for the
//! next value y.
//!
//! In `layered-graph`, a clause for an edge may be redundant because the edge and a state share a literal, or because
//! the next state allows all sequences of the remaining values. In `states`, the clauses of states that no accepting
//! run visits are redundant.
//!
//! Paper: Pesant: *A regular language membership constraint*, CP 2004. The clauses are from Quimper, Walsh: *Global
//! grammar constraints*, CP 2006, and Bacchus: *GAC via unit propagation*, CP 2007. Unlike in these papers, the
//! automaton may be nondeterministic, and the layered graph shares literals.
//!
//! ```
//! use gordian_encodings::constraint::Automaton;
//! use gordian_encodings::encoding::automaton::LAYERED_GRAPH;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let days = model.integers::<2>(0..=1);
//! model.post(Automaton::new(days, 0, [(0, 0, 0), (0, 1, 1), (1, 0, 0)], [0, 1]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&LAYERED_GRAPH), &mut cnf);
//! // Variables 1 and 2 are the literals `x = 0` and `y = 0`: at least one of them holds.
//! assert!(cnf.iter().all(|clause| clause.len() == 2));
//! ```

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{Encoding, ModelCount, Strength, always, layered_graph};
use crate::constraint::{Automaton, successors};
use crate::int::{Domains, Value};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes automata with a layered graph over the states of the deterministic automaton.
pub static LAYERED_GRAPH: Encoding<Automaton> = Encoding {
    name: "layered-graph",
    paper: "Quimper, Walsh: Global grammar constraints, CP 2006",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: fits,
    encode,
};

/// Encodes automata with a literal for each state after each value.
pub static STATES: Encoding<Automaton> = Encoding {
    name: "states",
    paper: "Bacchus: GAC via unit propagation, CP 2007",
    strength: Strength::ConsistencyChecker,
    count: ModelCount::Kept,
    derived: false,
    applies: always,
    encode: by_states,
};

/// `layered-graph` applies to an automaton if the graph has at most this many edges.
const MOST_EDGES: usize = 1 << 20;

/// The equivalent deterministic automaton, as far as it is known. A state is the number of a set of states of the given
/// automaton. The start state is 0.
struct Deterministic {
    table: FxHashMap<(usize, Value), Vec<usize>>,
    numbers: BTreeMap<BTreeSet<usize>, usize>,
    states: Vec<State>,
}

struct State {
    set: BTreeSet<usize>,
    accepts: bool,
    /// The next state for each value.
    next: BTreeMap<Value, usize>,
}

impl Deterministic {
    fn new(automaton: &Automaton) -> Self {
        let mut new = Self { table: automaton.table(), numbers: BTreeMap::new(), states: Vec::new() };
        new.state(automaton, BTreeSet::from([automaton.start]));
        new
    }

    /// Returns the number of a set of states.
    fn state(&mut self, automaton: &Automaton, set: BTreeSet<usize>) -> usize {
        if let Some(&known) = self.numbers.get(&set) {
            return known;
        }
        let number = self.states.len();
        self.numbers.insert(set.clone(), number);
        let accepts = automaton.is_accepted(&set);
        self.states.push(State { set, accepts, next: BTreeMap::new() });
        number
    }

    /// Returns the number of the state after a state and a value.
    fn next(&mut self, automaton: &Automaton, state: usize, value: Value) -> usize {
        if let Some(&known) = self.states[state].next.get(&value) {
            return known;
        }
        let set = successors(&self.table, &self.states[state].set, value);
        let next = self.state(automaton, set);
        self.states[state].next.insert(value, next);
        next
    }
}

/// Returns the transition function of the equivalent deterministic automaton.
fn step(automaton: &Automaton) -> impl Fn(usize, &usize, Value) -> Option<usize> {
    let deterministic = RefCell::new(Deterministic::new(automaton));
    move |number, &state, value| {
        let mut deterministic = deterministic.borrow_mut();
        let next = deterministic.next(automaton, state, value);
        let State { set, accepts, .. } = &deterministic.states[next];
        let last = number + 1 == automaton.exprs.len();
        let dead = set.is_empty() && automaton.accepts;
        (!dead && (!last || *accepts == automaton.accepts)).then_some(next)
    }
}

fn fits(automaton: &Automaton, domains: Domains<'_>) -> bool {
    let domains: Vec<_> = automaton.exprs.iter().map(|expr| domains.of_expr(expr)).collect();
    let values = domains.iter().fold(0, |sum: u128, domain| sum.saturating_add(domain.size()));
    let table = automaton.table();
    if table.values().all(|next| next.len() == 1) {
        // Each state is a state of the given automaton, or the empty set.
        let states: BTreeSet<usize> =
            automaton.transitions.iter().flat_map(|&(from, _, to)| [from, to]).collect();
        if values.saturating_mul(states.len() as u128 + 2) <= MOST_EDGES as u128 {
            return true;
        }
    }
    domains.iter().all(|domain| domain.size() <= MOST_EDGES as u128) && {
        let layers: Vec<Vec<Value>> = domains.iter().map(|domain| domain.values().collect()).collect();
        layered_graph::fits(&layers, 0, step(automaton), MOST_EDGES)
    }
}

fn encode(automaton: &Automaton, sink: &mut Sink<'_>) {
    if automaton.exprs.is_empty() {
        if automaton.is_accepted(&BTreeSet::from([automaton.start])) != automaton.accepts {
            sink.clause(&[]);
        }
        return;
    }
    let ints = sink.integers_for(&automaton.exprs);
    let layers: Vec<_> = ints.into_iter().map(|x| layered_graph::layer(x, sink)).collect();
    layered_graph::encode(&layers, 0, step(automaton), sink);
}

fn by_states(automaton: &Automaton, sink: &mut Sink<'_>) {
    let mut states = BTreeMap::from([(automaton.start, TRUE)]);
    for x in sink.integers_for(&automaton.exprs) {
        let mut ways: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
        for &(from, value, to) in &automaton.transitions {
            if let Some(&before) = states.get(&from) {
                let equal = sink.equals(x, value);
                let way = sink.and(&[before, equal]);
                if way != FALSE {
                    ways.entry(to).or_default().push(way);
                }
            }
        }
        states = ways.into_iter().map(|(state, ways)| (state, sink.or(&ways))).collect();
    }
    let accepting: BTreeSet<usize> = automaton.accepting.iter().copied().collect();
    let accepting: Vec<Lit> = accepting.iter().filter_map(|state| states.get(state)).copied().collect();
    if automaton.accepts {
        return sink.clause(&accepting);
    }
    for state in accepting {
        sink.clause(&[!state]);
    }
}
