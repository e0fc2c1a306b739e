//! The symmetries of generated boards.

use crate::rules::Grid;

/// A symmetry of the cells with clues, or of the blocks on a rooks board.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Symmetry {
    /// No symmetry.
    #[default]
    None,
    /// A half turn.
    Half,
    /// A quarter turn. The board must be square.
    Quarter,
    /// A reflection that swaps left and right.
    LeftRight,
    /// A reflection that swaps top and bottom.
    TopBottom,
}

impl Symmetry {
    /// All symmetries.
    pub const ALL: [Self; 5] = [Self::None, Self::Half, Self::Quarter, Self::LeftRight, Self::TopBottom];

    /// Returns the name of the symmetry.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Half => "half",
            Self::Quarter => "quarter",
            Self::LeftRight => "left-right",
            Self::TopBottom => "top-bottom",
        }
    }

    /// Returns the symmetry with the given name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|symmetry| symmetry.name() == name)
    }

    /// Returns the images of a cell under the symmetry, including the cell itself, in ascending order.
    pub(super) fn orbit<T>(self, grid: &Grid<T>, cell: usize) -> Vec<usize> {
        let place = grid.place(cell);
        let places = self.images((grid.rows(), grid.columns()), (place.row, place.column));
        let mut orbit: Vec<usize> = places.into_iter().map(|(row, column)| grid.index(row, column)).collect();
        orbit.sort_unstable();
        orbit.dedup();
        orbit
    }

    /// Returns the images of a place in a grid with the given numbers of rows and columns, including the place itself. The
    /// list may contain an image several times.
    pub(super) fn images(
        self,
        (rows, columns): (usize, usize),
        (row, column): (usize, usize),
    ) -> Vec<(usize, usize)> {
        let half = (rows - 1 - row, columns - 1 - column);
        let mut places = vec![(row, column)];
        match self {
            Self::None => {}
            Self::Half => places.push(half),
            Self::Quarter => {
                places.extend([half, (column, rows - 1 - row), (rows - 1 - column, row)]);
            }
            Self::LeftRight => places.push((row, half.1)),
            Self::TopBottom => places.push((half.0, column)),
        }
        places
    }
}
