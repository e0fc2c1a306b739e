//! Counts the solutions of a board.
//!
//! At first, solutions are enumerated. If there are many solutions, a model counter counts them: a sweep if the model
//! has constraints on connectivity, and a decomposition of the formula into components otherwise. While the counter
//! runs, the enumeration continues until the counter has found more solutions than the enumeration. Hence a board on
//! which model counters are slow does not take much longer than its enumeration.

use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

use gordian_counting::Progress;
use gordian_counting::components::{self, Options};
use gordian_counting::sweep::Sweep;
use gordian_encodings::{Cnf, Fallback, Model, cancellable};
use num_bigint::BigUint;

use super::listing::Listing;
use super::{Outcome, QueryError, QueryRun, Status, timed};
use crate::puzzle::{Query, StageOutcome, Stages};
use crate::search::Config;

/// The number of solutions that are enumerated before the model counter starts.
const MANY: usize = 10_000;
/// The time after which the model counter starts if [`SEVERAL`] solutions have been enumerated.
const EARLY: Duration = Duration::from_millis(300);
const SEVERAL: usize = 100;
/// The ratio of the time for enumeration to the time for the model counter, while fewer than [`MANY`] solutions are
/// known.
const LIST_SHARE: u32 = 19;
/// The memory of a model counter in bytes, if there is no memory limit. If there is a memory limit, a model counter
/// uses half of it.
const MEMORY: u64 = 1 << 30;
/// The number of literals written, or an equal amount of other work, between two polls of the limits.
const POLL_INTERVAL: u64 = 1 << 16;
/// The types of constraints whose clauses are hard for a model counter, so that a sweep is used.
const SWEPT: [&str; 5] = ["connectivity", "disconnection", "path", "circuit", "disjoint-paths"];
/// The maximum width for which a sweep is faster than enumeration. A sweep of width w has up to about 2^w states at a
/// time.
const NARROW: f64 = 20.0;

/// Returns the maximum memory of a model counter in bytes.
pub(super) fn memory(config: &Config) -> usize {
    let memory = config.memory.map_or(MEMORY, |memory| memory / 2);
    usize::try_from(memory).unwrap_or(usize::MAX)
}

impl<'a> QueryRun<'a> {
    /// Runs [`Query::Count`]. The argument `stages` contains the formulations for counting.
    pub(super) fn count(mut self, stages: Stages<'a>) -> Result<Outcome, QueryError> {
        self.outcome.orbits = self.symmetry.is_some().then_some(0);
        let puzzle = self.puzzle;
        let mut listing = Listing::new(puzzle.stages(&Query::Enumerate { limit: None }), self.symmetry);
        let can_count = self.symmetry.is_none() && self.config.conflicts.is_none();
        let start = Instant::now();
        let mut complete = true;
        while let Some((_, orbit)) = listing.next(&mut self)? {
            self.add_orbit(orbit);
            let many = listing.count >= MANY || (listing.count >= SEVERAL && start.elapsed() >= EARLY);
            if many && can_count && !listing.is_restricted() {
                complete = false;
                break;
            }
        }
        let mut count = BigUint::from(listing.count);
        if !complete {
            let counted = self.count_stages(stages, &mut listing)?;
            count = counted.max(listing.count.into());
        }
        listing.end(&mut self);
        self.outcome.status = match (listing.count, self.stopped) {
            (_, true) => Status::Stopped,
            (0, false) => Status::None,
            (_, false) => Status::Solved,
        };
        self.outcome.count = Some(count);
        Ok(self.outcome)
    }

    /// Counts the solutions of all stages. If a limit is reached, sets [`QueryRun::stopped`] and returns a lower bound.
    fn count_stages(
        &mut self,
        mut stages: Stages<'_>,
        listing: &mut Listing<'a>,
    ) -> Result<BigUint, QueryError> {
        let mut total = BigUint::ZERO;
        let puzzle = self.puzzle;
        let mut for_sweep = true;
        loop {
            let build =
                || if for_sweep { puzzle.formulate_for_sweep() } else { stages(&StageOutcome::Several) };
            let Some(formulation) = timed(&mut self.outcome.times.model, || self.limits.within(build)) else {
                self.stopped = true;
                return Ok(total);
            };
            let was_for_sweep = std::mem::take(&mut for_sweep);
            let Some(formulation) = formulation else {
                if was_for_sweep {
                    continue;
                }
                break;
            };
            let mut counter =
                Counter { run: self, listing, before: total, at_least: BigUint::ZERO, error: None };
            let (start, solve) = (Instant::now(), counter.run.outcome.times.solve);
            let counted = counter.count(&formulation.model, was_for_sweep);
            let Counter { before, at_least, error, .. } = counter;
            self.outcome.times.solve = solve + start.elapsed();
            if let Some(error) = error {
                return Err(error);
            }
            total = match counted {
                Counted::All(count) => before + count,
                Counted::OutOfMemory => before,
                Counted::Listed => return Ok(listing.count.into()),
                Counted::Stopped => {
                    self.stopped = true;
                    return Ok(at_least);
                }
            };
            if was_for_sweep && total > BigUint::ZERO {
                break;
            }
        }
        if total < BigUint::from(listing.count) {
            return Err(QueryError::WrongCount { listed: listing.count, counted: total });
        }
        Ok(total)
    }
}

/// The result of counting the solutions of one formulation.
enum Counted {
    All(BigUint),
    /// The states of the sweep exceeded the memory limit.
    OutOfMemory,
    /// The enumeration finished before the model counter.
    Listed,
    Stopped,
}

/// The state of counting the solutions of one formulation, during which solutions are also enumerated.
struct Counter<'r, 'a> {
    run: &'r mut QueryRun<'a>,
    listing: &'r mut Listing<'a>,
    /// The number of solutions of earlier formulations.
    before: BigUint,
    /// A lower bound on the number of all solutions.
    at_least: BigUint,
    error: Option<QueryError>,
}

impl Counter<'_, '_> {
    /// Counts the solutions of a model. If `only_sweep` is true, uses no model counter other than a sweep.
    fn count(&mut self, model: &Model, only_sweep: bool) -> Counted {
        let limits = self.run.limits.clone();
        let ended = Rc::new(Cell::new(false));
        let cancel = {
            let ended = Rc::clone(&ended);
            move || ended.get() || limits.expired() || limits.exceeds_memory()
        };
        let counted = cancellable(POLL_INTERVAL, cancel, || self.count_with(model, only_sweep, &ended));
        match counted {
            Ok(Some(count)) => Counted::All(count),
            Ok(None) => Counted::OutOfMemory,
            Err(_) if ended.get() && self.error.is_none() && !self.run.stopped => Counted::Listed,
            Err(_) => Counted::Stopped,
        }
    }

    /// Counts the solutions with a suitable model counter. Sets `ended` if the enumeration is complete. Returns `None`
    /// if `only_sweep` is true and the states of the sweep exceed the memory limit.
    fn count_with(&mut self, model: &Model, only_sweep: bool, ended: &Cell<bool>) -> Option<BigUint> {
        let memory = memory(self.run.config);
        let mut last = Instant::now();
        let one = self.run.puzzle.one_assignment_per_solution();
        let is_swept =
            || model.constraints().iter().any(|posted| SWEPT.contains(&posted.constraint.type_name()));
        if only_sweep || (one && is_swept()) {
            let count = self.sweep(model, memory, &mut last, ended);
            if only_sweep || count.is_some() {
                return count;
            }
        }
        let mut cnf = Cnf::default();
        let encoded = model.encode(&self.run.config.encodings.clone().keep_count(), &mut cnf);
        let lost = encoded.fallbacks().iter().any(|fallback| matches!(fallback, Fallback::CountLost { .. }));
        let projection = (!one || lost).then(|| model.projection().to_vec());
        let options = Options { cache: memory, projection };
        let report = &mut |progress: &Progress| self.report(progress, false, &mut last, ended);
        Some(components::count(&cnf, &options, report))
    }

    /// Counts the solutions by a sweep. Returns `None` if the states exceed the memory limit.
    fn sweep(
        &mut self,
        model: &Model,
        memory: usize,
        last: &mut Instant,
        ended: &Cell<bool>,
    ) -> Option<BigUint> {
        let sweep = Sweep::new(model)?;
        let narrow = sweep.width() <= NARROW;
        sweep.count(memory, &mut |progress| self.report(progress, narrow, last, ended)).ok()
    }

    /// Reports the progress of the model counter, and continues the enumeration for a time in proportion to the time
    /// since `last`.
    fn report(&mut self, progress: &Progress, fast: bool, last: &mut Instant, ended: &Cell<bool>) {
        let at_least = &self.before + &progress.at_least;
        self.at_least = at_least.max(self.listing.count.into());
        self.run.observer.counting(&Progress { at_least: self.at_least.clone(), ..progress.clone() });
        let most = BigUint::from(self.listing.count.max(MANY));
        if !fast && self.at_least <= most {
            let factor = if self.listing.count < MANY { LIST_SHARE } else { 1 };
            let end = Instant::now() + last.elapsed() * factor;
            while Instant::now() < end {
                match self.listing.next(self.run) {
                    Ok(Some(_)) => {}
                    other => {
                        self.error = other.err();
                        ended.set(true);
                        break;
                    }
                }
            }
        }
        *last = Instant::now();
    }
}
