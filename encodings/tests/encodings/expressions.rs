//! Samples of constraints over expressions: affine views, literals, constants and sums of integers.

use crate::formula::{Case, Sample, cases_of};
use crate::samples::{interval, over};
use gordian_encodings::constraint::{
    Absolute, Constraint, Count, Division, Element, Entry, Equality, Maximum, Minimum, Permutation, Product,
    Table,
};
use gordian_encodings::{Domain, Expr, IntVar, Lit};

/// Returns samples of the constraint that `make` creates from four expressions. The expressions are taken from the list
/// `x - 1`, `2 - y`, `2 x - 1`, `x + y`, `3 b` and 1.
fn samples<C: Constraint>(make: impl Fn([Expr; 4]) -> C) -> Vec<Sample<C>> {
    let domains: [Domain; 2] = [interval(0, 2), interval(-1, 1)];
    let pick = |l: &[Lit], x: &[IntVar], numbers: [usize; 4]| {
        let one = Expr::from(1);
        let all = [x[0] - 1, 2 - x[1], 2 * x[0] - 1, x[0] + x[1], 3 * Expr::from(l[0]), one];
        numbers.map(|number| all[number].clone())
    };
    let numbers = [[0, 1, 2, 3], [3, 0, 1, 4], [4, 3, 5, 0], [1, 4, 3, 2], [5, 2, 0, 1]];
    let sample = |numbers| {
        let mut sample = over(1, &domains, |l, x| make(pick(&l, &x, numbers)));
        sample.plain = false;
        sample
    };
    numbers.into_iter().map(sample).collect()
}

/// Returns a case for every sample and every encoding of its constraint type.
pub(crate) fn cases() -> Vec<Case> {
    use Entry::{Any, Is, Not};
    let rows = [
        vec![Is(-1), Not(1), Any, Is(1)],
        vec![Not(0), Is(1), Is(1), Any],
        vec![Is(3), Any, Not(0), Not(2)],
        vec![Is(1), Is(1), Any, Not(3)],
    ];
    [
        cases_of(samples(|[a, b, ..]| Equality::equal(a, b))),
        cases_of(samples(|[a, b, ..]| Equality::different(a, b))),
        cases_of(samples(|[a, b, c, _]| Product::new([a, b], c))),
        cases_of(samples(|[a, b, c, _]| Product { equal: false, ..Product::new([&a, &b, &a], c) })),
        cases_of(samples(|[a, b, c, _]| Division::new(a, -2, b, c))),
        cases_of(samples(|[a, b, ..]| Absolute::new(a, b))),
        cases_of(samples(|[a, b, c, d]| Minimum::new([a, b, c], d))),
        cases_of(samples(|[a, b, c, d]| Maximum::new([a, b, c], d))),
        cases_of(samples(|exprs| Count::between(exprs, 1, 1, 2))),
        cases_of(samples(|[a, b, c, d]| Count::counted([a, b, c], 1, d))),
        cases_of(samples(|exprs| Permutation::new(exprs, [-1, 1, 1, 3]))),
        cases_of(samples(|[a, b, c, d]| Element::new(a, [b, c], d))),
        cases_of(samples(|exprs| Table::new(exprs, rows.clone()))),
    ]
    .into_iter()
    .flatten()
    .collect()
}
