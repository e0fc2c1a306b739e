//! The encodings chosen for constraints, and the fallbacks from them.

/// The encoding chosen for each type of constraint. Where none is chosen, `auto` decides from the constraint's size.
///
/// ```
/// use gordian_encodings::Encodings;
/// use gordian_encodings::encoding::{mdd::MDD, totalizer::TOTALIZER};
///
/// let encodings = Encodings::auto().with(&TOTALIZER).with(&MDD);
/// assert_eq!(encodings.chosen("cardinality"), Some("totalizer"));
/// assert_eq!(encodings.chosen("linear"), Some("mdd"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Encodings {
    chosen: Vec<(&'static str, &'static str)>,
    keep_count: bool,
    defer: bool,
}

/// A type of constraint and one of its encodings, by their names.
///
/// Made from an [`Encoding`](crate::Encoding), from a [`View`](crate::int::View) that integers start with, or from an
/// [`ObjectiveEncoding`](crate::bounded_sum::ObjectiveEncoding).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    pub(crate) constraint: &'static str,
    /// `None` leaves the choice to `auto`.
    pub(crate) encoding: Option<&'static str>,
}

/// An encoding other than the chosen one. Its `Display` is a sentence without a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The encoding chosen for a type of constraint does not apply to a constraint; another was used for it.
    Replaced {
        /// The type of constraint.
        constraint: &'static str,
        /// The encoding that was chosen.
        chosen: &'static str,
        /// The encoding that was used.
        used: &'static str,
    },
    /// The number of solutions was to be kept, and no encoding that applies keeps it.
    CountLost {
        /// The type of constraint.
        constraint: &'static str,
        /// The encoding that was used.
        used: &'static str,
    },
}

impl std::fmt::Display for Fallback {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Replaced { constraint, chosen, used } => {
                write!(f, "{constraint}={chosen} does not apply here; {used} is used")
            }
            Self::CountLost { constraint, used } => {
                write!(
                    f,
                    "{constraint}={used} does not keep the number of solutions, and nothing that applies does"
                )
            }
        }
    }
}

impl Encodings {
    /// `auto` for every type of constraint.
    #[must_use]
    pub fn auto() -> Self {
        Self::default()
    }

    /// Chooses an encoding for the type of constraint that it encodes, in place of an earlier choice for this type.
    pub fn choose(&mut self, choice: impl Into<Choice>) {
        let Choice { constraint, encoding } = choice.into();
        self.chosen.retain(|&(name, _)| name != constraint);
        self.chosen.extend(encoding.map(|encoding| (constraint, encoding)));
    }

    /// These encodings, with one chosen: [`Encodings::choose`] as a builder.
    #[must_use]
    pub fn with(mut self, choice: impl Into<Choice>) -> Self {
        self.choose(choice);
        self
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

    /// Whether constraints may be left to the search: [`Encodings::deferring`] was asked for, and the number of models
    /// need not be kept. A formula whose models are counted is complete.
    #[must_use]
    pub fn defers(&self) -> bool {
        self.defer && !self.keep_count
    }

    /// The name of the encoding chosen for a type of constraint, if one was chosen.
    #[must_use]
    pub fn chosen(&self, constraint: &str) -> Option<&'static str> {
        self.chosen.iter().find(|&&(name, _)| name == constraint).map(|&(_, encoding)| encoding)
    }
}
