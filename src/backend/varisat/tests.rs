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
