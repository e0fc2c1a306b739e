//! Simplifies a formula before counting: removes decided variables, and orders the remaining ones by nested
//! dissection.

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
    /// For each variable of the simplified formula, the variable of the original formula.
    pub(super) names: Vec<u32>,
    /// For each variable, true if it belongs to the projection.
    pub(super) projected: Vec<bool>,
    /// The literals of the original formula that hold in all models.
    pub(super) fixed: Vec<u32>,
    /// The variables of the original formula that belong to the projection and occur in no clause.
    pub(super) free: Vec<u32>,
}

/// The work of the dissection: the number of vertices times the number of attempts to find a separator.
const WORK: usize = 1 << 16;
/// The minimum and the maximum number of attempts to find a separator.
const TRIES: (usize, usize) = (6, 48);
/// The maximum length of a clause whose variables all become adjacent in the graph. In a longer clause, only
/// neighbours are adjacent.
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
        let given =
            || cnf.iter().map(|clause| clause.iter().map(|lit| lit.lidx() as u32).collect::<Vec<_>>());
        let long: Vec<Vec<u32>> = given().filter(|clause| clause.len() > 1).collect();
        let mut formula = Clauses::new(variables, &long);
        for clause in given() {
            match clause[..] {
                [] => return None,
                [lit] if !formula.assert(lit) => return None,
                _ => {}
            }
        }
        if !assert_failed(&mut formula, variables) {
            return None;
        }
        let mut clauses = Vec::new();
        for mut clause in long {
            if clause.iter().all(|&lit| formula.truth(lit) != Truth::True) {
                clause.retain(|&lit| formula.truth(lit) == Truth::Open);
                clause.sort_unstable();
                clauses.push(clause);
            }
        }
        clauses.sort_unstable();
        clauses.dedup();
        let fixed = formula.trail().to_vec();
        let mut used = vec![false; variables];
        clauses.iter().flatten().for_each(|&lit| used[(lit >> 1) as usize] = true);
        let free = (0..variables as u32).filter(|&variable| {
            !used[variable as usize] && formula.is_open(variable) && projected[variable as usize]
        });
        let free = free.collect();
        let mut names: Vec<u32> = (0..variables as u32).filter(|&variable| used[variable as usize]).collect();
        rename(&mut clauses, &names, variables);
        let graph = primal_graph(names.len(), &clauses);
        let tries = (WORK / names.len().max(1)).clamp(TRIES.0, TRIES.1);
        let dissection = dissect(&graph, tries);
        rename(&mut clauses, &dissection.sequence, names.len());
        let depth = dissection.sequence.iter().map(|&vertex| dissection.depth[vertex as usize]).collect();
        names = dissection.sequence.iter().map(|&vertex| names[vertex as usize]).collect();
        clauses.sort_unstable_by_key(|clause| clause.iter().copied().min());
        let projected = names.iter().map(|&name| projected[name as usize]).collect();
        Some(Self { clauses, depth, names, projected, fixed, free })
    }
}

/// The maximum number of literals that [`assert_failed`] tests.
const MOST_TESTED: usize = 1 << 14;

/// Adds the negations of literals whose assignment leads to a conflict. Returns whether there was no contradiction.
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

/// Renames the variable `order[i]` to `i` in all clauses. The argument `variables` is the number of old names.
fn rename(clauses: &mut [Vec<u32>], order: &[u32], variables: usize) {
    let mut new = vec![u32::MAX; variables];
    for (index, &old) in (0..).zip(order) {
        new[old as usize] = index;
    }
    clauses.iter_mut().flatten().for_each(|lit| *lit = 2 * new[(*lit >> 1) as usize] + (*lit & 1));
}

/// Returns the graph of the variables: two variables are adjacent if they occur in the same clause.
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
