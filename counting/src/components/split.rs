//! Finds the components of the residual formula: sets of unassigned variables that are connected by clauses.
//!
//! The *key* of a component describes it exactly. It consists of the component's variables, and of the component's long
//! clauses that contain a false literal. The variables determine the other clauses of the component. A clause without
//! assigned variables belongs to the component of its variables. A binary clause with an assigned variable is
//! satisfied, because unit propagation is complete.

use super::clauses::{Clauses, Truth};

/// A component of the residual formula.
#[derive(Debug, Clone, Copy)]
pub(super) struct Component {
    /// The range of the component's variables in [`Split::variables`].
    pub(super) start: usize,
    pub(super) end: usize,
    /// The range of the component's key in [`Split::keys`].
    pub(super) key_start: usize,
    pub(super) key_end: usize,
    pub(super) hash: u64,
    /// True if the component contains a variable of the projection.
    pub(super) projected: bool,
}

/// The components on the current path of the search, as a stack.
#[derive(Debug)]
pub(super) struct Split {
    /// The neighbours of each variable: the other variables of its binary clauses.
    neighbours: Vec<Vec<u32>>,
    /// The indices of each variable's long clauses.
    occurrences: Vec<Vec<u32>>,
    /// The long clauses of the formula.
    clauses: Vec<Vec<u32>>,
    /// True for each variable of the projection.
    projected: Vec<bool>,
    /// The round in which each variable and each clause was last visited.
    visited: Vec<u32>,
    visited_clause: Vec<u32>,
    round: u32,
    /// The key of the current component as a bit set, and the indices of the nonzero words in this bit set.
    bits: Vec<u32>,
    words: Vec<u32>,
    pub(super) variables: Vec<u32>,
    pub(super) keys: Vec<u64>,
    pub(super) components: Vec<Component>,
}

/// The number of bits in a word of a key.
const WORD: usize = u32::BITS as usize;

impl Split {
    pub(super) fn new(variables: usize, clauses: &[Vec<u32>], projected: Vec<bool>) -> Self {
        let mut neighbours = vec![Vec::new(); variables];
        let mut occurrences = vec![Vec::new(); variables];
        let mut long: Vec<Vec<u32>> = Vec::new();
        for clause in clauses {
            if let [a, b] = clause[..] {
                neighbours[(a >> 1) as usize].push(b >> 1);
                neighbours[(b >> 1) as usize].push(a >> 1);
                continue;
            }
            for lit in clause {
                occurrences[(lit >> 1) as usize].push(long.len() as u32);
            }
            long.push(clause.clone());
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        Self {
            neighbours,
            occurrences,
            visited: vec![0; variables],
            visited_clause: vec![0; long.len()],
            round: 0,
            bits: vec![0; (variables + long.len()).div_ceil(WORD)],
            words: Vec::new(),
            clauses: long,
            projected,
            variables: Vec::new(),
            keys: Vec::new(),
            components: Vec::new(),
        }
    }

    pub(super) fn is_projected(&self, variable: u32) -> bool {
        self.projected[variable as usize]
    }

    /// Returns the number of clauses in which a variable occurs.
    pub(super) fn degree(&self, variable: u32) -> usize {
        self.neighbours[variable as usize].len() + self.occurrences[variable as usize].len()
    }

    /// Splits the variables at `start..end` into components, and adds the components to the stack. If a variable has no
    /// clauses, calls the function `free` instead of adding a component.
    pub(super) fn split(&mut self, formula: &Clauses, start: usize, end: usize, mut free: impl FnMut(u32)) {
        if self.round == u32::MAX {
            self.visited.fill(0);
            self.visited_clause.fill(0);
            self.round = 0;
        }
        self.round += 1;
        for index in start..end {
            let first = self.variables[index];
            if !formula.is_open(first) || self.visited[first as usize] == self.round {
                continue;
            }
            let from = self.variables.len();
            self.visit(first);
            let mut next = from;
            while let Some(&variable) = self.variables.get(next) {
                next += 1;
                self.visit_neighbours(formula, variable);
            }
            if self.variables.len() == from + 1 {
                // A clause with a single unassigned literal is satisfied, because otherwise the literal would have
                // been propagated.
                self.variables.truncate(from);
                self.take_key();
                free(first);
            } else {
                let key_start = self.keys.len();
                let hash = self.push_key();
                let projected = self.variables[from..].iter().any(|&variable| self.is_projected(variable));
                let (end, key_end) = (self.variables.len(), self.keys.len());
                self.components.push(Component { start: from, end, key_start, key_end, hash, projected });
            }
        }
    }

    fn set_bit(&mut self, bit: usize) {
        let word = &mut self.bits[bit / WORD];
        if *word == 0 {
            self.words.push((bit / WORD) as u32);
        }
        *word |= 1 << (bit % WORD);
    }

    fn visit(&mut self, variable: u32) {
        if self.visited[variable as usize] != self.round {
            self.visited[variable as usize] = self.round;
            self.variables.push(variable);
            self.set_bit(variable as usize);
        }
    }

    /// Visits the unassigned variables that occur in a clause with `variable`.
    fn visit_neighbours(&mut self, formula: &Clauses, variable: u32) {
        for index in 0..self.neighbours[variable as usize].len() {
            let other = self.neighbours[variable as usize][index];
            if formula.is_open(other) {
                self.visit(other);
            }
        }
        for index in 0..self.occurrences[variable as usize].len() {
            let clause = self.occurrences[variable as usize][index] as usize;
            if self.visited_clause[clause] == self.round {
                continue;
            }
            self.visited_clause[clause] = self.round;
            let lits = &mut self.clauses[clause];
            let (mut satisfied, mut shortened) = (None, false);
            for (index, &lit) in lits.iter().enumerate() {
                match formula.truth(lit) {
                    Truth::True => {
                        satisfied = Some(index);
                        break;
                    }
                    Truth::False => shortened = true,
                    Truth::Open => {}
                }
            }
            if let Some(index) = satisfied {
                // The true literal is moved to the front, because it is often still true at the next visit.
                lits.swap(0, index);
                continue;
            }
            for index in 0..lits.len() {
                let other = self.clauses[clause][index] >> 1;
                if formula.is_open(other) {
                    self.visit(other);
                }
            }
            if shortened {
                self.set_bit(self.visited.len() + clause);
            }
        }
    }

    /// Clears the current key without storing it.
    fn take_key(&mut self) {
        for word in self.words.drain(..) {
            self.bits[word as usize] = 0;
        }
    }

    /// Moves the current key to the end of [`Split::keys`], and returns the hash of the key.
    fn push_key(&mut self) -> u64 {
        self.words.sort_unstable();
        let mut hash = 0_u64;
        for &word in &self.words {
            let part = u64::from(word) << WORD | u64::from(std::mem::take(&mut self.bits[word as usize]));
            self.keys.push(part);
            let product = u128::from(hash ^ part) * 0x9e37_79b9_7f4a_7c15;
            hash = (product as u64).rotate_left(29) ^ (product >> 64) as u64;
        }
        self.words.clear();
        hash
    }
}
