//! Why a solution is refused.

use std::borrow::Cow;
use std::error::Error;
use std::fmt::{self, Display};

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
