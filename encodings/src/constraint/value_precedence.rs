//! Precedence of values.

use std::sync::Arc;

use super::{Constraint, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};

/// A value of a chain occurs among the expressions only if the previous value of the chain occurs at an earlier
/// position. If `holds` is false, this rule must be violated: some value of the chain must occur without an earlier
/// occurrence of the previous value.
///
/// The constraint breaks the symmetry of interchangeable values.
///
/// ```
/// use gordian_encodings::constraint::ValuePrecedence;
/// use gordian_encodings::{Assignment, Cnf, Encodings, Model};
///
/// let mut model = Model::new();
/// let colours = model.integers::<4>(1..=3);
/// model.post(ValuePrecedence::new(colours, [1, 2, 3]));
/// assert!(model.holds(&Assignment::new(vec![], vec![1, 2, 1, 3])));
/// assert!(!model.holds(&Assignment::new(vec![], vec![1, 3, 2, 1])), "3 before 2");
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValuePrecedence {
    /// The expressions.
    pub exprs: Vec<Expr>,
    /// The chain of values.
    pub values: Vec<Value>,
    /// True if the values must occur in the order of the chain, false if this order must be violated.
    pub holds: bool,
}

impl ValuePrecedence {
    /// Creates the constraint that each value of the chain occurs only after the previous value has occurred.
    pub fn new(exprs: impl IntoIterator<Item: Into<Expr>>, values: impl Into<Vec<Value>>) -> Self {
        Self { exprs: exprs.into_iter().map(Into::into).collect(), values: values.into(), holds: true }
    }
}

impl Constraint for ValuePrecedence {
    fn scope(&self) -> Scope {
        Scope::of_exprs(&self.exprs)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values: Vec<Value> = self.exprs.iter().map(|expr| assignment.value(expr)).collect();
        let first = |value: Value| values.iter().position(|&x| x == value);
        let ordered = |pair: &[Value]| match (first(pair[0]), first(pair[1])) {
            (_, None) => true,
            (before, after) => before.is_some() && before < after,
        };
        self.values.windows(2).all(ordered) == self.holds
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        Arc::new(Self { holds: !self.holds, ..self.clone() })
    }
}
