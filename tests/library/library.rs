//! Tests that build and solve models through the prelude.

use std::collections::BTreeSet;
use std::time::Duration;

use gordian::prelude::*;

#[test]
fn send_more_money_has_one_solution() {
    let mut model = Model::new();
    let [s, m] = model.integers(1..=9);
    let [e, n, d, o, r, y] = model.integers(0..=9);
    model.post(AllDifferent::new([s, e, n, d, m, o, r, y]));
    let (send, more) = (1000 * s + 100 * e + 10 * n + d, 1000 * m + 100 * o + 10 * r + e);
    model.post((&send + &more).equals(10_000 * m + 1000 * o + 100 * n + 10 * e + y));
    let solution = model.solve().unwrap().unwrap();
    assert_eq!((solution.value(&send), solution.value(&more)), (9567, 1085));
    assert!(model.unique().unwrap());
    let forced = model.backbone().unwrap().unwrap();
    assert_eq!((forced[s], forced[y]), (Some(9), Some(2)));
}

#[test]
fn eight_queens_have_92_solutions() {
    let mut model = Model::new();
    let q = model.integers::<8>(0..=7);
    model.post(AllDifferent::new(q));
    model.post(AllDifferent::new((0..8).map(|i| q[i] + i)));
    model.post(AllDifferent::new((0..8).map(|i| q[i] - i)));
    assert_eq!(model.count().unwrap(), 92);
}

#[test]
fn magic_squares_are_eight() {
    let mut model = Model::new();
    let cells = model.integers::<9>(1..=9);
    model.post(AllDifferent::new(cells));
    for line in [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]] {
        model.post(line.map(|cell| cells[cell]).into_iter().sum::<Expr>().equals(15));
    }
    let solutions: Vec<_> = model.solutions().unwrap().collect::<Result<_, _>>().unwrap();
    let squares: BTreeSet<_> = solutions.iter().map(|solution| cells.map(|cell| solution[cell])).collect();
    assert_eq!((solutions.len(), squares.len(), model.count().unwrap()), (8, 8, 8));
    assert!(!model.unique().unwrap());
    assert!(solutions.iter().all(|solution| model.holds(solution)));
    let forced = model.backbone().unwrap().unwrap();
    assert_eq!((forced[cells[4]], forced[cells[0]]), (Some(5), None));
}

#[test]
fn objectives_are_expressions() {
    let mut model = Model::new();
    let [x, y] = model.integers(0..=20);
    let late = model.boolean();
    model.post((3 * x + 2 * y).at_most(30 + 10 * Expr::from(late)));
    model.maximise(5 * x + 4 * y - 7 * Expr::from(late) + 100);
    let optimum = model.optimise().unwrap();
    let (best, value) = optimum.best.unwrap();
    let brute = (0..=20).flat_map(|x| (0..=20).map(move |y| (x, y))).flat_map(|(x, y)| {
        [0, 1].into_iter().filter(move |b| 3 * x + 2 * y <= 30 + 10 * b).map(move |b| 5 * x + 4 * y - 7 * b)
    });
    assert!(optimum.proven);
    assert_eq!(Some(value), brute.max().map(|value| value + 100));
    assert_eq!(value, best.value(5 * x + 4 * y - 7 * Expr::from(late) + 100));
    // If there is no objective, the result is an arbitrary solution.
    assert_eq!(Model::new().optimise().unwrap().best.unwrap().1, 0);
}

#[test]
fn a_contradiction_has_no_solution() {
    let mut model = Model::new();
    let [x, y] = model.integers(0..=9);
    model.post(x.less_than(y));
    model.post(y.less_than(x));
    assert_eq!(model.solve().unwrap(), None);
    assert_eq!(model.optimise().unwrap().best, None);
    assert_eq!((model.count().unwrap(), model.unique().unwrap()), (0, false));
    assert_eq!(model.backbone().unwrap(), None);
}

#[test]
fn a_limit_is_reported_as_an_error() {
    // The model is a pigeonhole problem, which takes many conflicts.
    let mut model = Model::new();
    let pigeons = model.integers::<10>(1..=9);
    for (index, &x) in pigeons.iter().enumerate() {
        pigeons[..index].iter().for_each(|&y| model.post(x.not_equals(y)));
    }
    let config = Config { conflicts: Some(1), ..Config::default() };
    assert!(matches!(model.solve_with(&config), Err(SolveError::LimitReached)));
    assert!(matches!(model.count_with(&config), Err(SolveError::LimitReached)));
    assert!(matches!(model.backbone_with(&config), Err(SolveError::LimitReached)));
    let optimum = model.optimise_with(&config).unwrap();
    assert!(optimum.best.is_none() && !optimum.proven);
    let expired = Config { timeout: Some(Duration::ZERO), ..Config::default() };
    assert!(matches!(model.unique_with(&expired), Err(SolveError::LimitReached)));
}

#[test]
fn solutions_differ_in_large_integers_and_booleans_too() {
    let mut model = Model::new();
    let x = model.integer(0..=10_i128.pow(20));
    let b = model.boolean();
    model.post(x.at_most(2));
    model.post((x + b).at_least(2));
    let solutions: Vec<_> = model.solutions().unwrap().collect::<Result<_, _>>().unwrap();
    let found: BTreeSet<_> = solutions.iter().map(|solution| (solution[x], solution[b])).collect();
    assert_eq!(found, BTreeSet::from([(1, true), (2, false), (2, true)]));
    assert_eq!(solutions.len(), 3);
    // Solutions that agree on the projection count as one solution.
    model.project([b]);
    assert_eq!(model.count().unwrap(), 2);
    let forced = model.backbone().unwrap().unwrap();
    assert_eq!((forced[x], forced[b], forced[!b]), (None, None, None));
}
