//! Expressions as integer variables, so that an encoding over variables also encodes a constraint over expressions.
//!
//! * A variable alone stands for itself.
//! * `a x + c` is an affine view of x: it has no literals of its own but shares those of x. For example, `2 x + 1 <=
//!   7` is the literal `x <= 3`. With a = 1, it also shares the bits of the log view. With any other coefficient, its
//!   log view has bits of its own, which are created on demand and tied to those of x by adders.
//! * A literal with a coefficient and a constant is its own order view.
//! * Any other expression is an auxiliary variable, defined by a linear equality.
//!
//! Each expression gets one variable in an encoding. If x has more than [`VIEWED_UP_TO`] values, only the
//! coefficients 1 and -1 make views, because with any other coefficient the domain has a hole after each value.
//!
//! Size: nothing for views and literals; that of the linear equality for other expressions. The number of solutions
//! is kept, because auxiliary variables are functions of the variables.
//!
//! Paper: Schulte, Tack: *View-based propagator derivation*, Constraints 18, 2013. Differs from it in that literals
//! are shared instead of propagators.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::log::width;
use super::{Bound, Domain, Domains, IntVar, Known, Log, ROW, Relation, Value};
use crate::constraint::{Linear, Term};
use crate::encoding::adder;
use crate::expr::Expr;
use crate::lit::{Lit, TRUE, constant};
use crate::sink::Sink;

/// The largest domain for which every coefficient makes a view.
const VIEWED_UP_TO: u128 = 1_000;

const OVERFLOW: &str = "an expression exceeds an i128";

/// The affine view `factor * of + offset`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Affine {
    pub(crate) of: IntVar,
    pub(crate) factor: Value,
    pub(crate) offset: Value,
}

impl Affine {
    /// Returns the value of the view if the variable has this value.
    pub(super) fn value(self, value: Value) -> Value {
        self.factor.checked_mul(value).and_then(|value| value.checked_add(self.offset)).expect(OVERFLOW)
    }

    /// Returns the value of the variable if the view has this value.
    fn inverse(self, value: Value) -> Value {
        if self.factor == 1 { value - self.offset } else { (value - self.offset) / self.factor }
    }

    fn domain(self, of: &Domain) -> Domain {
        let ends = |(first, last)| {
            let (first, last) = (self.value(first), self.value(last));
            (first.min(last), first.max(last))
        };
        match self.factor {
            1 | -1 => Domain::from_intervals(of.intervals().map(ends)),
            _ => Domain::from_values(of.values().map(|value| self.value(value))),
        }
    }
}

impl Expr {
    /// Returns an equal expression with at most one term for each variable and without constant or negative literals
    /// and zero coefficients.
    fn merged(&self) -> Self {
        let mut coefficients: BTreeMap<Term, Value> = BTreeMap::new();
        let mut constant_part = self.constant();
        let add = |sum: &mut Value, value: Value| *sum = sum.checked_add(value).expect(OVERFLOW);
        for &(coefficient, term) in self.terms() {
            match term {
                Term::Lit(lit) if constant(lit).is_some() => {
                    add(&mut constant_part, if lit == TRUE { coefficient } else { 0 });
                }
                Term::Lit(lit) if lit.is_neg() => {
                    add(&mut constant_part, coefficient);
                    let negated = coefficient.checked_neg().expect(OVERFLOW);
                    add(coefficients.entry(Term::Lit(!lit)).or_default(), negated);
                }
                _ => add(coefficients.entry(term).or_default(), coefficient),
            }
        }
        let terms = coefficients.into_iter().filter(|&(_, coefficient)| coefficient != 0);
        Self::new(terms.map(|(term, coefficient)| (coefficient, term)), constant_part)
    }
}

impl<'a> Domains<'a> {
    /// The domain of an expression, derived from its variables alone. For several variables, it is the interval from
    /// the minimum to the maximum.
    ///
    /// # Panics
    /// If a value exceeds an `i128`, or a variable belongs to another model.
    #[must_use]
    pub fn of_expr(self, expr: &Expr) -> Cow<'a, Domain> {
        if let Some(x) = expr.variable() {
            return Cow::Borrowed(self.of(x));
        }
        let expr = expr.merged();
        if let Some(affine) = self.affine(&expr) {
            return Cow::Owned(affine.domain(self.of(affine.of)));
        }
        let (mut least, mut greatest) = (expr.constant(), expr.constant());
        for &(coefficient, term) in expr.terms() {
            let (low, high) = term.range(self);
            let [a, b] = [low, high].map(|end| coefficient.checked_mul(end).expect(OVERFLOW));
            least = least.checked_add(a.min(b)).expect(OVERFLOW);
            greatest = greatest.checked_add(a.max(b)).expect(OVERFLOW);
        }
        Cow::Owned(match expr.terms() {
            [(_, Term::Lit(_))] => Domain::from_values([least, greatest]),
            _ => Domain::interval(least, greatest),
        })
    }

    /// Returns the affine view that equals a merged expression, or `None` if there is no such view.
    fn affine(self, expr: &Expr) -> Option<Affine> {
        let &[(factor, Term::Int(of))] = expr.terms() else { return None };
        let viewed = factor.abs() == 1 || self.of(of).size() <= VIEWED_UP_TO;
        viewed.then_some(Affine { of, factor, offset: expr.constant() })
    }
}

impl Sink<'_> {
    /// Returns an integer variable that equals the expression.
    ///
    /// # Panics
    /// If a value of the expression exceeds an `i128`.
    pub fn integer_for(&mut self, expr: &Expr) -> IntVar {
        if let Some(x) = expr.variable() {
            return x;
        }
        let expr = expr.merged();
        if let Some(x) = expr.variable() {
            return x;
        }
        if let Some(&x) = self.integers().exprs.get(&expr) {
            return x;
        }
        let domain = self.domains().of_expr(&expr).into_owned();
        let affine = self.domains().affine(&expr);
        let least = domain.min();
        let unordered = affine.is_some_and(|affine| self.domains().is_unordered(affine.of));
        let integers = &mut self.state().integers;
        let y = integers.add(domain, unordered);
        integers.exprs.insert(expr.clone(), y);
        match (affine, expr.terms()) {
            (Some(_), _) => integers.views[y.index()].affine = affine,
            (None, []) => {}
            (None, &[(coefficient, Term::Lit(lit))]) => {
                let bound = Bound { variable: y, relation: Relation::AtMost, value: least };
                let lit = if coefficient > 0 { !lit } else { lit };
                integers.known.insert(bound, Known { lit, defined: true });
            }
            (None, _) => {
                let tie = (expr - y).equals(0);
                self.written_as(ROW.name, |sink| sink.always().post(&tie));
            }
        }
        y
    }

    /// Returns an integer variable for each expression.
    pub fn integers_for(&mut self, exprs: &[Expr]) -> Vec<IntVar> {
        exprs.iter().map(|expr| self.integer_for(expr)).collect()
    }

    /// Returns the affine view that defines the integer variable, or `None` if it is no view.
    pub(super) fn affine(&self, x: IntVar) -> Option<Affine> {
        self.integers().views[x.index()].affine
    }

    /// Returns the literal of the variable for a canonical bound of the view.
    pub(super) fn bound_of_view(&mut self, affine: Affine, bound: Bound) -> Lit {
        let value = affine.inverse(bound.value);
        match bound.relation {
            Relation::AtMost if affine.factor < 0 => self.at_least(affine.of, value),
            Relation::AtMost => self.at_most(affine.of, value),
            Relation::Equal => self.equals(affine.of, value),
        }
    }

    /// Returns the order view of an affine view.
    pub(super) fn order_of_view(&mut self, affine: Affine) -> Vec<Lit> {
        let mut lits = self.order(affine.of);
        if affine.factor < 0 {
            lits.reverse();
            for lit in &mut lits {
                *lit = !*lit;
            }
        }
        lits
    }

    /// Returns the direct view of an affine view.
    pub(super) fn direct_of_view(&mut self, affine: Affine) -> Vec<Lit> {
        let mut lits = self.direct(affine.of);
        if affine.factor < 0 {
            lits.reverse();
        }
        lits
    }

    /// Returns the log view of an affine view.
    pub(super) fn log_of_view(&mut self, y: IntVar, affine: Affine) -> Log {
        if affine.factor == 1 {
            let Log { min, bits } = self.log(affine.of);
            return Log { min: affine.value(min), bits };
        }
        let domain = self.domain(y);
        let span = domain.max().abs_diff(domain.min());
        let bits = (0..width(span)).map(|_| self.always().fresh()).collect();
        let log = Log { min: domain.min(), bits };
        self.views_mut(y).log = Some(log.clone());
        let mut sink = self.always();
        sink.bits_at_most(&log.bits, span);
        let terms = [(1, y.into()), (-affine.factor, affine.of.into())];
        (adder::ADDER.encode)(&Linear::equal(terms, affine.offset), &mut sink);
        log
    }
}
