//! Names of variables and constraints in exported formulas.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The name of a variable or of a constraint: a word with up to three numbers as coordinates, such as `sea(2,5)`, or an
/// entry of a list that is computed when the name is written.
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
#[derive(Debug, Clone)]
pub struct Name(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Word { what: Cow<'static, str>, place: [usize; 3], length: u8 },
    Listed { names: Names, index: usize },
}

/// A list of names, each of which is computed when it is needed.
///
/// ```
/// use gordian_encodings::{Model, Names};
///
/// let names = Names::new(|index| format!("cell {index}"));
/// let mut model = Model::new();
/// let cell = model.boolean();
/// model.name(cell, names.at(7));
/// assert_eq!(model.names()[0].1.to_string(), "cell 7");
/// ```
#[derive(Clone)]
pub struct Names(Arc<dyn Fn(usize) -> String + Send + Sync>);

impl Names {
    /// Creates a list from the function that returns the name with an index.
    pub fn new(name: impl Fn(usize) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(name))
    }

    /// Returns the name with an index.
    #[must_use]
    pub fn at(&self, index: usize) -> Name {
        Name(Kind::Listed { names: self.clone(), index })
    }
}

impl fmt::Debug for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Names").finish_non_exhaustive()
    }
}

impl Name {
    fn new<const N: usize>(what: impl Into<Cow<'static, str>>, numbers: [usize; N]) -> Self {
        let mut place = [0; 3];
        place[..N].copy_from_slice(&numbers);
        Self(Kind::Word { what: what.into(), place, length: N as u8 })
    }

    /// Returns the name with a further coordinate.
    ///
    /// # Panics
    /// Panics if the name already has three coordinates.
    #[must_use]
    pub fn at(self, number: usize) -> Self {
        let (what, mut place, length) = match self.0 {
            Kind::Word { what, place, length } => (what, place, length),
            Kind::Listed { .. } => (self.to_string().into(), [0; 3], 0),
        };
        place[usize::from(length)] = number;
        Self(Kind::Word { what, place, length: length + 1 })
    }

    /// Returns whether the name is the empty word.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Kind::Word { what, length: 0, .. } if what.is_empty())
    }
}

/// Names are equal if they are written in the same way.
impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for Name {}

impl From<&'static str> for Name {
    fn from(what: &'static str) -> Self {
        Self::new(what, [])
    }
}

impl From<Cow<'static, str>> for Name {
    fn from(what: Cow<'static, str>) -> Self {
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
        let (what, numbers) = match &self.0 {
            Kind::Word { what, place, length } => (what, &place[..usize::from(*length)]),
            Kind::Listed { names: Names(name), index } => return f.write_str(&name(*index)),
        };
        f.write_str(what)?;
        for (index, number) in numbers.iter().enumerate() {
            write!(f, "{}{number}", if index == 0 { '(' } else { ',' })?;
        }
        f.write_str(if numbers.is_empty() { "" } else { ")" })
    }
}
