//! Tests that the checker VeriPB accepts the proofs that this crate writes, and rejects damaged proofs. The script
//! `.ci/run` installs the checker in `target/tools` and runs the ignored tests.

use std::path::Path;
use std::process::Command;

use gordian_proofs::trim::UNITS;
use gordian_proofs::{Lit, Log, Row, Rows};

/// Returns whether VeriPB accepts a proof.
fn accepts(name: &str, formula: &[u8], proof: &[u8]) -> bool {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (opb, pbp) = (directory.join(format!("{name}.opb")), directory.join(format!("{name}.pbp")));
    std::fs::write(&opb, formula).unwrap();
    std::fs::write(&pbp, proof).unwrap();
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/bin/veripb");
    let program = if installed.exists() { installed } else { "veripb".into() };
    let output = Command::new(program).args([&opb, &pbp]).output().expect("veripb runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let verified = text.lines().any(|line| line == "s VERIFIED UNSATISFIABLE");
    assert_eq!(output.status.success(), verified, "{text}");
    verified
}

/// Runs unit propagation on `clauses`, and adds the derived values to `values`. Returns an error if a clause is
/// violated.
fn propagate(clauses: &[Vec<Lit>], values: &mut [Option<bool>]) -> Result<(), ()> {
    loop {
        let mut changed = false;
        for clause in clauses {
            let value = |lit: &Lit| values[lit.vidx()].map(|value| value == lit.is_pos());
            if clause.iter().any(|lit| value(lit) == Some(true)) {
                continue;
            }
            let open: Vec<Lit> = clause.iter().copied().filter(|lit| value(lit).is_none()).collect();
            match open[..] {
                [] => return Err(()),
                [lit] => {
                    values[lit.vidx()] = Some(lit.is_pos());
                    changed = true;
                }
                _ => {}
            }
        }
        if !changed {
            return Ok(());
        }
    }
}

/// Refutes clauses by branching, and records the negated decisions of each refuted branch. Returns `false` if the
/// clauses are satisfiable.
fn refute(clauses: &mut Vec<Vec<Lit>>, decisions: &mut Vec<Lit>, variables: usize, log: &mut Log) -> bool {
    let mut values = vec![None; variables];
    for lit in &*decisions {
        values[lit.vidx()] = Some(lit.is_pos());
    }
    if propagate(clauses, &mut values).is_ok() {
        let Some(open) = values.iter().position(Option::is_none) else { return false };
        for value in [true, false] {
            decisions.push(Lit::new(open as u32, value));
            let refuted = refute(clauses, decisions, variables, log);
            decisions.pop();
            if !refuted {
                return false;
            }
        }
    }
    let learnt: Vec<Lit> = decisions.iter().map(|&lit| !lit).collect();
    log.learnt(&learnt);
    clauses.push(learnt);
    true
}

/// Writes a log, and returns the formula and the proof.
fn written(log: &mut Log) -> (Vec<u8>, Vec<u8>) {
    let (mut formula, mut proof) = (Vec::new(), Vec::new());
    log.write(&mut formula, &mut proof).unwrap();
    (formula, proof)
}

/// Returns a log of the pigeonhole problem with one more pigeon than holes. For each hole, the formula has one row: at
/// most one pigeon is in the hole. The solver has a clause for each hole and each pair of pigeons.
fn pigeons(pigeons: usize) -> Log {
    let holes = pigeons - 1;
    let lit = |pigeon: usize, hole: usize| Lit::positive((pigeon * holes + hole) as u32);
    let mut log = Log::default();
    let mut clauses = Vec::new();
    for pigeon in 0..pigeons {
        for hole in 0..holes {
            log.formula.name(lit(pigeon, hole), &format!("in({pigeon},{hole})"));
        }
        let clause: Vec<Lit> = (0..holes).map(|hole| lit(pigeon, hole)).collect();
        let id = log.formula.add(Row::clause(&clause)).unwrap();
        let constraint = log.constraint("pigeon", Box::new(Rows(vec![id])));
        log.given(constraint, &clause);
        clauses.push(clause);
    }
    for hole in 0..holes {
        let row = Row::at_most((0..pigeons).map(|pigeon| (1, lit(pigeon, hole))), 1).unwrap();
        let id = log.formula.add(row).unwrap();
        let constraint = log.constraint("hole", Box::new(Rows(vec![id])));
        for pigeon in 0..pigeons {
            for other in 0..pigeon {
                let clause = vec![!lit(pigeon, hole), !lit(other, hole)];
                log.given(constraint, &clause);
                clauses.push(clause);
            }
        }
    }
    assert!(refute(&mut clauses, &mut Vec::new(), pigeons * holes, &mut log));
    log
}

#[test]
#[ignore = "needs veripb"]
fn refutations_of_pigeon_holes_are_accepted() {
    for n in 2..7 {
        let (formula, proof) = written(&mut pigeons(n));
        assert!(accepts("pigeons", &formula, &proof), "{n} pigeons");
    }
}

#[test]
#[ignore = "needs veripb"]
fn refutations_of_random_clauses_are_accepted() {
    let seed = fastrand::u64(..);
    println!("seed {seed}");
    let mut random = fastrand::Rng::with_seed(seed);
    let mut refuted = 0;
    for _ in 0..30 {
        let variables = random.usize(3..9);
        let mut log = Log::default();
        let mut clauses = Vec::new();
        for _ in 0..variables * 7 {
            let clause: Vec<Lit> =
                (0..3).map(|_| Lit::new(random.u32(..variables as u32), random.bool())).collect();
            let row = Row::clause(&clause);
            if let Some(id) = log.formula.add(row) {
                let constraint = log.constraint("clause", Box::new(Rows(vec![id])));
                log.given(constraint, &clause);
                clauses.push(clause);
            }
        }
        if refute(&mut clauses, &mut Vec::new(), variables, &mut log) {
            let (formula, proof) = written(&mut log);
            assert!(accepts("random", &formula, &proof));
            refuted += 1;
        }
    }
    assert!(refuted > 10);
}

#[test]
#[ignore = "needs veripb"]
fn a_proof_without_one_of_its_lines_is_refused() {
    let (formula, proof) = written(&mut pigeons(4));
    let proof = String::from_utf8(proof).unwrap();
    let lines: Vec<&str> = proof.lines().collect();
    for removed in (2..lines.len() - 3).filter(|&line| !lines[line].starts_with("del")) {
        let left: Vec<&str> =
            lines.iter().enumerate().filter(|(line, _)| *line != removed).map(|(_, text)| *text).collect();
        assert!(!accepts("removed", &formula, left.join("\n").as_bytes()), "without `{}`", lines[removed]);
    }
}

#[test]
#[ignore = "needs veripb"]
fn definitions_are_accepted() {
    // The rows state that at least two and at most one of three literals are true. The variable `two` is true if and
    // only if at least two of the literals are true.
    let [a, b, c, two] = [0, 1, 2, 3].map(Lit::positive);
    let terms = [(1, a), (1, b), (1, c)];
    let mut log = Log::default();
    let least = log.formula.add(Row::at_least(terms, 2).unwrap()).unwrap();
    let most = log.formula.add(Row::at_most(terms, 1).unwrap()).unwrap();
    log.define(two, [a, b, c], 2);
    let first = log.constraint("at least", Box::new(Rows(vec![least])));
    let second = log.constraint("at most", Box::new(Rows(vec![most])));
    log.given(first, &[two]);
    log.given(second, &[!two]);
    log.given(second, &[!a, !b, two]);
    let (formula, proof) = written(&mut log);
    assert!(accepts("definitions", &formula, &proof));
    let (mut formula, mut all) = (Vec::new(), Vec::new());
    log.write_given(&mut formula, &mut all).unwrap();
    assert!(String::from_utf8(all).unwrap().contains("conclusion NONE"));
    log.given(second, &[a, b]);
    assert!(log.write_given(&mut formula, &mut Vec::new()).is_err());
}

#[test]
#[ignore = "needs veripb"]
fn literals_that_stand_for_disjunctions_are_replaced() {
    // The literal `first` stands for the disjunction of `a` and `b`, and the literal `second` for the disjunction of
    // `c` and `d`. In each disjunction, at most one literal is true. The constraints contradict each other: one
    // requires `first` and `second` to be true, and another allows only one of them to be true.
    let [a, b, c, d, first, second] = [0, 1, 2, 3, 4, 5].map(Lit::positive);
    let mut log = Log::default();
    log.replace(first, &[a, b]);
    log.replace(second, &[c, d]);
    for lits in [[a, b], [c, d]] {
        log.formula.add(Row::at_most(lits.map(|lit| (1, lit)), 1).unwrap()).unwrap();
    }
    for (lits, expected) in [([first], [a, b]), ([second], [c, d])] {
        let id = log.formula.add(Row::clause(&lits)).unwrap();
        assert_eq!(*log.formula.row(id), Row::clause(&expected));
        let constraint = log.constraint("true", Box::new(Rows(vec![id])));
        log.given(constraint, &lits);
    }
    assert_eq!(log.formula.add(Row::clause(&[!a, first])), None, "this follows from the definition");
    let most = log.formula.add(Row::at_most([(2, first), (2, second)], 3).unwrap()).unwrap();
    let expected = Row::at_most([(2, a), (2, b), (2, c), (2, d)], 3).unwrap();
    assert_eq!(*log.formula.row(most), expected);
    let constraint = log.constraint("sum", Box::new(Rows(vec![most])));
    log.given(constraint, &[!first, !second]);
    let (formula, proof) = written(&mut log);
    assert!(accepts("disjunctions", &formula, &proof));
}

#[test]
#[ignore = "needs veripb"]
fn lower_bounds_on_disjunctions_are_derived() {
    // The literal `first` stands for the disjunction of `a` and `b`, and the literal `second` for the disjunction of
    // `c` and `d`. In each disjunction, at most one literal is true. The constraints contradict each other: one
    // requires `first` and `second` to be true, and others require `a` and `b` to be false.
    let [a, b, c, d, first, second] = [0, 1, 2, 3, 4, 5].map(Lit::positive);
    let mut log = Log::default();
    for (any, lits) in [(first, [a, b]), (second, [c, d])] {
        log.replace(any, &lits);
        log.formula.add(Row::at_most(lits.map(|lit| (1, lit)), 1).unwrap()).unwrap();
    }
    let least = log.formula.add(Row::at_least([(2, first), (2, second)], 4).unwrap()).unwrap();
    assert_eq!(*log.formula.row(least), Row::at_least([(2, a), (2, b), (2, c), (2, d)], 4).unwrap());
    let least = log.constraint("least", Box::new(Rows(vec![least])));
    log.given(least, &[first]);
    for lit in [a, b] {
        let id = log.formula.add(Row::clause(&[!lit])).unwrap();
        let constraint = log.constraint("false", Box::new(Rows(vec![id])));
        log.given(constraint, &[!lit]);
    }
    let definition = log.constraint("definition", Box::<Rows>::default());
    log.given(definition, &[!first, a, b]);
    let (formula, proof) = written(&mut log);
    assert!(accepts("lower_bounds", &formula, &proof));
}

/// Returns the log of a core-guided search that minimises the total weight of the true literals, where at least two of
/// three literals must be true. The weights are 2, 2 and 3. The totalizer's output is defined to be true if and only if
/// at least `count` of the first two literals are true.
fn two_of_three(count: i128) -> Log {
    let [a, b, c, both] = [0, 1, 2, 3].map(Lit::positive);
    let mut log = Log::default();
    for clause in [[a, b], [b, c], [a, c]] {
        log.require("a pair", &clause);
    }
    log.define(both, [a, b], count);
    assert!(log.begin("totalizer", |_| Some(Box::new(Rows::default()))));
    log.clause(&[!a, !b, both]);
    log.end();
    // The cores have the weights 2 and 2. Before the second core, the literal `c` has the weight 3, and the output has
    // the weight 2.
    let first = log.core(&[a, b], 2);
    log.core_output(first, both, 2, 2);
    log.core(&[c, both], 2);
    log.require_better(vec![Row::at_most([(2, a), (2, b), (3, c)], 3).unwrap()]);
    log
}

#[test]
#[ignore = "needs veripb"]
fn bounds_by_cores_are_accepted() {
    let (formula, proof) = written(&mut two_of_three(2));
    assert!(accepts("cores", &formula, &proof));
    // If the output is defined with the `count` 1, the cores do not prove the lower bound 4.
    let (formula, proof) = written(&mut two_of_three(1));
    assert!(!accepts("cores", &formula, &proof));
}

/// Records a refutation whose clauses depend on many unit clauses. If `complete` is false, the hints of one clause leave
/// them out.
fn with_units(units: u32, complete: bool) -> Log {
    let [y, z] = [0, 1].map(Lit::positive);
    let many: Vec<Lit> = (2..2 + units).map(Lit::positive).collect();
    let mut log = Log::default();
    for &unit in &many {
        log.require("unit", &[unit]);
    }
    let negated: Vec<Lit> = many.iter().map(|&lit| !lit).collect();
    let all = log.require("all units", &[&negated[..], &[y, z]].concat());
    let [one, both] = [[negated[0], !y, z], [negated[1], !y, !z]].map(|clause| log.require("unit", &clause));
    let none = log.require("none", &[y, !z]);
    let from = |hints: &[Option<u32>]| [Some(UNITS)].into_iter().chain(hints.to_vec());
    let either = log.learnt_from(&[y, z], from(&[all]).skip(usize::from(!complete)));
    let z_if_y = log.learnt_from(&[!y, z], from(&[one]));
    let unit = log.learnt_from(&[z], [either, z_if_y].into_iter());
    let not_both = log.learnt_from(&[!y, !z], from(&[both]));
    log.learnt_from(&[], [unit, none, not_both].into_iter());
    log
}

#[test]
#[ignore = "needs veripb"]
fn hints_that_stand_for_unit_clauses_are_accepted() {
    for units in [2, 40, 2000] {
        let (formula, proof) = written(&mut with_units(units, true));
        assert!(accepts("units", &formula, &proof), "{units} unit clauses");
        let (formula, proof) = written(&mut with_units(units, false));
        assert!(!accepts("units", &formula, &proof), "{units} unit clauses");
    }
}

#[test]
#[ignore = "needs veripb"]
fn unit_clauses_follow_from_rows_without_auxiliary_variables() {
    let [a, b, c, any] = [0, 1, 2, 3].map(Lit::positive);
    let mut log = Log::default();
    let most = log.formula.add(Row::at_most([(1, a), (1, b), (1, c)], 1).unwrap()).unwrap();
    log.define(any, [a, b], 1);
    let constraint = log.constraint("at most one", Box::new(Rows(vec![most])));
    let [first, second] = [[!a, any], [!any, !c]].map(|clause| log.given(constraint, &clause));
    let [is_a, is_c] = [a, c].map(|lit| log.require("unit", &[lit]));
    let is_any = log.learnt_from(&[any], [is_a, first].into_iter());
    let not_c = log.learnt_from(&[!c], [is_any, second].into_iter());
    log.learnt_from(&[], [is_c, not_c].into_iter());
    let (formula, proof) = written(&mut log);
    assert!(!String::from_utf8_lossy(&proof).contains("red"), "no variable is defined");
    assert!(accepts("rows", &formula, &proof));
}

/// Records that a literal implies `most` other literals, and that the clauses of a totalizer contradict them.
fn propagated(most: u32) -> Log {
    let lits: Vec<Lit> = (0..=most).map(Lit::positive).collect();
    let terms = lits.iter().map(|&lit| (1, lit));
    let mut log = Log::default();
    let row = log.formula.add(Row::at_most(terms, most.into()).unwrap()).unwrap();
    let constraint = log.constraint("at most", Box::new(Rows(vec![row])));
    let mut hints = Vec::new();
    // Each literal implies the next one, and auxiliary variable k is true if the first k literals are true.
    let mut last = lits[0];
    for pair in lits.windows(2) {
        hints.push(log.require("implication", &[!pair[0], pair[1]]));
        let next = Lit::positive(pair[1].vidx32() + most + 1);
        log.define(next, &lits[..=pair[1].vidx()], i128::from(pair[1].vidx32() + 1));
        hints.push(log.given(constraint, &[!last, !pair[1], next]));
        last = next;
    }
    hints.push(log.given(constraint, &[!last]));
    let first = log.learnt_from(&[!lits[0]], hints.into_iter());
    let unit = log.require("unit", &[lits[0]]);
    log.learnt_from(&[], [first, unit].into_iter());
    log
}

#[test]
#[ignore = "needs veripb"]
fn rows_take_the_place_of_many_clauses() {
    let (formula, proof) = written(&mut propagated(100));
    assert!(!String::from_utf8_lossy(&proof).contains("red"), "no variable is defined");
    assert!(accepts("long", &formula, &proof));
}

#[test]
fn a_copy_of_a_deleted_clause_remains() {
    let [x, a, b, c] = [0, 1, 2, 3].map(Lit::positive);
    let mut log = Log::default();
    for clause in [[x, a, b], [x, a, !b], [x, !a, c], [x, !a, !c]] {
        log.require("clause", &clause);
    }
    for clause in [[!x, b], [!x, !b]] {
        log.require("clause", &clause);
    }
    // Without the clause `x, a`, unit propagation does not show that the clause `x` follows.
    log.learnt(&[x, a]);
    log.learnt(&[a, x]);
    log.deleted(&[x, a]);
    log.learnt(&[x]);
    let summary = log.write(&mut Vec::new(), &mut Vec::new()).expect("the clauses are a refutation");
    assert_eq!((summary.learnt, summary.needed), (2, 2));
}
