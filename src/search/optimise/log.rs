//! The log of an optimisation, from which a proof of the optimum is written.

use gordian_encodings::Lit;
use gordian_proofs::{Log, ProofError};

use super::Search;

impl Search<'_> {
    /// Returns whether the session records a proof.
    pub(super) fn is_logged(&self) -> bool {
        self.session.recorder.is_some()
    }

    fn log<R>(&self, record: impl FnOnce(&mut Log) -> R) -> Option<R> {
        self.session.recorder.as_ref().map(|recorder| record(&mut recorder.log()))
    }

    /// Logs that at least one of the literals in `core` is false.
    pub(super) fn log_refuted(&self, core: &[Lit]) {
        let clause: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
        self.log(|log| log.keep(&clause));
    }

    /// Logs a core: at least one of the literals in `failed` is true. Returns the number of the core in the log.
    pub(super) fn log_core(&self, failed: &[Lit], weight: u128) -> usize {
        self.log(|log| log.core(failed, weight)).unwrap_or_default()
    }

    /// Logs that the weight of the soft literal `at_most` has increased. The literal states that the number of true
    /// literals in the core does not exceed `most`.
    pub(super) fn log_output(&self, core: usize, at_most: Lit, most: usize, weight: u128) {
        self.log(|log| log.core_output(core, !at_most, most + 1, weight));
    }

    /// Logs the end of a search that has found and proven an optimum.
    pub(super) fn log_optimum(&self) {
        if let Some((_, best)) = self.best.as_ref().filter(|_| self.proven) {
            self.log(|log| {
                log.formula.comment("a better solution");
                match self.objective.better_than(*best, self.session.encoded.domains()) {
                    Some(rows) => log.require_better(rows),
                    None => log.fail(ProofError::NoFormula { constraint: "objective".to_owned() }),
                }
            });
        }
    }
}
