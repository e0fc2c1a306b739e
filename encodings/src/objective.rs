//! Objectives, and bounds on objectives that can be changed without encoding the objective again.

use gordian_proofs::Row;

use crate::assignment::Assignment;
use crate::bounded_sum::BoundedSum;
use crate::constraint::{Linear, literals};
use crate::expr::{Expr, Term};
use crate::int::{Domains, IntVar, Value};
pub use crate::linear_sum::Overflow;
use crate::linear_sum::{LinearSum, range};
use crate::lit::{Lit, TRUE};
use crate::sink::Sink;

/// The objective of an optimisation problem: a weighted sum of literals and integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objective {
    /// The direction: minimise or maximise.
    pub sense: Sense,
    /// The weighted terms. A literal or an integer may occur more than once.
    pub terms: Vec<(Value, Term)>,
    /// The constant term.
    pub constant: Value,
    /// Further sums that have the same value as `terms` in every solution. A bound on the objective is also imposed on
    /// these sums, because unit propagation then derives more literals.
    pub equal: Vec<Vec<(Value, Term)>>,
    /// A relaxation of the objective. Core-guided search starts with the bound that this relaxation proves.
    pub relaxation: Option<Relaxation>,
    /// Linear constraints that every solution satisfies. If the solver lets propagators [create
    /// literals](crate::Encodings::creating_literals), the search bounds the objective by linear programming over these
    /// constraints.
    pub linear: Vec<Linear>,
}

/// A sum that bounds an objective: in every solution, `scale` times the [cost](Sense::cost) is at least `constant`
/// plus the sum of `terms`. [`Model::relax`](crate::Model::relax) finds relaxations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relaxation {
    /// The factor of the cost, which is positive.
    pub scale: Value,
    /// The weighted terms.
    pub terms: Vec<(Value, Term)>,
    /// The constant term.
    pub constant: Value,
}

impl Relaxation {
    /// Returns the minimum of the sum over the domains of its terms, or `None` on overflow.
    #[must_use]
    pub fn least(&self, domains: Domains<'_>) -> Option<Value> {
        range(&self.terms, self.constant, domains).ok().map(|(least, _)| least)
    }

    /// Returns the sum as [`Penalties`]. In every solution, their total is at most the cost multiplied by
    /// [`Penalties::times`].
    ///
    /// # Errors
    /// Returns an error if the sum is too large.
    pub fn penalties(&self, sink: &mut Sink<'_>) -> Result<Penalties, Overflow> {
        let mut cost = LinearSum::over_literals(self.terms.iter().copied(), sink)?;
        cost.add_constant(self.constant)?;
        Penalties::new(self.scale, &cost)
    }
}

/// The direction of an objective.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// Smaller values are better.
    Minimise,
    /// Larger values are better.
    Maximise,
}

impl Sense {
    /// Returns whether `value` improves on `than`.
    #[must_use]
    pub fn is_better(self, value: Value, than: Value) -> bool {
        match self {
            Self::Minimise => value < than,
            Self::Maximise => value > than,
        }
    }

    /// Converts a value of the objective to a cost, or a cost to a value. Smaller costs are better. Returns `None` if
    /// the result does not fit in an `i128`.
    #[must_use]
    pub fn cost(self, value: Value) -> Option<Value> {
        match self {
            Self::Minimise => Some(value),
            Self::Maximise => value.checked_neg(),
        }
    }
}

impl Objective {
    /// Creates the objective of minimising or maximising the sum of `terms`.
    #[must_use]
    pub fn new<T: Into<Term>>(sense: Sense, terms: impl IntoIterator<Item = (Value, T)>) -> Self {
        Self {
            sense,
            terms: into_terms(terms),
            constant: 0,
            equal: Vec::new(),
            relaxation: None,
            linear: Vec::new(),
        }
    }

    /// Creates the objective of minimising or maximising a linear expression.
    #[must_use]
    pub fn of(sense: Sense, expr: impl Into<Expr>) -> Self {
        let expr = expr.into();
        Self { constant: expr.constant(), ..Self::new(sense, expr.terms().iter().copied()) }
    }

    /// Adds a sum that equals the sum of `terms` in every solution; see [`Objective::equal`].
    #[must_use]
    pub fn and_equal<T: Into<Term>>(mut self, terms: impl IntoIterator<Item = (Value, T)>) -> Self {
        self.equal.push(into_terms(terms));
        self
    }

    /// Returns inequalities for a proof, one for each of the equal sums. Each inequality requires the objective to be
    /// better than `value`. Returns `None` if an integer has no order view, or a number overflows.
    #[must_use]
    pub fn better_than(&self, value: Value, domains: Domains<'_>) -> Option<Vec<Row>> {
        let bound = value.checked_sub(self.constant)?;
        let rows = std::iter::once(&self.terms).chain(&self.equal).map(|terms| {
            let (terms, held) = literals(terms, domains)?;
            let bound = bound.checked_sub(held)?;
            match self.sense {
                Sense::Minimise => Row::at_most(terms, bound.checked_sub(1)?).ok(),
                Sense::Maximise => Row::at_least(terms, bound.checked_add(1)?).ok(),
            }
        });
        rows.collect()
    }

    /// Returns the value of the objective under an assignment.
    ///
    /// # Panics
    /// Panics if the assignment has no value for a variable, or if the sum does not fit in an `i128`. The sum always
    /// fits if [`ObjectiveBounds::new`] succeeds for the objective.
    #[must_use]
    pub fn value(&self, assignment: &Assignment) -> Value {
        assignment.sum(&self.terms, self.constant).expect("an objective within 128 bits")
    }
}

/// An objective as a sum of weighted literals (penalties) to minimise. The penalties of all [equal
/// sums](Objective::equal) are added up, so the total penalty is the [cost](Sense::cost) multiplied by `times`. Adding
/// up equal sums can lead to smaller unsatisfiable cores.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Penalties {
    /// The number of equal sums that were added up.
    pub times: Value,
    /// The minimum of the total penalty over all assignments.
    pub least: Value,
    /// The literals with their weights: a true literal adds its weight to the penalty. No variable occurs twice, and no
    /// weight is 0.
    pub weights: Vec<(u128, Lit)>,
}

impl Penalties {
    /// Creates the penalties of a sum.
    fn new(times: Value, cost: &LinearSum<Lit>) -> Result<Self, Overflow> {
        let (least, weights) = cost.weights()?;
        let greatest = weights.iter().try_fold(0_u128, |sum, &(weight, _)| sum.checked_add(weight));
        let greatest = greatest.and_then(|sum| least.checked_add_unsigned(sum));
        greatest.map(|_| Self { times, least, weights }).ok_or(Overflow)
    }
}

fn into_terms<T: Into<Term>>(terms: impl IntoIterator<Item = (Value, T)>) -> Vec<(Value, Term)> {
    terms.into_iter().map(|(weight, term)| (weight, term.into())).collect()
}

/// Bounds on an objective, expressed as assumptions. Each of the objective's equal sums has a [`BoundedSum`].
#[derive(Debug)]
pub struct ObjectiveBounds {
    sense: Sense,
    constant: Value,
    sums: Vec<BoundedSum>,
    /// An integer of the propagator. The linear program uses its lower bound as a bound on the negated cost without the
    /// constant.
    negated_cost: Option<IntVar>,
}

impl ObjectiveBounds {
    /// Prepares bounds on the objective in the formula that `sink` writes.
    ///
    /// # Errors
    /// Returns an error if the weights of the objective are too large.
    pub fn new(objective: &Objective, sink: &mut Sink<'_>) -> Result<Self, Overflow> {
        let forms = std::iter::once(&objective.terms).chain(&objective.equal);
        let sums =
            forms.map(|terms| BoundedSum::new(terms.iter().copied(), sink)).collect::<Result<Vec<_>, _>>()?;
        let representable = |end: Value| end.checked_add(objective.constant).is_some();
        if !sums.iter().all(|sum| representable(sum.least()) && representable(sum.greatest())) {
            return Err(Overflow);
        }
        let cost = |&(weight, term): &(Value, Term)| Some((objective.sense.cost(weight)?, term));
        let cost: Option<Vec<_>> = objective.terms.iter().map(cost).collect();
        let negated_cost = cost.and_then(|cost| sink.post_program(&cost, &objective.linear));
        Ok(Self { sense: objective.sense, constant: objective.constant, sums, negated_cost })
    }

    /// Returns a bound that no solution can beat, computed from the weights and domains.
    #[must_use]
    pub fn best(&self) -> Value {
        let best = match self.sense {
            Sense::Minimise => self.sums.iter().map(BoundedSum::least).max(),
            Sense::Maximise => self.sums.iter().map(BoundedSum::greatest).min(),
        };
        best.unwrap_or(0) + self.constant
    }

    /// Among the values that are not better than `value`, returns the best one that the objective can have according to
    /// its range and the common divisor of its weights.
    #[must_use]
    pub fn admitted(&self, value: Value) -> Value {
        let round = |value: Value, sum: &BoundedSum| {
            let end = match self.sense {
                Sense::Minimise => sum.least() + self.constant,
                Sense::Maximise => sum.greatest() + self.constant,
            };
            if !self.sense.is_better(end, value) {
                return end;
            }
            // The distance between `value` and the best possible value, divided by the common divisor of the weights
            // and rounded up.
            let steps = Value::try_from(value.abs_diff(end).div_ceil(sum.unit())).ok();
            let way = steps.and_then(|steps| steps.checked_mul(Value::try_from(sum.unit()).ok()?));
            let admitted = way.and_then(|way| match self.sense {
                Sense::Minimise => end.checked_add(way),
                Sense::Maximise => end.checked_sub(way),
            });
            admitted.unwrap_or(value)
        };
        self.sums.iter().fold(value, round)
    }

    /// Returns the objective as [`Penalties`] on literals.
    ///
    /// # Errors
    /// Returns an error if the total of the equal sums is too large.
    pub fn penalties(&self, sink: &mut Sink<'_>) -> Result<Penalties, Overflow> {
        let terms = self.sums.iter().flat_map(BoundedSum::terms);
        let terms = terms.map(|&(weight, term)| Some((self.sense.cost(weight)?, term)));
        let terms: Vec<(Value, Term)> = terms.collect::<Option<_>>().ok_or(Overflow)?;
        let mut cost = LinearSum::over_literals(terms, sink)?;
        for _ in &self.sums {
            cost.add_constant(self.sense.cost(self.constant).ok_or(Overflow)?)?;
        }
        Penalties::new(self.sums.len() as Value, &cost)
    }

    /// Returns assumptions under which the objective is at least as good as `value`. If every value of the objective
    /// is at least as good, the result is empty. If every value of the objective is worse, the result contains
    /// [`FALSE`](crate::FALSE).
    pub fn at_least_as_good_as(&mut self, value: Value, sink: &mut Sink<'_>) -> Vec<Lit> {
        let bound = value.saturating_sub(self.constant);
        let assumptions = self.sums.iter_mut().flat_map(|sum| match self.sense {
            Sense::Minimise => sum.at_most(bound, sink),
            Sense::Maximise => sum.at_least(bound, sink),
        });
        let mut assumptions: Vec<Lit> = assumptions.collect();
        if let Some(negated) = self.negated_cost
            && let Some(bound) = self.sense.cost(bound).and_then(Value::checked_neg)
        {
            let at_least = sink.at_least(negated, bound);
            assumptions.extend((at_least != TRUE).then_some(at_least));
        }
        assumptions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cnf, Encodings, FALSE, Model, TRUE};
    use proptest::prelude::*;
    use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
    use rustsat::types::Cl;

    /// Checks that, under the assumptions of each bound, the formula accepts exactly the assignments whose objective
    /// is at least as good as the bound.
    fn check(sense: Sense, terms: Vec<(Value, Lit)>, constant: Value, variables: u32, bounds: &[Value]) {
        let mut model = Model::new();
        for _ in 0..variables {
            model.boolean();
        }
        let objective = Objective { constant, ..Objective::new(sense, terms.clone()).and_equal(terms) };
        let mut cnf = Cnf::default();
        let mut encoded = model.encode(&Encodings::auto(), &mut cnf);
        let mut solver = rustsat_batsat::BasicSolver::default();
        let mut given = 0;
        let mut counted =
            ObjectiveBounds::new(&objective, &mut encoded.sink(&mut cnf)).expect("small weights");
        let penalties = counted.penalties(&mut encoded.sink(&mut cnf)).expect("small weights");
        for set in 0..1_u32 << variables {
            let booleans: Vec<bool> = (0..variables).map(|index| set >> index & 1 == 1).collect();
            let assignment = Assignment::new(booleans, Vec::new());
            let held = penalties.weights.iter().filter(|&&(_, lit)| assignment.lit(lit));
            let cost = penalties.least + held.map(|&(weight, _)| weight as Value).sum::<Value>();
            assert_eq!(
                Some(cost),
                sense.cost(objective.value(&assignment) * penalties.times),
                "{objective:?}"
            );
        }
        for &bound in bounds {
            let assumed = counted.at_least_as_good_as(bound, &mut encoded.sink(&mut cnf));
            let admitted = counted.admitted(bound);
            assert!(!sense.is_better(admitted, bound));
            for clause in cnf.iter().skip(given) {
                solver.add_clause_ref(Cl::new(clause)).expect("memory");
            }
            given = cnf.len();
            for set in 0..1_u32 << variables {
                let booleans: Vec<bool> = (0..variables).map(|index| set >> index & 1 == 1).collect();
                let value = objective.value(&Assignment::new(booleans.clone(), Vec::new()));
                let good = !sense.is_better(bound, value);
                assert!(good || !sense.is_better(value, admitted), "{objective:?}: {value} was not admitted");
                let fixed = booleans.iter().zip(0..).map(|(&value, index)| Lit::new(index, !value));
                let all: Vec<Lit> = fixed.chain(assumed.iter().copied()).filter(|&lit| lit != TRUE).collect();
                let admitted = !all.contains(&FALSE)
                    && solver.solve_assumps(&all).expect("no limit") == SolverResult::Sat;
                assert_eq!(admitted, good, "{objective:?} bound {bound} at {booleans:?}: {value}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn bounds_admit_what_is_as_good(
            maximise in any::<bool>(),
            terms in proptest::collection::vec((-6..7_i128, 0..5_u32, any::<bool>()), 0..7),
            constant in -3..4_i128,
            bounds in proptest::collection::vec(-30..30_i128, 1..8),
        ) {
            let sense = if maximise { Sense::Maximise } else { Sense::Minimise };
            let terms = terms.into_iter().map(|(weight, index, negated)| (weight, Lit::new(index, negated))).collect();
            check(sense, terms, constant, 5, &bounds);
        }
    }

    #[test]
    fn constants_scales_and_equal_weights() {
        let [a, b, c] = [0, 1, 2].map(Lit::positive);
        check(
            Sense::Minimise,
            vec![(3, a), (3, b), (3, !c), (5, TRUE), (9, FALSE)],
            1,
            3,
            &[20, 9, 7, 6, 5, 14],
        );
        check(Sense::Maximise, vec![(4, a), (8, b), (12, c)], 0, 3, &[0, 1, 12, 13, 24, 25]);
        check(Sense::Minimise, vec![(2, a), (-2, a)], 0, 1, &[-1, 0, 1]);
    }

    #[test]
    fn too_great_is_an_error() {
        let mut model = Model::new();
        let [a, b] = [model.boolean(), model.boolean()];
        let mut cnf = Cnf::default();
        let mut encoded = model.encode(&Encodings::auto(), &mut cnf);
        let mut bounds = |terms: Vec<(Value, Lit)>, constant| {
            let objective = Objective { constant, ..Objective::new(Sense::Minimise, terms) };
            ObjectiveBounds::new(&objective, &mut encoded.sink(&mut cnf))
        };
        assert!(bounds(vec![(1 << 125, a), (1, b)], 0).is_ok());
        assert!(bounds(vec![(Value::MAX, a)], 0).is_ok());
        assert_eq!(bounds(vec![(Value::MAX, a)], 1).err(), Some(Overflow));
        assert_eq!(bounds(vec![(Value::MAX, a), (Value::MAX, b)], 0).err(), Some(Overflow));
        assert_eq!(bounds(vec![(Value::MAX, a), (1, TRUE)], 0).err(), Some(Overflow));
    }
}
