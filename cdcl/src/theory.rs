//! The interface between the solver and a theory.

use crate::lit::Lit;
use crate::state::{Reason, Solver};

/// A theory that takes part in the search.
///
/// The solver calls [`propagate`](Theory::propagate) whenever unit propagation is complete, in particular before each
/// decision. Therefore, the theory has seen the whole trail when a decision level starts.
pub trait Theory {
    /// Derives literals or a conflict from the trail. If the call derives something, the solver propagates and calls
    /// the theory again. `is_complete` is true if all variables are assigned; if the call then derives nothing, the
    /// assignment is a solution.
    fn propagate(&mut self, search: &mut Search<'_>, is_complete: bool);

    /// Explains `lit`, which the theory has derived by [`Search::imply`]: appends literals that together imply `lit` to
    /// `reason`. All of them must have become true before `lit`.
    fn explain(&mut self, lit: Lit, reason: &mut Vec<Lit>);

    /// Notifies the theory that a new decision level starts.
    fn new_level(&mut self);

    /// Notifies the theory that the search backtracks to the given level. The literals on level 0 hold without any
    /// decision or assumption.
    fn backtrack(&mut self, level: usize);
}

/// The theory that derives nothing.
impl Theory for () {
    fn propagate(&mut self, _: &mut Search<'_>, _: bool) {}
    fn explain(&mut self, _: Lit, _: &mut Vec<Lit>) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
}

/// The interface through which a theory reads the trail and reports its results.
pub struct Search<'a> {
    pub(crate) solver: &'a mut Solver,
    /// The conflict that the theory has reported.
    pub(crate) conflict: Option<Vec<Lit>>,
    pub(crate) progress: bool,
}

impl Search<'_> {
    /// Returns the true literals, in the order in which they became true.
    #[must_use]
    pub fn trail(&self) -> &[Lit] {
        &self.solver.trail
    }

    /// Returns the value of a literal.
    #[must_use]
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.solver.assigned(lit) {
            0 => None,
            value => Some(value > 0),
        }
    }

    /// Derives `lit`, which must be unassigned.
    pub fn imply(&mut self, lit: Lit) {
        debug_assert_eq!(self.value(lit), None, "the literal has a value");
        self.solver.assign(lit, Reason::Theory);
        self.progress = true;
    }

    /// Reports a conflict: a clause that follows from the formula and the theory, and whose literals are all false.
    pub fn conflict(&mut self, clause: &[Lit]) {
        self.conflict = Some(clause.to_vec());
        self.progress = true;
    }
}

impl Solver {
    /// Backtracks to a level, saves the phases, and notifies the theory.
    pub(crate) fn backtrack(&mut self, level: usize, theory: &mut dyn Theory) {
        let Some(&start) = self.starts.get(level) else { return };
        for &lit in &self.trail[start..] {
            self.phases.save(lit);
        }
        self.undo(level);
        theory.backtrack(level);
    }
}
