//! Finds any solution of a puzzle, or an optimal solution.

use std::time::Instant;

use gordian_encodings::Assignment;

use super::{Improvement, Observer, Outcome, QueryError, QueryRun, Status};
use crate::backend::Verdict;
use crate::puzzle::{Formulation, ObjectiveRow, Puzzle, StageOutcome, Stages};
use crate::search::{Move, Session, trivial_bound};

impl QueryRun<'_> {
    /// Runs [`Query::Satisfy`](super::Query::Satisfy) or [`Query::Optimise`](super::Query::Optimise) on one formulation
    /// after the other until one has a solution. If an optimal solution was found but its formulation restricts
    /// unbounded variables, the search continues with further formulations.
    pub(super) fn satisfy(
        mut self,
        mut stages: Stages<'_>,
        objective: Option<&'static ObjectiveRow>,
    ) -> Result<Outcome, QueryError> {
        self.outcome.status = Status::None;
        let mut before = StageOutcome::None;
        while let Some((formulation, mut session)) = self.next(&mut stages, &before)? {
            let start = Instant::now();
            let (status, found) = match objective {
                Some(row) => self.best(row, &formulation, &mut session)?,
                None => any(&mut session)?,
            };
            if status == Status::None {
                let conflicts = session.statistics().conflicts.unwrap_or(0);
                session.refute_without_assumed(&[], conflicts)?;
            }
            self.outcome.times.solve += start.elapsed();
            if let Some(assignment) = found {
                let solution = self.solution(&formulation, &assignment)?;
                before = StageOutcome::One(solution.clone());
                self.outcome.solution = Some(solution);
            }
            self.end(&formulation, &session);
            if status == Status::Optimal {
                self.restricted(&formulation);
            }
            self.outcome.status = match (status, &mut self.outcome.objective) {
                // An earlier formulation has a solution, but this formulation has no better one, so the earlier
                // solution is optimal.
                (Status::None, Some((_, value, bound))) => {
                    *bound = *value;
                    Status::Optimal
                }
                _ => status,
            };
            if self.unbounded
                && let Some((row, _, bound)) = &mut self.outcome.objective
            {
                *bound = trivial_bound(row.sense);
            }
            let go_on = status == Status::None || (status == Status::Optimal && self.unbounded);
            if !go_on {
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
    ) -> Result<(Status, Option<Assignment>), QueryError> {
        let Some(objective) = formulation.model.objective() else { return any(session) };
        let (observer, puzzle) = (&mut *self.observer, self.puzzle);
        let mut reported = Ok(());
        let optimum = session.optimise(objective, self.config.strategy, |moved| {
            if reported.is_ok() {
                reported = report(puzzle, row, formulation, moved, observer);
            }
        })?;
        reported?;
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

/// Reports a changed value or bound, with the solution if the observer needs it.
fn report(
    puzzle: &dyn Puzzle,
    row: &'static ObjectiveRow,
    formulation: &Formulation,
    moved: Move<'_>,
    observer: &mut dyn Observer,
) -> Result<(), QueryError> {
    if let Some((assignment, value)) = moved.improved.zip(moved.gap.best)
        && observer.wants_better()
    {
        let solution = (formulation.decode)(assignment);
        puzzle.check(&solution).map_err(QueryError::WrongSolution)?;
        observer.better(Improvement { puzzle, objective: row, solution: &solution, value })?;
    }
    let mut gap = moved.gap;
    if !formulation.model.assumed().is_empty() {
        gap.bound = trivial_bound(row.sense);
    }
    Ok(observer.gap(puzzle, row, gap)?)
}

fn any(session: &mut Session) -> Result<(Status, Option<Assignment>), QueryError> {
    Ok(match session.satisfy(&[])? {
        Verdict::Satisfiable => (Status::Solved, Some(session.assignment())),
        Verdict::Unsatisfiable => (Status::None, None),
        Verdict::Stopped => (Status::Stopped, None),
    })
}
