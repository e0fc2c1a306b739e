//! Propagation and simplification of single constraints.

use std::sync::Arc;

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::{Set, Status, Store, arithmetic, diffn, disjunctive, list, logic};
use crate::constraint::{Constraint, Ref, Relation, Sum, When};

impl Constraint {
    /// Returns whether the constraint can propagate when a domain has become smaller but still contains several values.
    pub(super) fn needs_bounds(&self) -> bool {
        match &self.relation {
            Relation::Clause(_) | Relation::And(_) | Relation::Parity(..) => false,
            Relation::Sum(Sum { comparison: Comparison::NotEqual, .. }) => self.when != When::Always,
            _ => true,
        }
    }

    /// Propagates the constraint by reducing domains. Returns `true` if the constraint is no longer needed.
    pub(super) fn propagate(&mut self, store: &mut Store) -> bool {
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
    pub(super) fn negation(&self) -> Option<Self> {
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
    pub(super) fn normalise(&mut self, store: &mut Store) {
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
    pub(super) fn enforce(&mut self, store: &mut Store) -> Status {
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
            Self::Diffn { boxes, strict } => diffn::enforce(boxes, *strict, store),
            Self::Lexicographic { .. } | Self::Connected { .. } | Self::Cumulative { .. } => Status::Open,
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
    pub(super) fn status(&mut self, store: &Store) -> Status {
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
    pub(super) fn literal(&self, store: &Store) -> Option<Ref> {
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
