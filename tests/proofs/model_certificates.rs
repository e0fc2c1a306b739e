//! Tests the certificates of constraint models: the solver and the naive writer state the same formula, and
//! `gordian prove-check` accepts the certificates and rejects damaged ones. The ignored tests need veripb. The script
//! `.ci/run --all` installs veripb, and then runs the tests with `--ignored`.

#[path = "../../flatzinc/tests/translation/random.rs"]
mod random;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use crate::support::{checker, gordian, prove_check, refused, stderr, stdout};
use gordian::certificate::{ClaimType, StatedClaim};
use gordian::flatzinc::Flat;
use gordian::puzzle::{Puzzle, Query};
use gordian::query::Silent;
use gordian::query::certificate::{self, Claim};
use gordian::rules::opb;
use gordian::search::Config;
use gordian_flatzinc::instance::{Goal, Operand, VarId};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use tempfile::TempDir;

/// Returns the formula and the proof of a certificate, and the claim. Returns `None` if the result needs no proof, or if
/// proofs do not support the model. Then the model has no formula.
fn certified(model: &Flat, query: Query) -> Option<(StatedClaim, String, Vec<u8>)> {
    let has_formula = model.rules_formula().expect("models have formulas").formula().is_ok();
    if model.formulate_for_proof(&query).is_err() {
        return None;
    }
    assert!(has_formula, "only the solver supports the model");
    let (outcome, certificate) =
        certificate::run(model, query, &Config::default(), &mut Silent).expect("a result");
    let certificate = certificate?;
    let claim = match certificate.claim {
        Claim::NoSolution => ClaimType::NoSolution,
        Claim::Unique => ClaimType::Unique,
        Claim::Optimal => ClaimType::Optimal(query.objective().expect("an objective").name.to_owned()),
        Claim::Backbone => ClaimType::Backbone,
    };
    let solutions = match claim {
        ClaimType::Backbone => outcome.witnesses,
        _ => outcome.solution.into_iter().collect(),
    };
    let claim = StatedClaim { claim, solutions };
    let (mut formula, mut proof) = (Vec::new(), Vec::new());
    certificate.write(&mut formula, &mut proof).expect("a proof");
    Some((claim, String::from_utf8(formula).expect("UTF-8"), proof))
}

/// Runs `test` on the certificates of random models. Asserts that each claim occurs.
fn on_random_models(cases: u32, test: impl Fn(&Flat, StatedClaim, &str, &[u8]) -> Result<(), TestCaseError>) {
    let config = ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() };
    let counts: RefCell<BTreeMap<String, u32>> = RefCell::default();
    let models = random::instances(random::ROWS.to_vec(), 1..5);
    let result =
        TestRunner::new(config).run(&(models, 0..5_u8, 0..6_u32, 0..64_u8), |(model, query, x, shown)| {
            let mut instance = model.0;
            // An objective need not be an output variable. A solution with few output variables is often unique.
            let shown = if query == 1 { 1 << x } else { shown };
            let mut index = 0..;
            instance.output.retain(|_| index.next().is_some_and(|index| shown >> index & 1 == 1));
            let objective = Operand::Var(VarId(x));
            instance.goal = match query {
                2 => Goal::Minimise(objective),
                3 => Goal::Maximise(objective),
                _ => Goal::Satisfy,
            };
            let model = Flat::new(Arc::new(instance)).expect("small numbers");
            let query = match model.puzzle_type().objectives {
                [objective] => Query::Optimise(objective),
                _ if query == 0 => Query::Satisfy,
                _ if query == 4 => Query::Backbone,
                _ => Query::Unique,
            };
            let Some((claim, formula, proof)) = certified(&model, query) else { return Ok(()) };
            *counts.borrow_mut().entry(format!("{:?}", claim.claim)).or_default() += 1;
            test(&model, claim, &formula, &proof)
        });
    result.unwrap_or_else(|error| panic!("{error}"));
    let counts = counts.into_inner();
    let claims: Vec<&str> = counts.keys().map(String::as_str).collect();
    assert_eq!(
        claims,
        ["Backbone", "NoSolution", "Optimal(\"maximise\")", "Optimal(\"minimise\")", "Unique"],
        "{counts:?}"
    );
}

#[test]
fn both_writers_state_the_same_formula() {
    on_random_models(3000, |model, claim, formula, _| {
        prop_assert_eq!(claim.check_solutions(model), Ok(()));
        let (rules, opposite) = claim.formula(model).map_err(TestCaseError::fail)?;
        let formula = opb::read(formula).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let differences = opb::unstated(&rules, &opposite, &formula);
        prop_assert!(differences.is_empty(), "{:?}\n{}\nNAIVE\n{}", differences, formula, rules);
        Ok(())
    });
}

#[test]
#[ignore = "needs veripb"]
fn certificates_of_random_models_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    on_random_models(600, |_, _, formula, proof| {
        let [opb, pbp] = ["checked.opb", "checked.pbp"].map(|name| directory.path().join(name));
        fs::write(&opb, formula).expect("a file");
        fs::write(&pbp, proof).expect("a file");
        let output = checker("veripb").args([&opb, &pbp]).output().expect("veripb runs");
        prop_assert!(stdout(&output).contains("s VERIFIED UNSATISFIABLE"), "{}{}", stdout(&output), formula);
        Ok(())
    });
}

/// A model without a solution.
const IMPOSSIBLE: &str = "\
    var 1..3: x :: output_var;\n\
    var 1..3: y :: output_var;\n\
    constraint int_lin_le([1, 1], [x, y], 3);\n\
    constraint int_lin_le([-1, 1], [x, y], -2);\n\
    solve satisfy;\n";
/// The same model in FlatZinc JSON.
const IMPOSSIBLE_JSON: &str = r#"{
  "variables": {"x": {"type": "int", "domain": [[1, 3]]}, "y": {"type": "int", "domain": [[1, 3]]}},
  "arrays": {},
  "constraints": [
    {"id": "int_lin_le", "args": [[1, 1], ["x", "y"], 3]},
    {"id": "int_lin_le", "args": [[-1, 1], ["x", "y"], -2]}
  ],
  "output": ["x", "y"],
  "solve": {"method": "satisfy"}
}
"#;
/// The same model in XCSP3.
const IMPOSSIBLE_XML: &str = "\
    <instance format=\"XCSP3\" type=\"CSP\">\n\
    <variables> <array id=\"x\" size=\"[2]\"> 1..3 </array> </variables>\n\
    <constraints>\n\
    <sum> <list> x[] </list> <condition> (le,3) </condition> </sum>\n\
    <intension> ge(sub(x[0],x[1]),2) </intension>\n\
    </constraints>\n\
    </instance>\n";
/// A model whose objective is not an output variable. In the only optimal solution, x is 2, y is -1, b is false, and the
/// cost is 3.
const OPTIMUM: &str = "\
    var 0..3: x :: output_var;\n\
    var {-1, 1, 2}: y;\n\
    var bool: b :: output_var;\n\
    var -9..9: cost;\n\
    constraint int_ne(x, y);\n\
    constraint int_le_imp(3, x, b);\n\
    constraint int_lin_le_reif([1, -1], [x, y], 2, b);\n\
    constraint int_lin_eq([2, 1, -1], [x, y, cost], 0);\n\
    solve minimize cost;\n";

/// A count that is constant and equal to a value in a hole of a domain.
const HOLE: &str = "\
    var {-3, 0, 2, 4}: x :: output_var;\n\
    constraint fzn_global_cardinality([-2], [-2], [x]);\n\
    solve satisfy;\n";

/// A count without weight, which must be a value in a hole of a domain.
const WEIGHTLESS: &str = "\
    var 1..2: x :: output_var;\n\
    var {-3, -2, 1, 3}: y :: output_var;\n\
    var {-3, -1, 1, 2}: z :: output_var;\n\
    constraint gordian_bin_packing_load([y, z], 1, [x], [0]);\n\
    solve satisfy;\n";

/// A count that a constant reaches, so it states nothing about `x`.
const REACHED: &str = "\
    var 1..4: x :: output_var;\n\
    constraint fzn_at_least_int(1, [x, 3], 3);\n\
    constraint int_lin_le([-1], [x], -2);\n\
    solve minimize x;\n";

/// A model whose variables have many values. In the only solution, x is 1, and y is 3.
const LARGE: &str = "\
    var 1..1500: x :: output_var;\n\
    var 1..5000: y :: output_var;\n\
    constraint int_lin_le([1, 1], [x, y], 4);\n\
    constraint int_lin_le([2, -1], [x, y], -1);\n\
    solve satisfy;\n";

/// Solves a model, and writes the certificate to the subdirectory `certificate`. Returns the claim.
fn solve(directory: &Path, name: &str, model: &str, arguments: &[&str]) -> String {
    certify(directory, name, model, &[&["solve"], arguments].concat())
}

/// Works like [`solve`]. `command` contains the name of the command, followed by its options.
fn certify(directory: &Path, name: &str, model: &str, command: &[&str]) -> String {
    let (file, out) = (directory.join(name), directory.join("certificate"));
    fs::write(&file, model).expect("a file");
    let [file, out] = [&file, &out].map(|path| path.display().to_string());
    let output = gordian(&[command, &[&file, "--proof", &out]].concat(), "");
    assert!(matches!(output.status.code(), Some(0 | 1)), "{}", stderr(&output));
    let claim = fs::read_to_string(directory.join("certificate/claim.json")).expect("a claim");
    let claim: serde_json::Value = serde_json::from_str(&claim).expect("JSON");
    assert_eq!(
        (&claim["puzzle"], &claim["board"]),
        (&"model".into(), &name.replace("model", "board").into())
    );
    claim["claim"].as_str().expect("text").to_owned()
}

#[track_caller]
fn verified(directory: &Path) {
    let output = prove_check(&directory.join("certificate"), &[], "");
    assert!(stdout(&output).starts_with("verified: "), "{}{}", stdout(&output), stderr(&output));
}

#[test]
#[ignore = "needs veripb"]
fn certificates_in_each_syntax_are_verified() {
    for (name, model, expected) in [
        ("model.fzn", IMPOSSIBLE, "no-solution"),
        ("model.fzn", HOLE, "no-solution"),
        ("model.fzn", WEIGHTLESS, "no-solution"),
        ("model.fzn", REACHED, "optimal"),
        ("model.fzn.json", IMPOSSIBLE_JSON, "no-solution"),
        ("model.xml", IMPOSSIBLE_XML, "no-solution"),
        ("model.fzn", OPTIMUM, "optimal"),
        ("model.fzn", &OPTIMUM.replace("minimize", "maximize"), "optimal"),
        ("model.fzn", LARGE, "unique"),
    ] {
        let directory = TempDir::new().expect("a directory");
        let arguments: &[&str] = if expected == "unique" { &["--unique"] } else { &[] };
        assert_eq!(solve(directory.path(), name, model, arguments), expected);
        verified(directory.path());
        let readme = fs::read_to_string(directory.path().join("certificate/README.md")).expect("a file");
        assert!(!readme.replace("`board", "").contains("board"), "{readme}");
    }
}

#[test]
#[ignore = "needs veripb"]
fn a_solution_without_a_witness_is_completed() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, "model.fzn", OPTIMUM, &[]);
    let file = directory.join("certificate/claim.json");
    let claim = fs::read_to_string(&file).expect("a file");
    let mut claim: serde_json::Value = serde_json::from_str(&claim).expect("JSON");
    claim.as_object_mut().expect("an object").remove("witnesses").expect("a witness");
    fs::write(&file, claim.to_string()).expect("a file");
    verified(directory);
}

#[test]
fn a_formula_with_a_wrong_row_is_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, "model.fzn", OPTIMUM, &[]);
    let file = directory.join("certificate/formula.opb");
    let formula = fs::read_to_string(&file).expect("a file");
    let rows: Vec<&str> = formula.lines().filter(|line| !line.starts_with('*')).collect();
    for at in 0..rows.len() {
        // The first term is removed, or its literal is negated, or the bound becomes larger.
        let (_, shorter) =
            rows[at].split_once(' ').and_then(|(_, rest)| rest.split_once(' ')).expect("a term");
        let negated = if rows[at].contains('~') {
            rows[at].replacen('~', "", 1)
        } else {
            rows[at].replacen(' ', " ~", 1)
        };
        let larger = rows[at].replace(">= ", ">= 1");
        for damaged in [shorter, &negated, &larger] {
            let text = [&rows[..at], &[damaged], &rows[at + 1..]].concat().join("\n");
            fs::write(&file, text).expect("a file");
            refused(&directory.join("certificate"), "do not state the row");
        }
    }
}

#[test]
fn certificates_of_other_models_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, "model.fzn", OPTIMUM, &[]);
    for (old, new, message) in [
        ("cost], 0", "cost], 1", "the constraint `int_lin_eq` does not hold"),
        ("{-1, 1, 2}", "{1, 2}", "the variable `y` cannot have the value -1"),
        ("int_le_imp(3, x, b)", "int_le_imp(2, x, b)", "do not state the row"),
        ("{-1, 1, 2}", "-1..2", "do not state the row"),
        (
            "int_ne(x, y);",
            "int_ne(x, y); constraint fzn_lex_less_int([-20], [x]);",
            "`fzn_lex_less_int` has no formula",
        ),
        ("-9..9: cost", "-9000..9000: cost", "the variable `cost` has no formula"),
        ("minimize", "maximize", "model has no objective `minimise`"),
        ("solve minimize cost", "solve satisfy", "model has no objective `minimise`"),
    ] {
        let changed = OPTIMUM.replace(old, new);
        assert_ne!(changed, OPTIMUM);
        fs::write(directory.join("certificate/board.fzn"), changed).expect("a file");
        refused(&directory.join("certificate"), message);
    }
}

#[test]
fn wrong_solutions_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    solve(directory, "model.fzn", OPTIMUM, &[]);
    let file = directory.join("certificate/claim.json");
    let claim = fs::read_to_string(&file).expect("a file");
    let claim: serde_json::Value = serde_json::from_str(&claim).expect("JSON");
    let write = |solutions: &str, witnesses: &str| {
        let mut changed = claim.clone();
        changed["solutions"] = serde_json::from_str(solutions).expect("JSON");
        changed["witnesses"] = serde_json::from_str(witnesses).expect("JSON");
        fs::write(&file, changed.to_string()).expect("a file");
    };
    for (solutions, witnesses, message) in [
        (r#"[{ "b": 0, "x": 2 }]"#, "[[2, -1, 0, 2]]", "the constraint `int_lin_eq` does not hold"),
        (r#"[{ "b": 0, "x": 2 }]"#, "[[2, -1, 0]]", "3 values for 4 variables"),
        // A solution with a higher cost is correct, but the formula states another bound.
        (r#"[{ "b": 0, "x": 3 }]"#, "[[3, -1, 0, 5]]", "do not state the row"),
        (r#"[{ "b": 0, "x": 3 }]"#, "[[2, -1, 0, 3]]", "the values of `x` differ"),
        (r#"[{ "b": 0 }]"#, "[[2, -1, 0, 3]]", "no value of `x`"),
        (r#"[{ "b": 0, "x": 2, "y": -1 }]"#, "[[2, -1, 0, 3]]", "the unknown field `y`"),
    ] {
        write(solutions, witnesses);
        refused(&directory.join("certificate"), message);
    }
    for witnesses in ["[]", "[[2, -1, 0, 3], [2, -1, 0, 3]]", "[2]", "[[\"x\"]]", "2"] {
        write(r#"[{ "b": 0, "x": 2 }]"#, witnesses);
        let output = prove_check(&directory.join("certificate"), &[], "");
        assert!(stderr(&output).contains("a list of integers for each solution"), "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(2));
    }
}

/// A model in which x is 2 or 3, y is 0, b and the first element of the array are false, and the second element is x. The
/// hidden variable h has several values in each solution.
const BACKBONE: &str = "\
    var 1..3: x :: output_var;\n\
    var 0..1: y :: output_var;\n\
    var bool: b :: output_var;\n\
    var 1..5000: h;\n\
    array [1..2] of var int: a :: output_array([1..2]) = [y, x];\n\
    set of int: s :: output_var = {1, 3};\n\
    constraint int_lin_le_reif([1], [x], 1, b);\n\
    constraint bool_eq(b, false);\n\
    constraint int_lin_le([1, 1], [x, y], 3);\n\
    constraint int_lin_le([1, 1, -1], [x, y, h], 0);\n\
    constraint int_lin_le([-2, 3], [x, y], -3);\n\
    solve satisfy;\n";

#[test]
#[ignore = "needs veripb"]
fn backbones_are_verified() {
    let none = "var 1..2: x;\nconstraint int_le(x, 1);\nsolve satisfy;\n";
    for (name, model, expected) in [
        ("model.fzn", BACKBONE, "backbone"),
        ("model.fzn", OPTIMUM, "backbone"),
        ("model.fzn", &LARGE.replace("y :: output_var", "y"), "backbone"),
        // Without output variables, all solutions are equal.
        ("model.fzn", none, "unique"),
        ("model.fzn", IMPOSSIBLE, "no-solution"),
        ("model.xml", &IMPOSSIBLE_XML.replace("(le,3)", "(le,4)"), "backbone"),
    ] {
        let directory = TempDir::new().expect("a directory");
        assert_eq!(certify(directory.path(), name, model, &["backbone"]), expected);
        verified(directory.path());
    }
}

#[test]
fn backbones_that_lack_a_value_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    assert_eq!(certify(directory, "model.fzn", BACKBONE, &["backbone"]), "backbone");
    let file = directory.join("certificate/claim.json");
    let claim = fs::read_to_string(&file).expect("a file");
    let claim: serde_json::Value = serde_json::from_str(&claim).expect("JSON");
    assert_eq!(claim["solutions"].as_array().map(Vec::len), Some(2));
    let write = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut changed = claim.clone();
        change(&mut changed);
        fs::write(&file, changed.to_string()).expect("a file");
    };
    for missing in 0..2 {
        write(&|claim| {
            for key in ["solutions", "witnesses"] {
                claim[key].as_array_mut().expect("a list").remove(missing);
            }
        });
        refused(&directory.join("certificate"), "do not state the row");
    }
    write(&|claim| claim["solutions"][0]["x"] = 1.into());
    refused(&directory.join("certificate"), "the values of `x` differ");
    write(&|_| ());
    for (old, new) in [("[x, y], 3", "[x, y], 4"), ("-3)", "-2)"), ("var 1..3: x", "var 1..4: x")] {
        let changed = BACKBONE.replace(old, new);
        assert_ne!(changed, BACKBONE);
        fs::write(directory.join("certificate/board.fzn"), changed).expect("a file");
        refused(&directory.join("certificate"), "do not state the row");
    }
}

#[test]
fn solutions_that_differ_in_hidden_variables_are_equal() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let model = "var 1..2: x :: output_var;\nvar 1..2: y;\nsolve satisfy;\n";
    assert_eq!(solve(directory, "model.fzn", model, &["--unique"]), "several");
    verified(directory);
    let claim = r#"{ "claim": "several", "board": "board.fzn", "solutions": [{ "x": 1 }, { "x": 1 }],
        "witnesses": [[1, 1], [1, 2]] }"#;
    fs::write(directory.join("certificate/claim.json"), claim).expect("a file");
    refused(&directory.join("certificate"), "two solutions are equal");
}
