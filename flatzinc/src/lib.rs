//! FlatZinc: instances of constraint models that other tools write.
//!
//! MiniZinc compiles a model and its data into FlatZinc: a list of variables, constraints over them by name, an
//! objective, and the variables to print. An [`Instance`] holds these in memory.

mod builder;
mod cursor;
pub mod instance;
pub mod json;
pub mod output;
pub mod text;
mod write;

pub use cursor::ReadError;
pub use instance::Instance;
