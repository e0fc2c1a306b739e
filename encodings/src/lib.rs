//! Finite-domain constraints to CNF.
//!
//! A [`Model`] says *what* must hold; an [`Encodings`] value says *how* each meaning is put into clauses; a
//! [`Collect`]or (a solver, a file, a [`Cnf`]) receives them one by one. Literals and variables are
//! [`rustsat`]'s, so any solver with a rustsat interface can be used.

pub mod collect;
pub mod lit;

pub use collect::{Cnf, Collect};
pub use lit::{FALSE, Lit, TRUE, Var, constant};
