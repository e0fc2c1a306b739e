//! FlatZinc: the format of constraint problems that MiniZinc writes for solvers.
//!
//! MiniZinc compiles a model and its data into FlatZinc, which lists variables, named constraints, an objective, and
//! the variables to print. An [`Instance`] contains the data of a FlatZinc file in memory. The module [`xcsp3`] also
//! converts XCSP3, the format of PyCSP3, to an [`Instance`], and the module [`pseudo_boolean`] converts OPB and WBO, the
//! formats of the pseudo-Boolean competitions.

mod builder;
pub mod builtins;
mod constraint;
mod cursor;
pub mod error;
pub mod formula;
pub mod json;
pub mod output;
mod presolve;
pub mod problem;
pub mod pseudo_boolean;
pub mod restart;
mod search;
pub mod text;
pub mod translate;
pub mod xcsp3;

pub use cursor::ReadError;
pub use error::TranslateError;
pub use gordian_calls::{Instance, Origin, Violation, holds, instance, opb, violated};
pub use problem::Problem;
pub use translate::{Decoder, Representation, Translation};
