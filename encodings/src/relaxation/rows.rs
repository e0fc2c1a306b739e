//! The constraints of the linear relaxation of a model.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use crate::cancel::tick;
use crate::constraint::{Atom, Comparison, Linear, Term};
use crate::int::{Domains, IntVar, Value};
use crate::linear_sum::LinearSum;
use crate::lit::{FALSE, Lit, TRUE};
use crate::model::Model;

/// The maximum number of coefficients of a relaxation, including zeros.
const MOST_ENTRIES: usize = 3_000_000;
/// The maximum total length of the clauses in a relaxation, and the maximum total number of terms of its other
/// constraints. Clauses and constraints after the limit are left out. They would exceed [`MOST_ENTRIES`] anyway.
const MOST_TERMS: usize = 1_000_000;
/// The maximum number of literals `x = v` that are created for the relaxation. With more of them, the relaxation would
/// exceed [`MOST_ENTRIES`] if it has a few hundred constraints.
const MOST_VALUES: u32 = 5_000;
/// At-most-one groups are merged only if the squares of their sizes add up to at most this number.
const MOST_PAIRS: usize = 500_000;

/// A linear constraint in normal form: no term occurs twice, and all literals are positive.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub(super) terms: Vec<(Value, Term)>,
    pub(super) lower: Option<Value>,
    pub(super) upper: Option<Value>,
}

impl Row {
    /// Converts a linear constraint to normal form. Returns `None` for a constraint without terms, for a disequality,
    /// and on overflow.
    fn new(linear: &Linear, domains: Domains<'_>) -> Option<Self> {
        let sum = LinearSum::of(&linear.terms, domains).ok()?;
        let bound = linear.bound.checked_sub(sum.constant)?;
        let terms: Vec<(Value, Term)> = sum.terms().collect();
        let (lower, upper) = match linear.comparison {
            Comparison::AtMost => (None, Some(bound)),
            Comparison::AtLeast => (Some(bound), None),
            Comparison::Equal => (Some(bound), Some(bound)),
            Comparison::NotEqual => return None,
        };
        (!terms.is_empty()).then_some(Self { terms, lower, upper })
    }

    /// Returns the row as a linear constraint: an equation, or an inequality with one bound.
    pub(super) fn linear(&self) -> Option<Linear> {
        let (comparison, bound) = match (self.lower, self.upper) {
            (Some(bound), Some(_)) => (Comparison::Equal, bound),
            (Some(bound), None) => (Comparison::AtLeast, bound),
            (None, bound) => (Comparison::AtMost, bound?),
        };
        Some(Linear::new(self.terms.iter().copied(), comparison, bound))
    }

    fn of_lits(lits: &[Lit], comparison: Comparison, domains: Domains<'_>) -> Option<Self> {
        Self::new(&Linear::new(lits.iter().map(|&lit| (1, lit.into())), comparison, 1), domains)
    }
}

/// Returns the constraints of the linear relaxation. If the model has an objective, creates literals `x = v` for them.
pub(super) fn rows(model: &mut Model) -> Vec<Row> {
    let mut implied: Vec<Linear> = Vec::new();
    let mut clauses: Vec<Vec<Lit>> = Vec::new();
    let most = if model.objective().is_some() { MOST_VALUES } else { 0 };
    let (mut terms_of_implied, mut terms_of_clauses) = (0, 0);
    let (constraints, mut literals) = model.with_value_literals(most);
    for posted in constraints {
        if let Some(clause) = posted.constraint.clause(literals.domains()) {
            terms_of_clauses += clause.len();
            // Clauses with two literals are covered by the at-most-one groups.
            if terms_of_clauses > MOST_TERMS || clause.len() <= 2 {
                continue;
            }
            let lits = clause.iter().map(|atom| match atom {
                Atom::Lit(lit) => Some(*lit),
                Atom::Int(..) => None,
            });
            clauses.extend(lits.collect::<Option<Vec<_>>>());
        } else if terms_of_implied <= MOST_TERMS {
            let start = implied.len();
            implied.extend(posted.constraint.implied(&mut literals));
            let added = implied[start..].iter().map(|linear| linear.terms.len()).sum::<usize>();
            terms_of_implied += added;
            tick(added as u64);
        }
    }
    let mut groups = model.exclusive();
    groups.extend(implied.iter().filter_map(group));
    implied.retain(|linear| linear.comparison == Comparison::Equal || group(linear).is_none());
    let costs = model.objective().into_iter().flat_map(|objective| &objective.terms);
    let terms = implied.iter().flat_map(|linear| &linear.terms).chain(costs);
    let sums: HashSet<Term> =
        terms.map(|&(_, term)| term).filter(|term| matches!(term, Term::Int(_))).collect();
    let links = link_values(model, &sums);
    groups.extend(links.iter().filter_map(group));
    implied.extend(links);
    let domains = model.domains();
    let of_groups = |groups: &[Vec<Lit>], comparison| -> Vec<Row> {
        groups.iter().filter_map(|lits| Row::of_lits(lits, comparison, domains)).collect()
    };
    let mut rows = of_groups(&clauses, Comparison::AtLeast);
    rows.extend(implied.iter().filter_map(|linear| Row::new(linear, domains)));
    rows.extend(of_groups(&cliques(&groups), Comparison::AtMost));
    let mut seen = HashSet::new();
    rows.retain(|row| seen.insert(row.clone()));
    rows
}

/// If a constraint implies that at most one of its literals is true, returns these literals. Returns `None` for other
/// constraints.
fn group(linear: &Linear) -> Option<Vec<Lit>> {
    let is_group = matches!(linear.comparison, Comparison::AtMost | Comparison::Equal) && linear.bound == 1;
    let lits = linear.terms.iter().map(|&term| match term {
        (1, Term::Lit(lit)) if lit != TRUE => Some(lit),
        _ => None,
    });
    let lits: Vec<Lit> = if is_group { lits.collect::<Option<_>>()? } else { return None };
    Some(lits.into_iter().filter(|&lit| lit != FALSE).collect())
}

/// Merges at-most-one groups into maximal groups. Two literals that share a group also share a maximal group. If there
/// are too many pairs of literals, the groups are returned unchanged.
fn cliques(groups: &[Vec<Lit>]) -> Vec<Vec<Lit>> {
    let pairs: usize = groups.iter().map(|group| group.len() * group.len()).sum();
    if pairs > MOST_PAIRS {
        return groups.to_vec();
    }
    let mut excluded: HashMap<Lit, HashSet<Lit>> = HashMap::new();
    for group in groups {
        for &lit in group {
            excluded.entry(lit).or_default().extend(group.iter().copied().filter(|&other| other != lit));
        }
    }
    let mut order: Vec<Lit> = excluded.keys().copied().collect();
    order.sort_unstable();
    let mut covered = HashSet::new();
    let mut cliques = Vec::new();
    for &lit in &order {
        let mut others: Vec<Lit> = excluded[&lit].iter().copied().collect();
        others.sort_unstable();
        for &other in &others {
            if covered.contains(&(lit, other)) {
                continue;
            }
            tick(others.len() as u64);
            let mut clique = vec![lit, other];
            for &next in &others {
                if !clique.contains(&next) && clique.iter().all(|member| excluded[member].contains(&next)) {
                    clique.push(next);
                }
            }
            for &a in &clique {
                covered.extend(clique.iter().map(|&b| (a, b)));
            }
            cliques.push(clique);
        }
    }
    cliques
}

/// Returns constraints for each integer whose values all have literals `x = v`: exactly one of these literals is true, and,
/// if the integer is in `sums`, the integer is the sum of its values times their literals.
fn link_values(model: &Model, sums: &HashSet<Term>) -> Vec<Linear> {
    let mut rows = Vec::new();
    let mut lits: BTreeMap<IntVar, BTreeMap<Value, Lit>> = BTreeMap::new();
    for (x, value, lit) in model.value_literals() {
        lits.entry(x).or_default().insert(value, lit);
    }
    for (x, lits) in lits.into_iter().filter(|(x, lits)| lits.len() as u128 == model.domain(*x).size()) {
        rows.push(Linear::equal(lits.values().map(|&lit| (1, lit.into())), 1));
        if sums.contains(&x.into()) {
            let sum = lits.iter().map(|(&value, &lit)| (value, lit.into())).chain([(-1, x.into())]);
            rows.push(Linear::equal(sum, 0));
        }
    }
    rows
}

/// Returns the constraints that share terms with the cost, directly or through other constraints. The nearest
/// constraints come first, and the number of coefficients is limited. Also returns a map that numbers all terms of the
/// cost and of these constraints.
pub(super) fn related<'r>(cost: &[(Value, Term)], rows: &'r [Row]) -> (HashMap<Term, usize>, Vec<&'r Row>) {
    let mut rows_of: HashMap<Term, Vec<usize>> = HashMap::new();
    for (index, row) in rows.iter().enumerate() {
        for &(_, term) in &row.terms {
            rows_of.entry(term).or_default().push(index);
        }
    }
    let mut columns = HashMap::new();
    let mut waiting = VecDeque::new();
    for &(_, term) in cost {
        if !columns.contains_key(&term) {
            columns.insert(term, columns.len());
            waiting.push_back(term);
        }
    }
    let mut taken = Vec::new();
    let mut is_taken = vec![false; rows.len()];
    while let Some(term) = waiting.pop_front() {
        for &index in rows_of.get(&term).into_iter().flatten() {
            if std::mem::replace(&mut is_taken[index], true) {
                continue;
            }
            let row = &rows[index];
            let new = row.terms.iter().filter(|(_, term)| !columns.contains_key(term)).count();
            if (taken.len() + 1) * (columns.len() + new) > MOST_ENTRIES {
                return (columns, taken);
            }
            for &(_, term) in &row.terms {
                if !columns.contains_key(&term) {
                    columns.insert(term, columns.len());
                    waiting.push_back(term);
                }
            }
            taken.push(row);
        }
    }
    (columns, taken)
}
