//! Contains everything that a program needs to build and solve a [`Model`]: `use gordian::prelude::*;`.

pub use gordian_encodings::constraint::*;
pub use gordian_encodings::{
    Assignment, Domain, Encodings, Expr, IntVar, Lit, Model, Objective, Sense, Value,
};

pub use crate::search::{Config, SolveError};
pub use crate::solve::{Conflict, ForcedValues, ModelExt};
