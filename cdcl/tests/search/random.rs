//! Compares the solver with brute force on random formulas, with and without a theory.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::support::pigeons;
use gordian_cdcl::{ClauseId, Lit, Options, Proof, Search, Solver, Theory, UNITS};
use proptest::prelude::*;

fn holds(lit: Lit, assignment: u32) -> bool {
    (assignment >> lit.variable() & 1 == 1) == lit.is_positive()
}

fn add(solver: &mut Solver, clauses: &[Vec<Lit>]) {
    for clause in clauses {
        solver.add(clause);
    }
}

fn satisfies(clauses: &[Vec<Lit>], assignment: u32) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|&lit| holds(lit, assignment)))
}

/// Calls the solver repeatedly, with a limit of 40 conflicts per call, until a call returns a result.
fn solve(solver: &mut Solver, assumptions: &[Lit], theory: &mut dyn Theory) -> bool {
    struct Few(u32);
    impl gordian_cdcl::Monitor for Few {
        fn conflict(&mut self) {
            self.0 += 1;
        }
        fn stops(&mut self) -> bool {
            self.0 > 40
        }
    }
    loop {
        if let Some(verdict) = solver.solve(assumptions, theory, &mut Few(0)) {
            return verdict;
        }
    }
}

/// A checker that stores the clauses of a formula and of its proof. It checks each clause of the proof when the clause
/// is derived.
#[derive(Debug, Default, Clone)]
struct Checked(Rc<RefCell<Proven>>);

#[derive(Debug, Default)]
struct Proven {
    clauses: BTreeMap<ClauseId, Vec<Lit>>,
    /// The at-most-k constraints of the theory.
    groups: Vec<(Vec<Lit>, usize)>,
    derived: usize,
    implied: usize,
}

impl Proven {
    /// Processes the hints in order, starting with the true literals in `on`. Returns whether each hint propagates
    /// exactly one literal, and adds the propagated literals to `on`.
    fn propagates(&self, hints: &[ClauseId], on: &mut BTreeSet<Lit>) -> bool {
        let hints = match hints {
            [UNITS, rest @ ..] => {
                let is_unit = |clause: &&Vec<Lit>| clause.iter().all(|lit| *lit == clause[0]);
                on.extend(self.clauses.values().filter(is_unit).flatten());
                rest
            }
            _ => hints,
        };
        hints.iter().all(|hint| {
            let open: BTreeSet<Lit> =
                self.clauses[hint].iter().copied().filter(|&lit| !on.contains(&!lit)).collect();
            on.extend(&open);
            open.len() == 1
        })
    }

    /// Returns whether unit propagation on the hints, in the given order, refutes the negation of a clause.
    fn follows(&self, clause: &[Lit], hints: &[ClauseId]) -> bool {
        let mut on: BTreeSet<Lit> = clause.iter().map(|&lit| !lit).collect();
        let Some((last, others)) = hints.split_last() else {
            return on.iter().any(|&lit| on.contains(&!lit));
        };
        self.propagates(others, &mut on) && self.clauses[last].iter().all(|&lit| on.contains(&!lit))
    }

    fn insert(&mut self, id: ClauseId, clause: &[Lit]) {
        let last = self.clauses.last_key_value().map_or(0, |(&last, _)| last);
        assert!(id > last, "the numbers increase");
        self.clauses.insert(id, clause.to_vec());
    }
}

impl Proof for Checked {
    fn added(&mut self, id: ClauseId, clause: &[Lit]) {
        self.0.borrow_mut().insert(id, clause);
    }

    fn lemma(&mut self, id: ClauseId, clause: &[Lit]) {
        let mut proven = self.0.borrow_mut();
        let violates = |(lits, most): &(Vec<Lit>, usize)| {
            lits.iter().filter(|&&lit| clause.contains(&!lit)).count() > *most
        };
        assert!(proven.groups.iter().any(violates), "{clause:?} follows from a group");
        proven.insert(id, clause);
    }

    fn derived(&mut self, id: ClauseId, clause: &[Lit], hints: &[ClauseId]) {
        let mut proven = self.0.borrow_mut();
        assert!(proven.follows(clause, hints), "{clause:?} follows from its hints");
        proven.insert(id, clause);
        proven.derived += 1;
    }

    fn deleted(&mut self, id: ClauseId, clause: &[Lit]) {
        let within = |a: &[Lit], b: &[Lit]| a.iter().all(|lit| b.contains(lit));
        let found = self.0.borrow_mut().clauses.remove(&id).expect("the clause was derived");
        assert!(found.len() == clause.len() && within(&found, clause) && within(clause, &found));
    }

    fn implied(&mut self, needed: &[Lit], lits: &[Lit], hints: &[ClauseId]) {
        let mut on = needed.iter().copied().collect();
        assert!(self.0.borrow().propagates(hints, &mut on) && lits.iter().all(|lit| on.contains(lit)));
        self.0.borrow_mut().implied += hints.len();
    }
}

/// Compares the result of a solver call with brute force. The models are the assignments for which `accepts` returns
/// true.
fn check(
    solver: &mut Solver,
    theory: &mut dyn Theory,
    assumptions: &[Lit],
    variables: u32,
    accepts: impl Fn(u32) -> bool,
) -> Result<(), TestCaseError> {
    let all = |lits: &[Lit], assignment| lits.iter().all(|&lit| holds(lit, assignment));
    let expected = (0..1 << variables).any(|assignment| accepts(assignment) && all(assumptions, assignment));
    let found = solve(solver, assumptions, theory);
    prop_assert_eq!(found, expected);
    if found {
        let value = |variable| solver.value(Lit::new(variable, true)) == Some(true);
        let lits: Vec<Lit> = (0..variables).map(|variable| Lit::new(variable, value(variable))).collect();
        let model = (0..variables).map(|variable| u32::from(value(variable)) << variable).sum();
        prop_assert!(accepts(model) && all(assumptions, model));
        let needed = solver.implying(&lits, theory);
        prop_assert!(needed.iter().all(|lit| lits.contains(lit)));
        let others =
            (0..1 << variables).filter(|&assignment| assignment != model && all(&needed, assignment));
        prop_assert!(others.into_iter().all(|assignment| !accepts(assignment)), "{:?} of {:?}", needed, lits);
    } else {
        let core = solver.core();
        prop_assert!(core.iter().all(|lit| assumptions.contains(lit)));
        prop_assert!(!(0..1 << variables).any(|assignment| accepts(assignment) && all(core, assignment)));
    }
    for variable in 0..variables {
        if let Some(value) = solver.fixed(Lit::new(variable, true)) {
            let lit = Lit::new(variable, value);
            prop_assert!(
                (0..1 << variables).all(|assignment| !accepts(assignment) || holds(lit, assignment))
            );
        }
    }
    Ok(())
}

/// A theory of at-most-k constraints: each group has a maximum number of true literals.
#[derive(Debug)]
struct AtMost {
    groups: Vec<(Vec<Lit>, usize)>,
    /// The number of trail literals that the theory had seen at the start of each level.
    levels: Vec<usize>,
    seen: usize,
    /// The implied literals, each with its group and the literals that imply it.
    implied: Vec<(Lit, usize, Vec<Lit>)>,
}

impl Theory for AtMost {
    fn propagate(&mut self, search: &mut Search<'_>, _: bool) {
        self.seen = search.trail().len();
        for (group, (lits, most)) in self.groups.iter().enumerate() {
            let on: Vec<Lit> = lits.iter().copied().filter(|&lit| search.value(lit) == Some(true)).collect();
            if on.len() > *most {
                let clause: Vec<Lit> = on[..=*most].iter().map(|&lit| !lit).collect();
                search.conflict(&clause);
                return;
            }
            if on.len() == *most {
                for &lit in lits {
                    if search.value(lit).is_none() {
                        self.implied.retain(|(other, ..)| *other != !lit);
                        self.implied.push((!lit, group, on.clone()));
                        search.imply(!lit);
                    }
                }
            }
        }
    }

    fn explain(&mut self, lit: Lit, reason: &mut Vec<Lit>) {
        let (_, _, on) =
            self.implied.iter().find(|(implied, ..)| *implied == lit).expect("an implied literal");
        reason.extend(on);
    }

    /// Branches on the literals of the groups, which it makes true.
    fn branch(&mut self, search: &mut Search<'_>) -> Option<Lit> {
        self.groups.iter().flat_map(|(lits, _)| lits).copied().find(|&lit| search.value(lit).is_none())
    }

    fn new_level(&mut self) {
        self.levels.push(self.seen);
    }

    fn backtrack(&mut self, level: usize) {
        assert!(level < self.levels.len(), "the search returns to an earlier level");
        self.seen = self.levels[level];
        self.levels.truncate(level);
    }
}

fn lit(variables: u32) -> impl Strategy<Value = Lit> {
    (0..variables, any::<bool>()).prop_map(|(variable, positive)| Lit::new(variable, positive))
}

fn clauses(variables: u32, length: usize, most: usize) -> impl Strategy<Value = Vec<Vec<Lit>>> {
    prop::collection::vec(prop::collection::vec(lit(variables), 1..=length), 0..most)
}

/// A few assumptions. In half of the cases, they are repeated so often that several share a level.
fn assumptions() -> impl Strategy<Value = Vec<Lit>> {
    (prop::collection::vec(lit(9), 0..6), any::<bool>()).prop_map(|(lits, are_repeated)| {
        let length = if are_repeated { 2_500 } else { lits.len() };
        lits.iter().copied().cycle().take(length).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn verdicts_models_and_cores_agree_with_brute_force(
        parts in prop::collection::vec((clauses(9, 4, 20), assumptions()), 1..5),
        seed in 0..3_u64,
        reduce_interval in 0..3_u64,
        equal in prop::collection::vec((lit(9), lit(9)), 0..5),
    ) {
        let mut parts = parts;
        parts[0].0.extend(equal.iter().flat_map(|&(a, b)| [vec![!a, b], vec![a, !b]]));
        let mut solver = Solver::new(Options { seed, reduce_interval });
        let proof = Checked::default();
        solver.log_proof(Box::new(proof.clone()));
        let mut all = Vec::new();
        for (part, assumptions) in parts {
            add(&mut solver, &part);
            all.extend(part);
            solver.reserve(9);
            check(&mut solver, &mut (), &assumptions, 9, |assignment| satisfies(&all, assignment))?;
        }
    }

    #[test]
    fn theories_agree_with_brute_force(
        parts in prop::collection::vec((clauses(9, 4, 12), assumptions()), 1..4),
        groups in prop::collection::vec((prop::collection::btree_set(lit(9), 2..6), 0..3_usize), 1..4),
        reduce_interval in 0..6_u64,
        programmed in any::<bool>(),
    ) {
        let groups: Vec<(Vec<Lit>, usize)> =
            groups.into_iter().map(|(lits, most)| (lits.into_iter().collect(), most)).collect();
        let mut theory = AtMost { groups: groups.clone(), levels: vec![], seen: 0, implied: vec![] };
        let mut solver = Solver::new(Options { reduce_interval, ..Options::default() });
        solver.set_programmed(programmed);
        let proof = Checked::default();
        proof.0.borrow_mut().groups.clone_from(&groups);
        solver.log_proof(Box::new(proof));
        let mut all = Vec::new();
        for (part, assumptions) in parts {
            add(&mut solver, &part);
            all.extend(part);
            solver.reserve(9);
            let fits = |assignment| groups.iter().all(|(lits, most)| {
                lits.iter().filter(|&&lit| holds(lit, assignment)).count() <= *most
            });
            check(&mut solver, &mut theory, &assumptions, 9, |assignment| {
                satisfies(&all, assignment) && fits(assignment)
            })?;
        }
    }
}

/// Returns random clauses of three literals over `variables` variables.
fn random_formula(variables: u32, clauses: usize, mut seed: u64) -> Vec<Vec<Lit>> {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as u32
    };
    (0..clauses).map(|_| (0..3).map(|_| Lit::new(next() % variables, next() % 2 == 0)).collect()).collect()
}

/// These formulas need thousands of conflicts, so clauses are removed, vivified and moved.
#[test]
fn models_of_hard_formulas_satisfy_all_clauses() {
    let mut satisfiable = 0;
    for seed in 0..12 {
        let clauses = random_formula(150, 630, seed);
        let mut solver = Solver::default();
        solver.log_proof(Box::new(Checked::default()));
        add(&mut solver, &clauses);
        if solve(&mut solver, &[], &mut ()) {
            satisfiable += 1;
            assert!(clauses.iter().all(|clause| clause.iter().any(|&lit| solver.value(lit) == Some(true))));
        }
    }
    assert!((1..12).contains(&satisfiable), "{satisfiable} of 12 formulas are satisfiable");
}

#[test]
fn pigeons_do_not_fit() {
    let mut solver = Solver::default();
    let proof = Checked::default();
    solver.log_proof(Box::new(proof.clone()));
    add(&mut solver, &pigeons(7));
    assert!(!solve(&mut solver, &[], &mut ()));
    let proven = proof.0.borrow();
    assert!(
        proven.derived > 1000 && proven.clauses.last_key_value().is_some_and(|(_, last)| last.is_empty())
    );
    assert!(solver.core().is_empty() && solver.statistics().conflicts > 1000);
}

/// The proof contains the clause `-8` of the first core, so the solver must not assume that 8 can be true.
#[test]
fn hints_use_the_unit_clause_of_a_core() {
    let [one, four, eight] = [0, 3, 7].map(|variable| Lit::new(variable, true));
    let groups = vec![(vec![four, !four, eight], 1)];
    let mut theory = AtMost { groups: groups.clone(), levels: vec![], seen: 0, implied: vec![] };
    let mut solver = Solver::new(Options { reduce_interval: 0, ..Options::default() });
    solver.set_programmed(true);
    let proof = Checked::default();
    proof.0.borrow_mut().groups = groups;
    solver.log_proof(Box::new(proof));
    solver.add(&[!one, eight, !four]);
    assert!(!solve(&mut solver, &[eight; 2500], &mut theory));
    solver.add(&[one]);
    assert!(solve(&mut solver, &[], &mut theory));
    assert_eq!(solver.value(eight), Some(false));
}
