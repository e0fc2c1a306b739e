//! Rules that least solutions satisfy. A solution is *least* if no solution uses fewer cells, and no solution with
//! the same number of cells has a smaller sum of cell indices.
//!
//! If cells may stay empty, a query for one solution may be restricted to least solutions. If the query has an
//! objective, it may be restricted to the least solutions among the optimal ones. docs/puzzles/numberlink.md proves the
//! rules: if a solution violates a rule, there is another solution that uses only a proper subset of its cells, or that
//! replaces a used cell with an empty cell of a lower index. The option `least=no` disables the rules.

use gordian_encodings::constraint::{Clause, Equality, Reified};
use gordian_encodings::{Lit, Model};

use super::literals::{Literals, when};
use super::turns::{self, Turn};
use crate::rules::numberlink::Numberlink;

/// Posts the rules that least solutions satisfy.
pub(super) fn post(board: &Numberlink, lits: &Literals, model: &mut Model) {
    gaps(board, lits, model);
    shortcuts(board, lits, model);
    // The constraints on turns follow from lemmas 4 and 5 of docs/puzzles/numberlink.md.
    for turn in turns::all(board).filter(Turn::is_below) {
        turns::held(board, lits, model, &turn);
    }
    wide_turns(board, lits, model);
}

/// Lemma 2: two cells of the same path on a straight line are not separated by just one or two empty cells.
fn gaps(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for axis in AXES {
        for cell in 0..board.ends().len() {
            let beyond = |steps: isize| axis.at(board, cell, steps, 0);
            for width in [2, 3] {
                let Some(other) = beyond(width) else { break };
                let between = (1..width).filter_map(beyond).map(|cell| !lits.used[cell]);
                let conditions: Vec<Lit> = [lits.used[cell]].into_iter().chain(between).collect();
                when(model, &conditions, Equality::different(lits.path[cell], lits.path[other]));
            }
        }
    }
}

/// The horizontal or the vertical direction, as a unit vector.
#[derive(Clone, Copy)]
pub(super) struct Axis {
    down: isize,
    right: isize,
}

pub(super) const AXES: [Axis; 2] = [Axis { down: 0, right: 1 }, Axis { down: 1, right: 0 }];

impl Axis {
    /// Returns the cell that is `along` cells from `cell` in the direction of the axis and `across` cells in the
    /// perpendicular direction. Returns `None` outside the board.
    pub(super) fn at(self, board: &Numberlink, cell: usize, along: isize, across: isize) -> Option<usize> {
        let ends = board.ends();
        let place = ends.place(cell);
        let row = place.row.checked_add_signed(along * self.down + across * self.right)?;
        let column = place.column.checked_add_signed(along * self.right + across * self.down)?;
        (row < ends.rows() && column < ends.columns()).then(|| ends.index(row, column))
    }
}

/// Lemma 3: if a cell of a 2x2 block is empty and its two neighbours in the block are on the same path, the path also
/// visits the fourth cell.
fn shortcuts(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for [tl, tr, bl, br] in board.ends().blocks() {
        for ([a, b], [c, d]) in [([tl, br], [tr, bl]), ([tr, bl], [tl, br])] {
            let apart = model.boolean();
            model.post(Reified::implies(apart, Equality::different(lits.path[a], lits.path[b])));
            for (empty, other) in [(c, d), (d, c)] {
                for arm in [a, b] {
                    model.post(Clause::new([lits.used[empty], !lits.used[a], lits.step(arm, other), apart]));
                }
            }
        }
    }
}

/// Lemma 6: the arms of a wide turn (width 3 or more) enclose rows of cells. The first of these rows contains a used
/// cell, and the triangle with this row as its base contains an end of a path.
fn wide_turns(board: &Numberlink, lits: &Literals, model: &mut Model) {
    let ends = board.ends();
    for (axis, inward) in AXES.into_iter().flat_map(|axis| [(axis, 1), (axis, -1)]) {
        for cell in 0..ends.len() {
            let at = |along: isize, below: isize| axis.at(board, cell, along, inward * below);
            let Some(arm) = at(0, 1) else { continue };
            let mut steps = vec![!lits.step(cell, arm)];
            for (width, corner) in (1..).map_while(|width| at(width, 0).map(|corner| (width, corner))) {
                let (Some(before), Some(arm)) = (at(width - 1, 0), at(width, 1)) else { break };
                steps.push(!lits.step(before, corner));
                if width < 3 {
                    continue;
                }
                let mut triangle = (1..width)
                    .flat_map(|below| (below..=width - below).filter_map(move |along| at(along, below)));
                let mut clause = [&steps[..], &[!lits.step(corner, arm)]].concat();
                if triangle.any(|cell| ends[cell].is_some()) {
                    clause.extend((1..width).filter_map(|along| at(along, 1)).map(|cell| lits.used[cell]));
                }
                model.post(Clause::new(clause));
            }
        }
    }
}
