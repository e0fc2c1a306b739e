//! Runs a model counter on one formulation while the enumeration of solutions continues.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Instant;

use gordian_counting::Progress;
use gordian_counting::components::{self, Options};
use gordian_counting::sweep::Sweep;
use gordian_encodings::model::Posted;
use gordian_encodings::{Cnf, Fallback, Lit, cancellable};
use num_bigint::BigUint;

use super::{MANY, Method, memory};
use crate::backend::POLL_INTERVAL;
use crate::puzzle::{Formulation, Part};
use crate::query::listing::Listing;
use crate::query::{QueryError, QueryRun, values};
use crate::rules::Content;

/// The ratio of the enumeration's time to the model counter's time while fewer than [`MANY`] solutions are known.
const LIST_SHARE: u32 = 19;
/// The constraint types that lead to a sweep, because their clauses are hard for a model counter.
const SWEPT: [&str; 5] = ["connectivity", "disconnection", "path", "circuit", "disjoint-paths"];
/// Sweeps up to this width are faster than enumeration. A sweep of width w has up to about 2^w states at a time.
const NARROW: f64 = 21.0;
/// If no constraint has a type in [`SWEPT`], a sweep is tried only for models with at most this many constraints.
const MOST_CONSTRAINTS: usize = 400;
/// The memory limit, in bytes, of a sweep for a model that has no constraint of a type in [`SWEPT`]. If the states of
/// the sweep exceed the limit, the decomposition into components is used instead.
const TRIAL_MEMORY: usize = 1 << 25;

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

/// The number of solutions that a model counter counted.
pub(super) struct ModelCount {
    pub(super) total: BigUint,
    /// The values of each part, each with the number of solutions in which the part has this value. `None` if only the
    /// solutions are counted.
    pub(super) values: Option<Vec<Vec<(Content, BigUint)>>>,
}

/// The state of a model counter that runs on one formulation. Meanwhile, the enumeration may continue.
pub(super) struct Counter<'r, 'a> {
    pub(super) run: &'r mut QueryRun<'a>,
    pub(super) listing: &'r mut Listing<'a>,
    pub(super) method: Method,
    /// The number of solutions counted in earlier formulations, or for earlier elements of the symmetry group.
    pub(super) before: BigUint,
    /// The number of elements of the symmetry group.
    pub(super) group: usize,
    /// A lower bound on the total number of solutions or, if symmetric solutions count as one, on the number of orbits.
    pub(super) at_least: BigUint,
    pub(super) error: Option<QueryError>,
}

impl Counter<'_, '_> {
    /// Counts the solutions of a formulation. If `only_sweep` is true, no other model counter is used. If
    /// `with_values` is true, also counts the solutions with each value of each part.
    pub(super) fn count(
        &mut self,
        formulation: &mut Formulation,
        only_sweep: bool,
        with_values: bool,
    ) -> Counted {
        let limits = self.run.limits.clone();
        let ended = Rc::new(Cell::new(false));
        let cancel = {
            let ended = Rc::clone(&ended);
            move || ended.get() || limits.expired() || limits.exceeds_memory()
        };
        let counted = cancellable(POLL_INTERVAL, cancel, || {
            self.count_with(formulation, only_sweep, with_values, &ended)
        });
        match counted {
            Ok(Some(count)) => Counted::All(count),
            Ok(None) => Counted::NoSweep,
            Err(_) if ended.get() && self.error.is_none() && !self.run.stopped => Counted::Listed,
            Err(_) => Counted::Stopped,
        }
    }

    /// Counts the solutions with a suitable model counter. Sets `ended` if the enumeration is complete. Returns `None`
    /// if only a sweep is allowed, but the model is not suitable for it or the states exceed the memory limit.
    fn count_with(
        &mut self,
        formulation: &mut Formulation,
        only_sweep: bool,
        with_values: bool,
        ended: &Cell<bool>,
    ) -> Option<ModelCount> {
        let mut last = Instant::now();
        let one = self.run.puzzle.one_assignment_per_solution();
        if only_sweep || (one && self.method.may_sweep()) {
            let count = self.sweep(formulation, only_sweep, with_values, &mut last, ended);
            if only_sweep || count.is_some() {
                return count;
            }
        }
        if self.method == Method::Sweep {
            return None;
        }
        let Formulation { model, parts, .. } = formulation;
        let values = with_values.then(|| values::literals(model, parts));
        let mut cnf = Cnf::default();
        let encoded = model.encode(&self.run.config.encodings.clone().keep_count(), &mut cnf);
        let lost = encoded.fallbacks().iter().any(|fallback| matches!(fallback, Fallback::CountLost { .. }));
        let projection = (!one || lost).then(|| model.projection().to_vec());
        let options = Options { cache: memory(self.run.config), projection };
        let report = &mut |progress: &Progress| self.report(progress, false, &mut last, ended);
        let Some(values) = values else {
            return Some(ModelCount { total: components::count(&cnf, &options, report), values: None });
        };
        let counts = components::compile(&cnf, &options, report).literal_counts(cnf.variables());
        let of_part = |values: Vec<(Content, Lit)>| {
            values.into_iter().map(|(content, lit)| (content, counts.of(lit))).collect()
        };
        let values = values.into_iter().map(of_part).collect();
        Some(ModelCount { total: counts.total().clone(), values: Some(values) })
    }

    /// Counts the solutions by a sweep. Returns `None` if the formulation is not suitable for a sweep, or if the states
    /// exceed the memory limit. If `always` is true, a sweep of any width is suitable.
    fn sweep(
        &mut self,
        formulation: &Formulation,
        always: bool,
        with_values: bool,
        last: &mut Instant,
        ended: &Cell<bool>,
    ) -> Option<ModelCount> {
        let Formulation { model, parts, .. } = formulation;
        let is_swept = |posted: &Posted| SWEPT.contains(&posted.constraint.type_name());
        let always = always || model.constraints().iter().any(is_swept);
        if !always && model.constraints().len() > MOST_CONSTRAINTS {
            return None;
        }
        let sweep = Sweep::new(model)?;
        if !always && sweep.width() > NARROW {
            return None;
        }
        let is_trial = !always && self.method != Method::Sweep;
        let memory = memory(self.run.config).min(if is_trial { TRIAL_MEMORY } else { usize::MAX });
        let narrow = sweep.width() <= NARROW;
        let report = &mut |progress: &Progress| self.report(progress, narrow, last, ended);
        if !with_values {
            return Some(ModelCount { total: sweep.count(memory, report).ok()?, values: None });
        }
        let conjunctions: Vec<Vec<Lit>> = parts.iter().flat_map(conjunctions).cloned().collect();
        let (total, counts) = sweep.conjunction_counts(&conjunctions, memory, report).ok()?;
        let mut counts = counts.into_iter();
        let of_part = |part: &Part| {
            let contents = part.values.iter().map(|(content, _)| *content);
            contents.zip(&mut counts).collect()
        };
        Some(ModelCount { total, values: Some(parts.iter().map(of_part).collect()) })
    }

    /// Reports the progress of the model counter. If no other thread enumerates solutions, continues the enumeration
    /// for a time proportional to the time since `last`.
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

/// Returns the conjunction of literals for each value of a part.
fn conjunctions(part: &Part) -> impl Iterator<Item = &Vec<Lit>> {
    part.values.iter().map(|(_, lits)| lits)
}
