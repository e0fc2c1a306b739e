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

    /// Returns a literal on which to branch when all variables have values and the theory derives nothing, or `None` if
    /// the assignment is a solution. The literal must be unassigned.
    fn decide(&mut self, _search: &mut Search<'_>) -> Option<Lit> {
        None
    }

    /// Returns a literal on which to branch in a programmed period, or `None` if the solver chooses the literal. The literal
    /// must be unassigned.
    fn branch(&mut self, _search: &mut Search<'_>) -> Option<Lit> {
        None
    }

    /// Notifies the theory that a variable which it created by [`Search::fresh`] is no longer temporary, because a learnt
    /// clause contains it.
    fn keep(&mut self, _variable: u32) {}

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

    /// Creates a temporary variable, and returns its positive literal. The theory must derive the literal or its
    /// negation, or return one of them from [`Theory::branch`] or [`Theory::decide`], before it returns. When the search backtracks, the
    /// variable loses its value. Unless the solver has called [`Theory::keep`] for the variable, no clause
    /// contains it, and the theory can use it again for another purpose.
    pub fn fresh(&mut self) -> Lit {
        let variable = self.solver.variables();
        self.solver.reserve(variable + 1);
        let temporaries = &mut self.solver.temporaries;
        temporaries.member[variable as usize] = true;
        temporaries.total += 1;
        Lit::new(variable, true)
    }

    /// Derives `lit`, which must be unassigned.
    pub fn imply(&mut self, lit: Lit) {
        debug_assert_eq!(self.value(lit), None, "the literal has a value");
        let temporaries = &mut self.solver.temporaries;
        temporaries.assigned += usize::from(temporaries.member[lit.var()]);
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
    /// Makes the temporary variables of a clause ordinary variables. Their literals are assigned.
    pub(crate) fn keep(&mut self, clause: &[Lit], theory: &mut dyn Theory) {
        if self.temporaries.total == 0 {
            return;
        }
        for lit in clause {
            if std::mem::take(&mut self.temporaries.member[lit.var()]) {
                self.temporaries.total -= 1;
                self.temporaries.assigned -= 1;
                theory.keep(lit.variable());
            }
        }
    }

    /// Backtracks to a level, saves the phases, and notifies the theory.
    pub(crate) fn backtrack(&mut self, level: usize, theory: &mut dyn Theory) {
        let Some(&start) = self.starts.get(level) else { return };
        if !self.is_programmed() {
            for &lit in &self.trail[start..] {
                self.phases.save(lit);
            }
        }
        self.undo(level);
        theory.backtrack(level);
    }
}
