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

use gordian_proofs::{ConnectedGraph, Definitions, Derive, Formula, Id, Line, ProofError, Row, Writer};

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
            let (of, state) = match (self.of(!lit), self.of(lit)) {
                ([], []) => return None,
                ([], of) => (of, State::Out),
                (of, _) => (of, State::In),
            };
            for &(_, v) in of {
                states[v] = state;
            }
        }
        Some(states)
    }

    /// Returns the vertices that have the given literal, each as a pair of the literal and the vertex.
    fn of(&self, lit: Lit) -> &[(Lit, usize)] {
        let rest = &self.of[self.of.partition_point(|&(other, _)| other < lit)..];
        &rest[..rest.partition_point(|&(other, _)| other == lit)]
    }

    /// Returns the vertices that can be reached from `start` without passing through a closed vertex, and the list of
    /// their closed neighbours. The list may contain a vertex several times.
    fn region(&self, start: usize, closed: impl Fn(usize) -> bool) -> (Vec<bool>, Vec<usize>) {
        let mut reached = vec![false; self.vertices.len()];
        let mut rim = Vec::new();
        let mut queue = vec![start];
        reached[start] = true;
        while let Some(v) = queue.pop() {
            for w in self.neighbours(v) {
                if closed(w) {
                    rim.push(w);
                } else if !std::mem::replace(&mut reached[w], true) {
                    queue.push(w);
                }
            }
        }
        (reached, rim)
    }

    fn add_edges(&self, line: &mut Line, region: &[bool]) -> Option<()> {
        for &v in self.members.iter().filter(|&&v| region[v]) {
            for w in self.neighbours(v).filter(|&w| !region[w]) {
                line.add(self.network.capacity(w, v)?);
            }
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
        let (region, rim) = self.region(inside, |v| states[v] == State::Out);
        let mut line = Line::default();
        let added = self.add_region(&mut line, &region, &vec![false; region.len()], proof)?;
        if added.and_then(|()| self.add_edges(&mut line, &region)).is_none() {
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
        // The regions grow from the vertex towards the start. Each region contains the previous region, so the proof
        // extends the sum of the previous region.
        for cost in (1..=budget).rev() {
            let (region, rim) = self.region(v, |u| nearest[u] < cost || states[u] == State::Out);
            let mut rim: Vec<Lit> =
                rim.iter().map(|&u| self.vertices[u]).chain([!self.vertices[v]]).collect();
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
            if self.add_region(&mut line, &region, &done, proof)?.is_none() {
                return Ok(None);
            }
            let inner = proof.pol(&line)?;
            sum = Some(inner);
            derived.push(inner);
            done = region;
            let mut line = Line::default();
            line.add(inner);
            if self.add_edges(&mut line, &done).is_none() {
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
        let (reached, rim) = self.region(start, |v| states[v] == State::Out);
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
            for v in rim {
                behind[v] = false;
            }
            let mut line = Line::default();
            line.add(least);
            let added = self.add_region(&mut line, &behind, &vec![false; behind.len()], proof)?;
            if added.and_then(|()| self.add_edges(&mut line, &behind)).is_none() {
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
    ) -> Result<Option<Id>, ProofError> {
        if let Some(kept) = proof.kept(clause) {
            return Ok(Some(proof.rup(clause, &[kept])?));
        }
        let Some(states) = self.states(clause) else { return Ok(None) };
        let before = proof.last();
        let Some(mut derived) = self.sum(&states, formula, proof)? else { return Ok(None) };
        let Some(&last) = derived.last() else { return Ok(None) };
        let id = proof.rup(clause, &[last])?;
        let kept: Vec<Id> = match self.first_row() {
            Some(first) => proof.sums(first).iter().map(|sum| sum.1).collect(),
            None => Vec::new(),
        };
        derived.retain(|id| *id > before && !kept.contains(id));
        derived.sort_unstable();
        derived.dedup();
        proof.delete(&derived)?;
        Ok(Some(id))
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
