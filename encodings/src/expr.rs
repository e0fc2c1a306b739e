//! Linear expressions over integer variables and literals.
//!
//! Operators build an [`Expr`] from variables and numbers. The comparison methods of an expression return a
//! [`Linear`](crate::constraint::Linear) constraint. A literal counts as 1 if it is true and as 0 if it is false;
//! [`Expr::from`] converts a single literal.
//!
//! ```
//! use gordian_encodings::{Assignment, Expr, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = model.integers(0..=9);
//! let late = model.boolean();
//! model.post((2 * x + y - 3).at_most(10));
//! model.post(x.less_than(y));
//! model.post((x + late).equals(3));
//! let total: Expr = [x, y].into_iter().sum();
//!
//! let solution = Assignment::new(vec![true], vec![2, 5]);
//! assert!(model.holds(&solution));
//! assert_eq!(solution.value(total + 10 * Expr::from(late)), 17);
//! ```
//!
//! # Panics
//! All numbers are `i128`. Operators, comparison methods and [`Assignment::value`](crate::Assignment::value) panic on
//! overflow, even in release builds.

use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use crate::int::{IntVar, Number, Value};
use crate::lit::Lit;

/// A variable or literal of a linear expression, without its coefficient.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// An integer variable.
    Int(IntVar),
    /// A literal, which counts as 1 if it is true and as 0 if it is false.
    Lit(Lit),
}

impl From<IntVar> for Term {
    fn from(x: IntVar) -> Self {
        Self::Int(x)
    }
}

impl From<Lit> for Term {
    fn from(lit: Lit) -> Self {
        Self::Lit(lit)
    }
}

/// A linear expression: a weighted sum of integer variables and literals, plus a constant. See the [module](self).
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Expr {
    terms: Vec<(Value, Term)>,
    constant: Value,
}

const OVERFLOW: &str = "a number of a linear expression exceeds an i128";

impl Expr {
    /// Creates the sum of a constant and terms. Each term consists of a coefficient and a variable or literal.
    pub fn new(terms: impl IntoIterator<Item = (Value, Term)>, constant: Value) -> Self {
        Self { terms: terms.into_iter().collect(), constant }
    }

    /// Returns the terms in the order in which they were added. A variable may occur more than once.
    #[must_use]
    pub fn terms(&self) -> &[(Value, Term)] {
        &self.terms
    }

    /// Returns the constant term.
    #[must_use]
    pub fn constant(&self) -> Value {
        self.constant
    }

    /// Returns the variable if the expression is a single variable, and `None` otherwise.
    #[must_use]
    pub fn variable(&self) -> Option<IntVar> {
        match self.terms[..] {
            [(1, Term::Int(x))] if self.constant == 0 => Some(x),
            _ => None,
        }
    }
}

impl From<Term> for Expr {
    fn from(term: Term) -> Self {
        Self { terms: vec![(1, term)], constant: 0 }
    }
}

impl<R: Into<Expr>> AddAssign<R> for Expr {
    fn add_assign(&mut self, other: R) {
        let Expr { terms, constant } = other.into();
        self.terms.extend(terms);
        self.constant = self.constant.checked_add(constant).expect(OVERFLOW);
    }
}

impl<R: Into<Expr>> SubAssign<R> for Expr {
    fn sub_assign(&mut self, other: R) {
        let other: Expr = other.into();
        *self += -other;
    }
}

impl<N: Into<Number>> MulAssign<N> for Expr {
    fn mul_assign(&mut self, factor: N) {
        let Number(factor) = factor.into();
        for number in self.terms.iter_mut().map(|(coefficient, _)| coefficient).chain([&mut self.constant]) {
            *number = number.checked_mul(factor).expect(OVERFLOW);
        }
    }
}

impl<T: Into<Expr>> Sum<T> for Expr {
    fn sum<I: Iterator<Item = T>>(terms: I) -> Self {
        terms.fold(Self::default(), Add::add)
    }
}

macro_rules! numbers {
    ($($number:ty)*) => { $(
        impl From<$number> for Expr {
            fn from(number: $number) -> Self {
                Self { terms: Vec::new(), constant: Number::from(number).0 }
            }
        }
    )* };
}

numbers!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);

macro_rules! conversions {
    ($($operand:ty)*) => { $(
        impl From<$operand> for Expr {
            fn from(operand: $operand) -> Self {
                Term::from(operand).into()
            }
        }

        impl From<&$operand> for Expr {
            fn from(operand: &$operand) -> Self {
                Term::from(*operand).into()
            }
        }
    )* };
}

conversions!(IntVar Lit);

impl From<&Expr> for Expr {
    fn from(expr: &Expr) -> Self {
        expr.clone()
    }
}

macro_rules! operators {
    ($($operand:ty)*) => { $(
        impl<R: Into<Expr>> Add<R> for $operand {
            type Output = Expr;

            fn add(self, other: R) -> Expr {
                let mut sum = Expr::from(self);
                sum += other;
                sum
            }
        }

        impl<R: Into<Expr>> Sub<R> for $operand {
            type Output = Expr;

            fn sub(self, other: R) -> Expr {
                let mut difference = Expr::from(self);
                difference -= other;
                difference
            }
        }

        impl<N: Into<Number>> Mul<N> for $operand {
            type Output = Expr;

            fn mul(self, factor: N) -> Expr {
                let mut product = Expr::from(self);
                product *= factor;
                product
            }
        }

        impl Neg for $operand {
            type Output = Expr;

            fn neg(self) -> Expr {
                self * -1
            }
        }

        // The left operand has the concrete type `Value`, so Rust can infer the type of the number in `2 * x`.
        impl Add<$operand> for Value {
            type Output = Expr;

            fn add(self, other: $operand) -> Expr {
                other + self
            }
        }

        impl Sub<$operand> for Value {
            type Output = Expr;

            fn sub(self, other: $operand) -> Expr {
                -other + self
            }
        }

        impl Mul<$operand> for Value {
            type Output = Expr;

            fn mul(self, other: $operand) -> Expr {
                other * self
            }
        }
    )* };
}

operators!(IntVar Expr &Expr);
