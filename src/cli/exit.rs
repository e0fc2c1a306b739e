//! The exit codes of the program.

use std::process::ExitCode;

/// The exit status of the program. The value of each variant is the exit code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum ExitStatus {
    /// The query has a definite result.
    Answered = 0,
    /// No solution exists. For `check`: the solution is wrong.
    NoSolution = 1,
    /// The command line or the input is invalid.
    BadInput = 2,
    /// A limit stopped the search.
    Stopped = 3,
    /// For `sat` and `opt`: the formula is satisfiable.
    Satisfiable = 10,
    /// For `sat` and `opt`: the formula is unsatisfiable.
    Unsatisfiable = 20,
    /// For `opt`: the optimum was found.
    Optimum = 30,
    /// Gordian has a bug.
    Bug = 70,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(status as u8)
    }
}
