//! Compares sequences of random calls to a solver with brute force.

use proptest::prelude::*;
use proptest::test_runner::TestRunner;

use super::*;

/// A sequence of solver calls: the list of all clauses, and for each call, its assumptions and the number of clauses to
/// add before the call.
type Session = (Vec<Vec<i32>>, Vec<(usize, Vec<i32>)>);

fn literal(variables: i32) -> impl Strategy<Value = i32> {
    (1..=variables, any::<bool>())
        .prop_map(|(variable, positive)| if positive { variable } else { -variable })
}

fn session(variables: i32) -> impl Strategy<Value = Session> {
    let clause = prop::collection::vec(literal(variables), 1..=3).prop_map(|mut clause| {
        // A clause contains each variable at most once.
        clause.sort_by_key(|l| l.abs());
        clause.dedup_by_key(|l| l.abs());
        clause
    });
    prop::collection::vec(clause, 0..40).prop_flat_map(move |clauses| {
        let assumptions = prop::collection::vec(literal(variables), 0..5);
        let query = (0..=clauses.len(), assumptions);
        let queries = prop::collection::vec(query, 1..8).prop_map(|mut queries| {
            queries.sort_by_key(|query| query.0);
            queries
        });
        (Just(clauses), queries)
    })
}

/// Returns all assignments that satisfy the clauses. Bit `i` is the value of variable `i + 1`.
fn brute_force(clauses: &[Vec<i32>], variables: u32) -> Vec<u32> {
    let holds = |assignment: u32, l: i32| (assignment >> (l.unsigned_abs() - 1) & 1 == 1) == (l > 0);
    (0..1 << variables)
        .filter(|&assignment| clauses.iter().all(|clause| clause.iter().any(|&l| holds(assignment, l))))
        .collect()
}

fn run<S: Strategy>(cases: u32, strategy: &S, test: impl Fn(S::Value)) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    TestRunner::new(config)
        .run(strategy, |value| {
            test(value);
            Ok(())
        })
        .unwrap();
}

pub(super) fn random_sessions(solver: &Solver) {
    run(200, &session(7), |(clauses, queries)| {
        let mut backend = make(solver);
        let mut taken = 0;
        for (known, assumptions) in queries {
            for clause in &clauses[taken..known] {
                add(&mut *backend, clause);
            }
            taken = known;
            let mut formula = clauses[..known].to_vec();
            formula.extend(assumptions.iter().map(|&assumption| vec![assumption]));
            let satisfiable = !brute_force(&formula, 7).is_empty();
            let assumed: Vec<Lit> = assumptions.iter().copied().map(lit).collect();
            assert_eq!(checked(&mut *backend, &assumed) == Satisfiable, satisfiable);
            if satisfiable {
                for clause in &formula {
                    assert!(clause.iter().any(|&l| backend.value(lit(l)) == Some(true)), "{clause:?}");
                }
            }
        }
    });
}

pub(super) fn enumeration(solver: &Solver) {
    run(60, &session(6), |(clauses, _)| {
        let mut backend = make(solver);
        for clause in &clauses {
            add(&mut *backend, clause);
        }
        let mut found = 0;
        while solve(&mut *backend, &[]) == Satisfiable {
            // An unassigned variable may have either value.
            let blocking: Vec<i32> = (1..=6)
                .filter_map(|v| backend.value(lit(v)).map(|value| if value { -v } else { v }))
                .collect();
            found += 1 << (6 - blocking.len());
            add(&mut *backend, &blocking);
        }
        assert_eq!(found, brute_force(&clauses, 6).len());
    });
}
