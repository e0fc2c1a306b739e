//! Encodings of the cumulative constraint: at each relevant time, a linear constraint limits the demands of the
//! running tasks.
//!
//! The total demand rises only when a task starts, so it suffices to check the starts. If the literal `r[i]` means that
//! task i runs, the linear constraint for a time is `sum demand[i] * r[i] <= capacity`. If the demand is a variable,
//! the sum has one literal `r[i] and demand[i] >= v` for each value v. The coefficient of `r[i] and demand[i] >= v` is
//! the difference between v and the previous value of the domain.
//!
//! * `time`: one linear constraint for each time t at which a task can start. Task i runs at t if `start[i] <= t` and
//!   `end[i] > t`. If the duration is constant, the end is a view of the start. Size for n tasks and h times: at most
//!   `n * h` variables, `n * h` clauses, and h linear constraints.
//! * `task`: one linear constraint for the start of each task j. Task i runs at the start of j if `start[i] <=
//!   start[j]` and `end[i] > start[j]`. Each of these two inequalities is a half-reified linear constraint. Size for n
//!   tasks: 3n (n-1) variables, 2n (n-1) linear constraints of two variables, n (n-1) clauses, and n linear
//!   constraints. The size does not depend on h.
//! * `timetable`: a [propagator](crate::theory::timetable) derives bounds on the starts from the tasks that are certain
//!   to run. The propagator needs only the literals of the order views. Size: no variables, and one clause if the
//!   capacity can be negative. Strength: lazy.
//! * `lazy`: see [`lazy`](super::lazy). A propagator with the same rules, for integers whose order
//!   literals the search creates.
//!
//! Example with `time`: two tasks of duration 2 and demand 1 start at 0 or 1, and the capacity is 1. Both tasks run
//! at time 1, because their starts are `<= 1` and their ends are `> 1`.
//!
//! Strength: `time` and `task` check total assignments only. In `time` and `task`, unit propagation derives that a task
//! runs at a time if this follows from the bounds of the task's start and end. If the encoding of the linear
//! constraints is strong enough, unit propagation also derives bounds on the start times of further tasks (timetable
//! propagation). `Encodings::keep_count` adds the converse implications, which preserve the number of solutions. If the
//! constraint is negated, the literals are defined by equivalences, and a [disjunction](super::disjunction) requires
//! that the demand exceeds the capacity at one of the times.
//!
//! A clause that is redundant in the encoding of a linear constraint remains redundant. The clauses for one time may
//! imply clauses for another time.
//!
//! Paper: Schutt, Feydy, Stuckey, Wallace: *Why cumulative decomposition is not as bad as it sounds*, CP 2009, for
//! `time` and `task`; *Explaining the cumulative propagator*, Constraints 16, 2011, for `timetable`. Unlike in the
//! papers, `time` has constraints only for the times at which a task can start, and `timetable` does not use edge
//! finding.
//!
//! ```
//! use gordian_encodings::constraint::{Cumulative, Task};
//! use gordian_encodings::encoding::cumulative::TIME;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let tasks = model.integers::<2>(0..=1).map(|start| Task::new(start, 2, 1));
//! model.post(Cumulative::new(tasks, 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&TIME), &mut cnf);
//! // Variables 1 and 2 are the literals `start <= 0`: a task that starts at 0 runs at 0, and both tasks run at 1.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 -2 0", "0"]);
//! ```

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Constraint, Cumulative, Disjunction, Equality, Linear, Task};
use crate::expr::{Expr, Term};
use crate::int::{Domain, Domains, IntVar, Value};
use crate::lit::{FALSE, Lit, constant};
use crate::sink::Sink;
use crate::theory::bounds::OrderedInt;
use crate::theory::timetable::LazyTimetable;

const PAPER: &str =
    "Schutt, Feydy, Stuckey, Wallace: Why cumulative decomposition is not as bad as it sounds, CP 2009";

/// Encodes the cumulative constraint with a linear constraint for each time at which a task can start.
pub static TIME: Encoding<Cumulative> = Encoding {
    name: "time",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |cumulative, domains| runs(cumulative, domains) <= MOST_RUNS,
    encode: |cumulative, sink| encode(cumulative, at_times, sink),
};

/// Encodes the cumulative constraint with a linear constraint for the start of each task.
pub static TASK: Encoding<Cumulative> = Encoding {
    name: "task",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |cumulative, sink| encode(cumulative, at_starts, sink),
};

/// Encodes the cumulative constraint with a propagator.
pub static TIMETABLE: Encoding<Cumulative> = Encoding {
    name: "timetable",
    paper: "Schutt, Feydy, Stuckey, Wallace: Explaining the cumulative propagator, Constraints 16, 2011",
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    derived: false,
    applies: |cumulative, domains| {
        cumulative.within && !is_lazy(cumulative, domains) && ordered(cumulative, domains) <= MOST_ORDERED
    },
    encode: timetable,
};

/// `timetable` applies if the total size of the domains is at most this number.
const MOST_ORDERED: u128 = 1 << 18;
/// `timetable` applies if no absolute value of a time, a demand or a capacity exceeds this number. The limit ensures
/// that sums of these values do not overflow.
const GREATEST: u128 = 1 << 96;
/// `time` applies if there are at most this many literals `task i runs at time t`.
const MOST_RUNS: u128 = 1 << 16;
/// A variable demand is represented by literals if its domain has at most this many values. Otherwise, the demand is
/// represented by an integer variable that is 0 while the task does not run.
const MOST_DEMANDS: u128 = 1_000;

/// Returns an upper bound on the number of literals `task i runs at time t`.
pub(crate) fn runs(cumulative: &Cumulative, domains: Domains<'_>) -> u128 {
    let times = |task: &Task| domains.of_expr(&task.start).size();
    let times = cumulative.tasks.iter().map(times).fold(0, u128::saturating_add);
    times.saturating_mul(cumulative.tasks.len() as u128)
}

/// Returns the sum of the domain sizes of all starts, durations and demands and of the capacity, or `u128::MAX` if an
/// absolute value in a domain exceeds [`GREATEST`].
pub(crate) fn ordered(cumulative: &Cumulative, domains: Domains<'_>) -> u128 {
    let exprs = cumulative.tasks.iter().flat_map(|task| [&task.start, &task.duration, &task.demand]);
    let size = |expr: &Expr| {
        let domain = domains.of_expr(expr);
        let greatest = domain.min().unsigned_abs().max(domain.max().unsigned_abs());
        if greatest <= GREATEST { domain.size() } else { u128::MAX }
    };
    exprs.chain([&cumulative.capacity]).map(size).fold(0, u128::saturating_add)
}

/// Returns whether some integer has a lazy order view, or the order views of all integers would be too large.
pub(crate) fn needs_lazy(cumulative: &Cumulative, domains: Domains<'_>) -> bool {
    is_lazy(cumulative, domains) || ordered(cumulative, domains) > MOST_ORDERED
}

fn is_lazy(cumulative: &Cumulative, domains: Domains<'_>) -> bool {
    cumulative.scope().ints.iter().any(|&x| domains.is_lazy(x))
}

fn timetable(cumulative: &Cumulative, sink: &mut Sink<'_>) {
    let conditions: Vec<Lit> = sink.conditions().iter().map(|&lit| !lit).collect();
    if conditions.contains(&FALSE) {
        return;
    }
    let mut ordered = |expr: &Expr| {
        let x = sink.integer_for(expr);
        let values = sink.domains().of(x).values().collect();
        OrderedInt::new(values, sink.order(x))
    };
    let tasks = cumulative.tasks.iter();
    let tasks: Vec<_> =
        tasks.map(|task| [&task.start, &task.duration, &task.demand].map(&mut ordered)).collect();
    let capacity = ordered(&cumulative.capacity);
    let lazy = LazyTimetable::new(tasks, capacity, &conditions);
    let capacity = sink.integer_for(&cumulative.capacity);
    let is_negative = sink.at_most(capacity, -1);
    sink.clause(&[!is_negative]);
    sink.always().defer(lazy);
}

/// A task whose duration and demand can be positive.
struct Run {
    start: Expr,
    /// The end of the task: the start plus the duration.
    end: Expr,
    duration: IntVar,
    demand: IntVar,
}

/// True if literals are defined by equivalences, false if they are defined by implications in one direction.
#[derive(Clone, Copy)]
struct Exact(bool);

/// The terms whose sum is the total demand at one time.
type Demands = Vec<(Value, Term)>;

fn encode(
    cumulative: &Cumulative,
    decompose: fn(&[Run], Exact, &mut Sink<'_>) -> Vec<Demands>,
    sink: &mut Sink<'_>,
) {
    let mut tasks = Vec::new();
    for task in &cumulative.tasks {
        let can_run =
            [&task.duration, &task.demand].iter().all(|expr| sink.domains().of_expr(expr).max() > 0);
        if can_run {
            let [start, duration, demand] =
                [&task.start, &task.duration, &task.demand].map(|expr| sink.integer_for(expr));
            let end = match sink.domains().of(duration).size() {
                1 => start + sink.domains().of(duration).min(),
                _ => sink.integer_for(&(start + duration)).into(),
            };
            tasks.push(Run { start: start.into(), end, duration, demand });
        }
    }
    let capacity = sink.integer_for(&cumulative.capacity);
    let exact = Exact(!cumulative.within || sink.keeps_count());
    let demands = decompose(&tasks, exact, &mut sink.always());
    let with_capacity = |demands: Demands| demands.into_iter().chain([(-1, capacity.into())]);
    // The additional sum without demands requires that the capacity is not negative.
    let sums = demands.into_iter().chain([Vec::new()]).map(with_capacity);
    if cumulative.within {
        for sum in sums {
            sink.post(&Linear::at_most(sum, 0));
        }
    } else {
        let exceeded = sums.map(|sum| Arc::new(Linear::at_least(sum, 1)) as Arc<dyn Constraint>);
        sink.post(&Disjunction::new(exceeded));
    }
}

/// Returns the total demand at each time at which a task can start.
fn at_times(tasks: &[Run], exact: Exact, sink: &mut Sink<'_>) -> Vec<Demands> {
    let ints: Vec<_> =
        tasks.iter().map(|task| [&task.start, &task.end].map(|expr| sink.integer_for(expr))).collect();
    let times: BTreeSet<Value> =
        ints.iter().flat_map(|&[start, _]| sink.domains().of(start).values()).collect();
    let mut demands = Vec::new();
    for time in times {
        let mut sum = Vec::new();
        for (task, &[start, end]) in tasks.iter().zip(&ints) {
            let running = [sink.at_most(start, time), sink.at_least(end, time + 1)];
            let runs = both(running, exact, sink);
            sum.extend(demand(runs, task.demand, exact, sink));
        }
        demands.push(sum);
    }
    demands
}

/// Returns the total demand at the start of each task.
fn at_starts(tasks: &[Run], exact: Exact, sink: &mut Sink<'_>) -> Vec<Demands> {
    let mut demands = Vec::new();
    for at in tasks {
        let mut sum = Vec::new();
        for task in tasks {
            let runs = if std::ptr::eq(task, at) {
                sink.at_least(task.duration, 1)
            } else {
                let running = [task.start.at_most(&at.start), task.end.greater_than(&at.start)];
                let running = running.map(|bound| implied_by(&bound, exact, sink));
                both(running, exact, sink)
            };
            sum.extend(demand(runs, task.demand, exact, sink));
        }
        demands.push(sum);
    }
    demands
}

/// Returns a literal that the constraint implies. If `exact` is true, the literal and the constraint are equivalent.
fn implied_by(linear: &Linear, exact: Exact, sink: &mut Sink<'_>) -> Lit {
    let clause = linear.clause(sink.domains());
    if let Some(&[atom]) = clause.as_deref() {
        return sink.atom(atom);
    }
    let holds = sink.fresh();
    sink.when(!holds).post(&linear.negated());
    if exact.0 {
        sink.when(holds).post(linear);
    }
    holds
}

/// Returns a literal that `a and b` implies. If `exact` is true, the literal is equivalent to `a and b`.
fn both([a, b]: [Lit; 2], exact: Exact, sink: &mut Sink<'_>) -> Lit {
    if exact.0 || a.var() == b.var() || [a, b].into_iter().any(|lit| constant(lit).is_some()) {
        return sink.and(&[a, b]);
    }
    let both = sink.fresh();
    sink.clause(&[!a, !b, both]);
    both
}

/// Returns terms whose sum is the demand if `runs` is true and the demand is positive, and 0 otherwise.
fn demand(runs: Lit, demand: IntVar, exact: Exact, sink: &mut Sink<'_>) -> Demands {
    if runs == FALSE {
        return Vec::new();
    }
    let domain = sink.domain(demand);
    let mut terms = Vec::new();
    if domain.size() <= MOST_DEMANDS {
        let mut below = 0;
        for value in domain.values().filter(|&value| value > 0) {
            let reached = sink.at_least(demand, value);
            terms.push((value - below, both([runs, reached], exact, sink).into()));
            below = value;
        }
    } else {
        let needed = sink.integer(Domain::interval(0, domain.max()));
        let (positive, none) = (sink.at_least(demand, 1), sink.equals(needed, 0));
        sink.clause(&[runs, none]);
        sink.clause(&[positive, none]);
        sink.unless(&[!runs, !positive]).post(&Equality::equal(needed, demand));
        terms.push((1, needed.into()));
    }
    terms
}
