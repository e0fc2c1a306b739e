//! Checks the lemmas of a clausal certificate.
//!
//! A clausal certificate consists of a list of graphs, a CNF formula and a DRAT proof. Some clauses of the formula are
//! *lemmas*: they follow from the constraint that a set of vertices of a graph is connected. A DRAT checker does not
//! check the lemmas, because they are part of the formula. This crate decides by [graph search](Graph::implies) whether
//! they follow. It depends on no other crate, so users need to trust only its source code.
//!
//! The file `graphs` lists the graphs. The vertices of a graph can have any distinct numbers. A vertex is in the set if
//! its literal is true; the word `always` replaces the literal of a vertex that is in every set:
//!
//! ```text
//! graph NUMBER LEAST MOST
//! vertex NUMBER LITERAL
//! edge VERTEX VERTEX
//! ```
//!
//! The constraint of a graph is that the vertices in the set are connected, and that their number is between `LEAST` and
//! `MOST`. The lines of a graph follow its `graph` line.
//!
//! The file `formula.cnf` is in DIMACS format, with one clause in each line. The clauses after a line `c lemmas of graph
//! NUMBER` are lemmas of this graph. Two further kinds of comments describe the variables:
//!
//! ```text
//! c name VARIABLE NAME
//! c define LITERAL BOUND COEFFICIENT LITERAL COEFFICIENT LITERAL ...
//! ```
//!
//! The second kind defines a literal: the literal is true if and only if the coefficients of the true literals add up
//! to at least `BOUND`.

mod graph;
mod read;

pub use graph::{Graph, Vertex};
pub use read::{Clause, Definition, Formula, Malformed, graphs};

/// Checks all lemmas of a formula. Returns a description of the first lemma that the check could not derive from its
/// graph.
#[must_use]
pub fn refusal(graphs: &[Graph], formula: &Formula) -> Option<String> {
    formula.lemmas.iter().find_map(|(number, clause)| {
        let reason = match graphs.iter().find(|graph| graph.number == *number) {
            None => format!("expected a lemma of a graph in `graphs`, found one of graph {number}"),
            Some(graph) => graph.implies(&clause.lits).err()?,
        };
        Some(format!("formula.cnf, line {}: {reason}", clause.line))
    })
}
