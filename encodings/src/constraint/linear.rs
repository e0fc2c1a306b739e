//! Linear constraints over integers and literals.

use std::sync::Arc;

use super::{Atom, Cardinality, Constraint, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::{Expr, Term};
use crate::frontier::{Frontier, SumFrontier};
use crate::int::{Domains, IntVar, Value};
use crate::linear_sum::{LinearSum, range};
use crate::lit::{Lit, from_bool};

/// The comparison of a sum with a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
}

/// A weighted sum of integers and literals is at most, at least, equal to or not equal to a constant. Coefficients
/// may be negative, and variables may occur more than once.
///
/// ```
/// use gordian_encodings::constraint::Linear;
/// use gordian_encodings::{Assignment, Cnf, Domain, Encodings, Model};
///
/// let mut model = Model::new();
/// let (x, y, b) = (model.integer(Domain::interval(0, 9)), model.integer(Domain::interval(0, 9)), model.boolean());
/// // 3 x - 2 y + 5 b = 4
/// model.post(Linear::equal([(3, x.into()), (-2, y.into()), (5, b.into())], 4));
/// assert!(model.holds(&Assignment::new(vec![true], vec![1, 2])));
/// assert!(!model.holds(&Assignment::new(vec![false], vec![1, 2])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
///
/// # Panics
/// [`Constraint::holds`] panics if the sum does not fit in an `i128`. Encoding panics if `|bound|` plus the sum of the
/// maximum absolute values of the terms exceeds `i128::MAX / 4`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Linear {
    /// The terms of the sum, each with its coefficient.
    pub terms: Vec<(Value, Term)>,
    /// The comparison of the sum with the bound.
    pub comparison: Comparison,
    /// The bound.
    pub bound: Value,
}

impl Linear {
    /// Creates the constraint that compares a sum with a bound.
    pub fn new(terms: impl IntoIterator<Item = (Value, Term)>, comparison: Comparison, bound: Value) -> Self {
        Self { terms: terms.into_iter().collect(), comparison, bound }
    }

    /// Creates the constraint that the sum is at most `bound`.
    pub fn at_most(terms: impl IntoIterator<Item = (Value, Term)>, bound: Value) -> Self {
        Self::new(terms, Comparison::AtMost, bound)
    }

    /// Creates the constraint that the sum is at least `bound`.
    pub fn at_least(terms: impl IntoIterator<Item = (Value, Term)>, bound: Value) -> Self {
        Self::new(terms, Comparison::AtLeast, bound)
    }

    /// Creates the constraint that the sum equals `bound`.
    pub fn equal(terms: impl IntoIterator<Item = (Value, Term)>, bound: Value) -> Self {
        Self::new(terms, Comparison::Equal, bound)
    }

    /// Creates the constraint that the sum does not equal `bound`.
    pub fn not_equal(terms: impl IntoIterator<Item = (Value, Term)>, bound: Value) -> Self {
        Self::new(terms, Comparison::NotEqual, bound)
    }

    /// Creates the constraint that the digits of `number` in the given base are `digits`, starting with the most
    /// significant digit. The domain of each digit must be within `0..base`.
    ///
    /// ```
    /// use gordian_encodings::constraint::Linear;
    /// use gordian_encodings::{Assignment, Domain, Model};
    ///
    /// let mut model = Model::new();
    /// let digits: Vec<_> = (0..3).map(|_| model.integer(Domain::interval(0, 9))).collect();
    /// let number = model.integer(Domain::interval(100, 999));
    /// model.post(Linear::number(10, digits, number));
    /// assert!(model.holds(&Assignment::new(vec![], vec![2, 0, 7, 207])));
    /// ```
    ///
    /// # Panics
    /// Panics if a power of the base does not fit in an `i128`.
    pub fn number(base: Value, digits: impl IntoIterator<Item = IntVar>, number: IntVar) -> Self {
        let digits: Vec<IntVar> = digits.into_iter().collect();
        let mut weight = Some(1);
        let mut terms = vec![(-1, number.into())];
        for &digit in digits.iter().rev() {
            terms.push((weight.expect(OVERFLOW), digit.into()));
            weight = weight.and_then(|weight: Value| weight.checked_mul(base));
        }
        Self::equal(terms, 0)
    }

    /// Returns the negation of the constraint.
    ///
    /// # Panics
    /// Panics if the negated bound overflows an `i128`.
    #[must_use]
    pub fn negated(&self) -> Self {
        let (comparison, bound) = match self.comparison {
            Comparison::AtMost => (Comparison::AtLeast, self.bound.checked_add(1)),
            Comparison::AtLeast => (Comparison::AtMost, self.bound.checked_sub(1)),
            Comparison::Equal => (Comparison::NotEqual, Some(self.bound)),
            Comparison::NotEqual => (Comparison::Equal, Some(self.bound)),
        };
        Self { terms: self.terms.clone(), comparison, bound: bound.expect(OVERFLOW) }
    }

    /// Returns the normal form, which the encodings use. Each variable occurs at most once, there are no constant
    /// terms, and the coefficients have no common divisor. If the constraint always or never holds, its normal form
    /// has no terms ([`Linear::decided`]).
    pub(crate) fn normal(&self, domains: Domains<'_>) -> Self {
        // The factor of 4 ensures that none of the sums below overflows, even if all signs are inverted.
        assert!(
            self.reach(domains).is_some_and(|reach| reach <= Value::MAX.unsigned_abs() / 4),
            "{OVERFLOW}"
        );
        let sum = LinearSum::of(&self.terms, domains).expect(OVERFLOW);
        let divisor = sum.divisor() as Value;
        let terms: Vec<(Value, Term)> =
            sum.terms().map(|(coefficient, term)| (coefficient / divisor, term)).collect();
        let (least, greatest) = range(&terms, 0, domains).expect(OVERFLOW);
        let bound = self.bound - sum.constant;
        let (divisible, floor) = (bound % divisor == 0, bound.div_euclid(divisor));
        let bound = if self.comparison == Comparison::AtLeast && !divisible { floor + 1 } else { floor };
        let decided = match self.comparison {
            Comparison::AtMost if greatest <= bound => Some(true),
            Comparison::AtMost if least > bound => Some(false),
            Comparison::AtLeast if least >= bound => Some(true),
            Comparison::AtLeast if greatest < bound => Some(false),
            Comparison::Equal if !divisible || bound < least || bound > greatest => Some(false),
            Comparison::NotEqual if !divisible || bound < least || bound > greatest => Some(true),
            Comparison::Equal if least == greatest => Some(true),
            Comparison::NotEqual if least == greatest => Some(false),
            _ => None,
        };
        match decided {
            None => Self { terms, comparison: self.comparison, bound },
            Some(holds) => Self::at_most([], if holds { 0 } else { -1 }),
        }
    }

    /// For a constraint in normal form, returns `Some(true)` if it always holds, `Some(false)` if it never holds, and
    /// `None` otherwise.
    pub(crate) fn decided(&self) -> Option<bool> {
        self.terms.is_empty().then_some(self.bound >= 0)
    }

    /// Returns `|bound|` plus the sum of the maximum absolute values of the terms, or `None` on overflow.
    fn reach(&self, domains: Domains<'_>) -> Option<u128> {
        let greatest = |term| match term {
            Term::Int(x) => domains.of(x).min().unsigned_abs().max(domains.of(x).max().unsigned_abs()),
            Term::Lit(_) => 1,
        };
        self.terms.iter().try_fold(self.bound.unsigned_abs(), |reach, &(coefficient, term)| {
            reach.checked_add(coefficient.unsigned_abs().checked_mul(greatest(term))?)
        })
    }

    /// Converts a constraint in normal form to a cardinality constraint if all variables are Boolean and all
    /// coefficients are 1 or -1.
    pub(crate) fn as_cardinality(&self) -> Option<Cardinality> {
        if self.comparison == Comparison::NotEqual || self.terms.is_empty() {
            return None;
        }
        let mut bound = self.bound;
        let mut lits = Vec::with_capacity(self.terms.len());
        for &(coefficient, term) in &self.terms {
            match (coefficient, term) {
                (1, Term::Lit(lit)) => lits.push(lit),
                (-1, Term::Lit(lit)) => {
                    // A term with the coefficient -1 counts the negated literal, because -x = -1 + (1 - x).
                    bound += 1;
                    lits.push(!lit);
                }
                _ => return None,
            }
        }
        // The bound is between 0 and n, because otherwise the constraint would always or never hold.
        let bound = usize::try_from(bound).ok()?;
        Some(match self.comparison {
            Comparison::AtMost => Cardinality::at_most(lits, bound),
            Comparison::AtLeast => Cardinality::at_least(lits, bound),
            _ => Cardinality::exactly(lits, bound),
        })
    }

    /// Converts a constraint in normal form to an atom if it has a single variable; otherwise, returns `None`.
    pub(crate) fn atom(&self, domains: Domains<'_>) -> Option<Atom> {
        let &[(coefficient, term)] = &self.terms[..] else { return None };
        // In normal form, a single term has the coefficient 1 or -1.
        let (comparison, bound) = match self.comparison {
            _ if coefficient > 0 => (self.comparison, self.bound),
            Comparison::AtMost => (Comparison::AtLeast, -self.bound),
            Comparison::AtLeast => (Comparison::AtMost, -self.bound),
            other => (other, -self.bound),
        };
        let equal = matches!(comparison, Comparison::Equal);
        Some(match (term, comparison) {
            (Term::Int(x), Comparison::Equal | Comparison::NotEqual) if !domains.of(x).contains(bound) => {
                Atom::Lit(from_bool(!equal))
            }
            (Term::Int(x), _) => Atom::Int(x, comparison, bound),
            (Term::Lit(lit), Comparison::AtMost) => Atom::Lit(!lit),
            (Term::Lit(lit), Comparison::AtLeast) => Atom::Lit(lit),
            (Term::Lit(lit), _) => Atom::Lit(if equal == (bound == 1) { lit } else { !lit }),
        })
    }
}

const OVERFLOW: &str = "the terms of a linear constraint add up to more than an i128 holds";

impl Constraint for Linear {
    fn scope(&self) -> Scope {
        let mut scope = Scope::default();
        for &(_, term) in &self.terms {
            match term {
                Term::Int(x) => scope.ints.push(x),
                Term::Lit(lit) => scope.lits.push(lit),
            }
        }
        scope
    }

    fn needs(&self) -> Vec<(IntVar, Needs)> {
        match self.comparison {
            Comparison::NotEqual => Needs::Literals.of(self.scope().ints),
            _ => Vec::new(),
        }
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let sum = assignment.sum(&self.terms, 0).expect(OVERFLOW);
        match self.comparison {
            Comparison::AtMost => sum <= self.bound,
            Comparison::AtLeast => sum >= self.bound,
            Comparison::Equal => sum == self.bound,
            Comparison::NotEqual => sum != self.bound,
        }
    }

    fn linear(&self) -> Option<Vec<Linear>> {
        (self.comparison != Comparison::NotEqual).then(|| vec![self.clone()])
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(self.negated())
    }

    fn clause(&self, domains: Domains<'_>) -> Option<Vec<Atom>> {
        let normal = self.normal(domains);
        let atom = match normal.decided() {
            Some(holds) => Atom::Lit(from_bool(holds)),
            None => normal.atom(domains)?,
        };
        Some(vec![atom])
    }

    fn frontier(&self) -> Option<Box<dyn Frontier>> {
        let term = |&(coefficient, term): &(Value, Term)| match term {
            Term::Lit(lit) => Some((coefficient, lit)),
            Term::Int(_) => None,
        };
        let terms: Vec<(Value, Lit)> = self.terms.iter().map(term).collect::<Option<_>>()?;
        let (min, max) = match self.comparison {
            Comparison::AtMost => (Value::MIN, self.bound),
            Comparison::AtLeast => (self.bound, Value::MAX),
            Comparison::Equal | Comparison::NotEqual => (self.bound, self.bound),
        };
        let within = self.comparison != Comparison::NotEqual;
        Some(Box::new(SumFrontier::new(terms, min, max, within)?))
    }
}

/// Returns the constraint that compares two expressions.
fn compare(left: impl Into<Expr>, comparison: Comparison, right: impl Into<Expr>) -> Linear {
    let difference: Expr = left.into() - right;
    let bound = difference.constant().checked_neg().expect(OVERFLOW);
    Linear::new(difference.terms().iter().copied(), comparison, bound)
}

macro_rules! comparisons {
    ($($operand:ty, $receiver:ty;)*) => { $(
        impl $operand {
            /// Returns the constraint `self = other`.
            #[must_use]
            pub fn equals(self: $receiver, other: impl Into<Expr>) -> Linear {
                compare(self, Comparison::Equal, other)
            }

            /// Returns the constraint `self != other`.
            #[must_use]
            pub fn not_equals(self: $receiver, other: impl Into<Expr>) -> Linear {
                compare(self, Comparison::NotEqual, other)
            }

            /// Returns the constraint `self <= other`.
            #[must_use]
            pub fn at_most(self: $receiver, other: impl Into<Expr>) -> Linear {
                compare(self, Comparison::AtMost, other)
            }

            /// Returns the constraint `self >= other`.
            #[must_use]
            pub fn at_least(self: $receiver, other: impl Into<Expr>) -> Linear {
                compare(self, Comparison::AtLeast, other)
            }

            /// Returns the constraint `self < other`.
            #[must_use]
            pub fn less_than(self: $receiver, other: impl Into<Expr>) -> Linear {
                (self + 1).at_most(other)
            }

            /// Returns the constraint `self > other`.
            #[must_use]
            pub fn greater_than(self: $receiver, other: impl Into<Expr>) -> Linear {
                (self - 1).at_least(other)
            }
        }
    )* };
}

comparisons!(IntVar, Self; Expr, &Self;);
