//! The one list: constraints of every meaning, for every technique.

use crate::formula::{Case, Sample, cases_of};
use gordian_encodings::constraint::{AtMostOne, Cardinality, Clause, Comparison, Connected, Linear, Term};
use gordian_encodings::{Domain, FALSE, Graph, IntVar, Lit, MEANINGS, Model, Strength, TRUE, Value};
use std::sync::Arc;

/// Every technique on every sample of its meaning.
pub(crate) fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    cases.extend(cases_of(clauses()));
    cases.extend(cases_of(at_most_ones()));
    cases.extend(cases_of(cardinalities()));
    cases.extend(cases_of(linears()));
    cases.extend(cases_of(connected()));
    cases
}

#[test]
fn every_meaning_and_technique_has_a_sample() {
    let cases = cases();
    // Integers have no constraint of their own: every sample with integers starts each of their views.
    for meaning in MEANINGS.iter().filter(|meaning| meaning.name != "integers") {
        for technique in (meaning.techniques)() {
            let found =
                cases.iter().filter(|case| (case.meaning, case.technique) == (meaning.name, technique.name));
            assert!(found.filter(|case| case.is_small()).count() > 1, "{}={}", meaning.name, technique.name);
        }
    }
}

/// A sample over `n` distinct Boolean variables.
fn plain<M>(n: usize, constraint: impl FnOnce(Vec<Lit>) -> M) -> Sample<M> {
    let mut model = Model::new();
    let lits = (0..n).map(|_| model.boolean()).collect();
    Sample { model, constraint: constraint(lits), plain: true, reaches: Vec::new() }
}

/// A sample over `n` Boolean variables that the constraint negates, repeats or mixes with constants.
fn mixed<M>(n: usize, constraint: impl FnOnce(Vec<Lit>) -> M) -> Sample<M> {
    Sample { plain: false, ..plain(n, constraint) }
}

/// A number of variables, and a list made of them.
type Mixture = (usize, fn(&[Lit]) -> Vec<Lit>);

/// Lists of literals with constants, repetitions and negations.
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

fn clauses() -> Vec<Sample<Clause>> {
    let mut samples: Vec<_> = (0..5).map(|n| plain(n, Clause::new)).collect();
    samples.extend(mixtures().into_iter().map(|(n, mix)| mixed(n, |lits| Clause::new(mix(&lits)))));
    samples
}

fn at_most_ones() -> Vec<Sample<AtMostOne>> {
    let mut samples: Vec<_> = (0..9).chain([10, 16, 17, 40]).map(|n| plain(n, AtMostOne::new)).collect();
    samples.extend(mixtures().into_iter().map(|(n, mix)| mixed(n, |lits| AtMostOne::new(mix(&lits)))));
    samples
}

fn cardinalities() -> Vec<Sample<Cardinality>> {
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

fn connected() -> Vec<Sample<Connected>> {
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
    let mut samples = Vec::new();
    for (n, edges) in shapes {
        let graph = Arc::new(Graph::new(n, edges.iter().copied()));
        samples.push(plain(n, |lits| Connected::new(graph.clone(), lits)));
        for root in 0..n {
            // A certain root is what the technique expects: still distinct variables.
            let mut sample = plain(n, |mut lits| {
                lits[root] = TRUE;
                Connected::new(graph.clone(), lits)
            });
            sample.plain = false;
            samples.push(sample);
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

/// A sample over Boolean variables and integers with these domains.
fn over<M>(
    booleans: usize,
    domains: &[Domain],
    constraint: impl FnOnce(Vec<Lit>, Vec<IntVar>) -> M,
) -> Sample<M> {
    let mut model = Model::new();
    let lits = (0..booleans).map(|_| model.boolean()).collect();
    let ints = domains.iter().map(|domain| model.integer(domain.clone())).collect();
    Sample { model, constraint: constraint(lits, ints), plain: true, reaches: Vec::new() }
}

fn interval(first: Value, last: Value) -> Domain {
    Domain::interval(first, last)
}

const COMPARISONS: [Comparison; 4] =
    [Comparison::AtMost, Comparison::AtLeast, Comparison::Equal, Comparison::NotEqual];

/// Coefficients of literals, coefficients and domains of integers, bounds.
type Shape = (Vec<Value>, Vec<(Value, Domain)>, Vec<Value>);

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
    let mut samples = Vec::new();
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
                    Comparison::AtMost | Comparison::AtLeast => {
                        sample.reaches("order", Strength::Domain).reaches("bdd", Strength::Domain)
                    }
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
