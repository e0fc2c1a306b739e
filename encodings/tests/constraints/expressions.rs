//! Tests the values of expressions under assignments, comparisons of expressions, and the integer variables that are
//! created for expressions.

use gordian_encodings::view::View;
use gordian_encodings::{
    Assignment, Cnf, Collect, Constraint, Domain, Encodings, Expr, Lit, Model, Sink, Value,
};
use proptest::prelude::*;
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, TernaryVal};

/// The coefficients of two integers and a literal, and a constant term.
type Shape = ([Value; 3], Value);

fn shapes() -> impl Strategy<Value = Shape> {
    ([-3..4_i128, -3..4_i128, -3..4_i128], -4..5_i128)
}

/// Returns a model with a Boolean variable and two integers. The domain of one integer has a gap.
fn model() -> (Model, [Expr; 3]) {
    let mut model = Model::new();
    let (x, y) = (model.integer(-2..=3), model.integer(Domain::from_values([0, 1, 4])));
    let b = model.boolean();
    (model, [x.into(), y.into(), b.into()])
}

fn expr(variables: &[Expr; 3], (factors, constant): Shape) -> Expr {
    let products = variables.iter().zip(factors).map(|(variable, factor)| factor * variable);
    products.sum::<Expr>() + constant
}

fn value((factors, constant): Shape, values: [Value; 3]) -> Value {
    factors.iter().zip(values).map(|(factor, value)| factor * value).sum::<Value>() + constant
}

/// Returns every assignment of the variables of [`model`], together with the values of the two integers and the
/// Boolean.
fn assignments() -> impl Iterator<Item = (Assignment, [Value; 3])> {
    let pairs = (-2..=3).flat_map(|x| [0, 1, 4].map(|y| (x, y)));
    pairs.flat_map(|(x, y)| {
        [false, true].map(|b| (Assignment::new(vec![b], vec![x, y]), [x, y, Value::from(b)]))
    })
}

/// Counts the models of a formula under assumptions, but stops at 2.
fn models(cnf: &Cnf, assumptions: &[Lit]) -> usize {
    let mut solver = rustsat_batsat::BasicSolver::default();
    for clause in cnf.iter() {
        solver.add_clause(clause.iter().copied().collect::<Clause>()).unwrap();
    }
    let mut found = 0;
    while found < 2 && solver.solve_assumps(assumptions).unwrap() == SolverResult::Sat {
        found += 1;
        let blocked =
            (0..cnf.variables()).map(Lit::positive).filter_map(|lit| match solver.lit_val(lit).unwrap() {
                TernaryVal::True => Some(!lit),
                TernaryVal::False => Some(lit),
                TernaryVal::DontCare => None,
            });
        let blocked: Clause = blocked.collect();
        solver.add_clause(blocked).unwrap();
    }
    found
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn operators_and_comparisons_compute(left in shapes(), right in shapes(), factor in -3..4_i128) {
        let (_, variables) = model();
        let (a, b) = (expr(&variables, left), expr(&variables, right));
        for (assignment, values) in assignments() {
            let (l, r) = (value(left, values), value(right, values));
            prop_assert_eq!(assignment.value(&a + &b), l + r);
            prop_assert_eq!(assignment.value(&a - &b), l - r);
            prop_assert_eq!(assignment.value(-&a * factor), -l * factor);
            prop_assert_eq!(a.equals(&b).holds(&assignment), l == r);
            prop_assert_eq!(a.not_equals(&b).holds(&assignment), l != r);
            prop_assert_eq!(a.at_most(&b).holds(&assignment), l <= r);
            prop_assert_eq!(a.at_least(&b).holds(&assignment), l >= r);
            prop_assert_eq!(a.less_than(&b).holds(&assignment), l < r);
            prop_assert_eq!(a.greater_than(&b).holds(&assignment), l > r);
        }
    }

    /// An integer variable created for an expression has the expression's value in the order, direct and log views. The
    /// formula still has exactly one model for each assignment.
    #[test]
    fn the_variable_of_an_expression_has_its_value(
        shape in shapes(), few in 0..3_usize, view in 0..3_usize, start in 0..3_usize,
    ) {
        let (model, variables) = model();
        // Setting some coefficients to 0 covers expressions of a single variable (affine views).
        let mut shape = shape;
        shape.0[..few].fill(0);
        let expression = expr(&variables, shape);
        let start = [View::Order, View::Direct, View::Log][start];
        let encodings = Encodings::auto().keep_count().with(start);
        let mut cnf = Cnf::default();
        let mut encoded = model.encode(&encodings, &mut cnf);
        let inputs = model.integer_variables().collect::<Vec<_>>();
        let mut sink = encoded.sink(&mut cnf);
        let z = sink.integer_for(&expression);
        assert_eq!(sink.integer_for(&(&expression + 0)), z, "made once");
        match view {
            0 => drop(sink.order(z)),
            1 => drop(sink.direct(z)),
            _ => drop(sink.log(z)),
        }
        let lits_of = |sink: &mut Sink<'_>, values: [Value; 3]| {
            let [x, y] = [0, 1].map(|index| sink.equals(inputs[index], values[index]));
            vec![x, y, Lit::new(0, values[2] == 0)]
        };
        let domain = sink.domain(z);
        let rows: Vec<(Vec<Lit>, Vec<Lit>)> = assignments().map(|(_, values)| {
            let expected = value(shape, values);
            let has = [sink.equals(z, expected), sink.at_most(z, expected), sink.at_least(z, expected)];
            let less = sink.at_most(z, expected - 1);
            (lits_of(&mut sink, values), has.into_iter().chain([!less]).collect())
        }).collect();
        cnf.reserve(encoded.sink(&mut Cnf::default()).variables());
        for ((input, has), (_, values)) in rows.iter().zip(assignments()) {
            assert!(domain.contains(value(shape, values)));
            prop_assert_eq!(models(&cnf, input), 1);
            for &lit in has {
                if let Some(holds) = gordian_encodings::constant(lit) { prop_assert!(holds) } else {
                    let wrong: Vec<Lit> = input.iter().copied().chain([!lit]).collect();
                    prop_assert_eq!(models(&cnf, &wrong), 0);
                }
            }
        }
    }
}

#[test]
fn views_need_no_variables_and_no_clauses() {
    let mut model = Model::new();
    let (x, b) = (model.integer(0..=9), model.boolean());
    let mut cnf = Cnf::default();
    let mut encoded = model.encode(&Encodings::auto(), &mut cnf);
    let before = (cnf.len(), encoded.sink(&mut cnf).variables());
    let mut sink = encoded.sink(&mut cnf);
    let order = sink.order(x);
    let [after, negated, doubled, literal] =
        [x + 5, 9 - x, 2 * x - 1, 7 - 3 * Expr::from(b)].map(|expr| sink.integer_for(&expr));
    assert_eq!(sink.order(after), order);
    assert_eq!(sink.order(negated), order.iter().rev().map(|&lit| !lit).collect::<Vec<_>>());
    assert_eq!(sink.at_most(doubled, 6), sink.at_most(x, 3));
    assert_eq!(sink.equals(doubled, 6), gordian_encodings::FALSE);
    assert_eq!((sink.at_most(literal, 5), sink.equals(literal, 7)), (b, !b));
    assert_eq!((cnf.len(), encoded.sink(&mut Cnf::default()).variables()), before);
}

#[test]
fn numbers_of_every_width_take_part() {
    let mut model = Model::new();
    let [x, y] = model.integers(0..=9);
    let solution = Assignment::new(vec![], vec![3, 4]);
    assert_eq!(solution.value(x * 2_u8 + 7_usize - y * -1_i64), 17);
    assert_eq!(solution.value([x, y].iter().sum::<Expr>()), 7);
    assert_eq!(solution.value(100_i128 - x), 97);
}

#[test]
#[should_panic(expected = "exceeds an i128")]
fn a_coefficient_that_overflows_panics() {
    let mut model = Model::new();
    let _ = Expr::from(model.integer(0..=1)) * i128::MAX * 2;
}

#[test]
#[should_panic(expected = "exceeds an i128")]
fn a_value_that_overflows_panics() {
    let mut model = Model::new();
    let x = model.integer(0..=9);
    let _ = Assignment::new(vec![], vec![9]).value(i128::MAX * x);
}

#[test]
#[should_panic(expected = "needs a value")]
fn an_empty_domain_panics() {
    let _ = Model::new().integer(Domain::from_values([]));
}
