//! The frontier states of disjoint paths. For each vertex on the frontier that is the end of a path, the state stores
//! the path's other end. An edge or vertex is *read* when the sweep assigns its literal.

use super::slots::Slots;
use super::{Automaton, Frontier, Part, Times, holds};
use crate::lit::{FALSE, Lit, Var, constant};

/// On grids, each vertex on the frontier multiplies the number of states by about 2^`BITS`.
const BITS: f64 = 1.8;

/// The byte of a vertex if none of its unread edges may be used.
const CLOSED: u8 = 0;
/// The byte of a vertex without used edges.
const FREE: u8 = 1;
/// The byte of a vertex that must be on a path but has no used edges.
const REQUIRED: u8 = 2;
/// The byte of a vertex that cannot be on a path, because it has no used edges and at most one unread edge. The literal
/// of the vertex is also unread.
const UNUSED: u8 = 3;
/// The byte of a path end is this constant plus the slot of the other end.
const MATE: u8 = 4;
/// If the other end of a path belongs to a pair, the byte of the path end is this constant plus the number of the pair.
const PAIR: u8 = 128;

/// The maximum number of vertices on the frontier. It is also the maximum number of pairs.
const MOST: usize = 124;

/// The frontier states of a [`DisjointPaths`](crate::constraint::DisjointPaths) constraint.
#[derive(Debug)]
pub struct PathsFrontier {
    pairs: Vec<[usize; 2]>,
    vertices: Vec<Lit>,
    edges: Vec<(usize, usize, Lit)>,
}

impl PathsFrontier {
    /// Creates the frontier states of disjoint paths. `pairs` contains the two ends of each path, `vertices` the
    /// literal of each vertex, and `edges` the two vertices and the literal of each edge. A vertex may belong to one
    /// pair only. Returns `None` if there are too many pairs.
    #[must_use]
    pub fn new(pairs: Vec<[usize; 2]>, vertices: Vec<Lit>, edges: Vec<(usize, usize, Lit)>) -> Option<Self> {
        (pairs.len() <= MOST).then_some(Self { pairs, vertices, edges })
    }

    /// Returns, for each vertex, its literal and the literals of its edges.
    fn elements(&self) -> Vec<Vec<Lit>> {
        let mut elements: Vec<Vec<Lit>> = self.vertices.iter().map(|&lit| vec![lit]).collect();
        for &(a, b, lit) in self.edges.iter().filter(|&&(_, _, lit)| lit != FALSE) {
            elements[a].push(lit);
            elements[b].push(lit);
        }
        elements
    }
}

impl Frontier for PathsFrontier {
    fn parts(&self) -> Vec<Part> {
        self.elements().into_iter().map(|lits| Part::of(lits, BITS)).collect()
    }

    fn automaton(&self, order: &[Var]) -> Option<Box<dyn Automaton>> {
        let times = Times::new(order);
        let span = |lits: &Vec<Lit>| {
            // If a vertex has edges and its literal is constant, it is on the frontier from its first edge to its last
            // edge.
            let of_vertex = lits[..1].iter().filter(|&&lit| lits.len() == 1 || constant(lit).is_none());
            let times = || of_vertex.clone().chain(&lits[1..]).map(|&lit| times.of(lit));
            Some((times().min()?, times().max()?))
        };
        let elements = self.elements();
        let spans: Vec<_> = elements.iter().map(span).collect();
        let slots = Slots::new(&spans, times.len());
        if slots.count > MOST {
            return None;
        }
        // A path from a vertex to itself has no edges.
        let mut initial: Vec<u8> = self
            .vertices
            .iter()
            .map(|&lit| match constant(lit) {
                None => FREE,
                Some(true) => REQUIRED,
                Some(false) => CLOSED,
            })
            .collect();
        let mut is_end = vec![false; self.vertices.len()];
        for (pair, &[a, b]) in (PAIR..).zip(&self.pairs) {
            for end in [a, b] {
                initial[end] = if a == b { CLOSED } else { pair };
                is_end[end] = true;
            }
        }
        let mut events: Vec<Vec<Event>> = (0..times.len()).map(|_| Vec::new()).collect();
        for (events, entering) in events.iter_mut().zip(&slots.entering) {
            let enter = |&vertex: &usize| Event::Enter { slot: slots.of[vertex], state: initial[vertex] };
            events.extend(entering.iter().map(enter));
        }
        for (vertex, &lit) in self.vertices.iter().enumerate() {
            let slot = slots.of[vertex];
            if is_end[vertex] {
                events[times.of(lit)].push(Event::Certain { lit });
            } else if constant(lit).is_none() {
                events[times.of(lit)].push(Event::Vertex { slot, lit });
            }
        }
        for &(a, b, lit) in self.edges.iter().filter(|&&(_, _, lit)| lit != FALSE) {
            events[times.of(lit)].push(Event::Edge { a: slots.of[a], b: slots.of[b], lit });
        }
        for (vertex, lits) in elements.iter().enumerate() {
            let mut of_edges: Vec<usize> = lits[1..].iter().map(|&lit| times.of(lit)).collect();
            of_edges.sort_unstable();
            let second_last = of_edges.len().checked_sub(2).map(|at| of_edges[at]);
            let time = second_last.or(spans[vertex].map(|(first, _)| first)).unwrap_or(0);
            events[time].push(Event::OneEdgeLeft { slot: slots.of[vertex] });
        }
        Some(Box::new(PathsAutomaton { events, leaving: slots.leaving, slots: slots.count }))
    }
}

/// An event of a sweep, which occurs when a literal is assigned.
#[derive(Debug)]
enum Event {
    /// A vertex is added to the frontier.
    Enter { slot: usize, state: u8 },
    /// The literal must be true.
    Certain { lit: Lit },
    /// The literal states whether the vertex is on a path.
    Vertex { slot: usize, lit: Lit },
    /// The edge is used if the literal is true.
    Edge { a: usize, b: usize, lit: Lit },
    /// At most one edge of the vertex is unread. If no edge has been used, no path can go through the vertex any more.
    OneEdgeLeft { slot: usize },
}

/// The automaton of disjoint paths. A state of the automaton contains one byte for each slot.
#[derive(Debug)]
struct PathsAutomaton {
    /// The events at each time.
    events: Vec<Vec<Event>>,
    /// The slots of the vertices that leave the frontier in each step.
    leaving: Vec<Vec<usize>>,
    slots: usize,
}

impl PathsAutomaton {
    fn advance(&self, time: usize, value: bool, state: &mut [u8]) -> bool {
        for event in &self.events[time] {
            let possible = match *event {
                Event::Enter { slot, state: initial } => {
                    state[slot] = initial;
                    true
                }
                Event::Certain { lit } => holds(lit, value),
                Event::Vertex { slot, lit } => match (state[slot], holds(lit, value)) {
                    (FREE, on) => {
                        state[slot] = if on { REQUIRED } else { CLOSED };
                        true
                    }
                    (UNUSED, on) => {
                        state[slot] = CLOSED;
                        !on
                    }
                    (_, on) => on,
                },
                Event::Edge { a, b, lit } => !holds(lit, value) || use_edge(state, a, b),
                Event::OneEdgeLeft { slot } => {
                    if state[slot] == FREE {
                        state[slot] = UNUSED;
                    }
                    state[slot] != REQUIRED
                }
            };
            if !possible {
                return false;
            }
        }
        // All edges of a vertex that leaves the frontier must have been read.
        self.leaving[time].iter().all(|&slot| state[slot] == CLOSED)
    }
}

/// Adds the edge between two slots to the paths. Returns `false` if the edge closes a cycle, joins ends of different
/// pairs, or is the third edge of a vertex.
fn use_edge(state: &mut [u8], a: usize, b: usize) -> bool {
    // Returns the byte that identifies the other end of a path, given the slot of one end. A vertex without used edges
    // is both ends of its path.
    let far = |slot: usize| match state[slot] {
        FREE | REQUIRED => MATE + slot as u8,
        end => end,
    };
    let (from, to) = (far(a), far(b));
    if [CLOSED, UNUSED].contains(&from) || [CLOSED, UNUSED].contains(&to) || from == MATE + b as u8 {
        return false;
    }
    (state[a], state[b]) = (CLOSED, CLOSED);
    match (from >= PAIR, to >= PAIR) {
        (true, true) => return from == to,
        (true, false) => state[usize::from(to - MATE)] = from,
        (false, true) => state[usize::from(from - MATE)] = to,
        (false, false) => {
            state[usize::from(from - MATE)] = to;
            state[usize::from(to - MATE)] = from;
        }
    }
    true
}

impl Automaton for PathsAutomaton {
    fn width(&self) -> usize {
        self.slots
    }

    fn open(&self, state: &mut [u8]) -> bool {
        self.advance(0, false, state)
    }

    fn read(&self, index: usize, value: bool, state: &mut [u8]) -> bool {
        self.advance(index + 1, value, state)
    }
}
