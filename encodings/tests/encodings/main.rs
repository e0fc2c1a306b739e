//! Four tests over one list: every encoding on every sample of its meaning.
//!
//! * [`faithful`]: the models of the formula, seen through the scope, are the assignments for which `holds` is true.
//! * [`strength`]: unit propagation reaches the declared strength, and no stronger one.
//! * [`size`]: variables and clauses are as many as declared.
//! * [`minimal`]: without any one clause something is lost, unless the encoding declares redundant clauses.

mod cancelled;
mod faithful;
mod formula;
mod integers;
mod minimal;
mod objective;
mod propagate;
mod reified;
mod samples;
mod size;
mod strength;
mod values;
