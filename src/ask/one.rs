//! A solution, or the best.

use std::time::Instant;

use gordian_encodings::Assignment;

use super::{AskError, Asked, Outcome, Stages, Status};
use crate::backend::Verdict;
use crate::puzzle::{Formulation, ObjectiveRow};
use crate::search::Session;

impl Asked<'_> {
    /// One solution, or the best: of the first formulation that has any.
    pub(super) fn one(
        mut self,
        mut stages: Stages<'_>,
        objective: Option<&'static ObjectiveRow>,
    ) -> Result<Outcome, AskError> {
        self.outcome.status = Status::None;
        while let Some((formulation, mut session)) = self.next(&mut stages)? {
            let start = Instant::now();
            let (status, found) = match objective {
                Some(row) => self.best(row, &formulation, &mut session)?,
                None => any(&mut session)?,
            };
            self.outcome.times.solve += start.elapsed();
            self.outcome.status = status;
            self.outcome.solution =
                found.map(|assignment| self.solution(&formulation, &assignment)).transpose()?;
            self.say_fallbacks(&session);
            self.outcome.add_statistics(&session);
            if status != Status::None {
                break;
            }
        }
        if self.stopped {
            self.outcome.status = Status::Stopped;
        }
        Ok(self.outcome)
    }

    fn best(
        &mut self,
        row: &'static ObjectiveRow,
        formulation: &Formulation,
        session: &mut Session,
    ) -> Result<(Status, Option<Assignment>), AskError> {
        let Some(objective) = formulation.model.objective() else { return any(session) };
        let (watch, puzzle) = (&mut *self.watch, self.puzzle);
        let mut told = Ok(());
        let optimum = session.optimise(objective, self.config.strategy, |moved| {
            if told.is_ok() {
                told = watch.moved(puzzle, row, moved.gap);
            }
        })?;
        told?;
        let status = match (optimum.proven, &optimum.best) {
            (true, Some(_)) => Status::Optimal,
            (true, None) => Status::None,
            (false, _) => Status::Stopped,
        };
        let found = optimum.best.map(|(assignment, value)| {
            self.outcome.objective = Some((row, value, optimum.bound));
            assignment
        });
        Ok((status, found))
    }
}

fn any(session: &mut Session) -> Result<(Status, Option<Assignment>), AskError> {
    Ok(match session.satisfy(&[])? {
        Verdict::Satisfiable => (Status::Solved, Some(session.assignment())),
        Verdict::Unsatisfiable => (Status::None, None),
        Verdict::Stopped => (Status::Stopped, None),
    })
}
