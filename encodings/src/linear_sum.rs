//! The normal form of linear sums: a constant, and one coefficient for each variable.
//!
//! A [`LinearSum`] merges the terms of each variable. A negative literal counts for its variable: `c (1 - x)` is
//! `c - c x`. Every operation is checked for overflow.

use std::collections::BTreeMap;

use crate::constraint::Term;
use crate::int::{Domains, Value};
use crate::lit::{Lit, constant};
use crate::sink::Sink;

/// The error for sums that do not fit the integer type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Overflow;

impl std::fmt::Display for Overflow {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the weights of the objective are too great to be added up")
    }
}

impl std::error::Error for Overflow {}

/// A sum over variables: positive literals, and integers if `V` is [`Term`].
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

    /// Adds a literal times a coefficient. The literal may be a constant.
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

    /// Returns the greatest common divisor of the coefficients; 1 if there are none.
    pub(crate) fn divisor(&self) -> u128 {
        self.terms().fold(0, |divisor, (coefficient, _)| gcd(divisor, coefficient.unsigned_abs())).max(1)
    }
}

impl LinearSum<Term> {
    /// Creates the sum of the terms. An integer with a single value is a constant.
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

/// Integers with more values are represented by bits instead of the order view.
const ORDER_UP_TO: u128 = 1_000;
/// The maximum number of bits of an integer.
const MOST_BITS: usize = 100;

impl LinearSum<Lit> {
    /// Creates the sum of the terms, with integers replaced by literals of their order or log views.
    pub(crate) fn over_literals(
        terms: impl IntoIterator<Item = (Value, Term)>,
        sink: &mut Sink<'_>,
    ) -> Result<Self, Overflow> {
        let mut sum = Self::new();
        for (coefficient, term) in terms {
            let (least, steps): (Value, Vec<(Value, Lit)>) = match term {
                Term::Lit(lit) => (0, vec![(1, lit)]),
                Term::Int(x) if sink.domains().of(x).size() <= ORDER_UP_TO => {
                    let values: Vec<Value> = sink.domains().of(x).values().collect();
                    let order = sink.order(x);
                    let gap = |(pair, at_most): (&[Value], Lit)| (pair[1] - pair[0], !at_most);
                    (values[0], values.windows(2).zip(order).map(gap).collect())
                }
                Term::Int(x) => {
                    let log = sink.log(x);
                    if log.bits.len() >= MOST_BITS {
                        return Err(Overflow);
                    }
                    (log.min, log.bits.iter().enumerate().map(|(k, &bit)| (1 << k, bit)).collect())
                }
            };
            let times = |value: Value| coefficient.checked_mul(value).ok_or(Overflow);
            sum.add_constant(times(least)?)?;
            for (step, lit) in steps {
                sum.add_lit(times(step)?, lit)?;
            }
        }
        Ok(sum)
    }

    /// Returns the minimum of the sum according to the coefficients.
    pub(crate) fn least(&self) -> Result<Value, Overflow> {
        let mut negative = self.coefficients.values().filter(|&&coefficient| coefficient < 0);
        negative.try_fold(self.constant, |sum, &coefficient| sum.checked_add(coefficient)).ok_or(Overflow)
    }

    /// Returns the minimum, and the weight that each literal adds if it holds. A negative coefficient of a variable
    /// becomes a positive weight of its negation.
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
