//! Tables of allowed combinations of values.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};

/// An entry of a table: the condition that a row imposes on the value in one column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Entry {
    /// The column can have any value.
    Any,
    /// The column must have the given value.
    Is(Value),
    /// The column must not have the given value.
    Not(Value),
}

/// The values of the columns match all entries of at least one row. A literal used as a column has the value 0 or 1.
///
/// ```
/// use gordian_encodings::constraint::{Entry, Table};
/// use gordian_encodings::{Assignment, Cnf, Domain, Encodings, Expr, Model};
///
/// let mut model = Model::new();
/// let (x, b) = (model.integer(Domain::interval(1, 3)), model.boolean());
/// let rows = vec![vec![Entry::Is(2), Entry::Is(1)], vec![Entry::Not(2), Entry::Any]];
/// model.post(Table::new([Expr::from(x), b.into()], rows));
/// assert!(model.holds(&Assignment::new(vec![true], vec![2])));
/// assert!(!model.holds(&Assignment::new(vec![false], vec![2])));
/// assert!(model.holds(&Assignment::new(vec![false], vec![3])));
///
/// let mut cnf = Cnf::default();
/// model.encode(&Encodings::auto(), &mut cnf);
/// assert!(!cnf.is_empty());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The columns of the table.
    pub columns: Vec<Expr>,
    /// The rows of the table, each with one entry for each column.
    pub rows: Vec<Vec<Entry>>,
}

impl Table {
    /// Creates the constraint that the columns match at least one row.
    ///
    /// # Panics
    /// Panics if the length of a row differs from the number of columns.
    pub fn new(columns: impl IntoIterator<Item: Into<Expr>>, rows: impl Into<Vec<Vec<Entry>>>) -> Self {
        let (columns, rows): (Vec<Expr>, _) = (columns.into_iter().map(Into::into).collect(), rows.into());
        assert!(rows.iter().all(|row| row.len() == columns.len()), "one entry for each column");
        Self { columns, rows }
    }
}

impl Entry {
    /// Returns whether the entry allows the value.
    #[must_use]
    pub fn allows(self, value: Value) -> bool {
        match self {
            Self::Any => true,
            Self::Is(allowed) => value == allowed,
            Self::Not(forbidden) => value != forbidden,
        }
    }
}

impl Constraint for Table {
    fn scope(&self) -> Scope {
        Scope::of_exprs(&self.columns)
    }

    fn holds(&self, assignment: &Assignment) -> bool {
        let values: Vec<Value> = self.columns.iter().map(|column| assignment.value(column)).collect();
        self.rows.iter().any(|row| row.iter().zip(&values).all(|(entry, &value)| entry.allows(value)))
    }

    fn negation(&self, _: Domains<'_>) -> Arc<dyn Constraint> {
        let unmet = |(&entry, column): (&Entry, &Expr)| match entry {
            Entry::Any => None,
            Entry::Is(value) => Some(column.not_equals(value)),
            Entry::Not(value) => Some(column.equals(value)),
        };
        let not_so = |row: &Vec<Entry>| {
            let unmet = row.iter().zip(&self.columns).filter_map(unmet);
            Arc::new(Disjunction::new(unmet.map(|unmet| Arc::new(unmet) as Arc<dyn Constraint>)))
        };
        Arc::new(Conjunction::new(self.rows.iter().map(|row| not_so(row) as Arc<dyn Constraint>)))
    }
}
