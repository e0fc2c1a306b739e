//! Tests that run `minizinc` (2.6 or newer, as in Debian) with this program as the solver. The models come from the
//! documents that define the puzzles, or test a single constraint or option.
//!
//! The command `cargo test` ignores the tests that run `minizinc`. The script `.ci/run --all` installs `minizinc` and runs
//! the tests with `--ignored`.
#![cfg(unix)]

mod contexts;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::LazyLock;

use crate::external::python;
use crate::support::{board, gordian, stderr, stdout};
use gordian::rules::{Field, Grid, Solution};
use serde_json::json;
use tempfile::TempDir;

/// Creates a directory in which `minizinc` finds this program as a solver.
static SOLVERS: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().to_str().expect("UTF-8");
    let output = gordian(&["minizinc", "install", "--directory", path], "");
    assert!(output.status.success(), "{}", stderr(&output));
    folder
});

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new("minizinc");
    command.env("MZN_SOLVER_PATH", SOLVERS.path()).args(["--solver", "gordian"]).args(arguments);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/minizinc"));
    command
}

fn minizinc(arguments: &[&str]) -> Output {
    command(arguments).output().expect("minizinc is installed")
}

/// Returns the output for a model in `tests/minizinc`, with the given data files.
#[track_caller]
fn solved(arguments: &[&str]) -> String {
    let output = minizinc(arguments);
    assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    stdout(&output)
}

/// Returns the numbers in a text, in order.
fn numbers(text: &str) -> Vec<i128> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|word| word.parse().ok()).collect()
}

#[test]
#[ignore = "needs minizinc"]
fn reasons_name_the_places_of_a_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, text: &str| std::fs::write(path(name), text).expect("a file");
    write("more.mzn", "predicate apart(var int: a, var int: b) = abs(a - b) >= 1;\n");
    let model = "include \"more.mzn\"; include \"globals.mzn\";\narray[1..4] of var 1..3: x;\n\
        constraint forall (i in 1..2) ( % a comment\n  x[i] < x[i + 1]);\n  constraint apart(x[1], x[2]);\n\
        constraint :: \"mine\" x[1] + x[4] >= 5; constraint all_different(x);\nsolve satisfy;\n";
    write("model.mzn", model);
    let why = |name: &str| gordian(&["why", &path(name)], "");
    let output = why("model.mzn");
    let place = format!("  {}:6:40: all_different(x)\n", path("model.mzn"));
    assert_eq!(
        stdout(&output),
        format!("1 rule is contradictory (smallest):\n{place}"),
        "{}",
        stderr(&output)
    );
    write("two.mzn", &model.replace("constraint all_different(x);", ""));
    let output = stdout(&why("two.mzn"));
    let place = format!("{}:3:1: forall (i in 1..2) ( x[i] < x[i + 1])", path("two.mzn"));
    assert_eq!(output, format!("2 rules contradict each other (smallest):\n  {place}\n  mine\n"));
    // MiniZinc loses the name of this constraint.
    write(
        "flat.mzn",
        "var 1..3: y;\nconstraint y > 1;\nvar bool: b;\nconstraint b;\nconstraint b -> 2 * y + 1 = 4;\nsolve satisfy;\n",
    );
    let flat = stdout(&why("flat.mzn"));
    assert_eq!(flat, "1 rule is contradictory (smallest):\n  int_lin_eq in line 3 of the FlatZinc\n");
    write("wrong.mzn", "var 1..3: y;\nconstraint y > z;\nsolve satisfy;\n");
    let wrong = stderr(&why("wrong.mzn"));
    assert!(wrong.contains(&format!("{}:2.16", path("wrong.mzn"))), "the place in the user's file: {wrong}");
    for name in ["powers000", "labyrinth000", "maxtri001"] {
        let data = format!("tests/minizinc/{name}.dzn");
        let model = format!("tests/minizinc/{name}.mzn");
        let data = if Path::new(&data).exists() { vec!["--data", &data] } else { Vec::new() };
        let output = gordian(&[&["why", &model], &data[..]].concat(), "");
        assert_eq!(stdout(&output), "nothing to explain: a solution exists\n", "{}", stderr(&output));
    }
}

/// Runs the Python program in the documentation of the library. It does not use what `MiniZinc` 2.8 added, so the test
/// lowers the version that `CPMpy` requires to that of Debian.
#[test]
#[ignore = "needs minizinc, and python3 with CPMpy"]
fn cpmpy_runs_gordian() {
    const ANY_VERSION: &str =
        "from cpmpy.solvers.minizinc import CPM_minizinc\nCPM_minizinc.required_version = (2, 6, 0)\n";
    let page = include_str!("../../docs/library.md");
    let program =
        page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a program");
    let output = Command::new(python())
        .env("MZN_SOLVER_PATH", SOLVERS.path())
        .args(["-c", &format!("{ANY_VERSION}{program}")])
        .output()
        .expect("python3 is installed");
    assert_eq!(stdout(&output), "True [6 8 1]\n", "{}", stderr(&output));
}

#[test]
#[ignore = "needs minizinc"]
fn the_models_of_the_documents_have_their_results() {
    const COMPLETE: &str = "----------\n==========\n";
    for (arguments, expected) in [
        (&["powers000.mzn"][..], &["5832_104976_18", COMPLETE][..]),
        (&["smallest001.mzn", "smallest001.dzn"], &["The smallest number is 2046", COMPLETE]),
        (&["nines001.mzn", "nines001.dzn"], &["The resulting value is 99\n"]),
        (&["labyrinth000.mzn", "labyrinth000.dzn"], &["Path_length:_16-_Path_cost:_150", COMPLETE]),
        (&["cards001.mzn", "cards001.dzn"], &["n_black_right_split = 13;\n"]),
        (&["maxtri001.mzn", "-s"], &["%%%mzn-stat: objective=69\n", COMPLETE]),
    ] {
        let output = solved(arguments);
        for expected in expected {
            assert!(output.contains(expected), "{arguments:?}: {output}");
        }
    }
    // The model `age001` has several solutions. One of them is the year 2020, which the document lists.
    let year = numbers(&solved(&["age001.mzn", "age001.dzn"]))[0];
    let digits: i128 = year.to_string().bytes().map(|digit| i128::from(digit - b'0')).sum();
    assert_eq!((digits * 5, year > 2000), (year - 2000, true), "{year}");
    let triangle = numbers(&solved(&["triangle001.mzn", "triangle001.dzn"]));
    let [a, b, c, d, e, f, g, h, i] = triangle[..] else { panic!("{triangle:?}") };
    assert_eq!((a, a + b + c + d, d + e + f + g, g + h + i + a), (2, 20, 20, 20));
}

#[test]
#[ignore = "needs minizinc"]
fn numcross_has_the_solutions_of_the_puzzle() {
    for (data, name) in [("numcross003", "1"), ("numcross003-2", "2"), ("numcross003-3", "3")] {
        let output = solved(&["numcross003.mzn", &format!("{data}.dzn")]);
        let (grid, entries) = output.split_once("ORIZZONTALI").expect("a heading");
        let (across, down) = entries.split_once("VERTICALI").expect("a heading");
        let rows = |text: &str| text.lines().map(numbers).filter(|row| !row.is_empty()).collect::<Vec<_>>();
        let solution = json!({"grid": rows(grid), "across": rows(across), "down": rows(down)});
        let puzzle = format!("instances/numcross/document-003-{name}.dzn");
        let checked = gordian(&["check", &puzzle, "-"], &solution.to_string());
        assert_eq!(stdout(&checked), "correct\n", "{data}: {output}{}", stderr(&checked));
    }
}

#[test]
#[ignore = "needs minizinc"]
fn nurikabe_has_one_solution_that_satisfies_the_rules() {
    let puzzle = board("nurikabe\n. . . . .\n1 . . . .\n. . . . 3\n. . . 4 .\n2 . . . .\n");
    let unique = gordian(
        &["solve", "-", "--unique", "--json"],
        "nurikabe\n. . . . .\n1 . . . .\n. . . . 3\n. . . 4 .\n2 . . . .\n",
    );
    assert!(stdout(&unique).contains("\"unique\":true"), "{}", stdout(&unique));
    for model in ["nurikabe000", "nurikabe001"] {
        let output = solved(&["-a", &format!("{model}.mzn"), &format!("{model}.dzn")]);
        let solutions = output.split("----------\n").map(numbers).filter(|cells| !cells.is_empty());
        // A cell of an island contains the size of the island. The model `nurikabe001` does not require that islands
        // are connected, so it also has a solution that violates the rules.
        let follows = |cells: &Vec<i128>| {
            assert_eq!(cells.len(), 25, "{model}: {output}");
            let islands = Solution::new().with("grid", Field::Grid(Grid::new(5, 5, cells.clone())));
            puzzle.check(&islands).is_ok()
        };
        assert_eq!(solutions.filter(follows).count(), 1, "{model}: {output}");
    }
}

/// Returns the vertices that can be reached from `start`.
fn reached(start: usize, edges: &[(usize, usize)]) -> BTreeSet<usize> {
    let mut reached = BTreeSet::from([start]);
    for _ in 0..edges.len() {
        let next = edges.iter().filter(|(from, _)| reached.contains(from)).map(|&(_, to)| to);
        reached.append(&mut next.collect());
    }
    reached
}

/// The edges of the graph in `graphs.mzn`, and its last vertex.
const EDGES: [(usize, usize); 6] = [(0, 1), (0, 1), (1, 2), (3, 1), (2, 2), (3, 2)];
const LAST: usize = 3;

/// The vertices, the edges, and the edges in both directions.
type Subgraph = (BTreeSet<usize>, Vec<(usize, usize)>, Vec<(usize, usize)>);
/// Whether a constraint holds for a subgraph and a vertex s.
type Definition<'a> = &'a dyn Fn(&Subgraph, usize) -> bool;

fn connected((vertices, _, both): &Subgraph, s: usize) -> bool {
    vertices.contains(&s) && reached(s, both) == *vertices
}

fn directed((vertices, edges, _): &Subgraph, s: usize) -> bool {
    vertices.contains(&s) && reached(s, edges) == *vertices
}

fn is_tree((vertices, edges, _): &Subgraph) -> bool {
    edges.len() + 1 == vertices.len()
}

/// Returns whether a tree is a path from s to [`LAST`].
fn is_path((vertices, _, both): &Subgraph, s: usize) -> bool {
    let degree = |&vertex: &usize| both.iter().filter(|&&(from, _)| from == vertex).count();
    vertices.iter().all(|vertex| degree(vertex) == 2 - [s, LAST].iter().filter(|&end| end == vertex).count())
}

#[test]
#[ignore = "needs minizinc"]
fn graph_constraints_have_the_solutions_of_their_definitions() {
    let any =
        |holds: fn(&Subgraph, usize) -> bool, graph: &Subgraph| graph.0.iter().any(|&s| holds(graph, s));
    let spans = |graph: &Subgraph| graph.0.len() == 4;
    // Each row has the definition of a constraint, whether the constraint can be reified, and its forms: `false` if nodes
    // are elements of an enum, and `true` if they are numbers.
    let all: [(Definition<'_>, bool, &[bool]); 12] = [
        (&|graph, _| any(connected, graph), true, &[false]),
        (&|graph, _| any(directed, graph), false, &[false]),
        (&|graph, s| connected(graph, s), true, &[false, true]),
        (&|graph, s| directed(graph, s), false, &[false, true]),
        (&|graph, s| connected(graph, s) && is_tree(graph), true, &[false, true]),
        (&|graph, s| directed(graph, s) && is_tree(graph), true, &[false, true]),
        (&|graph, s| connected(graph, s) && is_tree(graph) && is_path(graph, s), true, &[false, true]),
        (&|graph, s| directed(graph, s) && is_tree(graph) && is_path(graph, s), true, &[false, true]),
        (&|graph, _| any(connected, graph) && is_tree(graph), true, &[true]),
        (&|graph, s| directed(graph, s) && is_tree(graph), true, &[true]),
        (&|graph, _| any(connected, graph) && is_tree(graph) && spans(graph), true, &[true]),
        (&|graph, s| directed(graph, s) && is_tree(graph) && spans(graph), true, &[true]),
    ];
    for (number, (definition, has_reified, forms)) in (1..).zip(all) {
        for (&numbered, reified) in forms.iter().flat_map(|form| [(form, false), (form, true)]) {
            if reified && !has_reified {
                continue;
            }
            let data = format!("constraint_number={number};reified={reified};numbered={numbered}");
            let output = solved(&["-a", "graphs.mzn", "-D", &data]);
            let lines: Vec<&str> = output.lines().filter(|line| line.len() == 12).collect();
            let mut expected = BTreeSet::new();
            for bits in 0..1_u32 << 10 {
                let chosen = |index: usize| bits >> index & 1 == 1;
                let vertices: BTreeSet<usize> = (0..4).filter(|&vertex| chosen(vertex)).collect();
                let edges: Vec<_> = (0..6).filter(|&edge| chosen(4 + edge)).map(|edge| EDGES[edge]).collect();
                if chosen(6) != (chosen(1) && chosen(2)) {
                    continue;
                }
                let within = edges.iter().all(|(from, to)| vertices.contains(from) && vertices.contains(to));
                let both = edges.iter().flat_map(|&(from, to)| [(from, to), (to, from)]).collect();
                let graph = (vertices, edges, both);
                for (s, name) in (0..).zip(["A", "B", "C", "D"]) {
                    let holds = within && definition(&graph, s);
                    if holds || reified {
                        let digits: String =
                            (0..10).map(|index| u8::from(chosen(index)).to_string()).collect();
                        expected.insert(format!("{digits}{name}{}", u8::from(holds)));
                    }
                }
            }
            assert_eq!(lines.len(), expected.len(), "{data}");
            assert_eq!(lines.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), expected, "{data}");
        }
    }
}

#[test]
#[ignore = "needs minizinc"]
fn bin_packing_has_the_solutions_of_its_definition() {
    const WEIGHTS: [usize; 3] = [3, 1, 2];
    // The arguments are the total weight in each bin, by the number of the bin, and the loads of the bins 3 to 5.
    type Definition<'a> = &'a dyn Fn([usize; 7], [usize; 3]) -> bool;
    let definitions: [Definition<'_>; 3] = [
        &|packed, loads| packed[2] + packed[6] == 0 && packed[3..6] == loads,
        &|packed, _| packed[2] + packed[6] == 0 && packed[3] <= 3 && packed[4] <= 2 && packed[5] <= 4,
        &|packed, _| packed.iter().all(|&weight| weight <= 3),
    ];
    for (number, definition) in (1..).zip(definitions) {
        for reified in [false, true] {
            let data = format!("constraint_number={number};reified={reified}");
            let output = solved(&["-a", "bin_packing.mzn", "-D", &data]);
            let lines: Vec<String> =
                output.lines().filter(|line| line.len() == 7).map(str::to_owned).collect();
            let mut expected = BTreeSet::new();
            for code in 0..5 * 5 * 5 * 7 * 7 {
                let bins = [1, 5, 25].map(|place| code / place % 5 + 2);
                let loads = [code / 125 % 7, code / 875, 2];
                let loads = if number == 1 { loads } else { [0; 3] };
                let mut packed = [0; 7];
                for (bin, weight) in bins.into_iter().zip(WEIGHTS) {
                    packed[bin] += weight;
                }
                let holds = definition(packed, loads);
                if holds || reified {
                    let numbers = bins.into_iter().chain(loads).chain([usize::from(holds)]);
                    expected.insert(numbers.map(|number| number.to_string()).collect::<String>());
                }
            }
            assert_eq!(lines.len(), expected.len(), "{data}");
            assert_eq!(lines.into_iter().collect::<BTreeSet<_>>(), expected, "{data}");
        }
    }
}

#[test]
#[ignore = "needs minizinc"]
fn diffn_has_the_solutions_of_its_definition() {
    // A coordinate and a size.
    type Side = [usize; 2];
    let overlap = |sides: [[Side; 2]; 2]| {
        let [first, second] = sides;
        first.iter().zip(&second).all(|([x, width], [y, other])| x + width > *y && y + other > *x)
    };
    for number in 1..=4 {
        for reified in [false, true] {
            let data = format!("constraint_number={number};reified={reified}");
            let output = solved(&["-a", "diffn.mzn", "-D", &data]);
            let lines: Vec<String> =
                output.lines().filter(|line| line.len() == 6).map(str::to_owned).collect();
            let mut expected = BTreeSet::new();
            for code in 0..3 * 3 * 3 * 2 * 3 {
                let x = [1, 3, 9].map(|place| code / place % 3);
                let (a, b) = (code / 27 % 2, code / 54);
                let boxes = [[[x[0], 2], [0, 1]], [[x[1], 1], [a, 2]], [[x[2], b], [1, 2]]];
                let is_ignored = |[[_, width], _]: [Side; 2]| number > 2 && width == 0;
                let pairs = [[0, 1], [0, 2], [1, 2]].map(|pair| pair.map(|index: usize| boxes[index]));
                let holds = pairs.into_iter().all(|pair| pair.into_iter().any(is_ignored) || !overlap(pair));
                if holds || reified {
                    let numbers = x.into_iter().chain([a, b, usize::from(holds)]);
                    expected.insert(numbers.map(|number| number.to_string()).collect::<String>());
                }
            }
            assert_eq!(lines.len(), expected.len(), "{data}");
            assert_eq!(lines.into_iter().collect::<BTreeSet<_>>(), expected, "{data}");
        }
    }
}

#[test]
#[ignore = "needs minizinc"]
fn redundant_constraints_may_have_local_variables() {
    assert_eq!(solved(&["redundant.mzn"]), "x = [2, 3, 1];\n----------\n");
}
