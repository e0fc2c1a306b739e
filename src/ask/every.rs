//! All solutions, so many of them, their number, or whether there is just one.

use std::cell::OnceCell;

use super::{AskError, Asked, Outcome, Stages, Status, Wanted, timed};
use crate::puzzle::Found;
use crate::search::EnumerateError;

impl Asked<'_> {
    /// What [`Wanted::Solutions`], [`Wanted::Count`] and [`Wanted::Unique`] ask for. `found` gets what
    /// comes of the first stage.
    pub(super) fn every(
        mut self,
        mut stages: Stages<'_>,
        wanted: Wanted,
        found: &OnceCell<Found>,
    ) -> Result<Outcome, AskError> {
        let most = match wanted {
            Wanted::Solutions { most } => most,
            Wanted::Unique => 2,
            _ => usize::MAX,
        };
        let unique = wanted == Wanted::Unique;
        let (mut count, mut stopped) = (0_usize, false);
        let symmetry = self.symmetry.clone();
        let mut census = symmetry.as_ref().map(|symmetry| symmetry.census());
        self.outcome.orbits = census.is_some().then_some(0);
        while count < most && !stopped {
            let Some((formulation, session)) = self.next(&mut stages)? else {
                stopped = self.stopped;
                break;
            };
            let mut assignments = session.into_assignments();
            while count < most {
                let next = timed(&mut self.outcome.times.solve, || assignments.next());
                let assignment = match next {
                    None => break,
                    Some(Ok(assignment)) => assignment,
                    Some(Err(EnumerateError::Stopped)) => {
                        stopped = true;
                        break;
                    }
                    Some(Err(EnumerateError::Backend(error))) => return Err(error.into()),
                };
                let solution = self.solution(&formulation, &assignment)?;
                let mut orbit = None;
                if let Some(census) = &mut census {
                    // Where the constraints don't break every symmetry, an orbit may come again.
                    let Some(kept) = census.keep(&solution) else { continue };
                    orbit = kept.orbit;
                    let orbits = self.outcome.orbits.zip(orbit);
                    self.outcome.orbits = orbits.and_then(|(before, orbit)| before.checked_add(orbit));
                }
                count += 1;
                match wanted {
                    Wanted::Solutions { .. } => self.watch.solution(self.puzzle, &solution, count, orbit)?,
                    Wanted::Unique if count == 1 => self.outcome.solution = Some(solution),
                    Wanted::Unique => self.outcome.other = Some(solution),
                    _ => {}
                }
            }
            found.get_or_init(|| match (count, &self.outcome.solution) {
                (0, _) => Found::None,
                (1, Some(solution)) => Found::One(solution.clone()),
                _ => Found::Several,
            });
            self.outcome.add_statistics(&assignments.into_session());
        }
        self.outcome.status = match (count, stopped) {
            // Two solutions are enough to know that there is more than one.
            (2, _) if unique => Status::Solved,
            (_, true) => Status::Stopped,
            (0, false) if most > 0 => Status::None,
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
