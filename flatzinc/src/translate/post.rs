//! Posts relations to the model, possibly under conditions.

use std::sync::Arc;

use gordian_encodings::constraint::{
    Clause, Conjunction, Constraint as Encodable, Lexicographic, Negation, Reified,
};
use gordian_encodings::{FALSE, Lit, TRUE};

use super::{Builder, Constraints, Overflow};
use crate::constraint::{Ref, Relation, When};
use crate::presolve::Set;

/// The condition of a constraint of the model.
#[derive(Debug, Clone, Copy)]
pub(super) enum Condition {
    Always,
    /// The literal implies the constraint.
    If(Lit),
    /// The literal, which may be [`FALSE`], is equivalent to the constraint.
    Iff(Lit),
}

impl Condition {
    /// Returns the literal that implies the constraint, which is [`TRUE`] without a condition.
    pub(super) fn then(self) -> Lit {
        match self {
            Self::Always => TRUE,
            Self::If(lit) | Self::Iff(lit) => lit,
        }
    }
}

impl Builder<'_> {
    pub(super) fn clause(&mut self, mut lits: Vec<Lit>) {
        lits.extend(self.guard.iter().map(|&window| !window));
        self.model.post(Clause::new(lits));
    }

    /// Posts a constraint that is enforced only if all literals of the guard are true.
    pub(super) fn add(&mut self, constraint: Box<dyn Encodable>) {
        if self.guard.is_empty() {
            return self.model.post_boxed("", constraint);
        }
        let mut guarded: Arc<dyn Encodable> = Arc::from(constraint);
        for &condition in &self.guard {
            guarded = Arc::new(Reified { condition, then: Some(guarded), otherwise: None });
        }
        self.model.post(Conjunction::new([guarded]));
    }

    /// Posts a relation that holds under a condition.
    pub(super) fn post(&mut self, relation: &Relation, when: When) -> Result<(), Overflow> {
        let when = match when {
            When::If(condition) => match self.lit(condition) {
                FALSE => return Ok(()),
                TRUE => Condition::Always,
                lit => Condition::If(lit),
            },
            When::Iff(condition) => match self.lit(condition) {
                TRUE => Condition::Always,
                lit => Condition::Iff(lit),
            },
            When::Always => Condition::Always,
        };
        self.post_when(relation, when)
    }

    pub(super) fn post_when(&mut self, relation: &Relation, when: Condition) -> Result<(), Overflow> {
        if let Some(lit) = self.comparison(relation) {
            match when {
                Condition::Always => self.clause(vec![lit]),
                Condition::If(condition) => self.clause(vec![!condition, lit]),
                Condition::Iff(condition) => {
                    self.clause(vec![!condition, lit]);
                    self.clause(vec![condition, !lit]);
                }
            }
            return Ok(());
        }
        match (relation, when) {
            (Relation::Clause(lits), when) => {
                let lits = self.lits(lits);
                self.post_clause(lits, when);
            }
            (Relation::And(lits), when) => {
                let lits = self.lits(lits);
                self.post_and(lits, when);
            }
            (Relation::Parity(lits, odd), when) => {
                let lits = self.lits(lits);
                self.post_parity(lits, *odd, when);
            }
            (Relation::In(x, values), when) => self.post_in(*x, &Set::from(&**values), when),
            (Relation::Lexicographic { left, right, strict }, when) => {
                self.post_lexicographic(left, right, *strict, when)?;
            }
            (Relation::All(relations), Condition::Always | Condition::If(_)) => {
                for relation in relations {
                    self.post_when(relation, when)?;
                }
            }
            _ => {
                let constraints = self.constraints(relation)?;
                self.post_all(constraints, when);
            }
        }
        Ok(())
    }

    /// Posts constraints that hold under a condition.
    fn post_all(&mut self, constraints: Constraints, when: Condition) {
        let shared = |constraint: Box<dyn Encodable>| -> Arc<dyn Encodable> { Arc::from(constraint) };
        match when {
            Condition::Always => {
                for constraint in constraints {
                    self.add(constraint);
                }
            }
            Condition::If(condition) => {
                for constraint in constraints {
                    let then = Some(shared(constraint));
                    self.add(Box::new(Reified { condition, then, otherwise: None }));
                }
            }
            Condition::Iff(condition) => {
                let mut constraints: Vec<Arc<dyn Encodable>> = constraints.into_iter().map(shared).collect();
                let all = match constraints.len() {
                    1 => constraints.remove(0),
                    _ => Arc::new(Conjunction { constraints }),
                };
                let otherwise: Arc<dyn Encodable> = Arc::new(Negation { of: Arc::clone(&all) });
                self.add(Box::new(Reified { condition, then: Some(all), otherwise: Some(otherwise) }));
            }
        }
    }

    fn post_lexicographic(
        &mut self,
        left: &[Ref],
        right: &[Ref],
        strict: bool,
        when: Condition,
    ) -> Result<(), Overflow> {
        let is_boolean = |&x: &Ref| self.store.is_boolean(x);
        if left.len() == right.len() && left.iter().chain(right).all(is_boolean) {
            let (left, right) = (self.lits(left), self.lits(right));
            let constraint = Lexicographic { left, right, strict };
            self.post_all(vec![Box::new(constraint)], when);
            return Ok(());
        }
        match when {
            Condition::Always => self.post_less(left, right, strict, TRUE),
            Condition::If(condition) => self.post_less(left, right, strict, condition),
            Condition::Iff(condition) => {
                self.post_less(left, right, strict, condition)?;
                self.post_less(right, left, !strict, !condition)
            }
        }
    }
}
