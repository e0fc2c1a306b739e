//! Support encoding of tables with two columns.
//!
//! Each value needs a value of the other column that is compatible with it: `x = a -> y = b1 or y = b2 or ..` over the
//! values b that occur in a row with a. If all values of y except b are compatible with a, this clause is equivalent to
//! `-(x = a) or -(y = b)`, which serves both values. Values that are compatible with all values have no clause.
//!
//! Example: x and y have values from 1 to 3, and the rows are (1, 1), (1, 2), (2, 3) and (3, any). The clauses are
//! `-(x=1) or -(y=3)`, `x=2 -> y=3`, `-(x=2) or -(y=1)` and `-(x=2) or -(y=2)`.
//!
//! Size for columns of d and e values: no variables, and at most d + e clauses. Strength: domain consistent.
//!
//! The clauses for the values of one column alone are correct; those of the other column make the encoding domain
//! consistent.
//!
//! Papers: Kasif: *On the parallel complexity of discrete relaxation in constraint satisfaction networks*, Artificial
//! Intelligence 45, 1990; Gent: *Arc consistency in SAT*, ECAI 2002.
//!
//! ```
//! use gordian_encodings::constraint::{Entry, Table};
//! use gordian_encodings::encoding::binary_support::BINARY_SUPPORT;
//! use gordian_encodings::{Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 3)));
//! let rows = vec![
//!     vec![Entry::Is(1), Entry::Is(1)],
//!     vec![Entry::Is(1), Entry::Is(2)],
//!     vec![Entry::Is(2), Entry::Is(3)],
//!     vec![Entry::Is(3), Entry::Any],
//! ];
//! let size = model.size_of(&Table::new([x, y], rows), &Encodings::auto().with(&BINARY_SUPPORT));
//! assert_eq!((size.variables, size.clauses), (0, 4));
//! ```

use super::layered_graph::{Layer, layer};
use super::{Encoding, ModelCount, Strength};
use crate::constraint::Table;
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Encodes tables with two columns by support clauses only.
pub static BINARY_SUPPORT: Encoding<Table> = Encoding {
    name: "binary-support",
    paper: "Gent: Arc consistency in SAT, ECAI 2002",
    strength: Strength::DomainConsistent,
    count: ModelCount::Kept,
    derived: false,
    applies,
    encode,
};

/// The maximum number of pairs of values.
const MOST_PAIRS: u128 = 1 << 16;

/// Returns whether the table has two columns with few values.
pub(crate) fn applies(table: &Table, domains: Domains<'_>) -> bool {
    let [left, right] = &table.columns[..] else { return false };
    let [left, right] = [left, right].map(|column| domains.of_expr(column).size());
    left.saturating_mul(right) <= MOST_PAIRS
}

fn encode(table: &Table, sink: &mut Sink<'_>) {
    let [left, right] = [0, 1].map(|column| layer(table.columns[column].clone(), sink));
    let values = |layer: &Layer| layer.iter().map(|&(value, _)| value).collect::<Vec<Value>>();
    let compatible = table.compatible([0, 1], [&values(&left), &values(&right)]);
    let transposed: Vec<Vec<bool>> =
        (0..right.len()).map(|b| compatible.iter().map(|row| row[b]).collect()).collect();
    let conflict = |row: &[bool]| {
        let mut conflicts = row.iter().enumerate().filter(|&(_, &compatible)| !compatible);
        conflicts.next().filter(|_| conflicts.next().is_none()).map(|(b, _)| b)
    };
    for (&(_, a), row) in left.iter().zip(&compatible) {
        support(a, row, conflict(row), &right, sink);
    }
    for (&(_, b), column) in right.iter().zip(&transposed) {
        let only = conflict(column);
        // The clause of the value in the left column is the same.
        if only.is_none_or(|a| conflict(&compatible[a]).is_none()) {
            support(b, column, only, &left, sink);
        }
    }
}

/// Adds the clause of a value. If exactly one value of the other column is incompatible, `only` is its index.
fn support(value: Lit, compatible: &[bool], only: Option<usize>, others: &Layer, sink: &mut Sink<'_>) {
    if let Some(only) = only {
        return sink.clause(&[!value, !others[only].1]);
    }
    if compatible.contains(&false) {
        let supports = others.iter().zip(compatible).filter(|&(_, &compatible)| compatible);
        sink.clause_of(supports.map(|(&(_, other), _)| other).chain([!value]));
    }
}
