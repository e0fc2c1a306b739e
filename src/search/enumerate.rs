//! Enumeration of all solutions.
//!
//! A few literals suffice to exclude a solution: its *decisions*, from which unit propagation derives all other
//! literals. To find decisions, the solver assumes the literals of the solution one after the other, except literals
//! that are already propagated. On a rooks board, the decisions are some of the rooks; on a grid of digits, they are
//! some of the cells.
//!
//! Each of the first solutions is excluded by a blocking clause, which consists of the negations of the solution's
//! decisions. Blocking clauses are best for few solutions, but every clause slows the solver down. After [`MOST`]
//! solutions, the search space is split instead. A solution with the decisions d1, ..., dk leaves k regions: in region
//! i, the decision di is false and all decisions before it are true. No two regions have a solution in common. Each
//! region is searched with its literals as assumptions, and learnt clauses remain valid in all regions. The method is
//! the enumeration without blocking clauses by Grumberg, Schuster, Yadgar: *Memory efficient all-solutions SAT solver
//! and its application for reachability analysis*, FMCAD 2004, with assumptions instead of a modified search.
//!
//! If a solver can't report the literals that it propagates, the blocking clause of each solution contains all
//! literals of the solution.

use gordian_encodings::{Assignment, Lit, constant};

use super::{Session, SolveError};
use crate::backend::Verdict;

/// The maximum number of solutions that are excluded by blocking clauses.
const MOST: usize = 256;

/// An iterator over the solutions of a session. Assignments that agree on the projection count as one solution.
///
/// If the solver fails or a limit is reached, the last item is an error.
#[derive(Debug)]
pub struct Assignments {
    session: Session,
    /// The variables of the projection, as positive literals without repetitions.
    solution: Vec<Lit>,
    /// The number of solutions that have been excluded by blocking clauses so far.
    forbidden: usize,
    /// The unsearched regions, each given by the literals that are true in it. The regions are pairwise disjoint: no
    /// solution is in two of them.
    parts: Vec<Vec<Lit>>,
    done: bool,
}

impl Assignments {
    pub(super) fn new(session: Session) -> Self {
        let open = session.solution.iter().filter(|&&lit| constant(lit).is_none());
        let mut solution: Vec<Lit> = open.map(|&lit| if lit.is_pos() { lit } else { !lit }).collect();
        solution.sort_unstable();
        solution.dedup();
        Self { session, solution, forbidden: 0, parts: vec![Vec::new()], done: false }
    }

    /// Returns the session, which already excludes some of the solutions.
    #[must_use]
    pub fn into_session(self) -> Session {
        self.session
    }

    fn advance(&mut self) -> Result<Option<Assignment>, SolveError> {
        while let Some(part) = self.parts.pop() {
            match self.session.satisfy_without_assumed(&part)?.0 {
                Verdict::Stopped => return Err(SolveError::LimitReached),
                Verdict::Unsatisfiable => {}
                Verdict::Satisfiable => {
                    let assignment = self.session.assignment();
                    self.leave_out(part);
                    return Ok(Some(assignment));
                }
            }
        }
        Ok(None)
    }

    /// Excludes the last solution from its region of the search space.
    fn leave_out(&mut self, mut part: Vec<Lit>) {
        let of_part = part.len();
        let mut lits = part.clone();
        // True literals are assumed first, because they usually imply more literals than false literals do: a rook
        // implies that all squares it attacks are empty.
        for value in [true, false] {
            let holding = self.solution.iter().filter(|&&lit| self.session.holds(lit) == value);
            let holding = holding.map(|&lit| if value { lit } else { !lit });
            lits.extend(holding.filter(|lit| !part.contains(lit)));
        }
        let excluded = self.session.recorder.as_ref().and_then(|recorder| {
            // The formula of the proof contains a clause that excludes the whole solution. The blocking clause over
            // the decisions follows from that clause.
            let differs: Vec<Lit> = lits[of_part..].iter().map(|&lit| !lit).collect();
            recorder.exclude(&differs)
        });
        let decisions = self.session.backend.implying(&lits);
        if let Some(recorder) = &self.session.recorder {
            recorder.excluded_by(excluded);
        }
        // A proof requires blocking clauses.
        let by_clause = decisions.is_none() || self.forbidden < MOST || self.session.recorder.is_some();
        let decisions = decisions.unwrap_or(lits);
        if by_clause {
            self.session.with_sink(|sink| sink.clause_of(decisions.iter().map(|&lit| !lit)));
            self.forbidden += 1;
            self.parts.push(part);
            return;
        }
        let decisions: Vec<Lit> =
            decisions.into_iter().filter(|lit| !part[..of_part].contains(lit)).collect();
        for decision in decisions {
            let mut other = part.clone();
            other.push(!decision);
            self.parts.push(other);
            part.push(decision);
        }
    }
}

impl Iterator for Assignments {
    type Item = Result<Assignment, SolveError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.done {
            return None;
        }
        let next = self.advance().transpose();
        self.done = !matches!(next, Some(Ok(_)));
        next
    }
}

#[cfg(test)]
mod tests;
