//! Prepares a formula: removes fixed literals, merges equivalent variables, and orders the variables by nested
//! dissection.

use std::collections::HashSet;

use gordian_encodings::{Cnf, Lit, tick};

use super::clauses::{Clauses, Truth};
use crate::order::dissect;

/// A simplified formula, with the literals `2 v` and `2 v + 1`. The variables are numbered in the order of a nested
/// dissection.
#[derive(Debug)]
pub(super) struct Simplified {
    /// The clauses, each with at least two literals.
    pub(super) clauses: Vec<Vec<u32>>,
    /// The depth of each variable in the nested dissection.
    pub(super) depth: Vec<u32>,
    /// Maps each variable of the simplified formula to the equivalent literals of the original formula.
    pub(super) names: Vec<Vec<u32>>,
    /// True for each variable of the projection.
    pub(super) projected: Vec<bool>,
    /// The literals of the original formula that hold in all models.
    pub(super) fixed: Vec<u32>,
}

/// The limit on the work of the dissection. The work is the number of vertices times the number of attempts to find a
/// separator.
const WORK: usize = 1 << 16;
/// The minimum and the maximum number of attempts to find a separator.
const TRIES: (usize, usize) = (6, 48);
/// In clauses of at most this length, all variables are adjacent to each other in the graph. In a longer clause, only
/// consecutive variables are adjacent.
const LONG: usize = 48;

impl Simplified {
    /// Simplifies a formula. Returns `None` if the formula has no models.
    pub(super) fn new(cnf: &Cnf, projection: Option<&[Lit]>) -> Option<Self> {
        let variables = cnf.variables() as usize;
        let mut projected = vec![projection.is_none(); variables];
        for lit in projection.into_iter().flatten() {
            if let Some(projected) = projected.get_mut(lit.vidx()) {
                *projected = true;
            }
        }
        let mut clauses: Vec<Vec<u32>> =
            cnf.iter().map(|clause| clause.iter().map(|lit| lit.lidx() as u32).collect()).collect();
        normalise(&mut clauses);
        // Maps each positive literal to the literal that replaces it.
        let mut merged: Vec<u32> = (0..variables as u32).map(|variable| 2 * variable).collect();
        let mut decided = Vec::new();
        loop {
            let (left, trail) = without_decided(clauses, variables)?;
            decided.extend(trail);
            clauses = left;
            if !merge(&mut clauses, &mut merged) {
                break;
            }
        }
        let mut truth = vec![Truth::Open; 2 * variables];
        for lit in decided {
            (truth[lit as usize], truth[lit as usize ^ 1]) = (Truth::True, Truth::False);
        }
        let mut fixed = Vec::new();
        let mut members = vec![Vec::new(); variables];
        for variable in 0..variables as u32 {
            let lit = representative(&merged, 2 * variable);
            match truth[lit as usize] {
                Truth::True => fixed.push(2 * variable),
                Truth::False => fixed.push(2 * variable + 1),
                Truth::Open => members[(lit >> 1) as usize].push(2 * variable + (lit & 1)),
            }
        }
        let open: Vec<u32> =
            (0..variables as u32).filter(|&variable| !members[variable as usize].is_empty()).collect();
        rename(&mut clauses, &open, variables);
        let graph = primal_graph(open.len(), &clauses);
        let tries = (WORK / open.len().max(1)).clamp(TRIES.0, TRIES.1);
        let dissection = dissect(&graph, tries);
        rename(&mut clauses, &dissection.sequence, open.len());
        clauses.sort_unstable_by_key(|clause| clause.iter().copied().min());
        let depth = dissection.sequence.iter().map(|&vertex| dissection.depth[vertex as usize]).collect();
        let names = dissection.sequence.iter().map(|&vertex| open[vertex as usize] as usize);
        let names: Vec<Vec<u32>> = names.map(|variable| std::mem::take(&mut members[variable])).collect();
        let in_projection = |names: &Vec<u32>| names.iter().any(|lit| projected[(lit >> 1) as usize]);
        let projected = names.iter().map(in_projection).collect();
        Some(Self { clauses, depth, names, projected, fixed })
    }
}

/// Removes the literals whose values follow by unit propagation or failed literal probing. Returns the remaining
/// clauses and the fixed literals, or `None` if there are no models.
fn without_decided(clauses: Vec<Vec<u32>>, variables: usize) -> Option<(Vec<Vec<u32>>, Vec<u32>)> {
    let (long, short): (Vec<_>, Vec<_>) = clauses.into_iter().partition(|clause| clause.len() > 1);
    let mut formula = Clauses::new(variables, &long);
    for clause in short {
        if !clause.first().is_some_and(|&lit| formula.assert(lit)) {
            return None;
        }
    }
    if !assert_failed(&mut formula, variables) {
        return None;
    }
    let mut left = Vec::new();
    for mut clause in long {
        if clause.iter().all(|&lit| formula.truth(lit) != Truth::True) {
            clause.retain(|&lit| formula.truth(lit) == Truth::Open);
            clause.sort_unstable();
            left.push(clause);
        }
    }
    left.sort_unstable();
    left.dedup();
    Some((left, formula.trail().to_vec()))
}

/// Sorts the literals of each clause, and removes repeated literals and tautologies.
fn normalise(clauses: &mut Vec<Vec<u32>>) {
    for clause in &mut *clauses {
        clause.sort_unstable();
        clause.dedup();
    }
    clauses.retain(|clause| clause.windows(2).all(|pair| pair[0] ^ 1 != pair[1]));
}

/// Returns the literal that represents `lit`.
fn representative(merged: &[u32], mut lit: u32) -> u32 {
    while merged[(lit >> 1) as usize] != lit & !1 {
        lit = merged[(lit >> 1) as usize] ^ (lit & 1);
    }
    lit
}

/// Merges literals whose equivalence follows from two binary clauses. Returns `false` if there are no equivalent
/// literals.
fn merge(clauses: &mut Vec<Vec<u32>>, merged: &mut [u32]) -> bool {
    let binary: HashSet<(u32, u32)> =
        clauses.iter().filter(|clause| clause.len() == 2).map(|clause| (clause[0], clause[1])).collect();
    let mut found = false;
    for clause in clauses.iter().filter(|clause| clause.len() == 2) {
        let (a, b) = (clause[0], clause[1]);
        // The literals of a clause are sorted by variable, so their negations are also sorted.
        if a & 1 == 0 && binary.contains(&(a ^ 1, b ^ 1)) {
            let (a, b) = (representative(merged, a), representative(merged, b ^ 1));
            if a >> 1 != b >> 1 {
                merged[(b >> 1) as usize] = a ^ (b & 1);
                found = true;
            }
        }
    }
    if found {
        for clause in &mut *clauses {
            for lit in &mut *clause {
                *lit = representative(merged, *lit);
            }
        }
        normalise(clauses);
    }
    found
}

/// The maximum number of literals that [`assert_failed`] tests.
const MOST_TESTED: usize = 1 << 14;

/// Asserts the negation of every failed literal. A literal fails if unit propagation derives a conflict from it.
/// Returns `false` if the formula has no models.
fn assert_failed(formula: &mut Clauses, variables: usize) -> bool {
    let mut tested = 0;
    loop {
        let before = formula.trail().len();
        for lit in 0..2 * variables as u32 {
            if formula.truth(lit) != Truth::Open {
                continue;
            }
            tested += 1;
            if tested > MOST_TESTED {
                return true;
            }
            tick(256);
            if formula.fails(lit) && !formula.assert(lit ^ 1) {
                return false;
            }
        }
        if formula.trail().len() == before {
            return true;
        }
    }
}

/// Renames the variable `order[i]` to `i` in all clauses. The argument `variables` is the number of variables before
/// the renaming.
fn rename(clauses: &mut [Vec<u32>], order: &[u32], variables: usize) {
    let mut new = vec![u32::MAX; variables];
    for (index, &old) in (0..).zip(order) {
        new[old as usize] = index;
    }
    clauses.iter_mut().flatten().for_each(|lit| *lit = 2 * new[(*lit >> 1) as usize] + (*lit & 1));
}

/// Returns the graph of the variables: two variables are adjacent if they occur in the same clause or, if the clause
/// has more than [`LONG`] literals, next to each other in the clause.
fn primal_graph(variables: usize, clauses: &[Vec<u32>]) -> Vec<Vec<u32>> {
    let mut graph = vec![Vec::new(); variables];
    for clause in clauses {
        tick(clause.len() as u64);
        for (index, &a) in clause.iter().enumerate() {
            let end = if clause.len() > LONG { (index + 2).min(clause.len()) } else { clause.len() };
            for &b in &clause[index + 1..end] {
                graph[(a >> 1) as usize].push(b >> 1);
                graph[(b >> 1) as usize].push(a >> 1);
            }
        }
    }
    for neighbours in &mut graph {
        neighbours.sort_unstable();
        neighbours.dedup();
    }
    graph
}
