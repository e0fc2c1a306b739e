//! Encodes arithmetic constraints as linear constraints, for which any linear encoding can be used.
//!
//! * Division: `dividend - divisor * quotient - remainder = 0` and `0 <= remainder < |divisor|`.
//! * Equality: `left - right = 0`; disequality: `left - right != 0`.
//! * Absolute value: `s -> y = x` and `-s -> y = -x`, where s is the literal `x >= 0`.
//!
//! Size: the sizes of the linear constraints; for a division, one more clause if the minimum of the remainder is
//! negative, and one more clause if its maximum is at least `|divisor|`. The encoding preserves the number of solutions
//! if the encoding of the linear constraints does. Strength: checks total assignments only. An equality is bounds
//! consistent, unless its domains are so large that the linear constraint is encoded with bits.
//!
//! A clause that is redundant in the encoding of a linear constraint is also redundant in this encoding. For an
//! absolute value, a clause for one sign of x is redundant if it restricts only values of x with the other sign.
//!
//! Paper: none, because the encodings follow from the definitions. The half-reified constraints for the two signs are
//! as in Feydy, Somogyi, Stuckey: *Half reification and flattening*, CP 2011. Unlike in the paper, the encoding omits
//! the constraint for a sign that x cannot have.
//!
//! ```
//! use gordian_encodings::constraint::Absolute;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let x = model.integer(Domain::interval(-1, 1));
//! let y = model.integer(Domain::interval(0, 1));
//! model.post(Absolute::new(x, y));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto(), &mut cnf);
//! // Variable 1 is `x <= -1`, 2 is `x <= 0`, 3 is `y <= 0`.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-1 2 0", "-4 -2 3 0", "1 4 0", "-5 2 -3 0", "1 5 0", "-1 2 0", "-6 1 3 0", "-1 6 0", "-7 -1 -3 0",
//!     "-1 7 0",
//! ]);
//! ```

use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Absolute, Division, Equality, Linear};
use crate::int::{Domains, Value};
use crate::sink::Sink;

/// Encodes a division as a linear constraint.
pub static DIVISION: Encoding<Division> = Encoding {
    name: "linear",
    paper: "none: the definition of Euclidean division",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: divide,
};

/// Encodes an equality as a linear constraint.
pub static EQUALITY: Encoding<Equality> = Encoding {
    name: "linear",
    paper: "none: the definition of equality",
    strength: Strength::BoundsConsistent,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |equality, sink| sink.post(&difference(equality)),
};

/// Encodes an absolute value as two half-reified linear constraints, one for each sign.
pub static ABSOLUTE: Encoding<Absolute> = Encoding {
    name: "linear",
    paper: "none: the definition of the absolute value",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |absolute, sink| {
        let of = sink.integer_for(&absolute.of);
        let positive = sink.at_least(of, 0);
        for sign in cases(absolute, sink.domains()) {
            let case = if sign > 0 { positive } else { !positive };
            sink.when(case).post(&absolute.equation(sign));
        }
    },
};

/// Returns the signs that the operand of an absolute value can have: 1 for values of at least 0, and -1 for negative
/// values.
fn cases(absolute: &Absolute, domains: Domains<'_>) -> Vec<Value> {
    let domain = domains.of_expr(&absolute.of);
    let possible = [(1, domain.max() >= 0), (-1, domain.min() < 0)];
    possible.into_iter().filter(|&(_, possible)| possible).map(|(sign, _)| sign).collect()
}

fn divide(division: &Division, sink: &mut Sink<'_>) {
    let divisor = division.divisor;
    if divisor == 0 {
        return sink.clause(&[]);
    }
    let remainder = sink.integer_for(&division.remainder);
    let least = sink.at_least(remainder, 0);
    let most = match i128::try_from(divisor.unsigned_abs() - 1) {
        Ok(most) => sink.at_most(remainder, most),
        Err(_) => crate::TRUE,
    };
    sink.clause(&[least]);
    sink.clause(&[most]);
    sink.post(&division.equation());
}

/// Returns the linear constraint `left - right = 0` or `left - right != 0`.
fn difference(equality: &Equality) -> Linear {
    let Equality { left, right, equal } = equality;
    if *equal { left.equals(right) } else { left.not_equals(right) }
}
