//! The constraint that edges contain no cycle.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::int::Domains;
use crate::lit::Lit;

/// The edges whose literals hold contain no cycle: they form a forest. An edge from a vertex to itself is a cycle, and so
/// are two edges between the same vertices.
///
/// ```
/// use gordian_encodings::constraint::Acyclic;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// // A triangle, and an edge that leads away from it.
/// let mut model = Model::new();
/// let [a, b, c, d] = [0; 4].map(|_| model.boolean());
/// model.post(Acyclic::new(4, [(0, 1, a), (1, 2, b), (2, 0, c), (2, 3, d)]));
/// let (on, off) = (true, false);
/// assert!(model.holds(&Assignment::new(vec![on, on, off, on], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![on, on, on, off], vec![])), "the triangle");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Acyclic {
    /// The number of vertices.
    pub vertices: usize,
    /// The two ends of each edge, and its literal.
    pub edges: Vec<(usize, usize, Lit)>,
    /// True if the constraint must hold, false if it must be violated.
    pub holds: bool,
}

impl Acyclic {
    /// Creates the constraint that the edges whose literals hold contain no cycle.
    ///
    /// # Panics
    /// Panics if an edge has an end that is not below `vertices`.
    #[must_use]
    pub fn new(vertices: usize, edges: impl Into<Vec<(usize, usize, Lit)>>) -> Self {
        let edges = edges.into();
        assert!(edges.iter().all(|&(a, b, _)| a.max(b) < vertices), "each end is a vertex");
        Self { vertices, edges, holds: true }
    }
}

impl Constraint for Acyclic {
    fn scope(&self) -> Scope {
        Scope { lits: self.edges.iter().map(|&(_, _, lit)| lit).collect(), ..Scope::default() }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        // The vertex that represents the tree of each vertex.
        let mut tree: Vec<usize> = (0..self.vertices).collect();
        let mut is_acyclic = true;
        for &(a, b, _) in self.edges.iter().filter(|(_, _, lit)| assignment.lit(*lit)) {
            let (one, other) = (tree[a], tree[b]);
            is_acyclic &= one != other;
            for of in &mut tree {
                if *of == other {
                    *of = one;
                }
            }
        }
        is_acyclic == self.holds
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { holds: !self.holds, ..self.clone() })
    }
}
