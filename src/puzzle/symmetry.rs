//! The interface to the symmetries of a board.

use std::fmt::Debug;

use gordian_encodings::Model;

use crate::rules::Solution;

/// The symmetries of a board. A symmetry is a permutation that maps solutions to solutions.
pub trait Symmetry: Debug + Sync {
    /// Returns a description of each symmetry. The list is empty if the board is not symmetric.
    fn names(&self) -> Vec<String>;

    /// Adds symmetry-breaking constraints to a model of the board. At least one solution of each orbit satisfies the
    /// added constraints.
    fn break_in(&self, model: &mut Model);

    /// Creates a [`Census`] that does not contain any solutions.
    fn census(&self) -> Box<dyn Census + '_>;

    /// Returns the elements of the symmetry group, starting with the identity, or `None` if there are more than `most`
    /// elements. Each element permutes the literals of the model's [projection](Model::projection), and lists the index
    /// of each literal's image.
    fn elements(&self, most: usize) -> Option<Vec<Vec<usize>>>;
}

/// A filter that keeps exactly one solution of each orbit. An orbit is the set of all images of a solution under the
/// symmetries.
pub trait Census {
    /// Adds `solution` to the filter. Returns the size of the orbit of `solution`, or `None` if a solution of the
    /// same orbit was added before.
    fn keep(&mut self, solution: &Solution) -> Option<Kept>;
}

/// The orbit of a solution that a [`Census`] has kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Kept {
    /// The number of solutions in the orbit, including the solution itself, or `None` if the number does not fit in
    /// 128 bits.
    pub orbit: Option<u128>,
}
