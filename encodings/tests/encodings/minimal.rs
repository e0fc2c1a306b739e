//! Tests that encodings write no redundant clauses, except for declared reasons.
//!
//! A clause is *redundant* if removing it changes neither the models, projected to the scope of the constraint, nor
//! the result of unit propagation from any partial assignment of the scope. If the encoding preserves the number of
//! solutions, the number of models must not change either. For each redundant clause, the test determines the reason,
//! which the encoding must declare.

use crate::formula::{Case, Formula, each_choice};
use crate::propagate::Propagator;
use crate::samples::cases;
use crate::strength::{bounded, propagated};
use gordian_encodings::{Lit, ModelCount, Var};
use std::collections::{BTreeMap, BTreeSet};

/// The value of `Sample::trials` for most samples.
pub(crate) const MOST_TRIALS: usize = 60_000;

/// Returns the checked properties of the formula: the result of unit propagation from every partial assignment of the
/// scope, and the number of models (at most 2) for every total assignment. If `without` is given, the clause with this
/// number is left out.
fn seen(case: &Case, formula: &Formula, without: Option<usize>) -> Option<Vec<Vec<u32>>> {
    let mut propagator = Propagator::new(&formula.cnf, without);
    let all = crate::strength::partial_assignments(formula)?;
    let mut seen = Vec::new();
    for masks in &all {
        seen.push(propagated(formula, &mut propagator, masks).unwrap_or_default());
        let bounds = bounded(formula, &mut propagator, masks).unwrap_or_default();
        seen.push(bounds.iter().flat_map(|&(least, greatest)| [least as u32, greatest as u32]).collect());
    }
    let enough = if case.count == ModelCount::Kept { 2 } else { 1 };
    let sizes: Vec<usize> = formula.variables.iter().map(|variable| variable.values.len()).collect();
    each_choice(&sizes, &mut |choice| {
        seen.push(vec![propagator.models(&formula.exactly(choice), enough) as u32]);
    });
    Some(seen)
}

/// The reason why a clause is redundant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Why {
    /// Unit propagation on the remaining clauses refutes the negation of the clause.
    Implied,
    /// The clause defines an auxiliary literal that only redundant clauses use. The clause is blocked, possibly after
    /// other blocked clauses are removed, or unit propagation implies all its resolvents on the auxiliary literal.
    Unread,
    /// The remaining clauses entail the clause, but unit propagation does not prove it.
    Entailed,
    /// The remaining clauses do not entail the clause, but the clause excludes only alternative values of auxiliary
    /// literals. Without the clause, the formula has the same models in the scope of the constraint.
    Alternative,
}

use Why::{Alternative, Entailed, Implied, Unread};

/// The encodings with redundant clauses, each with its declared reasons. If an encoding posts further constraints, its
/// reasons include the reasons of the posted constraints.
const REDUNDANT: &[(&str, &str, &[Why])] = &[
    ("at-most-one", "bitwise", &[Unread]),
    ("at-most-one", "bimander", &[Unread]),
    ("at-most-one", "product", &[Alternative]),
    ("cardinality", "modulo-totalizer", &[Implied, Unread, Entailed, Alternative]),
    ("cardinality", "k-modulo-totalizer", &[Implied, Unread, Entailed, Alternative]),
    ("cardinality", "cardinality-network", &[Implied, Unread, Alternative]),
    ("cardinality", "sorting-network", &[Implied, Unread, Alternative]),
    ("cardinality", "adder", &[Implied, Unread]),
    ("linear", "order", &[Implied, Unread, Alternative]),
    ("linear", "bdd", &[Unread, Alternative]),
    ("linear", "mdd", &[Implied, Unread, Entailed]),
    ("linear", "generalized-totalizer", &[Implied, Unread, Alternative]),
    ("linear", "dynamic-watchdog", &[Implied, Unread, Entailed, Alternative]),
    ("linear", "global-watchdog", &[Implied, Unread, Entailed, Alternative]),
    ("linear", "local-watchdog", &[Implied, Unread, Alternative]),
    ("linear", "sequential-weight-counter", &[Implied, Unread, Alternative]),
    ("linear", "adder", &[Implied, Unread, Entailed]),
    ("equality", "direct", &[Implied]),
    ("equality", "log", &[Implied, Unread, Alternative]),
    ("equality", "linear", &[Alternative]),
    ("product", "support", &[Implied]),
    ("product", "multiplier", &[Implied, Unread, Entailed]),
    ("division", "support", &[Implied]),
    ("division", "linear", &[Unread]),
    ("truncated-division", "support", &[Implied]),
    ("truncated-division", "multiplier", &[Implied, Unread, Alternative]),
    ("power", "support", &[Implied]),
    ("power", "cases", &[Implied]),
    ("absolute", "linear", &[Implied, Unread]),
    ("minimum", "order", &[Implied]),
    ("minimum", "linear", &[Implied]),
    ("maximum", "order", &[Implied]),
    ("maximum", "linear", &[Implied]),
    ("all-different", "pigeon-hole", &[Implied]),
    ("all-different", "linear", &[Implied, Unread, Alternative]),
    ("permutation", "direct", &[Implied]),
    ("permutation", "count", &[Implied]),
    ("table", "support", &[Implied, Unread]),
    ("table", "binary-support", &[Implied]),
    ("table", "rows", &[Implied, Unread]),
    ("element", "support", &[Implied]),
    ("element", "log", &[Implied, Unread]),
    ("automaton", "layered-graph", &[Implied, Unread, Entailed]),
    ("automaton", "states", &[Implied, Unread]),
    ("value-precedence", "prefix", &[Implied]),
    ("cumulative", "time", &[Implied, Unread]),
    ("cumulative", "task", &[Implied, Unread, Alternative]),
    ("circuit", "positions", &[Implied, Unread, Alternative]),
    ("circuit", "positions-log", &[Implied, Unread, Entailed, Alternative]),
    ("inverse", "channel", &[Implied]),
    ("reified", "half-reification", &[Implied, Unread, Alternative]),
    ("negation", "inward", &[Implied, Unread, Alternative]),
    ("conjunction", "each", &[Implied]),
    ("disjunction", "selectors", &[Implied, Alternative]),
    ("connectivity", "layers", &[Implied, Unread, Alternative]),
    ("connectivity", "tree", &[Implied, Unread, Alternative]),
    ("connectivity", "tree-log", &[Implied, Unread, Entailed, Alternative]),
    ("disconnection", "layers", &[Implied, Unread]),
    ("disconnection", "parts", &[Implied, Unread, Alternative]),
    ("components", "distances", &[Implied, Unread, Alternative]),
    ("component-size", "distances", &[Implied, Unread]),
    ("acyclic", "levels", &[Unread, Alternative]),
    ("acyclic", "levels-log", &[Unread, Alternative]),
    ("acyclic", "transitive-closure", &[Unread, Alternative]),
    ("acyclic", "vertex-elimination", &[Unread]),
    ("acyclic", "connections", &[Implied]),
    ("path", "degrees", &[Implied, Unread, Alternative]),
    ("disjoint-paths", "labels", &[Implied, Unread, Alternative]),
];

/// Returns the declared reasons of an encoding.
fn reasons(name: &str, encoding: &str) -> BTreeSet<Why> {
    let rows = REDUNDANT.iter().filter(|row| (row.0, row.1) == (name, encoding));
    rows.flat_map(|row| row.2).copied().collect()
}

/// The clauses of a formula, and the variables in the scope of the constraint.
struct Clauses<'f> {
    all: Vec<&'f [Lit]>,
    inputs: BTreeSet<Var>,
    /// True for each clause that is blocked on an auxiliary literal, possibly after other blocked clauses are removed.
    blocked: Vec<bool>,
}

impl<'f> Clauses<'f> {
    fn new(formula: &'f Formula) -> Self {
        let all: Vec<&[Lit]> = formula.cnf.iter().collect();
        let lits =
            formula.variables.iter().flat_map(|variable| variable.equal.iter().chain(&variable.at_most));
        let inputs = lits.map(|lit| lit.var()).collect();
        let blocked = vec![false; all.len()];
        let mut clauses = Self { all, inputs, blocked };
        // The order in which blocked clauses are removed does not affect the result.
        loop {
            let before = clauses.blocked.iter().filter(|&&blocked| blocked).count();
            for number in formula.first_own..formula.last_own {
                clauses.blocked[number] = clauses.blocked[number] || clauses.is_blocked(number);
            }
            if clauses.blocked.iter().filter(|&&blocked| blocked).count() == before {
                return clauses;
            }
        }
    }

    /// Returns whether the clause has an auxiliary literal such that all resolvents on this literal are tautologies.
    fn is_blocked(&self, number: usize) -> bool {
        let clause = self.all[number];
        let holds = |other: &[Lit], lit: Lit| other.iter().any(|&m| m != !lit && clause.contains(&!m));
        self.auxiliary(number).any(|lit| self.against(lit).all(|other| holds(other, lit)))
    }

    fn auxiliary(&self, number: usize) -> impl Iterator<Item = Lit> {
        self.all[number].iter().copied().filter(|lit| !self.inputs.contains(&lit.var()))
    }

    /// Returns the clauses that contain the negation of the literal and are not marked as blocked.
    fn against(&self, lit: Lit) -> impl Iterator<Item = &'f [Lit]> {
        let open = self.all.iter().zip(&self.blocked).filter(|&(_, &blocked)| !blocked);
        open.map(|(&clause, _)| clause).filter(move |clause| clause.contains(&!lit))
    }

    fn why(&self, formula: &Formula, number: usize) -> Why {
        let mut propagator = Propagator::new(&formula.cnf, Some(number));
        let negated: Vec<Lit> = self.all[number].iter().map(|&lit| !lit).collect();
        if propagator.under(&negated, |_| ()).is_none() {
            return Implied;
        }
        let mut implied_with = |other: &[Lit], lit: Lit| {
            let rest = other.iter().filter(|&&m| m != !lit).map(|&m| !m);
            propagator.under(&negated.iter().copied().chain(rest).collect::<Vec<_>>(), |_| ()).is_none()
        };
        let unread = self.blocked[number]
            || self.auxiliary(number).any(|lit| {
                let against = self.all.iter().enumerate().filter(|&(other, _)| other != number);
                against.filter(|(_, other)| other.contains(&!lit)).all(|(_, other)| implied_with(other, lit))
            });
        if unread {
            Unread
        } else if propagator.models(&negated, 1) == 0 {
            Entailed
        } else {
            // Without the clause, the formula has the same checked properties. Hence the clause only excludes values
            // of auxiliary literals.
            Alternative
        }
    }
}

#[test]
fn every_clause_is_needed_or_declared_redundant() {
    let mut needless = Vec::new();
    let mut declared: BTreeMap<(&str, &str), BTreeSet<Why>> = BTreeMap::new();
    for case in cases().into_iter().filter(|case| case.plain && case.is_small()) {
        let formula = case.formula();
        let partial = crate::strength::partial_assignments(&formula).map_or(usize::MAX, |all| all.len());
        if partial.saturating_mul(formula.last_own - formula.first_own) > case.trials {
            continue;
        }
        let Some(whole) = seen(&case, &formula, None) else { continue };
        let reasons: BTreeSet<Why> = reasons(case.name, case.encoding);
        // The declared reasons that have not occurred so far.
        let open = declared.entry((case.name, case.encoding)).or_insert_with(|| reasons.clone());
        let mut clauses = None;
        for number in formula.first_own..formula.last_own {
            if seen(&case, &formula, Some(number)).as_ref() != Some(&whole) {
                continue;
            }
            let clauses = clauses.get_or_insert_with(|| Clauses::new(&formula));
            let why = clauses.why(&formula, number);
            open.remove(&why);
            if !reasons.contains(&why) {
                let clause = formula.cnf.clause_at(number);
                needless.push(format!(
                    "{}: {why:?} {clause:?} of {:?}",
                    case.label(),
                    &clauses.all[formula.first_own..]
                ));
            }
        }
    }
    assert!(needless.is_empty(), "a clause is redundant:\n{}", needless.join("\n"));
    let unknown = |row: &&(&'static str, &'static str, _)| !declared.contains_key(&(row.0, row.1));
    assert_eq!(REDUNDANT.iter().find(unknown), None, "a row of no encoding");
    declared.retain(|_, open| !open.is_empty());
    assert!(declared.is_empty(), "declared of encodings that have no such clause: {declared:?}");
}
