//! Four tests over one list: every encoding on every sample of its meaning.
//!
//! * [`faithful`]: the models of the formula, seen through the scope, are the assignments for which `holds` is true.
//! * [`strength`]: unit propagation reaches the declared strength, and no stronger one.
//! * [`size`]: variables and clauses are as many as the closed formula of the documentation says.
//! * [`minimal`]: without any one clause something is lost, unless the table of redundant clauses has a reason.

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
