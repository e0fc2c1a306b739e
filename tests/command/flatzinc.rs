//! Tests of the queries and commands on constraint models.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::support::{gordian, stderr, stdout};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A model with two solutions: `x` is 2 or 3, `xs` is `[3, 2]` or `[2, 3]`, and `b` is true. Solutions that differ
/// only in the variable `hidden` count as one.
const MODEL: &str = "var 1..3: x :: output_var;\nvar 1..3: y;\nvar bool: b :: output_var;\nvar 0..1: hidden;\n\
    array [1..2] of var int: xs :: output_array([1..2]) = [y,x];\nconstraint int_lin_eq([1,1],[x,y],5);\n\
    constraint int_le_reif(2,x,b);\nsolve satisfy;\n";

/// Writes a model into a new directory. Returns the directory and the path of the model.
fn file(name: &str, text: &str) -> (TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    fs::write(&path, text).expect("a file");
    let path = path.to_str().expect("UTF-8").to_owned();
    (folder, path)
}

fn json(arguments: &[&str], input: &str) -> Value {
    let output = gordian(arguments, input);
    let text = stdout(&output);
    let last = text.lines().last().unwrap_or_else(|| panic!("{arguments:?}: {}", stderr(&output)));
    serde_json::from_str(last).expect("JSON")
}

#[test]
fn every_query_is_answered() {
    let (_folder, path) = file("model.fzn", MODEL);
    let text = |arguments: &[&str]| stdout(&gordian(&[&["solve", &path], arguments].concat(), ""));
    assert_eq!(text(&["--count"]), "2\n");
    assert!(text(&["--unique"]).starts_with("not unique"));
    let all = text(&["--all"]);
    for solution in [
        "x = 2;\nb = true;\nxs = array1d(1..2, [3, 2]);\n",
        "x = 3;\nb = true;\nxs = array1d(1..2, [2, 3]);\n",
    ] {
        assert!(all.contains(solution), "{all}");
    }
    assert_eq!(json(&["solve", &path, "--limit", "1", "--json"], "")["count"], 1);
    let solution = json(&["solve", "-", "--json"], &MODEL.replace("1..3: x", "3..3: x"));
    assert_eq!(solution["solution"], json!({"x": 3, "b": 1, "xs": [2, 3]}));
    assert_eq!(solution["puzzle"], "model");
    let optimum = json(&["solve", "-", "--json"], &MODEL.replace("satisfy", "maximize x"));
    assert_eq!((&optimum["status"], &optimum["objective"]), (&json!("optimal"), &json!(3)));
    let any = json(&["solve", "-", "--json", "--objective", "none"], &MODEL.replace("satisfy", "maximize x"));
    assert_eq!((&any["status"], any.get("objective")), (&json!("solved"), None));
}

#[test]
fn the_backbone_has_the_values_of_each_output() {
    let (_folder, path) = file("model.fzn", MODEL);
    assert_eq!(stdout(&gordian(&["backbone", &path], "")), "x = ?\nb = 1\nxs = ? ?\n");
    let backbone = json(&["backbone", &path, "--json"], "");
    assert_eq!(backbone["remaining"], json!({"x": [2, 3], "b": [1], "xs": [[2, 3], [2, 3]]}));
    assert_eq!((&backbone["unique"], backbone.get("open")), (&json!(false), None));
}

#[test]
fn a_solution_is_checked_with_or_without_its_other_variables() {
    let (folder, path) = file("model.fzn", MODEL);
    let check = |solution: &str| stdout(&gordian(&["check", &path, "-"], solution));
    assert_eq!(check(r#"{"x": 2, "b": 1, "xs": [3, 2]}"#), "correct\n");
    assert_eq!(check("x = 3;\nb = true;\nxs = array1d(1..2, [2, 3]);\n----------\n"), "correct\n");
    assert_eq!(check(&stdout(&gordian(&["solve", &path, "--json"], ""))), "correct\n");
    for wrong in [
        r#"{"x": 2, "b": 0, "xs": [3, 2]}"#,
        r#"{"x": 2, "b": 1, "xs": [2, 3]}"#,
        r#"{"x": 1, "b": 0, "xs": [4, 1]}"#,
        r#"{"x": 2, "b": 1}"#,
        r#"{"x": 2, "b": 1, "xs": [3]}"#,
        r#"{"x": 2, "b": 2, "xs": [3, 2]}"#,
    ] {
        let output = gordian(&["check", &path, "-"], wrong);
        assert_eq!(output.status.code(), Some(1), "{wrong}: {}", stderr(&output));
        assert!(stdout(&output).starts_with("wrong: "), "{wrong}: {}", stdout(&output));
    }
    drop(folder);
}

#[test]
fn exported_formulas_have_the_names_of_the_model() {
    // `x` occurs only in the definition of the objective, so the formula has no variable for it.
    let text = MODEL.replace("1..3: x", "1..30: x").replace("satisfy", "minimize x");
    let (folder, path) = file("model.fzn", &text);
    for (format, names) in
        [("dimacs", ["= b", " y"]), ("wcnf", ["minimise", " y"]), ("opb", ["minimise", " y"])]
    {
        let output = gordian(&["export", &path, "--format", format], "");
        let text = stdout(&output);
        assert!(output.status.success(), "{format}: {}", stderr(&output));
        assert!(names.iter().all(|name| text.contains(name)), "{format}: {text}");
    }
    let formula = folder.path().join("model.wcnf");
    let formula = formula.to_str().expect("UTF-8");
    assert!(gordian(&["export", &path, "-o", formula], "").status.success());
    let model = stdout(&gordian(&["opt", formula], ""));
    let decoded = json(&["decode", &path, "-", "--format", "wcnf", "--json"], &model);
    assert_eq!((&decoded["objective"], &decoded["solution"]["xs"]), (&json!(2), &json!([3, 2])), "{decoded}");
    let (_folder, open) = file("open.fzn", "var int: x :: output_var;\nsolve satisfy;\n");
    let output = gordian(&["export", &open], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`x`"), "{}", stderr(&output));
}

#[test]
fn a_bench_runs_models() {
    let (folder, path) = file("model.fzn", MODEL);
    let results = folder.path().join("results.jsonl");
    let output = gordian(
        &[
            "bench",
            &path,
            "--query",
            "count",
            "--solver",
            "batsat,varisat",
            "-o",
            results.to_str().expect("UTF-8"),
        ],
        "",
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let records = fs::read_to_string(results).expect("results");
    assert!(records.lines().count() > 1, "{records}");
    for record in records.lines() {
        let record: Value = serde_json::from_str(record).expect("JSON");
        assert_eq!((&record["puzzle"], &record["count"]), (&json!("model"), &json!(2)), "{record}");
    }
}

#[test]
fn formats_are_recognised_without_an_extension() {
    let json = r#"{"variables": {"x": {"type": "int", "domain": [[2, 5]]}}, "arrays": {}, "constraints": [],
        "output": ["x"], "solve": {"method": "maximize", "objective": "x"}, "version": "1.0"}"#;
    let xml = "<instance format=\"XCSP3\" type=\"CSP\"><variables><var id=\"x\">5</var></variables><constraints/></instance>";
    for text in ["% a comment\nvar 5..5: x :: output_var;\nsolve satisfy;\n", json, xml] {
        let output = gordian(&["solve", "-"], text);
        assert_eq!(stdout(&output).lines().next(), Some("x = 5;"), "{text}: {}", stderr(&output));
    }
}

#[test]
fn wrong_uses_are_explained() {
    let (folder, path) = file("model.fzn", MODEL);
    let output = gordian(&["solve", &path, "--puzzle", "rooks"], "");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`rooks`"), "{}", stderr(&output));
    // `minizinc` is not in the search path.
    let model = folder.path().join("model.mzn");
    fs::write(&model, "solve satisfy;\n").expect("a file");
    let output =
        Command::new(env!("CARGO_BIN_EXE_gordian")).arg("solve").arg(&model).env("PATH", "").output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("`minizinc` must be on the PATH"), "{}", stderr(&output));
    let missing = gordian(&["solve", "missing.mzn"], "");
    assert!(stderr(&missing).contains("missing.mzn: No such file"), "{}", stderr(&missing));
}

#[test]
fn messages_call_a_model_a_model() {
    let none = "var 1..3: x :: output_var;\nconstraint int_lin_le([1],[x],0);\nsolve satisfy;\n";
    for arguments in
        [&["solve", "-"][..], &["solve", "-", "--unique"], &["backbone", "-"], &["backbone", "-", "--counts"]]
    {
        let output = gordian(arguments, none);
        assert_eq!(stdout(&output), "no solution: the model is contradictory\n", "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(1));
    }
    assert_eq!(stdout(&gordian(&["show", "-"], none)), "1 variable, 1 constraint, satisfy\n");
    let (_folder, path) = file("empty.fzn", "\n");
    let output = gordian(&["solve", &path], "");
    assert!(stderr(&output).contains("expected a model, found the end of the file"), "{}", stderr(&output));
}

#[test]
fn a_file_for_another_solver_is_to_be_flattened_again() {
    let (_folder, path) =
        file("gecode.fzn", "var 1..3: x;\nconstraint gecode_bounded([x]);\nsolve satisfy;\n");
    for command in ["solve", "why", "fzn"] {
        let output = gordian(&[command, &path], "");
        let report = stderr(&output);
        assert!(report.contains("2:12: expected a supported constraint, found `gecode_bounded`"), "{report}");
        let words: Vec<&str> = report.split(|c: char| c.is_whitespace() || c == '│').collect();
        let help = words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
        assert!(help.contains("unknown constraint `gecode_bounded`; if the file was flattened for another solver, flatten the model for this one: `minizinc --solver gordian --compile MODEL.mzn`"), "{help}");
    }
}

#[test]
fn an_installation_is_written_found_and_removed() {
    let folder = tempfile::tempdir().expect("a folder");
    let solvers = folder.path().join("solvers");
    let run = |action: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gordian"));
        command.args(["minizinc", action]).env("MZN_SOLVER_PATH", &solvers);
        command.output().expect("the program starts")
    };
    assert_eq!(run("path").status.code(), Some(2));
    let path = stdout(&run("install"));
    assert_eq!(path, stdout(&run("path")));
    let configuration: Value =
        serde_json::from_str(&fs::read_to_string(path.trim_end()).expect("a file")).expect("JSON");
    assert!(Path::new(configuration["executable"][0].as_str().expect("a path")).exists());
    assert!(solvers.join("gordian/redefinitions.mzn").exists());
    assert!(run("uninstall").status.success());
    assert_eq!(fs::read_dir(&solvers).expect("a folder").count(), 0);
    assert_eq!(run("uninstall").status.code(), Some(2));
}
