//! Tests that exported formulas are correct, that their solutions can be decoded, and that wrong solutions are
//! rejected.
//!
//! The tests solve the formulas with `gordian sat` and `gordian opt`. `external.rs` tests third-party solvers.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, boards, gordian, stderr, stdout};
use serde_json::Value;
use tempfile::TempDir;

const LINE: &str = "rooks\n. . .\n";

/// A temporary directory with a board.
struct Bench {
    directory: TempDir,
}

impl Bench {
    fn new(board: &str) -> Self {
        let bench = Self { directory: TempDir::new().expect("a temporary directory") };
        fs::write(bench.path("board.txt"), board).expect("a file");
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        self.path(name).to_str().expect("UTF-8").to_owned()
    }

    fn export(&self, options: &[&str]) -> String {
        let output = gordian(&[&["export", &self.name("board.txt")], options].concat(), "");
        assert_eq!(output.status.code(), Some(0), "{options:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// Runs `decode` on the output of a solver. Returns the output and the exit code of `decode`.
    fn decode(&self, options: &[&str], solution: &str) -> (String, Option<i32>) {
        let output = gordian(&[&["decode", &self.name("board.txt"), "-"], options].concat(), solution);
        (stdout(&output) + &stderr(&output), output.status.code())
    }
}

fn clauses(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with(['c', 'p', '*'])).collect()
}

#[test]
fn a_file_explains_itself() {
    let bench = Bench::new(LINE);
    let text = bench.export(&[]);
    for line in [
        &format!("c gordian {}", env!("CARGO_PKG_VERSION")),
        "c puzzle rooks",
        "c for solving",
        "c var 1 = rook(1,1)",
        "c var 4 = row-segment(1,1)",
        "c p show 1 2 3 0",
        "c ind 1 2 3 0",
        "p cnf 4 10",
    ] {
        assert!(text.lines().any(|found| found == line), "no line `{line}` in\n{text}");
    }
    assert!(text.contains("c encoding at-most-one = pairwise (1 constraints)"), "{text}");
    assert!(text.contains("c size at-most-one: 1 constraints, 0 variables, 3 clauses, 6 literals"), "{text}");
    assert_eq!(clauses(&text).len(), 10);
    assert!(!text.contains("c t pmc"));
    assert!(bench.export(&["--for", "counting"]).contains("\nc t pmc\n"));
}

#[test]
fn integers_are_named_by_their_views() {
    let output = gordian(&["export", "instances/age/document-001.dzn", "--puzzle", "age"], "");
    assert!(stdout(&output).contains(" = year(0)<=3\n"), "{}", stdout(&output));
    let arguments =
        ["export", "instances/age/document-001.dzn", "--puzzle", "age", "--encode", "integers=log"];
    assert!(stdout(&gordian(&arguments, "")).contains(" = year(0)[bit 1]\n"));
    let arguments =
        ["export", "instances/age/document-001.dzn", "--puzzle", "age", "--encode", "integers=direct"];
    assert!(stdout(&gordian(&arguments, "")).contains(" = year(0)=3\n"));
}

#[test]
fn every_solution_variable_has_a_name() {
    for (puzzle_type, path) in support::drawn(boards()) {
        let sidecar = TempDir::new().expect("a temporary directory");
        let file = sidecar.path().join("sidecar.json");
        let file = file.to_str().expect("UTF-8");
        let output =
            gordian(&["export", &path, "--puzzle", &puzzle_type, "-o", "/dev/null", "--sidecar", file], "");
        assert_eq!(output.status.code(), Some(0), "{path}: {}", stderr(&output));
        let json: Value = serde_json::from_str(&fs::read_to_string(file).expect("a file")).expect("JSON");
        let named: Vec<i64> = json["names"]
            .as_array()
            .expect("names")
            .iter()
            .filter_map(|row| row["literal"].as_i64())
            .collect();
        for variable in json["solution"].as_array().expect("a solution") {
            let variable = variable.as_i64().expect("a number");
            assert!(named.iter().any(|lit| lit.abs() == variable), "{variable} of {path}");
        }
        assert_eq!(json["puzzle"], puzzle_type.as_str());
    }
}

#[test]
fn incomplete_encodings_are_replaced_and_reported() {
    let bench = Bench::new("nurikabe\n2 . .\n. . .\n. . 1\n");
    for encoding in ["cuts", "propagator"] {
        let choice = format!("connectivity={encoding}");
        let output = gordian(&["export", &bench.name("board.txt"), "--encode", &choice], "");
        let note = format!(
            "connectivity = {encoding} is replaced by layers, because a file needs a complete encoding"
        );
        assert!(stderr(&output).contains(&note), "{}", stderr(&output));
        assert!(stdout(&output).contains(&format!("c {note}")));
        assert!(stdout(&output).contains("c encoding connectivity = layers"));
    }
}

#[test]
fn opb_contains_linear_constraints() {
    let bench = Bench::new("rooks\n. . . .\n. 2 . .\n");
    let text = bench.export(&["--format", "opb", "--objective", "most"]);
    assert!(text.starts_with("* #variable= "), "{text}");
    assert!(text.contains("\n+1 x2 +1 x5 +1 x6 = 2 ;\n"), "{text}");
    assert!(text.contains("\n-1 x1 -1 x2 -1 x3 -1 x4 >= -1 ;\n"), "{text}");
    assert!(text.contains("* objective most, maximised, so its negation is minimised\n"), "{text}");
    assert!(text.lines().any(|line| line.starts_with("min: -1 x")), "{text}");
    let header: Vec<&str> = text.lines().next().expect("a header").split(' ').collect();
    assert_eq!(header[4], clauses(&text).iter().filter(|line| line.contains('=')).count().to_string());
}

#[test]
fn icnf_contains_a_sequence_of_bounds() {
    let bench = Bench::new("rooks\n. .\n. .\n");
    let plain = bench.export(&["--format", "icnf"]);
    assert_eq!(plain.lines().filter(|line| line.starts_with('a')).collect::<Vec<_>>(), ["a 0"]);
    let text = bench.export(&["--format", "icnf", "--objective", "fewest"]);
    let asked: Vec<&str> = text.lines().filter(|line| line.starts_with("c objective at most")).collect();
    assert_eq!(asked, ["c objective at most 2?", "c objective at most 1?", "c objective at most 0?"]);
    assert!(text.starts_with("c gordian") && text.contains("\np inccnf\n"));
}

#[test]
fn the_first_of_many_bounds_allows_every_value() {
    let bench = Bench::new(LINE);
    let model = bench.name("model.fzn");
    fs::write(&model, "var 0..2047: x :: output_var;\nsolve minimize x;\n").expect("a file");
    let text = stdout(&gordian(&["export", &model, "--format", "icnf", "--objective", "minimise"], ""));
    let bounds: Vec<&str> = text.lines().filter(|line| line.starts_with("c objective at most")).collect();
    assert_eq!(bounds.len(), 1000);
    assert_eq!((bounds[0], bounds[999]), ("c objective at most 2047?", "c objective at most 0?"));
}

#[test]
fn compressed_files_are_read_back() {
    let bench = Bench::new(LINE);
    let plain = bench.export(&[]);
    for ending in ["cnf", "cnf.gz", "cnf.xz", "cnf.bz2"] {
        let name = bench.name(&format!("f.{ending}"));
        bench.export(&["-o", &name]);
        let bytes = fs::read(&name).expect("a file");
        assert_eq!(bytes == plain.as_bytes(), ending == "cnf", "{ending}");
        let output = gordian(&["sat", &name], "");
        assert_eq!(output.status.code(), Some(10), "{ending}: {}", stderr(&output));
        assert_eq!(bench.decode(&[], &stdout(&output)).1, Some(0), "{ending}");
    }
    bench.export(&["-o", &bench.name("f.opb")]);
    assert!(fs::read_to_string(bench.path("f.opb")).expect("a file").starts_with("* #variable= "));
}

#[test]
fn every_solver_output_format_is_decoded() {
    let bench = Bench::new(LINE);
    for (options, solution) in [
        (&[][..], "c said\ns SATISFIABLE\nv -1 2 -3\nv 4 0\n"),
        (&[], "SAT\n-1 2 -3 4 0\n"),
        (&[], "-1 2 -3 4\n"),
        (&[], "v -1 2 -3 4 0\n"),
        (&[], "v 0101\n"),
        (&["--format", "wcnf", "--objective", "fewest"], "s OPTIMUM FOUND\no 1\nv 0101\n"),
        (&["--format", "opb"], "s SATISFIABLE\nv -x1 x2 -x3 x4\n"),
        // A solver may print only the true variables, only some of the variables, or only the variables of the
        // solution.
        (&[], "2 4\n"),
        (&[], "v 2 0\n"),
        (&["--format", "opb"], "x2\n"),
    ] {
        let (text, code) = bench.decode(options, solution);
        assert!(text.contains(". R .\n") && code == Some(0), "{options:?} {solution}: {text}");
    }
    let (text, code) =
        bench.decode(&["--format", "wcnf", "--objective", "fewest"], "s OPTIMUM FOUND\nv 0101\n");
    assert!(text.contains("fewest: 1, proven optimal") && code == Some(0), "{text}");
    let (text, _) = bench.decode(&["--format", "wcnf", "--objective", "fewest"], "v 0101\n");
    assert!(text.contains("fewest: 1, not proven optimal; no solution is better than 0"), "{text}");
    let (text, code) = bench.decode(&["--json"], "v 0101\n");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&json["status"], &json["solution"]["grid"][0][1], code),
        (&"solved".into(), &1.into(), Some(0))
    );
}

#[test]
fn verdicts_without_values() {
    let bench = Bench::new(LINE);
    assert_eq!(
        bench.decode(&[], "s UNSATISFIABLE\n"),
        ("no solution: the board is contradictory\n".into(), Some(1))
    );
    assert_eq!(bench.decode(&[], "UNSAT\n").1, Some(1));
    assert_eq!(bench.decode(&[], "s UNKNOWN\n").1, Some(3));
    assert_eq!(bench.decode(&[], "INDET\n").1, Some(3));
    let (text, code) = bench.decode(&[], "s SATISFIABLE\n");
    assert!(text.contains("expected values of variables, found none") && code == Some(2), "{text}");
    assert!(bench.decode(&[], "").0.contains("expected a verdict or values"));
    let (text, code) = bench.decode(&[], "s SATISFIABLE\nv 1 two 0\n");
    assert!(
        text.contains("standard input:2:5: expected a literal, found `two`") && code == Some(2),
        "{text}"
    );
    let (text, code) = bench.decode(&[], "1 -1\n");
    assert!(text.contains("found both values of 1") && code == Some(2), "{text}");
}

#[test]
fn wrong_solutions_are_rejected() {
    let bench = Bench::new(LINE);
    let (text, code) = bench.decode(&[], "v 1 2 -3 4 0\n");
    assert!(
        text.starts_with("wrong: not a model of this formula: constraint 5 is violated: -1 -2 0 ("),
        "{text}"
    );
    assert!(text.contains("(not rook(1,1) or not rook(1,2))") && code == Some(1), "{text}");
    // The formula is violated regardless of the remaining variables.
    let (text, code) = bench.decode(&[], "v 1 2 0\n");
    assert!(text.starts_with("wrong: not a model") && code == Some(1), "{text}");

    // The output is a solution of a different board.
    let (text, code) = bench.decode(&[], "v -1 2 -3 4 5 0\n");
    assert!(
        text.contains("variable 5 has a value, but this formula has 4 variables: it is of another board"),
        "{text}"
    );
    assert_eq!(code, Some(1));
    let other = Bench::new("rooks\n# . .\n. . #\n");
    let file = other.name("other.cnf");
    other.export(&["-o", &file]);
    let solved = stdout(&gordian(&["sat", &file], ""));
    let (text, code) = bench.decode(&["--formula-file", &file], &solved);
    assert!(text.contains("a model of the formula in that file, which is of another board"), "{text}");
    assert_eq!(code, Some(1));
    assert_eq!(other.decode(&["--formula-file", &file], &solved).1, Some(0));

    // In iCNF format, a formula with an objective has auxiliary variables for the bounds on the objective.
    let board = Bench::new("rooks\n. . .\n. . .\n. . .\n");
    let solved = board.export(&["--format", "icnf", "--objective", "fewest"]);
    let clauses: Vec<&str> = clauses(&solved).into_iter().filter(|line| !line.starts_with('a')).collect();
    let variables =
        clauses.iter().flat_map(|line| line.split(' ')).filter_map(|word| word.parse::<i64>().ok());
    let header = format!("p cnf {} {}\n", variables.map(i64::abs).max().unwrap_or(0), clauses.len());
    let solved = gordian(&["sat", "-"], &(header + &clauses.join("\n") + "\n"));
    let (text, code) = board.decode(&[], &stdout(&solved));
    assert!(
        text.contains("a model, but of this board with other options: --format icnf --objective fewest"),
        "{text}"
    );
    assert_eq!(code, Some(1));
}

#[test]
fn every_board_is_exported_and_decoded() {
    for (puzzle_type, path) in support::drawn(boards()).filter(|(_, path)| !support::is_hard(path)) {
        let directory = TempDir::new().expect("a temporary directory");
        let file = directory.path().join("f.cnf");
        let file = file.to_str().expect("UTF-8");
        gordian(&["export", &path, "--puzzle", &puzzle_type, "-o", file], "");
        let output = gordian(&["sat", file], "");
        let decoded = gordian(&["decode", &path, "-", "--puzzle", &puzzle_type, "--json"], &stdout(&output));
        let json: Value = serde_json::from_str(&stdout(&decoded)).expect("JSON");
        let ours = gordian(&["solve", &path, "--puzzle", &puzzle_type, "--objective", "none"], "");
        assert_eq!(decoded.status.code(), ours.status.code(), "{path}: {}", stderr(&decoded));
        assert_eq!(json["status"], if ours.status.code() == Some(0) { "solved" } else { "none" }, "{path}");
    }
}

#[test]
fn usage() {
    let bench = Bench::new(LINE);
    let board = bench.name("board.txt");
    for (arguments, message) in [
        (&["--format", "lp"][..], "expected one of dimacs, wcnf, opb, icnf"),
        (&["--objective", "fewest"], "`dimacs` can't express an objective"),
        (
            &["--format", "wcnf", "--objective", "fewest", "--for", "counting"],
            "counted regardless of their value",
        ),
        (&["--format", "wcnf", "--objective", "least"], "`rooks` has the objectives fewest, most, none"),
        (&["-o", "no/such/directory/f.cnf"], "no/such/directory/f.cnf: "),
    ] {
        let output = gordian(&[&["export", &board], arguments].concat(), "");
        assert!(stderr(&output).contains(message), "{arguments:?}: {}", stderr(&output));
        assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""));
    }
    assert_eq!(gordian(&["decode", "-", "-"], "").status.code(), Some(2));
}

#[test]
fn sat_output_follows_the_competition_rules() {
    let sat = |arguments: &[&str], text: &str| {
        let output = gordian(&[&["sat", "-"], arguments].concat(), text);
        (stdout(&output), stderr(&output), output.status.code())
    };
    let (text, _, code) = sat(&[], "p cnf 3 2\n1 0\n-1 -2 0\n");
    assert!(
        text.contains("\ns SATISFIABLE\nv 1 -2 ") && text.ends_with(" 0\n") && code == Some(10),
        "{text}"
    );
    let (text, _, code) = sat(&["--solver", "varisat"], "p cnf 1 2\n1 0\n-1 0\n");
    assert!(text.contains("\ns UNSATISFIABLE\n") && code == Some(20), "{text}");
    assert_eq!(sat(&[], "p cnf 0 1\n0\n").2, Some(20));
    assert!(sat(&[], "p cnf 0 0\n").0.ends_with("\ns SATISFIABLE\nv 0\n"));
    // The output also contains values of variables that do not occur in the formula. Its lines are short.
    let (text, _, code) = sat(&[], "p cnf 300000 1\n-2 0\n");
    let values = text.lines().filter_map(|line| line.strip_prefix("v ")).flat_map(str::split_whitespace);
    let values: Vec<i64> = values.map(|word| word.parse().expect("a number")).collect();
    let (zero, lits) = values.split_last().expect("values");
    assert!(lits.iter().zip(1..).all(|(lit, number)| lit.abs() == number) && *zero == 0 && lits[1] == -2);
    assert_eq!((lits.len(), code), (300_000, Some(10)));
    assert!(text.lines().all(|line| line.len() <= 78));
    let (text, _, code) = sat(&["--timeout", "0"], "p cnf 1 1\n1 0\n");
    assert!(text.contains("\ns UNKNOWN\n") && code == Some(0), "{text}");
    assert_eq!(
        sat(&[], "\u{feff}p cnf 1 1\r\n1 0").2,
        Some(10),
        "a byte order mark, and no line break at the end"
    );
    let (_, error, code) = sat(&[], "p cnf 1 1\n2 0\n");
    assert!(error.contains("-:2:1: expected a literal of a variable up to 1, found `2`"), "{error}");
    assert_eq!(code, Some(2));

    let opt = |arguments: &[&str], text: &str| {
        let output = gordian(&[&["opt", "-"], arguments].concat(), text);
        (stdout(&output), output.status.code())
    };
    let (text, code) = opt(&[], "h 1 2 0\n3 -1 0\n2 -2 -1 0\n1 -2 0\n");
    assert!(text.contains("\no 1\ns OPTIMUM FOUND\nv 01\n") && code == Some(30), "{text}");
    let (text, code) = opt(&[], "p wcnf 2 3 9\n9 1 2 0\n3 -1 0\n4 0\n");
    assert!(text.contains("\no 4\ns OPTIMUM FOUND\nv 01\n") && code == Some(30), "{text}");
    assert_eq!(opt(&[], "h 1 0\nh -1 0\n1 1 0\n").1, Some(20));
    assert_eq!(opt(&["--timeout", "0"], "h 1 0\n").1, Some(0));
    assert_eq!(opt(&[], "h 1 x 0\n").1, Some(2));
}

#[test]
fn optima_of_exported_files_agree() {
    let bench = Bench::new("rooks\n. . . .\n. # . .\n. . 1 .\n. . . .\n");
    for objective in ["fewest", "most"] {
        let options = ["--format", "wcnf", "--objective", objective];
        let file = bench.name("f.wcnf");
        bench.export(&[&options[..], &["-o", &file]].concat());
        let output = gordian(&["opt", &file], "");
        assert_eq!(output.status.code(), Some(30), "{}", stderr(&output));
        let (text, _) = bench.decode(&[&options[..], &["--json"]].concat(), &stdout(&output));
        let decoded: Value = serde_json::from_str(&text).expect("JSON");
        let ours = gordian(&["solve", &bench.name("board.txt"), "--objective", objective, "--json"], "");
        let ours: Value = serde_json::from_str(&stdout(&ours)).expect("JSON");
        for key in ["status", "objective", "bounds"] {
            assert_eq!(decoded[key], ours[key], "{key} of {objective}");
        }
    }
    assert!(Path::new(&bench.name("f.wcnf")).exists());
}
