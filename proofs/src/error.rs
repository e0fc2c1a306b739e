//! Errors of proofs.

use std::io;

use crate::row::Overflow;
use crate::trim::TrimError;

/// An error that occurs when a proof is written.
#[derive(Debug, thiserror::Error)]
pub enum ProofError {
    /// A file can't be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A number exceeds 128 bits.
    #[error(transparent)]
    Overflow(#[from] Overflow),
    /// The recorded clauses are not a refutation.
    #[error(transparent)]
    Trim(#[from] TrimError),
    /// A feature of the model, such as a large integer, can't be expressed in the formula of a proof.
    #[error("proofs do not support {0}")]
    Unsupported(&'static str),
    /// The constraint can't be expressed in the formula of a proof.
    #[error("proofs do not support the constraint `{constraint}`")]
    NoFormula {
        /// The name of the constraint.
        constraint: String,
    },
    /// A certificate in clausal form can't prove the claim.
    #[error("certificates in clausal form do not support {0}")]
    NotClausal(&'static str),
    /// A clause could not be derived from its constraint.
    #[error("no derivation of the clause {clause} from the constraint `{constraint}`")]
    NotDerived {
        /// The name of the constraint.
        constraint: String,
        /// The clause.
        clause: String,
    },
}
