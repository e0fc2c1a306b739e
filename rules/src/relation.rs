//! Relations: what the rules of puzzles require of truth values and numbers, beyond formulas and sums.
//!
//! Each relation has one file, which says what it means: on values, it returns the part that is broken, and in
//! pseudo-Boolean formulas, it adds rows. A relation is generic in its entries. With `bool` and `i64` it can be checked;
//! with formulas and sums it is what a rule sheet requires of a solution that is not known yet, and encodings give it
//! clauses.

mod acyclic;
mod components;
mod connected;
mod different;
mod linked;
mod one_loop;
mod paths;
mod runs;
mod sized;

use std::sync::Arc;

use crate::opb::{Integer, Literal, NoFormula, Opb, Truth};

pub use acyclic::Acyclic;
pub use components::{Components, Owner};
pub use connected::Connected;
pub use different::Different;
pub use linked::Linked;
pub use one_loop::OneLoop;
pub use paths::Paths;
pub use runs::Runs;
pub use sized::Sized;

/// The neighbours of each vertex of an undirected graph.
pub type Neighbours = Arc<[Vec<usize>]>;

/// An edge: the numbers of its two ends, and an entry.
pub type Edge<B> = (usize, usize, B);

/// The closed list of relations. `B` is the type of truth values and `N` that of numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each relation has a page of its own")]
pub enum Relation<B, N> {
    Different(Different<N>),
    Connected(Connected<B>),
    Linked(Linked<B>),
    OneLoop(OneLoop<B>),
    Acyclic(Acyclic<B>),
    Components(Components<B>),
    Sized(Sized<N>),
    Paths(Paths<B>),
    Runs(Runs<B>),
}

impl Relation<bool, i64> {
    /// Returns the part of the relation that is broken, as numbers of vertices or entries, or `None` if the relation
    /// holds. The part may be empty if no entry is to blame more than others.
    #[must_use]
    pub fn broken(&self) -> Option<Vec<usize>> {
        match self {
            Self::Different(relation) => relation.broken(),
            Self::Connected(relation) => relation.broken(),
            Self::Linked(relation) => relation.broken(),
            Self::OneLoop(relation) => relation.broken(),
            Self::Acyclic(relation) => relation.broken(),
            Self::Components(relation) => relation.broken(),
            Self::Sized(relation) => relation.broken(),
            Self::Paths(relation) => relation.broken(),
            Self::Runs(relation) => relation.broken(),
        }
    }
}

impl Relation<Truth, Integer> {
    /// Adds rows which state the relation, under a condition if there is one. The rows may have further variables.
    ///
    /// # Errors
    /// Returns an error for a relation that can't be stated under a condition.
    pub fn state(&self, opb: &mut Opb, condition: Option<Literal>) -> Result<(), NoFormula> {
        // A set or a list of edges becomes empty if the condition does not hold.
        let under = |opb: &mut Opb, truth: Truth| match condition {
            Some(condition) => opb.all_of(&[Truth::Same(condition), truth]),
            None => truth,
        };
        let edges_under = |opb: &mut Opb, edges: &[Edge<Truth>]| -> Vec<Edge<Truth>> {
            edges.iter().map(|&(a, b, chosen)| (a, b, under(opb, chosen))).collect()
        };
        let rows = opb.rows().len();
        match self {
            Self::OneLoop(OneLoop { vertices, edges }) => {
                let edges = edges_under(opb, edges);
                OneLoop { vertices: *vertices, edges }.state(opb, condition);
            }
            Self::Acyclic(Acyclic { vertices, edges }) => {
                let edges = edges_under(opb, edges);
                Acyclic { vertices: *vertices, edges }.state(opb);
            }
            Self::Linked(Linked { vertices, edges }) => {
                let vertices = vertices.iter().map(|&vertex| under(opb, vertex)).collect();
                Linked { vertices, edges: edges.clone() }.state(opb);
            }
            Self::Connected(Connected { neighbours, vertices }) => {
                let vertices = vertices.iter().map(|&vertex| under(opb, vertex)).collect();
                Connected { neighbours: neighbours.clone(), vertices }.state(opb);
            }
            Self::Different(relation) => {
                relation.state(opb);
                opb.only_if(rows, condition);
            }
            Self::Runs(relation) => {
                relation.state(opb);
                opb.only_if(rows, condition);
            }
            Self::Components(_) | Self::Sized(_) | Self::Paths(_) if condition.is_some() => {
                let reason = "`components`, `sized` and `paths` have no formula under a condition";
                return Err(NoFormula(reason.to_owned()));
            }
            Self::Components(relation) => drop(relation.state(opb)),
            Self::Sized(relation) => relation.state(opb),
            Self::Paths(relation) => relation.state(opb),
        }
        Ok(())
    }
}

/// Returns the maximal sets of vertices in which `joins` connects each vertex to the others along edges of the graph.
/// Vertices outside of the set `inside` are left out.
fn areas(
    neighbours: &[Vec<usize>],
    inside: impl Fn(usize) -> bool,
    joins: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut seen = vec![false; neighbours.len()];
    let mut areas = Vec::new();
    for start in (0..neighbours.len()).filter(|&vertex| inside(vertex)) {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut area = vec![start];
        let mut at = 0;
        while let Some(&from) = area.get(at) {
            for &to in neighbours[from].iter().filter(|&&to| inside(to) && joins(from, to)) {
                if !std::mem::replace(&mut seen[to], true) {
                    area.push(to);
                }
            }
            at += 1;
        }
        areas.push(area);
    }
    areas
}

/// Returns the pairs of neighbours, each once.
fn pairs(neighbours: &[Vec<usize>]) -> impl Iterator<Item = (usize, usize)> {
    let pairs = neighbours.iter().enumerate();
    pairs.flat_map(|(a, near)| near.iter().map(move |&b| (a, b))).filter(|(a, b)| a < b)
}

/// Returns the numbers of the edges at each vertex.
fn incident<B>(vertices: usize, edges: &[Edge<B>]) -> Vec<Vec<usize>> {
    let mut at = vec![Vec::new(); vertices];
    for (number, &(a, b, _)) in edges.iter().enumerate() {
        at[a].push(number);
        at[b].push(number);
    }
    at
}

/// Returns the neighbours of each vertex along the edges that are true.
fn along(vertices: usize, edges: &[Edge<bool>]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); vertices];
    for &(a, b, _) in edges.iter().filter(|edge| edge.2) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    neighbours
}
