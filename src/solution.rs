//! Solutions, in the form people and programs exchange them.

use std::borrow::Cow;
use std::fmt;

use num_bigint::BigUint;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::format::legible;
use crate::grid::{Grid, Place};

mod read;

pub use read::grid_from_text;

/// What a puzzle's question was answered with: named numbers, lists and grids. Each kind says which.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Solution {
    fields: Vec<(Cow<'static, str>, Field)>,
}

/// A part of a solution.
///
/// A number of any size is made a field by `From`: `Number` where it fits, `Natural` where it does not.
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
    /// Numbers that belong together two by two. Read back from JSON, they are a grid of two columns.
    Pairs(Vec<(i128, i128)>),
    /// A number for each cell.
    Grid(Grid<i128>),
}

/// What stands in a part of a solution that is told alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Content {
    /// A number of the solution.
    Number(i128),
    /// What is known where the number is not; each kind that uses words says what they mean.
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

impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => Number(*number).serialize(serializer),
            Self::Word(word) => serializer.serialize_str(word),
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

/// The name of the field that a board's cells are in.
pub const GRID: &str = "grid";

impl Solution {
    /// A solution without fields.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// A solution that is a number for each cell.
    #[must_use]
    pub fn from_grid(grid: Grid<i128>) -> Self {
        Self::new().with(GRID, Field::Grid(grid))
    }

    /// The solution with one more field.
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

    /// The number for each cell, if the solution has a grid of this size.
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
            // One number alone on a line.
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

    /// The numbers and lists of numbers with their names: `name` and `1 2 3`. As lines `name = 1 2 3`,
    /// [`Solution::from_lines`] reads them back.
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

/// The greatest number that every JSON reader keeps exactly; greater ones are written as strings.
const EXACT_IN_JSON: u128 = 1 << 53;

/// A number as JSON keeps it: a string past 2^53.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Number(pub(crate) i128);

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.unsigned_abs() <= EXACT_IN_JSON {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.collect_str(&self.0)
        }
    }
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => Number(*number).serialize(serializer),
            Self::Natural(number) => serializer.collect_str(number),
            Self::Numbers(numbers) => serializer.collect_seq(numbers.iter().copied().map(Number)),
            Self::Naturals(numbers) => serializer.collect_seq(numbers.iter().cloned().map(Self::from)),
            Self::Pairs(pairs) => {
                serializer.collect_seq(pairs.iter().map(|&(first, second)| (Number(first), Number(second))))
            }
            Self::Grid(grid) => serializer
                .collect_seq(grid.by_row().map(|row| row.iter().copied().map(Number).collect::<Vec<_>>())),
        }
    }
}

impl Serialize for Solution {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, field) in &self.fields {
            map.serialize_entry(name, field)?;
        }
        map.end()
    }
}

/// How a solution breaks the rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct Violation {
    rule: Cow<'static, str>,
    places: Vec<Place>,
}

impl Violation {
    /// A rule that is broken.
    #[must_use]
    pub fn new(rule: impl Into<Cow<'static, str>>) -> Self {
        // What is broken may quote the solution, which may be long.
        let rule = match rule.into() {
            Cow::Owned(rule) => Cow::Owned(legible(rule)),
            Cow::Borrowed(rule) => Cow::Borrowed(rule),
        };
        Self { rule, places: Vec::new() }
    }

    /// Where it is broken.
    #[must_use]
    pub fn at(mut self, places: impl IntoIterator<Item = Place>) -> Self {
        self.places.extend(places);
        self
    }

    /// What is broken, in words.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The cells it shows at.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        for (index, place) in self.places.iter().enumerate() {
            write!(f, "{}{place}", if index == 0 { " at " } else { " " })?;
        }
        Ok(())
    }
}
