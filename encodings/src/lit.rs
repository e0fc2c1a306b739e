//! Literals, including two constant literals.
//!
//! [`TRUE`] and [`FALSE`] are ordinary [`Lit`] values whose variable index is too large for any formula. They may be
//! used wherever a constraint takes a literal. [`crate::Sink`] removes `FALSE` from clauses and drops clauses with
//! `TRUE`, so solvers and files never contain the constants.

pub use rustsat::types::{Lit, Var};

/// The largest variable index that rustsat allows, reserved for the constants.
const CONSTANT: u32 = Var::MAX_IDX - 1;

/// The literal that always holds.
pub const TRUE: Lit = Lit::new(CONSTANT, false);

/// The literal that never holds.
pub const FALSE: Lit = Lit::new(CONSTANT, true);

/// Returns the value of a constant literal, or `None` for the literal of a variable.
#[must_use]
pub fn constant(lit: Lit) -> Option<bool> {
    (lit.vidx32() == CONSTANT).then(|| lit.is_pos())
}

/// Returns the constant literal with this value.
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
