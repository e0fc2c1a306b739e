use std::collections::BTreeSet;

use gordian_encodings::constraint::{Cardinality, Clause};
use gordian_encodings::{Encodings, Model};
use proptest::prelude::*;

use super::*;
use crate::backend::SOLVERS;

const VARIABLES: u32 = 10;

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests that the enumeration returns each projected solution exactly once, even if there are many more solutions
    /// than blocking clauses.
    #[test]
    fn every_solution_comes_once(
        clauses in proptest::collection::vec(proptest::collection::vec((0..VARIABLES, any::<bool>()), 2..4), 0..12),
        solution in proptest::collection::vec((0..VARIABLES, any::<bool>()), 0..12),
        most in proptest::option::of(2..9_usize),
    ) {
        let lit = |(index, negated): (u32, bool)| Lit::new(index, negated);
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..VARIABLES).map(|_| model.boolean()).collect();
        for clause in clauses {
            model.post(Clause::new(clause.into_iter().map(lit).collect::<Vec<_>>()));
        }
        if let Some(most) = most {
            model.post(Cardinality::at_most(lits, most));
        }
        let solution: Vec<Lit> = solution.into_iter().map(lit).collect();
        model.project(solution.iter().copied());
        let projected = |a: &Assignment| solution.iter().map(|&lit| a.lit(lit)).collect::<Vec<bool>>();
        let all = (0..1_u32 << VARIABLES).map(|set| {
            Assignment::new((0..VARIABLES).map(|index| set >> index & 1 == 1).collect(), Vec::new())
        });
        let expected: BTreeSet<_> = all.filter(|a| model.holds(a)).map(|a| projected(&a)).collect();
        for solver in SOLVERS.iter().filter(|solver| solver.make().is_ok()) {
            let session = Session::new(&model, &Encodings::auto(), solver).unwrap();
            let mut found = BTreeSet::new();
            for assignment in session.into_assignments() {
                let assignment = assignment.unwrap();
                prop_assert!(model.holds(&assignment));
                prop_assert!(found.insert(projected(&assignment)), "{} twice", solver.name);
            }
            prop_assert_eq!(&found, &expected, "{}", solver.name);
        }
    }
}

#[test]
fn some_formulas_have_more_solutions_than_are_forbidden_by_clauses() {
    const { assert!(MOST < 1 << VARIABLES, "the test above would not see the parts of the space") };
}
