//! Constraints on the turns of paths that never touch themselves.

use gordian_encodings::Model;
use gordian_encodings::constraint::Clause;

use super::literals::Literals;
use crate::rules::numberlink::Numberlink;

/// A turn of a path within a 2x2 block. The path uses three cells of the block, and the fourth is the inner cell.
pub(super) struct Turn {
    /// The cell in which the path turns.
    pub(super) at: usize,
    /// The cells on the path before and after the turn.
    pub(super) arms: [usize; 2],
    /// The inner cell, which is diagonally opposite to `at` in the block.
    pub(super) inner: usize,
}

impl Turn {
    /// Returns whether the inner cell is in the row above the turn.
    pub(super) fn is_below(&self) -> bool {
        self.inner < self.at
    }

    /// Returns whether the diagonal that starts at the inner cell contains an end of a path.
    fn has_end(&self, board: &Numberlink) -> bool {
        let ends = board.ends();
        let [from, to] = [self.at, self.inner].map(|cell| ends.place(cell));
        let next =
            |at: usize, from: usize, to: usize| if to > from { Some(at + 1) } else { at.checked_sub(1) };
        let diagonal = std::iter::successors(Some((to.row, to.column)), |&(row, column)| {
            Some((next(row, from.row, to.row)?, next(column, from.column, to.column)?))
        });
        diagonal
            .take_while(|&(row, column)| row < ends.rows() && column < ends.columns())
            .any(|(row, column)| ends[ends.index(row, column)].is_some())
    }
}

/// Returns all possible turns on the board, four in each 2x2 block.
pub(super) fn all(board: &Numberlink) -> impl Iterator<Item = Turn> {
    board.ends().blocks().flat_map(|[tl, tr, bl, br]| {
        [(tl, [tr, bl], br), (br, [tr, bl], tl), (tr, [tl, br], bl), (bl, [tl, br], tr)]
            .map(|(inner, arms, at)| Turn { at, arms, inner })
    })
}

/// Posts the constraint that paths take at most two of the four steps within each 2x2 block. A path that takes three
/// of these steps touches itself.
pub(super) fn at_most_two_around_a_block(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for [tl, tr, bl, br] in board.ends().blocks() {
        let around = [(tl, tr), (tr, br), (bl, br), (tl, bl)].map(|(a, b)| !lits.step(a, b));
        for left_out in 0..around.len() {
            let three = (0..around.len()).filter(|&side| side != left_out).map(|side| around[side]);
            model.post(Clause::new(three.collect::<Vec<_>>()));
        }
    }
}

/// Posts the constraint that the path may take `turn` only if the inner cell is used and the inner diagonal contains
/// an end of a path.
///
/// The inner cell belongs to another path, and the turn already uses two of its neighbours. Hence the path through
/// the inner cell either ends in the inner cell or turns there, around the next cell of the diagonal. If the next
/// cell of the diagonal is used, the same argument applies to it, and so on. Therefore the diagonal must contain an
/// end of a path before it leaves the board.
pub(super) fn held(board: &Numberlink, lits: &Literals, model: &mut Model, turn: &Turn) {
    let &Turn { at, arms: [a, b], inner } = turn;
    let steps = [!lits.step(a, at), !lits.step(at, b)];
    if !turn.has_end(board) {
        model.post(Clause::new(steps));
    } else if board.ends()[inner].is_none() {
        model.post(Clause::new([steps[0], steps[1], lits.used[inner]]));
        for near in board.ends().neighbours(inner).filter(|near| !turn.arms.contains(near)) {
            model.post(Clause::new([steps[0], steps[1], lits.step(inner, near)]));
        }
    }
}
