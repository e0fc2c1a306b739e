//! Errors of the translation of instances into models.

use crate::instance::Origin;
use crate::instance::{Place, VarId};

/// The reason why an instance cannot be translated. All errors are detected before solving.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranslateError {
    /// Constraints that are not supported. Each unsupported name is listed once, with its first location.
    #[error("unknown constraint {}", names(.0))]
    Unknown(Vec<Origin>),
    /// An argument of a constraint has the wrong type.
    #[error("argument {argument} of `{}`: expected {expected}", .origin.name)]
    Argument {
        /// The constraint with the wrong argument.
        origin: Origin,
        /// The position of the argument, counted from 1.
        argument: usize,
        /// A description of the expected argument.
        expected: &'static str,
    },
    /// A constraint has the wrong number of arguments.
    #[error("wrong number of arguments of `{}`: found {found}", .origin.name)]
    Arity {
        /// The constraint with the wrong number of arguments.
        origin: Origin,
        /// The number of arguments in the input.
        found: usize,
    },
    /// A constraint whose numbers do not fit in 128 bits.
    #[error("numbers of `{}` exceed 128 bits; reduce the domains of its variables", .0.name)]
    Overflow(Origin),
    /// Variables without finite bounds.
    #[error("{} variables are unbounded", .0.len())]
    Unbounded(Vec<VarId>),
}

fn names(unknown: &[Origin]) -> String {
    let names: Vec<String> = unknown.iter().map(|origin| format!("`{}`", origin.name)).collect();
    names.join(", ")
}

impl TranslateError {
    /// Returns a description of the expected input at the location of the error.
    #[must_use]
    pub fn expected(&self) -> &'static str {
        match self {
            Self::Unknown(_) => "a supported constraint",
            Self::Argument { expected, .. } => expected,
            Self::Arity { .. } => "another number of arguments",
            Self::Overflow(_) => "a constraint whose numbers fit 128 bits",
            Self::Unbounded(_) => "variables with finite bounds",
        }
    }

    /// Returns the name of the first constraint that causes the error, or `None` for [`TranslateError::Unbounded`].
    #[must_use]
    pub fn constraint(&self) -> Option<&str> {
        match self {
            Self::Unknown(unknown) => unknown.first().map(|origin| &*origin.name),
            Self::Argument { origin, .. } | Self::Arity { origin, .. } | Self::Overflow(origin) => {
                Some(&origin.name)
            }
            Self::Unbounded(_) => None,
        }
    }

    /// Returns the locations of the unsupported or wrong constraints in the input.
    #[must_use]
    pub fn places(&self) -> Vec<Place> {
        match self {
            Self::Unknown(unknown) => unknown.iter().map(|origin| origin.place).collect(),
            Self::Argument { origin, .. } | Self::Arity { origin, .. } | Self::Overflow(origin) => {
                vec![origin.place]
            }
            Self::Unbounded(_) => Vec::new(),
        }
    }
}
