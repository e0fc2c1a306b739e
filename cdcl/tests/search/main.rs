//! Tests of the solver: assumptions, programmed search, proofs and theories.

mod assumptions;
mod programmed;
mod random;
mod support;
