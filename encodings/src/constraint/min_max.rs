//! Minimum and maximum of expressions.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Needs, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, IntVar};
use crate::value_literals::ValueLiterals;

/// The common interface of [`Minimum`] and [`Maximum`].
pub(crate) trait MinMax {
    /// True for a maximum, and false for a minimum.
    const GREATEST: bool;

    /// Returns the expressions, and the expression that equals their minimum or maximum.
    fn exprs(&self) -> (&[Expr], &Expr);

    /// Returns the constraint that `expr` does not exceed the maximum (or is not below the minimum).
    fn within(&self, expr: &Expr) -> Linear {
        let value = self.exprs().1;
        if Self::GREATEST { expr.at_most(value) } else { expr.at_least(value) }
    }

    /// Returns the constraint that `expr` is at least the maximum (or at most the minimum).
    fn reached(&self, expr: &Expr) -> Linear {
        let value = self.exprs().1;
        if Self::GREATEST { expr.at_least(value) } else { expr.at_most(value) }
    }
}

macro_rules! min_max {
    ($(#[$doc:meta])* $name:ident, $of:literal, $best:ident, $greatest:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name {
            /// The expressions.
            pub of: Vec<Expr>,
            #[doc = concat!("The ", $of, " of the expressions.")]
            pub value: Expr,
        }

        impl $name {
            #[doc = concat!("Creates the constraint that `value` is the ", $of, " of the expressions.")]
            pub fn new(of: impl IntoIterator<Item: Into<Expr>>, value: impl Into<Expr>) -> Self {
                Self { of: of.into_iter().map(Into::into).collect(), value: value.into() }
            }
        }

        impl MinMax for $name {
            const GREATEST: bool = $greatest;

            fn exprs(&self) -> (&[Expr], &Expr) {
                (&self.of, &self.value)
            }
        }

        impl Constraint for $name {
            fn scope(&self) -> Scope {
                Scope::of_exprs(self.of.iter().chain([&self.value]))
            }

            fn needs(&self) -> Vec<(IntVar, Needs)> {
                Vec::new()
            }

            fn holds(&self, assignment: &Assignment) -> bool {
                self.of.iter().map(|expr| assignment.value(expr)).$best() == Some(assignment.value(&self.value))
            }

            fn implied(&self, _: &mut ValueLiterals<'_>) -> Vec<Linear> {
                self.of.iter().map(|expr| self.within(expr)).collect()
            }

            fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
                // The constraint is violated if some expression exceeds the maximum, or no expression is as large as
                // the maximum.
                let not = |linear: Linear| Arc::new(linear.negated()) as Arc<dyn Constraint>;
                let beyond = self.of.iter().map(|expr| not(self.within(expr)));
                let missed = Conjunction::new(self.of.iter().map(|expr| not(self.reached(expr))));
                Arc::new(Disjunction::new(beyond.chain([Arc::new(missed) as Arc<dyn Constraint>])))
            }
        }
    };
}

min_max! {
    /// The constraint that an expression is the maximum of a list of expressions. The constraint is unsatisfiable if
    /// the list is empty.
    ///
    /// ```
    /// use gordian_encodings::constraint::Maximum;
    /// use gordian_encodings::{Assignment, Model};
    ///
    /// let mut model = Model::new();
    /// let [x, y, most] = model.integers(0..=9);
    /// model.post(Maximum::new([x + 1, y + 0], most));
    /// assert!(model.holds(&Assignment::new(vec![], vec![3, 7, 7])));
    /// assert!(!model.holds(&Assignment::new(vec![], vec![7, 7, 7])));
    /// ```
    Maximum, "maximum", max, true
}

min_max! {
    /// The constraint that an expression is the minimum of a list of expressions. The constraint is unsatisfiable if
    /// the list is empty.
    ///
    /// ```
    /// use gordian_encodings::constraint::Minimum;
    /// use gordian_encodings::{Assignment, Model};
    ///
    /// let mut model = Model::new();
    /// let [x, y, least] = model.integers(0..=9);
    /// model.post(Minimum::new([x, y], least));
    /// assert!(model.holds(&Assignment::new(vec![], vec![3, 7, 3])));
    /// assert!(!model.holds(&Assignment::new(vec![], vec![3, 7, 2])));
    /// ```
    Minimum, "minimum", min, false
}
