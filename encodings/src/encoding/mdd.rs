//! Encodes linear constraints with multi-valued decision diagrams: a layered graph (`layered_graph.rs`) of the
//! partial sums.
//!
//! A state is a partial sum that does not decide whether the constraint holds. All partial sums for which the
//! constraint certainly holds form one state. An equality needs only one graph; the encoding by
//! [`decision_diagram`](super::decision_diagram) needs two diagrams.
//!
//! Example: for `x + y = 3` with x and y from 1 to 2, the states after x are 1 and 2, with the literals `x=1` and
//! `x=2`. The clauses are `x=1 -> y=2`, `y=2 -> x=1`, `x=2 -> y=1`, `y=1 -> x=2`.
//!
//! Size: O(n d s) variables and clauses for n terms of d values and s partial sums, as for `layered_graph.rs`.
//! Strength: domain consistent for every comparison. The encoding preserves the number of solutions.
//!
//! A clause for an edge may be redundant because the edge shares the literal of a state, or because every path from
//! the next state leads to a solution.
//!
//! Paper: Abio, Gange, Mayer-Eichberger, Stuckey: *On CNF encodings of decision diagrams*, CPAIOR 2016.
//!
//! Unlike in the paper, states and edges share literals, as described in `layered_graph.rs`.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::mdd::MDD;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 2)));
//! model.post(Linear::equal([(1, x.into()), (1, y.into())], 3));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&MDD), &mut cnf);
//! // Variable 1 is `x <= 1`, which is also `x = 1`; 2 is the same for y.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-2 -1 0", "2 1 0", "-1 -2 0", "1 2 0"]);
//! ```

use super::inequality::write_trivial;
use super::{Encoding, ModelCount, Strength, layered_graph};
use crate::constraint::{Comparison, Linear, Term};
use crate::int::{Domains, Value};
use crate::sink::Sink;

/// Encodes linear constraints with multi-valued decision diagrams.
pub static MDD: Encoding<Linear> = Encoding {
    name: "mdd",
    paper: "Abio, Gange, Mayer-Eichberger, Stuckey: On CNF encodings of decision diagrams, CPAIOR 2016",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies: |linear, domains| fits(linear, domains, MAX_EDGES),
    encode,
};

/// The encoding applies if the diagram has at most this many edges.
const MAX_EDGES: usize = 1 << 20;

/// Returns whether the diagram of a linear constraint has at most `limit` edges.
pub(crate) fn fits(linear: &Linear, domains: Domains<'_>, limit: usize) -> bool {
    if linear.terms.iter().any(|&(_, term)| term.values(domains) > limit as u128) {
        return false;
    }
    let sorted = sorted(linear, domains);
    layered_graph::fits(&layers(&sorted, domains), 0, step(&sorted, domains), limit)
}

/// Returns the possible values of each term's variable.
fn layers(linear: &Linear, domains: Domains<'_>) -> Vec<Vec<Value>> {
    let values = |term| match term {
        Term::Int(x) => domains.of(x).values().collect(),
        Term::Lit(_) => vec![0, 1],
    };
    linear.terms.iter().map(|&(_, term)| values(term)).collect()
}

/// Sorts the terms in descending order of the difference between their maximum and minimum. Later layers then have few
/// states.
fn sorted(linear: &Linear, domains: Domains<'_>) -> Linear {
    let mut sorted = linear.clone();
    sorted.terms.sort_by_key(|&(coefficient, term)| std::cmp::Reverse(term.spread(coefficient, domains)));
    sorted
}

/// Returns the transition function, which maps the index of a term, a partial sum and a value to the next partial
/// sum.
fn step(linear: &Linear, domains: Domains<'_>) -> impl Fn(usize, &Value, Value) -> Option<Value> + use<> {
    let Linear { terms, comparison, bound } = linear.clone();
    // For each position, the minimum and the maximum sum of the terms from this position on.
    let mut rest = vec![(0, 0); terms.len() + 1];
    for (index, &(coefficient, term)) in terms.iter().enumerate().rev() {
        let (low, high) = term.range(domains);
        let (a, b) = (coefficient * low, coefficient * high);
        rest[index] = (rest[index + 1].0 + a.min(b), rest[index + 1].1 + a.max(b));
    }
    move |number, &sum, value| {
        let sum = sum + terms[number].0 * value;
        let (low, high) = (sum + rest[number + 1].0, sum + rest[number + 1].1);
        // If the comparison certainly holds for several sums, the sum nearest to the bound represents all of them.
        let (never, always) = match comparison {
            Comparison::AtMost => (low > bound, (high <= bound).then(|| bound - rest[number + 1].1)),
            Comparison::AtLeast => (high < bound, (low >= bound).then(|| bound - rest[number + 1].0)),
            Comparison::Equal => (low > bound || high < bound, None),
            Comparison::NotEqual => (
                low == bound && high == bound,
                (low > bound || high < bound).then_some(bound - rest[number + 1].0 + 1),
            ),
        };
        (!never).then(|| always.unwrap_or(sum))
    }
}

fn encode(linear: &Linear, sink: &mut Sink<'_>) {
    if write_trivial(linear, sink) {
        return;
    }
    let sorted = sorted(linear, sink.domains());
    let step = step(&sorted, sink.domains());
    let layers: Vec<layered_graph::Layer> =
        sorted.terms.iter().map(|&(_, term)| layered_graph::layer(term, sink)).collect();
    layered_graph::encode(&layers, 0, step, sink);
}
