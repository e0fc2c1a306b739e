//! Compares searches that create order literals lazily with searches on complete formulas of the same random models.

use gordian::backend::{self, Limits};
use gordian::prelude::*;
use gordian::search::{self, STRATEGIES};
use gordian_encodings::encoding::lazy;
use gordian_encodings::view::View;
use gordian_encodings::{CONSTRAINTS, DecisionStrategy, Term, ValueChoice, VariableChoice};
use proptest::prelude::*;

/// The numbers from which a test builds a constraint.
type Seed = (u8, Vec<i128>, i128);

/// The variables of a random model.
struct Variables {
    integers: Vec<IntVar>,
    literals: Vec<Lit>,
}

impl Variables {
    fn integer(&self, seed: i128) -> IntVar {
        self.integers[seed.unsigned_abs() as usize % self.integers.len()]
    }

    fn literal(&self, seed: i128) -> Lit {
        let lit = self.literals[seed.unsigned_abs() as usize % self.literals.len()];
        if seed % 2 == 0 { lit } else { !lit }
    }

    /// Returns terms with all integers and some literals.
    fn terms(&self, coefficients: &[i128]) -> Vec<(i128, Term)> {
        let integers = self.integers.iter().map(|&x| Term::Int(x));
        let literals = self.literals.iter().map(|&lit| Term::Lit(lit));
        coefficients.iter().copied().zip(integers.chain(literals)).collect()
    }
}

fn comparison(seed: u8) -> Comparison {
    [Comparison::AtMost, Comparison::AtLeast, Comparison::Equal, Comparison::NotEqual][usize::from(seed) % 4]
}

/// Posts a random constraint.
fn post(model: &mut Model, variables: &Variables, (kind, numbers, bound): &Seed) {
    let linear = Linear::new(variables.terms(numbers), comparison(kind / 8), *bound);
    let (x, y) = (variables.integer(numbers[0]), variables.integer(numbers[1]));
    let list: Vec<Expr> = numbers[..2].iter().map(|&number| variables.integer(number) + number).collect();
    match kind % 9 {
        0..=2 => model.post(linear),
        3 => {
            let other = Linear::new(variables.terms(&numbers[1..]), comparison(kind / 16), *bound);
            model.post(Reified::choose(variables.literal(numbers[2]), linear, other));
        }
        4 => model.post(Minimum::new(list, y)),
        5 => model.post(Maximum::new(list, y)),
        6 => {
            let task =
                |k: usize| Task::new(list[k % 2].clone(), numbers[k + 1], variables.integer(numbers[k + 2]));
            let cumulative = Cumulative::new([task(0), task(1), Task::new(x, y, 1)], numbers[5] + 2);
            let excess = Linear::at_least([(1, x.into()), (1, y.into())], *bound);
            model.post(Reified::choose(variables.literal(numbers[0]), cumulative, excess));
        }
        7 => {
            let lits = [model.at_most(x, *bound), model.equals(y, numbers[2]), variables.literal(numbers[3])];
            model.post(Clause::new(lits));
        }
        _ => model.post(Element::new(x, numbers.iter().map(|&number| Expr::from(number)), y)),
    }
}

/// Returns a decision strategy for random variables.
fn strategy(variables: &Variables, seed: &[i128]) -> DecisionStrategy {
    use VariableChoice::{FewestValues, HighestMax, InputOrder, LowestMin, MostValues};
    let number = |at: usize| seed[at].unsigned_abs() as usize;
    let integers = seed[2..].iter().map(|&seed| Term::Int(variables.integer(seed)));
    DecisionStrategy {
        variables: integers.chain([Term::Lit(variables.literal(seed[0]))]).collect(),
        variable: [InputOrder, FewestValues, MostValues, LowestMin, HighestMax][number(0) % 5],
        value: [ValueChoice::Min, ValueChoice::Max, ValueChoice::LowerHalf, ValueChoice::UpperHalf]
            [number(1) % 4],
    }
}

fn build(domains: &[Vec<i128>], constraints: &[Seed], objective: Option<&Vec<i128>>, sense: Sense) -> Model {
    let mut model = Model::new();
    let integers =
        domains.iter().map(|values| model.integer(Domain::from_values(values.iter().copied()))).collect();
    let literals = (0..2).map(|_| model.boolean()).collect();
    let variables = Variables { integers, literals };
    for seed in constraints {
        post(&mut model, &variables, seed);
        if seed.0 % 2 == 0 {
            model.branch(strategy(&variables, &seed.1));
        }
    }
    if let Some(weights) = objective {
        model.set_objective(Objective::new(sense, variables.terms(weights)));
    }
    let values: Vec<(IntVar, i128)> = variables
        .integers
        .iter()
        .zip(domains)
        .flat_map(|(&x, values)| values.iter().map(move |&v| (x, v)))
        .collect();
    let projection: Vec<Lit> = values.into_iter().map(|(x, value)| model.at_most(x, value)).collect();
    model.project(projection.into_iter().chain(variables.literals));
    model
}

fn seed() -> impl Strategy<Value = Seed> {
    (any::<u8>(), proptest::collection::vec(-3..4_i128, 6), -5..8_i128)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lazy_literals_change_no_result(
        domains in proptest::collection::vec(proptest::collection::vec(-3..9_i128, 1..7), 2..5),
        constraints in proptest::collection::vec(seed(), 1..5),
        objective in proptest::option::of(proptest::collection::vec(-2..3_i128, 4)),
        maximise in any::<bool>(),
    ) {
        let sense = if maximise { Sense::Maximise } else { Sense::Minimise };
        let model = build(&domains, &constraints, objective.as_ref(), sense);
        let eager = Config { solver: backend::find("batsat").unwrap(), ..Config::default() };
        let encodings =
            Encodings::auto().with(View::Lazy).with(&lazy::LINEAR).with(&lazy::MINIMUM).with(&lazy::MAXIMUM);
        let lazy = Config { encodings, ..Config::default() };
        if objective.is_some() {
            let expected = model.optimise_with(&eager).unwrap().best.map(|best| best.1);
            // Linear search bounds the objective, so the search also uses the linear program.
            let mut relaxed = build(&domains, &constraints, objective.as_ref(), sense);
            relaxed.relax();
            let linear = Config { strategy: search::strategy("sat-unsat").unwrap(), ..lazy.clone() };
            for (model, config) in [(&model, &lazy), (&relaxed, &lazy), (&relaxed, &linear)] {
                let found = model.optimise_with(config).unwrap();
                prop_assert!(found.proven);
                prop_assert_eq!(found.best.as_ref().map(|best| best.1), expected);
                prop_assert!(found.best.is_none_or(|(assignment, _)| model.holds(&assignment)));
            }
        } else {
            let [expected, found] = [&eager, &lazy].map(|config| model.count_with(config).unwrap());
            prop_assert_eq!(found, expected);
            let mut relaxed = build(&domains, &constraints, None, sense);
            relaxed.relax();
            prop_assert_eq!(relaxed.count_with(&lazy).unwrap(), expected);
            let solution = model.solve_with(&lazy).unwrap();
            prop_assert_eq!(solution.is_some(), expected > 0);
            prop_assert!(solution.is_none_or(|assignment| model.holds(&assignment)));
        }
    }
}

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
        .session(&model, Limits { conflicts: Some(300), ..Limits::default() })
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
