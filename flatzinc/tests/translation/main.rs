//! Tests presolve and translation by comparison with brute force, which uses the checker.

mod errors;
mod formula;
mod graphs;
mod random;
mod unbounded;

use std::collections::BTreeSet;

use gordian_encodings::constraint::Linear;
use gordian_encodings::{Assignment, Encodings, Lit, Model, Value, constant, lit};
use gordian_flatzinc::instance::{Goal, Instance, Operand, VarDomain, VarId};
use gordian_flatzinc::{Problem, Translation, holds};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Cl, TernaryVal};

/// Returns all solutions of an instance, by trying every combination of values with the checker.
fn brute_force(instance: &Instance) -> BTreeSet<Vec<Value>> {
    let domains = instance.variables.iter().map(|variable| match &variable.domain {
        VarDomain::Bool => vec![0, 1],
        VarDomain::Int(domain) => domain.values().collect(),
        VarDomain::Unbounded => panic!("brute force needs bounds"),
    });
    let mut all: Vec<Vec<Value>> = vec![Vec::new()];
    for domain in domains {
        all = all
            .iter()
            .flat_map(|values| domain.iter().map(|&value| values.iter().copied().chain([value]).collect()))
            .collect();
    }
    all.into_iter().filter(|values| holds(instance, values).is_ok()).collect()
}

/// Returns all combinations of values that the presolved domains and the remaining constraints allow.
fn presolved(instance: &Instance, problem: &Problem) -> BTreeSet<Vec<Value>> {
    let kept: BTreeSet<usize> = problem.remaining().map(|origin| origin.place.0).collect();
    let mut rest = instance.clone();
    rest.constraints.retain(|call| kept.contains(&call.place.0));
    rest.variables.iter_mut().for_each(|variable| variable.value = None);
    brute_force(&rest).into_iter().filter(|values| problem.allows(values)).collect()
}

/// Returns all solutions of a translated model, found by a solver. Panics if a solution occurs twice.
fn by_solver(instance: &Instance, mut translation: Translation) -> BTreeSet<Vec<Value>> {
    translation.project(instance, false);
    let Translation { model, decoder, .. } = translation;
    let mut solver = rustsat_batsat::BasicSolver::default();
    let encoded = model.encode(&Encodings::auto(), &mut solver);
    let projection: Vec<Lit> =
        model.projection().iter().copied().filter(|&lit| constant(lit).is_none()).collect();
    let mut found = BTreeSet::new();
    while solver.solve().expect("no limit") == SolverResult::Sat {
        let value = |lit: Lit| match solver.lit_val(lit) {
            Ok(TernaryVal::True) => Some(true),
            Ok(TernaryVal::False) => Some(false),
            _ => None,
        };
        let assignment = encoded.assignment(value);
        let blocking: Vec<Lit> =
            projection.iter().map(|&lit| if lit::holds(lit, value) { !lit } else { lit }).collect();
        assert!(found.insert(decoder.values(&assignment)), "a solution was found twice");
        solver.add_clause_ref(Cl::new(&blocking)).expect("memory");
    }
    found
}

/// Returns a solution of the model, found by a solver.
fn solution(model: &Model) -> Option<Assignment> {
    let mut solver = rustsat_batsat::BasicSolver::default();
    let encoded = model.encode(&Encodings::auto(), &mut solver);
    if solver.solve().expect("no limit") != SolverResult::Sat {
        return None;
    }
    Some(encoded.assignment(|lit| solver.lit_val(lit).ok().map(|value| value == TernaryVal::True)))
}

/// Tests the translation of the objective by a linear search. Every solution that the search finds must have the same
/// objective value in the model and in the instance, and the last solution must be optimal.
fn check_objective(instance: &Instance, x: VarId) -> Result<(), TestCaseError> {
    let best = brute_force(instance).iter().map(|values| values[x.0 as usize]).min();
    let Translation { mut model, decoder, .. } =
        Problem::new(instance).and_then(|problem| problem.translate()).expect("small numbers");
    let mut found = None;
    while let Some(assignment) = solution(&model) {
        let values = decoder.values(&assignment);
        prop_assert!(holds(instance, &values).is_ok());
        let objective = model.objective().expect("an objective").clone();
        let value = objective.value(&assignment);
        prop_assert_eq!(value, values[x.0 as usize]);
        prop_assert!(found.replace(value).is_none_or(|before| value < before));
        model.post(Linear::at_most(objective.terms, value - 1 - objective.constant));
    }
    prop_assert_eq!(found, best);
    Ok(())
}

/// Tests that presolve and the translation preserve the set of solutions.
fn check(instance: &Instance) -> Result<(), TestCaseError> {
    let expected = brute_force(instance);
    let problem = Problem::new(instance).expect("small numbers");
    prop_assert!(problem.open().is_empty());
    prop_assert!(!problem.is_unsatisfiable() || expected.is_empty());
    prop_assert_eq!(&presolved(instance, &problem), &expected, "presolve");
    let translation = problem.translate().expect("small numbers");
    prop_assert_eq!(&by_solver(instance, translation), &expected, "translation");
    Ok(())
}

/// Tests that the solutions of the translated model are solutions of the instance, and that they have all combinations
/// of values of the output variables that solutions of the instance have.
fn check_outputs(instance: &Instance) -> Result<(), TestCaseError> {
    let outputs = |solutions: BTreeSet<Vec<Value>>| -> BTreeSet<Vec<Value>> {
        let value = |values: &[Value], operand: &Operand| match operand {
            Operand::Var(x) => values[x.0 as usize],
            other => panic!("{other:?} is not a variable"),
        };
        let elements = || instance.output.iter().flat_map(|output| output.elements.iter());
        solutions.iter().map(|values| elements().map(|x| value(values, x)).collect()).collect()
    };
    let translation = Problem::new(instance).and_then(|problem| problem.translate()).expect("small numbers");
    let found = by_solver(instance, translation);
    for values in &found {
        prop_assert!(holds(instance, values).is_ok(), "{values:?} is not a solution");
    }
    prop_assert_eq!(outputs(found), outputs(brute_force(instance)));
    Ok(())
}

#[test]
fn every_constraint_is_translated_faithfully() {
    for row in random::ROWS {
        let mut runner = TestRunner::new(ProptestConfig {
            cases: 60,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        let instances = random::instances(vec![*row], 1..3);
        runner
            .run(&instances, |instance| check(&instance.0))
            .unwrap_or_else(|error| panic!("{}: {error}", row.0));
    }
}

#[test]
fn every_constraint_of_the_table_is_tested() {
    // The calls of `fzn_on_restart_*` have no effect on a search without restarts. The tests of restarts cover these
    // calls.
    let untested: Vec<&str> = gordian_flatzinc::builtins::names()
        .filter(|name| !name.starts_with("fzn_on_restart_"))
        .filter(|name| random::ROWS.iter().all(|row| row.0 != *name))
        .collect();
    assert!(untested.is_empty(), "{untested:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn combinations_are_translated_faithfully(instance in random::instances(random::ROWS.to_vec(), 1..6)) {
        check(&instance.0)?;
    }

    #[test]
    fn objectives_are_replaced_by_their_definitions(
        instance in random::instances(DEFINITIONS.to_vec(), 1..5),
        objective in 3..6_u32,
    ) {
        let mut instance = instance.0;
        instance.goal = Goal::Minimise(Operand::Var(VarId(objective)));
        check(&instance)?;
        check_objective(&instance, VarId(objective))?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn outputs_and_objectives_are_preserved(
        instance in random::instances(CASES.to_vec(), 2..9),
        is_output in any::<[bool; 6]>(),
        objective in 3..6_u32,
    ) {
        let mut instance = instance.0;
        let mut is_output = is_output.into_iter();
        instance.output.retain(|_| is_output.next() == Some(true));
        check_outputs(&instance)?;
        instance.goal = Goal::Minimise(Operand::Var(VarId(objective)));
        check_objective(&instance, VarId(objective))?;
    }
}

/// The constraint types for the test of outputs: conditional expressions of `MiniZinc` become constraints of these types.
const CASES: &[random::Row] = &[
    ("int_eq_imp", "iib"),
    ("int_eq_imp", "ivb"),
    ("set_in_imp", "iSb"),
    ("int_le", "ii"),
    ("int_lin_eq", "VIv"),
    ("int_lin_le", "VIv"),
    ("bool_clause", "BB"),
    ("bool_clause", "BB"),
    ("bool_le", "bb"),
    ("array_bool_or", "B"),
    ("array_bool_and", "Bb"),
    ("bool2int", "bi"),
];

/// The constraint types for the test of objectives. Most of them are linear equations.
const DEFINITIONS: &[random::Row] =
    &[("int_lin_eq", "VIv"), ("int_plus", "iii"), ("bool2int", "bi"), ("int_le", "ii"), ("int_times", "iii")];
