//! Relations: what the rules of puzzles require of truth values and numbers, beyond formulas and sums.
//!
//! Each relation has one file, which says what it means: on values, it returns the part that is broken. A relation is
//! generic in its entries. With `bool` and `i64` it can be checked; with formulas and sums it is what a rule sheet
//! requires of a solution that is not known yet, and encodings give it clauses.

mod acyclic;
mod components;
mod connected;
mod different;
mod linked;
mod one_loop;
mod paths;
mod runs;
mod sized;

pub use acyclic::Acyclic;
pub use components::Components;
pub use connected::Connected;
pub use different::Different;
pub use linked::Linked;
pub use one_loop::OneLoop;
pub use paths::Paths;
pub use runs::Runs;
pub use sized::Sized;

/// The neighbours of each vertex of an undirected graph.
pub type Neighbours = Vec<Vec<usize>>;

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

/// Returns the neighbours of each vertex along the edges that are true.
fn along(vertices: usize, edges: &[Edge<bool>]) -> Neighbours {
    let mut neighbours = vec![Vec::new(); vertices];
    for &(a, b, _) in edges.iter().filter(|edge| edge.2) {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    neighbours
}
