//! Values for the variables of a model.

use std::ops::Index;

use crate::constraint::Term;
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
