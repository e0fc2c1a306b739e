//! Tests the encodings of objectives. Each test requests upper and lower bounds in arbitrary order from the same
//! formula. The tests also check the sizes of the encodings.

use crate::formula::each_choice;
use crate::propagate::Propagator;
use crate::size::adders;
use gordian_encodings::{BoundedSum, Cnf, Collect, Domain, Encoded, Encodings, Lit, Model, Value, constant};
use proptest::prelude::*;

const ENCODINGS: [&str; 5] = ["totalizer", "generalized-totalizer", "dynamic-watchdog", "order", "adder"];

/// A random objective, its encoding, and the bounds to request. The objective consists of literals with coefficients,
/// the negation of the first literal with the coefficient `repeated`, and integers with coefficients and domains.
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
        prop::sample::select(vec![0, 0, 1 << 59, 1 << 100]),
        prop::collection::vec(-6_i128..7, 0..5),
        -2_i128..3,
        prop::collection::vec(integer, 0..3),
        prop::sample::select([&["auto"], &ENCODINGS[..]].concat()),
        prop::collection::vec((-30_i128..31, any::<bool>()), 1..12),
    )
        .prop_map(|(scale, literals, repeated, integers, encoding, asked)| Sum {
            // A scale other than 0 makes the coefficients of the literals, and the bounds, so large that their sums do not
            // fit in 64 bits. The last part prevents a common divisor.
            literals: (0..).zip(literals).map(|(k, c)| c + c * scale + k * scale.signum()).collect(),
            repeated,
            integers,
            encoding,
            asked: asked.into_iter().map(|(bound, upper)| (bound + bound * scale, upper)).collect(),
        })
}

/// Returns the numbers of variables and clauses written for objectives.
fn written(encoded: &Encoded) -> (u64, u64) {
    let mut rows = encoded.sizes().rows().iter();
    let row = rows.find(|row| row.constraint == "objective");
    row.map_or((0, 0), |row| (row.variables, row.clauses))
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
        encodings.choose_named("objective", sum.encoding).unwrap();
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
    }
}

/// Compares the sizes with the documented formulas for literals of weight 1. For other weights, only asymptotic sizes
/// are documented.
#[test]
fn sizes_agree_with_the_closed_formulas() {
    for (n, encoding) in (1..20_u64).flat_map(|n| [(n, "order"), (n, "adder")]) {
        for (first, second) in (0..n).flat_map(|first| (0..n).map(move |second| (first, second))) {
            let mut model = Model::new();
            let terms: Vec<_> = (0..n).map(|_| (1, model.boolean().into())).collect();
            let mut encodings = Encodings::auto();
            encodings.choose_named("objective", encoding).unwrap();
            let mut cnf = Cnf::default();
            let mut encoded = model.encode(&encodings, &mut cnf);
            let mut objective = BoundedSum::new(terms, &mut encoded.sink(&mut cnf)).expect("small weights");
            for bound in [first, second] {
                objective.at_most(bound.into(), &mut encoded.sink(&mut cnf));
            }
            let expected = if encoding == "order" {
                (n * (n + 1) / 2, n * (3 * n - 1) / 2)
            } else {
                let (variables, clauses, bits) = adders(n);
                let compared = |bound: u64| bits - u64::from(bound.count_ones());
                let again = if first == second { (0, 0) } else { (1, compared(second)) };
                (variables + 1 + again.0, clauses + compared(first) + again.1)
            };
            assert_eq!(written(&encoded), expected, "{encoding}: {n} literals, {first}, {second}");
        }
    }
}
