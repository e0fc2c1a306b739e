//! The variables of a board's model: the path of each cell, and the steps between cells.

use gordian_encodings::constraint::{Constraint, Reified};
use gordian_encodings::{Domain, FALSE, IntVar, Lit, Model, TRUE};

use crate::puzzle::paths::Step;
use crate::rules::numberlink::Numberlink;

/// The variables of the model of a board.
#[derive(Debug)]
pub(super) struct Literals {
    /// The path of each cell: the number of its pair, counted from 1, or 0 if the cell is empty.
    pub(super) path: Vec<IntVar>,
    /// The literal of each cell. It is true if the cell is on a path.
    pub(super) used: Vec<Lit>,
    /// The possible steps between adjacent cells.
    pub(super) steps: Vec<Step>,
    /// The indices of each cell's steps in `steps`.
    pub(super) at: Vec<Vec<usize>>,
}

impl Literals {
    /// Creates the variables of the model.
    pub(super) fn new(board: &Numberlink, model: &mut Model) -> Self {
        let (ends, pairs, all_cells) = (board.ends(), board.pairs(), board.all_cells());
        // On a board without pairs, no cell can be on a path. If every cell must be used nevertheless, the degree
        // constraints make the model unsatisfiable.
        let least = i128::from(all_cells && !pairs.is_empty());
        let path: Vec<IntVar> = ends
            .cells()
            .iter()
            .map(|end| match *end {
                Some(pair) => Domain::interval(pair as i128 + 1, pair as i128 + 1),
                None => Domain::interval(least, pairs.len() as i128),
            })
            .map(|paths| model.unordered(paths))
            .collect();
        let used = path.iter().map(|&path| if all_cells { TRUE } else { !model.equals(path, 0) }).collect();
        Self::with_steps(board, path, used, model)
    }

    /// Creates the variables of a model that does not number the paths: [`Literals::path`] is empty.
    pub(super) fn without_numbers(board: &Numberlink, model: &mut Model) -> Self {
        let is_used = |end: &Option<usize>| end.is_some() || board.all_cells();
        let used = board.ends().cells().iter().map(|end| if is_used(end) { TRUE } else { model.boolean() });
        let used = used.collect();
        Self::with_steps(board, Vec::new(), used, model)
    }

    /// Creates the variables of the steps.
    fn with_steps(board: &Numberlink, path: Vec<IntVar>, used: Vec<Lit>, model: &mut Model) -> Self {
        let ends = board.ends();
        let mut at = vec![Vec::with_capacity(4); ends.len()];
        let mut steps = Vec::new();
        for (a, b) in ends.edges() {
            if ends[a].is_none() || ends[b].is_none() || ends[a] == ends[b] {
                at[a].push(steps.len());
                at[b].push(steps.len());
                steps.push(Step { a, b, taken: model.boolean() });
            }
        }
        Self { path, used, steps, at }
    }

    /// Returns the literals of the steps along a part of a path, or `FALSE` for each step that is impossible.
    pub(super) fn steps_along<'p>(&'p self, part: &'p [usize]) -> impl Iterator<Item = Lit> + 'p {
        part.windows(2).map(|pair| self.step(pair[0], pair[1]))
    }

    /// Returns the literal of the step between `a` and `b`, in either order, or `FALSE` if no step is possible.
    pub(super) fn step(&self, a: usize, b: usize) -> Lit {
        let between = |&step: &usize| self.steps[step].a == a.min(b) && self.steps[step].b == a.max(b);
        self.at[a].iter().copied().find(between).map_or(FALSE, |step| self.steps[step].taken)
    }
}

/// Posts a constraint that must hold if all given conditions hold.
pub(super) fn when(model: &mut Model, conditions: &[Lit], constraint: impl Constraint + 'static) {
    match conditions {
        [] => model.post(constraint),
        [condition, rest @ ..] => when(model, rest, Reified::implies(*condition, constraint)),
    }
}

/// The variables of the model of a board for proofs.
#[derive(Debug)]
pub(super) struct ProofVariables {
    pub(super) board: Numberlink,
    pub(super) lits: Literals,
    /// For each cell, the literals of the numbers.
    pub(super) numbers: Vec<Vec<Lit>>,
}
