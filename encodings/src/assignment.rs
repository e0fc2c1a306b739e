//! Assignments: values for the variables of a model.

use std::ops::Index;

use crate::expr::{Expr, Term};
use crate::int::{IntVar, Value};
use crate::lit::{Lit, constant};

/// Values for the variables of a [`Model`](crate::Model), indexed by integer variables and literals.
///
/// ```
/// use gordian_encodings::{Assignment, Model};
///
/// let mut model = Model::new();
/// let (x, late) = (model.integer(0..=9), model.boolean());
/// let solution = Assignment::new(vec![true], vec![7]);
/// assert_eq!((solution[x], solution[!late], solution.value(2 * x + late)), (7, false, 15));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    booleans: Vec<bool>,
    integers: Vec<Value>,
}

impl Assignment {
    /// Creates an assignment. `booleans[i]` is the value of the variable with index i, and `integers` lists the
    /// values of the integer variables in order of creation.
    #[must_use]
    pub fn new(booleans: Vec<bool>, integers: Vec<Value>) -> Self {
        Self { booleans, integers }
    }

    /// Returns whether the literal holds. Constants have the same value in every assignment.
    ///
    /// # Panics
    /// Panics if the variable does not belong to the model.
    #[must_use]
    pub fn lit(&self, lit: Lit) -> bool {
        constant(lit).unwrap_or_else(|| self.booleans[lit.vidx()] == lit.is_pos())
    }

    /// Returns the value of an integer variable.
    ///
    /// # Panics
    /// Panics if the variable does not belong to the model.
    #[must_use]
    pub fn int(&self, variable: IntVar) -> Value {
        self.integers[variable.index()]
    }

    /// Returns the value of a term: the value of an integer, or 1 for a true literal and 0 for a false literal.
    ///
    /// # Panics
    /// Panics if the variable does not belong to the model.
    #[must_use]
    pub fn term(&self, term: Term) -> Value {
        match term {
            Term::Int(x) => self.int(x),
            Term::Lit(lit) => Value::from(self.lit(lit)),
        }
    }

    /// Returns the value of an expression.
    ///
    /// # Panics
    /// Panics if a variable does not belong to the model, or if a sum does not fit in an `i128`.
    #[must_use]
    pub fn value(&self, expr: impl Into<Expr>) -> Value {
        let expr = expr.into();
        self.sum(expr.terms(), expr.constant()).expect("the value of an expression exceeds an i128")
    }

    /// Returns a constant plus the sum of weighted terms, or `None` on overflow.
    pub(crate) fn sum(&self, terms: &[(Value, Term)], constant: Value) -> Option<Value> {
        terms.iter().try_fold(constant, |sum, &(coefficient, term)| {
            sum.checked_add(coefficient.checked_mul(self.term(term))?)
        })
    }

    /// Returns the number of literals that hold in the assignment.
    ///
    /// # Panics
    /// Panics if a variable does not belong to the model.
    #[must_use]
    pub fn count(&self, lits: &[Lit]) -> usize {
        lits.iter().filter(|&&lit| self.lit(lit)).count()
    }
}

impl Index<IntVar> for Assignment {
    type Output = Value;

    fn index(&self, variable: IntVar) -> &Value {
        &self.integers[variable.index()]
    }
}

impl Index<Lit> for Assignment {
    type Output = bool;

    fn index(&self, lit: Lit) -> &bool {
        if self.lit(lit) { &true } else { &false }
    }
}
