//! Tests of decision strategies.

use gordian::backend::{Limits, Verdict};
use gordian::prelude::*;
use gordian::search::Config;
use gordian_encodings::view::View;
use gordian_encodings::{DecisionStrategy, Term, ValueChoice, VariableChoice};

/// Without conflicts, the search follows the strategies, so its first solution shows their choices.
#[test]
fn the_search_follows_decision_strategies() {
    use ValueChoice::{LowerHalf, Max, Min, UpperHalf};
    use VariableChoice::{FewestValues, HighestMax, InputOrder, LowestMin, MostValues};
    // One of the integers has a lazy view, and the others have order views. Together they are at most 100. The first one on
    // which the search branches gets its value, and the others follow.
    let cases = [
        (InputOrder, Max, [90, 10, 0]),
        (FewestValues, Max, [82, 12, 6]),
        (MostValues, Max, [90, 10, 0]),
        (LowestMin, Max, [90, 4, 6]),
        (HighestMax, Max, [90, 10, 0]),
        (InputOrder, Min, [1, 2, 0]),
        (InputOrder, LowerHalf, [1, 2, 0]),
        (InputOrder, UpperHalf, [90, 10, 0]),
    ];
    for (variable, value, expected) in cases {
        let mut model = Model::new();
        let integers = [model.integer(1..=90), model.integer(2..=12), model.integer(0..=6)];
        let strategy = DecisionStrategy { variables: integers.map(Term::Int).to_vec(), variable, value };
        model.post(Linear::at_most(integers.map(|x| (1, x.into())), 100));
        model.branch(strategy);
        let mut session = Config::default().session(&model, Limits::default()).expect("the solver is there");
        assert_eq!(session.satisfy(&[]).expect("no failure"), Verdict::Satisfiable);
        let assignment = session.assignment();
        let found = integers.map(|x| assignment.int(x));
        assert_eq!(found, expected, "{variable:?} {value:?}");
    }
}

#[test]
fn strategies_branch_on_direct_views() {
    use ValueChoice::{Max, Min};
    use VariableChoice::{FewestValues, InputOrder};
    for (variable, value, expected) in
        [(InputOrder, Min, [1, 3, 7]), (InputOrder, Max, [9, 6, 7]), (FewestValues, Max, [6, 9, 7])]
    {
        let mut model = Model::new();
        let values = [vec![1, 4, 5, 6, 9], vec![3, 6, 9], vec![7]];
        let integers = values.map(|values| model.integer(Domain::from_values(values)));
        model.post(AllDifferent::new(integers));
        model.branch(DecisionStrategy { variables: integers.map(Term::Int).to_vec(), variable, value });
        let config = Config { encodings: Encodings::auto().with(View::Direct), ..Config::default() };
        let mut session = config.session(&model, Limits::default()).expect("the solver is there");
        assert_eq!(session.satisfy(&[]).expect("no failure"), Verdict::Satisfiable);
        let assignment = session.assignment();
        assert_eq!(integers.map(|x| assignment.int(x)), expected, "{variable:?} {value:?}");
    }
}

/// The last integer has the fewest values. A strategy finds it only among the first 1,000 variables.
#[test]
fn strategies_compare_a_limited_number_of_variables() {
    for (count, expected) in [(999, [1, 1]), (1_000, [2, 0])] {
        let mut model = Model::new();
        let mut integers: Vec<IntVar> = (0..count).map(|_| model.integer(0..=2)).collect();
        let last = model.integer(0..=1);
        integers.push(last);
        model.post(Linear::at_most([(1, integers[0].into()), (1, last.into())], 2));
        model.branch(DecisionStrategy {
            variables: integers.iter().copied().map(Term::Int).collect(),
            variable: VariableChoice::FewestValues,
            value: ValueChoice::Max,
        });
        let mut session = Config::default().session(&model, Limits::default()).expect("the solver is there");
        assert_eq!(session.satisfy(&[]).expect("no failure"), Verdict::Satisfiable);
        let assignment = session.assignment();
        assert_eq!(
            [integers[0], last].map(|x| assignment.int(x)),
            expected,
            "{count} integers before the last one"
        );
    }
}
