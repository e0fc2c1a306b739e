//! The sorts of expressions.

use std::fmt;

/// The sort of an expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sort {
    /// A truth value.
    Bool,
    /// A number.
    Number,
    /// A symbol such as `'w'`.
    Symbol,
    /// A number or a symbol: what the data of a board consists of.
    Scalar,
    /// A cell.
    Cell,
    /// A corner.
    Corner,
    /// A link.
    Link,
    /// A side.
    Side,
    /// Any place, such as an element of `cells + outside`.
    Place,
    /// A set with elements of one sort.
    Set(Box<Sort>),
    /// The lengths of runs, which can only be compared.
    Lengths,
    /// Any sort: `none`, and the elements of the empty set.
    Any,
}

impl Sort {
    /// Returns the sort of sets with elements of this sort.
    #[must_use]
    pub fn set(self) -> Self {
        Self::Set(Box::new(self))
    }

    /// Returns the sort of the elements, if this is a sort of sets.
    #[must_use]
    pub fn element(&self) -> Option<&Self> {
        match self {
            Self::Set(element) => Some(element),
            Self::Any => Some(&Self::Any),
            _ => None,
        }
    }

    /// Returns the smallest sort that contains both, or `None` if there is none.
    #[must_use]
    pub fn join(&self, other: &Self) -> Option<Self> {
        use Sort::{Any, Number, Place, Scalar, Set, Symbol};
        Some(match (self, other) {
            (a, b) if a == b => a.clone(),
            (Any, other) | (other, Any) => other.clone(),
            (Number | Symbol | Scalar, Number | Symbol | Scalar) => Scalar,
            (Set(a), Set(b)) => a.join(b)?.set(),
            (a, b) if a.is_place() && b.is_place() => Place,
            _ => return None,
        })
    }

    /// Returns whether a value of this sort may be one of the sort `expected`. What a number, a symbol or a place is
    /// can depend on the board, so a scalar may be a number, and a place may be a cell.
    #[must_use]
    pub fn fits(&self, expected: &Self) -> bool {
        use Sort::{Any, Number, Place, Scalar, Set, Symbol};
        match (self, expected) {
            (Any, _) | (_, Any) | (Scalar, Number | Symbol) | (Number | Symbol, Scalar) => true,
            (Place, b) => b.is_place(),
            (a, Place) => a.is_place(),
            (Set(a), Set(b)) => a.fits(b),
            (a, b) => a == b,
        }
    }

    /// Returns whether values of this sort are places.
    #[must_use]
    pub fn is_place(&self) -> bool {
        matches!(self, Self::Cell | Self::Corner | Self::Link | Self::Side | Self::Place)
    }

    /// Returns whether a variable can belong to a value of this sort: a place, or a set of places.
    #[must_use]
    pub fn has_variables(&self) -> bool {
        self.is_place() || *self == Self::Any || self.element().is_some_and(Self::has_variables)
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "a truth value",
            Self::Number => "a number",
            Self::Symbol => "a symbol",
            Self::Scalar => "a number or a symbol",
            Self::Cell => "a cell",
            Self::Corner => "a corner",
            Self::Link => "a link",
            Self::Side => "a side",
            Self::Place => "a place",
            Self::Lengths => "lengths of runs",
            Self::Any => "any value",
            Self::Set(element) => {
                return match **element {
                    Self::Set(ref inner) => write!(f, "a set of sets of {}", plural(inner)),
                    ref element => write!(f, "a set of {}", plural(element)),
                };
            }
        })
    }
}

fn plural(sort: &Sort) -> &'static str {
    match sort {
        Sort::Bool => "truth values",
        Sort::Number => "numbers",
        Sort::Symbol => "symbols",
        Sort::Scalar => "numbers or symbols",
        Sort::Cell => "cells",
        Sort::Corner => "corners",
        Sort::Link => "links",
        Sort::Side => "sides",
        Sort::Place => "places",
        Sort::Set(_) => "sets",
        Sort::Lengths => "lists of lengths",
        Sort::Any => "values",
    }
}
