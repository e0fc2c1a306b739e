//! Presolve: merges equal variables, reduces domains, and removes constraints that always hold.
//!
//! Propagation reduces domains: each constraint removes the values that it excludes, until no domain changes. For
//! constraints such as `x < y` and `y < x`, propagation converges slowly, so its work is limited. For each solution of
//! the instance, some solution remains in which the operands of `Instance::kept` have the same values.

use std::collections::VecDeque;

use gordian_encodings::tick;

use crate::constraint::{Constraint, Ref};
use crate::instance::{Instance, VarDomain, VarId};

mod arithmetic;
mod cases;
mod connected;
mod diffn;
mod disjunctive;
mod dive;
mod extended;
mod function;
mod lattice;
mod list;
mod logic;
mod polarity;
mod propagate;
mod rational;
mod ray;
mod set;
mod simplex;
mod small;
mod store;
mod sum;
mod system;

pub(crate) use set::Set;
pub(crate) use store::Store;

/// The status of a constraint under the current domains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Status {
    /// The constraint holds for all combinations of values in the domains.
    True,
    /// The constraint holds for no combination of values in the domains.
    False,
    /// Presolve has derived neither [`Status::True`] nor [`Status::False`].
    Open,
}

impl Status {
    fn of(holds: bool) -> Self {
        if holds { Self::True } else { Self::False }
    }
}

/// The constraints that remain after presolve, and the domains of the variables.
#[derive(Debug, Clone)]
pub(crate) struct Presolved {
    pub(crate) constraints: Vec<Constraint>,
    pub(crate) store: Store,
}

/// The limit on propagation work, as a multiple of the total size of the constraints. The limit is at least
/// [`LEAST_WORK`]. Each time a constraint is propagated, the work increases by the size of the constraint, plus 1 for
/// each value or pair that is enumerated.
const WORK_FACTOR: usize = 50;
const LEAST_WORK: usize = 2_000_000;
/// The maximum size of a set whose values are enumerated.
const LISTED: usize = 1_000;
/// The maximum number of rounds in which propagation alternates with the solution of linear systems, and the maximum number
/// of rounds in which it alternates with simplification.
const ROUNDS: usize = 8;

impl Presolved {
    /// Returns the declared domains of an instance and the given constraints, without presolve. The values in the
    /// declarations are ignored.
    pub(crate) fn declared(instance: &Instance, constraints: Vec<Constraint>) -> Self {
        let domains = instance.variables.iter().map(|variable| match &variable.domain {
            VarDomain::Bool => Set::interval(0, 1),
            VarDomain::Unbounded => Set::all(),
            VarDomain::Int(domain) => Set::from(domain),
        });
        Self { constraints, store: Store::new(domains.collect()) }
    }

    /// Presolves the constraints of an instance.
    pub(crate) fn new(instance: &Instance, constraints: Vec<Constraint>) -> Self {
        let mut this = Self::declared(instance, constraints);
        let store = &mut this.store;
        for (index, variable) in instance.variables.iter().enumerate() {
            if let Some(value) = &variable.value {
                store.merge(Ref::of(value), Ref::Var(VarId(index as u32)));
            }
        }
        this.reduce();
        this.contract_edges();
        let kept: Vec<VarId> = instance.kept().filter_map(|operand| Ref::of(operand).variable()).collect();
        for _ in 0..ROUNDS {
            let changed = this.remove_literals(&kept) | this.apply_cases();
            if this.store.infeasible || !changed || !this.propagate() {
                break;
            }
        }
        this.collect_tasks();
        this
    }

    /// Adds a constraint and propagates again.
    pub(crate) fn add(&mut self, constraint: Constraint) {
        self.constraints.push(constraint);
        self.reduce();
    }

    /// Propagates all constraints. If some variables remain unbounded or the work limit is reached, also solves linear
    /// systems.
    fn reduce(&mut self) {
        for _ in 0..ROUNDS {
            let complete = self.propagate();
            if self.store.infeasible || complete && self.store.is_bounded() || !self.solve_systems(!complete)
            {
                return;
            }
        }
    }

    /// Propagates all constraints until no domain changes or the work limit is reached. Returns `false` if the work
    /// limit was reached.
    fn propagate(&mut self) -> bool {
        let Self { constraints, store } = self;
        let mut sizes = Vec::with_capacity(constraints.len());
        let mut occurrences: Vec<Vec<u32>> = vec![Vec::new(); store.variables()];
        for (index, constraint) in constraints.iter().enumerate() {
            let mut size = 1;
            let mut visit = |operand: Ref| {
                size += 1;
                if let Some(x) = store.resolve(operand).variable() {
                    let list = &mut occurrences[x.0 as usize];
                    if list.last() != Some(&(index as u32)) {
                        list.push(index as u32);
                    }
                }
            };
            constraint.relation.operands(&mut visit);
            constraint.when.condition().into_iter().for_each(visit);
            sizes.push(size);
        }
        // All constraints are queued below, so merges and changes recorded earlier need not be propagated separately.
        store.merged.clear();
        store.changed.clear();
        let mut work = LEAST_WORK.max(WORK_FACTOR * sizes.iter().sum::<usize>());
        let mut queue: VecDeque<u32> = (0..constraints.len() as u32).collect();
        let mut queued = vec![true; constraints.len()];
        let mut done = vec![false; constraints.len()];
        let mut complete = true;
        while let Some(index) = queue.pop_front() {
            let at = index as usize;
            queued[at] = false;
            if done[at] || store.infeasible {
                continue;
            }
            let Some(left) = work.checked_sub(sizes[at]) else {
                complete = false;
                break;
            };
            work = left;
            tick(sizes[at] as u64);
            done[at] = constraints[at].propagate(store);
            work = work.saturating_sub(std::mem::take(&mut store.enumerated));
            let mut wake = |x: VarId, fixed: bool, occurrences: &[Vec<u32>]| {
                for &other in &occurrences[x.0 as usize] {
                    let other = other as usize;
                    if !queued[other] && !done[other] && (fixed || constraints[other].needs_bounds()) {
                        queued[other] = true;
                        queue.push_back(other as u32);
                    }
                }
            };
            for (child, root) in std::mem::take(&mut store.merged) {
                let moved = std::mem::take(&mut occurrences[child.0 as usize]);
                occurrences[root.0 as usize].extend(moved);
                wake(root, true, &occurrences);
            }
            for x in std::mem::take(&mut store.changed) {
                let fixed = store.domain(x).only().is_some();
                wake(x, fixed, &occurrences);
            }
        }
        let mut index = 0;
        constraints.retain(|_| {
            index += 1;
            !done[index - 1]
        });
        complete
    }
}
