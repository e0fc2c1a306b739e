//! The translation of expressions into variables, literals and constraints.
//!
//! Division by 0 is undefined. The innermost Boolean expression that contains an undefined division is false.

use std::sync::Arc;

use gordian_encodings::{Domain, Value};

use super::builder::{Builder, Lit, one};
use super::error::Result;
use super::expr::{Expr, Op};
use super::sum::{Sign, Sum};
use crate::instance::Operand;

impl Builder {
    /// Adds the constraint that a Boolean expression has the truth value `value`.
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
            (Op::Xor | Op::Ne, _) if operands.len() == 2 && (*op == Op::Xor || self.is_logical(operands)) => {
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

    /// Converts the comparison of two expressions to the comparison of a sum with 0.
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

    /// Returns whether all operands are Boolean, and at least one of them is a compound expression.
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

    /// Returns the literal that is equivalent to a Boolean expression.
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

    /// Returns a literal for an integer expression with the values 0 and 1.
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

    /// Returns a literal that is equivalent to a comparison. The literal is false if an operand is undefined.
    fn relation(&mut self, op: Op, operands: &[Expr]) -> Result<Lit> {
        let (literal, defined) = self.where_defined(|builder| builder.total_relation(op, operands))?;
        Ok(self.all(&[defined, literal]))
    }

    /// Calls `translate` for a part of a Boolean expression. Returns the result together with a literal that is true
    /// if and only if this part is defined.
    pub(super) fn where_defined<T>(
        &mut self,
        translate: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<(T, Lit)> {
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

    /// Returns a literal that is equivalent to the membership of a value in a set.
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

    pub(super) fn sum_of(&mut self, expr: &Expr) -> Result<Sum> {
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

    pub(super) fn operand_of_sum(&mut self, mut sum: Sum) -> Result<Operand> {
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
}
