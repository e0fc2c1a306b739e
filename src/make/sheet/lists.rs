//! Clues with several values, each in a block of its own.

use super::super::MakeError;
use super::shapes::with_entries;
use super::values::{Completion, breach};
use crate::puzzle::sheet::clues::{self, UNKNOWN};
use crate::rules::sheet::{Assignment, SheetBoard, Value};

impl Completion<'_> {
    /// Returns the board with values of a clue wherever the rules accept some for the solution. First the number of values is
    /// found, with [`UNKNOWN`] for each, and then the values.
    pub(super) fn with_lists(
        &mut self,
        data: &[usize],
        mut board: SheetBoard,
        assignment: &Assignment,
    ) -> Result<SheetBoard, MakeError> {
        let mut keys = clues::keys(&board, data[0]);
        keys.retain(|key| self.may_have_clue(key));
        self.random.shuffle(&mut keys);
        for key in keys {
            if (self.stopped)() {
                break;
            }
            let is_right = |values: &[Value]| -> Result<bool, MakeError> {
                Ok(breach(&with_entries(&board, data, &key, values), data, assignment)?.is_none())
            };
            for count in 1..=data.len() {
                let mut values = vec![Value::symbol(UNKNOWN); count];
                if !is_right(&values)? {
                    continue;
                }
                for at in 0..count {
                    let mut others = self.possible(&board, data[at])?.to_vec();
                    self.random.shuffle(&mut others);
                    for other in others {
                        let old = std::mem::replace(&mut values[at], other);
                        if is_right(&values)? {
                            break;
                        }
                        values[at] = old;
                    }
                }
                board = with_entries(&board, data, &key, &values);
                break;
            }
        }
        Ok(board)
    }
}

/// Returns the board without further values where the clue itself was left out.
pub(super) fn without_rest(board: SheetBoard, lists: &[Vec<usize>]) -> SheetBoard {
    let mut board = board;
    for data in lists {
        for key in data[1..].iter().flat_map(|&data| board.keys(data).items().to_vec()).collect::<Vec<_>>() {
            if board.lookup(data[0], &key) == Value::None {
                board = with_entries(&board, data, &key, &[]);
            }
        }
    }
    board
}
