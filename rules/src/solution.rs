//! Solutions of puzzles as named fields.

use std::borrow::Cow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigUint;

use crate::error::Violation;
use crate::grid::Grid;

#[cfg(feature = "serde")]
mod json;

/// A solution of a puzzle: named numbers, lists and grids. Each puzzle defines the fields of its solutions.
///
/// Two solutions are equal if their fields are equal.
#[derive(Debug, Clone, Default)]
pub struct Solution {
    fields: Vec<(Cow<'static, str>, Field)>,
    witness: Option<Arc<[i128]>>,
}

impl PartialEq for Solution {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields
    }
}

impl Eq for Solution {}

impl Hash for Solution {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.fields.hash(state);
    }
}

/// The value of one field of a solution.
///
/// The conversion from a `BigUint` returns `Number` if the value fits in an `i128`, and `Natural` otherwise. The
/// conversion from a list returns `Numbers` or `Naturals`, depending on the size of the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Field {
    /// A number.
    Number(i128),
    /// A number too large for [`Field::Number`].
    Natural(BigUint),
    /// A list of numbers.
    Numbers(Vec<i128>),
    /// A list of numbers that contains at least one number too large for [`Field::Numbers`].
    Naturals(Vec<BigUint>),
    /// A list of pairs. In JSON, the list is written as a grid with two columns, and read back as a grid.
    Pairs(Vec<(i128, i128)>),
    /// A grid: a number for each cell.
    Grid(Grid<i128>),
}

/// The value at a position of a solution, such as a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Content {
    /// A number.
    Number(i128),
    /// A word in place of an unknown number. The documentation of each puzzle lists the words that its solutions can
    /// contain.
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

/// The name of the field that contains the cells of a board.
pub const GRID: &str = "grid";

impl Solution {
    /// Creates a solution without fields.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a solution that consists of a number for each cell of a grid.
    #[must_use]
    pub fn from_grid(grid: Grid<i128>) -> Self {
        Self::new().with(GRID, Field::Grid(grid))
    }

    /// Adds a field to the solution.
    #[must_use]
    pub fn with(mut self, name: impl Into<Cow<'static, str>>, field: Field) -> Self {
        self.fields.push((name.into(), field));
        self
    }

    /// Adds a witness: the values of all variables of the model. The witness is neither printed nor compared.
    #[must_use]
    pub fn with_witness(mut self, values: impl Into<Arc<[i128]>>) -> Self {
        self.witness = Some(values.into());
        self
    }

    /// Returns the witness (the values of all variables of the model), if any.
    #[must_use]
    pub fn witness(&self) -> Option<&[i128]> {
        self.witness.as_deref()
    }

    /// Returns the field with the given name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|(known, _)| known == name).map(|(_, field)| field)
    }

    /// Returns the fields in the order in which they were added.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Field)> {
        self.fields.iter().map(|(name, field)| (&**name, field))
    }

    /// Returns the grid of the solution, which must have `rows` rows and `columns` columns.
    ///
    /// # Errors
    /// Returns an error if the solution has no grid, or a grid of a different size.
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

    /// Returns the number in the field called `name`.
    ///
    /// # Errors
    /// Returns an error if the field is missing or is not a number within 128 bits.
    pub fn number(&self, name: &str) -> Result<i128, Violation> {
        match self.get(name) {
            Some(&Field::Number(number)) => Ok(number),
            _ => Err(Violation::new(format!("the solution has no number `{name}`"))),
        }
    }

    /// Returns the number in the field called `name`, which must not be negative but may have any size.
    ///
    /// # Errors
    /// Returns an error if the field is missing, is not a number, or is negative.
    pub fn natural(&self, name: &str) -> Result<BigUint, Violation> {
        match self.get(name) {
            Some(Field::Natural(number)) => Some(number.clone()),
            Some(&Field::Number(number)) => BigUint::try_from(number).ok(),
            _ => None,
        }
        .ok_or_else(|| Violation::new(format!("the solution has no number `{name}` from 0")))
    }

    /// Returns the list of numbers in the field called `name`. The numbers must not be negative but may have any size.
    ///
    /// # Errors
    /// Returns an error if the field is missing, is not a list of numbers, or contains a negative number.
    pub fn naturals(&self, name: &str) -> Result<Vec<BigUint>, Violation> {
        match self.get(name) {
            Some(Field::Naturals(numbers)) => Some(numbers.clone()),
            Some(Field::Numbers(numbers)) => {
                numbers.iter().map(|&number| BigUint::try_from(number).ok()).collect()
            }
            // In the line format, a list with one number looks like a number.
            Some(_) => self.natural(name).ok().map(|number| vec![number]),
            None => None,
        }
        .ok_or_else(|| Violation::new(format!("the solution has no numbers `{name}` from 0")))
    }

    /// Returns the pairs in the field called `name`, or `None` if the solution does not have the field.
    ///
    /// # Errors
    /// Returns an error if the field is not a list of pairs.
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

    /// Returns the fields that are numbers or lists of numbers. For each field, the list contains the name and the
    /// value as text, such as `1 2 3`.
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
