//! Which encoding encodes which meaning.

use crate::constraint::MEANINGS;

/// The encoding chosen for each meaning; where none is, `auto` decides from the constraint's size.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encodings {
    chosen: Vec<(&'static str, &'static str)>,
    keep_count: bool,
    defer: bool,
}

/// A choice that can't be made: there is no such meaning or encoding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceError {
    /// What was asked for.
    pub found: String,
    /// `meaning` or `encoding`, or the form of a choice.
    pub kind: &'static str,
    /// What could have been asked for.
    pub known: Vec<&'static str>,
}

impl std::fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "no {} `{}`; there are {}", self.kind, self.found, self.known.join(", "))
    }
}

impl std::error::Error for ChoiceError {}

/// Where an encoding is not what was asked for. Its `Display` is a sentence without a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The encoding chosen for a meaning can't encode a constraint; another was used for it.
    Replaced {
        /// The meaning of the constraint.
        meaning: &'static str,
        /// What was chosen.
        chosen: &'static str,
        /// What was used.
        used: &'static str,
    },
    /// The number of solutions was to be kept, and no encoding that can encode a constraint keeps it.
    CountLost {
        /// The meaning of the constraint.
        meaning: &'static str,
        /// What was used.
        used: &'static str,
    },
}

impl std::fmt::Display for Fallback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Replaced { meaning, chosen, used } => {
                write!(f, "{meaning}={chosen} does not apply here; {used} is used")
            }
            Self::CountLost { meaning, used } => {
                write!(
                    f,
                    "{meaning}={used} does not keep the number of solutions, and nothing that applies does"
                )
            }
        }
    }
}

/// The word for "decide from the size".
pub const AUTO: &str = "auto";

impl Encodings {
    /// Every encoding by the size of what it encodes.
    #[must_use]
    pub fn auto() -> Self {
        Self::default()
    }

    /// Chooses an encoding for a meaning, both by name; `auto` takes an earlier choice back.
    ///
    /// # Errors
    /// If the meaning is not in [`MEANINGS`] or has no such encoding.
    pub fn choose(&mut self, meaning: &str, encoding: &str) -> Result<(), ChoiceError> {
        let row = MEANINGS.iter().find(|row| row.name == meaning).ok_or_else(|| ChoiceError {
            found: meaning.to_owned(),
            kind: "constraint",
            known: MEANINGS.iter().map(|row| row.name).collect(),
        })?;
        self.chosen.retain(|&(name, _)| name != row.name);
        if encoding == AUTO {
            return Ok(());
        }
        let encodings = (row.encodings)();
        let chosen = encodings.iter().find(|row| row.name == encoding).ok_or_else(|| ChoiceError {
            found: encoding.to_owned(),
            kind: "encoding",
            known: std::iter::once(AUTO).chain(encodings.iter().map(|row| row.name)).collect(),
        })?;
        self.chosen.push((row.name, chosen.name));
        Ok(())
    }

    /// Reads a choice as the command line has it: `constraint=encoding`.
    ///
    /// # Errors
    /// If there is no `=`, or as [`Encodings::choose`].
    pub fn choose_from(&mut self, words: &str) -> Result<(), ChoiceError> {
        let (meaning, encoding) = words.split_once('=').ok_or_else(|| ChoiceError {
            found: words.to_owned(),
            kind: "choice of the form `constraint=encoding` in",
            known: MEANINGS.iter().map(|row| row.name).collect(),
        })?;
        self.choose(meaning, encoding)
    }

    /// The same with a choice as the command line has it: `constraint=encoding`.
    ///
    /// ```
    /// use gordian_encodings::Encodings;
    ///
    /// let encodings = Encodings::auto().with("cardinality=totalizer")?.with("integers=log")?;
    /// assert_eq!(encodings.chosen("integers"), Some("log"));
    /// # Ok::<(), gordian_encodings::ChoiceError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Encodings::choose_from`].
    pub fn with(mut self, words: &str) -> Result<Self, ChoiceError> {
        self.choose_from(words)?;
        Ok(self)
    }

    /// Asks for an encoding with exactly as many models as the constraints have solutions.
    #[must_use]
    pub fn keep_count(mut self) -> Self {
        self.keep_count = true;
        self
    }

    /// Whether [`Encodings::keep_count`] was asked for.
    #[must_use]
    pub fn keeps_count(&self) -> bool {
        self.keep_count
    }

    /// Allows encodings that [leave a constraint to the search](crate::theory). Without it the formula is complete.
    #[must_use]
    pub fn deferring(mut self) -> Self {
        self.defer = true;
        self
    }

    /// Whether [`Encodings::deferring`] was asked for, and nothing else speaks against it: a formula whose models are
    /// to be counted is complete.
    #[must_use]
    pub fn defers(&self) -> bool {
        self.defer && !self.keep_count
    }

    /// The encoding chosen for a meaning, if one was.
    #[must_use]
    pub fn chosen(&self, meaning: &str) -> Option<&'static str> {
        self.chosen.iter().find(|&&(name, _)| name == meaning).map(|&(_, encoding)| encoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_checked_against_the_table() {
        let mut encodings = Encodings::auto();
        encodings.choose_from("cardinality=totalizer").unwrap();
        assert_eq!(encodings.chosen("cardinality"), Some("totalizer"));
        encodings.choose_from("cardinality=auto").unwrap();
        assert_eq!(encodings.chosen("cardinality"), None);
        let error = encodings.choose_from("cardinality=totaliser").unwrap_err();
        assert_eq!((error.kind, error.found.as_str()), ("encoding", "totaliser"));
        assert!(error.to_string().contains("sequential-counter"), "{error}");
        assert_eq!(encodings.choose_from("sums=totalizer").unwrap_err().kind, "constraint");
        assert!(encodings.choose_from("cardinality").is_err());
    }
}
