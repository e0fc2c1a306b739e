//! Tests of errors that are detected before solving, and of empty domains, objectives and preferred values.

use gordian_encodings::{Assignment, Cnf, Encodings, Sense, constant};
use gordian_flatzinc::{Problem, TranslateError, Violation, holds, text};

fn problem(text: &str) -> Result<Problem, TranslateError> {
    Problem::new(&text::read(text).expect("FlatZinc"))
}

/// Returns the error that presolve or the translation of an instance reports.
fn error(text: &str) -> TranslateError {
    problem(text).and_then(|problem| problem.translate()).expect_err("an error")
}

#[test]
fn all_unknown_constraints_are_named_at_once() {
    let text = "var 0..9: x;\nconstraint fancy(x);\nconstraint int_eq(x, 1);\nconstraint odd(x, x);\nconstraint fancy(x);\nsolve satisfy;\n";
    let error = error(text);
    assert_eq!(error.to_string(), "unknown constraint `fancy`, `odd`");
    let at = |name: &str| text.find(name).expect("the name");
    let places: Vec<usize> = error.places().iter().map(|place| place.0).collect();
    assert!(
        places[0].abs_diff(at("fancy")) <= "constraint ".len()
            && places[1].abs_diff(at("odd")) <= "constraint ".len()
    );
    assert!(matches!(error, TranslateError::Unknown(unknown) if unknown.len() == 2));
}

#[test]
fn wrong_arguments_are_errors() {
    let cases = [
        ("int_eq(x)", "wrong number of arguments of `int_eq`: found 1"),
        ("int_eq(x, x, b)", "wrong number of arguments of `int_eq`: found 3"),
        ("int_eq_reif(x, x, x)", "argument 3 of `int_eq_reif`: expected a Boolean"),
        (
            "int_lin_le([1, 2], [x], 3)",
            "argument 2 of `int_lin_le`: expected as many operands as coefficients",
        ),
        ("int_lin_le(x, [x], 3)", "argument 1 of `int_lin_le`: expected an array of integer constants"),
        ("set_in(x, x)", "argument 2 of `set_in`: expected a set constant"),
        ("array_bool_or([x], b)", "argument 1 of `array_bool_or`: expected an array of Booleans"),
    ];
    for (call, message) in cases {
        let text = format!("var 0..9: x;\nvar bool: b;\nconstraint {call};\nsolve satisfy;\n");
        assert_eq!(error(&text).to_string(), message);
    }
}

#[test]
fn overflow_is_an_error_with_the_constraint() {
    let large = "170141183460469231731687303715884105720";
    for call in [
        "int_lin_le([1, 1], [x, y], 7)",
        "int_lin_ne([3, 1], [x, y], 7)",
        "int_times(x, y, z)",
        "int_div(x, y, z)",
        "int_lin_eq_reif([2, 1], [x, y], 7, b)",
    ] {
        let text = format!(
            "var -{large}..{large}: x;\nvar -{large}..{large}: y;\nvar -{large}..{large}: z;\nvar bool: b;\nconstraint {call};\nsolve satisfy;\n"
        );
        let name = call.split_once('(').expect("a call").0;
        assert!(matches!(error(&text), TranslateError::Overflow(origin) if *origin.name == *name), "{call}");
    }
}

#[test]
fn huge_domains_are_encoded_or_refused() {
    let calls = [
        "int_abs(x, y)",
        "int_max(x, y, z)",
        "array_int_minimum(x, [y, 3, z])",
        "int_le(x, y)",
        "int_ne(x, y)",
        "int_plus(x, y, z)",
        "int_times(i, x, y)",
        "int_div(x, y, z)",
        "int_div(x, i, z)",
        "int_mod(x, y, z)",
        "int_mod(i, y, x)",
        "int_pow(x, i, z)",
        "int_pow(i, x, z)",
        "set_in(x, {1, 3, 5})",
        "array_var_int_element(x, [y, 3, z], i)",
        "array_var_int_element(i, [y, 3, z], x)",
        "gordian_element_int(x, {first}, [y, z], i)",
        "gordian_element_int(i, {first}, [y, z], x)",
        "fzn_all_different_int([x, y, z])",
        "fzn_alldifferent_except([x, y, z], 1..{first})",
        "fzn_all_equal_int([x, y, z])",
        "gordian_table_int([x, y], [{first}, 3, 7, {second}])",
        "fzn_count_eq([x, y], z, i)",
        "fzn_count_eq([x, i], {first}, z)",
        "fzn_among(x, [y, z], {1, 3, 5})",
        "fzn_global_cardinality([x, y], [3, {first}], [i, z])",
        "gordian_bin_packing_load([x, y], {first}, [x, i], [1, {first}])",
        "gordian_bin_packing_capa([x, i], 1, [i, i], [{first}, {first}])",
        "fzn_lex_less_int([x, i], [y, i])",
        "gordian_inverse([x, y], 1, [i, i], 1)",
        "gordian_inverse([x, i], {first}, [y, i], {first})",
        "gordian_circuit([x, y], 1)",
        "gordian_circuit([x, i], {first})",
        "fzn_value_precede_int(3, {first}, [x, y, z])",
        "fzn_value_precede_chain_int([3, 4], [x, y, z])",
        "fzn_cumulative([x, y], [i, i], [i, i], z)",
        "fzn_cumulative([i, i], [x, i], [i, y], i)",
        "fzn_disjunctive([x, y], [i, {first}])",
        "fzn_disjunctive_strict([x, i], [z, i])",
        "gordian_diffn(2, [x, i, y, i], [{first}, i, i, {second}])",
        "gordian_diffn_nonstrict(2, [x, {first}, y, {second}], [z, i, i, i])",
    ];
    // The bounds are powers of 2 below the largest number, 2^127 - 1. Encodings of comparisons support sums up to about
    // 2^125.
    for exponent in 118..127 {
        let most: i128 = 1 << exponent;
        let (first, second) = ((most - 1).to_string(), most.to_string());
        for (call, suffix) in calls.iter().flat_map(|call| ["", "_reif", "_imp"].map(|suffix| (call, suffix)))
        {
            let (name, arguments) = call.trim_end_matches(')').split_once('(').expect("a call");
            let arguments = arguments.replace("{first}", &first).replace("{second}", &second);
            let last = if suffix.is_empty() { "" } else { ", b" };
            let text = format!(
                "var -{most}..{most}: x;\nvar -5..{most}: y;\nvar {{-{most}, 0, 3, {most}}}: z;\nvar 0..9: i;\n\
                 var bool: b;\nconstraint {name}{suffix}({arguments}{last});\nsolve satisfy;\n"
            );
            match problem(&text).and_then(|problem| problem.translate()) {
                Ok(translation) => drop(translation.model.encode(&Encodings::auto(), &mut Cnf::default())),
                Err(error) => assert!(matches!(error, TranslateError::Overflow(_)), "{error}: {text}"),
            }
        }
    }
}

#[test]
fn empty_domains_are_unsatisfiable() {
    for text in [
        "var 1..0: x;\nsolve satisfy;\n",
        "var {}: x;\nconstraint int_eq(x, x);\nsolve satisfy;\n",
        "var 0..9: x;\nconstraint set_in(x, {});\nsolve satisfy;\n",
        "var 0..9: x;\nconstraint array_int_element(x, [], 3);\nsolve satisfy;\n",
        "var 0..9: x;\nconstraint array_int_maximum(x, []);\nsolve satisfy;\n",
        "constraint bool_clause([], []);\nsolve satisfy;\n",
    ] {
        let problem = problem(text).expect("no error");
        assert!(problem.is_unsatisfiable(), "{text}");
        let model = problem.translate().expect("no error").model;
        assert!(!model.holds(&Assignment::new(vec![], vec![])), "{text}");
    }
}

#[test]
fn reified_comparisons_take_no_variables() {
    let text = "var 0..9: x;\nvar bool: a;\nvar bool: b;\nvar bool: c;\nvar 0..1: i;\nconstraint int_eq_reif(x, 3, a);\nconstraint int_le_reif(x, 3, b);\nconstraint int_ne_reif(x, 3, c);\nconstraint bool2int(a, i);\nsolve satisfy;\n";
    let translation = problem(text).and_then(|problem| problem.translate()).expect("no error");
    assert_eq!(
        (translation.model.variables(), translation.model.constraints().len()),
        (2, 0),
        "x = 3 and x <= 3"
    );
}

#[test]
fn the_checker_names_what_is_violated() {
    let instance = text::read("var 0..9: x;\nvar 0..3: y = x;\nconstraint int_lt(x, y);\nsolve satisfy;\n")
        .expect("FlatZinc");
    let name = |values: &[i128]| match holds(&instance, values) {
        Err(Violation::Constraint(origin) | Violation::Variable { origin, .. }) => origin.name.to_string(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (name(&[10, 0]), name(&[1, 4]), name(&[1, 2]), name(&[1, 1])),
        ("x".into(), "y".into(), "y".into(), "int_lt".into())
    );
    assert_eq!(holds(&instance, &[1]), Err(Violation::Length { expected: 2, found: 1 }));
}

#[test]
fn objectives_and_search_annotations() {
    let text = "var 1..9: x :: output_var;\nvar bool: b :: output_var;\nsolve :: seq_search([int_search([x], input_order, indomain_max, complete), bool_search([b], input_order, indomain_min, complete)]) :: warm_start([b], [true]) maximize x;\n";
    let instance = text::read(text).expect("FlatZinc");
    let mut translation = Problem::new(&instance).and_then(|problem| problem.translate()).expect("no error");
    let objective = translation.model.objective().expect("an objective");
    assert_eq!((objective.sense, objective.terms.len()), (Sense::Maximise, 1));
    translation.prefer(&instance);
    let preferred = translation.model.preferred().to_vec();
    assert_eq!(preferred.len(), 1 + 8, "b, and x <= 1 to x <= 8");
    // The search annotation `indomain_max` prefers the literals `x > 1`, `x > 2`, ..., `x > 8`, and the warm start
    // prefers `b`.
    let mut model = translation.model;
    let x = model.integer_variables().next().expect("x");
    for value in 1..9 {
        let lit = model.at_most(x, value);
        assert!(constant(lit).is_none() && preferred.contains(&!lit));
    }
    assert!(preferred.iter().any(|&lit| lit.is_pos()), "b");
}

#[test]
fn a_choice_between_two_constants_needs_one_variable() {
    let text = "var 0..9: x :: output_var;\nvar bool: c :: output_var;\nvar bool: a;\nvar bool: b;\n\
        constraint int_eq_imp(x,3,a);\nconstraint int_eq_imp(x,7,b);\nconstraint bool_clause([a],[c]);\n\
        constraint bool_clause([b,c],[]);\nsolve satisfy;\n";
    let instance = text::read(text).expect("FlatZinc");
    let translation = Problem::new(&instance).and_then(|problem| problem.translate()).expect("no error");
    let mut cnf = gordian_encodings::Cnf::default();
    translation.model.encode(&gordian_encodings::Encodings::auto(), &mut cnf);
    assert_eq!((cnf.variables(), cnf.len()), (1, 0), "{cnf}");
}
