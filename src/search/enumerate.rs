//! All answers: find one, forbid it, go on.

use gordian_encodings::{Assignment, Lit, constant};

use super::Session;
use crate::backend::{BackendError, Verdict};

/// The answers of a session, one at a time. Two solutions that differ only in what is not the answer are one.
///
/// A failure of the solver, or a limit, ends it with an error.
#[derive(Debug)]
pub struct Assignments {
    session: Session,
    done: bool,
}

/// Why no more answers come, although there may be some.
#[derive(Debug, thiserror::Error)]
pub enum EnumerateError {
    /// The solver failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// A limit was reached.
    #[error("stopped by a limit before all answers were found")]
    Stopped,
}

impl Assignments {
    pub(super) fn new(session: Session) -> Self {
        Self { session, done: false }
    }

    /// The session, with the answers given so far forbidden.
    #[must_use]
    pub fn into_session(self) -> Session {
        self.session
    }

    fn advance(&mut self) -> Result<Option<Assignment>, EnumerateError> {
        match self.session.satisfy(&[])? {
            Verdict::Unsatisfiable => Ok(None),
            Verdict::Stopped => Err(EnumerateError::Stopped),
            Verdict::Satisfiable => {
                let assignment = self.session.assignment();
                let differs = |&lit: &Lit| if assignment.lit(lit) { !lit } else { lit };
                let open = self.session.answer.iter().filter(|&&lit| constant(lit).is_none());
                let mut clause: Vec<Lit> = open.map(differs).collect();
                clause.sort_unstable();
                clause.dedup();
                self.session.backend.clause(&clause);
                Ok(Some(assignment))
            }
        }
    }
}

impl Iterator for Assignments {
    type Item = Result<Assignment, EnumerateError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.advance().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}
