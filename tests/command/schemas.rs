//! Tests that all JSON output conforms to the schemas in `docs/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::schema::Schemas;
use crate::support::{gordian, stderr, stdout};
use gordian::puzzle::PUZZLES;
use serde_json::Value;

/// Validates the output of commands against a schema, and collects it.
struct Comparison {
    schemas: Schemas,
    name: &'static str,
    seen: Vec<Value>,
}

impl Comparison {
    fn with(name: &'static str) -> Self {
        Self { schemas: Schemas::read(), name, seen: Vec::new() }
    }

    #[track_caller]
    fn value(&mut self, line: &str, about: &str) {
        let value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{about}: {error}\n{line}"));
        let valid = self.schemas.validate(self.name, &value);
        valid.unwrap_or_else(|error| panic!("{about}: {error}\n{line}"));
        self.seen.push(value);
    }

    /// Runs the program, and validates each line of its output.
    #[track_caller]
    fn run(&mut self, arguments: &[&str], input: &str) {
        let output = gordian(arguments, input);
        let lines = stdout(&output);
        assert!(!lines.is_empty(), "{arguments:?}: {}", stderr(&output));
        for line in lines.lines() {
            self.value(line, &format!("{arguments:?}"));
        }
    }

    /// Returns all values of a key in the collected output.
    fn values(&self, key: &str) -> BTreeSet<String> {
        let values = self.seen.iter().filter_map(|value| value.get(key));
        values.map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned)).collect()
    }

    /// Asserts that the collected output contains exactly the given values of a key, and that the schema rejects any
    /// other value.
    #[track_caller]
    fn all(&self, key: &str, values: &[&str]) {
        let expected = values.iter().map(|&value| value.to_owned()).collect();
        assert_eq!(self.values(key), expected, "{}", self.name);
    }

    #[track_caller]
    fn refuses(&self, wrong: &str) {
        let value = serde_json::from_str(wrong).expect("JSON");
        assert!(self.schemas.validate(self.name, &value).is_err(), "{wrong}");
    }

    /// Asserts that the schema rejects a missing required key and an unknown key.
    #[track_caller]
    fn is_strict(&self) {
        let file = format!("{}.schema.json", self.name);
        let required = self.schemas.0[&file]["required"].as_array().expect("required keys").clone();
        assert!(!required.is_empty(), "{file}");
        for value in &self.seen {
            for key in &required {
                let mut less = value.clone();
                less.as_object_mut().expect("an object").remove(key.as_str().expect("a key"));
                assert!(self.schemas.validate(self.name, &less).is_err(), "{less}");
            }
            let mut more = value.clone();
            more["more"] = Value::from(1);
            assert!(self.schemas.validate(self.name, &more).is_err(), "{more}");
        }
    }
}

/// Returns a sample board of each puzzle type, and boards with unusual solutions.
fn boards() -> Vec<(&'static str, &'static str)> {
    let samples = PUZZLES.iter().map(|puzzle_type| (puzzle_type.name, puzzle_type.readers[0].sample()));
    let more = [
        ("numberlink", "numberlink\n1 . . 1\n"),
        ("nurikabe", "nurikabe\n? . 1\n. . .\n"),
        ("nurikabe", "nurikabe\n1 1\n"),
        ("cards", "cards\nn_cards = 100000000000000000000\nn_red = 1\nleft_split = 1\n"),
    ];
    samples.chain(more).collect()
}

#[test]
fn solve() {
    let mut lines = Comparison::with("result");
    for (puzzle_type, board) in boards() {
        for question in
            [&["--stats"][..], &["--count"], &["--unique"], &["--limit", "2"], &["--timeout", "0"]]
        {
            lines.run(&[&["solve", "-", "--json", "--puzzle", puzzle_type], question].concat(), board);
        }
    }
    lines.run(&["solve", "-", "--json", "--all", "--symmetry", "break", "--stats"], "rooks\n. .\n. .\n");
    lines.run(&["solve", "-", "--json", "--objective", "fewest", "--progress"], "rooks\n. . .\n. . .\n");
    lines.run(&["solve", "-", "--json"], "nurikabe\n1 x\n");
    lines.run(&["solve", "no-such-file", "-", "--json"], "nurikabe\n1 .\n");
    lines.all("status", &["solved", "optimal", "none", "stopped", "error", "searching"]);
    lines.is_strict();
    for wrong in [
        r#"{"puzzle": "nurikabe", "source": "-", "status": "maybe"}"#,
        r#"{"puzzle": "nurikabe", "source": "-", "status": "solved", "solution": {"grid": [["x"]]}}"#,
        r#"{"puzzle": "nurikabe", "source": "-", "status": "solved", "answr": {}}"#,
        r#"{"puzzle": "nurikabe", "status": "solved"}"#,
        r#"{"puzzle": "chess", "source": "-", "status": "none"}"#,
        r#"{"puzzle": "nurikabe", "source": "-", "status": "none", "count": -1}"#,
    ] {
        lines.refuses(wrong);
    }
}

#[test]
fn backbone() {
    let mut lines = Comparison::with("backbone");
    for (puzzle_type, board) in boards() {
        for limit in [&[][..], &["--timeout", "0"], &["--conflicts", "1"]] {
            lines.run(&[&["backbone", "-", "--json", "--puzzle", puzzle_type], limit].concat(), board);
        }
    }
    lines.all("status", &["solved", "none", "stopped"]);
    lines.is_strict();
    let head = r#""puzzle": "rooks", "source": "-", "status": "solved", "stats": {"ms": {}}"#;
    lines.refuses(&format!(r#"{{{head}, "remaining": {{"grid": [[0, 1]]}}}}"#));
    lines.refuses(&format!(r#"{{{head}, "remaining": {{"grd": [[[0, 1]]]}}}}"#));
    lines.refuses(&format!(r#"{{{head}, "open": {{"path": false}}}}"#));
}

#[test]
fn counts() {
    let mut lines = Comparison::with("counts");
    for (puzzle_type, board) in boards() {
        for limit in [&[][..], &["--timeout", "0"]] {
            lines.run(
                &[&["backbone", "-", "--counts", "--json", "--puzzle", puzzle_type], limit].concat(),
                board,
            );
        }
    }
    let columns = format!(
        "rooks\n{}",
        format!("{}\n{}\n{}\n", ". # ".repeat(9), ". # ".repeat(9), "# ".repeat(18)).repeat(7)
    );
    lines.run(&["backbone", "-", "--counts", "--json"], &columns);
    assert!(lines.values("count").contains("9223372036854775808"));
    lines.all("status", &["solved", "none", "stopped"]);
    lines.is_strict();
    let head = r#""puzzle": "rooks", "source": "-", "status": "solved", "count": 1, "stats": {"ms": {}}"#;
    lines.refuses(&format!(r#"{{{head}, "counts": {{"grid": [[0, 1]]}}}}"#));
    lines.refuses(&format!(r#"{{{head}, "counts": {{"grid": [[[{{"value": 0}}]]]}}}}"#));
    lines.refuses(&format!(r#"{{{head}, "counts": {{"grid": [[[{{"value": 0, "count": -1}}]]]}}}}"#));
}

#[test]
fn check() {
    let mut lines = Comparison::with("check");
    lines.run(&["check", "instances/rooks/empty-5x5.param", "-", "--json"], "{\"grid\": [[1]]}");
    let directory = tempfile::tempdir().expect("a directory");
    let solution = directory.path().join("solution").display().to_string();
    for (puzzle_type, board) in boards() {
        let solved = gordian(&["solve", "-", "--json", "--puzzle", puzzle_type], board);
        fs::write(&solution, &solved.stdout).expect("a file");
        if solved.status.success() {
            lines.run(&["check", "-", &solution, "--json", "--puzzle", puzzle_type], board);
        }
    }
    fs::write(&solution, "R R\n").expect("a file");
    lines.run(&["check", "-", &solution, "--json"], "rooks\n. .\n");
    // The limit is reached while the comments are read.
    let long = format!("rooks\n{}. .\n", "% a comment\n".repeat(200_000));
    lines.run(&["check", "-", &solution, "--json", "--timeout", "0"], &long);
    lines.all("status", &["correct", "wrong", "stopped"]);
    lines.all("places", &["[[1,1],[1,2]]"]);
    lines.is_strict();
    lines.refuses(r#"{"puzzle": "rooks", "source": "-", "status": "wrong", "places": [[0, 1]]}"#);
}

#[test]
fn prove_check() {
    let mut lines = Comparison::with("prove-check");
    let directory = tempfile::tempdir().expect("a directory");
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).expect("a file");
    write("board.txt", "rooks\n. .\n");
    write("formula.opb", ">= 1 ;\n");
    let path = directory.path().display().to_string();
    for (claim, solution) in [("solution", "[0, 1]"), ("unique", "[0, 1]"), ("unique", "[1, 1]")] {
        write(
            "claim.json",
            &format!("{{\"claim\": \"{claim}\", \"solutions\": [{{\"grid\": [{solution}]}}]}}"),
        );
        lines.run(&["prove-check", &path, "--json"], "");
    }
    lines.all("status", &["verified", "refused"]);
    lines.is_strict();
    lines.refuses(r#"{"puzzle": "rooks", "source": "-", "status": "maybe", "claim": "c"}"#);
}

#[test]
fn export_and_decode() {
    let mut described = Comparison::with("sidecar");
    let mut lines = Comparison::with("decode");
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name).display().to_string();
    let (board, formula, solution, sidecar) =
        (path("board.txt"), path("f.cnf"), path("solution"), path("s.json"));
    for (puzzle_type, text) in boards() {
        fs::write(&board, text).expect("a file");
        for (command, more) in [("sat", &["--objective", "none"][..]), ("opt", &["--format", "wcnf"])] {
            let write =
                [&["export", &board, "--puzzle", puzzle_type, "--sidecar", &sidecar, "-o", &formula], more];
            let exported = gordian(&write.concat(), "");
            assert!(exported.status.success(), "{puzzle_type}: {}", stderr(&exported));
            described.value(&fs::read_to_string(&sidecar).expect("a file"), puzzle_type);
            let solved = gordian(&[command, &formula], "");
            fs::write(&solution, &solved.stdout).expect("a file");
            lines
                .run(&[&["decode", &board, &solution, "--puzzle", puzzle_type, "--json"], more].concat(), "");
        }
    }
    fs::write(&board, "rooks\n. .\n").expect("a file");
    for text in ["s SATISFIABLE\nv 1 2 3 4 5 6 0\n", "s UNKNOWN\n"] {
        lines.run(&["decode", &board, "-", "--json"], text);
    }
    lines.all("status", &["solved", "optimal", "none", "stopped", "wrong"]);
    lines.is_strict();
    described.all("for", &["solving"]);
    assert!(!described.values("objective").is_empty());
    described.is_strict();
}

#[test]
fn explain() {
    let mut lines = Comparison::with("explain");
    for (puzzle_type, board) in boards().into_iter().filter(|(name, _)| ["nurikabe", "rooks"].contains(name))
    {
        lines.run(&["explain", "-", "--json", "--puzzle", puzzle_type], board);
        lines.run(&["hint", "-", "--json", "--all", "--puzzle", puzzle_type], board);
    }
    lines.run(&["explain", "-", "--json", "--timeout", "0"], "nurikabe\n1 . 1\n");
    lines.run(&["hint", "-", "--json"], "nurikabe\n1 1\n");
    lines.all("status", &["complete", "none", "stopped"]);
    assert!(!lines.values("step").is_empty() && !lines.values("difficulty").is_empty());
    lines.is_strict();
    let mut lines = Comparison::with("why");
    lines.run(&["why", "-", "--json"], "nurikabe\n1 1\n");
    lines.run(&["why", "-", "--json"], "nurikabe\n1 . 1\n");
    lines.run(&["why", "-", "--json", "--cell", "r1c2"], "nurikabe\n1 . 1\n");
    lines.run(&["why", "-", "--json", "--timeout", "0"], "nurikabe\n1 1\n");
    lines.all("status", &["reason", "possible", "stopped"]);
    lines.all("complete", &["true"]);
    assert_eq!(lines.values("fact"), BTreeSet::from(["r1c2=sea".to_owned()]));
    lines.is_strict();
}

#[cfg(target_os = "linux")]
#[test]
fn bench() {
    let mut lines = Comparison::with("bench");
    let directory = tempfile::tempdir().expect("a directory");
    let board = directory.path().join("board.txt").display().to_string();
    let results = directory.path().join("results.jsonl").display().to_string();
    fs::write(&board, "rooks\n. . .\n. 2 .\n. . .\n").expect("a file");
    let run = |more: &[&str]| {
        let done = gordian(&[&["bench", &board, "-o", &results], more].concat(), "");
        // The program `false` fails, so its run fails, too.
        let code = if more.concat().contains("external:false") { 2 } else { 0 };
        assert_eq!(done.status.code(), Some(code), "{more:?}: {}", stderr(&done));
    };
    run(&[
        "--query",
        "satisfy,optimise,unique,count,backbone",
        "--encode",
        "at-most-one=all",
        "--label",
        "a",
    ]);
    run(&[
        "--solver",
        "external:false {cnf}",
        "--memory",
        "1G",
        "--cpu-timeout",
        "9",
        "--",
        "--conflicts",
        "5",
    ]);
    run(&["--query", "optimise", "--strategy", "all", "--seeds", "2"]);
    run(&["--solver", "external:sh -c 'sleep 100' {cnf}", "--timeout", "0.1"]);
    for line in fs::read_to_string(Path::new(&results)).expect("results").lines() {
        lines.value(line, "a result");
    }
    lines.all("ending", &["answered", "failed", "time"]);
    lines.all("status", &["solved", "optimal", "stopped", "error"]);
    lines.is_strict();
}

#[test]
fn the_documentation_links_to_every_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/json.md")).expect("a page");
    for name in Schemas::read().0.keys() {
        assert!(page.contains(&format!("]({name})")), "docs/json.md has no link to {name}");
    }
}

#[test]
fn make() {
    let mut lines = Comparison::with("make");
    lines.run(
        &["make", "rooks", "--size", "5x5", "--json", "--count", "2", "--difficulty", "propagation"],
        "",
    );
    lines.run(&["make", "numberlink", "--size", "4x4", "--json"], "");
    lines.run(&["make", "nurikabe", "--json", "--timeout", "0"], "");
    lines.all("status", &["made", "stopped"]);
    lines.all("seed", &["0", "1"]);
    assert!(!lines.values("address").is_empty() && !lines.values("difficulty").is_empty());
    lines.is_strict();
}

#[test]
fn list() {
    let mut lines = Comparison::with("list");
    lines.run(&["list", "--json"], "");
    lines.all("kind", &["puzzle", "encoding", "solver", "strategy", "format"]);
    lines.all("count", &["kept", "lost", "on-request"]);
    for key in ["constraint", "strength", "paper", "aliases", "formats", "version", "extension", "summary"] {
        assert!(!lines.values(key).is_empty(), "{key}");
    }
    lines.is_strict();
    let mut one = Comparison::with("list");
    one.run(&["list", "encodings", "table", "--json"], "");
    one.all("constraint", &["table"]);
    one.all("name", &["support", "binary-support", "conflicts", "rows"]);
    lines.refuses(r#"{"kind": "puzzles", "name": "rooks"}"#);
}

#[test]
fn clues() {
    let mut lines = Comparison::with("clues");
    lines.run(&["clues", "-", "--json"], "rooks\n. . . 0\n1 . . .\n. . 2 #\n");
    lines.run(&["clues", "-", "--json"], "rooks\n. #\n. .\n");
    lines.run(&["clues", "-", "--json"], "nurikabe\n1 1\n");
    lines.run(&["clues", "-", "--json", "--timeout", "0"], "nurikabe\n1 .\n");
    lines.all("status", &["unique", "several", "none", "stopped"]);
    lines.all("complete", &["true", "false"]);
    lines.is_strict();
}
