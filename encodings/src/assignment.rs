//! Values for the variables of a model.

use crate::constraint::Term;
use crate::int::{IntVar, Value};
use crate::lit::{Lit, constant};

/// A value for each variable of a [`Model`](crate::Model): what a solver's solution says, or what a test tries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    booleans: Vec<bool>,
    integers: Vec<Value>,
}

impl Assignment {
    /// Puts values together: `booleans` by variable index, `integers` by [`IntVar`] in the order of their making.
    #[must_use]
    pub fn new(booleans: Vec<bool>, integers: Vec<Value>) -> Self {
        Self { booleans, integers }
    }

    /// Whether the literal holds. Constants do or don't, whatever the assignment.
    ///
    /// # Panics
    /// If the literal's variable is not of the model.
    #[must_use]
    pub fn lit(&self, lit: Lit) -> bool {
        constant(lit).unwrap_or_else(|| self.booleans[lit.vidx()] == lit.is_pos())
    }

    /// The value of an integer variable.
    ///
    /// # Panics
    /// If the variable is not of the model.
    #[must_use]
    pub fn int(&self, variable: IntVar) -> Value {
        self.integers[variable.index()]
    }

    /// The value of an integer, or 1 for a literal that holds and 0 for one that doesn't.
    ///
    /// # Panics
    /// If the variable is not of the model.
    #[must_use]
    pub fn term(&self, term: Term) -> Value {
        match term {
            Term::Int(x) => self.int(x),
            Term::Lit(lit) => Value::from(self.lit(lit)),
        }
    }

    /// How many of the literals hold.
    ///
    /// # Panics
    /// If a literal's variable is not of the model.
    #[must_use]
    pub fn count(&self, lits: &[Lit]) -> usize {
        lits.iter().filter(|&&lit| self.lit(lit)).count()
    }
}
