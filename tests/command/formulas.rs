//! Tests of formulas in OPB, CNF, KNF and WCNF as models: the output of the competitions, exit codes, compressed files,
//! errors and certificates.

use std::fs;
use std::io::Write as _;

use crate::support::{gordian, stderr, stdout};
use serde_json::Value;

const OPB: &str = "* #variable= 3 #constraint= 2\nmin: 2 x1 3 x2 +1 x1 x3 ;\n1 x1 1 x2 >= 1 ;\n1 x3 >= 1 ;\n";
const UNSATISFIABLE: &str = "1 x1 1 x2 >= 2 ;\n1 ~x1 1 ~x2 >= 1 ;\n";
const CNF: &str = "c t pmc\np cnf 4 2\nc p show 1 2 0\n1 2 0\n-3 4 0\n";
const KNF: &str = "p knf 4 2\nk 3 1 2 3 4 0\n-1 0\n";
const WCNF: &str = "h 1 2 0\n18446744073709551616 -1 0\n3 -2 0\n";

/// Runs a command, and returns its output and its exit code.
fn run(arguments: &[&str], text: &str) -> (String, Option<i32>) {
    let output = gordian(arguments, text);
    assert_eq!(stderr(&output), "", "{arguments:?}");
    (stdout(&output), output.status.code())
}

fn answer(arguments: &[&str], text: &str, expected: &str, code: i32) {
    assert_eq!(run(arguments, text), (expected.to_owned(), Some(code)), "{arguments:?}");
}

#[test]
fn outcomes_have_the_output_of_the_competitions() {
    // The improvements depend on the search, but the last one is the optimum.
    let optimum = |arguments: &[&str], text: &str, value: &str, solution: &str, code: i32| {
        let (found, exit) = run(arguments, text);
        let ending = format!("o {value}\ns OPTIMUM FOUND\n{solution}\n");
        assert!(found.ends_with(&ending) && exit == Some(code), "{arguments:?}: {found}");
        let improvements = found.strip_suffix(&ending).expect("the ending");
        assert!(improvements.lines().all(|line| line.starts_with("o ") || line.starts_with("c ")), "{found}");
    };
    optimum(&["solve", "-"], OPB, "3", "v x1 -x2 x3", 0);
    optimum(&["opt", "-"], OPB, "3", "v x1 -x2 x3", 30);
    optimum(&["solve", "-"], WCNF, "3", "v 01", 0);
    optimum(&["opt", "-"], WCNF, "3", "v 01", 30);
    optimum(&["solve", "-"], "max: 2 x1 -3 ~x2 ;\n1 x1 >= 0 ;\n", "2", "v x1 x2", 0);
    answer(&["solve", "-"], UNSATISFIABLE, "s UNSATISFIABLE\n", 1);
    answer(&["opt", "-"], UNSATISFIABLE, "s UNSATISFIABLE\n", 20);
    answer(&["solve", "-"], "1 x1 >= 1 ;\n", "s SATISFIABLE\nv x1\n", 0);
    answer(&["opt", "-"], "1 x1 >= 1 ;\n", "s SATISFIABLE\nv x1\n", 10);
    answer(&["solve", "-"], KNF, "s SATISFIABLE\nv -1 2 3 4 0\n", 0);
}

#[test]
fn queries_and_exports_read_formulas() {
    answer(&["solve", "-", "--count"], OPB, "3\n", 0);
    answer(&["solve", "-", "--count"], CNF, "3\n", 0);
    answer(
        &["sat", "-", "--count"],
        CNF,
        &format!(
            "c gordian {}\ns SATISFIABLE\nc s type pmc\nc s exact arb int 3\n",
            env!("CARGO_PKG_VERSION")
        ),
        10,
    );
    answer(&["solve", "-", "--count"], KNF, "1\n", 0);
    answer(&["solve", "-", "--unique"], KNF, "unique\nv -1 2 3 4 0\n", 0);
    let (all, _) = run(&["solve", "-", "--all"], "2 x1 3 x2 = 3 ;\n");
    assert_eq!(all, "v -x1 x2\n\n1\n");
    let (json, code) = run(&["solve", "-", "--json"], OPB);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json["status"], &json["objective"], code), (&"optimal".into(), &3.into(), Some(0)));
    assert_eq!(json["solution"]["x1"], 1);
    let (why, code) =
        run(&["why", "-"], "@first 1 x1 1 x2 >= 2 ;\n1 x3 1 x2 >= 1 ;\n@last 1 ~x1 1 ~x2 >= 1 ;\n");
    assert!(
        why.contains("first") && why.contains("last") && !why.contains("line") && code == Some(0),
        "{why}"
    );
    let (backbone, _) = run(&["backbone", "-"], KNF);
    assert_eq!(backbone, "v -1 2 3 4 0\n");
    let (backbone, _) = run(&["backbone", "-"], OPB);
    assert_eq!(backbone, "x1 = ?\nx2 = ?\nx3 = 1\n");
    assert_eq!(run(&["sample", "-", "-n", "2"], KNF).1, Some(0));
    let (exported, _) = run(&["export", "-", "--format", "opb"], OPB);
    assert!(exported.contains("min:"), "{exported}");
}

#[test]
fn compressed_files() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).display().to_string();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(OPB.as_bytes()).expect("memory");
    fs::write(path("a.opb.gz"), gz.finish().expect("memory")).expect("a file");
    let mut bz2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    bz2.write_all(KNF.as_bytes()).expect("memory");
    fs::write(path("a.knf.bz2"), bz2.finish().expect("memory")).expect("a file");
    let options = lzma_rust2::XzOptions::with_preset(1);
    let mut xz = lzma_rust2::XzWriter::new(Vec::new(), options).expect("memory");
    xz.write_all(CNF.as_bytes()).expect("memory");
    fs::write(path("a.cnf.xz"), xz.finish().expect("memory")).expect("a file");
    answer(&["solve", &path("a.opb.gz"), "--count"], "", "3\n", 0);
    answer(&["solve", &path("a.knf.bz2"), "--count"], "", "1\n", 0);
    answer(&["solve", &path("a.cnf.xz"), "--count"], "", "3\n", 0);
    // The name determines the syntax of a file in a directory, too.
    let output = gordian(&["solve", directory.path().to_str().expect("UTF-8"), "--count"], "");
    assert_eq!((output.status.code(), stdout(&output).matches("3\n").count()), (Some(0), 2));
    fs::write(path("b.opb.gz"), OPB).expect("a file");
    let output = gordian(&["solve", &path("b.opb.gz")], "");
    assert!(output.status.code() == Some(2) && stderr(&output).contains("b.opb.gz"), "{}", stderr(&output));
}

#[test]
fn errors_have_a_place() {
    for (text, message) in [
        ("min: ;\n1 x1 >= 1\n", "3:1: expected `;` at the end of the constraint, found the end of the file"),
        (
            "1 x1 1 >= 1 ;\n",
            "1:8: expected a literal such as `x1` or `~x1` after the coefficient, found `>=`",
        ),
        ("1 x1 > 1 ;\n", "1:6: expected a term such as `2 x1`, or `>=`, `=` or `<=`, found `>`"),
        ("min: 1 x1\n1 x2 >= 1;\n", "2:6: expected a term such as `2 x1`, or `;`, found `>=`"),
        ("min: ;\nmin: ;\n", "2:1: expected one objective, found another one"),
        ("min: ;\nx1 >= 1 ;\n", "2:1: expected a constraint such as"),
        ("min: ;\n1 ~ ~x1 >= 1 ;\n", "2:5: expected a variable after `~`, found `~x1`"),
        ("min: 1 x1 ;\n[2] 1 x1 >= 1 ;\n", "2:1: expected a line `soft: ;` or `soft: TOP ;` before soft"),
        ("soft: ;\n[0] 1 x1 >= 1 ;\n", "2:2: expected the weight of a soft constraint, from 1, found `0`"),
        ("soft: ;\nmin: 1 x1 ;\n", "2:1: expected no objective in a file with soft constraints"),
        (
            "min: ;\n1 x1 >= 1000000000000000000000000000000000000000000 ;\n",
            "2:9: expected numbers whose absolute values add up to at most 2^120, found a number of 43 digits",
        ),
        (
            "min: ;\n1 x1 >= 100000000000000000000000000000000000000 ;\n",
            "2:1: expected numbers whose absolute values add up to at most 2^120",
        ),
        ("min: ;\n1.5 x1 >= 1 ;\n", "2:1: expected a coefficient, found `1.5`"),
        ("* #variable= 99999999 #constraint= 1\n1 x1 >= 1 ;\n", "1:14: expected at most 100"),
        ("p knf 2 1\nk x 1 0\n", "2:3: expected the number of literals that must be true, found `x`"),
        ("p cnf 2 1\nk 1 1 0\n", "2:1: expected a literal or 0, the end of the clause, found `k`"),
        ("c t wmc\np cnf 1 0\n", "1:1: expected a formula without weights"),
        ("p cnf 1 0\nc p weight 1 0.5 0\n", "2:1: expected a formula without weights"),
        ("p cnf 99999999 1\n1 0\n", "1:1: expected at most 100"),
        ("h 1 0\n9999999999999999999999999999 1 0\n", "2:1: expected the weight of a clause, at most 2^80"),
    ] {
        let output = gordian(&["solve", "-"], text);
        assert!(stderr(&output).contains(message), "{text}: {}", stderr(&output));
        assert_eq!((output.status.code(), &*stdout(&output)), (Some(2), ""), "{text}");
    }
    let output = gordian(&["sat", "-", "--count"], "c t wmc\np cnf 1 0\n");
    assert!(stderr(&output).contains("1:1: expected a formula without weights"), "{}", stderr(&output));
}

#[test]
fn certificates() {
    let directory = tempfile::tempdir().expect("a directory");
    for (text, name, claim) in [
        (UNSATISFIABLE, "board.opb", "no-solution"),
        (OPB, "board.opb", "optimal"),
        ("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", "board.cnf", "no-solution"),
        ("p knf 3 3\nk 2 1 2 3 0\n-1 0\n-2 0\n", "board.knf", "no-solution"),
        ("h 1 2 0\n2 -1 0\n3 -2 0\n", "board.wcnf", "optimal"),
        (
            "soft: 9 ;\n[2] 1 x1 1 x2 >= 2 ;\n[3] 1 ~x1 1 x1 x2 >= 1 ;\n1 x1 1 x2 <= 1 ;\n",
            "board.opb",
            "optimal",
        ),
    ] {
        let certificate = directory.path().join(claim).display().to_string();
        let output = gordian(&["solve", "-", "--proof", &certificate], text);
        assert!(output.status.code().is_some_and(|code| code <= 1), "{text}: {}", stderr(&output));
        let written = fs::read_to_string(directory.path().join(claim).join("claim.json")).expect("a claim");
        let written: Value = serde_json::from_str(&written).expect("JSON");
        assert_eq!((&written["claim"], &written["board"]), (&claim.into(), &name.into()), "{text}");
        let formula =
            fs::read_to_string(directory.path().join(claim).join("formula.opb")).expect("a formula");
        // The formula is one that `solve` reads: it has no solution.
        answer(&["solve", "-"], &formula, "s UNSATISFIABLE\n", 1);
        // The checker is reached only if the formula and the solution are those of the instance.
        let output = gordian(&["prove-check", &certificate, "--checker", "true"], "");
        let report = stdout(&output) + &stderr(&output);
        assert!(report.contains("the proof checker does not accept the proof"), "{text}: {report}");
        fs::remove_dir_all(directory.path().join(claim)).expect("a directory");
    }
}
