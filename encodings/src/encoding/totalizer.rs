//! Totalizer (rustsat's encoder): a balanced tree of unary adders with only the outputs that the bounds need.
//!
//! A node over n literals has two children with half of the literals each. Each output of the node stands for `at least
//! t of the n literals hold` for some t. An upper bound needs the clauses `left >= i, right >= j -> node >= i + j`; a
//! lower bound needs `node >= t -> left >= i + 1 or right >= t - i`.
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

use super::from_rustsat::{self, Numbers, Passing};
use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::Cardinality;
use crate::sink::Sink;
use rustsat::OutOfMemory;
use rustsat::encodings::card::{BoundLower, BoundUpper, Totalizer};
use rustsat::types::Lit;
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

/// Estimates the number of clauses of the totalizer for a constraint. Each node below the root has one clause for each
/// pair of outputs of its children that add up to at most the bound.
pub(crate) fn clauses(constraint: &Cardinality) -> usize {
    let n = constraint.lits.len();
    let pairs = |half: usize, bound: usize| {
        // The number of pairs of nonnegative integers i and j with `i + j <= sum`.
        let up_to = |sum: Option<usize>| sum.map_or(0, |sum| (sum + 1) * (sum + 2) / 2);
        let bound = bound.min(2 * half);
        up_to(Some(bound)) - 2 * up_to(bound.checked_sub(half + 1)) - 1
    };
    let tree = |bound: usize| {
        let levels = std::iter::successors(Some(n.div_ceil(2)), |&m| Some(m.div_ceil(2)));
        levels.take_while(|&m| m > 1).map(|m| n / m * pairs(m / 2, bound)).sum::<usize>()
    };
    let upper = if constraint.max < n { tree(constraint.max + 1) } else { 0 };
    upper + if constraint.min > 0 { tree(constraint.min) } else { 0 }
}

fn encode(constraint: &Cardinality, sink: &mut Sink<'_>) {
    let Some(Cardinality { lits, min, max }) = constraint.write_trivial(sink) else { return };
    let n = lits.len();
    let mut outputs = sink.is_logged().then(|| Outputs::new(sink.variables()));
    let mut totalizer = Totalizer::from_iter(lits);
    let mut units = Vec::new();
    if max < n {
        Outputs::define(outputs.as_mut(), true, &mut sink.always(), |clauses, numbers| {
            totalizer.encode_ub(max..=max, clauses, numbers)
        });
        units.extend(totalizer.enforce_ub(max).expect("this bound was just encoded"));
    }
    if min > 0 {
        Outputs::define(outputs.as_mut(), false, &mut sink.always(), |clauses, numbers| {
            totalizer.encode_lb(min..=min, clauses, numbers)
        });
        units.extend(totalizer.enforce_lb(min).expect("this bound was just encoded"));
    }
    for unit in units {
        sink.clause(&[unit]);
    }
}

/// The definition of an output, as a list of literals and a number t: the output is true if and only if at least t of
/// the literals are true.
type Output = (Arc<[Lit]>, usize);

/// The definitions of the outputs of a totalizer. Rustsat does not report the definitions, so they are derived from
/// the clauses. For example, a clause `left >= i, right >= j -> node >= i + j` adds up the outputs of the children. A
/// wrong definition cannot make a wrong proof valid, because the proof checker derives each clause from the
/// definitions.
#[derive(Debug)]
pub(crate) struct Outputs {
    /// The first variable of the totalizer.
    first: u32,
    /// The definition of each variable of the totalizer, in the order of the variables.
    of: Vec<Option<Output>>,
    /// The literals of the nodes with two children. The key contains the first literal and the number of literals of
    /// each child.
    nodes: HashMap<[(Lit, usize); 2], Arc<[Lit]>>,
    /// The *open* output, whose clauses are currently being read, with its number t as derived from its first clause.
    open: Option<(Lit, Count)>,
    /// For each child that occurs in the clauses of the open output, one of the child's outputs. A node has at most two
    /// children.
    children: Vec<Lit>,
    /// The outputs that are not yet defined in the proof.
    new: Vec<Lit>,
}

/// The number t of an output, derived from the first clause of the output.
#[derive(Debug, Clone, Copy)]
enum Count {
    /// The number t.
    Exact(usize),
    /// `n + 1 - t`, where n is the number of literals of the node.
    Below(usize),
}

impl Outputs {
    /// Creates an empty list of definitions for a totalizer whose first variable is `first`.
    pub(crate) fn new(first: u32) -> Self {
        let (of, nodes) = (Vec::new(), HashMap::new());
        Self { first, of, nodes, open: None, children: Vec::with_capacity(2), new: Vec::new() }
    }

    /// Returns the first variable of the totalizer.
    pub(crate) fn first(&self) -> u32 {
        self.first
    }

    /// Runs rustsat's encoder. If `outputs` is given, also defines the outputs of all nodes that occur in the clauses;
    /// the caller must pass `outputs` if a proof is logged. If `upper` is true, the clauses enforce an upper bound;
    /// otherwise, they enforce a lower bound.
    pub(crate) fn define(
        outputs: Option<&mut Self>,
        upper: bool,
        sink: &mut Sink<'_>,
        encode: impl FnOnce(&mut Passing<'_, '_>, &mut Numbers) -> Result<(), OutOfMemory>,
    ) {
        let Some(outputs) = outputs else { return from_rustsat::run(sink, encode) };
        from_rustsat::run_observed(sink, &mut |clause| outputs.read(clause, upper), encode);
        outputs.close();
        for lit in outputs.new.drain(..) {
            if let Some((lits, t)) = &outputs.of[(lit.vidx32() - outputs.first) as usize] {
                sink.stands_for_first(lit, (lits, lits.len()), *t);
            }
        }
    }

    /// Reads a clause. The clauses of an output are consecutive, and follow the clauses of the outputs of its children.
    fn read(&mut self, clause: &[Lit], upper: bool) {
        let first = self.first;
        let is_node = |lit: &&Lit| lit.vidx32() >= first && lit.is_pos() == upper;
        let Some(&node) = clause.iter().find(is_node) else { return };
        let children = || {
            let others = clause.iter().filter(move |lit| lit.var() != node.var());
            others.map(|&lit| if upper { !lit } else { lit })
        };
        let node = node.var().pos_lit();
        if self.open.is_none_or(|(open, _)| open != node) {
            self.close();
            if self.of.get((node.vidx32() - first) as usize).is_some_and(Option::is_some) {
                return;
            }
            let (mut sum, mut within) = (0, 0);
            for child in children() {
                let (lits, t) = meaning(first, &self.of, &child);
                sum += t;
                within += lits.len() + 1;
            }
            self.open = Some((node, if upper { Count::Exact(sum) } else { Count::Below(within - sum) }));
        }
        for child in children() {
            if self.children.len() == 2 {
                break;
            }
            // The outputs of a child count the same literals in the same order, and no other child counts them.
            let least = |lit| meaning(first, &self.of, lit).0[0];
            if self.children.iter().all(|other| least(other) != least(&child)) {
                self.children.push(child);
            }
        }
    }

    /// Defines the open output after its last clause.
    fn close(&mut self) {
        let Some((node, count)) = self.open.take() else { return };
        let below = self.union();
        let t = match count {
            Count::Exact(t) => t,
            Count::Below(rest) => (below.len() + 1).saturating_sub(rest),
        };
        let index = (node.vidx32() - self.first) as usize;
        if self.of.len() <= index {
            self.of.resize(index + 1, None);
        }
        self.of[index] = Some((below, t));
        self.children.clear();
        self.new.push(node);
    }

    /// Returns the literals of the children of the open output, in ascending order. All outputs of a node share this
    /// list.
    fn union(&mut self) -> Arc<[Lit]> {
        let Self { first, of, nodes, children, .. } = self;
        let lits = |child| meaning(*first, of, child).0;
        let [a, b] = match &children[..] {
            [] => return Arc::default(),
            [child] => return lits(child).into(),
            [a, b, ..] if lits(a)[0] < lits(b)[0] => [lits(a), lits(b)],
            [a, b, ..] => [lits(b), lits(a)],
        };
        let node = [a, b].map(|lits| (lits[0], lits.len()));
        let union = || {
            let mut all = [a, b].concat();
            all.sort_unstable();
            all.into()
        };
        Arc::clone(nodes.entry(node).or_insert_with(union))
    }
}

/// Returns the literals that an output counts, and the number of them that must be true. For a literal of the
/// constraint, the result is the literal itself and the number 1. The slice `of` contains the definition of each
/// variable, starting with the variable `first`.
fn meaning<'a>(first: u32, of: &'a [Option<Output>], lit: &'a Lit) -> (&'a [Lit], usize) {
    let index = lit.vidx32().checked_sub(first).filter(|_| lit.is_pos());
    match index.and_then(|index| of.get(index as usize)?.as_ref()) {
        Some((lits, t)) => (lits, *t),
        None => (std::slice::from_ref(lit), 1),
    }
}
