//! The cells of a generated board that may have clues.

use super::MOST_ROWS;
use crate::format::text;
use crate::format::{InputError, Source, Span, counted};
use crate::rules::Grid;

/// The cells of a board that may have clues. All other cells have none.
#[derive(Debug, Clone)]
pub struct Pattern(Grid<bool>);

impl Pattern {
    /// Creates a pattern from a flag for each cell.
    #[must_use]
    pub fn new(cells: Grid<bool>) -> Self {
        Self(cells)
    }

    /// Reads a pattern: a row of tokens for each row of cells, with `.` for a cell without a clue. If no row has a blank,
    /// each character is a token.
    ///
    /// # Errors
    /// Returns an error if there is no row, if there are too many rows or columns, or if the rows differ in length.
    pub fn read(source: &Source) -> Result<Self, InputError> {
        let rows = text::rows(source);
        let Some(first) = rows.first() else {
            let expected = "a row of tokens for each row of cells";
            return Err(InputError::new(source, source.end(), expected, "the end of the file"));
        };
        let has_blanks = rows.iter().any(|row| row.cells.len() > 1);
        let cells = |row: &text::Row| -> Vec<bool> {
            if has_blanks {
                return row.cells.iter().map(|token| token.value != ".").collect();
            }
            row.cells.iter().flat_map(|token| token.value.chars()).map(|token| token != '.').collect()
        };
        let columns = cells(first).len();
        let error = |span: Span, expected: String, found: usize, what: &str| {
            Err(InputError::new(source, span, expected, counted(found, what)))
        };
        if columns > MOST_ROWS {
            return error(first.span, format!("at most {MOST_ROWS} columns"), columns, "column");
        }
        if let Some(row) = rows.get(MOST_ROWS) {
            return error(row.span, format!("at most {MOST_ROWS} rows"), rows.len(), "row");
        }
        if let Some(row) = rows.iter().find(|row| cells(row).len() != columns) {
            let expected = format!("{} as in the first row", counted(columns, "token"));
            return error(row.span, expected, cells(row).len(), "token");
        }
        Ok(Self(Grid::new(rows.len(), columns, rows.iter().flat_map(cells).collect())))
    }

    /// Returns the numbers of rows and columns.
    #[must_use]
    pub fn size(&self) -> (usize, usize) {
        (self.0.rows(), self.0.columns())
    }

    /// Returns whether the cell may have a clue.
    ///
    /// # Panics
    /// Panics if the cell is outside of the board.
    #[must_use]
    pub fn contains(&self, row: usize, column: usize) -> bool {
        self.0.cells()[self.0.index(row, column)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<bool>, String> {
        let pattern = Pattern::read(&Source::new("a.txt", text)).map_err(|error| error.to_string())?;
        let (rows, columns) = pattern.size();
        Ok((0..rows * columns).map(|cell| pattern.contains(cell / columns, cell % columns)).collect())
    }

    #[test]
    fn patterns_are_read() {
        let expected = Ok(vec![true, false, false, false, true, true]);
        for text in ["x..\n.xx\n", "% mine\n1 . .\n. 10 ?\n", "x . .\n. x x"] {
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read("x\n"), Ok(vec![true]));
    }

    #[test]
    fn wrong_patterns_are_refused() {
        let wide = "x".repeat(101);
        for (text, message) in [
            ("% x\n", "a.txt:2:1: expected a row of tokens for each row of cells, found the end of the file"),
            ("x..\n.x\n", "a.txt:2:1: expected 3 tokens as in the first row, found 2 tokens"),
            (&*wide, "a.txt:1:1: expected at most 100 columns, found 101 columns"),
            (&"x\n".repeat(101), "a.txt:101:1: expected at most 100 rows, found 101 rows"),
        ] {
            assert_eq!(read(text), Err(message.to_owned()));
        }
    }
}
