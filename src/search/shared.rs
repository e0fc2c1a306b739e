//! Solutions and bounds that several optimisations of the same model share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gordian_encodings::{Assignment, Sense, Value};

/// The best solutions and bounds that several searches have found so far.
///
/// All searches must optimise the same list of models, so that a solution or bound from one search is valid for the
/// others.
#[derive(Debug, Default)]
pub struct SharedBounds {
    /// The best solution and the bound of each model, in the order of the list.
    ends: Mutex<HashMap<usize, Ends>>,
}

/// The best solution and the bound of one model.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    /// The best solution, with its value.
    pub(super) best: Option<(Arc<Assignment>, Value)>,
    /// A proven bound, if any: no solution is better.
    pub(super) bound: Option<Value>,
}

/// A session's handle to the shared solutions and bounds.
#[derive(Debug)]
pub(super) struct Share {
    bounds: Arc<SharedBounds>,
    model: usize,
}

impl Share {
    pub(super) fn new(bounds: Arc<SharedBounds>, model: usize) -> Self {
        Self { bounds, model }
    }

    /// A poisoned lock is ignored, because the data is always consistent.
    fn ends(&self) -> MutexGuard<'_, HashMap<usize, Ends>> {
        self.bounds.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the current best solution and bound.
    pub(super) fn known(&self) -> Ends {
        self.ends().get(&self.model).cloned().unwrap_or_default()
    }

    /// Publishes a solution to all other searches on the same models.
    pub(super) fn found(&self, assignment: &Assignment, value: Value, sense: Sense) {
        let mut ends = self.ends();
        let best = &mut ends.entry(self.model).or_default().best;
        if best.as_ref().is_none_or(|&(_, known)| sense.is_better(value, known)) {
            *best = Some((Arc::new(assignment.clone()), value));
        }
    }

    /// Publishes a bound to all other searches on the same models: no solution is better than `value`.
    pub(super) fn none_better_than(&self, value: Value, sense: Sense) {
        let mut ends = self.ends();
        let bound = &mut ends.entry(self.model).or_default().bound;
        if bound.is_none_or(|known| sense.is_better(known, value)) {
            *bound = Some(value);
        }
    }
}
