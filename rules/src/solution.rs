//! Solutions, in the form people and programs exchange them.

use std::borrow::Cow;
use std::fmt;

use num_bigint::BigUint;

use crate::error::Violation;
use crate::grid::Grid;

#[cfg(feature = "serde")]
mod json;

/// A solution of a puzzle: named numbers, lists and grids. Each puzzle says which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solution {
    fields: Vec<(Cow<'static, str>, Field)>,
}

/// A part of a solution.
///
/// `From` makes a field of a number of any size: `Number` where it fits, `Natural` where it does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// A number.
    Number(i128),
    /// A number beyond the range of [`Field::Number`].
    Natural(BigUint),
    /// Numbers in order.
    Numbers(Vec<i128>),
    /// Numbers in order, one of them beyond the range of [`Field::Numbers`].
    Naturals(Vec<BigUint>),
    /// Pairs of numbers. Read back from JSON, they are a grid of two columns.
    Pairs(Vec<(i128, i128)>),
    /// A number for each cell.
    Grid(Grid<i128>),
}

/// What stands in one part of a solution, such as a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Content {
    /// A number of the solution.
    Number(i128),
    /// A word for a part whose number is not known. Each puzzle that uses words says what they mean.
    Word(&'static str),
}

impl fmt::Display for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => f.write_str(word),
        }
    }
}

impl From<BigUint> for Field {
    fn from(number: BigUint) -> Self {
        i128::try_from(&number).map_or(Self::Natural(number), Self::Number)
    }
}

impl From<Vec<BigUint>> for Field {
    fn from(numbers: Vec<BigUint>) -> Self {
        let small: Result<Vec<i128>, _> = numbers.iter().map(i128::try_from).collect();
        small.map_or(Self::Naturals(numbers), Self::Numbers)
    }
}

/// The name of the field with the cells of a board.
pub const GRID: &str = "grid";

impl Solution {
    /// A solution without fields.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A solution with a number for each cell.
    #[must_use]
    pub fn from_grid(grid: Grid<i128>) -> Self {
        Self::new().with(GRID, Field::Grid(grid))
    }

    /// Adds a field.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, field: Field) -> Self {
        self.fields.push((name.into(), field));
        self
    }

    /// The field of this name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, field)| field)
    }

    /// The fields in order.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Field)> {
        self.fields.iter().map(|(name, field)| (&**name, field))
    }

    /// The number of each cell of a board of this size.
    ///
    /// # Errors
    /// If there is no grid, or one of another size.
    pub fn grid(&self, rows: usize, columns: usize) -> Result<&Grid<i128>, Violation> {
        match self.get(GRID) {
            Some(Field::Grid(grid)) if (grid.rows(), grid.columns()) == (rows, columns) => Ok(grid),
            Some(Field::Grid(grid)) => Err(Violation::new(format!(
                "the solution has {} rows and {} columns, the board {rows} and {columns}",
                grid.rows(),
                grid.columns()
            ))),
            _ => Err(Violation::new("the solution has no grid")),
        }
    }

    /// The number of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn number(&self, name: &str) -> Result<i128, Violation> {
        match self.get(name) {
            Some(&Field::Number(number)) => Ok(number),
            _ => Err(Violation::new(format!("the solution has no number `{name}`"))),
        }
    }

    /// The number of this name, of any size.
    ///
    /// # Errors
    /// If there is none, or it is negative.
    pub fn natural(&self, name: &str) -> Result<BigUint, Violation> {
        match self.get(name) {
            Some(Field::Natural(number)) => Some(number.clone()),
            Some(&Field::Number(number)) => BigUint::try_from(number).ok(),
            _ => None,
        }
        .ok_or_else(|| Violation::new(format!("the solution has no number `{name}` from 0")))
    }

    /// The numbers of this name, of any size.
    ///
    /// # Errors
    /// If there are none, or one is negative.
    pub fn naturals(&self, name: &str) -> Result<Vec<BigUint>, Violation> {
        match self.get(name) {
            Some(Field::Naturals(numbers)) => Some(numbers.clone()),
            Some(Field::Numbers(numbers)) => {
                numbers.iter().map(|&number| BigUint::try_from(number).ok()).collect()
            }
            // A list of one number is read as a number.
            Some(_) => self.natural(name).ok().map(|number| vec![number]),
            None => None,
        }
        .ok_or_else(|| Violation::new(format!("the solution has no numbers `{name}` from 0")))
    }

    /// The pairs of this name, if the solution has the field.
    ///
    /// # Errors
    /// If the field is something else.
    pub fn pairs(&self, name: &str) -> Result<Option<Vec<(i128, i128)>>, Violation> {
        match self.get(name) {
            None => Ok(None),
            Some(Field::Pairs(pairs)) => Ok(Some(pairs.clone())),
            Some(Field::Numbers(numbers)) if numbers.is_empty() => Ok(Some(Vec::new())),
            Some(Field::Grid(grid)) if grid.columns() == 2 => {
                Ok(Some(grid.by_row().map(|row| (row[0], row[1])).collect()))
            }
            Some(_) => Err(Violation::new(format!("`{name}` is not a list of pairs"))),
        }
    }

    /// The numbers and lists of numbers with their names: `name` and `1 2 3`.
    #[must_use]
    pub fn named_values(&self) -> Vec<(String, String)> {
        let value = |(name, field): (&str, &Field)| {
            let numbers: Vec<String> = match field {
                Field::Number(number) => vec![number.to_string()],
                Field::Natural(number) => vec![number.to_string()],
                Field::Numbers(numbers) => numbers.iter().map(ToString::to_string).collect(),
                Field::Naturals(numbers) => numbers.iter().map(ToString::to_string).collect(),
                Field::Pairs(_) | Field::Grid(_) => return None,
            };
            Some((name.to_owned(), numbers.join(" ")))
        };
        self.fields().filter_map(value).collect()
    }
}
