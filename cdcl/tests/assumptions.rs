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
