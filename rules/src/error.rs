//! Why a board or a solution is refused.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;

use crate::grid::Place;
use crate::text::shortened;

/// A rule that a solution breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    rule: Cow<'static, str>,
    places: Vec<Place>,
}

impl Violation {
    /// A broken rule, in words. A long text, which may quote long numbers, is cut in the middle.
    #[must_use]
    pub fn new(rule: impl Into<Cow<'static, str>>) -> Self {
        let rule = match rule.into() {
            Cow::Owned(rule) => Cow::Owned(shortened(&rule)),
            Cow::Borrowed(rule) => Cow::Borrowed(rule),
        };
        Self { rule, places: Vec::new() }
    }

    /// Adds the cells in which the rule is broken.
    #[must_use]
    pub fn at(mut self, places: impl IntoIterator<Item = Place>) -> Self {
        self.places.extend(places);
        self
    }

    /// The broken rule, in words.
    #[must_use]
    pub fn rule(&self) -> &str {
        &self.rule
    }

    /// The cells in which it is broken.
    #[must_use]
    pub fn places(&self) -> &[Place] {
        &self.places
    }
}

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

/// A value that a board cannot have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invalid {
    /// The name of the value in the puzzle's data.
    pub name: &'static str,
    /// The entry of a list or the cell of a grid, from zero.
    pub index: Option<usize>,
    /// What was expected, such as `a base from 2 to 25`.
    pub expected: String,
    /// What was found, such as `` `30` ``.
    pub found: String,
}

impl Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, expected, found, .. } = self;
        write!(f, "{name}: expected {expected}, found {found}")
    }
}

impl Error for Invalid {}

/// Refuses the value `name` if it is not in `range`; `what` says what it is.
pub(crate) fn within<T: PartialOrd + Display>(
    name: &'static str,
    what: &str,
    value: &T,
    range: &RangeInclusive<T>,
) -> Result<(), Invalid> {
    entry_within(name, None, what, value, range)
}

/// Refuses an entry of the list `name` if it is not in `range`; `what` says what it is.
pub(crate) fn entry_within<T: PartialOrd + Display>(
    name: &'static str,
    index: Option<usize>,
    what: &str,
    value: &T,
    range: &RangeInclusive<T>,
) -> Result<(), Invalid> {
    if range.contains(value) {
        return Ok(());
    }
    let expected = format!("{what} from {} to {}", range.start(), range.end());
    Err(Invalid { name, index, expected, found: format!("`{value}`") })
}
