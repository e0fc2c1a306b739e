//! All that a program needs to build a [`Model`] and to solve it: `use gordian::prelude::*;`.

pub use gordian_encodings::constraint::*;
pub use gordian_encodings::{
    Assignment, Domain, Encodings, Expr, IntVar, Lit, Model, Objective, Sense, Value,
};

pub use crate::search::Config;
pub use crate::solve::{ForcedValues, ModelExt, SolveError};
