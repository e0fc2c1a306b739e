//! Encodes the division of x by y with a multiplication: `x = p + r` and `p = y q`, where q is the quotient and r the
//! remainder.
//!
//! The remainder r has the sign of x: `x >= 0 -> r >= 0` and `x < 0 -> r <= 0`. The absolute value of the remainder is
//! smaller than the absolute value of the divisor: if s is the sign of x and t is the sign of y, `s r < t y`. One of q
//! and r is the result of the constraint, and the other is a new variable. Both are new variables if the constraint has
//! a condition or is a disequality, or if the result has values outside the range of q or r. In these cases, one of
//! them is compared with the result. If a condition or a disequality permits the divisor 0, the values for this divisor
//! are q = 0 and r = x.
//!
//! Example: for x from 0 to 7 and y from 1 to 3, the constraints are `p = y q`, `x - p - r = 0`, `r >= 0` and `r - y
//! <= -1`.
//!
//! Size: a product, a linear equation of three variables, and at most four half-reified linear inequalities of two
//! variables, plus an equality if both q and r are new variables. If the divisor is a constant, p is not a variable but
//! a multiple of q. Strength: checks total assignments only. Exception: if a remainder has a large domain and is
//! therefore encoded in the log view, the solver may have to try values of the quotient. With `Encodings::keep_count`,
//! the encoding preserves the number of solutions.
//!
//! A clause that is redundant in the encoding of a linear constraint is also redundant in this encoding.
//!
//! Paper: none. The encoding follows from the definition of division, as in Kroening, Strichman: *Decision
//! Procedures*, 2008, chapter 6. Unlike in the book, the bits have no fixed width, so no product overflows.
//!
//! ```
//! use gordian_encodings::constraint::TruncatedDivision;
//! use gordian_encodings::encoding::truncated_division::MULTIPLIER;
//! use gordian_encodings::{Cnf, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y, q] = model.integers(-1_000_000..=1_000_000);
//! model.post(TruncatedDivision::quotient(x, y, q));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&MULTIPLIER), &mut cnf);
//! assert!(cnf.len() < 20_000);
//! ```

use super::{Encoding, ModelCount, Strength};
use crate::constraint::{DivisionPart, Equality, Linear, Product, TruncatedDivision};
use crate::int::{Domain, Domains, IntVar, Value};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes a division with a multiplication.
pub static MULTIPLIER: Encoding<TruncatedDivision> = Encoding {
    name: "multiplier",
    paper: "Kroening, Strichman: Decision Procedures, 2008, chapter 6",
    strength: Strength::TotalAssignments,
    count: ModelCount::OnRequest,
    derived: false,
    applies: |division, domains| fits(division, domains),
    encode,
};

/// Returns whether no intermediate result of the division overflows.
fn fits(division: &TruncatedDivision, domains: Domains<'_>) -> bool {
    let (quotients, divisors) = (quotients(division, domains), domains.of_expr(&division.divisor));
    let magnitude = |domain: &Domain| domain.min().unsigned_abs().max(domain.max().unsigned_abs()).max(1);
    let product = magnitude(&quotients).checked_mul(magnitude(&divisors));
    let sum =
        product.and_then(|product| product.checked_add(magnitude(&domains.of_expr(&division.dividend))));
    sum.is_some_and(|sum| sum <= Value::MAX as u128 / 64)
}

/// Returns an interval that contains all quotients. If the divisor can be 0, the interval contains 0.
fn quotients(division: &TruncatedDivision, domains: Domains<'_>) -> Domain {
    let [x, y] = [&division.dividend, &division.divisor].map(|expr| domains.of_expr(expr));
    // The quotient is monotone in the dividend, and in the divisor on each side of 0.
    let divisors = [Some(y.min()), Some(y.max()), y.at_or_below(-1), y.above(0)];
    let divisors = divisors.into_iter().flatten().filter(|&divisor| divisor != 0);
    let mut quotients: Vec<Value> =
        divisors.flat_map(|y| [x.min(), x.max()].map(|x| x.saturating_div(y))).collect();
    if y.contains(0) || quotients.is_empty() {
        quotients.push(0);
    }
    let (min, max) = (quotients.iter().min(), quotients.iter().max());
    Domain::interval(*min.expect("a quotient"), *max.expect("a quotient"))
}

/// Returns an interval that contains all remainders for divisors other than 0.
fn remainders(division: &TruncatedDivision, domains: Domains<'_>) -> Domain {
    let [x, y] = [&division.dividend, &division.divisor].map(|expr| domains.of_expr(expr));
    // The remainder lies between 0 and the dividend, and its absolute value is smaller than the absolute value of the
    // divisor.
    let most = y.min().unsigned_abs().max(y.max().unsigned_abs()).saturating_sub(1);
    let most = Value::try_from(most).unwrap_or(Value::MAX);
    Domain::interval(x.min().clamp(-most, 0), x.max().clamp(0, most))
}

fn encode(division: &TruncatedDivision, sink: &mut Sink<'_>) {
    let &TruncatedDivision { part, equal, .. } = division;
    let [x, y, result] =
        [&division.dividend, &division.divisor, &division.result].map(|expr| sink.integer_for(expr));
    let mut undefined = sink.equals(y, 0);
    if equal {
        sink.clause(&[!undefined]);
    }
    if undefined == TRUE {
        return;
    }
    let (quotients, mut remainders) =
        (quotients(division, sink.domains()), remainders(division, sink.domains()));
    // In an equation without a condition, the result variable itself serves as the quotient or the remainder if its
    // bounds permit this. Otherwise, the quotient and the remainder are new variables. Unless the constraint is an
    // equation without a condition, they must have values for every divisor, even 0.
    let exact = equal && !sink.is_conditional();
    if exact {
        undefined = FALSE;
    } else if undefined != FALSE {
        let dividends = sink.domains().of(x);
        remainders =
            Domain::interval(remainders.min().min(dividends.min()), remainders.max().max(dividends.max()));
    }
    let mut variable = |this: DivisionPart, domain: Domain| {
        let given = sink.domains().of(result);
        let within = domain.min() <= given.min() && given.max() <= domain.max();
        if exact && part == this && within { result } else { sink.integer(domain) }
    };
    let quotient = variable(DivisionPart::Quotient, quotients);
    let remainder = variable(DivisionPart::Remainder, remainders);
    define([x, y, quotient, remainder], undefined, &mut sink.always());
    let value = match part {
        DivisionPart::Quotient => quotient,
        DivisionPart::Remainder => remainder,
    };
    if value != result {
        sink.unless(&[undefined]).post(&Equality { left: value.into(), right: result.into(), equal });
    }
}

/// Posts constraints that define `q` as the quotient and `r` as the remainder of `x` divided by `y`. The literal
/// `undefined` is true if y is 0, and q is then 0 as well.
fn define([x, y, q, r]: [IntVar; 4], undefined: Lit, sink: &mut Sink<'_>) {
    let zero = sink.equals(q, 0);
    sink.clause(&[!undefined, zero]);
    let (dividends, divisors) = (sink.domain(x), sink.domain(y));
    let product = if divisors.size() == 1 {
        divisors.min() * q
    } else {
        // The product is between 0 and the dividend.
        let product = sink.integer(Domain::interval(dividends.min().min(0), dividends.max().max(0)));
        sink.post(&Product::new([y, q], product));
        product.into()
    };
    sink.post(&(x - product).equals(r));
    let mut sink = sink.unless(&[undefined]);
    let positive = sink.at_least(x, 0);
    let signs = [(1, positive), (-1, !positive)];
    for (sign, lit) in signs.into_iter().filter(|&(_, lit)| lit != FALSE) {
        let mut sink = sink.when(lit);
        sink.post(&Linear::at_least([(sign, r.into())], 0));
        let sides = [(1, sink.at_least(y, 1)), (-1, sink.at_most(y, -1))];
        for (side, lit) in sides.into_iter().filter(|&(_, lit)| lit != FALSE) {
            sink.when(lit).post(&Linear::at_most([(sign, r.into()), (-side, y.into())], -1));
        }
    }
}
