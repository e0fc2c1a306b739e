//! Conflict clauses of tables.
//!
//! Each combination of values that no row allows becomes a clause: `-(x = a) or -(y = b) or -(z = c)`. If this excludes
//! every value of z together with the same values of x and y, the clause `-(x = a) or -(y = b)` replaces these clauses.
//! The same is done for the other columns.
//!
//! Example: x, y and z have the values 1 and 2, and the rows are (1, 1, 1), (1, 2, any) and (2, 1, any). They exclude
//! (1, 1, 2), (2, 2, 1) and (2, 2, 2). The clauses are `-(x=1) or -(y=1) or -(z=2)` and `-(x=2) or -(y=2)`.
//!
//! Size if no row allows n combinations of values: no variables, and at most n clauses. Strength: total assignments.
//!
//! Paper: Walsh: *SAT v CSP*, CP 2000, where these clauses are the conflict clauses of the direct encoding.
//!
//! ```
//! use gordian_encodings::constraint::{Entry, Table};
//! use gordian_encodings::encoding::conflicts::CONFLICTS;
//! use gordian_encodings::{Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y, z] = [0; 3].map(|_| model.integer(Domain::interval(1, 2)));
//! let [one, two] = [1, 2].map(Entry::Is);
//! let rows = vec![vec![one, one, one], vec![one, two, Entry::Any], vec![two, one, Entry::Any]];
//! let size = model.size_of(&Table::new([x, y, z], rows), &Encodings::auto().with(&CONFLICTS));
//! assert_eq!((size.variables, size.clauses), (0, 2));
//! ```

use std::collections::BTreeMap;

use super::layered_graph::{Layer, layer};
use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Entry, Table};
use crate::int::{Domains, Value};
use crate::lit::Lit;
use crate::sink::Sink;

/// Encodes tables by the clauses that exclude all other combinations of values.
pub static CONFLICTS: Encoding<Table> = Encoding {
    name: "conflicts",
    paper: "Walsh: SAT v CSP, CP 2000",
    strength: Strength::TotalAssignments,
    count: ModelCount::Kept,
    derived: false,
    applies,
    encode,
};

/// The maximum number of combinations of values.
const MOST_COMBINATIONS: u128 = 1 << 12;

/// Returns whether the columns have few combinations of values.
fn applies(table: &Table, domains: Domains<'_>) -> bool {
    let sizes = table.columns.iter().map(|column| domains.of_expr(column).size());
    sizes.fold(1, u128::saturating_mul) <= MOST_COMBINATIONS
}

/// Returns whether the columns have few combinations of values, and at least a quarter of them are allowed.
pub(crate) fn is_loose(table: &Table, domains: Domains<'_>) -> bool {
    if !applies(table, domains) {
        return false;
    }
    let columns = table.columns.iter().map(|column| domains.of_expr(column).values().collect());
    let excluded = excluded(table, &columns.collect::<Vec<_>>());
    4 * excluded.iter().filter(|&&excluded| excluded).count() <= 3 * excluded.len()
}

/// For each combination of values, returns whether no row allows it. The combinations are in lexicographic order.
fn excluded(table: &Table, columns: &[Vec<Value>]) -> Vec<bool> {
    let mut excluded = vec![true; columns.iter().map(Vec::len).product()];
    for row in &table.rows {
        let extend = |numbers: Vec<usize>, (entry, values): (&Entry, &Vec<Value>)| {
            let allowed = entry.allowed(values);
            let next = |number| allowed.iter().map(move |index| number * values.len() + index);
            numbers.into_iter().flat_map(next).collect()
        };
        for number in row.iter().zip(columns).fold(vec![0], extend) {
            excluded[number] = false;
        }
    }
    excluded
}

fn encode(table: &Table, sink: &mut Sink<'_>) {
    let layers: Vec<Layer> = table.columns.iter().map(|column| layer(column.clone(), sink)).collect();
    let values = |layer: &Layer| layer.iter().map(|&(value, _)| value).collect();
    let excluded = excluded(table, &layers.iter().map(values).collect::<Vec<_>>());
    let numbers = (0..excluded.len()).filter(|&number| excluded[number]);
    // A combination contains the index of a value for each column, or `None` if every value of the column is excluded.
    let combination = |mut number: usize| {
        let mut indices: Vec<Option<usize>> = Vec::new();
        for layer in layers.iter().rev() {
            indices.push(Some(number % layer.len()));
            number /= layer.len();
        }
        indices.reverse();
        indices
    };
    let mut combinations: Vec<Vec<Option<usize>>> = numbers.map(combination).collect();
    for (column, layer) in layers.iter().enumerate() {
        let mut groups: BTreeMap<Vec<Option<usize>>, Vec<Option<usize>>> = BTreeMap::new();
        for mut combination in combinations {
            let index = combination[column].take();
            groups.entry(combination).or_default().push(index);
        }
        let merge = |(mut combination, indices): (Vec<Option<usize>>, Vec<Option<usize>>)| {
            let indices = if indices.len() == layer.len() { vec![None] } else { indices };
            indices.into_iter().map(move |index| {
                combination[column] = index;
                combination.clone()
            })
        };
        combinations = groups.into_iter().flat_map(merge).collect();
    }
    for combination in combinations {
        let lits = combination.iter().zip(&layers).filter_map(|(&index, layer)| Some(!layer[index?].1));
        sink.clause(&lits.collect::<Vec<Lit>>());
    }
}
