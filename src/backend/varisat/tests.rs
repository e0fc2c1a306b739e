use super::super::drat::Drat;
use super::super::tests::pigeon_hole;
use super::*;

fn lit(ipasir: i32) -> Lit {
    Lit::from_ipasir(ipasir).unwrap()
}

/// Returns a solver and assumptions for which varisat returns a wrong core: a stale mark from an earlier call hides
/// an assumption that belongs to the core.
fn with_stale_mark() -> (Varisat, [Lit; 3]) {
    let [x, y, p, q, r, z] = [1, 2, 3, 4, 5, 6].map(lit);
    let mut solver = Varisat::default();
    solver.add(&[!x]).unwrap();
    assert_eq!(solver.decide(&[]).unwrap(), Verdict::Satisfiable);
    assert_eq!(solver.decide(&[x]).unwrap(), Verdict::Unsatisfiable);
    solver.add(&[y]).unwrap();
    assert_eq!(solver.decide(&[]).unwrap(), Verdict::Satisfiable);
    for clause in [[z, p], [!p, q], [!q, !r]] {
        solver.add(&clause).unwrap();
    }
    (solver, [p, z, r])
}

#[test]
fn a_wrong_core_is_detected() {
    let (mut solver, assumptions) = with_stale_mark();
    assert!(solver.cores_unreliable);
    assert_eq!(solver.decide(&assumptions).unwrap(), Verdict::Unsatisfiable);
    let core = solver.core();
    assert_eq!(solver.decide(&core).unwrap(), Verdict::Unsatisfiable);
    assert!(core.contains(&assumptions[0]) && core.contains(&assumptions[2]));

    // If this assertion fails, the bug in varisat is fixed, and cores no longer need to be checked.
    let (mut solver, assumptions) = with_stale_mark();
    solver.cores_unreliable = false;
    assert_eq!(solver.decide(&assumptions).unwrap(), Verdict::Unsatisfiable);
    assert!(!solver.core().contains(&assumptions[0]));
}

/// Solves a pigeonhole formula with an optional conflict limit, and returns the proof that varisat logs.
fn proof(conflicts: Option<u64>) -> String {
    let log = Rc::new(RefCell::new(Drat::new(Vec::new(), |lit| lit)));
    let mut backend = SOLVER.make().unwrap();
    backend.set_limits(Limits { conflicts, ..Limits::default() }).unwrap();
    assert!(backend.log_proof(Box::new(Rc::clone(&log))));
    pigeon_hole(&mut *backend, 9);
    let verdict = if conflicts.is_some() { Verdict::Stopped } else { Verdict::Unsatisfiable };
    assert_eq!(backend.solve(&[]).unwrap(), verdict);
    drop(backend);
    String::from_utf8(Rc::into_inner(log).unwrap().into_inner().finish().unwrap()).unwrap()
}

#[test]
fn a_stopped_proof_is_a_prefix_of_the_proof() {
    let whole = proof(None);
    for conflicts in (100..2000).step_by(100) {
        // The empty clause is added at the end of every proof.
        let part = proof(Some(conflicts));
        assert!(whole.starts_with(part.strip_suffix("0\n").unwrap()), "stopped after {conflicts} conflicts");
    }
}
