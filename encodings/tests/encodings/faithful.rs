//! Tests that the formula of an encoding is equivalent to the constraint.

use crate::formula::{Case, Formula, each_choice};
use crate::propagate::Propagator;
use crate::samples::cases;
use gordian_encodings::{Lit, ModelCount};

/// Checks for each total assignment that the formula has a model if and only if the constraint holds. If the encoding
/// preserves the number of solutions, the model must also be unique.
fn check(case: &Case, formula: &Formula, extra: &[Lit], required: bool, one_each: bool) {
    let mut propagator = Propagator::new(&formula.cnf, None);
    let sizes: Vec<usize> = formula.variables.iter().map(|variable| variable.values.len()).collect();
    each_choice(&sizes, &mut |choice| {
        let mut lits = formula.exactly(choice);
        lits.extend_from_slice(extra);
        let expected = usize::from(!required || formula.solutions.iter().any(|solution| solution == choice));
        let enough = if one_each { 2 } else { 1 };
        assert_eq!(
            propagator.models(&lits, enough),
            expected,
            "{}, {choice:?} under {extra:?}:\n{:?}",
            case.label(),
            formula.cnf.iter().collect::<Vec<_>>()
        );
    });
}

#[test]
fn models_are_the_solutions() {
    for mut case in cases().into_iter().filter(Case::is_small) {
        let views: &[&str] = if case.model.integer_variables().next().is_none() {
            &["auto"]
        } else {
            &["auto", "order", "direct", "log"]
        };
        for view in views {
            case.encodings.choose_named("integers", view).unwrap();
            for first in [true, false] {
                check(&case, &case.formula_with(false, first), &[], true, case.count == ModelCount::Kept);
            }
        }
    }
}

#[test]
fn constraints_apply_only_under_their_condition() {
    for case in cases().into_iter().filter(Case::is_small) {
        for first in [true, false] {
            let formula = case.formula_with(true, first);
            check(&case, &formula, &[formula.condition], true, false);
            check(&case, &formula, &[!formula.condition], false, false);
        }
    }
}

#[test]
fn the_number_of_models_is_preserved_on_request() {
    for mut case in cases().into_iter().filter(Case::is_small) {
        if case.count == ModelCount::Lost {
            continue;
        }
        case.encodings = case.encodings.keep_count();
        check(&case, &case.formula(), &[], true, true);
        let formula = case.formula_with(true, true);
        check(&case, &formula, &[formula.condition], true, true);
        check(&case, &formula, &[!formula.condition], false, true);
    }
}
