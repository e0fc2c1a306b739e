//! Linear sums, and their comparisons with 0.

use gordian_encodings::Value;

use super::builder::{Bounds, Builder, Lit, array, int, one};
use super::error::Result;
use crate::instance::{Argument, Operand, VarId};

/// An operator that compares a sum with 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    AtMost,
    Equal,
    Different,
}

/// A sum of a constant and of variables with coefficients.
#[derive(Debug, Clone, Default)]
pub(super) struct Sum {
    pub(super) terms: Vec<(Value, VarId)>,
    pub(super) constant: Value,
}

impl Sum {
    /// Merges terms with the same variable. Returns `None` on overflow.
    pub(super) fn merge(mut self) -> Option<Self> {
        self.terms.sort_unstable_by_key(|term| term.1);
        let mut merged: Vec<(Value, VarId)> = Vec::with_capacity(self.terms.len());
        for (a, x) in self.terms {
            match merged.last_mut() {
                Some(last) if last.1 == x => last.0 = last.0.checked_add(a)?,
                _ => merged.push((a, x)),
            }
        }
        merged.retain(|&(a, _)| a != 0);
        Some(Self { terms: merged, constant: self.constant })
    }

    /// Adds a multiple of another sum. Returns `None` on overflow.
    pub(super) fn add(&mut self, of: &Self, factor: Value) -> Option<()> {
        for &(a, x) in &of.terms {
            self.terms.push((a.checked_mul(factor)?, x));
        }
        self.constant = self.constant.checked_add(of.constant.checked_mul(factor)?)?;
        Some(())
    }
}

impl Builder {
    /// Returns the bounds of a sum.
    pub(super) fn sum_bounds(&self, sum: &Sum) -> Bounds {
        let mut bounds = (sum.constant, sum.constant);
        for &(a, x) in &sum.terms {
            let (first, last) = self.bounds(&Operand::Var(x))?;
            let ends = [a.checked_mul(first)?, a.checked_mul(last)?];
            bounds.0 = bounds.0.checked_add(ends[0].min(ends[1]))?;
            bounds.1 = bounds.1.checked_add(ends[0].max(ends[1]))?;
        }
        Some(bounds)
    }

    /// Returns the literal that is equivalent to the comparison `sum <sign> 0`, if the sum has at most one variable.
    fn unary(&mut self, sign: Sign, sum: &Sum) -> Result<Option<Lit>> {
        let holds = |value: Value| match sign {
            Sign::AtMost => value <= 0,
            Sign::Equal => value == 0,
            Sign::Different => value != 0,
        };
        let (a, x) = match sum.terms[..] {
            [] => return Ok(Some(Lit::Const(holds(sum.constant)))),
            [term] => term,
            _ => return Ok(None),
        };
        let negated = sum.constant.checked_neg().ok_or_else(|| self.overflow())?;
        Ok(Some(match sign {
            Sign::AtMost if a > 0 => self.at_most(x, negated.div_euclid(a)),
            // Here, a < 0. Let b = -a, and let c be the constant. The comparison is equivalent to `x >= c / b`, and
            // thus to the negation of `x <= floor((c - 1) / b)`.
            Sign::AtMost => {
                let b = a.checked_neg().and_then(|b| Some((b, sum.constant.checked_sub(1)?)));
                let (b, less) = b.ok_or_else(|| self.overflow())?;
                !self.at_most(x, less.div_euclid(b))
            }
            Sign::Equal | Sign::Different => {
                let equal = match negated.checked_rem(a) {
                    Some(0) => self.equals(&Operand::Var(x), negated / a),
                    _ => Lit::Const(false),
                };
                if sign == Sign::Equal { equal } else { !equal }
            }
        }))
    }

    /// Returns the arguments of a linear constraint such as `int_lin_eq`.
    fn linear(&self, sum: &Sum) -> Result<Vec<Argument>> {
        let bound = sum.constant.checked_neg().ok_or_else(|| self.overflow())?;
        let coefficients = array(sum.terms.iter().map(|&(a, _)| Operand::Int(a)));
        Ok(vec![coefficients, array(sum.terms.iter().map(|&(_, x)| Operand::Var(x))), int(bound)])
    }

    /// Adds the linear constraint `sum <sign> 0`.
    pub(super) fn compare(&mut self, sign: Sign, sum: Sum) -> Result<()> {
        let sum = sum.merge().ok_or_else(|| self.overflow())?;
        if let (Sign::Equal | Sign::Different, [(1 | -1, x)], Some(negated)) =
            (sign, &sum.terms[..], sum.constant.checked_neg())
        {
            let value = if sum.terms[0].0 == 1 { negated } else { sum.constant };
            let name = if sign == Sign::Equal { "int_eq" } else { "int_ne" };
            self.call(name, vec![one(Operand::Var(*x)), int(value)]);
            return Ok(());
        }
        if let Some(literal) = self.unary(sign, &sum)? {
            self.clause(&[literal]);
            return Ok(());
        }
        if let (0, [(1, x), (-1, y)] | [(-1, y), (1, x)]) = (sum.constant, &sum.terms[..]) {
            let name = match sign {
                Sign::AtMost => "int_le",
                Sign::Equal => "int_eq",
                Sign::Different => "int_ne",
            };
            self.call(name, vec![one(Operand::Var(*x)), one(Operand::Var(*y))]);
            return Ok(());
        }
        let name = match sign {
            Sign::AtMost => "int_lin_le",
            Sign::Equal => "int_lin_eq",
            Sign::Different => "int_lin_ne",
        };
        let arguments = self.linear(&sum)?;
        self.call(name, arguments);
        Ok(())
    }

    /// Returns the literal that is equivalent to the comparison `sum <sign> 0`.
    pub(super) fn reify(&mut self, sign: Sign, sum: Sum) -> Result<Lit> {
        let sum = sum.merge().ok_or_else(|| self.overflow())?;
        if let Some(literal) = self.unary(sign, &sum)? {
            return Ok(literal);
        }
        let name = if sign == Sign::AtMost { "int_lin_le_reif" } else { "int_lin_eq_reif" };
        let result = self.boolean();
        let mut arguments = self.linear(&sum)?;
        arguments.push(one(Operand::Var(result)));
        self.call(name, arguments);
        Ok(Lit::Var(result, sign != Sign::Different))
    }
}
