//! The configuration of queries: solver, encodings, strategy and limits.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use gordian_encodings::{Encodings, Model};

use super::{Recorder, STRATEGIES, Session, Strategy};
use crate::backend::{Backend, BackendError, Limits, SOLVERS, Solver};

/// The configuration of a query. A configuration can be reused for any number of queries.
#[derive(Debug, Clone)]
pub struct Config {
    /// The SAT solver that queries use.
    pub solver: Solver,
    /// The chosen encoding of each constraint type.
    pub encodings: Encodings,
    /// The strategy of optimisation queries.
    pub strategy: &'static Strategy,
    /// The seed of the solver. The seed 0 selects the default behaviour. Solvers that do not support seeds ignore the
    /// seed.
    pub seed: u32,
    /// The time limit of each query.
    pub timeout: Option<Duration>,
    /// The time at which every query with this configuration stops.
    pub deadline: Option<Instant>,
    /// The conflict limit of each query.
    pub conflicts: Option<u64>,
    /// The memory limit in bytes. The limit applies to this process and, separately, to an external solver.
    pub memory: Option<u64>,
    /// The number of threads that solve a query on a puzzle. Each thread has a different configuration, and the first
    /// thread to finish stops the others. Enumeration always uses one thread.
    pub threads: usize,
    /// True if every clause of a recorded search must follow from the clauses of the model by unit propagation, as the
    /// clausal form of a proof requires.
    pub clausal_proofs: bool,
    /// A flag that stops every query with this configuration when it is set to `true`.
    pub cancel: Option<Arc<AtomicBool>>,
}

impl Default for Config {
    /// Returns a configuration with the default solver, the default strategy, automatic encodings, one thread and no
    /// limits.
    fn default() -> Self {
        Self {
            solver: SOLVERS[0].clone(),
            encodings: Encodings::auto(),
            strategy: STRATEGIES[0],
            seed: 0,
            timeout: None,
            deadline: None,
            conflicts: None,
            memory: None,
            threads: 1,
            clausal_proofs: false,
            cancel: None,
        }
    }
}

impl Config {
    /// Returns the limits of a query that starts now.
    #[must_use]
    pub fn limits(&self) -> Limits {
        // A deadline beyond the range of the clock is never reached, so it is omitted.
        let timeout = self.timeout.and_then(|timeout| Instant::now().checked_add(timeout));
        let deadline = timeout.into_iter().chain(self.deadline).min();
        let Self { conflicts, memory, ref cancel, .. } = *self;
        Limits { conflicts, deadline, memory, cancel: cancel.clone() }
    }

    /// Creates a solver with the given limits and the seed of the configuration.
    ///
    /// # Errors
    /// Returns an error if the solver is not available or does not support the limits.
    pub fn backend(&self, limits: Limits) -> Result<Box<dyn Backend>, BackendError> {
        let mut backend = self.solver.make()?;
        backend.set_limits(limits)?;
        backend.seed(self.seed);
        Ok(backend)
    }

    /// Encodes a model into a new solver with the given limits.
    ///
    /// # Errors
    /// Returns an error if the solver is not available or does not support the limits.
    pub fn session(&self, model: &Model, limits: Limits) -> Result<Session, BackendError> {
        Ok(Session::within(self.backend(limits.clone())?, limits, model, &self.encodings, None))
    }

    /// Works like [`Config::session`], but also records the model and the search, so that a proof can be written.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Config::session`].
    pub fn recorded(
        &self,
        model: &Model,
        limits: Limits,
        recorder: Recorder,
    ) -> Result<Session, BackendError> {
        Ok(Session::within(self.backend(limits.clone())?, limits, model, &self.encodings, Some(recorder)))
    }
}
