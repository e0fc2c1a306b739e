//! Errors of the translation.

use crate::constraint::Origin;
use crate::instance::{Place, VarId};

/// The reason why an instance cannot be translated. All errors are detected before solving.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TranslateError {
    /// Constraints that are not supported. The list has the first constraint of each name.
    #[error("unknown constraint {}", names(.0))]
    Unknown(Vec<Origin>),
    /// An argument of the wrong type.
    #[error("argument {argument} of `{}`: expected {expected}", .origin.name)]
    Argument {
        /// The constraint.
        origin: Origin,
        /// The position of the argument, from 1.
        argument: usize,
        /// A description of the expected argument.
        expected: &'static str,
    },
    /// A wrong number of arguments.
    #[error("wrong number of arguments of `{}`: found {found}", .origin.name)]
    Arity {
        /// The constraint.
        origin: Origin,
        /// The number of arguments.
        found: usize,
    },
    /// Numbers that do not fit 128 bits.
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
    /// Returns the places of the constraints in the input.
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
