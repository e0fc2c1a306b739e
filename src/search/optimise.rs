//! The best answer, by incremental bound tightening.
//!
//! *Solution-improving search*: find a solution, assume that the objective is better than its value, go on until there
//! is none; the last one found is then proven optimal. The objective is encoded once and only bounds are assumed
//! (Een, Sorensson: *Translating pseudo-Boolean constraints into SAT*, JSAT 2, 2006).

use gordian_encodings::objective::TooGreat;
use gordian_encodings::{Assignment, Objective, ObjectiveBounds, Sense, Value};

use super::Session;
use crate::backend::{BackendError, Verdict};

/// What came of the search for a best solution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Optimum {
    /// The best solution found, with its value.
    pub best: Option<(Assignment, Value)>,
    /// A value that no solution is better than.
    pub bound: Value,
    /// Whether the search ended by itself: `best` is then a best solution, or there is none.
    pub proven: bool,
}

/// Why no best solution can be looked for.
#[derive(Debug, thiserror::Error)]
pub enum OptimiseError {
    /// The solver failed.
    #[error(transparent)]
    Backend(#[from] BackendError),
    /// The objective is too great.
    #[error(transparent)]
    TooGreat(#[from] TooGreat),
}

impl Session {
    /// Looks for a best solution. `improved` hears of each solution that is better than all before.
    ///
    /// # Errors
    /// If the solver fails or the objective is too great to be bounded.
    pub fn optimise(
        &mut self,
        objective: &Objective,
        mut improved: impl FnMut(&Assignment, Value),
    ) -> Result<Optimum, OptimiseError> {
        let mut bounds = ObjectiveBounds::new(objective, &mut self.encoded.sink(&mut *self.backend))?;
        let mut optimum = Optimum { best: None, bound: bounds.best(), proven: false };
        let mut assumptions = Vec::new();
        loop {
            match self.satisfy(&assumptions)? {
                Verdict::Stopped => return Ok(optimum),
                Verdict::Unsatisfiable => {
                    optimum.proven = true;
                    optimum.bound = optimum.best.as_ref().map_or(optimum.bound, |&(_, value)| value);
                    return Ok(optimum);
                }
                Verdict::Satisfiable => {}
            }
            let assignment = self.assignment();
            let value = objective.value(&assignment);
            improved(&assignment, value);
            optimum.best = Some((assignment, value));
            if value == optimum.bound {
                optimum.proven = true;
                return Ok(optimum);
            }
            let better = match objective.sense {
                Sense::Minimise => value - 1,
                Sense::Maximise => value + 1,
            };
            let mut sink = self.encoded.sink(&mut *self.backend);
            assumptions = bounds.at_least_as_good_as(better, &mut sink);
        }
    }
}

#[cfg(test)]
mod tests {
    use gordian_encodings::constraint::Clause;
    use gordian_encodings::{Encodings, Lit, Model};
    use proptest::prelude::*;

    use super::*;
    use crate::backend::SOLVERS;

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        /// On random clauses and weights, the optimum is that of trying everything.
        #[test]
        fn the_optimum_is_that_of_brute_force(
            clauses in proptest::collection::vec(proptest::collection::vec((0..6_u32, any::<bool>()), 1..4), 0..14),
            terms in proptest::collection::vec((-9..10_i128, 0..6_u32, any::<bool>()), 0..8),
            maximise in any::<bool>(),
        ) {
            const VARIABLES: u32 = 6;
            let lit = |(index, negated): (u32, bool)| Lit::new(index, negated);
            let mut model = Model::new();
            for _ in 0..VARIABLES {
                model.boolean();
            }
            for clause in clauses {
                model.post(Clause::new(clause.into_iter().map(lit).collect::<Vec<_>>()));
            }
            let sense = if maximise { Sense::Maximise } else { Sense::Minimise };
            let terms: Vec<_> =
                terms.into_iter().map(|(weight, index, negated)| (weight, lit((index, negated)))).collect();
            let objective = Objective { constant: 2, ..Objective::new(sense, terms) };
            let all = (0..1_u32 << VARIABLES).map(|set| {
                Assignment::new((0..VARIABLES).map(|index| set >> index & 1 == 1).collect(), Vec::new())
            });
            let values = all.filter(|assignment| model.holds(assignment)).map(|a| objective.value(&a));
            let expected = if maximise { values.max() } else { values.min() };
            for solver in SOLVERS.iter().filter(|solver| (solver.make)().is_ok()) {
                let mut session = Session::new(&model, &Encodings::auto(), solver, None).unwrap();
                let mut heard = Vec::new();
                let optimum = session.optimise(&objective, |_, value| heard.push(value)).unwrap();
                prop_assert!(optimum.proven);
                prop_assert_eq!(optimum.best.as_ref().map(|&(_, value)| value), expected);
                prop_assert_eq!(heard.last().copied(), expected);
                let better = |pair: &[Value]| if maximise { pair[0] < pair[1] } else { pair[0] > pair[1] };
                prop_assert!(heard.windows(2).all(better));
                if let Some((assignment, value)) = &optimum.best {
                    prop_assert!(model.holds(assignment));
                    prop_assert_eq!((objective.value(assignment), optimum.bound), (*value, *value));
                }
            }
        }
    }
}
