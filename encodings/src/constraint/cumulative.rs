//! Tasks that share a resource.

use std::sync::Arc;

use super::{Constraint, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar};

/// At every time, the total demand of the running tasks is at most the capacity of a resource. If `within` is false,
/// the total demand must exceed the capacity at some time. A task runs from its start for its duration. Negative
/// durations and demands are treated as 0. The capacity counts as exceeded if it is negative, even if no task runs.
///
/// ```
/// use gordian_encodings::constraint::{Cumulative, Task};
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let [x, y] = model.integers(0..=9);
/// let length = model.integer(1..=4);
/// model.post(Cumulative::new([Task::new(x, 3, 2), Task::new(y, length, 1)], 2));
/// assert!(model.holds(&Assignment::new(vec![], vec![0, 3, 4])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![3, 0, 4])), "both run at 3");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cumulative {
    /// The tasks that use the resource.
    pub tasks: Vec<Task>,
    /// The capacity of the resource.
    pub capacity: Expr,
    /// True if the demands must stay within the capacity at all times, false if they must exceed it at some time.
    pub within: bool,
}

/// A task that needs a resource for some time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// The time at which the task starts.
    pub start: Expr,
    /// The number of time steps for which the task runs.
    pub duration: Expr,
    /// The amount of the resource that the task needs while it runs.
    pub demand: Expr,
}

impl Task {
    /// Creates a task.
    pub fn new(start: impl Into<Expr>, duration: impl Into<Expr>, demand: impl Into<Expr>) -> Self {
        Self { start: start.into(), duration: duration.into(), demand: demand.into() }
    }
}

impl Cumulative {
    /// Creates the constraint that the total demand of the tasks never exceeds `capacity`.
    pub fn new(tasks: impl IntoIterator<Item = Task>, capacity: impl Into<Expr>) -> Self {
        Self { tasks: tasks.into_iter().collect(), capacity: capacity.into(), within: true }
    }
}

impl Constraint for Cumulative {
    fn scope(&self) -> Scope {
        let exprs = self.tasks.iter().flat_map(|task| [&task.start, &task.duration, &task.demand]);
        Scope::of_exprs(exprs.chain([&self.capacity]))
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Vec::new()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values = |task: &Task| [&task.start, &task.duration, &task.demand].map(|e| assignment.value(e));
        let mut tasks: Vec<_> = self.tasks.iter().map(values).collect();
        tasks.retain(|&[_, duration, demand]| duration > 0 && demand > 0);
        let capacity = u128::try_from(assignment.value(&self.capacity));
        // The total demand rises only when a task starts, so it suffices to check the starts.
        let within = capacity.is_ok_and(|capacity| {
            tasks.iter().all(|&[time, ..]| {
                let runs = |&&[start, duration, _]: &&[i128; 3]| {
                    start <= time && time.abs_diff(start) < duration.unsigned_abs()
                };
                let demands = tasks.iter().filter(runs).map(|&[.., demand]| demand.unsigned_abs());
                demands.fold(0, u128::saturating_add) <= capacity
            })
        });
        within == self.within
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { within: !self.within, ..self.clone() })
    }
}
