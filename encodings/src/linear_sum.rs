//! The normal form of linear sums: a constant, and one coefficient for each variable.
//!
//! A [`LinearSum`] merges the terms of each variable. The term `c * (1 - x)` of a negative literal becomes `c - c * x`.
//! Every operation returns an error on overflow.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::expr::{Expr, Term};
use crate::int::{Affine, Domain, Domains, Value};
use crate::lit::{Lit, constant};

/// The error for a sum that does not fit in the integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow;

impl std::fmt::Display for Overflow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the weights of the objective are too great to be added up")
    }
}

impl std::error::Error for Overflow {}

/// A linear sum over positive literals. If the type `V` is [`Term`], the sum can also contain integer variables.
#[derive(Debug, Clone)]
pub(crate) struct LinearSum<V> {
    pub(crate) constant: Value,
    coefficients: BTreeMap<V, Value>,
}

impl<V: Copy + Ord + From<Lit>> LinearSum<V> {
    /// Creates an empty sum.
    pub(crate) fn new() -> Self {
        Self { constant: 0, coefficients: BTreeMap::new() }
    }

    pub(crate) fn add_constant(&mut self, value: Value) -> Result<(), Overflow> {
        self.constant = self.constant.checked_add(value).ok_or(Overflow)?;
        Ok(())
    }

    /// Adds a literal with a coefficient. The literal may be a constant.
    pub(crate) fn add_lit(&mut self, coefficient: Value, lit: Lit) -> Result<(), Overflow> {
        match constant(lit) {
            Some(true) => self.add_constant(coefficient),
            Some(false) => Ok(()),
            None if lit.is_pos() => self.add_variable(coefficient, lit.into()),
            None => {
                self.add_constant(coefficient)?;
                self.add_variable(coefficient.checked_neg().ok_or(Overflow)?, (!lit).into())
            }
        }
    }

    fn add_variable(&mut self, coefficient: Value, variable: V) -> Result<(), Overflow> {
        let sum = self.coefficients.entry(variable).or_default();
        *sum = sum.checked_add(coefficient).ok_or(Overflow)?;
        Ok(())
    }

    /// Returns the nonzero coefficients with their variables, in the order of the variables.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (Value, V)> {
        let terms = self.coefficients.iter().map(|(&variable, &coefficient)| (coefficient, variable));
        terms.filter(|&(coefficient, _)| coefficient != 0)
    }

    /// Returns the greatest common divisor of the coefficients, or 1 if there are no terms.
    pub(crate) fn divisor(&self) -> u128 {
        self.terms().fold(0, |divisor, (coefficient, _)| gcd(divisor, coefficient.unsigned_abs())).max(1)
    }
}

impl LinearSum<Term> {
    /// Creates the sum of the terms. An integer variable with a single value becomes a constant.
    pub(crate) fn of(terms: &[(Value, Term)], domains: Domains<'_>) -> Result<Self, Overflow> {
        let mut sum = Self::new();
        for &(coefficient, term) in terms {
            match term {
                Term::Lit(lit) => sum.add_lit(coefficient, lit)?,
                Term::Int(x) if domains.of(x).size() == 1 => {
                    sum.add_constant(coefficient.checked_mul(domains.of(x).min()).ok_or(Overflow)?)?;
                }
                Term::Int(_) => sum.add_variable(coefficient, term)?,
            }
        }
        Ok(sum)
    }
}

/// If a variable has at most this many values, its affine views can have any coefficient. For larger domains, the
/// coefficient must be 1 or -1.
const VIEWED_UP_TO: u128 = 1_000;

const OVERFLOW: &str = "an expression exceeds an i128";

impl<'a> Domains<'a> {
    /// Returns the domain of an expression, computed from the domains of its variables. For an expression of several
    /// variables, the result is the interval from the minimum to the maximum.
    ///
    /// # Panics
    /// Panics if a value does not fit in an `i128`, or if a variable does not belong to the model.
    #[must_use]
    pub fn of_expr(self, expr: &Expr) -> Cow<'a, Domain> {
        if let Some(x) = expr.variable() {
            return Cow::Borrowed(self.of(x));
        }
        let expr = self.normal(expr);
        if let Some(affine) = self.affine(&expr) {
            return Cow::Owned(affine.domain(self.of(affine.of)));
        }
        let (least, greatest) = range(expr.terms(), expr.constant(), self).expect(OVERFLOW);
        Cow::Owned(match expr.terms() {
            [(_, Term::Lit(_))] => Domain::from_values([least, greatest]),
            _ => Domain::interval(least, greatest),
        })
    }

    /// Returns the normal form of an expression.
    pub(crate) fn normal(self, expr: &Expr) -> Expr {
        let mut sum = LinearSum::of(expr.terms(), self).expect(OVERFLOW);
        sum.add_constant(expr.constant()).expect(OVERFLOW);
        Expr::new(sum.terms(), sum.constant)
    }

    /// Converts an expression in normal form to an affine view, or returns `None` if it is not equivalent to an affine
    /// view.
    pub(crate) fn affine(self, expr: &Expr) -> Option<Affine> {
        let &[(factor, Term::Int(of))] = expr.terms() else { return None };
        let viewed = factor.abs() == 1 || self.of(of).size() <= VIEWED_UP_TO;
        viewed.then_some(Affine { of, factor, offset: expr.constant() })
    }
}

/// Returns the minimum and the maximum of a constant plus the sum of terms.
pub(crate) fn range(
    terms: &[(Value, Term)],
    constant: Value,
    domains: Domains<'_>,
) -> Result<(Value, Value), Overflow> {
    let add = |(least, greatest): (Value, Value), &(coefficient, term): &(Value, Term)| {
        let (low, high) = term.range(domains);
        let (a, b) = (coefficient.checked_mul(low)?, coefficient.checked_mul(high)?);
        Some((least.checked_add(a.min(b))?, greatest.checked_add(a.max(b))?))
    };
    terms.iter().try_fold((constant, constant), add).ok_or(Overflow)
}

impl Term {
    /// Returns the minimum and the maximum value of a term.
    pub(crate) fn range(self, domains: Domains<'_>) -> (Value, Value) {
        match self {
            Self::Int(x) => (domains.of(x).min(), domains.of(x).max()),
            Self::Lit(_) => (0, 1),
        }
    }

    /// Returns the difference between the maximum and the minimum of a term with the given coefficient.
    pub(crate) fn spread(self, coefficient: Value, domains: Domains<'_>) -> u128 {
        let (low, high) = self.range(domains);
        coefficient.unsigned_abs().saturating_mul(high.abs_diff(low))
    }

    /// Returns the number of possible values of a term.
    pub(crate) fn values(self, domains: Domains<'_>) -> u128 {
        match self {
            Self::Int(x) => domains.of(x).size(),
            Self::Lit(_) => 2,
        }
    }
}

impl LinearSum<Lit> {
    /// Returns the minimum of the sum over all assignments.
    pub(crate) fn least(&self) -> Result<Value, Overflow> {
        let mut negative = self.coefficients.values().filter(|&&coefficient| coefficient < 0);
        negative.try_fold(self.constant, |sum, &coefficient| sum.checked_add(coefficient)).ok_or(Overflow)
    }

    /// Returns the minimum of the sum, and literals with positive weights. The value of the sum is this minimum plus
    /// the weights of the true literals. A negative coefficient of a variable becomes a positive weight of its negated
    /// literal.
    pub(crate) fn weights(&self) -> Result<(Value, Vec<(u128, Lit)>), Overflow> {
        let weight = |(coefficient, lit): (Value, Lit)| {
            (coefficient.unsigned_abs(), if coefficient < 0 { !lit } else { lit })
        };
        Ok((self.least()?, self.terms().map(weight).collect()))
    }

    /// Returns the sum with all signs inverted.
    pub(crate) fn negated(&self) -> Result<Self, Overflow> {
        let mut negated = Self::new();
        negated.constant = self.constant.checked_neg().ok_or(Overflow)?;
        for (coefficient, lit) in self.terms() {
            negated.coefficients.insert(lit, coefficient.checked_neg().ok_or(Overflow)?);
        }
        Ok(negated)
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
