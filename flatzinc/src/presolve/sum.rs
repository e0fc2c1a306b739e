//! Propagation of linear constraints.

use std::collections::{HashMap, HashSet};

use gordian_encodings::Value;
use gordian_encodings::constraint::Comparison;

use super::extended::{ceil, floor, is_finite, mul};
use super::function::function;
use super::rational::gcd;
use super::{Status, Store};
use crate::constraint::{Ref, Relation, Sum};

/// The minimum or maximum of a sum: the total of the finite terms, and the number of infinite terms.
#[derive(Debug, Clone, Copy, Default)]
struct End {
    finite: Value,
    infinite: usize,
}

impl End {
    fn add(&mut self, term: Value) -> Option<()> {
        if is_finite(term) {
            self.finite = self.finite.checked_add(term)?;
        } else {
            self.infinite += 1;
        }
        Some(())
    }

    /// Returns the minimum or maximum of the sum without one of its terms, or `None` if it is infinite.
    fn without(self, term: Value) -> Option<Value> {
        match (is_finite(term), self.infinite) {
            (true, 0) => self.finite.checked_sub(term),
            (false, 1) => Some(self.finite),
            _ => None,
        }
    }

    fn value(self) -> Option<Value> {
        (self.infinite == 0).then_some(self.finite)
    }
}

impl Sum {
    /// Returns the negation of the comparison, or `None` on overflow.
    pub(crate) fn negation(&self) -> Option<Self> {
        let Self { terms, comparison, bound } = self.clone();
        let (comparison, bound) = match comparison {
            Comparison::AtMost => (Comparison::AtLeast, bound.checked_add(1)?),
            Comparison::AtLeast => (Comparison::AtMost, bound.checked_sub(1)?),
            Comparison::Equal => (Comparison::NotEqual, bound),
            Comparison::NotEqual => (Comparison::Equal, bound),
        };
        Some(Self { terms, comparison, bound })
    }

    /// Merges terms of the same variable and divides by the greatest common divisor of the coefficients. Returns an
    /// equivalent simpler relation, if one exists. On overflow, the sum is left unchanged.
    pub(super) fn normalise(&mut self, store: &Store) -> Option<Relation> {
        if self.comparison == Comparison::AtLeast {
            self.turn();
        }
        let open = self.terms.iter().filter(|&&(_, x)| store.value(x).is_none()).count();
        let is_root = |x: Ref| matches!(x, Ref::Var(x) if store.is_root(x));
        let mut seen = HashSet::with_capacity(self.terms.len());
        let is_settled = |&(factor, x): &(Value, Ref)| factor != 0 && is_root(x) && seen.insert(x);
        let settled = self.terms.iter().all(is_settled) && (open > 2 || open == self.terms.len());
        if let Some(sum) = self.merged(store).filter(|_| !settled) {
            *self = sum;
        }
        self.as_logic(store)
    }

    /// Rewrites `>=` as `<=`, unless an overflow prevents this.
    fn turn(&mut self) {
        let turned: Option<Vec<_>> =
            self.terms.iter().map(|&(factor, x)| Some((factor.checked_neg()?, x))).collect();
        if let (Some(terms), Some(bound)) = (turned, self.bound.checked_neg()) {
            *self = Self { terms, comparison: Comparison::AtMost, bound };
        }
    }

    /// Returns the sum with one term for each class of equal variables, divided by the greatest common divisor of the
    /// coefficients, or `None` on overflow.
    pub(crate) fn merged(&self, store: &Store) -> Option<Self> {
        let Self { mut terms, comparison, mut bound } = self.resolved(store)?;
        let divisor = terms.iter().fold(0, |divisor, &(factor, _)| gcd(divisor, factor.unsigned_abs()));
        let divisor = Value::try_from(divisor).ok()?;
        if divisor > 1 {
            match comparison {
                Comparison::AtMost => bound = floor(bound, divisor),
                Comparison::AtLeast => bound = ceil(bound, divisor),
                // A sum without terms is 0.
                _ if bound % divisor != 0 => return Some(Self { terms: Vec::new(), comparison, bound: 1 }),
                _ => bound /= divisor,
            }
            for (factor, _) in &mut terms {
                *factor /= divisor;
            }
        }
        Some(Self { terms, comparison, bound })
    }

    /// Returns the sum with one term for each class of equal variables, or `None` on overflow.
    pub(super) fn resolved(&self, store: &Store) -> Option<Self> {
        let mut bound = self.bound;
        let mut terms: Vec<(Value, Ref)> = Vec::with_capacity(self.terms.len());
        let mut positions: HashMap<Ref, usize> = HashMap::with_capacity(self.terms.len());
        for &(factor, x) in &self.terms {
            let (factor, x) = match store.resolve(x) {
                Ref::Const(value) => {
                    bound = bound.checked_sub(factor.checked_mul(value)?)?;
                    continue;
                }
                // A negated variable `1 - x` with the coefficient a contributes `a - a * x`.
                Ref::Not(x) => {
                    bound = bound.checked_sub(factor)?;
                    (factor.checked_neg()?, Ref::Var(x))
                }
                x @ Ref::Var(_) => (factor, x),
            };
            let at = *positions.entry(x).or_insert(terms.len());
            match terms.get_mut(at) {
                Some((sum, _)) => *sum = sum.checked_add(factor)?,
                None => terms.push((factor, x)),
            }
        }
        terms.retain(|&(factor, _)| factor != 0);
        Some(Self { terms, comparison: self.comparison, bound })
    }

    /// Returns a clause or parity constraint that is equivalent to the linear constraint, or `None` if there is none.
    fn as_logic(&self, store: &Store) -> Option<Relation> {
        let terms = &self.terms;
        if terms.len() < 2 || !terms.iter().all(|&(_, x)| store.is_boolean(x)) {
            return None;
        }
        let equal = self.comparison == Comparison::Equal;
        match (self.comparison, &terms[..]) {
            // The equations x - y = 0 and x + y = 1 are parity constraints.
            (Comparison::Equal | Comparison::NotEqual, &[(1, x), (-1, y)] | &[(-1, x), (1, y)])
                if self.bound == 0 =>
            {
                Some(Relation::Parity(vec![x, y], !equal))
            }
            (Comparison::Equal | Comparison::NotEqual, &[(1, x), (1, y)]) if self.bound == 1 => {
                Some(Relation::Parity(vec![x, y], equal))
            }
            (Comparison::AtMost, _) => {
                // The constraint is a clause if only the assignment with the largest sum exceeds the bound.
                let greatest = terms.iter().try_fold(0_i128, |sum, &(a, _)| sum.checked_add(a.max(0)))?;
                let least_step = terms.iter().map(|&(a, _)| a.unsigned_abs()).min()?;
                let next = greatest.checked_sub(Value::try_from(least_step).ok()?)?;
                let excludes_one = next <= self.bound && self.bound < greatest;
                let lit = |&(a, x): &(Value, Ref)| if a > 0 { !x } else { x };
                excludes_one.then(|| Relation::Clause(terms.iter().map(lit).collect()))
            }
            _ => None,
        }
    }

    /// Returns the literal that is equivalent to a comparison of `a * x` with a bound, where x is 0 or 1. One of these
    /// two values must satisfy the comparison, and the other must violate it.
    pub(super) fn literal(&self, store: &Store) -> Option<Ref> {
        let &[(factor, x)] = &self.terms[..] else { return None };
        store.is_boolean(x).then(|| {
            let holds = match self.comparison {
                Comparison::AtMost => factor <= self.bound,
                Comparison::AtLeast => factor >= self.bound,
                Comparison::Equal => factor == self.bound,
                Comparison::NotEqual => factor != self.bound,
            };
            if holds { x } else { !x }
        })
    }

    /// Returns the minimum and the maximum of the sum, or `None` on overflow.
    fn ends(&self, store: &Store) -> Option<(End, End)> {
        let (mut least, mut greatest) = (End::default(), End::default());
        for &(factor, x) in &self.terms {
            let (low, high) = term(factor, x, store);
            least.add(low)?;
            greatest.add(high)?;
        }
        Some((least, greatest))
    }

    /// Returns whether the comparison is true, false or undecided under the current domains.
    pub(super) fn status(&self, store: &Store) -> Status {
        let Some((least, greatest)) = self.ends(store) else { return Status::Open };
        let (least, greatest) = (least.value(), greatest.value());
        let below = greatest.is_some_and(|greatest| greatest < self.bound);
        let above = least.is_some_and(|least| least > self.bound);
        let at_most = greatest.is_some_and(|greatest| greatest <= self.bound);
        let at_least = least.is_some_and(|least| least >= self.bound);
        let apart = below || above || self.is_apart(store);
        match self.comparison {
            Comparison::AtMost if at_most => Status::True,
            Comparison::AtMost if above => Status::False,
            Comparison::AtLeast if at_least => Status::True,
            Comparison::AtLeast if below => Status::False,
            Comparison::Equal if at_most && at_least => Status::True,
            Comparison::Equal if apart => Status::False,
            Comparison::NotEqual if at_most && at_least => Status::False,
            Comparison::NotEqual if apart => Status::True,
            _ => Status::Open,
        }
    }

    /// Returns whether the domains imply that the sum differs from the bound. Only sums with one or two terms are
    /// considered.
    fn is_apart(&self, store: &Store) -> bool {
        match self.terms[..] {
            [] => self.bound != 0,
            [(factor, x)] => exact(self.bound, factor).is_none_or(|value| !store.allows(x, value)),
            [(1, x), (-1, y)] | [(-1, y), (1, x)] if self.bound == 0 => {
                !store.set(x).meets(store.set(y).intervals())
            }
            _ => false,
        }
    }

    /// Propagates the constraint by reducing the domains of the terms.
    pub(super) fn enforce(&self, store: &mut Store) -> Status {
        match (self.status(store), &self.terms[..], self.comparison) {
            (Status::True, ..) => return Status::True,
            (Status::False, ..) => {
                store.infeasible = true;
                return Status::True;
            }
            // If the bound were not a multiple of the factor, the status would not be `Open`.
            (_, &[(factor, x)], Comparison::Equal | Comparison::NotEqual) => {
                match (exact(self.bound, factor), self.comparison) {
                    (Some(value), Comparison::Equal) => store.assign(x, value),
                    (Some(value), _) => store.remove(x, value),
                    (None, _) => {}
                }
                return Status::True;
            }
            (_, &[(1, x), (-1, y)] | &[(-1, x), (1, y)], Comparison::Equal) if self.bound == 0 => {
                store.merge(x, y);
                return Status::True;
            }
            _ => {}
        }
        let (up, down) = match self.comparison {
            Comparison::AtMost => (true, false),
            Comparison::AtLeast => (false, true),
            Comparison::Equal => (true, true),
            Comparison::NotEqual => return self.exclude(store),
        };
        let Some((least, greatest)) = self.ends(store) else { return Status::Open };
        for &(factor, x) in &self.terms {
            let (low, high) = term(factor, x, store);
            // The upper bound of a term is the bound minus the minimum of the other terms.
            if let Some(most) =
                least.without(low).and_then(|rest| self.bound.checked_sub(rest)).filter(|_| up)
            {
                limit(factor, x, most, true, store);
            }
            if let Some(least) =
                greatest.without(high).and_then(|rest| self.bound.checked_sub(rest)).filter(|_| down)
            {
                limit(factor, x, least, false, store);
            }
        }
        if let (&[left, right], Comparison::Equal) = (&self.terms[..], self.comparison) {
            self.enforce_function(left, right, store);
        }
        if self.terms.len() == 1 { Status::True } else { Status::Open }
    }

    /// Propagates `a * x + b * y = bound` value by value. Does nothing if the bounds of the domains suffice: if both
    /// domains are intervals, and both coefficients are 1 or -1.
    fn enforce_function(&self, (a, x): (Value, Ref), (b, y): (Value, Ref), store: &mut Store) {
        let has_holes = |x: Ref| store.set(x).intervals().len() > 1;
        if a.unsigned_abs() == 1 && b.unsigned_abs() == 1 && !has_holes(x) && !has_holes(y) {
            return;
        }
        let of = |a: Value, b: Value| move |x| exact(self.bound.checked_sub(a.checked_mul(x)?)?, b);
        if store.set(x).size() <= store.set(y).size() {
            function(x, y, of(a, b), store);
        } else {
            function(y, x, of(b, a), store);
        }
    }

    /// Propagates `!=` if the values of all variables, or of all variables but one, are known.
    fn exclude(&self, store: &mut Store) -> Status {
        let mut rest = self.bound;
        let mut open = None;
        for &(factor, x) in &self.terms {
            match store.value(x) {
                None if open.is_some() => return Status::Open,
                None => open = Some((factor, x)),
                Some(value) => {
                    let next = factor.checked_mul(value).and_then(|term| rest.checked_sub(term));
                    let Some(next) = next else { return Status::Open };
                    rest = next;
                }
            }
        }
        match open {
            Some((factor, x)) => {
                if let Some(value) = exact(rest, factor) {
                    store.remove(x, value);
                }
            }
            None => store.infeasible |= rest == 0,
        }
        Status::True
    }
}

/// Returns the range of a term.
fn term(factor: Value, x: Ref, store: &Store) -> (Value, Value) {
    let (first, last) = store.range(x);
    let (a, b) = (mul(factor, first), mul(factor, last));
    if factor < 0 { (b, a) } else { (a, b) }
}

/// Enforces `factor * x <= bound` or, if `at_most` is false, `factor * x >= bound`.
fn limit(factor: Value, x: Ref, bound: Value, at_most: bool, store: &mut Store) {
    if (factor > 0) == at_most {
        store.lower(x, floor(bound, factor));
    } else {
        store.raise(x, ceil(bound, factor));
    }
}

/// Returns `a / b` if it is an integer.
fn exact(a: Value, b: Value) -> Option<Value> {
    (a.checked_rem(b)? == 0).then(|| a.checked_div(b))?
}

#[cfg(test)]
mod tests {
    use super::super::Set;
    use super::*;
    use crate::instance::VarId;

    #[test]
    fn terms_of_the_same_variable_are_merged() {
        let x = Ref::Var(VarId(0));
        let store = Store::new(vec![Set::interval(-5, 5)]);
        let mut sum = Sum { terms: vec![(2, x), (-1, x), (5, x)], comparison: Comparison::AtMost, bound: 13 };
        assert!(sum.normalise(&store).is_none());
        assert_eq!((sum.terms, sum.bound), (vec![(1, x)], 2));
    }
}
