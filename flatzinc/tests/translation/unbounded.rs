//! Tests of instances with unbounded integers, which are decided by presolve or by searching in windows.

use gordian_encodings::{Encodings, Lit, Value};
use gordian_flatzinc::instance::Instance;
use gordian_flatzinc::{Problem, holds, text};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::TernaryVal;

/// The outcome of searching in windows.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    Values(Vec<Value>),
    Unsatisfiable,
    Unknown,
}

/// Searches in growing windows of values up to `2^limit`.
fn search(instance: &Instance, limit: u32) -> Outcome {
    let problem = Problem::new(instance).expect("known constraints");
    let stages: Vec<u32> = if problem.open().is_empty() { vec![0] } else { (1..=limit).collect() };
    for k in stages {
        let Ok(translation) = problem.stage_for_one(k) else { return Outcome::Unknown };
        let mut solver = rustsat_batsat::BasicSolver::default();
        let encoded = translation.model.encode(&Encodings::auto(), &mut solver);
        let assumptions: Vec<Lit> = translation.windows().into_iter().collect();
        if solver.solve_assumps(&assumptions).expect("no limit") == SolverResult::Sat {
            let value = |lit: Lit| Some(solver.lit_val(lit).expect("a value") == TernaryVal::True);
            let values = translation.decoder.values(&encoded.assignment(value));
            holds(instance, &values).expect("a solution");
            return Outcome::Values(values);
        }
        // The core under the assumptions may contain windows that the refutation does not need, so the solver is
        // called again without assumptions.
        if solver.solve().expect("no limit") == SolverResult::Unsat {
            return Outcome::Unsatisfiable;
        }
    }
    Outcome::Unknown
}

fn instance(constraints: &str) -> Instance {
    let declared = |name| format!("var int: {name} :: output_var;\n");
    let integers = ["x", "y", "z", "u", "v", "w"].map(declared).concat();
    let booleans = "var bool: a;\nvar bool: b;\n";
    let constraints: Vec<String> =
        constraints.split(';').map(|call| format!("constraint {};\n", call.trim())).collect();
    text::read(&format!("{integers}{booleans}{}solve satisfy;\n", constraints.concat())).expect("FlatZinc")
}

/// Asserts that the search finds a solution with the given value of x.
fn satisfiable(x: Value, constraints: &str) {
    match search(&instance(constraints), 16) {
        Outcome::Values(values) => assert_eq!(values[0], x, "{constraints}"),
        other => panic!("{constraints}: {other:?}"),
    }
}

fn unsatisfiable(constraints: &str) {
    assert_eq!(search(&instance(constraints), 4), Outcome::Unsatisfiable, "{constraints}");
}

#[test]
fn solutions_are_found_in_windows() {
    // The solution has the smallest x with x^2 + y^2 = 85^2 and x > y > 40.
    satisfiable(
        68,
        "int_times(x, x, z); int_times(y, y, u); int_plus(z, u, 7225); int_lt(y, x); int_lt(40, y)",
    );
    // The problem is to find a two-digit number that is 4 times its digit sum and whose digits differ by 4.
    satisfiable(
        48,
        "int_div(x, 10, y); int_mod(x, 10, z); int_lin_eq([1, -4, -4], [x, y, z], 0); int_plus(y, 4, z)",
    );
    // The problem is to find a negative x with given remainders.
    satisfiable(
        -82,
        "int_mod(x, 3, -1); int_mod(x, 5, -2); int_mod(x, 7, -5); int_le(x, -1); int_le(-105, x)",
    );
    // The problem is to find x such that x^3 + 3 = 2200.
    satisfiable(13, "int_pow(x, 3, y); int_plus(y, 3, 2200)");
    // The solution is the larger root of x^2 - 37 x + 300 = 0.
    satisfiable(25, "int_times(x, x, y); int_lin_eq([1, -37], [y, x], -300); int_lt(y, z); int_lt(20, x)");
}

#[test]
fn linear_arithmetic_refutes() {
    unsatisfiable("int_lt(x, y); int_lt(y, x)");
    // Unsatisfiable, because the sum of three even numbers is even.
    unsatisfiable(
        "int_lin_eq([1, -2], [x, u], 0); int_lin_eq([1, -2], [y, v], 0); int_lin_eq([1, 1], [x, y], 2019)",
    );
    unsatisfiable(
        "int_lin_eq([6, 10, -15], [x, y, z], 1); int_lin_eq([2, -4], [x, y], 0); int_lin_eq([1, -2], [z, u], 1); int_lin_eq([1, -5], [x, v], 0)",
    );
    // Unsatisfiable, because x <= |x| = y <= max(y, z) = u < x is a contradiction.
    unsatisfiable("int_abs(x, y); int_max(y, z, u); int_lt(u, x)");
    // Unsatisfiable, because x must be odd by the first constraint and even by the second.
    unsatisfiable("int_mod(x, 6, 1); int_mod(x, 4, 2); int_lt(0, x)");
}

#[test]
fn residues_refute() {
    unsatisfiable("int_times(x, x, z); int_times(y, y, u); int_plus(u, 2, z)");
    // Unsatisfiable, because no sum of two squares is congruent to 3 modulo 4.
    unsatisfiable("int_times(x, x, z); int_times(y, y, u); int_plus(z, u, w); int_mod(w, 4, 3)");
    // Unsatisfiable, because no cube is congruent to 3 modulo 7.
    unsatisfiable("int_pow(x, 3, y); int_lin_eq([1, -7], [y, z], 3)");
    // Unsatisfiable, because no square is congruent to 2 or 3 modulo 4.
    unsatisfiable(
        "int_times(x, x, y); bool_clause([a, b], []); int_lin_eq_imp([1, -4], [y, z], 2, a); int_lin_eq_imp([1, -4], [y, z], 3, b)",
    );
    // Unsatisfiable, because the product of two consecutive integers is even.
    unsatisfiable("int_plus(x, 1, y); int_times(x, y, z); int_lin_eq([1, -2], [z, u], 1)");
}

#[test]
fn large_domains_do_not_converge_slowly() {
    let slow = "var 0..1000000000000: x;\nvar 0..1000000000000: y;\nconstraint int_lt(x, y);\nconstraint int_lt(y, x);\nsolve satisfy;\n";
    let problem = Problem::new(&text::read(slow).expect("FlatZinc")).expect("known constraints");
    assert!(problem.is_unsatisfiable());
}

#[test]
fn alternatives_of_linear_comparisons_are_decided() {
    // Unsatisfiable, because x and y are less than z, but one of them must be greater than z.
    unsatisfiable(
        "int_lt(x, z); int_lt(y, z); int_lt_imp(z, x, a); int_lt_imp(z, y, b); bool_clause([a, b], [])",
    );
    // Unsatisfiable, because x is 3, 5 or 7, and y equals x, but y is none of these values.
    unsatisfiable(
        "int_eq_reif(x, 3, a); set_in_reif(x, {5, 7}, b); bool_clause([a, b], []); int_eq(x, y); int_ne(y, 3); \
         int_lin_ne([1], [y], 5); int_ne(y, 7)",
    );
    satisfiable(0, "int_ne(x, y); int_ne(y, z); int_ne(x, z); int_eq_reif(x, y, a); set_in(x, 0..0)");
    // Unsatisfiable, because x + y must be odd, but also equal to 2 z or 4 z. Papadimitriou's bound is needed to prove
    // this.
    unsatisfiable(
        "int_lin_eq_imp([1, 1, -2], [x, y, z], 0, a); int_lin_eq_imp([1, 1, -4], [x, y, z], 0, b); \
         bool_clause([a, b], []); int_lin_eq([1, 1, -2], [x, y, u], 1)",
    );
}

#[test]
fn unknown_remains_unknown() {
    // The equation 2 x^2 = y^2 has only the solution 0 (proof by infinite descent).
    let descent = "int_times(x, x, z); int_times(y, y, u); int_lin_eq([2, -1], [z, u], 0); int_lt(0, x)";
    assert_eq!(search(&instance(descent), 4), Outcome::Unknown);
}

#[test]
fn a_better_objective_bounds_the_variables() {
    let text = "var int: x;\nvar int: y;\nconstraint int_times(x, x, y);\nconstraint int_le(0, x);\nconstraint int_lt(50, y);\nsolve minimize x;\n";
    let instance = text::read(text).expect("FlatZinc");
    let problem = Problem::new(&instance).expect("known constraints");
    assert!(!problem.open().is_empty());
    assert_eq!(problem.stage_for_one(8).expect("small numbers").windows().len(), problem.open().len());
    assert!(problem.better_than(9).open().is_empty());
    assert!(!problem.better_than(9).is_unsatisfiable());
    assert!(problem.better_than(8).is_unsatisfiable());
}

#[test]
fn objectives_without_a_bound_are_detected() {
    let is_unbounded = |constraints: &str, goal: &str| {
        let text = instance(constraints).to_string().replace("solve satisfy", goal);
        let problem = Problem::new(&text::read(&text).expect("FlatZinc")).expect("known constraints");
        problem.is_objective_unbounded()
    };
    for (constraints, goal) in [
        ("int_le(0, x)", "solve maximize x"),
        ("int_le(0, x); int_le(x, y); int_ne(x, 7)", "solve maximize x"),
        ("int_le(0, x); int_lin_eq([2, 3, -6], [x, y, z], 1); int_le(z, 9)", "solve maximize x"),
        ("int_lin_eq([1, 1, -1], [x, y, z], 0); int_le(0, x); int_le(0, y)", "solve maximize z"),
        ("int_plus(x, y, z); int_lin_le_imp([1, -1], [u, y], 0, a); set_in(x, 1..3)", "solve maximize z"),
        ("int_times(x, x, z)", "solve maximize z"),
        ("int_times(x, x, z); int_le(x, 5); int_le(x, y)", "solve maximize z"),
    ] {
        assert!(is_unbounded(constraints, goal), "{constraints}");
    }
    for (constraints, goal) in [
        ("int_le(0, x)", "solve minimize x"),
        ("int_le(x, y); int_le(y, 3)", "solve maximize x"),
        // The sum of x and y is at most 9.
        ("int_plus(x, y, z); int_plus(x, y, u); int_le(u, 9)", "solve maximize z"),
        ("int_plus(x, y, z); int_lin_le([1, 1], [x, y], 9); int_le(0, x)", "solve maximize z"),
        ("int_lin_le_reif([1], [x], 5, a); bool_eq(a, b); bool_clause([a], [])", "solve maximize x"),
        ("int_times(x, x, y); int_le(y, 50)", "solve maximize x"),
        ("int_times(x, x, z)", "solve minimize z"),
        ("int_times(x, x, z); int_times(x, y, u); int_le(u, 9); int_lt(0, y)", "solve maximize z"),
        ("int_times(x, x, z); int_le(z, y); int_le(y, 7)", "solve maximize z"),
        ("int_le(0, x)", "solve satisfy"),
    ] {
        assert!(!is_unbounded(constraints, goal), "{constraints}");
    }
}

#[test]
fn results_beyond_128_bits_differ_from_every_value() {
    let instance = instance("int_pow_reif(2, x, y, a); int_times_imp(x, x, y, b)");
    let values = |x, a, b| [x, 3, 0, 0, 0, 0, a, b];
    holds(&instance, &values(1 << 100, 0, 0)).expect("2^x and x^2 are not 3");
    holds(&instance, &values(1 << 100, 1, 0)).expect_err("2^x is not 3");
    holds(&instance, &values(1 << 100, 0, 1)).expect_err("x^2 is not 3");
}

#[test]
fn boolean_functions_without_a_result_are_true() {
    for (constraint, accepted) in [
        ("array_bool_and([a, b])", [false, false, true]),
        ("array_bool_or([a, b])", [false, true, true]),
        ("bool_and(a, b)", [false, false, true]),
        ("bool_or(a, b)", [false, true, true]),
    ] {
        for ((a, b), accepted) in [(0, 0), (0, 1), (1, 1)].into_iter().zip(accepted) {
            let found = holds(&instance(constraint), &[0, 0, 0, 0, 0, 0, a, b]);
            assert_eq!(found.is_ok(), accepted, "{constraint} with {a} and {b}");
        }
    }
}
