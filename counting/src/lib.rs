//! Exact model counting (#SAT): the number of solutions, without listing them.
//!
//! [`components`] counts the models of a formula by branching and decomposition. It can also compile the formula into
//! a [`Circuit`], which yields random models, and for each literal the number of models that contain it. [`sweep`]
//! counts the solutions of a model by the states of its constraints, which suits paths and connected sets.
//!
//! Counting calls [`gordian_encodings::tick`], so [`gordian_encodings::cancellable`] stops it, and reports its
//! [`Progress`], which includes a lower bound on the count.

// The modules in layers, separated by blank lines. Each module uses only modules of the layers above it.
mod number;
mod progress;
mod random;

pub mod circuit;
pub mod order;

pub mod components;
pub mod sweep;

pub use circuit::Circuit;
pub use number::Number;
pub use progress::Progress;
pub use random::Random;
