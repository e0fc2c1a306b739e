//! Tests the proofs of `gordian sat --proof` with the DRAT checker `rate`. The script `.ci/run --all` installs the checker,
//! and then runs the tests with `--ignored`.

use std::cell::RefCell;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::rc::Rc;

use crate::contract::pigeon_hole;
use crate::support::{checker, gordian, stderr, stdout};
use gordian::backend::{self, Limits, Verdict};
use tempfile::TempDir;

/// The clauses of a formula, with the literals as DIMACS numbers.
type Clauses = Vec<Vec<i32>>;

fn dimacs(clauses: &Clauses) -> String {
    let variables = clauses.iter().flatten().map(|lit| lit.abs()).max().unwrap_or(0);
    let mut text = format!("p cnf {variables} {}\n", clauses.len());
    for clause in clauses {
        for lit in clause {
            let _ = write!(text, "{lit} ");
        }
        text += "0\n";
    }
    text
}

/// Returns the pigeonhole formula: `holes + 1` pigeons do not fit in `holes` holes.
fn pigeonhole(holes: i32) -> Clauses {
    let variable = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    let mut clauses: Clauses =
        (0..=holes).map(|pigeon| (0..holes).map(|hole| variable(pigeon, hole)).collect()).collect();
    for hole in 0..holes {
        for second in 1..=holes {
            clauses.extend((0..second).map(|first| vec![-variable(first, hole), -variable(second, hole)]));
        }
    }
    clauses
}

/// Returns random clauses with three different variables.
fn random(seed: u64, variables: i32, clauses: usize) -> Clauses {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut clause = || {
        let mut clause: Vec<i32> = Vec::new();
        while clause.len() < 3 {
            let variable = random.i32(1..=variables);
            if clause.iter().all(|lit| lit.abs() != variable) {
                clause.push(if random.bool() { variable } else { -variable });
            }
        }
        clause
    };
    (0..clauses).map(|_| clause()).collect()
}

/// Returns an unsatisfiable formula: two XOR chains over the same inputs in different orders, one with odd and one
/// with even parity.
fn parity(seed: u64, inputs: i32) -> Clauses {
    let mut order: Vec<i32> = (1..=inputs).collect();
    let mut clauses = Vec::new();
    let mut variables = inputs;
    for odd in [true, false] {
        let sum = order[1..].iter().fold(order[0], |sum, &input| {
            variables += 1;
            let (a, b, c) = (sum, input, variables);
            clauses.extend([vec![-a, -b, -c], vec![a, b, -c], vec![-a, b, c], vec![a, -b, c]]);
            variables
        });
        clauses.push(vec![if odd { sum } else { -sum }]);
        fastrand::Rng::with_seed(seed).shuffle(&mut order);
    }
    clauses
}

/// Solves a formula and returns the proof, or `None` if the formula is satisfiable.
fn proof(directory: &Path, clauses: &Clauses, arguments: &[&str]) -> Option<String> {
    let path = directory.join("proof.drat");
    let _ = fs::remove_file(&path);
    let named = path.to_str().expect("UTF-8");
    let output = gordian(&[&["sat", "-", "--proof", named], arguments].concat(), &dimacs(clauses));
    match output.status.code() {
        Some(10) => assert!(!path.exists(), "a proof of a satisfiable formula"),
        Some(20) => return Some(fs::read_to_string(&path).expect("a proof")),
        _ => panic!("{}{}", stdout(&output), stderr(&output)),
    }
    None
}

/// Returns whether the checker `rate` accepts a proof.
fn accepted(directory: &Path, clauses: &Clauses, proof: &str) -> bool {
    let [formula, drat] = ["formula.cnf", "checked.drat"].map(|name| directory.join(name));
    fs::write(&formula, dimacs(clauses)).expect("a file");
    fs::write(&drat, proof).expect("a file");
    let output = checker("rate").args([&formula, &drat]).output().expect("rate runs");
    let text = stdout(&output);
    let verdict = text.lines().find(|line| line.starts_with("s "));
    match verdict {
        Some("s VERIFIED") => true,
        Some("s NOT VERIFIED") => false,
        _ => panic!("rate printed no verdict: {text}{}", stderr(&output)),
    }
}

/// Returns the names of the built-in solvers that log proofs.
fn solvers() -> Vec<&'static str> {
    let there = backend::SOLVERS.iter().filter(|solver| solver.proofs && solver.make().is_ok());
    there.map(|solver| &*solver.name).collect()
}

#[test]
#[ignore = "needs rate"]
fn proofs_of_generated_formulas_are_accepted() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    // The program renumbers the variables of a formula if a variable's number exceeds one million.
    let renumbered = pigeonhole(4)
        .into_iter()
        .map(|clause| clause.into_iter().map(|lit| lit + 2_000_000 * lit.signum()).collect())
        .collect();
    let mut formulas =
        vec![vec![vec![]], vec![vec![1], vec![-1]], pigeonhole(1), pigeonhole(6), parity(1, 12), renumbered];
    // The solver deletes learnt clauses of larger formulas.
    formulas.push(random(7, 120, 640));
    formulas.extend((0..20).map(|seed| random(seed, 30, 150)));
    for solver in solvers() {
        let mut proofs = 0;
        for clauses in &formulas {
            // With a time limit, the backend for varisat polls the limit while varisat writes its proof.
            for limit in [&[][..], &["--timeout", "1000"]] {
                let arguments = [&["--solver", solver], limit].concat();
                let Some(proof) = proof(directory, clauses, &arguments) else { continue };
                proofs += 1;
                assert!(accepted(directory, clauses, &proof), "{solver} {}{proof}", dimacs(clauses));
            }
        }
        assert!(proofs > 30, "{solver}: {proofs} of the formulas are unsatisfiable");
    }
}

#[test]
#[ignore = "needs rate"]
fn damaged_proofs_are_refused() {
    let directory = TempDir::new().expect("a directory");
    let directory = directory.path();
    let clauses = pigeonhole(4);
    let proof = proof(directory, &clauses, &[]).expect("the formula is unsatisfiable");
    assert!(accepted(directory, &clauses, &proof));
    assert!(!accepted(directory, &clauses, "0\n"), "without lemmas");
    // The proof claims the unit clauses 1 and 6, which contradict the formula but do not follow from it.
    assert!(!accepted(directory, &clauses, "1 0\n6 0\n0\n"), "with wrong lemmas");
    let lines: Vec<&str> = proof.lines().collect();
    let without = |at: usize| [&lines[..at], &lines[at + 1..]].concat().join("\n");
    let needed = (0..lines.len()).filter(|&at| !accepted(directory, &clauses, &without(at))).count();
    assert!(needed > 0, "no line of {} is needed", lines.len());
    // Every clause is necessary: without it, the formula is satisfiable.
    for at in 0..clauses.len() {
        let rest = [&clauses[..at], &clauses[at + 1..]].concat();
        assert!(!accepted(directory, &rest, &proof), "without clause {at}");
    }
}

#[test]
fn no_proof_is_an_error() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("missing/proof.drat");
    let output = gordian(&["sat", "-", "--proof", path.to_str().expect("UTF-8")], "p cnf 0 1\n0\n");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), ""), "{}", stderr(&output));
    assert!(stderr(&output).contains("proof.drat: No such file"), "{}", stderr(&output));
    let output = gordian(&["sat", "-", "--proof", "p", "--solver", "external:true"], "p cnf 0 0\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("does not log proofs; use --solver"), "{}", stderr(&output));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_solver() {
    for solver in solvers() {
        let output =
            gordian(&["sat", "-", "--proof", "/dev/full", "--solver", solver], &dimacs(&pigeonhole(9)));
        assert_eq!(output.status.code(), Some(2), "{solver}: {}", stderr(&output));
        assert!(stderr(&output).contains("/dev/full: No space left"), "{}", stderr(&output));
    }
}

/// Solves a pigeonhole formula with an optional conflict limit, and returns the proof that varisat logs.
fn limited_proof(conflicts: Option<u64>) -> String {
    let log = Rc::new(RefCell::new(backend::drat::Drat::new(Vec::new(), |lit| lit)));
    let mut varisat = backend::find("varisat").unwrap().make().unwrap();
    varisat.set_limits(Limits { conflicts, ..Limits::default() }).unwrap();
    assert!(varisat.log_proof(Box::new(Rc::clone(&log))));
    pigeon_hole(&mut *varisat, 9);
    let verdict = if conflicts.is_some() { Verdict::Stopped } else { Verdict::Unsatisfiable };
    assert_eq!(varisat.solve(&[]).unwrap(), verdict);
    drop(varisat);
    String::from_utf8(Rc::into_inner(log).unwrap().into_inner().finish().unwrap()).unwrap()
}

#[test]
fn a_stopped_proof_is_a_prefix_of_the_proof() {
    let whole = limited_proof(None);
    for conflicts in (100..2000).step_by(100) {
        // The empty clause is added at the end of every proof.
        let part = limited_proof(Some(conflicts));
        assert!(whole.starts_with(part.strip_suffix("0\n").unwrap()), "stopped after {conflicts} conflicts");
    }
}
