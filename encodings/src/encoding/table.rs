//! Support encoding of tables: one literal for each row, and support clauses for each value.
//!
//! The literal r of a row implies the entries of the row: `r -> x = v` for an entry v, `r -> -(x = v)` for an entry
//! that excludes v. At least one row holds: `r1 or r2 ..`. Each value needs a supporting row: `x = v -> r1 or r2 ..`
//! over the rows that allow v.
//!
//! Example: for x and y from 1 to 2, the rows (1, 2) and (2, any) give `r1 -> x=1`, `r1 -> y=2`, `r2 -> x=2`, `r1 or
//! r2`, `x=1 -> r1`, `x=2 -> r2`, `y=1 -> r2`. A row with a single restricting entry needs no additional variable: r2
//! is `x=2`.
//!
//! Size for n rows with m restricting entries in total and d values in all columns: at most n variables and m + d + 1
//! clauses, plus n clauses if the number of solutions must be preserved. Rows that cannot hold are omitted, and a row
//! with a single restricting entry needs no variable. Strength: `support` is domain consistent; `rows`, which omits
//! the support clauses, is a consistency checker. On request, the clauses `all entries of the row -> r` are added,
//! which preserve the number of solutions.
//!
//! Redundant clauses: support clauses of values that every row allows, clauses of entries that all rows have in
//! common, and entries of a row that all other possible rows contain, too.
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
//! // Variable 1 is `x = 1`, variable 2 is `y = 1`, variable 3 is r1.
//! assert_eq!(cnf.to_string().lines().collect::<Vec<_>>(), [
//!     "-3 1 0", "-3 -2 0", "3 -1 0", "3 -1 0", "-1 -2 0", "3 -1 2 0",
//! ]);
//! ```

use super::layered_graph::layer;
use super::{Encoding, ModelCount, Strength};
use crate::constraint::{Entry, Table};
use crate::int::{Domains, IntVar};
use crate::lit::{FALSE, Lit, TRUE};
use crate::sink::Sink;

/// Tables by row literals and support clauses.
pub static SUPPORT: Encoding<Table> = Encoding {
    name: "support",
    paper: "Bacchus: GAC via unit propagation, CP 2007",
    strength: Strength::DomainConsistent,
    count: ModelCount::OnRequest,
    applies,
    encode: |table, sink| encode(table, true, sink),
};

/// Tables by row literals without support clauses.
pub static ROWS: Encoding<Table> = Encoding {
    name: "rows",
    paper: "folklore: disjunctive normal form by Tseitin's transformation",
    strength: Strength::ConsistencyChecker,
    count: ModelCount::OnRequest,
    applies: super::always,
    encode: |table, sink| encode(table, false, sink),
};

/// The maximum number of values of a column for which the support clauses are written.
const MOST_VALUES: u128 = 1 << 16;

fn applies(table: &Table, domains: Domains<'_>) -> bool {
    table.columns.iter().all(|column| domains.of_expr(column).size() <= MOST_VALUES)
}

fn encode(table: &Table, supports: bool, sink: &mut Sink<'_>) {
    let columns = sink.integers_for(&table.columns);
    let mut rows: Vec<(Lit, &[Entry])> = Vec::new();
    for row in &table.rows {
        let mut asked: Vec<Lit> =
            row.iter().zip(&columns).map(|(&entry, &column)| asks(entry, column, sink)).collect();
        asked.retain(|&lit| lit != TRUE);
        asked.sort_unstable();
        asked.dedup();
        if asked.contains(&FALSE) {
            continue;
        }
        let lit = match asked[..] {
            [] => TRUE,
            [lit] => lit,
            _ if sink.keeps_count() => sink.and(&asked),
            _ => {
                let lit = sink.fresh();
                for &asked in &asked {
                    sink.clause(&[!lit, asked]);
                }
                lit
            }
        };
        rows.push((lit, row));
    }
    sink.clause_of(rows.iter().map(|&(lit, _)| lit));
    if !supports {
        return;
    }
    for (number, &column) in columns.iter().enumerate() {
        for (value, equal) in layer(column, sink) {
            let allowing = rows.iter().filter(|(_, row)| row[number].allows(value)).map(|&(lit, _)| lit);
            sink.clause_of(allowing.chain([!equal]));
        }
    }
}

/// Returns the literal that is true if the entry of a row is satisfied.
fn asks(entry: Entry, column: IntVar, sink: &mut Sink<'_>) -> Lit {
    match entry {
        Entry::Any => TRUE,
        Entry::Is(value) => sink.equals(column, value),
        Entry::Not(value) => !sink.equals(column, value),
    }
}
