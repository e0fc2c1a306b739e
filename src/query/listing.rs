//! Enumerates the solutions of all stages of a query.

use std::collections::HashSet;

use super::values::Tally;
use super::{QueryError, QueryRun};
use crate::puzzle::{Census, Formulation, StageOutcome, Stages, Symmetry};
use crate::rules::Solution;
use crate::search::Assignments;

/// An enumeration of solutions. If symmetries are broken, solutions that are symmetric to earlier solutions are
/// omitted.
pub(super) struct Listing<'a> {
    stages: Stages<'a>,
    stage: Option<Stage>,
    /// The solutions found by formulations that restrict unbounded variables. Several of these formulations may lead to
    /// the same solution.
    seen: HashSet<Solution>,
    census: Option<Box<dyn Census + 'a>>,
    /// The number of solutions found.
    pub(super) count: usize,
    /// If the query counts values: for each value of each part of the solution, the number of solutions found with this
    /// value.
    pub(super) tally: Option<Tally>,
}

/// A formulation whose solutions are being enumerated.
struct Stage {
    formulation: Formulation,
    assignments: Assignments,
}

impl<'a> Listing<'a> {
    pub(super) fn new(stages: Stages<'a>, symmetry: Option<&'a dyn Symmetry>, tally: Option<Tally>) -> Self {
        let census = symmetry.map(|symmetry| symmetry.census());
        Self { stages, stage: None, seen: HashSet::new(), census, count: 0, tally }
    }

    /// Returns whether the current formulation restricts unbounded variables.
    pub(super) fn is_restricted(&self) -> bool {
        self.stage.as_ref().is_some_and(|stage| !stage.formulation.model.assumed().is_empty())
    }

    /// Returns the next solution, and the size of its orbit if symmetries are broken and the size is known. Returns
    /// `None` after the last solution, or if a limit is reached.
    pub(super) fn next(
        &mut self,
        run: &mut QueryRun<'_>,
    ) -> Result<Option<(Solution, Option<u128>)>, QueryError> {
        loop {
            if self.stage.is_none() && !self.start(run)? {
                return Ok(None);
            }
            let Some(Stage { formulation, assignments }) = &mut self.stage else { return Ok(None) };
            let Some(assignment) = run.next_of(assignments)? else {
                self.end(run);
                continue;
            };
            let solution = run.solution(formulation, &assignment)?;
            if !formulation.model.assumed().is_empty() && !self.seen.insert(solution.clone()) {
                continue;
            }
            let mut orbit = None;
            if let Some(census) = &mut self.census {
                // Unless the constraints break every symmetry, several solutions of one orbit may occur.
                let Some(kept) = census.keep(&solution) else { continue };
                orbit = kept.orbit;
            }
            self.count += 1;
            if let Some(tally) = &mut self.tally {
                let added = tally.add_solution(&formulation.parts, &solution, &assignment);
                added.map_err(QueryError::WrongSolution)?;
            }
            return Ok(Some((solution, orbit)));
        }
    }

    /// Starts the next stage. Returns `false` if there is no further stage.
    fn start(&mut self, run: &mut QueryRun<'_>) -> Result<bool, QueryError> {
        if run.stopped {
            return Ok(false);
        }
        let before = match (self.count, &run.outcome.solution) {
            (0, _) => StageOutcome::None,
            (1, Some(solution)) => StageOutcome::One(solution.clone()),
            _ => StageOutcome::Several,
        };
        let next = run.next(&mut self.stages, &before)?;
        self.stage =
            next.map(|(formulation, session)| Stage { formulation, assignments: session.into_assignments() });
        Ok(self.stage.is_some())
    }

    /// Ends the current stage.
    pub(super) fn end(&mut self, run: &mut QueryRun<'_>) {
        let Some(Stage { formulation, assignments }) = self.stage.take() else { return };
        run.end(&formulation, &assignments.into_session());
    }
}
