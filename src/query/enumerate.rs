//! Enumerates solutions, or decides whether there is exactly one.

use super::listing::Listing;
use super::{Outcome, QueryError, QueryRun, Status};
use crate::puzzle::{Query, Stages};

impl<'a> QueryRun<'a> {
    /// Runs [`Query::Enumerate`] and [`Query::Unique`].
    pub(super) fn enumerate(mut self, stages: Stages<'a>, query: Query) -> Result<Outcome, QueryError> {
        let limit = match query {
            Query::Enumerate { limit } => limit.unwrap_or(usize::MAX),
            _ => 2,
        };
        self.outcome.orbits = self.symmetry.is_some().then_some(0);
        let mut listing = Listing::new(stages, self.symmetry, None);
        while listing.count < limit
            && let Some((solution, orbit)) = listing.next(&mut self)?
        {
            self.add_orbit(orbit);
            match query {
                Query::Enumerate { .. } => {
                    self.observer.solution(self.puzzle, &solution, listing.count, orbit)?;
                }
                _ if listing.count == 1 => {
                    self.observer.first(&solution);
                    self.outcome.solution = Some(solution);
                }
                _ => self.outcome.other = Some(solution),
            }
        }
        listing.end(&mut self);
        let unique = query == Query::Unique;
        self.outcome.status = match (listing.count, self.stopped) {
            // A second solution proves that the first is not unique.
            (2, _) if unique => Status::Solved,
            (_, true) => Status::Stopped,
            (0, false) if limit > 0 => Status::None,
            (_, false) => Status::Solved,
        };
        if unique {
            self.outcome.unique = (self.outcome.status == Status::Solved).then_some(listing.count == 1);
        } else {
            self.outcome.count = Some(listing.count.into());
        }
        Ok(self.outcome)
    }

    /// Adds the size of a solution's orbit to the total count, which includes symmetric solutions.
    pub(super) fn add_orbit(&mut self, orbit: Option<u128>) {
        let orbits = self.outcome.orbits.zip(orbit);
        self.outcome.orbits = orbits.and_then(|(before, orbit)| before.checked_add(orbit));
    }
}
