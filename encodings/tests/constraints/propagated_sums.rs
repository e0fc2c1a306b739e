//! Tests the propagator as an encoding of cardinality constraints, and checks that `auto` selects it for the right
//! sums.

use gordian_encodings::constraint::{AtMostOne, Cardinality, Linear, Reified};
use gordian_encodings::encoding::{linear_propagator, pairwise};
use gordian_encodings::{BoundedSum, Cnf, Constraint, Encodings, FALSE, Lit, Model, Value, constant};

/// Encodes a model with the given constraints, and returns the names of the encodings used for one constraint type.
fn used(encodings: &Encodings, name: &str, constraints: impl FnOnce(&mut Model)) -> Vec<&'static str> {
    let mut model = Model::new();
    constraints(&mut model);
    let encoded = model.encode(encodings, &mut Cnf::default());
    encoded.encodings().iter().filter(|row| row.0 == name).map(|row| row.1).collect()
}

fn booleans(model: &mut Model, count: usize) -> Vec<Lit> {
    (0..count).map(|_| model.boolean()).collect()
}

/// The clauses and the deferred constraints together must accept exactly the solutions.
#[test]
fn propagated_cardinality_constraints_accept_exactly_the_solutions() {
    const N: usize = 5;
    let encodings = Encodings::auto().deferring().with(&linear_propagator::CARDINALITY);
    let mut deferrals = 0;
    for (min, max) in (0..=N + 1).flat_map(|min| (0..=N + 1).map(move |max| (min, max))) {
        for (is_conditional, is_fixed) in [(false, false), (true, false), (true, true)] {
            let mut model = Model::new();
            let lits = booleans(&mut model, N);
            let condition = if is_fixed { FALSE } else { model.boolean() };
            let cardinality = Cardinality::between(lits.clone(), min, max);
            if is_conditional {
                model.post(Reified::implies(condition, cardinality));
            } else {
                model.post(cardinality);
            }
            let mut cnf = Cnf::default();
            let deferred = model.encode(&encodings, &mut cnf).take_deferred();
            deferrals += deferred.len();
            let propagators = deferred.iter().filter_map(|deferred| deferred.constraint.propagator());
            let mut watched = propagators.flat_map(|propagator| propagator.events());
            assert!(
                watched.all(|(lit, _)| constant(lit).is_none()),
                "solvers have no variable for constants"
            );
            for bits in 0..1_u32 << (N + 1) {
                let holds = |lit: Lit| {
                    constant(lit).unwrap_or_else(|| (bits >> lit.vidx32() & 1 == 1) == lit.is_pos())
                };
                let count = lits.iter().filter(|&&lit| holds(lit)).count();
                let expected = (min..=max).contains(&count) || is_conditional && !holds(condition);
                let satisfied = cnf.iter().all(|clause| clause.iter().any(|&lit| holds(lit)))
                    && deferred.iter().all(|deferred| {
                        deferred.unless.iter().any(|&lit| holds(lit))
                            || deferred.constraint.cuts(&holds).is_empty()
                    });
                assert_eq!(satisfied, expected, "{min} to {max} of {bits:b}, conditional: {is_conditional}");
            }
        }
    }
    assert!(deferrals > 20, "{deferrals} constraints were deferred");
}

#[test]
fn auto_replaces_totalizers_with_more_than_10000_clauses() {
    let constraint = |model: &mut Model, n: usize, divisor: usize, is_lower: bool| {
        let lits = booleans(model, n);
        let bound = n / divisor;
        model.post(if is_lower {
            Cardinality::at_least(lits, bound)
        } else {
            Cardinality::at_most(lits, bound)
        });
    };
    let propagating = Encodings::auto().propagating();
    for (divisor, is_lower) in [(2, false), (2, true), (3, true), (20, false), (20, true)] {
        let name = |encodings: &Encodings, n: usize| {
            used(encodings, "cardinality", |model| constraint(model, n, divisor, is_lower))
        };
        let sizes = (60..4000).step_by(20);
        let first =
            sizes.clone().find(|&n| name(&propagating, n) == ["propagator"]).expect("a large constraint");
        assert_eq!(name(&Encodings::auto(), first), ["totalizer"]);
        let mut model = Model::new();
        constraint(&mut model, first, divisor, is_lower);
        let mut cnf = Cnf::default();
        model.encode(&Encodings::auto(), &mut cnf);
        assert!((8_000..15_000).contains(&cnf.len()), "{} clauses of {first} literals", cnf.len());
    }
}

#[test]
fn large_formulas_leave_sums_of_16_variables_to_propagators() {
    // The pairwise encoding of n literals has n (n - 1) / 2 clauses: 399,171 for n = 894, and 400,960 for n = 896.
    let in_formula = |pairs: usize, sum: &dyn Fn(&mut Model), name: &str| {
        let encodings = Encodings::auto().propagating().with(&pairwise::PAIRWISE);
        used(&encodings, name, |model| {
            let lits = booleans(model, pairs);
            model.post(AtMostOne::new(lits));
            sum(model);
        })
    };
    let linear = |n: usize| {
        move |model: &mut Model| {
            let lits = booleans(model, n);
            let terms = (0..).zip(lits).map(|(index, lit)| (1 + index % 2, lit.into()));
            model.post(Linear::at_most(terms, 8));
        }
    };
    let cardinality = |model: &mut Model| {
        let lits = booleans(model, 16);
        model.post(Cardinality::at_most(lits, 8));
    };
    assert_eq!(in_formula(894, &linear(16), "linear"), ["bdd"]);
    assert_eq!(in_formula(896, &linear(16), "linear"), ["propagator"]);
    assert_eq!(in_formula(896, &linear(15), "linear"), ["bdd"]);
    assert_eq!(in_formula(894, &cardinality, "cardinality"), ["totalizer"]);
    assert_eq!(in_formula(896, &cardinality, "cardinality"), ["propagator"]);
}

/// The propagator computes with 64-bit numbers. Sums must fit in 63 bits, because a condition can double the maximum
/// sum.
#[test]
fn sums_of_more_than_63_bits_are_not_propagated() {
    for (factor, expected) in [(1_i128 << 60, "propagator"), (1 << 62, "adder")] {
        let encodings = Encodings::auto().deferring().with(&linear_propagator::PROPAGATOR);
        let names = used(&encodings, "linear", |model| {
            let lits = booleans(model, 3);
            let terms = (0..).zip(lits).map(|(index, lit)| (factor + index, lit.into()));
            let sum = Linear::at_most(terms, 2 * factor);
            assert!(!sum.scope().lits.is_empty());
            model.post(sum);
        });
        assert_eq!(names.contains(&"propagator"), expected == "propagator", "{names:?}");
    }
}

/// Encodes the upper bound `greatest - 1` of a weighted sum, and returns the numbers of variables, of clauses and of
/// deferred constraints, without the variables of the sum.
fn bounded(encodings: &Encodings, weights: impl Iterator<Item = Value>) -> (u32, usize, usize) {
    let weights: Vec<Value> = weights.collect();
    let mut model = Model::new();
    let lits = booleans(&mut model, weights.len());
    let mut cnf = Cnf::default();
    let mut encoded = model.encode(encodings, &mut cnf);
    let mut sink = encoded.sink(&mut cnf);
    let terms = weights.iter().zip(&lits).map(|(&weight, &lit)| (weight, lit.into()));
    let mut sum = BoundedSum::new(terms, &mut sink).expect("small weights");
    let bound = sum.greatest() - 1;
    assert!(!sum.at_most(bound, &mut sink).is_empty());
    let variables = sink.variables() - lits.len() as u32;
    let deferred = encoded.take_deferred().len();
    (variables, cnf.len(), deferred)
}

#[test]
fn the_propagated_objective_has_a_variable_for_each_bit() {
    let mut encodings = Encodings::auto().propagating();
    encodings.choose_named("objective", "propagator").expect("an encoding of objectives");
    for (weights, bits) in [(vec![1, 2], 2), (vec![1, 3], 3), (vec![1, 2, 4, 8], 4), (vec![1, 15], 5)] {
        assert_eq!(bounded(&encodings, weights.iter().copied()), (bits, 0, 1), "{weights:?}");
    }
}

#[test]
fn auto_propagates_objectives_with_more_than_500000_pairs_of_literals() {
    let encodings = Encodings::auto().propagating();
    // 707^2 is less than 500,000, and 708^2 is more.
    assert_eq!(bounded(&encodings, 1..=707).2, 0);
    assert_eq!(bounded(&encodings, 1..=708).2, 1);
    // Without propagators, the clauses are written.
    assert_eq!(bounded(&Encodings::auto(), 1..=708).2, 0);
}
