//! Clausal proofs.

use std::fmt;

use crate::lit::Lit;

/// A receiver of the clauses that the solver derives and deletes.
///
/// Each derived clause follows by reverse unit propagation (RUP) from the clauses of the formula and the clauses
/// derived before it, unless a theory took part in the search. The last derived clause of an unsatisfiable call
/// contains only negated assumptions.
pub trait Proof: fmt::Debug {
    /// Receives a derived clause.
    fn derived(&mut self, clause: &[Lit]);

    /// Receives a derived clause that the solver deletes.
    fn deleted(&mut self, clause: &[Lit]);
}
