//! Clues outside of a board, as text.

use crate::render::around::Outside;
use crate::render::scene::Cell;
use crate::rules::Grid;

/// The text around a board: what precedes and follows each row, and the rows above and below.
pub(super) struct Frame<'a> {
    outside: &'a Outside,
    before: Vec<String>,
    after: Vec<String>,
    indent: String,
}

impl<'a> Frame<'a> {
    pub(super) fn new(outside: &'a Outside, cells: &Grid<Cell>) -> Self {
        let width = Outside::widest(&outside.left);
        let indent = Outside::most(&outside.left) * (width + 1);
        let list = |clues: &[Vec<String>], row: usize| clues.get(row).cloned().unwrap_or_default();
        let before = |row: usize| {
            let clues: Vec<String> =
                list(&outside.left, row).iter().map(|clue| format!("{clue:>width$} ")).collect();
            format!("{:>indent$}", clues.concat())
        };
        let after = |row: usize| -> String {
            list(&outside.right, row).iter().flat_map(|clue| [" ", clue]).collect()
        };
        Self {
            outside,
            before: (0..cells.rows()).map(before).collect(),
            after: (0..cells.rows()).map(after).collect(),
            indent: " ".repeat(indent),
        }
    }

    /// Returns the least width of a column.
    pub(super) fn column(&self) -> usize {
        Outside::widest(&self.outside.top).max(Outside::widest(&self.outside.bottom))
    }

    /// Returns the number of characters beside the rows.
    pub(super) fn width(&self) -> usize {
        self.indent.len() + self.after.iter().map(|after| after.chars().count()).max().unwrap_or(0)
    }

    /// Returns the blanks before the lines of the board that are not rows.
    pub(super) fn indent(&self) -> &str {
        &self.indent
    }

    pub(super) fn before(&self, row: usize) -> &str {
        &self.before[row]
    }

    pub(super) fn after(&self, row: usize) -> &str {
        &self.after[row]
    }

    /// Writes the clues above the columns, each `width` characters wide with `behind` blanks after the clue.
    pub(super) fn above(&self, text: &mut String, width: usize, behind: usize) {
        let most = Outside::most(&self.outside.top);
        for line in 0..most {
            let clue = |list: &Vec<String>| {
                (line + list.len()).checked_sub(most).and_then(|at| list.get(at)).cloned()
            };
            self.clues(text, self.outside.top.iter().map(clue), width, behind);
        }
    }

    /// Writes the clues below the columns.
    pub(super) fn below(&self, text: &mut String, width: usize, behind: usize) {
        for line in 0..Outside::most(&self.outside.bottom) {
            let clues = self.outside.bottom.iter().map(|list| list.get(line).cloned());
            self.clues(text, clues, width, behind);
        }
    }

    fn clues(
        &self,
        text: &mut String,
        clues: impl Iterator<Item = Option<String>>,
        width: usize,
        behind: usize,
    ) {
        let width = width - behind;
        let mut line = format!("{} ", self.indent);
        for clue in clues {
            let clue = format!("{:>width$}", clue.unwrap_or_default());
            line.extend([clue, " ".repeat(behind)]);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
