//! Questions to a back end about a model. Knows no puzzle and names no solver.

use gordian_encodings::{Assignment, Encoded, Encodings, Lit, Model, Sizes};

use crate::backend::{Backend, BackendError, Limits, Solver, Statistics, Verdict};

mod enumerate;
mod optimise;

pub use enumerate::{Assignments, EnumerateError};
pub use optimise::{OptimiseError, Optimum};

/// A model that was encoded into a back end, to be asked.
#[derive(Debug)]
pub struct Session {
    backend: Box<dyn Backend>,
    encoded: Encoded,
    answer: Vec<Lit>,
}

impl Session {
    /// Encodes the model into a new back end of this solver, clause by clause.
    ///
    /// # Errors
    /// If the solver can't be had or can't take the limits.
    pub fn new(
        model: &Model,
        encodings: &Encodings,
        solver: &Solver,
        limits: Option<Limits>,
    ) -> Result<Self, BackendError> {
        let mut backend = (solver.make)()?;
        if let Some(limits) = limits {
            backend.set_limits(limits)?;
        }
        let encoded = model.encode(encodings, &mut *backend);
        Ok(Self { backend, encoded, answer: model.answer_lits().to_vec() })
    }

    /// Looks for an assignment that satisfies the model and the assumptions.
    ///
    /// # Errors
    /// If the solver fails.
    pub fn satisfy(&mut self, assumptions: &[Lit]) -> Result<Verdict, BackendError> {
        self.backend.solve(assumptions)
    }

    /// The assignment that the last [`Session::satisfy`] found. All false if it found none.
    #[must_use]
    pub fn assignment(&self) -> Assignment {
        self.encoded.assignment(|lit| self.backend.value(lit))
    }

    /// Every assignment of the answer's literals that some solution has, once, in no particular order.
    #[must_use]
    pub fn into_assignments(self) -> Assignments {
        Assignments::new(self)
    }

    /// What was encoded, by meaning.
    #[must_use]
    pub fn sizes(&self) -> &Sizes {
        self.encoded.sizes()
    }

    /// What the back end has done so far.
    #[must_use]
    pub fn statistics(&self) -> Statistics {
        self.backend.statistics()
    }
}
