//! Tests that the linear constraints of a relaxation hold in every solution of the constraint that implies them.

use std::collections::BTreeSet;

use gordian_encodings::constraint::Reified;
use gordian_encodings::{Assignment, Constraint as _, Lit, Model, Objective, Sense, TRUE, Term, Value};

use crate::formula::{Case, each_choice};
use crate::samples::cases;

/// Returns the solutions of a constraint. The literals `x = v` that the relaxation of `model` has created agree with the
/// integers.
fn solutions(case: &Case, model: &Model) -> Vec<Assignment> {
    let domains: Vec<Vec<Value>> =
        model.integer_variables().map(|x| model.domain(x).values().collect()).collect();
    let booleans = case.model.variables() as usize;
    let sizes: Vec<usize> = domains.iter().map(Vec::len).chain(vec![2; booleans]).collect();
    let bounds = model.bounds();
    let mut solutions = Vec::new();
    each_choice(&sizes, &mut |choice| {
        let (values, set) = choice.split_at(domains.len());
        let integers: Vec<Value> = domains.iter().zip(values).map(|(domain, &index)| domain[index]).collect();
        let mut all = vec![false; model.variables() as usize];
        for (value, &chosen) in all.iter_mut().zip(set) {
            *value = chosen == 1;
        }
        for (bound, lit) in &bounds {
            all[lit.vidx()] = bound.holds(integers[bound.variable.index()]);
        }
        let assignment = Assignment::new(all, integers);
        if case.constraint.holds(&assignment) {
            solutions.push(assignment);
        }
    });
    solutions
}

#[test]
fn implied_constraints_hold_in_every_solution() {
    let mut with_values = BTreeSet::new();
    for case in cases() {
        if case.encoding != "auto" || !case.is_small() || !case.model.bounds().is_empty() {
            continue;
        }
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..case.model.variables()).map(|_| model.boolean()).collect();
        let ints: Vec<_> =
            case.model.integer_variables().map(|x| model.integer(case.model.domain(x).clone())).collect();
        let (condition, then) = (TRUE, Some(case.constraint.clone()));
        model.post(Reified { condition, then, otherwise: None });
        for sense in [Sense::Minimise, Sense::Maximise] {
            let terms = ints.iter().map(|&x| Term::Int(x)).chain(lits.iter().map(|&lit| Term::Lit(lit)));
            let terms = terms.zip(1..).map(|(term, weight)| (weight % 4 + 1, term));
            model.set_objective(Objective::new(sense, terms.collect::<Vec<_>>()));
            model.relax();
            let Some(objective) = model.objective().filter(|objective| objective.relaxation.is_some()) else {
                continue;
            };
            let relaxation = objective.relaxation.as_ref().expect("a relaxation");
            if !model.bounds().is_empty() {
                with_values.insert(case.name);
            }
            for assignment in solutions(&case, &model) {
                for linear in &objective.linear {
                    assert!(linear.holds(&assignment), "{}: {linear:?} {assignment:?}", case.label());
                }
                let cost = objective.sense.cost(objective.value(&assignment)).expect("a small number");
                let terms: Value =
                    relaxation.terms.iter().map(|&(weight, term)| weight * assignment.term(term)).sum();
                let bound = relaxation.constant + terms;
                assert!(relaxation.scale * cost >= bound, "{}: {relaxation:?} {assignment:?}", case.label());
            }
        }
    }
    let expected =
        ["all-different", "circuit", "count", "element", "inverse", "permutation", "reified", "table"];
    assert_eq!(with_values, BTreeSet::from(expected));
}
