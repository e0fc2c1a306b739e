use proptest::prelude::*;

use crate::constraint::{Absolute, AtMostOne, Cardinality, Clause, Comparison, Linear, Maximum, Reified};
use crate::{Assignment, Constraint as _, Domain, Expr, IntVar, Lit, Model, Objective, Sense, Value};

/// Returns all assignments that satisfy a model.
fn solutions(model: &Model) -> Vec<Assignment> {
    let mut integers: Vec<Vec<Value>> = vec![Vec::new()];
    for x in model.integer_variables() {
        let extended = integers
            .iter()
            .flat_map(|before| model.domain(x).values().map(|value| [&before[..], &[value]].concat()));
        integers = extended.collect();
    }
    (0..1_u32 << model.variables())
        .flat_map(|set| {
            let booleans: Vec<bool> = (0..model.variables()).map(|index| set >> index & 1 == 1).collect();
            integers.iter().map(move |integers| Assignment::new(booleans.clone(), integers.clone()))
        })
        .filter(|assignment| model.holds(assignment))
        .collect()
}

/// Checks that the relaxation bounds the objective of every solution, and that its constraints hold. Returns the relaxation's bound on the cost,
/// rounded up.
fn bound(model: &Model) -> Option<Value> {
    let objective = model.objective().expect("an objective");
    for linear in &objective.linear {
        assert!(solutions(model).iter().all(|assignment| linear.holds(assignment)), "{linear:?}");
    }
    let relaxation = objective.relaxation.as_ref()?;
    for assignment in solutions(model) {
        let cost = objective.sense.cost(objective.value(&assignment)).expect("a small number");
        let sum = assignment.sum(&relaxation.terms, relaxation.constant).expect("small numbers");
        assert!(relaxation.scale * cost >= sum, "{relaxation:?} {assignment:?}");
    }
    let least = relaxation.least(model.domains()).expect("small numbers");
    Some(least.div_euclid(relaxation.scale) + Value::from(least.rem_euclid(relaxation.scale) > 0))
}

/// Each row and each column of a grid contains two coins. The objective is the sum of `(row - column)^2` over all
/// coins. The relaxation has an integral optimum.
#[test]
fn the_relaxation_of_a_transport_problem_is_exact() {
    let mut model = Model::new();
    let cells: Vec<Vec<Lit>> = (0..4).map(|_| (0..4).map(|_| model.boolean()).collect()).collect();
    for (index, row) in cells.iter().enumerate() {
        model.post(Cardinality::exactly(row.clone(), 2));
        model.post(Cardinality::exactly(cells.iter().map(|row| row[index]).collect::<Vec<_>>(), 2));
    }
    let weight = |row: usize, column: usize| (row.abs_diff(column) as Value).pow(2);
    let terms = (0..4).flat_map(|row| (0..4).map(move |column| (row, column)));
    let terms: Vec<(Value, Lit)> =
        terms.map(|(row, column)| (weight(row, column), cells[row][column])).collect();
    model.set_objective(Objective::new(Sense::Minimise, terms));
    model.relax();
    let objective = model.objective().expect("an objective");
    let optimum = solutions(&model).iter().map(|assignment| objective.value(assignment)).min();
    assert_eq!(bound(&model), optimum);
}

/// Clauses with two literals imply that at most one of five literals holds.
#[test]
fn pairs_form_groups() {
    let mut model = Model::new();
    let lits = model.booleans::<5>();
    for (index, &a) in lits.iter().enumerate() {
        for &b in &lits[..index] {
            model.post(Clause::new([!a, !b]));
        }
    }
    model.set_objective(Objective::new(Sense::Maximise, lits.map(|lit| (3, lit))));
    model.relax();
    assert_eq!(bound(&model), Some(-3));
}

#[derive(Debug, Clone)]
struct Parts {
    domains: Vec<(Value, Value)>,
    sums: Vec<(Vec<Value>, u8, Value)>,
    clauses: Vec<Vec<(usize, bool)>>,
    group: Vec<usize>,
    /// Selects which type of constraint is posted on two of the integers.
    between: u8,
    costs: Vec<Value>,
    maximise: bool,
}

const BOOLEANS: usize = 5;

fn parts() -> impl Strategy<Value = Parts> {
    (
        prop::collection::vec((-2_i128..2, 1_i128..4), 0..3),
        prop::collection::vec((prop::collection::vec(-4_i128..5, BOOLEANS + 3), 0..12_u8, -4_i128..9), 0..5),
        prop::collection::vec(prop::collection::vec((0..BOOLEANS, any::<bool>()), 1..4), 0..5),
        prop::collection::vec(0..BOOLEANS, 0..4),
        0..4_u8,
        prop::collection::vec(-5_i128..6, BOOLEANS + 3),
        any::<bool>(),
    )
        .prop_map(|(domains, sums, clauses, group, between, costs, maximise)| Parts {
            domains,
            sums,
            clauses,
            group,
            between,
            costs,
            maximise,
        })
}

impl Parts {
    fn model(&self) -> Model {
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..BOOLEANS).map(|_| model.boolean()).collect();
        let integers =
            self.domains.iter().map(|&(low, size)| model.integer(Domain::interval(low, low + size)));
        let integers: Vec<IntVar> = integers.collect();
        if let Some(&x) = integers.first() {
            // Creates a literal `x = value` for each value of the first integer.
            let values: Vec<Value> = model.domain(x).values().collect();
            let lits: Vec<Lit> = values.iter().map(|&value| model.equals(x, value)).collect();
            model.post(Clause::new(lits));
        }
        let terms = |weights: &[Value]| {
            let of_lits = weights.iter().copied().zip(lits.iter().map(|&lit| lit.into()));
            let of_integers = weights[BOOLEANS..].iter().copied().zip(integers.iter().map(|&x| x.into()));
            of_lits.chain(of_integers).collect::<Vec<_>>()
        };
        for (weights, comparison, bound) in &self.sums {
            let comparisons =
                [Comparison::AtMost, Comparison::AtLeast, Comparison::Equal, Comparison::NotEqual];
            let linear = Linear::new(terms(weights), comparisons[usize::from(comparison % 4)], *bound);
            match comparison / 4 {
                0 => model.post(linear),
                1 => model.post(Reified::implies(lits[0], linear)),
                _ => model.post(Reified::equivalent(!lits[1], linear)),
            }
        }
        for clause in &self.clauses {
            let lits = clause.iter().map(|&(index, holds)| if holds { lits[index] } else { !lits[index] });
            model.post(Clause::new(lits.collect::<Vec<_>>()));
        }
        model.post(AtMostOne::new(self.group.iter().map(|&index| lits[index]).collect::<Vec<_>>()));
        if let [x, y, ..] = integers[..] {
            match self.between {
                0 => model.post(Absolute::new(x - 1, y)),
                1 => model.post(Maximum::new([x + 0, 2 * Expr::from(lits[0])], y)),
                _ => {}
            }
        }
        let sense = if self.maximise { Sense::Maximise } else { Sense::Minimise };
        model.set_objective(Objective::new(sense, terms(&self.costs)));
        model
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn relaxations_are_valid(parts in parts()) {
        let mut model = parts.model();
        model.relax();
        let objective = model.objective().expect("an objective");
        let costs = solutions(&model).into_iter().map(|assignment| objective.sense.cost(objective.value(&assignment)));
        if let Some((bound, least)) = bound(&model).zip(costs.min().flatten()) {
            prop_assert!(bound <= least);
        }
    }

    #[test]
    fn relaxations_without_an_objective_are_valid(parts in parts()) {
        let mut model = parts.model();
        model.remove_objective();
        model.relax();
        for assignment in solutions(&model) {
            for linear in &model.relaxation {
                prop_assert!(linear.holds(&assignment), "{linear:?} {assignment:?}");
            }
        }
    }
}
