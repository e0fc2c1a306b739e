//! Translates expressions into variables, literals and constraints.
//!
//! Division by 0 is undefined, and makes the smallest Boolean expression around it false.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::builder::{Bounds, Builder, Lit, Sign, Sum, array, one};
use super::error::Result;
use super::expr::{Expr, Op};
use crate::instance::Operand;

impl Builder {
    /// Adds the constraint that a Boolean expression has the given value.
    pub(super) fn post(&mut self, expr: &Expr, value: bool) -> Result<()> {
        let Expr::Apply(op, operands) = expr else { return self.post_literal(expr, value) };
        match (op, value) {
            (Op::Not, _) => self.post(&operands[0], !value),
            (Op::And, true) | (Op::Or, false) => {
                operands.iter().try_for_each(|operand| self.post(operand, value))
            }
            (Op::And, false) | (Op::Or, true) => {
                let literals = self.literals(operands)?;
                let literals = literals.into_iter().map(|literal| if value { literal } else { !literal });
                self.clause(&literals.collect::<Vec<_>>());
                Ok(())
            }
            (Op::Imp, false) => {
                self.post(&operands[0], true)?;
                self.post(&operands[1], false)
            }
            (Op::Imp, true) => {
                let (left, right) = (self.literal(&operands[0])?, self.literal(&operands[1])?);
                self.clause(&[!left, right]);
                Ok(())
            }
            (Op::Iff | Op::Eq, true) if *op == Op::Iff || self.is_logical(operands) => {
                let literals = self.literals(operands)?;
                literals.windows(2).for_each(|pair| self.equate(pair[0], pair[1]));
                Ok(())
            }
            (Op::Xor, _) | (Op::Ne, _)
                if operands.len() == 2 && (*op == Op::Xor || self.is_logical(operands)) =>
            {
                let (left, right) = (self.literal(&operands[0])?, self.literal(&operands[1])?);
                self.equate(left, if value { !right } else { right });
                Ok(())
            }
            (Op::If, _) => {
                let literals = self.literals(operands)?;
                for (condition, branch) in [(literals[0], literals[1]), (!literals[0], literals[2])] {
                    self.clause(&[!condition, if value { branch } else { !branch }]);
                }
                Ok(())
            }
            (Op::Eq, true) => operands.windows(2).try_for_each(|pair| self.post_comparison(Op::Eq, pair)),
            (Op::Lt | Op::Le | Op::Ge | Op::Gt | Op::Ne, true) => self.post_comparison(*op, operands),
            (Op::In, true) => match &operands[1] {
                Expr::Set(set) => {
                    let x = self.operand(&operands[0])?;
                    self.call("set_in", vec![one(x), one(Operand::Set(Arc::clone(set)))]);
                    Ok(())
                }
                _ => self.post_literal(expr, value),
            },
            _ => self.post_literal(expr, value),
        }
    }

    fn post_literal(&mut self, expr: &Expr, value: bool) -> Result<()> {
        let literal = self.literal(expr)?;
        self.clause(&[if value { literal } else { !literal }]);
        Ok(())
    }

    fn post_comparison(&mut self, op: Op, operands: &[Expr]) -> Result<()> {
        let (sign, sum) = self.difference(op, &operands[0], &operands[1])?;
        self.compare(sign, sum)
    }

    /// Returns the sum whose comparison with 0 is the comparison of two expressions.
    fn difference(&mut self, op: Op, left: &Expr, right: &Expr) -> Result<(Sign, Sum)> {
        let (sign, left, right) = match op {
            Op::Lt | Op::Le => (Sign::AtMost, left, right),
            Op::Gt | Op::Ge => (Sign::AtMost, right, left),
            Op::Eq => (Sign::Equal, left, right),
            _ => (Sign::Different, left, right),
        };
        let mut sum = Sum::default();
        if matches!(op, Op::Lt | Op::Gt) {
            sum.constant = 1;
        }
        self.add(left, 1, &mut sum)?;
        self.add(right, -1, &mut sum)?;
        Ok((sign, sum))
    }

    /// Returns whether an equality of the operands is one of Booleans, of which at least one is an expression.
    fn is_logical(&self, operands: &[Expr]) -> bool {
        let boolean = |operand: &Expr| match operand {
            Expr::Apply(op, _) => op.is_boolean(),
            Expr::Int(value) => (0..=1).contains(value),
            Expr::Var(x) => self.is_binary(*x),
            Expr::Set(_) => false,
        };
        operands.iter().all(boolean) && operands.iter().any(|operand| matches!(operand, Expr::Apply(..)))
    }

    pub(super) fn literals(&mut self, exprs: &[Expr]) -> Result<Vec<Lit>> {
        exprs.iter().map(|expr| self.literal(expr)).collect()
    }

    /// Returns the literal that equals a Boolean expression.
    pub(super) fn literal(&mut self, expr: &Expr) -> Result<Lit> {
        match expr {
            Expr::Apply(op, operands) => match op {
                Op::Not => Ok(!self.literal(&operands[0])?),
                Op::And => {
                    let literals = self.literals(operands)?;
                    Ok(self.all(&literals))
                }
                Op::Or => {
                    let literals = self.literals(operands)?;
                    Ok(self.any(&literals))
                }
                Op::Imp => {
                    let (left, right) = (self.literal(&operands[0])?, self.literal(&operands[1])?);
                    Ok(self.any(&[!left, right]))
                }
                Op::Xor => {
                    let literals = self.literals(operands)?;
                    Ok(literals.into_iter().fold(Lit::Const(false), |odd, literal| !self.same(odd, literal)))
                }
                Op::Iff => self.all_same(operands),
                Op::Eq if self.is_logical(operands) => self.all_same(operands),
                Op::Ne if self.is_logical(operands) => Ok(!self.all_same(operands)?),
                Op::If => {
                    let literals = self.literals(operands)?;
                    let yes = self.any(&[!literals[0], literals[1]]);
                    let no = self.any(&[literals[0], literals[2]]);
                    Ok(self.all(&[yes, no]))
                }
                op if op.is_boolean() => self.relation(*op, operands),
                _ => self.truth(expr),
            },
            Expr::Int(_) | Expr::Var(_) => self.truth(expr),
            Expr::Set(_) => Err(self.refuse("a set", "a Boolean")),
        }
    }

    /// Returns the literal that equals an integer expression with the values 0 and 1.
    fn truth(&mut self, expr: &Expr) -> Result<Lit> {
        let operand = self.operand(expr)?;
        match (self.bounds(&operand), operand) {
            (Some((0, 0)), _) => Ok(Lit::Const(false)),
            (Some((1, 1)), _) => Ok(Lit::Const(true)),
            (Some((0, 1)), Operand::Var(x)) => Ok(Lit::Var(x, true)),
            _ => Err(self.refuse("an integer expression", "a Boolean one, with the values 0 and 1")),
        }
    }

    fn all_same(&mut self, operands: &[Expr]) -> Result<Lit> {
        let literals = self.literals(operands)?;
        let pairs: Vec<Lit> = literals.windows(2).map(|pair| self.same(pair[0], pair[1])).collect();
        Ok(self.all(&pairs))
    }

    /// Returns the literal that a comparison holds, which is false if an operand is undefined.
    fn relation(&mut self, op: Op, operands: &[Expr]) -> Result<Lit> {
        let (literal, defined) = self.where_defined(|builder| builder.total_relation(op, operands))?;
        Ok(self.all(&[defined, literal]))
    }

    /// Translates a part of a Boolean expression. Returns also the literal that the part is defined.
    fn where_defined<T>(&mut self, translate: impl FnOnce(&mut Self) -> Result<T>) -> Result<(T, Lit)> {
        self.defined.push(Vec::new());
        let translated = translate(self);
        let defined = self.defined.pop().unwrap_or_default();
        Ok((translated?, self.all(&defined)))
    }

    fn total_relation(&mut self, op: Op, operands: &[Expr]) -> Result<Lit> {
        if matches!(op, Op::In | Op::NotIn) {
            let member = self.member(&operands[0], &operands[1])?;
            return Ok(if op == Op::In { member } else { !member });
        }
        let mut literals = Vec::new();
        for pair in operands.windows(2) {
            let (sign, sum) = self.difference(op, &pair[0], &pair[1])?;
            literals.push(self.reify(sign, sum)?);
        }
        Ok(self.all(&literals))
    }

    /// Returns the literal that a value is in a set.
    fn member(&mut self, value: &Expr, set: &Expr) -> Result<Lit> {
        let x = self.operand(value)?;
        match set {
            Expr::Set(set) if set.size() == 1 => Ok(self.equals(&x, set.min())),
            Expr::Set(set) => Ok(self.within_set(&x, set)),
            Expr::Apply(Op::Set, members) => {
                let mut literals = Vec::new();
                for member in members {
                    literals.push(match member {
                        Expr::Set(set) => self.within_set(&x, set),
                        member => {
                            let mut difference = Sum::default();
                            self.add(member, 1, &mut difference)?;
                            self.add_operand(&x, -1, &mut difference)?;
                            self.reify(Sign::Equal, difference)?
                        }
                    });
                }
                Ok(self.any(&literals))
            }
            _ => Err(self.refuse("an integer expression", "a set")),
        }
    }

    pub(super) fn within_set(&mut self, x: &Operand, set: &Arc<Domain>) -> Lit {
        match x {
            Operand::Var(_) => {
                let result = self.boolean();
                let arguments =
                    vec![one(x.clone()), one(Operand::Set(Arc::clone(set))), one(Operand::Var(result))];
                self.call("set_in_reif", arguments);
                Lit::Var(result, true)
            }
            constant => Lit::Const(self.bounds(constant).is_some_and(|(value, _)| set.contains(value))),
        }
    }

    pub(super) fn add_operand(&mut self, operand: &Operand, factor: Value, sum: &mut Sum) -> Result<()> {
        let of = match *operand {
            Operand::Var(x) => Sum { terms: vec![(1, x)], constant: 0 },
            Operand::Int(value) => Sum { terms: Vec::new(), constant: value },
            Operand::Bool(value) => Sum { terms: Vec::new(), constant: Value::from(value) },
            Operand::Set(_) => return Err(self.refuse("a set", "an integer")),
        };
        sum.add(&of, factor).ok_or_else(|| self.overflow())
    }

    pub(super) fn add_literal(&self, literal: Lit, factor: Value, sum: &mut Sum) -> Result<()> {
        let of = match literal {
            Lit::Const(value) => Sum { terms: Vec::new(), constant: Value::from(value) },
            Lit::Var(x, true) => Sum { terms: vec![(1, x)], constant: 0 },
            Lit::Var(x, false) => Sum { terms: vec![(-1, x)], constant: 1 },
        };
        sum.add(&of, factor).ok_or_else(|| self.overflow())
    }

    /// Adds `factor * expr` to a sum.
    pub(super) fn add(&mut self, expr: &Expr, factor: Value, sum: &mut Sum) -> Result<()> {
        match expr {
            Expr::Int(value) => self.add_operand(&Operand::Int(*value), factor, sum),
            Expr::Var(x) => self.add_operand(&Operand::Var(*x), factor, sum),
            Expr::Set(_) => Err(self.refuse("a set", "an integer")),
            Expr::Apply(Op::Add, operands) => {
                operands.iter().try_for_each(|operand| self.add(operand, factor, sum))
            }
            Expr::Apply(Op::Sub, operands) => {
                self.add(&operands[0], factor, sum)?;
                let negated = factor.checked_neg().ok_or_else(|| self.overflow())?;
                self.add(&operands[1], negated, sum)
            }
            Expr::Apply(Op::Neg, operands) => {
                let negated = factor.checked_neg().ok_or_else(|| self.overflow())?;
                self.add(&operands[0], negated, sum)
            }
            Expr::Apply(Op::Mul, operands) => {
                let product = self.product(operands)?;
                sum.add(&product, factor).ok_or_else(|| self.overflow())
            }
            Expr::Apply(Op::If, operands) => {
                let branch = self.choice(operands)?;
                sum.add(&branch, factor).ok_or_else(|| self.overflow())
            }
            Expr::Apply(op, _) if op.is_boolean() => {
                let literal = self.literal(expr)?;
                self.add_literal(literal, factor, sum)
            }
            Expr::Apply(op, operands) => {
                let result = self.function(*op, operands)?;
                self.add_operand(&result, factor, sum)
            }
        }
    }

    fn sum_of(&mut self, expr: &Expr) -> Result<Sum> {
        let mut sum = Sum::default();
        self.add(expr, 1, &mut sum)?;
        sum.merge().ok_or_else(|| self.overflow())
    }

    /// Returns a variable or constant that equals an expression.
    pub(super) fn operand(&mut self, expr: &Expr) -> Result<Operand> {
        let sum = self.sum_of(expr)?;
        self.operand_of_sum(sum)
    }

    pub(super) fn operands(&mut self, exprs: &[Expr]) -> Result<Vec<Operand>> {
        exprs.iter().map(|expr| self.operand(expr)).collect()
    }

    fn operand_of_sum(&mut self, mut sum: Sum) -> Result<Operand> {
        match (&sum.terms[..], sum.constant) {
            ([], value) => return Ok(Operand::Int(value)),
            ([(1, x)], 0) => return Ok(Operand::Var(*x)),
            _ => {}
        }
        let result = self.within(self.sum_bounds(&sum));
        self.add_operand(&result, -1, &mut sum)?;
        self.compare(Sign::Equal, sum)?;
        Ok(result)
    }

    /// Returns the product of expressions.
    fn product(&mut self, operands: &[Expr]) -> Result<Sum> {
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
    fn choice(&mut self, operands: &[Expr]) -> Result<Sum> {
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

    /// Returns the value of a function that is not linear.
    fn function(&mut self, op: Op, operands: &[Expr]) -> Result<Operand> {
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
            Op::Min | Op::Max => Ok(self.extremum(values, op == Op::Max)),
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
                if !bounds[1].is_some_and(|(least, _)| least >= 0) {
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

    /// Returns the minimum or maximum.
    pub(super) fn extremum(&mut self, values: Vec<Operand>, greatest: bool) -> Operand {
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

    /// Returns a divisor for use inside the current Boolean expression: one that is never 0 there.
    fn divisor(&mut self, y: Operand) -> Result<Operand> {
        if self.defined.is_empty() {
            // The constraint itself excludes 0.
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

/// The bounds of a product.
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

/// The bounds of `x div y`.
fn quotient(x: Bounds) -> Bounds {
    let (_, most) = absolute(x?)?;
    Some((-most, most))
}

/// The bounds of `x mod y`, which has the sign of `x`.
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

/// The bounds of `x ^ y` for `y >= 0`.
fn power(x: Bounds, y: Bounds) -> Bounds {
    let ((first, _), (_, exponent)) = (x?, y?);
    let (_, base) = absolute(x?)?;
    let most = base.checked_pow(u32::try_from(exponent).ok()?)?.max(1);
    Some((if first < 0 { -most } else { 0 }, most))
}
