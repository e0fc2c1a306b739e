//! What holds of a least solution: one with the least number of cells, and among such solutions one with the least sum of the
//! indices of its cells.
//!
//! Where cells may stay empty and one solution is enough, it can be a least one; with the objective `cells` or `sum`, least
//! among the best ones, as nothing that is done here to a solution makes it worse. Each rule below describes a solution that
//! has less beside it: cells are left out of a path, or one of a path is replaced by an empty one of a lower index. What
//! results need not keep to `touch=no`, but then it can be cut short, which leaves cells out.

use gordian_encodings::constraint::{Clause, Equality, Reified};
use gordian_encodings::{Lit, Model};

use super::Numberlink;
use super::encode::{Literals, when};
use super::turns::{self, Turn};

/// Posts what holds of a least solution.
pub(super) fn post(board: &Numberlink, lits: &Literals, model: &mut Model) {
    gaps(board, lits, model);
    shortcuts(board, lits, model);
    // A turn around a cell in the row above could replace its own cell by that one, so that one is used.
    for turn in turns::all(board).filter(Turn::is_below) {
        turns::held(board, lits, model, &turn);
    }
    wide_turns(board, lits, model);
}

/// One empty cell, or a row of two, does not lie between two cells of a path. By way of it they would be two or three
/// steps apart, and they are more.
fn gaps(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for axis in AXES {
        for cell in 0..board.ends.len() {
            let beyond = |steps: usize| axis.at(board, cell, steps as isize, 0);
            for width in [2, 3] {
                let Some(other) = beyond(width) else { break };
                let between = (1..width).filter_map(beyond).map(|cell| !lits.used[cell]);
                let conditions: Vec<Lit> = [lits.used[cell]].into_iter().chain(between).collect();
                when(model, &conditions, Equality::different(lits.path[cell], lits.path[other]));
            }
        }
    }
}

/// A direction along rows or columns.
#[derive(Clone, Copy)]
struct Axis {
    down: isize,
    right: isize,
}

const AXES: [Axis; 2] = [Axis { down: 0, right: 1 }, Axis { down: 1, right: 0 }];

impl Axis {
    /// The cell so many steps along the axis, and then so many across it, if it is on the board.
    fn at(self, board: &Numberlink, cell: usize, along: isize, across: isize) -> Option<usize> {
        let ends = &board.ends;
        let place = ends.place(cell);
        let row = place.row.checked_add_signed(along * self.down + across * self.right)?;
        let column = place.column.checked_add_signed(along * self.right + across * self.down)?;
        (row < ends.rows() && column < ends.columns()).then(|| ends.index(row, column))
    }
}

/// Where a cell is empty, and two beside it in a block are on one path, that path goes from one to the other by the fourth.
/// By way of the empty cell they would be two steps apart, and they are no more.
fn shortcuts(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for [tl, tr, bl, br] in board.ends.blocks() {
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

/// A path that turns twice to the same side has something between its arms, and if no end is in the triangle between them,
/// it does not turn so.
///
/// With nothing between the arms beside the cells of the turn, the path could go there. A path that is there and does not
/// end there comes from below and goes back, so it turns twice as well, and less wide by two or more. So there is an end
/// in some row below, of which the next is narrower by two than the one before.
fn wide_turns(board: &Numberlink, lits: &Literals, model: &mut Model) {
    let ends = &board.ends;
    for (axis, inward) in AXES.into_iter().flat_map(|axis| [(axis, 1), (axis, -1)]) {
        for cell in 0..ends.len() {
            let at =
                |along: usize, below: usize| axis.at(board, cell, along as isize, inward * below as isize);
            let Some(arm) = at(0, 1) else { continue };
            let mut steps = vec![!lits.step(cell, arm)];
            for (width, corner) in (1..).map_while(|width| at(width, 0).map(|corner| (width, corner))) {
                let (Some(before), Some(arm)) = (at(width - 1, 0), at(width, 1)) else { break };
                steps.push(!lits.step(before, corner));
                if width < 3 {
                    continue;
                }
                let mut triangle = (1..width).flat_map(|below| {
                    (below..=width.saturating_sub(below)).filter_map(move |along| at(along, below))
                });
                let mut clause = [&steps[..], &[!lits.step(corner, arm)]].concat();
                if triangle.any(|cell| ends[cell].is_some()) {
                    clause.extend((1..width).filter_map(|along| at(along, 1)).map(|cell| lits.used[cell]));
                }
                model.post(Clause::new(clause));
            }
        }
    }
}
