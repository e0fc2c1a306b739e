//! Literals, including two constant literals.
//!
//! [`TRUE`] and [`FALSE`] are ordinary [`Lit`] values whose variable index is too large for any formula. The
//! constants may be used wherever a constraint expects a literal. [`crate::Sink`] removes `FALSE` from clauses and
//! drops clauses with `TRUE`, so solvers and files never contain the constants.

pub use rustsat::types::{Lit, Var};

/// The maximum variable index of rustsat, which is reserved for the constants.
const CONSTANT: u32 = Var::MAX_IDX - 1;

/// The constant literal that is always true.
pub const TRUE: Lit = Lit::new(CONSTANT, false);

/// The constant literal that is always false.
pub const FALSE: Lit = Lit::new(CONSTANT, true);

/// Returns the value of a constant literal, or `None` for the literal of a variable.
#[must_use]
pub fn constant(lit: Lit) -> Option<bool> {
    (lit.vidx32() == CONSTANT).then(|| lit.is_pos())
}

/// Returns whether a literal is true in the assignment that `value` reads. The function `value` returns `None` for a
/// variable without a value, which is false: its positive literal is false, and its negative literal is true.
///
/// A solver may leave variables without values, for example if they occur in no clause. All values of a solution must
/// be read by this function, because they must agree on such variables.
pub fn holds(lit: Lit, value: impl Fn(Lit) -> Option<bool>) -> bool {
    constant(lit).unwrap_or_else(|| value(Lit::positive(lit.vidx32())).unwrap_or(false) == lit.is_pos())
}

/// Returns the constant literal with the given value.
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

    #[test]
    fn a_literal_and_its_negation_differ_in_every_assignment() {
        for value in [None, Some(true), Some(false)] {
            let of = |lit: Lit| value.map(|value| value == lit.is_pos());
            let lit = Lit::positive(3);
            assert_eq!((holds(lit, of), holds(!lit, of)), (value == Some(true), value != Some(true)));
            assert_eq!((holds(TRUE, of), holds(FALSE, of)), (true, false));
        }
    }
}
