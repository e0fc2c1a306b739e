//! Tables of allowed combinations of values.

use std::sync::Arc;

use super::{Conjunction, Constraint, Disjunction, Linear, Scope};
use crate::assignment::Assignment;
use crate::expr::Expr;
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::value_literals::ValueLiterals;

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

/// A table implies no constraints if its pairs of columns have more than this many pairs of values in total.
const MOST_PAIRS: u128 = 10_000;

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

    /// Returns a matrix for two columns and a list of values of each column. The entry in row a and column b is true if some
    /// row of the table allows the values `values[0][a]` and `values[1][b]`. The lists must be in ascending order.
    pub(crate) fn compatible(&self, columns: [usize; 2], values: [&[Value]; 2]) -> Vec<Vec<bool>> {
        let mut compatible = vec![vec![false; values[1].len()]; values[0].len()];
        for row in &self.rows {
            let [left, right] = [0, 1].map(|side| row[columns[side]].allowed(values[side]));
            for a in left {
                for &b in &right {
                    compatible[a][b] = true;
                }
            }
        }
        compatible
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

    /// Returns the indices of the values that satisfy the entry, in a list of values in ascending order.
    pub(crate) fn allowed(self, values: &[Value]) -> Vec<usize> {
        match self {
            Self::Is(value) => values.binary_search(&value).into_iter().collect(),
            Self::Any | Self::Not(_) => {
                (0..values.len()).filter(|&index| self.allows(values[index])).collect()
            }
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

    /// For each pair of columns in which most pairs of values occur in some row: of two values that occur in no row
    /// together, at most one is used. For each other pair of columns: a value needs a value of the other column that occurs
    /// in some row with it.
    fn implied(&self, literals: &mut ValueLiterals<'_>) -> Vec<Linear> {
        let domains = literals.domains();
        let sizes: Vec<u128> = self.columns.iter().map(|column| domains.of_expr(column).size()).collect();
        let pairs = (1..sizes.len()).flat_map(|right| (0..right).map(move |left| [left, right]));
        let size = |[left, right]: [usize; 2]| sizes[left].saturating_mul(sizes[right]);
        if pairs.clone().map(size).fold(0, u128::saturating_add) > MOST_PAIRS {
            return Vec::new();
        }
        let Some(columns) = literals.values_of_all(&self.columns) else { return Vec::new() };
        let mut implied = Vec::new();
        for pair in pairs {
            let values =
                pair.map(|column| columns[column].iter().map(|&(value, _)| value).collect::<Vec<_>>());
            let compatible = self.compatible(pair, [&values[0], &values[1]]);
            let [left, right] =
                pair.map(|column| columns[column].iter().map(|&(_, lit)| lit).collect::<Vec<_>>());
            let held = compatible.iter().flatten().filter(|&&compatible| compatible).count();
            if 2 * held as u128 > size(pair) {
                let conflicts = left.iter().zip(&compatible).flat_map(|(&a, row)| {
                    let conflicts = right.iter().zip(row).filter(|&(_, &compatible)| !compatible);
                    conflicts.map(move |(&b, _)| Linear::at_most([(1, a.into()), (1, b.into())], 1))
                });
                implied.extend(conflicts);
                continue;
            }
            let supported = |value: Lit, others: &mut dyn Iterator<Item = Lit>| {
                Linear::at_least(others.map(|other| (1, other.into())).chain([(-1, value.into())]), 0)
            };
            for (&a, row) in left.iter().zip(&compatible) {
                let supports = right.iter().zip(row).filter(|&(_, &compatible)| compatible);
                implied.push(supported(a, &mut supports.map(|(&b, _)| b)));
            }
            for (index, &b) in right.iter().enumerate() {
                let supports = left.iter().zip(&compatible).filter(|(_, row)| row[index]);
                implied.push(supported(b, &mut supports.map(|(&a, _)| a)));
            }
        }
        implied
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
