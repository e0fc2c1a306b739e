//! The way that every question goes: formulation, session, solution.

use std::rc::Rc;
use std::sync::Arc;

use gordian_encodings::{Assignment, Fallback};

use super::{AskError, Outcome, Watch, timed};
use crate::backend::{BackendError, Limits};
use crate::puzzle::{Formulation, Puzzle, Symmetry};
use crate::rules::Solution;
use crate::search::{Config, Session};

/// A board on its way to its outcome.
pub struct Asked<'a> {
    /// The board.
    pub puzzle: &'a dyn Puzzle,
    /// The symmetries that are broken.
    pub symmetry: Option<Rc<dyn Symmetry>>,
    /// What is known so far.
    pub outcome: Outcome,
    /// Who is told.
    pub watch: &'a mut dyn Watch,
    /// Whether a limit was reached before the last formulation was encoded.
    pub stopped: bool,
    pub(super) config: &'a Config,
    limits: Option<Limits>,
    /// What was said about encodings that do not apply.
    fallbacks: Vec<Fallback>,
    /// How many formulations were encoded.
    stage: usize,
}

/// The formulations of a board, one after the other.
pub type Stages<'a> = Box<dyn Iterator<Item = Formulation> + 'a>;

impl<'a> Asked<'a> {
    /// A board of which nothing is known yet. Its time begins now.
    ///
    /// # Errors
    /// [`AskError::NoSymmetry`].
    pub fn new(
        puzzle: &'a dyn Puzzle,
        break_symmetry: bool,
        config: &'a Config,
        watch: &'a mut dyn Watch,
    ) -> Result<Self, AskError> {
        let symmetry: Option<Rc<dyn Symmetry>> = if break_symmetry {
            let symmetry =
                puzzle.symmetry().ok_or_else(|| AskError::NoSymmetry { kind: puzzle.puzzle_type().name })?;
            watch.symmetries(&symmetry.names());
            Some(symmetry.into())
        } else {
            None
        };
        let limits = config.limits();
        Ok(Self {
            puzzle,
            symmetry,
            outcome: Outcome::default(),
            watch,
            stopped: false,
            config,
            limits,
            fallbacks: Vec::new(),
            stage: 0,
        })
    }

    /// The next formulation, encoded; `None` if there is no other, or if a limit is reached before there is a model, as
    /// [`Asked::stopped`] says.
    ///
    /// # Errors
    /// If the solver can't be had or can't take the limits.
    pub fn next(&mut self, stages: &mut Stages<'_>) -> Result<Option<(Formulation, Session)>, AskError> {
        let times = &mut self.outcome.times;
        let limits = self.limits.clone().unwrap_or_default();
        let formulate = || {
            let mut formulation = stages.next()?;
            if let Some(symmetry) = &self.symmetry {
                symmetry.break_in(&mut formulation.model);
            }
            Some(formulation)
        };
        let formulation = match timed(&mut times.model, || limits.within(formulate)) {
            Some(Some(formulation)) => formulation,
            Some(None) => return Ok(None),
            None => {
                self.stopped = true;
                return Ok(None);
            }
        };
        let mut session = timed(&mut times.encode, || {
            let backend = self.config.backend(self.limits.clone())?;
            let session = Session::within(backend, limits, &formulation.model, &self.config.encodings);
            Ok::<_, BackendError>(session)
        })?;
        if let Some(shared) = &self.config.shared {
            session.share(Arc::clone(shared), self.stage);
        }
        self.stage += 1;
        self.say_fallbacks(&session);
        Ok(Some((formulation, session)))
    }

    /// Says, once, where an encoding that was chosen does not apply.
    pub fn say_fallbacks(&mut self, session: &Session) {
        for &fallback in session.fallbacks() {
            if !self.fallbacks.contains(&fallback) {
                self.watch.fallback(fallback);
                self.fallbacks.push(fallback);
            }
        }
    }

    /// The solution of an assignment, checked.
    ///
    /// # Errors
    /// [`AskError::WrongSolution`].
    pub fn solution(
        &mut self,
        formulation: &Formulation,
        assignment: &Assignment,
    ) -> Result<Solution, AskError> {
        let times = &mut self.outcome.times;
        let solution = timed(&mut times.decode, || (formulation.decode)(assignment));
        timed(&mut times.check, || self.puzzle.check(&solution)).map_err(AskError::WrongSolution)?;
        Ok(solution)
    }
}
