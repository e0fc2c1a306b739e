//! Runs a model counter on one formulation, and meanwhile continues the enumeration of solutions.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use gordian_counting::components::{self, Options};
use gordian_counting::sweep::Sweep;
use gordian_counting::{LiteralCounts, Progress};
use gordian_encodings::model::Posted;
use gordian_encodings::{Cnf, Fallback, Lit, Model, cancellable};
use num_bigint::BigUint;

use super::{MANY, Method, memory};
use crate::query::listing::Listing;
use crate::query::{QueryError, QueryRun};
use crate::rules::Content;

/// The ratio of the time for enumeration to the time for the model counter, while fewer than [`MANY`] solutions are
/// known.
const LIST_SHARE: u32 = 19;
/// The number of literals written, or an equal amount of other work, between two polls of the limits.
const POLL_INTERVAL: u64 = 1 << 16;
/// The types of constraints whose clauses are hard for a model counter, so that a sweep is used.
const SWEPT: [&str; 5] = ["connectivity", "disconnection", "path", "circuit", "disjoint-paths"];
/// The maximum width for which a sweep is faster than enumeration. A sweep of width w has up to about 2^w states at a
/// time.
const NARROW: f64 = 20.0;

/// Returns a quotient, rounded up.
pub(super) fn div_ceil(dividend: BigUint, divisor: usize) -> BigUint {
    (dividend + (divisor - 1)) / divisor
}

/// The result of counting the solutions of one formulation.
pub(super) enum Counted {
    All(ModelCount),
    /// The model is not suitable for a sweep, or the states exceeded the memory limit.
    NoSweep,
    /// The enumeration finished before the model counter.
    Listed,
    Stopped,
}

/// The result of a model counter.
pub(super) enum ModelCount {
    Total(BigUint),
    /// The number of solutions in which each literal is true.
    Literals(LiteralCounts),
}

/// The state of counting the solutions of one formulation, during which solutions are also enumerated.
pub(super) struct Counter<'r, 'a> {
    pub(super) run: &'r mut QueryRun<'a>,
    pub(super) listing: &'r mut Listing<'a>,
    pub(super) method: Method,
    /// The number of solutions counted before, in earlier formulations or for earlier elements of the symmetry group.
    pub(super) before: BigUint,
    /// The number of elements of the symmetry group.
    pub(super) group: usize,
    /// A lower bound on the number of all solutions, or of their orbits.
    pub(super) at_least: BigUint,
    pub(super) error: Option<QueryError>,
}

/// For each part of a solution, its values and their literals.
type ValueLiterals = [Vec<(Content, Lit)>];

impl Counter<'_, '_> {
    /// Counts the solutions of a model. If `only_sweep` is true, uses no model counter other than a sweep. If `values`
    /// are given, also counts the solutions in which their literals are true.
    pub(super) fn count(
        &mut self,
        model: &Model,
        only_sweep: bool,
        values: Option<&ValueLiterals>,
    ) -> Counted {
        let limits = self.run.limits.clone();
        let ended = Rc::new(Cell::new(false));
        let cancel = {
            let ended = Rc::clone(&ended);
            move || ended.get() || limits.expired() || limits.exceeds_memory()
        };
        let counted =
            cancellable(POLL_INTERVAL, cancel, || self.count_with(model, only_sweep, values, &ended));
        match counted {
            Ok(Some(count)) => Counted::All(count),
            Ok(None) => Counted::NoSweep,
            Err(_) if ended.get() && self.error.is_none() && !self.run.stopped => Counted::Listed,
            Err(_) => Counted::Stopped,
        }
    }

    /// Counts the solutions with a suitable model counter. Sets `ended` if the enumeration is complete. Returns `None`
    /// if only a sweep may be used and it is not possible.
    fn count_with(
        &mut self,
        model: &Model,
        only_sweep: bool,
        values: Option<&ValueLiterals>,
        ended: &Cell<bool>,
    ) -> Option<ModelCount> {
        let memory = memory(self.run.config);
        let mut last = Instant::now();
        let one = self.run.puzzle.one_assignment_per_solution();
        let is_swept = |posted: &Posted| SWEPT.contains(&posted.constraint.type_name());
        let is_suitable = one && self.method.may_sweep() && model.constraints().iter().any(is_swept);
        if only_sweep || is_suitable {
            let count = self.sweep(model, memory, values.is_some(), &mut last, ended);
            if only_sweep || count.is_some() {
                return count;
            }
        }
        if self.method == Method::Sweep {
            return None;
        }
        let mut cnf = Cnf::default();
        let encoded = model.encode(&self.run.config.encodings.clone().keep_count(), &mut cnf);
        let lost = encoded.fallbacks().iter().any(|fallback| matches!(fallback, Fallback::CountLost { .. }));
        let projection = (!one || lost).then(|| model.projection().to_vec());
        let options = Options { cache: memory, projection };
        let report = &mut |progress: &Progress| self.report(progress, false, &mut last, ended);
        Some(if values.is_some() {
            let circuit = components::compile(&cnf, &options, report);
            ModelCount::Literals(circuit.literal_counts(cnf.variables()))
        } else {
            ModelCount::Total(components::count(&cnf, &options, report))
        })
    }

    /// Counts the solutions by a sweep. Returns `None` if the states exceed the memory limit.
    fn sweep(
        &mut self,
        model: &Model,
        memory: usize,
        with_values: bool,
        last: &mut Instant,
        ended: &Cell<bool>,
    ) -> Option<ModelCount> {
        let sweep = Sweep::new(model)?;
        let narrow = sweep.width() <= NARROW;
        let report = &mut |progress: &Progress| self.report(progress, narrow, last, ended);
        if with_values {
            sweep.literal_counts(memory, report).ok().map(ModelCount::Literals)
        } else {
            sweep.count(memory, report).ok().map(ModelCount::Total)
        }
    }

    /// Reports the progress of the model counter. If no other thread enumerates solutions, continues the enumeration
    /// for a time in proportion to the time since `last`.
    fn report(&mut self, progress: &Progress, fast: bool, last: &mut Instant, ended: &Cell<bool>) {
        let at_least = div_ceil(&self.before + &progress.at_least, self.group);
        self.at_least = at_least.max(self.listing.count.into());
        self.run.observer.counting(&Progress { at_least: self.at_least.clone(), ..progress.clone() });
        let most = BigUint::from(self.listing.count.max(MANY));
        if self.method == Method::Auto && !fast && self.at_least <= most {
            let factor = if self.listing.count < MANY { LIST_SHARE } else { 1 };
            let end = Instant::now() + last.elapsed() * factor;
            while Instant::now() < end {
                match self.listing.next(self.run) {
                    Ok(Some((_, orbit))) => self.run.add_orbit(orbit),
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
