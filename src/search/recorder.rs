//! The record of a session, from which a proof is written.

use std::cell::{RefCell, RefMut};
use std::fmt;
use std::rc::Rc;

use gordian_encodings::{Collect, Lit, Model};
use gordian_proofs::Log;

use crate::backend::{Backend, ProofLog};

/// Records everything that a proof needs: the model as a formula, the clauses of the encodings, and the clauses that
/// the solver and its propagators derive. Clones share the record.
#[derive(Clone, Default)]
pub struct Recorder(Rc<RefCell<Recording>>);

#[derive(Default)]
struct Recording {
    log: Log,
    /// For each attached propagator, the number of its constraint in the log.
    propagators: Vec<Option<u32>>,
    unsupported: bool,
    models: usize,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

impl Recorder {
    /// Creates an empty record.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the log.
    ///
    /// # Panics
    /// Panics if the log is already borrowed.
    #[must_use]
    pub fn log(&self) -> RefMut<'_, Log> {
        RefMut::map(self.0.borrow_mut(), |recording| &mut recording.log)
    }

    /// Returns whether the solver does not support logging.
    #[must_use]
    pub fn is_unsupported(&self) -> bool {
        self.0.borrow().unsupported
    }

    /// Returns the number of models whose search was recorded. The record is a proof only if it contains a single
    /// model.
    #[must_use]
    pub fn models(&self) -> usize {
        self.0.borrow().models
    }

    /// Starts recording the clauses of a model in a new solver.
    pub(super) fn begin(&self, model: &Model, backend: &mut dyn Backend) {
        let logged = backend.log_proof(Box::new(self.clone()));
        let mut recording = self.0.borrow_mut();
        recording.unsupported |= !logged;
        recording.models += 1;
        for (lit, name) in model.names() {
            recording.log.formula.name(*lit, &name.to_string());
        }
    }

    /// Records that the next propagator was attached to the solver.
    pub(super) fn attached(&self, constraint: Option<u32>) {
        self.0.borrow_mut().propagators.push(constraint);
    }

    /// Records a clause that follows from a constraint.
    pub(super) fn given(&self, constraint: u32, clause: &[Lit]) {
        self.log().given(constraint, clause);
    }
}

impl ProofLog for Recorder {
    fn derived(&mut self, clause: &[Lit]) {
        self.log().learnt(clause);
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.log().deleted(clause);
    }

    fn propagated(&mut self, propagator: u32, clause: &[Lit]) {
        let mut recording = self.0.borrow_mut();
        let Recording { log, propagators, .. } = &mut *recording;
        if let Some(Some(constraint)) = propagators.get(propagator as usize) {
            log.given(*constraint, clause);
        }
    }
}

/// Passes clauses to a solver and to the log of a proof.
struct Logged<'a> {
    backend: &'a mut dyn Backend,
    log: RefMut<'a, Log>,
}

impl Collect for Logged<'_> {
    fn clause(&mut self, clause: &[Lit]) {
        self.log.clause(clause);
        self.backend.clause(clause);
    }

    fn reserve(&mut self, variables: u32) {
        self.backend.reserve(variables);
    }

    fn log(&mut self) -> Option<&mut Log> {
        Some(&mut self.log)
    }
}

/// Runs `write` on the solver, through the recorder if there is one.
pub(super) fn through<R>(
    recorder: Option<&Recorder>,
    backend: &mut dyn Backend,
    write: impl FnOnce(&mut dyn Collect) -> R,
) -> R {
    match recorder {
        None => write(backend),
        Some(recorder) => write(&mut Logged { backend, log: recorder.log() }),
    }
}
