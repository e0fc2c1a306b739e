//! What several searches for the best solution of one model tell one another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use gordian_encodings::{Assignment, Sense, Value};

/// The best solutions that anyone has found, and the bounds that anyone has proven.
///
/// All who share must look for the best solution of the same models, in the same order: a solution of one is one of the
/// others, and what is proven of one is true of them.
#[derive(Debug, Default)]
pub struct SharedBounds {
    /// By the number of the model.
    ends: Mutex<HashMap<usize, Ends>>,
}

/// What is known of one model.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    /// The best solution, with its value.
    pub(super) best: Option<(Arc<Assignment>, Value)>,
    /// A value that no solution is better than, if one is known.
    pub(super) bound: Option<Value>,
}

/// The share of a session.
#[derive(Debug)]
pub(super) struct Share {
    bounds: Arc<SharedBounds>,
    model: usize,
}

impl Share {
    pub(super) fn new(bounds: Arc<SharedBounds>, model: usize) -> Self {
        Self { bounds, model }
    }

    /// Whoever panicked over it left it whole.
    fn ends(&self) -> MutexGuard<'_, HashMap<usize, Ends>> {
        self.bounds.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is known by now.
    pub(super) fn known(&self) -> Ends {
        self.ends().get(&self.model).cloned().unwrap_or_default()
    }

    /// Tells of a solution.
    pub(super) fn found(&self, assignment: &Assignment, value: Value, sense: Sense) {
        let mut ends = self.ends();
        let best = &mut ends.entry(self.model).or_default().best;
        if best.as_ref().is_none_or(|&(_, known)| sense.is_better(value, known)) {
            *best = Some((Arc::new(assignment.clone()), value));
        }
    }

    /// Tells that no solution is better than this value.
    pub(super) fn none_better_than(&self, value: Value, sense: Sense) {
        let mut ends = self.ends();
        let bound = &mut ends.entry(self.model).or_default().bound;
        if bound.is_none_or(|known| sense.is_better(known, value)) {
            *bound = Some(value);
        }
    }
}
