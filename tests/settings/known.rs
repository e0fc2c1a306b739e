//! Models and settings for which a query once had a wrong outcome.

use std::collections::BTreeSet;

use gordian::prelude::*;
use gordian_flatzinc::instance::VarDomain;
use gordian_flatzinc::text;

use crate::check::{Checked, QUERIES, Solutions, check};
use crate::model::RandomModel;
use crate::settings::Settings;

/// Asserts that all queries agree with brute force.
fn agrees(declarations: &str, constraints: &str, goal: &str, words: &str) {
    let source = format!("{declarations}{constraints}solve {goal};\n");
    let instance = text::read(&source).expect("FlatZinc");
    let candidates = instance.variables.iter().map(|variable| match &variable.domain {
        VarDomain::Int(domain) => domain.values().collect(),
        _ => vec![0, 1],
    });
    let model = RandomModel::of(candidates.collect(), instance);
    let settings = Settings::of(words);
    for query in QUERIES {
        let checked = check(model.whole(), false, query, &settings, &model.solutions());
        assert_eq!(checked, Ok(Checked::Right), "{query:?}, {settings}:\n{source}");
    }
}

/// The exponent is 0 in the model, or after presolve.
#[test]
fn powers_with_exponent_0_are_1() {
    for settings in
        ["", "product=multiplier", "power=cases product=multiplier", "integers=log product=multiplier"]
    {
        for (x, y) in
            [("3..7", "0..0"), ("0..3", "0..0"), ("1..1", "0..0"), ("0..3", "-1..1"), ("-2..2", "0..2")]
        {
            let declarations =
                format!("var {x}: x :: output_var;\nvar {y}: y;\nvar bool: b :: output_var;\n");
            for constraint in [
                "int_pow_reif(x,0,x,b)",
                "int_pow_reif(x,0,x,false)",
                "int_pow_reif(x,y,x,b)",
                "int_pow_imp(x,y,x,b)",
                "int_pow(x,y,x)",
                "int_pow_reif(x,y,1,b);\nconstraint int_le(y,0);\nconstraint int_le(0,y)",
            ] {
                agrees(&declarations, &format!("constraint {constraint};\n"), "satisfy", settings);
            }
        }
        let two = "var 0..7: x :: output_var;\nvar 2..7: y :: output_var;\nvar bool: b :: output_var;\n";
        agrees(two, "constraint int_pow_reif(x,0,y,b);\n", "satisfy", settings);
        agrees(two, "constraint int_pow_reif(x,0,y,false);\n", "maximize x", settings);
    }
}

/// A literal without a value is false, and its negation is true.
#[test]
fn integers_without_constraints_have_each_value_once() {
    let x = "var 2..3: x :: output_var;\n";
    let more =
        "var 0..2: x :: output_var;\nvar 2..3: y :: output_var;\nvar bool: b :: output_var;\nvar bool: c;\n";
    for solver in ["cdcl", "batsat", "varisat"] {
        for integers in ["auto", "log", "lazy", "direct", "order"] {
            let settings = format!("solver={solver} integers={integers}");
            agrees(x, "", "satisfy", &settings);
            agrees(more, "constraint array_bool_and([b,c,false],c);\n", "maximize x", &settings);
            agrees(more, "constraint set_in_reif(y,{1,2,3},b);\n", "satisfy", &settings);
        }
    }
}

/// The search creates literals of integers with large domains only when it needs them.
#[test]
fn solutions_differ_in_integers_without_literals() {
    for greatest in [9, 49, 50, 100, 999, 1_000, 5_000] {
        let mut model = Model::new();
        let [x, y] = model.integers(0..=greatest);
        model.post((x + y).at_most(3));
        for words in ["", "solver=batsat", "solver=varisat", "integers=lazy", "integers=log"] {
            let config = Settings::of(words).config();
            assert_eq!(model.count_with(&config).unwrap(), 10, "{words}, {greatest}");
            assert!(!model.unique_with(&config).unwrap(), "{words}, {greatest}");
            let forced = model.backbone_with(&config).unwrap().expect("a solution");
            assert_eq!((forced[x], forced[y]), (None, None), "{words}, {greatest}");
        }
    }
}

/// Returns all combinations of one value from each list.
fn combinations(lists: &[Vec<Value>]) -> Solutions {
    let mut rows = BTreeSet::from([Vec::new()]);
    for list in lists {
        let extend =
            |row: &Vec<Value>| list.iter().map(|&value| [&row[..], &[value]].concat()).collect::<Vec<_>>();
        rows = rows.iter().flat_map(extend).collect();
    }
    rows.into_iter().map(|row| (row, 0)).collect()
}

/// Once every combination of the outputs has occurred, no bounds of other integers matter.
#[test]
fn hidden_unbounded_integers_do_not_prevent_completeness() {
    let x = "var 0..1: x :: output_var;\nvar int: s;\nvar int: t;\nvar bool: b;\n";
    let two = "var -1..1: x :: output_var;\nvar -1..1: y :: output_var;\nvar bool: b;\nvar bool: c :: output_var;\n\
        var int: s;\nvar int: t;\nvar int: u;\n";
    let sum = |sums: [&str; 2]| {
        sums.map(|sum| format!("constraint int_lin_eq_reif([1,-1,-1],[{sum}],0,b);\n")).concat()
            + "constraint int_lin_le_reif([1,-1],[u,s],1,c);\n"
    };
    let sums = sum(["t,s,x", "u,t,y"]);
    for (declarations, constraints, lists) in [
        (x, "constraint int_le_reif(s,x,b);\n", vec![vec![0, 1]]),
        (x, "constraint int_lin_eq_reif([1,-1,-1],[t,s,x],0,b);\n", vec![vec![0, 1]]),
        (x, "constraint int_lin_eq([1,-1,-1],[t,s,x],0);\n", vec![vec![0, 1]]),
        (x, "constraint int_lin_eq([1,-1,-1],[t,s,x],0);\nconstraint int_eq(x,1);\n", vec![vec![1]]),
        (x, "constraint int_max(s,x,t);\nconstraint int_times(t,t,s);\n", vec![vec![0, 1]]),
        (two, sums.as_str(), vec![vec![-1, 0, 1], vec![-1, 0, 1], vec![0, 1]]),
    ] {
        let instance = text::read(&format!("{declarations}{constraints}solve satisfy;\n")).expect("FlatZinc");
        for settings in ["", "threads=3", "solver=batsat", "solver=varisat integers=lazy"].map(Settings::of) {
            for query in QUERIES {
                let checked = check(instance.clone(), false, query, &settings, &combinations(&lists));
                assert_eq!(checked, Ok(Checked::Right), "{query:?}, {settings}:\n{instance}");
            }
        }
    }
}
