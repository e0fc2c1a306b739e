//! Enumerates or counts solutions, or decides whether there is exactly one solution.

use std::collections::HashSet;

use super::{Outcome, QueryError, QueryRun, Status};
use crate::puzzle::{Query, StageOutcome, Stages};

impl QueryRun<'_> {
    /// Runs the queries [`Query::Enumerate`], [`Query::Count`] and [`Query::Unique`].
    pub(super) fn enumerate(mut self, mut stages: Stages<'_>, query: Query) -> Result<Outcome, QueryError> {
        let limit = match query {
            Query::Enumerate { limit } => limit.unwrap_or(usize::MAX),
            Query::Unique => 2,
            _ => usize::MAX,
        };
        let unique = query == Query::Unique;
        let mut count = 0_usize;
        let mut census = self.symmetry.map(|symmetry| symmetry.census());
        self.outcome.orbits = census.is_some().then_some(0);
        let mut before = StageOutcome::None;
        let mut seen = HashSet::new();
        while count < limit && !self.stopped {
            let Some((formulation, session)) = self.next(&mut stages, &before)? else { break };
            let mut assignments = session.into_assignments();
            let mut empty = true;
            while count < limit {
                let Some(assignment) = self.next_of(&mut assignments)? else { break };
                empty = false;
                let solution = self.solution(&formulation, &assignment)?;
                if !formulation.model.assumed().is_empty() && !seen.insert(solution.clone()) {
                    continue;
                }
                let mut orbit = None;
                if let Some(census) = &mut census {
                    // Unless the constraints break every symmetry, several symmetric solutions may be found.
                    let Some(kept) = census.keep(&solution) else { continue };
                    orbit = kept.orbit;
                    let orbits = self.outcome.orbits.zip(orbit);
                    self.outcome.orbits = orbits.and_then(|(before, orbit)| before.checked_add(orbit));
                }
                count += 1;
                match query {
                    Query::Enumerate { .. } => {
                        self.observer.solution(self.puzzle, &solution, count, orbit)?;
                    }
                    Query::Unique if count == 1 => self.outcome.solution = Some(solution),
                    Query::Unique => self.outcome.other = Some(solution),
                    _ => {}
                }
            }
            before = match (count, &self.outcome.solution) {
                (0, _) => StageOutcome::None,
                (1, Some(solution)) => StageOutcome::One(solution.clone()),
                _ => StageOutcome::Several,
            };
            self.end(&formulation, &assignments.into_session());
            if !empty {
                self.restricted(&formulation);
            }
        }
        self.outcome.status = match (count, self.stopped) {
            // A second solution proves that the first solution is not unique.
            (2, _) if unique => Status::Solved,
            (_, true) => Status::Stopped,
            (0, false) if limit > 0 => Status::None,
            (_, false) => Status::Solved,
        };
        if unique {
            self.outcome.unique = (self.outcome.status == Status::Solved).then_some(count == 1);
        } else {
            self.outcome.count = Some(count);
        }
        Ok(self.outcome)
    }
}
