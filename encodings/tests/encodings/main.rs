//! Tests every encoding on every sample of its constraint type. A sample is a small instance of a constraint.
//!
//! * [`faithful`]: the models of the formula, projected onto the scope, are the assignments for which `holds` is true.
//! * [`strength`]: unit propagation has exactly the declared strength.
//! * [`size`]: the numbers of variables and clauses agree with the documented size.
//! * [`minimal`]: no clause is redundant, except in encodings that declare redundant clauses.
//! * [`derived`]: a proof derives the clauses from the linear inequalities of the constraint.
//! * [`relaxation`]: the implied linear constraints hold in every solution.
//! * [`large`]: a solver and `holds` agree on random assignments of larger constraints.
//! * [`frontier`]: the automaton of the frontier states accepts exactly the assignments for which `holds` is true.

mod cancelled;
mod derived;
mod expressions;
mod faithful;
mod formula;
mod frontier;
mod functions;
mod integers;
mod large;
mod minimal;
mod objective;
mod propagate;
mod reified;
mod relaxation;
mod samples;
mod sequences;
mod size;
mod strength;
mod successors;
mod values;
