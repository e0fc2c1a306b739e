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

/// The row and column of a cell. The `Display` form of a place is `(row,column)`, counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The row, counted from zero at the top.
    pub row: usize,
    /// The column, counted from zero at the left.
    pub column: usize,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({},{})", self.row + 1, self.column + 1)
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
        assert_eq!(grid.place(5).to_string(), "(2,3)");
    }
}
