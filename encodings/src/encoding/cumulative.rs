//! Cumulative resources: a linear constraint on the demands of the running tasks, at each relevant time.
//!
//! The total demand rises only when a task starts, so it suffices to check the starts. With the literal `r[i]` that
//! task i runs, the constraint at a time is `sum demand[i] r[i] <= capacity`. If the demand is a variable, the sum
//! has one literal `r[i] and demand[i] >= v` for each value v. The coefficient of the literal `r[i] and demand[i] >=
//! v` is the difference between v and the next smaller value.
//!
//! * `time`: one constraint for each time t at which a task can start. Task i runs at t if `start[i] <= t` and
//!   `end[i] > t`, where the end is a view of the start if the duration is constant. Size for n tasks and h times: at
//!   most n h variables and clauses, and h linear constraints.
//! * `task`: one constraint for the start of each task j. Task i runs at the start of j if `start[i] <= start[j]`
//!   and `end[i] > start[j]`, which are two half-reified linear constraints. Size for n tasks: 3n (n-1) variables, 2n
//!   (n-1) linear constraints of two variables, n (n-1) clauses, and n linear constraints; independent of the times.
//! * `timetable`: a [propagator](crate::theory::timetable) derives bounds of the starts from the tasks that are certain
//!   to run. It needs only the literals of the integers in the order view. Size: no variables, and one clause if the
//!   capacity can be negative. Strength: lazy.
//!
//! Example with `time`: two tasks of duration 2 and demand 1 that start at 0 or 1, for a capacity of 1, both run at
//! time 1, because their starts are `<= 1` and their ends are `> 1`.
//!
//! Strength: `time` and `task` check total assignments only. From the bounds of a task, unit propagation derives that
//! the task runs. If the encoding of the linear constraints is strong enough, unit propagation also derives bounds of
//! the start times of further tasks (timetable propagation). On request, the converse implications are added, which
//! preserve the number of solutions. If the capacity must be exceeded, the literals are defined by equivalences, and
//! a [disjunction](super::disjunction) requires one of the opposite linear constraints.
//!
//! Redundant clauses: clauses that are redundant in the linear constraints, and clauses for one time that are implied
//! by the clauses for a different time.
//!
//! Paper: Schutt, Feydy, Stuckey, Wallace: *Why cumulative decomposition is not as bad as it sounds*, CP 2009, for
//! `time` and `task`; *Explaining the cumulative propagator*, Constraints 16, 2011, for `timetable`. Unlike in the
//! papers, `time` has no constraint for a time at which no task can start, and `timetable` has no edge finding.
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
use crate::theory::timetable::{LazyTimetable, OrderedInt};

const PAPER: &str =
    "Schutt, Feydy, Stuckey, Wallace: Why cumulative decomposition is not as bad as it sounds, CP 2009";

/// Cumulative by a linear constraint for each time at which a task can start.
pub static TIME: Encoding<Cumulative> = Encoding {
    name: "time",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |cumulative, domains| runs(cumulative, domains) <= MOST_RUNS,
    encode: |cumulative, sink| encode(cumulative, at_times, sink),
};

/// Cumulative by a linear constraint for the start of each task.
pub static TASK: Encoding<Cumulative> = Encoding {
    name: "task",
    paper: PAPER,
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |cumulative, sink| encode(cumulative, at_starts, sink),
};

/// Cumulative by a propagator.
pub static TIMETABLE: Encoding<Cumulative> = Encoding {
    name: "timetable",
    paper: "Schutt, Feydy, Stuckey, Wallace: Explaining the cumulative propagator, Constraints 16, 2011",
    strength: Strength::Lazy,
    count: ModelCount::Kept,
    derived: false,
    applies: |cumulative, domains| cumulative.within && ordered(cumulative, domains) <= MOST_ORDERED,
    encode: timetable,
};

/// The maximum total number of values of the integers for which `timetable` applies.
const MOST_ORDERED: u128 = 1 << 18;
/// The maximum absolute value of a time, a demand or a capacity for which `timetable` applies, so that sums of them do
/// not overflow.
const GREATEST: u128 = 1 << 96;
/// The maximum number of literals `task i runs at time t` for which `time` applies.
const MOST_RUNS: u128 = 1 << 16;
/// The maximum number of values of a variable demand that is represented by literals. A demand with more values gets
/// an integer variable that is 0 while the task does not run.
const MOST_DEMANDS: u128 = 1_000;

/// Returns an upper bound on the number of literals `task i runs at time t`.
pub(crate) fn runs(cumulative: &Cumulative, domains: Domains<'_>) -> u128 {
    let times = |task: &Task| domains.of_expr(&task.start).size();
    let times = cumulative.tasks.iter().map(times).fold(0, u128::saturating_add);
    times.saturating_mul(cumulative.tasks.len() as u128)
}

/// Returns the total number of values of the starts, durations, demands and the capacity, or the maximum if some of
/// these values are so large that sums of them could overflow.
pub(crate) fn ordered(cumulative: &Cumulative, domains: Domains<'_>) -> u128 {
    let exprs = cumulative.tasks.iter().flat_map(|task| [&task.start, &task.duration, &task.demand]);
    let size = |expr: &Expr| {
        let domain = domains.of_expr(expr);
        let greatest = domain.min().unsigned_abs().max(domain.max().unsigned_abs());
        if greatest <= GREATEST { domain.size() } else { u128::MAX }
    };
    exprs.chain([&cumulative.capacity]).map(size).fold(0, u128::saturating_add)
}

fn timetable(cumulative: &Cumulative, sink: &mut Sink<'_>) {
    let mut ordered = |expr: &Expr| {
        let x = sink.integer_for(expr);
        let values = sink.domains().of(x).values().collect();
        OrderedInt::new(values, sink.order(x))
    };
    let tasks = cumulative.tasks.iter();
    let tasks: Vec<_> =
        tasks.map(|task| [&task.start, &task.duration, &task.demand].map(&mut ordered)).collect();
    let capacity = ordered(&cumulative.capacity);
    let conditions = sink.conditions().iter().map(|&lit| !lit).collect();
    let lazy = LazyTimetable::new(tasks, capacity, conditions);
    let capacity = sink.integer_for(&cumulative.capacity);
    let is_negative = sink.at_most(capacity, -1);
    sink.clause(&[!is_negative]);
    sink.always().defer(lazy);
}

/// A task that may run, so that its demand counts.
struct Run {
    start: Expr,
    /// The end of the task: the start plus the duration.
    end: Expr,
    duration: IntVar,
    demand: IntVar,
}

/// True if literals are defined by equivalences; false if implications in one direction suffice.
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
    // A sum without terms is 0, so the clause requires that the capacity is not negative.
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

/// Returns a literal that the constraint implies, or that is equivalent to it.
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

/// Returns a literal that the conjunction of two literals implies, or that is equivalent to it.
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
