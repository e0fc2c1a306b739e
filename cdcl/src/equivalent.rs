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

use std::collections::{HashMap, HashSet, VecDeque};

use crate::arena::ClauseRef;
use crate::lit::Lit;
use crate::proof::ClauseId;
use crate::state::{Conflict, Solver};
use crate::watch::Watch;

/// Marks a literal that the depth-first search has not visited.
const UNVISITED: u32 = 0;
/// Marks a literal whose component is complete.
const COMPLETE: u32 = u32::MAX;

/// The state of Tarjan's algorithm.
struct Components {
    /// The low link of each literal in Tarjan's algorithm: the smallest known number of a literal that is reachable
    /// from it.
    low: Vec<u32>,
    visited: u32,
    /// The visited literals whose components are not yet complete.
    open: Vec<Lit>,
    /// The representative of each literal's component.
    representative: Vec<Lit>,
}

/// The representatives of all literals.
struct Equivalences {
    representative: Vec<Lit>,
    /// The proof number of the clause `literal -> representative`, indexed by the replaced literal.
    ids: Vec<ClauseId>,
}

impl Equivalences {
    fn of(&self, lit: Lit) -> Lit {
        self.representative[lit.index()]
    }
}

impl Solver {
    /// Replaces literals with equivalent literals, if there are new equivalences. Must be called at level 0, after unit
    /// propagation.
    pub(crate) fn substitute_equivalent(&mut self) {
        let Some(representative) = self.representatives() else { return };
        let replaced = (0..self.watches.len()).filter(|&code| representative[code].index() != code).count();
        if replaced == self.next.replaced {
            return;
        }
        self.next.replaced = replaced;
        let equivalences = self.state_equivalences(representative);
        self.substitute_binary(&equivalences);
        self.substitute_long(&equivalences);
        if !self.inconsistent
            && let Some(conflict) = self.propagate()
        {
            self.refute(&conflict);
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
                let path = self.implications(!contradictory, contradictory, &components.representative);
                let id = self.log_hinted(&[contradictory], &path);
                self.assign_unit(contradictory, id);
                if let Some(conflict) = self.propagate() {
                    self.refute(&conflict);
                }
                return None;
            }
        }
        Some(components.representative)
    }

    /// Finds the components of all literals that are reachable from `root`. Returns a literal that is equivalent to its
    /// negation, if any.
    fn explore(&mut self, root: Lit, components: &mut Components) -> Option<Lit> {
        // An entry consists of a literal, its number, and the position in its watch list at which the search continues.
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
    fn state_equivalences(&mut self, representative: Vec<Lit>) -> Equivalences {
        let mut ids = vec![0; representative.len()];
        for code in 0..self.watches.len() as u32 {
            let (lit, other) = (Lit::from_code(code), representative[code as usize]);
            if other == lit {
                continue;
            }
            let states = |watch: &&Watch| watch.clause().is_none() && watch.blocker == other;
            ids[code as usize] = if let Some(watch) = self.watches[(!lit).index()].iter().find(states) {
                watch.id()
            } else {
                let path = self.implications(lit, other, &representative);
                let id = self.log_hinted(&[!lit, other], &path);
                self.add_binary(!lit, other, id);
                id
            };
        }
        Equivalences { representative, ids }
    }

    /// Returns the numbers of the binary clauses on a path from `start` to `end` in the implication graph. Both
    /// literals must have the same representative. If `end` is the negation of `start`, the clauses are hints for the
    /// unit clause `end`. The result is empty if no proof is logged.
    fn implications(&self, start: Lit, end: Lit, representative: &[Lit]) -> Vec<ClauseId> {
        let mut path = Vec::new();
        if self.log.is_none() {
            return Vec::new();
        }
        let mut causes = HashMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(lit) = queue.pop_front() {
            for watch in self.watches[(!lit).index()].iter().filter(|watch| watch.clause().is_none()) {
                let implied = watch.blocker;
                if representative[implied.index()] == representative[end.index()]
                    && self.assigned(implied) == 0
                {
                    causes.entry(implied.index()).or_insert_with(|| {
                        queue.push_back(implied);
                        (lit, watch.id())
                    });
                }
            }
            if causes.contains_key(&end.index()) {
                break;
            }
        }
        let mut lit = end;
        while let Some(&(cause, id)) = causes.get(&lit.index()).filter(|_| lit != start) {
            path.push((lit, id));
            lit = cause;
        }
        path.reverse();
        // If the component contains a literal and its negation, the path may also contain both. In this case, the hints
        // end with the first clause that implies the negation of an earlier literal.
        let mut reached = HashSet::from([start.index()]);
        let contradicts = |&(lit, _): &(Lit, ClauseId)| {
            reached.insert(lit.index());
            reached.contains(&(!lit).index())
        };
        let last = path.iter().position(contradicts).map_or(path.len(), |index| index + 1);
        path[..last].iter().map(|&(_, id)| id).collect()
    }

    /// Logs the clause `new`, which results when the literals `old` of clause `id` are replaced by their
    /// representatives.
    fn log_substituted(
        &mut self,
        new: &[Lit],
        old: &[Lit],
        id: ClauseId,
        equivalences: &Equivalences,
    ) -> ClauseId {
        if self.log.is_none() {
            return 0;
        }
        let mut hints = Vec::new();
        for &lit in old {
            let other = equivalences.of(lit);
            if self.assigned(other) < 0 {
                hints.push(self.cause(other));
            }
            if other != lit {
                hints.push(equivalences.ids[lit.index()]);
            }
        }
        hints.push(id);
        self.log_hinted(new, &hints)
    }

    /// Replaces the literals in binary clauses, except in clauses that keep literals equal to their representatives.
    fn substitute_binary(&mut self, equivalences: &Equivalences) {
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
                let [a, b] = [lit, other].map(|lit| equivalences.of(lit));
                if a == !b {
                    // The clause states that one of two equivalent literals implies the other. It is kept only if one
                    // of the two is the representative.
                    return lit == a || other == b;
                }
                if lit < other {
                    if a == b {
                        units.push((a, [lit, other], watch.id()));
                    } else {
                        let is_new = a != lit || b != other;
                        clauses.push(([a.min(b), a.max(b)], is_new, [lit, other], watch.id()));
                    }
                }
                false
            });
            self.watches[lit.index()] = list;
        }
        // If the same clause occurs both unchanged and as the result of a substitution, the unchanged one comes first
        // and is kept.
        clauses.sort_unstable();
        clauses.dedup_by_key(|clause| clause.0);
        for ([a, b], is_new, old, mut id) in clauses {
            if is_new {
                id = self.log_substituted(&[a, b], &old, id, equivalences);
            }
            self.add_binary(a, b, id);
        }
        for (unit, old, id) in units {
            let id = self.log_substituted(&[unit], &old, id, equivalences);
            self.add_root(unit, id);
        }
    }

    /// Makes a literal true at level 0. If the literal is false, refutes the formula. The unit clause has the number
    /// `id` in the proof.
    fn add_root(&mut self, unit: Lit, id: ClauseId) {
        match self.assigned(unit) {
            0 => self.assign_unit(unit, id),
            1 => {}
            _ => self.refute(&Conflict::Binary(unit, unit, id)),
        }
    }

    /// Replaces the literals in clauses of three or more literals.
    fn substitute_long(&mut self, equivalences: &Equivalences) {
        for list in &mut self.watches {
            list.retain(|watch| watch.clause().is_none());
        }
        for index in 0..self.arena.refs().len() {
            let clause = self.arena.refs()[index];
            if self.arena.is_removed(clause) || self.inconsistent {
                continue;
            }
            // An unwatched clause explains a literal that the theory derived. Explanations are needed only above
            // level 0.
            if self.arena.is_unwatched(clause) {
                self.arena.remove(clause);
                continue;
            }
            self.substitute(clause, equivalences);
        }
    }

    /// Replaces the literals of a clause that is not watched, and watches the clause if three or more literals remain.
    fn substitute(&mut self, clause: ClauseRef, equivalences: &Equivalences) {
        self.probe_ticks += 1;
        let count = self.arena.len(clause);
        let mut lits: Vec<Lit> = self.arena.lits(clause).collect();
        let is_same = lits.iter().all(|&lit| equivalences.of(lit) == lit && self.assigned(lit) == 0);
        if is_same {
            self.watch(clause);
            return;
        }
        let old = lits.clone();
        for lit in &mut lits {
            *lit = equivalences.of(*lit);
        }
        lits.sort_unstable();
        lits.dedup();
        let satisfied =
            lits.iter().any(|&lit| self.assigned(lit) > 0) || lits.windows(2).any(|pair| pair[0] == !pair[1]);
        lits.retain(|&lit| self.assigned(lit) == 0);
        let id = if satisfied {
            0
        } else {
            self.log_substituted(&lits, &old, self.arena.id(clause), equivalences)
        };
        let is_learnt = self.arena.is_learnt(clause);
        match lits[..] {
            _ if satisfied => {}
            [] => self.inconsistent = true,
            [unit] => self.add_root(unit, id),
            [a, b] => self.add_binary(a, b, id),
            _ => {
                if is_learnt {
                    self.log_deleted(clause);
                    let lbd = self.arena.lbd(clause).min(lits.len() as u32 - 1);
                    self.arena.set_lbd(clause, lbd);
                }
                debug_assert!(lits.len() <= count, "a longer clause");
                self.arena.shrink(clause, &lits, id);
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
    /// negation is in the same component, if any.
    fn complete(&mut self, root: Lit) -> Option<Lit> {
        let start = self.open.iter().rposition(|&lit| lit == root).unwrap_or_default();
        let members = self.open.split_off(start);
        // The representative has the least variable. Therefore, its negation represents the component of the negated
        // literals.
        let least = members.iter().copied().min_by_key(|lit| lit.variable()).unwrap_or(root);
        for &lit in &members {
            self.low[lit.index()] = COMPLETE;
            self.representative[lit.index()] = least;
        }
        members.iter().copied().find(|lit| self.representative[(!*lit).index()] == least)
    }
}
