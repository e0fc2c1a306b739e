//! Tests the periods of programmed search, and that a monitor stops a call.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;

use crate::support::pigeons;
use gordian_cdcl::{Lit, Monitor, Options, Search, Solver, Theory};

/// A theory that branches on the literals of the variables in ascending order, and counts these decisions.
#[derive(Default)]
struct InOrder {
    variables: u32,
    decisions: u64,
    conflicts: Rc<Cell<u64>>,
    /// The numbers of conflicts before the decisions.
    times: BTreeSet<u64>,
}

/// Counts the conflicts.
struct Clock(Rc<Cell<u64>>);

impl Monitor for Clock {
    fn conflict(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

impl Theory for InOrder {
    fn propagate(&mut self, _: &mut Search<'_>, _: bool) {}

    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}

    fn branch(&mut self, search: &mut Search<'_>) -> Option<Lit> {
        let mut lits = (0..self.variables).map(|variable| Lit::new(variable, true));
        let next = lits.find(|&lit| search.value(lit).is_none());
        self.decisions += u64::from(next.is_some());
        self.times.insert(self.conflicts.get());
        next
    }

    fn new_level(&mut self) {}

    fn backtrack(&mut self, _: usize) {}
}

#[test]
fn periods_of_programmed_search_alternate_with_other_periods() {
    let holes = 7;
    let mut theory = InOrder { variables: holes * (holes + 1), ..InOrder::default() };
    let mut solver = Solver::default();
    solver.set_programmed(true);
    for clause in pigeons(holes) {
        solver.add(&clause);
    }
    let mut clock = Clock(Rc::clone(&theory.conflicts));
    assert_eq!(solver.solve(&[], &mut theory, &mut clock), Some(false));
    assert!(solver.statistics().conflicts > 1000);
    // The first period has 100 conflicts, and the second one has 200, after 300 others. A period ends at the first decision
    // after its last conflict, so it can be a little longer.
    let first = theory.times.range(..400).next_back().copied();
    let second = theory.times.range(400..).next().copied();
    let last = theory.times.range(400..1500).next_back().copied();
    let is_near = |time: Option<u64>, expected| time.is_some_and(|time| time.abs_diff(expected) < 30);
    assert!(
        is_near(first, 99) && is_near(second, 400) && is_near(last, 599),
        "{first:?} {second:?} {last:?}"
    );
    // Without conflicts, the theory chooses all decisions.
    let mut theory = InOrder { variables: 5, ..InOrder::default() };
    let mut solver = Solver::default();
    solver.set_programmed(true);
    solver.reserve(5);
    assert_eq!(solver.solve(&[], &mut theory, &mut ()), Some(true));
    assert_eq!((theory.decisions, solver.statistics().decisions), (5, 5));
    assert!((0..5).all(|variable| solver.value(Lit::new(variable, true)) == Some(true)));
}

/// A theory that derives a new literal in each call.
#[derive(Default)]
struct Endless;

impl Theory for Endless {
    fn propagate(&mut self, search: &mut Search<'_>, _: bool) {
        let lit = search.fresh();
        search.imply(lit);
    }

    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}

    fn new_level(&mut self) {}

    fn backtrack(&mut self, _: usize) {}
}

/// A monitor that stops the call at the hundredth poll.
struct Countdown(u32);

impl Monitor for Countdown {
    fn stops(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

#[test]
fn a_call_can_be_stopped_while_the_theory_derives_literals() {
    let mut solver = Solver::new(Options::default());
    assert_eq!(solver.solve(&[], &mut Endless, &mut Countdown(100)), None);
}
