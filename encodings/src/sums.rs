//! Linear constraints as sums over literals, for receivers that [take them as they are](crate::CollectSums).
//!
//! An integer becomes its least value and, for each literal of its order view, the gap that the literal stands for; of a
//! large one, its bits. Conditions (`Sink::when`) get a coefficient so great that the rest of the sum doesn't matter where
//! one of them is not met.

use std::collections::BTreeMap;

use crate::bounded_sum::steps;
use crate::constraint::{Comparison, Constraint, Linear};
use crate::int::Value;
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// A linear constraint over literals.
struct Sum {
    /// By positive literal.
    coefficients: BTreeMap<Lit, Value>,
    equal: bool,
    /// At least, or exactly, this much.
    bound: Value,
}

impl Sum {
    /// Adds a literal's coefficient; `None` if that is too great.
    fn add(&mut self, coefficient: Value, lit: Lit) -> Option<()> {
        let (variable, coefficient) = if lit.is_pos() {
            (lit, coefficient)
        } else {
            // c (1 - x)
            self.bound = self.bound.checked_sub(coefficient)?;
            (!lit, coefficient.checked_neg()?)
        };
        let sum = self.coefficients.entry(variable).or_default();
        *sum = sum.checked_add(coefficient)?;
        Some(())
    }

    /// The least value of the sum.
    fn least(&self) -> Option<Value> {
        let mut negative = self.coefficients.values().filter(|&&coefficient| coefficient < 0);
        negative.try_fold(0, |sum: Value, &coefficient| sum.checked_add(coefficient))
    }

    /// The same with the signs turned: at most becomes at least.
    fn negated(self) -> Option<Self> {
        let turned = self.coefficients.into_iter().map(|(lit, value)| Some((lit, value.checked_neg()?)));
        Some(Self {
            coefficients: turned.collect::<Option<_>>()?,
            equal: self.equal,
            bound: self.bound.checked_neg()?,
        })
    }

    /// Makes it hold where one of the literals does.
    fn unless(mut self, lits: &[Lit]) -> Option<Self> {
        let enough = self.bound.checked_sub(self.least()?)?;
        if enough > 0 {
            for &lit in lits {
                self.add(enough, lit)?;
            }
        }
        Some(self)
    }

    fn write(mut self, sink: &mut Sink<'_>) {
        self.coefficients.retain(|_, coefficient| *coefficient != 0);
        let terms: Vec<(Value, Lit)> =
            self.coefficients.into_iter().map(|(lit, coefficient)| (coefficient, lit)).collect();
        sink.sum(&terms, self.equal, self.bound);
    }
}

/// The constraint over literals: sums that must all hold, or whether it always or never does; `None` if a number is too
/// great.
fn over_literals(linear: &Linear, unless: &[Lit], sink: &mut Sink<'_>) -> Option<Result<Vec<Sum>, bool>> {
    let normal = match linear.normal(sink.domains()) {
        Ok(normal) => normal,
        Err(holds) => return Some(Err(holds)),
    };
    let equal = normal.comparison == Comparison::Equal;
    let mut sum = Sum { coefficients: BTreeMap::new(), equal, bound: normal.bound };
    for &(coefficient, term) in &normal.terms {
        let (start, steps) = steps(term, sink).ok()?;
        sum.bound = sum.bound.checked_sub(coefficient.checked_mul(start)?)?;
        for (step, lit) in steps {
            sum.add(coefficient.checked_mul(step)?, lit)?;
        }
    }
    Some(Ok(match normal.comparison {
        Comparison::NotEqual => return None,
        Comparison::AtLeast => vec![sum.unless(unless)?],
        Comparison::AtMost => vec![sum.negated()?.unless(unless)?],
        Comparison::Equal if unless.is_empty() => vec![sum],
        Comparison::Equal => {
            let other =
                Sum { coefficients: sum.coefficients.clone(), equal: false, bound: sum.bound }.negated()?;
            vec![Sum { equal: false, ..sum }.unless(unless)?, other.unless(unless)?]
        }
    }))
}

impl Sink<'_> {
    /// Gives a linear constraint as it is to a receiver that takes such; `false` if it has to be put into clauses.
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
        // All or nothing: the clauses would say everything once more.
        let sums =
            linear.iter().map(|linear| over_literals(linear, &unless, self)).collect::<Option<Vec<_>>>();
        let Some(sums) = sums else { return false };
        self.used(constraint.meaning(), "sums");
        for sums in sums {
            match sums {
                Ok(sums) => sums.into_iter().for_each(|sum| sum.write(self)),
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

    /// Terms, whether they are equal to the bound, and the bound.
    type Inequality = (Vec<(Value, Lit)>, bool, Value);

    /// Clauses and sums in memory.
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

    /// The formula has the solutions of the model, each with as many assignments as solutions.
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
        let domains: Vec<Vec<Value>> = model.integers().map(|x| model.domain(x).values().collect()).collect();
        let mut assignments: Vec<(Vec<bool>, Vec<Value>)> = (0..1_u32 << model.booleans())
            .map(|set| ((0..model.booleans()).map(|index| set >> index & 1 == 1).collect(), Vec::new()))
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
        fn sums_say_what_the_constraints_say(
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
            // Not-equal goes into clauses, whose auxiliary variables would be too many to try.
            if comparison < 3 {
                check(&model);
            }
        }
    }

    #[test]
    fn linear_meanings_are_not_put_into_clauses() {
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
    fn what_is_not_linear_is_put_into_clauses() {
        let mut model = Model::new();
        let ints = [(); 3].map(|()| model.integer(Domain::interval(1, 3)));
        model.post(AllDifferent::new(ints));
        assert!(!check(&model).clauses.is_empty());
    }
}
