//! Affine views of integer variables.

use super::{Domain, IntVar, Value};
use crate::lit::Lit;

const OVERFLOW: &str = "an expression exceeds an i128";

/// The affine view `factor * x + offset`, where x is the integer variable in the field `of`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Affine {
    pub(crate) of: IntVar,
    pub(crate) factor: Value,
    pub(crate) offset: Value,
}

impl Affine {
    /// Returns the value of the view for a given value of the variable.
    pub(crate) fn value(self, value: Value) -> Value {
        self.factor.checked_mul(value).and_then(|value| value.checked_add(self.offset)).expect(OVERFLOW)
    }

    /// Returns the value of the variable for a given value of the view.
    pub(crate) fn inverse(self, value: Value) -> Value {
        if self.factor == 1 { value - self.offset } else { (value - self.offset) / self.factor }
    }

    /// Returns the order view of the view, given the order view of the variable.
    pub(crate) fn order(self, mut order: Vec<Lit>) -> Vec<Lit> {
        if self.factor < 0 {
            order.reverse();
            for lit in &mut order {
                *lit = !*lit;
            }
        }
        order
    }

    pub(crate) fn domain(self, of: &Domain) -> Domain {
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
