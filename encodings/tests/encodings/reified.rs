//! Samples of constraints that contain other constraints: conjunctions, disjunctions, and the negation of every
//! sample.

use crate::formula::{Case, Sample, cases_of};
use crate::samples::{connected, interval, over, plain};
use gordian_encodings::constraint::{
    AllDifferent, AtMostOne, Cardinality, Clause, Conjunction, Disconnected, Disjunction, ExactlyOne,
    Lexicographic, Linear, Negation, Product, Reified,
};
use gordian_encodings::{Constraint, FALSE, IntVar, Lit, Model, Strength, TRUE};
use std::rc::Rc;
use std::sync::Arc;

/// The constraint types for which the encoding of the constraint or of its negation is a disjunction. The solver must
/// choose one of the disjunction's alternatives.
const ALTERNATIVES: [&str; 11] = [
    "exactly-one",
    "cardinality",
    "negation",
    "disjunction",
    "connectivity",
    "disconnection",
    "path",
    "disjoint-paths",
    "components",
    "component-size",
    "acyclic",
];

/// For each sample, returns cases for the negation of the constraint and for the equivalence `literal <-> constraint`.
/// If the negation is a constraint of the same type, there is a case for each encoding of this type.
pub(crate) fn of_all(cases: &[Case]) -> Vec<Case> {
    let mut made = Vec::new();
    for case in cases {
        let is_auto = case.encoding == "auto";
        // The chosen encoding does not affect negations of other types.
        let is_of_type = case.constraint.negation(case.model.domains()).type_name() == case.name;
        if !is_auto && !is_of_type {
            continue;
        }
        let alternatives = ALTERNATIVES.contains(&case.name);
        let sample = |model: Rc<Model>| Sample {
            model,
            constraint: Arc::clone(&case.constraint),
            plain: case.distinct && is_auto,
            trials: if is_auto { 3_000 } else { 0 },
            reaches: ["inward", "half-reification"]
                .map(|encoding| {
                    (encoding, if alternatives { Strength::Search } else { Strength::TotalAssignments })
                })
                .to_vec(),
        };
        let made_of = |of: &Arc<dyn Constraint>| Negation { of: Arc::clone(of) };
        let mut of_case = cases_of(vec![sample(Rc::clone(&case.model)).map(made_of)]);
        if let Some((model, lit)) = with_a_literal(&case.model) {
            let equivalent = |of: &Arc<dyn Constraint>| {
                let negation = Arc::new(made_of(of));
                Reified { condition: lit, then: Some(Arc::clone(of)), otherwise: Some(negation) }
            };
            of_case.extend(cases_of(vec![sample(Rc::new(model)).map(equivalent)]));
        }
        for made in &mut of_case {
            made.encodings = case.encodings.clone();
            made.label = format!("{}={}, {}", case.name, case.encoding, made.label);
        }
        made.extend(of_case);
    }
    made
}

/// Returns a copy of the model with an additional Boolean variable, or `None` if the model uses order literals of
/// integers.
fn with_a_literal(model: &Model) -> Option<(Model, Lit)> {
    if !model.bounds().is_empty() {
        return None;
    }
    let mut copy = Model::new();
    for _ in 0..model.variables() {
        copy.boolean();
    }
    for x in model.integer_variables() {
        copy.integer(model.domain(x).clone());
    }
    let lit = copy.boolean();
    Some((copy, lit))
}

fn all<const N: usize>(constraints: [Arc<dyn Constraint>; N]) -> [Arc<dyn Constraint>; N] {
    constraints
}

fn sum(x: &[IntVar], most: i128) -> Linear {
    Linear::at_most(x.iter().map(|&x| (1, x.into())), most)
}

pub(crate) fn conjunctions() -> Vec<Sample<Conjunction>> {
    vec![
        plain(0, |_| Conjunction::new([])),
        plain(2, |l| Conjunction::new(all([Arc::new(Clause::new(l))]))),
        // The two constraints contradict each other, but unit propagation does not detect this.
        plain(3, |l| Conjunction::both(AtMostOne::new(&l[..]), Cardinality::at_least(&l[..], 2))),
        plain(4, |l| Conjunction::both(Clause::new(&l[..3]), AtMostOne::new(&l[1..]))),
        plain(4, |l| Conjunction::both(Cardinality::at_least(&l[..], 2), Cardinality::at_most(&l[..], 2))),
        over(0, &[interval(0, 2), interval(0, 2)], |_, x| {
            Conjunction::both(AllDifferent::new(&x[..]), sum(&x, 2))
        }),
        over(0, &[interval(0, 2), interval(0, 2), interval(0, 4)], |_, x| {
            Conjunction::both(Product::new(&x[..2], x[2]), sum(&x, 3))
        }),
    ]
}

pub(crate) fn disjunctions() -> Vec<Sample<Disjunction>> {
    let mut samples = vec![
        plain(0, |_| Disjunction::new([])),
        plain(3, |l| Disjunction::new(all([Arc::new(AtMostOne::new(l))]))),
        plain(4, |l| Disjunction::either(Clause::new(&l[..2]), Clause::new(&l[2..]))),
        plain(4, |l| Disjunction::either(Clause::new(&l[..1]), ExactlyOne::new(&l[1..]))),
        plain(4, |l| Disjunction::either(AtMostOne::new(&l[..]), Cardinality::at_least(&l[..], 3))),
        plain(4, |l| {
            let [few, many] =
                all([Arc::new(Cardinality::at_most(&l[..], 1)), Arc::new(Cardinality::at_least(&l[..], 3))]);
            Disjunction::exclusive([few, many])
        }),
        plain(5, |l| {
            Disjunction::new(all([
                Arc::new(Clause::new([!l[0]])),
                Arc::new(Lexicographic::at_most(&l[1..3], &l[3..5])),
                Arc::new(ExactlyOne::new(&l[1..])),
            ]))
        }),
        plain(4, |l| Disjunction::implies(AtMostOne::new(&l[..3]), Cardinality::exactly(&l[..], 2))),
        plain(4, |l| Disjunction::equivalent(ExactlyOne::new(&l[..2]), ExactlyOne::new(&l[2..]))),
        over(1, &[interval(0, 2), interval(0, 2)], |l, x| {
            Disjunction::new(all([
                Arc::new(Clause::new([l[0]])),
                Arc::new(Linear::at_most([(1, x[0].into())], 0)),
                Arc::new(Linear::equal([(1, x[1].into())], 2)),
            ]))
        }),
        over(0, &[interval(0, 2), interval(0, 2), interval(0, 2)], |_, x| {
            Disjunction::equivalent(AllDifferent::new(&x[..]), sum(&x, 2))
        }),
        over(0, &[interval(0, 2), interval(0, 2), interval(0, 4)], |_, x| {
            Disjunction::implies(Product::new(&x[..2], x[2]), AllDifferent::new(&x[..2]))
        }),
        over(0, &[interval(0, 2)], |_, x| {
            // One of the constraints always holds, and the other never holds.
            Disjunction::new(all([
                Arc::new(Linear::at_most([(1, x[0].into())], 2)),
                Arc::new(Negation::new(AllDifferent::new([x[0]]))),
            ]))
        }),
        over(0, &[interval(0, 2)], |_, x| {
            Disjunction::either(Linear::equal([(1, x[0].into())], 7), Linear::equal([(1, x[0].into())], 1))
        }),
    ];
    samples =
        samples.into_iter().map(|sample| sample.reaches("selectors", Strength::TotalAssignments)).collect();
    // Unit propagation does not derive which of the two cardinality constraints is violated.
    samples.push(plain(6, |l| {
        Disjunction::either(Cardinality::exactly(&l[..], 2), Cardinality::exactly(&l[..], 4))
    }));
    for constant in [TRUE, FALSE] {
        let mut sample =
            plain(3, |l| Disjunction::either(Clause::new([constant, !l[0]]), AtMostOne::new(&l[..])));
        sample.plain = false;
        samples.push(sample);
    }
    samples
}

pub(crate) fn disconnected() -> Vec<Sample<Disconnected>> {
    connected().into_iter().map(|sample| sample.map(|of| Disconnected { connected: of.clone() })).collect()
}

pub(crate) fn negations() -> Vec<Sample<Negation>> {
    vec![
        plain(3, |l| Negation::new(Negation::new(AtMostOne::new(l)))),
        plain(4, |l| Negation::new(Negation::new(Cardinality::between(l, 1, 2)))),
    ]
}
