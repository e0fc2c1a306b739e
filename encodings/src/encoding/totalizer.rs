//! Totalizer (rustsat's encoder): a balanced tree of unary adders with only the outputs that the bounds need.
//!
//! A node over n literals has outputs for `at least t of the n literals hold`. Each of its two children has half of
//! the literals. An upper bound needs the clauses `left >= i, right >= j -> node >= i + j`; a lower bound needs
//! `node >= t -> left >= i + 1 or right >= t - i`.
//!
//! Size for n literals and a bound k, asymptotically: O(n log n) to O(n k) variables, O(n k) clauses. If a bound
//! needs the outputs t to u of a node, the node has one variable for each of them. Each output has one clause for
//! each pair of outputs of the children that add up to it. Strength: domain consistent.
//!
//! Example: for at most one of `a, b, c`, the node over b and c has `b -> p1`, `c -> p1`, `b, c -> p2`; the root has
//! `p2 -> q2`, `a, p1 -> q2`, and the unit clause `-q2`.
//!
//! Paper: Bailleux, Boufkhad: *Efficient CNF encoding of Boolean cardinality constraints*, CP 2003. Unlike in that
//! paper, only the outputs that a bound needs are created, as in Martins, Joshi, Manquinho, Lynce: *Incremental
//! cardinality constraints for `MaxSAT`*, CP 2014.
//!
//! Derivation in proofs: output t of a node is defined by the inequality `x[1] + .. + x[n] >= t` over the literals of
//! the node.
//!
//! ```
//! use gordian_encodings::constraint::Cardinality;
//! use gordian_encodings::encoding::totalizer::TOTALIZER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [a, b, c] = [0; 3].map(|_| model.boolean());
//! model.post(Cardinality::at_most([a, b, c], 1));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&TOTALIZER), &mut cnf);
//! // Variables 4 and 5 count b and c; variable 6 says that two of all three literals hold.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-2 4 0", "-1 4 0", "-1 -2 5 0", "-4 -3 6 0", "-5 6 0", "-6 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always, from_rustsat};
use crate::constraint::Cardinality;
use crate::sink::Sink;
use rustsat::encodings::card::{BoundLower, BoundUpper, Totalizer};
use rustsat::types::{Clause, Lit};
use std::collections::HashMap;
use std::sync::Arc;

/// Encodes cardinality constraints with totalizers.
pub static TOTALIZER: Encoding<Cardinality> = Encoding {
    name: "totalizer",
    paper: "Bailleux, Boufkhad: Efficient CNF encoding of Boolean cardinality constraints, CP 2003",
    strength: Strength::DomainConsistent,
    count: ModelCount::Lost,
    derived: true,
    applies: always,
    encode,
};

fn encode(constraint: &Cardinality, sink: &mut Sink<'_>) {
    let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
    let n = lits.len();
    let mut outputs = Outputs::new(sink.variables());
    let mut totalizer = Totalizer::from_iter(lits);
    let mut units = Vec::new();
    if max < n {
        from_rustsat::run_with(
            &mut sink.always(),
            |clauses, numbers| totalizer.encode_ub(max..=max, clauses, numbers),
            |clauses, sink| outputs.define(clauses, true, sink),
        );
        units.extend(totalizer.enforce_ub(max).expect("this bound was just encoded"));
    }
    if min > 0 {
        from_rustsat::run_with(
            &mut sink.always(),
            |clauses, numbers| totalizer.encode_lb(min..=min, clauses, numbers),
            |clauses, sink| outputs.define(clauses, false, sink),
        );
        units.extend(totalizer.enforce_lb(min).expect("this bound was just encoded"));
    }
    for unit in units {
        sink.clause(&[unit]);
    }
}

/// The definitions of the outputs of a totalizer: for each output, a list of literals and the number t such that at
/// least t of them are true. Rustsat does not report the definitions, so they are derived from the clauses. For
/// example, a clause `left >= i, right >= j -> node >= i + j` adds up the outputs of the children. A wrong definition
/// cannot make a wrong proof valid, because the proof checker derives each clause from the definitions.
#[derive(Debug)]
pub(crate) struct Outputs {
    /// The first variable of the totalizer.
    first: u32,
    of: HashMap<Lit, (Arc<[Lit]>, usize)>,
    /// For each node with two children, the literals of the node. The key contains the first literal and the number
    /// of literals of each child.
    nodes: HashMap<[(Lit, usize); 2], Arc<[Lit]>>,
}

impl Outputs {
    /// Creates an empty list for a totalizer whose first variable is `first`.
    pub(crate) fn new(first: u32) -> Self {
        Self { first, of: HashMap::new(), nodes: HashMap::new() }
    }

    /// Returns the first variable of the totalizer.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// Defines the outputs of all nodes that occur in the clauses. If `upper` is true, the clauses enforce an upper
    /// bound; otherwise, they enforce a lower bound.
    pub(crate) fn define(&mut self, clauses: &[Clause], upper: bool, sink: &mut Sink<'_>) {
        let first = self.first;
        let is_node = |&&lit: &&Lit| lit.vidx32() >= first && lit.is_pos() == upper;
        let node_of = |clause: &Clause| clause.iter().find(is_node).map(|lit| lit.var().pos_lit());
        // The clauses of a node are consecutive, and follow the clauses of its children.
        for clauses in clauses.chunk_by(|a, b| node_of(a) == node_of(b)) {
            let Some(node) = node_of(&clauses[0]) else { continue };
            if self.of.contains_key(&node) {
                continue;
            }
            let children = |clause: &Clause| -> Vec<Lit> {
                let others = clause.iter().filter(|lit| lit.var() != node.var());
                others.map(|&lit| if upper { !lit } else { lit }).collect()
            };
            // The outputs of a child count the same literals in the same order, and no other child counts them.
            let mut parts: Vec<Arc<[Lit]>> = Vec::new();
            for child in clauses.iter().flat_map(children) {
                let (lits, _) = self.meaning(child);
                if parts.iter().all(|part| part[0] != lits[0]) {
                    parts.push(lits);
                }
                // A node has at most two children.
                if parts.len() == 2 {
                    break;
                }
            }
            let below = self.union(parts);
            let first: Vec<_> = children(&clauses[0]).into_iter().map(|child| self.meaning(child)).collect();
            let sum: usize = first.iter().map(|(_, t)| t).sum();
            let within: usize = first.iter().map(|(lits, _)| lits.len()).sum();
            let t = if upper { sum } else { (sum + below.len() + 1).saturating_sub(within + first.len()) };
            sink.stands_for_shared(node, &below, t);
            self.of.insert(node, (below, t));
        }
    }

    /// Returns the literals of all children of a node, in ascending order. All outputs of the node share this list.
    fn union(&mut self, mut children: Vec<Arc<[Lit]>>) -> Arc<[Lit]> {
        children.sort_unstable_by_key(|lits| lits[0]);
        if let [a, b] = &children[..] {
            let node = [a, b].map(|lits| (lits[0], lits.len()));
            let union = || {
                let mut all = [&a[..], &b[..]].concat();
                all.sort_unstable();
                all.into()
            };
            return Arc::clone(self.nodes.entry(node).or_insert_with(union));
        }
        children.into_iter().next().unwrap_or_default()
    }

    /// Returns the literals that an output counts, and the number of them that must be true. A literal of the
    /// constraint counts only itself.
    fn meaning(&self, lit: Lit) -> (Arc<[Lit]>, usize) {
        self.of.get(&lit).cloned().unwrap_or_else(|| (Arc::new([lit]), 1))
    }
}
