//! The test suite that every solver must pass.
//!
//! Each test is a function with a [`Solver`] as its argument. The macro at the end of the file instantiates the tests
//! for every built-in solver.

mod limits;
mod random;

use gordian::backend::Verdict::{Satisfiable, Stopped, Unsatisfiable};
use gordian::backend::{Backend, BackendError, Limits, SOLVERS, Solver, Verdict, find};
use gordian_encodings::{FALSE, Lit, TRUE};

use limits::*;
use random::*;

/// Returns the built-in solver with the given name.
fn built_in(name: &str) -> &'static Solver {
    SOLVERS.iter().find(|solver| solver.name == name).expect("a built-in solver")
}

fn lit(ipasir: i32) -> Lit {
    Lit::from_ipasir(ipasir).unwrap()
}

fn lits<const N: usize>(ipasir: [i32; N]) -> [Lit; N] {
    ipasir.map(lit)
}

fn make(solver: &Solver) -> Box<dyn Backend> {
    solver.make().unwrap()
}

fn with<const N: usize>(solver: &Solver, clauses: [&[i32]; N]) -> Box<dyn Backend> {
    let mut backend = make(solver);
    for clause in clauses {
        add(&mut *backend, clause);
    }
    backend
}

fn add(backend: &mut dyn Backend, clause: &[i32]) {
    let clause: Vec<Lit> = clause.iter().copied().map(lit).collect();
    backend.clause(&clause);
}

fn solve(backend: &mut dyn Backend, assumptions: &[i32]) -> Verdict {
    let assumptions: Vec<Lit> = assumptions.iter().copied().map(lit).collect();
    backend.solve(&assumptions).unwrap()
}

/// Calls a solver, and checks that the result satisfies the contract of [`Backend`].
fn checked(backend: &mut dyn Backend, assumptions: &[Lit]) -> Verdict {
    let verdict = backend.solve(assumptions).unwrap();
    match verdict {
        Satisfiable => {
            for &assumption in assumptions {
                assert_eq!(backend.value(assumption), Some(true), "{assumption} was assumed");
                assert_eq!(backend.value(!assumption), Some(false), "{assumption} was assumed");
            }
            assert_eq!(backend.core(), []);
        }
        Unsatisfiable => {
            let core = backend.core();
            assert!(core.iter().all(|lit| assumptions.contains(lit)), "core {core:?} of {assumptions:?}");
            assert!(core.windows(2).all(|pair| pair[0] != pair[1]));
            assert_eq!(backend.value(lit(1)), None);
            assert_eq!(backend.solve(&core).unwrap(), Unsatisfiable, "core {core:?} of {assumptions:?}");
        }
        Stopped => panic!("stopped without a limit"),
    }
    verdict
}

/// Adds the pigeonhole formula with `pigeons` pigeons and `pigeons - 1` holes. Its resolution proofs have exponential
/// size.
pub(super) fn pigeon_hole(backend: &mut dyn Backend, pigeons: i32) {
    let holes = pigeons - 1;
    let sits = |pigeon: i32, hole: i32| pigeon * holes + hole + 1;
    for pigeon in 0..pigeons {
        let somewhere: Vec<i32> = (0..holes).map(|hole| sits(pigeon, hole)).collect();
        add(backend, &somewhere);
        for other in 0..pigeon {
            for hole in 0..holes {
                add(backend, &[-sits(pigeon, hole), -sits(other, hole)]);
            }
        }
    }
}

fn no_clauses(solver: &Solver) {
    let mut backend = make(solver);
    assert_eq!(backend.value(lit(1)), None);
    assert_eq!(backend.core(), []);
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
    assert_eq!(backend.value(lit(1)), None);
    assert_eq!(checked(&mut *backend, &lits([3, -1])), Satisfiable);
    assert_eq!(backend.statistics().variables, 3);
}

fn empty_clause(solver: &Solver) {
    let mut backend = with(solver, [&[1, 2], &[]]);
    for assumptions in [&[][..], &[1]] {
        assert_eq!(solve(&mut *backend, assumptions), Unsatisfiable);
        assert_eq!(backend.core(), []);
    }
    add(&mut *backend, &[3]);
    assert_eq!(solve(&mut *backend, &[]), Unsatisfiable);
}

fn units(solver: &Solver) {
    let mut backend = with(solver, [&[-2], &[1], &[1]]);
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
    assert_eq!([1, -1, 2, -2].map(|l| backend.value(lit(l))), [true, false, false, true].map(Some));
    assert_eq!(checked(&mut *backend, &lits([1, 2, 3])), Unsatisfiable);
    assert_eq!(checked(&mut *backend, &lits([2, 3])), Unsatisfiable);
    add(&mut *backend, &[-1]);
    assert_eq!(solve(&mut *backend, &[3]), Unsatisfiable);
    assert_eq!(backend.core(), []);
}

fn variables_in_no_clause(solver: &Solver) {
    let mut backend = with(solver, [&[2, 4]]);
    backend.reserve(9);
    assert_eq!(backend.statistics().variables, 9);
    assert_eq!(solve(&mut *backend, &[-4]), Satisfiable);
    assert_eq!(backend.value(lit(2)), Some(true));
    for free in [1, 3, 7, 9] {
        assert_eq!(backend.value(lit(free)), backend.value(lit(-free)).map(|value| !value));
    }
    assert_eq!(backend.value(lit(1000)), None);
    // The assignment remains readable after new variables are reserved.
    backend.reserve(2000);
    assert_eq!(backend.value(lit(2)), Some(true));
    assert_eq!(checked(&mut *backend, &lits([-8, 1500])), Satisfiable);
    add(&mut *backend, &[-1500, 8]);
    assert_eq!(checked(&mut *backend, &lits([-8, 1500, 2])), Unsatisfiable);
}

fn clauses_between_calls(solver: &Solver) {
    let mut backend = with(solver, [&[1, 2]]);
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
    add(&mut *backend, &[-1]);
    assert_eq!(backend.value(lit(2)), None, "the assignment is still readable after a clause was added");
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
    assert_eq!(backend.value(lit(2)), Some(true));
    assert_eq!(solve(&mut *backend, &[-2]), Unsatisfiable);
    add(&mut *backend, &[-2, 3]);
    assert_eq!(backend.core(), [], "the core is still readable after a clause was added");
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
    assert_eq!(backend.value(lit(3)), Some(true));
    add(&mut *backend, &[-3]);
    assert_eq!(solve(&mut *backend, &[]), Unsatisfiable);
    assert_eq!(backend.core(), []);
    assert_eq!(backend.statistics().clauses, 4);
}

fn assumptions_are_forgotten(solver: &Solver) {
    let mut backend = with(solver, [&[1, 2], &[-1, 2]]);
    assert_eq!(checked(&mut *backend, &lits([-2])), Unsatisfiable);
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
    assert_eq!(checked(&mut *backend, &lits([1])), Satisfiable);
    assert_eq!(checked(&mut *backend, &lits([-1])), Satisfiable);
}

fn cores_omit_irrelevant_assumptions(solver: &Solver) {
    let mut backend = with(solver, [&[-1, 2], &[-2, 3], &[4, 5]]);
    let assumptions = lits([4, 1, -6, -3, 5]);
    assert_eq!(checked(&mut *backend, &assumptions), Unsatisfiable);
    assert_eq!(backend.solve(&assumptions).unwrap(), Unsatisfiable);
    let core = backend.core();
    assert!(!core.contains(&lit(-6)) && core.contains(&lit(1)) && core.contains(&lit(-3)), "{core:?}");
}

fn constants_assumed(solver: &Solver) {
    let mut backend = with(solver, [&[1]]);
    assert_eq!(backend.solve(&[TRUE, lit(2), TRUE]).unwrap(), Satisfiable);
    assert_eq!(backend.value(lit(2)), Some(true));
    assert_eq!((backend.value(TRUE), backend.value(FALSE)), (Some(true), Some(false)));
    assert_eq!(backend.solve(&[lit(2), FALSE, lit(-1)]).unwrap(), Unsatisfiable);
    assert_eq!(backend.core(), [FALSE]);
    assert_eq!(backend.value(TRUE), None);
    assert_eq!(backend.solve(&[TRUE, lit(-1)]).unwrap(), Unsatisfiable);
    assert_eq!(backend.core(), [lit(-1)]);
    assert!(!backend.phase(TRUE));
    assert_eq!(backend.statistics().variables, 2);
}

fn duplicate_and_contradictory_assumptions(solver: &Solver) {
    let mut backend = with(solver, [&[1, 2, 3]]);
    assert_eq!(checked(&mut *backend, &lits([-1, -1, -2, -1])), Satisfiable);
    assert_eq!(checked(&mut *backend, &lits([4, 1, 2, -1, 1])), Unsatisfiable);
    assert_eq!(backend.solve(&lits([4, 1, 2, -1, 1])).unwrap(), Unsatisfiable);
    assert_eq!(backend.core().len(), 2);
    assert_eq!(checked(&mut *backend, &lits([-3, -2, -3, -1, -2])), Unsatisfiable);
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
}

fn implied_literals(solver: &Solver) {
    let mut backend = with(solver, [&[-1, 2], &[-2, 3], &[-3, 4, 5], &[-6, -7]]);
    let together = lits([1, 2, 3, 4, -5, 6, -7]);
    if let Some(decisions) = backend.implying(&together) {
        assert_eq!(decisions, lits([1, 4, -5, 6]), "2 and 3 follow from 1, and -7 from 6");
    }
    assert_eq!(backend.implying(&[]).unwrap_or_default(), []);
    assert_eq!(checked(&mut *backend, &together), Satisfiable);
    // Only literals that the clauses imply are fixed.
    assert_eq!((backend.fixed(TRUE), backend.fixed(FALSE)), (Some(true), Some(false)));
    assert_eq!(backend.fixed(lit(1)), None);
    add(&mut *backend, &[1]);
    assert_eq!(solve(&mut *backend, &[]), Satisfiable);
    for l in [1, 2, 3] {
        assert!([None, Some(true)].contains(&backend.fixed(lit(l))));
        assert!([None, Some(false)].contains(&backend.fixed(lit(-l))));
    }
    assert_eq!((backend.fixed(lit(6)), backend.fixed(lit(1000))), (None, None));
    if let Some(decisions) = backend.implying(&lits([3, 2, 1])) {
        assert_eq!(decisions, [], "decisions although the clauses imply all literals");
    }
}

fn statistics_increase(solver: &Solver) {
    let mut backend = make(solver);
    assert_eq!((backend.statistics().variables, backend.statistics().clauses), (0, 0));
    let before = backend.statistics();
    pigeon_hole(&mut *backend, 6);
    assert_eq!(solve(&mut *backend, &[]), Unsatisfiable);
    let after = backend.statistics();
    for (before, after) in [
        (before.conflicts, after.conflicts),
        (before.decisions, after.decisions),
        (before.propagations, after.propagations),
        (before.restarts, after.restarts),
    ] {
        assert_eq!(before, after.map(|_| 0));
        assert!(after.is_none_or(|after| after > 0));
    }
    assert!(format!("{backend:?}").starts_with(&*solver.name));
}

/// Tests the phases on random clauses that are satisfied by two complementary assignments. The solver's assignment must
/// be close to the preferred assignment. A few variables may differ, because CaDiCaL eliminates some variables before
/// it branches.
fn phases_are_tried_first(solver: &Solver) {
    const VARIABLES: u64 = 40;
    let mut state = 1_u64;
    let mut random = |bound: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % bound
    };
    let planted: Vec<i32> = (1..=VARIABLES as i32).map(|v| if random(2) == 0 { v } else { -v }).collect();
    let mut clauses = Vec::new();
    while clauses.len() < 160 {
        let [a, b, c] = [(); 3].map(|()| random(VARIABLES) as usize);
        if a != b && b != c && a != c {
            let sign = if random(2) == 0 { 1 } else { -1 };
            clauses.push([sign * planted[a], -sign * planted[b], planted[c]]);
        }
    }
    for sign in [1, -1] {
        let mut backend = make(solver);
        let preferred: Vec<Lit> = planted.iter().map(|&l| lit(sign * l)).collect();
        for &preferred in &preferred {
            assert_eq!(backend.phase(preferred), solver.phases);
        }
        for clause in &clauses {
            add(&mut *backend, clause);
        }
        assert_eq!(solve(&mut *backend, &[]), Satisfiable);
        if solver.phases {
            let found = preferred.iter().filter(|&&lit| backend.value(lit) == Some(true)).count();
            assert!(found > preferred.len() * 2 / 3, "{found}");
        }
    }
}

/// Returns the number of decisions that the solver makes on a pigeonhole formula. Different seeds lead to different
/// searches on this formula.
fn decisions(solver: &Solver, seed: Option<u32>) -> Option<u64> {
    let mut backend = make(solver);
    if let Some(seed) = seed {
        assert_eq!(backend.seed(seed), solver.seeds);
    }
    pigeon_hole(&mut *backend, 9);
    assert_eq!(solve(&mut *backend, &[]), Unsatisfiable);
    backend.statistics().decisions
}

fn a_seed_changes_the_search(solver: &Solver) {
    let without = decisions(solver, None);
    assert_eq!(decisions(solver, Some(0)), without, "the seed 0 must select the default behaviour");
    let seeded: Vec<_> = [1, 2, 3, u32::MAX].into_iter().map(|seed| decisions(solver, Some(seed))).collect();
    if solver.seeds {
        assert_eq!(decisions(solver, Some(3)), seeded[2], "the same seed must yield the same search");
        assert!(seeded.iter().any(|&other| other != without), "{seeded:?}");
    }
    let mut backend = with(solver, [&[1, 2]]);
    assert!(!backend.seed(1), "a seed after the first clause must be rejected");
}

fn a_solver_is_found_by_its_name(solver: &Solver) {
    assert_eq!(make(solver).solver().name, solver.name);
    assert_eq!(find(&solver.name).unwrap().name, solver.name);
}

macro_rules! suite {
    ($solver:ident: $($test:ident),* $(,)?) => {
        mod $solver {
            $(#[test]
            fn $test() {
                super::$test(super::built_in(stringify!($solver)));
            })*
        }
    };
    ($($(#[$attribute:meta])* $solver:ident),*) => {
        $($(#[$attribute])* suite!($solver:
            no_clauses, empty_clause, units, variables_in_no_clause, clauses_between_calls,
            assumptions_are_forgotten, cores_omit_irrelevant_assumptions, constants_assumed,
            duplicate_and_contradictory_assumptions, random_sessions, enumeration, a_stop_flag_ends_the_call,
            deadlines_and_conflicts_end_the_call, generous_limits_change_nothing, late_limits_work_or_are_refused,
            implied_literals, statistics_increase, phases_are_tried_first, a_seed_changes_the_search,
            a_solver_is_found_by_its_name,
        );)*
    };
}

suite!(
    batsat,
    cdcl,
    varisat,
    #[cfg(feature = "cadical")]
    cadical
);

/// Instantiates the tests for external solvers, except the tests of statistics and conflict limits, which not all
/// external solvers support.
macro_rules! suite_of_programs {
    ($($program:ident: $test:tt),*) => {
        $(mod $program {
            suite_of_programs!(@ $test);
        })*
    };
    (@ [$name:literal: $($test:ident),* $(,)?]) => {
        $(#[test]
        #[ignore = "needs the program"]
        fn $test() {
            super::$test(&super::find($name).unwrap());
        })*
    };
    ($($program:ident = $name:literal),*) => {
        suite_of_programs!($($program: [$name:
            no_clauses, empty_clause, units, variables_in_no_clause, clauses_between_calls,
            assumptions_are_forgotten, cores_omit_irrelevant_assumptions, constants_assumed,
            duplicate_and_contradictory_assumptions, random_sessions, enumeration, a_stop_flag_ends_the_call,
            implied_literals, statistics_increase, phases_are_tried_first, cores_of_programs_are_minimal,
        ]),*);
    };
}

suite_of_programs!(
    program_cadical = "external:cadical -q {cnf}",
    program_minisat = "minisat",
    program_cryptominisat = "cryptominisat5",
    program_picosat = "picosat"
);

/// Tests that the core is minimal: if any one of its assumptions is left out, the formula is satisfiable under the
/// others.
fn cores_of_programs_are_minimal(solver: &Solver) {
    let mut backend = with(solver, [&[-1, 2], &[-2, -3, 4], &[-4, -5, 6], &[7, 8], &[-8, 9]]);
    let assumptions = lits([-7, 5, -9, 1, 3, -6, 10]);
    assert_eq!(checked(&mut *backend, &assumptions), Unsatisfiable);
    assert_eq!(backend.solve(&assumptions).unwrap(), Unsatisfiable);
    let core = backend.core();
    assert!(core.len() < assumptions.len());
    for &spared in &core {
        let fewer: Vec<Lit> = core.iter().copied().filter(|&lit| lit != spared).collect();
        assert_eq!(backend.solve(&fewer).unwrap(), Satisfiable, "{core:?} without {spared}");
    }
}

#[test]
fn unknown_names_get_a_suggestion() {
    let message = |name| find(name).unwrap_err().to_string();
    let known = "`cdcl`, `batsat`, `varisat`, `cadical`, `kissat`, `minisat`, `glucose`, `cryptominisat5`, `picosat` and \
                     `external:COMMAND`";
    let expected = format!("unknown solver `Cadikal`; the solvers are {known}; did you mean `cadical`?");
    assert_eq!(message("Cadikal"), expected);
    assert_eq!(message("zzzzzzzz"), format!("unknown solver `zzzzzzzz`; the solvers are {known}"));
    assert!(message("batsatt").contains("did you mean `batsat`?"));
    assert!(message("kissatt").contains("did you mean `kissat`?"), "external solvers must be suggested too");
}

#[cfg(not(feature = "cadical"))]
#[test]
fn the_error_for_a_solver_that_is_not_built_in_says_how_to_build_it() {
    let error = built_in("cadical").make().unwrap_err().to_string();
    assert!(error.contains("--features cadical") && error.contains("libclang-dev"), "{error}");
}
