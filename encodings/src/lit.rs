//! Literals, and the two of them that are constants.
//!
//! [`TRUE`] and [`FALSE`] are ordinary [`Lit`] values on a variable number that no formula reaches. Whoever builds a
//! constraint may put them anywhere a literal goes; [`crate::Sink`] drops a `FALSE` from a clause and drops the clause
//! with a `TRUE`, so that neither ever gets to a solver or into a file.

pub use rustsat::types::{Lit, Var};

/// The highest variable index rustsat allows in a literal, kept for the constants.
const CONSTANT: u32 = Var::MAX_IDX - 1;

/// The literal that always holds.
pub const TRUE: Lit = Lit::new(CONSTANT, false);

/// The literal that never holds.
pub const FALSE: Lit = Lit::new(CONSTANT, true);

/// The value of a literal that is a constant, or `None` for one that a solver decides.
#[must_use]
pub fn constant(lit: Lit) -> Option<bool> {
    (lit.vidx32() == CONSTANT).then(|| lit.is_pos())
}

/// The constant literal with this value.
#[must_use]
pub fn from_bool(value: bool) -> Lit {
    if value { TRUE } else { FALSE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_negate_into_each_other() {
        assert_eq!(!TRUE, FALSE);
        assert_eq!(!FALSE, TRUE);
        assert_eq!(constant(TRUE), Some(true));
        assert_eq!(constant(FALSE), Some(false));
        assert_eq!(constant(Lit::new(0, false)), None);
        assert_eq!(constant(from_bool(true)), Some(true));
    }
}
