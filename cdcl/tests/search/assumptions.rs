//! Tests how assumptions are distributed over the levels of the search.

use gordian_cdcl::{Lit, Search, Solver, Theory};

/// A theory that counts the levels.
#[derive(Default)]
struct Levels {
    current: usize,
    most: usize,
}

impl Theory for Levels {
    fn propagate(&mut self, _: &mut Search<'_>, _: bool) {}

    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}

    fn new_level(&mut self) {
        self.current += 1;
        self.most = self.most.max(self.current);
    }

    fn backtrack(&mut self, level: usize) {
        self.current = level;
    }
}

#[test]
fn more_than_a_thousand_assumptions_share_levels() {
    for (assumptions, levels) in [(1, 1), (1000, 1000), (1001, 501), (14_000, 1000)] {
        let lits: Vec<Lit> = (0..assumptions).map(|variable| Lit::new(variable, true)).collect();
        let (first, last) = (lits[0], lits[lits.len() - 1]);
        let mut solver = Solver::default();
        let mut theory = Levels::default();
        assert_eq!(solver.solve(&lits, &mut theory, &mut ()), Some(true));
        assert_eq!((theory.most, theory.current), (levels, 0), "{assumptions}");
        assert!(lits.iter().all(|&lit| solver.value(lit) == Some(true)));
        // The core has only the two assumptions that exclude each other.
        solver.add(&[!first, !last]);
        assert_eq!(solver.solve(&lits, &mut theory, &mut ()), Some(false));
        let mut core = solver.core().to_vec();
        core.sort_unstable();
        assert_eq!(core, if first == last { vec![first] } else { vec![first, last] });
    }
}

/// Returns the given number of assumptions, and a literal that is not among them.
fn assume(assumptions: u32) -> (Vec<Lit>, Lit) {
    ((0..assumptions).map(|variable| Lit::new(variable, true)).collect(), Lit::new(assumptions, true))
}

/// An assumption that is contradictory by itself is false from then on, whether or not it shares its level with others.
#[test]
fn a_core_of_one_assumption_is_learnt() {
    for assumptions in [1000, 1001] {
        let (lits, other) = assume(assumptions);
        let mut solver = Solver::default();
        solver.add(&[!lits[0], other]);
        solver.add(&[!lits[0], !other]);
        assert_eq!(solver.solve(&lits, &mut (), &mut ()), Some(false));
        assert_eq!((solver.core(), solver.fixed(lits[0])), (&lits[..1], Some(false)));
        assert_eq!(solver.solve(&[], &mut (), &mut ()), Some(true));
    }
}

/// A theory that derives literals on level 1, although they already hold on level 0.
struct Late {
    lits: Vec<Lit>,
    unit: Option<Lit>,
    levels: usize,
}

impl Theory for Late {
    fn propagate(&mut self, search: &mut Search<'_>, _: bool) {
        if self.levels > 0 {
            for &lit in &self.lits {
                match search.value(lit) {
                    None => search.imply(lit),
                    Some(true) => {}
                    Some(false) => {
                        let clause: Vec<Lit> = self.unit.iter().map(|&unit| !unit).chain([lit]).collect();
                        return search.conflict(&clause);
                    }
                }
            }
        }
    }

    fn explain(&mut self, _: Lit, reason: &mut Vec<Lit>) {
        reason.extend(self.unit);
    }

    fn new_level(&mut self) {
        self.levels += 1;
    }

    fn backtrack(&mut self, level: usize) {
        self.levels = level;
    }
}

#[test]
fn a_conflict_of_late_literals_refutes_the_formula() {
    for assumptions in [1000, 1001] {
        for has_unit in [false, true] {
            let (lits, first) = assume(assumptions);
            let [second, unit] = [1, 2].map(|more| Lit::new(first.variable() + more, true));
            let mut solver = Solver::default();
            solver.add(&[unit]);
            solver.add(&[!first, !second]);
            let unit = has_unit.then_some(unit);
            let mut theory = Late { lits: vec![first, second], unit, levels: 0 };
            assert_eq!(solver.solve(&lits, &mut theory, &mut ()), Some(false));
            assert!(solver.core().is_empty(), "{assumptions}");
            assert_eq!(solver.solve(&[], &mut theory, &mut ()), Some(false));
        }
    }
}
