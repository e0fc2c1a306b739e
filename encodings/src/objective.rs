//! Objectives, and bounds on them that move without encoding anything again.

use std::collections::BTreeMap;

use rustsat::encodings::{card, pb};

use crate::assignment::Assignment;
use crate::encoding::from_rustsat;
use crate::int::Value;
use crate::lit::{FALSE, Lit};
use crate::sink::Sink;

/// What makes one solution better than another: a weighted sum of literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Objective {
    /// Whether less or more is better.
    pub sense: Sense,
    /// What a literal that holds adds. A literal may stand more than once.
    pub terms: Vec<(Value, Lit)>,
    /// What is added in any case.
    pub constant: Value,
    /// Other sums that have the value of `terms` in every solution. Bounds are put on each of them, which lets unit
    /// propagation count in several ways at once.
    pub equal: Vec<Vec<(Value, Lit)>>,
}

/// Which way an objective goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sense {
    /// Less is better.
    Minimise,
    /// More is better.
    Maximise,
}

impl Objective {
    /// The sum of `terms`, to be made as the sense says.
    #[must_use]
    pub fn new(sense: Sense, terms: impl Into<Vec<(Value, Lit)>>) -> Self {
        Self { sense, terms: terms.into(), constant: 0, equal: Vec::new() }
    }

    /// The value of an assignment.
    ///
    /// # Panics
    /// If the assignment lacks a variable, or the sum is not an `i128`.
    #[must_use]
    pub fn value(&self, assignment: &Assignment) -> Value {
        let held = self.terms.iter().filter(|&&(_, lit)| assignment.lit(lit));
        let sum = held.map(|&(weight, _)| weight).try_fold(self.constant, Value::checked_add);
        sum.expect("an objective within 128 bits")
    }
}

/// Literals that bound an objective from the better side, to be assumed: `cost <= bound` for any bound, encoded once.
///
/// The objective is brought into the form `constant + scale * sum w[i] l[i]` to be minimised, with distinct variables
/// and positive weights without a common divisor. Equal weights are counted by a totalizer that grows with the bounds
/// asked for (Martins, Joshi, Manquinho, Lynce: *Incremental cardinality constraints for MaxSAT*, CP 2014), others by a
/// dynamic polynomial watchdog (Paxian, Reimer, Becker: *Dynamic polynomial watchdog encoding for solving weighted
/// MaxSAT*, SAT 2018), both rustsat's.
#[derive(Debug)]
pub struct ObjectiveBounds {
    sense: Sense,
    sums: Vec<Sum>,
}

/// One way to add the objective up: it, or its negation if it is to be maximised, is `constant + scale * counted`.
#[derive(Debug)]
struct Sum {
    constant: Value,
    scale: Value,
    /// The most that can be counted.
    greatest: usize,
    counter: Counter,
}

#[derive(Debug)]
enum Counter {
    Totalizer(card::Totalizer),
    Watchdog(Box<pb::DynamicPolyWatchdog>),
}

/// An objective that is too great to be bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooGreat;

impl std::fmt::Display for TooGreat {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "the weights of the objective, divided by what they have in common, add up to more than 2^62"
        )
    }
}

impl std::error::Error for TooGreat {}

impl ObjectiveBounds {
    /// Makes ready to bound the objective. Nothing is encoded yet.
    ///
    /// # Errors
    /// If the sum of the weights, divided by their greatest common divisor, is over 2^62.
    pub fn new(objective: &Objective) -> Result<Self, TooGreat> {
        let forms = std::iter::once(&objective.terms).chain(&objective.equal);
        let sums = forms.map(|terms| Sum::new(objective.sense, terms, objective.constant));
        Ok(Self { sense: objective.sense, sums: sums.collect::<Result<_, _>>()? })
    }

    /// The best value that the weights alone admit: a bound on every solution.
    #[must_use]
    pub fn best(&self) -> Value {
        let cost = self.sums.iter().map(|sum| sum.constant).max().unwrap_or(0);
        match self.sense {
            Sense::Minimise => cost,
            Sense::Maximise => cost.saturating_neg(),
        }
    }

    /// Assumptions under which the objective is `value` or better. Writes to the sink what the bound needs and no bound
    /// before it did.
    pub fn at_least_as_good_as(&mut self, value: Value, sink: &mut Sink<'_>) -> Vec<Lit> {
        let cost = match self.sense {
            Sense::Minimise => value,
            Sense::Maximise => value.saturating_neg(),
        };
        self.sums.iter_mut().flat_map(|sum| sum.at_most(cost, sink)).collect()
    }
}

impl Sum {
    fn new(sense: Sense, terms: &[(Value, Lit)], constant: Value) -> Result<Self, TooGreat> {
        let sign = match sense {
            Sense::Minimise => 1,
            Sense::Maximise => -1,
        };
        let signed = |value: Value| value.checked_mul(sign).ok_or(TooGreat);
        let mut constant = signed(constant)?;
        let mut add = |weight: Value| {
            constant = constant.checked_add(weight).ok_or(TooGreat)?;
            Ok(())
        };
        // For each variable the weight of its positive literal, since `w * -x` is `w - w * x`.
        let mut weights: BTreeMap<Lit, Value> = BTreeMap::new();
        for &(weight, lit) in terms {
            let weight = signed(weight)?;
            match crate::lit::constant(lit) {
                Some(true) => add(weight)?,
                Some(false) => {}
                None => {
                    let positive = lit.var().pos_lit();
                    let net = weights.entry(positive).or_default();
                    let change =
                        if lit == positive { weight } else { weight.checked_neg().ok_or(TooGreat)? };
                    *net = net.checked_add(change).ok_or(TooGreat)?;
                    if lit != positive {
                        add(weight)?;
                    }
                }
            }
        }
        let mut terms: Vec<(Lit, u128)> = Vec::with_capacity(weights.len());
        for (lit, weight) in weights.into_iter().filter(|&(_, weight)| weight != 0) {
            if weight < 0 {
                add(weight)?;
            }
            terms.push((if weight < 0 { !lit } else { lit }, weight.unsigned_abs()));
        }
        let scale = terms.iter().fold(0, |divisor, &(_, weight)| gcd(divisor, weight)).max(1);
        let greatest = terms.iter().try_fold(0_u128, |sum, &(_, weight)| sum.checked_add(weight / scale));
        let greatest = greatest.filter(|&sum| sum <= 1 << 62).ok_or(TooGreat)? as usize;
        let unweighted = terms.iter().all(|&(_, weight)| weight == scale);
        let counter = if unweighted {
            Counter::Totalizer(terms.iter().map(|&(lit, _)| lit).collect())
        } else {
            let weighted = terms.iter().map(|&(lit, weight)| (lit, (weight / scale) as usize));
            Counter::Watchdog(Box::new(weighted.collect()))
        };
        let scale = Value::try_from(scale).map_err(|_| TooGreat)?;
        Ok(Self { constant, scale, greatest, counter })
    }

    /// Assumptions under which the sum is at most `cost`.
    fn at_most(&mut self, cost: Value, sink: &mut Sink<'_>) -> Vec<Lit> {
        let Some(over) = cost.checked_sub(self.constant).filter(|&over| over >= 0) else {
            return vec![FALSE];
        };
        let bound = usize::try_from(over / self.scale).unwrap_or(usize::MAX);
        if bound >= self.greatest {
            return Vec::new();
        }
        match &mut self.counter {
            Counter::Totalizer(totalizer) => {
                use card::{BoundUpper, BoundUpperIncremental};
                from_rustsat::run(sink, |clauses, numbers| {
                    totalizer.encode_ub_change(bound..=bound, clauses, numbers)
                });
                totalizer.enforce_ub(bound).expect("this bound was just encoded")
            }
            Counter::Watchdog(watchdog) => {
                use pb::{BoundUpper, BoundUpperIncremental};
                from_rustsat::run(sink, |clauses, numbers| {
                    watchdog.encode_ub_change(bound..=bound, clauses, numbers)
                });
                watchdog.enforce_ub(bound).expect("this bound was just encoded")
            }
        }
    }
}

fn gcd(a: u128, b: u128) -> u128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cnf, Encodings, Model, TRUE};
    use proptest::prelude::*;
    use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
    use rustsat::types::Cl;

    /// Under the assumptions for each bound in turn, the solver admits exactly the assignments that are as good.
    fn check(sense: Sense, terms: Vec<(Value, Lit)>, constant: Value, variables: u32, bounds: &[Value]) {
        let mut model = Model::new();
        for _ in 0..variables {
            model.boolean();
        }
        let objective = Objective { constant, equal: vec![terms.clone()], ..Objective::new(sense, terms) };
        let mut cnf = Cnf::default();
        let mut encoded = model.encode(&Encodings::auto(), &mut cnf);
        let mut solver = rustsat_batsat::BasicSolver::default();
        let mut given = 0;
        let mut counted = ObjectiveBounds::new(&objective).expect("small weights");
        for &bound in bounds {
            let assumed = counted.at_least_as_good_as(bound, &mut encoded.sink(&mut cnf));
            for clause in cnf.iter().skip(given) {
                solver.add_clause_ref(Cl::new(clause)).expect("memory");
            }
            given = cnf.len();
            for set in 0..1_u32 << variables {
                let booleans: Vec<bool> = (0..variables).map(|index| set >> index & 1 == 1).collect();
                let value = objective.value(&Assignment::new(booleans.clone(), Vec::new()));
                let good = match sense {
                    Sense::Minimise => value <= bound,
                    Sense::Maximise => value >= bound,
                };
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
        let [a, b] = [0, 1].map(Lit::positive);
        let objective = |terms: Vec<(Value, Lit)>| Objective::new(Sense::Minimise, terms);
        assert!(ObjectiveBounds::new(&objective(vec![(1 << 62, a), (1, b)])).is_err());
        assert!(ObjectiveBounds::new(&objective(vec![(Value::MAX, a), (Value::MAX, b)])).is_ok());
        assert!(ObjectiveBounds::new(&objective(vec![(Value::MIN, a)])).is_err());
        assert!(ObjectiveBounds::new(&objective(vec![(Value::MAX, a), (1, TRUE)])).is_ok());
    }
}
