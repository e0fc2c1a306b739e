//! Tests that the models of the formula of an instance are its solutions, by brute force with the checker.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use gordian_encodings::constraint::Linear;
use gordian_encodings::{Encodings, Lit, Model, Value};
use gordian_flatzinc::instance::{Argument, Instance, Operand, VarId};
use gordian_flatzinc::opb::{NoFormula, formula, integer};
use gordian_rules::opb::{Literal, Opb};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Cl, TernaryVal};

use crate::brute_force;
use crate::random::{self, Random};

/// Returns the models of the formula, each as the set of its true literals. Literals `less_K` are left out.
fn models(opb: &Opb) -> BTreeSet<Vec<usize>> {
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..opb.variables()).map(|_| model.boolean()).collect();
    for row in opb.rows() {
        let lit = |literal: Literal| {
            if literal.negated { !lits[literal.variable] } else { lits[literal.variable] }
        };
        let terms = row.terms.iter().map(|&(weight, literal)| (weight, lit(literal).into()));
        model.post(Linear::at_least(terms, row.bound));
    }
    let is_kept = |&variable: &usize| {
        let name = opb.name(Literal { variable, negated: false });
        !["less_", "row_", "apart_"].iter().any(|prefix| name.starts_with(prefix))
    };
    let kept: Vec<usize> = (0..opb.variables()).filter(is_kept).collect();
    let mut solver = rustsat_batsat::BasicSolver::default();
    let _ = model.encode(&Encodings::auto(), &mut solver);
    let mut found = BTreeSet::new();
    while solver.solve().expect("no limit") == SolverResult::Sat {
        let is_true =
            |variable: &usize| solver.lit_val(lits[*variable]).expect("a value") == TernaryVal::True;
        let (positive, negative): (Vec<usize>, Vec<usize>) = kept.iter().copied().partition(is_true);
        let blocking = positive.iter().map(|&at| !lits[at]).chain(negative.iter().map(|&at| lits[at]));
        let blocking: Vec<Lit> = blocking.collect();
        assert!(found.insert(positive), "a model was found twice");
        solver.add_clause_ref(Cl::new(&blocking)).expect("memory");
    }
    found
}

/// Returns the literals that are true in a solution.
fn literals(instance: &Instance, opb: &Opb, values: &[Value]) -> Vec<usize> {
    let mut all = Vec::new();
    for (index, &value) in (0..).zip(values) {
        let integer = integer(instance, VarId(index), |name| opb.find(&name)).expect("a small domain");
        let literals = integer.literals(value).expect("a value of the domain");
        all.extend(literals.iter().filter(|literal| !literal.negated).map(|literal| literal.variable));
    }
    all.sort_unstable();
    all
}

/// Compares the models of the formula with the solutions. Returns whether the instance has a formula.
fn check(instance: &Instance) -> Result<bool, TestCaseError> {
    let opb = match formula(instance) {
        Ok(opb) => opb,
        Err(NoFormula::Constraint(_)) => return Ok(false),
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    };
    let solutions = brute_force(instance);
    let expected: BTreeSet<Vec<usize>> =
        solutions.iter().map(|values| literals(instance, &opb, values)).collect();
    prop_assert_eq!(expected.len(), solutions.len());
    prop_assert_eq!(models(&opb), expected, "{}", opb);
    Ok(true)
}

/// Constraints without a formula.
const UNSUPPORTED: &[&str] = &[
    "fzn_lex_less_bool",
    "fzn_lex_less_int",
    "fzn_lex_lesseq_bool",
    "fzn_lex_lesseq_int",
    "gordian_automaton",
    "gordian_circuit",
    "gordian_connected",
    "gordian_subcircuit",
];
/// Constraints that have a formula only without a condition.
const WITHOUT_CONDITION: &[&str] = &[
    "array_bool_element",
    "array_int_element",
    "array_var_bool_element",
    "array_var_int_element",
    "fzn_cumulative",
    "fzn_disjunctive",
    "fzn_disjunctive_strict",
    "gordian_element_bool",
    "gordian_element_int",
    "int_abs",
    "int_times",
];
/// Constraints that have a formula only without a condition, or if they are half-reified.
const NOT_REIFIED: &[&str] = &[
    "array_int_maximum",
    "array_int_minimum",
    "fzn_all_different_int",
    "fzn_all_equal_int",
    "fzn_alldifferent_except",
    "fzn_alldifferent_except_0",
    "fzn_assume",
    "fzn_global_cardinality",
    "fzn_global_cardinality_closed",
    "fzn_global_cardinality_low_up",
    "fzn_global_cardinality_low_up_closed",
    "fzn_seq_precede_chain_int",
    "fzn_value_precede_chain_int",
    "fzn_value_precede_int",
    "gordian_bin_packing_capa",
    "gordian_bin_packing_load",
    "gordian_diffn",
    "gordian_diffn_nonstrict",
    "gordian_inverse",
    "gordian_table_bool",
    "gordian_table_int",
    "int_div",
    "int_max",
    "int_min",
    "int_mod",
    "int_pow",
    "int_pow_fixed",
];

/// Returns whether the constraint with the given name is expected to have a formula.
fn has_formula(name: &str) -> bool {
    let reified = name.strip_suffix("_reif");
    let half_reified = name.strip_suffix("_imp");
    let base = reified.or(half_reified).unwrap_or(name);
    !UNSUPPORTED.contains(&base)
        && (base == name || !WITHOUT_CONDITION.contains(&base))
        && (reified.is_none() || !NOT_REIFIED.contains(&base))
}

#[test]
fn every_constraint_is_stated_faithfully() {
    for row in random::ROWS {
        let mut runner = TestRunner::new(ProptestConfig {
            cases: 300,
            failure_persistence: None,
            ..ProptestConfig::default()
        });
        // For each name, the numbers of instances without and with a formula.
        let counts: RefCell<BTreeMap<String, [u32; 2]>> = RefCell::default();
        let check = |Random(instance): Random| {
            let call = &instance.constraints[0];
            let mut name = &*call.name;
            // A condition that is the constant `true` is no condition.
            if let Some(Argument::One(Operand::Bool(true))) = call.arguments.last() {
                name = name.strip_suffix("_imp").unwrap_or(name);
            }
            counts.borrow_mut().entry(name.to_owned()).or_default()[usize::from(check(&instance)?)] += 1;
            Ok(())
        };
        runner
            .run(&random::instances(vec![*row], 1..2), check)
            .unwrap_or_else(|error| panic!("{}: {error}", row.0));
        for (name, [without, with]) in counts.into_inner() {
            assert_eq!(with > 0, has_formula(&name), "{name}");
            // These formulas exist only if certain operands are constants (the value that is counted, the durations and
            // demands, or the entries of the table), or if few literals have a parity.
            let partly =
                ["fzn_count_", "fzn_cumulative", "fzn_disjunctive", "gordian_table_", "array_bool_xor"];
            let depends = partly.iter().any(|prefix| name.starts_with(prefix));
            assert!(with == 0 || without == 0 || depends, "{name}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn combinations_are_stated_faithfully(instance in random::instances(supported(), 1..5)) {
        check(&instance.0)?;
    }
}

/// Returns the rows of the constraints that have a formula.
fn supported() -> Vec<random::Row> {
    random::ROWS.iter().copied().filter(|row| has_formula(row.0)).collect()
}

fn written(model: &str) -> Result<Opb, NoFormula> {
    formula(&gordian_flatzinc::text::read(model).expect("a model"))
}

#[test]
fn formulas_have_the_documented_form() {
    let opb = written(
        "var {-2, 0, 3}: x; var 0..1: y; var bool: _b; var 2..2: c; var 1..2: variable_1 = c;\n\
         constraint int_lin_le([1, 2, 3], [x, y, c], 7);\n\
         constraint int_lin_ne_reif([2, 4], [x, y], 2, _b);\n\
         constraint set_in(x, {-2, 3});\n\
         solve satisfy;",
    );
    assert_eq!(
        opb.expect("a formula").to_string(),
        "* #variable= 6 #constraint= 8\n\
         1 ~x_le_m2 1 x_le_0 >= 1 ;\n\
         1 ~variable_5_le_1 >= 1 ;\n\
         * int_lin_le\n\
         2 x_le_m2 3 x_le_0 2 ~y_is_1 >= 4 ;\n\
         * int_lin_ne_reif\n\
         2 x_le_m2 3 x_le_0 2 ~y_is_1 5 ~variable_3_is_1 5 ~less_1 >= 5 ;\n\
         2 ~x_le_m2 3 ~x_le_0 2 y_is_1 4 ~variable_3_is_1 4 less_1 >= 4 ;\n\
         2 x_le_m2 3 x_le_0 2 ~y_is_1 4 variable_3_is_1 >= 4 ;\n\
         2 ~x_le_m2 3 ~x_le_0 2 y_is_1 3 variable_3_is_1 >= 3 ;\n\
         * set_in\n\
         1 x_le_m2 1 ~x_le_0 >= 1 ;\n"
    );
}

#[test]
fn models_without_a_formula_are_refused() {
    let variable = |model: &str| match written(model) {
        Err(NoFormula::Variable(origin)) => origin.name.to_string(),
        other => panic!("{model}: {other:?}"),
    };
    assert_eq!(variable("var 1..2: x; var int: y; solve satisfy;"), "y");
    assert_eq!(variable("var 1..10001: x; solve satisfy;"), "x");
    assert_eq!(variable("var {0, 70368744177665}: x; solve satisfy;"), "x");
    assert_eq!(written("var -1..-2: x; solve satisfy;").expect("a formula").rows()[0].bound, 1);
    let constraint = |call: &str| {
        let bools: Vec<String> = (1..=5).map(|at| format!("var bool: b{at};")).collect();
        let model = format!(
            "{} var 0..999: x; constraint bool_eq(b1, b2); constraint {call}; solve satisfy;",
            bools.join(" ")
        );
        match written(&model) {
            Ok(_) => None,
            Err(NoFormula::Constraint(origin)) => {
                assert_eq!(origin.place.0, model.find(call).expect("the call") - "constraint ".len());
                Some(origin.name.to_string())
            }
            Err(error) => panic!("{error}"),
        }
    };
    for (call, name) in [
        ("array_bool_xor([b1, b2, b3, b4])", None),
        ("array_bool_xor([b1, true, b2, b3, false, b4])", None),
        ("array_bool_xor([b1, b2, b3, b4, b5])", Some("array_bool_xor")),
        ("array_bool_xor_reif([b1, b2, b3, b4], b5)", Some("array_bool_xor_reif")),
        ("int_lin_le([70368744177664, 1], [x, x], 70368744177664)", None),
        ("int_lin_le([70368744177665, 1], [x, x], 3)", Some("int_lin_le")),
        ("int_lin_eq([1], [x], -70368744177665)", Some("int_lin_eq")),
        ("int_le(x, 170141183460469231731687303715884105727)", Some("int_le")),
        ("int_div(x, 2, 3)", None),
        ("int_div(x, x, 3)", Some("int_div")),
    ] {
        assert_eq!(constraint(call).as_deref(), name, "{call}");
    }
}
