//! The literals `x = v` in linear relaxations.

use std::collections::BTreeMap;

use crate::expr::{Expr, Term};
use crate::int::{Canonical, Domain, Domains, Integers, Relation, Value};
use crate::lit::{FALSE, Lit, TRUE};

/// The literals `x = v` of a model, for the linear constraints that constraints [imply](crate::Constraint::implied).
/// Missing literals are created. Their number is limited.
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
            [] => return Some(if value == 0 { TRUE } else { FALSE }),
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
                let booleans = &mut *self.booleans;
                Some(self.integers.literal(x, Relation::Equal, value, || {
                    *booleans += 1;
                    Lit::positive(*booleans - 1)
                }))
            }
            (Term::Lit(lit), 0) => Some(!lit),
            (Term::Lit(lit), 1) => Some(lit),
            (Term::Lit(_), _) => Some(FALSE),
        }
    }

    /// Returns the literals `expr = value` of a list of expressions. Returns `None` if an expression has several variables
    /// or there might be too many new literals.
    pub fn all_equal(&mut self, exprs: &[Expr], value: Value) -> Option<Vec<Lit>> {
        if exprs.len() > self.left as usize {
            return None;
        }
        exprs.iter().map(|expr| self.equals(expr, value)).collect()
    }

    /// Returns the values of each expression in ascending order, each with the literal `expr = value`. Returns `None` if an
    /// expression has several variables or there might be too many new literals.
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

    /// Returns the values of an expression in ascending order, each with the literal `expr = value`, as
    /// [`ValueLiterals::values_of_all`] does.
    pub fn values(&mut self, expr: &Expr) -> Option<Vec<(Value, Lit)>> {
        self.values_of_all(std::slice::from_ref(expr))?.pop()
    }

    /// Returns the values of a list of expressions, each with the literals `expr = value`. Returns `None` in the same cases
    /// as [`ValueLiterals::values_of_all`].
    pub fn by_value(&mut self, exprs: &[Expr]) -> Option<BTreeMap<Value, Vec<Lit>>> {
        let mut by_value: BTreeMap<Value, Vec<Lit>> = BTreeMap::new();
        for (value, lit) in self.values_of_all(exprs)?.into_iter().flatten() {
            by_value.entry(value).or_default().push(lit);
        }
        Some(by_value)
    }
}
