//! Presolve: merges equal variables, reduces domains, and removes constraints that always hold.
//!
//! Propagation reduces domains: each constraint removes the values that it excludes, until no domain changes. For
//! constraints such as `x < y` and `y < x`, propagation converges slowly, so its work is limited. For each solution of
//! the instance, some solution remains in which the operands of `Instance::kept` have the same values.

use std::collections::VecDeque;
use std::sync::Arc;

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use crate::constraint::{Constraint, Ref, Relation, Sum, When};
use crate::instance::{Instance, VarDomain, VarId};

mod arithmetic;
mod cases;
mod disjunctive;
mod dive;
mod extended;
mod function;
mod lattice;
mod list;
mod logic;
mod polarity;
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
/// each value that is enumerated.
const WORK_FACTOR: usize = 50;
const LEAST_WORK: usize = 2_000_000;
/// The maximum size of a set whose values are enumerated.
const LISTED: usize = 1_000;
/// The maximum number of rounds. Each round propagates all constraints. Then it solves linear systems or, in a second
/// series of rounds, simplifies constraints.
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

impl Constraint {
    /// Returns whether the constraint can propagate when a domain has become smaller but still contains several values.
    fn needs_bounds(&self) -> bool {
        match &self.relation {
            Relation::Clause(_) | Relation::And(_) | Relation::Parity(..) => false,
            Relation::Sum(Sum { comparison: Comparison::NotEqual, .. }) => self.when != When::Always,
            _ => true,
        }
    }

    /// Propagates the constraint by reducing domains. Returns `true` if the constraint is no longer needed.
    fn propagate(&mut self, store: &mut Store) -> bool {
        self.resolve_condition(store);
        match self.when {
            When::Always => self.relation.enforce(store) == Status::True,
            When::Iff(Ref::Const(_)) => false,
            When::If(Ref::Const(_)) => true,
            When::If(condition) => match self.relation.status(store) {
                Status::True => true,
                Status::False => {
                    store.assign(condition, 0);
                    true
                }
                Status::Open => {
                    if let Some(literal) = self.relation.literal(store) {
                        self.relation = Relation::Clause(vec![literal, !condition]);
                        self.when = When::Always;
                        self.relation.normalise(store);
                        return self.relation.enforce(store) == Status::True;
                    }
                    false
                }
            },
            When::Iff(condition) => match self.relation.status(store) {
                Status::Open => match self.relation.literal(store) {
                    Some(literal) => {
                        store.merge(literal, condition);
                        true
                    }
                    None => false,
                },
                status => {
                    store.assign(condition, Value::from(status == Status::True));
                    true
                }
            },
        }
    }

    /// Simplifies the condition if possible. A true condition is removed. If the condition of a reified relation is
    /// false, the relation is replaced by its negation, provided that the negation is simple. The condition of a
    /// half-reified clause or a reified parity constraint becomes a literal of the clause or parity constraint.
    fn resolve_condition(&mut self, store: &mut Store) {
        let known = |condition| store.resolve(condition);
        self.when = match self.when {
            When::Always => When::Always,
            When::If(condition) => When::If(known(condition)),
            When::Iff(condition) => When::Iff(known(condition)),
        };
        if let When::If(Ref::Const(1)) | When::Iff(Ref::Const(1)) = self.when {
            self.when = When::Always;
        }
        let negated = self.when == When::Iff(Ref::Const(0));
        if let Some(negation) = negated.then(|| self.relation.negation()).flatten() {
            self.relation = negation;
            self.when = When::Always;
        }
        self.relation.normalise(store);
        let placeholder = Relation::And(Vec::new());
        let relation = std::mem::replace(&mut self.relation, placeholder);
        (self.relation, self.when) = match (relation, self.when) {
            (Relation::Clause(mut lits), When::If(condition)) => {
                lits.push(!condition);
                (Relation::Clause(lits), When::Always)
            }
            (Relation::And(lits), When::Iff(condition)) => {
                let negated = lits.into_iter().map(|lit| !lit).collect();
                (Relation::Clause(negated), When::Iff(!condition))
            }
            (Relation::Parity(mut lits, odd), When::Iff(condition)) => {
                lits.push(condition);
                (Relation::Parity(lits, !odd), When::Always)
            }
            unchanged => unchanged,
        };
    }
}

impl Relation {
    /// Returns the negation of the relation if it is simple, and `None` otherwise.
    fn negation(&self) -> Option<Self> {
        let negate = |lits: &[Ref]| lits.iter().map(|&lit| !lit).collect();
        match self {
            Self::Clause(lits) => Some(Self::And(negate(lits))),
            Self::And(lits) => Some(Self::Clause(negate(lits))),
            Self::Parity(lits, odd) => Some(Self::Parity(lits.clone(), !odd)),
            Self::Sum(sum) => sum.negation().map(Self::Sum),
            Self::In(x, values) => {
                let complement = Set::from(&**values).complement();
                Some(Self::In(*x, Arc::new(complement.domain())))
            }
            _ => None,
        }
    }

    /// Replaces each operand by the root of its class of equal variables, and simplifies the relation.
    fn normalise(&mut self, store: &mut Store) {
        match self {
            Self::Clause(lits) => logic::resolve(lits, 0, store),
            Self::And(lits) => logic::resolve(lits, 1, store),
            Self::Parity(lits, odd) => logic::resolve_parity(lits, odd, store),
            Self::Sum(sum) => {
                if let Some(simpler) = sum.normalise(store) {
                    *self = simpler;
                    self.normalise(store);
                }
            }
            Self::Product([x, y, z]) => {
                if let (Ref::Const(factor), other) | (other, Ref::Const(factor)) =
                    (store.resolve(*x), store.resolve(*y))
                {
                    let terms = vec![(factor, other), (-1, *z)];
                    *self = Self::Sum(Sum { terms, comparison: Comparison::Equal, bound: 0 });
                    self.normalise(store);
                }
            }
            _ => {}
        }
    }

    /// Removes values that the relation excludes. Returns [`Status::True`] if the reduced domains imply the relation.
    fn enforce(&mut self, store: &mut Store) -> Status {
        match self {
            Self::Clause(lits) => logic::clause(lits, store),
            Self::And(lits) => {
                for &lit in lits.iter() {
                    store.assign(lit, 1);
                }
                Status::True
            }
            Self::Parity(lits, odd) => logic::parity(lits, *odd, store),
            Self::Sum(sum) => sum.enforce(store),
            Self::In(x, values) => {
                store.intersect(*x, &Set::from(&**values));
                Status::True
            }
            Self::Product(operands) => arithmetic::product(*operands, store),
            Self::Quotient(operands) => arithmetic::quotient(*operands, store),
            Self::Remainder(operands) => arithmetic::remainder(*operands, store),
            Self::Power(operands) => arithmetic::power(*operands, store),
            Self::Absolute(operands) => arithmetic::absolute(*operands, store),
            Self::MinMax { of, value, greatest } => arithmetic::min_max(of, *value, *greatest, store),
            Self::Element { index, first, array, value } => {
                list::element(*index, *first, &Arc::clone(array), *value, store)
            }
            Self::AllDifferent(list, except) => list::all_different(list, except, store),
            Self::Table(columns, rows) => list::table(columns, rows, store),
            Self::Count { of, value, comparison, times } => {
                list::count(of, *value, *comparison, *times, store)
            }
            Self::Among { of, values, times } => list::among(of, values, *times, store),
            Self::Inverse { left, right, first } => list::inverse([left, right], *first, store),
            Self::Circuit { successors, first, optional } => {
                list::circuit(successors, *first, *optional, store)
            }
            Self::ValuePrecedence(list, chain) => list::value_precedence(list, chain, store),
            Self::Automaton(list, automaton) => list::automaton(list, automaton, store),
            Self::Disjunctive { tasks, precedes, strict } => {
                disjunctive::enforce(tasks, precedes, *strict, store);
                Status::Open
            }
            Self::Lexicographic { .. } | Self::Cumulative { .. } => Status::Open,
            Self::All(relations) => {
                relations.retain_mut(|relation| {
                    relation.normalise(store);
                    relation.enforce(store) != Status::True
                });
                if relations.is_empty() { Status::True } else { Status::Open }
            }
        }
    }

    /// Returns whether the relation is true, false or undecided under the current domains.
    fn status(&mut self, store: &Store) -> Status {
        match self {
            Self::Clause(lits) => logic::clause_status(lits),
            Self::And(lits) if lits.contains(&Ref::Const(0)) => Status::False,
            Self::And(lits) if lits.is_empty() => Status::True,
            Self::Parity(lits, odd) if lits.is_empty() => Status::of(!*odd),
            Self::Sum(sum) => sum.status(store),
            Self::In(x, values) => {
                let (own, values) = (store.set(*x), Set::from(&**values));
                if own.is_within(values.intervals()) {
                    Status::True
                } else if own.meets(values.intervals()) {
                    Status::Open
                } else {
                    Status::False
                }
            }
            _ => Status::Open,
        }
    }

    /// Returns a literal (an operand with the values 0 and 1) that is equivalent to the relation, or `None` if there
    /// is none.
    fn literal(&self, store: &Store) -> Option<Ref> {
        match self {
            Self::Clause(lits) => match lits[..] {
                [lit] => Some(lit),
                _ => None,
            },
            Self::Sum(sum) => sum.literal(store),
            Self::In(x, values) if store.is_boolean(*x) => {
                // The domains do not decide the relation, so `values` contains exactly one of 0 and 1.
                Some(if values.contains(1) { *x } else { !*x })
            }
            _ => None,
        }
    }
}
