//! The interface of checkers.

use crate::error::Violation;
use crate::solution::Solution;

/// A board with a checker for its solutions.
pub trait Rules {
    /// Checks whether `solution` satisfies all rules of the puzzle. The checker does not test whether a solution is
    /// optimal.
    ///
    /// # Errors
    /// Returns the first violated rule, with the cells that violate it.
    fn check(&self, solution: &Solution) -> Result<(), Violation>;
}
