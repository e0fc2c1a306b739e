//! Support encoding of tables, with one literal for each row and support clauses for each value.
//!
//! The literal r of a row implies the entries of the row: `r -> x = v` for an entry that requires v, and `r -> -(x =
//! v)` for an entry that excludes v. At least one row holds: `r1 or r2 or ..`. Each value needs a supporting row: `x
//! = v -> r1 or r2 or ..` over the rows that allow v.
//!
//! Example: for x and y from 1 to 2, the rows (1, 2) and (2, any) give `r1 -> x=1`, `r1 -> y=2`, `r2 -> x=2`, `r1 or
//! r2`, `x=1 -> r1`, `x=2 -> r2`, `y=1 -> r2`. The rows need no additional variables: r1 is `x=1`, and r2 is `x=2`.
//!
//! Size for n rows with a total of m entries that require or exclude a value, and columns with a total of d values: at
//! most n variables and m + d + 1 clauses, plus n clauses if the number of solutions must be preserved. The encoding
//! omits rows that cannot hold. A row needs no variable if it has a single entry that requires or excludes a value, or
//! if it has a value that no other row allows in the same column. In these cases, the literal of the entry also serves
//! as the literal of the row. Strength: `support` is domain consistent; `rows`, which omits the support clauses, is a
//! consistency checker. `Encodings::keep_count` adds the clauses `all entries of the row -> r`, which preserve the
//! number of solutions.
//!
//! A large column has support clauses only for the values that occur in the rows. A column is large if it has more
//! than 2^16 values, or if it has more than 1,000 values and fewer than half of them occur in the rows. In a large
//! column, unit propagation does not always exclude the values that occur in no row.
//!
//! The support clauses of a value are redundant if every row allows the value. The clauses of an entry are redundant if
//! all possible rows contain the entry. In the encoding `rows`, some clauses are redundant because a value identifies a
//! row.
//!
//! Paper: Bacchus: *GAC via unit propagation*, CP 2007. Unlike in the paper, entries may be wildcards or excluded
//! values, so several rows may hold at once.
//!
//! ```
//! use gordian_encodings::constraint::{Entry, Table};
//! use gordian_encodings::encoding::table::SUPPORT;
//! use gordian_encodings::{Cnf, Domain, Encodings, Model};
//!
//! let mut model = Model::new();
//! let [x, y] = [0; 2].map(|_| model.integer(Domain::interval(1, 2)));
//! let rows = vec![vec![Entry::Is(1), Entry::Is(2)], vec![Entry::Is(2), Entry::Any]];
//! model.post(Table::new([x, y], rows));
//! let mut cnf = Cnf::default();
//! model.encode(&Encodings::auto().with(&SUPPORT), &mut cnf);
//! // Variable 1 is `x = 1`, and variable 2 is `y = 1`.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), ["-1 -2 0", "-1 -2 0"]);
//! ```

use std::collections::{BTreeMap, HashMap};

use super::layered_graph::{Layer, layer};
use super::{Encoding, ModelCount, Strength, always};
use crate::constraint::{Entry, Table};
use crate::int::{IntVar, Value};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Encodes tables with row literals and support clauses.
pub static SUPPORT: Encoding<Table> = Encoding {
    name: "support",
    paper: "Bacchus: GAC via unit propagation, CP 2007",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |table, sink| encode(table, true, sink),
};

/// Encodes tables with row literals and without support clauses.
pub static ROWS: Encoding<Table> = Encoding {
    name: "rows",
    paper: "folklore: disjunctive normal form by Tseitin's transformation",
    strength: Strength::ConsistencyChecker,
    count: ModelCount::OnRequest,
    derived: false,
    applies: always,
    encode: |table, sink| encode(table, false, sink),
};

/// If a column has at most this many values, each of its values has a support clause.
const DENSE_UP_TO: u128 = 1_000;
/// If a column has at most this many values, and at least half of them occur in the rows, each of its values has a
/// support clause.
const MOST_VALUES: u128 = 1 << 16;

/// The rows that can hold, each with the literals that its entries require to be true.
type Rows<'t> = Vec<(Vec<Lit>, &'t [Entry])>;

fn encode(table: &Table, supports: bool, sink: &mut Sink<'_>) {
    let columns = sink.integers_for(&table.columns);
    let mut possible: Rows<'_> = Vec::new();
    for row in &table.rows {
        let mut asked: Vec<Lit> =
            row.iter().zip(&columns).map(|(&entry, &column)| asks(entry, column, sink)).collect();
        asked.retain(|&lit| lit != TRUE);
        asked.sort_unstable();
        asked.dedup();
        if !asked.contains(&FALSE) {
            possible.push((asked, row));
        }
    }
    let keys: Vec<Key> = (0..columns.len()).map(|number| Key::new(number, &possible)).collect();
    let mut rows: Vec<(Lit, &[Entry])> = Vec::new();
    for (asked, row) in possible {
        let key = || keys.iter().zip(&columns).find_map(|(key, &column)| Some((column, key.of(row)?)));
        let lit = match asked[..] {
            [] => TRUE,
            [lit] => lit,
            _ => match key() {
                None if sink.keeps_count() => sink.and(&asked),
                key => {
                    let lit = match key {
                        Some((column, value)) => sink.equals(column, value),
                        None => sink.fresh(),
                    };
                    for &asked in &asked {
                        sink.clause(&[!lit, asked]);
                    }
                    lit
                }
            },
        };
        rows.push((lit, row));
    }
    sink.clause_of(rows.iter().map(|&(lit, _)| lit));
    if supports {
        for (number, &column) in columns.iter().enumerate() {
            support(number, column, &rows, sink);
        }
    }
}

/// The values of a column that occur in only one row and therefore identify this row.
struct Key {
    column: usize,
    /// The number of rows in which each value occurs. The map is empty if the column has an entry that does not require
    /// a value.
    occurrences: HashMap<Value, usize>,
}

impl Key {
    fn new(column: usize, rows: &Rows<'_>) -> Self {
        let mut occurrences = HashMap::new();
        for (_, row) in rows {
            let Entry::Is(value) = row[column] else { return Self { column, occurrences: HashMap::new() } };
            *occurrences.entry(value).or_default() += 1;
        }
        Self { column, occurrences }
    }

    /// Returns the value of the row in the column if the value identifies the row.
    fn of(&self, row: &[Entry]) -> Option<Value> {
        match row[self.column] {
            Entry::Is(value) if self.occurrences.get(&value) == Some(&1) => Some(value),
            _ => None,
        }
    }
}

/// Requires each value of a column to have a supporting row.
fn support(number: usize, column: IntVar, rows: &[(Lit, &[Entry])], sink: &mut Sink<'_>) {
    // For each value that occurs in the column, the indices of the rows that require it: none if the value is only
    // excluded. The rows in `wild` require no value.
    let mut requiring: BTreeMap<Value, Vec<usize>> = BTreeMap::new();
    let mut wild = Vec::new();
    for (index, (_, row)) in rows.iter().enumerate() {
        match row[number] {
            Entry::Is(value) => requiring.entry(value).or_default().push(index),
            Entry::Not(value) => {
                requiring.entry(value).or_default();
                wild.push(index);
            }
            Entry::Any => wild.push(index),
        }
    }
    let size = sink.domains().of(column).size();
    let is_dense = size <= DENSE_UP_TO || size <= MOST_VALUES.min(2 * requiring.len() as u128);
    let values = if is_dense {
        layer(column, sink)
    } else {
        let values: Layer = requiring.keys().map(|&value| (value, sink.equals(column, value))).collect();
        // A value that occurs in no row is supported only by the rows in `wild`, whose entries in this column do not
        // require a value.
        let wild = wild.iter().map(|&index| rows[index].0);
        sink.clause_of(values.iter().map(|&(_, equal)| equal).chain(wild));
        values
    };
    for (value, equal) in values {
        let allowing = wild.iter().copied().filter(|&index| rows[index].1[number].allows(value));
        let mut allowing: Vec<usize> = allowing.chain(requiring.remove(&value).unwrap_or_default()).collect();
        allowing.sort_unstable();
        sink.clause_of(allowing.into_iter().map(|index| rows[index].0).chain([!equal]));
    }
}

/// Returns the literal that is true if and only if the value of the column satisfies the entry.
fn asks(entry: Entry, column: IntVar, sink: &mut Sink<'_>) -> Lit {
    match entry {
        Entry::Any => TRUE,
        Entry::Is(value) => sink.equals(column, value),
        Entry::Not(value) => !sink.equals(column, value),
    }
}
