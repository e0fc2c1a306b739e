//! Tests searches that create order literals lazily. The tests of settings compare such searches on random models with
//! brute force.

use std::collections::BTreeSet;

use gordian::backend::{self, Limits};
use gordian::prelude::*;
use gordian::search::{self, STRATEGIES};
use gordian_encodings::view::View;
use gordian_encodings::{CONSTRAINTS, Term};

/// At most 11 of 12 pigeons fit into 11 holes. Resolution needs exponentially many clauses to prove this bound, but it is
/// the optimum of the linear program.
#[test]
fn linear_programs_bound_the_objective() {
    let mut model = Model::new();
    let holes: Vec<Vec<Lit>> = (0..12).map(|_| (0..11).map(|_| model.boolean()).collect()).collect();
    for hole in 0..11 {
        model.post(AtMostOne::new(holes.iter().map(|pigeon| pigeon[hole]).collect::<Vec<_>>()));
    }
    let placed: Vec<Lit> = holes
        .iter()
        .map(|pigeon| {
            let placed = model.boolean();
            model.post(Clause::new(pigeon.iter().copied().chain([!placed]).collect::<Vec<_>>()));
            placed
        })
        .collect();
    model.set_objective(Objective::new(Sense::Maximise, placed.iter().map(|&lit| (1, lit))));
    let config = Config {
        strategy: search::strategy("sat-unsat").unwrap(),
        conflicts: Some(5_000),
        ..Config::default()
    };
    model.relax();
    let optimum = model.optimise_with(&config).unwrap();
    assert!(optimum.proven);
    assert_eq!(optimum.best.unwrap().1, 11);
}

/// The product of the divisor and the quotient has literals for all values. The propagator must know them, although the
/// product has more values than other integers with an order view.
#[test]
fn literals_for_all_values_are_connected_to_the_propagator() {
    let mut encodings = Encodings::auto();
    for (constraint, encoding) in [("linear", "lazy"), ("truncated-division", "multiplier")] {
        encodings.choose_named(constraint, encoding).unwrap();
    }
    let config = Config { encodings, ..Config::default() };
    let mut model = Model::new();
    let [dividends, divisors] = [[-14, 0, 4, 8, 2_000], [-998, -2, 0, 2, 9]];
    let [x, y] = [dividends, divisors].map(|values| model.integer(Domain::from_values(values)));
    let quotient = model.integer(Domain::from_values([0, 2, 4, 1_000]));
    model.post(TruncatedDivision::quotient(x, y, quotient));
    let solutions = model.solutions_with(&config).unwrap().map(|solution| {
        let solution = solution.unwrap();
        (solution.int(x), solution.int(y))
    });
    let solutions: BTreeSet<(Value, Value)> = solutions.collect();
    let pairs = dividends.into_iter().flat_map(|x| divisors.map(|y| (x, y)));
    let expected: BTreeSet<(Value, Value)> =
        pairs.filter(|&(x, y)| y != 0 && [0, 2, 4, 1_000].contains(&(x / y))).collect();
    assert_eq!(solutions, expected);
}

/// The search branches on the integers of the propagator. The integer that bounds the cost has millions of values and must
/// not cause a conflict for each of them.
#[test]
fn the_bound_of_a_linear_program_does_not_delay_solutions() {
    let mut model = Model::new();
    let items: Vec<Lit> = (0..30).map(|_| model.boolean()).collect();
    let weight = |index: usize| 1_000 + (index as i128 * 7_919) % 997;
    let profit = |index: usize| 1_000_000 + (index as i128 * 104_729) % 99_991;
    let weights = items.iter().enumerate().map(|(index, &lit)| (weight(index), lit.into()));
    model.post(Linear::at_most(weights, 15_000));
    let profits = items.iter().enumerate().map(|(index, &lit)| (profit(index), lit));
    model.set_objective(Objective::new(Sense::Maximise, profits));
    model.relax();
    assert!(model.objective().unwrap().relaxation.is_some());
    let strategy = search::strategy("sat-unsat").unwrap();
    let mut session = Config { strategy, ..Config::default() }
        .session(&model, Limits { conflicts: Some(2_000), ..Limits::default() })
        .unwrap();
    let mut solutions = 0;
    session
        .optimise(model.objective().unwrap(), strategy, |step| {
            solutions += usize::from(step.improved.is_some());
        })
        .unwrap();
    assert!(solutions > 1, "{solutions}");
}

/// The propagator must explain bounds of values that have no literals yet.
#[test]
fn large_domains_need_no_clauses() {
    let mut model = Model::new();
    let xs: [IntVar; 4] = std::array::from_fn(|_| model.integer(Domain::interval(0, 1 << 40)));
    let choice: [Lit; 3] = model.booleans();
    for (index, &lit) in choice.iter().enumerate() {
        // Either x[i + 1] is at least x[i] + 10^9 + i, or at least 3 x[i] + 10^8.
        let (x, next) = (Expr::from(xs[index]), Expr::from(xs[index + 1]));
        let far = (x.clone() + 1_000_000_000 + index as i128).at_most(&next);
        let times = (3 * x + 100_000_000).at_most(&next);
        model.post(Reified::choose(lit, far, times));
    }
    model.minimise(xs[3]);
    let best = model.optimise().unwrap().best.unwrap();
    assert!(model.holds(&best.0));
    // 0, then 100,000,000, then 400,000,000, then 1,300,000,000 or 1,400,000,002.
    assert_eq!(best.1, 1_300_000_000);
    let encodings = Encodings::auto();
    let session = Config { encodings, ..Config::default() }.session(&model, Limits::default()).unwrap();
    assert!(session.sizes().total().clauses < 10, "{:?}", session.sizes());
}

/// The optimum depends neither on the strategy nor on the encoding of the objective. The integers have lazy views, and
/// the literals of their values or bits exist only if the strategy or the encoding needs them.
#[test]
fn every_strategy_finds_the_optimum_of_lazy_integers() {
    let objective = CONSTRAINTS.iter().find(|row| row.name == "objective").unwrap();
    let encodings = (objective.encodings)().into_iter().map(|encoding| Some(encoding.name));
    let encodings: Vec<Option<&str>> = encodings.chain([None]).collect();
    for size in [120, 1_200] {
        let cases: [(Sense, [i128; 2], i128); 3] = [
            (Sense::Maximise, [1, 0], 5 * size / 6),
            (Sense::Minimise, [-1, 0], -5 * size / 6),
            (Sense::Maximise, [1, 1], 7 * size / 6),
        ];
        for ((sense, weights, expected), relaxed) in
            cases.iter().flat_map(|case| [(case, false), (case, true)])
        {
            let mut model = Model::new();
            let [x, y] = model.integers(Domain::interval(0, size));
            model.post(Linear::at_most([(3, x.into()), (2, y.into())], 5 * size / 2));
            let terms = weights.iter().copied().zip([x, y]).filter(|&(weight, _)| weight != 0);
            model.set_objective(Objective::new(*sense, terms.map(|(weight, x)| (weight, Term::Int(x)))));
            if relaxed {
                model.relax();
            }
            for (strategy, encoding) in STRATEGIES
                .iter()
                .flat_map(|strategy| encodings.iter().map(move |encoding| (strategy, encoding)))
            {
                let mut encodings = Encodings::auto().with(View::Lazy);
                if let Some(encoding) = encoding {
                    encodings.choose_named("objective", encoding).unwrap();
                }
                let found =
                    model.optimise_with(&Config { strategy, encodings, ..Config::default() }).unwrap();
                let name = strategy.name;
                assert!(found.proven, "{name}, {encoding:?}");
                assert_eq!(found.best.map(|best| best.1), Some(*expected), "{name}, {encoding:?}, {size}");
            }
        }
    }
}

/// Each inequality raises a bound by 1 only, so the bounds would reach the maximum after 10^12 steps.
#[test]
fn contradictory_cycles_are_found_at_once() {
    let mut model = Model::new();
    let [a, b, c] = model.integers(Domain::interval(0, 1_000_000_000_000));
    let before = |x: IntVar, y: IntVar| Linear::at_most([(1, x.into()), (-1, y.into())], -1);
    let order: Vec<Lit> = (0..4).map(|_| model.boolean()).collect();
    for (&holds, (x, y)) in order.iter().zip([(a, b), (b, c), (c, a), (b, a)]) {
        model.post(Reified::implies(holds, before(x, y)));
    }
    model.project(order.iter().copied());
    // Without cycles: not all of the first three, and not both the first and the last one.
    assert_eq!(model.count_with(&Config::default()).unwrap(), 11);
}

/// Each two of three integers are at most 999 together, so all three are at most 1498. Propagation of bounds derives this
/// only by splitting the domains into single values.
#[test]
fn a_linear_program_without_an_objective_refutes_sums() {
    let mut model = Model::new();
    let integers: [IntVar; 3] = model.integers(0..=1_000);
    let sum = |of: &[IntVar]| of.iter().map(|&x| (1, Term::Int(x))).collect::<Vec<_>>();
    for left_out in 0..3 {
        let pair: Vec<IntVar> =
            (0..3).filter(|&index| index != left_out).map(|index| integers[index]).collect();
        model.post(Linear::at_most(sum(&pair), 999));
    }
    model.post(Linear::at_least(sum(&integers), 1_499));
    model.relax();
    let mut session = Config::default().session(&model, Limits::default()).expect("the solver is there");
    assert_eq!(session.satisfy(&[]).expect("no failure"), backend::Verdict::Unsatisfiable);
    assert!(session.statistics().conflicts.expect("the solver counts conflicts") <= 2);
}

/// The relaxation follows from all constraints together, so it must not refute some of them.
#[test]
fn reasons_do_not_depend_on_the_relaxation() {
    let mut model = Model::new();
    let [x, y]: [IntVar; 2] = model.integers(0..=1_000);
    model.post(Linear::at_most([(1, x.into()), (1, y.into())], 10));
    model.post(Linear::at_least([(2, x.into()), (3, y.into())], 40));
    model.relax();
    let conflict = model.why().expect("a solver").expect("a conflict");
    assert_eq!(conflict.constraints, [0, 1]);
}
