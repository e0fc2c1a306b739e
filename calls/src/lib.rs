//! Instances of FlatZinc as data, and what their constraints mean.
//!
//! An [`Instance`] contains the variables, the constraints as calls by name, the goal and the output. The checker
//! [`holds()`] evaluates the calls for the values of a solution, and [`opb::formula`] states them as a pseudo-Boolean
//! formula, which certificates refer to.
//!
//! Both read the calls directly. The translation into models is in `gordian-flatzinc`, which depends on this crate. So the
//! checker and the formula share no code with the translation, not even the code that reads arguments, and disagree with a
//! wrong translation. Of `gordian-encodings`, the crate uses only sets of integers and comparisons.

pub mod holds;
pub mod instance;
pub mod opb;
mod write;

pub use holds::{Violation, holds, violated};
pub use instance::{Instance, Origin};
pub use write::write_constant;
