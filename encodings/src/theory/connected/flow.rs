//! Connectivity as a network flow, expressed by linear inequalities. Proofs derive the propagator's clauses from these
//! inequalities.
//!
//! For each edge and direction, the flow is a number in binary. Only vertices in the set send flow, and each vertex
//! in the set receives at least one unit more than it sends. The root is the source of the flow. It is the first
//! vertex that is always in the set; if there is none, new literals choose the root. A vertex of the set that is not
//! connected to the root can't receive flow. The page `docs/proofs.md` lists the inequalities.
//!
//! To derive a clause of the propagator, the proof adds up inequalities, which depend on the rule applied:
//!
//! * **beyond** and **between**: the inequalities of all vertices on one side of a separator. The flow between these
//!   vertices cancels out, so no vertex on this side is in the set. If literals choose the root, the sums for both
//!   sides show that each side needs a root.
//! * **too few**: the inequalities of all vertices behind the separator, and the lower bound on the size of the set.
//! * **too far**: a sequence of disjoint separators between the start and the vertex. At least one vertex of each
//!   separator is in the set, so the size of the set exceeds its upper bound.

mod large;

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::sync::Arc;

use gordian_proofs::{
    ConnectedGraph, Definitions, Derive, Derived, Formula, Id, Line, ProofError, Row, Writer,
};

use super::network::Network;
use crate::graph::Graph;
use crate::int::Value;
use crate::lit::{FALSE, Lit, TRUE};

/// The connectivity of a set, stated in a formula by inequalities for a network flow.
#[derive(Debug, Clone)]
pub struct Flow {
    graph: Arc<Graph>,
    vertices: Vec<Lit>,
    /// The vertices that can be in the set, in ascending order.
    members: Vec<usize>,
    /// The literals of the vertices that can be in the set, each with its vertex, in ascending order.
    of: Vec<(Lit, usize)>,
    /// The states of the vertices if no literal has a value.
    initial: Vec<State>,
    size: (usize, usize),
    /// The rows of the formula that state the upper and the lower bound on the size of the set. Each row is looked up
    /// when it is first used.
    size_rows: [OnceCell<Option<Id>>; 2],
    network: Arc<Network>,
}

/// The state of a vertex under a partial assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    In,
    Out,
    Open,
}

/// A set of vertices around which a separator is closed.
struct Region {
    /// True for each vertex in the region.
    inner: Vec<bool>,
    /// True for each vertex in the region or its rim.
    seen: Vec<bool>,
    /// The closed neighbours of the region.
    rim: Vec<usize>,
}

impl Flow {
    /// Adds the flow of a connected set to the formula. `size` contains the minimum and the maximum size of the set;
    /// other inequalities of the formula must enforce these bounds.
    #[must_use]
    pub fn new(graph: &Arc<Graph>, vertices: &[Lit], size: (usize, usize), formula: &mut Formula) -> Self {
        let members: Vec<usize> = (0..vertices.len()).filter(|&v| vertices[v] != FALSE).collect();
        let mut of: Vec<(Lit, usize)> = members.iter().map(|&v| (vertices[v], v)).collect();
        of.sort_unstable();
        let of_constants = |&lit: &Lit| {
            if lit == TRUE {
                State::In
            } else if lit == FALSE {
                State::Out
            } else {
                State::Open
            }
        };
        Self {
            graph: Arc::clone(graph),
            vertices: vertices.to_vec(),
            members,
            of,
            initial: vertices.iter().map(of_constants).collect(),
            size,
            size_rows: Default::default(),
            network: Network::new(graph, vertices, size.1, formula),
        }
    }

    fn neighbours(&self, v: usize) -> impl Iterator<Item = usize> {
        self.graph.neighbours(v).iter().copied().filter(|&w| self.vertices[w] != FALSE)
    }

    /// Returns the states of the vertices if all literals of the clause are false, or `None` if the clause contains a
    /// variable without a vertex.
    fn states(&self, clause: &[Lit]) -> Option<Vec<State>> {
        let mut states = self.initial.clone();
        for &lit in clause {
            let first = self.of.partition_point(|(other, _)| other.vidx32() < lit.vidx32());
            let of = self.of[first..].iter().take_while(|(other, _)| other.var() == lit.var());
            let mut is_known = false;
            for &(other, v) in of {
                states[v] = if other == lit { State::Out } else { State::In };
                is_known = true;
            }
            if !is_known {
                return None;
            }
        }
        Some(states)
    }

    /// Returns the region of the vertices that can be reached from `start` without passing through a closed vertex.
    fn region(&self, start: usize, closed: impl Fn(usize) -> bool) -> Region {
        let n = self.vertices.len();
        let mut region = Region { inner: vec![false; n], seen: vec![false; n], rim: vec![start] };
        region.seen[start] = true;
        self.grow(&mut region, |v| v != start && closed(v));
        region
    }

    /// Extends a region after vertices were opened.
    fn grow(&self, region: &mut Region, closed: impl Fn(usize) -> bool) {
        let mut queue: Vec<usize> = region.rim.iter().copied().filter(|&v| !closed(v)).collect();
        region.rim.retain(|&v| closed(v));
        while let Some(v) = queue.pop() {
            region.inner[v] = true;
            for w in self.neighbours(v) {
                if !std::mem::replace(&mut region.seen[w], true) {
                    if closed(w) { region.rim.push(w) } else { queue.push(w) }
                }
            }
        }
    }

    /// Adds the capacity inequalities of all arcs from the vertices of the rim into a region. The rim may contain
    /// vertices without such an arc. Returns `None` if there is an arc without a capacity inequality.
    fn add_edges(
        &self,
        line: &mut Line,
        region: &[bool],
        rim: impl IntoIterator<Item = usize>,
    ) -> Option<()> {
        for w in rim {
            self.network.add_capacities(w, region, line)?;
        }
        Some(())
    }

    /// Returns the lower bound on the size of the set if `least` is true, and the upper bound otherwise.
    fn size_row(&self, formula: &Formula, least: bool) -> Option<Id> {
        *self.size_rows[usize::from(least)].get_or_init(|| {
            let lits = self.members.iter().map(|&v| self.vertices[v]);
            let held = lits.clone().filter(|&lit| lit == TRUE).count() as Value;
            let open = lits.filter(|&lit| lit != TRUE).map(|lit| (1, lit));
            let row = if least {
                Row::at_least(open, self.size.0 as Value - held)
            } else {
                Row::at_most(open, self.size.1 as Value - held)
            };
            formula.find(&row.ok()?)
        })
    }

    /// Returns the cost of each vertex: the minimum cost of a path from `start` to the vertex. Paths do not pass
    /// through vertices with the state `Out`. The cost of a path is the number of its vertices with the state `Open`.
    fn costs(&self, start: usize, states: &[State]) -> Vec<usize> {
        let mut costs = vec![usize::MAX; states.len()];
        let price = |v: usize| usize::from(states[v] != State::In);
        costs[start] = price(start);
        let mut queue = VecDeque::from([(start, costs[start])]);
        while let Some((v, cost)) = queue.pop_front() {
            for w in self.neighbours(v).filter(|&w| states[w] != State::Out) {
                let next = cost + price(w);
                if next < costs[w] {
                    costs[w] = next;
                    if price(w) == 0 { queue.push_front((w, next)) } else { queue.push_back((w, next)) }
                }
            }
        }
        costs
    }

    /// Derives the following constraint: if `inside` is in the set, then the region around `inside` contains the root,
    /// or a vertex of the separator around the region is in the set.
    fn cut(
        &self,
        inside: usize,
        states: &[State],
        proof: &mut Writer<'_>,
    ) -> Result<Option<Vec<Id>>, ProofError> {
        let Region { inner: region, rim, .. } = self.region(inside, |v| states[v] == State::Out);
        let mut line = Line::default();
        let added = self.add_region(&mut line, &region, &vec![false; region.len()], proof)?;
        if added.and_then(|()| self.add_edges(&mut line, &region, rim.iter().copied())).is_none() {
            return Ok(None);
        }
        let sum = proof.pol(&line)?;
        if self.network.root.is_some() {
            return Ok(Some(vec![sum]));
        }
        let inner = self.members.iter().filter(|&&v| region[v]);
        let mut clause: Vec<Lit> = inner.map(|&v| self.network.is_root(v)).collect();
        clause.extend(rim.iter().map(|&v| self.vertices[v]));
        clause.push(!self.vertices[inside]);
        clause.retain(|&lit| lit != FALSE);
        clause.sort_unstable();
        clause.dedup();
        Ok(Some(vec![proof.rup(&clause, &[sum])?, sum]))
    }

    /// Derives that the set is too large, because every path from the start to `v` adds too many vertices to the set.
    /// Returns the derived inequality and all intermediate inequalities.
    fn too_far(
        &self,
        (start, v): (usize, usize),
        states: &[State],
        most: Id,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Vec<Id>>, ProofError> {
        let mut states = states.to_vec();
        states[v] = State::Open;
        let held = states.iter().filter(|&&state| state == State::In).count();
        let Some(budget) = self.size.1.checked_sub(held) else { return Ok(None) };
        let costs = self.costs(start, &states);
        if costs[v] <= budget {
            return Ok(None);
        }
        // For each vertex, the minimum of its own cost and the costs of its neighbours.
        let mut nearest = costs.clone();
        for &u in &self.members {
            nearest[u] = self.neighbours(u).fold(costs[u], |least, w| least.min(costs[w]));
        }
        let mut derived = Vec::new();
        let mut clauses = Line::default();
        clauses.add(most);
        let mut done = vec![false; states.len()];
        let mut sum = None;
        let mut region = self.region(v, |u| u != v);
        // The regions grow from the vertex towards the start. Each region contains the previous region, so the proof
        // extends the sum of the previous region.
        for cost in (1..=budget).rev() {
            self.grow(&mut region, |u| nearest[u] < cost || states[u] == State::Out);
            let rim = region.rim.iter().map(|&u| self.vertices[u]);
            let mut rim: Vec<Lit> = rim.chain([!self.vertices[v]]).collect();
            rim.retain(|&lit| lit != FALSE);
            rim.sort_unstable();
            rim.dedup();
            if let Some(clause) = proof.kept(&rim) {
                clauses.add(clause);
                continue;
            }
            let mut line = Line::default();
            if let Some(sum) = sum {
                line.add(sum);
            }
            if self.add_region(&mut line, &region.inner, &done, proof)?.is_none() {
                return Ok(None);
            }
            let inner = proof.pol(&line)?;
            sum = Some(inner);
            derived.push(inner);
            done.clone_from(&region.inner);
            let mut line = Line::default();
            line.add(inner);
            if self.add_edges(&mut line, &done, region.rim.iter().copied()).is_none() {
                return Ok(None);
            }
            let cut = proof.pol(&line)?;
            let clause = proof.rup(&rim, &[cut])?;
            // Many clauses of the propagator need the same separators.
            proof.keep(&rim, clause);
            derived.push(cut);
            clauses.add(clause);
        }
        derived.push(proof.pol(&clauses)?);
        Ok(Some(derived))
    }

    /// Returns derived inequalities. If all literals of the clause are false, the last inequality is violated.
    fn sum(
        &self,
        states: &[State],
        formula: &Formula,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Vec<Id>>, ProofError> {
        let ins: Vec<usize> = self.members.iter().copied().filter(|&v| states[v] == State::In).collect();
        let Some(start) = self.network.root.or_else(|| ins.first().copied()) else { return Ok(None) };
        let Region { inner: reached, rim, .. } = self.region(start, |v| states[v] == State::Out);
        if let Some(&beyond) = ins.iter().find(|&&v| !reached[v]) {
            let Some(mut derived) = self.cut(beyond, states, proof)? else { return Ok(None) };
            if self.network.root.is_some() {
                return Ok(Some(derived));
            }
            let (Some(other), Some(one_root)) = (self.cut(start, states, proof)?, self.network.one_root())
            else {
                return Ok(None);
            };
            let mut line = Line::default();
            line.add(derived[0]);
            line.add(other[0]);
            line.add(one_root);
            derived.extend(other);
            derived.push(proof.pol(&line)?);
            return Ok(Some(derived));
        }
        let count = reached.iter().filter(|&&reached| reached).count();
        if self.network.root.is_some() && count < self.size.0 {
            let Some(least) = self.size_row(formula, true) else { return Ok(None) };
            let mut behind = vec![false; reached.len()];
            for &v in self.members.iter().filter(|&&v| !reached[v]) {
                behind[v] = true;
            }
            for &v in &rim {
                behind[v] = false;
            }
            let mut line = Line::default();
            line.add(least);
            let added = self.add_region(&mut line, &behind, &vec![false; behind.len()], proof)?;
            if added.and_then(|()| self.add_edges(&mut line, &behind, rim)).is_none() {
                return Ok(None);
            }
            return Ok(Some(vec![proof.pol(&line)?]));
        }
        if self.network.root.is_some()
            && let Some(most) = self.size_row(formula, false)
        {
            if ins.len() > self.size.1 {
                return Ok(Some(vec![most]));
            }
            // `too_far` treats `v` as open, which increases the cost of `v` by 1.
            let (costs, budget) = (self.costs(start, states), self.size.1 + 1 - ins.len());
            let is_far = |&&v: &&usize| self.vertices[v] != TRUE && costs[v] >= budget;
            for &v in ins.iter().filter(is_far) {
                if let Some(derived) = self.too_far((start, v), states, most, proof)? {
                    return Ok(Some(derived));
                }
            }
        }
        Ok(None)
    }
}

impl Derive for Flow {
    fn derive(
        &self,
        clause: &[Lit],
        formula: &Formula,
        _: &Definitions,
        proof: &mut Writer<'_>,
    ) -> Result<Option<Derived>, ProofError> {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        if let Some(id) = proof.kept(&clause) {
            return Ok(Some(Derived { id, is_new: false, is_long: false }));
        }
        let Some(states) = self.states(&clause) else { return Ok(None) };
        let before = proof.last();
        let Some(mut derived) = self.sum(&states, formula, proof)? else { return Ok(None) };
        let Some(id) = derived.pop() else { return Ok(None) };
        let kept: &[_] = self.first_row().map_or(&[], |first| proof.sums(first));
        let is_kept = |id: Id| id <= before || kept.iter().any(|sum| sum.1 == id);
        derived.retain(|&other| other != id && !is_kept(other));
        derived.sort_unstable();
        derived.dedup();
        let is_new = !is_kept(id);
        proof.delete(&derived)?;
        Ok(Some(Derived { id, is_new, is_long: true }))
    }

    fn graph(&self) -> Option<ConnectedGraph> {
        let vertex = |&v: &usize| (v + 1, Some(self.vertices[v]).filter(|&lit| lit != TRUE));
        let edges_of = |&v: &usize| self.neighbours(v).filter(move |&w| v < w).map(move |w| (v + 1, w + 1));
        Some(ConnectedGraph {
            number: self.network.number(),
            size: (self.size.0, self.size.1.min(self.members.len())),
            vertices: self.members.iter().map(vertex).collect(),
            edges: self.members.iter().flat_map(edges_of).collect(),
        })
    }
}
