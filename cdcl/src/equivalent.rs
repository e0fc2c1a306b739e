//! Substitution of equivalent literals.
//!
//! The binary clauses form the *implication graph*: a clause with the literals `a` and `b` states that `!a` implies `b`
//! and `!b` implies `a`. The literals of a strongly connected component of this graph are equivalent. One of them
//! represents the component, and replaces the others in all clauses. Two binary clauses for each replaced literal keep
//! it equal to its representative, so replaced variables may still occur in assumptions, later clauses, theories and
//! models.
//!
//! Papers: Tarjan: *Depth-first search and linear graph algorithms*, SIAM Journal on Computing 1(2), 1972; Aspvall,
//! Plass, Tarjan: *A linear-time algorithm for testing the truth of certain quantified Boolean formulas*, Information
//! Processing Letters 8(3), 1979; Van Gelder: *Toward leaner binary-clause reasoning in a satisfiability solver*, Annals
//! of Mathematics and Artificial Intelligence 43, 2005.

use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::state::{Reason, Solver};
use crate::watch::Watch;

/// Marks a literal that the depth-first search has not visited, or a literal whose component is complete.
const UNVISITED: u32 = 0;
const COMPLETE: u32 = u32::MAX;

/// The state of Tarjan's algorithm.
struct Components {
    /// For each literal, the low link of Tarjan's algorithm: the smallest known number of a literal that is reachable
    /// from it.
    low: Vec<u32>,
    visited: u32,
    /// The visited literals whose components are not complete.
    open: Vec<Lit>,
    /// For each literal, the representative of its component.
    representative: Vec<Lit>,
}

impl Solver {
    /// Replaces literals with equivalent ones, if there are new equivalences. Must be called at level 0, after unit
    /// propagation.
    pub(crate) fn substitute_equivalent(&mut self) {
        let Some(representative) = self.representatives() else { return };
        let replaced = (0..self.watches.len()).filter(|&code| representative[code].index() != code).count();
        if replaced == self.next.replaced {
            return;
        }
        self.next.replaced = replaced;
        self.state_equivalences(&representative);
        self.substitute_binary(&representative);
        self.substitute_long(&representative);
        if !self.inconsistent && self.propagate().is_some() {
            self.refute();
        }
    }

    /// Returns the representative of each literal. If a literal is equivalent to its negation, refutes the formula and
    /// returns `None`.
    fn representatives(&mut self) -> Option<Vec<Lit>> {
        let literals = 0..self.watches.len() as u32;
        let mut components = Components {
            low: vec![UNVISITED; literals.len()],
            visited: 0,
            open: Vec::new(),
            representative: literals.clone().map(Lit::from_code).collect(),
        };
        for root in literals.map(Lit::from_code) {
            if self.assigned(root) != 0 || components.low[root.index()] != UNVISITED {
                continue;
            }
            if let Some(contradictory) = self.explore(root, &mut components) {
                self.assign(contradictory, Reason::None);
                if self.propagate().is_some() {
                    self.refute();
                }
                return None;
            }
        }
        Some(components.representative)
    }

    /// Finds the components of all literals that are reachable from `root`. Returns a literal that is equivalent to
    /// its negation, if there is one.
    fn explore(&mut self, root: Lit, components: &mut Components) -> Option<Lit> {
        // An entry consists of a literal, its number, and the number of implications that were followed.
        let mut path = vec![(root, components.visit(root), 0)];
        while let Some((lit, number, followed)) = path.last_mut() {
            let (lit, number) = (*lit, *number);
            let watches = &self.watches[(!lit).index()];
            let next = watches[*followed..].iter().position(|watch| watch.clause().is_none());
            if let Some(skipped) = next {
                let implied = watches[*followed + skipped].blocker;
                *followed += skipped + 1;
                if self.assigned(implied) != 0 {
                    continue;
                }
                match components.low[implied.index()] {
                    UNVISITED => path.push((implied, components.visit(implied), 0)),
                    low => components.reach(lit, low),
                }
                continue;
            }
            self.probe_ticks += 1 + watches.len() as u64 / 8;
            path.pop();
            let low = components.low[lit.index()];
            if low == number
                && let Some(contradictory) = components.complete(lit)
            {
                return Some(contradictory);
            }
            if let Some(&(parent, ..)) = path.last() {
                components.reach(parent, components.low[lit.index()]);
            }
        }
        None
    }

    /// Adds binary clauses that keep each replaced literal equal to its representative.
    fn state_equivalences(&mut self, representative: &[Lit]) {
        for code in 0..self.watches.len() as u32 {
            let (lit, other) = (Lit::from_code(code), representative[code as usize]);
            let is_stated = |watch: &Watch| watch.clause().is_none() && watch.blocker == other;
            if other != lit && !self.watches[(!lit).index()].iter().any(is_stated) {
                self.log_derived(&[!lit, other]);
                self.add_binary(!lit, other);
            }
        }
    }

    /// Replaces the literals in binary clauses, except in those that keep literals equal to their representatives.
    fn substitute_binary(&mut self, representative: &[Lit]) {
        let mut clauses = Vec::new();
        let mut units = Vec::new();
        for code in 0..self.watches.len() as u32 {
            let lit = Lit::from_code(code);
            let mut list = std::mem::take(&mut self.watches[lit.index()]);
            list.retain(|watch| {
                let other = watch.blocker;
                if watch.clause().is_some() || self.assigned(lit) != 0 || self.assigned(other) != 0 {
                    return watch.clause().is_some();
                }
                let [a, b] = [lit, other].map(|lit| representative[lit.index()]);
                if a == !b {
                    // The clause follows from the equivalences, and is kept only if it states one of them.
                    return lit == a || other == b;
                }
                if lit < other {
                    if a == b {
                        units.push(a);
                    } else {
                        clauses.push(([a.min(b), a.max(b)], a != lit || b != other));
                    }
                }
                false
            });
            self.watches[lit.index()] = list;
        }
        // If a clause occurs both unchanged and as a copy, the unchanged one comes first.
        clauses.sort_unstable();
        clauses.dedup_by_key(|clause| clause.0);
        for ([a, b], is_new) in clauses {
            if is_new {
                self.log_derived(&[a, b]);
            }
            self.add_binary(a, b);
        }
        for unit in units {
            self.add_root(unit);
        }
    }

    /// Makes a literal true at level 0. If the literal is false, refutes the formula.
    pub(crate) fn add_root(&mut self, unit: Lit) {
        match self.assigned(unit) {
            0 => self.assign(unit, Reason::None),
            1 => {}
            _ => self.refute(),
        }
    }

    /// Replaces the literals in clauses of three or more literals.
    fn substitute_long(&mut self, representative: &[Lit]) {
        for list in &mut self.watches {
            list.retain(|watch| watch.clause().is_none());
        }
        for index in 0..self.arena.refs().len() {
            let clause = self.arena.refs()[index];
            if self.arena.is_removed(clause) || self.inconsistent {
                continue;
            }
            // The reasons from the theory are needed only above level 0.
            if self.arena.is_unwatched(clause) {
                self.arena.remove(clause);
                continue;
            }
            self.substitute(clause, representative);
        }
    }

    /// Replaces the literals of a clause that is not watched, and watches the clause if three or more literals remain.
    fn substitute(&mut self, clause: ClauseRef, representative: &[Lit]) {
        self.probe_ticks += 1;
        let count = self.arena.len(clause);
        let mut lits: Vec<Lit> = self.arena.lits(clause).collect();
        let is_same = lits.iter().all(|lit| representative[lit.index()] == *lit && self.assigned(*lit) == 0);
        if is_same {
            self.watch(clause);
            return;
        }
        for lit in &mut lits {
            *lit = representative[lit.index()];
        }
        lits.sort_unstable();
        lits.dedup();
        let satisfied =
            lits.iter().any(|&lit| self.assigned(lit) > 0) || lits.windows(2).any(|pair| pair[0] == !pair[1]);
        lits.retain(|&lit| self.assigned(lit) == 0);
        if !satisfied && lits.len() > 1 {
            self.log_derived(&lits);
        }
        let is_learnt = self.arena.is_learnt(clause);
        match lits[..] {
            _ if satisfied => {}
            [] => self.refute(),
            [unit] => self.add_root(unit),
            [a, b] => self.add_binary(a, b),
            _ => {
                if is_learnt {
                    self.log_deleted(clause);
                    let lbd = self.arena.lbd(clause).min(lits.len() as u32 - 1);
                    self.arena.set_lbd(clause, lbd);
                }
                debug_assert!(lits.len() <= count, "a longer clause");
                self.arena.shrink(clause, &lits);
                self.watch(clause);
                return;
            }
        }
        if is_learnt {
            self.log_deleted(clause);
        }
        self.arena.remove(clause);
    }
}

impl Components {
    fn visit(&mut self, lit: Lit) -> u32 {
        self.visited += 1;
        self.low[lit.index()] = self.visited;
        self.open.push(lit);
        self.visited
    }

    /// Records that a literal with the number `low` is reachable from `lit`.
    fn reach(&mut self, lit: Lit, low: u32) {
        self.low[lit.index()] = self.low[lit.index()].min(low);
    }

    /// Completes the component that consists of `root` and all literals above it on the stack. Returns a literal whose
    /// negation is in the same component, if there is one.
    fn complete(&mut self, root: Lit) -> Option<Lit> {
        let start = self.open.iter().rposition(|&lit| lit == root).unwrap_or_default();
        let members = self.open.split_off(start);
        // This choice gives the component of the negated literals the negated representative.
        let least = members.iter().copied().min_by_key(|lit| lit.variable()).unwrap_or(root);
        for &lit in &members {
            self.low[lit.index()] = COMPLETE;
            self.representative[lit.index()] = least;
        }
        members.iter().copied().find(|lit| self.representative[(!*lit).index()] == least)
    }
}
