//! Rectangular grids of cells.

/// A rectangular grid of cells, stored row by row.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Grid<T> {
    rows: usize,
    columns: usize,
    cells: Vec<T>,
}

impl<T> Grid<T> {
    /// Creates a grid from its cells, listed row by row.
    ///
    /// # Panics
    /// Panics if the number of cells is not `rows * columns`.
    #[must_use]
    pub fn new(rows: usize, columns: usize, cells: Vec<T>) -> Self {
        assert_eq!(cells.len(), rows * columns, "one value for each cell");
        Self { rows, columns, cells }
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the number of columns.
    #[must_use]
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// Returns the number of cells.
    #[must_use]
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Returns whether the grid has no cells.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// Returns the cells row by row. The index of a cell is `row * columns + column`.
    #[must_use]
    pub fn cells(&self) -> &[T] {
        &self.cells
    }

    /// Returns the cells row by row as a mutable slice.
    pub fn cells_mut(&mut self) -> &mut [T] {
        &mut self.cells
    }

    /// Iterates over the rows, each as a slice of its cells.
    pub fn by_row(&self) -> impl Iterator<Item = &[T]> {
        (0..self.rows).map(|row| &self.cells[row * self.columns..(row + 1) * self.columns])
    }

    /// Returns the index of the cell in the given row and column.
    ///
    /// # Panics
    /// Panics if the cell is outside the grid.
    #[must_use]
    pub fn index(&self, row: usize, column: usize) -> usize {
        assert!(row < self.rows && column < self.columns, "cell ({row}, {column}) is off the board");
        row * self.columns + column
    }

    /// Returns the row and column of the cell with the given index.
    #[must_use]
    pub fn place(&self, cell: usize) -> Place {
        Place { row: cell / self.columns, column: cell % self.columns }
    }

    /// Iterates over the cells that share a side with `cell`, in the order above, left, right, below.
    pub fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> + use<T> {
        let Place { row, column } = self.place(cell);
        let (rows, columns) = (self.rows, self.columns);
        [
            (row > 0).then(|| cell - columns),
            (column > 0).then(|| cell - 1),
            (column + 1 < columns).then(|| cell + 1),
            (row + 1 < rows).then(|| cell + columns),
        ]
        .into_iter()
        .flatten()
    }

    /// Iterates over all pairs of cells that share a side. Each pair occurs once.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.len()).flat_map(|a| self.neighbours(a).filter(move |&b| a < b).map(move |b| (a, b)))
    }

    /// Iterates over all 2x2 blocks of cells. The cells of a block are in the order top left, top right, bottom left,
    /// bottom right.
    pub fn blocks(&self) -> impl Iterator<Item = [usize; 4]> + use<T> {
        let (rows, columns) = (self.rows, self.columns);
        let corners = (1..rows).flat_map(move |row| (1..columns).map(move |column| row * columns + column));
        corners.map(move |c| [c - columns - 1, c - columns, c - 1, c])
    }

    /// Creates a grid of the same size by applying `value` to each cell.
    pub fn map<U>(&self, value: impl FnMut(&T) -> U) -> Grid<U> {
        Grid { rows: self.rows, columns: self.columns, cells: self.cells.iter().map(value).collect() }
    }

    /// Creates a grid of the same size by applying `value` to the position and content of each cell.
    pub fn map_places<U>(&self, mut value: impl FnMut(Place, &T) -> U) -> Grid<U> {
        let cells = self.cells.iter().enumerate().map(|(index, cell)| value(self.place(index), cell));
        Grid { rows: self.rows, columns: self.columns, cells: cells.collect() }
    }
}

impl<T> std::ops::Index<usize> for Grid<T> {
    type Output = T;

    fn index(&self, cell: usize) -> &T {
        &self.cells[cell]
    }
}

/// The row and column of a cell. The `Display` form of a place is `r2c5`: row 2, column 5, both counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The row, counted from zero at the top.
    pub row: usize,
    /// The column, counted from zero at the left.
    pub column: usize,
}

impl Place {
    /// Parses a place, in any case of letters: `r2c5`, as in the output, `2,5`, or as in spreadsheets `e2`, the column
    /// before the row. All three are row 2 and column 5. The columns after `z` are `aa`, `ab` and so on.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.to_ascii_lowercase();
        let number = |digits: &str| {
            let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<usize>().ok().filter(|_| is_number)?.checked_sub(1)
        };
        let place = |row, column| Some(Self { row: number(row)?, column: number(column)? });
        let named = text.strip_prefix('r').and_then(|rest| rest.split_once('c'));
        if let Some(place) = named.or(text.split_once(',')).and_then(|(row, column)| place(row, column)) {
            return Some(place);
        }
        let (letters, row) = text.split_at(text.find(|c: char| !c.is_ascii_lowercase())?);
        let column = letters.bytes().try_fold(0_usize, |column, letter| {
            column.checked_mul(26)?.checked_add(usize::from(letter - b'a') + 1)
        });
        Some(Self { row: number(row)?, column: column?.checked_sub(1)? })
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "r{}c{}", self.row + 1, self.column + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_stay_on_the_board() {
        let grid = Grid::new(2, 3, vec![0; 6]);
        let neighbours = |cell| grid.neighbours(cell).collect::<Vec<_>>();
        assert_eq!(neighbours(0), [1, 3]);
        assert_eq!(neighbours(4), [1, 3, 5]);
        assert_eq!(grid.edges().count(), 7);
        assert_eq!(grid.blocks().collect::<Vec<_>>(), [[0, 1, 3, 4], [1, 2, 4, 5]]);
        assert_eq!(Grid::new(1, 4, vec![0; 4]).blocks().count(), 0);
        assert_eq!(grid.place(5).to_string(), "r2c3");
    }

    #[test]
    fn places_have_three_spellings() {
        for text in ["r2c5", "R2C5", "2,5", "e2", "E2"] {
            assert_eq!(Place::parse(text), Some(Place { row: 1, column: 4 }), "{text}");
        }
        for (text, row, column) in
            [("a1", 0, 0), ("z10", 9, 25), ("aa3", 2, 26), ("rc5", 4, 470), ("r12", 11, 17), ("c3", 2, 2)]
        {
            assert_eq!(Place::parse(text), Some(Place { row, column }), "{text}");
        }
        let place = Place { row: 9, column: 700 };
        assert_eq!(Place::parse(&place.to_string()), Some(place));
        for text in [
            "",
            "a",
            "7",
            "a0",
            "r0c1",
            "1,0",
            "r1c",
            "rc",
            "1,2,3",
            "r+1c1",
            "-1,2",
            "5e",
            "a1b",
            "zzzzzzzzzzzzzzzzz1",
        ] {
            assert_eq!(Place::parse(text), None, "{text}");
        }
    }
}
