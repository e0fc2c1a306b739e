//! No clause can be left out, unless the technique says so.
//!
//! A clause that was dropped must be missed: the formula has other models, or unit propagation finds less, from some
//! partial assignment of the scope. A technique that keeps the number of solutions must miss it in the number.

use crate::formula::{Case, Formula, each_choice};
use crate::propagate::Propagator;
use crate::samples::cases;
use crate::strength::{bounded, propagated};
use gordian_encodings::Count;
use std::collections::BTreeMap;

/// The most partial assignments that are tried on a sample, over all of its clauses.
const MOST_TRIALS: usize = 60_000;

/// All that can be seen of a formula through its scope: what propagation does, and the number of models.
fn seen(case: &Case, formula: &Formula, without: Option<usize>) -> Option<Vec<Vec<u32>>> {
    let mut propagator = Propagator::new(&formula.cnf, without);
    let all = crate::strength::partial_assignments(formula)?;
    let mut seen = Vec::new();
    for masks in &all {
        seen.push(propagated(formula, &mut propagator, masks).unwrap_or_default());
        let bounds = bounded(formula, &mut propagator, masks).unwrap_or_default();
        seen.push(bounds.iter().flat_map(|&(least, greatest)| [least as u32, greatest as u32]).collect());
    }
    let enough = if case.count == Count::Kept { 2 } else { 1 };
    let sizes: Vec<usize> = formula.variables.iter().map(|variable| variable.values.len()).collect();
    each_choice(&sizes, &mut |choice| {
        seen.push(vec![propagator.models(&formula.exactly(choice), enough) as u32]);
    });
    Some(seen)
}

#[test]
fn every_clause_is_missed() {
    let mut needless = Vec::new();
    let mut redundant: BTreeMap<(&str, &str), bool> = BTreeMap::new();
    for case in cases().into_iter().filter(|case| case.plain && case.is_small()) {
        let formula = case.formula();
        let partial = crate::strength::partial_assignments(&formula).map_or(usize::MAX, |all| all.len());
        if partial.saturating_mul(formula.last_own - formula.first_own)
            > if case.thorough { 20 * MOST_TRIALS } else { MOST_TRIALS }
        {
            continue;
        }
        let Some(whole) = seen(&case, &formula, None) else { continue };
        for number in formula.first_own..formula.last_own {
            let missed = seen(&case, &formula, Some(number)).as_ref() != Some(&whole);
            if !missed && case.redundant.is_none() {
                let all: Vec<_> = formula.cnf.iter().skip(formula.first_own).collect();
                needless.push(format!("{}: {:?} of {all:?}", case.label(), formula.cnf.clause_at(number)));
            }
            if case.redundant.is_some() {
                *redundant.entry((case.meaning, case.technique)).or_default() |= !missed;
            }
        }
    }
    assert!(needless.is_empty(), "nothing is lost without\n{}", needless.join("\n"));
    for ((meaning, technique), found) in redundant {
        assert!(found, "{meaning}={technique} declares redundant clauses and has none");
    }
}
