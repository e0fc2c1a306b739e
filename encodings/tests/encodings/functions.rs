//! Samples of divisions, remainders and powers: constraints `z = f(x, y)` on integers x, y and z.

use crate::formula::Sample;
use crate::samples::{interval, over};
use gordian_encodings::constraint::{DivisionPart, Power, TruncatedDivision};
use gordian_encodings::{Domain, Expr, IntVar};

fn values(values: &[i128]) -> Domain {
    Domain::from_values(values.iter().copied())
}

pub(crate) fn truncated_divisions() -> Vec<Sample<TruncatedDivision>> {
    use DivisionPart::{Quotient, Remainder};
    let mut samples = Vec::new();
    for (part, domains) in [
        (Quotient, [interval(0, 2), interval(1, 2), interval(0, 2)]),
        (Quotient, [interval(-2, 2), interval(-1, 1), interval(-2, 1)]),
        (Quotient, [interval(0, 7), interval(1, 3), interval(0, 7)]),
        (Quotient, [interval(-7, 7), interval(-2, 3), interval(-3, 4)]),
        (Quotient, [interval(-5, -1), interval(0, 2), interval(-3, 0)]),
        (Quotient, [interval(-5, 6), interval(-4, -2), interval(-1, 9)]),
        (Quotient, [interval(-6, 5), interval(3, 3), interval(-2, 2)]),
        (Quotient, [interval(-6, 5), interval(-2, -2), interval(-2, 2)]),
        (Quotient, [interval(0, 3), interval(0, 0), interval(0, 1)]),
        (Quotient, [values(&[-9, -2, 0, 11]), values(&[-4, 0, 5]), values(&[-2, 0, 2])]),
        (Remainder, [interval(0, 7), interval(1, 3), interval(0, 3)]),
        (Remainder, [interval(-7, 7), interval(-2, 3), interval(-2, 2)]),
        (Remainder, [interval(-5, -1), interval(0, 2), interval(-3, 1)]),
        (Remainder, [interval(-5, 6), interval(-4, -2), interval(-1, 9)]),
        (Remainder, [interval(-6, 5), interval(3, 3), interval(-2, 2)]),
        (Remainder, [interval(0, 3), interval(0, 0), interval(0, 1)]),
        (Remainder, [interval(0, 3), interval(1, 2), interval(0, 1)]),
        (Remainder, [interval(-2, 2), interval(-1, 2), interval(-1, 1)]),
        (Remainder, [values(&[-9, -2, 0, 11]), values(&[-4, 0, 5]), values(&[-2, 0, 1])]),
    ] {
        samples.push(over(0, &domains, |_, x| {
            let [dividend, divisor, result] = [x[0], x[1], x[2]].map(Expr::from);
            TruncatedDivision { dividend, divisor, part, result, equal: true }
        }));
    }
    for pick in [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] {
        let domains = [interval(-4, 4), interval(-1, 2)];
        let picked = |x: Vec<IntVar>| pick.map(|index| x[index]);
        samples.push(not_plain(over(0, &domains, |_, x| {
            let [dividend, divisor, quotient] = picked(x);
            TruncatedDivision::quotient(dividend, divisor, quotient)
        })));
        samples.push(not_plain(over(0, &domains, |_, x| {
            let [dividend, divisor, remainder] = picked(x);
            TruncatedDivision::remainder(dividend, divisor, remainder)
        })));
    }
    samples.push(not_plain(over(0, &[interval(0, 3), interval(-2, 2), interval(-3, 3)], |_, x| {
        TruncatedDivision::quotient(3 - 2 * x[0], x[1] + 1, x[2])
    })));
    samples.push(not_plain(over(0, &[interval(-2, 3), interval(0, 2)], |_, x| {
        TruncatedDivision::remainder(x[0] - x[1], x[1] + 2, 1 - x[0])
    })));
    samples
}

pub(crate) fn powers() -> Vec<Sample<Power>> {
    let mut samples = Vec::new();
    for domains in [
        [interval(2, 3), interval(1, 2), interval(0, 9)],
        [interval(-3, 3), interval(0, 3), interval(-9, 9)],
        [interval(-2, 3), interval(-2, 2), interval(-1, 9)],
        [interval(-1, 1), interval(-3, 4), interval(-1, 1)],
        [interval(-2, 2), interval(-1, 1), values(&[-2, 0])],
        [interval(0, 0), interval(-1, 2), interval(0, 1)],
        [interval(2, 2), interval(-1, 7), values(&[0, 1, 2, 8, 33, 64])],
        [interval(-3, 20), interval(1, 1), interval(0, 4)],
        [values(&[-5, -2, 4]), values(&[-7, 0, 2, 3]), values(&[-8, 0, 1, 16, 25])],
        [interval(-1, 2), interval(-9, -8), interval(-1, 1)],
    ] {
        samples.push(over(0, &domains, |_, x| Power::new(x[0], x[1], x[2])));
    }
    for pick in [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] {
        samples.push(not_plain(over(0, &[interval(-2, 4), interval(-1, 2)], |_, x| {
            Power::new(x[pick[0]], x[pick[1]], x[pick[2]])
        })));
    }
    samples.push(not_plain(over(0, &[interval(-1, 2), interval(0, 3), interval(-1, 9)], |_, x| {
        Power::new(1 - x[0], x[1] - 1, 2 * x[2] - 1)
    })));
    samples.push(not_plain(over(0, &[interval(-2, 2), interval(0, 2)], |_, x| {
        Power::new(x[0] + x[1], x[1], x[0] - 3)
    })));
    samples
}

/// Excludes a sample from the tests of sizes and strengths.
fn not_plain<M>(sample: Sample<M>) -> Sample<M> {
    Sample { plain: false, ..sample }
}
