//! Tests of the bounds that the linear relaxation gives for small models.

use gordian_encodings::constraint::{
    AllDifferent, Circuit, Count, Element, Entry, Inverse, Permutation, Reified, Table,
};
use gordian_encodings::{Constraint, Expr, IntVar, Model, Objective, Sense, TRUE, Term, Value};

/// Returns the relaxation's bound on the minimum of `sense.cost(sum)`, rounded up, or `None` if the relaxation gives no
/// better bound than the domains.
fn bound(model: &mut Model, sense: Sense, sum: impl IntoIterator<Item = (Value, Term)>) -> Option<Value> {
    model.set_objective(Objective::new(sense, sum));
    model.relax();
    let relaxation = model.objective().expect("an objective").relaxation.clone()?;
    let least = relaxation.least(model.domains()).expect("small numbers");
    Some(least.div_euclid(relaxation.scale) + Value::from(least.rem_euclid(relaxation.scale) > 0))
}

/// Chooses one column of each row of a matrix. `distinct` restricts the choices. Returns the bound on the total of the
/// chosen entries.
fn bound_of_choice<C: Constraint>(
    matrix: &[[Value; 3]; 3],
    distinct: impl Fn(Vec<IntVar>) -> C,
) -> Option<Value> {
    let mut model = Model::new();
    let choices: Vec<IntVar> = (0..3).map(|_| model.integer(0..=2)).collect();
    let entries: Vec<IntVar> = (0..3).map(|_| model.integer(0..=9)).collect();
    for ((&choice, &entry), row) in choices.iter().zip(&entries).zip(matrix) {
        model.post(Element::new(choice, *row, entry));
    }
    model.post(distinct(choices));
    bound(&mut model, Sense::Minimise, entries.into_iter().map(|entry| (1, entry.into())))
}

/// The cheapest column is the same for every row. The minimum is 1 + 4 + 5.
const MATRIX: [[Value; 3]; 3] = [[1, 5, 9], [1, 4, 9], [1, 9, 5]];

#[test]
fn the_relaxation_of_an_assignment_problem_is_exact() {
    assert_eq!(bound_of_choice(&MATRIX, AllDifferent::new), Some(10));
    assert_eq!(bound_of_choice(&MATRIX, |choices| Permutation::new(choices, [0, 1, 2])), Some(10));
    // The relaxation allows several circuits.
    assert_eq!(bound_of_choice(&MATRIX, Circuit::optional), Some(10));
    // Without a restriction, every row uses its cheapest column.
    assert_eq!(bound_of_choice(&MATRIX, |_| AllDifferent::new([0; 0])), Some(3));
}

#[test]
fn inverse_lists_are_permutations() {
    let mut model = Model::new();
    let [left, right] = [0; 2].map(|_| model.integers::<3>(0..=2));
    let entries = model.integers::<3>(0..=9);
    for ((&index, &entry), row) in right.iter().zip(&entries).zip(&MATRIX) {
        model.post(Element::new(index, *row, entry));
    }
    model.post(Inverse::new(left, right));
    assert_eq!(bound(&mut model, Sense::Minimise, entries.map(|entry| (1, entry.into()))), Some(10));
}

#[test]
fn counts_bound_sums() {
    let mut model = Model::new();
    let ints = model.integers::<3>(0..=7);
    let all: Vec<IntVar> = ints.to_vec();
    for &x in &all {
        // The relaxation links an integer to its values only if every value has a literal.
        model.post(Element::new(x, [0, 1, 2, 3, 4, 5, 6, 7], x));
    }
    model.post(Count::exactly(all, 7, 2));
    assert_eq!(bound(&mut model, Sense::Minimise, ints.map(|x| (1, x.into()))), Some(14));
}

/// For any two of five integers, a table excludes that both are 1. The linear program of the tables alone has the solution
/// 1/2 for each integer.
#[test]
fn excluded_pairs_of_tables_form_groups() {
    let mut model = Model::new();
    let ints = model.integers::<5>(0..=1);
    let row = |a, b| vec![Entry::Is(a), Entry::Is(b)];
    for (index, &x) in ints.iter().enumerate() {
        for &y in &ints[..index] {
            model.post(Table::new([x, y], [row(0, 0), row(0, 1), row(1, 0)]));
        }
    }
    assert_eq!(bound(&mut model, Sense::Maximise, ints.map(|x| (1, x.into()))), Some(-1));
}

/// The table of a function, where most pairs of values occur in no row.
#[test]
fn values_of_tables_need_support() {
    let mut model = Model::new();
    let [x, y] = model.integers(0..=3);
    let rows: Vec<Vec<Entry>> =
        [3, 1, 2, 3].into_iter().zip(0..).map(|(y, x)| vec![Entry::Is(x), Entry::Is(y)]).collect();
    model.post(Table::new([x, y], rows));
    // The sums are 3, 2, 4 and 6.
    assert_eq!(bound(&mut model, Sense::Minimise, [(1, x.into()), (1, y.into())]), Some(2));
}

#[test]
fn reified_constraints_imply_constraints_under_their_condition() {
    let reified = |choices| Reified {
        condition: TRUE,
        then: Some(std::sync::Arc::new(AllDifferent::new(choices))),
        otherwise: None,
    };
    assert_eq!(bound_of_choice(&MATRIX, reified), Some(10));
}

#[test]
fn at_most_5000_literals_are_created() {
    for (count, created) in [(70, true), (71, false)] {
        let mut model = Model::new();
        let ints: Vec<IntVar> = (0..count).map(|_| model.integer(1..=71)).collect();
        model.post(AllDifferent::new(ints.iter().copied()));
        model.set_objective(Objective::new(Sense::Minimise, ints.into_iter().map(|x| (1, x))));
        model.relax();
        assert_eq!(model.variables() > 0, created, "{count} integers with 71 values");
    }
}

#[test]
fn without_an_objective_no_literal_is_created() {
    let mut model = Model::new();
    let ints: [Expr; 3] = model.integers::<3>(0..=2).map(Expr::from);
    model.post(AllDifferent::new(ints));
    model.relax();
    assert_eq!(model.variables(), 0);
}
