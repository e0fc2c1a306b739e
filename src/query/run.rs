//! The steps that all queries share: formulate, encode, decode and check.

use std::sync::Arc;

use gordian_encodings::{Assignment, Fallback};

use super::{Observer, Outcome, QueryError, certificate, timed};
use crate::backend::Limits;
use crate::puzzle::{Formulation, Puzzle, StageOutcome, Stages, Symmetry};
use crate::rules::Solution;
use crate::search::{Assignments, Config, Recorder, Session, SharedBounds, SolveError};

/// A query that is running.
pub(super) struct QueryRun<'a> {
    pub(super) puzzle: &'a dyn Puzzle,
    /// The symmetry to break, or `None` if no symmetry is broken.
    pub(super) symmetry: Option<&'a dyn Symmetry>,
    pub(super) config: &'a Config,
    pub(super) observer: &'a mut dyn Observer,
    /// The outcome so far.
    pub(super) outcome: Outcome,
    /// True if a limit was reached.
    pub(super) stopped: bool,
    /// True if the last formulation may have excluded solutions, because its result depends on the literals of
    /// [`Model::assume`](gordian_encodings::Model::assume).
    pub(super) unbounded: bool,
    /// True if the last formulation assumed literals, but its result does not depend on them, so it covers all
    /// remaining solutions.
    pub(super) complete: bool,
    pub(super) limits: Limits,
    /// The solutions and bounds shared with other threads.
    shared: Option<Arc<SharedBounds>>,
    /// The recorder of a proof.
    pub(super) recorder: Option<Recorder>,
    /// The fallbacks reported so far.
    fallbacks: Vec<Fallback>,
    /// The number of formulations that have been encoded so far.
    stage: usize,
}

impl<'a> QueryRun<'a> {
    /// Creates the state of a query. The time limit of the query starts now.
    pub(super) fn new(
        puzzle: &'a dyn Puzzle,
        symmetry: Option<&'a dyn Symmetry>,
        config: &'a Config,
        shared: Option<Arc<SharedBounds>>,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            puzzle,
            symmetry,
            config,
            observer,
            outcome: Outcome::default(),
            stopped: false,
            unbounded: false,
            complete: false,
            limits: config.limits(),
            shared,
            recorder: None,
            fallbacks: Vec::new(),
            stage: 0,
        }
    }

    /// Encodes the next formulation. Returns `None` after the last formulation. Sets [`QueryRun::stopped`] and
    /// returns `None` if a limit is reached before the model is complete, or if no formulation covers the remaining
    /// solutions.
    pub(super) fn next(
        &mut self,
        stages: &mut Stages<'_>,
        before: &StageOutcome,
    ) -> Result<Option<(Formulation, Session)>, QueryError> {
        if self.complete {
            return Ok(None);
        }
        let times = &mut self.outcome.times;
        let formulate = || {
            let mut formulation = stages(before)?;
            if let Some(symmetry) = self.symmetry {
                symmetry.break_in(&mut formulation.model);
            }
            Some(formulation)
        };
        let formulation = match timed(&mut times.model, || self.limits.within(formulate)) {
            Some(Some(formulation)) => formulation,
            Some(None) => {
                // The puzzle has no formulation for values beyond the assumed bounds, so solutions may be missing.
                self.stopped |= self.unbounded;
                return Ok(None);
            }
            None => {
                self.stopped = true;
                return Ok(None);
            }
        };
        let mut session = timed(&mut times.encode, || {
            let limits = self.limits.clone();
            match self.recorder.clone() {
                None => self.config.session(&formulation.model, limits),
                Some(recorder) => self.config.recorded(&formulation.model, limits, recorder),
            }
        })?;
        if let Some(recorder) = &self.recorder {
            certificate::check(recorder, self.config)?;
        }
        if let Some(shared) = &self.shared {
            session.share(Arc::clone(shared), self.stage);
        }
        self.stage += 1;
        self.report_fallbacks(&session);
        Ok(Some((formulation, session)))
    }

    /// Adds the statistics of a finished session to the outcome.
    pub(super) fn end(&mut self, formulation: &Formulation, session: &Session) {
        self.report_fallbacks(session);
        self.unbounded = session.relied_on_assumed();
        self.complete = !formulation.model.assumed().is_empty() && !self.unbounded;
        self.outcome.add_statistics(session);
    }

    /// If the formulation restricts unbounded variables, records that the result holds only within the restrictions.
    /// There may be solutions outside the restrictions, unless an unsatisfiable core proves that there are none.
    pub(super) fn restricted(&mut self, formulation: &Formulation) {
        if !formulation.model.assumed().is_empty() {
            (self.unbounded, self.complete) = (true, false);
        }
    }

    /// Reports all fallbacks that have not been reported yet.
    fn report_fallbacks(&mut self, session: &Session) {
        for &fallback in session.fallbacks() {
            if !self.fallbacks.contains(&fallback) {
                self.observer.fallback(fallback);
                self.fallbacks.push(fallback);
            }
        }
    }

    /// Returns the next assignment of an enumeration. If a limit is reached first, sets [`QueryRun::stopped`] and
    /// returns `None`.
    pub(super) fn next_of(
        &mut self,
        assignments: &mut Assignments,
    ) -> Result<Option<Assignment>, QueryError> {
        match timed(&mut self.outcome.times.solve, || assignments.next()).transpose() {
            Err(SolveError::LimitReached) => {
                self.stopped = true;
                Ok(None)
            }
            next => Ok(next?),
        }
    }

    /// Decodes an assignment into a solution, and checks the solution against the rules.
    pub(super) fn solution(
        &mut self,
        formulation: &Formulation,
        assignment: &Assignment,
    ) -> Result<Solution, QueryError> {
        let times = &mut self.outcome.times;
        let solution = timed(&mut times.decode, || (formulation.decode)(assignment));
        timed(&mut times.check, || self.puzzle.check(&solution)).map_err(QueryError::WrongSolution)?;
        Ok(solution)
    }
}
