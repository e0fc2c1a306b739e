//! Tests of `gordian fzn`, which `MiniZinc` runs: options, output, statistics, limits and signals.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::{gordian, stderr, stdout};

/// An instance with three solutions.
const SATISFY: &str = "var 1..3: x :: output_var;\nvar 1..3: y :: output_var;\n\
    constraint int_lin_eq([1,1],[x,y],4);\nsolve satisfy;\n";

/// An instance with the optimum 3 and two optimal solutions.
const MINIMISE: &str = "var 0..9: x :: output_var;\nvar 0..9: y :: output_var;\nvar bool: b :: output_var;\n\
    array [1..2] of var int: xs :: output_array([0..1]) = [x,y];\n\
    constraint int_lin_le([-1,-1],[x,y],-3);\nconstraint int_ne(x,y);\nconstraint int_le_reif(x,y,b);\n\
    constraint int_le(x,2);\nvar 0..18: z :: output_var;\nconstraint int_lin_eq([1,1,-1],[x,y,z],0);\n\
    solve minimize z;\n";

const UNSATISFIABLE: &str = "var 1..3: x;\nconstraint int_lin_eq([2],[x],3);\nsolve satisfy;\n";

fn fzn(arguments: &[&str], text: &str) -> Output {
    let output = gordian(&[&["fzn", "-"], arguments].concat(), text);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    output
}

fn solutions(text: &str) -> usize {
    text.lines().filter(|line| *line == "----------").count()
}

/// A Tseitin formula with a cost. Proving the optimum takes very long. The variables are the edges of a graph with four
/// edges at each vertex, and the constraints state, for each vertex, the parity of the number of true edges at the
/// vertex. The cost is the parity at vertex 0. The cost must be 1, because vertex 1 has the parity 1, all further
/// vertices have the parity 0, and the sum of all parities is even. The warm start sets the cost to this optimum.
fn hard() -> String {
    const VERTICES: usize = 61;
    let mut edges_at = vec![Vec::new(); VERTICES];
    let mut text = "var 0..1: cost :: output_var;\nvar bool: odd;\n".to_owned();
    for vertex in 0..VERTICES {
        for (edge, end) in [(format!("a{vertex}"), vertex + 1), (format!("b{vertex}"), 7 * vertex + 3)] {
            let _ = writeln!(text, "var bool: {edge};");
            edges_at[vertex].push(edge.clone());
            edges_at[end % VERTICES].push(edge);
        }
    }
    text += "constraint bool2int(odd,cost);\n";
    for (vertex, edges) in edges_at.iter().enumerate() {
        // The number of true operands is odd.
        let parity = ["odd,true,", "", "true,"][vertex.min(2)];
        let _ = writeln!(text, "constraint array_bool_xor([{parity}{}]);", edges.join(","));
    }
    text + "solve :: warm_start_bool([odd,a0],[true,true]) minimize cost;\n"
}

#[test]
fn a_satisfaction_problem_has_as_many_solutions_as_wanted() {
    let one = stdout(&fzn(&[], SATISFY));
    assert!(one.ends_with(";\n----------\n") && solutions(&one) == 1, "{one}");
    assert!(one.starts_with("x = ") && one.lines().nth(1).unwrap().starts_with("y = "), "{one}");
    let two = stdout(&fzn(&["-n", "2"], SATISFY));
    assert!(solutions(&two) == 2 && two.ends_with("----------\n"), "{two}");
    for arguments in [&["-a"][..], &["-n", "9"], &["-n", "0"], &["-a", "-f", "-p", "2", "-r", "-7"]] {
        let all = stdout(&fzn(arguments, SATISFY));
        assert!(solutions(&all) == 3 && all.ends_with("----------\n==========\n"), "{arguments:?}: {all}");
        for solution in ["x = 1;\ny = 3;\n", "x = 2;\ny = 2;\n", "x = 3;\ny = 1;\n"] {
            assert!(all.contains(solution), "{all}");
        }
    }
}

/// Tests the constraint `cumulative`, alone and under a condition. Some solvers enforce the constraint with a
/// propagator, others with cuts.
#[test]
fn propagators_cuts_and_clauses_find_the_same_solutions() {
    let text = "var 0..3: a :: output_var;\nvar 0..3: b :: output_var;\nvar 0..3: c :: output_var;\n\
        var 1..3: d :: output_var;\nvar 1..3: k :: output_var;\nvar bool: r :: output_var;\n\
        constraint fzn_cumulative([a,b,c],[2,3,d],[1,2,1],k);\n\
        constraint fzn_cumulative_reif([a,b,c],[2,1,2],[1,1,1],2,r);\n\
        constraint fzn_cumulative_imp([a,b,c],[1,d,1],[1,1,2],2,r);\nsolve satisfy;\n";
    let count = |encoding: &str, solver: &str| {
        let arguments = ["-a", "--encode", encoding, "--sat-solver", solver];
        solutions(&stdout(&fzn(&arguments, text)))
    };
    let expected = count("cumulative=time", "batsat");
    assert!(expected > 50, "{expected}");
    assert_eq!(count("cumulative=task", "batsat"), expected);
    for solver in ["cdcl", "batsat", "varisat"] {
        assert_eq!(count("cumulative=timetable", solver), expected, "{solver}");
    }
}

/// Tests the constraint `disjunctive` in the same way. The sum of the durations is large enough for the propagator.
#[test]
fn tasks_that_do_not_overlap_have_the_same_solutions_with_all_encodings() {
    let text = "var 0..5: a :: output_var;\nvar 0..5: b :: output_var;\nvar 0..5: c :: output_var;\n\
        var 0..2: d :: output_var;\nvar bool: r :: output_var;\nvar bool: s :: output_var;\n\
        constraint fzn_disjunctive([a,b,c],[2,1,d]);\nconstraint fzn_disjunctive_imp([c,b,a],[3,d,3],s);\n\
        constraint fzn_disjunctive_strict_reif([a,b,c],[1,3,0],r);\nsolve satisfy;\n";
    let count = |encoding: &str, solver: &str| {
        solutions(&stdout(&fzn(&["-a", "--encode", encoding, "--sat-solver", solver], text)))
    };
    let counts = ["cdcl", "batsat", "varisat"].map(|solver| count("disjunctive=propagator", solver));
    assert_eq!(counts, [count("disjunctive=precedence", "batsat"); 3]);
    assert!(counts[0] > 50, "{counts:?}");
    let large = text.replace("0..5", "0..5000").replace("solve satisfy", "solve minimize c");
    for encoding in ["precedence", "propagator", "auto"] {
        let output = stdout(&fzn(&["--encode", &format!("disjunctive={encoding}")], &large));
        assert!(output.contains("c = 0;") && output.contains("=========="), "{output}");
    }
}

#[test]
fn an_optimisation_prints_the_best_solution() {
    for arguments in [&[][..], &["-p", "2"], &["--strategy", "core-guided", "--sat-solver", "varisat"]] {
        let best = stdout(&fzn(arguments, MINIMISE));
        assert!(best.contains("z = 3;\n----------\n==========\n") && solutions(&best) == 1, "{best}");
        assert!(best.contains("xs = array1d(0..1, [") && best.contains("b = "), "{best}");
    }
    for argument in ["-a", "-i"] {
        let all = stdout(&fzn(&[argument], MINIMISE));
        let values: Vec<u32> = all
            .lines()
            .filter_map(|line| line.strip_prefix("z = ")?.strip_suffix(';')?.parse().ok())
            .collect();
        assert!(values.is_sorted_by(|a, b| a > b) && values.last() == Some(&3), "{all}");
        assert!(all.ends_with("==========\n"), "{all}");
    }
    // The solutions are (0, 3), (1, 2) and (2, 1).
    let optimal = stdout(&fzn(&["-a-o"], MINIMISE));
    assert!(solutions(&optimal) == 3 && optimal.ends_with("==========\n"), "{optimal}");
    let with_improvements = stdout(&fzn(&["-a-o", "-i"], MINIMISE));
    assert_eq!(with_improvements.matches("z = 3;").count(), 3, "{with_improvements}");
    let some = stdout(&fzn(&["-n-o", "2"], MINIMISE));
    assert_eq!((solutions(&some), some.matches("z = 3;").count()), (2, 2), "{some}");
}

#[test]
fn statistics_end_with_their_mark() {
    for (text, expected) in [
        (
            MINIMISE,
            &["objective=3", "objectiveBound=3", "nSolutions=1", "boolVariables=1", "intVariables=3"][..],
        ),
        (
            SATISFY,
            &[
                "nSolutions=1",
                "restarts=",
                "nogoods=",
                "clauses=",
                "initTime=",
                "encodeTime=",
                "solveTime=",
                "peakMem=",
            ],
        ),
        (UNSATISFIABLE, &["nSolutions=0"]),
    ] {
        let output = stdout(&fzn(&["-s"], text));
        assert!(output.ends_with("\n%%%mzn-stat-end\n"), "{output}");
        for key in expected {
            assert!(output.contains(&format!("%%%mzn-stat: {key}")), "{key}: {output}");
        }
        assert!(!stdout(&fzn(&[], text)).contains('%'));
    }
}

#[test]
fn an_instance_without_a_solution_is_no_error() {
    assert_eq!(stdout(&fzn(&[], UNSATISFIABLE)), "=====UNSATISFIABLE=====\n");
    assert_eq!(stdout(&fzn(&["-a"], UNSATISFIABLE)), "=====UNSATISFIABLE=====\n");
}

#[test]
fn the_reader_and_the_translation_report_where_an_error_is() {
    for (text, expected) in [
        (
            "var 1..2: x;\nconstraint gecode_nooverlap([x],[1]);\nsolve satisfy;\n",
            &["gecode_nooverlap", "2:1"][..],
        ),
        ("var 0.0..1.0: x;\nsolve satisfy;\n", &["float", "1:"]),
        ("var 1..2: x\nsolve satisfy;\n", &["`;`", "2:1"]),
    ] {
        let output = gordian(&["fzn", "-"], text);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), String::new()), "{text}");
        for word in expected {
            assert!(stderr(&output).contains(word), "{word}: {}", stderr(&output));
        }
    }
}

#[test]
fn a_time_limit_keeps_the_best_solution() {
    let output = stdout(&fzn(&["-t", "3000", "-s"], &hard()));
    assert!(output.starts_with("cost = 1;\n----------\n%%%mzn-stat: "), "{output}");
    assert!(output.ends_with("%%%mzn-stat-end\n") && !output.contains("=========="), "{output}");
}

#[cfg(unix)]
#[test]
fn signals_keep_the_best_solution() {
    for signal in ["INT", "TERM"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_gordian"))
            .args(["fzn", "-", "-s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(hard().as_bytes()).unwrap();
        thread::sleep(Duration::from_secs(4));
        for _ in 0..2 {
            let status = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
            assert!(status.unwrap().success());
        }
        let start = Instant::now();
        let output = child.wait_with_output().unwrap();
        assert!(start.elapsed() < Duration::from_secs(20), "{signal}");
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(0), "{signal}: {text}");
        assert!(text.starts_with("cost = 1;\n----------\n%%%mzn-stat: "), "{signal}: {text}");
        assert!(text.ends_with("%%%mzn-stat-end\n"), "{signal}: {text}");
    }
}

#[test]
fn an_objective_without_a_bound_is_reported() {
    let declared = "var int: x :: output_var;\nvar 0..9: y :: output_var;\n";
    let ends = |instance: &str, end: &str| {
        let output = stdout(&fzn(&["-t", "60000"], &format!("{declared}{instance};\n")));
        assert!(output.ends_with(end), "{instance}: {output}");
    };
    ends("constraint int_le(x, y);\nsolve minimize x", "----------\n=====UNBOUNDED=====\n");
    ends("constraint int_le(x, y);\nsolve maximize x", "x = 9;\ny = 9;\n----------\n==========\n");
    ends(
        "var int: z;\nconstraint int_lin_eq([2,3,-1],[x,y,z],0);\nsolve maximize z",
        "----------\n=====UNBOUNDED=====\n",
    );
    ends(
        "constraint int_le(x, y);\nconstraint int_lin_eq([2],[y],3);\nsolve minimize x",
        "=====UNSATISFIABLE=====\n",
    );
}

#[test]
fn an_objective_with_more_than_64_bits_is_minimised() {
    let instance = "var 0..1000000000000000000: x :: output_var;\nvar 0..1000000000000000000: y :: output_var;\nvar int: z;\n\
        constraint int_lin_eq([1000,-7,-1],[x,y,z],0);\nsolve minimize z;\n";
    let output = fzn(&["-t", "60000"], instance);
    let expected = "x = 0;\ny = 1000000000000000000;\n----------\n==========\n";
    assert!(stdout(&output).ends_with(expected), "{output:?}");
}

#[test]
fn unbounded_integers_are_not_cut() {
    // The optimum of the instance is the smallest square above 1000 that is 1 more than a multiple of 101.
    let square = "var int: x :: output_var;\nvar int: y;\nvar int: z;\nconstraint int_times(x,x,y);\n\
        constraint int_le(1000,y);\nconstraint int_lin_eq([1,-101],[y,z],1);\nsolve minimize y;\n";
    let output = stdout(&fzn(&[], square));
    let x: i64 = output
        .lines()
        .next()
        .unwrap()
        .strip_prefix("x = ")
        .unwrap()
        .strip_suffix(';')
        .unwrap()
        .parse()
        .unwrap();
    let expected = (32..101).find(|x| x * x % 101 == 1).unwrap();
    assert_eq!(x.abs(), expected, "{output}");
    assert!(output.ends_with("==========\n"), "{output}");
    let squares = "var int: x :: output_var;\nvar int: y;\nconstraint int_times(x,x,y);\nsolve maximize y;\n";
    let text = stdout(&fzn(&["-t", "60000"], squares));
    assert!(text.starts_with("x = ") && text.ends_with("----------\n=====UNBOUNDED=====\n"), "{text}");
    let (least, bound) = ("var int: x :: output_var;\nconstraint int_le(-1000000,x);\n", "-1000000");
    let output = stdout(&fzn(&[], &format!("{least}solve minimize x;\n")));
    assert_eq!(output, format!("x = {bound};\n----------\n==========\n"));
    // The instance contains 2 x = 2 y + 1, which has no integer solution.
    let parity =
        "var int: x :: output_var;\nvar int: y;\nconstraint int_lin_eq([2,-2],[x,y],1);\nsolve satisfy;\n";
    let output = fzn(&["-t", "5000"], parity);
    assert!(["=====UNSATISFIABLE=====\n", "=====UNKNOWN=====\n"].contains(&&*stdout(&output)), "{output:?}");
}

#[test]
fn a_core_names_assumptions_that_exclude_each_other() {
    let text = "var bool: a;\nvar bool: b;\nvar bool: c;\nvar 0..9: x :: output_var;\n\
        constraint int_le_reif(x,3,a);\nconstraint int_le_reif(5,x,b);\nconstraint int_le_reif(x,8,c);\n\
        constraint fzn_assume([a,b,c]);\nsolve satisfy;\n";
    let output = stdout(&fzn(&[], text));
    assert_eq!(output, "%%%mzn-core: [a, b]\n=====UNSATISFIABLE=====\n");
    // The literals of `fzn_assume` hold in every solution.
    let output = stdout(&fzn(&["-a"], &text.replace("[a,b,c]", "[b,c]")));
    assert_eq!((solutions(&output), output.contains("x = 9;")), (4, false), "{output}");
}

#[test]
fn json_is_read_as_text_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.fzn.json");
    let json = r#"{"variables": {"x": {"type": "int", "domain": [[2, 5]]}}, "arrays": {}, "constraints":
        [{"id": "int_lin_le", "args": [[-1], ["x"], -4]}], "output": ["x"], "solve": {"method": "minimize", "objective": "x"},
        "version": "1.0"}"#;
    std::fs::write(&path, json).unwrap();
    let output = gordian(&["fzn", path.to_str().unwrap()], "");
    assert_eq!(stdout(&output), "x = 4;\n----------\n==========\n", "{}", stderr(&output));
}

#[test]
fn xcsp3_has_the_output_of_the_competitions() {
    let instance = |constraints: &str| {
        format!(
            "<instance format=\"XCSP3\" type=\"COP\"><variables><array id=\"x\" size=\"[2]\">0..9</array></variables>\
             <constraints>{constraints}</constraints><objectives><minimize type=\"sum\"><list>x[]</list></minimize>\
             </objectives></instance>"
        )
    };
    let output = gordian(&["xcsp3", "-"], &instance("<intension>eq(mul(x[0],x[1]),12)</intension>"));
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(30), "{text}{}", stderr(&output));
    let lines: Vec<&str> = text.lines().collect();
    let [.., value, status, solution] = lines[..] else { panic!("{text}") };
    assert_eq!((value, status), ("o 7", "s OPTIMUM FOUND"), "{text}");
    assert!(["3 4", "4 3"].iter().any(|values| solution.contains(values)), "{text}");
    let none = gordian(&["xcsp3", "-"], &instance("<intension>eq(mul(x[0],x[1]),11)</intension>"));
    assert_eq!((none.status.code(), &*stdout(&none)), (Some(20), "s UNSATISFIABLE\n"));
    let unsupported = gordian(&["xcsp3", "-"], &instance("<stretch><list>x[]</list></stretch>"));
    assert_eq!((unsupported.status.code(), &*stdout(&unsupported)), (Some(2), "s UNSUPPORTED\n"));
    assert!(stderr(&unsupported).contains("stretch"), "{}", stderr(&unsupported));
}

#[test]
fn amaze_through_xcsp3_has_its_optimum() {
    let output = gordian(&["solve", "tests/minizinc/Amaze-d.xml", "--json"], "");
    assert!(
        stdout(&output).contains("\"objective\":20,\"bounds\":[20,20]"),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
}

/// An instance with restarts. The variable `y` is 0 in the first run, and in each later run 1 more than its last value.
const RESTARTS: &str = "var 1..9: x :: output_var;\nvar int: y :: output_var;\nvar 1..5: status;\nvar int: last;\n\
    var bool: start;\nvar bool: later;\nconstraint fzn_on_restart_status(status);\n\
    constraint fzn_on_restart_last_val_int(y,last);\nconstraint int_eq_reif(status,1,start);\n\
    constraint bool_not(start,later);\nconstraint int_eq_imp(y,0,start);\n\
    constraint int_lin_eq_imp([1,-1],[y,last],1,later);\n";

#[test]
fn values_change_at_each_restart() {
    let text = format!("{RESTARTS}solve :: int_search([x],input_order,indomain_max,complete) minimize x;\n");
    let output = fzn(&["-a"], &text);
    let text = stdout(&output);
    let values = |name: &str| -> Vec<i32> {
        text.lines().filter_map(|line| line.strip_prefix(name)?.strip_suffix(';')?.parse().ok()).collect()
    };
    let (x, y) = (values("x = "), values("y = "));
    assert_eq!(x.last(), Some(&1), "{text}");
    assert_eq!(y, (0..x.len() as i32).collect::<Vec<_>>(), "{text}");
    assert!(text.ends_with("==========\n"), "{text}");
}

#[test]
fn a_search_with_restarts_ends_if_a_run_would_repeat() {
    // Only the first run has a solution: the instance requires y = 0, and all other runs set y to another value.
    let text = format!("{RESTARTS}constraint int_eq(y,0);\nsolve maximize x;\n");
    let limited = text.replace("constraint int_eq(y,0);", "constraint int_le(y,0);\nconstraint int_le(x,5);");
    assert!(stdout(&fzn(&[], &limited)).contains("y = 0;"));
    let satisfy = text.replace("maximize x", "satisfy");
    assert_eq!(solutions(&stdout(&fzn(&["--restart", "constant"], &satisfy))), 1);
}

#[test]
fn complete_ends_a_search_with_restarts() {
    let text = "var 0..9: x :: output_var;\nvar bool: found;\nconstraint fzn_on_restart_complete(found);\n\
        constraint int_le_reif(3,x,found);\nsolve :: int_search([x],input_order,indomain_min,complete) maximize x;\n";
    let output = stdout(&fzn(&["-s", "--restart", "geometric"], text));
    assert!(output.starts_with("x = 3;\n----------\n==========\n"), "{output}");
    assert!(output.contains("%%%mzn-stat: runs=4\n"), "{output}");
    let always = text.replace("constraint int_le_reif(3,x,found)", "constraint bool_eq(found,true)");
    assert_eq!(stdout(&fzn(&[], &always)), "x = 0;\n----------\n==========\n");
    let unsatisfiable = text.replace("constraint int_le_reif(3,x,found)", "constraint int_le(10,x)");
    assert_eq!(stdout(&fzn(&[], &unsatisfiable)), "=====UNSATISFIABLE=====\n");
}

#[test]
fn random_values_of_restarts_depend_on_the_seed() {
    let text = "var 0..1000000: x :: output_var;\nconstraint fzn_on_restart_uniform_int(0,1000000,x);\nsolve satisfy;\n";
    let value = |seed: &str| stdout(&fzn(&["-r", seed], text));
    assert_eq!(value("1"), value("1"));
    assert_ne!(value("1"), value("2"));
}
