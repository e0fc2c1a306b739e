//! The schemes of a board's data: how a block is written, and what its names stand for.

use super::sort::Sort;

/// A scheme.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scheme {
    /// A token for each cell. Several names share a token: a number, followed by a letter for each further name.
    Grid,
    /// A token for each corner.
    Corners,
    /// A token for each pair of neighbours: those in each row, then those between each row and the next.
    Links,
    /// A token for each cell; equal tokens are an area, and `#` belongs to none.
    Areas,
    /// A token for each column, in one row.
    Columns,
    /// A token for each row, in one row.
    Rows,
    /// A list of numbers or symbols for each column, each in a row of its own.
    ColumnLists,
    /// A list of numbers or symbols for each row, each in a row of its own.
    RowLists,
    /// Four rows of tokens: the columns seen from above and from below, the rows seen from the left and from the right.
    Views,
    /// A token for each cell: `.` for a cell with a variable, otherwise `down\across`, either of which can be missing.
    Sums,
    /// A single number, on a line `NAME = NUMBER`.
    Number,
    /// A token for each cell: `.`, or letters with positions; the cells with one letter form a chain.
    Chains,
    /// Yes or no, which is stated as an option of the board.
    Option,
}

/// A row of the table of schemes.
#[derive(Debug)]
pub struct SchemeRow {
    /// The scheme.
    pub scheme: Scheme,
    /// The name in sheets.
    pub name: &'static str,
    /// The least and the greatest number of names in the block.
    pub fields: (usize, usize),
    /// How the block is written, and what it contains.
    pub summary: &'static str,
}

/// The table of schemes.
pub static SCHEMES: &[SchemeRow] = &[
    SchemeRow {
        scheme: Scheme::Grid,
        name: "grid",
        fields: (1, 4),
        summary: "a token for each cell, `.` for none. With several names, a token is a number for the first name and a letter for each further name",
    },
    SchemeRow {
        scheme: Scheme::Corners,
        name: "corners",
        fields: (1, 1),
        summary: "a token for each corner, `.` for none, in one row and one column more than cells",
    },
    SchemeRow {
        scheme: Scheme::Links,
        name: "links",
        fields: (1, 1),
        summary: "a token for each pair of neighbours, `.` for none: first a row for each row of cells, in one column less than cells, then a row between each row of cells and the next",
    },
    SchemeRow {
        scheme: Scheme::Areas,
        name: "areas",
        fields: (1, 1),
        summary: "a token for each cell: cells with the same token form an area, and `#` belongs to none",
    },
    SchemeRow {
        scheme: Scheme::Columns,
        name: "columns",
        fields: (1, 1),
        summary: "a row with a token for each column, `.` for none",
    },
    SchemeRow {
        scheme: Scheme::Rows,
        name: "rows",
        fields: (1, 1),
        summary: "a row with a token for each row, `.` for none",
    },
    SchemeRow {
        scheme: Scheme::ColumnLists,
        name: "column_lists",
        fields: (1, 1),
        summary: "a row of numbers or symbols for each column, `0` for none",
    },
    SchemeRow {
        scheme: Scheme::RowLists,
        name: "row_lists",
        fields: (1, 1),
        summary: "a row of numbers or symbols for each row, `0` for none",
    },
    SchemeRow {
        scheme: Scheme::Views,
        name: "views",
        fields: (1, 1),
        summary: "four rows of tokens, `.` for none: the columns from above and from below, the rows from the left and from the right",
    },
    SchemeRow {
        scheme: Scheme::Sums,
        name: "sums",
        fields: (3, 3),
        summary: "a token for each cell: `.` for an open cell, otherwise `D\\A` with a number for the cells below and one for the cells to the right, either of which can be missing. The names stand for the numbers below, the numbers to the right, and the closed cells",
    },
    SchemeRow { scheme: Scheme::Number, name: "number", fields: (1, 1), summary: "a line `NAME = NUMBER`" },
    SchemeRow {
        scheme: Scheme::Chains,
        name: "chains",
        fields: (1, 1),
        summary: "a token for each cell: `.`, or a letter and a position such as `a1`; the cells with the same letter form a chain in the order of their positions. A cell of several chains has all their letters, such as `a1b4`",
    },
    SchemeRow {
        scheme: Scheme::Option,
        name: "option",
        fields: (1, 1),
        summary: "`NAME=yes` on the first line, or nothing; the name is a truth value",
    },
];

/// What the name of data stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DataSort {
    /// A value for some of the keys.
    Map {
        /// The sort of the keys.
        key: Sort,
        /// The sort of the values.
        value: Sort,
    },
    /// Disjoint sets of cells.
    Areas,
    /// A number.
    Number,
    /// Sets of cells.
    Sets,
    /// A truth value.
    Option,
}

impl Scheme {
    /// Returns the row of the table.
    ///
    /// # Panics
    /// Never: each scheme has a row.
    #[must_use]
    pub fn row(self) -> &'static SchemeRow {
        SCHEMES.iter().find(|row| row.scheme == self).expect("each scheme has a row")
    }

    /// Returns whether the block has rows of tokens.
    #[must_use]
    pub fn has_rows(self) -> bool {
        !matches!(self, Self::Number | Self::Option)
    }

    /// Returns what a name of the block stands for.
    pub(super) fn sort(self, field: usize) -> DataSort {
        let map = |key, value| DataSort::Map { key, value };
        match self {
            Self::Grid if field == 0 => map(Sort::Cell, Sort::Scalar),
            Self::Grid => map(Sort::Cell, Sort::Symbol),
            Self::Corners => map(Sort::Corner, Sort::Scalar),
            Self::Links => map(Sort::Link, Sort::Scalar),
            Self::Areas => DataSort::Areas,
            Self::Columns | Self::Rows | Self::Views => map(Sort::Cell.set(), Sort::Scalar),
            Self::ColumnLists | Self::RowLists => map(Sort::Cell.set(), Sort::Scalar.set()),
            Self::Sums if field == 2 => map(Sort::Cell, Sort::Bool),
            Self::Sums => map(Sort::Cell, Sort::Scalar),
            Self::Number => DataSort::Number,
            Self::Option => DataSort::Option,
            Self::Chains => DataSort::Sets,
        }
    }
}
