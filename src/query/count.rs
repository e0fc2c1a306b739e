//! Counts the solutions of a board.
//!
//! At first, solutions are enumerated. If there are many solutions, a model counter is started. The counter is a sweep
//! (dynamic programming over the variables) if the model has connectivity constraints or the sweep has few states.
//! Otherwise, the counter decomposes the formula into components. While the counter runs, the enumeration continues
//! until the counter's lower bound exceeds the number of enumerated solutions. Therefore, even if the model counter is
//! slow, counting takes only slightly longer than enumeration alone. With several threads, the methods run in parallel.

use std::time::{Duration, Instant};

use gordian_encodings::Model;
use gordian_encodings::constraint::Clause;
use num_bigint::BigUint;

use super::listing::Listing;
use super::values::Tally;
use super::{Outcome, QueryError, QueryRun, Status, timed};
use crate::puzzle::{Query, StageOutcome};
use crate::search::Config;

use counter::{Counted, Counter, ModelCount, div_ceil};

mod counter;

/// The number of solutions to enumerate before the model counter starts.
const MANY: usize = 10_000;
/// After this time, the model counter starts as soon as [`SEVERAL`] solutions have been enumerated.
const EARLY: Duration = Duration::from_millis(300);
const SEVERAL: usize = 100;
/// The maximum memory of a model counter in bytes if there is no memory limit. If there is a memory limit, a model
/// counter may use half of it.
const MEMORY: u64 = 1 << 30;
/// Burnside's lemma is used for symmetry groups with at most this many elements.
const MOST_SYMMETRIES: usize = 100;

/// The methods that count solutions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// Starts with enumeration. If there are many solutions, a model counter starts and alternates with the
    /// enumeration.
    Auto,
    Enumeration,
    /// A model counter: a sweep if the model is suitable for a sweep, and otherwise the decomposition into components.
    Counter,
    Sweep,
    Components,
}

impl Method {
    /// Returns the methods that run in parallel on the given number of threads.
    pub(super) fn for_threads(threads: usize) -> &'static [Self] {
        match threads {
            0 | 1 => &[Self::Auto],
            2 => &[Self::Counter, Self::Enumeration],
            _ => &[Self::Sweep, Self::Enumeration, Self::Components],
        }
    }

    fn may_sweep(self) -> bool {
        self != Self::Components
    }
}

/// Returns the maximum memory of a model counter in bytes.
pub(crate) fn memory(config: &Config) -> usize {
    let memory = config.memory.map_or(MEMORY, |memory| memory / 2);
    usize::try_from(memory).unwrap_or(usize::MAX)
}

impl<'a> QueryRun<'a> {
    /// Runs [`Query::Count`] and [`Query::CountValues`].
    pub(super) fn count(mut self, query: &'a Query, method: Method) -> Result<Outcome, QueryError> {
        self.outcome.orbits = self.symmetry.is_some().then_some(0);
        let puzzle = self.puzzle;
        let with_values = *query == Query::CountValues;
        let listed = if with_values { query } else { &Query::Enumerate { limit: None } };
        let tally = with_values.then(Tally::default);
        let mut listing = Listing::new(puzzle.stages(listed), self.symmetry, tally);
        let group = self.symmetry.map(|symmetry| symmetry.elements(MOST_SYMMETRIES));
        let can_count =
            self.config.conflicts.is_none() && group != Some(None) && !(with_values && group.is_some());
        let start = Instant::now();
        let enumerates = matches!(method, Method::Auto | Method::Enumeration);
        let mut complete = enumerates || with_values;
        while complete && let Some((_, orbit)) = listing.next(&mut self)? {
            self.add_orbit(orbit);
            let many = listing.count >= MANY || (listing.count >= SEVERAL && start.elapsed() >= EARLY);
            let may_stop = many && can_count && method == Method::Auto && !listing.is_restricted();
            // Counting the values requires one solution, because a solution determines the number of columns of the
            // grid.
            complete = enumerates && !may_stop;
        }
        let mut count = BigUint::from(listing.count);
        if !complete {
            let counted = match group.flatten() {
                Some(group) => self.count_orbits(query, &group, &mut listing, method)?,
                None => self.count_stages(query, &mut listing, method)?,
            };
            count = counted.max(count).max(listing.count.into());
        }
        listing.end(&mut self);
        self.outcome.status = match self.stopped {
            true => Status::Stopped,
            false if count == BigUint::ZERO => Status::None,
            false => Status::Solved,
        };
        let tally = listing.tally.filter(|_| self.outcome.status == Status::Solved);
        self.outcome.values = tally.map(|tally| tally.into_counts(puzzle.puzzle_type()));
        self.outcome.count = Some(count);
        Ok(self.outcome)
    }

    /// Counts the solutions of all stages. If a limit is reached, sets [`QueryRun::stopped`] and returns a lower bound.
    /// If values are counted, the counts from the model counter replace the counts from the enumeration, unless the
    /// enumeration finishes first.
    fn count_stages(
        &mut self,
        query: &Query,
        listing: &mut Listing<'a>,
        method: Method,
    ) -> Result<BigUint, QueryError> {
        let mut total = BigUint::ZERO;
        let mut tally = listing.tally.as_ref().map(Tally::without_counts);
        let puzzle = self.puzzle;
        let mut stages = puzzle.stages(query);
        let mut for_sweep = method.may_sweep();
        loop {
            let build = || {
                if for_sweep { puzzle.formulate_for_sweep(query) } else { stages(&StageOutcome::Several) }
            };
            let Some(formulation) = timed(&mut self.outcome.times.model, || self.limits.within(build)) else {
                self.stopped = true;
                return Ok(total);
            };
            let was_for_sweep = std::mem::take(&mut for_sweep);
            let Some(mut formulation) = formulation else {
                if was_for_sweep {
                    continue;
                }
                break;
            };
            if !formulation.model.assumed().is_empty() {
                // Only an enumeration can decide whether there are solutions beyond the assumed bounds.
                self.stopped = true;
                return Ok(total);
            }
            let at_least = total.clone();
            let mut counter =
                Counter { run: self, listing, method, before: total, group: 1, at_least, error: None };
            let (start, solve) = (Instant::now(), counter.run.outcome.times.solve);
            let counted = counter.count(&mut formulation, was_for_sweep, tally.is_some());
            let Counter { before, at_least, error, .. } = counter;
            self.outcome.times.solve = solve + start.elapsed();
            if let Some(error) = error {
                return Err(error);
            }
            let is_swept = was_for_sweep && matches!(counted, Counted::All(_));
            total = match counted {
                Counted::All(ModelCount { total, values }) => {
                    if let Some((tally, values)) = tally.as_mut().zip(values) {
                        tally.add_counts(&formulation.parts, values, &total)?;
                    }
                    before + total
                }
                Counted::NoSweep if method == Method::Sweep && !was_for_sweep => {
                    self.stopped = true;
                    return Ok(before);
                }
                Counted::NoSweep => before,
                Counted::Listed => return Ok(listing.count.into()),
                Counted::Stopped => {
                    self.stopped = true;
                    return Ok(at_least);
                }
            };
            if is_swept {
                break;
            }
        }
        if total < BigUint::from(listing.count) {
            let listed = listing.count;
            return Err(QueryError::WrongCount(format!("it listed {listed} solutions, but counted {total}")));
        }
        listing.tally = tally;
        Ok(total)
    }

    /// Counts the orbits of the solutions. By Burnside's lemma, the number of orbits is the average number of
    /// solutions that an element of the symmetry group fixes. If a limit is reached, sets [`QueryRun::stopped`] and
    /// returns a lower bound.
    fn count_orbits(
        &mut self,
        query: &Query,
        group: &[Vec<usize>],
        listing: &mut Listing<'a>,
        method: Method,
    ) -> Result<BigUint, QueryError> {
        let (mut total, mut all) = (BigUint::ZERO, None);
        for element in group {
            let mut stages = self.puzzle.stages(query);
            loop {
                let build = || stages(&StageOutcome::Several);
                let formulation = timed(&mut self.outcome.times.model, || self.limits.within(build));
                let Some(mut formulation) = formulation else {
                    self.stopped = true;
                    return Ok(div_ceil(total, group.len()));
                };
                let Some(formulation) = &mut formulation else { break };
                fix(&mut formulation.model, element);
                let (start, at_least) = (Instant::now(), div_ceil(total.clone(), group.len()));
                let solve = self.outcome.times.solve;
                let mut counter = Counter {
                    run: self,
                    listing,
                    method,
                    before: total,
                    group: group.len(),
                    at_least,
                    error: None,
                };
                let counted = counter.count(formulation, false, false);
                let Counter { before, at_least, error, .. } = counter;
                self.outcome.times.solve = solve + start.elapsed();
                if let Some(error) = error {
                    return Err(error);
                }
                total = match counted {
                    Counted::All(count) => before + count.total,
                    Counted::Listed => return Ok(listing.count.into()),
                    Counted::NoSweep | Counted::Stopped => {
                        self.stopped = true;
                        return Ok(at_least);
                    }
                };
            }
            // The first element is the identity, which fixes all solutions.
            all.get_or_insert_with(|| total.clone());
        }
        let orbits = &total / group.len();
        if &orbits * group.len() != total || orbits < BigUint::from(listing.count) {
            return Err(QueryError::WrongCount(format!(
                "it listed {} orbits, but counted {total} fixed solutions for {} symmetries",
                listing.count,
                group.len()
            )));
        }
        self.outcome.orbits = all.and_then(|all| u128::try_from(all).ok());
        Ok(orbits)
    }
}

/// Restricts a model to the solutions that are fixed by a permutation of the projected literals.
fn fix(model: &mut Model, permutation: &[usize]) {
    let lits = model.projection().to_vec();
    for (&lit, &image) in lits.iter().zip(permutation) {
        let image = lits[image];
        if lit != image {
            model.post(Clause::new([!lit, image]));
            model.post(Clause::new([lit, !image]));
        }
    }
}

#[cfg(test)]
mod tests;
