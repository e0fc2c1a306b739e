//! Turns of paths that never lie beside themselves, and what holds them.

use gordian_encodings::Model;
use gordian_encodings::constraint::Clause;

use super::Numberlink;
use super::encode::Literals;

/// Three cells of a block, and the fourth.
pub(super) struct Turn {
    /// The cell in which a path may turn.
    at: usize,
    /// The cells before and after it.
    arms: [usize; 2],
    /// The cell between the arms on the inner side.
    inner: usize,
}

impl Turn {
    /// Whether the inner cell is in the row above.
    pub(super) fn is_below(&self) -> bool {
        self.inner < self.at
    }

    /// Whether the inner cell, or one beyond it on the diagonal, is an end.
    fn has_end(&self, board: &Numberlink) -> bool {
        let ends = &board.ends;
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

/// All turns that are possible, four in each block.
pub(super) fn all(board: &Numberlink) -> impl Iterator<Item = Turn> {
    board.ends.blocks().flat_map(|[tl, tr, bl, br]| {
        [(tl, [tr, bl], br), (br, [tr, bl], tl), (tr, [tl, br], bl), (bl, [tl, br], tr)]
            .map(|(inner, arms, at)| Turn { at, arms, inner })
    })
}

/// With three steps around a block, the fourth cell would lie beside the path that it is on.
pub(super) fn at_most_two_around_a_block(board: &Numberlink, lits: &Literals, model: &mut Model) {
    for [tl, tr, bl, br] in board.ends.blocks() {
        let around = [(tl, tr), (tr, br), (bl, br), (tl, bl)].map(|(a, b)| !lits.step(a, b));
        for left_out in 0..around.len() {
            let three = (0..around.len()).filter(|&side| side != left_out).map(|side| around[side]);
            model.post(Clause::new(three.collect::<Vec<_>>()));
        }
    }
}

/// Where the inner cell of a turn is certainly used, the turn is held by an end.
///
/// The path on the inner cell is another one, and finds both arms taken: it ends there, or turns as well, around the next
/// cell on the diagonal. If that one is used for the same reason, and so on, the diagonal comes to an end of a path
/// before it leaves the board.
pub(super) fn held(board: &Numberlink, lits: &Literals, model: &mut Model, turn: &Turn) {
    let &Turn { at, arms: [a, b], inner } = turn;
    let steps = [!lits.step(a, at), !lits.step(at, b)];
    if !turn.has_end(board) {
        model.post(Clause::new(steps));
    } else if board.ends[inner].is_none() {
        model.post(Clause::new([steps[0], steps[1], lits.used[inner]]));
        for near in board.ends.neighbours(inner).filter(|near| !turn.arms.contains(near)) {
            model.post(Clause::new([steps[0], steps[1], lits.step(inner, near)]));
        }
    }
}
