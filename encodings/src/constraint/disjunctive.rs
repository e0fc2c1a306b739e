//! Tasks that must not overlap.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Constraint, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar, Value};
use crate::lit::Lit;

/// No two tasks overlap: for each pair of tasks, one ends before the other starts. In the negated form (`apart` is
/// false), two tasks overlap. Negative durations are treated as 0.
///
/// ```
/// use gordian_encodings::constraint::Disjunctive;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let [x, y] = model.integers(0..=9);
/// model.post(Disjunctive::new([(x, 3), (y, 2)]));
/// assert!(model.holds(&Assignment::new(vec![], vec![5, 3])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![5, 4])), "both run at 5");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disjunctive {
    /// The start and the duration of each task.
    pub tasks: Vec<[Expr; 2]>,
    /// Literals for the order of pairs of tasks. For an entry (i, j) with a literal, task i must end before task j
    /// starts if the literal is true, and task j before task i otherwise. There is at most one entry for each pair.
    pub precedes: Vec<((usize, usize), Lit)>,
    /// Whether tasks of duration 0 count. If this is false, the constraint ignores them and the literals of their order.
    /// If it is true, a task of duration 0 must not start during another task.
    pub strict: bool,
    /// True if the tasks must not overlap, false if two of them must overlap or be in the wrong order.
    pub apart: bool,
}

impl Disjunctive {
    /// Creates the constraint that tasks do not overlap, from the start and the duration of each task. Tasks of duration
    /// 0 may overlap others.
    pub fn new(tasks: impl IntoIterator<Item = (impl Into<Expr>, impl Into<Expr>)>) -> Self {
        let tasks = tasks.into_iter().map(|(start, duration)| [start.into(), duration.into()]);
        Self { tasks: tasks.collect(), precedes: Vec::new(), strict: false, apart: true }
    }

    /// Returns the literals for the order of pairs (i, j) with i < j. Such a literal is true if task i precedes task j.
    pub(crate) fn literals(&self) -> HashMap<(usize, usize), Lit> {
        let ascending =
            |&((i, j), lit): &((usize, usize), Lit)| if i < j { ((i, j), lit) } else { ((j, i), !lit) };
        self.precedes.iter().map(ascending).collect()
    }
}

impl Constraint for Disjunctive {
    fn scope(&self) -> Scope {
        let mut scope = Scope::of_exprs(self.tasks.as_flattened());
        scope.lits.extend(self.precedes.iter().map(|&(_, lit)| lit));
        scope
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        Vec::new()
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values = |task: &[Expr; 2]| {
            let [start, duration] = [&task[0], &task[1]].map(|expr| assignment.value(expr));
            (start, duration.max(0))
        };
        let tasks: Vec<(Value, Value)> = self.tasks.iter().map(values).collect();
        let counts = |i: usize| self.strict || tasks[i].1 > 0;
        let before = |i: usize, j: usize| tasks[i].0.saturating_add(tasks[i].1) <= tasks[j].0;
        let mut pairs = (0..tasks.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
        let apart = pairs.all(|(i, j)| !counts(i) || !counts(j) || before(i, j) || before(j, i));
        let ordered = self.precedes.iter().all(|&((i, j), lit)| {
            !counts(i) || !counts(j) || if assignment.lit(lit) { before(i, j) } else { before(j, i) }
        });
        (apart && ordered) == self.apart
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { apart: !self.apart, ..self.clone() })
    }
}
