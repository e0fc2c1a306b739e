//! Disconnected sets of vertices.

use std::sync::Arc;

use super::{Connected, Constraint, Scope};
use crate::assignment::Assignment;
use crate::int::Domains;

/// The vertices whose literals hold induce a disconnected subgraph: they can be split into two nonempty parts without
/// an edge between them.
///
/// ```
/// use gordian_encodings::constraint::{Connected, Disconnected};
/// use gordian_encodings::encoding::reachability_layers::APART;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Graph, Model};
/// use std::sync::Arc;
///
/// let graph = Arc::new(Graph::new(4, [(0, 1), (1, 2), (2, 3)]));
/// let mut model = Model::new();
/// let vertices: Vec<_> = (0..4).map(|_| model.boolean()).collect();
/// model.post(Disconnected { connected: Connected::new(graph, vertices) });
/// assert!(model.holds(&Assignment::new(vec![true, false, true, false], vec![])));
/// assert!(!model.holds(&Assignment::new(vec![false, true, true, false], vec![])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto().with(&APART), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone)]
pub struct Disconnected {
    /// The connectivity constraint that must not hold. If bounds such as [`Connected::diameter`] are given, they must
    /// also hold for disconnected sets.
    pub connected: Connected,
}

impl Constraint for Disconnected {
    fn scope(&self) -> Scope {
        Constraint::scope(&self.connected)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        !Constraint::holds(&self.connected, assignment)
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(self.connected.clone())
    }
}
