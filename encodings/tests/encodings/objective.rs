//! Objectives: every bound, asked for in any order, from either side, on one and the same formula, and what that takes.

use crate::formula::each_choice;
use crate::propagate::Propagator;
use crate::size::is_as_declared;
use gordian_encodings::{
    BoundedSum, Cnf, Collect, Domain, Encoded, Encodings, Lit, Model, Size, Value, constant,
};
use proptest::prelude::*;

const ENCODINGS: [&str; 5] = ["totalizer", "generalized-totalizer", "dynamic-watchdog", "order", "adder"];

/// Coefficients of literals, whether one is repeated negated; coefficients and domains of integers.
#[derive(Debug, Clone)]
struct Sum {
    literals: Vec<Value>,
    repeated: Value,
    integers: Vec<(Value, Vec<Value>)>,
    encoding: &'static str,
    asked: Vec<(Value, bool)>,
}

fn sums() -> impl Strategy<Value = Sum> {
    let integer = (-4_i128..5, prop::collection::btree_set(-5_i128..9, 1..4));
    let integer = integer.prop_map(|(coefficient, values)| (coefficient, values.into_iter().collect()));
    (
        prop::collection::vec(-6_i128..7, 0..5),
        -2_i128..3,
        prop::collection::vec(integer, 0..3),
        prop::sample::select([&["auto"], &ENCODINGS[..]].concat()),
        prop::collection::vec((-30_i128..31, any::<bool>()), 1..12),
    )
        .prop_map(|(literals, repeated, integers, encoding, asked)| Sum {
            literals,
            repeated,
            integers,
            encoding,
            asked,
        })
}

/// What was written for objectives.
fn found(encoded: &Encoded) -> Size {
    let mut rows = encoded.sizes().rows().iter();
    let row = rows.find(|row| row.meaning == "objective");
    row.map_or(Size::NONE, |row| Size::exactly(row.variables, row.clauses))
}

/// The size that is declared for all of these bounds.
fn declared(objective: &BoundedSum, asked: &[(Value, bool)], encodings: &Encodings) -> Size {
    let [upper, lower] = [true, false].map(|of| {
        let bounds = asked.iter().filter(|&&(_, upper)| upper == of);
        bounds.map(|&(bound, _)| bound).collect::<Vec<_>>()
    });
    objective.size_at_most(&upper, encodings) + objective.size_at_least(&lower, encodings)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn bounds_hold_exactly_under_their_assumptions(sum in sums()) {
        let mut model = Model::new();
        let lits: Vec<Lit> = sum.literals.iter().map(|_| model.boolean()).collect();
        let ints: Vec<_> = sum
            .integers
            .iter()
            .map(|(_, values)| model.integer(Domain::from_values(values.iter().copied())))
            .collect();
        let mut terms: Vec<_> = sum.literals.iter().zip(&lits).map(|(&c, &lit)| (c, lit.into())).collect();
        terms.extend(sum.integers.iter().zip(&ints).map(|((c, _), &x)| (*c, x.into())));
        if let Some(&first) = lits.first() {
            terms.push((sum.repeated, (!first).into()));
        }
        let mut encodings = Encodings::auto();
        encodings.choose("objective", sum.encoding).unwrap();
        let mut cnf = Cnf::default();
        let mut encoded = model.encode(&encodings, &mut cnf);
        let mut sink = encoded.sink(&mut cnf);
        let mut objective = BoundedSum::new(terms, &mut sink).expect("small weights");
        let bounds: Vec<(Value, bool, Vec<Lit>)> = sum
            .asked
            .iter()
            .map(|&(bound, upper)| {
                let lits =
                    if upper { objective.at_most(bound, &mut sink) } else { objective.at_least(bound, &mut sink) };
                (bound, upper, lits)
            })
            .collect();
        let values: Vec<Vec<(Value, Lit)>> = sum
            .integers
            .iter()
            .zip(&ints)
            .map(|((_, values), &x)| values.iter().map(|&value| (value, sink.equals(x, value))).collect())
            .collect();
        let variables = sink.variables();
        cnf.reserve(variables);
        let mut propagator = Propagator::new(&cnf, None);
        let sizes: Vec<usize> = lits.iter().map(|_| 2).chain(values.iter().map(Vec::len)).collect();
        let (mut least, mut greatest) = (Value::MAX, Value::MIN);
        each_choice(&sizes, &mut |choice| {
            let mut total = 0;
            let mut assumed = Vec::new();
            for ((&lit, &c), &holds) in lits.iter().zip(&sum.literals).zip(choice) {
                total += c * holds as Value;
                assumed.push(if holds == 1 { lit } else { !lit });
            }
            if let Some(&first) = choice.first().filter(|_| !lits.is_empty()) {
                total += sum.repeated * (1 - first as Value);
            }
            for (((c, _), values), &index) in sum.integers.iter().zip(&values).zip(&choice[lits.len()..]) {
                total += c * values[index].0;
                assumed.push(values[index].1);
            }
            least = least.min(total);
            greatest = greatest.max(total);
            for (bound, upper, under) in &bounds {
                let expected = if *upper { total <= *bound } else { total >= *bound };
                let mut all = assumed.clone();
                all.extend(under);
                let never = all.iter().any(|&lit| constant(lit) == Some(false));
                let found = !never && propagator.models(&all, 1) == 1;
                assert_eq!(found, expected, "{total}, upper {upper}, bound {bound}");
            }
        });
        assert!(objective.least() <= least && greatest <= objective.greatest());
        let (declared, found) = (declared(&objective, &sum.asked, &encodings), found(&encoded));
        assert!(is_as_declared(declared, found), "declared {declared:?}, found {found:?}");
    }
}

#[test]
fn sizes_are_as_declared() {
    // Weights that are the same, that repeat, that double, that have nothing in common and that leave bits out.
    let weights: [fn(Value) -> Value; 5] =
        [|_| 1, |i| i % 3 + 1, |i| 1 << i, |i| 7 * i * i + 3 * i + 1, |i| 1 << (i % 2 * 5)];
    // The greatest part of a bound that was found, and the clauses where the size is exact.
    let (mut nearest, mut exact) = (0.0_f64, 0);
    for (n, weight) in (0..12).flat_map(|n| weights.map(|weight| (n, weight))) {
        let total: Value = (0..n).map(weight).sum();
        let all: Vec<Value> = (-1..=total + 1).step_by(1 + total as usize / 40).collect();
        let turned: Vec<Value> = all.iter().rev().copied().collect();
        // From a small bound to a great one, and to one that lies between.
        let mixed = [total / 6, total / 2, total / 3, total / 2];
        for bounds in [&[][..], &[total / 2], &[total - 1], &mixed, &all, &turned] {
            for (encoding, keep_count) in ENCODINGS.into_iter().flat_map(|name| [(name, false), (name, true)])
            {
                let mut model = Model::new();
                let terms: Vec<_> = (0..n).map(|i| (weight(i), model.boolean().into())).collect();
                let mut encodings = Encodings::auto();
                encodings.choose("objective", encoding).unwrap();
                if keep_count {
                    encodings = encodings.keep_count();
                }
                let mut cnf = Cnf::default();
                let mut encoded = model.encode(&encodings, &mut cnf);
                let mut sink = encoded.sink(&mut cnf);
                let mut objective = BoundedSum::new(terms, &mut sink).expect("small weights");
                let asked: Vec<(Value, bool)> =
                    bounds.iter().flat_map(|&bound| [(bound, true), (bound, false)]).collect();
                let declared = declared(&objective, &asked, &encodings);
                for &bound in bounds {
                    objective.at_most(bound, &mut sink);
                    objective.at_least(bound, &mut sink);
                }
                let found = found(&encoded);
                let label = format!("{encoding}: {bounds:?} of {n} weights up to {total}");
                assert!(is_as_declared(declared, found), "{label}: declared {declared:?}, found {found:?}");
                if declared.exact {
                    exact += found.clauses;
                } else {
                    let replaced = !encoded.fallbacks().is_empty();
                    assert!(replaced || encoding == "dynamic-watchdog", "{label}: not exact");
                    if declared.clauses > 100 {
                        nearest = nearest.max(found.clauses as f64 / declared.clauses as f64);
                    }
                }
            }
        }
    }
    assert!(exact > 0);
    assert!(nearest > 0.5, "never near the bound that is declared: {nearest}");
}
