//! Reachability layers: a vertex of the set is reached from the root within d steps.
//!
//! `r[d][v]` says that v is in the set and joined to the root by a way of at most d steps within the set:
//! `r[d][v] -> x[v]`, and `r[d][v] -> r[d-1][v], r[d-1][u1], .., r[d-1][uk]` for the neighbours u. Every vertex of the
//! set is reached at the last depth D: `x[v] -> r[D][v]`. Which is sound for a D only if no vertex of an admissible set
//! is more than D steps away from the root:
//!
//! * the root is a vertex whose literal is [`TRUE`], if there is one, and otherwise the *first* vertex of
//!   the set, which may lie at its rim; it is not free to be the centre;
//! * D is one less than the number of vertices that can be in the set, or the model's promise
//!   ([`Connected::diameter`]) if that is less.
//!
//! With a certain root, `r[d][v]` is false for every d below the distance of v from the root, and made only above it.
//!
//! Where the [search can look after it](crate::theory), a large D is reached by *deepening*: the layers are written up
//! to a depth that mostly suffices, and that every vertex is reached there is an assumption; only when the assumption is
//! to blame for a contradiction, layers up to twice the depth follow, and those that are there are used again. Most
//! boards have solutions that are far less deep than D, and a contradiction that does not need the assumption is final.
//!
//! Size, with a certain root: for each other vertex at a distance s <= D from it, D-s variables, since `r[D][v]` is `x[v]`
//! itself; D-s clauses, unless it is certain too, and D-s+1, unless s = 1; a clause for each vertex farther away. Without
//! one, for n >= 2 vertices and D >= 1: 2n-3 + n(D-1) variables, 5n-6 + 2n(D-1) clauses, one less for D = 1. Strength: checking from any side, and
//! a vertex that can't be reached within D steps through vertices that may still be in the set is propagated false;
//! articulation points are not propagated. The number of solutions is kept on request, by the reverse clauses
//! `r[d-1][u], x[v] -> r[d][v]`.
//!
//! *Not* connected is a set of which some vertex is not reached: the layers are defined both ways, the last is not
//! shared, and `x[v], -r[D][v]` for some v. Size, asymptotically: O(n D) variables and O((n + m) D) clauses for n
//! vertices and m edges. Strength: checks total assignments only. The number of solutions is kept.
//!
//! Redundant clauses: of the first and last vertices, what they would get without; of vertices that all ways lead
//! through, the layers in which they cannot be reached. Where the set is not connected: what a layer says of the next
//! that the one before says already, and that a vertex is reached only where one next to it is.
//!
//! Paper: the step-bounded transitive closure is folklore in planning as satisfiability (Kautz, Selman: *Planning as
//! satisfiability*, ECAI 1992); for grid puzzles, Gebser, Janhunen, Rintanen: *SAT modulo graphs: acyclicity*, JELIA
//! 2014, compares it. Differs in the certain root, in what is false by distance, in the shared last layer, and in
//! deepening, which is planning's habit of trying horizons in turn, within one incremental solver.
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
//! // 1 and 2 are b and c, 3 says that b is reached in one step.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-3 1 0", "3 -2 0"]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Connected, Disconnected};
use crate::lit::{FALSE, Lit, TRUE, constant};
use crate::sink::Sink;
use crate::theory::Deepen;

/// Reachability layers.
pub static LAYERS: Encoding<Connected> = Encoding {
    name: "layers",
    paper: "Kautz, Selman: Planning as satisfiability, ECAI 1992 (step-bounded reachability)",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    applies: always,
    encode,
};

/// What reachability layers do not reach.
pub static APART: Encoding<Disconnected> = Encoding {
    name: "layers",
    paper: LAYERS.paper,
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    applies: always,
    encode: |disconnected, sink| encode_apart(&disconnected.connected, sink),
};

/// The depth at which every admissible set is reached in full.
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

/// The most steps from the root that a vertex need be looked for.
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

/// The first depth of deepening is this many times the distance of the vertex farthest from the root, and each depth
/// this many times the one before.
const DEEPEN: usize = 2;
/// No deepening starts below this depth: so few layers cost nothing.
const SHALLOWEST: usize = 16;

/// Layers on their way down.
#[derive(Debug)]
struct Layers {
    constraint: Connected,
    /// The vertices that can be in the set.
    members: Vec<usize>,
    /// Of each vertex, the least number of steps from the root; 0 where no root is certain.
    steps: Vec<Option<usize>>,
    /// `r[depth]`.
    layer: Vec<Lit>,
    depth: usize,
    /// The depth at which every admissible set is reached in full.
    last: usize,
    /// What is reached is not all of the set, so that literals of layers must hold wherever they can.
    apart: bool,
    /// Says that every vertex of the set is reached at `depth`; none at the last depth, where it is certain.
    assumption: Option<Lit>,
}

impl Layers {
    /// Layer 0, the root alone.
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

    /// The depth to start with when deepening.
    fn shallow(&self) -> usize {
        let farthest = self.steps.iter().filter_map(|&steps| steps).max().unwrap_or(0);
        (DEEPEN * farthest).max(SHALLOWEST)
    }

    /// Writes the layers up to `depth`.
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

    /// Writes the layers up to `depth`, and that every vertex of the set is reached there.
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

/// Sets `first[v]` to a literal that says v is the first of the members in the set. Unless it is to be `exact`, or the
/// number of models kept, it may be false although v is.
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
    // Some vertex up to here is in the set.
    let mut some = FALSE;
    for (index, &vertex) in members.iter().enumerate() {
        let (inside, before) = (vertices[vertex], some);
        first[vertex] = both(inside, !before);
        if index + 1 < members.len() {
            some = !both(!inside, !before);
        }
    }
}
