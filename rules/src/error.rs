//! Errors for invalid boards and solutions.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use crate::grid::Place;
use crate::text::shortened;

/// A rule that a solution violates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    rule: Cow<'static, str>,
    places: Vec<Place>,
}

impl Violation {
    /// Creates a violation with a description of the violated rule. If the description has more than 1000 characters,
    /// it is shortened in the middle.
    #[must_use]
    pub fn new(rule: impl Into<Cow<'static, str>>) -> Self {
        let rule = match rule.into() {
            Cow::Owned(rule) => Cow::Owned(shortened(&rule)),
            Cow::Borrowed(rule) => Cow::Borrowed(rule),
        };
        Self { rule, places: Vec::new() }
    }

    /// Adds the cells in which the rule is violated.
    #[must_use]
    pub fn at(mut self, places: impl IntoIterator<Item = Place>) -> Self {
        self.places.extend(places);
        self
    }

    /// Returns the description of the violated rule.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// Returns the cells in which the rule is violated.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }
}

/// Returns a [`Violation`] with the given message unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($rule:tt)+) => {
        if !$holds {
            return Err($crate::error::Violation::new(format!($($rule)+)));
        }
    };
}
pub(crate) use ensure;

impl Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rule)?;
        for (index, place) in self.places.iter().enumerate() {
            write!(f, "{}{place}", if index == 0 { " at " } else { " " })?;
        }
        Ok(())
    }
}

impl Error for Violation {}

/// An invalid value in the data of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The name of the value in the data of the board.
    pub name: &'static str,
    /// The index in a list or grid, counted from zero; `None` for a single value.
    pub index: Option<usize>,
    /// The expected value, such as `a base from 2 to 25`.
    pub expected: String,
    /// The actual value, such as `` `30` ``.
    pub found: String,
}

impl Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, expected, found, .. } = self;
        write!(f, "{name}: expected {expected}, found {found}")
    }
}

impl Error for Invalid {}

/// Converts the value called `name` to the type `N`, or returns an error if it is not in `range`. In the error
/// message, `what` describes the value.
pub(crate) fn within<N: TryFrom<i128>>(
    name: &'static str,
    what: &str,
    value: i128,
    range: &RangeInclusive<i128>,
) -> Result<N, Invalid> {
    entry_within(name, None, what, value, range)
}

/// Converts an entry of the list called `name` to the type `N`, or returns an error if it is not in `range`. In the
/// error message, `what` describes the entry.
pub(crate) fn entry_within<N: TryFrom<i128>>(
    name: &'static str,
    index: Option<usize>,
    what: &str,
    value: i128,
    range: &RangeInclusive<i128>,
) -> Result<N, Invalid> {
    N::try_from(value).ok().filter(|_| range.contains(&value)).ok_or_else(|| {
        let expected = format!("{what} from {} to {}", range.start(), range.end());
        Invalid { name, index, expected, found: format!("`{value}`") }
    })
}
