//! Linear constraints as sums over literals, for receivers that [support them](crate::CollectSums).
//!
//! An integer is replaced by its minimum plus a sum over literals. For small domains, the literals are `x >= v` for
//! the values v of the integer x. The coefficient of `x >= v` is the distance between v and the previous value. For
//! large domains, the literals are bits, and their coefficients are powers of two. The negated conditions of
//! [`Sink::when`] are added with large coefficients: if a condition is false, the inequality holds.

use crate::constraint::{Comparison, Constraint, Linear};
use crate::expr::Term;
use crate::int::Value;
use crate::linear_sum::{LinearSum, Overflow};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// An integer with at most this many values is replaced by literals `x >= v`; an integer with more values is replaced
/// by bits.
pub(crate) const ORDER_UP_TO: u128 = 1_000;
/// The maximum number of bits of an integer. The limit prevents overflow in sums of bits.
const MOST_BITS: usize = 100;

impl LinearSum<Lit> {
    /// Creates a sum in which integers are replaced by literals, as described in the module `sums`.
    pub(crate) fn over_literals(
        terms: impl IntoIterator<Item = (Value, Term)>,
        sink: &mut Sink<'_>,
    ) -> Result<Self, Overflow> {
        let mut sum = Self::new();
        for (coefficient, term) in terms {
            let (least, steps): (Value, Vec<(Value, Lit)>) = match term {
                Term::Lit(lit) => (0, vec![(1, lit)]),
                Term::Int(x) if sink.domains().of(x).size() <= ORDER_UP_TO => {
                    let values: Vec<Value> = sink.domains().of(x).values().collect();
                    let order = sink.order(x);
                    let gap = |(pair, at_most): (&[Value], Lit)| (pair[1] - pair[0], !at_most);
                    (values[0], values.windows(2).zip(order).map(gap).collect())
                }
                Term::Int(x) => {
                    let log = sink.log(x);
                    if log.bits.len() >= MOST_BITS {
                        return Err(Overflow);
                    }
                    (log.min, log.bits.iter().enumerate().map(|(k, &bit)| (1 << k, bit)).collect())
                }
            };
            let times = |value: Value| coefficient.checked_mul(value).ok_or(Overflow);
            sum.add_constant(times(least)?)?;
            for (step, lit) in steps {
                sum.add_lit(times(step)?, lit)?;
            }
        }
        Ok(sum)
    }
}

/// A linear constraint over literals: the sum of the terms is at least `bound`, or equal to `bound` if `equal` is
/// true.
struct Sum {
    terms: Vec<(Value, Lit)>,
    equal: bool,
    bound: Value,
}

impl Sum {
    /// Creates the constraint `sum = 0`.
    fn zero(sum: &LinearSum<Lit>) -> Result<Self, Overflow> {
        let bound = sum.constant.checked_neg().ok_or(Overflow)?;
        Ok(Self { terms: sum.terms().collect(), equal: true, bound })
    }

    /// Creates the constraint that the sum is at least 0, or that one of the literals in `unless` is true.
    fn at_least_zero(mut sum: LinearSum<Lit>, unless: &[Lit]) -> Result<Self, Overflow> {
        let missing = sum.least()?.checked_neg().ok_or(Overflow)?;
        if missing > 0 {
            for &lit in unless {
                sum.add_lit(missing, lit)?;
            }
        }
        Ok(Self { equal: false, ..Self::zero(&sum)? })
    }
}

/// Returns the constraint as a conjunction of sums over literals. If the domains decide whether the constraint holds,
/// the inner `Err` contains the truth value.
fn over_literals(
    linear: &Linear,
    unless: &[Lit],
    sink: &mut Sink<'_>,
) -> Result<Result<Vec<Sum>, bool>, Overflow> {
    let normal = linear.normal(sink.domains());
    if let Some(holds) = normal.decided() {
        return Ok(Err(holds));
    }
    let mut sum = LinearSum::over_literals(normal.terms, sink)?;
    sum.add_constant(-normal.bound)?;
    Ok(Ok(match normal.comparison {
        Comparison::AtLeast => vec![Sum::at_least_zero(sum, unless)?],
        Comparison::AtMost => vec![Sum::at_least_zero(sum.negated()?, unless)?],
        Comparison::Equal if unless.is_empty() => vec![Sum::zero(&sum)?],
        Comparison::Equal => {
            let negated = sum.negated()?;
            vec![Sum::at_least_zero(sum, unless)?, Sum::at_least_zero(negated, unless)?]
        }
        Comparison::NotEqual => unreachable!("`!=` is not a conjunction of linear inequalities"),
    }))
}

impl Sink<'_> {
    /// Passes a linear constraint to a receiver that supports linear constraints. Returns `false` if the constraint
    /// must be encoded as clauses instead.
    pub(crate) fn write_sums(&mut self, constraint: &dyn Constraint) -> bool {
        if !self.takes_sums() {
            return false;
        }
        let Some(linear) = constraint.linear() else { return false };
        let mut unless = self.conditions().to_vec();
        if unless.contains(&TRUE) {
            return true;
        }
        unless.retain(|&lit| lit != FALSE);
        // If one of the sums overflows, the whole constraint is encoded as clauses.
        let sums =
            linear.iter().map(|linear| over_literals(linear, &unless, self)).collect::<Result<Vec<_>, _>>();
        let Ok(sums) = sums else { return false };
        self.used(constraint.type_name(), "sums");
        for sums in sums {
            match sums {
                Ok(sums) => sums.iter().for_each(|sum| self.sum(&sum.terms, sum.equal, sum.bound)),
                Err(true) => {}
                Err(false) => self.clause(&[]),
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::constraint::{AllDifferent, AtMostOne, Cardinality, Linear, Reified, Term};
    use crate::{Assignment, Collect, CollectSums, Domain, Encodings, Lit, Model, Value};

    /// A linear constraint: its terms, `true` for an equation or `false` for an inequality, and its bound.
    type Inequality = (Vec<(Value, Lit)>, bool, Value);

    /// A formula of clauses and sums in memory.
    #[derive(Default)]
    struct Formula {
        clauses: Vec<Vec<Lit>>,
        sums: Vec<Inequality>,
        variables: u32,
    }

    impl Collect for Formula {
        fn clause(&mut self, clause: &[Lit]) {
            self.clauses.push(clause.to_vec());
        }

        fn reserve(&mut self, variables: u32) {
            self.variables = self.variables.max(variables);
        }

        fn sums(&mut self) -> Option<&mut dyn CollectSums> {
            Some(self)
        }
    }

    impl CollectSums for Formula {
        fn sum(&mut self, terms: &[(Value, Lit)], equal: bool, bound: Value) {
            assert!(
                terms.iter().all(|&(coefficient, lit)| coefficient != 0 && crate::constant(lit).is_none())
            );
            assert!(terms.windows(2).all(|pair| pair[0].1.var() < pair[1].1.var()));
            self.sums.push((terms.to_vec(), equal, bound));
        }
    }

    impl Formula {
        fn holds(&self, set: u32) -> bool {
            let holds = |lit: Lit| (set >> lit.vidx() & 1 == 1) == lit.is_pos();
            let sum = |terms: &[(Value, Lit)]| {
                terms.iter().map(|&(c, lit)| c * Value::from(holds(lit))).sum::<Value>()
            };
            self.clauses.iter().all(|clause| clause.iter().any(|&lit| holds(lit)))
                && self.sums.iter().all(
                    |(terms, equal, bound)| {
                        if *equal { sum(terms) == *bound } else { sum(terms) >= *bound }
                    },
                )
        }
    }

    /// Encodes the model, checks that the formula has exactly one model for each solution, and returns the formula.
    fn check(model: &Model) -> Formula {
        let mut formula = Formula::default();
        let encoded = model.encode(&Encodings::auto().keep_count(), &mut formula);
        assert!(formula.variables <= 16, "{}", formula.variables);
        let mut found = Vec::new();
        for set in 0..1_u32 << formula.variables {
            if formula.holds(set) {
                let assignment = encoded.assignment(|lit| Some((set >> lit.vidx() & 1 == 1) == lit.is_pos()));
                assert!(model.holds(&assignment), "{assignment:?}");
                assert!(!found.contains(&assignment), "{assignment:?} twice");
                found.push(assignment);
            }
        }
        assert_eq!(found.len(), solutions(model));
        formula
    }

    fn solutions(model: &Model) -> usize {
        let domains: Vec<Vec<Value>> =
            model.integer_variables().map(|x| model.domain(x).values().collect()).collect();
        let mut assignments: Vec<(Vec<bool>, Vec<Value>)> = (0..1_u32 << model.variables())
            .map(|set| ((0..model.variables()).map(|index| set >> index & 1 == 1).collect(), Vec::new()))
            .collect();
        for domain in domains {
            let more = |(booleans, ints): &(Vec<bool>, Vec<Value>)| {
                let with = |&value: &Value| (booleans.clone(), ints.iter().copied().chain([value]).collect());
                domain.iter().map(with).collect::<Vec<_>>()
            };
            assignments = assignments.iter().flat_map(more).collect();
        }
        let all = assignments.into_iter().map(|(booleans, ints)| Assignment::new(booleans, ints));
        all.filter(|assignment| model.holds(assignment)).count()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn sums_have_the_solutions_of_the_constraints(
            terms in proptest::collection::vec((-4..5_i128, 0..7_usize, any::<bool>()), 0..6),
            comparison in 0..4_u8,
            bound in -6..7_i128,
            conditional in any::<bool>(),
        ) {
            let mut model = Model::new();
            let lits = [(); 4].map(|()| model.boolean());
            let ints = [(-1, 1), (0, 2), (3, 5)].map(|(a, b)| model.integer(Domain::interval(a, b)));
            let terms: Vec<(Value, Term)> = terms
                .into_iter()
                .map(|(coefficient, index, negated)| {
                    let term = match lits.get(index) {
                        Some(&lit) => Term::Lit(if negated { !lit } else { lit }),
                        None => Term::Int(ints[index - lits.len()]),
                    };
                    (coefficient, term)
                })
                .collect();
            let linear = match comparison {
                0 => Linear::at_most(terms, bound),
                1 => Linear::at_least(terms, bound),
                2 => Linear::equal(terms, bound),
                _ => Linear::not_equal(terms, bound),
            };
            if conditional {
                model.post(Reified::implies(lits[0], linear));
            } else {
                model.post(linear);
            }
            // The clauses for `!=` have so many auxiliary variables that trying all assignments would take too long.
            if comparison < 3 {
                check(&model);
            }
        }
    }

    #[test]
    fn linear_constraints_become_sums() {
        let mut model = Model::new();
        let lits: Vec<Lit> = (0..8).map(|_| model.boolean()).collect();
        model.post(AtMostOne::new(lits[..5].to_vec()));
        model.post(Cardinality::between(lits[3..].to_vec(), 2, 4));
        model.post(Cardinality::exactly(lits.clone(), 3));
        model.post(Cardinality::at_least(lits.clone(), 2));
        let formula = check(&model);
        assert_eq!((formula.clauses.len(), formula.sums.len()), (0, 5));
    }

    #[test]
    fn other_constraints_become_clauses() {
        let mut model = Model::new();
        let ints = [(); 3].map(|()| model.integer(Domain::interval(1, 3)));
        model.post(AllDifferent::new(ints));
        assert!(!check(&model).clauses.is_empty());
    }
}
