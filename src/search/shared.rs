//! Solutions and bounds shared by several optimisations of the same model.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gordian_encodings::{Assignment, Sense, Value};

/// The best solutions and the bounds found by any of the searches.
///
/// All searches must optimise the same models in the same order, so that each solution or bound is valid for all of
/// them.
#[derive(Debug, Default)]
pub struct SharedBounds {
    /// Indexed by the number of the model.
    ends: Mutex<HashMap<usize, Ends>>,
}

/// The best solution and the bound of one model.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    /// The best solution, with its value.
    pub(super) best: Option<(Arc<Assignment>, Value)>,
    /// A bound that no solution exceeds, if one is known.
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

    /// Returns the current state.
    pub(super) fn known(&self) -> Ends {
        self.ends().get(&self.model).cloned().unwrap_or_default()
    }

    /// Publishes a solution.
    pub(super) fn found(&self, assignment: &Assignment, value: Value, sense: Sense) {
        let mut ends = self.ends();
        let best = &mut ends.entry(self.model).or_default().best;
        if best.as_ref().is_none_or(|&(_, known)| sense.is_better(value, known)) {
            *best = Some((Arc::new(assignment.clone()), value));
        }
    }

    /// Publishes a bound: no solution is better than `value`.
    pub(super) fn none_better_than(&self, value: Value, sense: Sense) {
        let mut ends = self.ends();
        let bound = &mut ends.entry(self.model).or_default().bound;
        if bound.is_none_or(|known| sense.is_better(known, value)) {
            *bound = Some(value);
        }
    }
}
