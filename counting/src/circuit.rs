//! Decision-DNNF circuits, which represent the models of a formula for counting and sampling.

use gordian_encodings::{Lit, tick};
use num_bigint::BigUint;

use crate::{LiteralCounts, Number, Random};

/// A decision-DNNF: a circuit that represents the models of a formula. One pass over the circuit can count them.
///
/// A node branches on a variable. Each branch is a conjunction of literals and further nodes. Some variables of a
/// branch may have any value. No two parts of the conjunction share a variable. The trace of a model counter is a
/// decision-DNNF: Huang, Darwiche: *DPLL with a trace: from SAT to knowledge compilation*, IJCAI 2005.
#[derive(Debug)]
pub struct Circuit {
    nodes: Vec<Node>,
    branches: Vec<Branch>,
    /// The literals, variables and nodes of all branches.
    items: Vec<u32>,
    root: u32,
}

/// A node of a circuit: a disjunction of branches that have no models in common.
#[derive(Debug)]
struct Node {
    first: u32,
    end: u32,
    count: Number,
}

/// A range of [`Circuit::items`]: a conjunction of literals, variables and nodes.
#[derive(Debug)]
struct Branch {
    start: usize,
    lits_end: usize,
    free_end: usize,
    end: usize,
    count: Number,
}

/// The node that is always true: a conjunction without literals.
pub(crate) const TRUE: u32 = 0;

impl Circuit {
    pub(crate) fn new() -> Self {
        let always = Branch { start: 0, lits_end: 0, free_end: 0, end: 0, count: Number::ONE };
        let nodes = vec![Node { first: 0, end: 1, count: Number::ONE }];
        Self { nodes, branches: vec![always], items: Vec::new(), root: TRUE }
    }

    /// Adds a node, and makes it the root. A node must be added after its children.
    pub(crate) fn node(&mut self, branches: &[Conjunction]) -> u32 {
        let first = self.branches.len() as u32;
        let mut total = Number::ZERO;
        for Conjunction { lits, free, nodes, count } in branches {
            let start = self.items.len();
            self.items.extend(lits.iter().chain(free).chain(nodes));
            let (lits_end, end) = (start + lits.len(), self.items.len());
            self.branches.push(Branch {
                start,
                lits_end,
                free_end: lits_end + free.len(),
                end,
                count: count.clone(),
            });
            total += count;
        }
        self.nodes.push(Node { first, end: self.branches.len() as u32, count: total });
        self.root = self.nodes.len() as u32 - 1;
        self.root
    }

    /// Returns the number of models of the formula.
    #[must_use]
    pub fn count(&self) -> BigUint {
        self.nodes[self.root as usize].count.to_biguint()
    }

    /// Returns the number of nodes of the circuit.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn branches_of(&self, node: u32) -> &[Branch] {
        let Node { first, end, .. } = self.nodes[node as usize];
        &self.branches[first as usize..end as usize]
    }

    /// Returns a random model, or `None` if there are no models. All models are equally likely. The model contains a
    /// literal for each variable of the projection, and possibly literals of further variables.
    pub fn sample(&self, random: &mut Random) -> Option<Vec<Lit>> {
        let mut model = Vec::new();
        let mut stack = vec![self.root];
        while let Some(node) = stack.pop() {
            if self.nodes[node as usize].count.is_zero() {
                return None;
            }
            let mut rank = random.below(&self.nodes[node as usize].count.to_biguint());
            for branch in self.branches_of(node) {
                let count = branch.count.to_biguint();
                if rank >= count {
                    rank -= count;
                    continue;
                }
                model.extend(self.items[branch.start..branch.lits_end].iter().map(|&lit| from_code(lit)));
                let free = self.items[branch.lits_end..branch.free_end].iter();
                model.extend(free.map(|&variable| Lit::new(variable, random.word() >> 63 == 1)));
                stack.extend(&self.items[branch.free_end..branch.end]);
                break;
            }
        }
        Some(model)
    }

    /// Counts, for each variable, the models in which it is true. The argument `variables` is the number of variables
    /// of the formula.
    #[must_use]
    pub fn literal_counts(&self, variables: u32) -> LiteralCounts {
        let mut counts = vec![BigUint::ZERO; variables as usize];
        // For each node, the number of ways to extend a model of the node to a model of the root.
        let mut ways = vec![BigUint::ZERO; self.nodes.len()];
        ways[self.root as usize] = BigUint::from(1_u8);
        for node in (0..self.nodes.len() as u32).rev() {
            let way = std::mem::take(&mut ways[node as usize]);
            if way == BigUint::ZERO {
                continue;
            }
            for branch in self.branches_of(node) {
                tick((branch.end - branch.start) as u64 + 8);
                let all = branch.count.to_biguint() * &way;
                for &lit in self.items[branch.start..branch.lits_end].iter().filter(|&lit| lit & 1 == 0) {
                    counts[(lit >> 1) as usize] += &all;
                }
                for &variable in &self.items[branch.lits_end..branch.free_end] {
                    counts[variable as usize] += &all >> 1;
                }
                for &child in &self.items[branch.free_end..branch.end] {
                    // The count of the child is a factor of the count of the branch, so the division leaves no
                    // remainder.
                    let count = self.nodes[child as usize].count.to_biguint();
                    if count != BigUint::ZERO {
                        ways[child as usize] += &all / count;
                    }
                }
            }
        }
        LiteralCounts::new(self.count(), counts)
    }
}

fn from_code(lit: u32) -> Lit {
    Lit::new(lit >> 1, lit & 1 == 1)
}

/// A branch of a node that is being created.
#[derive(Debug, Clone)]
pub(crate) struct Conjunction {
    /// The literals of the branch, as values of [`Lit::lidx`].
    pub(crate) lits: Vec<u32>,
    /// The variables of the branch that may have any value.
    pub(crate) free: Vec<u32>,
    pub(crate) nodes: Vec<u32>,
    pub(crate) count: Number,
}

/// The empty conjunction, which has one model.
impl Default for Conjunction {
    fn default() -> Self {
        Self { lits: Vec::new(), free: Vec::new(), nodes: Vec::new(), count: Number::ONE }
    }
}
