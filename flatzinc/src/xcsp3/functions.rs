//! The translation of nonlinear functions, and the bounds of their values.

use gordian_encodings::Value;

use super::builder::{Bounds, Builder, Lit, array, one};
use super::error::Result;
use super::expr::{Expr, Op};
use super::sum::{Sign, Sum};
use crate::instance::Operand;

impl Builder {
    /// Returns the product of expressions.
    pub(super) fn product(&mut self, operands: &[Expr]) -> Result<Sum> {
        let mut product = Sum { terms: Vec::new(), constant: 1 };
        for operand in operands {
            let factor = self.sum_of(operand)?;
            let (sum, constant) = if factor.terms.is_empty() {
                (product, factor.constant)
            } else if product.terms.is_empty() {
                (factor, product.constant)
            } else {
                let x = self.operand_of_sum(product)?;
                let y = self.operand_of_sum(factor)?;
                let z = self.within(corners(self.bounds(&x), self.bounds(&y)));
                self.call("int_times", vec![one(x), one(y), one(z.clone())]);
                let mut sum = Sum::default();
                self.add_operand(&z, 1, &mut sum)?;
                (sum, 1)
            };
            product = Sum::default();
            product.add(&sum, constant).ok_or_else(|| self.overflow())?;
            product = product.merge().ok_or_else(|| self.overflow())?;
        }
        Ok(product)
    }

    /// Returns the value of `if(condition, yes, no)`.
    pub(super) fn choice(&mut self, operands: &[Expr]) -> Result<Sum> {
        let condition = self.literal(&operands[0])?;
        let mut branches = Vec::with_capacity(2);
        for (branch, unused) in [(&operands[1], !condition), (&operands[2], condition)] {
            let (sum, defined) = self.where_defined(|builder| builder.sum_of(branch))?;
            let defined = self.any(&[unused, defined]);
            match self.defined.last_mut() {
                Some(outer) => outer.push(defined),
                None => self.clause(&[defined]),
            }
            branches.push(sum);
        }
        let [yes, no] = <[Sum; 2]>::try_from(branches).unwrap_or_default();
        if let Lit::Const(value) = condition {
            return Ok(if value { yes } else { no });
        }
        if yes.terms.is_empty() && no.terms.is_empty() {
            let difference = yes.constant.checked_sub(no.constant).ok_or_else(|| self.overflow())?;
            let mut sum = no;
            self.add_literal(condition, difference, &mut sum)?;
            return Ok(sum);
        }
        let bounds = match (self.sum_bounds(&yes), self.sum_bounds(&no)) {
            (Some(yes), Some(no)) => Some((yes.0.min(no.0), yes.1.max(no.1))),
            _ => None,
        };
        let result = self.within(bounds);
        for (condition, mut branch) in [(condition, yes), (!condition, no)] {
            self.add_operand(&result, -1, &mut branch)?;
            let equal = self.reify(Sign::Equal, branch)?;
            self.clause(&[!condition, equal]);
        }
        let mut sum = Sum::default();
        self.add_operand(&result, 1, &mut sum)?;
        Ok(sum)
    }

    /// Returns an operand that equals the value of a nonlinear function.
    pub(super) fn function(&mut self, op: Op, operands: &[Expr]) -> Result<Operand> {
        if op == Op::Dist {
            let difference = Expr::Apply(Op::Sub, operands.to_vec());
            return self.function(Op::Abs, &[difference]);
        }
        let mut values = self.operands(operands)?;
        let bounds: Vec<Bounds> = values.iter().map(|value| self.bounds(value)).collect();
        match op {
            Op::Abs => {
                let result = self.within(bounds[0].and_then(absolute));
                self.call("int_abs", vec![one(values.remove(0)), one(result.clone())]);
                Ok(result)
            }
            Op::Sqr => {
                let square = absolute_bounds_squared(bounds[0]);
                let result = self.within(square);
                let x = values.remove(0);
                self.call("int_times", vec![one(x.clone()), one(x), one(result.clone())]);
                Ok(result)
            }
            Op::Min | Op::Max => Ok(self.min_max(values, op == Op::Max)),
            Op::Div | Op::Mod => {
                let (x, y) = (values.remove(0), values.remove(0));
                let y = self.divisor(y)?;
                let (name, bounds) = if op == Op::Div {
                    ("int_div", quotient(bounds[0]))
                } else {
                    ("int_mod", remainder(bounds[0], self.bounds(&y)))
                };
                let result = self.within(bounds);
                self.call(name, vec![one(x), one(y), one(result.clone())]);
                Ok(result)
            }
            Op::Pow => {
                if bounds[1].is_none_or(|(least, _)| least < 0) {
                    return Err(self.refuse("an exponent that may be negative", "an exponent of at least 0"));
                }
                let result = self.within(power(bounds[0], bounds[1]));
                let (x, y) = (values.remove(0), values.remove(0));
                self.call("int_pow", vec![one(x), one(y), one(result.clone())]);
                Ok(result)
            }
            _ => Err(self.refuse("a set", "an integer")),
        }
    }

    /// Returns an operand that equals the minimum or maximum of the values.
    pub(super) fn min_max(&mut self, values: Vec<Operand>, greatest: bool) -> Operand {
        let bounds: Option<Vec<(Value, Value)>> = values.iter().map(|value| self.bounds(value)).collect();
        let best =
            |values: &mut dyn Iterator<Item = Value>| if greatest { values.max() } else { values.min() };
        let bounds = bounds
            .and_then(|all| Some((best(&mut all.iter().map(|b| b.0))?, best(&mut all.iter().map(|b| b.1))?)));
        let result = self.within(bounds);
        let name = if greatest { "array_int_maximum" } else { "array_int_minimum" };
        self.call(name, vec![one(result.clone()), array(values)]);
        result
    }

    /// Returns a divisor that is never 0, and that equals `y` if y is not 0. If y = 0, the innermost Boolean
    /// expression that contains the division is false.
    fn divisor(&mut self, y: Operand) -> Result<Operand> {
        if self.defined.is_empty() {
            // Outside Boolean expressions, the division constraint itself excludes the divisor 0.
            return Ok(y);
        }
        let nonzero = !self.equals(&y, 0);
        let Some(inner) = self.defined.last_mut() else { return Ok(y) };
        match nonzero {
            Lit::Const(true) => Ok(y),
            Lit::Const(false) => {
                inner.push(nonzero);
                Ok(Operand::Int(1))
            }
            Lit::Var(..) => {
                inner.push(nonzero);
                let bounds = self.bounds(&y).map(|(first, last)| (first.min(1), last.max(1)));
                let safe = self.within(bounds);
                for (condition, value) in [(nonzero, y), (!nonzero, Operand::Int(1))] {
                    let mut difference = Sum::default();
                    self.add_operand(&safe, 1, &mut difference)?;
                    self.add_operand(&value, -1, &mut difference)?;
                    let equal = self.reify(Sign::Equal, difference)?;
                    self.clause(&[!condition, equal]);
                }
                Ok(safe)
            }
        }
    }
}

fn absolute((first, last): (Value, Value)) -> Bounds {
    let (a, b) = (first.checked_abs()?, last.checked_abs()?);
    Some((if first <= 0 && last >= 0 { 0 } else { a.min(b) }, a.max(b)))
}

fn absolute_bounds_squared(bounds: Bounds) -> Bounds {
    let (least, most) = bounds.and_then(absolute)?;
    Some((least.checked_mul(least)?, most.checked_mul(most)?))
}

/// Returns the bounds of a product.
fn corners(x: Bounds, y: Bounds) -> Bounds {
    let (x, y) = (x?, y?);
    let mut bounds: Bounds = None;
    for a in [x.0, x.1] {
        for b in [y.0, y.1] {
            let product = a.checked_mul(b)?;
            bounds = Some(bounds.map_or((product, product), |all| (all.0.min(product), all.1.max(product))));
        }
    }
    bounds
}

/// Returns the bounds of the quotient `x div y`.
fn quotient(x: Bounds) -> Bounds {
    let (_, most) = absolute(x?)?;
    Some((-most, most))
}

/// Returns the bounds of the remainder `x mod y`, which has the sign of `x`.
fn remainder(x: Bounds, y: Bounds) -> Bounds {
    let most = match (x.and_then(absolute), y.and_then(absolute)) {
        (Some((_, x)), Some((_, y))) => x.min((y - 1).max(0)),
        (Some((_, most)), None) => most,
        (None, Some((_, y))) => (y - 1).max(0),
        (None, None) => return None,
    };
    let (first, last) = x.unwrap_or((-1, 1));
    Some((if first < 0 { -most } else { 0 }, if last > 0 { most } else { 0 }))
}

/// Returns the bounds of the power `x ^ y` for `y >= 0`.
fn power(x: Bounds, y: Bounds) -> Bounds {
    let ((first, _), (_, exponent)) = (x?, y?);
    let (_, base) = absolute(x?)?;
    let most = base.checked_pow(u32::try_from(exponent).ok()?)?.max(1);
    Some((if first < 0 { -most } else { 0 }, most))
}
