//! Recognition of tasks that must not overlap.
//!
//! Many models state for each pair of tasks that one ends before the other starts: `s + d <= t or t + e <= s`, where s
//! and t are the starts, and d and e the durations. In FlatZinc, this is a clause over two literals. Each
//! literal implies one of the inequalities. If a duration is positive, the inequalities exclude each other, so one literal is
//! the negation of the other. If the pairs of a set of tasks are all of this form, they become a single disjunctive
//! relation.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::extended::is_finite;
use super::{Presolved, Store};
use crate::constraint::{Constraint, Ref, Relation, Sum, When};

/// A start and a duration.
type Task = [Ref; 2];

/// `start + duration <= next` under the condition `lit`, stated by the constraint with the given index.
#[derive(Debug, Clone, Copy)]
struct Precedence {
    lit: Ref,
    first: Task,
    next: Ref,
    index: usize,
}

/// Two tasks that must not overlap: the first one precedes the second if `lit` is true, and the second one precedes the
/// first otherwise.
#[derive(Debug, Clone, Copy)]
struct Pair {
    lit: Ref,
    tasks: [Task; 2],
    /// The constraints that state the two inequalities.
    constraints: [usize; 2],
}

/// The minimum number of tasks of a disjunctive relation. For two tasks, the relation would be no stronger than the
/// inequalities.
const LEAST_TASKS: usize = 3;
/// With more pairs of tasks, no relations are formed.
const MOST_PAIRS: usize = 100_000;

impl Presolved {
    /// Replaces pairs of tasks that must not overlap by disjunctive relations.
    pub(super) fn collect_tasks(&mut self) {
        let pairs = self.pairs();
        if self.store.infeasible || pairs.len() > MOST_PAIRS {
            return;
        }
        let mut numbers: HashMap<Task, usize> = HashMap::new();
        let mut tasks: Vec<Task> = Vec::new();
        // For each task, its neighbours: the tasks that it must not overlap, each with the index of the pair.
        let mut neighbours: Vec<BTreeMap<usize, usize>> = Vec::new();
        for (index, pair) in pairs.iter().enumerate() {
            let [first, second] = pair.tasks.map(|task| {
                *numbers.entry(task).or_insert_with(|| {
                    tasks.push(task);
                    neighbours.push(BTreeMap::new());
                    tasks.len() - 1
                })
            });
            neighbours[first].insert(second, index);
            neighbours[second].insert(first, index);
        }
        let mut covered = vec![false; pairs.len()];
        let mut removed: HashSet<usize> = HashSet::new();
        for first in 0..tasks.len() {
            let open: Vec<usize> = neighbours[first].keys().copied().collect();
            for second in open {
                if covered[neighbours[first][&second]] {
                    continue;
                }
                let clique = clique([first, second], &neighbours);
                let mut precedes = Vec::new();
                for (j, task) in clique.iter().enumerate() {
                    for (i, other) in clique[..j].iter().enumerate() {
                        let pair = neighbours[*task][other];
                        covered[pair] = true;
                        let Pair { lit, tasks: [start, _], .. } = pairs[pair];
                        precedes.push(((i, j), if start == tasks[*other] { lit } else { !lit }));
                        if clique.len() >= LEAST_TASKS {
                            removed.extend(pairs[pair].constraints);
                        }
                    }
                }
                if clique.len() >= LEAST_TASKS {
                    let origin =
                        self.constraints[pairs[neighbours[first][&second]].constraints[0]].origin.clone();
                    let tasks = clique.iter().map(|&task| tasks[task]).collect();
                    self.constraints.push(Constraint {
                        relation: Relation::Disjunctive { tasks, precedes, strict: true },
                        when: When::Always,
                        domain_consistent: false,
                        origin,
                    });
                }
            }
        }
        // The literals of the pairs are merged, so the clauses over two of them hold.
        let store = &self.store;
        let mut indices = 0..self.constraints.len();
        self.constraints.retain(|constraint| {
            let is_removed = indices.next().is_some_and(|index| removed.contains(&index));
            let holds = match (&constraint.relation, constraint.when) {
                (Relation::Clause(lits), When::Always) => {
                    matches!(lits[..], [a, b] if store.resolve(a) == !store.resolve(b))
                }
                _ => false,
            };
            !holds && !is_removed
        });
    }

    /// Returns the pairs of tasks that must not overlap. Merges the literals of each pair.
    fn pairs(&mut self) -> Vec<Pair> {
        let Self { constraints, store } = self;
        let mut sorted: Vec<Precedence> = Vec::new();
        for (index, constraint) in constraints.iter().enumerate() {
            if let (Relation::Sum(sum), When::If(lit) | When::Iff(lit)) =
                (&constraint.relation, constraint.when)
            {
                let lit = store.resolve(lit);
                let read = precedence(sum, store).into_iter();
                sorted.extend(read.map(|(first, next)| Precedence { lit, first, next, index }));
            }
        }
        let mut precedences: HashMap<[Ref; 2], Vec<Precedence>> = HashMap::new();
        for &precedence in &sorted {
            precedences.entry([precedence.first[0], precedence.next]).or_default().push(precedence);
        }
        // Without opposite inequalities, there are no pairs, and the clauses are not needed.
        sorted.retain(|a| precedences.contains_key(&[a.next, a.first[0]]));
        if sorted.is_empty() {
            return Vec::new();
        }
        // For each literal, the other literals of its clauses of length 2.
        let mut clauses: HashMap<Ref, BTreeSet<Ref>> = HashMap::new();
        for constraint in constraints.iter() {
            if let (Relation::Clause(lits), When::Always) = (&constraint.relation, constraint.when)
                && let [a, b] = lits[..]
            {
                let [a, b] = [a, b].map(|lit| store.resolve(lit));
                clauses.entry(a).or_default().insert(b);
                clauses.entry(b).or_default().insert(a);
            }
        }
        let mut pairs = Vec::new();
        let mut used: HashSet<usize> = HashSet::new();
        for a in sorted {
            let opposite = precedences.get(&[a.next, a.first[0]]).into_iter().flatten();
            for b in opposite.filter(|b| b.index > a.index) {
                let durations = [a, *b].map(|precedence| store.range(precedence.first[1]).0);
                let excluded = durations.iter().all(|&d| d >= 0) && durations.iter().any(|&d| d > 0);
                if !excluded || used.contains(&a.index) || used.contains(&b.index) {
                    continue;
                }
                let implies = |x: Ref, y: Ref| clauses.get(&x).is_some_and(|others| others.contains(&y));
                // A literal c with the clauses `a or c` and `b or not c`.
                let between = |c: &&Ref| implies(b.lit, !**c);
                if a.lit == !b.lit {
                } else if implies(a.lit, b.lit) {
                    store.merge(a.lit, !b.lit);
                } else if let Some(&c) = clauses.get(&a.lit).and_then(|others| others.iter().find(between)) {
                    store.merge(a.lit, !c);
                    store.merge(b.lit, c);
                } else {
                    continue;
                }
                used.extend([a.index, b.index]);
                pairs.push(Pair { lit: a.lit, tasks: [a.first, b.first], constraints: [a.index, b.index] });
            }
        }
        pairs
    }
}

/// Propagates a disjunctive relation: if task i cannot end before task j starts, task j precedes task i.
pub(super) fn enforce(
    tasks: &[Task],
    precedes: &[((usize, usize), Ref)],
    strict: bool,
    store: &mut Store,
) -> Option<()> {
    // Returns the latest start of a task, and the earliest end of a task.
    let latest = |store: &Store, i: usize| store.range(tasks[i][0]).1;
    let end = |store: &Store, i: usize| {
        let (start, duration) = (store.range(tasks[i][0]).0, store.range(tasks[i][1]).0);
        if is_finite(start) && is_finite(duration) { start.checked_add(duration) } else { None }
    };
    let counts = |store: &Store, i: usize| strict || store.range(tasks[i][1]).0 > 0;
    let literals: HashMap<(usize, usize), Ref> = precedes.iter().copied().collect();
    for j in 0..tasks.len() {
        for i in 0..j {
            if !counts(store, i) || !counts(store, j) {
                continue;
            }
            let literal = literals.get(&(i, j)).copied().or(literals.get(&(j, i)).map(|&lit| !lit));
            let known = literal.and_then(|lit| store.value(lit)).map(|value| value == 1);
            let cannot =
                |store: &Store, i: usize, j: usize| end(store, i).is_some_and(|end| end > latest(store, j));
            let is_first = match known {
                Some(is_first) => is_first,
                None if cannot(store, i, j) => false,
                None if cannot(store, j, i) => true,
                None => continue,
            };
            if let Some(lit) = literal {
                store.assign(lit, Value::from(is_first));
            }
            let (first, second) = if is_first { (i, j) } else { (j, i) };
            if let Some(end) = end(store, first) {
                store.raise(tasks[second][0], end);
            }
            let (latest, duration) = (latest(store, second), store.range(tasks[first][1]).0);
            if is_finite(latest) && is_finite(duration) {
                store.lower(tasks[first][0], latest.checked_sub(duration)?);
            }
        }
    }
    Some(())
}

/// Returns the ways to read a sum as `start + duration <= next`: the start and the duration, and the other start.
fn precedence(sum: &Sum, store: &Store) -> Vec<(Task, Ref)> {
    let Some(Sum { terms, comparison: Comparison::AtMost, bound }) = sum.resolved(store) else {
        return Vec::new();
    };
    let minus: Vec<Ref> = terms.iter().filter(|term| term.0 == -1).map(|term| term.1).collect();
    let plus: Vec<Ref> = terms.iter().filter(|term| term.0 == 1).map(|term| term.1).collect();
    if minus.len() + plus.len() < terms.len() {
        return Vec::new();
    }
    match (&plus[..], &minus[..], bound.checked_neg()) {
        (&[start], &[next], Some(duration)) => vec![([start, Ref::Const(duration)], next)],
        (&[x, y], &[next], Some(0)) => vec![([x, y], next), ([y, x], next)],
        _ => Vec::new(),
    }
}

/// Extends a pair of tasks to a set in which each task has all others as neighbours. Prefers tasks with small numbers.
fn clique(pair: [usize; 2], neighbours: &[BTreeMap<usize, usize>]) -> Vec<usize> {
    let mut clique = pair.to_vec();
    for &task in neighbours[pair[0]].keys() {
        if !clique.contains(&task) && clique.iter().all(|other| neighbours[task].contains_key(other)) {
            clique.push(task);
        }
    }
    clique
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Problem;
    use crate::text;

    /// Returns the constraints that remain after presolve.
    fn presolved(text: &str) -> Presolved {
        let instance = text::read(text).expect("valid text");
        Presolved::new(&instance, crate::builtins::constraints(&instance).expect("valid constraints"))
    }

    /// Three tasks of durations 2, 3 and d. The literals of two pairs are in a clause, and those of the third pair in two
    /// clauses with a common literal.
    const THREE: &str = "var 0..9: x;\nvar 0..9: y;\nvar 0..9: z;\nvar 1..2: d;\nvar bool: a;\nvar bool: b;\n\
        var bool: c;\nvar bool: e;\nvar bool: f;\nvar bool: g;\nvar bool: h;\n\
        constraint int_lin_le_imp([1,-1],[x,y],-2,a);\nconstraint int_lin_le_imp([1,-1],[y,x],-3,b);\n\
        constraint bool_clause([a,b],[]);\n\
        constraint int_lin_le_reif([1,-1],[x,z],-2,c);\nconstraint int_lin_le_reif([1,1,-1],[z,d,x],0,e);\n\
        constraint array_bool_or([c,e],true);\n\
        constraint int_lin_le_imp([1,-1],[y,z],-3,f);\nconstraint int_lin_le_imp([1,1,-1],[z,d,y],0,g);\n\
        constraint bool_clause([f],[h]);\nconstraint bool_clause([g,h],[]);\nsolve satisfy;\n";

    #[test]
    fn pairs_become_a_disjunctive_relation() {
        let Presolved { constraints, store } = presolved(THREE);
        let [Constraint { relation: Relation::Disjunctive { tasks, precedes, strict: true }, .. }] =
            &constraints[..]
        else {
            panic!("{constraints:?}");
        };
        assert_eq!((tasks.len(), precedes.len()), (3, 3));
        let instance = text::read(THREE).expect("valid text");
        let variable = |name: &str| {
            let index = instance.variables.iter().position(|x| &*x.name == name).expect("a variable");
            store.resolve(Ref::Var(crate::instance::VarId(index as u32)))
        };
        for (first, second) in [("a", "b"), ("c", "e"), ("f", "g"), ("g", "h")] {
            assert_eq!(variable(first), !variable(second), "{first} and {second}");
        }
        let problem = Problem::new(&instance).expect("a problem");
        // x, y, z, d, a, b, c, e, f, g, h
        assert!(problem.allows(&[0, 2, 5, 1, 1, 0, 1, 0, 1, 0, 1]));
        assert!(!problem.allows(&[0, 2, 5, 1, 1, 1, 1, 0, 1, 0, 1]));
    }

    #[test]
    fn pairs_that_may_hold_together_remain() {
        for (from, to) in [
            // Both inequalities hold if x = y.
            ("[x,y],-2,a", "[x,y],0,a"),
            // Neither inequality is required.
            ("bool_clause([a,b],[])", "bool_clause([a,b,c],[])"),
            // The tasks of a pair differ from those of the others.
            ("[x,z],-2,c", "[x,z],-1,c"),
        ] {
            let text = THREE
                .replace(from, to)
                .replace("[y,x],-3,b", if to.contains(",0,a") { "[y,x],0,b" } else { "[y,x],-3,b" });
            let Presolved { constraints, .. } = presolved(&text);
            let is_disjunctive =
                |constraint: &Constraint| matches!(constraint.relation, Relation::Disjunctive { .. });
            assert!(!constraints.iter().any(is_disjunctive), "{to}: {constraints:?}");
        }
    }

    #[test]
    fn a_task_that_cannot_precede_another_follows_it() {
        let text = "var 0..3: x;\nvar 2..4: y;\nvar 0..9: z;\n\
            constraint fzn_disjunctive([x,y,z],[3,2,0]);\nsolve satisfy;\n";
        let Presolved { store, .. } = presolved(text);
        let range = |index| store.range(Ref::Var(crate::instance::VarId(index)));
        // The second task cannot precede the first one. The third task has the duration 0.
        assert_eq!([range(0), range(1), range(2)], [(0, 1), (3, 4), (0, 9)]);
    }
}
