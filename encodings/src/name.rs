//! Names of variables in exported formulas.

use std::borrow::Cow;
use std::fmt;

/// The name of a variable: a word with up to three numbers as coordinates, such as `sea(2,5)`.
///
/// A name can be created from a word, or from a word and up to three numbers.
///
/// ```
/// use gordian_encodings::{Model, Name};
///
/// let mut model = Model::new();
/// let sea = model.boolean();
/// model.name(sea, ("sea", 2, 5));
/// assert_eq!(model.names()[0].1.to_string(), "sea(2,5)");
/// assert_eq!(Name::from("year").to_string(), "year");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Name {
    what: Cow<'static, str>,
    place: [usize; 3],
    length: u8,
}

impl Name {
    fn new<const N: usize>(what: impl Into<Cow<'static, str>>, numbers: [usize; N]) -> Self {
        let mut place = [0; 3];
        place[..N].copy_from_slice(&numbers);
        Self { what: what.into(), place, length: N as u8 }
    }

    /// Returns the name with a further coordinate.
    ///
    /// # Panics
    /// Panics if the name already has three coordinates.
    #[must_use]
    pub fn at(mut self, number: usize) -> Self {
        self.place[usize::from(self.length)] = number;
        self.length += 1;
        self
    }
}

impl From<&'static str> for Name {
    fn from(what: &'static str) -> Self {
        Self::new(what, [])
    }
}

impl From<String> for Name {
    fn from(what: String) -> Self {
        Self::new(what, [])
    }
}

impl From<(&'static str, usize)> for Name {
    fn from((what, at): (&'static str, usize)) -> Self {
        Self::new(what, [at])
    }
}

impl From<(&'static str, usize, usize)> for Name {
    fn from((what, row, column): (&'static str, usize, usize)) -> Self {
        Self::new(what, [row, column])
    }
}

impl From<(&'static str, usize, usize, usize)> for Name {
    fn from((what, first, second, third): (&'static str, usize, usize, usize)) -> Self {
        Self::new(what, [first, second, third])
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        for (index, number) in self.place[..usize::from(self.length)].iter().enumerate() {
            write!(f, "{}{number}", if index == 0 { '(' } else { ',' })?;
        }
        f.write_str(if self.length == 0 { "" } else { ")" })
    }
}
