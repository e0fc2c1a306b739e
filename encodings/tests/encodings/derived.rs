//! Tests that a proof can derive the clauses of an encoding from the linear inequalities of the constraint.

use crate::formula::Case;
use crate::samples::cases;
use gordian_encodings::{
    CONSTRAINTS, Cnf, Collect, Encoded, Encodings, IncrementalTotalizer, Lit, Model, constant,
};
use gordian_proofs::{Log, Rows};
use std::path::Path;
use std::process::Command;

/// A receiver that stores the clauses of a case and logs them for a proof.
#[derive(Default)]
struct Logged {
    cnf: Cnf,
    log: Log,
}

impl Collect for Logged {
    fn clause(&mut self, clause: &[Lit]) {
        self.cnf.clause(clause);
        self.log.clause(clause);
    }

    fn reserve(&mut self, variables: u32) {
        self.cnf.reserve(variables);
    }

    fn log(&mut self) -> Option<&mut Log> {
        Some(&mut self.log)
    }
}

/// Returns the cases whose encoding declares that a proof can derive its clauses. Disequalities of sums, different
/// values of expressions, and conditional constraints that are not linear are omitted, because the formula of a proof
/// cannot express them. So are conditional constraints whose inner encoding was chosen, because it need not be derived.
fn derived() -> Vec<Case> {
    let declares = |case: &Case| {
        let constraint = CONSTRAINTS.iter().find(|row| row.name == case.name);
        let encodings = constraint.map(|row| (row.encodings)()).unwrap_or_default();
        encodings.iter().any(|row| row.name == case.encoding && row.derived)
    };
    let is_inner_auto = |case: &Case| {
        let outermost = case.label().split(", ").next().unwrap_or_default();
        outermost.starts_with(&format!("{}=", case.name)) || outermost.ends_with("=auto")
    };
    let is_stated = |case: &Case| {
        let is_stated = logged(case).log.failure().is_none();
        let is_sum = case.name == "linear" && case.constraint.linear().is_some();
        assert!(
            is_stated || matches!(case.name, "all-different" | "reified") || case.name == "linear" && !is_sum,
            "{}",
            case.label()
        );
        is_stated
    };
    cases().into_iter().filter(declares).filter(is_inner_auto).filter(is_stated).collect()
}

/// Encodes a case, and logs its clauses.
fn logged(case: &Case) -> Logged {
    encoded(case).1
}

/// Encodes a case, and logs its clauses. Returns the encoded model, too.
fn encoded(case: &Case) -> (Encoded, Logged) {
    let mut logged = Logged::default();
    let mut encoded = case.model.encode(&case.encodings, &mut logged);
    encoded.sink(&mut logged).post(&*case.constraint);
    (encoded, logged)
}

/// Returns whether the proof checker VeriPB accepts every step of a proof. The proof states no conclusion about the
/// formula. The tests run at the same time, so each test uses a different `name` for its files. `.ci/run --all` installs the
/// checker in `target/tools`.
fn accepts(name: &str, formula: &[u8], proof: &[u8]) -> bool {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let [opb, pbp] = ["opb", "pbp"].map(|extension| directory.join(format!("{name}.{extension}")));
    std::fs::write(&opb, formula).unwrap();
    std::fs::write(&pbp, proof).unwrap();
    let installed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../target/tools/bin/veripb");
    let program = if installed.exists() { installed } else { "veripb".into() };
    let output = Command::new(program).args([&opb, &pbp]).output().expect("veripb runs");
    output.status.success() && String::from_utf8_lossy(&output.stdout).contains("s VERIFIED NO CONCLUSION")
}

#[test]
#[ignore = "needs veripb"]
fn veripb_accepts_every_derivation() {
    let cases = derived();
    assert!(cases.len() > 500);
    assert!(cases.iter().filter(|case| case.name == "reified").count() >= 10);
    for case in cases {
        let Logged { cnf, mut log } = logged(&case);
        let (mut formula, mut proof) = (Vec::new(), Vec::new());
        if let Err(error) = log.write_given(&mut formula, &mut proof) {
            // Proofs define the auxiliary variables of a totalizer as counts of distinct literals. If the literals of
            // the constraint are not distinct, no proof is written.
            let mut lits = case.constraint.scope().lits;
            let all = lits.len();
            lits.sort_unstable();
            lits.dedup();
            assert!(lits.len() < all, "{}: {error}:\n{cnf}", case.label());
            continue;
        }
        assert!(
            accepts("derived", &formula, &proof),
            "{}:\n{}\n{}",
            case.label(),
            String::from_utf8_lossy(&formula),
            String::from_utf8_lossy(&proof)
        );
    }
}

#[test]
#[ignore = "needs veripb"]
fn veripb_accepts_the_derivations_of_incremental_totalizers() {
    for n in 1..9_usize {
        for bounds in [vec![1, 2, 3], vec![n / 2, 1, n - 1], (0..n).rev().collect()] {
            let mut model = Model::new();
            let lits: Vec<Lit> = (0..n).map(|_| model.boolean()).collect();
            let mut logged = Logged::default();
            let mut encoded = model.encode(&Encodings::auto(), &mut logged);
            // The second totalizer counts outputs of the first totalizer.
            let mut first = IncrementalTotalizer::new(lits.clone());
            let outputs: Vec<Lit> =
                bounds.iter().map(|&most| !first.at_most(most, &mut encoded.sink(&mut logged))).collect();
            let mut lits = [lits, outputs].concat();
            lits.retain(|&lit| constant(lit).is_none());
            lits.sort_unstable_by_key(|&lit| std::cmp::Reverse(lit));
            lits.dedup();
            let mut second = IncrementalTotalizer::new(lits);
            second.at_most(n / 2, &mut encoded.sink(&mut logged));
            let (mut formula, mut proof) = (Vec::new(), Vec::new());
            logged.log.write_given(&mut formula, &mut proof).unwrap();
            assert!(accepts("incremental", &formula, &proof), "{n} literals, bounds {bounds:?}");
        }
    }
}

#[test]
fn clauses_that_exclude_a_solution_have_no_derivation() {
    for case in derived().into_iter().filter(Case::is_small) {
        for solution in case.formula().solutions {
            let (mut encoded, mut logged) = encoded(&case);
            // The case has the last number, because the encodings of constraints in it have no numbers.
            let number = logged.log.constraint("none", Box::new(Rows::default())) - 1;
            let variables = case.variables(&mut encoded.sink(&mut logged));
            let values = variables.iter().zip(solution).map(|(variable, index)| !variable.equal[index]);
            let excluding: Vec<Lit> = values.filter(|&lit| constant(lit).is_none()).collect();
            let mut log = logged.log;
            log.given(number, &excluding);
            let (mut opb, mut proof) = (Vec::new(), Vec::new());
            assert!(log.write_given(&mut opb, &mut proof).is_err(), "{}: {excluding:?}", case.label());
        }
    }
}
