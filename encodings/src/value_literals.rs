//! The literals `x = v` in linear relaxations.

use std::collections::BTreeMap;

use crate::expr::{Expr, Term};
use crate::int::{Canonical, Domain, Domains, Integers, Relation, Value};
use crate::lit::{FALSE, Lit, from_bool};

/// Gives constraints the literals `x = v` of a model for the linear constraints that they
/// [imply](crate::Constraint::implied). A literal that does not exist is created, up to a limit on their number.
///
/// A method that returns several literals treats them all as new when it compares their number with the limit. It may
/// therefore return `None` although some of them exist and the others would not exceed the limit.
#[derive(Debug)]
pub struct ValueLiterals<'m> {
    integers: &'m mut Integers,
    booleans: &'m mut u32,
    /// The number of literals that may still be created.
    left: u32,
}

impl<'m> ValueLiterals<'m> {
    /// Creates at most `most` literals. The number of Boolean variables of the model is `booleans`.
    pub(crate) fn new(integers: &'m mut Integers, booleans: &'m mut u32, most: u32) -> Self {
        Self { integers, booleans, left: most }
    }

    /// Returns the domains of all integer variables.
    #[must_use]
    pub fn domains(&self) -> Domains<'_> {
        self.integers.domains()
    }

    /// Returns the literal `expr = value`, or `None` if the expression has several variables or the limit on new literals is
    /// reached.
    pub fn equals(&mut self, expr: &Expr, value: Value) -> Option<Lit> {
        let expr = self.domains().normal(expr);
        let value = value.checked_sub(expr.constant())?;
        let (factor, term) = match *expr.terms() {
            [] => return Some(from_bool(value == 0)),
            [term] => term,
            _ => return None,
        };
        let (0, value) = (value.checked_rem(factor)?, value / factor) else { return Some(FALSE) };
        match (term, value) {
            (Term::Int(x), _) => {
                if let Canonical::Bound { bound, .. } = self.integers.canonical(x, Relation::Equal, value)
                    && !self.integers.known.contains_key(&bound)
                {
                    self.left = self.left.checked_sub(1)?;
                }
                Some(self.integers.literal_in_model(x, Relation::Equal, value, self.booleans))
            }
            (Term::Lit(lit), 0) => Some(!lit),
            (Term::Lit(lit), 1) => Some(lit),
            (Term::Lit(_), _) => Some(FALSE),
        }
    }

    /// Returns the literal `expr = value` for each expression. Returns `None` if an expression has several variables or the
    /// limit on new literals is reached.
    pub fn all_equal(&mut self, exprs: &[Expr], value: Value) -> Option<Vec<Lit>> {
        if exprs.len() > self.left as usize {
            return None;
        }
        exprs.iter().map(|expr| self.equals(expr, value)).collect()
    }

    /// Returns the values of each expression in ascending order, and the literal `expr = value` of each value. Returns `None`
    /// if an expression has several variables or the limit on new literals is reached.
    pub fn values_of_all(&mut self, exprs: &[Expr]) -> Option<Vec<Vec<(Value, Lit)>>> {
        let domains = self.domains();
        if exprs.iter().any(|expr| domains.normal(expr).terms().len() > 1) {
            return None;
        }
        let domains: Vec<Domain> = exprs.iter().map(|expr| domains.of_expr(expr).into_owned()).collect();
        if domains.iter().map(Domain::size).fold(0, u128::saturating_add) > u128::from(self.left) {
            return None;
        }
        let values = exprs.iter().zip(domains);
        values
            .map(|(expr, domain)| {
                domain.values().map(|value| Some((value, self.equals(expr, value)?))).collect()
            })
            .collect()
    }

    /// Returns the values of an expression in ascending order, and the literal `expr = value` of each value. Returns `None`
    /// if the expression has several variables or the limit on new literals is reached.
    pub fn values(&mut self, expr: &Expr) -> Option<Vec<(Value, Lit)>> {
        self.values_of_all(std::slice::from_ref(expr))?.pop()
    }

    /// For each value that some of the expressions can have, returns the literals `expr = value`. Returns `None` if an
    /// expression has several variables or the limit on new literals is reached.
    pub fn by_value(&mut self, exprs: &[Expr]) -> Option<BTreeMap<Value, Vec<Lit>>> {
        let mut by_value: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (value, lit) in self.values_of_all(exprs)?.into_iter().flatten() {
            by_value.entry(value).or_default().push(lit);
        }
        Some(by_value)
    }
}
