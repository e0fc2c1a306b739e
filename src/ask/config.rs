//! By which means questions are answered.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gordian_encodings::Encodings;

use crate::backend::{Backend, BackendError, Limits, SOLVERS, Solver};
use crate::search::{STRATEGIES, SharedBounds, Strategy};

/// By which means a board is answered. One value does for many boards.
#[derive(Debug, Clone)]
pub struct Config {
    /// The SAT solver.
    pub solver: &'static Solver,
    /// The encodings.
    pub encodings: Encodings,
    /// The way to look for the best solution.
    pub strategy: &'static Strategy,
    /// The solver's seed; 0 is the solver as it comes. No matter to a solver without one.
    pub seed: u32,
    /// How long each board may take.
    pub time: Option<Duration>,
    /// How many conflicts each call of the solver may take.
    pub conflicts: Option<u64>,
    /// How many bytes the process may hold, and a program run as a solver.
    pub memory: Option<u64>,
    /// How many threads answer a question, by different means of which the first to know the solution wins. Solutions that are
    /// asked for one by one are left to one thread.
    pub threads: usize,
    /// What others who look for the best solution to the same board have found.
    pub shared: Option<Arc<SharedBounds>>,
    /// Set by anyone to stop all that goes on by these config.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Default for Config {
    /// The default solver with encodings of its choice, without a limit.
    fn default() -> Self {
        Self {
            solver: SOLVERS[0],
            encodings: Encodings::auto(),
            seed: 0,
            strategy: STRATEGIES[0],
            time: None,
            conflicts: None,
            memory: None,
            stop: None,
            threads: 1,
            shared: None,
        }
    }
}

impl Config {
    /// The limits of a board that is begun now; `None` if there are none.
    #[must_use]
    pub fn limits(&self) -> Option<Limits> {
        // A time too long for the clock is none.
        let deadline = self.time.and_then(|time| Instant::now().checked_add(time));
        let Self { conflicts, memory, ref stop, .. } = *self;
        let limits = Limits { conflicts, deadline, memory, stop: stop.clone() };
        (!limits.is_unlimited()).then_some(limits)
    }

    /// A new solver with these limits and the seed.
    ///
    /// # Errors
    /// If the solver can't be had or can't take the limits.
    pub fn backend(&self, limits: Option<Limits>) -> Result<Box<dyn Backend>, BackendError> {
        let mut backend = (self.solver.make)()?;
        if let Some(limits) = limits {
            backend.set_limits(limits)?;
        }
        // Where the solver has no seed there is nothing to do.
        backend.seed(self.seed);
        Ok(backend)
    }
}
