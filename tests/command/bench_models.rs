//! Tests `gordian bench` on constraint models: the times of solutions, contradictions, other FlatZinc solvers, and the
//! report. Shell scripts simulate other solvers.
#![cfg(target_os = "linux")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::support::{gordian, stderr, stdout};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A knapsack with the best value 27. The objective is not an output variable.
const KNAPSACK: &str = "\
array [1..6] of int: weights = [3, 4, 5, 6, 7, 8];
array [1..7] of int: values = [4, 5, 7, 9, 9, 13, -1];
var 0..1: a; var 0..1: b; var 0..1: c; var 0..1: d; var 0..1: e; var 0..1: f;
var 0..100: value :: is_defined_var;
array [1..6] of var int: taken :: output_array([1..6]) = [a, b, c, d, e, f];
constraint int_lin_le(weights, [a, b, c, d, e, f], 18);
constraint int_lin_eq(values, [a, b, c, d, e, f, value], 0) :: defines_var(value);
solve maximize value;
";
const PAIR: &str = "var 1..3: x :: output_var;\nvar 1..3: y :: output_var;\n\
                    constraint int_lt(x, y);\nsolve satisfy;\n";
const XCSP3: &str = r#"<instance format="XCSP3" type="COP"><variables><var id="x"> 2..9 </var></variables>
    <objectives><minimize> x </minimize></objectives></instance>"#;

/// A directory with models, and the file for the results.
struct Models {
    directory: TempDir,
    results: PathBuf,
}

impl Models {
    fn new(files: &[(&str, &str)]) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let results = directory.path().join("results.jsonl");
        let models = Self { directory, results };
        fs::create_dir(models.path("models")).expect("a directory");
        for (name, text) in files {
            fs::write(models.path("models").join(name), text).expect("a file");
        }
        models
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn bench(&self, more: &[&str]) -> Output {
        let [models, results] = [&self.path("models"), &self.results].map(|path| path.display().to_string());
        let timeout: &[&str] = if more.contains(&"--timeout") { &[] } else { &["--timeout", "20"] };
        gordian(&[&["bench", &models, "-o", &results], timeout, more].concat(), "")
    }

    fn records(&self) -> Vec<Value> {
        let text = fs::read_to_string(&self.results).unwrap_or_default();
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    /// Creates an executable shell script, and returns its path.
    fn script(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a file");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
        path.display().to_string()
    }
}

fn of<'a>(records: &'a [Value], file: &str) -> &'a Value {
    let name = |record: &&Value| record["instance"].as_str().is_some_and(|name| name.ends_with(file));
    records.iter().find(name).expect("a result")
}

/// Asserts that the solutions get better, with times between 0 and the end of the run, up to the objective of the run.
#[track_caller]
fn assert_solutions_are_timed(record: &Value, maximise: bool) {
    let solutions = record["solutions"].as_array().expect("solutions");
    let number = |solution: &Value, key: &str| solution[key].as_f64().expect("a number");
    assert_eq!(solutions.last().expect("a solution")["objective"], record["objective"], "{record}");
    for pair in solutions.windows(2) {
        let [before, after] = [&pair[0], &pair[1]];
        let better = number(after, "objective") - number(before, "objective");
        assert!(if maximise { better > 0.0 } else { better < 0.0 }, "{record}");
        assert!(number(before, "wall") <= number(after, "wall"), "{record}");
    }
    let end = record["ms"]["wall"].as_f64().expect("a time");
    assert!(solutions.iter().all(|found| (0.0..=end).contains(&number(found, "wall"))), "{record}");
}

#[test]
fn models_are_run_with_their_own_goals() {
    let bad = "var 1..3: x;\nconstraint no_such_constraint(x);\nsolve satisfy;\n";
    let models = Models::new(&[
        ("bad.fzn", bad),
        ("knapsack.fzn", KNAPSACK),
        ("pair.fzn", PAIR),
        ("least.xml", XCSP3),
        ("rooks.txt", "rooks\n. .\n"),
    ]);
    let settings = ["--strategy", "sat-unsat,core-guided", "--seeds", "2"];
    let done = models.bench(&settings);
    assert_eq!(done.status.code(), Some(2), "{}", stderr(&done));
    assert!(stderr(&done).contains("no_such_constraint"), "{}", stderr(&done));
    assert!(stderr(&done).contains("1 bad instance skipped"), "{}", stderr(&done));
    let records = models.records();
    // The two strategies apply to the two models with objectives.
    assert_eq!(records.len(), 2 * (2 + 1 + 2 + 1), "{records:?}");
    for (file, query) in [
        ("knapsack.fzn", "optimise:maximise"),
        ("least.xml", "optimise:minimise"),
        ("pair.fzn", "satisfy"),
        ("rooks.txt", "satisfy"),
    ] {
        assert_eq!(of(&records, file)["settings"]["query"], query);
    }
    for record in records.iter().filter(|record| record["settings"]["query"] != "satisfy") {
        assert_eq!(record["status"], "optimal", "{record}");
        assert_solutions_are_timed(record, record["settings"]["query"] == "optimise:maximise");
    }
    assert_eq!(of(&records, "knapsack.fzn")["objective"], 27);
    // Nothing is run twice.
    assert_eq!(models.bench(&settings).status.code(), Some(2));
    assert_eq!(models.records(), records);
}

#[test]
fn boards_with_an_objective_have_timed_solutions() {
    let models = Models::new(&[("rooks.txt", "rooks\n. . . .\n. # . .\n. . 1 .\n. . . .\n")]);
    let done = models.bench(&["--query", "optimise:most,optimise:fewest"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let records = models.records();
    assert_eq!(records.len(), 2);
    assert_solutions_are_timed(&records[0], true);
    assert_solutions_are_timed(&records[1], false);
}

/// Changes the first result with the function `change`, appends it as the result of another build, and runs the
/// benchmark again.
fn with_forged_result(models: &Models, change: impl FnOnce(&mut Value)) -> Output {
    assert_eq!(models.bench(&[]).status.code(), Some(0));
    let mut forged = models.records().remove(0);
    forged["settings"]["label"] = json!("forged");
    change(&mut forged);
    let lines = fs::read_to_string(&models.results).expect("results") + &format!("{forged}\n");
    fs::write(&models.results, lines).expect("a file");
    models.bench(&["--label", "later"])
}

#[test]
fn contradictory_results_on_models_are_reported() {
    let models = Models::new(&[("knapsack.fzn", KNAPSACK)]);
    // A run that was killed claims a value above the proven optimum.
    let done = with_forged_result(&models, |forged| {
        (forged["ending"], forged["objective"]) = (json!("memory"), json!(28));
        (forged["bounds"], forged["status"]) = (json!([28, null]), json!("stopped"));
    });
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    assert!(stderr(&done).contains("the best objective is"), "{}", stderr(&done));
    let reproduced = Command::new("sh").arg(models.path("results.jsonl.wrong-1/reproduce.sh")).output();
    let text = stdout(&reproduced.expect("a shell"));
    assert_eq!(text.matches(r#""status":"optimal""#).count(), 2, "{text}");

    let models = Models::new(&[("pair.fzn", PAIR)]);
    let done = with_forged_result(&models, |forged| forged["status"] = json!("none"));
    assert_eq!(done.status.code(), Some(1), "{}", stderr(&done));
    assert!(stderr(&done).contains("reports that there is none"), "{}", stderr(&done));
}

#[test]
fn results_of_earlier_versions_are_read() {
    let models = Models::new(&[("knapsack.fzn", KNAPSACK)]);
    assert_eq!(models.bench(&[]).status.code(), Some(0));
    let mut old = models.records().remove(0);
    old.as_object_mut().expect("an object").remove("solutions");
    fs::write(&models.results, format!("{old}\n")).expect("a file");
    assert_eq!(models.bench(&[]).status.code(), Some(0));
    assert_eq!(models.records(), [old]);
    let report = gordian(&["bench", "report", &models.results.display().to_string()], "");
    assert!(stdout(&report).contains("primal integral, s"), "{}", stdout(&report));
}

#[test]
fn other_flatzinc_solvers_are_compared() {
    let models = Models::new(&[
        ("knapsack.fzn", KNAPSACK),
        ("pair.fzn", PAIR),
        ("least.xml", XCSP3),
        ("rooks.txt", "rooks\n. .\n"),
    ]);
    let own = env!("CARGO_BIN_EXE_gordian");
    let solver = format!("flatzinc:{own} fzn -i -t {{timeout}} -r {{seed}} {{fzn}}");
    // Options of this program do not apply to other solvers.
    let more = ["--encode", "at-most-one=pairwise,ladder", "--label", "new", "--solver", &solver];
    let done = models.bench(&more);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    assert!(stderr(&done).contains("2 runs skipped: the puzzle type"), "{}", stderr(&done));
    let records = models.records();
    assert_eq!(records.len(), 2, "{records:?}");
    let knapsack = of(&records, "knapsack.fzn");
    assert_eq!((&knapsack["status"], &knapsack["bounds"]), (&json!("optimal"), &json!([27, 27])));
    assert_solutions_are_timed(knapsack, true);
    assert_eq!(of(&records, "pair.fzn")["status"], "solved");
    // A script waits before its second solution, and is still running at the time limit. It does not print the
    // objective, but MiniZinc's statistic of the same name.
    let slow = models.script(
        "slow",
        "case $1 in *pair*) echo '=====UNSATISFIABLE====='; exit;; esac\n\
         echo 'value = 20;'; echo ----------; sleep 0.2\n\
         echo '%%%mzn-stat: objective=25'; echo ----------; exec sleep 100",
    );
    let done = models.bench(&["--solver", &format!("flatzinc:{slow} {{name}}"), "--timeout", "1"]);
    assert_eq!(done.status.code(), Some(1), "the contradiction on pair.fzn is not reported");
    let records = models.records();
    let knapsack = &records[2];
    assert_eq!((&knapsack["ending"], &knapsack["status"]), (&json!("time"), &json!("stopped")));
    assert_eq!((&knapsack["objective"], &knapsack["bounds"]), (&json!(25), &json!([25, null])));
    let solutions = knapsack["solutions"].as_array().expect("solutions");
    assert_eq!(solutions.len(), 2, "{knapsack}");
    let wait = solutions[1]["wall"].as_f64().unwrap() - solutions[0]["wall"].as_f64().unwrap();
    assert!(wait >= 190.0, "the solutions are {wait} ms apart");
    let script = fs::read_to_string(models.path("results.jsonl.wrong-1/reproduce.sh")).expect("a script");
    assert!(script.contains(&format!("{slow} pair")), "{script}");
    // Without a value of the objective, a solution is an error.
    let silent = models.script("silent", "echo 'x = 1;'; echo ----------; echo ==========");
    let done = models.bench(&["--solver", &format!("flatzinc:{silent} {{fzn}}"), "--keep-going"]);
    assert!(stderr(&done).contains("annotate `value` with `output_var`"), "{}", stderr(&done));
    let records = models.records();
    let of_knapsack = records
        .iter()
        .rfind(|record| record["instance"].as_str().is_some_and(|name| name.ends_with("knapsack.fzn")));
    assert_eq!(of_knapsack.expect("a result")["ending"], "failed");
    // A solver that ends without a result is an error, too.
    let useless = models.script("useless", "echo unknown option");
    let done = models.bench(&["--solver", &format!("flatzinc:{useless} {{fzn}}"), "--keep-going"]);
    assert!(stderr(&done).contains("the last line of its output is `unknown option`"), "{}", stderr(&done));
    let missing = models.bench(&["--solver", "flatzinc:no-such-program {fzn}"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("`no-such-program` was not found"), "{}", stderr(&missing));
}

#[test]
fn the_report_scores_optimisation_runs() {
    let models = Models::new(&[("knapsack.fzn", KNAPSACK), ("least.xml", XCSP3)]);
    let done = models.bench(&["--strategy", "sat-unsat,core-guided"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let results = models.results.display().to_string();
    let csv = stdout(&gordian(&["bench", "report", &results, "--csv"], ""));
    let table: Vec<&str> = csv.split("model, optimise\r\n").nth(1).expect("a table").lines().collect();
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let score =
        cells(&table[0].replace(", ", " ")).iter().position(|head| head == "Borda").expect("a column");
    // Each run takes less than a second, so each instance gives both configurations half a point.
    for row in &table[1..3] {
        assert_eq!(cells(row)[score], "1.00", "{csv}");
    }
    let page = models.path("report.html").display().to_string();
    let report = gordian(&["bench", "report", &results, "-o", &page], "");
    assert_eq!(report.status.code(), Some(0), "{}", stderr(&report));
    let page = fs::read_to_string(Path::new(&page)).expect("the page");
    assert!(page.contains("on 2 instances with a known solution"));
    assert_eq!(page.matches("aria-label=\"Mean primal gap over time\"").count(), 2);
    // A query without an objective has no such plot.
    let done = models.bench(&["--query", "satisfy"]);
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let page = models.path("report.html").display().to_string();
    assert!(gordian(&["bench", "report", &results, "-o", &page], "").status.success());
    let page = fs::read_to_string(Path::new(&page)).expect("the page");
    assert!(page.contains("model, satisfy"));
    assert_eq!(page.matches("aria-label=\"Mean primal gap over time\"").count(), 2);
}

#[test]
fn processor_time_is_limited_and_solvers_have_names() {
    let models = Models::new(&[("pair.fzn", PAIR)]);
    let busy = models.script("busy", "while true; do true; done");
    let quick = models.script("quick", "echo 'x = 1;'; echo 'y = 2;'; echo ----------");
    let settings =
        ["--cpu-timeout", "0.2", "--timeout", "100", "--solver", &format!("busy=flatzinc:{busy} {{fzn}}")];
    let done = models.bench(&[&settings[..], &["--solver", &format!("quick=flatzinc:{quick}")]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", stderr(&done));
    let records = models.records();
    assert_eq!((&records[0]["ending"], &records[1]["ending"]), (&json!("time"), &json!("answered")));
    let [wall, cpu] = ["wall", "cpu"].map(|time| records[0]["ms"][time].as_f64().expect("a time"));
    assert!(cpu >= 200.0 && wall < 100_000.0, "{}", records[0]);
    let report =
        gordian(&["bench", "report", &models.results.display().to_string(), "--csv", "--time", "cpu"], "");
    let report = stdout(&report);
    // A run that exceeds the limit of 0.2 seconds counts as twice the limit.
    assert!(report.contains("\nbusy,1,0,1,0.400,") && report.contains("\nquick,1,1,0,"), "{report}");
}
