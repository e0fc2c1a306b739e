//! Tests the sweep against brute force and published numbers.

use std::collections::BTreeMap;
use std::sync::Arc;

use gordian_counting::sweep::{OutOfMemory, Sweep};
use gordian_counting::{Progress, Random};
use gordian_encodings::constraint::{
    AtMostOne, Cardinality, Clause, Connected, DisjointPaths, Equality, ExactlyOne, Linear, Path, Reified,
};
use gordian_encodings::{Assignment, FALSE, Graph, Lit, Model, TRUE};
use num_bigint::BigUint;
use proptest::prelude::*;

const MEMORY: usize = 1 << 30;

fn count(model: &Model) -> BigUint {
    let sweep = Sweep::new(model).expect("the states are small");
    sweep.count(MEMORY, &mut |_| {}).expect("the states are few")
}

/// Returns the edges of a grid graph, row by row.
fn grid(rows: usize, columns: usize) -> Vec<(usize, usize)> {
    let right = |cell: usize| (cell % columns + 1 < columns).then_some((cell, cell + 1));
    let down = |cell: usize| (cell + columns < rows * columns).then_some((cell, cell + columns));
    (0..rows * columns).flat_map(|cell| [right(cell), down(cell)]).flatten().collect()
}

/// Returns a model whose solutions are the paths between opposite corners of a square grid.
fn corner_paths(n: usize) -> Model {
    let mut model = Model::new();
    let end = n * n - 1;
    let vertices: Vec<Lit> = (0..=end).map(|v| if v % end == 0 { TRUE } else { model.boolean() }).collect();
    let edges: Vec<_> = grid(n, n).into_iter().map(|(a, b)| (a, b, model.boolean())).collect();
    model.project(edges.iter().map(|&(_, _, lit)| lit));
    model.post(Path::new(0, end, vertices, edges));
    model
}

#[test]
fn paths_of_lattices_are_as_published() {
    // The numbers are from OEIS A007764.
    let published = [
        "2",
        "12",
        "184",
        "8512",
        "1262816",
        "575780564",
        "789360053252",
        "3266598486981642",
        "41044208702632496804",
    ];
    for (n, published) in (2..).zip(published) {
        assert_eq!(count(&corner_paths(n)).to_string(), published, "{n} x {n}");
    }
}

#[test]
fn rooks_on_an_empty_board_are_permutations() {
    let mut model = Model::new();
    let cells: Vec<Vec<Lit>> = (0..12).map(|_| (0..12).map(|_| model.boolean()).collect()).collect();
    for i in 0..12 {
        model.post(ExactlyOne::new(cells[i].as_slice()));
        model.post(ExactlyOne::new(cells.iter().map(|row| row[i]).collect::<Vec<_>>()));
    }
    model.project(cells.into_iter().flatten());
    assert_eq!(count(&model), (1_u64..=12).product::<u64>().into());
}

#[test]
fn counts_grow_beyond_a_word() {
    let mut model = Model::new();
    let lits: Vec<Lit> = (0..300).map(|_| model.boolean()).collect();
    model.project(lits.iter().copied());
    model.post(Linear::at_most(lits.iter().map(|&lit| (1, lit.into())), 299));
    assert_eq!(count(&model), (BigUint::from(1_u32) << 300) - 1_u32);
}

#[test]
fn free_variables_count_if_they_are_projected() {
    let mut model = Model::new();
    let [a, b, _] = model.booleans();
    model.project([a, b, b, TRUE]);
    assert_eq!(count(&model), 4_u32.into());
    model.post(Clause::new([a]));
    assert_eq!(count(&model), 2_u32.into());
    model.post(Clause::new([FALSE]));
    assert_eq!(count(&model), 0_u32.into());
}

#[test]
fn integers_take_part_by_their_clauses() {
    let mut model = Model::new();
    let [x, y] = model.integers(1..=5);
    let equal = model.boolean();
    model.post(Reified::equivalent(equal, Equality::equal(x, y)));
    model.post((x + y).at_most(6));
    let values: Vec<Lit> = [x, y]
        .into_iter()
        .flat_map(|x| (1..=5).map(move |v| (x, v)))
        .map(|(x, v)| model.equals(x, v))
        .collect();
    model.project(values);
    assert_eq!(count(&model), 15_u32.into());
    model.post(Clause::new([equal]));
    assert_eq!(count(&model), 3_u32.into());
}

#[test]
fn the_memory_limit_stops_a_sweep() {
    let sweep = Sweep::new(&corner_paths(9)).unwrap();
    assert!(sweep.width() > 8.0);
    assert_eq!(sweep.count(1 << 16, &mut |_| {}), Err(OutOfMemory));
    let mut shares = Vec::new();
    sweep.count(MEMORY, &mut |progress: &Progress| shares.push(progress.share)).unwrap();
    assert!(shares.is_sorted() && shares.last() == Some(&1.0));
}

#[test]
fn samples_are_uniform() {
    // There are 184 paths. For 183 degrees of freedom, the chi-squared statistic exceeds 270 with a probability below
    // 0.00003.
    let sweep = Sweep::new(&corner_paths(4)).unwrap();
    let circuit = sweep.circuit(MEMORY, &mut |_| {}).unwrap();
    let mut random = Random::new(7);
    let mut frequencies = BTreeMap::<Vec<Lit>, u32>::new();
    let trials = 184 * 40;
    for _ in 0..trials {
        let mut solution = circuit.sample(&mut random).unwrap();
        solution.sort_unstable();
        *frequencies.entry(solution).or_default() += 1;
    }
    assert_eq!(frequencies.len(), 184);
    let statistic: f64 = frequencies.values().map(|&found| (f64::from(found) - 40.0).powi(2) / 40.0).sum();
    assert!((110.0..270.0).contains(&statistic), "{statistic}");
}

#[test]
fn integers_of_samples_have_values() {
    let mut model = Model::new();
    let [x, y] = model.integers(1..=5);
    let values: Vec<Lit> =
        (1..=5).flat_map(|value| [(x, value), (y, value)]).map(|(x, v)| model.equals(x, v)).collect();
    model.project(values);
    model.post((x * 2 + y).equals(11));
    let sweep = Sweep::new(&model).unwrap();
    let circuit = sweep.circuit(MEMORY, &mut |_| {}).unwrap();
    assert_eq!(circuit.count(), 3_u32.into());
    let mut random = Random::new(0);
    for _ in 0..9 {
        assert!(model.holds(&sweep.assignment(&circuit.sample(&mut random).unwrap())));
    }
}

/// A random constraint. Literals are given as numbers; see [`lit`].
#[derive(Debug, Clone)]
enum Shape {
    Clause(Vec<i8>),
    AtMostOne(Vec<i8>),
    ExactlyOne(Vec<i8>),
    Cardinality(Vec<i8>, usize, usize),
    Linear(Vec<(i8, i8)>, i8, u8),
    Connected(Vec<i8>, Vec<(usize, usize)>),
    Paths(usize, Vec<i8>, Vec<(usize, usize)>),
}

/// The number of variables of random models, without the constants.
const VARIABLES: i8 = 9;

/// Returns the literal for a number: 0 is `TRUE`, and all other numbers are positive or negated variables.
fn lit(number: i8) -> Lit {
    match number {
        0 => TRUE,
        _ => Lit::new(u32::from(number.unsigned_abs()) - 1, number < 0),
    }
}

fn lits(numbers: &[i8]) -> Vec<Lit> {
    numbers.iter().map(|&number| lit(number)).collect()
}

fn post(model: &mut Model, shape: &Shape) {
    match shape {
        Shape::Clause(of) => model.post(Clause::new(lits(of))),
        Shape::AtMostOne(of) => model.post(AtMostOne::new(lits(of))),
        Shape::ExactlyOne(of) => model.post(ExactlyOne::new(lits(of))),
        Shape::Cardinality(of, min, more) => model.post(Cardinality::between(lits(of), *min, min + more)),
        Shape::Linear(terms, bound, comparison) => {
            let terms = terms.iter().map(|&(coefficient, number)| (coefficient.into(), lit(number).into()));
            let make = [Linear::at_most, Linear::at_least, Linear::equal, Linear::not_equal]
                [usize::from(*comparison)];
            model.post(make(terms.collect::<Vec<_>>(), (*bound).into()));
        }
        Shape::Connected(of, edges) => {
            let edges = edges.iter().map(|&(a, b)| (a % of.len(), b % of.len()));
            model.post(Connected::new(Arc::new(Graph::new(of.len(), edges)), lits(of)));
        }
        Shape::Paths(pairs, of, ends) => {
            // The first numbers stand for the literals of the vertices, and the remaining numbers for the literals of
            // the edges.
            let vertices = (of.len() / 2).max(2);
            let pairs: Vec<[usize; 2]> =
                (0..(*pairs).min(vertices / 2)).map(|pair| [pair, vertices - 1 - pair]).collect();
            let edges = of[vertices..]
                .iter()
                .zip(ends)
                .map(|(&number, &(a, b))| (a % vertices, b % vertices, lit(number)));
            let edges: Vec<_> = edges.filter(|&(a, b, _)| a != b).collect();
            model.post(DisjointPaths::new(pairs, lits(&of[..vertices]), edges));
        }
    }
}

fn shape() -> impl Strategy<Value = Shape> {
    let number = -VARIABLES..=VARIABLES;
    let numbers = |sizes| prop::collection::vec(number.clone(), sizes);
    let ends = || prop::collection::vec((0_usize..8, 0_usize..8), 12);
    prop_oneof![
        numbers(1..4).prop_map(Shape::Clause),
        numbers(1..5).prop_map(Shape::AtMostOne),
        numbers(1..6).prop_map(Shape::ExactlyOne),
        (numbers(1..8), 0_usize..4, 0_usize..4).prop_map(|(of, min, more)| Shape::Cardinality(of, min, more)),
        (prop::collection::vec((-4_i8..5, number.clone()), 1..6), -6_i8..7, 0_u8..4)
            .prop_map(|(terms, bound, comparison)| Shape::Linear(terms, bound, comparison)),
        (numbers(2..8), ends()).prop_map(|(of, edges)| Shape::Connected(of, edges)),
        (0_usize..3, numbers(4..14), ends()).prop_map(|(pairs, of, ends)| Shape::Paths(pairs, of, ends)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn random_models_are_counted_as_by_brute_force(
        shapes in prop::collection::vec(shape(), 1..5),
        conjunctions in prop::collection::vec(prop::collection::vec(-VARIABLES..=VARIABLES, 0..5), 6),
    ) {
        let mut model = Model::new();
        let booleans: Vec<Lit> = (0..VARIABLES).map(|_| model.boolean()).collect();
        model.project(booleans);
        for shape in &shapes {
            post(&mut model, shape);
        }
        let holds = |bits: u32| {
            let values = (0..VARIABLES).map(|index| bits >> index & 1 == 1).collect();
            model.holds(&Assignment::new(values, vec![]))
        };
        let solutions: Vec<u32> = (0..1_u32 << VARIABLES).filter(|&bits| holds(bits)).collect();
        prop_assert_eq!(count(&model), solutions.len().into());

        let sweep = Sweep::new(&model).expect("the states are small");
        let circuit = sweep.circuit(MEMORY, &mut |_| {}).expect("the states are few");
        prop_assert_eq!(circuit.count(), solutions.len().into());
        let counts = circuit.literal_counts(VARIABLES as u32);
        prop_assert_eq!(counts.total(), &solutions.len().into());
        for variable in 0..VARIABLES {
            let expected = solutions.iter().filter(|&bits| bits >> variable & 1 == 1).count();
            prop_assert_eq!(counts.of(Lit::positive(variable as u32)), expected.into(), "{}", variable);
        }
        let conjunctions: Vec<Vec<i8>> =
            conjunctions.into_iter().chain((1..=VARIABLES).map(|number| vec![number])).collect();
        let of_lits: Vec<Vec<Lit>> = conjunctions.iter().map(|numbers| lits(numbers)).collect();
        let counts = sweep.conjunction_counts(&of_lits, MEMORY, &mut |_| {});
        let (total, counts) = counts.expect("the states are few");
        prop_assert_eq!(total, solutions.len().into());
        for (numbers, count) in conjunctions.iter().zip(counts) {
            let is_true = |bits: u32, number: i8| {
                number == 0 || (bits >> (number.unsigned_abs() - 1) & 1 == 1) == (number > 0)
            };
            let holds = |&&bits: &&u32| numbers.iter().all(|&number| is_true(bits, number));
            prop_assert_eq!(count, solutions.iter().filter(holds).count().into(), "{:?}", numbers);
        }
        let sample = circuit.sample(&mut Random::new(1)).map(|lits| sweep.assignment(&lits));
        prop_assert_eq!(sample.is_some(), !solutions.is_empty());
        prop_assert!(sample.is_none_or(|sample| model.holds(&sample)));
    }
}
