//! The literals of Boolean variables and comparisons, and the translation of relations into clauses.

use gordian_encodings::constraint::{Clause, Comparison, Disjunction, Linear, Reified};
use gordian_encodings::{IntVar, Lit, Model, TRUE, Value, constant};

use super::post::Condition;
use super::{Builder, Overflow, Representation};
use crate::constraint::{Constraint, Ref, Relation, When};
use crate::instance::VarId;
use crate::presolve::Set;

/// The maximum domain size for which order literals represent an integer in the projection. For larger domains, bits
/// represent the integer.
const ORDER_UP_TO: u128 = 1_000;

/// Returns literals whose values determine the value of an integer variable. If `for_proof` is true, these are order
/// literals, because the formula of a proof has no bits.
pub(super) fn of_value(x: IntVar, model: &mut Model, for_proof: bool) -> Vec<Lit> {
    let domain = model.domain(x).clone();
    if for_proof || domain.size() <= ORDER_UP_TO {
        return domain
            .values()
            .map(|value| model.at_most(x, value))
            .filter(|&lit| constant(lit).is_none())
            .collect();
    }
    // The equation `x = min + sum(2^k * bits[k])` links the bits with the variable.
    let span = domain.max().abs_diff(domain.min());
    let bits: Vec<Lit> = (0..128 - span.leading_zeros()).map(|_| model.boolean()).collect();
    let terms = bits.iter().zip(0..).map(|(&bit, k)| (-(1 << k), bit.into()));
    model.post(Linear::equal(terms.chain([(1, x.into())]), domain.min()));
    bits
}

/// The maximum number of literals for which a parity constraint is encoded directly as clauses. A longer parity
/// constraint is split.
const PARITY_AT_ONCE: usize = 4;

impl Builder<'_> {
    /// If a constraint is `x = a + b c` for a literal c, and the domain of x is {a, a + b}, returns c and the relation
    /// `x = a + b`, which is equivalent to c.
    pub(super) fn choice(&self, constraint: &Constraint) -> Option<(Ref, Relation)> {
        let (Relation::Sum(sum), When::Always) = (&constraint.relation, constraint.when) else { return None };
        if sum.comparison != Comparison::Equal {
            return None;
        }
        let sum = sum.merged(self.store)?;
        let &[left, right] = &sum.terms[..] else { return None };
        let ((factor, x), (step, lit)) =
            if self.store.is_boolean(left.1) { (right, left) } else { (left, right) };
        if factor.unsigned_abs() != 1 || !self.store.is_boolean(lit) || self.store.set(x).size() != 2 {
            return None;
        }
        let otherwise = sum.bound.checked_mul(factor)?;
        let value = sum.bound.checked_sub(step)?.checked_mul(factor)?;
        (self.store.allows(x, otherwise) && self.store.allows(x, value))
            .then(|| (lit, Relation::compare(x, Comparison::Equal, Ref::Const(0), value)))
    }

    /// Creates the literals of the model. If a constraint states that a variable is equivalent to a comparison, the
    /// literal of the comparison represents the variable. All other variables with the values 0 and 1 become Boolean
    /// variables. Returns, for each constraint, whether it defines a variable in this way.
    pub(super) fn define_literals(&mut self, constraints: &[Constraint]) -> Vec<bool> {
        let mut defined = vec![false; constraints.len()];
        for (constraint, defined) in constraints.iter().zip(&mut defined) {
            let choice = self.choice(constraint);
            let (condition, relation) = match (&choice, constraint.when) {
                (Some((condition, relation)), _) => (*condition, relation),
                (None, When::Iff(condition)) => (condition, &constraint.relation),
                (None, _) => continue,
            };
            let condition = self.store.resolve(condition);
            let Some(x) = condition.variable() else { continue };
            if self.representations[x.0 as usize].is_some() || !self.windows_of(constraint).is_empty() {
                continue;
            }
            let Some(lit) = self.comparison(relation) else { continue };
            let lit = if let Ref::Not(_) = condition { !lit } else { lit };
            self.representations[x.0 as usize] = Some(Representation::Literal(lit));
            *defined = true;
        }
        for index in 0..self.representations.len() {
            let x = VarId(index as u32);
            if self.representations[index].is_none() && self.store.is_root(x) && !self.sums.contains_key(&x) {
                self.representations[index] = Some(Representation::Literal(self.model.boolean()));
            }
        }
        defined
    }

    /// Returns the literal that is equivalent to the relation, if the relation is a single literal or compares an
    /// integer with a constant.
    pub(super) fn comparison(&mut self, relation: &Relation) -> Option<Lit> {
        let is_known = |this: &Self, x: Ref| match this.store.resolve(x) {
            Ref::Const(_) => true,
            Ref::Var(x) | Ref::Not(x) => this.representations[x.0 as usize].is_some(),
        };
        match relation {
            Relation::Clause(lits) | Relation::And(lits) => match lits[..] {
                [lit] if is_known(self, lit) => Some(self.lit(lit)),
                _ => None,
            },
            Relation::In(x, values) if is_known(self, *x) => self.in_set(*x, &Set::from(&**values)),
            Relation::Sum(sum) => {
                let sum = sum.merged(self.store)?;
                let &[(factor, x)] = &sum.terms[..] else { return None };
                if !is_known(self, x) {
                    return None;
                }
                // The sum has been divided by the greatest common divisor, so its only coefficient is 1 or -1.
                let bound = sum.bound.checked_mul(factor)?;
                Some(match (sum.comparison, factor > 0) {
                    (Comparison::AtMost, true) | (Comparison::AtLeast, false) => self.at_most(x, bound),
                    (Comparison::AtMost, false) | (Comparison::AtLeast, true) => {
                        !self.at_most(x, bound.checked_sub(1)?)
                    }
                    (Comparison::Equal, _) => self.equals(x, bound),
                    (Comparison::NotEqual, _) => !self.equals(x, bound),
                })
            }
            _ => None,
        }
    }

    /// Returns the literal `x <= value`.
    pub(super) fn at_most(&mut self, x: Ref, value: Value) -> Lit {
        match self.representation(x) {
            Representation::Constant(x) => gordian_encodings::lit::from_bool(x <= value),
            Representation::Integer(x) => self.model.at_most(x, value),
            Representation::Literal(_) if value < 0 => !TRUE,
            Representation::Literal(_) if value > 0 => TRUE,
            Representation::Literal(lit) => !lit,
        }
    }

    /// Returns the literal `x = value`.
    pub(super) fn equals(&mut self, x: Ref, value: Value) -> Lit {
        match self.representation(x) {
            Representation::Constant(x) => gordian_encodings::lit::from_bool(x == value),
            Representation::Integer(x) => self.model.equals(x, value),
            Representation::Literal(lit) => match value {
                0 => !lit,
                1 => lit,
                _ => !TRUE,
            },
        }
    }

    /// Returns the literal `x in values`, or `None` if no single literal represents it.
    fn in_set(&mut self, x: Ref, values: &Set) -> Option<Lit> {
        let own = self.store.set(x);
        let mut inside = own.clone();
        inside.intersect(values.intervals());
        let mut outside = own.clone();
        outside.intersect(values.complement().intervals());
        if inside.is_empty() {
            Some(!TRUE)
        } else if outside.is_empty() {
            Some(TRUE)
        } else if inside.last() < outside.first() {
            Some(self.at_most(x, inside.last()))
        } else if outside.last() < inside.first() {
            Some(!self.at_most(x, outside.last()))
        } else if let Some(value) = inside.only() {
            Some(self.equals(x, value))
        } else {
            outside.only().map(|value| !self.equals(x, value))
        }
    }

    /// Returns a literal that is equivalent to the relation.
    pub(super) fn literal(&mut self, relation: &Relation) -> Result<Lit, Overflow> {
        if let Some(lit) = self.comparison(relation) {
            return Ok(lit);
        }
        let lit = self.model.boolean();
        self.post_when(relation, Condition::Iff(lit))?;
        Ok(lit)
    }

    pub(super) fn post_clause(&mut self, mut lits: Vec<Lit>, when: Condition) {
        match when {
            Condition::Always => {}
            Condition::If(condition) => lits.push(!condition),
            Condition::Iff(condition) => {
                for &lit in &lits {
                    self.clause(vec![!lit, condition]);
                }
                lits.push(!condition);
            }
        }
        self.clause(lits);
    }

    pub(super) fn post_and(&mut self, mut lits: Vec<Lit>, when: Condition) {
        let condition = match when {
            Condition::Always => TRUE,
            Condition::If(condition) | Condition::Iff(condition) => condition,
        };
        for &lit in &lits {
            self.clause(vec![!condition, lit]);
        }
        if let Condition::Iff(condition) = when {
            for lit in &mut lits {
                *lit = !*lit;
            }
            lits.push(condition);
            self.clause(lits);
        }
    }

    pub(super) fn post_parity(&mut self, mut lits: Vec<Lit>, mut odd: bool, when: Condition) {
        let unless = match when {
            Condition::Always => !TRUE,
            Condition::If(condition) => !condition,
            Condition::Iff(condition) => {
                // The condition is true if and only if the literals have the required parity.
                lits.push(condition);
                odd = !odd;
                !TRUE
            }
        };
        while lits.len() > PARITY_AT_ONCE {
            let mut part = lits.split_off(lits.len() - (PARITY_AT_ONCE - 1));
            let sum = self.model.boolean();
            lits.insert(0, sum);
            part.push(sum);
            self.parity_clauses(&part, false, !TRUE);
        }
        self.parity_clauses(&lits, odd, unless);
    }

    /// Posts the clauses of a parity constraint: one for each assignment with the wrong parity.
    fn parity_clauses(&mut self, lits: &[Lit], odd: bool, unless: Lit) {
        for assignment in 0..1_u32 << lits.len() {
            if (assignment.count_ones() % 2 == 1) != odd {
                let differs = |(k, &lit): (usize, &Lit)| if assignment >> k & 1 == 1 { !lit } else { lit };
                self.clause(lits.iter().enumerate().map(differs).chain([unless]).collect());
            }
        }
    }

    /// Posts `x in values` as clauses, for a set that no single literal represents.
    pub(super) fn post_in(&mut self, x: Ref, values: &Set, when: Condition) {
        let own = self.store.set(x);
        let (mut inside, mut outside) = (own.clone(), own);
        inside.intersect(values.intervals());
        outside.intersect(values.complement().intervals());
        let (then, otherwise) = match when {
            Condition::Always => (TRUE, None),
            Condition::If(condition) => (condition, None),
            Condition::Iff(condition) => (condition, Some(!condition)),
        };
        self.exclude(x, &outside, then);
        if let Some(otherwise) = otherwise {
            self.exclude(x, &inside, otherwise);
        }
    }

    /// Posts clauses that exclude the values of a set from the domain of `x` if the condition holds.
    fn exclude(&mut self, x: Ref, values: &Set, condition: Lit) {
        for &(first, last) in values.intervals() {
            let mut clause = vec![!condition];
            if first == last {
                clause.push(!self.equals(x, first));
            } else {
                clause.extend(first.checked_sub(1).map(|below| self.at_most(x, below)));
                clause.push(!self.at_most(x, last));
            }
            self.clause(clause);
        }
    }

    /// Posts the constraint that `condition` implies `left < right` (or `left <= right` if `strict` is false) in
    /// lexicographic order.
    pub(super) fn post_less(
        &mut self,
        left: &[Ref],
        right: &[Ref],
        strict: bool,
        condition: Lit,
    ) -> Result<(), Overflow> {
        // If two lists agree in all common positions, the shorter list is smaller.
        let end = match left.len().cmp(&right.len()) {
            std::cmp::Ordering::Less => true,
            std::cmp::Ordering::Equal => !strict,
            std::cmp::Ordering::Greater => false,
        };
        let end = gordian_encodings::lit::from_bool(end);
        let mut here = condition;
        let common = left.len().min(right.len());
        for (position, (&x, &y)) in left.iter().zip(right).enumerate() {
            let next = if position + 1 == common { end } else { self.model.boolean() };
            let at_most = self.compare(x, Comparison::AtMost, y, 0)?;
            let below = self.compare(x, Comparison::AtMost, y, -1)?;
            self.add(Box::new(Reified::implies(here, at_most)));
            let below = Disjunction::either(below, Clause::new([next]));
            self.add(Box::new(Reified::implies(here, below)));
            here = next;
        }
        if common == 0 {
            self.clause(vec![!condition, end]);
        }
        Ok(())
    }
}
