//! The record of a session, for writing a proof.

use std::cell::{RefCell, RefMut};
use std::fmt;
use std::rc::Rc;

use gordian_encodings::{Collect, Lit, Model};
use gordian_proofs::trim::UNITS;
use gordian_proofs::{Log, Rows};

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
    /// The log number of the last recorded clause. It becomes `None` when the solver numbers the clause.
    latest: Option<u32>,
    /// Maps the solver's clause numbers to the numbers of the clauses in the log.
    numbers: Vec<Option<u32>>,
    /// The log numbers of the clauses with which the last call of [`Backend::implying`] derived the literals that it
    /// did not return.
    implied: Vec<Option<u32>>,
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
        // The hint 0 stands for all unit clauses.
        recording.set_number(0, Some(UNITS));
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

    /// Records a clause of an encoding.
    fn clause(&self, clause: &[Lit]) {
        let mut recording = self.0.borrow_mut();
        recording.latest = recording.log.clause(clause);
    }

    /// Adds to the formula a clause that excludes a solution. Returns the number of the clause in the log.
    pub(super) fn exclude(&self, clause: &[Lit]) -> Option<u32> {
        self.log().require("another solution", clause)
    }

    /// Logs the hints for the next clause, which excludes a solution but contains only some of its literals. Unit
    /// propagation derives the other literals of the solution from these. `excluded` is the log number of the clause
    /// over all literals of the solution.
    pub(super) fn excluded_by(&self, excluded: Option<u32>) {
        let mut recording = self.0.borrow_mut();
        let hints = std::mem::take(&mut recording.implied);
        recording.log.hint(hints.into_iter().chain([excluded]));
    }

    /// Logs the hints for the next clause, which states that `lit` is false. The literal `any` stands for a disjunction
    /// that contains `lit`, and `refuted` is the log number of the clause `!any`, which the solver has derived.
    pub(super) fn refuted_one_of(&self, refuted: Option<u32>, any: Lit, lit: Lit) {
        let mut log = self.log();
        let definition = log.constraint("definition", Box::new(Rows::default()));
        let implied = log.given(definition, &[any, !lit]);
        log.hint([refuted, implied].into_iter());
    }

    /// Records a clause that follows from a constraint.
    pub(super) fn given(&self, constraint: u32, clause: &[Lit]) {
        self.log().given(constraint, clause);
    }
}

impl Recording {
    fn set_number(&mut self, id: u32, number: Option<u32>) {
        let index = id as usize;
        if self.numbers.len() <= index {
            self.numbers.resize(index + 1, None);
        }
        self.numbers[index] = number;
    }

    fn number(&self, id: u32) -> Option<u32> {
        self.numbers.get(id as usize).copied().flatten()
    }
}

impl ProofLog for Recorder {
    fn derived(&mut self, clause: &[Lit]) {
        self.log().learnt(clause);
    }

    fn deleted(&mut self, clause: &[Lit]) {
        self.log().deleted(clause);
    }

    fn numbered(&mut self, id: u32) {
        let mut recording = self.0.borrow_mut();
        let number = recording.latest.take();
        recording.set_number(id, number);
    }

    fn derived_from(&mut self, id: u32, clause: &[Lit], hints: &[u32]) {
        let mut recording = self.0.borrow_mut();
        let Recording { log, numbers, .. } = &mut *recording;
        let hints = hints.iter().map(|&hint| numbers.get(hint as usize).copied().flatten());
        let number = log.learnt_from(clause, hints);
        recording.set_number(id, number);
    }

    fn deleted_id(&mut self, id: u32, _: &[Lit]) {
        let mut recording = self.0.borrow_mut();
        if let Some(number) = recording.number(id) {
            recording.log.deleted_clause(number);
        }
    }

    fn implied(&mut self, hints: &[u32]) {
        let mut recording = self.0.borrow_mut();
        recording.implied = hints.iter().map(|&hint| recording.number(hint)).collect();
    }

    fn propagated(&mut self, propagator: u32, clause: &[Lit]) {
        let mut recording = self.0.borrow_mut();
        let Recording { log, propagators, latest, .. } = &mut *recording;
        if let Some(Some(constraint)) = propagators.get(propagator as usize) {
            *latest = log.given(*constraint, clause);
        }
    }
}

/// Passes clauses to a solver and to the log of a proof.
struct Logged<'a> {
    backend: &'a mut dyn Backend,
    recorder: &'a Recorder,
    /// The log, if an encoding uses it. While this field borrows the log, the solver must not be called, because the
    /// solver also uses the log.
    log: Option<RefMut<'a, Log>>,
}

impl Collect for Logged<'_> {
    fn clause(&mut self, clause: &[Lit]) {
        self.log = None;
        self.recorder.clause(clause);
        self.backend.clause(clause);
    }

    fn reserve(&mut self, variables: u32) {
        self.backend.reserve(variables);
    }

    fn log(&mut self) -> Option<&mut Log> {
        Some(self.log.get_or_insert_with(|| self.recorder.log()))
    }
}

/// Runs `write` on the solver, through the recorder if the session has a recorder.
pub(super) fn through<R>(
    recorder: Option<&Recorder>,
    backend: &mut dyn Backend,
    write: impl FnOnce(&mut dyn Collect) -> R,
) -> R {
    match recorder {
        None => write(backend),
        Some(recorder) => write(&mut Logged { backend, recorder, log: None }),
    }
}
