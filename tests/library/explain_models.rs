//! Explanations of constraint models: which constraints contradict each other.

use std::collections::BTreeSet;

use gordian::flatzinc::{NamedConstraints, WhyNone};
use gordian::format::Source;
use gordian::prelude::ModelExt;
use gordian::search::Config;
use gordian_flatzinc::violated;

use crate::support;
/// Returns the number of constraints in a smallest contradictory subset, by brute force over all values from 1 to 3.
fn least(instance: &gordian_flatzinc::Instance) -> Option<usize> {
    let number = instance.constraints.len();
    let variables = instance.variables.len() as u32;
    let of =
        |index: usize| (0..variables).map(|v| (index / 3_usize.pow(v) % 3) as i128 + 1).collect::<Vec<_>>();
    let broken: Vec<Vec<usize>> =
        (0..3_usize.pow(variables)).map(|index| violated(instance, &of(index))).collect();
    let hits =
        |set: usize| broken.iter().all(|broken| broken.iter().any(|&constraint| set >> constraint & 1 == 1));
    (0..1_usize << number).filter(|&set| hits(set)).map(|set| set.count_ones() as usize).min()
}

#[test]
fn models_are_explained_by_their_constraints() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut sizes = BTreeSet::new();
    for round in 0..300 {
        let mut text = String::from("var 1..3: a;\nvar 1..3: b;\nvar 1..3: c;\n");
        for _ in 0..random.usize(2..=8) {
            let name = ["int_lt", "int_le", "int_ne", "int_eq"][random.usize(..4)];
            let mut operand = || ["a", "b", "c", "1", "2", "3"][random.usize(..6)];
            let constraint = format!("constraint {name}({}, {});\n", operand(), operand());
            text += &constraint;
        }
        text += "solve satisfy;\n";
        let instance = gordian_flatzinc::text::read(&text).expect("an instance");
        let source = Source::new("model.fzn", &*text);
        let mut constraints = NamedConstraints::of(&instance, &source);
        let why = constraints.why(&Config::default(), true).expect("a solver");
        let found = match why {
            WhyNone::Contradiction(subset) => {
                assert!(subset.smallest, "round {round}");
                Some(subset.groups.len())
            }
            WhyNone::Possible => None,
            WhyNone::Stopped => panic!("there is no limit"),
        };
        assert_eq!(found, least(&instance), "round {round}: {text}");
        sizes.extend(found);
    }
    assert!(sizes.len() >= 3, "conflicts of several sizes: {sizes:?}");
}

#[test]
fn constraints_with_one_name_count_as_one() {
    use gordian::prelude::{Clause, Model};
    let mut model = Model::new();
    let [a, b, c] = model.booleans();
    model.post_as("one", Clause::new([a]));
    model.post_as("two", Clause::new([!a, b]));
    model.post_as("two", Clause::new([!b, c]));
    model.post(Clause::new([!c]));
    model.post(Clause::new([!b, !c]));
    model.post(Clause::new([a, b, c]));
    let conflict = model.why().expect("a solver").expect("a conflict");
    assert!(
        conflict.smallest
            && conflict.minimal
            && [vec![0, 1, 2, 3], vec![0, 1, 2, 4]].contains(&conflict.constraints)
    );
    let text = "var 1..9: a;\nvar 1..9: b;\nconstraint int_lt(a, b) :: mzn_constraint_name(\"order\");\n\
        constraint int_le(9, a) :: mzn_constraint_name(\"large\");\nsolve satisfy;\n";
    let shown = support::stdout(&support::gordian(&["why", "-"], text));
    assert_eq!(shown, "2 rules contradict each other (smallest):\n  order\n  large\n");
}

#[test]
fn definitions_of_introduced_booleans_are_no_rules() {
    let text = "var 0..1: b :: var_is_introduced;\nvar 1..3: x;\n\
        constraint int_le_reif(x, 1, b) :: defines_var(b);\n\
        constraint bool_eq(b, true) :: mzn_constraint_name(\"small\");\n\
        constraint int_le(2, x);\nsolve satisfy;\n";
    let rules = |text: &str| {
        let shown = support::stdout(&support::gordian(&["why", "-"], text));
        shown.lines().skip(1).map(|line| line.trim().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(rules(text), ["small", "int_le in line 5"]);
    // The domain of an introduced integer states a constraint: |x| <= 1.
    let folded = "var 0..1: small :: var_is_introduced;\nvar 0..2: d :: var_is_introduced;\nvar -9..9: x;\n\
        constraint int_abs(x, d) :: defines_var(d);\nconstraint int_le(3, x);\nsolve satisfy;\n";
    assert_eq!(rules(folded), ["int_abs in line 4", "int_le in line 5"]);
    // If the definitions alone contradict each other, they are listed.
    let text = "var 0..1: b :: var_is_introduced;\n\
        constraint int_eq(b, 0) :: defines_var(b);\nconstraint int_eq(b, 1) :: defines_var(b);\nsolve satisfy;\n";
    assert_eq!(rules(text), ["int_eq in line 2", "int_eq in line 3"]);
}
