//! Integer variables for expressions. These variables replace expressions in encodings that expect variables.
//!
//! * An expression that is a single variable needs no new variable.
//! * An expression `a x + c` becomes an affine view of x, which shares the literals of x. For example, if y is the
//!   affine view 2 x + 1, `y <= 7` is the literal `x <= 3`. If a = 1, the affine view also shares the bits of x. For
//!   any other coefficient, the affine view gets its own bits if they are needed, and adders connect them to the bits
//!   of x.
//! * An expression `a l + c`, where l is a literal, becomes an integer whose only order literal is l or its negation.
//! * Any other expression becomes an auxiliary variable that a linear equality defines.
//!
//! Within an encoded model, expressions with the same normal form share one variable. If x has more than 1,000 values,
//! only expressions with the coefficients 1 and -1 become affine views. With any other coefficient, the domain of an
//! affine view would have a gap after each value.
//!
//! Size: an expression `a l + c` needs no variables or clauses, and an affine view needs some only if it has bits of
//! its own. Any other expression needs the variables and clauses of its linear equality. The number of solutions is
//! preserved, because auxiliary variables are functions of the model's variables.
//!
//! Paper: Schulte, Tack: *View-based propagator derivation*, Constraints 18, 2013. In the paper, a view shares the
//! propagators of its variable; in this module, it shares the literals.

use super::ROW;
use crate::circuit;
use crate::constraint::Comparison;
use crate::expr::{Expr, Term};
use crate::int::{Affine, Bound, IntVar, Known, Log, Relation, width};
use crate::lit::Lit;
use crate::sink::Sink;

impl Sink<'_> {
    /// Returns an integer variable that equals the expression.
    ///
    /// # Panics
    /// Panics if a value of the expression does not fit in an `i128`.
    pub fn integer_for(&mut self, expr: &Expr) -> IntVar {
        if let Some(x) = expr.variable() {
            return x;
        }
        let expr = self.domains().normal(expr);
        if let Some(x) = expr.variable() {
            return x;
        }
        if let Some(&x) = self.state().exprs.get(&expr) {
            return x;
        }
        let domain = self.domains().of_expr(&expr).into_owned();
        let affine = self.domains().affine(&expr);
        let least = domain.min();
        let unordered = affine.is_some_and(|affine| self.domains().is_unordered(affine.of));
        let state = self.state();
        let y = state.integers.add(domain, unordered);
        state.exprs.insert(expr.clone(), y);
        let integers = &mut state.integers;
        match (affine, expr.terms()) {
            (Some(_), _) => integers.views[y.index()].affine = affine,
            (None, []) => {}
            (None, &[(coefficient, Term::Lit(lit))]) => {
                let bound = Bound { variable: y, relation: Relation::AtMost, value: least };
                let lit = if coefficient > 0 { !lit } else { lit };
                integers.known.insert(bound, Known { lit, defined: true });
            }
            (None, _) => {
                let tie = (expr - y).equals(0);
                self.written_as(ROW.name, |sink| sink.always().post(&tie));
            }
        }
        y
    }

    /// Returns an integer variable for each of the expressions.
    pub fn integers_for(&mut self, exprs: &[Expr]) -> Vec<IntVar> {
        exprs.iter().map(|expr| self.integer_for(expr)).collect()
    }

    /// Returns the affine function that defines the integer variable, or `None` if the variable is not an affine
    /// view.
    pub(super) fn affine(&self, x: IntVar) -> Option<Affine> {
        self.integers().views[x.index()].affine
    }

    /// Returns the literal for a bound on an affine view, which is a literal of the original variable.
    pub(super) fn bound_of_view(&mut self, affine: Affine, bound: Bound) -> Lit {
        let value = affine.inverse(bound.value);
        match bound.relation {
            Relation::AtMost if affine.factor < 0 => self.at_least(affine.of, value),
            Relation::AtMost => self.at_most(affine.of, value),
            Relation::Equal => self.equals(affine.of, value),
        }
    }

    /// Returns the order view of an affine view.
    pub(super) fn order_of_view(&mut self, affine: Affine) -> Vec<Lit> {
        affine.order(self.order(affine.of))
    }

    /// Returns the direct view of an affine view.
    pub(super) fn direct_of_view(&mut self, affine: Affine) -> Vec<Lit> {
        let mut lits = self.direct(affine.of);
        if affine.factor < 0 {
            lits.reverse();
        }
        lits
    }

    /// Returns the log view of an affine view.
    pub(super) fn log_of_view(&mut self, y: IntVar, affine: Affine) -> Log {
        if affine.factor == 1 {
            let Log { min, bits } = self.log(affine.of);
            return Log { min: affine.value(min), bits };
        }
        let domain = self.domain(y);
        let span = domain.max().abs_diff(domain.min());
        let bits = (0..width(span)).map(|_| self.always().fresh()).collect();
        let log = Log { min: domain.min(), bits };
        self.views_mut(y).log = Some(log.clone());
        let mut sink = self.always();
        sink.bits_at_most(&log.bits, span);
        let terms = [(1, log.clone()), (-affine.factor, sink.log(affine.of))];
        circuit::compare_sum(&terms, Comparison::Equal, affine.offset, &mut sink);
        log
    }
}
