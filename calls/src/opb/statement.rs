//! The arguments and the condition of a call.

use gordian_encodings::{Domain, Value};
use gordian_rules::opb::Sum;

use super::{LARGEST, always};
use crate::instance::{Argument, Operand};

fn is_small(value: Value) -> bool {
    value.unsigned_abs() <= LARGEST
}

/// The arguments of a call, and when it must hold. A *term* is a sum whose value is 0 or 1.
#[derive(Debug)]
pub(super) struct Statement<'a> {
    pub(super) arguments: &'a [Argument],
    /// The relation must hold if this term is 1.
    pub(super) condition: Sum,
    /// The relation must not hold if this term is 1; `None` if it never has to.
    pub(super) otherwise: Option<Sum>,
}

impl<'a> Statement<'a> {
    /// Returns an argument that is an integer or a Boolean.
    pub(super) fn operand(&self, index: usize) -> Option<&'a Operand> {
        match self.arguments.get(index)? {
            Argument::One(operand) => small(operand),
            Argument::Array(_) => None,
        }
    }

    /// Returns an argument that is an array of integers or Booleans.
    pub(super) fn operands(&self, index: usize) -> Option<Vec<&'a Operand>> {
        self.array(index)?.iter().map(small).collect()
    }

    pub(super) fn array(&self, index: usize) -> Option<&'a [Operand]> {
        match self.arguments.get(index)? {
            Argument::One(_) => None,
            Argument::Array(array) => Some(array),
        }
    }

    pub(super) fn number(&self, index: usize) -> Option<Value> {
        self.operand(index)?.constant()
    }

    pub(super) fn numbers(&self, index: usize) -> Option<Vec<Value>> {
        self.operands(index)?.into_iter().map(Operand::constant).collect()
    }

    pub(super) fn set(&self, index: usize) -> Option<&'a Domain> {
        match self.arguments.get(index)? {
            Argument::One(Operand::Set(set)) => Some(set),
            _ => None,
        }
    }

    /// Returns the condition, or `None` if the call is reified.
    pub(super) fn unless_reified(&self) -> Option<&Sum> {
        self.otherwise.is_none().then_some(&self.condition)
    }

    /// Returns `None` if the relation has a condition.
    pub(super) fn unconditional(&self) -> Option<()> {
        (self.otherwise.is_none() && self.condition == always()).then_some(())
    }
}

/// Returns the operand, unless it is a set or a number with a large absolute value.
fn small(operand: &Operand) -> Option<&Operand> {
    match operand {
        Operand::Set(_) => None,
        Operand::Int(value) => is_small(*value).then_some(operand),
        Operand::Bool(_) | Operand::Var(_) => Some(operand),
    }
}
