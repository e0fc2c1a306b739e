//! Exact model counting (#SAT): computes the number of solutions without listing them.
//!
//! The module [`components`] counts the models of a formula by branching and decomposition. The counter can also
//! compile the formula into a [`Circuit`]. From a circuit, random models can be drawn, and the models that contain a
//! given literal can be counted. The module [`sweep`] assigns the variables of a model in a fixed order, and counts the
//! partial assignments that lead to each state of the constraints. The sweep is suitable for paths and connected sets.
//!
//! Counting calls [`gordian_encodings::tick`], so [`gordian_encodings::cancellable`] can stop it. A running count
//! reports its [`Progress`], which includes a lower bound on the count.

// Blank lines separate the modules into layers. Each module uses only modules of the layers above it.
mod counts;
mod number;
mod progress;
mod random;

pub mod circuit;
pub mod order;

pub mod components;
pub mod sweep;

pub use circuit::Circuit;
pub use counts::LiteralCounts;
pub use number::Number;
pub use progress::Progress;
pub use random::Random;
