//! The variables and inequalities that state connectivity as a flow, in the formula of a proof.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use gordian_proofs::{Block, BlockPlace, Formula, Id, Line, Lit, RowWriter, push_number};

use crate::graph::Graph;
use crate::lit::{FALSE, TRUE};

/// The flow between the vertices that can be in the set. An *arc* is an edge in one direction. No arc enters the root.
/// The formula contains the network as one block: the capacity inequalities in the order of the arcs, then the balance
/// inequalities of the vertices, and finally the inequality which states that at most one vertex is the root.
#[derive(Debug)]
pub(super) struct Network {
    vertices: Vec<Lit>,
    place: BlockPlace,
    /// The vertex that is always the root, or `None` if literals choose the root.
    pub(super) root: Option<usize>,
    /// The number of bits of the flow on an arc.
    bits: u32,
    /// The arcs, each with its two vertices. The arcs from a vertex are consecutive.
    arcs: Vec<(usize, usize)>,
    /// The index of the first arc from each vertex. The last entry is the total number of arcs.
    starts: Vec<usize>,
    /// The arcs from a vertex have consecutive capacity inequalities. For each vertex, the number of the first of these
    /// inequalities, or 0 if there are none.
    capacities: Vec<Id>,
    /// The number of each vertex's balance inequality, or 0 if it has none.
    balances: Vec<Id>,
    /// The index of each vertex among the vertices that can be in the set. The literals that choose the root are
    /// numbered by these indices.
    ranks: Vec<u32>,
    one_root: Id,
}

impl Network {
    /// Adds the network to a formula. `most` is the maximum size of the set.
    pub(super) fn new(graph: &Graph, vertices: &[Lit], most: usize, formula: &mut Formula) -> Arc<Self> {
        let place = formula.next_block();
        let members = vertices.iter().filter(|&&lit| lit != FALSE).count();
        let capacity = members.saturating_sub(1).min(most.saturating_sub(1)).max(1);
        let root = vertices.iter().position(|&lit| lit == TRUE);
        let mut network = Self {
            vertices: vertices.to_vec(),
            place,
            root,
            bits: usize::BITS - capacity.leading_zeros(),
            arcs: Vec::new(),
            starts: Vec::with_capacity(vertices.len() + 1),
            capacities: vec![0; vertices.len()],
            balances: vec![0; vertices.len()],
            ranks: Vec::with_capacity(vertices.len()),
            one_root: 0,
        };
        let mut next = place.first_row;
        let mut rank = 0;
        for (v, &lit) in vertices.iter().enumerate() {
            let start = network.arcs.len();
            network.starts.push(start);
            network.ranks.push(rank);
            if lit == FALSE {
                continue;
            }
            rank += 1;
            let ends = graph.neighbours(v).iter().filter(|&&w| vertices[w] != FALSE && Some(w) != root);
            network.arcs.extend(ends.map(|&w| (v, w)));
            // A vertex that is always in the set may send any flow.
            if lit != TRUE {
                network.capacities[v] = next;
                next += (network.arcs.len() - start) as Id;
            }
        }
        network.starts.push(network.arcs.len());
        for v in (0..vertices.len()).filter(|&v| vertices[v] != FALSE && Some(v) != root) {
            network.balances[v] = next;
            next += 1;
        }
        let mut variables = network.arcs.len() as u32 * network.bits;
        if root.is_none() {
            variables += rank;
            if rank > 1 {
                network.one_root = next;
                next += 1;
            }
        }
        let network = Arc::new(network);
        formula.add_block(
            Arc::clone(&network) as Arc<dyn Block>,
            next - place.first_row,
            variables,
            vertices,
        );
        network
    }

    /// Returns the number of the network, which is part of the names of its variables.
    pub(super) fn number(&self) -> u32 {
        self.place.number
    }

    /// Adds the capacity inequalities of all arcs from a vertex into a region: the flow on an arc is 0 unless its first
    /// vertex is in the set. Returns `None` if an arc has no capacity inequality.
    pub(super) fn add_capacities(&self, from: usize, region: &[bool], line: &mut Line) -> Option<()> {
        let first = self.capacities[from];
        for (arc, id) in (self.starts[from]..self.starts[from + 1]).zip(first..) {
            if region[self.arcs[arc].1] {
                line.add(Some(id).filter(|_| first > 0)?);
            }
        }
        Some(())
    }

    /// Returns the inequality that bounds the inflow minus the outflow of a vertex.
    pub(super) fn balance(&self, v: usize) -> Option<Id> {
        Some(self.balances[v]).filter(|&id| id > 0)
    }

    /// Returns the inequality which states that at most one vertex is the root, if literals choose the root.
    pub(super) fn one_root(&self) -> Option<Id> {
        Some(self.one_root).filter(|&id| id > 0)
    }

    /// Returns the number of the variable that is true if the vertex is the root.
    fn root_variable(&self, v: usize) -> u32 {
        self.arcs.len() as u32 * self.bits + self.ranks[v]
    }

    /// Returns the literal that is true if the vertex is the root. Must only be called if literals choose the root.
    pub(super) fn is_root(&self, v: usize) -> Lit {
        if self.vertices[v] == FALSE {
            FALSE
        } else {
            Lit::positive(self.place.first_variable + self.root_variable(v))
        }
    }

    /// For each arc, returns the text of two sums: the weighted sum of the bits of its flow, and the weighted sum of
    /// the negated bits.
    fn flows(&self) -> [Flows; 2] {
        let mut flows = [Flows::default(), Flows::default()];
        let mut name = Vec::new();
        for arc in 0..self.arcs.len() {
            name.clear();
            self.push_arc(arc, &mut name);
            for (negation, flows) in [&b" "[..], b" ~"].into_iter().zip(&mut flows) {
                for bit in 0..self.bits {
                    push_number(&mut flows.text, 1 << bit);
                    flows.text.extend_from_slice(negation);
                    flows.text.extend_from_slice(&name);
                    push_number(&mut flows.text, bit.into());
                    flows.text.push(b' ');
                }
                flows.ends.push(flows.text.len());
            }
        }
        flows
    }

    /// Appends to `text` the common prefix of the names of an arc's flow bits. In a name, the number of the bit follows
    /// the prefix.
    fn push_arc(&self, arc: usize, text: &mut Vec<u8>) {
        let (from, to) = self.arcs[arc];
        text.extend_from_slice(b"flow_");
        for number in [self.place.number as usize, from + 1, to + 1] {
            push_number(text, number as u64);
            text.push(b'_');
        }
    }
}

/// The text of the flows on all arcs. Each flow occurs in several rows, but its text is built only once.
#[derive(Default)]
struct Flows {
    text: Vec<u8>,
    /// For each arc, the position in `text` at which its terms end.
    ends: Vec<usize>,
}

impl Flows {
    /// Returns the text of the flows on consecutive arcs.
    fn of(&self, arcs: Range<usize>) -> &[u8] {
        let end = |arcs: usize| arcs.checked_sub(1).map_or(0, |last| self.ends[last]);
        &self.text[end(arcs.start)..end(arcs.end)]
    }
}

impl Block for Network {
    fn write(&self, rows: &mut RowWriter<'_, '_>) -> io::Result<()> {
        let top = u64::MAX >> (u64::BITS - self.bits);
        let [flows, negated] = self.flows();
        for (arc, &(from, _)) in self.arcs.iter().enumerate() {
            if self.capacities[from] > 0 {
                rows.term(top, self.vertices[from]);
                rows.terms(negated.of(arc..arc + 1));
                rows.end(top)?;
            }
        }
        let mut inflow: Vec<Vec<usize>> = vec![Vec::new(); self.vertices.len()];
        for (arc, &(_, to)) in self.arcs.iter().enumerate() {
            inflow[to].push(arc);
        }
        let members: Vec<usize> = (0..self.vertices.len()).filter(|&v| self.vertices[v] != FALSE).collect();
        let n = members.len() as u64;
        for &v in members.iter().filter(|&&v| self.balances[v] > 0) {
            if self.vertices[v] != TRUE {
                rows.term(1, !self.vertices[v]);
            }
            for &arc in &inflow[v] {
                rows.terms(flows.of(arc..arc + 1));
            }
            let out = self.starts[v]..self.starts[v + 1];
            let sent = top * out.len() as u64;
            rows.terms(negated.of(out));
            if self.root.is_none() {
                rows.own_term(n, self, self.root_variable(v), false);
            }
            rows.end(sent + 1)?;
        }
        if self.one_root > 0 {
            for &v in &members {
                rows.own_term(1, self, self.root_variable(v), true);
            }
            rows.end(n - 1)?;
        }
        Ok(())
    }

    fn push_name(&self, variable: u32, text: &mut Vec<u8>) {
        let arc = (variable / self.bits) as usize;
        if arc < self.arcs.len() {
            self.push_arc(arc, text);
            push_number(text, (variable % self.bits).into());
        } else {
            let rank = variable - self.root_variable(0);
            let v = self.ranks.partition_point(|&other| other <= rank) - 1;
            text.extend_from_slice(b"root_");
            push_number(text, self.place.number.into());
            text.push(b'_');
            push_number(text, v as u64 + 1);
        }
    }
}
