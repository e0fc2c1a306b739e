//! Encodes constraints with the propagator that creates order literals during the search.
//!
//! * A linear constraint becomes one or two inequalities of the propagator. In a disequality, a new literal selects one
//!   of two inequalities. Under a condition, the condition becomes a term of the inequality, whose coefficient is so
//!   large that the inequality always holds if the condition is false.
//! * A minimum z of integers becomes the inequalities `z <= x` for each integer x, and the constraint that some integer
//!   is at most z. A maximum is symmetric.
//! * A cumulative resource is propagated by its timetable, with the rules of
//!   [`timetable`](crate::theory::timetable).
//!
//! The encodings apply if the solver lets propagators create literals, and if all numbers, and the sums of all terms and
//! of all demands, are less than 2^58. Integers
//! need [lazy order views](crate::view::lazy) or small domains.
//!
//! Size: no clauses, but one if the capacity of a resource can be negative; one variable for a disequality or for several
//! conditions. Strength: lazy; the propagator is bounds consistent for inequalities, minima and maxima, and checks total
//! assignments only for `=` and `!=`.
//!
//! Papers: Ohrimenko, Stuckey, Codish: *Propagation via lazy clause generation*, Constraints 14, 2009; Feydy, Stuckey:
//! *Lazy clause generation reengineered*, CP 2009; Schutt, Feydy, Stuckey, Wallace: *Explaining the cumulative
//! propagator*, Constraints 16, 2011. Unlike in the papers, explanations are not added as clauses.
//!
//! ```
//! use gordian_encodings::constraint::Linear;
//! use gordian_encodings::encoding::lazy::LINEAR;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b] = [0; 2].map(|_| model.integer(Domain::interval(0, 1_000_000)));
//! model.post(Linear::at_most([(2, a.into()), (3, b.into())], 1_000_000));
//! let mut cnf = Cnf::default();
//! let encodings = Encodings::auto().creating_literals().with(&LINEAR);
//! let mut encoded = model.encode(&encodings, &mut cnf);
//! assert_eq!((cnf.len(), encoded.take_deferred().len()), (0, 1));
//! ```

use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Comparison, Constraint, Cumulative, Linear, Maximum, MinMax, Minimum, Task};
use crate::expr::{Expr, Term};
use crate::int::{Domains, Value};
use crate::sink::Sink;
use crate::view::lazy::{fits_sum, fits_variable};

/// Encodes linear constraints with the propagator.
pub static LINEAR: Encoding<Linear> = Encoding {
    name: "lazy",
    paper: "Feydy, Stuckey: Lazy clause generation reengineered, CP 2009",
    strength: Strength::Lazy,
    count: ModelCount::Lost,
    derived: false,
    applies: linear_applies,
    encode: encode_linear,
};

/// Encodes a minimum with the propagator.
pub static MINIMUM: Encoding<Minimum> = Encoding {
    name: "lazy",
    paper: LINEAR.paper,
    strength: Strength::Lazy,
    count: ModelCount::Lost,
    derived: false,
    applies,
    encode,
};

/// Encodes a maximum with the propagator.
pub static MAXIMUM: Encoding<Maximum> = Encoding {
    name: "lazy",
    paper: LINEAR.paper,
    strength: Strength::Lazy,
    count: ModelCount::Lost,
    derived: false,
    applies,
    encode,
};

/// The times of tasks, and the sum of all demands, must be less than this number.
const GREATEST: u128 = 1 << 58;

/// Encodes a cumulative resource with the propagator.
pub static CUMULATIVE: Encoding<Cumulative> = Encoding {
    name: "lazy",
    paper: super::cumulative::TIMETABLE.paper,
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    derived: false,
    applies: |cumulative, domains| {
        let exprs = |of: fn(&Task) -> &Expr| cumulative.tasks.iter().map(of);
        let times = exprs(|task| &task.start).chain(exprs(|task| &task.duration));
        let demands = exprs(|task| &task.demand).chain([&cumulative.capacity]);
        let greatest = |expr: &Expr| {
            let domain = domains.of_expr(expr);
            domain.min().unsigned_abs().max(domain.max().unsigned_abs())
        };
        let total = demands.map(greatest).fold(0, u128::saturating_add);
        let are_small = total < GREATEST
            && times.map(greatest).all(|value| value < GREATEST)
            && cumulative.scope().ints.iter().all(|&x| fits_variable(x, domains));
        cumulative.within && domains.allows_lazy() && are_small
    },
    encode: |cumulative, sink| {
        let capacity = sink.integer_for(&cumulative.capacity);
        let is_negative = sink.at_most(capacity, -1);
        sink.clause(&[!is_negative]);
        sink.post_cumulative_lazily(cumulative);
    },
};

fn linear_applies(linear: &Linear, domains: Domains<'_>) -> bool {
    domains.allows_lazy() && fits_sum(&linear.terms, linear.bound, domains)
}

fn encode_linear(linear: &Linear, sink: &mut Sink<'_>) {
    if super::inequality::write_trivial(linear, sink) {
        return;
    }
    let Linear { terms, comparison, bound } = linear;
    let negated: Vec<(Value, Term)> = terms.iter().map(|&(factor, term)| (-factor, term)).collect();
    match comparison {
        Comparison::AtMost => sink.post_lazily(terms, *bound),
        Comparison::AtLeast => sink.post_lazily(&negated, -bound),
        Comparison::Equal => {
            sink.post_lazily(terms, *bound);
            sink.post_lazily(&negated, -bound);
        }
        Comparison::NotEqual => {
            let is_below = sink.fresh();
            sink.when(is_below).post_lazily(terms, bound - 1);
            sink.when(!is_below).post_lazily(&negated, -bound - 1);
        }
    }
}

/// Returns whether some integer has a lazy order view.
pub(crate) fn is_lazy(min_max: &impl MinMax, domains: Domains<'_>) -> bool {
    let (of, value) = min_max.exprs();
    of.iter().chain([value]).any(|expr| expr.variable().is_some_and(|x| domains.is_lazy(x)))
}

fn applies(min_max: &impl MinMax, domains: Domains<'_>) -> bool {
    let (of, _) = min_max.exprs();
    of.iter().all(|expr| linear_applies(&min_max.within(expr).normal(domains), domains))
}

fn encode<E: MinMax>(min_max: &E, sink: &mut Sink<'_>) {
    let (of, value) = min_max.exprs();
    for expr in of {
        sink.post(&min_max.within(expr));
    }
    if sink.is_conditional() || of.is_empty() {
        return super::min_max::reached_by_one(min_max, sink);
    }
    let (of, value) = (sink.integers_for(of), sink.integer_for(value));
    sink.post_some_lazily(&of, value, E::GREATEST);
}
