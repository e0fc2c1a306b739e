//! Tests that limits stop calls and that the solver still works afterwards.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::*;

pub(super) fn a_stop_flag_ends_the_call(solver: &Solver) {
    let stop = Arc::new(AtomicBool::new(false));
    let mut backend = make(solver);
    backend.set_limits(Limits { cancel: Some(Arc::clone(&stop)), ..Limits::default() }).unwrap();
    add(&mut *backend, &[200, 201]);
    pigeon_hole(&mut *backend, 11);
    let flag = Arc::clone(&stop);
    let alarm = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        flag.store(true, Ordering::Relaxed);
    });
    assert_eq!(backend.solve(&[]).unwrap(), Stopped);
    alarm.join().unwrap();
    assert_eq!((backend.value(lit(1)), backend.core()), (None, vec![]));
    assert_eq!(backend.solve(&[]).unwrap(), Stopped, "the flag is still set");

    // The solver still has all clauses that were added before the call, and it accepts new clauses.
    stop.store(false, Ordering::Relaxed);
    add(&mut *backend, &[-200]);
    assert_eq!(checked(&mut *backend, &lits([-201])), Unsatisfiable);
    assert_eq!(checked(&mut *backend, &lits([1, 11])), Unsatisfiable);
    let seats: Vec<Lit> = (1..=10).map(|pigeon| lit((pigeon - 1) * 10 + pigeon)).collect();
    assert_eq!(checked(&mut *backend, &seats), Unsatisfiable);
}

pub(super) fn deadlines_and_conflicts_end_the_call(solver: &Solver) {
    let mut backend = make(solver);
    let soon = || Some(Instant::now() + Duration::from_millis(50));
    backend.set_limits(Limits { deadline: soon(), ..Limits::default() }).unwrap();
    pigeon_hole(&mut *backend, 11);
    assert_eq!(backend.solve(&[]).unwrap(), Stopped);
    assert_eq!(backend.solve(&[]).unwrap(), Stopped, "the deadline has passed");

    let conflicts = backend.statistics().conflicts.unwrap();
    backend.set_limits(Limits { conflicts: Some(1000), ..Limits::default() }).unwrap();
    assert_eq!(backend.solve(&[]).unwrap(), Stopped);
    let first = backend.statistics().conflicts.unwrap() - conflicts;
    assert!((1000..3000).contains(&first), "{first}");
    assert_eq!(backend.solve(&[]).unwrap(), Stopped, "the limit is for each call");
    let both = backend.statistics().conflicts.unwrap() - conflicts;
    assert!((2000..6000).contains(&both), "{both}");

    backend.set_limits(Limits::default()).unwrap();
    assert_eq!(checked(&mut *backend, &lits([1, 11])), Unsatisfiable);
}

pub(super) fn generous_limits_change_nothing(solver: &Solver) {
    let mut backend = make(solver);
    let limits = Limits {
        conflicts: Some(1_000_000),
        cancel: Some(Arc::new(AtomicBool::new(false))),
        deadline: Some(Instant::now() + Duration::from_secs(3600)),
        memory: Some(u64::MAX),
    };
    backend.set_limits(limits).unwrap();
    pigeon_hole(&mut *backend, 6);
    assert_eq!(checked(&mut *backend, &[]), Unsatisfiable);
    let statistics = backend.statistics();
    assert_eq!((statistics.variables, statistics.clauses), (30, 6 + 15 * 5));
    assert!(statistics.conflicts.unwrap() > 10, "{statistics:?}");
}

pub(super) fn late_limits_work_or_are_refused(solver: &Solver) {
    let mut backend = make(solver);
    pigeon_hole(&mut *backend, 11);
    let limited = backend.set_limits(Limits { conflicts: Some(100), ..Limits::default() });
    if solver.limits_first {
        assert!(matches!(limited, Err(BackendError::LimitsTooLate { .. })));
        backend.set_limits(Limits::default()).unwrap();
    } else {
        limited.unwrap();
        assert_eq!(backend.solve(&[]).unwrap(), Stopped);
    }
}
