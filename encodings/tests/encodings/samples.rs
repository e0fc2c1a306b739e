//! The list of samples: constraints of every type, for every encoding. This file has over 400 lines because it is a
//! single list.

use crate::formula::{Case, Sample, cases_of};
use crate::minimal::MOST_TRIALS;
use gordian_encodings::constraint::{
    Absolute, Acyclic, AllDifferent, AtMostOne, Cardinality, Clause, Comparison, ComponentSize, Components,
    Connected, Constraint, DisjointPaths, Division, Element, Entry, Equality, ExactlyOne, Lexicographic,
    Linear, Maximum, Minimum, Path, Product, Reified, Table, Term,
};
use gordian_encodings::{CONSTRAINTS, Domain, Expr, FALSE, Graph, IntVar, Lit, Model, Strength, TRUE, Value};
use std::rc::Rc;
use std::sync::Arc;

/// Returns a case for every sample and every encoding of its constraint type.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(cases_of(clauses()));
    cases.extend(cases_of(at_most_ones()));
    cases.extend(cases_of(exactly_ones()));
    cases.extend(cases_of(cardinalities()));
    cases.extend(cases_of(linears()));
    cases.extend(cases_of(equalities()));
    cases.extend(cases_of(products()));
    cases.extend(cases_of(divisions()));
    cases.extend(cases_of(crate::functions::truncated_divisions()));
    cases.extend(cases_of(crate::functions::powers()));
    cases.extend(cases_of(absolutes()));
    cases.extend(cases_of(minima()));
    cases.extend(cases_of(maxima()));
    cases.extend(cases_of(all_differents()));
    cases.extend(cases_of(crate::values::permutations()));
    cases.extend(cases_of(crate::values::count()));
    cases.extend(cases_of(elements()));
    cases.extend(cases_of(tables()));
    cases.extend(cases_of(crate::sequences::automata()));
    cases.extend(cases_of(crate::sequences::value_precedences()));
    cases.extend(cases_of(crate::sequences::cumulatives()));
    cases.extend(cases_of(crate::sequences::disjunctives()));
    cases.extend(cases_of(crate::sequences::diffns()));
    cases.extend(cases_of(crate::successors::circuits()));
    cases.extend(cases_of(crate::successors::inverses()));
    cases.extend(cases_of(lexicographics()));
    cases.extend(cases_of(conditionals()));
    cases.extend(cases_of(connected()));
    cases.extend(cases_of(components()));
    cases.extend(cases_of(component_sizes()));
    cases.extend(cases_of(acyclic()));
    cases.extend(cases_of(paths()));
    cases.extend(cases_of(disjoint_paths()));
    cases.extend(cases_of(crate::reified::conjunctions()));
    cases.extend(cases_of(crate::reified::disjunctions()));
    cases.extend(cases_of(crate::reified::disconnected()));
    cases.extend(cases_of(crate::reified::negations()));
    cases.extend(crate::expressions::cases());
    let of_all = crate::reified::of_all(&cases);
    cases.extend(of_all);
    cases
}

#[test]
fn every_constraint_and_encoding_has_a_sample() {
    let cases = cases();
    // Integer views and objectives are listed as constraint types but have no samples. Every sample with integers
    // tests views, and objectives have their own tests.
    for meaning in CONSTRAINTS.iter().filter(|meaning| !["integers", "objective"].contains(&meaning.name)) {
        let written = |strength| strength != Strength::Lazy;
        for encoding in (meaning.encodings)().into_iter().filter(|row| written(row.strength)) {
            let found =
                cases.iter().filter(|case| (case.name, case.encoding) == (meaning.name, encoding.name));
            assert!(found.filter(|case| case.is_small()).count() > 1, "{}={}", meaning.name, encoding.name);
        }
    }
}

/// Creates a sample over `n` distinct Boolean variables.
pub(crate) fn plain<M>(n: usize, constraint: impl FnOnce(Vec<Lit>) -> M) -> Sample<M> {
    let mut model = Model::new();
    let lits = (0..n).map(|_| model.boolean()).collect();
    let constraint = constraint(lits);
    Sample { model: Rc::new(model), constraint, plain: true, trials: MOST_TRIALS, reaches: Vec::new() }
}

/// Creates a sample over `n` Boolean variables. Its literals may be negated, repeated or constant.
fn mixed<M>(n: usize, constraint: impl FnOnce(Vec<Lit>) -> M) -> Sample<M> {
    Sample { plain: false, ..plain(n, constraint) }
}

/// The number of variables, and a function that builds a list of literals from them.
type Mixture = (usize, fn(&[Lit]) -> Vec<Lit>);

/// Returns lists of literals that contain constants, repetitions and negations.
fn mixtures() -> Vec<Mixture> {
    vec![
        (0, |_| vec![TRUE]),
        (0, |_| vec![FALSE]),
        (0, |_| vec![TRUE, FALSE, TRUE]),
        (1, |l| vec![l[0], l[0]]),
        (1, |l| vec![l[0], !l[0]]),
        (2, |l| vec![TRUE, l[0], !l[1]]),
        (2, |l| vec![FALSE, !l[0], l[1], TRUE, TRUE]),
        (3, |l| vec![l[0], !l[1], l[0], l[2]]),
        (3, |l| vec![l[0], !l[0], l[1], l[2], !l[2]]),
        (3, |l| vec![l[0], l[1], FALSE, l[2], !l[1], TRUE, l[0]]),
        (4, |l| vec![!l[0], !l[1], l[2], l[3], l[3], l[3], l[1], l[0], l[0]]),
    ]
}

pub(crate) fn clauses() -> Vec<Sample<Clause>> {
    let mut samples: Vec<_> = (0..5).map(|n| plain(n, Clause::new)).collect();
    samples.extend(mixtures().into_iter().map(|(n, mix)| mixed(n, |lits| Clause::new(mix(&lits)))));
    samples
}

pub(crate) fn at_most_ones() -> Vec<Sample<AtMostOne>> {
    let mut samples: Vec<_> = (0..9).chain([10, 16, 17, 40]).map(|n| plain(n, AtMostOne::new)).collect();
    // Some encodings split nine literals into three groups. Three is not a power of two.
    samples.push(Sample { trials: 20 * MOST_TRIALS, ..plain(9, AtMostOne::new) });
    samples.extend(mixtures().into_iter().map(|(n, mix)| mixed(n, |lits| AtMostOne::new(mix(&lits)))));
    samples
}

pub(crate) fn exactly_ones() -> Vec<Sample<ExactlyOne>> {
    at_most_ones().into_iter().map(|sample| sample.map(|of| ExactlyOne::new(of.lits.as_slice()))).collect()
}

pub(crate) fn cardinalities() -> Vec<Sample<Cardinality>> {
    let mut samples = Vec::new();
    for n in 0..=7_usize {
        for min in 0..=n + 1 {
            for max in
                (min.saturating_sub(1)..=n + 1).filter(|&max| n < 5 || min == 0 || max >= n || max <= min + 1)
            {
                samples.push(plain(n, |lits| Cardinality::between(lits, min, max)));
            }
        }
    }
    for (n, min, max) in
        [(12, 0, 3), (12, 9, 12), (13, 4, 4), (16, 2, 13), (20, 10, 10), (31, 0, 16), (33, 5, 99)]
    {
        samples.push(plain(n, |lits| Cardinality::between(lits, min, max)));
    }
    for (n, mix) in mixtures() {
        for (min, max) in [(0, 1), (0, 2), (1, 9), (2, 2), (2, 3), (3, 1), (4, 9), (0, 4), (5, usize::MAX)] {
            samples.push(mixed(n, |lits| Cardinality::between(mix(&lits), min, max)));
        }
    }
    samples
}

pub(crate) fn connected() -> Vec<Sample<Connected>> {
    let shapes: [(usize, &[(usize, usize)]); 9] = [
        (0, &[]),
        (1, &[]),
        (2, &[(0, 1)]),
        (3, &[(0, 1), (1, 2)]),
        (3, &[]),
        (4, &[(0, 2), (2, 1), (1, 3)]),
        (4, &[(0, 1), (1, 2), (2, 3), (3, 0)]),
        (6, &[(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]),
        (6, &[(0, 5), (5, 1), (1, 4), (4, 2), (2, 3)]),
    ];
    // All vertices are adjacent to each other, so a diameter of 1 can be asserted.
    let complete = Arc::new(Graph::new(4, [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]));
    let mut samples = vec![plain(4, |lits| Connected::new(complete, lits).within(1))];
    for (n, edges) in shapes {
        let graph = Arc::new(Graph::new(n, edges.iter().copied()));
        samples.push(plain(n, |lits| Connected::new(graph.clone(), lits)));
        for root in 0..n {
            // The encoding needs a root, so one literal is the constant true. The remaining literals are distinct
            // variables.
            samples.push(plain(n, |mut lits| {
                lits[root] = TRUE;
                Connected::new(graph.clone(), lits)
            }));
        }
        for (fixed, value) in [(n / 2, FALSE), (n.saturating_sub(1), TRUE)] {
            samples.push(mixed(n, |mut lits| {
                if let [first, .., last] = &mut lits[..] {
                    *first = !*last;
                }
                if let Some(lit) = lits.get_mut(fixed) {
                    *lit = value;
                }
                Connected::new(graph.clone(), lits)
            }));
        }
    }
    samples
}

/// Creates a sample over Boolean variables and integers with the given domains.
pub(crate) fn over<M>(
    booleans: usize,
    domains: &[Domain],
    constraint: impl FnOnce(Vec<Lit>, Vec<IntVar>) -> M,
) -> Sample<M> {
    let mut model = Model::new();
    let lits = (0..booleans).map(|_| model.boolean()).collect();
    let ints = domains.iter().map(|domain| model.integer(domain.clone())).collect();
    let constraint = constraint(lits, ints);
    Sample { model: Rc::new(model), constraint, plain: true, trials: MOST_TRIALS, reaches: Vec::new() }
}

pub(crate) fn interval(first: Value, last: Value) -> Domain {
    Domain::interval(first, last)
}

const COMPARISONS: [Comparison; 4] =
    [Comparison::AtMost, Comparison::AtLeast, Comparison::Equal, Comparison::NotEqual];

/// The coefficients of a sum's literals, the coefficients and domains of its integers, and the bounds with which the
/// sum is compared.
type Shape = (Vec<Value>, Vec<(Value, Domain)>, Vec<Value>);

/// Returns samples of sums in which an integer occurs together with literals of the same integer.
fn linears_over_bounds() -> Vec<Sample<Linear>> {
    let mut samples = Vec::new();
    for comparison in COMPARISONS {
        for bound in [-1, 2, 3, 6] {
            let mut model = Model::new();
            let (x, b) = (model.integer(interval(0, 4)), model.boolean());
            let (low, two) = (model.at_most(x, 1), model.equals(x, 2));
            let terms =
                [(2, x.into()), (3, low.into()), (-2, two.into()), (1, b.into()), (1, Term::Lit(!low))];
            let constraint = Linear::new(terms, comparison, bound);
            let model = Rc::new(model);
            samples.push(Sample {
                model,
                constraint,
                plain: false,
                trials: MOST_TRIALS,
                reaches: Vec::new(),
            });
        }
    }
    samples
}

fn linears() -> Vec<Sample<Linear>> {
    let holes = Domain::from_values([-3, 0, 1, 5]);
    let shapes: Vec<Shape> = vec![
        (vec![], vec![], vec![-1, 0, 1]),
        (vec![3], vec![], vec![-1, 0, 2, 3]),
        (vec![-2], vec![], vec![-3, -2, -1, 0]),
        (vec![1, 1], vec![], vec![0, 1, 2]),
        (vec![2, -3], vec![], vec![-3, -1, 0, 1, 2]),
        (vec![1, 2, 3], vec![], vec![0, 2, 3, 4, 5]),
        (vec![2, 4, -6], vec![], vec![-5, -2, 0, 1, 2]),
        (vec![3, -1, 2, 2], vec![], vec![-1, 0, 2, 3, 5]),
        (vec![5, 4, 3, -3, 2], vec![], vec![0, 4, 7, 9]),
        (vec![7, 5, 3, 2, 2, 1], vec![], vec![6, 10, 13]),
        (vec![], vec![(1, interval(0, 3))], vec![0, 2, 3]),
        (vec![], vec![(-2, interval(-2, 1))], vec![-1, 0, 3]),
        (vec![], vec![(1, interval(0, 3)), (1, interval(0, 3))], vec![0, 2, 3, 5]),
        (vec![], vec![(2, interval(-1, 2)), (-3, interval(0, 2))], vec![-4, -1, 0, 1, 3]),
        (vec![], vec![(1, holes.clone()), (-1, interval(0, 2))], vec![-2, 0, 1]),
        (vec![], vec![(2, holes.clone()), (1, holes)], vec![-3, 0, 4, 9]),
        (vec![4], vec![(1, interval(0, 2)), (-2, interval(1, 3))], vec![-3, -1, 0, 2]),
        (vec![], vec![(1, interval(0, 2)), (1, interval(0, 2)), (-1, interval(0, 3))], vec![0, 1, 2]),
        (vec![1, -1], vec![(1, interval(0, 2)), (2, interval(-1, 0))], vec![-2, 0, 1]),
        (vec![], (1..=4).map(|c| (c, interval(0, 1))).collect(), vec![3, 5, 8]),
    ];
    let mut samples = linears_over_bounds();
    for (booleans, integers, bounds) in shapes {
        let domains: Vec<Domain> = integers.iter().map(|(_, domain)| domain.clone()).collect();
        for bound in bounds {
            for comparison in COMPARISONS {
                let sample = over(booleans.len(), &domains, |lits, ints| {
                    let lits = booleans.iter().copied().zip(lits.into_iter().map(Term::from));
                    let ints = integers.iter().map(|&(c, _)| c).zip(ints.into_iter().map(Term::from));
                    Linear::new(lits.chain(ints), comparison, bound)
                });
                samples.push(match comparison {
                    Comparison::AtMost | Comparison::AtLeast if integers.is_empty() => sample
                        .reaches("order", Strength::DomainConsistent)
                        .reaches("bdd", Strength::DomainConsistent)
                        .reaches("generalized-totalizer", Strength::DomainConsistent)
                        .reaches("global-watchdog", Strength::ConsistencyChecker)
                        .reaches("local-watchdog", Strength::DomainConsistent)
                        .reaches("sequential-weight-counter", Strength::DomainConsistent),
                    Comparison::AtMost | Comparison::AtLeast => sample
                        .reaches("order", Strength::DomainConsistent)
                        .reaches("bdd", Strength::DomainConsistent)
                        .reaches("sequential-weight-counter", Strength::DomainConsistent),
                    _ => sample,
                });
            }
        }
    }
    for (n, mix) in mixtures() {
        for comparison in COMPARISONS {
            for bound in [-1, 0, 1, 4] {
                let mut sample = over(n, &[interval(1, 3), interval(7, 7)], |lits, ints| {
                    let lits = mix(&lits).into_iter().zip([1, -2, 3, 1, 1, -1, 2, 5, 1]);
                    let terms = lits.map(|(lit, c)| (c, Term::from(lit)));
                    let ints =
                        [(1, ints[0].into()), (2, ints[1].into()), (-3, ints[0].into()), (0, ints[1].into())];
                    Linear::new(terms.chain(ints), comparison, bound + 10)
                });
                sample.plain = false;
                samples.push(sample);
            }
        }
    }
    samples
}

fn values(values: &[Value]) -> Domain {
    Domain::from_values(values.iter().copied())
}

fn products() -> Vec<Sample<Product>> {
    let split = |ints: Vec<IntVar>| {
        let (product, factors) = ints.split_last().expect("the product");
        Product::new(factors, *product)
    };
    let mut samples: Vec<_> = [
        vec![interval(0, 2)],
        vec![interval(0, 3), interval(1, 4)],
        vec![interval(0, 2), interval(0, 3), interval(0, 6)],
        vec![interval(1, 3), interval(1, 3), interval(6, 6)],
        vec![interval(1, 3), interval(1, 3), interval(5, 5)],
        vec![interval(-2, 2), interval(-1, 2), interval(-3, 3)],
        vec![interval(-2, 1), values(&[-3, 0, 2]), values(&[-6, -4, 0, 3, 5])],
        vec![interval(1, 3), interval(1, 3), interval(1, 3), interval(12, 12)],
        vec![interval(0, 2), interval(-1, 1), interval(1, 2), values(&[-4, -1, 0, 2])],
        vec![interval(1, 2), interval(1, 3), interval(1, 3), interval(2, 3), interval(12, 12)],
        vec![interval(2, 3), interval(2, 3), values(&[0, 3, 10])],
    ]
    .into_iter()
    .map(|domains| over(0, &domains, |_, ints| split(ints)))
    .collect();
    for (exponent, base, power) in [
        (0, interval(-1, 1), interval(0, 2)),
        (2, interval(-3, 3), interval(-1, 9)),
        (3, interval(-2, 3), interval(-8, 20)),
    ] {
        samples.push(over(0, &[base, power], |_, ints| Product::power(ints[0], exponent, ints[1])));
    }
    // Products without factors and with one factor.
    for domains in [
        vec![interval(0, 0)],
        vec![interval(1, 1)],
        vec![interval(2, 5)],
        vec![values(&[-2, 1, 4])],
        vec![interval(-1, 3), interval(0, 4)],
        vec![interval(2, 2), interval(0, 3)],
        vec![interval(0, 3), interval(5, 5)],
        vec![interval(2, 2), interval(3, 3), interval(6, 6)],
        vec![interval(0, 0), interval(-2, 2), interval(-1, 1)],
    ] {
        samples.push(over(0, &domains, |_, ints| split(ints)));
    }
    // In each of the following samples, an integer occurs more than once: as both factors, or as a factor and as the
    // product.
    for pick in [[0, 0, 0], [0, 1, 1], [0, 1, 0], [0, 0, 1], [1, 1, 0]] {
        let domains = [interval(-1, 3), interval(0, 4)];
        let mut sample =
            over(0, &domains, |_, ints| Product::new([ints[pick[0]], ints[pick[1]]], ints[pick[2]]));
        sample.plain = false;
        samples.push(sample);
    }
    samples
}

fn divisions() -> Vec<Sample<Division>> {
    let mut samples = Vec::new();
    for (x, divisor, q, r) in [
        (interval(0, 9), 3, interval(0, 3), interval(0, 2)),
        (interval(-4, 4), 3, interval(-2, 2), interval(-1, 3)),
        (interval(-4, 4), -2, interval(-3, 3), interval(0, 1)),
        (values(&[-7, 0, 5, 12]), 4, values(&[-2, 1, 3]), values(&[0, 1, 3])),
        (interval(0, 5), 1, interval(0, 4), interval(0, 1)),
        (interval(0, 3), 2, interval(0, 1), interval(0, 1)),
        (interval(0, 2), 9, interval(-1, 1), interval(0, 3)),
        (interval(0, 2), 0, interval(0, 1), interval(0, 1)),
    ] {
        samples.push(over(0, &[x, q, r], |_, ints| Division::new(ints[0], divisor, ints[1], ints[2])));
    }
    for pick in [[0, 0, 0], [0, 0, 1], [0, 1, 0], [1, 0, 0]] {
        let mut sample = over(0, &[interval(-2, 4), interval(-1, 2)], |_, ints| {
            Division::new(ints[pick[0]], 2, ints[pick[1]], ints[pick[2]])
        });
        sample.plain = false;
        samples.push(sample);
    }
    samples
}

pub(crate) fn equalities() -> Vec<Sample<Equality>> {
    let mut samples = Vec::new();
    for equal in [true, false] {
        for domains in [
            [interval(0, 3), interval(0, 3)],
            [interval(-1, 3), interval(-1, 3)],
            [interval(0, 1), interval(0, 1)],
            [interval(1, 3), interval(1, 6)],
            [values(&[0, 2, 5]), values(&[0, 1, 5, 6])],
            [interval(0, 3), interval(1, 4)],
            [interval(0, 6), interval(2, 2)],
            [interval(3, 3), interval(0, 4)],
            [interval(0, 2), interval(4, 4)],
            [interval(2, 2), interval(2, 2)],
            [interval(1, 1), interval(2, 2)],
        ] {
            samples.push(over(0, &domains, |_, x| Equality { equal, ..Equality::equal(x[0], x[1]) }));
        }
        let mut same = over(0, &[interval(0, 4)], |_, x| Equality { equal, ..Equality::equal(x[0], x[0]) });
        same.plain = false;
        samples.push(same);
    }
    samples
}

fn absolutes() -> Vec<Sample<Absolute>> {
    let mut samples: Vec<_> = [
        [interval(-3, 2), interval(0, 4)],
        [interval(-5, -1), interval(-1, 3)],
        [interval(0, 3), interval(1, 5)],
        [values(&[-4, -1, 3]), values(&[-3, 1, 2, 4])],
        [interval(0, 0), interval(0, 2)],
        [interval(-2, 2), interval(-3, -1)],
    ]
    .into_iter()
    .map(|domains| over(0, &domains, |_, ints| Absolute::new(ints[0], ints[1])))
    .collect();
    let mut same = over(0, &[interval(-2, 2)], |_, ints| Absolute::new(ints[0], ints[0]));
    same.plain = false;
    samples.push(same);
    samples
}

/// Returns samples of a minimum or a maximum. `make` creates the constraint from a list of integers and the integer
/// that must be their minimum or maximum.
fn min_max<C: Constraint>(make: fn(&[IntVar], IntVar) -> C) -> Vec<Sample<C>> {
    let mut samples = Vec::new();
    for domains in [
        vec![interval(0, 2)],
        vec![interval(0, 2), interval(1, 3)],
        vec![interval(0, 2), interval(0, 2), interval(0, 2), interval(0, 2)],
        vec![interval(0, 3), interval(-1, 2), interval(0, 3)],
        vec![values(&[-2, 1, 4]), values(&[0, 1, 3]), values(&[-2, 0, 3, 5])],
        vec![interval(0, 1), interval(0, 1), interval(5, 6)],
        // The following samples are the three preceding samples with all signs inverted.
        vec![interval(-3, 0), interval(-2, 1), interval(-3, 0)],
        vec![values(&[-4, -1, 2]), values(&[-3, -1, 0]), values(&[-5, -3, 0, 2])],
        vec![interval(-1, 0), interval(-1, 0), interval(-6, -5)],
    ] {
        samples.push(over(0, &domains, |_, ints| {
            let (value, of) = ints.split_last().expect("the minimum or maximum");
            make(of, *value)
        }));
    }
    let mut same =
        over(0, &[interval(-1, 2), interval(0, 2)], |_, ints| make(&[ints[0], ints[1], ints[0]], ints[1]));
    same.plain = false;
    samples.push(same);
    samples
}

pub(crate) fn minima() -> Vec<Sample<Minimum>> {
    min_max(|of, value| Minimum::new(of, value))
}

pub(crate) fn maxima() -> Vec<Sample<Maximum>> {
    min_max(|of, value| Maximum::new(of, value))
}

pub(crate) fn all_differents() -> Vec<Sample<AllDifferent>> {
    let mut samples: Vec<_> = [
        vec![],
        vec![interval(0, 2)],
        vec![interval(0, 1), interval(0, 1)],
        vec![interval(0, 2), interval(0, 2)],
        vec![interval(0, 1), interval(0, 1), interval(0, 1)],
        vec![interval(0, 2), interval(0, 2), interval(0, 2)],
        vec![interval(0, 3), interval(0, 3), interval(0, 3)],
        vec![interval(-1, 1), values(&[-1, 2]), values(&[0, 2, 5])],
        vec![interval(0, 3), interval(0, 3), interval(0, 3), interval(0, 3)],
        vec![interval(1, 3), interval(2, 4), interval(2, 2), interval(3, 5)],
    ]
    .into_iter()
    .map(|domains| over(0, &domains, |_, ints| AllDifferent::new(ints)))
    .collect();
    let mut twice =
        over(0, &[interval(0, 2), interval(0, 2)], |_, ints| AllDifferent::new([ints[0], ints[1], ints[0]]));
    twice.plain = false;
    samples.push(twice);
    samples.extend(all_differents_of_expressions());
    samples
}

/// Returns samples that contain affine expressions (such as `x + 1`, `2 - x` and `2 x - 1`), a sum of two integers, and
/// a literal.
fn all_differents_of_expressions() -> Vec<Sample<AllDifferent>> {
    let domains = [interval(0, 2), interval(0, 2), interval(0, 2)];
    let mut samples = vec![
        over(0, &domains, |_, x| AllDifferent::new([x[0] + 0, x[1] + 1, x[2] + 2])),
        over(0, &domains, |_, x| AllDifferent::new([x[0] + 0, 2 - x[1], 2 * x[2] - 1])),
        over(0, &domains, |_, x| AllDifferent::new([x[0] + x[1], x[2] + 0])),
        over(1, &domains[..2], |l, x| AllDifferent::new([Expr::from(l[0]), x[0] + 0, 1 - x[1]])),
    ];
    for sample in &mut samples {
        sample.plain = false;
    }
    samples
}

pub(crate) fn tables() -> Vec<Sample<Table>> {
    use Entry::{Any, Is, Not};
    let shapes: [(usize, Vec<Domain>, Vec<Vec<Entry>>); 11] = [
        (0, vec![], vec![]),
        // Each value of a column occurs in two rows.
        (
            0,
            vec![interval(0, 2); 2],
            vec![vec![Is(0), Is(1)], vec![Is(1), Is(0)], vec![Is(0), Is(0)], vec![Is(1), Is(1)]],
        ),
        (0, vec![], vec![vec![]]),
        (2, vec![], vec![vec![Is(0), Is(1)], vec![Is(1), Is(0)]]),
        (3, vec![], vec![vec![Is(0), Is(1), Any], vec![Is(1), Not(1), Is(1)], vec![Is(1), Is(1), Is(0)]]),
        (
            0,
            vec![interval(0, 2), interval(0, 2)],
            vec![vec![Is(0), Is(2)], vec![Is(1), Is(1)], vec![Is(2), Is(2)]],
        ),
        (0, vec![interval(1, 3), interval(1, 2)], vec![vec![Not(2), Is(1)], vec![Is(2), Any]]),
        (1, vec![interval(0, 3)], vec![vec![Is(1), Is(9)], vec![Is(0), Not(1)], vec![Is(2), Any]]),
        (
            0,
            vec![interval(0, 2); 3],
            vec![vec![Is(0), Not(0), Is(1)], vec![Not(1), Is(2), Not(1)], vec![Is(2), Is(2), Is(2)]],
        ),
        (
            0,
            vec![values(&[-5, 0, 7]), interval(0, 2)],
            vec![vec![Is(-5), Not(0)], vec![Not(-5), Is(0)], vec![Is(7), Is(7)]],
        ),
        (1, vec![interval(0, 1)], vec![vec![Any, Any], vec![Is(0), Is(1)]]),
    ];
    let mut samples = Vec::new();
    for (booleans, domains, rows) in shapes {
        samples.push(over(booleans, &domains, |lits, ints| {
            let columns: Vec<Term> =
                lits.into_iter().map(Term::from).chain(ints.into_iter().map(Term::from)).collect();
            Table::new(columns, rows)
        }));
    }
    let rows = vec![
        vec![Is(1), Is(0), Any, Is(1)],
        vec![Not(1), Any, Is(0), Not(2)],
        vec![Is(0), Is(1), Is(1), Is(0)],
    ];
    for mix in
        [|l: &[Lit]| [l[0], !l[0], l[1]], |l: &[Lit]| [TRUE, l[0], l[1]], |l: &[Lit]| [l[0], FALSE, !l[1]]]
    {
        let mut sample = over(2, &[interval(0, 2)], |lits, ints| {
            let [a, b, c] = mix(&lits).map(Expr::from);
            Table::new([a, b, c, ints[0].into()], rows.clone())
        });
        sample.plain = false;
        samples.push(sample);
    }
    samples
}

pub(crate) fn lexicographics() -> Vec<Sample<Lexicographic>> {
    let mut samples = Vec::new();
    for strict in [false, true] {
        for n in 0..5 {
            samples.push(plain(2 * n, |lits| {
                let (left, right) = lits.split_at(n);
                Lexicographic { left: left.to_vec(), right: right.to_vec(), strict }
            }));
        }
        for (n, mix) in mixtures() {
            samples.push(mixed(n, |lits| {
                let left = mix(&lits);
                let right: Vec<Lit> = left.iter().rev().copied().collect();
                Lexicographic { left, right, strict }
            }));
        }
        samples.push(mixed(2, |l| Lexicographic {
            left: vec![l[0], l[1], TRUE],
            right: vec![l[0], !l[1], FALSE],
            strict,
        }));
    }
    samples
}

fn conditionals() -> Vec<Sample<Reified>> {
    let samples = vec![
        plain(3, |l| Reified::implies(l[0], Clause::new([l[1], l[2]]))),
        plain(5, |l| Reified::implies(l[0], AtMostOne::new([l[1], l[2], l[3], l[4]]))),
        plain(5, |l| {
            Reified::choose(l[0], Cardinality::at_least(&l[1..], 2), Cardinality::exactly(&l[1..], 1))
        }),
        over(1, &[interval(0, 3), interval(0, 3)], |l, x| {
            Reified::equivalent(l[0], Equality::equal(x[0], x[1]))
        }),
        plain(5, |l| Reified::equivalent(l[0], Lexicographic::at_most(&l[1..3], &l[3..5]))),
        over(1, &[interval(0, 3), interval(0, 3)], |l, x| {
            Reified::equivalent(l[0], Linear::at_most([(1, x[0].into()), (-2, x[1].into())], -1))
        }),
        over(1, &[interval(0, 3), interval(0, 3)], |l, x| {
            Reified::equivalent(l[0], Linear::equal([(1, x[0].into()), (-1, x[1].into())], 0))
        }),
        over(2, &[interval(0, 2), interval(0, 2), interval(0, 4)], |l, x| {
            let sum = Linear::equal([(1, x[0].into()), (1, x[1].into()), (-1, x[2].into())], 0);
            Reified::implies(l[0], Reified::choose(l[1], Product::new([x[0], x[1]], x[2]), sum))
        }),
        over(1, &[interval(0, 1), interval(0, 1)], |l, x| Reified::implies(l[0], AllDifferent::new(x))),
        over(1, &[interval(0, 2), interval(0, 2), interval(0, 2)], |l, x| {
            Reified::implies(l[0], AllDifferent::new(x))
        }),
        plain(4, |l| Reified::equivalent(l[0], Clause::new(&l[1..]))),
        plain(4, |l| Reified::equivalent(l[0], AtMostOne::new(&l[1..]))),
        plain(4, |l| Reified::equivalent(l[0], ExactlyOne::new(&l[1..]))),
        mixed(2, |l| Reified::choose(l[0], Clause::new([!l[0], l[1]]), Clause::new([l[0]]))),
        mixed(2, |l| Reified::equivalent(TRUE, Lexicographic::below([l[0]], [l[1]]))),
        mixed(2, |l| Reified::equivalent(FALSE, Lexicographic::below([l[0]], [l[1]]))),
    ];
    samples.into_iter().map(|sample| sample.reaches("half-reification", Strength::TotalAssignments)).collect()
}

fn elements() -> Vec<Sample<Element>> {
    let split = |mut terms: Vec<Term>, index: IntVar| {
        let value = terms.pop().expect("the value");
        Element::new(index, terms, value)
    };
    let ints = |ints: &[IntVar]| ints.iter().copied().map(Term::from).collect::<Vec<_>>();
    let lits = |lits: &[Lit]| lits.iter().copied().map(Term::from).collect::<Vec<_>>();
    let mut samples = vec![
        over(3, &[interval(0, 1)], |l, x| split(lits(&l), x[0])),
        over(4, &[interval(-1, 4)], |l, x| split(lits(&l), x[0])),
        over(0, &[interval(0, 1), interval(0, 2), interval(1, 3), interval(0, 3)], |_, x| {
            split(ints(&x[1..]), x[0])
        }),
        over(0, &[interval(1, 2), values(&[0, 5]), interval(1, 2), values(&[-1, 2, 5])], |_, x| {
            split(ints(&x[1..]), x[0])
        }),
        over(1, &[interval(0, 0), interval(0, 2)], |l, x| split(vec![l[0].into(), x[1].into()], x[0])),
        over(1, &[interval(0, 2)], |l, x| split(lits(&l), x[0])),
    ];
    let mut mixed = over(2, &[interval(0, 3)], |l, x| split(lits(&[l[0], !l[0], TRUE, FALSE, l[1]]), x[0]));
    mixed.plain = false;
    samples.push(mixed);
    let mut own =
        over(0, &[interval(0, 2), interval(0, 3)], |_, x| split(ints(&[x[0], x[1], x[0], x[1]]), x[0]));
    own.plain = false;
    samples.push(own);
    samples
}

fn paths() -> Vec<Sample<Path>> {
    let shapes: [(usize, &[(usize, usize)]); 7] = [
        (1, &[]),
        (2, &[(0, 1)]),
        (3, &[(0, 1), (1, 2)]),
        // Both ends of the path are on the same side of a bipartite graph. No path exists, but proving this requires a
        // counting argument.
        (6, &[(0, 1), (0, 3), (0, 5), (2, 1), (2, 3), (2, 5), (4, 1), (4, 3), (4, 5)]),
        (3, &[(0, 1), (1, 2), (2, 0)]),
        (4, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]),
        // The graph consists of a path and an adjacent triangle, which must not become a separate cycle.
        (5, &[(0, 1), (2, 3), (3, 4), (4, 2), (1, 2)]),
    ];
    let mut samples = Vec::new();
    for (n, edges) in shapes {
        for (start, end) in [(0, n - 1), (0, 0), (n / 2, 0), (n - 1, 1.min(n - 1))] {
            let named =
                |lits: &[Lit]| edges.iter().zip(lits).map(|(&(a, b), &lit)| (a, b, lit)).collect::<Vec<_>>();
            samples.push(plain(n + edges.len(), |lits| Path::new(start, end, &lits[..n], named(&lits[n..]))));
            // The vertex literals are the constant true, and the edge literals are distinct variables.
            samples.push(plain(edges.len(), |lits| Path::new(start, end, vec![TRUE; n], named(&lits))));
        }
    }
    samples
}

fn components() -> Vec<Sample<Components>> {
    type Shape = (usize, &'static [(usize, usize)], &'static [(usize, Option<usize>)]);
    let shapes: [Shape; 9] = [
        (2, &[(0, 1)], &[]),
        (2, &[(0, 1)], &[(0, None)]),
        (3, &[(0, 1), (1, 2)], &[(0, None), (2, None)]),
        (3, &[(0, 1), (1, 2)], &[(1, Some(2))]),
        (3, &[(0, 1), (1, 2)], &[(1, Some(0))]),
        (4, &[(0, 1), (1, 2), (2, 3), (3, 0)], &[(0, Some(1)), (2, None)]),
        (5, &[(0, 1), (1, 2), (2, 3), (3, 4)], &[(0, Some(2)), (4, None)]),
        (5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)], &[(0, Some(3))]),
        (6, &[(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)], &[(0, Some(2)), (5, Some(3))]),
    ];
    let mut samples = Vec::new();
    for (n, edges, roots) in shapes {
        let graph = Arc::new(Graph::new(n, edges.iter().copied()));
        samples.push(plain(n, |lits| Components::new(Arc::clone(&graph), lits, roots)));
        samples.push(mixed(2, |lits| {
            let own = |vertex: usize| [lits[0], TRUE, !lits[1], FALSE, lits[1]][(vertex + n) % 5];
            Components::new(Arc::clone(&graph), (0..n).map(own).collect::<Vec<_>>(), roots)
        }));
    }
    samples
}

fn component_sizes() -> Vec<Sample<ComponentSize>> {
    let shapes: [(usize, &[(usize, usize)]); 5] = [
        (1, &[]),
        (3, &[(0, 1), (1, 2)]),
        (4, &[(0, 1), (2, 3)]),
        (5, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 0)]),
        (6, &[(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]),
    ];
    let mut samples = Vec::new();
    for (n, edges) in shapes {
        let graph = Arc::new(Graph::new(n, edges.iter().copied()));
        for size in 0..=n.min(4) {
            samples.push(plain(n, |lits| ComponentSize::new(Arc::clone(&graph), lits, size)));
            samples.push(mixed(2, |lits| {
                let own = |vertex: usize| [lits[0], TRUE, !lits[1], FALSE, lits[1]][(vertex + n) % 5];
                ComponentSize::new(Arc::clone(&graph), (0..n).map(own).collect::<Vec<_>>(), size)
            }));
        }
    }
    samples
}

fn acyclic() -> Vec<Sample<Acyclic>> {
    let shapes: [(usize, &[(usize, usize)]); 7] = [
        (1, &[]),
        (1, &[(0, 0)]),
        (2, &[(0, 1), (0, 1), (1, 0)]),
        (3, &[(0, 1), (1, 2), (2, 0)]),
        (4, &[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]),
        (5, &[(0, 1), (1, 2), (3, 4), (3, 3)]),
        // Two squares that share a side.
        (6, &[(0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5)]),
    ];
    let mut samples = Vec::new();
    for (n, edges) in shapes {
        let named =
            |lits: Vec<Lit>| -> Vec<_> { edges.iter().zip(lits).map(|(&(a, b), lit)| (a, b, lit)).collect() };
        samples.push(plain(edges.len(), |lits| Acyclic::new(n, named(lits.clone()))));
        samples.push(mixed(2, |lits| {
            let own = |edge: usize| [lits[0], TRUE, !lits[1], FALSE, lits[1]][(edge + n) % 5];
            Acyclic::new(n, named((0..edges.len()).map(own).collect()))
        }));
    }
    samples
}

fn disjoint_paths() -> Vec<Sample<DisjointPaths>> {
    type Shape = (usize, &'static [(usize, usize)], &'static [[usize; 2]]);
    let shapes: [Shape; 10] = [
        (2, &[(0, 1)], &[]),
        (2, &[(0, 1)], &[[0, 1]]),
        (1, &[], &[[0, 0]]),
        (3, &[(0, 1), (1, 2)], &[[0, 2], [1, 1]]),
        // The two ends of each pair are opposite corners of a square, so the paths would have to cross.
        (4, &[(0, 1), (1, 2), (2, 3), (3, 0)], &[[0, 2], [1, 3]]),
        (4, &[(0, 1), (1, 2), (2, 3), (3, 0)], &[[0, 1], [2, 3]]),
        (4, &[(0, 1), (1, 2), (2, 0), (2, 3)], &[[0, 3]]),
        // Both ends are on the same side of a bipartite graph, so no path visits all vertices.
        (6, &[(0, 1), (0, 3), (0, 5), (2, 1), (2, 3), (2, 5), (4, 1), (4, 3), (4, 5)], &[[0, 2]]),
        // A triangle that must not become a separate cycle.
        (5, &[(0, 1), (2, 3), (3, 4), (4, 2)], &[[0, 1]]),
        // The ends of the three pairs can be joined in only one way.
        (6, &[(0, 1), (2, 3), (4, 5), (1, 2), (3, 4), (5, 0)], &[[0, 1], [2, 3], [4, 5]]),
    ];
    let mut samples = Vec::new();
    for (n, edges, pairs) in shapes {
        let named =
            |lits: &[Lit]| edges.iter().zip(lits).map(|(&(a, b), &lit)| (a, b, lit)).collect::<Vec<_>>();
        if n + edges.len() <= 10 {
            samples.push(plain(n + edges.len(), |lits| {
                DisjointPaths::new(pairs, &lits[..n], named(&lits[n..]))
            }));
        }
        // All vertices are on paths. The edge literals are distinct variables.
        samples.push(plain(edges.len(), |lits| DisjointPaths::new(pairs, vec![TRUE; n], named(&lits))));
        samples.push(mixed(edges.len() + 1, |lits| {
            let own = |vertex: usize| [lits[0], !lits[0], TRUE, lits[edges.len() / 2]][vertex % 4];
            DisjointPaths::new(pairs, (0..n).map(own).collect::<Vec<_>>(), named(&lits[1..]))
        }));
    }
    samples
}
