//! Compares every strategy with brute force, and tests limits that stop the search at arbitrary times.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use gordian_encodings::constraint::{Clause, Comparison, Linear, Term};
use gordian_encodings::encoding::linear_propagator::PROPAGATOR;
use gordian_encodings::{CONSTRAINTS, Domain, Encodings, IntVar, Model, TRUE};
use proptest::prelude::{ProptestConfig, any, prop, prop_assert, prop_assert_eq, proptest};
use proptest::strategy::Strategy as _;

use super::large_neighbourhood::LargeNeighbourhoodSearch;
use super::*;
use crate::backend::{Limits, SOLVERS, Solver};
use crate::search::Config;

fn solvers() -> impl Iterator<Item = &'static Solver> {
    SOLVERS.iter().copied().filter(|solver| solver.make().is_ok())
}

/// Returns the encodings to test: the default, each encoding of objectives, and the propagator for linear
/// constraints.
fn counted() -> Vec<Encodings> {
    let row = CONSTRAINTS.iter().find(|row| row.name == "objective").expect("a row");
    let chosen = (row.encodings)().into_iter().map(|encoding| {
        let mut encodings = Encodings::auto();
        encodings.choose_named("objective", encoding.name).expect("a name from the table");
        encodings
    });
    let propagated = Encodings::auto().with(&PROPAGATOR);
    [Encodings::auto(), propagated].into_iter().chain(chosen).collect()
}

/// The number of Boolean variables. Each variable has a copy with the same value.
const BOOLEANS: u32 = 5;

/// The data of a random model.
#[derive(Debug, Clone)]
struct Parts {
    clauses: Vec<Vec<(u32, bool)>>,
    domains: Vec<Vec<Value>>,
    /// The coefficients of the integers in a linear constraint, and the bound of the constraint.
    linear: (Vec<Value>, Value),
    lits: Vec<(Value, u32, bool)>,
    ints: Vec<(Value, usize)>,
    maximise: bool,
    constant: Value,
    /// For each sum that equals the objective, the form of each literal in it: 0 is the literal itself, 1 is its copy,
    /// and 2 is the negation of its copy.
    equal: Vec<Vec<u8>>,
}

fn parts() -> impl proptest::strategy::Strategy<Value = Parts> {
    let clause = prop::collection::vec((0..BOOLEANS, any::<bool>()), 1..4);
    let domain = prop::collection::btree_set(-4_i128..7, 1..4).prop_map(|set| set.into_iter().collect());
    (
        (prop::collection::vec(clause, 0..12), prop::collection::vec(domain, 0..3)),
        (prop::collection::vec(-3_i128..4, 2), -6_i128..7),
        prop::collection::vec((-9_i128..10, 0..BOOLEANS, any::<bool>()), 0..8),
        prop::collection::vec((-4_i128..5, 0..2_usize), 0..3),
        (any::<bool>(), -3_i128..4),
        prop::collection::vec(prop::collection::vec(0_u8..3, 8), 0..3),
    )
        .prop_map(|((clauses, domains), linear, lits, ints, (maximise, constant), equal)| Parts {
            clauses,
            domains,
            linear,
            lits,
            ints,
            maximise,
            constant,
            equal,
        })
}

impl Parts {
    fn model(&self) -> (Model, Objective) {
        let mut model = Model::new();
        let own: Vec<Lit> = (0..BOOLEANS).map(|_| model.boolean()).collect();
        let copies: Vec<Lit> = (0..BOOLEANS).map(|_| model.boolean()).collect();
        for (&lit, &copy) in own.iter().zip(&copies) {
            model.post(Clause::new([lit, !copy]));
            model.post(Clause::new([!lit, copy]));
        }
        let signed = |lit: Lit, negated: bool| if negated { !lit } else { lit };
        for clause in &self.clauses {
            let lits: Vec<Lit> =
                clause.iter().map(|&(index, negated)| signed(own[index as usize], negated)).collect();
            model.post(Clause::new(lits));
        }
        let ints: Vec<IntVar> = self
            .domains
            .iter()
            .map(|values| model.integer(Domain::from_values(values.iter().copied())))
            .collect();
        let (coefficients, bound) = &self.linear;
        let mut terms: Vec<(Value, Term)> =
            coefficients.iter().copied().zip(ints.iter().map(|&x| x.into())).collect();
        terms.push((2, own[0].into()));
        model.post(Linear::new(terms, Comparison::AtMost, *bound));

        let of_ints =
            self.ints.iter().filter_map(|&(weight, index)| Some((weight, Term::from(*ints.get(index)?))));
        let of_ints: Vec<(Value, Term)> = of_ints.collect();
        let of_lits =
            self.lits.iter().map(|&(weight, index, negated)| (weight, signed(own[index as usize], negated)));
        let terms: Vec<(Value, Term)> =
            of_lits.map(|(weight, lit)| (weight, lit.into())).chain(of_ints.iter().copied()).collect();
        // Copies follow from their originals, but there must be enough decision variables for neighbourhoods.
        let lits = own.iter().chain(&copies).map(|&lit| lit.into());
        model.set_decisions(lits.chain(ints.iter().map(|&x| x.into())));
        let sense = if self.maximise { Sense::Maximise } else { Sense::Minimise };
        let mut objective = Objective { constant: self.constant, ..Objective::new(sense, terms) };
        for how in &self.equal {
            let mut terms = of_ints.clone();
            for (&(weight, index, negated), how) in self.lits.iter().zip(how) {
                match how {
                    0 => terms.push((weight, signed(own[index as usize], negated).into())),
                    1 => terms.push((weight, signed(copies[index as usize], negated).into())),
                    _ => {
                        terms.push((weight, TRUE.into()));
                        terms.push((-weight, signed(copies[index as usize], !negated).into()));
                    }
                }
            }
            objective = objective.and_equal(terms);
        }
        (model, objective)
    }

    /// Returns the best objective value, or `None` if there is no solution.
    fn brute_force(&self, model: &Model, objective: &Objective) -> Option<Value> {
        let mut integers: Vec<Vec<Value>> = vec![Vec::new()];
        for domain in &self.domains {
            integers = integers
                .iter()
                .flat_map(|before| domain.iter().map(|&value| [&before[..], &[value]].concat()))
                .collect();
        }
        let assignments = (0..1_u32 << BOOLEANS).flat_map(|set| {
            let half: Vec<bool> = (0..BOOLEANS).map(|index| set >> index & 1 == 1).collect();
            let booleans = half.repeat(2);
            integers.iter().map(move |integers| Assignment::new(booleans.clone(), integers.clone()))
        });
        let values = assignments.filter(|assignment| model.holds(assignment)).map(|a| {
            let value = objective.value(&a);
            for terms in &objective.equal {
                let equal = Objective { terms: terms.clone(), ..objective.clone() };
                assert_eq!(equal.value(&a), value, "the sums are not equal");
            }
            value
        });
        if self.maximise { values.max() } else { values.min() }
    }
}

/// Runs a strategy and checks that the gap only shrinks and always contains the optimum.
fn run(
    (model, objective): (&Model, &Objective),
    (strategy, solver, encodings): (&Strategy, &Solver, &Encodings),
    limits: Limits,
    expected: Option<Value>,
) -> Optimum {
    let sense = objective.sense;
    let label = format!("{} {} {encodings:?}", strategy.name, solver.name);
    let config = Config { solver: solver.clone(), encodings: encodings.clone(), ..Config::default() };
    let mut session = config.session(model, limits).unwrap();
    let mut last: Option<Gap> = None;
    let optimum = session
        .optimise(objective, strategy, |Move { gap, improved }| {
            let expected = expected.unwrap_or_else(|| panic!("{label}: {gap:?} and no solution"));
            assert!(!sense.is_better(expected, gap.bound), "{label}: {gap:?} around {expected}");
            let best = gap.best.expect("the gap has a best value once a solution was found");
            assert!(!sense.is_better(best, expected), "{label}: {gap:?} around {expected}");
            if let Some(assignment) = improved {
                assert!(model.holds(assignment), "{label}: no solution");
                assert_eq!(objective.value(assignment), best, "{label}");
            }
            if let Some(last) = last {
                assert!(last.best.is_none_or(|last| !sense.is_better(last, best)), "{label}");
                assert!(!sense.is_better(gap.bound, last.bound), "{label}");
                assert_ne!(last, gap, "{label}: nothing moved");
                assert_eq!(improved.is_some(), last.best != gap.best, "{label}");
            }
            last = Some(gap);
        })
        .unwrap();
    if let Some((assignment, value)) = &optimum.best {
        assert!(model.holds(assignment), "{label}");
        assert_eq!(objective.value(assignment), *value, "{label}");
        assert_eq!(
            last,
            Some(Gap { best: Some(*value), bound: optimum.bound }),
            "{label}: a change of the gap was not reported"
        );
    } else {
        assert_eq!(last, None, "{label}: a reported solution is missing from the result");
    }
    if let Some(expected) = expected {
        assert!(!sense.is_better(expected, optimum.bound), "{label}: {optimum:?} around {expected}");
    }
    if optimum.proven {
        assert_eq!(optimum.best.as_ref().map(|&(_, value)| value), expected, "{label}");
        assert!(expected.is_none_or(|expected| optimum.bound == expected), "{label}: {optimum:?}");
    }
    optimum
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests that every strategy finds the same optimum as brute force, on random models with weights, integers and
    /// several equal sums, with and without a relaxation.
    #[test]
    fn the_optimum_is_that_of_brute_force(parts in parts(), is_relaxed in any::<bool>()) {
        let (mut model, mut objective) = parts.model();
        // Without an objective, the session has no neighbourhoods.
        model.set_objective(objective.clone());
        if is_relaxed {
            model.relax();
            objective = model.objective().expect("the objective that was set").clone();
        }
        let expected = parts.brute_force(&model, &objective);
        for solver in solvers() {
            for encodings in counted() {
                for strategy in STRATEGIES {
                    let optimum = run((&model, &objective), (strategy, solver, &encodings), Limits::default(), expected);
                    prop_assert!(optimum.proven, "{} {}", strategy.name, solver.name);
                }
            }
        }
    }
}

/// The first solution makes all literals true, and no other method runs.
#[test]
fn neighbourhoods_improve_the_first_solution() {
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..30).map(|_| model.boolean()).collect();
    model.prefer(lits.iter().copied());
    model.set_decisions(lits.iter().map(|&lit| lit.into()));
    let objective = Objective::new(Sense::Minimise, lits.iter().map(|&lit| (1, lit)));
    model.set_objective(objective.clone());
    let mut session = Config::default().session(&model, Limits::default()).unwrap();
    let bounds = session.write(|sink| ObjectiveBounds::new(&objective, sink)).unwrap().unwrap();
    let mut near = LargeNeighbourhoodSearch::new(session.neighbourhoods.take().unwrap());
    let (bound, mut improvements) = (bounds.best(), 0);
    let mut search = Search {
        session: &mut session,
        objective: &objective,
        bounds,
        best: None,
        bound,
        proven: false,
        budgets: true,
        moved: &mut |_| improvements += 1,
    };
    assert_eq!((search.solve(&[], None).unwrap(), search.best()), (Reply::Found, 30));
    near.run(&mut search, 0).unwrap();
    assert_eq!(search.best(), 30, "there is no work");
    near.run(&mut search, 100).unwrap();
    assert!(search.best() <= 26, "four literals of the smallest neighbourhood can be false");
    assert!(improvements > 1);
}

/// Returns a model with few random clauses and many weights, on which every strategy needs a few hundred conflicts.
fn harder(random: &mut Vec<u32>, variables: u32, clauses: usize) -> (Model, Objective) {
    let mut next = |below: u32| {
        let number = random.pop().expect("enough numbers");
        random.insert(0, number.rotate_left(7) ^ 0x9e37_79b9);
        number % below
    };
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..variables).map(|_| model.boolean()).collect();
    for _ in 0..clauses {
        let clause: Vec<Lit> = (0..3)
            .map(|_| {
                let lit = lits[next(variables) as usize];
                if next(2) == 0 { lit } else { !lit }
            })
            .collect();
        model.post(Clause::new(clause));
    }
    let terms: Vec<(Value, Lit)> = lits.iter().map(|&lit| (Value::from(next(9)) - 3, lit)).collect();
    let sense = if next(2) == 0 { Sense::Minimise } else { Sense::Maximise };
    (model, Objective::new(sense, terms))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests that the best solution is kept and the gap is correct if a conflict limit or the stop flag ends the
    /// search at any time.
    #[test]
    fn interrupted_at_any_moment(
        mut random in prop::collection::vec(any::<u32>(), 97),
        conflicts in prop::collection::vec(0_u64..400, 4),
        times in prop::collection::vec(0_u64..4_000, 3),
    ) {
        let (model, objective) = harder(&mut random, 40, 130);
        let unlimited = |strategy| {
            let mut session = Session::new(&model, &Encodings::auto(), SOLVERS[0]).unwrap();
            session.optimise(&objective, strategy, |_| ()).unwrap()
        };
        let expected = unlimited(&sat_unsat::STRATEGY);
        prop_assert!(expected.proven);
        let expected = expected.best.map(|(_, value)| value);
        let found = unlimited(STRATEGIES[0]).best.map(|(_, value)| value);
        prop_assert_eq!(found, expected);
        for solver in solvers() {
            for strategy in STRATEGIES {
                let config = (*strategy, solver, &Encodings::auto());
                for &conflicts in &conflicts {
                    let limits = Limits { conflicts: Some(conflicts), ..Limits::default() };
                    run((&model, &objective), config, limits, expected);
                }
                for &microseconds in &times {
                    let stop = Arc::new(AtomicBool::new(false));
                    let limits = Limits { cancel: Some(Arc::clone(&stop)), ..Limits::default() };
                    std::thread::scope(|scope| {
                        scope.spawn(|| {
                            std::thread::sleep(Duration::from_micros(microseconds));
                            stop.store(true, Ordering::Relaxed);
                        });
                        run((&model, &objective), config, limits, expected);
                    });
                }
            }
        }
    }
}

#[test]
fn all_conflicts_together_are_limited() {
    let mut random: Vec<u32> = (0..97_u32).map(|index| index.wrapping_mul(2_654_435_761)).collect();
    let (model, objective) = harder(&mut random, 60, 200);
    for strategy in STRATEGIES {
        let limits = Limits { conflicts: Some(30), ..Limits::default() };
        let mut session = Config::default().session(&model, limits).unwrap();
        let optimum = session.optimise(&objective, strategy, |_| ()).unwrap();
        let conflicts = session.statistics().conflicts.unwrap();
        // A solver may exceed its conflict limit slightly.
        assert!(!optimum.proven && conflicts < 60, "{}: {conflicts}, {optimum:?}", strategy.name);
        assert!(optimum.best.is_some(), "{}", strategy.name);
    }
}

/// The default strategy bisects the range of a single integer. Cores would raise its bound by one value at a time.
#[test]
fn a_single_integer_is_bisected() {
    let mut model = Model::new();
    let (lit, x) = (model.boolean(), model.integer(Domain::interval(0, 900)));
    // Each value of the literal implies x >= 450, but unit propagation alone does not derive this bound.
    for lit in [lit, !lit] {
        model.post(Linear::at_least([(1, Term::from(x)), (500, lit.into())], 450));
    }
    let objective = Objective::new(Sense::Minimise, [(1, x)]);
    let bounds = |strategy: &Strategy| {
        let mut session = Session::new(&model, &Encodings::auto(), SOLVERS[0]).unwrap();
        let mut bounds = Vec::new();
        let optimum = session.optimise(&objective, strategy, |moved| bounds.push(moved.gap.bound)).unwrap();
        assert_eq!(optimum.best.map(|(_, value)| value), Some(450));
        bounds.dedup();
        bounds.len()
    };
    let (bisected, by_cores) = (bounds(&alternating::STRATEGY), bounds(&CORE_GUIDED));
    assert!(bisected < 20 && by_cores > 400, "{bisected} and {by_cores}");
}

#[test]
fn names_are_unique_and_found() {
    for (index, row) in STRATEGIES.iter().enumerate() {
        assert_eq!(STRATEGIES.iter().position(|other| other.name == row.name), Some(index));
        assert_eq!(strategy(row.name).unwrap().name, row.name);
    }
    let error = strategy("guessing").unwrap_err();
    assert!(error.to_string().contains("`sat-unsat`"), "{error}");
}
