use proptest::prelude::*;

use super::{Problem, Range, Simplex, Step};

const COLUMNS: usize = 5;

/// A row of a random problem: the coefficients, and a lower and an upper bound.
type Row = (Vec<i32>, Option<i32>, Option<i32>);

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let coefficients = prop::collection::vec(-3..4, COLUMNS);
    prop::collection::vec((coefficients, prop::option::of(-6..7), prop::option::of(0..9)), 0..8)
}

fn ranges() -> impl Strategy<Value = Vec<Range>> {
    let range = (-3..3, 0..4).prop_map(|(low, size)| (f64::from(low), f64::from(low + size)));
    prop::collection::vec(range, COLUMNS)
}

fn problem(costs: &[i32], rows: &[Row], bounds: &[Range]) -> Problem {
    let row = |(coefficients, lower, more): &Row| {
        let terms = coefficients.iter().enumerate().filter(|&(_, &coefficient)| coefficient != 0);
        let terms = terms.map(|(column, &coefficient)| (f64::from(coefficient), column)).collect();
        let upper = more.map(|more| lower.unwrap_or(0) + more);
        (terms, (lower.map_or(f64::NEG_INFINITY, f64::from), upper.map_or(f64::INFINITY, f64::from)))
    };
    Problem {
        costs: costs.iter().map(|&cost| f64::from(cost)).collect(),
        bounds: bounds.to_vec(),
        rows: rows.iter().map(row).collect(),
    }
}

/// Makes steps until the problem is solved. Returns the minimum, or `None` if there is no solution.
fn solve(simplex: &mut Simplex, problem: &Problem) -> Option<f64> {
    for _ in 0..1000 {
        match simplex.step() {
            Step::Changed => {}
            Step::Optimal => {
                check_optimum(simplex, problem);
                return Some(simplex.minimum());
            }
            Step::Infeasible(multipliers) => {
                check_contradiction(&multipliers, problem);
                return None;
            }
            Step::Imprecise => panic!("a small problem is precise"),
        }
    }
    panic!("a small problem needs few steps")
}

/// Returns the product of a coefficient and the bound that makes it small.
fn least(coefficient: f64, (lower, upper): Range) -> f64 {
    match coefficient {
        // Smaller coefficients are rounding errors.
        zero if zero.abs() < 1e-9 => 0.0,
        positive if positive > 0.0 => positive * lower,
        negative => negative * upper,
    }
}

/// Checks that the values satisfy the constraints and have the cost that the multipliers prove to be minimal.
fn check_optimum(simplex: &Simplex, problem: &Problem) {
    let values = simplex.solution();
    let is_within = |value: f64, (lower, upper): Range| lower - 1e-5 < value && value < upper + 1e-5;
    assert!(values.iter().zip(&problem.bounds).all(|(&value, &bounds)| is_within(value, bounds)));
    for (terms, bounds) in &problem.rows {
        let sum = terms.iter().map(|&(coefficient, column)| coefficient * values[column]).sum();
        assert!(is_within(sum, *bounds), "{sum} {bounds:?}");
    }
    let cost: f64 = values.iter().zip(&problem.costs).map(|(value, cost)| value * cost).sum();
    // The costs minus the scaled rows.
    let mut rest = problem.costs.clone();
    let mut proven = 0.0;
    for (multiplier, (terms, bounds)) in simplex.multipliers().into_iter().zip(&problem.rows) {
        proven += least(multiplier, *bounds);
        for &(coefficient, column) in terms {
            rest[column] -= multiplier * coefficient;
        }
    }
    proven += rest.iter().zip(&problem.bounds).map(|(&cost, &bounds)| least(cost, bounds)).sum::<f64>();
    assert!((cost - proven).abs() < 1e-5 && (cost - simplex.minimum()).abs() < 1e-5, "{cost} {proven}");
}

/// Checks that the sum of the scaled rows can't be within its bounds.
fn check_contradiction(multipliers: &[f64], problem: &Problem) {
    let mut sum = [0.0; COLUMNS];
    let mut bound = 0.0;
    for (&multiplier, (terms, bounds)) in multipliers.iter().zip(&problem.rows) {
        bound += least(multiplier, *bounds);
        for &(coefficient, column) in terms {
            sum[column] += multiplier * coefficient;
        }
    }
    let greatest: f64 =
        sum.iter().zip(&problem.bounds).map(|(&factor, &bounds)| -least(-factor, bounds)).sum();
    assert!(greatest < bound, "{greatest} {bound}");
}

/// A transport problem with a known optimum: two sources, two targets.
#[test]
fn a_transport_problem_has_the_known_optimum() {
    // x0 + x1 = 3, x2 + x3 = 4, x0 + x2 = 5, x1 + x3 = 2
    let row = |columns: [usize; 2], sum: f64| (columns.map(|column| (1.0, column)).to_vec(), (sum, sum));
    let problem = Problem {
        costs: vec![4.0, 1.0, 3.0, 5.0],
        bounds: vec![(0.0, 9.0); 4],
        rows: vec![row([0, 1], 3.0), row([2, 3], 4.0), row([0, 2], 5.0), row([1, 3], 2.0)],
    };
    let mut simplex = Simplex::new(&problem);
    while simplex.step() == Step::Changed {}
    assert_eq!(simplex.step(), Step::Optimal);
    // x = (1, 2, 4, 0)
    assert!((simplex.minimum() - 18.0).abs() < 1e-9);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// After each change of the bounds, the minimum is the same as that of a new problem.
    #[test]
    fn bounds_can_change(
        costs in prop::collection::vec(-5..6, COLUMNS),
        rows in rows(),
        bounds in prop::collection::vec(ranges(), 1..6),
    ) {
        let mut simplex = Simplex::new(&problem(&costs, &rows, &bounds[0]));
        for bounds in &bounds {
            let problem = problem(&costs, &rows, bounds);
            simplex.set_bounds(bounds.iter().copied());
            let minimum = solve(&mut simplex, &problem);
            let anew = solve(&mut Simplex::new(&problem), &problem);
            prop_assert_eq!(minimum.is_some(), anew.is_some());
            if let (Some(minimum), Some(anew)) = (minimum, anew) {
                prop_assert!((minimum - anew).abs() < 1e-5, "{} {}", minimum, anew);
            }
            simplex.invert();
            if minimum.is_some() {
                check_optimum(&simplex, &problem);
            }
        }
    }
}
