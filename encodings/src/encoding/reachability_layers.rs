//! Encodes connectivity with reachability layers: every vertex of the set can be reached from the root in at most D
//! steps.
//!
//! The literal `r[d][v]` implies that v is in the set and reachable from the root by a path of at most d edges within
//! the set: `r[d][v] -> x[v]`, and `r[d][v] -> r[d-1][v] or r[d-1][u1] or .. or r[d-1][uk]` for the neighbours u1,
//! .., uk of v. In the last layer D, every vertex of the set must be reached: `x[v] -> r[D][v]`. The encoding is
//! correct if every vertex of every allowed set is at most D steps from the root. The root and D are chosen as
//! follows:
//!
//! * the root is a vertex whose literal is [`TRUE`], if any, and otherwise the *first* vertex of the set, which
//!   need not be its centre;
//! * D is one less than the number of vertices that can be in the set, or the asserted diameter
//!   ([`Connected::diameter`]) if it is smaller.
//!
//! With a given root, `r[d][v]` is false for every d below the distance of v from the root, so the encoding creates
//! no literal for such d.
//!
//! If the [search can extend the encoding](crate::theory) and D is large, the layers *deepen*: the encoding first
//! writes layers only up to a smaller depth that usually suffices. An assumption requires that every vertex of the
//! set is reached at that depth. If a solver call is unsatisfiable because of the assumption, the encoding adds
//! layers up to twice the depth. On most boards, every vertex of the set is reached at a depth much smaller than D.
//! If the formula is unsatisfiable without the assumption, no further layers are needed.
//!
//! Size with a given root: a vertex other than the root at distance s <= D has D-s variables (`r[D][v]` is `x[v]`
//! itself), D-s clauses `r[d][v] -> x[v]` (none if `x[v]` is constant), and D-s+1 clauses `r[d][v] -> r[d-1][v] or ..`
//! (none if s = 1). A vertex at distance s > D has one clause. Size without a given root, for n >= 2 vertices and D >=
//! 1: `2n-3 + n(D-1)` variables and `5n-6 + 2n(D-1)` clauses, minus one clause for D = 1. Strength: checks total
//! assignments only. In addition, unit propagation excludes each vertex that cannot be reached in D steps through
//! vertices that may still be in the set. Unit propagation does not derive that articulation points are in the set.
//! `Encodings::keep_count` adds the converse clauses `r[d-1][u], x[v] -> r[d][v]`, which preserve the number of
//! solutions.
//!
//! For a *disconnected* set, some vertex of the set must not be reached: `x[v] and -r[D][v]` holds for some v. The
//! literals of the layers are then defined by equivalences, and the last layer has its own literals. Size for
//! disconnected sets, asymptotically: O(n D) variables and O((n + m) D) clauses for n vertices and m edges. Strength:
//! checks total assignments only. The encoding preserves the number of solutions.
//!
//! Some clauses of the first and last vertices are redundant, because other clauses imply them. With a given root, a
//! clause `r[d][v] -> x[v]` is redundant if no other vertex needs to be reached through v. For disconnected sets, a
//! clause of a layer is redundant if the previous layer implies it. Some clauses that require a reached neighbour for
//! each reached vertex are also redundant.
//!
//! Paper: the step-bounded transitive closure is folklore in planning as satisfiability (Kautz, Selman: *Planning as
//! satisfiability*, ECAI 1992). It is evaluated by Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*,
//! JELIA 2014. Unlike in these papers, the root may be given, literals that are false because of the distance are
//! omitted, and the last layer shares literals with the vertices. Adding layers in one incremental solver corresponds
//! to increasing the horizon in planning.
//!
//! ```
//! use gordian_encodings::constraint::Connected;
//! use gordian_encodings::encoding::reachability_layers::LAYERS;
//! use gordian_encodings::{Cnf, Encodings, Graph, Model, TRUE};
//! use std::sync::Arc;
//!
//! let mut model = Model::new();
//! let [b, c] = [0; 2].map(|_| model.boolean());
//! let way = Arc::new(Graph::new(3, [(0, 1), (1, 2)]));
//! model.post(Connected::new(way, [TRUE, b, c]));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&LAYERS), &mut cnf);
//! // Variables 1 and 2 are b and c; variable 3 implies that b is reached in one step.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 1 0", "3 -2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Connected, Disconnected};
use crate::lit::{FALSE, Lit, TRUE, constant};
use crate::sink::{Deepen, Sink};

/// Reachability layers.
pub static LAYERS: Encoding<Connected> = Encoding {
    name: "layers",
    paper: "Kautz, Selman: Planning as satisfiability, ECAI 1992 (step-bounded reachability)",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode,
};

/// Encodes disconnected sets with reachability layers: some vertex of the set is not reached.
pub static APART: Encoding<Disconnected> = Encoding {
    name: "layers",
    paper: LAYERS.paper,
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    derived: false,
    applies: always,
    encode: |disconnected, sink| encode_apart(&disconnected.connected, sink),
};

/// Returns D, an upper bound on the distance of a vertex from the root in every allowed set.
fn depth(constraint: &Connected, members: &[usize]) -> usize {
    let all = members.len().saturating_sub(1);
    constraint.diameter.map_or(all, |steps| steps.min(all))
}

fn encode(constraint: &Connected, sink: &mut Sink<'_>) {
    let mut layers = Layers::new(constraint, false, sink);
    let shallow = layers.shallow();
    if sink.encodings().defers() && !sink.is_conditional() && shallow < layers.last {
        layers.write_to(shallow, sink);
        sink.deepen_later(layers);
    } else {
        layers.write_to(layers.last, sink);
    }
}

/// Returns a number of layers that suffices to reach every reachable vertex.
fn steps_apart(constraint: &Connected, members: &[usize]) -> usize {
    depth(constraint, members).max(1)
}

fn encode_apart(constraint: &Connected, sink: &mut Sink<'_>) {
    let members = constraint.members();
    if members.len() < 2 {
        return sink.clause(&[]);
    }
    let mut layers = Layers::new(constraint, true, sink);
    layers.write_layers(steps_apart(constraint, &members), sink);
    let apart = |&vertex: &usize| sink.and(&[constraint.vertices[vertex], !layers.layer[vertex]]);
    let apart: Vec<Lit> = members.iter().map(apart).collect();
    sink.clause(&apart);
}

/// The factor by which the depth grows when layers are added. The initial depth is `DEEPEN` times the distance of the
/// vertex farthest from the root.
const DEEPEN: usize = 2;
/// The minimum initial depth. A smaller initial depth would save few clauses.
const SHALLOWEST: usize = 16;

/// The reachability layers up to the current depth. Further layers can be added.
#[derive(Debug)]
struct Layers {
    constraint: Connected,
    /// The vertices that can be in the set.
    members: Vec<usize>,
    /// The distance of each vertex from the root. If there is no given root, all distances are 0.
    steps: Vec<Option<usize>>,
    /// The literals `r[depth][v]` of the last layer that has been written.
    layer: Vec<Lit>,
    depth: usize,
    /// D: the depth at which every vertex of an allowed set is reached.
    last: usize,
    /// True if the set must be disconnected. For disconnected sets, the literals of the layers are defined by
    /// equivalences.
    apart: bool,
    /// The literal that implies that every vertex of the set is reached at `depth`. At depth D, no assumption is
    /// needed, and the value is `None`.
    assumption: Option<Lit>,
}

impl Layers {
    /// Creates layer 0, which contains only the root.
    fn new(constraint: &Connected, apart: bool, sink: &mut Sink<'_>) -> Self {
        let Connected { graph, vertices, .. } = constraint;
        let (members, root) = (constraint.members(), constraint.root());
        let sources = root.map_or_else(|| members.clone(), |root| vec![root]);
        let steps = graph.distances(sources, |vertex| vertices[vertex] != FALSE);
        let last = depth(constraint, &members);
        let mut layer = vec![FALSE; vertices.len()];
        match root {
            Some(root) => layer[root] = TRUE,
            None => first_of(&members, vertices, apart, &mut layer, sink),
        }
        let constraint = constraint.clone();
        Self { constraint, members, steps, layer, depth: 0, last, apart, assumption: None }
    }

    /// Returns the initial depth of the layers.
    fn shallow(&self) -> usize {
        let farthest = self.steps.iter().filter_map(|&steps| steps).max().unwrap_or(0);
        (DEEPEN * farthest).max(SHALLOWEST)
    }

    /// Adds the layers up to `depth`.
    fn write_layers(&mut self, depth: usize, sink: &mut Sink<'_>) {
        let Connected { graph, vertices, .. } = &self.constraint;
        for d in self.depth + 1..=depth {
            let mut next = self.layer.clone();
            for &vertex in &self.members {
                let near = self.steps[vertex].is_some_and(|steps| steps <= d);
                if !near || self.layer[vertex] == TRUE {
                    continue;
                }
                let inside = vertices[vertex];
                let shared = d == self.last && !self.apart;
                let reached = if shared { inside } else { sink.fresh() };
                let before: Vec<Lit> = std::iter::once(vertex)
                    .chain(graph.neighbours(vertex).iter().copied())
                    .map(|v| self.layer[v])
                    .collect();
                sink.clause(&[!reached, inside]);
                sink.clause_of(before.iter().copied().chain([!reached]));
                if self.apart || sink.keeps_count() {
                    for &lit in &before {
                        sink.clause(&[!lit, !inside, reached]);
                    }
                }
                next[vertex] = reached;
            }
            self.layer = next;
        }
        self.depth = depth;
    }

    /// Adds the layers up to `depth`, and the clauses that require that every vertex of the set is reached at
    /// `depth`.
    fn write_to(&mut self, depth: usize, sink: &mut Sink<'_>) {
        let depth = depth.min(self.last);
        self.write_layers(depth, sink);
        if let Some(shallower) = self.assumption.take() {
            sink.clause(&[!shallower]);
        }
        let condition = if depth == self.last {
            TRUE
        } else {
            let assumption = sink.fresh();
            self.assumption = Some(assumption);
            assumption
        };
        let mut sink = sink.when(condition);
        for &vertex in &self.members {
            sink.clause(&[!self.constraint.vertices[vertex], self.layer[vertex]]);
        }
    }
}

impl Deepen for Layers {
    fn assumption(&self) -> Option<Lit> {
        self.assumption
    }

    fn deepen(&mut self, sink: &mut Sink<'_>) {
        self.write_to(DEEPEN * self.depth, sink);
    }
}

/// For each vertex v in `members`, sets `first[v]` to a literal that implies that v is the first vertex of the set.
/// If `exact` is true or the number of solutions must be preserved, the literal is equivalent to v being the first
/// vertex.
fn first_of(members: &[usize], vertices: &[Lit], exact: bool, first: &mut [Lit], sink: &mut Sink<'_>) {
    let exact = exact || sink.keeps_count();
    let mut both = |a: Lit, b: Lit| {
        if exact || constant(a).or(constant(b)).is_some() {
            return sink.and(&[a, b]);
        }
        let both = sink.fresh();
        sink.clause(&[!both, a]);
        sink.clause(&[!both, b]);
        both
    };
    // The literal that is true if a vertex before the current one is in the set.
    let mut some = FALSE;
    for (index, &vertex) in members.iter().enumerate() {
        let (inside, before) = (vertices[vertex], some);
        first[vertex] = both(inside, !before);
        if index + 1 < members.len() {
            some = !both(!inside, !before);
        }
    }
}
