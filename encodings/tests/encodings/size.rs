//! Variables and clauses are as many as declared, or at most as many.

use crate::formula::{Case, Sample};
use crate::samples::{cases, connected};
use gordian_encodings::constraint::{Cardinality, Connected, Linear};
use gordian_encodings::{
    Cnf, Constraint, Domain, Encodings, Meaning, Model, ModelCount, Size, Strength, Value,
};
use std::collections::BTreeMap;

pub(crate) fn is_as_declared(declared: Size, found: Size) -> bool {
    let within = found.variables <= declared.variables && found.clauses <= declared.clauses;
    if declared.exact { found == declared } else { within }
}

/// Each of the cases has the size that its constraint declares, and bounds are near.
fn are_as_declared(cases: impl Iterator<Item = Case>) {
    let mut wrong = Vec::new();
    // For each encoding that only declares a bound: the greatest part of it that was found.
    let mut reached: BTreeMap<(&str, &str), f64> = BTreeMap::new();
    for case in cases {
        let (meaning, encoding) = (case.meaning, case.encoding);
        let declared = case.constraint.size(case.model.domains(), &case.encodings);
        let found = case.formula().size;
        if !is_as_declared(declared, found) {
            wrong.push(format!("{}: declared {declared:?}, found {found:?}", case.label()));
        }
        if !declared.exact && declared.clauses > 8 {
            let part = reached.entry((meaning, encoding)).or_default();
            *part = part.max(found.clauses as f64 / declared.clauses as f64);
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    for (encoding, part) in reached {
        assert!(part > 0.5, "{encoding:?} never comes near the bound that it declares: {part}");
    }
}

#[test]
fn variables_and_clauses_are_as_declared() {
    are_as_declared(cases().into_iter().filter(|case| case.distinct));
}

#[test]
fn what_keeps_the_number_of_solutions_is_as_declared() {
    let kept = cases().into_iter().filter(|case| case.distinct && case.count != ModelCount::Lost);
    are_as_declared(kept.map(|case| Case { encodings: case.encodings.clone().keep_count(), ..case }));
}

/// Encodes the constraint alone, over `model`'s variables.
fn found(model: &Model, constraint: &dyn Constraint, encodings: &Encodings) -> Size {
    let mut cnf = Cnf::default();
    let mut encoded = model.encode(encodings, &mut cnf);
    encoded.sink(&mut cnf).post(constraint);
    assert_eq!(encoded.fallbacks(), []);
    let rows = encoded.sizes().rows().iter().filter(|row| row.meaning == constraint.meaning());
    rows.map(|row| Size::exactly(row.variables, row.clauses)).sum()
}

#[test]
fn what_is_left_to_the_search_begins_as_declared() {
    let mut tried = 0;
    for Sample { model, constraint, .. } in connected() {
        for encoding in Connected::encodings().iter().filter(|row| row.strength == Strength::Lazy) {
            let mut encodings = Encodings::auto().deferring();
            encodings.choose(Connected::NAME, encoding.name).unwrap();
            let declared = (encoding.size)(&constraint, model.domains(), &encodings);
            assert_eq!(declared, found(&model, &constraint, &encodings), "{} {constraint:?}", encoding.name);
            tried += declared.clauses;
        }
    }
    assert!(tried > 0);
}

#[test]
fn sizes_of_cardinalities_are_as_declared_beyond_the_samples() {
    for n in 1..=70_usize {
        for (min, max) in [(0, 1), (0, n / 3), (n / 4, n), (n / 2, n / 2), (2, n - n / 3), (n - 1, n)] {
            for encoding in Cardinality::encodings().iter().filter(|row| row.name != "binomial") {
                let mut model = Model::new();
                let lits: Vec<_> = (0..n).map(|_| model.boolean()).collect();
                let constraint = Cardinality::between(lits, min, max);
                let mut encodings = Encodings::auto();
                encodings.choose("cardinality", encoding.name).unwrap();
                let declared = (encoding.size)(&constraint, model.domains(), &encodings);
                let found = found(&model, &constraint, &encodings);
                assert_eq!(found, declared, "{} of {n}: {min}..={max}", encoding.name);
            }
        }
    }
}

#[test]
fn sizes_of_sums_are_as_declared_beyond_the_samples() {
    // Weights that repeat, that double and that have nothing in common.
    let weights: [fn(Value) -> Value; 4] = [|_| 1, |i| i % 3 + 1, |i| 1 << i, |i| 7 * i * i + 3 * i + 1];
    for (n, weight) in (2..9).flat_map(|n| weights.map(|weight| (n, weight))) {
        for (integers, part) in [(0, 2), (0, 3), (1, 2), (3, 3), (9, 5)] {
            let mut model = Model::new();
            let terms: Vec<_> = (0..n)
                .map(|i| {
                    let sign = if i % 4 == 3 { -1 } else { 1 };
                    let term = if i < integers {
                        model.integer(Domain::from_values([-1, 0, 2, 3 + i])).into()
                    } else {
                        model.boolean().into()
                    };
                    (sign * weight(i), term)
                })
                .collect();
            let bound = terms.iter().map(|&(c, _)| c).sum::<Value>() / part;
            for constraint in [
                Linear::at_most(terms.clone(), bound),
                Linear::equal(terms.clone(), bound),
                Linear::not_equal(terms.clone(), bound),
            ] {
                let applies =
                    |row: &&&gordian_encodings::Encoding<Linear>| (row.applies)(&constraint, model.domains());
                for encoding in Linear::encodings().iter().filter(applies) {
                    let mut encodings = Encodings::auto();
                    encodings.choose("linear", encoding.name).unwrap();
                    let declared = (encoding.size)(&constraint, model.domains(), &encodings);
                    let found = found(&model, &constraint, &encodings);
                    assert!(
                        is_as_declared(declared, found),
                        "{}: declared {declared:?}, found {found:?}: {constraint:?}",
                        encoding.name
                    );
                }
            }
        }
    }
}
