//! Encodings of tasks that must not overlap: each pair of tasks has a literal for their order.
//!
//! For tasks i and j with the starts s and the durations d, the literal p is true if i precedes j:
//!
//! * `precedence`: `p -> s[i] + d[i] <= s[j]` and `-p -> s[j] + d[j] <= s[i]`, as linear constraints. Unless
//!   `strict` is true, both constraints apply only if both durations are positive. Size for n tasks: n(n-1)/2 variables
//!   and n(n-1) linear constraints. With order views of h values and constant durations, each of these constraints has
//!   at most h + 1 clauses. Strength: total assignments.
//! * `propagator`: a [propagator](crate::theory::disjunctive) derives the order of tasks and bounds on their starts. It
//!   also considers sets of more than two tasks (*edge finding*). The propagator needs only the order views and the
//!   literals p. Size: n(n-1)/2 variables and no clauses. Strength: lazy.
//!
//! Example of `precedence`: two tasks of duration 1 start at 0 or 1. If p holds, the first one starts at 0 and the
//! second one at 1; otherwise, it is the other way round.
//!
//! If the constraint is negated, a [disjunction](super::disjunction) requires that two tasks overlap. With
//! `Encodings::keep_count`, p is equivalent to `s[i] + d[i] <= s[j]`, which preserves the number of solutions. If a
//! duration can be negative, `precedence` replaces it by an integer that is the maximum of the duration and 0.
//!
//! Papers: Tamura, Taga, Kitagawa, Banbara: *Compiling finite linear CSP into SAT*, Constraints 14, 2009, for
//! `precedence`; Vilím: *Computation of explanations in scheduling*, CPAIOR 2005, for `propagator`. Unlike in the first
//! paper, one literal represents both orders of a pair.
//!
//! ```
//! use gordian_encodings::constraint::Disjunctive;
//! use gordian_encodings::encoding::disjunctive::PRECEDENCE;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = model.integers(0..=1);
//! model.post(Disjunctive::new([(x, 1), (y, 1)]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&PRECEDENCE), &mut cnf);
//! // Variables 1 and 2 are the literals `start <= 0`, variable 3 is p.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 1 0", "-3 -2 0", "3 -1 0", "3 2 0"]);
//! ```

use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Clause, Conjunction, Constraint, Disjunction, Disjunctive, Maximum};
use crate::expr::Expr;
use crate::int::{Domain, Domains, Value};
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;
use crate::theory::bounds::OrderedInt;
use crate::theory::disjunctive::{GREATEST, LazyDisjunctive};

/// Encodes tasks that must not overlap with two linear constraints for each pair of tasks.
pub static PRECEDENCE: Encoding<Disjunctive> = Encoding {
    name: "precedence",
    paper: "Tamura, Taga, Kitagawa, Banbara: Compiling finite linear CSP into SAT, Constraints 14, 2009",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode,
};

/// Encodes tasks that must not overlap with a propagator.
pub static PROPAGATOR: Encoding<Disjunctive> = Encoding {
    name: "propagator",
    paper: "Vilím: Computation of explanations in scheduling, CPAIOR 2005",
    strength: Strength::Lazy,
    count: ModelCount::Lost,
    derived: false,
    applies: |disjunctive, domains| {
        let is_lazy = disjunctive.scope().ints.iter().any(|&x| domains.is_lazy(x));
        disjunctive.apart && !is_lazy && ordered(disjunctive, domains) <= MOST_ORDERED
    },
    encode: defer,
};

/// `propagator` applies if the total size of the domains is at most this number.
const MOST_ORDERED: u128 = 1 << 18;

/// Returns the sum of the domain sizes of all starts and durations, or `u128::MAX` if an absolute value in a domain
/// exceeds [`GREATEST`].
fn ordered(disjunctive: &Disjunctive, domains: Domains<'_>) -> u128 {
    let size = |expr: &Expr| {
        let domain = domains.of_expr(expr);
        let greatest = domain.min().unsigned_abs().max(domain.max().unsigned_abs());
        if greatest <= GREATEST.into() { domain.size() } else { u128::MAX }
    };
    disjunctive.tasks.as_flattened().iter().map(size).fold(0, u128::saturating_add)
}

/// Returns the pairs of tasks (i, j) with i < j, without tasks that the constraint always ignores.
fn pairs(disjunctive: &Disjunctive, domains: Domains<'_>) -> Vec<(usize, usize)> {
    let matters: Vec<bool> = disjunctive
        .tasks
        .iter()
        .map(|[_, duration]| disjunctive.strict || domains.of_expr(duration).max() > 0)
        .collect();
    let pairs = (0..matters.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs.filter(|&(i, j)| matters[i] && matters[j]).collect()
}

fn encode(disjunctive: &Disjunctive, sink: &mut Sink<'_>) {
    let mut tasks = Vec::new();
    for [start, duration] in &disjunctive.tasks {
        let domain = sink.domains().of_expr(duration).into_owned();
        let duration = if domain.min() < 0 {
            let intervals = domain.intervals().map(|(first, last)| (first.max(0), last.max(0)));
            let positive = sink.integer(Domain::from_intervals(intervals));
            let maximum = Maximum::new([duration.clone(), 0.into()], positive);
            sink.always().post(&maximum);
            positive.into()
        } else {
            duration.clone()
        };
        tasks.push([start.clone(), duration]);
    }
    let positive = Disjunctive { tasks, ..disjunctive.clone() };
    if disjunctive.apart { apart(&positive, sink) } else { overlapping(&positive, sink) }
}

/// Writes the clauses for each pair of tasks. All durations must be nonnegative.
fn apart(disjunctive: &Disjunctive, sink: &mut Sink<'_>) {
    let ends: Vec<Expr> =
        disjunctive.tasks.iter().map(|[start, duration]| start.clone() + duration.clone()).collect();
    let literals = disjunctive.literals();
    for (i, j) in pairs(disjunctive, sink.domains()) {
        let given = literals.get(&(i, j)).copied();
        let [first, second] = [i, j].map(|task| &disjunctive.tasks[task]);
        let zero = if disjunctive.strict {
            [FALSE; 2]
        } else {
            [first, second].map(|task| {
                let duration = sink.integer_for(&task[1]);
                sink.at_most(duration, 0)
            })
        };
        let least = [first, second].iter().map(|task| sink.domains().of_expr(&task[1]).min()).sum::<i128>();
        let (before, after) = (ends[i].at_most(&second[0]), ends[j].at_most(&first[0]));
        let precedes = given.unwrap_or_else(|| sink.fresh());
        if given.is_none() && sink.keeps_count() && least == 0 {
            // If both tasks have the duration 0, they may precede each other.
            sink.when(precedes).post(&before);
            sink.when(!precedes).post(&before.negated());
        } else {
            sink.unless(&zero).when(precedes).post(&before);
        }
        sink.unless(&zero).when(!precedes).post(&after);
    }
}

/// Requires that two tasks overlap, or that they violate the order given by a literal.
fn overlapping(disjunctive: &Disjunctive, sink: &mut Sink<'_>) {
    let mut cases: Vec<Arc<dyn Constraint>> = Vec::new();
    let ends: Vec<Expr> =
        disjunctive.tasks.iter().map(|[start, duration]| start.clone() + duration.clone()).collect();
    let literals = disjunctive.literals();
    for (i, j) in pairs(disjunctive, sink.domains()) {
        let [first, second] = [i, j].map(|task| &disjunctive.tasks[task]);
        let overlaps = [ends[i].greater_than(&second[0]), ends[j].greater_than(&first[0])];
        let mut case = |mut all: Vec<Arc<dyn Constraint>>| {
            if !disjunctive.strict {
                for task in [first, second] {
                    all.push(Arc::new(task[1].at_least(1)));
                }
            }
            cases.push(Arc::new(Conjunction { constraints: all }));
        };
        let [not_before, not_after] = overlaps.map(|linear| -> Arc<dyn Constraint> { Arc::new(linear) });
        match literals.get(&(i, j)) {
            Some(&lit) => {
                let holds = |lit: Lit| -> Arc<dyn Constraint> { Arc::new(Clause::new([lit])) };
                case(vec![holds(lit), not_before]);
                case(vec![holds(!lit), not_after]);
            }
            None => case(vec![not_before, not_after]),
        }
    }
    sink.post(&Disjunction::new(cases));
}

/// Returns the total minimum duration of the tasks, and the length of the window in which they run.
pub(crate) fn load(disjunctive: &Disjunctive, domains: Domains<'_>) -> (Value, Value) {
    let (mut total, mut first, mut last): (Value, Value, Value) = (0, Value::MAX, Value::MIN);
    for task in &disjunctive.tasks {
        let [start, duration] = [&task[0], &task[1]].map(|expr| domains.of_expr(expr));
        let least = duration.min().max(0);
        total = total.saturating_add(least);
        (first, last) = (first.min(start.min()), last.max(start.max().saturating_add(least)));
    }
    (total, last.saturating_sub(first))
}

fn defer(disjunctive: &Disjunctive, sink: &mut Sink<'_>) {
    let conditions: Vec<Lit> = sink.conditions().iter().map(|&lit| !lit).collect();
    if conditions.contains(&FALSE) {
        return;
    }
    let tasks: Vec<[OrderedInt; 2]> = disjunctive
        .tasks
        .iter()
        .map(|task| {
            [&task[0], &task[1]].map(|expr| {
                let x = sink.integer_for(expr);
                let values = sink.domains().of(x).values().collect();
                OrderedInt::new(values, sink.order(x))
            })
        })
        .collect();
    let literals = disjunctive.literals();
    let mut precedes = Vec::new();
    for j in 0..tasks.len() {
        for i in 0..j {
            precedes.push(literals.get(&(i, j)).copied().unwrap_or_else(|| sink.fresh()));
        }
    }
    sink.always().defer(LazyDisjunctive::new(tasks, &precedes, disjunctive.strict, &conditions));
}
