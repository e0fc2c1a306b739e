//! Decision strategies: the order in which the search branches on variables.

use crate::expr::Term;

/// A list of variables on which the search branches, and how it chooses among them. The search follows its strategies
/// part of the time if the solver lets propagators [create literals](crate::Encodings::creating_literals), and ignores
/// them otherwise. Strategies do not change the set of solutions.
///
/// Papers: Haralick, Elliott: *Increasing tree search efficiency for constraint satisfaction problems*, Artificial
/// Intelligence 14, 1980 (fewest values first); Chu: *Improving combinatorial optimization*, thesis, University of
/// Melbourne, 2011 (alternation of programmed and conflict-driven search).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionStrategy {
    /// The variables. Integers that have neither an order view, nor a direct view, nor a lazy view of their own are
    /// ignored.
    pub variables: Vec<Term>,
    /// How the next variable is chosen among those that can have several values. At most 1,000 variables are compared. In
    /// case of a tie, the variable that comes first in the list is chosen.
    pub variable: VariableChoice,
    /// How the chosen variable is restricted.
    pub value: ValueChoice,
}

/// How a strategy chooses the next variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VariableChoice {
    /// The first variable of the list.
    InputOrder,
    /// A variable with the fewest values. For integers with an order or lazy view, values between the bounds count.
    FewestValues,
    /// A variable with the most values.
    MostValues,
    /// A variable with the smallest minimum.
    LowestMin,
    /// A variable with the largest maximum.
    HighestMax,
}

/// How a strategy restricts the chosen variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueChoice {
    /// To its minimum.
    Min,
    /// To its maximum.
    Max,
    /// To the lower half of its range, or to its minimum if it has only a direct view.
    LowerHalf,
    /// To the upper half of its range, or to its maximum if it has only a direct view.
    UpperHalf,
}
