//! What holds of a least answer: one with the least number of cells, and among such answers one with the least sum of the
//! indices of its cells.
//!
//! Where cells may stay empty and one answer is enough, it can be a least one; with the objective `cells` or `sum`, least
//! among the best ones, as nothing that is done here to an answer makes it worse. Each rule below describes an answer that
//! has less beside it: cells are left out of a path, or one of a path is replaced by an empty one of a lower index. What
//! results need not keep to `touch=no`, but then it can be cut short, which leaves cells out.

use gordian_encodings::constraint::Clause;
use gordian_encodings::{Lit, Model};

use super::Numberlink;
use super::encode::Literals;

/// Posts what holds of a least answer.
pub(super) fn post(board: &Numberlink, lits: &Literals, model: &mut Model) {
    gaps(board, lits, model);
    blocks(board, lits, model);
    for turn in turns(board) {
        shortcut(board, lits, model, &turn);
        held(board, lits, model, &turn);
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
                let between: Vec<Lit> = (1..width).filter_map(beyond).map(|cell| lits.used[cell]).collect();
                for (&on_a, &on_b) in lits.on[cell].iter().zip(&lits.on[other]) {
                    model.post(Clause::new([&[!on_a, !on_b], &between[..]].concat()));
                }
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

/// Four cells in a block are not all on one path: it would lie beside itself, or be a ring.
fn blocks(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for block in board.ends.blocks() {
        for pair in 0..board.pairs.len() {
            model.post(Clause::new(block.map(|cell| !lits.on[cell][pair])));
        }
    }
}

/// Three cells of a block, and the fourth.
struct Turn {
    /// The cell in which a path may turn.
    at: usize,
    /// The cells before and after it.
    arms: [usize; 2],
    /// The cell between the arms on the inner side.
    inner: usize,
}

/// All turns that are possible, four in each block.
fn turns(board: &Numberlink) -> impl Iterator<Item = Turn> {
    board.ends.blocks().flat_map(|[tl, tr, bl, br]| {
        [(tl, [tr, bl], br), (br, [tr, bl], tl), (tr, [tl, br], bl), (bl, [tl, br], tr)]
            .map(|(inner, arms, at)| Turn { at, arms, inner })
    })
}

/// Where the inner cell is empty, a path on both arms turns between them. By way of the empty cell they would be two steps
/// apart, and they are no more.
fn shortcut(board: &Numberlink, lits: &Literals, model: &mut Model, turn: &Turn) {
    for pair in 0..board.pairs.len() {
        let [on_a, on_b, on_at] = [turn.arms[0], turn.arms[1], turn.at].map(|cell| lits.on[cell][pair]);
        model.post(Clause::new([lits.used[turn.inner], !on_a, !on_b, on_at]));
    }
}

/// A turn with the inner cell in the row above is held by an end.
///
/// The inner cell can't be empty, since it could replace the cell of the turn. The path on it is another one, and finds
/// both arms taken: it ends there, or turns as well, around the next cell on the diagonal. That one can't be empty either,
/// since each of the turns could move on to it by one. So the diagonal comes to an end of a path before it leaves the
/// board.
fn held(board: &Numberlink, lits: &Literals, model: &mut Model, turn: &Turn) {
    let ends = &board.ends;
    let &Turn { at, arms: [a, b], inner } = turn;
    let steps = [!lits.step(a, at), !lits.step(at, b)];
    // With three steps around a block, the fourth cell lies beside the path that it is on.
    for arm in [a, b] {
        model.post(Clause::new([steps[0], steps[1], !lits.step(arm, inner)]));
    }
    let [from, to] = [at, inner].map(|cell| ends.place(cell));
    if to.row > from.row {
        return;
    }
    let sideways =
        |column: usize| if to.column > from.column { Some(column + 1) } else { column.checked_sub(1) };
    let diagonal = std::iter::successors(Some((to.row, to.column)), |&(row, column)| {
        Some((row.checked_sub(1)?, sideways(column).filter(|&column| column < ends.columns())?))
    });
    if !diagonal.into_iter().any(|(row, column)| ends[ends.index(row, column)].is_some()) {
        model.post(Clause::new(steps));
    } else if ends[inner].is_none() {
        model.post(Clause::new([steps[0], steps[1], lits.used[inner]]));
        for near in ends.neighbours(inner).filter(|near| !turn.arms.contains(near)) {
            model.post(Clause::new([steps[0], steps[1], lits.step(inner, near)]));
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
