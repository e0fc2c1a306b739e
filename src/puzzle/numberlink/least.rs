//! Rules that hold in a least solution: one with the fewest cells and, among these, the least sum of cell indices.
//!
//! Where cells may stay empty and one solution is enough, it can be a least one; with an objective, a least one among the
//! best. docs/puzzles/numberlink.md proves the rules: a solution that breaks one is not least, since leaving cells out, or
//! replacing a cell by an empty one of a lower index, gives a lesser one. The option `least=no` turns them off.

use gordian_encodings::constraint::{Clause, Equality, Reified};
use gordian_encodings::{Lit, Model};

use super::Numberlink;
use super::encode::{Literals, when};
use super::turns::{self, Turn};

/// Posts the rules.
pub(super) fn post(board: &Numberlink, lits: &Literals, model: &mut Model) {
    gaps(board, lits, model);
    shortcuts(board, lits, model);
    // Lemmas 4 and 5.
    for turn in turns::all(board).filter(Turn::is_below) {
        turns::held(board, lits, model, &turn);
    }
    wide_turns(board, lits, model);
}

/// Lemma 2: one empty cell, or two in line, do not lie between two cells of a path.
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

/// Lemma 3: if a cell is empty and its two neighbours in a block are on one path, that path goes through the fourth cell.
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

/// Lemma 6: the row of cells between the arms of a wide turn has a used cell, and the triangle between them an end.
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
